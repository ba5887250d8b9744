/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel with one fault of many: what it does wrong (a row of `acts`), and when (a
 * row of `whens`, and perhaps one version). Options, before emulator=PATH:
 *   act=NAME, when=NAME  rows of the tables
 *   at=VERSION           an interface version; without it at all of them
 *   told=PATH            a file that is made when the fault has shown for the first time
 *   act=list             is refused, and the log has the names of both tables
 * A call that is not forwarded is answered with success.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "wrap.h"

#define ALLOCATIONS_MAX 4096
#define DEVICES_MAX 64
#define PAGE 4096u

/* What is known of an allocation: of the second one of three that a call made, {.index 1, .count
 * 3}. */
struct allocation {
    uint32_t handle, flags; /* flags: of its creation */
    uint32_t device;        /* the number of its device in order of creation, from 1 */
    uint32_t index, count;  /* its place in the list of its creation */
    uint32_t born;          /* how many were created before it */
    uint64_t size;
    uint64_t driver_handle;
    uint32_t locks, evictions, page_ins; /* calls so far */
    bool locked, shared;
};

/* The element of a call that a fault may hit. */
struct place {
    const struct allocation *allocation; /* NULL: none is known */
    uint32_t index, count;               /* in the call's list; 0 and 1 without one */
    uint32_t earlier;                    /* calls of the operation before this one */
};

struct drawn {
    struct wrapped *wrapped;
    struct wcts_host host; /* the suite's */
    const struct act *act;
    const struct when *when;
    uint32_t at;
    char told[512];
    bool is_told;
    struct allocation allocations[ALLOCATIONS_MAX];
    uint32_t allocation_count, live;
    uint32_t devices[DEVICES_MAX], device_count;
    uint32_t powers;
    uint64_t first_view;
    uint64_t sizes[64]; /* that the driver answered to the creation in hand */
    uint64_t handles[64];
    uint32_t size_count;
    uint32_t calls[0x400];
};

/* ---- When ---- */

struct when {
    const char *name;
    bool (*is)(const struct drawn *drawn, const struct place *place);
};

#define WHEN(name, condition)                                                                      \
    static bool when_##name(const struct drawn *drawn, const struct place *place)                  \
    {                                                                                              \
        const struct allocation *of = place->allocation;                                           \
        (void)drawn, (void)of;                                                                     \
        return condition;                                                                          \
    }
#define WHENS(X)                                                                                   \
    X(always, true)                                                                                \
    X(second, place->index == 1)                                                                   \
    X(last_of_three, place->count >= 3 && place->index == place->count - 1)                        \
    X(middle, place->index > 0 && place->index + 1 < place->count)                                 \
    X(second_created, of && of->index == 1)                                                        \
    X(last_created, of && of->count >= 3 && of->index == of->count - 1)                            \
    X(large, of && of->size > 0x10000)                                                             \
    X(larger, of && of->size >= 0x100000)                                                          \
    X(small, of && of->size <= PAGE)                                                               \
    X(odd, of && (of->size & (of->size - 1)) != 0)                                                 \
    X(unaligned, of && of->size % 0x10000 != 0)                                                    \
    X(evicted, of && of->evictions > 0)                                                            \
    X(evicted_twice, of && of->evictions > 1)                                                      \
    X(back, of && of->evictions > 0 && of->page_ins > 1)                                           \
    X(resident, of && of->page_ins > 0)                                                            \
    X(locked, of && of->locked)                                                                    \
    X(was_locked, of && of->locks > 0 && !of->locked)                                              \
    X(shared, of && of->shared)                                                                    \
    X(resource, of && of->flags & 1)                                                               \
    X(non_secure, of && of->flags & 4)                                                             \
    X(read_only, of && of->flags & 0x80)                                                           \
    X(existing, of && of->flags & 0x20020)                                                         \
    X(second_device, of && of->device > 1)                                                         \
    X(after_power, drawn->powers > 1)                                                              \
    X(again, place->earlier > 0)                                                                   \
    X(fourth_time, place->earlier > 2)                                                             \
    X(third_born, of && of->born >= 2)                                                             \
    X(crowd, drawn->live > 4)                                                                      \
    X(large_pages, drawn->host.page_size > PAGE)
