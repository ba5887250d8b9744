/* SPDX-License-Identifier: MIT */
/* What the invented drivers share: the dull part of a miniport, and a GPU that copies, fills and
 * has page tables for apertures. A driver is a struct kit and the hooks in which it differs. With
 * the option fault=1 or fault=2 it does one thing wrong, which its first comment names; with
 * fault=3 it leaves the bank and the priority of what it describes unwritten, with fault=4 its
 * MaximumRenamingListLength or PhysicalAdapterIndex, and with fault=5 its surfaces are half as
 * large as they are to be. With fault=6 it unmaps a page of an aperture less than it is to,
 * with fault=7 it leaves the last page of a fill. If it has no commands of its own it leaves, with
 * fault=8, the last page of what moves straight to system memory, and with fault=9 the pitch of a
 * staging surface is twice its own. With named it names the profile windows. */
#ifndef TEST_DRIVER_KIT_H
#define TEST_DRIVER_KIT_H

#include "wddm-cts-ddi.h"

#include <stdlib.h>

#define KIT_SEGMENTS 4
#define KIT_KINDS 4
#define KIT_MAGIC 0x2074694Bu
#define KIT_SYSTEM (1ull << 63)
#define KIT_SET(id) (1u << ((id)-1))
#define KIT_MIB 0x100000ull

/* Numbers that no other commands begin with. */
enum kit_opcode { KIT_COPY = 0x4B495401, KIT_FILL, KIT_PTE, KIT_MIX, KIT_DRAW };

/* One command of the GPU, within a page: COPY size bytes, or, where value is not 0, rows of its low
 * half bytes into pages of the target, or of its high half bytes from pages of the source; MIX:
 * the same with each byte changed by the value; FILL; PTE: the page value of the aperture segment
 * size becomes source. Addresses are those of segments, or of the bus with KIT_SYSTEM. */
struct kit_command {
    uint32_t opcode;
    uint32_t size;
    uint64_t value;
    uint64_t source;
    uint64_t target;
};

struct kit_segment {
    uint32_t flags; /* DXGK_SEGMENTFLAGS */
    uint64_t base;
    uint64_t size;
    uint64_t cpu;        /* CpuTranslatedAddress */
    SIZE_T banks[4];     /* where each ends; 0: no more */
    uint64_t sysmem_end; /* SystemMemoryEndAddress */
};

/* An allocation as the driver describes it. */
struct kit_kind {
    const char *name;
    uint64_t size;
    uint64_t pitch_aligned_size;
    uint32_t alignment;
    uint32_t sets; /* reading and writing */
    uint32_t eviction;
    uint32_t preferred; /* PreferredSegment */
    uint32_t banks;     /* HintedBank */
    uint32_t flags;
};

