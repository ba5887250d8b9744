/* SPDX-License-Identifier: MIT */
/* The kernel side: its life, its operations, and the objects without rules of their own. */
#include "emu_kernel.h"

#include <stdlib.h>

static wcts_status kernel_info(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_kernel *kernel = instance;
    struct wcts_kernel_info_reply *answer = reply;
    (void)request, (void)request_size, (void)reply_room, (void)reply_size;
    answer->capabilities = WCTS_CAPABILITY_PROBE | WCTS_CAPABILITY_MACHINE | WCTS_CAPABILITY_FRESH;
    answer->capabilities |= kernel->base.strict ? WCTS_CAPABILITY_STRICT : WCTS_CAPABILITY_LENIENT;
    answer->capabilities |= kernel->base.pages ? WCTS_CAPABILITY_PAGES : 0;
    answer->first_interface_version = EMU_WDDM_1_0;
    answer->last_interface_version = EMU_WDDM_3_2;
    answer->page_sizes = 4096 + 16384 + 65536;
    return WCTS_STATUS_SUCCESS;
}

/* Gives an object, or NULL for none, a handle; frees it when that is impossible. */
static uint32_t adopt(struct emu_kernel *kernel, enum emu_handle_kind kind, void *object)
{
    uint32_t handle = object != NULL ? emu_handle_new(&kernel->handles, kind, object) : 0;
    if (handle == 0)
        free(object);
    return handle;
}

static wcts_status kernel_process(void *instance, const void *request, uint32_t request_size,
                                  void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_process *process = calloc(1, sizeof(*process));
    uint32_t handle = adopt(instance, EMU_HANDLE_PROCESS, process);
    (void)request, (void)request_size, (void)reply_room, (void)reply_size;
    if (handle == 0)
        return WCTS_STATUS_NO_MEMORY;
    process->hProcess = handle;
    ((struct wcts_kernel_handle_reply *)reply)->Handle = handle;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status kernel_device(void *instance, const void *request, uint32_t request_size,
                                 void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_device_request *asked = request;
    struct emu_adapter *adapter =
        emu_handle_object(&kernel->handles, asked->hAdapter, EMU_HANDLE_ADAPTER);
    struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    struct emu_device *device;
    uint32_t handle;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (adapter == NULL || process == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    device = calloc(1, sizeof(*device));
    handle = adopt(kernel, EMU_HANDLE_DEVICE, device);
    if (handle == 0)
        return WCTS_STATUS_NO_MEMORY;
    device->hDevice = handle;
    device->adapter = adapter;
    device->process = process;
    ((struct wcts_kernel_handle_reply *)reply)->Handle = handle;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status kernel_section(void *instance, const void *request, uint32_t request_size,
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
    handle = adopt(kernel, EMU_HANDLE_SECTION, section);
    if (handle == 0)
        return WCTS_STATUS_NO_MEMORY;
    section->process = process;
    ((struct wcts_kernel_section_reply *)reply)->hSection = handle;
    return WCTS_STATUS_SUCCESS;
}

/* Every operation has taken effect when it returns. */
static wcts_status kernel_settle(void *instance, const void *request, uint32_t request_size,
                                 void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    (void)instance, (void)request, (void)request_size;
    (void)reply, (void)reply_room, (void)reply_size;
    return WCTS_STATUS_SUCCESS;
}

#define KERNEL_FIRST WCTS_KERNEL_INFO
#define KERNEL_COUNT (WCTS_KERNEL_SHARED_PRIMARY - KERNEL_FIRST + 1)
#define HANDLER(operation, function)                                                               \
    [WCTS_KERNEL_##operation - KERNEL_FIRST] = {WCTS_KERNEL_##operation, function}

static const struct wcts_handler handlers[KERNEL_COUNT] = {
    HANDLER(INFO, kernel_info),
    HANDLER(ADAPTER_START, emu_kernel_adapter_start),
    HANDLER(ADAPTER_STOP, emu_kernel_adapter_stop),
    HANDLER(PROCESS, kernel_process),
    HANDLER(DEVICE, kernel_device),
    HANDLER(SECTION, kernel_section),
    HANDLER(ALLOCATION_CREATE, emu_kernel_allocation_create),
    HANDLER(ALLOCATION_DESTROY, emu_kernel_allocation_destroy),
    HANDLER(SHARE, emu_kernel_share),
    HANDLER(VA_RESERVE, emu_kernel_va_reserve),
    HANDLER(VA_FREE, emu_kernel_va_free),
    HANDLER(VA_UPDATE, emu_kernel_va_update),
    HANDLER(SETTLE, kernel_settle),
    HANDLER(QUERY_PAGES, emu_kernel_query_pages),
    HANDLER(SHARED_PRIMARY, emu_kernel_shared_primary),
};

wcts_status emu_kernel_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    return emu_side_call(handlers, KERNEL_COUNT, KERNEL_FIRST, instance, operation, request,
                         request_size, reply, reply_room, reply_size);
}

void *emu_kernel_open(const struct emu_side *base)
{
    struct emu_kernel *kernel = calloc(1, sizeof(*kernel));
    if (kernel != NULL)
        kernel->base = *base;
    return kernel;
}

/* Frees one object, and nothing that it points at. */
static void object_free(const struct emu_handle_entry *entry)
{
    if (entry->kind == EMU_HANDLE_PROCESS)
        emu_va_space_release(&((struct emu_process *)entry->object)->space);
    if (entry->kind == EMU_HANDLE_ADAPTER)
        emu_handle_set_release(&((struct emu_adapter *)entry->object)->driver_allocations);
    free(entry->object);
}

void emu_kernel_close(void *instance)
{
    struct emu_kernel *kernel = instance;
    uint32_t i;
    for (i = 0; i < kernel->handles.count; i++)
        object_free(&kernel->handles.entries[i]);
    emu_handles_release(&kernel->handles);
    emu_message_release(&kernel->request);
    emu_port_release(&kernel->base.port);
    free(kernel);
}
