/* SPDX-License-Identifier: MIT */
/* Implementations as shared objects. */
#ifndef WCTS_PLUGIN_H
#define WCTS_PLUGIN_H

#include "../../include/wddm-cts.h"
#include <stdbool.h>
#include <stddef.h>

struct wcts_machine_loaded {
    const struct wcts_plugin *plugin;
    void *library; /* dlopen handle, NULL: built in */
};

/* Opens the library, for dlsym and dlclose; NULL with a one-line error. */
void *wcts_machine_plugin_open(const char *path, char *error, size_t room);

/* Loads an implementation and checks its table. */
bool wcts_machine_plugin_load(struct wcts_machine_loaded *loaded, const char *path, char *error,
                              size_t room);
void wcts_machine_plugin_unload(struct wcts_machine_loaded *loaded);
bool wcts_machine_is_builtin(const char *path);

#endif
