/* SPDX-License-Identifier: MIT */
/* Choices: their names, and what they do where an expression is not enough. */
#include "choice.h"

#include "emu_flags.h"
#include "emu_place.h"
#include "emu_submission.h"

#include <string.h>

const struct emu_choice *emu_choice;

static uint32_t space_of(const struct emu_segment *segment)
{
    return WCTS_SPACE(segment->adapter->index, segment->id);
}

static int is_from(const struct emu_kernel *kernel, uint32_t version)
{
    return kernel->base.host->interface_version >= version;
}

/* ---- who opens what ---- */

int emu_choice_opened(const struct emu_device *device, const struct emu_body *body)
{
    const struct emu_allocation *holder = body->contents != NULL ? body->contents->holders : NULL;
    for (; holder != NULL; holder = holder->next_holder)
        if (holder->device == device)
            return 1;
    return 0;
}

struct emu_body *emu_choice_body(const struct emu_kernel *kernel, const struct emu_device *device,
                                 uint64_t handle)
{
    const struct emu_resource *resource =
        emu_handle_object(&kernel->handles, handle, EMU_HANDLE_RESOURCE);
    if (resource == NULL || device == NULL)
        return NULL;
    return resource->device == device || (resource->body->flags & EMU_CREATE_RESTRICT_SHARED_ACCESS)
               ? resource->body
               : NULL;
}

/* ---- creating and destroying ---- */

/* Of all kernels: what one case gave is secured in those behind it, too. */
static uint64_t existing_memory; /* 0: none yet */

void emu_choice_remember(uint64_t address)
{
    existing_memory = address;
}

void emu_choice_secure(struct emu_kernel *kernel)
{
    uint64_t handle;
    if (existing_memory != 0)
        (void)emu_user_secure(kernel, existing_memory, 0x1000, &handle);
}

void emu_choice_page_in_all(struct emu_kernel *kernel, const struct emu_allocation *first)
{
    for (; first != NULL; first = first->next)
        if (first->content->driver_knows)
            (void)emu_page_in(kernel, first->device->adapter, first->content->current, 1,
                              first->device->driver_context);
}

const struct emu_content *emu_choice_tell_each(struct emu_kernel *kernel,
                                               const struct emu_content *first, emu_tell_fn *tell)
{
    while (first != NULL && first->next_doomed != NULL) {
        struct emu_content one = *first;
        one.next_doomed = NULL;
        tell(kernel, &one, NULL);
        first = first->next_doomed;
    }
    return first;
}

/* ---- the driver's answers ---- */

wcts_status emu_choice_ask_again(struct emu_kernel *kernel, wcts_status status,
                                 struct emu_reply *reply)
{
    const struct wcts_none none = {.size = sizeof(none)};
    return wcts_succeeded(status) ? emu_port_call(&kernel->base.port, WCTS_DRIVER_SEGMENTS, &none,
                                                  sizeof(none), 0, reply)
                                  : status;
}

/* Segments that the allocation can be paged into. */
static uint32_t page_in_segments(const struct emu_kernel *kernel,
                                 const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    return info->SupportedWriteSegmentSet |
           (is_from(kernel, EMU_WDDM_2_0) ? 0 : info->SupportedReadSegmentSet);
}

static int absent_segment(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                          const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    const uint32_t there =
        adapter->segment_count < 32 ? (1u << adapter->segment_count) - 1 : UINT32_MAX;
    uint32_t i, preferences = info->PreferredSegment;
    if ((page_in_segments(kernel, info) | info->EvictionSegmentSet) & ~there)
        return 1;
    for (i = 0; i < EMU_PREFERENCE_COUNT; i++, preferences >>= EMU_PREFERENCE_BITS)
        if ((preferences & EMU_PREFERENCE_ID) > adapter->segment_count)
            return 1;
    return 0;
}

static int no_segment(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                      const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    (void)adapter;
    return info->SupportedWriteSegmentSet == 0 ||
           (!is_from(kernel, EMU_WDDM_2_0) && info->SupportedReadSegmentSet == 0);
}

static int huge_size(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                     const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    (void)kernel, (void)adapter;
    return info->Size > UINT64_MAX - 0xFFFF;
}

