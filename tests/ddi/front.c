/* SPDX-License-Identifier: MIT */
/* The emulator's driver as a native one: DxgkDdi functions that forward to it. What the suite finds
 * of it behind the adapter is to be what it finds of it without (test-ddi.sh). The emulator's
 * plug-in is linked in, under another name. */
#include "wddm-cts-ddi.h"

#include "emu_driver.h"

#include <stdlib.h>

const struct wcts_plugin *emulator_entry(void);

/* A device's handle of an allocation is not the driver's own. */
#define SPECIFIC UINT64_C(0x100000000)
/* The system's device and context, of which the emulator knows nothing. */
#define SYSTEM ((HANDLE)(uintptr_t)0x7000000000)

#define ROOM 65536u
#define BUFFERS 2

/* A buffer that the emulator is to reach by its address in the machine. */
struct buffer {
    uint64_t address;
    uint32_t size;
    unsigned char *data;
};

/* One system. */
struct front {
    struct front *next;
    const struct wcts_host *real;
    struct wcts_host host; /* the emulator's */
    void *emulator;
    struct buffer buffers[BUFFERS];
    uint64_t reply[ROOM / 8];
    uint32_t reply_size;
    DXGKRNL_INTERFACE interface;
    SIZE_T banks[EMU_SEGMENT_COUNT][16];
    DXGK_ALLOCATIONUSAGEHINT hint;
};

/* A device of the driver. */
struct adapter {
    struct front *front;
    uint32_t index;
};

static struct front *fronts;

static struct front *current(void)
{
    struct front *front = fronts;
    while (front->real != wcts_ddi_host())
        front = front->next;
    return front;
}

/* ---- the emulator's way to the machine ---- */

static unsigned char *buffered(struct front *front, const struct wcts_machine_memory_request *in)
{
    int i;
    for (i = 0; i < BUFFERS && in->Space == 0; i++) {
        const struct buffer *buffer = &front->buffers[i];
        if (buffer->data != NULL && in->Address >= buffer->address &&
            in->Address - buffer->address <= buffer->size &&
            in->Length <= buffer->size - (in->Address - buffer->address))
            return buffer->data + (in->Address - buffer->address);
    }
    return NULL;
}

static wcts_status host_call(void *ctx, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t room, uint32_t *size)
{
    struct front *front = ctx;
    const struct wcts_machine_memory_request *in = request;
    struct wcts_machine_memory_reply *out = reply;
    unsigned char *at = NULL;
    if (operation == WCTS_MACHINE_READ || operation == WCTS_MACHINE_WRITE)
        at = buffered(front, in);
    if (at == NULL)
        return front->real->call(front->real->ctx, operation, request, request_size, reply, room,
                                 size);
    if (operation == WCTS_MACHINE_WRITE) {
        memcpy(at, (const unsigned char *)request + in->pData, in->Length);
        *size = sizeof(struct wcts_none);
        return WCTS_STATUS_SUCCESS;
    }
    out->size = sizeof *out;
    out->Length = (uint32_t)in->Length;
    out->pData = sizeof *out;
    memcpy(out + 1, at, in->Length);
    *size = (uint32_t)(sizeof *out + in->Length);
    return WCTS_STATUS_SUCCESS;
}

static void *ask(struct front *front, uint32_t operation, const void *request, uint32_t size,
                 NTSTATUS *status)
{
    memset(front->reply, 0, sizeof front->reply);
    *status = emulator_entry()->call(front->emulator, operation, request, size, front->reply, ROOM,
                                     &front->reply_size);
    return front->reply;
}

static uint64_t address_of(const void *data)
{
    return (uint64_t)MmGetPhysicalAddress((PVOID)(uintptr_t)data).QuadPart;
}

static void set_buffers(struct front *front, void *dma, uint32_t dma_size, void *data,
                        uint32_t data_size)
{
    front->buffers[0] = (struct buffer){address_of(dma), dma_size, dma};
    front->buffers[1] = (struct buffer){address_of(data), data_size, data};
}

/* ---- life ---- */

static NTSTATUS add_device(PDEVICE_OBJECT object, PVOID *context)
{
    struct adapter *adapter = calloc(1, sizeof *adapter);
    UNREFERENCED_PARAMETER(object);
    if (adapter == NULL)
        return STATUS_NO_MEMORY;
    adapter->front = current();
    adapter->index = adapter->front->interface.Size != 0 ? 1 : 0;
    *context = adapter;
    return STATUS_SUCCESS;
}

