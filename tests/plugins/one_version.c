/* SPDX-License-Identifier: MIT */
/*
 * The emulator, which claims the versions of "versions=FIRST+LAST" behind emulator=PATH alone
 * (wrap.h): what an implementation of one version is asked.
 */
#include "wrap.h"

static wcts_status one_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    return wrap_call(instance, operation, request, request_size, reply, reply_room, reply_size);
}

WRAP_SIDE("one-version", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, one_call)
