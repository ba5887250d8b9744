/* SPDX-License-Identifier: MIT */
/* DRIVER_RENDER and DRIVER_PRESENT: DxgkDdiRender and DxgkDdiPresent. */
#include "ddi.h"

#include <stdlib.h>

/* A present needs no more places than this. */
#define PRESENT_LOCATIONS 64u
/* What the user-mode half may make of it. */
#define COMMANDS_ROOM 65536u
#define USES_MAX 64u

/* A call on its way. */
struct work {
    struct ddi_instance *instance;
    struct ddi_device *device;
    struct ddi_context *context; /* or NULL */
    const struct wcts_driver_render_request *in;
    uint32_t in_size;
    void *command; /* a copy: user memory */
    uint32_t command_length;
    int own; /* the command is one of .commands */
    const struct wcts_DXGK_ALLOCATIONLIST *asked;
    DXGK_ALLOCATIONLIST *allocations;
    D3DDDI_PATCHLOCATIONLIST *locations_in;
    uint32_t location_in_count;
    D3DDDI_PATCHLOCATIONLIST *locations_out;
    uint32_t location_room;
    unsigned char *dma;
    unsigned char *private_data;
};

/* What the driver left in its structure. */
struct outcome {
    const void *dma;
    const void *private_data;
    const D3DDDI_PATCHLOCATIONLIST *locations;
};

static wcts_ddi_commands_fn *commands_of(const struct ddi_instance *instance)
{
    return DDI_HAS(instance->driver, commands) ? instance->driver->commands : NULL;
}

/* Statuses by which a driver says that the commands are not its own: the suite's are not. */
static NTSTATUS foreign(const struct work *work, NTSTATUS status)
{
    if (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) {
        ddi_log("the driver needs several DMA buffers (0x%08X), the interface has one",
                (unsigned)status);
        return STATUS_NOT_SUPPORTED;
    }
    if (status != STATUS_ILLEGAL_INSTRUCTION && status != STATUS_PRIVILEGED_INSTRUCTION &&
        status != STATUS_INVALID_USER_BUFFER && status != STATUS_GRAPHICS_DRIVER_MISMATCH)
        return status;
    if (work->own) {
        ddi_log("DxgkDdiRender answered 0x%08X to commands of .commands", (unsigned)status);
        return status;
    }
    ddi_log(
        "the driver takes no commands but its own (0x%08X); .commands of the plug-in makes them",
        (unsigned)status);
    return STATUS_NOT_SUPPORTED;
}

/* Puts what the user-mode half makes in place of the suite's bytes. */
static void take_own_commands(struct work *work)
{
    wcts_ddi_commands_fn *commands = commands_of(work->instance);
    D3DDDI_PATCHLOCATIONLIST uses[USES_MAX] = {{0}}, *locations;
    const uint32_t count = work->in->PatchLocationListSize;
    struct wcts_ddi_work own = {.allocation_count = work->in->AllocationListSize,
                                .use_count = count,
                                .uses = uses,
                                .commands_room = COMMANDS_ROOM,
                                .location_room = count};
    uint32_t i, length;
    if (commands == NULL || work->in->CommandLength == 0 || count > USES_MAX)
        return;
    for (i = 0; i < count; i++) {
        uses[i].AllocationIndex = work->locations_in[i].AllocationIndex;
        uses[i].AllocationOffset = work->locations_in[i].AllocationOffset;
    }
    own.commands = ddi_new(COMMANDS_ROOM);
    own.locations = locations = ddi_new((count + 1) * sizeof *locations);
    length = commands(&own);
    if (length > COMMANDS_ROOM || own.location_count > count)
        ddi_breach(".commands made %u bytes with %u locations, with room for %u and %u", length,
                   own.location_count, COMMANDS_ROOM, count);
    if (length == 0) {
        free(own.commands);
        free(locations);
        return;
    }
    free(work->command);
    free(work->locations_in);
    work->command = own.commands;
    work->command_length = length;
    work->own = 1;
    work->locations_in = locations;
    work->location_in_count = own.location_count;
}

/* Turns the list into the driver's: other handles, the same places. */
static NTSTATUS take_allocations(struct work *work)
{
    const uint32_t count = work->in->AllocationListSize;
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t i;
    work->allocations = ddi_new(count * sizeof *work->allocations);
    for (i = 0; i < count && NT_SUCCESS(status); i++) {
        const struct wcts_DXGK_ALLOCATIONLIST *from = &work->asked[i];
        DXGK_ALLOCATIONLIST *to = &work->allocations[i];
        struct ddi_allocation *allocation =
            ddi_allocation_of(work->instance, from->hDeviceSpecificAllocation);
        to->WriteOperation = from->Bits & 1;
        to->SegmentId = from->Bits >> 1 & 0x1F;
        to->PhysicalAddress.QuadPart = (LONGLONG)from->PhysicalAddress;
        if (from->hDeviceSpecificAllocation != 0)
            status = allocation != NULL
                         ? ddi_specific(allocation, work->device, &to->hDeviceSpecificAllocation)
                         : STATUS_INVALID_HANDLE;
    }
    return status;
}

