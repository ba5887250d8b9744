/* SPDX-License-Identifier: MIT */
/*
 * The emulator's driver, which in DRIVER_ALLOCATION_CREATE writes one byte behind the reply room;
 * or, with BEYOND_SIZE in the environment, which says that there is more private data than the
 * reply of DRIVER_STANDARD_ALLOCATION holds.
 */
#include "wrap.h"

static wcts_status beyond_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    struct wcts_driver_standard_allocation_reply *out = reply;
    volatile unsigned char *at = reply;
    int size = getenv("BEYOND_SIZE") != NULL;
    wcts_status status;
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE && !size)
        at[reply_room] = 0x41;
    status = wrapped->whole->call(wrapped->instance, operation, request, request_size, reply,
                                  reply_room, reply_size);
    if (operation == WCTS_DRIVER_STANDARD_ALLOCATION && wcts_succeeded(status) && size)
        out->AllocationPrivateDriverDataSize = 0xFFFFFFF0;
    return status;
}

WRAP_SIDE("beyond-driver", WCTS_SIDE_DRIVER, beyond_call)
