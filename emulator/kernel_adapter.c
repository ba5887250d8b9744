/* SPDX-License-Identifier: MIT */
/* Adapters: their start with the driver's answers, and their stop. */
#include "emu_kernel.h"

#include <stdlib.h>
#include <string.h>

/* Asks the driver for itself and its segments, and judges the answers. */
static wcts_status ask_driver(struct emu_kernel *kernel, struct emu_adapter *adapter)
{
    const struct wcts_none none = {.size = sizeof(none)};
    struct wcts_driver_info_reply info;
    struct emu_reply reply;
    wcts_status status;
    if (!kernel->base.probe)
        return emu_segments_default(kernel, adapter);
    status = emu_port_call(&kernel->base.port, WCTS_DRIVER_INFO, &none, sizeof(none), 0, &reply);
    if (!wcts_succeeded(status))
        return status;
    memcpy(&info, reply.data, sizeof(info));
    adapter->section_backed_primary = info.section_backed_primary == 1;
    adapter->creates_contexts = info.creates_contexts == 1;
    adapter->any_priority = (info.capabilities & WCTS_CAPABILITY_ANY_PRIORITY) != 0;
    adapter->fills = (info.paging_operations >> WCTS_PAGING_FILL & 1) != 0;
    adapter->dma_buffer_segment_set = info.dma_buffer_segment_set;
    status =
        emu_port_call(&kernel->base.port, WCTS_DRIVER_SEGMENTS, &none, sizeof(none), 0, &reply);
    EMU_CHOICE(SEGMENTS_ASKED_TWICE, (void)0,
               (void)(status = emu_choice_ask_again(kernel, status, &reply)));
    /* A driver without the operation is no refusal: it has no segments. */
    if (emu_operation_missing(status))
        return WCTS_STATUS_SUCCESS;
    if (!wcts_succeeded(status))
        return status;
    return emu_segments_judge(kernel, &info, &reply, adapter);
}