struct kit {
    const char *name;
    uint32_t wddm;           /* DXGK_WDDMVERSION */
    uint32_t built_for;      /* DRIVER_INITIALIZATION_DATA.Version */
    uint32_t memory_caps;    /* DXGK_VIDMMCAPS */
    uint32_t scheduler_caps; /* DXGK_VIDSCHCAPS */
    uint32_t segment_count;
    uint32_t kind_count;
    struct kit_segment segments[KIT_SEGMENTS];
    struct kit_kind kinds[KIT_KINDS];
    uint32_t primary_kind; /* of shared primaries; others are of kind 0 */
    enum wcts_patches patches;
    uint32_t patch_width; /* of WCTS_PATCHES_EXPRESSION, and so is the next */
    const char *patch_expression;
    uint32_t paging_commands; /* that the paging buffer has room for */
    int display_only;         /* 1: neither paging nor work */
    int no_surfaces;          /* 1: there are no surfaces over existing memory */
    int no_gpu;               /* 1: nothing runs its commands */
    int needs_data;           /* 1: creates nothing without private data of its own */
    const struct wcts_ddi_data
        *resource_data;      /* of each kind: nothing is created without, or NULL */
    int handles_are_numbers; /* 1: hAllocation is not an address */
    uint32_t lacks;          /* paging operations that it does not implement with fault 1 */
    int all_places;          /* 1: with fault 2 a call patches all places */
    uint64_t relative_to[KIT_SEGMENTS]; /* what is taken off a patched address, by segment */
    PDXGKDDI_RENDER render;             /* or NULL, and so are the next two */
    PDXGKDDI_PRESENT present;
    wcts_ddi_commands_fn *commands;
    void (*table)(DRIVER_INITIALIZATION_DATA *data); /* puts other functions there */
    int (*options)(const char *options);             /* in place of fault=1 and fault=2 */
    /* Hooks, each may be NULL. fault is 0, 1 or 2. */
    void (*segment)(int fault, uint32_t id, struct kit_segment *segment);
    void (*describe)(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info);
    /* May change a command of paging; another status than success ends the call. */
    NTSTATUS(*paging)
    (int fault, const DXGKARG_BUILDPAGINGBUFFER *args, struct kit_command *command);
    /* The value that is patched in; size is that of the value, 4 or 8 bytes. */
    uint64_t (*patch)(int fault, const DXGK_ALLOCATIONLIST *allocation, uint64_t offset,
                      uint32_t *size);
};

/* The private data of an allocation. */
struct kit_data {
    uint32_t magic;
    uint32_t kind;
    uint64_t size; /* 0: that of the kind */
};

struct kit_adapter {
    DXGKRNL_INTERFACE interface;
    uint64_t *tables[KIT_SEGMENTS];
};

struct kit_allocation {
    struct kit_data data;
};

struct kit_opened {
    struct kit_adapter *adapter;
    struct kit_allocation *allocation;
};

static const struct kit *kit_driver;
static int kit_fault;

static struct kit_segment kit_segment_of(uint32_t id)
{
    struct kit_segment segment = kit_driver->segments[id - 1];
    if (kit_driver->segment != NULL)
        kit_driver->segment(kit_fault, id, &segment);
    return segment;
}

/* ---- life, devices ---- */