static NTSTATUS take_request(struct work *work)
{
    const struct wcts_driver_render_request *in = work->in;
    const void *command = wcts_message_at(in, work->in_size, in->pCommand, in->CommandLength, 1);
    const void *locations =
        wcts_message_at(in, work->in_size, in->pPatchLocationList, in->PatchLocationListSize,
                        sizeof(D3DDDI_PATCHLOCATIONLIST));
    const uint32_t starting = work->context != NULL ? work->context->patch_location_list_size
                                                    : work->device->patch_location_list_size;
    work->asked = wcts_message_at(in, work->in_size, in->pAllocationList, in->AllocationListSize,
                                  sizeof *work->asked);
    if ((command == NULL && in->CommandLength != 0) ||
        (locations == NULL && in->PatchLocationListSize != 0) ||
        (work->asked == NULL && in->AllocationListSize != 0))
        return STATUS_INVALID_PARAMETER;
    if (in->CommandLength != 0)
        work->command = memcpy(ddi_new(in->CommandLength), command, in->CommandLength);
    if (in->PatchLocationListSize != 0)
        work->locations_in =
            memcpy(ddi_new(in->PatchLocationListSize * sizeof *work->locations_in), locations,
                   in->PatchLocationListSize * sizeof *work->locations_in);
    work->command_length = in->CommandLength;
    work->location_in_count = in->PatchLocationListSize;
    take_own_commands(work);
    work->location_room = in->PatchLocationListSize + PRESENT_LOCATIONS;
    if (starting > work->location_room && starting < UINT16_MAX)
        work->location_room = starting;
    work->locations_out = ddi_new((work->location_room + 1) * sizeof *work->locations_out);
    work->dma =
        ddi_mirror_part(work->instance, in->pDmaBuffer, in->DmaSize, (struct ddi_part){0, 0});
    work->private_data =
        ddi_mirror(work->instance, in->pDmaBufferPrivateData, in->DmaBufferPrivateDataSize);
    return take_allocations(work);
}

static NTSTATUS call_render(const struct work *work, struct outcome *outcome)
{
    const struct wcts_driver_render_request *in = work->in;
    struct ddi_instance *instance = work->instance;
    DXGKARG_RENDER *args = ddi_arguments(DDI_RENDER);
    NTSTATUS status;
    args->pCommand = work->command;
    args->CommandLength = work->command_length;
    args->pDmaBuffer = work->dma;
    args->DmaSize = in->DmaSize;
    args->pDmaBufferPrivateData = work->private_data;
    args->DmaBufferPrivateDataSize = in->DmaBufferPrivateDataSize;
    args->pAllocationList = work->allocations;
    args->AllocationListSize = in->AllocationListSize;
    args->pPatchLocationListIn = work->locations_in;
    args->PatchLocationListInSize = work->location_in_count;
    args->pPatchLocationListOut = work->locations_out;
    args->PatchLocationListOutSize = work->location_room;
    args->MultipassOffset = 0;
    args->DmaBufferSegmentId = 0;
    args->DmaBufferPhysicalAddress.QuadPart = (LONGLONG)in->pDmaBuffer;
    status = DDI_CALL(DxgkDdiRender,
                      instance->table.DxgkDdiRender((HANDLE)(uintptr_t)in->hContext, args));
    *outcome = (struct outcome){args->pDmaBuffer, args->pDmaBufferPrivateData,
                                args->pPatchLocationListOut};
    ddi_arguments_end(instance, DDI_RENDER, args);
    return status;
}

/* The rectangle is one pixel: the interface names none. */
static NTSTATUS call_present(const struct work *work, struct outcome *outcome)
{
    const struct wcts_driver_render_request *in = work->in;
    const RECT pixel = {0, 0, 1, 1};
    struct ddi_instance *instance = work->instance;
    DXGKARG_PRESENT *args = ddi_arguments(DDI_PRESENT);
    NTSTATUS status;
    args->pDmaBuffer = work->dma;
    args->DmaSize = in->DmaSize;
    args->pDmaBufferPrivateData = work->private_data;
    args->DmaBufferPrivateDataSize = in->DmaBufferPrivateDataSize;
    args->pAllocationList = work->allocations;
    args->pPatchLocationListOut = work->locations_out;
    args->PatchLocationListOutSize = work->location_room;
    args->MultipassOffset = 0;
    args->Color = 0;
    args->DstRect = args->SrcRect = pixel;
    args->SubRectCnt = 1;
    args->pDstSubRects = &pixel;
    args->FlipInterval = 0;
    args->Flags.Value = 0;
    args->Flags.Blt = 1;
    args->DmaBufferSegmentId = 0;
    args->DmaBufferPhysicalAddress.QuadPart = (LONGLONG)in->pDmaBuffer;
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0)) {
        args->DmaBufferGpuVirtualAddress = 0;
        args->NumSrcAllocations = args->NumDstAllocations = 1;
        args->PrivateDriverDataSize = 0;
        args->pPrivateDriverData = NULL;
    }
    status = DDI_CALL(DxgkDdiPresent,
                      instance->table.DxgkDdiPresent((HANDLE)(uintptr_t)in->hContext, args));
    *outcome = (struct outcome){args->pDmaBuffer, args->pDmaBufferPrivateData,
                                args->pPatchLocationListOut};
    ddi_arguments_end(instance, DDI_PRESENT, args);
    return status;
}

