/* SPDX-License-Identifier: MIT */
/* DxgkDdiOpenAllocation and DxgkDdiCloseAllocation: what an allocation is called on a device. The
 * interface has no operation for it; a device opens what it creates, and what it works with. */
#include "ddi.h"

#include <stdlib.h>

static void remember(struct ddi_allocation *allocation, struct ddi_device *device, HANDLE specific)
{
    struct ddi_open *open = ddi_new(sizeof *open);
    open->device = device;
    open->specific = specific;
    open->next = allocation->opens;
    allocation->opens = open;
}

NTSTATUS ddi_open(struct ddi_device *device, struct ddi_allocation *const *allocations,
                  uint32_t count, const struct ddi_blob *resource_data, int create)
{
    struct ddi_instance *instance = device->adapter->instance;
    DXGKARG_OPENALLOCATION *args;
    DXGK_OPENALLOCATIONINFO *infos;
    NTSTATUS status;
    uint32_t i;
    if (instance->table.DxgkDdiOpenAllocation == NULL || count == 0) {
        for (i = 0; i < count; i++)
            remember(allocations[i], device, allocations[i]->native[device->adapter->index]);
        return STATUS_SUCCESS;
    }
    infos = ddi_new(count * sizeof *infos);
    memset(infos, DDI_GARBAGE, count * sizeof *infos);
    for (i = 0; i < count; i++) {
        infos[i].hAllocation = allocations[i]->kernel;
        infos[i].pPrivateDriverData = allocations[i]->data.data;
        infos[i].PrivateDriverDataSize = allocations[i]->data.size;
    }
    args = ddi_arguments(DDI_OPENALLOCATION);
    args->NumAllocations = count;
    args->pOpenAllocation = infos;
    args->pPrivateDriverData = resource_data->data;
    args->PrivateDriverSize = resource_data->size;
    args->Flags.Value = create ? 1 : 0;
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WIN8))
        args->SubresourceIndex = 0;
    status = DDI_CALL(DxgkDdiOpenAllocation,
                      instance->table.DxgkDdiOpenAllocation(device->handle, args));
    for (i = 0; i < count && NT_SUCCESS(status); i++) {
        const uint64_t specific = (uint64_t)(uintptr_t)infos[i].hDeviceSpecificAllocation;
        if (specific == 0 || specific == DDI_GARBAGE64)
            ddi_log("DxgkDdiOpenAllocation returned no hDeviceSpecificAllocation");
        remember(allocations[i], device, infos[i].hDeviceSpecificAllocation);
    }
    ddi_arguments_end(instance, DDI_OPENALLOCATION, args);
    free(infos);
    return status;
}

NTSTATUS ddi_specific(struct ddi_allocation *allocation, struct ddi_device *device,
                      HANDLE *specific)
{
    const struct ddi_open *open;
    HANDLE native;
    NTSTATUS status;
    for (open = allocation->opens; open != NULL; open = open->next)
        if (open->device == device) {
            *specific = open->specific;
            return STATUS_SUCCESS;
        }
    status = ddi_allocation_on(allocation, device->adapter, &native);
    if (NT_SUCCESS(status))
        status = ddi_open(device, &allocation, 1, &allocation->resource_data, 0);
    if (NT_SUCCESS(status))
        *specific = allocation->opens->specific;
    return status;
}

void ddi_close(struct ddi_allocation *allocation)
{
    while (allocation->opens != NULL) {
        struct ddi_open *open = allocation->opens;
        struct ddi_instance *instance = open->device->adapter->instance;
        const DXGKARG_CLOSEALLOCATION args = {.NumAllocations = 1,
                                              .pOpenHandleList = &open->specific};
        allocation->opens = open->next;
        if (instance->table.DxgkDdiCloseAllocation != NULL)
            (void)DDI_CALL(DxgkDdiCloseAllocation,
                           instance->table.DxgkDdiCloseAllocation(open->device->handle, &args));
        free(open);
    }
}
