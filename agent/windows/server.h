/* SPDX-License-Identifier: MIT */
/*
 * One connection is served by a process of its own, and another one looks after it: it tells the
 * suite how the plug-in ended, and ends it when the suite has gone. Windows cannot fork, so the one
 * that serves is this program again, with the same command line and its handles in the environment.
 */
#ifndef WCTS_AGENT_SERVER_H
#define WCTS_AGENT_SERVER_H

#include "../os.h"
#include "files.h"

/* If this process is one that serves: does so, and ends the process. */
void agent_server_run(agent_serve_fn *serve, void *ctx);

/* Starts a process that serves, and looks after it until it ends. Returns its exit code, 0 if the
 * other end has gone. */
DWORD agent_server_keep(struct agent_files *files);

#endif
