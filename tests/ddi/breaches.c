/* SPDX-License-Identifier: MIT */
/* A driver that does what Windows would not survive, or would not forgive, with the option
 * breach=NAME: the adapter notices, and says what it was (test-breaches.sh). */
#include "../drivers/kit.h"

static const char *breach = "";

static int is(const char *name)
{
    return strcmp(breach, name) == 0;
}

static KSPIN_LOCK lock;

static uint32_t created; /* of the kind that is refused, since the last device was */

/* At 2.0 the structure has no member at 0x40; at any version nothing is behind it. */
static NTSTATUS create_device(HANDLE context, DXGKARG_CREATEDEVICE *args)
{
    if (is("structure"))
        memset(args + 1, 0, 8);
    if (is("pool"))
        ExFreePoolWithTag(NULL, 0);
    created = 0;
    return kit_device(context, args);
}

static const struct kit kit;
static uint32_t queried; /* how often segments were described */

/* A driver that takes sizeof for the distance of two descriptors, or describes one too many. */
static NTSTATUS query(HANDLE context, const DXGKARG_QUERYADAPTERINFO *args)
{
    DXGK_QUERYSEGMENTOUT4 *out = args->pOutputData;
    const int segments = args->Type == DXGKQAITYPE_QUERYSEGMENT4;
    const int second = segments && out->pSegmentDescriptor != NULL;
    static int counted;
    NTSTATUS status;
    /* Segments are counted before they are described, and nothing but their number is there then.
     */
    NT_ASSERT(!second || counted);
    NT_ASSERT(!segments || second ||
              (out->NbSegment == 0 && out->PagingBufferSize == 0xA5A5A5A5 &&
               out->SegmentDescriptorStride == 0xA5A5A5A5A5A5A5A5));
    counted = segments && !second;
    if (second && is("stride"))
        out->SegmentDescriptorStride = sizeof(DXGK_SEGMENTDESCRIPTOR4);
    status = kit_query(context, args);
    if (second && is("descriptor"))
        memset(out->pSegmentDescriptor + out->NbSegment * out->SegmentDescriptorStride, 0xCC, 8);
    if (second && is("count"))
        out->NbSegment++;
    if (second && is("fewer"))
        out->NbSegment--;
    if (second && is("changed"))
        ((DXGK_SEGMENTDESCRIPTOR4 *)out->pSegmentDescriptor)->Size -= queried++ * PAGE_SIZE;
    if (second && is("skipped"))
        out->PagingBufferSize = 0x10000;
    if (segments && !second && is("counted"))
        out->PagingBufferSegmentId = 0;
    return status;
}

