/* SPDX-License-Identifier: MIT */
/* The emulator's kernel, cut down to making and destroying allocations: everything else is to be
 * skipped with the reason. */
#include "wrap.h"

/* What it takes to get to a device stays, too. */
static const uint32_t kept[] = {
    WCTS_KERNEL_INFO,
    WCTS_KERNEL_ADAPTER_START,
    WCTS_KERNEL_ADAPTER_STOP,
    WCTS_KERNEL_PROCESS,
    WCTS_KERNEL_DEVICE,
    WCTS_KERNEL_SETTLE,
    WCTS_KERNEL_ALLOCATION_CREATE,
    WCTS_KERNEL_ALLOCATION_DESTROY,
};

static wcts_status cut_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    struct wrapped *cut = instance;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (kept[i] == operation)
            return wrap_call(cut, operation, request, request_size, reply, reply_room, reply_size);
    *reply_size = 0;
    return WCTS_STATUS_NOT_IMPLEMENTED;
}

WRAP_PLUGIN("create-only", cut_call)
