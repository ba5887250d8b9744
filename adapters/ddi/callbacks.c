/* SPDX-License-Identifier: MIT */
/* The DxgkCb* callbacks that a driver's memory part uses: handles, interrupts, mapped registers. */
#include "ddi.h"

#include <stdlib.h>

static struct ddi_allocation *allocation_of(D3DKMT_HANDLE handle)
{
    struct ddi_allocation *allocation = ddi_current->allocations;
    while (allocation != NULL && allocation->kernel != handle)
        allocation = allocation->next;
    return allocation;
}

static VOID *get_handle_data(const DXGKARGCB_GETHANDLEDATA *pData)
{
    const struct ddi_resource *resource = ddi_current->resources;
    const struct ddi_allocation *allocation = allocation_of(pData->hObject);
    if (pData->Type == DXGK_HANDLE_RESOURCE) {
        while (resource != NULL && resource->kernel != pData->hObject)
            resource = resource->next;
        return resource != NULL ? (VOID *)(uintptr_t)resource->handle : NULL;
    }
    if (allocation == NULL)
        return NULL;
    if (pData->Flags.DeviceSpecific)
        return allocation->opens != NULL ? allocation->opens->specific : NULL;
    return allocation->native[allocation->home->index];
}

static D3DKMT_HANDLE get_handle_parent(D3DKMT_HANDLE hAllocation)
{
    const struct ddi_allocation *allocation = allocation_of(hAllocation);
    return allocation != NULL && allocation->resource != NULL ? allocation->resource->kernel : 0;
}

/* The newest allocation is the first of the list, and the last of its resource. */
static D3DKMT_HANDLE enum_handle_children(const DXGKARGCB_ENUMHANDLECHILDREN *pData)
{
    const struct ddi_allocation *allocation;
    UINT count = 0, index = 0;
    for (allocation = ddi_current->allocations; allocation != NULL; allocation = allocation->next)
        count += allocation->resource != NULL && allocation->resource->kernel == pData->hObject;
    for (allocation = ddi_current->allocations; allocation != NULL; allocation = allocation->next)
        if (allocation->resource != NULL && allocation->resource->kernel == pData->hObject &&
            ++index == count - pData->Index)
            return allocation->kernel;
    return 0;
}

/* The work of a submission is done when the call returns: who says so is noted by nobody, but
 * Windows does not survive a fence that was never submitted. */
static VOID notify_interrupt(HANDLE hAdapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *pData)
{
    const UINT fence = pData->DmaCompleted.SubmissionFenceId;
    (void)hAdapter;
    if (pData->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED &&
        fence > ddi_current->submitted[ddi_is_own_fence(fence)])
        ddi_breach("DxgkCbNotifyInterrupt reports fence 0x%X as completed, which was not submitted",
                   fence);
}

static VOID notify_dpc(HANDLE hAdapter)
{
    (void)hAdapter;
}

static BOOLEAN queue_dpc(HANDLE DeviceHandle)
{
    struct ddi_adapter *adapter = DeviceHandle;
    const BOOLEAN queued = !adapter->dpc_queued;
    adapter->dpc_queued = 1;
    return queued;
}

static NTSTATUS get_device_information(HANDLE DeviceHandle, PDXGK_DEVICE_INFO DeviceInfo)
{
    (void)DeviceHandle;
    memset(DeviceInfo, 0, sizeof *DeviceInfo);
    DeviceInfo->SystemMemorySize.QuadPart = WCTS_KERNEL_MEMORY_END;
    DeviceInfo->HighestPhysicalAddress.QuadPart = WCTS_KERNEL_MEMORY_END - 1;
    return STATUS_SUCCESS;
}

/* Registers and memory of the device: plain memory that nothing else sees. */
static NTSTATUS map_memory(HANDLE DeviceHandle, PHYSICAL_ADDRESS TranslatedAddress, ULONG Length,
                           BOOLEAN InIoSpace, BOOLEAN MapToUserMode, MEMORY_CACHING_TYPE CacheType,
                           PVOID *VirtualAddress)
{
    (void)DeviceHandle, (void)TranslatedAddress, (void)InIoSpace, (void)MapToUserMode;
    (void)CacheType;
    *VirtualAddress = calloc(1, Length ? Length : 1);
    return *VirtualAddress != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS unmap_memory(HANDLE DeviceHandle, PVOID VirtualAddress)
{
    (void)DeviceHandle;
    free(VirtualAddress);
    return STATUS_SUCCESS;
}

static NTSTATUS synchronize_execution(HANDLE DeviceHandle, PKSYNCHRONIZE_ROUTINE SynchronizeRoutine,
                                      PVOID Context, ULONG MessageNumber, BOOLEAN *ReturnValue)
{
    BOOLEAN result = SynchronizeRoutine(Context);
    (void)DeviceHandle, (void)MessageNumber;
    if (ReturnValue != NULL)
        *ReturnValue = result;
    return STATUS_SUCCESS;
}

/* The configuration space reads as if no device were there. */
static NTSTATUS device_space(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer, ULONG Offset,
                             ULONG Length, PULONG BytesTransferred)
{
    (void)DeviceHandle, (void)DataType, (void)Offset;
    memset(Buffer, 0xFF, Length);
    *BytesTransferred = Length;
    return STATUS_SUCCESS;
}

static NTSTATUS write_device_space(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer, ULONG Offset,
                                   ULONG Length, PULONG BytesTransferred)
{
    (void)DeviceHandle, (void)DataType, (void)Offset, (void)Buffer;
    *BytesTransferred = Length;
    return STATUS_SUCCESS;
}

void ddi_interface(struct ddi_adapter *adapter)
{
    adapter->interface = (DXGKRNL_INTERFACE){
        .Size = sizeof(DXGKRNL_INTERFACE),
        .Version = adapter->instance->host->interface_version,
        .DeviceHandle = adapter,
        .DxgkCbGetDeviceInformation = get_device_information,
        .DxgkCbMapMemory = map_memory,
        .DxgkCbQueueDpc = queue_dpc,
        .DxgkCbReadDeviceSpace = device_space,
        .DxgkCbSynchronizeExecution = synchronize_execution,
        .DxgkCbUnmapMemory = unmap_memory,
        .DxgkCbWriteDeviceSpace = write_device_space,
        .DxgkCbGetHandleData = get_handle_data,
        .DxgkCbGetHandleParent = get_handle_parent,
        .DxgkCbEnumHandleChildren = enum_handle_children,
        .DxgkCbNotifyInterrupt = notify_interrupt,
        .DxgkCbNotifyDpc = notify_dpc,
    };
}