/* A pitch that is not returned, or private data that is larger than it was. */
static NTSTATUS standard(HANDLE context, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    const D3DKMDT_STANDARDALLOCATION_TYPE type = args->StandardAllocationType;
    D3DKMDT_GDISURFACEDATA *surface = args->pCreateGdiSurfaceData;
    const int second = args->pAllocationPrivateDriverData != NULL;
    const UINT pitch = type == D3DKMDT_STANDARDALLOCATION_GDISURFACE ? surface->Pitch
                       : type == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE
                           ? args->pCreateShadowSurfaceData->Pitch
                           : args->pCreateStagingSurfaceData->Pitch;
    const NTSTATUS status =
        is("surfaces") && type != D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE
            ? STATUS_INVALID_PARAMETER
            : kit_standard(context, args);
    if (is("pitch") && type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        args->pCreateStagingSurfaceData->Pitch = pitch;
    if (is("pitch") && type == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        args->pCreateShadowSurfaceData->Pitch = pitch;
    if ((is("pitch") || (is("table-pitch") && surface->Type == D3DKMDT_GDISURFACE_LOOKUPTABLE)) &&
        type == D3DKMDT_STANDARDALLOCATION_GDISURFACE)
        surface->Pitch = pitch;
    if (second && is("grown"))
        args->AllocationPrivateDriverDataSize += 8;
    return status;
}

/* The others of a call have no handle. */
static NTSTATUS create(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    const struct kit_data *data = args->pAllocationInfo->pPrivateDriverData;
    const uint32_t refused = is("refused") || is("memory") || is("another") ? 1
                             : is("first")                                  ? 0
                                                                            : UINT32_MAX;
    const int of_refused = data != NULL && data->size == 0 && data->kind == refused;
    NTSTATUS status = is("memory") ? STATUS_NO_MEMORY : STATUS_INVALID_PARAMETER;
    if (is("single") && args->NumAllocations > 1)
        return STATUS_INVALID_PARAMETER;
    if (!of_refused || (is("another") && created++ == 0))
        status = kit_create(context, args);
    for (uint32_t i = 1; NT_SUCCESS(status) && is("several") && i < args->NumAllocations; i++) {
        free(args->pAllocationInfo[i].hAllocation);
        args->pAllocationInfo[i].hAllocation = NULL;
    }
    return status;
}

/* What a driver may rely on: an allocation is in a segment of its sets, whole and aligned, and
 * mapped there in an aperture. */
static void check_place(const DXGK_ALLOCATIONLIST *element)
{
    const struct kit_opened *opened = element->hDeviceSpecificAllocation;
    const struct kit_kind *kind;
    const struct kit_segment *segment;
    uint64_t offset;
    if (opened == NULL || element->SegmentId == 0)
        return;
    kind = &kit.kinds[opened->allocation->data.kind];
    segment = &kit.segments[element->SegmentId - 1];
    offset = (uint64_t)element->PhysicalAddress.QuadPart - segment->base;
    NT_ASSERT(kind->sets >> (element->SegmentId - 1) & 1);
    NT_ASSERT(offset <= segment->size - kind->size && offset % 0x10000 == 0);
    NT_ASSERT((segment->flags & 1) == 0 ||
              opened->adapter->tables[element->SegmentId - 1][offset / PAGE_SIZE] != 0);
}

static uint64_t value(int fault, const DXGK_ALLOCATIONLIST *allocation, uint64_t offset,
                      uint32_t *size)
{
    const uint64_t address = (uint64_t)allocation->PhysicalAddress.QuadPart + offset;
    UNREFERENCED_PARAMETER(fault);
    UNREFERENCED_PARAMETER(size);
    return is("high") ? (uint32_t)address : address;
}

static DXGKARG_PATCH patched; /* the last one */

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    KIRQL level;
    uint32_t i;
    NT_ASSERT(KeGetCurrentIrql() == DISPATCH_LEVEL);
    for (i = 0; i < args->AllocationListSize; i++)
        check_place(&args->pAllocationList[i]);
    if (is("paged"))
        PAGED_CODE();
    if (is("buffer"))
        ((unsigned char *)args->pDmaBuffer)[args->DmaBufferSize] = 1;
    if (is("far"))
        ((unsigned char *)args->pDmaBuffer)[args->DmaBufferSize + 4096] = 1;
    if (is("lock")) {
        KeAcquireSpinLockAtDpcLevel(&lock);
        KeAcquireSpinLockAtDpcLevel(&lock);
    }
    if (is("level"))
        KeRaiseIrql(DISPATCH_LEVEL + 1, &level);
    if (is("check"))
        KeBugCheckEx(0x119, 3, 0, 0, 0);
    patched = *args;
    if (is("patch") && args->PatchLocationListSubmissionLength == 0)
        return STATUS_INVALID_PARAMETER;
    return kit_patch(context, args);
}

/* A piece that was built, and has to be submitted before the next one is asked for. */
static int pending;

static NTSTATUS submit(HANDLE context, const DXGKARG_SUBMITCOMMAND *args)
{
    pending = 0;
    NT_ASSERT(KeGetCurrentIrql() == DISPATCH_LEVEL);
    /* What is submitted comes with the private data that it was patched with. */
    NT_ASSERT(args->DmaBufferPhysicalAddress.QuadPart !=
                  patched.DmaBufferPhysicalAddress.QuadPart ||
              args->DmaBufferSegmentId != patched.DmaBufferSegmentId ||
              (args->DmaBufferPrivateDataSize == patched.DmaBufferPrivateDataSize &&
               (args->pDmaBufferPrivateData != NULL) == (patched.pDmaBufferPrivateData != NULL)));
    if (is("fence")) {
        DXGKARG_SUBMITCOMMAND wrong = *args;
        wrong.SubmissionFenceId++;
        return kit_submit(context, &wrong);
    }
    return kit_submit(context, args);
}

/* Where the next part of a transfer begins. */
static uint64_t next_offset;

/* The parts of a transfer follow one another: the first says that it is, and the last. */
static void check_part(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    if (args->Operation != DXGK_OPERATION_TRANSFER)
        return;
    NT_ASSERT(args->Transfer.TransferOffset == next_offset);
    NT_ASSERT(args->Transfer.Flags.TransferStart == (next_offset == 0));
}

/* What is built of a transfer is not asked for again. */
static void end_part(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    if (args->Operation == DXGK_OPERATION_TRANSFER)
        next_offset = args->Transfer.Flags.TransferEnd
                          ? 0
                          : args->Transfer.TransferOffset + args->Transfer.TransferSize;
}

static NTSTATUS build(HANDLE context, DXGKARG_BUILDPAGINGBUFFER *args)
{
    const void *start = args->pDmaBuffer;
    KEVENT event;
    NTSTATUS status;
    int large;
    NT_ASSERT(KeGetCurrentIrql() == PASSIVE_LEVEL);
    NT_ASSERT(!pending);
    check_part(args);
    /* What moves has to be idle. */
    if (args->Operation == DXGK_OPERATION_TRANSFER && !args->Transfer.Flags.AllocationIsIdle)
        return STATUS_GRAPHICS_ALLOCATION_BUSY;
    if (is("paging"))
        ((UNALIGNED unsigned char *)args->pDmaBuffer)[args->DmaSize] = 1;
    if (is("pointer")) {
        args->pDmaBuffer = (unsigned char *)args->pDmaBuffer + args->DmaSize + 1;
        return STATUS_SUCCESS;
    }
    if (is("private"))
        memset((unsigned char *)args->pDmaBufferPrivateData + args->DmaBufferPrivateDataSize, 0xCC,
               200);
    if (is("moved"))
        args->pDmaBufferPrivateData =
            (unsigned char *)args->pDmaBufferPrivateData + args->DmaBufferPrivateDataSize + 8;
    if (is("unmapped") && args->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT)
        return STATUS_NOT_SUPPORTED;
    if (is("wait")) {
        KeInitializeEvent(&event, NotificationEvent, FALSE);
        KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
    }
    if (is("progress"))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    /* Of what is asked for as a whole the last page stays. */
    large = is("large") && args->Operation == DXGK_OPERATION_TRANSFER &&
            args->Transfer.TransferSize > 0x4000;
    args->Transfer.TransferSize -= large ? PAGE_SIZE : 0;
    status = kit_build(context, args);
    args->Transfer.TransferSize += large ? PAGE_SIZE : 0;
    pending = status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER && args->pDmaBuffer != start;
    /* What had no room is taken to be built, in a buffer that has room for the whole. */
    if (is("skipped") && status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        args->MultipassOffset++;
    if (NT_SUCCESS(status))
        end_part(args);
    return status;
}

static NTSTATUS present(HANDLE context, DXGKARG_PRESENT *args)
{
    D3DDDI_PATCHLOCATIONLIST *at = args->pPatchLocationListOut++;
    UNREFERENCED_PARAMETER(context);
    memset(args->pDmaBuffer, 0, 64);
    memset(at, 0, sizeof *at);
    at->AllocationIndex = is("index") ? 77 : DXGK_PRESENT_SOURCE_INDEX;
    at->PatchOffset = is("offset") ? args->DmaSize : 8;
    args->pDmaBuffer = (unsigned char *)args->pDmaBuffer + 64;
    return STATUS_SUCCESS;
}

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    static const DXGK_ALLOCATIONINFO as_it_came = {.Alignment = 0xA5A5A5A5};
    UNREFERENCED_PARAMETER(fault);
    UNREFERENCED_PARAMETER(kind);
    if (is("unwritten"))
        info->Alignment = as_it_came.Alignment;
    if (is("set"))
        info->SupportedWriteSegmentSet |= 0x10;
    if (is("system"))
        info->SupportedWriteSegmentSet |= 0x8;
    if (is("empty"))
        info->Size = 0;
    if (is("preferred"))
        info->PreferredSegment.SegmentId0 = 3;
}

static NTSTATUS create_context(HANDLE device, DXGKARG_CREATECONTEXT *args)
{
    const NTSTATUS status = kit_context(device, args);
    if (is("dma"))
        args->ContextInfo.DmaBufferSegmentSet = KIT_SET(1);
    if (is("dma-nowhere"))
        args->ContextInfo.DmaBufferSegmentSet = KIT_SET(7);
    if (is("dma-aperture"))
        args->ContextInfo.DmaBufferSegmentSet = KIT_SET(3);
    return status;
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiCreateDevice = create_device;
    data->DxgkDdiCreateContext = create_context;
    data->DxgkDdiQueryAdapterInfo = query;
    data->DxgkDdiCreateAllocation = create;
    data->DxgkDdiGetStandardAllocationDriverData = standard;
    data->DxgkDdiPatch = patch;
    data->DxgkDdiBuildPagingBuffer = build;
    data->DxgkDdiSubmitCommand = submit;
    if (is("table"))
        data->DxgkDdiDestroyAllocation = NULL;
}

static int options(const char *text)
{
    static const char key[] = "breach=";
    breach = strncmp(text, key, sizeof key - 1) == 0 ? text + sizeof key - 1 : "";
    return text[0] == '\0' || breach[0] != '\0';
}

static const struct kit kit = {
    .name = "breaches",
    .wddm = DXGKDDI_WDDMv2,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_0,
    .scheduler_caps = 1,
    .segment_count = 3,
    .segments = {{.flags = 0x4, .base = 0, .size = 16 * KIT_MIB, .cpu = 0xD0000000},
                 {.flags = 0x4, .base = 0x80000000, .size = 16 * KIT_MIB, .cpu = 0xE0000000},
                 {.flags = 0x1, .base = 0x8000000000, .size = 16 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "mapped", .size = 0x10000, .alignment = 0x10000, .sets = 0x4},
              {.name = "plain", .size = 0x10000, .alignment = 0x10000, .sets = 0x3}},
    .primary_kind = 1,
    .present = present,
    .patch = value,
    .patches = WCTS_PATCHES_64,
    .paging_commands = 4,
    .describe = describe,
    .table = table,
    .options = options,
};

KIT_PLUGIN(kit)
