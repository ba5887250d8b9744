/* SPDX-License-Identifier: MIT */
/* The smallest useful driver: one memory segment that the CPU sees, and allocations in it, whose
 * private data is one number: their size in bytes. */
#include <stdlib.h>
#include <string.h>
#include <wddm-cts.h>

#define HANDLER(name)                                                                              \
    static wcts_status name(void *instance, const void *request, uint32_t request_size,            \
                            void *reply, uint32_t room, uint32_t *reply_size)

HANDLER(info)
{
    struct wcts_driver_info_reply *out = reply;
    out->capabilities = WCTS_CAPABILITY_FRESH;
    out->first_interface_version = 0x1053; /* WDDM 1.0 */
    out->last_interface_version = 0x11007; /* WDDM 3.2 */
    return WCTS_STATUS_SUCCESS;
}

HANDLER(segments)
{
    struct wcts_driver_segments_reply *out = reply;
    struct wcts_DXGK_SEGMENTDESCRIPTOR *segment = (void *)(out + 1);
    segment->Flags = 0x4; /* CpuVisible */
    segment->BaseAddress = 0x100000000;
    segment->CpuTranslatedAddress = 0xE0000000;
    segment->Size = segment->CommitLimit = 0x1000000;
    out->Count = 1;
    out->Stride = sizeof *segment;
    out->pSegments = sizeof *out; /* pointers are offsets in the message */
    *reply_size = sizeof *out + sizeof *segment;
    return WCTS_STATUS_SUCCESS;
}

/* The private data of what the kernel needs for itself: 4 bytes a pixel are enough for all that has
 * pixels, and over memory that exists there are no more bytes than Width. */
HANDLER(standard)
{
    const struct wcts_driver_standard_allocation_request *in = request;
    struct wcts_driver_standard_allocation_reply *out = reply;
    const uint64_t pixel = in->Format == WCTS_D3DDDIFMT_UNKNOWN ? 1 : 4;
    uint64_t size = pixel * in->Width * in->Height;
    memcpy(out + 1, &size, sizeof size);
    out->AllocationPrivateDriverDataSize = sizeof size;
    out->pAllocationPrivateDriverData = sizeof *out;
    *reply_size = sizeof *out + sizeof size;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(create)
{
    const struct wcts_driver_allocation_create_request *in = request;
    struct wcts_driver_allocation_create_reply *out = reply;
    struct wcts_DXGK_ALLOCATIONINFO *info = (void *)(out + 1);
    uint64_t *last_handle = instance;
    const struct wcts_DXGK_ALLOCATIONINFO *asked = wcts_message_at(
        request, request_size, in->pAllocationInfo, in->NumAllocations, sizeof *asked);
    if (!asked || in->NumAllocations > (room - sizeof *out) / sizeof *info)
        return WCTS_STATUS_INVALID_PARAMETER;
    for (uint32_t i = 0; i < in->NumAllocations; i++) {
        uint64_t size = 65536; /* when no private data says it */
        const void *data = wcts_message_at(in, request_size, asked[i].pPrivateDriverData, 1, 8);
        if (data)
            memcpy(&size, data, 8);
        info[i].Alignment = 4096;
        info[i].Size = size;
        info[i].SupportedReadSegmentSet = info[i].SupportedWriteSegmentSet = 0x1; /* the first */
        info[i].AllocationPriority = 0x78000000;                                  /* normal */
        info[i].hAllocation = ++*last_handle;
    }
    out->NumAllocations = in->NumAllocations;
    out->pAllocationInfo = sizeof *out;
    *reply_size = (uint32_t)(sizeof *out + in->NumAllocations * sizeof *info);
    return WCTS_STATUS_SUCCESS;
}

/* Nothing is kept of an allocation but its handle. */
HANDLER(destroy)
{
    return WCTS_STATUS_SUCCESS;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    static const struct wcts_handler handlers[] = {
        {WCTS_DRIVER_INFO, info},
        {WCTS_DRIVER_SEGMENTS, segments},
        {WCTS_DRIVER_STANDARD_ALLOCATION, standard},
        {WCTS_DRIVER_ALLOCATION_CREATE, create},
        {WCTS_DRIVER_ALLOCATION_DESTROY, destroy},
    };
    return wcts_dispatch(handlers, 5, instance, operation, request, request_size, reply, room,
                         reply_size);
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    return calloc(1, sizeof(uint64_t)); /* the last handle */
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {
        sizeof plugin, WCTS_ABI_VERSION, WCTS_SIDE_DRIVER, 0, "minimal", "1", boot, call, free};
    return &plugin;
}