static NTSTATUS kit_add(PDEVICE_OBJECT object, PVOID *context)
{
    UNREFERENCED_PARAMETER(object);
    *context = calloc(1, sizeof(struct kit_adapter));
    return *context != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS kit_start(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                          PULONG sources, PULONG children)
{
    struct kit_adapter *adapter = context;
    uint32_t i;
    UNREFERENCED_PARAMETER(info);
    adapter->interface = *interface;
    for (i = 0; i < kit_driver->segment_count; i++)
        adapter->tables[i] = calloc(kit_driver->segments[i].size / PAGE_SIZE, sizeof(uint64_t));
    *sources = *children = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS kit_remove(PVOID context)
{
    struct kit_adapter *adapter = context;
    uint32_t i;
    for (i = 0; i < KIT_SEGMENTS; i++)
        free(adapter->tables[i]);
    free(adapter);
    return STATUS_SUCCESS;
}

static NTSTATUS kit_device(HANDLE context, DXGKARG_CREATEDEVICE *args)
{
    static DXGK_DEVICEINFO info = {.DmaBufferSize = 0x1000, .PatchLocationListSize = 16};
    struct kit_opened *device = calloc(1, sizeof *device);
    device->adapter = context;
    args->hDevice = device;
    args->pInfo = &info;
    return STATUS_SUCCESS;
}

static NTSTATUS kit_context(HANDLE device, DXGKARG_CREATECONTEXT *args)
{
    args->hContext =
        memcpy(calloc(1, sizeof(struct kit_opened)), device, sizeof(struct kit_opened));
    args->ContextInfo.DmaBufferSize = 0x1000;
    args->ContextInfo.DmaBufferSegmentSet = 0;
    args->ContextInfo.DmaBufferPrivateDataSize = 0;
    args->ContextInfo.AllocationListSize = args->ContextInfo.PatchLocationListSize = 16;
    return STATUS_SUCCESS;
}

static NTSTATUS kit_free(HANDLE handle)
{
    free(handle);
    return STATUS_SUCCESS;
}

/* ---- queries ---- */

static NTSTATUS kit_caps(const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_DRIVERCAPS caps = {.MaxAllocationListSlotId = 16};
    caps.SchedulingCaps.Value = kit_driver->scheduler_caps;
    caps.MemoryManagementCaps.Value = kit_driver->memory_caps;
    caps.WDDMVersion = kit_driver->wddm;
    memcpy(query->pOutputData, &caps, query->OutputDataSize);
    return STATUS_SUCCESS;
}

static void kit_old_segment(const DXGKARG_QUERYADAPTERINFO *query, uint32_t id)
{
    static SIZE_T banks[KIT_SEGMENTS][4];
    const struct kit_segment from = kit_segment_of(id);
    UINT count = 0;
    memcpy(banks[id - 1], from.banks, sizeof from.banks);
    while (count < 4 && from.banks[count] != 0)
        count++;
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3)
        ((DXGK_QUERYSEGMENTOUT3 *)query->pOutputData)->pSegmentDescriptor[id - 1] =
            (DXGK_SEGMENTDESCRIPTOR3){.Flags = {.Value = from.flags},
                                      .BaseAddress = {.QuadPart = (LONGLONG)from.base},
                                      .CpuTranslatedAddress = {.QuadPart = (LONGLONG)from.cpu},
                                      .Size = from.size,
                                      .NbOfBanks = count,
                                      .pBankRangeTable = banks[id - 1],
                                      .CommitLimit = from.size,
                                      .SystemMemoryEndAddress = from.sysmem_end};
    else
        ((DXGK_QUERYSEGMENTOUT *)query->pOutputData)->pSegmentDescriptor[id - 1] =
            (DXGK_SEGMENTDESCRIPTOR){.BaseAddress = {.QuadPart = (LONGLONG)from.base},
                                     .CpuTranslatedAddress = {.QuadPart = (LONGLONG)from.cpu},
                                     .Size = from.size,
                                     .NbOfBanks = count,
                                     .pBankRangeTable = banks[id - 1],
                                     .CommitLimit = from.size,
                                     .Flags = {.Value = from.flags}};
}

static void kit_new_segment(const DXGK_QUERYSEGMENTOUT4 *out, uint32_t id)
{
    const struct kit_segment from = kit_segment_of(id);
    DXGK_SEGMENTDESCRIPTOR4 *to =
        (void *)(out->pSegmentDescriptor + (id - 1) * out->SegmentDescriptorStride);
    memset(to, 0, sizeof *to);
    to->Flags.Value = from.flags;
    to->BaseAddress.QuadPart = (LONGLONG)from.base;
    to->CpuTranslatedAddress.QuadPart = (LONGLONG)from.cpu;
    to->Size = to->CommitLimit = from.size;
    to->SystemMemoryEndAddress = from.sysmem_end;
}

/* The three forms of the query have the same head; the count comes without an array. */
static NTSTATUS kit_query(HANDLE context, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_QUERYSEGMENTOUT *out = query->pOutputData;
    uint32_t id;
    UNREFERENCED_PARAMETER(context);
    if (query->Type == DXGKQAITYPE_DRIVERCAPS)
        return kit_caps(query);
    if ((query->Type != DXGKQAITYPE_QUERYSEGMENT || kit_driver->wddm >= DXGKDDI_WDDMv2) &&
        (query->Type != DXGKQAITYPE_QUERYSEGMENT3 || kit_driver->wddm < DXGKDDI_WDDMv1_2) &&
        (query->Type != DXGKQAITYPE_QUERYSEGMENT4 || kit_driver->wddm < DXGKDDI_WDDMv2))
        return STATUS_NOT_SUPPORTED;
    out->NbSegment = kit_driver->segment_count;
    if (out->pSegmentDescriptor == NULL)
        return STATUS_SUCCESS;
    for (id = 1; id <= kit_driver->segment_count; id++) {
        if (query->Type == DXGKQAITYPE_QUERYSEGMENT4)
            kit_new_segment(query->pOutputData, id);
        else
            kit_old_segment(query, id);
    }
    out->PagingBufferSegmentId = 0;
    out->PagingBufferSize = kit_driver->paging_commands * (UINT)sizeof(struct kit_command);
    out->PagingBufferPrivateDataSize = 64;
    return STATUS_SUCCESS;
}

/* ---- allocations ---- */

static void kit_describe(DXGK_ALLOCATIONINFO *info, const struct kit_data *data)
{
    const struct kit_kind *kind = &kit_driver->kinds[data->kind];
    info->Alignment = kind->alignment;
    info->Size = data->size != 0 ? ROUND_TO_PAGES(data->size) : kind->size;
    info->PitchAlignedSize = kind->pitch_aligned_size == 0 ? 0
                             : data->size != 0             ? info->Size
                                                           : kind->pitch_aligned_size;
    info->HintedBank.Value = kind->banks;
    info->PreferredSegment.Value = kind->preferred;
    info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = kind->sets;
    info->EvictionSegmentSet = kind->eviction;
    info->MaximumRenamingListLength = 0;
    info->Flags.Value = kind->flags;
    info->pAllocationUsageHint = NULL;
    info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
    if (kit_driver->wddm >= DXGKDDI_WDDMv3_0)
        info->Flags2.Value = 0;
    if (kit_driver->describe != NULL)
        kit_driver->describe(kit_fault, data->kind, info);
}

static NTSTATUS kit_create(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = 0; i < args->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO *info = &args->pAllocationInfo[i];
        struct kit_allocation *allocation = calloc(1, sizeof *allocation);
        DXGK_ALLOCATIONINFO before;
        if (info->PrivateDriverDataSize == sizeof allocation->data)
            memcpy(&allocation->data, info->pPrivateDriverData, sizeof allocation->data);
        else if (kit_driver->needs_data)
            return STATUS_INVALID_PARAMETER;
        if (allocation->data.kind >= kit_driver->kind_count)
            return STATUS_INVALID_PARAMETER;
        if (kit_driver->resource_data != NULL && allocation->data.size == 0 &&
            args->PrivateDriverDataSize != kit_driver->resource_data[allocation->data.kind].size)
            return STATUS_INVALID_PARAMETER;
        info->hAllocation = allocation;
        before = *info;
        kit_describe(info, &allocation->data);
        if (kit_fault == 4)
            info->MaximumRenamingListLength = before.MaximumRenamingListLength;
        if (kit_fault == 3) {
            info->HintedBank = before.HintedBank;
            info->AllocationPriority = before.AllocationPriority;
        }
    }
    return STATUS_SUCCESS;
}