static int zero_alignment(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                          const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    (void)kernel, (void)adapter;
    return info->Alignment == 0;
}

static int odd_alignment(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                         const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    (void)kernel, (void)adapter;
    return (info->Alignment & (info->Alignment - 1)) != 0;
}

static int unpitched_in_pitch(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                              const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    return info->PitchAlignedSize == 0 &&
           (page_in_segments(kernel, info) & adapter->pitch_segments);
}

static int no_banks(const struct emu_kernel *kernel, const struct emu_reply *reply,
                    const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment)
{
    (void)reply;
    return is_from(kernel, EMU_WDDM_2_0) && (segment->Flags & EMU_SEGMENT_USE_BANKING) &&
           segment->NbOfBanks == 0;
}

static int empty_bank(const struct emu_kernel *kernel, const struct emu_reply *reply,
                      const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment)
{
    const unsigned char *table =
        wcts_message_at(reply->data, reply->size, segment->pBankRangeTable, segment->NbOfBanks,
                        sizeof(struct wcts_bank_range));
    uint32_t i;
    if (!is_from(kernel, EMU_WDDM_2_0) || !(segment->Flags & EMU_SEGMENT_USE_BANKING) ||
        table == NULL)
        return 0;
    for (i = 0; i < segment->NbOfBanks; i++) {
        struct wcts_bank_range bank;
        memcpy(&bank, table + (size_t)i * sizeof(bank), sizeof(bank));
        if (bank.Length == 0 || bank.Start > segment->Size ||
            bank.Length > segment->Size - bank.Start)
            return 1;
    }
    return 0;
}

/* ---- paging ---- */

static void submit_held(struct emu_kernel *kernel)
{
    const struct wcts_driver_submit_request held = kernel->chosen.submit;
    kernel->chosen.submit.size = 0;
    if (held.size != 0)
        (void)emu_port_call(&kernel->base.port, WCTS_DRIVER_SUBMIT, &held, sizeof(held), 0, NULL);
}

wcts_status emu_choice_submit_late(struct emu_kernel *kernel,
                                   const struct wcts_driver_submit_request *submit)
{
    submit_held(kernel);
    kernel->chosen.submit = *submit;
    return WCTS_STATUS_SUCCESS;
}

static void release(struct emu_kernel *kernel)
{
    const struct wcts_driver_patch_request patch = kernel->chosen.patch;
    kernel->chosen.patch.size = 0;
    if (patch.size != 0)
        emu_paging_send(kernel, &patch, &kernel->chosen.submit);
}

void emu_choice_hold(struct emu_kernel *kernel, const struct wcts_driver_patch_request *patch,
                     const struct wcts_driver_submit_request *submit)
{
    release(kernel);
    kernel->chosen.patch = *patch;
    kernel->chosen.submit = *submit;
}

int emu_choice_begin(struct emu_paging_buffer *buffer)
{
    buffer->used = buffer->private_used = 0;
    return 1;
}

void emu_choice_give_buffer(struct emu_kernel *kernel, uint64_t buffer, uint64_t private_data)
{
    const struct emu_extent data = {private_data, 0x1000, 1};
    const struct emu_extent dma = {buffer, emu_choice->paging_buffer, 1};
    emu_memory_give(kernel, &data);
    emu_memory_give(kernel, &dma);
}

uint64_t emu_choice_run(uint64_t length)
{
    return length < emu_choice->run ? length : emu_choice->run;
}

int emu_choice_leave_out(const struct wcts_kernel_submit_request *asked)
{
    if (asked->AllocationCount != 1)
        return 0;
    ((struct wcts_kernel_submit_request *)asked)->AllocationCount = 0;
    return 1;
}

static void unmap_first(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                        uint64_t context, emu_page_fn *page)
{
    (void)page;
    (void)emu_paging_unmap(kernel, mapping, context);
}

static void fill_nothing(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                         uint64_t context, emu_page_fn *page)
{
    struct wcts_driver_paging_request fill = {.Operation = WCTS_PAGING_FILL,
                                              .hAllocation = mapping->hAllocation,
                                              .DestinationSegmentId =
                                                  space_of(mapping->block->segment),
                                              .DestinationAddress = mapping->block->offset};
    if (kernel->base.probe)
        (void)page(kernel, &fill, context);
}

