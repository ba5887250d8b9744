/* SPDX-License-Identifier: MIT */
/* The emulator with one rule broken: CreateShared is accepted without CreateResource (bits 1 and 0
 * of the create flags). */
#include "wrap.h"

static wcts_status break_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    struct wcts_kernel_allocation_create *mended;
    wcts_status status;
    if (operation != WCTS_KERNEL_ALLOCATION_CREATE || request_size < sizeof *mended)
        return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
    mended = malloc(request_size);
    if (!mended)
        return WCTS_STATUS_NO_MEMORY;
    memcpy(mended, request, request_size);
    if (mended->Args.Flags & 2u)
        mended->Args.Flags |= 1u;
    status = wrap_call(wrapped, operation, mended, request_size, reply, reply_room, reply_size);
    free(mended);
    return status;
}

WRAP_PLUGIN("break-one", break_call)