WHENS(WHEN)
static const struct when whens[] = {
#define WHEN_ROW(name, condition) {#name, when_##name},
    WHENS(WHEN_ROW)
#undef WHEN_ROW
};

/* ---- What ---- */

enum at { BEFORE, AFTER, INSTEAD };

struct act {
    const char *name;
    uint32_t operation; /* of the kernel, or one that it sends */
    enum at at;         /* the request is changed, or the reply; or the call is not forwarded */
    /* Where the elements of its list lie, each is a place of its own; NULL: no list. */
    uint8_t *(*list)(void *message, uint32_t size, uint32_t *count, uint32_t *each);
    /* Changes an element, or the message; false if there is nothing to change. */
    bool (*change)(struct drawn *drawn, uint8_t *element);
};

static uint8_t *elements(void *message, uint32_t size, uint64_t offset, uint32_t count,
                         uint32_t each)
{
    return (uint8_t *)(uintptr_t)wcts_message_at(message, size, offset, count, each);
}

static uint8_t *operations_of(void *message, uint32_t size, uint32_t *count, uint32_t *each)
{
    const struct wcts_kernel_va_update_request *in = message;
    *count = in->Args.NumOperations;
    *each = sizeof(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION);
    return elements(message, size, in->Args.Operations, *count, *each);
}

static uint8_t *described(void *message, uint32_t size, uint32_t *count, uint32_t *each)
{
    const struct wcts_driver_allocation_create_reply *out = message;
    *count = out->NumAllocations;
    *each = sizeof(struct wcts_DXGK_ALLOCATIONINFO);
    return elements(message, size, out->pAllocationInfo, *count, *each);
}

static uint8_t *patched(void *message, uint32_t size, uint32_t *count, uint32_t *each)
{
    const struct wcts_driver_patch_request *in = message;
    *count = in->Patch.PatchLocationListSize;
    *each = sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST);
    return elements(message, size, in->Patch.pPatchLocationList, *count, *each);
}

static uint8_t *used(void *message, uint32_t size, uint32_t *count, uint32_t *each)
{
    const struct wcts_driver_patch_request *in = message;
    *count = in->Patch.AllocationListSize;
    *each = sizeof(struct wcts_DXGK_ALLOCATIONLIST);
    return elements(message, size, in->Patch.pAllocationList, *count, *each);
}

static uint8_t *destroyed(void *message, uint32_t size, uint32_t *count, uint32_t *each)
{
    const struct wcts_driver_allocation_destroy_request *in = message;
    *count = in->NumAllocations;
    *each = 8;
    return elements(message, size, in->phAllocationList, *count, *each);
}

#define CHANGE(name, type, statement)                                                              \
    static bool change_##name(struct drawn *drawn, uint8_t *element)                               \
    {                                                                                              \
        type *it = (void *)element;                                                                \
        type old = *it;                                                                            \
        (void)drawn;                                                                               \
        statement;                                                                                 \
        return memcmp(&old, it, sizeof old) != 0;                                                  \
    }

typedef struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION va_operation;
typedef struct wcts_DXGK_ALLOCATIONINFO description;
typedef struct wcts_driver_paging_request paging;

CHANGE(map_offset, va_operation,
       if (it->OperationType <= 1) it->Map.AllocationOffsetInBytes += PAGE)
CHANGE(map_short, va_operation,
       if (it->OperationType <= 1 && it->Map.SizeInBytes > PAGE) it->Map.SizeInBytes -= PAGE)
CHANGE(protection, va_operation, if (it->OperationType == 1) it->MapProtect.Protection = 0)
CHANGE(driver_protection, va_operation,
       if (it->OperationType == 1) it->MapProtect.DriverProtection = 0)
