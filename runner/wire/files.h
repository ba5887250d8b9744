/* SPDX-License-Identifier: MIT */
/* The bytes of a connection that is two file descriptors, or one. */
#ifndef WCTS_WIRE_FILES_H
#define WCTS_WIRE_FILES_H

#include "stream.h"

/* Whose they are closes them. Example, of a socket: {.in = 5, .out = 5, .is_socket = true}. */
struct wcts_wire_files {
    int in, out;
    bool is_socket; /* then no signal comes of writing to what has closed */
};

/* Reads and writes them; they are borrowed. A connection that was reset has ended, no more and no
 * less. */
struct wcts_wire_bytes wcts_wire_files_bytes(struct wcts_wire_files *files);

#endif
