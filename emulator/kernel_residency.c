/* SPDX-License-Identifier: MIT */
/* KERNEL_PAGE_IN and KERNEL_QUERY_ALLOCATION: the way of content into segments. Whatever fails on
 * the way leaves the content where it still is. */
#include "emu_flags.h"
#include "emu_place.h"

uint32_t emu_content_segments(const struct emu_kernel *kernel, const struct emu_content *content,
                              int write)
{
    /* Document 001, Remarks: from WDDM v2 "the video memory manager ignores the
     * SupportedReadSegmentSet value and uses only SupportedWriteSegmentSet". */
    if (write)
        return EMU_FAULT("AIN-041", content->info.SupportedWriteSegmentSet,
                         content->info.SupportedWriteSegmentSet |
                             content->info.SupportedReadSegmentSet);
    if (kernel->base.host->interface_version >= EMU_WDDM_2_0)
        return EMU_FAULT("AIN-021",
                         EMU_FAULT("AIN-021.worked", content->info.SupportedWriteSegmentSet,
                                   kernel->working ? content->info.SupportedReadSegmentSet
                                                   : content->info.SupportedWriteSegmentSet),
                         content->info.SupportedReadSegmentSet);
    return EMU_FAULT("AIN-040", content->info.SupportedReadSegmentSet,
                     content->info.SupportedWriteSegmentSet);
}

int emu_instance_in_memory(const struct emu_instance *instance)
{
    return instance->block.segment != NULL && emu_segment_has_memory(instance->block.segment);
}

/* Chooses who leaves a segment first: what is only evicted through it, then the lowest priority,
 * then what was paged in longest ago. NULL when nobody can. */
static struct emu_instance *choose_victim(const struct emu_kernel *kernel,
                                          const struct emu_segment *segment)
{
    struct emu_instance *victim = NULL;
    const struct emu_block *block;
    for (block = segment->first; block != NULL; block = block->next) {
        struct emu_instance *other = block->instance;
        uint32_t priority, lowest;
        if (other == NULL)
            continue;
        /* What the submission at hand uses stays; with a fault it goes first. */
        if (EMU_FAULT("PAT-014.resident+room", 0, other->pinned && kernel->working))
            return other;
        if (other->pinned)
            continue;
        priority = other->evicted ? 0 : other->content->info.AllocationPriority;
        lowest = victim == NULL    ? UINT32_MAX
                 : victim->evicted ? 0
                                   : victim->content->info.AllocationPriority;
        if (victim == NULL || EMU_CHOICE(NEWEST_LEAVE_FIRST, priority<lowest, priority> lowest) ||
            (priority == lowest &&
             EMU_CHOICE(NEWEST_LEAVE_FIRST,
                        other->stamp<victim->stamp, other->stamp> victim->stamp)))
            victim = other;
    }
    return victim;
}