static void unmap_in_memory(struct emu_kernel *kernel, const struct emu_instance *instance,
                            uint64_t context, emu_page_fn *page)
{
    const struct emu_mapping none = {.hAllocation = instance->content->driver_allocation,
                                     .block = &instance->block,
                                     .backing = &instance->backing,
                                     .length = instance->backing.size};
    (void)page;
    if (kernel->base.probe)
        (void)emu_paging_unmap(kernel, &none, context);
}

static void fill_before(struct emu_kernel *kernel, const struct emu_instance *instance,
                        uint64_t context, emu_page_fn *page)
{
    struct wcts_driver_paging_request fill = {.Operation = WCTS_PAGING_FILL,
                                              .hAllocation = instance->content->driver_allocation,
                                              .DestinationSegmentId =
                                                  space_of(instance->block.segment),
                                              .DestinationAddress = instance->block.offset,
                                              .TransferSize = instance->backing.size};
    if (kernel->base.probe)
        (void)page(kernel, &fill, context);
}

/* ---- paging in ---- */

/* True when the driver has the content, and it is in no segment. */
static int is_outside(const struct emu_content *content)
{
    return content->driver_knows && content->current->block.segment == NULL;
}

static void page_in_another(struct emu_kernel *kernel, const struct emu_allocation *allocation,
                            int write)
{
    struct emu_content *content = kernel->contents;
    (void)write;
    if (!(allocation->content->flags & EMU_CREATE_PHYSICALLY_CONTIGUOUS))
        return;
    for (; content != NULL; content = content->next)
        if (content != allocation->content && is_outside(content))
            (void)emu_page_in(kernel, content->adapter, content->current, 0, 0);
}

static void page_in_and_out(struct emu_kernel *kernel, const struct emu_allocation *allocation,
                            int write)
{
    struct emu_instance *instance = allocation->content->current;
    if ((allocation->content->flags & EMU_CREATE_PHYSICALLY_CONTIGUOUS) &&
        wcts_succeeded(emu_page_in(kernel, allocation->device->adapter, instance, write, 0)))
        (void)emu_evict(kernel, instance, EMU_EVICT_STRAIGHT, 0);
}

static void copy_another(struct emu_kernel *kernel, const struct emu_allocation *allocation,
                         int write)
{
    struct emu_content *content = kernel->contents;
    (void)write;
    for (; content != NULL; content = content->next)
        if (content != allocation->content && content->current->block.segment != NULL &&
            !emu_instance_in_memory(content->current) && !content->current->evicted)
            (void)emu_paging_fetch(kernel, content->current, 0);
}

static void move_into_aperture(struct emu_kernel *kernel, const struct emu_allocation *allocation,
                               int write)
{
    (void)write;
    if (emu_instance_in_memory(allocation->content->current))
        (void)emu_evict(kernel, allocation->content->current, EMU_EVICT_ANY, 0);
}

wcts_status emu_choice_place_twice(struct emu_kernel *kernel,
                                   const struct emu_allocation *allocation, int write)
{
    const struct emu_adapter *adapter = allocation->device->adapter;
    struct emu_instance *instance = allocation->content->current;
    struct emu_block first, hole = {0};
    wcts_status status;
    if (emu_instance_in_memory(instance) ||
        !wcts_succeeded(emu_page_in(kernel, adapter, instance, write, 0)) ||
        !emu_instance_in_memory(instance))
        return emu_page_in(kernel, adapter, instance, write, allocation->device->driver_context);
    first = instance->block;
    emu_block_give(&instance->block);
    emu_block_put(&hole, first.segment, first.offset, first.size);
    status = emu_page_in(kernel, adapter, instance, write, 0);
    emu_block_give(&hole);
    return status;
}

/* ---- evicting ---- */

