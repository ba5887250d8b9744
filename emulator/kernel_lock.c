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

static int in_aperture(const struct emu_instance *instance)
{
    const struct emu_segment *segment = instance->block.segment;
    return segment != NULL && (segment->flags & EMU_SEGMENT_APERTURE);
}

/* Document 003, CpuVisible: "no meaning for an aperture segment". */
static int in_visible_aperture(const struct emu_instance *instance)
{
    return in_aperture(instance) && (instance->block.segment->flags & EMU_SEGMENT_CPU_VISIBLE);
}

/* Fills in where the content of an instance is for the CPU. */
static void show(const struct emu_instance *instance, struct wcts_machine_view_request *request)
{
    const struct emu_block *block = &instance->block;
    request->size = sizeof(*request);
    /* Only a fault makes a copy: the memory that exists already is the content. */
    request->Address =
        instance->content->copy.base != 0 ? instance->content->copy.base : instance->backing.base;
    request->Length = instance->backing.size;
    request->Address +=
        EMU_FAULT("CAF-024.back+far", UINT64_C(0),
                  block->segment != NULL && block->segment->adapter != instance->content->adapter
                      ? EMU_GPU_PAGE_SIZE
                      : 0);
    if ((EMU_FAULT("SEG-008.set", 1, !in_visible_aperture(instance)) &&
         EMU_FAULT("SEG-056.seen", !emu_instance_in_memory(instance),
                   !emu_instance_in_memory(instance) && !in_agp(instance))) ||
        EMU_FAULT("SEG-009.view", 0, block->offset != 0))
        return;
    /* Document 003, CpuVisible: "accessible to the processor at the address that
     * CpuTranslatedAddress specifies". */
    request->Space = WCTS_SPACE_CPU;
    request->Address =
        block->segment->cpu_address +
        EMU_FAULT("SEG-009.seen+far", EMU_FAULT("SEG-009.seen", block->offset, UINT64_C(0)),
                  block->offset & 0xFFFF);
}

/* Document 000: MEM_ROTATE, "if the allocation may be in VRAM". */
static uint32_t view_attributes(const struct emu_kernel *kernel,
                                const struct emu_allocation *allocation)
{
    const struct emu_content *content = allocation->content;
    const struct emu_adapter *adapter = allocation->device->adapter;
    const int from = kernel->base.host->interface_version >= EMU_WDDM_2_0;
    const uint32_t written = emu_content_segments(kernel, content, 1);
    const uint32_t read = emu_content_segments(kernel, content, 0);
    const uint32_t set = EMU_FAULT("HDR-102", read | written, from ? read | written : written);
    uint32_t i;
    if (EMU_FAULT("CAF-015.opened", 0, allocation->next_holder != NULL) ||
        EMU_FAULT("HDR-103", 0, from && content->standard))
        return 0;
    for (i = 0; i < adapter->segment_count; i++)
        if (EMU_FAULT("CAF-015.mixed", (set >> i & 1) != 0, set == 1u << i) &&
            emu_segment_has_memory(&adapter->segments[i]))
            return EMU_FAULT("CAF-015.view", (uint32_t)WCTS_REGION_MEM_ROTATE, 0u);
    return 0;
}

void emu_views_follow(struct emu_kernel *kernel, const struct emu_instance *instance)
{
    const struct emu_allocation *holder;
    if (!emu_instance_locked(instance))
        return;
    for (holder = instance->content->holders; holder != NULL; holder = holder->next_holder) {
        struct wcts_machine_view_request request = {.View = holder->view};

        if (holder->locks == 0 || holder->view == 0 ||
            EMU_FAULT("HDR-021+submit", 0, kernel->operation == WCTS_KERNEL_SUBMIT) ||
            EMU_FAULT("HDR-021+standby-twice", 0,
                      holder->locks > 1 && kernel->powering == WCTS_POWER_STANDBY) ||
            EMU_FAULT("HDR-021+slept", 0,
                      kernel->operation == WCTS_KERNEL_PAGE_IN && instance->block.segment != NULL &&
                          instance->block.segment->adapter->slept) ||
            EMU_FAULT("SEG-038.seen+stale", 0, holder->alternate) ||
            EMU_FAULT("CAF-005.same+moved", 0, holder != instance->content->holders) ||
            EMU_FAULT("HDR-021+second", 0, instance->content->place != 0))
            continue;
        request.Attributes = view_attributes(kernel, holder);
        show(instance, &request);
        if (!wcts_succeeded(emu_user_view(kernel, &request)))
            emu_log(kernel->base.host, "emulator: a view could not follow its allocation");
    }
}

