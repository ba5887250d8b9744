/* SPDX-License-Identifier: MIT */
/* The bytes of a connection: a pair of pipes, or a socket. */
#ifndef WCTS_AGENT_FILES_H
#define WCTS_AGENT_FILES_H

#include <winsock2.h>

#include "../../runner/wire/stream.h"

/* Example for standard input and output: {in 0x54, out 0x58, false}; for a connection in and out
 * are its socket. */
struct agent_files {
    HANDLE in, out;
    bool is_socket;
};

struct wcts_wire_bytes agent_files_bytes(struct agent_files *files);

/* True if the other end has gone, and left nothing to read. May wait for a read that somebody else
 * has begun. */
bool agent_files_are_left(const struct agent_files *files);

/* "Access is denied.", one line. Returns text. */
const char *agent_error_text(DWORD error, char *text, size_t room);

#endif
