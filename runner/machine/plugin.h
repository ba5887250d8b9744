/* SPDX-License-Identifier: MIT */
/* Implementations as shared objects, and elsewhere. */
#ifndef WCTS_PLUGIN_H
#define WCTS_PLUGIN_H

#include "../../include/wddm-cts.h"
#include <stdbool.h>
#include <stddef.h>

#include "../wire/host.h"

/* An implementation: of a shared object {its plugin, handle, NULL}, of "tcp:host:port" {a plugin
 * that sends, NULL, host}. */
struct wcts_machine_loaded {
    const struct wcts_plugin *plugin;
    void *library;                 /* dlopen handle, NULL: built in, or elsewhere */
    struct wcts_wire_host *remote; /* NULL: in this process; not owned */
};

/* Opens the library, for dlsym and dlclose; NULL with a one-line error. */
void *wcts_machine_plugin_open(const char *path, char *error, size_t room);

/* Loads an implementation and checks its table. remote: the connection to one with a remote address
 * (base/address.h), which outlives loaded; else NULL. */
bool wcts_machine_plugin_load(struct wcts_machine_loaded *loaded, const char *path,
                              struct wcts_wire_host *remote, char *error, size_t room);
/* wcts_plugin.open, wherever it is. */
void *wcts_machine_plugin_boot(const struct wcts_machine_loaded *loaded,
                               const struct wcts_host *host, uint32_t side);
void wcts_machine_plugin_unload(struct wcts_machine_loaded *loaded);
bool wcts_machine_is_builtin(const char *path);

#endif
