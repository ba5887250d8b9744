/* SPDX-License-Identifier: MIT */
/* DRIVER_PAGING: DxgkDdiBuildPagingBuffer, in as many passes as the driver needs. All pieces but
 * the last one are patched and submitted here; that one the kernel has patched and submitted, as it
 * does with all that it sees. Each piece runs as soon as it is built, as the interface wants the
 * bytes moved when the driver has answered. */
#include "ddi.h"

#include <stdlib.h>

/* More passes than any driver needs that makes progress. */
#define PASSES_MAX 65536u
/* Bytes that are left of a buffer that other operations are in: room for few commands, if any. */
#define REST 64u
/* As much behind the driver's part of the private data is looked at. */
#define BEHIND 4096u

/* Flags of a segment. */
#define SEGMENT_PITCH_ALIGNMENT 0x20u
#define SEGMENT_64KB 0x800u

/* A page that nothing else is in: what an unmapped range of an aperture leads to. */
#define DUMMY_PAGE (WCTS_KERNEL_MEMORY_END - DDI_PAGE)

/* Where a driver with GpuMmuSupported finds memory: the virtual addresses of the system's paging
 * process are those of system memory, and a window for each segment. */
#define VA_WINDOW(segment) ((uint64_t)((segment) + 64) << 40)

struct build {
    struct ddi_adapter *adapter;
    const struct wcts_driver_paging_request *in;
    HANDLE allocation;
    DXGKARG_BUILDPAGINGBUFFER *args;
    uint64_t offset;    /* of the part that is asked for in what moves or is mapped, in bytes */
    uint64_t size;      /* of the part */
    unsigned char *dma; /* the kernel's part of its buffer, or NULL */
    uint32_t dma_room;  /* at most the size of a whole buffer */
    unsigned char *private_data; /* likewise, or NULL */
    uint32_t private_room;
    unsigned char behind[BEHIND]; /* the private data, before the pass */
    uint32_t behind_size;
    unsigned char *fresh; /* a buffer of the library's own, from the second pass on */
    int in_rest;          /* the next pass has no more than the rest of a buffer */
    unsigned char *start; /* where the driver began to write in this pass */
    uint32_t room;
};

static uint32_t segment_id(uint32_t space)
{
    return space & 0xFFFF;
}

static const struct ddi_segment *segment_of(const struct ddi_adapter *adapter, uint32_t space)
{
    const uint32_t id = segment_id(space);
    return id != 0 && id <= adapter->segment_count ? &adapter->segments[id - 1] : NULL;
}

/* How many bytes an operation is about. */
static uint64_t whole_of(const struct wcts_driver_paging_request *in)
{
    return in->Operation == WCTS_PAGING_TRANSFER || in->Operation == WCTS_PAGING_FILL
               ? in->TransferSize
               : in->NumberOfPages * DDI_PAGE;
}

/* ---- what the driver is asked ---- */

static int fill_place(const struct build *build, uint32_t space, uint64_t address, uint64_t size,
                      DXGK_TRANSFERPLACE *place)
{
    const struct ddi_segment *segment = segment_of(build->adapter, space);
    place->SegmentId = segment_id(space);
    if (place->SegmentId == 0)
        place->pMdl = ddi_mdl_new(build->adapter->instance, address, size);
    else if (segment != NULL)
        place->SegmentAddress.QuadPart = (LONGLONG)segment->base_address + (LONGLONG)address;
    return place->SegmentId == 0 || segment != NULL;
}

static uint64_t virtual_address(uint32_t space, uint64_t address)
{
    const uint32_t id = segment_id(space);
    return id != 0 ? VA_WINDOW(id) + address : address;
}

/* ---- parts ---- */

/* Where a transfer may be cut: no page of a segment is in two parts, and of one whose layout the
 * driver alone knows everything is in one. 0: nowhere. */
static uint64_t cut_at(const struct ddi_segment *segment)
{
    if (segment == NULL)
        return DDI_PAGE;
    return segment->flags & SEGMENT_PITCH_ALIGNMENT ? 0
           : segment->flags & SEGMENT_64KB          ? 16 * DDI_PAGE
                                                    : DDI_PAGE;
}