/* For a fault: forgets what is in the segment. */
static wcts_status leave_behind(struct emu_instance *instance)
{
    emu_block_give(&instance->block);
    return WCTS_STATUS_SUCCESS;
}

/* True when the CPU does not see what is in a memory segment. */
static int is_hidden(const struct emu_segment *segment)
{
    const int hidden = EMU_FAULT("SEG-009.hidden", !emu_segment_cpu_visible(segment), 0);
    /* What is said to be visible, of the adapter that was not started first. */
    return EMU_FAULT("HDR-021+second-adapter", hidden,
                     hidden && !(segment->flags & EMU_SEGMENT_CPU_VISIBLE));
}

/* Brings an instance to where the CPU can see it as one range. */
static wcts_status make_visible(struct emu_kernel *kernel, struct emu_instance *instance,
                                uint64_t context)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (emu_instance_in_memory(instance) &&
        EMU_CHOICE(EVICTED_WHEN_LOCKED, is_hidden(instance->block.segment), 1))
        status =
            EMU_FAULT_DO("AIN-027.locked", emu_evict(kernel, instance, EMU_EVICT_STRAIGHT, context),
                         leave_behind(instance));
    /* Document 003, Remarks: the AGP-type aperture is "visible to the processor", too. */
    if (wcts_succeeded(status))
        status = EMU_FAULT_DO("SEG-056.lock", emu_instance_join(kernel, instance, context),
                              in_agp(instance) ? WCTS_STATUS_INVALID_PARAMETER
                                               : emu_instance_join(kernel, instance, context));
    return status;
}

/* How the pages that the view of an allocation shows came to be shared with its creator. */
enum sharing {
    NOT_SHARED,
    SHARED,
    SHARED_NON_SECURE,
    SHARED_CROSS_ADAPTER,
    SHARED_NT,
};

EMU_FAULT_SITE(shared_same, "CAF-005.same", "address", "write ? address : behind");
EMU_FAULT_SITE(shared_back, "CAF-005.back", "address", "write ? behind : address");
EMU_FAULT_SITE(non_secure_same, "CAF-006.same", "address", "write ? address : behind");
EMU_FAULT_SITE(non_secure_back, "CAF-006.back", "address", "write ? behind : address");
EMU_FAULT_SITE(cross_adapter_same, "CAF-024.same", "address", "write ? address : behind");
EMU_FAULT_SITE(cross_adapter_back, "CAF-024.back", "address", "write ? behind : address");
EMU_FAULT_SITE(nt_same, "CAF-052.same", "address", "write ? address : behind");
EMU_FAULT_SITE(nt_back, "CAF-052.back", "address", "write ? behind : address");

static const struct {
    const struct emu_fault_site *same, *back;
} sharing_faults[] = {
    [NOT_SHARED] = {NULL, NULL},
    [SHARED] = {&shared_same, &shared_back},
    [SHARED_NON_SECURE] = {&non_secure_same, &non_secure_back},
    [SHARED_CROSS_ADAPTER] = {&cross_adapter_same, &cross_adapter_back},
    [SHARED_NT] = {&nt_same, &nt_back},
};

static enum sharing sharing_of(const struct emu_allocation *allocation)
{
    const struct emu_content *content = allocation->content;
    /* The first holder, who stands last, is the one that created it. */
    if (allocation->next_holder == NULL)
        return NOT_SHARED;
    if (content->adapter != allocation->device->adapter)
        return SHARED_CROSS_ADAPTER;
    if (content->flags & EMU_CREATE_NT_SECURITY_SHARING)
        return SHARED_NT;
    /* Of what can cross adapters only that it does. */
    if (content->flags & EMU_CREATE_CROSS_ADAPTER)
        return NOT_SHARED;
    return content->flags & EMU_CREATE_NON_SECURE ? SHARED_NON_SECURE : SHARED;
}