/* How far a pointer moved on. A driver that left that of the private data where it was may use all
 * of it. */
static uint32_t moved(const void *now, const unsigned char *before)
{
    return before != NULL ? (uint32_t)((const unsigned char *)now - before) : 0;
}

/* True if a place is one of the request's own, which the driver hands on. */
static int is_handed_on(const struct work *work, const D3DDDI_PATCHLOCATIONLIST *location)
{
    uint32_t i;
    for (i = 0; i < work->location_in_count; i++)
        if (work->locations_in[i].AllocationIndex == location->AllocationIndex &&
            work->locations_in[i].PatchOffset == location->PatchOffset)
            return 1;
    return 0;
}

/* Nobody could patch what is not in the buffer, with what is not in the list. */
static void check_locations(const struct work *work, uint64_t count)
{
    uint64_t i;
    for (i = 0; i < count; i++) {
        const D3DDDI_PATCHLOCATIONLIST *location = &work->locations_out[i];
        if (is_handed_on(work, location))
            continue;
        if (location->AllocationIndex >= work->in->AllocationListSize)
            ddi_breach("AllocationIndex of patch location %llu is %u, of a list of %u",
                       (unsigned long long)i, location->AllocationIndex,
                       work->in->AllocationListSize);
        if (location->PatchOffset >= work->in->DmaSize)
            ddi_breach("PatchOffset of patch location %llu is 0x%x, in a DMA buffer of 0x%x bytes",
                       (unsigned long long)i, location->PatchOffset, work->in->DmaSize);
    }
}

static NTSTATUS write_reply(const struct work *work, const struct outcome *outcome, void *reply,
                            uint32_t room, uint32_t *size)
{
    const struct wcts_driver_render_request *in = work->in;
    struct wcts_driver_render_reply *out = reply;
    const uint64_t count = (uint64_t)(outcome->locations - work->locations_out);
    if (count > work->location_room)
        ddi_breach("the driver wrote %llu patch locations, with room for %u",
                   (unsigned long long)count, work->location_room);
    check_locations(work, count);
    out->DmaLength = moved(outcome->dma, work->dma);
    out->PrivateDataLength = moved(outcome->private_data, work->private_data);
    if (out->PrivateDataLength == 0)
        out->PrivateDataLength = in->DmaBufferPrivateDataSize;
    out->AllocationListSize = in->AllocationListSize;
    if (in->AllocationListSize != 0)
        out->pAllocationList = ddi_append(reply, room, size, work->asked,
                                          (uint32_t)(in->AllocationListSize * sizeof *work->asked));
    out->PatchLocationListSize = (uint32_t)count;
    if (count != 0)
        out->pPatchLocationList = ddi_append(reply, room, size, work->locations_out,
                                             (uint32_t)(count * sizeof *work->locations_out));
    if ((in->AllocationListSize != 0 && out->pAllocationList == 0) ||
        (count != 0 && out->pPatchLocationList == 0))
        return STATUS_BUFFER_TOO_SMALL;
    ddi_mirror_written(work->instance, work->dma,
                       out->DmaLength < in->DmaSize ? out->DmaLength : in->DmaSize);
    ddi_rendered(work->instance, in->pDmaBuffer);
    return STATUS_SUCCESS;
}

typedef NTSTATUS call_fn(const struct work *work, struct outcome *outcome);

static wcts_status run(struct work *work, call_fn *call, void *reply, uint32_t room, uint32_t *size)
{
    struct outcome outcome;
    NTSTATUS status;
    work->device = ddi_origin(work->instance, work->in->hContext, &work->context);
    if (work->device == NULL)
        return STATUS_INVALID_HANDLE;
    status = take_request(work);
    if (NT_SUCCESS(status))
        status = foreign(work, call(work, &outcome));
    if (NT_SUCCESS(status))
        status = write_reply(work, &outcome, reply, room, size);
    free(work->command);
    free(work->allocations);
    free(work->locations_in);
    free(work->locations_out);
    return status;
}

wcts_status ddi_render(void *ctx, const void *request, uint32_t request_size, void *reply,
                       uint32_t room, uint32_t *size)
{
    struct work work = {.instance = ctx, .in = request, .in_size = request_size};
    if (work.instance->table.DxgkDdiRender == NULL)
        return STATUS_NOT_IMPLEMENTED;
    return run(&work, call_render, reply, room, size);
}

wcts_status ddi_present(void *ctx, const void *request, uint32_t request_size, void *reply,
                        uint32_t room, uint32_t *size)
{
    struct work work = {.instance = ctx, .in = request, .in_size = request_size};
    if (work.instance->table.DxgkDdiPresent == NULL)
        return STATUS_NOT_IMPLEMENTED;
    return run(&work, call_present, reply, room, size);
}
