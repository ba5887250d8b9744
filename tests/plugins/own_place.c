/* SPDX-License-Identifier: MIT */
/* The emulator's kernel, whose placement cannot be forced: what a driver prefers does not reach it,
 * so it chooses among the segments that the driver supports as it likes. */
#include "wrap.h"

struct placing {
    struct wcts_host host; /* of the emulator inside */
    const struct wcts_host *outer;
    struct wrapped *wrapped;
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

static wcts_status without_preference(void *ctx, uint32_t operation, const void *request,
                                      uint32_t request_size, void *reply, uint32_t reply_room,
                                      uint32_t *reply_size)
{
    const struct wcts_host *outer = ((struct placing *)ctx)->outer;
    wcts_status status =
        outer->call(outer->ctx, operation, request, request_size, reply, reply_room, reply_size);
    const struct wcts_driver_allocation_create_reply *out = reply;
    struct wcts_DXGK_ALLOCATIONINFO *infos;
    if (operation != WCTS_DRIVER_ALLOCATION_CREATE || !wcts_succeeded(status) ||
        *reply_size < sizeof *out)
        return status;
    infos = (void *)(uintptr_t)wcts_message_at(reply, *reply_size, out->pAllocationInfo,
                                               out->NumAllocations, sizeof *infos);
    for (uint32_t i = 0; infos && i < out->NumAllocations; i++)
        if (is_supported(&infos[i]))
            infos[i].PreferredSegment = 0;
    return status;
}

static void *placing_open(const struct wcts_host *host, uint32_t side)
{
    struct placing *placing = calloc(1, sizeof *placing);
    if (!placing)
        return NULL;
    placing->host = *host;
    placing->host.ctx = placing;
    placing->host.call = without_preference;
    placing->outer = host;
    placing->wrapped = wrap_open(&placing->host, side);
    if (placing->wrapped)
        return placing;
    free(placing);
    return NULL;
}

static void placing_close(void *instance)
{
    struct placing *placing = instance;
    wrap_close(placing->wrapped);
    free(placing);
}

static wcts_status placing_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct wrapped *wrapped = ((struct placing *)instance)->wrapped;
    return wrapped->whole->call(wrapped->instance, operation, request, request_size, reply,
                                reply_room, reply_size);
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {.size = sizeof plugin,
                                              .abi_version = WCTS_ABI_VERSION,
                                              .sides = WCTS_SIDE_KERNEL,
                                              .name = "own-place",
                                              .version = "1",
                                              .open = placing_open,
                                              .call = placing_call,
                                              .close = placing_close};
    return &plugin;
}
