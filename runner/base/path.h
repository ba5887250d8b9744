/* SPDX-License-Identifier: MIT */
/*
 * Paths as reports show them. A report is read on other machines and by other people: where its
 * files were, and whose home directory that is, is nobody's business. So no report has an absolute
 * path; but what it has names the same file in the directory in which the run was made.
 */
#ifndef WCTS_PATH_H
#define WCTS_PATH_H

#include <stddef.h>

#define WCTS_PATH_ROOM 8192

/*
 * The path relative to the current directory: below it, or with "../"; "~/" and the rest for what
 * is in a home directory in which the current one is not. Paths that are relative, and what is in
 * /dev and /proc, are as they are. Returns path or buffer, which should have WCTS_PATH_ROOM bytes;
 * NULL for NULL.
 */
const char *wcts_path_shown(const char *path, char *buffer, size_t room);

/* Options of a plug-in, "key=value,...": the same with the values that are absolute paths, but
 * without "~/", which no shell would replace there. */
const char *wcts_path_options(const char *options, char *buffer, size_t room);

/* A word of a command: the same if it is an absolute path, but for programs and files of the
 * system.
 */
const char *wcts_path_word(const char *word, char *buffer, size_t room);

/* A file of spec or cases: below the current directory relative to it, elsewhere the name
 * of its directory and its own, as the suite may be installed anywhere. */
const char *wcts_path_place(const char *path);

#endif