/* A driver that gives wrong handles is not asked to find anything by them. */
static NTSTATUS kit_destroy(HANDLE context, const DXGKARG_DESTROYALLOCATION *args)
{
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = 0; i < args->NumAllocations && kit_fault == 0 && !kit_driver->handles_are_numbers; i++)
        free(args->pAllocationList[i]);
    return STATUS_SUCCESS;
}

static NTSTATUS kit_open(HANDLE device, const DXGKARG_OPENALLOCATION *args)
{
    uint32_t i;
    for (i = 0; i < args->NumAllocations; i++) {
        const DXGKARGCB_GETHANDLEDATA data = {.hObject = args->pOpenAllocation[i].hAllocation,
                                              .Type = DXGK_HANDLE_ALLOCATION};
        struct kit_opened *opened = memcpy(calloc(1, sizeof *opened), device, sizeof *opened);
        opened->allocation = opened->adapter->interface.DxgkCbGetHandleData(&data);
        args->pOpenAllocation[i].hDeviceSpecificAllocation = opened;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS kit_close(HANDLE device, const DXGKARG_CLOSEALLOCATION *args)
{
    uint32_t i;
    UNREFERENCED_PARAMETER(device);
    for (i = 0; i < args->NumAllocations; i++)
        free(args->pOpenHandleList[i]);
    return STATUS_SUCCESS;
}

static NTSTATUS kit_standard(HANDLE context, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    const D3DKMDT_GDISURFACEDATA *surface = args->pCreateGdiSurfaceData;
    const int bytes = args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
                      surface->Format == D3DDDIFMT_UNKNOWN;
    struct kit_data data = {.magic = KIT_MAGIC};
    UNREFERENCED_PARAMETER(context);
    if (kit_driver->no_surfaces && bytes)
        return STATUS_NOT_SUPPORTED;
    data.size = (uint64_t)surface->Width * surface->Height * (bytes ? 1 : 4);
    if (kit_fault == 5)
        data.size /= 2;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        args->pCreateStagingSurfaceData->Pitch =
            surface->Width * (kit_fault == 5                                   ? 2
                              : kit_fault == 9 && kit_driver->commands == NULL ? 8
                                                                               : 4);
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        args->pCreateShadowSurfaceData->Pitch = surface->Width * 4;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE)
        args->pCreateGdiSurfaceData->Pitch = surface->Width * (bytes ? 1 : 4);
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE)
        data.kind = kit_driver->primary_kind;
    if (args->pAllocationPrivateDriverData != NULL)
        memcpy(args->pAllocationPrivateDriverData, &data, sizeof data);
    args->AllocationPrivateDriverDataSize = sizeof data;
    args->ResourcePrivateDriverDataSize = 0;
    return STATUS_SUCCESS;
}

