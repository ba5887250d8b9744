/* SPDX-License-Identifier: MIT */
/* DRIVER_PATCH and DRIVER_SUBMIT: DxgkDdiPatch and DxgkDdiSubmitCommand. */
#include "ddi.h"

#include <stdlib.h>

/* Fences of submissions of the library's own: above those of any kernel that counts from 1. */
#define OWN_FENCES 0x80000000u
#define PAGING 1u

/* The adapter of a submission: that of its origin, or the first for the system's paging. */
static struct ddi_adapter *adapter_of(struct ddi_instance *instance, uint64_t origin)
{
    struct ddi_context *context;
    const struct ddi_device *device = ddi_origin(instance, origin, &context);
    return device != NULL ? device->adapter : &instance->adapters[0];
}

/* Turns the list of a request into the driver's. The list is the caller's to free. */
static NTSTATUS take_list(struct ddi_instance *instance, struct ddi_device *device,
                          const struct wcts_DXGK_ALLOCATIONLIST *asked, uint32_t count,
                          DXGK_ALLOCATIONLIST **out)
{
    DXGK_ALLOCATIONLIST *list = ddi_new(count * sizeof *list);
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t i;
    *out = list;
    for (i = 0; i < count && NT_SUCCESS(status); i++) {
        struct ddi_allocation *allocation =
            ddi_allocation_of(instance, asked[i].hDeviceSpecificAllocation);
        list[i].WriteOperation = asked[i].Bits & 1;
        list[i].SegmentId = asked[i].Bits >> 1 & 0x1F;
        list[i].PhysicalAddress.QuadPart = (LONGLONG)asked[i].PhysicalAddress;
        if (asked[i].hDeviceSpecificAllocation == 0)
            continue;
        status = allocation != NULL && device != NULL
                     ? ddi_specific(allocation, device, &list[i].hDeviceSpecificAllocation)
                     : STATUS_INVALID_HANDLE;
    }
    return status;
}

static void fill_patch(DXGKARG_PATCH *args, const struct wcts_DXGKARG_PATCH *in)
{
    args->hContext = (HANDLE)(uintptr_t)in->hContext;
    args->DmaBufferSegmentId = in->DmaBufferSegmentId;
    args->DmaBufferPhysicalAddress.QuadPart = (LONGLONG)in->DmaBufferPhysicalAddress;
    args->DmaBufferSize = in->DmaBufferSize;
    args->DmaBufferSubmissionStartOffset = in->DmaBufferSubmissionStartOffset;
    args->DmaBufferSubmissionEndOffset = in->DmaBufferSubmissionEndOffset;
    args->DmaBufferPrivateDataSize = in->DmaBufferPrivateDataSize;
    args->DmaBufferPrivateDataSubmissionStartOffset = in->DmaBufferPrivateDataSubmissionStartOffset;
    args->DmaBufferPrivateDataSubmissionEndOffset = in->DmaBufferPrivateDataSubmissionEndOffset;
    args->AllocationListSize = in->AllocationListSize;
    args->PatchLocationListSize = in->PatchLocationListSize;
    args->PatchLocationListSubmissionStart = in->PatchLocationListSubmissionStart;
    args->PatchLocationListSubmissionLength = in->PatchLocationListSubmissionLength;
    args->SubmissionFenceId = in->SubmissionFenceId;
    args->Flags.Value = in->Flags;
    args->EngineOrdinal = in->EngineOrdinal;
}

/* Of a paging buffer the driver needs to see its own part alone, and its private data has no other
 * owner. */
static void *give_private_data(struct ddi_instance *instance, uint64_t address, uint32_t size,
                               uint32_t flags)
{
    return flags & PAGING ? ddi_mirror_kept(instance, address, size)
                          : ddi_mirror(instance, address, size);
}