/* Every third operation is asked for as a whole: what goes wrong from some size on is seen then. */
static int is_whole(struct ddi_adapter *adapter, uint32_t operation)
{
    return ++adapter->asked[operation == WCTS_PAGING_TRANSFER] % 3 == 0;
}

/* How many bytes of what moves, or is mapped, are asked for first: Windows takes large operations
 * apart, and what is small there is large here. Of the rest everything is asked for. */
static uint64_t first_part(const struct build *build)
{
    const struct wcts_driver_paging_request *in = build->in;
    const uint64_t from = cut_at(segment_of(build->adapter, in->SourceSegmentId));
    const uint64_t to = cut_at(segment_of(build->adapter, in->DestinationSegmentId));
    const uint64_t step = from == 0 || to == 0 ? 0 : from > to ? from : to;
    uint64_t size = whole_of(in), system = in->SystemAddress;
    if (in->Operation == WCTS_PAGING_TRANSFER)
        system = segment_id(in->SourceSegmentId) == 0        ? in->SourceAddress
                 : segment_id(in->DestinationSegmentId) == 0 ? in->DestinationAddress
                                                             : 0;
    else if (in->Operation != WCTS_PAGING_MAP_APERTURE)
        return size;
    /* An MDL counts whole pages. */
    if (step == 0 || size < 2 * step || system % DDI_PAGE != 0 ||
        is_whole(build->adapter, in->Operation))
        return size;
    return size / 2 / step * step;
}

static int fill_transfer(struct build *build)
{
    const struct wcts_driver_paging_request *in = build->in;
    DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    if (build->adapter->instance->caps.MemoryManagementCaps.GpuMmuSupported) {
        args->Operation = DXGK_OPERATION_VIRTUAL_TRANSFER;
        args->TransferVirtual = (DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL){
            .hAllocation = build->allocation,
            .AllocationOffsetInBytes = build->offset,
            .TransferSizeInBytes = build->size,
            .SourceVirtualAddress =
                virtual_address(in->SourceSegmentId, in->SourceAddress) + build->offset,
            .DestinationVirtualAddress =
                virtual_address(in->DestinationSegmentId, in->DestinationAddress) + build->offset,
            .TransferDirection =
                segment_id(in->DestinationSegmentId) == 0 ? DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM
                : segment_id(in->SourceSegmentId) == 0    ? DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL
                                                          : DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL};
        return 1;
    }
    args->Operation = DXGK_OPERATION_TRANSFER;
    args->Transfer.hAllocation = build->allocation;
    args->Transfer.TransferOffset = (UINT)build->offset;
    args->Transfer.TransferSize = build->size;
    args->Transfer.Flags.Value = 0;
    args->Transfer.Flags.TransferStart = build->offset == 0;
    args->Transfer.Flags.TransferEnd = build->offset + build->size == in->TransferSize;
    args->Transfer.MdlOffset = (UINT)(build->offset / DDI_PAGE);
    return fill_place(build, in->SourceSegmentId, in->SourceAddress, in->TransferSize,
                      &args->Transfer.Source) &&
           fill_place(build, in->DestinationSegmentId, in->DestinationAddress, in->TransferSize,
                      &args->Transfer.Destination);
}

static int fill_fill(struct build *build)
{
    const struct wcts_driver_paging_request *in = build->in;
    const struct ddi_segment *segment = segment_of(build->adapter, in->DestinationSegmentId);
    DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    if (segment == NULL)
        return 0;
    if (build->adapter->instance->caps.MemoryManagementCaps.GpuMmuSupported) {
        args->Operation = DXGK_OPERATION_VIRTUAL_FILL;
        args->FillVirtual = (DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL){
            .hAllocation = build->allocation,
            .FillSizeInBytes = in->TransferSize,
            .FillPattern = in->FillPattern,
            .DestinationVirtualAddress =
                virtual_address(in->DestinationSegmentId, in->DestinationAddress)};
        return 1;
    }
    args->Operation = DXGK_OPERATION_FILL;
    args->Fill.hAllocation = build->allocation;
    args->Fill.FillSize = in->TransferSize;
    args->Fill.FillPattern = in->FillPattern;
    args->Fill.Destination.SegmentId = segment_id(in->DestinationSegmentId);
    args->Fill.Destination.SegmentAddress.QuadPart =
        (LONGLONG)segment->base_address + (LONGLONG)in->DestinationAddress;
    return 1;
}