CHANGE(copy_source, va_operation, if (it->OperationType == 3) it->Copy.SourceAddress += PAGE)
CHANGE(copy_short, va_operation,
       if (it->OperationType == 3 && it->Copy.SizeInBytes > PAGE) it->Copy.SizeInBytes -= PAGE)
CHANGE(unmap_short, va_operation,
       if (it->OperationType == 2 && it->Unmap.SizeInBytes > PAGE) it->Unmap.SizeInBytes -= PAGE)
CHANGE(unmap_invalid, va_operation, if (it->OperationType == 2) it->Unmap.Protection ^= 0x20)
CHANGE(lock_address, struct wcts_kernel_lock_reply, it->Address += PAGE)
CHANGE(lock_other, struct wcts_kernel_lock_reply,
       if (drawn->first_view) it->Address = drawn->first_view)
CHANGE(lock_read, struct wcts_kernel_lock_request, it->Write = 0)
CHANGE(open_none, struct wcts_kernel_open_reply, it->hResource = 0)
CHANGE(reserve_zero, struct wcts_kernel_va_reserve,
       if (it->Args.ReservationType <= 1) it->Args.ReservationType ^= 1)
CHANGE(submit_short, struct wcts_kernel_submit_request,
       if (it->PatchLocationListSubmissionLength > 1) it->PatchLocationListSubmissionLength--)
CHANGE(
    submit_later, struct wcts_kernel_submit_request,
    if (it->PatchLocationListSubmissionLength > 1) {
        it->PatchLocationListSubmissionStart++;
        it->PatchLocationListSubmissionLength--;
    })
CHANGE(alignment, description, it->Alignment = 0)
CHANGE(smaller, description, if (it->Size > PAGE) it->Size -= PAGE)
CHANGE(write_set, description, it->SupportedWriteSegmentSet = ~0u)
CHANGE(eviction_set, description, it->EvictionSegmentSet = 0)
CHANGE(priority, description, it->AllocationPriority = 0)
CHANGE(renaming, description, it->MaximumRenamingListLength = 0)
CHANGE(no_flags, description, it->Flags = 0)
CHANGE(patch_offset, struct wcts_D3DDDI_PATCHLOCATIONLIST, it->PatchOffset += 4)
CHANGE(patch_allocation, struct wcts_D3DDDI_PATCHLOCATIONLIST, it->AllocationOffset += 4)
CHANGE(patch_slot, struct wcts_D3DDDI_PATCHLOCATIONLIST, it->SlotId++)
CHANGE(patch_index, struct wcts_D3DDDI_PATCHLOCATIONLIST,
       if (it->AllocationIndex > 0) it->AllocationIndex--)
CHANGE(used_write, struct wcts_DXGK_ALLOCATIONLIST, it->Bits ^= 1)
CHANGE(used_address, struct wcts_DXGK_ALLOCATIONLIST,
       if (it->PhysicalAddress) it->PhysicalAddress += PAGE)
CHANGE(used_handle, struct wcts_DXGK_ALLOCATIONLIST, it->hDeviceSpecificAllocation ^= 1)
CHANGE(patch_fence, struct wcts_driver_patch_request, it->Patch.SubmissionFenceId++)
CHANGE(submit_fence, struct wcts_driver_submit_request, it->SubmissionFenceId++)
CHANGE(submit_end, struct wcts_driver_submit_request, it->DmaBufferSubmissionEndOffset += 4)
CHANGE(destroy_other, uint64_t, *it ^= 1)
CHANGE(paging_short, paging, if (it->TransferSize > PAGE) it->TransferSize -= PAGE)
CHANGE(paging_source, paging, if (it->TransferSize > 0) it->SourceAddress += PAGE)
CHANGE(paging_aperture, paging, if (it->NumberOfPages > 1) it->NumberOfPages--)
CHANGE(create_resource, struct wcts_driver_allocation_create_request, it->Flags ^= 1)
CHANGE(secure_short, struct wcts_machine_range_request, if (it->Length > PAGE) it->Length -= PAGE)
CHANGE(view_short, struct wcts_machine_view_request,
       if (!it->View && it->Length > PAGE) it->Length -= PAGE)

