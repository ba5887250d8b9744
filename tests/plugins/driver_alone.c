/* SPDX-License-Identifier: MIT */
/* The emulator's driver alone: honest, without a kernel. */
#include "wrap.h"

static wcts_status driver_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

WRAP_SIDE("driver-alone", WCTS_SIDE_DRIVER, driver_call)