/* The device that has the allocation open, for aperture operations. */
static HANDLE owner(const struct build *build)
{
    const struct ddi_allocation *allocation =
        ddi_allocation_of(build->adapter->instance, build->in->hAllocation);
    const struct ddi_open *open = allocation != NULL ? allocation->opens : NULL;
    while (open != NULL && open->device->adapter != build->adapter)
        open = open->next;
    return open != NULL ? open->device->handle : NULL;
}

static int fill_map(struct build *build)
{
    const struct wcts_driver_paging_request *in = build->in;
    DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    const struct ddi_segment *segment = segment_of(build->adapter, in->SegmentId);
    const UINT coherent = segment != NULL && (segment->flags & 0x10) != 0;
    if (segment == NULL)
        return 0;
    if (build->adapter->instance->caps.MemoryManagementCaps.MapAperture2Supported) {
        args->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
        args->MapApertureSegment2 = (DXGK_BUILDPAGINGBUFFER_MAPAPERTURESEGMENT2){
            .hDevice = owner(build),
            .hAllocation = build->allocation,
            .SegmentId = segment_id(in->SegmentId),
            .OffsetInPages = in->OffsetInPages + build->offset / DDI_PAGE,
            .NumberOfPages = build->size / DDI_PAGE,
            .Adl = {.PageCount = (UINT)in->NumberOfPages,
                    .Pages = (UINT64 *)MmGetMdlPfnArray(ddi_mdl_new(build->adapter->instance,
                                                                    in->SystemAddress,
                                                                    in->NumberOfPages * DDI_PAGE))},
            .AdlOffset = (UINT)(build->offset / DDI_PAGE),
            .Flags = {.Value = coherent}};
        return 1;
    }
    args->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    args->MapApertureSegment.hDevice = owner(build);
    args->MapApertureSegment.hAllocation = build->allocation;
    args->MapApertureSegment.SegmentId = segment_id(in->SegmentId);
    args->MapApertureSegment.OffsetInPages = in->OffsetInPages + build->offset / DDI_PAGE;
    args->MapApertureSegment.NumberOfPages = build->size / DDI_PAGE;
    args->MapApertureSegment.pMdl =
        ddi_mdl_new(build->adapter->instance, in->SystemAddress, in->NumberOfPages * DDI_PAGE);
    args->MapApertureSegment.Flags.Value = coherent;
    args->MapApertureSegment.MdlOffset = (UINT)(build->offset / DDI_PAGE);
    return 1;
}

static int fill_unmap(struct build *build)
{
    const struct wcts_driver_paging_request *in = build->in;
    DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    args->Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    args->UnmapApertureSegment.hDevice = owner(build);
    args->UnmapApertureSegment.hAllocation = build->allocation;
    args->UnmapApertureSegment.SegmentId = segment_id(in->SegmentId);
    args->UnmapApertureSegment.OffsetInPages = in->OffsetInPages;
    args->UnmapApertureSegment.NumberOfPages = in->NumberOfPages;
    args->UnmapApertureSegment.DummyPage.QuadPart = (LONGLONG)DUMMY_PAGE;
    return segment_of(build->adapter, in->SegmentId) != NULL;
}

typedef int fill_fn(struct build *build);

static fill_fn *const fills[] = {
    [WCTS_PAGING_TRANSFER] = fill_transfer,
    [WCTS_PAGING_FILL] = fill_fill,
    [WCTS_PAGING_MAP_APERTURE] = fill_map,
    [WCTS_PAGING_UNMAP_APERTURE] = fill_unmap,
};

#define FILL_COUNT (sizeof fills / sizeof fills[0])

