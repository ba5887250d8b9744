/* SPDX-License-Identifier: MIT */
/* The plug-in that the agent hosts: there is one in a process. */
#ifndef WCTS_AGENT_PLUGIN_H
#define WCTS_AGENT_PLUGIN_H

#include "../include/wddm-cts.h"

/* Loads the plug-in in the file; NULL with a one-line error. It is never unloaded. */
const struct wcts_plugin *agent_plugin_load(const char *path, char *error, size_t room);

/* wcts_plugin.call of that plug-in, with guarded pages around request and reply, as it has in the
 * suite's own process; it zeroes the reply. */
wcts_call_fn agent_plugin_call;

#endif
