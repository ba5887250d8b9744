/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/library.h"
#include "../base/path.h"
#include "../base/text.h"
#include "plugin.h"

bool wcts_machine_is_builtin(const char *path)
{
    return !path || strcmp(path, "emulator") == 0;
}

static bool check_table(const struct wcts_plugin *plugin, const char *path, char *error,
                        size_t room)
{
    if (!plugin) {
        snprintf(error, room, "%s: %s() returned NULL, expected a plug-in table", path,
                 WCTS_PLUGIN_SYMBOL);
    } else if (plugin->abi_version != WCTS_ABI_VERSION) {
        snprintf(error, room,
                 "%s: ABI version %u, expected %u: build it against this "
                 "wddm-cts.h",
                 path, plugin->abi_version, WCTS_ABI_VERSION);
    } else if (plugin->size < sizeof *plugin) {
        snprintf(error, room, "%s: a plug-in table of %u bytes, expected %zu", path, plugin->size,
                 sizeof *plugin);
    } else if (!plugin->open || !plugin->call || !plugin->close) {
        snprintf(error, room, "%s: open, call or close is NULL, expected functions", path);
    } else if (!plugin->name || !plugin->version) {
        snprintf(error, room, "%s: name or version is NULL, expected text", path);
    } else if (!(plugin->sides & (WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER))) {
        snprintf(error, room, "%s: sides is 0x%x, expected kernel (1), driver (2) or both", path,
                 plugin->sides);
    } else {
        return true;
    }
    return false;
}

/* ---- opening ---- */

void *wcts_machine_plugin_open(const char *path, char *error, size_t room)
{
    char buffer[WCTS_PATH_ROOM];
    return wcts_library_open(path, wcts_path_shown(path, buffer, sizeof buffer), error, room);
}

/* Of a file that is not there: "emulater" may be meant for the emulator. */
static void suggest_builtin(const char *path, char *error, size_t room)
{
    static const char builtin[] = "emulator";
    size_t used = strlen(error);
    if (access(path, F_OK) != 0 &&
        wcts_text_distance(path, strlen(path), builtin, sizeof builtin - 1) <= 2)
        snprintf(error + used, room - used, "; did you mean %s?", builtin);
}

bool wcts_machine_plugin_load(struct wcts_machine_loaded *loaded, const char *path,
                              struct wcts_wire_host *remote, char *error, size_t room)
{
    wcts_plugin_entry_fn *entry;
    char buffer[WCTS_PATH_ROOM];
    const char *shown = wcts_path_shown(path, buffer, sizeof buffer);
    *loaded = (struct wcts_machine_loaded){.remote = remote};
    if (remote) {
        loaded->plugin = wcts_wire_host_plugin(remote, error, room);
        return loaded->plugin != NULL;
    }
    if (wcts_machine_is_builtin(path)) {
        loaded->plugin = wcts_plugin_entry();
        return check_table(loaded->plugin, "emulator", error, room);
    }
    loaded->library = wcts_machine_plugin_open(path, error, room);
    if (!loaded->library) {
        suggest_builtin(path, error, room);
        return false;
    }
    *(void **)&entry = dlsym(loaded->library, WCTS_PLUGIN_SYMBOL);
    if (!entry) {
        snprintf(error, room, "%s: no symbol %s, expected a wddm-cts plug-in", shown,
                 WCTS_PLUGIN_SYMBOL);
        return false;
    }
    loaded->plugin = entry();
    return check_table(loaded->plugin, shown, error, room);
}

void *wcts_machine_plugin_boot(const struct wcts_machine_loaded *loaded,
                               const struct wcts_host *host, uint32_t side)
{
    return loaded->remote ? wcts_wire_host_open(loaded->remote, host, side)
                          : loaded->plugin->open(host, side);
}

void wcts_machine_plugin_unload(struct wcts_machine_loaded *loaded)
{
    if (loaded->library)
        dlclose(loaded->library);
    *loaded = (struct wcts_machine_loaded){0};
}