/* What no kernel asks a driver: system memory is copied and filled by the processor, and what is
 * mapped into an aperture is system memory. */
static int is_own(const struct build *build)
{
    const struct wcts_driver_paging_request *in = build->in;
    const struct ddi_segment *segment = segment_of(build->adapter, in->DestinationSegmentId);
    if (in->Operation == WCTS_PAGING_TRANSFER)
        return segment_id(in->SourceSegmentId) == 0 && segment_id(in->DestinationSegmentId) == 0;
    return in->Operation == WCTS_PAGING_FILL &&
           (segment_id(in->DestinationSegmentId) == 0 || (segment && (segment->flags & 3) != 0));
}

/* ---- passes ---- */

/* The whole of a buffer, as the driver asked for it. */
static uint32_t whole_size(const struct build *build)
{
    return build->adapter->paging_size != 0 ? build->adapter->paging_size : build->in->DmaSize;
}

static void begin_pass(struct build *build, int first)
{
    DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    const uint32_t whole = whole_size(build);
    if (first && build->dma != NULL) {
        build->start = build->dma;
        build->room = build->dma_room;
    } else {
        free(build->fresh);
        build->room = build->in_rest && whole > REST ? REST : whole;
        build->fresh = aligned_alloc(DDI_PAGE, (whole + 2 * DDI_PAGE - 1) & ~(DDI_PAGE - 1));
        if (build->fresh == NULL)
            ddi_breach("no memory for %u bytes", whole);
        memset(build->fresh, DDI_GARBAGE, (whole + 2 * DDI_PAGE - 1) & ~(DDI_PAGE - 1));
        build->start = build->fresh;
    }
    args->pDmaBuffer = build->start;
    args->DmaSize = build->room;
    args->pDmaBufferPrivateData = build->private_data;
    args->DmaBufferPrivateDataSize = build->private_room;
    if (build->private_data != NULL)
        memcpy(build->behind, build->private_data + build->private_room, build->behind_size);
}

/* What the driver asked for is all that it may use, whatever the kernel has. */
static void check_private_data(const struct build *build)
{
    const unsigned char *at = build->args->pDmaBufferPrivateData;
    const unsigned char *start = build->private_data;
    if (start == NULL ? at != NULL : at < start || at > start + build->private_room)
        ddi_breach("DxgkDdiBuildPagingBuffer moved pDmaBufferPrivateData by %lld bytes, with room "
                   "for %u",
                   (long long)((intptr_t)at - (intptr_t)start), build->private_room);
    if (start != NULL &&
        memcmp(start + build->private_room, build->behind, build->behind_size) != 0)
        ddi_breach("DxgkDdiBuildPagingBuffer wrote behind the %u bytes of its private data",
                   build->private_room);
}

static uint32_t written_in_pass(const struct build *build)
{
    const unsigned char *end = build->args->pDmaBuffer;
    if (end < build->start || end > build->start + build->room)
        ddi_breach("DxgkDdiBuildPagingBuffer moved pDmaBuffer by %lld bytes, with room for %u "
                   "(HDR-018)",
                   (long long)(end - build->start), build->room);
    if (build->start == build->fresh && !ddi_is_garbage(build->fresh + build->room, DDI_PAGE))
        ddi_breach("DxgkDdiBuildPagingBuffer wrote behind the %u bytes of its buffer", build->room);
    check_private_data(build);
    return (uint32_t)(end - build->start);
}

static NTSTATUS call_build(const struct build *build)
{
    struct ddi_instance *instance = build->adapter->instance;
    return DDI_CALL(DxgkDdiBuildPagingBuffer, instance->table.DxgkDdiBuildPagingBuffer(
                                                  build->adapter->device_context, build->args));
}

/* An operation for which the driver wants the allocation to be idle: it is, when nothing runs. */
static int make_idle(struct build *build)
{
    DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    if (args->Operation != DXGK_OPERATION_TRANSFER || args->Transfer.Flags.AllocationIsIdle)
        return 0;
    args->Transfer.Flags.AllocationIsIdle = 1;
    return 1;
}