static NTSTATUS start_device(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                             PULONG sources, PULONG children)
{
    struct adapter *adapter = context;
    UNREFERENCED_PARAMETER(info);
    adapter->front->interface = *interface;
    *sources = *children = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS remove_device(PVOID context)
{
    free(context);
    return STATUS_SUCCESS;
}

static void unload(void)
{
    struct front **at = &fronts, *front = current();
    while (*at != front)
        at = &(*at)->next;
    *at = front->next;
    if (front->emulator != NULL)
        emulator_entry()->close(front->emulator);
    free(front);
}

/* ---- queries ---- */

static struct wcts_driver_info_reply *emulator_info(struct front *front)
{
    const struct wcts_none nothing = {sizeof nothing, 0};
    NTSTATUS status;
    return ask(front, WCTS_DRIVER_INFO, &nothing, sizeof nothing, &status);
}

static NTSTATUS query_caps(struct front *front, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_DRIVERCAPS caps = {.MaxAllocationListSlotId = 16};
    const struct wcts_driver_info_reply *info = emulator_info(front);
    caps.SchedulingCaps.MultiEngineAware = info->creates_contexts & 1;
    caps.MemoryManagementCaps.SectionBackedPrimary = info->section_backed_primary & 1;
    memcpy(query->pOutputData, &caps, query->OutputDataSize);
    return STATUS_SUCCESS;
}

static SIZE_T *bank_ends(struct front *front, const struct wcts_driver_segments_reply *answer,
                         const struct wcts_DXGK_SEGMENTDESCRIPTOR *from, uint32_t index)
{
    const struct wcts_bank_range *banks =
        (const void *)((const unsigned char *)answer + from->pBankRangeTable);
    uint32_t i;
    for (i = 0; i < from->NbOfBanks && i < 16; i++)
        front->banks[index][i] = banks[i].Start + banks[i].Length;
    return front->banks[index];
}

static void describe4(const struct wcts_DXGK_SEGMENTDESCRIPTOR *from, DXGK_SEGMENTDESCRIPTOR4 *to)
{
    memset(to, 0, sizeof *to);
    to->Flags.Value = from->Flags;
    to->BaseAddress.QuadPart = (LONGLONG)from->BaseAddress;
    to->Size = from->Size;
    to->CommitLimit = from->CommitLimit;
    if (to->Flags.SupportsCpuHostAperture) {
        to->CpuHostAperture.PhysicalAddress.QuadPart =
            (LONGLONG)from->CpuHostAperturePhysicalAddress;
        to->CpuHostAperture.SizeInPages = from->CpuHostApertureSizeInPages;
    } else {
        to->CpuTranslatedAddress.QuadPart = (LONGLONG)from->CpuTranslatedAddress;
    }
    to->VprRangeSize = from->VprRangeSize;
    to->VprAlignment = from->VprAlignment;
    to->NumVprSupported = from->NumVprSupported;
}

static void describe_old(struct front *front, const struct wcts_driver_segments_reply *answer,
                         const struct wcts_DXGK_SEGMENTDESCRIPTOR *from, uint32_t index,
                         const DXGKARG_QUERYADAPTERINFO *query)
{
    const SIZE_T size = from->Size, limit = from->CommitLimit;
    SIZE_T *banks = from->pBankRangeTable ? bank_ends(front, answer, from, index) : NULL;
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3) {
        DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;
        out->pSegmentDescriptor[index] = (DXGK_SEGMENTDESCRIPTOR3){
            .Flags = {.Value = from->Flags},
            .BaseAddress = {.QuadPart = (LONGLONG)from->BaseAddress},
            .CpuTranslatedAddress = {.QuadPart = (LONGLONG)from->CpuTranslatedAddress},
            .Size = size,
            .NbOfBanks = from->NbOfBanks,
            .pBankRangeTable = banks,
            .CommitLimit = limit};
    } else {
        DXGK_QUERYSEGMENTOUT *out = query->pOutputData;
        out->pSegmentDescriptor[index] = (DXGK_SEGMENTDESCRIPTOR){
            .BaseAddress = {.QuadPart = (LONGLONG)from->BaseAddress},
            .CpuTranslatedAddress = {.QuadPart = (LONGLONG)from->CpuTranslatedAddress},
            .Size = size,
            .NbOfBanks = from->NbOfBanks,
            .pBankRangeTable = banks,
            .CommitLimit = limit,
            .Flags = {.Value = from->Flags}};
    }
}

