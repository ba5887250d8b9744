/* SPDX-License-Identifier: MIT */
/* Shared objects, for the tool and for the agent, which has the C library alone. */
#ifndef WCTS_LIBRARY_H
#define WCTS_LIBRARY_H

#include <stddef.h>

/*
 * Loads the shared object in the file, which is never looked for on the library path. NULL with a
 * one-line error that names the file as shown: dlopen alone would say of one for another machine
 * that there is no such file, wait for the writer of a pipe, and map a file that was cut short.
 */
void *wcts_library_open(const char *path, const char *shown, char *error, size_t room);

#endif