static const struct act acts[] = {
    {"map_offset", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_map_offset},
    {"map_short", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_map_short},
    {"protection", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_protection},
    {"driver_protection", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_driver_protection},
    {"copy_source", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_copy_source},
    {"copy_short", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_copy_short},
    {"unmap_short", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_unmap_short},
    {"unmap_invalid", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_unmap_invalid},
    {"no_update", WCTS_KERNEL_VA_UPDATE, INSTEAD, NULL, NULL},
    {"no_free", WCTS_KERNEL_VA_FREE, INSTEAD, NULL, NULL},
    {"reserve_zero", WCTS_KERNEL_VA_RESERVE, BEFORE, NULL, change_reserve_zero},
    {"lock_address", WCTS_KERNEL_LOCK, AFTER, NULL, change_lock_address},
    {"lock_other", WCTS_KERNEL_LOCK, AFTER, NULL, change_lock_other},
    {"lock_read", WCTS_KERNEL_LOCK, BEFORE, NULL, change_lock_read},
    {"no_destroy", WCTS_KERNEL_ALLOCATION_DESTROY, INSTEAD, NULL, NULL},
    {"no_evict", WCTS_KERNEL_EVICT, INSTEAD, NULL, NULL},
    {"no_page_in", WCTS_KERNEL_PAGE_IN, INSTEAD, NULL, NULL},
    {"no_power", WCTS_KERNEL_POWER, INSTEAD, NULL, NULL},
    {"no_preempt", WCTS_KERNEL_PREEMPT, INSTEAD, NULL, NULL},
    {"open_none", WCTS_KERNEL_OPEN_GLOBAL, AFTER, NULL, change_open_none},
    {"open_none_nt", WCTS_KERNEL_OPEN_NT, AFTER, NULL, change_open_none},
    {"submit_short", WCTS_KERNEL_SUBMIT, BEFORE, NULL, change_submit_short},
    {"submit_later", WCTS_KERNEL_SUBMIT, BEFORE, NULL, change_submit_later},
    {"alignment", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_alignment},
    {"smaller", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_smaller},
    {"write_set", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_write_set},
    {"eviction_set", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_eviction_set},
    {"priority", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_priority},
    {"renaming", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_renaming},
    {"no_flags", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_no_flags},
    {"create_resource", WCTS_DRIVER_ALLOCATION_CREATE, BEFORE, NULL, change_create_resource},
    {"patch_offset", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_offset},
    {"patch_allocation", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_allocation},
    {"patch_slot", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_slot},
    {"patch_index", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_index},
    {"used_write", WCTS_DRIVER_PATCH, BEFORE, used, change_used_write},
    {"used_address", WCTS_DRIVER_PATCH, BEFORE, used, change_used_address},
    {"used_handle", WCTS_DRIVER_PATCH, BEFORE, used, change_used_handle},
    {"patch_fence", WCTS_DRIVER_PATCH, BEFORE, NULL, change_patch_fence},
    {"no_patch", WCTS_DRIVER_PATCH, INSTEAD, NULL, NULL},
    {"submit_fence", WCTS_DRIVER_SUBMIT, BEFORE, NULL, change_submit_fence},
    {"submit_end", WCTS_DRIVER_SUBMIT, BEFORE, NULL, change_submit_end},
    {"no_submit", WCTS_DRIVER_SUBMIT, INSTEAD, NULL, NULL},
    {"no_driver_destroy", WCTS_DRIVER_ALLOCATION_DESTROY, INSTEAD, NULL, NULL},
    {"destroy_other", WCTS_DRIVER_ALLOCATION_DESTROY, BEFORE, destroyed, change_destroy_other},
    {"paging_short", WCTS_DRIVER_PAGING, BEFORE, NULL, change_paging_short},
    {"paging_source", WCTS_DRIVER_PAGING, BEFORE, NULL, change_paging_source},
    {"paging_aperture", WCTS_DRIVER_PAGING, BEFORE, NULL, change_paging_aperture},
    {"no_paging", WCTS_DRIVER_PAGING, INSTEAD, NULL, NULL},
    {"secure_short", WCTS_MACHINE_SECURE, BEFORE, NULL, change_secure_short},
    {"no_release", WCTS_MACHINE_RELEASE, INSTEAD, NULL, NULL},
    {"view_short", WCTS_MACHINE_VIEW, BEFORE, NULL, change_view_short},
    {"no_view_end", WCTS_MACHINE_VIEW_END, INSTEAD, NULL, NULL},
};

