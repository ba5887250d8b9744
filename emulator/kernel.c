/* SPDX-License-Identifier: MIT */
/* The kernel side: its life, its operations, and the objects without rules of their own. */
#include "emu_kernel.h"

#include <stdlib.h>

/* What is promised of the breaches of rules: that all are refused, or those of advice accepted.
 * Rows of profiles break the one or the other. */
static uint32_t promise(const struct emu_side *base)
{
    static const uint64_t accepting = EMU_ROW(W3) | EMU_ROW(W24) | EMU_ROW(W30) | EMU_ROW(W36) |
                                      EMU_ROW(P5) | EMU_ROW(M7A) | EMU_ROW(M7B_NONE) |
                                      EMU_ROW(CAF_002) | EMU_ROW(CAF_007) | EMU_ROW(CAF_010) |
                                      EMU_ROW(CAF_018) | EMU_ROW(CAF_021) | EMU_ROW(CAF_022) |
                                      EMU_ROW(CAF_023) | EMU_ROW(CAF_025);
    static const uint64_t refusing = EMU_ROW(M5_PROTECTED);
    if (base->strict)
        return base->rows & accepting ? 0 : WCTS_CAPABILITY_STRICT;
    return base->rows & refusing ? 0 : WCTS_CAPABILITY_LENIENT;
}

static wcts_status kernel_info(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_kernel *kernel = instance;
    struct wcts_kernel_info_reply *answer = reply;
    (void)request, (void)request_size, (void)reply_room, (void)reply_size;
    answer->capabilities = WCTS_CAPABILITY_FRESH;
    answer->capabilities |= kernel->base.probe ? WCTS_CAPABILITY_PROBE : 0;
    answer->capabilities |= kernel->base.machine ? WCTS_CAPABILITY_MACHINE : 0;
    answer->capabilities |= kernel->base.placement ? WCTS_CAPABILITY_PLACEMENT : 0;
    answer->capabilities |= promise(&kernel->base);
    answer->capabilities |= kernel->base.sweep ? WCTS_CAPABILITY_SWEEP : 0;
    answer->capabilities |= kernel->base.pages ? WCTS_CAPABILITY_PAGES : 0;
    answer->first_interface_version = EMU_WDDM_1_0;
    answer->last_interface_version = EMU_WDDM_3_2;
    answer->page_sizes = 4096 + 16384 + 65536;
    return WCTS_STATUS_SUCCESS;
}

/* For faults: the dead handle that an object of the kind is given; 0: none, but a new one. */
static uint32_t given_again(const struct emu_kernel *kernel, enum emu_handle_kind kind)
{
    const struct emu_handles *handles = &kernel->handles;
    if (kernel->opening)
        return EMU_FAULT("HDR-001.opened", 0u, emu_handle_dead(handles, kind));
    if (kind == EMU_HANDLE_ALLOCATION)
        return EMU_FAULT("HDR-001.allocation", 0u,
                         kernel->closed ? 0u : emu_handle_dead(handles, kind));
    if (kind == EMU_HANDLE_RESOURCE)
        return EMU_FAULT("HDR-001.resource", 0u, emu_handle_dead(handles, kind));
    if (kind == EMU_HANDLE_DEVICE)
        return EMU_FAULT("HDR-001.device", 0u, emu_handle_dead(handles, kind));
    if (kind == EMU_HANDLE_ADAPTER)
        return EMU_FAULT("HDR-001.adapter", 0u, emu_handle_dead(handles, kind));
    if (kind == EMU_HANDLE_GLOBAL_SHARE)
        return EMU_FAULT("HDR-001.share", 0u, emu_handle_dead(handles, kind));
    return 0;
}

uint32_t emu_handle_give(struct emu_kernel *kernel, enum emu_handle_kind kind, void *object)
{
    const uint32_t again = given_again(kernel, kind);
    if (again != 0)
        return emu_handle_again(&kernel->handles, again, kind, object);
    return emu_handle_new(&kernel->handles, kind, object);
}

uint32_t emu_adopt(struct emu_kernel *kernel, enum emu_handle_kind kind, void *object)
{
    uint32_t handle = object != NULL ? emu_handle_give(kernel, kind, object) : 0;
    if (handle == 0)
        free(object);
    return handle;
}

static wcts_status kernel_process(void *instance, const void *request, uint32_t request_size,
                                  void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_process *process = calloc(1, sizeof(*process));
    uint32_t handle = emu_adopt(instance, EMU_HANDLE_PROCESS, process);
    (void)request_size, (void)reply_room, (void)reply_size;
    if (handle == 0)
        return WCTS_STATUS_NO_MEMORY;
    process->hProcess = handle;
    process->secure = ((const struct wcts_kernel_process_request *)request)->Secure == 1;
    ((struct wcts_kernel_handle_reply *)reply)->Handle = handle;
    return WCTS_STATUS_SUCCESS;
}

