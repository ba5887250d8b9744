/* SPDX-License-Identifier: MIT */
/*
 * What wddm-cts-agent needs of an operating system, and all that it needs. os_linux.c has it
 * for Linux, windows/ for Windows.
 */
#ifndef WCTS_AGENT_OS_H
#define WCTS_AGENT_OS_H

#include "../runner/wire/peer.h"

/* The symbol in the library in the file, which is loaded; NULL without one. *library is NULL, with
 * a one-line error, if it cannot be loaded. */
void *agent_os_find(const char *path, const char *symbol, void **library, char *error, size_t room);
void agent_os_unload(void *library);

/* Serves one connection, and returns the exit status of the process that did. */
typedef int agent_serve_fn(void *ctx, const struct wcts_wire_bytes *bytes);

/* Serves standard input and output, which nobody else can use from then on: what the plug-in prints
 * goes to standard error. Ends as the plug-in ends the process, and returns how otherwise. */
int agent_os_serve_standard(agent_serve_fn *serve, void *ctx);

/*
 * Listens at "tcp:HOST:PORT" or (not on Windows) "unix:PATH", and serves at most that number of
 * connections at a time (0: any number), each in a process of its own, which ends when the other
 * end has gone. Prints where it listens. Returns only if it cannot, with a one-line error.
 */
void agent_os_listen(const char *address, unsigned connections, agent_serve_fn *serve, void *ctx,
                     char *error, size_t room);

#endif