/* ---- What is known ---- */

static struct allocation *find(struct drawn *drawn, uint32_t handle)
{
    for (uint32_t i = drawn->allocation_count; i-- > 0;)
        if (drawn->allocations[i].handle == handle)
            return &drawn->allocations[i];
    return NULL;
}

static struct allocation *find_driver(struct drawn *drawn, uint64_t handle)
{
    for (uint32_t i = drawn->allocation_count; i-- > 0;)
        if (drawn->allocations[i].driver_handle == handle)
            return &drawn->allocations[i];
    return NULL;
}

static uint32_t device_number(const struct drawn *drawn, uint32_t handle)
{
    for (uint32_t i = 0; i < drawn->device_count; i++)
        if (drawn->devices[i] == handle)
            return i + 1;
    return 0;
}

static void note_created(struct drawn *drawn, const void *reply, uint32_t size)
{
    const struct wcts_kernel_allocation_create *out = reply;
    const struct wcts_D3DDDI_ALLOCATIONINFO2 *infos =
        wcts_message_at(reply, size, out->Args.pAllocationInfo2, out->Args.NumAllocations,
                        sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2));
    for (uint32_t i = 0; infos && i < out->Args.NumAllocations; i++) {
        if (drawn->allocation_count == ALLOCATIONS_MAX)
            return;
        drawn->allocations[drawn->allocation_count] =
            (struct allocation){.handle = infos[i].hAllocation,
                                .flags = out->Args.Flags,
                                .device = device_number(drawn, out->Args.hDevice),
                                .index = i,
                                .count = out->Args.NumAllocations,
                                .born = drawn->allocation_count,
                                .size = i < drawn->size_count ? drawn->sizes[i] : 0,
                                .driver_handle = i < drawn->size_count ? drawn->handles[i] : 0,
                                .shared = out->Args.Flags & 2};
        drawn->allocation_count++;
        drawn->live++;
    }
}

static void note_described(struct drawn *drawn, const void *reply, uint32_t size)
{
    uint32_t count, each;
    const description *list =
        (const void *)described((void *)(uintptr_t)reply, size, &count, &each);
    drawn->size_count = 0;
    for (uint32_t i = 0; list && i < count && i < 64; i++) {
        drawn->sizes[i] = list[i].Size;
        drawn->handles[i] = list[i].hAllocation;
        drawn->size_count++;
    }
}

static void note_of_allocation(struct drawn *drawn, uint32_t operation, const void *request)
{
    const struct wcts_kernel_allocation_request *in = request;
    struct allocation *allocation = find(drawn, in->hAllocation);
    if (!allocation)
        return;
    switch (operation) {
    case WCTS_KERNEL_LOCK:
        allocation->locks++;
        allocation->locked = true;
        break;
    case WCTS_KERNEL_UNLOCK:
        allocation->locked = false;
        break;
    case WCTS_KERNEL_EVICT:
        allocation->evictions++;
        break;
    case WCTS_KERNEL_PAGE_IN:
        allocation->page_ins++;
        break;
    }
}

