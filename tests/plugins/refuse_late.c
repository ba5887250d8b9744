/* SPDX-License-Identifier: MIT */
/* The emulator's kernel, which refuses what maps pages once an instance has mapped some: only long
 * sequences come so far. Option emulator=PATH. */
#include "wrap.h"

#define ACCEPTED 12

/* A worker has one instance at a time. */
static int updates;

static void *late_open(const struct wcts_host *host, uint32_t side)
{
    updates = 0;
    return wrap_open(host, side);
}

static wcts_status late_call(void *instance, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    if (operation == WCTS_KERNEL_VA_UPDATE && ++updates > ACCEPTED) {
        *reply_size = 0;
        return WCTS_STATUS_INVALID_PARAMETER;
    }
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {.size = sizeof plugin,
                                              .abi_version = WCTS_ABI_VERSION,
                                              .sides = WCTS_SIDE_KERNEL,
                                              .name = "refuse-late",
                                              .version = "1",
                                              .open = late_open,
                                              .call = late_call,
                                              .close = wrap_close};
    return &plugin;
}