static NTSTATUS query_segments(struct front *front, const DXGKARG_QUERYADAPTERINFO *query)
{
    const struct wcts_none nothing = {sizeof nothing, 0};
    DXGK_QUERYSEGMENTOUT4 *out = query->pOutputData;
    const struct wcts_driver_segments_reply *answer;
    NTSTATUS status;
    uint32_t i;
    answer = ask(front, WCTS_DRIVER_SEGMENTS, &nothing, sizeof nothing, &status);
    if (!NT_SUCCESS(status))
        return status;
    out->NbSegment = answer->Count;
    if (out->pSegmentDescriptor == NULL)
        return STATUS_SUCCESS;
    for (i = 0; i < answer->Count; i++) {
        const struct wcts_DXGK_SEGMENTDESCRIPTOR *from =
            (const void *)((const unsigned char *)answer + answer->pSegments + i * answer->Stride);
        if (query->Type == DXGKQAITYPE_QUERYSEGMENT4)
            describe4(from, (void *)(out->pSegmentDescriptor + i * out->SegmentDescriptorStride));
        else
            describe_old(front, answer, from, i, query);
    }
    out->PagingBufferSegmentId = 0;
    out->PagingBufferSize = 0x10000;
    out->PagingBufferPrivateDataSize = 0x10000;
    return STATUS_SUCCESS;
}

static NTSTATUS query_adapter(HANDLE context, const DXGKARG_QUERYADAPTERINFO *query)
{
    struct adapter *adapter = context;
    if (query->Type == DXGKQAITYPE_DRIVERCAPS)
        return query_caps(adapter->front, query);
    return query_segments(adapter->front, query);
}

/* ---- devices ---- */

static NTSTATUS create_device(HANDLE context, DXGKARG_CREATEDEVICE *args)
{
    struct adapter *adapter = context;
    const struct wcts_driver_device_request in = {
        .size = sizeof in, .Adapter = adapter->index, .hDevice = (uintptr_t)args->hDevice};
    static DXGK_DEVICEINFO info;
    const struct wcts_driver_handle_reply *out;
    NTSTATUS status = STATUS_SUCCESS;
    if (args->Flags.SystemDevice) {
        info.DmaBufferSegmentSet = emulator_info(adapter->front)->dma_buffer_segment_set;
        args->pInfo = &info;
        args->hDevice = SYSTEM;
        return STATUS_SUCCESS;
    }
    out = ask(adapter->front, WCTS_DRIVER_DEVICE, &in, sizeof in, &status);
    args->hDevice = (HANDLE)(uintptr_t)out->Handle;
    return status;
}

/* A device of the emulator belongs to the adapter on which it was made. */
static NTSTATUS create_context(HANDLE device, DXGKARG_CREATECONTEXT *args)
{
    struct front *front = current();
    struct wcts_driver_device_request in = {.size = sizeof in, .hDevice = (uintptr_t)device};
    const struct wcts_driver_handle_reply *out;
    NTSTATUS status;
    args->ContextInfo.DmaBufferSegmentSet = emulator_info(front)->dma_buffer_segment_set;
    args->hContext = SYSTEM;
    if (device == SYSTEM)
        return STATUS_SUCCESS;
    out = ask(front, WCTS_DRIVER_CONTEXT, &in, sizeof in, &status);
    if (status == STATUS_INVALID_PARAMETER) {
        in.Adapter = 1;
        out = ask(front, WCTS_DRIVER_CONTEXT, &in, sizeof in, &status);
    }
    args->hContext = (HANDLE)(uintptr_t)out->Handle;
    return status;
}

/* ---- allocations ---- */

static uint32_t put(unsigned char *message, uint32_t *size, const void *data, uint32_t count)
{
    const uint32_t at = *size;
    if (count == 0)
        return 0;
    memcpy(message + at, data, count);
    *size += (count + 7) & ~7u;
    return at;
}

