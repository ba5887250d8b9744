/* SPDX-License-Identifier: MIT */
/* DRIVER_DEVICE and DRIVER_CONTEXT: DxgkDdiCreateDevice and DxgkDdiCreateContext. */
#include "ddi.h"

#include <stdlib.h>

/* The kernel's handles of contexts, for a driver's callbacks: nothing else has such a value. */
#define CONTEXT_HANDLE UINT64_C(0x5000000000)

static NTSTATUS create_device(struct ddi_adapter *adapter, uint64_t kernel_handle,
                              struct ddi_device **out)
{
    struct ddi_instance *instance = adapter->instance;
    struct ddi_device *device = ddi_new(sizeof *device);
    DXGKARG_CREATEDEVICE *args;
    NTSTATUS status = STATUS_SUCCESS;
    device->adapter = adapter;
    device->kernel_handle = kernel_handle;
    if (instance->table.DxgkDdiCreateDevice != NULL) {
        args = ddi_arguments(DDI_CREATEDEVICE);
        args->hDevice = (HANDLE)(uintptr_t)kernel_handle;
        args->pInfo = NULL;
        args->Flags.SystemDevice = kernel_handle == 0;
        if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0)) {
            args->Pasid = 0;
            args->hKmdProcess = NULL;
        }
        status = DDI_CALL(DxgkDdiCreateDevice,
                          instance->table.DxgkDdiCreateDevice(adapter->device_context, args));
        device->handle = args->hDevice;
        /* The word of the flags becomes a pointer when the driver sets it. */
        if (NT_SUCCESS(status) && (uintptr_t)args->pInfo > UINT16_MAX) {
            device->dma_buffer_segment_set = args->pInfo->DmaBufferSegmentSet;
            device->patch_location_list_size = args->pInfo->PatchLocationListSize;
        }
        ddi_arguments_end(instance, DDI_CREATEDEVICE, args);
    }
    if (!NT_SUCCESS(status)) {
        free(device);
        return status;
    }
    device->next = instance->devices;
    instance->devices = device;
    *out = device;
    return status;
}

/* A context of the device; info may be NULL. */
static NTSTATUS create_context(struct ddi_device *device, uint32_t flags, HANDLE *handle,
                               DXGK_CONTEXTINFO *info)
{
    struct ddi_instance *instance = device->adapter->instance;
    DXGKARG_CREATECONTEXT *args = ddi_arguments(DDI_CREATECONTEXT);
    NTSTATUS status;
    args->hContext = (HANDLE)(uintptr_t)(CONTEXT_HANDLE + device->kernel_handle);
    args->NodeOrdinal = 0;
    args->EngineAffinity = 1;
    args->Flags.Value = flags;
    args->pPrivateDriverData = NULL;
    args->PrivateDriverDataSize = 0;
    status =
        DDI_CALL(DxgkDdiCreateContext, instance->table.DxgkDdiCreateContext(device->handle, args));
    *handle = args->hContext;
    if (info != NULL)
        *info = args->ContextInfo;
    if (NT_SUCCESS(status) && args->ContextInfo.DmaBufferSegmentSet == DDI_GARBAGE32)
        ddi_log("DXGK_CONTEXTINFO.DmaBufferSegmentSet was not written");
    ddi_arguments_end(instance, DDI_CREATECONTEXT, args);
    return status;
}

static int has_contexts(const struct ddi_instance *instance)
{
    return instance->caps.SchedulingCaps.MultiEngineAware &&
           instance->table.DxgkDdiCreateContext != NULL;
}

NTSTATUS ddi_system_device(struct ddi_adapter *adapter, struct ddi_device **device)
{
    NTSTATUS status = ddi_caps(adapter->instance);
    if (NT_SUCCESS(status) && adapter->system_device == NULL) {
        status = create_device(adapter, 0, &adapter->system_device);
        if (NT_SUCCESS(status) && has_contexts(adapter->instance))
            status = create_context(adapter->system_device, 1, &adapter->system_context, NULL);
    }
    *device = adapter->system_device;
    return status;
}

/* Only a device, or a context of one, tells: so one is made, and goes again. */
uint32_t ddi_dma_buffer_segment_set(struct ddi_instance *instance)
{
    struct ddi_device *device;
    DXGK_CONTEXTINFO info = {.DmaBufferSegmentSet = 0};
    HANDLE context;
    if (!NT_SUCCESS(ddi_system_device(&instance->adapters[0], &device)))
        return 0;
    if (!has_contexts(instance))
        return device->dma_buffer_segment_set;
    if (!NT_SUCCESS(create_context(device, 0, &context, &info)))
        return 0;
    if (instance->table.DxgkDdiDestroyContext != NULL)
        (void)DDI_CALL(DxgkDdiDestroyContext, instance->table.DxgkDdiDestroyContext(context));
    return info.DmaBufferSegmentSet != DDI_GARBAGE32 ? info.DmaBufferSegmentSet : 0;
}