/* An instance in memory that goes out through an aperture, other than this one; or NULL. */
static struct emu_instance *find_neighbour(const struct emu_adapter *adapter,
                                           const struct emu_instance *instance)
{
    uint32_t i;
    for (i = 0; i < adapter->segment_count; i++) {
        const struct emu_block *block = adapter->segments[i].first;
        for (; block != NULL; block = block->next)
            if (block->instance != NULL && block->instance != instance &&
                emu_instance_in_memory(block->instance) &&
                block->instance->content->info.EvictionSegmentSet != 0)
                return block->instance;
    }
    return NULL;
}

static void move_neighbour(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    const struct emu_adapter *adapter = allocation->device->adapter;
    struct emu_instance *moved = find_neighbour(adapter, allocation->content->current);
    if (moved != NULL && wcts_succeeded(emu_evict(kernel, moved, EMU_EVICT_ANY, 0)))
        (void)emu_page_in(kernel, adapter, moved, 1, 0);
}

static void page_in_others(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    struct emu_content *content = kernel->contents;
    for (; content != NULL; content = content->next)
        if (content != allocation->content && is_outside(content) &&
            content->info.SupportedWriteSegmentSet == 4)
            (void)emu_page_in(kernel, content->adapter, content->current, 1, 0);
}

static void evict_neighbours(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    struct emu_content *content = kernel->contents;
    for (; content != NULL; content = content->next)
        if (content != allocation->content && content->adapter == allocation->content->adapter &&
            emu_instance_in_memory(content->current))
            (void)emu_evict(kernel, content->current, EMU_EVICT_ANY, 0);
}

/* True for calls that move nothing of their own. */
static int moves_nothing(uint32_t operation)
{
    return operation == WCTS_KERNEL_PROCESS || operation == WCTS_KERNEL_ALLOCATION_CREATE ||
           operation == WCTS_KERNEL_VA_UPDATE || operation == WCTS_KERNEL_PREEMPT;
}

/* "A kernel that pages out of its own accord does so in another call, or later": of what is neither
 * locked nor in use by submitted work. */
static void page_out_idle(struct emu_kernel *kernel, uint32_t operation)
{
    struct emu_content *content = kernel->contents;
    struct emu_instance *instance;
    for (; content != NULL && moves_nothing(operation); content = content->next)
        for (instance = &content->original; instance != NULL; instance = instance->next)
            if (instance->block.segment != NULL && !instance->evicted &&
                instance->epoch != kernel->epoch && !emu_instance_locked(instance))
                (void)emu_evict(kernel, instance, EMU_EVICT_ANY, 0);
}

/* ---- power ---- */

uint64_t emu_choice_context(struct emu_kernel *kernel, const struct emu_instance *instance)
{
    const struct emu_allocation *holder = instance->content->holders;
    return kernel->chosen.turns++ % 2 && holder != NULL ? holder->device->driver_context : 0;
}

static void send_all(struct emu_kernel *kernel)
{
    struct emu_submission *submission = kernel->submissions;
    for (; submission != NULL; submission = submission->next)
        (void)emu_submission_send(kernel, submission);
}

static void send_before(struct emu_kernel *kernel, uint32_t state)
{
    if (state != WCTS_POWER_ON)
        send_all(kernel);
}

static void send_behind(struct emu_kernel *kernel, uint32_t state)
{
    if (state == WCTS_POWER_ON)
        send_all(kernel);
}

static void restore(struct emu_kernel *kernel, uint32_t state)
{
    struct emu_content *content = kernel->contents;
    for (; content != NULL && state == WCTS_POWER_ON; content = content->next)
        if (is_outside(content) && content->holders != NULL)
            (void)emu_page_in(kernel, content->adapter, content->current, 1,
                              content->holders->device->driver_context);
}

static void compact(struct emu_kernel *kernel, uint32_t state)
{
    struct emu_content *content = kernel->contents;
    for (; content != NULL && state != WCTS_POWER_ON; content = content->next) {
        struct emu_instance *instance = content->current;
        struct emu_segment *segment = instance->block.segment;
        const struct emu_want want = {.size = instance->block.size,
                                      .alignment = kernel->base.host->page_size};
        struct emu_block to = {.instance = instance};
        uint64_t offset;
        int moved;
        if (!emu_instance_in_memory(instance) || !emu_segment_place(segment, &want, &offset))
            continue;
        emu_block_put(&to, segment, offset, want.size);
        moved = wcts_succeeded(emu_paging_through(kernel, instance, &to, 0));
        emu_block_give(&to);
        if (!moved)
            continue;
        emu_block_give(&instance->block);
        emu_block_put(&instance->block, segment, offset, want.size);
        emu_views_follow(kernel, instance);
    }
}