wcts_status emu_kernel_adapter_start(void *instance, const void *request, uint32_t request_size,
                                     void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_adapter_start_request *asked = request;
    struct emu_adapter *adapter;
    wcts_status status;
    int sees;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (asked->Index >= EMU_ADAPTER_COUNT || kernel->adapters[asked->Index] != NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    adapter = calloc(1, sizeof(*adapter));
    if (adapter == NULL)
        return WCTS_STATUS_NO_MEMORY;
    adapter->index = asked->Index;
    status = ask_driver(kernel, adapter);
    if (wcts_succeeded(status)) {
        adapter->hAdapter = emu_handle_give(kernel, EMU_HANDLE_ADAPTER, adapter);
        if (adapter->hAdapter == 0)
            status = WCTS_STATUS_NO_MEMORY;
    }
    if (!wcts_succeeded(status)) {
        emu_segments_release(adapter);
        free(adapter);
        return status;
    }
    kernel->adapters[asked->Index] = adapter;
    /* Both have the same CpuTranslatedAddress: what the CPU sees there is the memory of the adapter
     * that was started first, also when that one is started again. */
    if (kernel->started == 0)
        kernel->started = 1 + asked->Index;
    sees = kernel->started == 1 + asked->Index;
    adapter->cpu_sees =
        EMU_FAULT("HDR-021+started-second", EMU_FAULT("SEG-009.seen+second-adapter", sees, 1),
                  sees || asked->Index == 0);
    ((struct wcts_kernel_handle_reply *)reply)->Handle = adapter->hAdapter;
    return WCTS_STATUS_SUCCESS;
}

/* For a fault: true when a device stands on the adapter. */
static int has_device(const struct emu_kernel *kernel, const struct emu_adapter *adapter)
{
    uint32_t i;
    for (i = kernel->handles.first; i < kernel->handles.count; i++) {
        const struct emu_device *device = kernel->handles.entries[i].object;
        if (kernel->handles.entries[i].kind == EMU_HANDLE_DEVICE && device->adapter == adapter)
            return 1;
    }
    return 0;
}

/* For a fault: true when a device on the adapter is of another process than the first one of all.
 */
static int has_other_process(const struct emu_kernel *kernel, const struct emu_adapter *adapter)
{
    uint32_t i;
    for (i = kernel->handles.first; i < kernel->handles.count; i++) {
        const struct emu_device *device = kernel->handles.entries[i].object;
        if (kernel->handles.entries[i].kind == EMU_HANDLE_DEVICE && device->adapter == adapter &&
            device->process != emu_device_first(kernel)->process)
            return 1;
    }
    return 0;
}

/* Ends an object of the kind when it stands on the adapter. A device may survive, for a fault. */
static void end_if_on(struct emu_kernel *kernel, const struct emu_adapter *adapter,
                      enum emu_handle_kind kind, void *object, int survives)
{
    struct emu_allocation *allocation = object;
    struct emu_resource *resource = object;
    struct emu_device *device = object;
    if (kind == EMU_HANDLE_RESOURCE && resource->device->adapter == adapter)
        emu_resource_end(kernel, resource);
    if (kind == EMU_HANDLE_ALLOCATION && allocation->device->adapter == adapter)
        emu_allocations_end(kernel, allocation, NULL);
    if (kind == EMU_HANDLE_DEVICE && device->adapter == adapter) {
        emu_submission_forget(kernel, device, NULL);
        if (survives)
            return;
        emu_handle_drop(&kernel->handles, device->hDevice);
        free(device);
    }
}

/* What devices of another adapter still hold goes on without this one. */
static void leave_behind(struct emu_kernel *kernel, const struct emu_adapter *adapter)
{
    struct emu_content *content;
    uint32_t i;
    for (i = 0; i < adapter->segment_count; i++)
        while (adapter->segments[i].first != NULL) {
            struct emu_block *block = adapter->segments[i].first;
            if (block->instance != NULL)
                (void)emu_evict(kernel, block->instance, EMU_EVICT_STRAIGHT, 0);
            if (adapter->segments[i].first == block)
                emu_block_give(block);
        }
    for (content = kernel->contents; content != NULL; content = content->next) {
        if (content->adapter == adapter)
            content->adapter = NULL;
        if (content->body != NULL && content->body->adapter == adapter)
            content->body->adapter = NULL;
    }
}

void emu_adapter_end(struct emu_kernel *kernel, struct emu_adapter *adapter)
{
    /* Resources take their allocations along; devices must outlive both. */
    static const enum emu_handle_kind order[] = {EMU_HANDLE_RESOURCE, EMU_HANDLE_ALLOCATION,
                                                 EMU_HANDLE_DEVICE};
    const int survive = EMU_FAULT("HDR-017", 0, has_device(kernel, adapter)) ||
                        EMU_FAULT("HDR-017+other-process", 0, has_other_process(kernel, adapter));
    uint32_t i;
    size_t step;
    for (step = 0; step < sizeof(order) / sizeof(order[0]); step++)
        for (i = kernel->handles.first; i < kernel->handles.count; i++)
            if (kernel->handles.entries[i].kind == order[step])
                end_if_on(kernel, adapter, order[step], kernel->handles.entries[i].object, survive);
    emu_kept_end(kernel, adapter);
    leave_behind(kernel, adapter);
    kernel->adapters[adapter->index] = NULL;
    /* Devices that survive go on using it. */
    if (survive) {
        emu_handle_change(&kernel->handles, adapter->hAdapter, EMU_HANDLE_STOPPED);
        return;
    }
    emu_handle_drop(&kernel->handles, adapter->hAdapter);
    emu_segments_release(adapter);
    emu_handle_set_release(&adapter->driver_allocations);
    free(adapter);
}

wcts_status emu_kernel_adapter_stop(void *instance, const void *request, uint32_t request_size,
                                    void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_handle_request *asked = request;
    struct emu_adapter *adapter =
        emu_handle_object(&kernel->handles, asked->Handle, EMU_HANDLE_ADAPTER);
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (adapter == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    kernel->stopping = 1;
    emu_adapter_end(kernel, adapter);
    kernel->stopping = 0;
    return WCTS_STATUS_SUCCESS;
}
