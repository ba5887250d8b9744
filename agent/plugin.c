/* SPDX-License-Identifier: MIT */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/machine/room.h"
#include "os.h"

/* Of the process that serves; a call within another one does without. */
static struct {
    wcts_call_fn *call;
    struct wcts_machine_room requests, replies;
    bool in_call;
} guarded;

wcts_status agent_plugin_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    const void *lent = wcts_machine_room_lend(&guarded.requests, request, request_size);
    uint8_t *room = guarded.in_call ? NULL : wcts_machine_room_get(&guarded.replies, reply_room);
    bool before = guarded.in_call;
    wcts_status status;
    if (!room)
        room = reply;
    memset(room, 0, reply_room);
    guarded.in_call = true;
    status = guarded.call(instance, operation, lent, request_size, room, reply_room, reply_size);
    guarded.in_call = before;
    if (room != reply && wcts_succeeded(status))
        memcpy(reply, room, *reply_size < reply_room ? *reply_size : reply_room);
    wcts_machine_room_return(&guarded.requests, lent);
    return status;
}

const struct wcts_plugin *agent_plugin_load(const char *path, char *error, size_t room)
{
    void *library;
    wcts_plugin_entry_fn *entry = NULL;
    const struct wcts_plugin *plugin = NULL;
    const char *flaw;
    *(void **)&entry = agent_os_find(path, WCTS_PLUGIN_SYMBOL, &library, error, room);
    if (!library)
        return NULL;
    if (entry)
        plugin = entry();
    flaw = !entry ? "no symbol " WCTS_PLUGIN_SYMBOL ", expected a wddm-cts plug-in"
                  : wcts_wire_peer_flaw(plugin);
    if (flaw) {
        snprintf(error, room, "%s: %s", path, flaw);
        agent_os_unload(library);
        return NULL;
    }
    guarded.call = plugin->call;
    return plugin;
}
