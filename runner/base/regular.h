/* SPDX-License-Identifier: MIT */
/*
 * Opening what a command line or somebody else's directory names: regular files only. A pipe would
 * wait for a writer that never comes, a device may have no end.
 */
#ifndef WCTS_REGULAR_H
#define WCTS_REGULAR_H

#include <stdio.h>

/* A descriptor for reading, -1 with the reason. flags: O_NOFOLLOW or 0. */
int wcts_regular_open(const char *path, int flags, const char **wrong);

/* The same as a stream; NULL with the reason. */
FILE *wcts_regular_file(const char *path, int flags, const char **wrong);

#endif
