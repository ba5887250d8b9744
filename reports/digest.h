/* SPDX-License-Identifier: MIT */
/* Digests of files: of what a run left, and of what it was a run of. */
#ifndef WCTS_DIGEST_H
#define WCTS_DIGEST_H

#include <jansson.h>
#include <stdbool.h>

/* The SHA-256 of a file in hexadecimal digits; false with errno when it cannot be read. */
bool wcts_digest_file(const char *directory, const char *name, char digest[65]);

/* The same of the file that an implementation is loaded from: the tool's own when it is built in.
 * It says nothing of libraries that the file loads in turn. "" when it cannot be read. */
void wcts_digest_implementation(const char *path, char digest[65]);

/* The files of a run directory that a claim rests on; NULL behind the last. */
extern const char *const wcts_digest_files[];

/* {file: digest} of those of them that are there. */
json_t *wcts_digest_directory(const char *directory);

#endif