/* ---- paging ---- */

static uint64_t kit_place(const DXGKARG_BUILDPAGINGBUFFER *args, const DXGK_TRANSFERPLACE *place,
                          uint32_t page)
{
    if (place->SegmentId != 0)
        return (uint64_t)place->SegmentAddress.QuadPart + args->Transfer.TransferOffset +
               (uint64_t)page * PAGE_SIZE;
    return KIT_SYSTEM |
           (MmGetMdlPfnArray(place->pMdl)[args->Transfer.MdlOffset + page] << PAGE_SHIFT);
}

/* The command for a page of an operation. */
static struct kit_command kit_page(const DXGKARG_BUILDPAGINGBUFFER *args, uint32_t page)
{
    const uint64_t offset = (uint64_t)page * PAGE_SIZE;
    struct kit_command command = {.size = PAGE_SIZE};
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        command.opcode = KIT_COPY;
        command.source = kit_place(args, &args->Transfer.Source, page);
        command.target = kit_place(args, &args->Transfer.Destination, page);
        if (kit_fault == 8 && kit_driver->commands == NULL &&
            args->Transfer.Destination.SegmentId == 0 &&
            offset + PAGE_SIZE >= args->Transfer.TransferSize)
            command.size = 0;
        break;
    case DXGK_OPERATION_FILL:
        command.opcode = KIT_FILL;
        command.size = kit_fault == 7 && offset + PAGE_SIZE >= args->Fill.FillSize ? 0 : PAGE_SIZE;
        command.value = args->Fill.FillPattern;
        command.target = (uint64_t)args->Fill.Destination.SegmentAddress.QuadPart + offset;
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        command.opcode = KIT_PTE;
        command.size = args->MapApertureSegment.SegmentId;
        command.value = args->MapApertureSegment.OffsetInPages + page;
        command.source =
            MmGetMdlPfnArray(
                args->MapApertureSegment.pMdl)[args->MapApertureSegment.MdlOffset + page]
            << PAGE_SHIFT;
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        command.opcode = KIT_PTE;
        command.size = args->MapApertureSegment2.SegmentId;
        command.value = args->MapApertureSegment2.OffsetInPages + page;
        command.source =
            (args->MapApertureSegment2.Adl.Flags.Contiguous
                 ? args->MapApertureSegment2.Adl.BasePageNumber +
                       args->MapApertureSegment2.AdlOffset + page
                 : args->MapApertureSegment2.Adl.Pages[args->MapApertureSegment2.AdlOffset + page])
            << PAGE_SHIFT;
        break;
    default:
        command.opcode = KIT_PTE;
        command.size = args->UnmapApertureSegment.SegmentId;
        command.value = args->UnmapApertureSegment.OffsetInPages + (kit_fault == 6 ? 0 : page);
        command.source = (uint64_t)args->UnmapApertureSegment.DummyPage.QuadPart;
        break;
    }
    return command;
}

