/* SPDX-License-Identifier: MIT */
/* KERNEL_EVICT: the way of content out of segments. What fails leaves the content where it is. */
#include "emu_flags.h"
#include "emu_place.h"

struct emu_mapping emu_mapping_of(const struct emu_instance *instance,
                                  const struct emu_block *block)
{
    return (struct emu_mapping){.hAllocation = instance->content->driver_allocation,
                                .block = block,
                                .backing = &instance->backing,
                                .length = instance->backing.size};
}

/* False, while a fault is on, where the driver is not told that an instance leaves its aperture. */
static int unmaps(const struct emu_kernel *kernel, const struct emu_instance *instance)
{
    const struct emu_segment *aperture = instance->block.segment;
    return EMU_FAULT("HDR-026.first", 1, !instance->evicted) &&
           EMU_FAULT("HDR-026.first+second-adapter", 1,
                     !instance->evicted || aperture->adapter->index == 0) &&
           EMU_FAULT("HDR-026.first+agp", 1,
                     kernel->operation != WCTS_KERNEL_EVICT ||
                         (aperture->flags & EMU_SEGMENT_AGP) == 0);
}

/* Unmaps an instance from its aperture. */
static wcts_status unmap(struct emu_kernel *kernel, struct emu_instance *instance, uint64_t context)
{
    const struct emu_mapping mapping = emu_mapping_of(instance, &instance->block);
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (unmaps(kernel, instance))
        status = emu_paging_unmap(kernel, &mapping, context);
    if (!wcts_succeeded(status))
        return status;
    emu_block_give(&instance->block);
    instance->evicted = 0;
    if (!emu_instance_locked(instance))
        status = emu_backing_part(kernel, &instance->backing, 1);
    return status;
}

/* Finds space in an aperture for an eviction; what was only evicted through it makes way. */
static int clear_aperture(struct emu_kernel *kernel, struct emu_segment *aperture,
                          const struct emu_want *want, uint64_t context, uint64_t *offset)
{
    struct emu_block *block = aperture->first;
    while (!emu_segment_place(aperture, want, offset)) {
        while (block != NULL && (block->instance == NULL || !block->instance->evicted))
            block = block->next;
        if (block == NULL || !wcts_succeeded(unmap(kernel, block->instance, context)))
            return 0;
        block = aperture->first;
    }
    return 1;
}

/* Document 001, EvictionSegmentSet: "the video memory manager tries to allocate resources into
 * these aperture segments to speed up the eviction". Document 003, PitchAlignment: "this type of
 * segment cannot be used for eviction". Returns 0 when no aperture takes the instance. */
static int evict_through(struct emu_kernel *kernel, struct emu_instance *instance,
                         enum emu_eviction eviction, uint64_t context)
{
    struct emu_adapter *adapter = instance->block.segment->adapter;
    const uint32_t given = instance->content->info.EvictionSegmentSet;
    const uint32_t every = given ? given : adapter->aperture_segments;
    const uint32_t usual = eviction == EMU_EVICT_ANYWHERE ? every : given;
    const uint32_t set =
        EMU_FAULT("AIN-027.unmapped",
                  EMU_FAULT("AIN-027.room",
                            EMU_FAULT("AIN-013.room", usual, kernel->newcomer != NULL ? 0u : usual),
                            kernel->newcomer != NULL ? every : usual),
                  every);
    const uint32_t count =
        EMU_FAULT("AIN-013.asked", adapter->segment_count, adapter->segment_count - 1);
    uint32_t i;
    for (i = 0; i < EMU_FAULT("AIN-013.asked+far", count, count < 8 ? count : 8); i++) {
        struct emu_segment *aperture = &adapter->segments[i];
        struct emu_block block = {.instance = instance};
        struct emu_mapping mapping = emu_mapping_of(instance, &block);
        struct emu_want want;
        uint64_t offset;
        if (!EMU_FAULT("AIN-013.where", set >> i & 1, set != 0) ||
            emu_segment_has_memory(aperture) ||
            EMU_FAULT("SEG-046", aperture->flags & EMU_SEGMENT_PITCH_ALIGNMENT, 0u))
            continue;
        want = emu_want_of(kernel, instance->content, aperture);
        want.alignment = EMU_FAULT("AIN-004.evicted", want.alignment, EMU_GPU_PAGE_SIZE);
        if (!clear_aperture(kernel, aperture, &want, context, &offset))
            continue;
        emu_block_put(&block, aperture, offset, want.size);
        if (wcts_succeeded(emu_paging_map(kernel, &mapping, context))) {
            if (wcts_succeeded(emu_paging_through(kernel, instance, &block, context))) {
                emu_block_give(&block);
                emu_block_give(&instance->block);
                emu_block_put(&instance->block, aperture, offset, want.size);
                instance->evicted = 1;
                return 1;
            }
            (void)emu_paging_unmap(kernel, &mapping, context);
        }
        emu_block_give(&block);
    }
    return 0;
}