static void take_info(struct front *front, const struct wcts_DXGK_ALLOCATIONINFO *from,
                      DXGK_ALLOCATIONINFO *to)
{
    to->Alignment = from->Alignment;
    to->Size = from->Size;
    to->PitchAlignedSize = from->PitchAlignedSize;
    to->HintedBank.Value = from->HintedBank;
    to->PreferredSegment.Value = from->PreferredSegment;
    to->SupportedReadSegmentSet = from->SupportedReadSegmentSet;
    to->SupportedWriteSegmentSet = from->SupportedWriteSegmentSet;
    to->EvictionSegmentSet = from->EvictionSegmentSet;
    to->MaximumRenamingListLength = from->MaximumRenamingListLength;
    to->hAllocation = (HANDLE)(uintptr_t)from->hAllocation;
    to->Flags.Value = from->Flags;
    to->pAllocationUsageHint = from->pAllocationUsageHint ? &front->hint : NULL;
    to->AllocationPriority = from->AllocationPriority;
    if (front->real->interface_version >= DXGKDDI_INTERFACE_VERSION_WDDM3_0)
        to->Flags2.Value = from->Flags2;
}

static NTSTATUS create_allocation(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    struct front *front = ((struct adapter *)context)->front;
    static uint64_t room[ROOM / 8];
    struct wcts_driver_allocation_create_request *in = (void *)room;
    struct wcts_DXGK_ALLOCATIONINFO *infos = (void *)(in + 1);
    const struct wcts_driver_allocation_create_reply *out;
    uint32_t i, size = (uint32_t)(sizeof *in + args->NumAllocations * sizeof *infos);
    NTSTATUS status;
    memset(room, 0, sizeof room);
    in->size = sizeof *in;
    in->NumAllocations = args->NumAllocations;
    in->pAllocationInfo = sizeof *in;
    in->hResource = (uintptr_t)args->hResource;
    in->Flags = args->Flags.Value;
    in->PrivateDriverDataSize = args->PrivateDriverDataSize;
    in->pPrivateDriverData =
        put((void *)room, &size, args->pPrivateDriverData, args->PrivateDriverDataSize);
    for (i = 0; i < args->NumAllocations; i++) {
        const DXGK_ALLOCATIONINFO *from = &args->pAllocationInfo[i];
        infos[i].PrivateDriverDataSize = from->PrivateDriverDataSize;
        infos[i].pPrivateDriverData =
            put((void *)room, &size, from->pPrivateDriverData, from->PrivateDriverDataSize);
    }
    out = ask(front, WCTS_DRIVER_ALLOCATION_CREATE, in, size, &status);
    if (!NT_SUCCESS(status))
        return status;
    infos = (void *)((unsigned char *)front->reply + out->pAllocationInfo);
    for (i = 0; i < args->NumAllocations; i++)
        take_info(front, &infos[i], &args->pAllocationInfo[i]);
    args->hResource = (HANDLE)(uintptr_t)out->hResource;
    return status;
}

static NTSTATUS destroy_allocation(HANDLE context, const DXGKARG_DESTROYALLOCATION *args)
{
    struct front *front = ((struct adapter *)context)->front;
    static uint64_t room[ROOM / 8];
    struct wcts_driver_allocation_destroy_request *in = (void *)room;
    NTSTATUS status;
    memset(room, 0, sizeof *in);
    in->size = sizeof *in;
    in->NumAllocations = args->NumAllocations;
    in->phAllocationList = args->NumAllocations ? sizeof *in : 0;
    in->hResource = (uintptr_t)args->hResource;
    in->Flags = args->Flags.Value;
    memcpy(in + 1, args->pAllocationList, args->NumAllocations * sizeof(HANDLE));
    (void)ask(front, WCTS_DRIVER_ALLOCATION_DESTROY, in,
              (uint32_t)(sizeof *in + args->NumAllocations * sizeof(HANDLE)), &status);
    return status;
}