static void give_buffers(struct ddi_instance *instance, const struct wcts_DXGKARG_PATCH *in,
                         DXGKARG_PATCH *args)
{
    const uint32_t size = in->DmaBufferSize;
    struct ddi_part part = {0, size};
    if ((in->Flags & PAGING) && in->DmaBufferSubmissionEndOffset <= size &&
        in->DmaBufferSubmissionStartOffset <= in->DmaBufferSubmissionEndOffset)
        part =
            (struct ddi_part){in->DmaBufferSubmissionStartOffset, in->DmaBufferSubmissionEndOffset};
    args->pDmaBuffer = ddi_mirror_part(instance, in->pDmaBuffer, size, part);
    args->pDmaBufferPrivateData = give_private_data(instance, in->pDmaBufferPrivateData,
                                                    in->DmaBufferPrivateDataSize, in->Flags);
}

/* The buffer, if it has commands that the driver's own Render or Present put there; NULL: others
 * are the suite's, and no GPU could run them. */
static struct ddi_rendered *rendered_at(const struct ddi_instance *instance, uint64_t address)
{
    uint32_t i = 0;
    while (i < instance->rendered_count && instance->rendered[i].address != address)
        i++;
    return i < instance->rendered_count ? &instance->rendered[i] : NULL;
}

void ddi_rendered(struct ddi_instance *instance, uint64_t address)
{
    struct ddi_rendered *one = rendered_at(instance, address);
    if (one == NULL) {
        one = realloc(instance->rendered, (instance->rendered_count + 1) * sizeof *one);
        if (one == NULL)
            ddi_breach("no memory");
        instance->rendered = one;
        one += instance->rendered_count++;
    }
    *one = (struct ddi_rendered){.address = address};
}

static void submitted(struct ddi_instance *instance, uint64_t address)
{
    struct ddi_rendered *buffer = rendered_at(instance, address);
    if (buffer != NULL)
        buffer->submitted = 1;
}

/* What was submitted is patched again only if it was preempted: the interface has no request for
 * that, Windows asks the driver. */
static NTSTATUS preempt(struct ddi_adapter *adapter, const struct wcts_DXGKARG_PATCH *in)
{
    struct ddi_instance *instance = adapter->instance;
    struct ddi_rendered *buffer = rendered_at(instance, in->pDmaBuffer);
    DXGKARG_PREEMPTCOMMAND *args;
    NTSTATUS status;
    if (in->Flags & PAGING || buffer == NULL || !buffer->submitted)
        return STATUS_SUCCESS;
    buffer->submitted = 0;
    if (instance->table.DxgkDdiPreemptCommand == NULL)
        return STATUS_SUCCESS;
    args = ddi_arguments(DDI_PREEMPTCOMMAND);
    args->PreemptionFenceId = OWN_FENCES + instance->own_fence++;
    args->NodeOrdinal = 0;
    args->EngineOrdinal = in->EngineOrdinal;
    args->Flags = 0;
    status = DDI_CALL_AT(DISPATCH_LEVEL, DxgkDdiPreemptCommand,
                         instance->table.DxgkDdiPreemptCommand(adapter->device_context, args));
    ddi_arguments_end(instance, DDI_PREEMPTCOMMAND, args);
    return status;
}

/* SubmitCommand is given the private data again, which the interface does not repeat. */
static void remember(struct ddi_instance *instance, const struct wcts_DXGKARG_PATCH *in)
{
    instance->patched =
        (struct ddi_patched){.physical_address = in->DmaBufferPhysicalAddress,
                             .address = in->pDmaBuffer,
                             .private_data = in->pDmaBufferPrivateData,
                             .private_size = in->DmaBufferPrivateDataSize,
                             .private_start = in->DmaBufferPrivateDataSubmissionStartOffset,
                             .private_end = in->DmaBufferPrivateDataSubmissionEndOffset,
                             .segment = in->DmaBufferSegmentId,
                             .known = 1};
}

