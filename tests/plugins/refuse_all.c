/* SPDX-License-Identifier: MIT */
/* A kernel that refuses every call; status=NUMBER says with which NTSTATUS. No case is to pass. */
#include "common.h"

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t reply_room,
                        uint32_t *reply_size)
{
    char text[32];
    if (operation == WCTS_KERNEL_INFO)
        return test_accept_all(instance, operation, request, request_size, reply, reply_room,
                               reply_size);
    *reply_size = 0;
    test_option(instance, "status", text, sizeof text);
    return text[0] ? (wcts_status)strtoul(text, NULL, 0) : WCTS_STATUS_INVALID_PARAMETER;
}

TEST_PLUGIN("refuse-all", WCTS_SIDE_KERNEL, call)