static uint64_t kit_pages(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return BYTES_TO_PAGES(args->Transfer.TransferSize);
    case DXGK_OPERATION_FILL:
        return BYTES_TO_PAGES(args->Fill.FillSize);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        return args->MapApertureSegment.NumberOfPages;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        return args->MapApertureSegment2.NumberOfPages;
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return args->UnmapApertureSegment.NumberOfPages;
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        return BYTES_TO_PAGES(args->TransferVirtual.TransferSizeInBytes);
    default:
        return BYTES_TO_PAGES(args->FillVirtual.FillSizeInBytes);
    }
}

static NTSTATUS kit_build(HANDLE context, DXGKARG_BUILDPAGINGBUFFER *args)
{
    const unsigned char *end = (const unsigned char *)args->pDmaBuffer + args->DmaSize;
    UNREFERENCED_PARAMETER(context);
    for (; args->MultipassOffset < kit_pages(args); args->MultipassOffset++) {
        struct kit_command command = kit_page(args, args->MultipassOffset);
        NTSTATUS status = kit_driver->paging != NULL ? kit_driver->paging(kit_fault, args, &command)
                                                     : STATUS_SUCCESS;
        if (!NT_SUCCESS(status))
            return status;
        if ((size_t)(end - (unsigned char *)args->pDmaBuffer) < sizeof command)
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        memcpy(args->pDmaBuffer, &command, sizeof command);
        args->pDmaBuffer = (unsigned char *)args->pDmaBuffer + sizeof command;
    }
    return STATUS_SUCCESS;
}

/* ---- work ---- */

static NTSTATUS kit_patch(HANDLE context, const DXGKARG_PATCH *args)
{
    const int all = kit_driver->all_places && kit_fault == 2;
    const uint32_t first = all ? 0 : args->PatchLocationListSubmissionStart;
    const uint32_t count =
        all ? args->PatchLocationListSize : args->PatchLocationListSubmissionLength;
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = 0; i < count; i++) {
        const D3DDDI_PATCHLOCATIONLIST *at = &args->pPatchLocationList[first + i];
        const DXGK_ALLOCATIONLIST *allocation = &args->pAllocationList[at->AllocationIndex];
        const uint32_t id = allocation->SegmentId;
        const uint64_t base = id >= 1 && id <= KIT_SEGMENTS ? kit_driver->relative_to[id - 1] : 0;
        uint32_t size = kit_driver->patches == WCTS_PATCHES_32 ? 4 : 8;
        uint64_t value =
            (uint64_t)allocation->PhysicalAddress.QuadPart + at->AllocationOffset - base;
        if (kit_driver->patch != NULL)
            value = kit_driver->patch(kit_fault, allocation, at->AllocationOffset, &size);
        memcpy((unsigned char *)args->pDmaBuffer + at->PatchOffset, &value, size);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS kit_submit(HANDLE context, const DXGKARG_SUBMITCOMMAND *args)
{
    const struct kit_adapter *adapter = context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED};
    data.DmaCompleted.SubmissionFenceId = args->SubmissionFenceId;
    adapter->interface.DxgkCbNotifyInterrupt(adapter->interface.DeviceHandle, &data);
    return STATUS_SUCCESS;
}