wcts_status ddi_patch(void *ctx, const void *request, uint32_t request_size, void *reply,
                      uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    const struct wcts_DXGKARG_PATCH *in =
        &((const struct wcts_driver_patch_request *)request)->Patch;
    const struct wcts_DXGK_ALLOCATIONLIST *asked = wcts_message_at(
        request, request_size, in->pAllocationList, in->AllocationListSize, sizeof *asked);
    const void *locations =
        wcts_message_at(request, request_size, in->pPatchLocationList, in->PatchLocationListSize,
                        sizeof(D3DDDI_PATCHLOCATIONLIST));
    struct ddi_adapter *adapter = adapter_of(instance, in->hContext);
    struct ddi_context *context;
    struct ddi_device *device = ddi_origin(instance, in->hContext, &context);
    DXGK_ALLOCATIONLIST *list = NULL;
    DXGKARG_PATCH *args;
    NTSTATUS status = STATUS_SUCCESS;
    (void)reply, (void)room, (void)size;
    if (instance->table.DxgkDdiPatch == NULL)
        return STATUS_NOT_IMPLEMENTED;
    if ((asked == NULL && in->AllocationListSize != 0) ||
        (locations == NULL && in->PatchLocationListSize != 0))
        return STATUS_INVALID_PARAMETER;
    status = preempt(adapter, in);
    if (NT_SUCCESS(status) && asked != NULL)
        status = take_list(instance, device, asked, in->AllocationListSize, &list);
    if (NT_SUCCESS(status)) {
        args = ddi_arguments(DDI_PATCH);
        fill_patch(args, in);
        give_buffers(instance, in, args);
        args->pAllocationList = list;
        args->pPatchLocationList = locations;
        status = DDI_CALL_AT(DISPATCH_LEVEL, DxgkDdiPatch,
                             instance->table.DxgkDdiPatch(adapter->device_context, args));
        ddi_arguments_end(instance, DDI_PATCH, args);
        remember(instance, in);
    }
    free(list);
    return status;
}

/* ---- submission ---- */

static DXGKARG_SUBMITCOMMAND *new_submission(const struct ddi_instance *instance)
{
    DXGKARG_SUBMITCOMMAND *args = ddi_arguments(DDI_SUBMITCOMMAND);
    memset(args, 0, ddi_size(instance, DDI_SUBMITCOMMAND));
    return args;
}

int ddi_is_own_fence(UINT fence)
{
    return fence >= OWN_FENCES;
}

static NTSTATUS call_submit(struct ddi_adapter *adapter, DXGKARG_SUBMITCOMMAND *args)
{
    struct ddi_instance *instance = adapter->instance;
    NTSTATUS status;
    instance->submitted[ddi_is_own_fence(args->SubmissionFenceId)] = args->SubmissionFenceId;
    status = DDI_CALL_AT(DISPATCH_LEVEL, DxgkDdiSubmitCommand,
                         instance->table.DxgkDdiSubmitCommand(adapter->device_context, args));
    ddi_arguments_end(instance, DDI_SUBMITCOMMAND, args);
    return status;
}

/* The commands of a submission run when it has been made. */
static NTSTATUS run_commands(struct ddi_adapter *adapter,
                             const struct wcts_driver_submit_request *in)
{
    struct ddi_instance *instance = adapter->instance;
    const uint32_t start = in->DmaBufferSubmissionStartOffset;
    const uint32_t end = in->DmaBufferSubmissionEndOffset;
    unsigned char *commands;
    NTSTATUS status;
    if (instance->driver->execute == NULL || end <= start || !instance->patched.known ||
        instance->patched.physical_address != in->DmaBufferPhysicalAddress ||
        rendered_at(instance, instance->patched.address) == NULL)
        return STATUS_SUCCESS;
    commands = ddi_new(end - start);
    status = ddi_read(instance, 0, instance->patched.address + start, commands, end - start);
    if (NT_SUCCESS(status))
        status = ddi_execute(adapter, commands, end - start);
    free(commands);
    return status;
}

