/* SPDX-License-Identifier: MIT */
/* Both sides, and nothing behind them: every operation but the claims is NOT_SUPPORTED. */
#include "common.h"

static wcts_status driver_info(void *reply, uint32_t *reply_size)
{
    struct wcts_driver_info_reply *out = reply;
    out->size = *reply_size = sizeof *out;
    out->last_interface_version = UINT32_MAX;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t reply_room,
                        uint32_t *reply_size)
{
    *reply_size = 0;
    if (operation == WCTS_DRIVER_INFO)
        return driver_info(reply, reply_size);
    if (operation == WCTS_KERNEL_INFO)
        return test_accept_all(instance, operation, request, request_size, reply, reply_room,
                               reply_size);
    return WCTS_STATUS_NOT_SUPPORTED;
}

TEST_PLUGIN("not-supported", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, call)
