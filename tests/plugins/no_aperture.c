/* SPDX-License-Identifier: MIT */
/* A driver with one memory segment and nothing else: it moves and fills content, and neither maps
 * nor patches. */
#include <stdbool.h>

#include "common.h"

#define SEGMENT_ADDRESS UINT64_C(0xE0000000)
#define SEGMENT_SIZE 0x1000000u
#define CHUNK 4096u

struct moving {
    const struct wcts_host *host;
    uint64_t handle; /* of the last allocation */
};

#define HANDLER(name)                                                                              \
    static wcts_status name(void *instance, const void *request, uint32_t request_size,            \
                            void *reply, uint32_t room, uint32_t *reply_size)

HANDLER(info)
{
    struct wcts_driver_info_reply *out = reply;
    struct wcts_allocation_kind *kind = (void *)(out + 1);
    char *name = (void *)(kind + 1);
    (void)instance, (void)request, (void)request_size, (void)room;
    out->capabilities = WCTS_CAPABILITY_FRESH;
    out->first_interface_version = 0x5023;
    out->last_interface_version = 0x6003;
    out->paging_operations = 1u << WCTS_PAGING_TRANSFER | 1u << WCTS_PAGING_FILL;
    out->KindCount = 1;
    out->pKinds = sizeof *out;
    memcpy(name, "any", 4);
    kind->pName = sizeof *out + sizeof *kind;
    *reply_size = sizeof *out + sizeof *kind + 4;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(segments)
{
    struct wcts_driver_segments_reply *out = reply;
    struct wcts_DXGK_SEGMENTDESCRIPTOR *segment = (void *)(out + 1);
    (void)instance, (void)request, (void)request_size, (void)room;
    out->Count = 1;
    out->Stride = sizeof *segment;
    out->pSegments = sizeof *out;
    segment->Flags = 4; /* CpuVisible */
    segment->CpuTranslatedAddress = SEGMENT_ADDRESS;
    segment->BaseAddress = SEGMENT_ADDRESS;
    segment->Size = segment->CommitLimit = SEGMENT_SIZE;
    *reply_size = sizeof *out + sizeof *segment;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(standard)
{
    const struct wcts_driver_standard_allocation_request *in = request;
    struct wcts_driver_standard_allocation_reply *out = reply;
    (void)instance, (void)request_size, (void)room;
    /* Whatever its format, a surface has no more than this: 128 pieces. */
    if ((uint64_t)in->Width * in->Height > 128 * CHUNK)
        return WCTS_STATUS_INVALID_PARAMETER;
    *reply_size = sizeof *out;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(create)
{
    const struct wcts_driver_allocation_create_request *in = request;
    struct wcts_driver_allocation_create_reply *out = reply;
    struct wcts_DXGK_ALLOCATIONINFO *infos = (void *)(out + 1);
    struct moving *driver = instance;
    if ((uint64_t)in->NumAllocations * sizeof *infos > room - sizeof *out)
        return WCTS_STATUS_INVALID_PARAMETER;
    (void)request_size;
    for (uint32_t i = 0; i < in->NumAllocations; i++) {
        infos[i].Alignment = CHUNK;
        infos[i].Size = in->StandardAllocationType != WCTS_STANDARD_NONE ? 128 * CHUNK : 16 * CHUNK;
        infos[i].SupportedReadSegmentSet = infos[i].SupportedWriteSegmentSet = 1;
        infos[i].AllocationPriority = 0x78000000;
        infos[i].hAllocation = ++driver->handle;
    }
    out->NumAllocations = in->NumAllocations;
    out->pAllocationInfo = sizeof *out;
    *reply_size = (uint32_t)(sizeof *out + in->NumAllocations * sizeof *infos);
    return WCTS_STATUS_SUCCESS;
}

HANDLER(destroy)
{
    (void)instance, (void)request, (void)request_size, (void)reply, (void)room, (void)reply_size;
    return WCTS_STATUS_SUCCESS;
}

/* One piece, of what lies at an address of the space; the bytes lie behind the request, and come
 * behind the reply. */
struct piece {
    struct wcts_machine_memory_request request;
    uint8_t bytes[CHUNK];
};

static wcts_status get(const struct moving *driver, uint32_t space, uint64_t address,
                       uint32_t length, struct piece *piece)
{
    const struct wcts_machine_memory_request in = {
        .size = sizeof in, .Space = space, .Address = address, .Length = length};
    union {
        struct wcts_machine_memory_reply head;
        uint8_t bytes[sizeof(struct wcts_machine_memory_reply) + 2 * CHUNK];
    } out = {.bytes = {0}};
    uint32_t size = 0;
    wcts_status status = driver->host->call(driver->host->ctx, WCTS_MACHINE_READ, &in, sizeof in,
                                            &out, sizeof out, &size);
    const void *bytes =
        wcts_succeeded(status) ? wcts_message_at(&out, size, out.head.pData, length, 1) : NULL;
    if (bytes)
        memcpy(piece->bytes, bytes, length);
    return bytes ? status : WCTS_STATUS_INVALID_PARAMETER;
}

static wcts_status put(const struct moving *driver, uint32_t space, uint64_t address,
                       uint32_t length, struct piece *piece)
{
    struct wcts_none none = {0};
    uint32_t size = 0;
    piece->request = (struct wcts_machine_memory_request){.size = sizeof piece->request,
                                                          .Space = space,
                                                          .Address = address,
                                                          .Length = length,
                                                          .pData = sizeof piece->request};
    return driver->host->call(driver->host->ctx, WCTS_MACHINE_WRITE, piece,
                              (uint32_t)sizeof piece->request + length, &none, sizeof none, &size);
}

HANDLER(paging)
{
    const struct wcts_driver_paging_request *in = request;
    struct wcts_driver_paging_reply *out = reply;
    bool fills = in->Operation == WCTS_PAGING_FILL;
    wcts_status status = WCTS_STATUS_SUCCESS;
    struct piece piece;
    (void)request_size, (void)room;
    if (!fills && in->Operation != WCTS_PAGING_TRANSFER)
        return WCTS_STATUS_NOT_SUPPORTED;
    for (uint32_t i = 0; i < CHUNK; i += 4)
        memcpy(piece.bytes + i, &in->FillPattern, 4);
    for (uint64_t at = 0; wcts_succeeded(status) && at < in->TransferSize; at += CHUNK) {
        uint64_t left = in->TransferSize - at;
        uint32_t length = left < CHUNK ? (uint32_t)left : CHUNK;
        if (!fills)
            status = get(instance, in->SourceSegmentId, in->SourceAddress + at, length, &piece);
        if (wcts_succeeded(status))
            status = put(instance, in->DestinationSegmentId, in->DestinationAddress + at, length,
                         &piece);
    }
    out->pDmaBufferPrivateData = in->pDmaBufferPrivateData;
    *reply_size = sizeof *out;
    return status;
}

static wcts_status moving_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    static const struct wcts_handler handlers[] = {
        {WCTS_DRIVER_INFO, info},
        {WCTS_DRIVER_SEGMENTS, segments},
        {WCTS_DRIVER_STANDARD_ALLOCATION, standard},
        {WCTS_DRIVER_ALLOCATION_CREATE, create},
        {WCTS_DRIVER_ALLOCATION_DESTROY, destroy},
        {WCTS_DRIVER_PAGING, paging},
    };
    return wcts_dispatch(handlers, sizeof handlers / sizeof *handlers, instance, operation, request,
                         request_size, reply, reply_room, reply_size);
}

static void *moving_open(const struct wcts_host *host, uint32_t side)
{
    struct moving *driver = calloc(1, sizeof *driver);
    (void)side;
    if (driver)
        driver->host = host;
    return driver;
}

TEST_PLUGIN_OPEN("no-aperture", WCTS_SIDE_DRIVER, moving_open, moving_call, free)