static NTSTATUS open_allocation(HANDLE device, const DXGKARG_OPENALLOCATION *args)
{
    struct front *front = current();
    uint32_t i;
    UNREFERENCED_PARAMETER(device);
    for (i = 0; i < args->NumAllocations; i++) {
        const DXGKARGCB_GETHANDLEDATA data = {.hObject = args->pOpenAllocation[i].hAllocation,
                                              .Type = DXGK_HANDLE_ALLOCATION};
        args->pOpenAllocation[i].hDeviceSpecificAllocation =
            (HANDLE)((uintptr_t)front->interface.DxgkCbGetHandleData(&data) + SPECIFIC);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS standard_data(HANDLE context, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    struct front *front = ((struct adapter *)context)->front;
    struct wcts_driver_standard_allocation_request in = {
        .size = sizeof in, .StandardAllocationType = args->StandardAllocationType};
    const D3DKMDT_GDISURFACEDATA *surface = args->pCreateGdiSurfaceData;
    const struct wcts_driver_standard_allocation_reply *out;
    NTSTATUS status;
    /* Width and height are first in all of them, and the format next where there is one. */
    in.Width = surface->Width;
    in.Height = surface->Height;
    in.Format = args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE
                    ? D3DDDIFMT_X8R8G8B8
                    : surface->Format;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE)
        in.Type = surface->Type;
    out = ask(front, WCTS_DRIVER_STANDARD_ALLOCATION, &in, sizeof in, &status);
    if (!NT_SUCCESS(status))
        return status;
    if (args->pAllocationPrivateDriverData != NULL)
        memcpy(args->pAllocationPrivateDriverData,
               (const unsigned char *)out + out->pAllocationPrivateDriverData,
               args->AllocationPrivateDriverDataSize);
    args->AllocationPrivateDriverDataSize = out->AllocationPrivateDriverDataSize;
    args->ResourcePrivateDriverDataSize = 0;
    if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        args->pCreateShadowSurfaceData->Pitch = out->Pitch;
    else if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        args->pCreateStagingSurfaceData->Pitch = out->Pitch;
    else if (args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE)
        args->pCreateGdiSurfaceData->Pitch = out->Pitch;
    return status;
}

/* ---- work ---- */

static void put_allocations(const DXGK_ALLOCATIONLIST *from, uint32_t count,
                            struct wcts_DXGK_ALLOCATIONLIST *to)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        const uint64_t specific = (uintptr_t)from[i].hDeviceSpecificAllocation;
        to[i].hDeviceSpecificAllocation = specific ? specific - SPECIFIC : 0;
        to[i].Bits = from[i].WriteOperation | (uint32_t)from[i].SegmentId << 1;
        to[i].PhysicalAddress = (uint64_t)from[i].PhysicalAddress.QuadPart;
    }
}

/* Where a present's element is in the list of the kernel. */
static uint32_t native_index(const struct wcts_DXGK_ALLOCATIONLIST *own, uint32_t own_index,
                             const DXGK_ALLOCATIONLIST *native, uint32_t slot)
{
    const uint64_t handle = own[own_index].hDeviceSpecificAllocation + SPECIFIC;
    return (uintptr_t)native[slot].hDeviceSpecificAllocation == handle ? slot : own_index;
}

static NTSTATUS work(HANDLE context, uint32_t operation, DXGKARG_RENDER *args)
{
    struct front *front = current();
    static uint64_t room[ROOM / 8];
    struct wcts_driver_render_request *in = (void *)room;
    static struct wcts_DXGK_ALLOCATIONLIST allocations[256];
    const struct wcts_driver_render_reply *out;
    const D3DDDI_PATCHLOCATIONLIST *locations;
    const struct wcts_DXGK_ALLOCATIONLIST *own;
    uint32_t i, size = sizeof *in;
    NTSTATUS status;
    memset(room, 0, sizeof room);
    set_buffers(front, args->pDmaBuffer, args->DmaSize, args->pDmaBufferPrivateData,
                args->DmaBufferPrivateDataSize);
    in->size = sizeof *in;
    in->hContext = (uintptr_t)context;
    in->CommandLength = args->CommandLength;
    in->pCommand = put((void *)room, &size, args->pCommand, args->CommandLength);
    in->pDmaBuffer = address_of(args->pDmaBuffer);
    in->DmaSize = args->DmaSize;
    in->pDmaBufferPrivateData = address_of(args->pDmaBufferPrivateData);
    in->DmaBufferPrivateDataSize = args->DmaBufferPrivateDataSize;
    in->AllocationListSize = args->AllocationListSize;
    put_allocations(args->pAllocationList, args->AllocationListSize, allocations);
    in->pAllocationList = put((void *)room, &size, allocations,
                              args->AllocationListSize * (uint32_t)sizeof allocations[0]);
    in->PatchLocationListSize = args->PatchLocationListInSize;
    in->pPatchLocationList = put((void *)room, &size, args->pPatchLocationListIn,
                                 args->PatchLocationListInSize * (uint32_t)sizeof *locations);
    out = ask(front, operation, in, size, &status);
    if (!NT_SUCCESS(status))
        return status;
    args->pDmaBuffer = (PUCHAR)args->pDmaBuffer + out->DmaLength;
    if (out->PrivateDataLength > 0) /* or there is none, which has no address */
        args->pDmaBufferPrivateData = (PUCHAR)args->pDmaBufferPrivateData + out->PrivateDataLength;
    locations = (const void *)((const unsigned char *)out + out->pPatchLocationList);
    own = (const void *)((const unsigned char *)out + out->pAllocationList);
    for (i = 0; i < out->PatchLocationListSize; i++) {
        *args->pPatchLocationListOut = locations[i];
        if (operation == WCTS_DRIVER_PRESENT)
            args->pPatchLocationListOut->AllocationIndex = native_index(
                own, locations[i].AllocationIndex, args->pAllocationList, locations[i].SlotId);
        args->pPatchLocationListOut++;
    }
    return status;
}

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *args)
{
    return work(context, WCTS_DRIVER_RENDER, args);
}

