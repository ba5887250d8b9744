/* SPDX-License-Identifier: MIT */
/* The emulator's kernel without KERNEL_ALLOCATION_CREATE: what is left breaks no rule, and shows
 * next to nothing. */
#include "wrap.h"

static wcts_status lacking_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

WRAP_PLUGIN("lacks-create", lacking_call)