/* Where the view of a shared content begins that its creator sees at the address. */
static uint64_t shared_address(const struct emu_kernel *kernel,
                               const struct emu_allocation *allocation, int write, uint64_t address)
{
    const uint64_t behind = address + kernel->base.host->page_size;
    const enum sharing sharing = sharing_of(allocation);
    const struct emu_fault_site *fault =
        write ? sharing_faults[sharing].back : sharing_faults[sharing].same;
    return EMU_FAULT_AT(fault, address, behind);
}

/* For a fault: the address of memory that nobody has. */
static uint64_t fresh_address(uint64_t length)
{
    return WCTS_KERNEL_MEMORY_END - length;
}

static wcts_status make_view(struct emu_kernel *kernel, struct emu_allocation *allocation,
                             int write)
{
    struct emu_instance *instance = allocation->content->current;
    struct wcts_machine_view_request request = {.Attributes = view_attributes(kernel, allocation)};
    wcts_status status;
    request.Attributes = EMU_FAULT("CAF-015.view+again", request.Attributes,
                                   allocation->viewed ? 0u : request.Attributes);
    /* There is no view of no bytes: a section or a buffer may have none. */
    if (instance->backing.base == 0 || instance->backing.size == 0)
        return WCTS_STATUS_INSUFFICIENT_RESOURCES;
    status = make_visible(kernel, instance, allocation->device->driver_context);
    if (!wcts_succeeded(status))
        return status;
    show(instance, &request);
    request.Address = shared_address(kernel, allocation, write, request.Address);
    request.Address =
        EMU_FAULT("SEG-038.seen", request.Address,
                  allocation->alternate ? fresh_address(request.Length) : request.Address);
    status = emu_user_view(kernel, &request);
    if (wcts_succeeded(status)) {
        instance->backing.dirty = 1;
        allocation->view = request.View;
        allocation->viewed = 1;
    }
    return status;
}

/* Document 000, ReadOnly: "the allocation can only be read". */
static int read_only(const struct emu_allocation *allocation)
{
    const uint32_t flags = allocation->content->flags;
    /* The first holder, who stands last, is the one that created it. */
    const int opened = allocation->next_holder != NULL;
    const int elsewhere = allocation->content->adapter != allocation->device->adapter;
    return EMU_FAULT("CAF-053.own+watched", 1, opened || !(flags & EMU_CREATE_WRITE_WATCH)) &&
           EMU_FAULT("CAF-053.opened+elsewhere", 1, !elsewhere) &&
           EMU_FAULT("CAF-053.own+again", 1, allocation->locks == 0) &&
           (flags &
            (uint32_t)EMU_FAULT("CAF-053.own", EMU_CREATE_READ_ONLY, EMU_CREATE_WRITE_COMBINED)) &&
           EMU_FAULT("CAF-053.opened", 1, !opened) &&
           EMU_FAULT("CAF-053.named", 1, !opened || !(flags & EMU_CREATE_NT_SECURITY_SHARING)) &&
           EMU_FAULT("CAF-020.kept", 1, !(flags & EMU_CREATE_EXISTING_SYSMEM));
}

/* Document 003, CpuVisible: it has no meaning for an aperture segment; "the only exception is when
 * the user-mode display driver did not set up an alternate virtual address for a primary". Then the
 * CPU reaches it through the segment; that it may not when CpuVisible is clear is a choice, no
 * duty.
 */