static NTSTATUS present(HANDLE context, DXGKARG_PRESENT *args)
{
    DXGKARG_RENDER same = {.pDmaBuffer = args->pDmaBuffer,
                           .DmaSize = args->DmaSize,
                           .pDmaBufferPrivateData = args->pDmaBufferPrivateData,
                           .DmaBufferPrivateDataSize = args->DmaBufferPrivateDataSize,
                           .pAllocationList = args->pAllocationList,
                           .AllocationListSize = DXGK_PRESENT_MAX_INDEX + 1,
                           .pPatchLocationListOut = args->pPatchLocationListOut};
    NTSTATUS status = work(context, WCTS_DRIVER_PRESENT, &same);
    args->pDmaBuffer = same.pDmaBuffer;
    args->pDmaBufferPrivateData = same.pDmaBufferPrivateData;
    args->pPatchLocationListOut = same.pPatchLocationListOut;
    return status;
}

static uint64_t origin(HANDLE handle)
{
    return handle == SYSTEM ? 0 : (uintptr_t)handle;
}

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    struct front *front = ((struct adapter *)context)->front;
    static uint64_t room[ROOM / 8];
    struct wcts_driver_patch_request *in = (void *)room;
    static struct wcts_DXGK_ALLOCATIONLIST allocations[256];
    uint32_t size = sizeof *in;
    NTSTATUS status;
    memset(room, 0, sizeof room);
    set_buffers(front, args->pDmaBuffer, args->DmaBufferSize, args->pDmaBufferPrivateData,
                args->DmaBufferPrivateDataSize);
    in->size = sizeof *in;
    memcpy(&in->Patch, args, sizeof in->Patch);
    in->Patch.hContext = origin(args->hContext);
    in->Patch.pDmaBuffer = address_of(args->pDmaBuffer);
    in->Patch.pDmaBufferPrivateData = address_of(args->pDmaBufferPrivateData);
    put_allocations(args->pAllocationList, args->AllocationListSize, allocations);
    in->Patch.pAllocationList = put((void *)room, &size, allocations,
                                    args->AllocationListSize * (uint32_t)sizeof allocations[0]);
    in->Patch.pPatchLocationList =
        put((void *)room, &size, args->pPatchLocationList,
            args->PatchLocationListSize * (uint32_t)sizeof(D3DDDI_PATCHLOCATIONLIST));
    (void)ask(front, WCTS_DRIVER_PATCH, in, size, &status);
    return status;
}