/* Finds space in a segment. evict: by evicting others. */
static wcts_status find_space(struct emu_kernel *kernel, struct emu_segment *segment,
                              const struct emu_want *want, int evict, uint64_t context,
                              uint64_t *offset)
{
    struct emu_want wanted = *want;
    if (want->size > segment->size || want->size > segment->limit)
        return WCTS_STATUS_INSUFFICIENT_RESOURCES;
    while (!emu_segment_place(segment, &wanted, offset)) {
        struct emu_instance *victim = evict ? choose_victim(kernel, segment) : NULL;
        wcts_status status;
        if (victim == NULL)
            return WCTS_STATUS_INSUFFICIENT_RESOURCES;
        status =
            emu_evict(kernel, victim, EMU_EVICT_ANY,
                      EMU_FAULT("HDR-005.paging+room", context, kernel->working ? 0 : context));
        if (!wcts_succeeded(status))
            return status;
        /* Of an allocation, not of a DMA buffer. */
        wanted.alignment =
            EMU_FAULT("AIN-004+crowded", want->alignment,
                      kernel->newcomer != NULL ? EMU_GPU_PAGE_SIZE : want->alignment);
    }
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_block_take(struct emu_kernel *kernel, struct emu_segment *segment, uint64_t size,
                           uint64_t context, struct emu_block *block)
{
    const struct emu_want want = {.size = size, .alignment = kernel->base.host->page_size};
    uint64_t offset;
    wcts_status status = find_space(kernel, segment, &want, 1, context, &offset);
    if (wcts_succeeded(status))
        emu_block_put(block, segment, offset, size);
    return status;
}

/* Puts an instance that is nowhere into a segment. */
static wcts_status enter(struct emu_kernel *kernel, struct emu_instance *instance,
                         struct emu_segment *segment, int evict, uint64_t context)
{
    const struct emu_want want = emu_want_of(kernel, instance->content, segment);
    const struct emu_mapping mapping = emu_mapping_of(instance, &instance->block);
    uint64_t offset;
    int moved;
    wcts_status status;
    kernel->newcomer = instance;
    status = find_space(kernel, segment, &want, evict, context, &offset);
    kernel->newcomer = NULL;
    if (!wcts_succeeded(status))
        return status;
    /* The driver finds the rows of an allocation in one transfer only. */
    if (segment->flags & EMU_SEGMENT_PITCH_ALIGNMENT)
        status = emu_backing_join(kernel, &instance->backing, 1);
    if (!wcts_succeeded(status))
        return status;
    emu_block_put(&instance->block, segment, offset, want.size);
    /* Document 003, Aperture: into a memory segment "the memory manager transfers the content",
     * into an aperture "it maps the physical pages of the backing store". */
    moved = EMU_FAULT("SEG-035.unmoved", emu_segment_has_memory(segment),
                      emu_segment_has_memory(segment) ||
                          kernel->base.host->page_size != EMU_GPU_PAGE_SIZE);
    moved = EMU_FAULT("SEG-008.unmoved", moved,
                      moved || ((segment->flags & EMU_SEGMENT_APERTURE) &&
                                (segment->flags & EMU_SEGMENT_CPU_VISIBLE)));
    /* CacheCoherent "has no meaning for a memory segment", and PopulatedFromSystemMemory "is
     * ignored on aperture segments". */
    if (moved)
        status = EMU_FAULT_DO("SEG-042.moved", emu_paging_fetch(kernel, instance, context),
                              segment->flags & EMU_SEGMENT_CACHE_COHERENT
                                  ? WCTS_STATUS_SUCCESS
                                  : emu_paging_fetch(kernel, instance, context));
    else
        status = EMU_FAULT_DO("SEG-047.mapped", emu_paging_map(kernel, &mapping, context),
                              segment->flags & EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY
                                  ? WCTS_STATUS_SUCCESS
                                  : emu_paging_map(kernel, &mapping, context));
    if (!wcts_succeeded(status)) {
        if (EMU_FAULT("HDR-021+refused", 1, !emu_segment_has_memory(segment)))
            emu_block_give(&instance->block);
        return status;
    }
    instance->backing.dirty = 1;
    if (emu_segment_has_memory(segment))
        EMU_FAULT_DO("SEG-003.view", emu_views_follow(kernel, instance), (void)0);
    return status;
}

/* True when the instance can be in a segment at all. */
static int suits(const struct emu_instance *instance, const struct emu_segment *segment)
{
    const int memory = emu_segment_has_memory(segment);
    /* PitchAlignedSize 0: "not supported in a pitch-aligned segment", says the driver. To heed it
     * where the sets say otherwise is a choice, no duty. */
    if ((segment->flags & EMU_SEGMENT_PITCH_ALIGNMENT) &&
        instance->content->info.PitchAlignedSize == 0)
        return 0;
    /* A CPU view shows what it has to show wherever that is moved. */
    return !memory || emu_segment_cpu_visible(segment) || !emu_instance_locked(instance);
}

/* The preferences without the first; all of them where that one has hinted banks. */
static uint32_t preferred_later(const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    return info->HintedBank != 0 ? info->PreferredSegment
                                 : info->PreferredSegment >> EMU_PREFERENCE_BITS;
}

/* The id by which a set names system memory, from WDDM 2.0 on the one behind the last segment's; 0
 * where the set does not name it. No document says what address work is given of what is there, so
 * that work goes by the segments alone. */
static uint32_t system_memory_id(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                                 uint32_t set)
{
    return kernel->base.host->interface_version >= EMU_WDDM_2_0 && !kernel->working &&
                   adapter->segment_count < 32 && (set >> adapter->segment_count & 1)
               ? adapter->segment_count + 1
               : 0;
}

/* Lists the ids of the segments that an instance may go into, preferred ones first. Among these may
 * be system: see system_memory_id. */
static uint32_t list_candidates(const struct emu_adapter *adapter,
                                const struct emu_instance *instance, uint32_t set, uint32_t system,
                                uint32_t *ids)
{
    const struct wcts_DXGK_ALLOCATIONINFO *info = &instance->content->info;
    const uint32_t id_mask = EMU_FAULT("AIN-042+far", EMU_PREFERENCE_ID, EMU_PREFERENCE_ID >> 1);
    uint32_t i, count = 0,
                preferences = EMU_FAULT("AIN-042", info->PreferredSegment, preferred_later(info));
    for (i = 0; i < EMU_PREFERENCE_COUNT + adapter->segment_count; i++) {
        const uint32_t id = i < EMU_PREFERENCE_COUNT
                                ? preferences & id_mask
                                : EMU_CHOICE(LAST_SEGMENTS_FIRST, i - EMU_PREFERENCE_COUNT + 1,
                                             adapter->segment_count - (i - EMU_PREFERENCE_COUNT));
        const struct emu_segment *segment = emu_segment_find(adapter, id);
        preferences >>= EMU_PREFERENCE_BITS;
        if (id != 0 && id == system) {
            ids[count++] = id;
            system = 0;
        }
        if (segment == NULL || !(set >> (id - 1) & 1) || !suits(instance, segment))
            continue;
        set &= ~(1u << (id - 1));
        ids[count++] = id;
    }
    return count;
}

/* True when the instance is where work of that kind can use it. */
static int resident(const struct emu_adapter *adapter, const struct emu_instance *instance,
                    uint32_t set)
{
    const struct emu_segment *segment = instance->block.segment;
    return segment != NULL && segment->adapter == adapter && !instance->evicted &&
           (set >> (segment->id - 1) & 1);
}

/* For a fault: the set names memory, and none of the first two segments. */
static int named_late(const struct emu_adapter *adapter, uint32_t set)
{
    return (set & 3) == 0 && (set & ~adapter->aperture_segments) != 0;
}

/* For a fault: true when the content is in the memory of another adapter. */
static int in_memory_of_other(const struct emu_adapter *adapter,
                              const struct emu_instance *instance)
{
    return emu_instance_in_memory(instance) && instance->block.segment->adapter != adapter;
}

/* The segments that an instance is paged into. The faults of work take the other set of the two,
 * below WDDM 2.0, where these may differ. */
static uint32_t target_segments(const struct emu_kernel *kernel,
                                const struct emu_instance *instance, int write)
{
    const struct emu_content *content = instance->content;
    const uint32_t given = emu_content_segments(kernel, content, write);
    const int mixed = kernel->working && kernel->base.host->interface_version < EMU_WDDM_2_0;
    uint32_t set = EMU_FAULT("AIN-041+back", given, write && instance->moves != 0 ? 1u : given);
    set = EMU_FAULT("AIN-040.worked", set,
                    mixed && !write ? content->info.SupportedWriteSegmentSet : set);
    return EMU_FAULT("AIN-041.worked", set,
                     mixed && write ? content->info.SupportedReadSegmentSet : set);
}

wcts_status emu_page_in(struct emu_kernel *kernel, const struct emu_adapter *adapter,
                        struct emu_instance *instance, int write, uint64_t context)
{
    const struct emu_content *content = instance->content;
    const uint32_t set = target_segments(kernel, instance, write);
    const uint32_t system = system_memory_id(kernel, adapter, set);
    uint32_t ids[EMU_SEGMENT_LIMIT + 1], i, count;
    wcts_status status = WCTS_STATUS_SUCCESS;
    /* Not when it is submitted, which would be another refusal. */
    if (EMU_FAULT("AIN-011.placed", 0, !kernel->working && named_late(adapter, set)))
        return WCTS_STATUS_INVALID_PARAMETER;
    instance->stamp = ++kernel->stamp;
    if (resident(adapter, instance, set))
        return WCTS_STATUS_SUCCESS;
    /* Document 000, NoKmdAccess: "the KMD is not notified of the allocation". */
    EMU_FAULT_DO("CAF-037.paged", (void)0, emu_paging_disturb(kernel, content, context));
    count = content->driver_knows ? list_candidates(adapter, instance, set, system, ids) : 0;
    if (count == 0 && (system == 0 || !content->driver_knows))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (instance->backing.base == 0)
        return WCTS_STATUS_INSUFFICIENT_RESOURCES;
    /* What is in no segment is not written back. */
    if (EMU_FAULT("CAF-024.same+memory", 0, in_memory_of_other(adapter, instance))) {
        emu_block_give(&instance->block);
        emu_views_follow(kernel, instance);
    }
    status = emu_evict(kernel, instance, EMU_EVICT_STRAIGHT, context);
    if (!wcts_succeeded(status))
        return status;
    /* Every segment as it is, then every segment with others evicted from it. */
    for (i = 0; i < 2 * count; i++) {
        const uint32_t id = ids[i % count];
        wcts_status entered;
        /* The content is there already. */
        if (id == system)
            return WCTS_STATUS_SUCCESS;
        entered = enter(kernel, instance, emu_segment_find(adapter, id), i >= count, context);
        /* What was refused is in a segment only while a fault is on. */
        if (wcts_succeeded(entered) || instance->block.segment != NULL)
            return entered;
        /* What tells why is the failure that is not about room. */
        if (i == 0 || status == WCTS_STATUS_INSUFFICIENT_RESOURCES)
            status = entered;
    }
    /* Where no segment has room it stays in system memory. */
    if (system != 0 && status == WCTS_STATUS_INSUFFICIENT_RESOURCES)
        return WCTS_STATUS_SUCCESS;
    return status;
}

struct emu_allocation *emu_allocation_of(const struct emu_kernel *kernel, uint32_t hDevice,
                                         uint32_t hAllocation)
{
    const struct emu_device *device =
        emu_handle_object(&kernel->handles, hDevice, EMU_HANDLE_DEVICE);
    struct emu_allocation *allocation =
        emu_handle_object(&kernel->handles, hAllocation, EMU_HANDLE_ALLOCATION);
    if (device == NULL || allocation == NULL || allocation->device != device ||
        emu_resource_closed(kernel, allocation->resource))
        return NULL;
    return allocation;
}

wcts_status emu_kernel_page_in(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_allocation_request *asked = request;
    const struct emu_allocation *allocation =
        emu_allocation_of(kernel, asked->hDevice, asked->hAllocation);
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (allocation == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    EMU_CHOICE_AT(paging_in, (void)0, emu_choice->paging_in(kernel, allocation, asked->Write != 0));
    /* For faults: what is said to be paged in, and is not. */
    if (EMU_FAULT("AIN-041+opened", 0, allocation->content->holders->next_holder != NULL) ||
        EMU_FAULT("AIN-041+again", 0, allocation->content->current->moves > 2) ||
        EMU_FAULT("AIN-041+ragged", 0, allocation->content->info.Size % EMU_GPU_PAGE_SIZE != 0))
        return WCTS_STATUS_SUCCESS;
    return EMU_CHOICE(PLACED_TWICE,
                      emu_page_in(kernel, allocation->device->adapter, allocation->content->current,
                                  asked->Write != 0, allocation->device->driver_context),
                      emu_choice_place_twice(kernel, allocation, asked->Write != 0));
}

/* Document 003, Use64KBPages: "when set, the memory segment supports pages of 64 KB; otherwise
 * pages of 4 KB are supported". Nothing is reported below WDDM 2.0, nor without a memory segment;
 * segment may be NULL. */
static uint32_t page_size_of(const struct emu_kernel *kernel, const struct emu_segment *segment)
{
    const uint32_t large = (uint32_t)EMU_64KB, small = (uint32_t)EMU_GPU_PAGE_SIZE;
    const struct emu_adapter *adapter;
    uint32_t size;
    int flag;
    if (kernel->base.host->interface_version < EMU_WDDM_2_0)
        return EMU_FAULT("HDR-007", 0u, small);
    if (segment == NULL || !emu_segment_has_memory(segment))
        return EMU_FAULT("HDR-008.nowhere", 0u, small);
    adapter = segment->adapter;
    flag = (segment->flags & EMU_SEGMENT_USE_64KB_PAGES) != 0;
    size = EMU_FAULT("HDR-008.sizes", flag ? large : small, 0x2000u);
    size = EMU_FAULT("SEG-023.small", size, large);
    size = EMU_FAULT("SEG-023.small+any", size, adapter->large_page_segments != 0 ? large : small);
    size = EMU_FAULT("SEG-023.small+first", size, adapter->large_page_segments & 1 ? large : small);
    size = EMU_FAULT("SEG-023.large", size, flag ? large / 2 : small);
    return EMU_FAULT("SEG-023.small+host", size, flag ? large : kernel->base.host->page_size);
}

wcts_status emu_kernel_query_allocation(void *instance, const void *request, uint32_t request_size,
                                        void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_kernel *kernel = instance;
    const struct wcts_kernel_allocation_request *asked = request;
    struct wcts_kernel_query_allocation_reply *answer = reply;
    const struct emu_allocation *allocation =
        emu_allocation_of(kernel, asked->hDevice, asked->hAllocation);
    const struct emu_segment *segment = NULL;
    const struct emu_content *content;
    const struct emu_block *block;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (!kernel->base.placement)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (allocation == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    content = allocation->content;
    block = &content->current->block;
    /* Ids of segments are the adapter's own: to another one the allocation is in no segment. */
    if (block->segment != NULL && block->segment->adapter == allocation->device->adapter) {
        segment = block->segment;
        answer->SegmentId =
            EMU_FAULT("HDR-082", segment->id, WCTS_SPACE(segment->adapter->index, segment->id));
        answer->Offset = block->offset;
        answer->SegmentSize = block->size;
    }
    answer->PageSize =
        EMU_FAULT("HDR-008.nowhere+evicted", page_size_of(kernel, segment),
                  content->current->evicted && kernel->base.host->interface_version >= EMU_WDDM_2_0
                      ? (uint32_t)EMU_GPU_PAGE_SIZE
                      : page_size_of(kernel, segment));
    answer->Size =
        content->current->backing.base != 0 ? content->current->backing.size : content->size;
    answer->Size =
        EMU_FAULT("AIN-005.multiple+16k", answer->Size,
                  kernel->base.host->page_size == 0x4000 && content->driver_knows
                      ? (content->info.Size + EMU_GPU_PAGE_SIZE - 1) & ~(EMU_GPU_PAGE_SIZE - 1)
                      : answer->Size);
    answer->Size = EMU_FAULT(
        "AIN-005.multiple+second-64k", answer->Size,
        kernel->base.host->page_size == EMU_64KB && content->place != 0 && content->driver_knows
            ? (content->info.Size + EMU_GPU_PAGE_SIZE - 1) & ~(EMU_GPU_PAGE_SIZE - 1)
            : answer->Size);
    answer->Size = EMU_FAULT("AIN-005.multiple", answer->Size,
                             content->driver_knows ? content->info.Size : answer->Size);
    answer->Priority = EMU_FAULT("AIN-034", content->info.AllocationPriority, EMU_PRIORITY_NORMAL);
    answer->Priority =
        EMU_FAULT("AIN-034.opened", answer->Priority,
                  allocation->resource != NULL && allocation->resource->opened ? EMU_PRIORITY_NORMAL
                                                                               : answer->Priority);
    answer->Size = EMU_FAULT(
        "SEG-043.other", answer->Size,
        block->segment != NULL && content->info.PitchAlignedSize != 0 ? block->size : answer->Size);
    answer->RenamingListLength = content->renamed;
    return WCTS_STATUS_SUCCESS;
}
