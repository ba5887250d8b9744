/* SPDX-License-Identifier: MIT */
/* The emulator's driver, which in DRIVER_ALLOCATION_CREATE writes one byte behind the reply room.
 */
#include "wrap.h"

static wcts_status beyond_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    volatile unsigned char *at = reply;
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE)
        at[reply_room] = 0x41;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

WRAP_SIDE("beyond-driver", WCTS_SIDE_DRIVER, beyond_call)
