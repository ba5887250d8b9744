/* SPDX-License-Identifier: MIT */
/* Devices, with what the driver has for them, and sections. */
#include "emu_kernel.h"

#include <stdlib.h>

int emu_operation_missing(wcts_status status)
{
    return status == WCTS_STATUS_NOT_IMPLEMENTED || status == WCTS_STATUS_NOT_SUPPORTED;
}

const struct emu_device *emu_device_first(const struct emu_kernel *kernel)
{
    uint32_t i = 0;
    while (kernel->handles.entries[i].kind != EMU_HANDLE_DEVICE)
        i++;
    return kernel->handles.entries[i].object;
}

/* The adapter that a request for a device or context names. */
static uint32_t adapter_named(uint32_t operation, const struct emu_adapter *adapter)
{
    const int context = operation == WCTS_DRIVER_CONTEXT;
    const uint32_t index =
        EMU_FAULT("HDR-003.adapter", adapter->index, context ? adapter->index : 0u);
    return EMU_FAULT("HDR-004.context", index, context ? 0u : index);
}

/* Asks the driver for its device or context. *handle is what the kernel calls it, and stays that
 * for a driver without the operation. */
static wcts_status ask_handle(struct emu_kernel *kernel, uint32_t operation,
                              const struct emu_adapter *adapter, uint64_t hDevice, uint64_t *handle)
{
    const struct wcts_driver_device_request request = {
        .size = sizeof(request), .Adapter = adapter_named(operation, adapter), .hDevice = hDevice};
    struct emu_reply reply;
    wcts_status status =
        emu_port_call(&kernel->base.port, operation, &request, sizeof(request), 0, &reply);
    uint64_t answer;
    if (emu_operation_missing(status))
        return WCTS_STATUS_SUCCESS;
    if (!wcts_succeeded(status))
        return status;
    answer = ((const struct wcts_driver_handle_reply *)reply.data)->Handle;
    if (answer != 0)
        *handle = answer;
    return WCTS_STATUS_SUCCESS;
}

/* Document 004, hDevice and hContext: a driver that creates contexts is given those, any other its
 * devices. */
static wcts_status ask_driver(struct emu_kernel *kernel, struct emu_device *device)
{
    const struct emu_device *first = emu_device_first(kernel); /* for faults */
    const int asked = EMU_FAULT("HDR-003.asked", 1, device == first);
    uint64_t named;
    wcts_status status = WCTS_STATUS_SUCCESS;
    device->driver_device = device->hDevice;
    device->driver_context = device->hDevice;
    if (!kernel->base.probe)
        return WCTS_STATUS_SUCCESS;
    if (asked)
        status = ask_handle(kernel, WCTS_DRIVER_DEVICE, device->adapter, device->hDevice,
                            &device->driver_device);
    else
        device->driver_device = first->driver_device;
    device->driver_context = device->driver_device;
    if (!wcts_succeeded(status) || !device->adapter->creates_contexts)
        return status;
    device->driver_context = device->hDevice + 1; /* no handle of the kernel's has this value */
    named = EMU_FAULT("HDR-004.device", device->driver_device, device->hDevice);
    named = EMU_FAULT("HDR-004.device+first", named, first->driver_device);
    return ask_handle(kernel, WCTS_DRIVER_CONTEXT, device->adapter, named, &device->driver_context);
}

wcts_status emu_kernel_device(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_device_request *asked = request;
    struct emu_adapter *adapter =
        emu_handle_object(&kernel->handles, asked->hAdapter, EMU_HANDLE_ADAPTER);
    struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    struct emu_device *device;
    wcts_status status;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (adapter == NULL || process == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    device = calloc(1, sizeof(*device));
    if (device != NULL) {
        device->adapter = adapter;
        device->process = process;
        device->hDevice = emu_handle_give(kernel, EMU_HANDLE_DEVICE, device);
    }
    if (device == NULL || device->hDevice == 0) {
        free(device);
        return WCTS_STATUS_NO_MEMORY;
    }
    status = ask_driver(kernel, device);
    if (!wcts_succeeded(status)) {
        emu_handle_drop(&kernel->handles, device->hDevice);
        free(device);
        return status;
    }
    ((struct wcts_kernel_handle_reply *)reply)->Handle = device->hDevice;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_kernel_section(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_section_request *asked = request;
    struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    struct emu_section *section;
    uint32_t handle;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (process == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    section = calloc(1, sizeof(*section));
    handle = emu_adopt(kernel, EMU_HANDLE_SECTION, section);
    if (handle == 0)
        return WCTS_STATUS_NO_MEMORY;
    section->process = process;
    section->size = asked->Size;
    ((struct wcts_kernel_section_reply *)reply)->hSection = handle;
    return WCTS_STATUS_SUCCESS;
}