static NTSTATUS submit(HANDLE context, const DXGKARG_SUBMITCOMMAND *args)
{
    const struct wcts_driver_submit_request in = {
        .size = sizeof in,
        .hContext = origin(args->hContext),
        .DmaBufferSegmentId = args->DmaBufferSegmentId,
        .DmaBufferSize = args->DmaBufferSize,
        .DmaBufferPhysicalAddress = (uint64_t)args->DmaBufferPhysicalAddress.QuadPart,
        .DmaBufferSubmissionStartOffset = args->DmaBufferSubmissionStartOffset,
        .DmaBufferSubmissionEndOffset = args->DmaBufferSubmissionEndOffset,
        .SubmissionFenceId = args->SubmissionFenceId,
        .Flags = args->Flags.Value};
    NTSTATUS status;
    (void)ask(((struct adapter *)context)->front, WCTS_DRIVER_SUBMIT, &in, sizeof in, &status);
    return status;
}

/* ---- paging ---- */

/* The emulator is asked for an operation as a whole, with its last part. */
static uint64_t start_of(PMDL mdl)
{
    return wcts_ddi_machine_address(MmGetMdlPfnArray(mdl)[0] << PAGE_SHIFT) + mdl->ByteOffset;
}

static void place(const struct adapter *adapter, const DXGK_TRANSFERPLACE *from, uint32_t *space,
                  uint64_t *address)
{
    *space = 0;
    if (from->SegmentId == 0) {
        *address = start_of(from->pMdl);
        return;
    }
    *space = WCTS_SPACE(adapter->index, from->SegmentId);
    *address =
        (uint64_t)from->SegmentAddress.QuadPart - emu_segments[from->SegmentId - 1].base_address;
}

static HANDLE take_arm(const struct adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct wcts_driver_paging_request *in)
{
    DXGK_TRANSFERPLACE to;
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        in->TransferSize = args->Transfer.TransferOffset + args->Transfer.TransferSize;
        place(adapter, &args->Transfer.Source, &in->SourceSegmentId, &in->SourceAddress);
        place(adapter, &args->Transfer.Destination, &in->DestinationSegmentId,
              &in->DestinationAddress);
        return args->Transfer.hAllocation;
    case DXGK_OPERATION_FILL:
        to.SegmentId = args->Fill.Destination.SegmentId;
        to.SegmentAddress = args->Fill.Destination.SegmentAddress;
        in->TransferSize = args->Fill.FillSize;
        in->FillPattern = args->Fill.FillPattern;
        place(adapter, &to, &in->DestinationSegmentId, &in->DestinationAddress);
        return args->Fill.hAllocation;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        in->SegmentId = WCTS_SPACE(adapter->index, args->MapApertureSegment.SegmentId);
        in->OffsetInPages =
            args->MapApertureSegment.OffsetInPages - args->MapApertureSegment.MdlOffset;
        in->NumberOfPages =
            args->MapApertureSegment.MdlOffset + args->MapApertureSegment.NumberOfPages;
        in->SystemAddress = start_of(args->MapApertureSegment.pMdl);
        return args->MapApertureSegment.hAllocation;
    default:
        in->SegmentId = WCTS_SPACE(adapter->index, args->UnmapApertureSegment.SegmentId);
        in->OffsetInPages = args->UnmapApertureSegment.OffsetInPages;
        in->NumberOfPages = args->UnmapApertureSegment.NumberOfPages;
        return args->UnmapApertureSegment.hAllocation;
    }
}

static int is_last_part(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    if (args->Operation == DXGK_OPERATION_TRANSFER)
        return args->Transfer.Flags.TransferEnd;
    return args->Operation != DXGK_OPERATION_MAP_APERTURE_SEGMENT ||
           (args->MapApertureSegment.MdlOffset + args->MapApertureSegment.NumberOfPages) *
                   PAGE_SIZE >=
               args->MapApertureSegment.pMdl->ByteCount;
}

static NTSTATUS build_paging_buffer(HANDLE context, DXGKARG_BUILDPAGINGBUFFER *args)
{
    struct adapter *adapter = context;
    struct wcts_driver_paging_request in = {
        .size = sizeof in,
        .Operation = args->Operation,
        .pDmaBuffer = address_of(args->pDmaBuffer),
        .DmaSize = args->DmaSize,
        .pDmaBufferPrivateData = address_of(args->pDmaBufferPrivateData),
        .DmaBufferPrivateDataSize = args->DmaBufferPrivateDataSize};
    const struct wcts_driver_paging_reply *out;
    NTSTATUS status;
    if (!is_last_part(args))
        return STATUS_SUCCESS;
    set_buffers(adapter->front, args->pDmaBuffer, args->DmaSize, args->pDmaBufferPrivateData,
                args->DmaBufferPrivateDataSize);
    in.hAllocation = (uintptr_t)take_arm(adapter, args, &in);
    out = ask(adapter->front, WCTS_DRIVER_PAGING, &in, sizeof in, &status);
    if (!NT_SUCCESS(status))
        return status;
    args->pDmaBuffer = (PUCHAR)args->pDmaBuffer + out->DmaLength;
    args->pDmaBufferPrivateData = (PUCHAR)args->pDmaBufferPrivateData +
                                  (out->pDmaBufferPrivateData - in.pDmaBufferPrivateData);
    return status;
}

