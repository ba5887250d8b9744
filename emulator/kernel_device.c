/* SPDX-License-Identifier: MIT */
/* Devices, with what the driver has for them, and sections. */
#include "emu_kernel.h"

#include <stdlib.h>

int emu_operation_missing(wcts_status status)
{
    return status == WCTS_STATUS_NOT_IMPLEMENTED || status == WCTS_STATUS_NOT_SUPPORTED;
}

/* Asks the driver for its device or context. *handle is what the kernel calls it, and stays that
 * for a driver without the operation. */
static wcts_status ask_handle(struct emu_kernel *kernel, uint32_t operation,
                              const struct emu_adapter *adapter, uint64_t hDevice, uint64_t *handle)
{
    const struct wcts_driver_device_request request = {
        .size = sizeof(request), .Adapter = adapter->index, .hDevice = hDevice};
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
    uint64_t context;
    wcts_status status;
    device->driver_context = device->hDevice;
    if (!kernel->base.probe)
        return WCTS_STATUS_SUCCESS;
    status = ask_handle(kernel, WCTS_DRIVER_DEVICE, device->adapter, device->hDevice,
                        &device->driver_context);
    if (!wcts_succeeded(status) || !device->adapter->creates_contexts)
        return status;
    context = device->hDevice + 1; /* no handle of the kernel's has this value */
    status =
        ask_handle(kernel, WCTS_DRIVER_CONTEXT, device->adapter, device->driver_context, &context);
    device->driver_context = context;
    return status;
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
        device->hDevice = emu_handle_new(&kernel->handles, EMU_HANDLE_DEVICE, device);
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