struct ddi_device *ddi_device_of_kernel(struct ddi_instance *instance, uint64_t kernel_handle)
{
    struct ddi_device *device = instance->devices;
    while (device != NULL && (device->kernel_handle == 0 || device->kernel_handle != kernel_handle))
        device = device->next;
    return device;
}

struct ddi_device *ddi_origin(struct ddi_instance *instance, uint64_t handle,
                              struct ddi_context **context)
{
    struct ddi_device *device;
    struct ddi_context *one;
    for (one = instance->contexts; one != NULL; one = one->next)
        if ((uint64_t)(uintptr_t)one->handle == handle) {
            *context = one;
            return one->device;
        }
    *context = NULL;
    for (device = instance->devices; device != NULL; device = device->next)
        if (device->kernel_handle != 0 && (uint64_t)(uintptr_t)device->handle == handle)
            return device;
    return NULL;
}

/* DXGK_SEGMENTFLAGS, Aperture and Agp. */
#define APERTURE_OR_AGP 0x3u

/* DMA buffers are in aperture segments, or in none. */
static void check_dma_buffers(struct ddi_adapter *adapter, uint32_t set)
{
    uint32_t id;
    if (set == 0 || set == DDI_GARBAGE32 || !NT_SUCCESS(ddi_segments(adapter)))
        return;
    for (id = 1; id <= 32; id++)
        if (set >> (id - 1) & 1 && (id > adapter->segment_count ||
                                    (adapter->segments[id - 1].flags & APERTURE_OR_AGP) == 0))
            ddi_breach("DmaBufferSegmentSet is 0x%X, and segment %u is no aperture segment", set,
                       id);
}

wcts_status ddi_device_create(void *ctx, const void *request, uint32_t request_size, void *reply,
                              uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    const struct wcts_driver_device_request *in = request;
    struct wcts_driver_handle_reply *out = reply;
    struct ddi_adapter *adapter;
    struct ddi_device *device = NULL;
    NTSTATUS status = STATUS_NOT_IMPLEMENTED;
    (void)request_size, (void)room, (void)size;
    if (instance->table.DxgkDdiCreateDevice != NULL)
        status = ddi_adapter_start(instance, in->Adapter, &adapter);
    if (NT_SUCCESS(status))
        status = create_device(adapter, in->hDevice, &device);
    if (!NT_SUCCESS(status))
        return status;
    check_dma_buffers(adapter, device->dma_buffer_segment_set);
    out->Handle = (uint64_t)(uintptr_t)device->handle;
    return status;
}

wcts_status ddi_context_create(void *ctx, const void *request, uint32_t request_size, void *reply,
                               uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    const struct wcts_driver_device_request *in = request;
    struct wcts_driver_handle_reply *out = reply;
    struct ddi_context *context, *other;
    struct ddi_device *device;
    DXGK_CONTEXTINFO info;
    HANDLE handle;
    NTSTATUS status = ddi_caps(instance);
    (void)request_size, (void)room, (void)size;
    if (!NT_SUCCESS(status))
        return status;
    if (!has_contexts(instance))
        return STATUS_NOT_IMPLEMENTED;
    device = ddi_origin(instance, in->hDevice, &other);
    if (device == NULL)
        return STATUS_INVALID_HANDLE;
    status = create_context(device, 0, &handle, &info);
    if (!NT_SUCCESS(status))
        return status;
    check_dma_buffers(device->adapter, info.DmaBufferSegmentSet);
    context = ddi_new(sizeof *context);
    context->device = device;
    context->handle = handle;
    context->patch_location_list_size =
        info.PatchLocationListSize != DDI_GARBAGE32 ? info.PatchLocationListSize : 0;
    context->next = instance->contexts;
    instance->contexts = context;
    out->Handle = (uint64_t)(uintptr_t)handle;
    return status;
}

void ddi_devices_end(struct ddi_instance *instance)
{
    const DRIVER_INITIALIZATION_DATA *table = &instance->table;
    uint32_t i;
    for (i = 0; i < DDI_ADAPTER_COUNT; i++)
        if (instance->adapters[i].system_context != NULL && table->DxgkDdiDestroyContext != NULL)
            (void)DDI_CALL(DxgkDdiDestroyContext,
                           table->DxgkDdiDestroyContext(instance->adapters[i].system_context));
    while (instance->contexts != NULL) {
        struct ddi_context *context = instance->contexts;
        instance->contexts = context->next;
        if (table->DxgkDdiDestroyContext != NULL)
            (void)DDI_CALL(DxgkDdiDestroyContext, table->DxgkDdiDestroyContext(context->handle));
        free(context);
    }
    while (instance->devices != NULL) {
        struct ddi_device *device = instance->devices;
        instance->devices = device->next;
        if (table->DxgkDdiDestroyDevice != NULL)
            (void)DDI_CALL(DxgkDdiDestroyDevice, table->DxgkDdiDestroyDevice(device->handle));
        free(device);
    }
}