/* The emulator has moved the bytes by then. */
static NTSTATUS execute(struct wcts_ddi_gpu *gpu, const void *commands, uint32_t size)
{
    UNREFERENCED_PARAMETER(gpu);
    UNREFERENCED_PARAMETER(commands);
    UNREFERENCED_PARAMETER(size);
    return STATUS_SUCCESS;
}

/* ---- the plug-in ---- */

static struct wcts_ddi_driver driver;

static NTSTATUS driver_entry(PDRIVER_OBJECT object, PUNICODE_STRING path)
{
    DRIVER_INITIALIZATION_DATA table = {
        .Version = DXGKDDI_INTERFACE_VERSION,
        .DxgkDdiAddDevice = add_device,
        .DxgkDdiStartDevice = start_device,
        .DxgkDdiRemoveDevice = remove_device,
        .DxgkDdiUnload = unload,
        .DxgkDdiQueryAdapterInfo = query_adapter,
        .DxgkDdiCreateDevice = create_device,
        .DxgkDdiCreateContext = create_context,
        .DxgkDdiCreateAllocation = create_allocation,
        .DxgkDdiDestroyAllocation = destroy_allocation,
        .DxgkDdiOpenAllocation = open_allocation,
        .DxgkDdiGetStandardAllocationDriverData = standard_data,
        .DxgkDdiRender = render,
        .DxgkDdiPresent = present,
        .DxgkDdiPatch = patch,
        .DxgkDdiSubmitCommand = submit,
        .DxgkDdiBuildPagingBuffer = build_paging_buffer,
    };
    struct front *front = calloc(1, sizeof *front);
    if (front == NULL)
        return STATUS_NO_MEMORY;
    front->real = wcts_ddi_host();
    front->host = *front->real;
    front->host.ctx = front;
    front->host.call = host_call;
    front->hint.Version = 1;
    front->next = fronts;
    fronts = front;
    (void)DxgkInitialize(object, path, &table);
    front->emulator = emulator_entry()->open(&front->host, WCTS_SIDE_DRIVER);
    if (front->emulator == NULL)
        return STATUS_INVALID_PARAMETER;
    driver.paging_operations = emulator_info(front)->paging_operations;
    return STATUS_SUCCESS;
}

static struct emu_kind_data kind_data[64];
static struct wcts_ddi_kind kinds[64];

/* The emulator reads them; those that a plug-in's own members depend on are read here, too. */
static int read_options(const char *options);

static struct wcts_ddi_driver driver = {.size = sizeof driver,
                                        .patches = WCTS_PATCHES_64,
                                        .name = "emulator",
                                        .version = "1.0",
                                        .entry = driver_entry,
                                        .first_interface_version = 0x1053,
                                        .last_interface_version = 0x11007,
                                        .kinds = kinds,
                                        .execute = execute,
                                        .options = read_options};

static int read_options(const char *options)
{
    driver.any_priority = strstr(options, "priority=any") != NULL;
    driver.patches = strstr(options, "patches=32s")   ? WCTS_PATCHES_32_SEGMENT
                     : strstr(options, "patches=64s") ? WCTS_PATCHES_64_SEGMENT
                     : strstr(options, "patches=32")  ? WCTS_PATCHES_32
                                                      : WCTS_PATCHES_64;
    return 1;
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    uint32_t i;
    for (i = 0; i < emu_kind_count; i++) {
        kind_data[i] = (struct emu_kind_data){EMU_KIND_MAGIC, i};
        kinds[i] = (struct wcts_ddi_kind){emu_kinds[i].name, &kind_data[i], sizeof kind_data[i]};
    }
    driver.kind_count = emu_kind_count;
    return wcts_ddi_plugin(&driver);
}