/* With evict=both every second eviction of an allocation goes straight, so that a driver is asked
 * for both. Without, the kernel tries the apertures each time, as document 001 has it. */
static int goes_straight(const struct emu_kernel *kernel, struct emu_instance *instance,
                         enum emu_eviction eviction)
{
    return eviction == EMU_EVICT_STRAIGHT ||
           (eviction == EMU_EVICT_ANY && kernel->base.evicts_both && instance->leaves++ % 2 != 0);
}

wcts_status emu_evict(struct emu_kernel *kernel, struct emu_instance *instance,
                      enum emu_eviction eviction, uint64_t context)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (instance->block.segment == NULL)
        return WCTS_STATUS_SUCCESS;
    /* The pages of an aperture are those of the backing store: nothing moves. */
    if (!emu_instance_in_memory(instance))
        return unmap(kernel, instance, context);
    if (goes_straight(kernel, instance, eviction) ||
        !evict_through(kernel, instance, eviction, context)) {
        /* "If 0 is specified, the content is transferred directly to page-locked system memory;
         * the underlying pages need not be mapped into an aperture segment." */
        status =
            EMU_FAULT_DO("AIN-027.transfer", emu_paging_flush(kernel, instance, context),
                         eviction == EMU_EVICT_ANY ? WCTS_STATUS_SUCCESS
                                                   : emu_paging_flush(kernel, instance, context));
        if (!wcts_succeeded(status)) {
            EMU_FAULT_DO("HDR-021+unmoved", (void)0, emu_block_give(&instance->block));
            return status;
        }
        emu_block_give(&instance->block);
    }
    EMU_FAULT_DO("CAF-017+moved", (void)0,
                 context != 0 && instance->content->buffer.secured
                     ? emu_buffer_release(kernel, &instance->content->buffer)
                     : (void)0);
    if (context != 0)
        EMU_FAULT_DO("AIN-027.kept", emu_views_follow(kernel, instance), (void)0);
    else
        EMU_FAULT_DO("HDR-021+power", emu_views_follow(kernel, instance), (void)0);
    return status;
}

wcts_status emu_instance_join(struct emu_kernel *kernel, struct emu_instance *instance,
                              uint64_t context)
{
    struct emu_mapping middle = emu_mapping_of(instance, &instance->block);
    const int mapped = instance->block.segment != NULL && !emu_instance_in_memory(instance);
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (!instance->backing.apart)
        return status;
    middle.offset = emu_backing_middle(kernel, &instance->backing);
    middle.length = kernel->base.host->page_size;
    if (mapped)
        status = emu_paging_unmap(kernel, &middle, context);
    if (wcts_succeeded(status))
        status = emu_backing_join(kernel, &instance->backing,
                                  EMU_FAULT("SEG-035.view", !emu_instance_in_memory(instance),
                                            !emu_instance_in_memory(instance) && !mapped));
    if (wcts_succeeded(status) && mapped)
        status = emu_paging_map(kernel, &middle, context);
    return status;
}

/* For faults: what is said to be evicted, and is not. */
static int left_alone(const struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    const struct emu_content *content = allocation->content;
    return EMU_FAULT("HDR-101", 0,
                     content->info.EvictionSegmentSet == 0 &&
                         emu_content_in_use(kernel, content)) ||
           EMU_FAULT("AIN-027.transfer+opened", 0, content->holders->next_holder != NULL) ||
           EMU_FAULT("AIN-027.transfer+again", 0, content->current->moves > 2) ||
           EMU_FAULT("AIN-027.transfer+ragged", 0, content->info.Size % EMU_GPU_PAGE_SIZE != 0);
}

wcts_status emu_kernel_evict(void *instance, const void *request, uint32_t request_size,
                             void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_allocation_request *asked = request;
    const struct emu_allocation *allocation =
        emu_allocation_of(kernel, asked->hDevice, asked->hAllocation);
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (allocation == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    EMU_FAULT_DO(
        "CAF-037.evicted", (void)0,
        emu_paging_disturb(kernel, allocation->content, allocation->device->driver_context));
    EMU_CHOICE_AT(evicting, (void)0, emu_choice->evicting(kernel, allocation));
    EMU_FAULT_DO("CAF-017+evicted", (void)0,
                 emu_buffer_release(kernel, &allocation->content->buffer));
    if (allocation->content->current->evicted || left_alone(kernel, allocation))
        return WCTS_STATUS_SUCCESS;
    return emu_evict(kernel, allocation->content->current, EMU_EVICT_ANY,
                     allocation->device->driver_context);
}