/* Has a piece run that the kernel does not see. */
static NTSTATUS run_piece(const struct build *build, uint32_t length)
{
    NTSTATUS status = STATUS_SUCCESS;
    if (length != 0)
        status = ddi_submit_piece(build->adapter, build->start, length, build->room);
    if (length != 0 && NT_SUCCESS(status))
        status = ddi_execute(build->adapter, build->start, length);
    return status;
}

static int is_last(const struct build *build)
{
    return build->offset + build->size == whole_of(build->in);
}

/* Goes on to the second part of what moves. Windows has several operations in one buffer, so that
 * each may begin where little is left of it: however large a buffer is and however little moves, a
 * driver sees that it is full. */
static void next_part(struct build *build)
{
    build->in_rest = 1;
    build->offset += build->size;
    build->size = whole_of(build->in) - build->offset;
    build->args->MultipassOffset = 0;
    fills[build->in->Operation](build);
}

/* Passes until the operation is built. The last piece is *length bytes at build->start. */
static NTSTATUS build_all(struct build *build, uint32_t *length)
{
    const DXGKARG_BUILDPAGINGBUFFER *args = build->args;
    uint32_t pass, before;
    NTSTATUS status;
    int built, rest, unused = 1; /* the kernel's part of its buffer */
    for (pass = 0; pass < PASSES_MAX; pass++) {
        begin_pass(build, unused);
        before = args->MultipassOffset;
        status = call_build(build);
        *length = written_in_pass(build);
        if (status == STATUS_GRAPHICS_ALLOCATION_BUSY && make_idle(build))
            continue; /* with the same room: nothing was built */
        rest = build->in_rest;
        build->in_rest = 0;
        built = NT_SUCCESS(status);
        unused = unused && built && *length == 0;
        if (built ? is_last(build) : status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
            return status;
        if (!built && build->start == build->fresh && !rest && *length == 0 &&
            args->MultipassOffset == before) {
            ddi_log("DxgkDdiBuildPagingBuffer makes no progress in a whole buffer of %u bytes",
                    build->room);
            return status;
        }
        status = run_piece(build, *length);
        if (!NT_SUCCESS(status) && status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
            return status;
        if (built)
            next_part(build);
    }
    return STATUS_UNSUCCESSFUL;
}

/* The last piece runs, and goes to the kernel where it has room for it. */
static NTSTATUS finish(struct build *build, uint32_t length, struct wcts_driver_paging_reply *out)
{
    const struct wcts_driver_paging_request *in = build->in;
    const unsigned char *data = build->args->pDmaBufferPrivateData;
    NTSTATUS status = ddi_execute(build->adapter, build->start, length);
    out->pDmaBufferPrivateData = in->pDmaBufferPrivateData;
    if (build->private_data != NULL)
        out->pDmaBufferPrivateData += (uint64_t)(data - build->private_data);
    if (build->start == build->dma) {
        out->DmaLength = length;
        ddi_mirror_written(build->adapter->instance, build->dma, length);
    } else if (build->dma != NULL && length <= build->dma_room) {
        memcpy(build->dma, build->start, length);
        ddi_mirror_written(build->adapter->instance, build->dma, length);
        out->DmaLength = length;
    } else if (length != 0 && NT_SUCCESS(status)) {
        status = ddi_submit_piece(build->adapter, build->start, length, build->room);
    }
    return status;
}

static NTSTATUS ask_driver(struct build *build, struct wcts_driver_paging_reply *out)
{
    struct ddi_instance *instance = build->adapter->instance;
    const struct wcts_driver_paging_request *in = build->in;
    uint32_t length = 0;
    NTSTATUS status;
    build->private_room = in->DmaBufferPrivateDataSize < build->adapter->paging_private_size
                              ? in->DmaBufferPrivateDataSize
                              : build->adapter->paging_private_size;
    build->dma_room = in->DmaSize < whole_size(build) ? in->DmaSize : whole_size(build);
    build->dma =
        ddi_mirror_part(instance, in->pDmaBuffer, build->dma_room, (struct ddi_part){0, 0});
    if (build->private_room != 0)
        build->private_data =
            ddi_mirror_kept(instance, in->pDmaBufferPrivateData, in->DmaBufferPrivateDataSize);
    if (build->private_data == NULL)
        build->private_room = 0;
    build->behind_size = in->DmaBufferPrivateDataSize - build->private_room;
    build->behind_size = build->behind_size < BEHIND ? build->behind_size : BEHIND;
    build->args->MultipassOffset = 0;
    build->args->hSystemContext = build->adapter->system_context;
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0)) {
        build->args->DmaBufferGpuVirtualAddress = 0;
        build->args->DmaBufferWriteOffset = 0;
    }
    build->size = first_part(build);
    if (!fills[in->Operation](build))
        return STATUS_INVALID_PARAMETER;
    status = build_all(build, &length);
    return NT_SUCCESS(status) ? finish(build, length, out) : status;
}

