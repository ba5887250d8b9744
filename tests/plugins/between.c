/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel with something between it and those whom it talks to. Option does=NAME,
 * before emulator=PATH:
 *   own-place  its placement cannot be forced: what a driver prefers does not reach it, so it
 *              chooses among the segments that the driver supports as it likes
 *   elsewhere  it reserves virtual addresses where it likes, whatever address is asked for
 *   unpatched  its paging buffers are never patched: the driver is not asked to
 *   straight   what it evicts goes straight to system memory, whatever apertures the driver names
 *   lies       what it accepts to create it answers with an array that is not in the message
 */
#include <stdbool.h>

#include "wrap.h"

struct between {
    struct wrapped *wrapped;
    struct wcts_host host; /* of the emulator inside */
    const struct wcts_host *outer;
    bool own_place, elsewhere, unpatched, straight, lies;
};

/* True if the driver may prefer what it does: a preference that is wrong is the kernel's to find.
 */
static int is_supported(const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    for (int i = 0; i < 5; i++) {
        uint32_t id = info->PreferredSegment >> (6 * i) & 31;
        uint32_t bit = id == 0 ? 0 : 1u << (id - 1);
        if ((bit & ~info->SupportedWriteSegmentSet) || (bit & ~info->SupportedReadSegmentSet))
            return 0;
    }
    return 1;
}

static void forget(const struct between *between, struct wcts_DXGK_ALLOCATIONINFO *info)
{
    if (between->own_place && is_supported(info))
        info->PreferredSegment = 0;
    if (between->straight)
        info->EvictionSegmentSet = 0;
}

/* The kernel inside does not see what it is not to follow. */
static void forget_answers(const struct between *between, void *reply, uint32_t reply_size)
{
    const struct wcts_driver_allocation_create_reply *out = reply;
    struct wcts_DXGK_ALLOCATIONINFO *infos;
    if (reply_size < sizeof *out)
        return;
    infos = (void *)(uintptr_t)wcts_message_at(reply, reply_size, out->pAllocationInfo,
                                               out->NumAllocations, sizeof *infos);
    for (uint32_t i = 0; infos && i < out->NumAllocations; i++)
        forget(between, &infos[i]);
}

static bool patches_paging(uint32_t operation, const void *request)
{
    const struct wcts_driver_patch_request *in = request;
    return operation == WCTS_DRIVER_PATCH && (in->Patch.Flags & 1);
}

static wcts_status between_call(void *ctx, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    const struct between *between = ctx;
    const struct wcts_host *outer = between->outer;
    wcts_status status;
    if (between->unpatched && patches_paging(operation, request))
        return WCTS_STATUS_SUCCESS;
    status =
        outer->call(outer->ctx, operation, request, request_size, reply, reply_room, reply_size);
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE && wcts_succeeded(status))
        forget_answers(between, reply, *reply_size);
    return status;
}

static void *between_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct between *between = calloc(1, sizeof *between);
    char what[32] = "";
    if (!between)
        return NULL;
    between->host = *host;
    between->host.ctx = between;
    between->host.call = between_call;
    between->host.options = wrap_rest(host->options);
    between->outer = host;
    test_option(&options, "does", what, sizeof what);
    between->own_place = strcmp(what, "own-place") == 0;
    between->elsewhere = strcmp(what, "elsewhere") == 0;
    between->unpatched = strcmp(what, "unpatched") == 0;
    between->straight = strcmp(what, "straight") == 0;
    between->lies = strcmp(what, "lies") == 0;
    between->wrapped = wrap_open(&between->host, side);
    if (between->wrapped)
        return between;
    free(between);
    return NULL;
}

static wcts_status kernel_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    const struct between *between = instance;
    struct wrapped *wrapped = between->wrapped;
    struct wcts_kernel_va_reserve any;
    if (between->elsewhere && operation == WCTS_KERNEL_VA_RESERVE && request_size == sizeof any) {
        memcpy(&any, request, sizeof any);
        any.Args.BaseAddress = 0;
        request = &any;
    }
    wcts_status status =
        wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (between->lies && operation == WCTS_KERNEL_ALLOCATION_CREATE && wcts_succeeded(status))
        ((struct wcts_kernel_allocation_create *)reply)->Args.pAllocationInfo2 = *reply_size;
    return status;
}

TEST_PLUGIN_OPEN("between", WCTS_SIDE_KERNEL, between_open, kernel_call, wrap_close_in)
