/* SPDX-License-Identifier: MIT */
/* DRIVER_DEVICE (DxgkDdiCreateDevice) and DRIVER_CONTEXT (DxgkDdiCreateContext). */
#include "emu_driver.h"

int emu_context_known(const struct emu_driver *driver, uint64_t handle)
{
    /* Document 004: hContext "if the driver supports context creation", hDevice if it does not. */
    return emu_handle_object(&driver->handles, handle,
                             driver->base.contexts ? EMU_HANDLE_CONTEXT : EMU_HANDLE_DEVICE) !=
           NULL;
}

/* For faults: how many devices or contexts there are. */
static uint32_t count_of(const struct emu_driver *driver, enum emu_handle_kind kind)
{
    uint32_t i, count = 0;
    for (i = 0; i < driver->handles.count; i++)
        count += driver->handles.entries[i].kind == kind;
    return count;
}

/* For faults: the handle of the first device or context that the adapter has. */
static uint64_t first_of(const struct emu_driver *driver, enum emu_handle_kind kind,
                         uint32_t adapter, uint64_t handle)
{
    uint32_t i;
    for (i = 0; i < driver->handles.count; i++) {
        const struct emu_record *record = driver->handles.entries[i].object;
        if (driver->handles.entries[i].kind == kind && record->adapter == adapter)
            return emu_handle_at(i);
    }
    return handle;
}

/* Makes a device or a context and answers its handle, which is not 0. */
static wcts_status answer_new(struct emu_driver *driver, enum emu_handle_kind kind,
                              uint32_t adapter, struct wcts_driver_handle_reply *answer)
{
    const struct emu_record record = {.adapter = adapter};
    const uint64_t handle = emu_record_new(driver, kind, &record);
    const int second = count_of(driver, kind) == 2;
    answer->Handle =
        EMU_FAULT("HDR-020.device", handle, kind == EMU_HANDLE_DEVICE && second ? 0 : handle);
    answer->Handle = EMU_FAULT("HDR-020.context", answer->Handle,
                               kind == EMU_HANDLE_CONTEXT && second ? 0 : answer->Handle);
    answer->Handle = EMU_FAULT("HDR-050.device", answer->Handle,
                               kind == EMU_HANDLE_DEVICE ? first_of(driver, kind, adapter, handle)
                                                         : answer->Handle);
    answer->Handle = EMU_FAULT("HDR-050.context", answer->Handle,
                               kind == EMU_HANDLE_CONTEXT ? first_of(driver, kind, adapter, handle)
                                                          : answer->Handle);
    return handle ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

wcts_status emu_driver_device(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_driver_device_request *asked = request;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (asked->Adapter >= EMU_ADAPTER_COUNT)
        return WCTS_STATUS_INVALID_PARAMETER;
    return answer_new(instance, EMU_HANDLE_DEVICE, asked->Adapter, reply);
}

wcts_status emu_driver_context(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_driver *driver = instance;
    const struct wcts_driver_device_request *asked = request;
    const struct emu_record *device;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (!driver->base.contexts)
        return WCTS_STATUS_NOT_SUPPORTED;
    device = emu_handle_object(&driver->handles, asked->hDevice, EMU_HANDLE_DEVICE);
    if (device == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (device->adapter != asked->Adapter)
        return WCTS_STATUS_INVALID_PARAMETER;
    return answer_new(driver, EMU_HANDLE_CONTEXT, asked->Adapter, reply);
}
