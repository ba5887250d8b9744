/* SPDX-License-Identifier: MIT */
/* The emulator's driver, whose DRIVER_STANDARD_ALLOCATION answers private data that would end
 * behind the reply. */
#include "wrap.h"

static wcts_status long_call(void *instance, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    struct wcts_driver_standard_allocation_reply *answer = reply;
    wcts_status status =
        wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (operation == WCTS_DRIVER_STANDARD_ALLOCATION && status == WCTS_STATUS_SUCCESS)
        answer->AllocationPrivateDriverDataSize = *reply_size;
    return status;
}

WRAP_SIDE("long-data", WCTS_SIDE_DRIVER, long_call)