/* ---- the GPU ---- */

/* Where an address is: in system memory (segment 0) or in a segment. */
static uint64_t kit_resolve(struct wcts_ddi_gpu *gpu, uint64_t address, uint32_t *segment)
{
    const struct kit_adapter *adapter = wcts_ddi_gpu_device(gpu);
    uint32_t id;
    *segment = 0;
    for (id = 1; id <= kit_driver->segment_count && !(address & KIT_SYSTEM); id++) {
        const struct kit_segment *one = &kit_driver->segments[id - 1];
        if (address < one->base || address - one->base >= one->size)
            continue;
        if (one->flags & 3)
            return adapter->tables[id - 1][(address - one->base) / PAGE_SIZE] + address % PAGE_SIZE;
        *segment = id;
        return address - one->base;
    }
    return address & ~KIT_SYSTEM;
}

/* Copies a page in rows, of which each has a page of its own on one side. */
static NTSTATUS kit_rows(struct wcts_ddi_gpu *gpu, const struct kit_command *command)
{
    const uint32_t out = command->value & 0xFFFF, in = command->value >> 16 & 0xFFFF;
    const uint32_t row = out != 0 ? out : in;
    NTSTATUS status = STATUS_SUCCESS;
    unsigned char bytes[PAGE_SIZE];
    uint32_t i, segment;
    for (i = 0; i < PAGE_SIZE / row && NT_SUCCESS(status); i++) {
        uint64_t at = kit_resolve(gpu, command->source + i * (in ? PAGE_SIZE : row), &segment);
        status = wcts_ddi_gpu_read(gpu, segment, at, bytes, row);
        at = kit_resolve(gpu, command->target + i * (out ? PAGE_SIZE : row), &segment);
        if (NT_SUCCESS(status))
            status = wcts_ddi_gpu_write(gpu, segment, at, bytes, row);
    }
    return status;
}

static NTSTATUS kit_execute(struct wcts_ddi_gpu *gpu, const void *commands, uint32_t size)
{
    const struct kit_command *command = commands, *end = command + size / sizeof *command;
    struct kit_adapter *adapter = wcts_ddi_gpu_device(gpu);
    unsigned char page[PAGE_SIZE];
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t segment, i;
    uint64_t address;
    for (; command < end && NT_SUCCESS(status); command++) {
        if (command->opcode == KIT_PTE) {
            adapter->tables[command->size - 1][command->value] = command->source;
            continue;
        }
        if (command->opcode != KIT_COPY && command->opcode != KIT_FILL &&
            command->opcode != KIT_MIX)
            continue;
        if (command->opcode == KIT_COPY && command->value != 0) {
            status = kit_rows(gpu, command);
            continue;
        }
        for (i = 0; i < PAGE_SIZE; i++)
            page[i] = (unsigned char)(command->value >> 8 * (i % 4));
        if (command->opcode != KIT_FILL) {
            address = kit_resolve(gpu, command->source, &segment);
            status = wcts_ddi_gpu_read(gpu, segment, address, page, command->size);
        }
        for (i = 0; i < PAGE_SIZE && command->opcode == KIT_MIX; i++)
            page[i] ^= (unsigned char)command->value;
        address = kit_resolve(gpu, command->target, &segment);
        if (NT_SUCCESS(status))
            status = wcts_ddi_gpu_write(gpu, segment, address, page, command->size);
    }
    return status;
}

/* What an aperture's page table leads to. */
static uint64_t kit_aperture(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t page)
{
    const struct kit_adapter *adapter = wcts_ddi_gpu_device(gpu);
    return adapter->tables[segment - 1][page];
}

#ifdef KIT_RECORDS
#include "recorded.h"
#endif

