/* SPDX-License-Identifier: MIT */
/* The emulator's kernel, which shares nothing: honest, with one feature less. */
#include "wrap.h"

static wcts_status private_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    if (operation == WCTS_KERNEL_SHARE || operation == WCTS_KERNEL_OPEN_GLOBAL ||
        operation == WCTS_KERNEL_OPEN_NT)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

WRAP_PLUGIN("no-sharing", private_call)