static bool names_allocation(uint32_t operation)
{
    return operation == WCTS_KERNEL_LOCK || operation == WCTS_KERNEL_UNLOCK ||
           operation == WCTS_KERNEL_EVICT || operation == WCTS_KERNEL_PAGE_IN;
}

static void note(struct drawn *drawn, uint32_t operation, const void *request, const void *reply,
                 uint32_t reply_size)
{
    drawn->calls[operation & 0x3FF]++;
    if (names_allocation(operation))
        note_of_allocation(drawn, operation, request);
    else if (operation == WCTS_KERNEL_ALLOCATION_CREATE)
        note_created(drawn, reply, reply_size);
    else if (operation == WCTS_KERNEL_ALLOCATION_DESTROY && drawn->live > 0)
        drawn->live--;
    else if (operation == WCTS_DRIVER_ALLOCATION_CREATE)
        note_described(drawn, reply, reply_size);
    else if (operation == WCTS_KERNEL_POWER)
        drawn->powers++;
    else if (operation == WCTS_KERNEL_DEVICE && drawn->device_count < DEVICES_MAX)
        drawn->devices[drawn->device_count++] =
            ((const struct wcts_kernel_handle_reply *)reply)->Handle;
    if (operation == WCTS_KERNEL_LOCK && !drawn->first_view)
        drawn->first_view = ((const struct wcts_kernel_lock_reply *)reply)->Address;
}

/* ---- The fault ---- */

static void tell(struct drawn *drawn)
{
    int file;
    if (drawn->is_told || drawn->told[0] == '\0')
        return;
    drawn->is_told = true;
    file = open(drawn->told, O_CREAT | O_WRONLY, 0666);
    if (file >= 0)
        close(file);
}

/* The allocation that an element, or a message without a list, is about. */
static const struct allocation *named_by(struct drawn *drawn, uint32_t operation,
                                         const void *message, const void *element)
{
    const va_operation *update = element;
    if (names_allocation(operation))
        return find(drawn, ((const struct wcts_kernel_allocation_request *)message)->hAllocation);
    switch (operation) {
    case WCTS_KERNEL_VA_UPDATE:
        return element && update->OperationType <= 1 ? find(drawn, update->Map.hAllocation) : NULL;
    case WCTS_DRIVER_ALLOCATION_DESTROY:
        return element ? find_driver(drawn, *(const uint64_t *)element) : NULL;
    case WCTS_DRIVER_PAGING:
        return find_driver(drawn, ((const paging *)message)->hAllocation);
    default:
        return NULL;
    }
}

/* Changes each element of the message that the fault hits; true if it hits any. request: by which
 * the allocation is named, if not by the element. */
static bool apply(struct drawn *drawn, const void *request, void *message, uint32_t size)
{
    const struct act *act = drawn->act;
    uint32_t count = 1, each = 0;
    uint8_t *list = message;
    bool hit = false;
    if (drawn->at && drawn->at != drawn->host.interface_version)
        return false;
    if (act->list)
        list = act->list(message, size, &count, &each);
    for (uint32_t i = 0; list && i < count; i++) {
        uint8_t *element = list + (size_t)i * each;
        struct allocation told = {.index = i,
                                  .count = count,
                                  .born = drawn->allocation_count + i,
                                  .size = 0,
                                  .device = 1};
        struct place place = {named_by(drawn, act->operation, request, act->list ? element : NULL),
                              i, count, drawn->calls[act->operation & 0x3FF]};
        if (act->operation == WCTS_DRIVER_ALLOCATION_CREATE && act->list) {
            told.size = ((description *)(void *)element)->Size;
            place.allocation = &told;
        }
        if (drawn->when->is(drawn, &place) && (!act->change || act->change(drawn, element)))
            hit = true;
    }
    if (hit)
        tell(drawn);
    return hit;
}

typedef wcts_status forward_fn(struct drawn *drawn, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size);