/* What fits one kind of allocation and not another is moving it. One that may be in an aperture can
 * be mapped there, so that NOT_SUPPORTED is a refusal. */
static NTSTATUS judged(const struct ddi_instance *instance, uint32_t operation, NTSTATUS status)
{
    if ((status != STATUS_NOT_SUPPORTED && status != STATUS_NOT_IMPLEMENTED) ||
        (operation != WCTS_PAGING_MAP_APERTURE && operation != WCTS_PAGING_UNMAP_APERTURE) ||
        (ddi_paging_operations(instance) >> operation & 1) == 0)
        return status;
    ddi_log("DxgkDdiBuildPagingBuffer answered 0x%08X to %s", (unsigned)status,
            operation == WCTS_PAGING_MAP_APERTURE ? "mapping pages of an aperture segment"
                                                  : "unmapping pages of an aperture segment");
    return STATUS_UNSUCCESSFUL;
}

static uint32_t adapter_index(const struct wcts_driver_paging_request *in)
{
    return (in->SourceSegmentId | in->DestinationSegmentId | in->SegmentId) >> 16;
}

/* What has to be known before the driver can be asked. */
static NTSTATUS prepare(struct build *build, struct ddi_instance *instance)
{
    const struct wcts_driver_paging_request *in = build->in;
    struct ddi_allocation *allocation = ddi_allocation_of(instance, in->hAllocation);
    struct ddi_device *device;
    NTSTATUS status = ddi_adapter_start(instance, adapter_index(in), &build->adapter);
    if (NT_SUCCESS(status))
        status = ddi_segments(build->adapter);
    if (NT_SUCCESS(status))
        status = ddi_system_device(build->adapter, &device);
    if (NT_SUCCESS(status) && in->hAllocation != 0)
        status = allocation != NULL
                     ? ddi_allocation_on(allocation, build->adapter, &build->allocation)
                     : STATUS_INVALID_HANDLE;
    return status;
}

wcts_status ddi_paging(void *ctx, const void *request, uint32_t request_size, void *reply,
                       uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    struct build build = {.in = request};
    struct wcts_driver_paging_reply *out = reply;
    NTSTATUS status;
    (void)request_size, (void)room, (void)size;
    if (instance->table.DxgkDdiBuildPagingBuffer == NULL)
        return STATUS_NOT_IMPLEMENTED;
    if (build.in->Operation >= FILL_COUNT || fills[build.in->Operation] == NULL)
        return STATUS_NOT_SUPPORTED;
    status = prepare(&build, instance);
    if (!NT_SUCCESS(status))
        return status;
    out->pDmaBufferPrivateData = build.in->pDmaBufferPrivateData;
    if (is_own(&build))
        return ddi_move(build.adapter, build.in);
    build.args = ddi_arguments(DDI_BUILDPAGINGBUFFER);
    status = judged(instance, build.in->Operation, ask_driver(&build, out));
    ddi_arguments_end(instance, DDI_BUILDPAGINGBUFFER, build.args);
    free(build.fresh);
    ddi_mirrors_end(instance);
    if (NT_SUCCESS(status))
        status = ddi_remap(build.adapter, build.in);
    if (NT_SUCCESS(status) && instance->driver->execute == NULL)
        status = ddi_move(build.adapter, build.in);
    return status;
}