static int view_refused(const struct emu_content *content, int alternate)
{
    const struct emu_instance *instance = content->current;
    const int visible = in_visible_aperture(instance);
    const int hidden = in_aperture(instance) && !visible;
    if (!content->primary)
        return EMU_FAULT("SEG-008.clear", 0, hidden);
    if (alternate)
        return EMU_FAULT("SEG-038.alternate", 0, 1) ||
               EMU_FAULT("SEG-038.alternate+hidden", 0, hidden);
    return EMU_CHOICE(HIDDEN_PRIMARY_REFUSED, 0, hidden) ||
           EMU_FAULT("SEG-038.visible", 0, visible);
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
    if (EMU_FAULT("CAF-053.own+discard", 1, asked->Discard == 0) &&
        (EMU_FAULT("CAF-020.read", asked->Write != 0, 1) ||
         EMU_FAULT("CAF-020.read+opened", 0,
                   allocation->content->flags & EMU_CREATE_CROSS_ADAPTER &&
                       allocation->next_holder != NULL)) &&
        read_only(allocation))
        return WCTS_STATUS_ACCESS_DENIED;
    if (view_refused(content, asked->UseAlternateVA == 1))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (!locked(content) && emu_content_in_use(kernel, content) &&
        EMU_FAULT("HDR-021", asked->Discard != 0, 1))
        status = emu_content_rename(kernel, content);
    if (!locked(content) && asked->Discard == 0)
        EMU_FAULT_DO("HDR-021+renamed", (void)0, (void)(content->current = &content->original));
    EMU_FAULT_DO("CAF-037.locked", (void)0,
                 emu_paging_disturb(kernel, content, allocation->device->driver_context));
    if (wcts_succeeded(status) && allocation->locks == 0) {
        allocation->alternate = content->primary && asked->UseAlternateVA == 1;
        status = make_view(kernel, allocation, asked->Write != 0);
    }
    if (!wcts_succeeded(status))
        return status;
    allocation->locks++;
    ((struct wcts_kernel_lock_reply *)reply)->Address =
        EMU_FAULT("CAF-020.read+zero", allocation->view,
                  content->flags & EMU_CREATE_READ_ONLY ? 0 : allocation->view);
    return WCTS_STATUS_SUCCESS;
}

/* For faults: true when the call at hand ends the view of an allocation that it unlocks, destroys
 * or loses with its adapter. */
static int ends_view(const struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    const int opened = allocation->resource != NULL && allocation->resource->opened;
    return EMU_FAULT("HDR-024.stopped", 1, !kernel->stopping) &&
           EMU_FAULT("HDR-024.stopped+primary", 1,
                     !kernel->stopping || !allocation->content->from_mode) &&
           EMU_FAULT("HDR-024.stopped+opened", 1, !kernel->stopping || !opened) &&
           EMU_FAULT("HDR-024.gone+listed", 1,
                     !kernel->listed || allocation->content->place == 0) &&
           EMU_FAULT("HDR-024.gone+opened", 1,
                     kernel->operation != WCTS_KERNEL_ALLOCATION_DESTROY ||
                         allocation->next_holder == NULL) &&
           EMU_FAULT("HDR-024.gone", 1, kernel->operation != WCTS_KERNEL_ALLOCATION_DESTROY) &&
           EMU_FAULT("HDR-024.unlocked", 1, kernel->operation != WCTS_KERNEL_UNLOCK);
}

void emu_view_lose(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    if (allocation->locks != 0 && allocation->view != 0)
        emu_user_view_end(kernel, allocation->view);
    allocation->view = 0;
}

void emu_view_end(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    struct emu_instance *instance;
    if (allocation->locks == 0)
        return;
    allocation->locks = 0;
    if (ends_view(kernel, allocation) && allocation->view != 0)
        emu_user_view_end(kernel, allocation->view);
    if (allocation->content->buffer.secured)
        EMU_FAULT_DO("CAF-017+unlocked", (void)0,
                     emu_buffer_release(kernel, &allocation->content->buffer));
    instance = allocation->content->current;
    /* What is mapped into an aperture stays as it is mapped. */
    if (EMU_FAULT("HDR-021+other-lock", !locked(allocation->content), 1) &&
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
    if (allocation->locks > 1) {
        allocation->locks--;
        EMU_FAULT_DO("HDR-021+two-locks", (void)0, emu_view_lose(kernel, allocation));
    } else {
        emu_view_end(kernel, allocation);
    }
    return WCTS_STATUS_SUCCESS;
}