static wcts_status to_host(struct drawn *drawn, uint32_t operation, const void *request,
                           uint32_t request_size, void *reply, uint32_t reply_room,
                           uint32_t *reply_size)
{
    return drawn->host.call(drawn->host.ctx, operation, request, request_size, reply, reply_room,
                            reply_size);
}

static wcts_status to_kernel(struct drawn *drawn, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    return drawn->wrapped->whole->call(drawn->wrapped->instance, operation, request, request_size,
                                       reply, reply_room, reply_size);
}

/* Answers with success what is not forwarded. */
static wcts_status answer_alone(uint32_t operation, void *reply, uint32_t *reply_size)
{
    uint32_t size = wcts_reply_size(operation);
    memset(reply, 0, size);
    memcpy(reply, &size, sizeof size);
    *reply_size = size;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status pass(struct drawn *drawn, forward_fn *forward, uint32_t operation,
                        const void *request, uint32_t request_size, void *reply,
                        uint32_t reply_room, uint32_t *reply_size)
{
    const struct act *act = drawn->act->operation == operation ? drawn->act : NULL;
    void *copy = malloc(request_size);
    wcts_status status;
    memcpy(copy, request, request_size);
    if (act && act->at == INSTEAD && apply(drawn, copy, copy, request_size)) {
        status = answer_alone(operation, reply, reply_size);
    } else {
        if (act && act->at == BEFORE)
            apply(drawn, request, copy, request_size);
        status = forward(drawn, operation, copy, request_size, reply, reply_room, reply_size);
        if (wcts_succeeded(status) && operation == WCTS_DRIVER_ALLOCATION_CREATE)
            note_described(drawn, reply, *reply_size);
        if (act && act->at == AFTER && wcts_succeeded(status))
            apply(drawn, request, reply, *reply_size);
    }
    if (wcts_succeeded(status))
        note(drawn, operation, request, reply, *reply_size);
    free(copy);
    return status;
}

static wcts_status cross(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    return pass(ctx, to_host, operation, request, request_size, reply, reply_room, reply_size);
}

static wcts_status drawn_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    return pass(instance, to_kernel, operation, request, request_size, reply, reply_room,
                reply_size);
}

/* ---- The plug-in ---- */

static void drawn_close(void *instance)
{
    struct drawn *drawn = instance;
    wrap_close(drawn->wrapped);
    free(drawn);
}

static void list_names(void)
{
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        fprintf(stderr, "act %s\n", acts[i].name);
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++)
        fprintf(stderr, "when %s\n", whens[i].name);
}

static void *drawn_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct drawn *drawn = calloc(1, sizeof *drawn);
    struct wcts_host inner = *host;
    char name[64];
    if (!drawn)
        return NULL;
    drawn->host = *host;
    test_option(&options, "act", name, sizeof name);
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].name, name) == 0)
            drawn->act = &acts[i];
    if (strcmp(name, "list") == 0)
        list_names();
    test_option(&options, "when", name, sizeof name);
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++)
        if (strcmp(whens[i].name, name) == 0)
            drawn->when = &whens[i];
    test_option(&options, "told", drawn->told, sizeof drawn->told);
    drawn->at = (uint32_t)strtoul(test_option(&options, "at", name, sizeof name), NULL, 0);
    inner.call = cross;
    inner.ctx = drawn;
    inner.options = wrap_rest(host->options);
    drawn->wrapped = drawn->act && drawn->when ? wrap_open(&inner, side) : NULL;
    if (drawn->wrapped)
        return drawn;
    free(drawn);
    return NULL;
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {.size = sizeof plugin,
                                              .abi_version = WCTS_ABI_VERSION,
                                              .sides = WCTS_SIDE_KERNEL,
                                              .name = "drawn fault",
                                              .version = "1",
                                              .open = drawn_open,
                                              .call = drawn_call,
                                              .close = drawn_close};
    return &plugin;
}