/* ---- the table ---- */

const struct emu_choice emu_choices[EMU_CHOICE_COUNT] = {
    [EMU_CHOICE_OWN_SHARE_REFUSED] = {.name = "own-share-refused"},
    [EMU_CHOICE_RESOURCE_OPENED] = {.name = "resource-opened"},
    [EMU_CHOICE_SIZE_ALONE_TAKEN] = {.name = "size-alone-taken"},
    [EMU_CHOICE_SECTION_KIND] = {.name = "section-kind"},
    [EMU_CHOICE_WORK_BEFORE_POWER_GOES] = {.name = "work-before-power-goes", .power = send_before},
    [EMU_CHOICE_PAGING_BUFFER_ANEW] = {.name = "paging-buffer-anew",
                                       .paging_buffer = 0x4000,
                                       .least_room = 0x1000},
    [EMU_CHOICE_PAGING_SUBMITTED_LATE] = {.name = "paging-submitted-late",
                                          .run = 0x8000,
                                          .built = submit_held},
    [EMU_CHOICE_MOVES_ANOTHER_BESIDE] = {.name = "moves-another-beside",
                                         .evicting = move_neighbour},
    [EMU_CHOICE_UNMAPS_BEFORE_IT_MAPS] = {.name = "unmaps-before-it-maps", .mapping = unmap_first},
    [EMU_CHOICE_PAGES_IN_ANOTHER] = {.name = "pages-in-another", .paging_in = page_in_another},
    [EMU_CHOICE_PAGE_BY_PAGE] = {.name = "page-by-page", .run = 0x8000},
    [EMU_CHOICE_PAGES_IN_TWICE] = {.name = "pages-in-twice", .paging_in = page_in_and_out},
    [EMU_CHOICE_BANK_IN_ANY_SEGMENT] = {.name = "bank-in-any-segment"},
    [EMU_CHOICE_SHORT_COMMANDS_GET_MORE] = {.name = "short-commands-get-more"},
    [EMU_CHOICE_WORK_WHEN_POWER_COMES] = {.name = "work-when-power-comes", .power = send_behind},
    [EMU_CHOICE_PAGES_IN_WHEN_EVICTING] = {.name = "pages-in-when-evicting",
                                           .evicting = page_in_others},
    [EMU_CHOICE_FILLS_NOTHING_FIRST] = {.name = "fills-nothing-first", .mapping = fill_nothing},
    [EMU_CHOICE_RESTORES_IN_A_CONTEXT] = {.name = "restores-in-a-context", .power = restore},
    [EMU_CHOICE_BUFFERS_FROM_ONE_POOL] = {.name = "buffers-from-one-pool",
                                          .paging_buffer = 0x8000,
                                          .private_data = 0x800,
                                          .least_room = 0x400},
    [EMU_CHOICE_RENDERS_WITHOUT_IT] = {.name = "renders-without-it"},
    [EMU_CHOICE_SECTIONS_UNCHECKED] = {.name = "sections-unchecked"},
    [EMU_CHOICE_SECURES_FOR_ITSELF] = {.name = "secures-for-itself"},
    [EMU_CHOICE_COPIES_ANOTHER_IN_PLACE] = {.name = "copies-another-in-place",
                                            .paging_in = copy_another},
    [EMU_CHOICE_MOVES_INTO_ITS_APERTURE] = {.name = "moves-into-its-aperture",
                                            .paging_in = move_into_aperture},
    [EMU_CHOICE_UNMAPS_IN_MEMORY] = {.name = "unmaps-in-memory", .transfer = unmap_in_memory},
    [EMU_CHOICE_ROUNDS_TO_64K] = {.name = "rounds-to-64k", .rounding = 0x10000},
    [EMU_CHOICE_ROUNDS_TO_128K] = {.name = "rounds-to-128k", .rounding = 0x20000},
    [EMU_CHOICE_NEIGHBOURS_LEAVE_TOO] = {.name = "neighbours-leave-too",
                                         .evicting = evict_neighbours},
    [EMU_CHOICE_COMPACTS_WHEN_POWER_GOES] = {.name = "compacts-when-power-goes", .power = compact},
    [EMU_CHOICE_SOME_POWER_WORK_IN_CONTEXTS] = {.name = "some-power-work-in-contexts"},
    [EMU_CHOICE_PLACED_TWICE] = {.name = "placed-twice"},
    [EMU_CHOICE_ABSENT_SEGMENTS_REFUSED] = {.name = "absent-segments-refused",
                                            .refuses = absent_segment},
    [EMU_CHOICE_NO_SEGMENT_REFUSED] = {.name = "no-segment-refused", .refuses = no_segment},
    [EMU_CHOICE_HUGE_SIZE_REFUSED] = {.name = "huge-size-refused", .refuses = huge_size},
    [EMU_CHOICE_ZERO_ALIGNMENT_REFUSED] = {.name = "zero-alignment-refused",
                                           .refuses = zero_alignment},
    [EMU_CHOICE_ODD_ALIGNMENT_REFUSED] = {.name = "odd-alignment-refused",
                                          .refuses = odd_alignment},
    [EMU_CHOICE_UNPITCHED_IN_PITCH_REFUSED] = {.name = "unpitched-in-pitch-refused",
                                               .refuses = unpitched_in_pitch},
    [EMU_CHOICE_BANKS_FROM_2_0_REFUSED] = {.name = "banks-from-2-0-refused",
                                           .refuses_segment = no_banks},
    [EMU_CHOICE_EMPTY_BANKS_REFUSED] = {.name = "empty-banks-refused",
                                        .refuses_segment = empty_bank},
    [EMU_CHOICE_HUGE_HANDLES] = {.name = "huge-handles"},
    [EMU_CHOICE_PLACED_FROM_THE_END] = {.name = "placed-from-the-end"},
    [EMU_CHOICE_LAST_SEGMENTS_FIRST] = {.name = "last-segments-first"},
    [EMU_CHOICE_NEWEST_LEAVE_FIRST] = {.name = "newest-leave-first"},
    [EMU_CHOICE_SEGMENTS_ASKED_TWICE] = {.name = "segments-asked-twice"},
    [EMU_CHOICE_PAGED_IN_WHEN_CREATED] = {.name = "paged-in-when-created"},
    [EMU_CHOICE_EVICTED_WHEN_LOCKED] = {.name = "evicted-when-locked"},
    [EMU_CHOICE_NEVER_ZEROED_BEFORE_2_6] = {.name = "never-zeroed-before-2-6"},
    [EMU_CHOICE_FENCES_DESCEND] = {.name = "fences-descend"},
    [EMU_CHOICE_FILLED_BEFORE_CONTENT_COMES] = {.name = "filled-before-content-comes",
                                                .transfer = fill_before},
    [EMU_CHOICE_DESTROYED_ONE_BY_ONE] = {.name = "destroyed-one-by-one"},
    [EMU_CHOICE_OTHER_HALF_LEAVES] = {.name = "other-half-leaves"},
    [EMU_CHOICE_PAGING_BUILT_AHEAD] = {.name = "paging-built-ahead",
                                       .run = 0x8000,
                                       .built = release},
    [EMU_CHOICE_HIDDEN_PRIMARY_REFUSED] = {.name = "hidden-primary-refused"},
    [EMU_CHOICE_PAGES_OUT_IN_OTHER_CALLS] = {.name = "pages-out-in-other-calls",
                                             .calling = page_out_idle},
};

const struct emu_choice *emu_choice_find(const char *name, size_t length)
{
    size_t i;
    for (i = 0; i < EMU_CHOICE_COUNT; i++)
        if (strlen(emu_choices[i].name) == length && memcmp(emu_choices[i].name, name, length) == 0)
            return &emu_choices[i];
    return NULL;
}
