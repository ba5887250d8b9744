/* SPDX-License-Identifier: MIT */
/* A kernel that accepts flags of a create call which the wrapped one refuses. */
#ifndef WCTS_TEST_TAKE_FLAGS_H
#define WCTS_TEST_TAKE_FLAGS_H

#include "wrap.h"

#define CREATE_RESOURCE (1u << 0)
#define CREATE_SHARED (1u << 1)
#define NT_SECURITY_SHARING (1u << 6)
#define CROSS_ADAPTER (1u << 11)
#define STANDARD_ALLOCATION (1u << 16)

/* Creates with the allowed flags; the reply has those of the request, and handles as they say. */
static inline wcts_status take_flags(const struct wrapped *wrapped, uint32_t allowed,
                                     const void *request, uint32_t request_size, void *reply,
                                     uint32_t room, uint32_t *reply_size)
{
    const struct wcts_kernel_allocation_create *in = request;
    struct wcts_kernel_allocation_create *copy = malloc(request_size), *out = reply;
    const uint32_t flags = in->Args.Flags;
    wcts_status status;
    if (!copy)
        return WCTS_STATUS_NO_MEMORY;
    memcpy(copy, request, request_size);
    copy->Args.Flags = allowed;
    status = wrap_call(wrapped, WCTS_KERNEL_ALLOCATION_CREATE, copy, request_size, reply, room,
                       reply_size);
    free(copy);
    if (!wcts_succeeded(status) || allowed == flags)
        return status;
    out->Args.Flags = flags;
    if (!(flags & CREATE_SHARED))
        out->Args.hGlobalShare = 0;
    if (!(flags & CREATE_RESOURCE))
        out->Args.hResource = in->Args.hResource;
    return status;
}

#endif
