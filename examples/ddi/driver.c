/* SPDX-License-Identifier: MIT */
/* The memory part of a display miniport, for an invented GPU, from WDDM 1.2 on: nothing here knows
 * of a test. plugin.c makes a plug-in of it. */
#include "gpu.h"

#define TAG 0x6C706D45u /* "Empl" */
#define HANDLE_OF(object) ((HANDLE)(object))

typedef struct _ALLOCATION {
    EXAMPLE_DATA data;
} ALLOCATION;

/* An allocation on one device: what allocation lists name. */
typedef struct _OPENED {
    ALLOCATION *allocation;
} OPENED;

typedef struct _DEVICE {
    EXAMPLE_ADAPTER *adapter;
} DEVICE;

static PVOID NewObject(SIZE_T size)
{
    return ExAllocatePool2(POOL_FLAG_NON_PAGED, size, TAG);
}

/* ---- start ---- */

static NTSTATUS AddDevice(PDEVICE_OBJECT object, PVOID *context)
{
    EXAMPLE_ADAPTER *adapter = NewObject(sizeof(*adapter));
    PAGED_CODE();
    UNREFERENCED_PARAMETER(object);
    if (adapter == NULL)
        return STATUS_NO_MEMORY;
    adapter->page_table = NewObject(GART_PAGES * sizeof(UINT64));
    *context = adapter;
    return adapter->page_table != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS StartDevice(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                            PULONG sources, PULONG children)
{
    EXAMPLE_ADAPTER *adapter = context;
    UNREFERENCED_PARAMETER(info);
    adapter->interface = *interface;
    *sources = 1;
    *children = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS RemoveDevice(PVOID context)
{
    EXAMPLE_ADAPTER *adapter = context;
    ExFreePoolWithTag(adapter->page_table, TAG);
    ExFreePoolWithTag(adapter, TAG);
    return STATUS_SUCCESS;
}

/* ---- queries ---- */

static NTSTATUS QueryCaps(const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_DRIVERCAPS caps;
    RtlZeroMemory(&caps, sizeof(caps));
    caps.HighestAcceptableAddress.QuadPart = -1;
    caps.MaxAllocationListSlotId = 16;
    caps.ApertureSegmentCommitLimit = GART_SIZE;
    caps.SchedulingCaps.MultiEngineAware = 1;
    caps.MemoryManagementCaps.SectionBackedPrimary = 1; /* a primary may be in the aperture */
    caps.GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    caps.WDDMVersion = DXGKDDI_WDDMv1_2;
    /* The size is the system's: an older one knows fewer members. */
    RtlCopyMemory(query->pOutputData, &caps, query->OutputDataSize);
    return STATUS_SUCCESS;
}

static NTSTATUS QuerySegment3(DXGK_QUERYSEGMENTOUT3 *out)
{
    DXGK_SEGMENTDESCRIPTOR3 *segments = out->pSegmentDescriptor;
    out->NbSegment = 2;
    if (segments == NULL)
        return STATUS_SUCCESS;
    RtlZeroMemory(segments, 2 * sizeof(*segments));
    segments[0].Flags.CpuVisible = 1;
    segments[0].BaseAddress.QuadPart = VRAM_BASE;
    segments[0].CpuTranslatedAddress.QuadPart = 0xE0000000;
    segments[0].Size = segments[0].CommitLimit = VRAM_SIZE;
    segments[1].Flags.Aperture = 1;
    segments[1].BaseAddress.QuadPart = GART_BASE;
    segments[1].Size = segments[1].CommitLimit = GART_SIZE;
    out->PagingBufferSegmentId = 0;
    out->PagingBufferSize = 64 * sizeof(GPU_COMMAND);
    out->PagingBufferPrivateDataSize = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS QuerySegment4(DXGK_QUERYSEGMENTOUT4 *out)
{
    DXGK_SEGMENTDESCRIPTOR4 *vram = (PVOID)out->pSegmentDescriptor, *gart;
    out->NbSegment = 2;
    if (vram == NULL)
        return STATUS_SUCCESS;
    gart = (PVOID)(out->pSegmentDescriptor + out->SegmentDescriptorStride);
    RtlZeroMemory(vram, sizeof(*vram));
    RtlZeroMemory(gart, sizeof(*gart));
    vram->Flags.CpuVisible = 1;
    vram->BaseAddress.QuadPart = VRAM_BASE;
    vram->CpuTranslatedAddress.QuadPart = 0xE0000000;
    vram->Size = vram->CommitLimit = VRAM_SIZE;
    gart->Flags.Aperture = 1;
    gart->BaseAddress.QuadPart = GART_BASE;
    gart->Size = gart->CommitLimit = GART_SIZE;
    out->PagingBufferSegmentId = 0;
    out->PagingBufferSize = 64 * sizeof(GPU_COMMAND);
    out->PagingBufferPrivateDataSize = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS QueryAdapterInfo(HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    UNREFERENCED_PARAMETER(hAdapter);
    switch (query->Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        return QueryCaps(query);
    case DXGKQAITYPE_QUERYSEGMENT3:
        return QuerySegment3(query->pOutputData);
    case DXGKQAITYPE_QUERYSEGMENT4:
        return QuerySegment4(query->pOutputData);
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

/* ---- devices and contexts ---- */

static NTSTATUS CreateDevice(HANDLE hAdapter, DXGKARG_CREATEDEVICE *args)
{
    DEVICE *device = NewObject(sizeof(*device));
    if (device == NULL)
        return STATUS_NO_MEMORY;
    device->adapter = hAdapter;
    args->hDevice = HANDLE_OF(device);
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyDevice(HANDLE hDevice)
{
    ExFreePoolWithTag(hDevice, TAG);
    return STATUS_SUCCESS;
}

static NTSTATUS CreateContext(HANDLE hDevice, DXGKARG_CREATECONTEXT *args)
{
    DEVICE *context = NewObject(sizeof(*context));
    if (context == NULL)
        return STATUS_NO_MEMORY;
    *context = *(DEVICE *)hDevice;
    args->hContext = HANDLE_OF(context);
    args->ContextInfo.DmaBufferSize = 0x1000;
    args->ContextInfo.DmaBufferSegmentSet = 0;
    args->ContextInfo.DmaBufferPrivateDataSize = 0;
    args->ContextInfo.AllocationListSize = args->Flags.GdiContext ? 256 : 64;
    args->ContextInfo.PatchLocationListSize = 64;
    return STATUS_SUCCESS;
}

/* ---- allocations ---- */

static NTSTATUS CreateOne(DXGK_ALLOCATIONINFO *info)
{
    const UINT sets = 1u << (VRAM_ID - 1) | 1u << (GART_ID - 1);
    ALLOCATION *allocation;
    if (info->PrivateDriverDataSize != sizeof(EXAMPLE_DATA))
        return STATUS_INVALID_PARAMETER;
    allocation = NewObject(sizeof(*allocation));
    if (allocation == NULL)
        return STATUS_NO_MEMORY;
    RtlCopyMemory(&allocation->data, info->pPrivateDriverData, sizeof(allocation->data));
    info->Alignment = PAGE_SIZE;
    info->Size = ROUND_TO_PAGES(allocation->data.size);
    info->PitchAlignedSize = 0;
    info->HintedBank.Value = 0;
    info->PreferredSegment.Value = 0;
    info->PreferredSegment.SegmentId0 = allocation->data.in_vram ? VRAM_ID : GART_ID;
    info->SupportedReadSegmentSet = allocation->data.in_vram ? sets : 1u << (GART_ID - 1);
    info->SupportedWriteSegmentSet = info->SupportedReadSegmentSet;
    info->EvictionSegmentSet = allocation->data.in_vram ? 1u << (GART_ID - 1) : 0;
    info->MaximumRenamingListLength = 0; /* from 2.0 it is PhysicalAdapterIndex */
    info->hAllocation = HANDLE_OF(allocation);
    info->Flags.Value = 0;
    info->Flags.CpuVisible = 1;
    info->pAllocationUsageHint = NULL;
    info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
    info->Flags2.Value = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS CreateAllocation(HANDLE hAdapter, DXGKARG_CREATEALLOCATION *args)
{
    NTSTATUS status = STATUS_SUCCESS;
    UINT i;
    PAGED_CODE();
    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < args->NumAllocations && NT_SUCCESS(status); i++)
        status = CreateOne(&args->pAllocationInfo[i]);
    if (!NT_SUCCESS(status))
        while (--i > 0)
            ExFreePoolWithTag(args->pAllocationInfo[i - 1].hAllocation, TAG);
    return status;
}

static NTSTATUS DestroyAllocation(HANDLE hAdapter, const DXGKARG_DESTROYALLOCATION *args)
{
    UINT i;
    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < args->NumAllocations; i++)
        ExFreePoolWithTag(args->pAllocationList[i], TAG);
    return STATUS_SUCCESS;
}

static NTSTATUS OpenAllocation(HANDLE hDevice, const DXGKARG_OPENALLOCATION *args)
{
    const EXAMPLE_ADAPTER *adapter = ((DEVICE *)hDevice)->adapter;
    UINT i;
    for (i = 0; i < args->NumAllocations; i++) {
        DXGKARGCB_GETHANDLEDATA data = {
            args->pOpenAllocation[i].hAllocation, DXGK_HANDLE_ALLOCATION, {.Value = 0}};
        OPENED *opened = NewObject(sizeof(*opened));
        if (opened == NULL)
            return STATUS_NO_MEMORY;
        opened->allocation = adapter->interface.DxgkCbGetHandleData(&data);
        args->pOpenAllocation[i].hDeviceSpecificAllocation = HANDLE_OF(opened);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS CloseAllocation(HANDLE hDevice, const DXGKARG_CLOSEALLOCATION *args)
{
    UINT i;
    UNREFERENCED_PARAMETER(hDevice);
    for (i = 0; i < args->NumAllocations; i++)
        ExFreePoolWithTag(args->pOpenHandleList[i], TAG);
    return STATUS_SUCCESS;
}

/* The first call is for the sizes. Width and Height are the first members of all surfaces. A format
 * of 0 is that of plain bytes. */
static NTSTATUS GetStandardData(HANDLE hAdapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    const D3DKMDT_GDISURFACEDATA *surface = args->pCreateGdiSurfaceData;
    const BOOLEAN bytes = args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
                          surface->Format == D3DDDIFMT_UNKNOWN;
    EXAMPLE_DATA *data = args->pAllocationPrivateDriverData;
    const UINT pitch = bytes ? surface->Width : surface->Width * 4;
    UNREFERENCED_PARAMETER(hAdapter);
    args->AllocationPrivateDriverDataSize = sizeof(EXAMPLE_DATA);
    args->ResourcePrivateDriverDataSize = 0;
    if (data == NULL)
        return STATUS_SUCCESS;
    RtlZeroMemory(data, sizeof(*data));
    data->size = (UINT64)pitch * surface->Height;
    data->in_vram = args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        args->pCreateShadowSurfaceData->Pitch = pitch;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        args->pCreateStagingSurfaceData->Pitch = pitch;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE)
        args->pCreateGdiSurfaceData->Pitch = pitch;
    return STATUS_SUCCESS;
}

/* ---- paging ---- */

/* Where a page of a transfer is for the GPU. */
static UINT64 PageOf(const DXGK_TRANSFERPLACE *place, UINT mdl_page, UINT64 segment_offset)
{
    if (place->SegmentId != 0)
        return (UINT64)place->SegmentAddress.QuadPart + segment_offset;
    return GPU_SYSTEM | MmGetMdlPfnArray(place->pMdl)[mdl_page] << PAGE_SHIFT;
}

/* The command for a page of the operation; pages are counted in MultipassOffset. */
static GPU_COMMAND PageCommand(const DXGKARG_BUILDPAGINGBUFFER *args, UINT page, SIZE_T size)
{
    const UINT64 offset = (UINT64)page * PAGE_SIZE;
    const UINT left = (UINT)(size - offset < PAGE_SIZE ? size - offset : PAGE_SIZE);
    GPU_COMMAND command = {.size = left};
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        command.opcode = GPU_COPY;
        command.source = PageOf(&args->Transfer.Source, args->Transfer.MdlOffset + page,
                                args->Transfer.TransferOffset + offset);
        command.target = PageOf(&args->Transfer.Destination, args->Transfer.MdlOffset + page,
                                args->Transfer.TransferOffset + offset);
        break;
    case DXGK_OPERATION_FILL:
        command.opcode = GPU_FILL;
        command.value = args->Fill.FillPattern;
        command.target = (UINT64)args->Fill.Destination.SegmentAddress.QuadPart + offset;
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        command.opcode = GPU_PTE;
        command.value = args->MapApertureSegment.OffsetInPages + page;
        command.source =
            MmGetMdlPfnArray(
                args->MapApertureSegment.pMdl)[args->MapApertureSegment.MdlOffset + page]
                << PAGE_SHIFT |
            GPU_PTE_VALID;
        break;
    default:
        command.opcode = GPU_PTE;
        command.value = args->UnmapApertureSegment.OffsetInPages + page;
        command.source = (UINT64)args->UnmapApertureSegment.DummyPage.QuadPart | GPU_PTE_VALID;
        break;
    }
    return command;
}

static NTSTATUS BuildPagingBuffer(HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *args)
{
    const SIZE_T size = args->Operation == DXGK_OPERATION_TRANSFER ? args->Transfer.TransferSize
                        : args->Operation == DXGK_OPERATION_FILL
                            ? args->Fill.FillSize
                            : args->MapApertureSegment.NumberOfPages * PAGE_SIZE;
    const PUCHAR end = (PUCHAR)args->pDmaBuffer + args->DmaSize;
    UNREFERENCED_PARAMETER(hAdapter);
    for (; args->MultipassOffset < BYTES_TO_PAGES(size); args->MultipassOffset++) {
        const GPU_COMMAND command = PageCommand(args, args->MultipassOffset, size);
        if ((SIZE_T)(end - (PUCHAR)args->pDmaBuffer) < sizeof(command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        RtlCopyMemory(args->pDmaBuffer, &command, sizeof(command));
        args->pDmaBuffer = (PUCHAR)args->pDmaBuffer + sizeof(command);
    }
    return STATUS_SUCCESS;
}

/* ---- work ---- */

/* Takes whole commands that draw, and no others. */
static NTSTATUS Render(HANDLE hContext, DXGKARG_RENDER *args)
{
    const GPU_COMMAND *commands = args->pCommand;
    const UINT count = args->CommandLength / sizeof(GPU_COMMAND);
    UINT i;
    UNREFERENCED_PARAMETER(hContext);
    if (args->CommandLength % sizeof(GPU_COMMAND) != 0)
        return STATUS_ILLEGAL_INSTRUCTION;
    if (args->CommandLength > args->DmaSize ||
        args->PatchLocationListInSize > args->PatchLocationListOutSize)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    for (i = 0; i < count; i++)
        if (commands[i].opcode != GPU_DRAW)
            return STATUS_ILLEGAL_INSTRUCTION;
    for (i = 0; i < args->PatchLocationListInSize; i++)
        if (args->pPatchLocationListIn[i].AllocationIndex >= args->AllocationListSize)
            return STATUS_INVALID_PARAMETER;
    RtlCopyMemory(args->pDmaBuffer, args->pCommand, args->CommandLength);
    RtlCopyMemory(args->pPatchLocationListOut, args->pPatchLocationListIn,
                  args->PatchLocationListInSize * sizeof(D3DDDI_PATCHLOCATIONLIST));
    args->pDmaBuffer = (PUCHAR)args->pDmaBuffer + args->CommandLength;
    args->pPatchLocationListOut += args->PatchLocationListInSize;
    return STATUS_SUCCESS;
}

static NTSTATUS Patch(HANDLE hAdapter, const DXGKARG_PATCH *args)
{
    UINT i;
    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < args->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST *at =
            &args->pPatchLocationList[args->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST *allocation = &args->pAllocationList[at->AllocationIndex];
        const UINT64 address = (UINT64)allocation->PhysicalAddress.QuadPart + at->AllocationOffset;
        RtlCopyMemory((PUCHAR)args->pDmaBuffer + at->PatchOffset, &address, sizeof(address));
    }
    return STATUS_SUCCESS;
}

/* The invented GPU is done at once. */
static NTSTATUS SubmitCommand(HANDLE hAdapter, const DXGKARG_SUBMITCOMMAND *args)
{
    EXAMPLE_ADAPTER *adapter = hAdapter;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED};
    data.DmaCompleted.SubmissionFenceId = adapter->last_fence = args->SubmissionFenceId;
    adapter->interface.DxgkCbNotifyInterrupt(adapter->interface.DeviceHandle, &data);
    adapter->interface.DxgkCbQueueDpc(adapter->interface.DeviceHandle);
    return STATUS_SUCCESS;
}

static VOID DpcRoutine(PVOID context)
{
    EXAMPLE_ADAPTER *adapter = context;
    adapter->interface.DxgkCbNotifyDpc(adapter->interface.DeviceHandle);
}

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    DRIVER_INITIALIZATION_DATA data = {.Version = DXGKDDI_INTERFACE_VERSION};
    data.DxgkDdiAddDevice = AddDevice;
    data.DxgkDdiStartDevice = StartDevice;
    data.DxgkDdiRemoveDevice = RemoveDevice;
    data.DxgkDdiDpcRoutine = DpcRoutine;
    data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    data.DxgkDdiCreateDevice = CreateDevice;
    data.DxgkDdiDestroyDevice = DestroyDevice;
    data.DxgkDdiCreateContext = CreateContext;
    data.DxgkDdiDestroyContext = DestroyDevice;
    data.DxgkDdiCreateAllocation = CreateAllocation;
    data.DxgkDdiDestroyAllocation = DestroyAllocation;
    data.DxgkDdiOpenAllocation = OpenAllocation;
    data.DxgkDdiCloseAllocation = CloseAllocation;
    data.DxgkDdiGetStandardAllocationDriverData = GetStandardData;
    data.DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    data.DxgkDdiRender = Render;
    data.DxgkDdiPatch = Patch;
    data.DxgkDdiSubmitCommand = SubmitCommand;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}
