/* SPDX-License-Identifier: MIT */
/* The emulator's driver with INFO and SEGMENTS alone: it creates nothing, so nothing of it is
 * shown. */
#include "wrap.h"

static wcts_status bare_call(void *instance, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    if (operation != WCTS_DRIVER_INFO && operation != WCTS_DRIVER_SEGMENTS)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

WRAP_SIDE("bare-driver", WCTS_SIDE_DRIVER, bare_call)
