/* SPDX-License-Identifier: MIT */
/* KERNEL_LOCK and KERNEL_UNLOCK: CPU views of allocations. A view is one range, so the pages of a
 * backing store are joined for as long as somebody holds the allocation locked. */
#include "emu_flags.h"
#include "emu_kernel.h"

static int locked(const struct emu_content *content)
{
    const struct emu_allocation *holder;
    for (holder = content->holders; holder != NULL; holder = holder->next_holder)
        if (holder->locks != 0)
            return 1;
    return 0;
}

int emu_instance_locked(const struct emu_instance *instance)
{
    return instance->content->current == instance && locked(instance->content);
}

static int in_agp(const struct emu_instance *instance)
{
    const struct emu_segment *segment = instance->block.segment;
    return segment != NULL && (segment->flags & EMU_SEGMENT_AGP);
}

/* Fills in where the content of an instance is for the CPU. */
static void show(const struct emu_instance *instance, struct wcts_machine_view_request *request)
{
    const struct emu_block *block = &instance->block;
    request->size = sizeof(*request);
    request->Address = instance->backing.base;
    request->Length = instance->backing.size;
    if (EMU_FAULT("SEG-056.seen", !emu_instance_in_memory(instance),
                  !emu_instance_in_memory(instance) && !in_agp(instance)))
        return;
    /* Document 003, CpuVisible: "accessible to the processor at the address that
     * CpuTranslatedAddress specifies". */
    request->Space = WCTS_SPACE_CPU;
    request->Address =
        block->segment->cpu_address + EMU_FAULT("SEG-009.seen", block->offset, UINT64_C(0));
}

/* Document 000: MEM_ROTATE, "if the allocation may be in VRAM". */
static uint32_t view_attributes(const struct emu_kernel *kernel,
                                const struct emu_allocation *allocation)
{
    const struct emu_content *content = allocation->content;
    const struct emu_adapter *adapter = allocation->device->adapter;
    const uint32_t set =
        emu_content_segments(kernel, content, 0) | emu_content_segments(kernel, content, 1);
    uint32_t i;
    for (i = 0; i < adapter->segment_count; i++)
        if ((set >> i & 1) && emu_segment_has_memory(&adapter->segments[i]))
            return WCTS_REGION_MEM_ROTATE;
    return 0;
}

void emu_views_follow(struct emu_kernel *kernel, const struct emu_instance *instance)
{
    const struct emu_allocation *holder;
    if (!emu_instance_locked(instance))
        return;
    for (holder = instance->content->holders; holder != NULL; holder = holder->next_holder) {
        struct wcts_machine_view_request request = {.View = holder->view};

        if (holder->locks == 0)
            continue;
        request.Attributes = view_attributes(kernel, holder);
        show(instance, &request);
        if (!wcts_succeeded(emu_user_view(kernel, &request)))
            emu_log(kernel->base.host, "emulator: a view could not follow its allocation");
    }
}

/* Brings an instance to where the CPU can see it as one range. */
static wcts_status make_visible(struct emu_kernel *kernel, struct emu_instance *instance,
                                uint64_t context)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (emu_instance_in_memory(instance) &&
        EMU_FAULT("SEG-009.hidden", !emu_segment_cpu_visible(instance->block.segment), 0))
        status = emu_evict(kernel, instance, EMU_EVICT_STRAIGHT, context);
    /* Document 003, Remarks: the AGP-type aperture is "visible to the processor", too. */
    if (wcts_succeeded(status))
        status = EMU_FAULT_DO("SEG-056.lock", emu_instance_join(kernel, instance, context),
                              in_agp(instance) ? WCTS_STATUS_INVALID_PARAMETER
                                               : emu_instance_join(kernel, instance, context));
    return status;
}

static wcts_status make_view(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    struct emu_instance *instance = allocation->content->current;
    struct wcts_machine_view_request request = {.Attributes = view_attributes(kernel, allocation)};
    wcts_status status;
    if (instance->backing.base == 0)
        return WCTS_STATUS_INSUFFICIENT_RESOURCES;
    status = make_visible(kernel, instance, allocation->device->driver_context);
    if (!wcts_succeeded(status))
        return status;
    show(instance, &request);
    status = emu_user_view(kernel, &request);
    if (wcts_succeeded(status)) {
        instance->backing.dirty = 1;
        allocation->view = request.View;
    }
    return status;
}

wcts_status emu_kernel_lock(void *instance, const void *request, uint32_t request_size, void *reply,
                            uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_lock_request *asked = request;
    struct emu_allocation *allocation =
        emu_allocation_of(kernel, asked->hDevice, asked->hAllocation);
    struct emu_content *content;
    wcts_status status = WCTS_STATUS_SUCCESS;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (allocation == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    content = allocation->content;
    /* Document 000, ReadOnly: "the allocation can only be read". */
    if (asked->Write && (content->flags & EMU_CREATE_READ_ONLY))
        return WCTS_STATUS_ACCESS_DENIED;
    if (asked->Discard && !locked(content) && emu_content_in_use(kernel, content))
        status = emu_content_rename(kernel, content);
    if (wcts_succeeded(status) && allocation->locks == 0)
        status = make_view(kernel, allocation);
    if (!wcts_succeeded(status))
        return status;
    allocation->locks++;
    ((struct wcts_kernel_lock_reply *)reply)->Address = allocation->view;
    return WCTS_STATUS_SUCCESS;
}

void emu_view_end(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    struct emu_instance *instance;
    if (allocation->locks == 0)
        return;
    allocation->locks = 0;
    emu_user_view_end(kernel, allocation->view);
    instance = allocation->content->current;
    /* What is mapped into an aperture stays as it is mapped. */
    if (!locked(allocation->content) &&
        (instance->block.segment == NULL || emu_instance_in_memory(instance)))
        (void)emu_backing_part(kernel, &instance->backing, instance->block.segment == NULL);
}

wcts_status emu_kernel_unlock(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_allocation_request *asked = request;
    struct emu_allocation *allocation =
        emu_allocation_of(kernel, asked->hDevice, asked->hAllocation);
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (allocation == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (allocation->locks == 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (allocation->locks > 1)
        allocation->locks--;
    else
        emu_view_end(kernel, allocation);
    return WCTS_STATUS_SUCCESS;
}
