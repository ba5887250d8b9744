/* SPDX-License-Identifier: MIT */
/*
 * The emulator's driver with one thing wrong. Option does=NAME, before emulator=PATH:
 *   loses-between   of what it moves from one segment to another a byte is lost on its way
 *   loses-far       of what it moves across the end of a MiB of a segment a byte is lost
 *   leaves-segment  what it moves into a segment is written behind the segment's end, too
 *   large-buffers   a surface over an existing buffer is described with four times its size
 *   long-rows       the pitch of its surfaces of pixels is 64 bytes more than there is room for
 *   short-rows      the pitch of its surfaces of bytes is half a row
 *   no-priority     GDI surfaces of type 3 have priority 0
 *   short-index     what it renders has four bits of an AllocationIndex
 *   forgets-others  it renders nothing more when several allocations were destroyed at once
 */
#include <stdbool.h>

#include "wrap.h"

#define LOST 0x900u
#define MIB UINT64_C(0x100000)
#define BEHIND (UINT64_C(1) << 40)
#define STAGING 3u

struct wrong {
    struct wrapped *wrapped;
    char does[32];
    /* The surface that was asked for last, and whether anything was forgotten. */
    struct wcts_driver_standard_allocation_request asked;
    bool forgot;
};

static bool does(const struct wrong *wrong, const char *name)
{
    return strcmp(wrong->does, name) == 0;
}

static void spoil(const struct wcts_host *host, uint32_t space, uint64_t address)
{
    struct {
        struct wcts_machine_memory_request head;
        uint8_t byte[8];
    } request = {.head = {.size = sizeof request.head,
                          .Space = space,
                          .Address = address,
                          .Length = 1,
                          .pData = sizeof request.head}};
    struct wcts_none none = {0};
    uint32_t size = 0;
    host->call(host->ctx, WCTS_MACHINE_WRITE, &request, sizeof request.head + 1, &none, sizeof none,
               &size);
}

static void page(const struct wrong *wrong, const struct wcts_driver_paging_request *in)
{
    const struct wcts_host *host = &wrong->wrapped->host;
    const uint32_t space = in->DestinationSegmentId;
    const uint64_t end = in->DestinationAddress + in->TransferSize - 1;
    if (in->Operation != WCTS_PAGING_TRANSFER || space == 0 || in->TransferSize <= LOST)
        return;
    if (does(wrong, "loses-between") && in->SourceSegmentId != 0)
        spoil(host, space, in->DestinationAddress + LOST);
    if (does(wrong, "loses-far") && in->DestinationAddress / MIB != end / MIB)
        spoil(host, space, end / MIB * MIB);
    if (does(wrong, "leaves-segment"))
        spoil(host, space, BEHIND + in->DestinationAddress);
}

static void answer(const struct wrong *wrong, void *reply)
{
    struct wcts_driver_standard_allocation_reply *out = reply;
    if (does(wrong, "long-rows") && wrong->asked.Format != WCTS_D3DDDIFMT_UNKNOWN)
        out->Pitch += 64;
    if (does(wrong, "short-rows") && wrong->asked.Format == WCTS_D3DDDIFMT_UNKNOWN)
        out->Pitch = wrong->asked.Width / 2;
}

static void describe(const struct wrong *wrong, void *reply)
{
    const struct wcts_driver_allocation_create_reply *out = reply;
    struct wcts_DXGK_ALLOCATIONINFO *infos = (void *)((char *)reply + out->pAllocationInfo);
    if (wrong->asked.StandardAllocationType != WCTS_STANDARD_GDISURFACE)
        return;
    if (does(wrong, "large-buffers") && wrong->asked.Format == WCTS_D3DDDIFMT_UNKNOWN)
        infos[0].Size *= 4;
    if (does(wrong, "no-priority") && wrong->asked.Type == STAGING)
        infos[0].AllocationPriority = 0;
}

static void render(const struct wrong *wrong, void *reply)
{
    const struct wcts_driver_render_reply *out = reply;
    struct wcts_D3DDDI_PATCHLOCATIONLIST *list = (void *)((char *)reply + out->pPatchLocationList);
    for (uint32_t i = 0; does(wrong, "short-index") && i < out->PatchLocationListSize; i++)
        list[i].AllocationIndex &= 15;
}

static wcts_status wrong_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    struct wrong *wrong = instance;
    const struct wcts_driver_allocation_destroy_request *destroyed = request;
    wcts_status status;
    if (operation == WCTS_DRIVER_RENDER && wrong->forgot)
        return WCTS_STATUS_INVALID_HANDLE;
    status =
        wrap_call(wrong->wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (!wcts_succeeded(status))
        return status;
    if (operation == WCTS_DRIVER_PAGING)
        page(wrong, request);
    if (operation == WCTS_DRIVER_STANDARD_ALLOCATION) {
        memcpy(&wrong->asked, request, sizeof wrong->asked);
        answer(wrong, reply);
    }
    if (operation == WCTS_DRIVER_RENDER)
        render(wrong, reply);
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE)
        describe(wrong, reply);
    if (operation == WCTS_DRIVER_ALLOCATION_DESTROY && destroyed->NumAllocations > 1)
        wrong->forgot = does(wrong, "forgets-others");
    return status;
}

static void *wrong_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct wrong *wrong = calloc(1, sizeof *wrong);
    struct wcts_host own = *host;
    if (!wrong)
        return NULL;
    test_option(&options, "does", wrong->does, sizeof wrong->does);
    own.options = wrap_rest(host->options);
    return wrap_open_in(wrong, &own, side);
}

TEST_PLUGIN_OPEN("wrong_driver", WCTS_SIDE_DRIVER, wrong_open, wrong_call, wrap_close_in)