wcts_status ddi_submit(void *ctx, const void *request, uint32_t request_size, void *reply,
                       uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    const struct wcts_driver_submit_request *in = request;
    struct ddi_adapter *adapter = adapter_of(instance, in->hContext);
    const struct ddi_patched *patched = &instance->patched;
    DXGKARG_SUBMITCOMMAND *args;
    NTSTATUS status;
    (void)request_size, (void)reply, (void)room, (void)size;
    if (instance->table.DxgkDdiSubmitCommand == NULL)
        return STATUS_NOT_IMPLEMENTED;
    args = new_submission(instance);
    args->hContext = (HANDLE)(uintptr_t)in->hContext;
    args->DmaBufferSegmentId = in->DmaBufferSegmentId;
    args->DmaBufferPhysicalAddress.QuadPart = (LONGLONG)in->DmaBufferPhysicalAddress;
    args->DmaBufferSize = in->DmaBufferSize;
    args->DmaBufferSubmissionStartOffset = in->DmaBufferSubmissionStartOffset;
    args->DmaBufferSubmissionEndOffset = in->DmaBufferSubmissionEndOffset;
    args->SubmissionFenceId = in->SubmissionFenceId;
    args->Flags.Value = in->Flags;
    if (patched->known && patched->physical_address == in->DmaBufferPhysicalAddress &&
        patched->segment == in->DmaBufferSegmentId) {
        args->pDmaBufferPrivateData =
            give_private_data(instance, patched->private_data, patched->private_size, in->Flags);
        args->DmaBufferPrivateDataSize = patched->private_size;
        args->DmaBufferPrivateDataSubmissionStartOffset = patched->private_start;
        args->DmaBufferPrivateDataSubmissionEndOffset = patched->private_end;
    }
    status = call_submit(adapter, args);
    if (NT_SUCCESS(status) && !(in->Flags & PAGING) && patched->known &&
        patched->physical_address == in->DmaBufferPhysicalAddress)
        submitted(instance, patched->address);
    return NT_SUCCESS(status) && !(in->Flags & PAGING) ? run_commands(adapter, in) : status;
}

/* DRIVER_PAGING answers what these do, of what DxgkDdiBuildPagingBuffer accepted. */
static void log_refused(const char *name, uint32_t length, NTSTATUS status)
{
    if (!NT_SUCCESS(status))
        ddi_log("%s answered 0x%08X to %u bytes that DxgkDdiBuildPagingBuffer made", name,
                (unsigned)status, length);
}

NTSTATUS ddi_submit_piece(struct ddi_adapter *adapter, const void *commands, uint32_t length,
                          uint32_t size)
{
    struct ddi_instance *instance = adapter->instance;
    const HANDLE origin =
        adapter->system_context != NULL ? adapter->system_context : adapter->system_device->handle;
    const UINT fence = OWN_FENCES + instance->own_fence++;
    NTSTATUS status = STATUS_SUCCESS;
    if (instance->table.DxgkDdiPatch != NULL) {
        DXGKARG_PATCH *args = ddi_arguments(DDI_PATCH);
        const struct wcts_DXGKARG_PATCH in = {.hContext = (uint64_t)(uintptr_t)origin,
                                              .DmaBufferSize = size,
                                              .DmaBufferSubmissionEndOffset = length,
                                              .SubmissionFenceId = fence,
                                              .Flags = PAGING};
        fill_patch(args, &in);
        args->pDmaBuffer = (VOID *)(uintptr_t)commands;
        args->pDmaBufferPrivateData = NULL;
        args->pAllocationList = NULL;
        args->pPatchLocationList = NULL;
        status = DDI_CALL_AT(DISPATCH_LEVEL, DxgkDdiPatch,
                             instance->table.DxgkDdiPatch(adapter->device_context, args));
        ddi_arguments_end(instance, DDI_PATCH, args);
        log_refused("DxgkDdiPatch", length, status);
    }
    if (NT_SUCCESS(status) && instance->table.DxgkDdiSubmitCommand != NULL) {
        DXGKARG_SUBMITCOMMAND *args = new_submission(instance);
        args->hContext = origin;
        args->DmaBufferSize = size;
        args->DmaBufferSubmissionEndOffset = length;
        args->SubmissionFenceId = fence;
        args->Flags.Paging = 1;
        status = call_submit(adapter, args);
        log_refused("DxgkDdiSubmitCommand", length, status);
    }
    return status;
}