/* ---- the plug-in ---- */

static NTSTATUS kit_entry(PDRIVER_OBJECT object, PUNICODE_STRING path)
{
    const int works = !kit_driver->display_only;
    DRIVER_INITIALIZATION_DATA data = {
        .Version = kit_driver->built_for,
        .DxgkDdiAddDevice = kit_add,
        .DxgkDdiStartDevice = kit_start,
        .DxgkDdiRemoveDevice = kit_remove,
        .DxgkDdiQueryAdapterInfo = kit_query,
        .DxgkDdiCreateDevice = kit_device,
        .DxgkDdiDestroyDevice = kit_free,
        .DxgkDdiCreateAllocation = kit_create,
        .DxgkDdiDestroyAllocation = kit_destroy,
        .DxgkDdiOpenAllocation = kit_open,
        .DxgkDdiCloseAllocation = kit_close,
        .DxgkDdiGetStandardAllocationDriverData = kit_standard,
        .DxgkDdiCreateContext = kit_driver->scheduler_caps & 1 ? kit_context : NULL,
        .DxgkDdiDestroyContext = kit_free,
        .DxgkDdiRender = kit_driver->render,
        .DxgkDdiPresent = kit_driver->present,
        .DxgkDdiBuildPagingBuffer = works ? kit_build : NULL,
        .DxgkDdiPatch = works && kit_driver->patches != WCTS_PATCHES_NONE ? kit_patch : NULL,
        .DxgkDdiSubmitCommand = works ? kit_submit : NULL};
    if (kit_driver->table != NULL)
        kit_driver->table(&data);
#ifdef KIT_RECORDS
    kit_record(&data);
#endif
    return DxgkInitialize(object, path, &data);
}

static struct wcts_ddi_driver kit_table;

static int kit_options(const char *options)
{
    kit_fault = strlen(options) == 7 && strncmp(options, "fault=", 6) == 0 && options[6] >= '1' &&
                        options[6] <= '9'
                    ? options[6] - '0'
                    : 0;
    kit_table.paging_operations =
        kit_fault == 1 && kit_driver->lacks != 0 ? 0x63 & ~kit_driver->lacks : 0;
    kit_table.profile = strcmp(options, "named") == 0 ? "windows" : NULL;
    return options[0] == '\0' || kit_fault != 0 || kit_table.profile != NULL;
}

static const struct wcts_plugin *kit_plugin(const struct kit *kit)
{
    static struct kit_data data[KIT_KINDS];
    static struct wcts_ddi_kind kinds[KIT_KINDS];
    uint32_t i;
    for (i = 0; i < kit->kind_count; i++) {
        data[i] = (struct kit_data){.magic = KIT_MAGIC, .kind = i};
        kinds[i] = (struct wcts_ddi_kind){kit->kinds[i].name, &data[i], sizeof data[i]};
    }
    kit_table.size = sizeof kit_table;
    kit_table.version = "1";
    kit_table.entry = kit_entry;
    kit_table.options = kit->options != NULL ? kit->options : kit_options;
    kit_table.name = kit->name;
    kit_table.patches = (uint32_t)kit->patches;
    kit_table.patch_width = kit->patch_width;
    kit_table.patch_expression = kit->patch_expression;
    kit_table.kind_count = kit->display_only ? 0 : kit->kind_count;
    kit_table.kinds = kinds;
    kit_table.resource_data = kit->resource_data;
    kit_table.commands = kit->commands;
    kit_table.aperture = kit_aperture;
    kit_table.execute = kit->no_gpu ? NULL : kit_execute;
    kit_driver = kit;
    return wcts_ddi_plugin(&kit_table);
}

#define KIT_PLUGIN(kit)                                                                            \
    const struct wcts_plugin *wcts_plugin_entry(void)                                              \
    {                                                                                              \
        return kit_plugin(&(kit));                                                                 \
    }

#endif
