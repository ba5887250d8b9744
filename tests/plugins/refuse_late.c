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

TEST_PLUGIN_OPEN("refuse-late", WCTS_SIDE_KERNEL, late_open, late_call, wrap_close)