/* Every operation has taken effect when it returns; what was submitted is not in use any more. */
static wcts_status kernel_settle(void *instance, const void *request, uint32_t request_size,
                                 void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    (void)request, (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    ((struct emu_kernel *)instance)->epoch++;
    return WCTS_STATUS_SUCCESS;
}

#define KERNEL_FIRST WCTS_KERNEL_INFO
#define KERNEL_COUNT (WCTS_KERNEL_STANDARD_ALLOCATION - KERNEL_FIRST + 1)
#define HANDLER(operation, function)                                                               \
    [WCTS_KERNEL_##operation - KERNEL_FIRST] = {WCTS_KERNEL_##operation, function}

static const struct wcts_handler handlers[KERNEL_COUNT] = {
    HANDLER(INFO, kernel_info),
    HANDLER(ADAPTER_START, emu_kernel_adapter_start),
    HANDLER(ADAPTER_STOP, emu_kernel_adapter_stop),
    HANDLER(PROCESS, kernel_process),
    HANDLER(DEVICE, emu_kernel_device),
    HANDLER(REGION, emu_kernel_region),
    HANDLER(SECTION, emu_kernel_section),
    HANDLER(ALLOCATION_CREATE, emu_kernel_allocation_create),
    HANDLER(ALLOCATION_DESTROY, emu_kernel_allocation_destroy),
    HANDLER(SHARE, emu_kernel_share),
    HANDLER(OPEN_GLOBAL, emu_kernel_open_global),
    HANDLER(OPEN_NT, emu_kernel_open_nt),
    HANDLER(LOCK, emu_kernel_lock),
    HANDLER(UNLOCK, emu_kernel_unlock),
    HANDLER(VA_RESERVE, emu_kernel_va_reserve),
    HANDLER(VA_FREE, emu_kernel_va_free),
    HANDLER(VA_UPDATE, emu_kernel_va_update),
    HANDLER(PAGE_IN, emu_kernel_page_in),
    HANDLER(EVICT, emu_kernel_evict),
    HANDLER(SUBMIT, emu_kernel_submit),
    HANDLER(PREEMPT, emu_kernel_preempt),
    HANDLER(POWER, emu_kernel_power),
    HANDLER(SETTLE, kernel_settle),
    HANDLER(QUERY_ALLOCATION, emu_kernel_query_allocation),
    HANDLER(QUERY_PAGES, emu_kernel_query_pages),
    HANDLER(SHARED_PRIMARY, emu_kernel_shared_primary),
    HANDLER(STANDARD_ALLOCATION, emu_kernel_standard_allocation),
    HANDLER(PRESENT, emu_kernel_present),
};

wcts_status emu_kernel_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    wcts_status status;
    kernel->operation = operation;
    kernel->paging_requests = 0;
    status = emu_profile_begin(kernel, operation, request, request_size);
    if (!wcts_succeeded(status)) {
        *reply_size = 0;
        return status;
    }
    EMU_CHOICE_AT(calling, (void)0, emu_choice->calling(kernel, operation));
    return emu_side_call(handlers, KERNEL_COUNT, KERNEL_FIRST, instance, operation, request,
                         request_size, reply, reply_room, reply_size);
}

void *emu_kernel_open(const struct emu_side *base)
{
    struct emu_kernel *kernel = calloc(1, sizeof(*kernel));
    if (kernel == NULL)
        return NULL;
    kernel->base = *base;
    kernel->epoch = 1; /* 0: in no submission yet */
    return kernel;
}

static void resource_free(struct emu_resource *resource)
{
    if (--resource->body->holders == 0)
        free(resource->body);
}

/* Frees one object, and nothing that it points at but what only it holds. */
static void object_free(const struct emu_handle_entry *entry)
{
    switch (entry->kind) {
    case EMU_HANDLE_PROCESS:
        emu_va_space_release(&((struct emu_process *)entry->object)->space);
        break;
    case EMU_HANDLE_ADAPTER:
    case EMU_HANDLE_STOPPED:
        emu_handle_set_release(&((struct emu_adapter *)entry->object)->driver_allocations);
        emu_segments_release(entry->object);
        break;
    case EMU_HANDLE_DEVICE:
        emu_submission_free(((struct emu_device *)entry->object)->last);
        break;
    case EMU_HANDLE_RESOURCE:
        resource_free(entry->object);
        break;
    case EMU_HANDLE_GLOBAL_SHARE:
    case EMU_HANDLE_NT_SHARE:
        return; /* the resources own what it names */
    default:
        break;
    }
    free(entry->object);
}

/* Frees what NT handles alone keep: by now that is all that they name. */
static void kept_free(const struct emu_kernel *kernel)
{
    uint32_t i;
    for (i = 0; EMU_ROW_ON(&kernel->base, S5A) && i < kernel->handles.count; i++) {
        const struct emu_handle_entry *entry = &kernel->handles.entries[i];
        struct emu_body *body = entry->object;
        if (entry->kind == EMU_HANDLE_NT_SHARE && --body->nt_shared == 0)
            free(body);
    }
}

/* Frees a content with its instances, and tells nobody. */
static void content_free(struct emu_content *content)
{
    while (content->original.next != NULL) {
        struct emu_instance *instance = content->original.next;
        content->original.next = instance->next;
        free(instance);
    }
    free(content);
}

void emu_kernel_close(void *instance)
{
    struct emu_kernel *kernel = instance;
    struct emu_content *content, *next;
    uint32_t i;
    for (i = 0; i < kernel->handles.count; i++)
        object_free(&kernel->handles.entries[i]);
    kept_free(kernel);
    for (content = kernel->contents; content != NULL; content = next) {
        next = content->next;
        content_free(content);
    }
    emu_pages_release(&kernel->freed.pages);
    free(kernel->memory.extents);
    free(kernel->regions);
    emu_handles_release(&kernel->handles);
    emu_message_release(&kernel->request);
    emu_message_release(&kernel->bytes);
    emu_port_release(&kernel->base.port);
    free(kernel);
}
