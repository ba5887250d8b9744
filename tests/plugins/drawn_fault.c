/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel with one fault of many: what it does wrong (a row of `acts`), and when (a
 * row of `whens`, and perhaps one version); or which bits of a word of flags it judges wrongly
 * (draw_words.h). Options, before emulator=PATH:
 *   act=NAME, when=NAME  rows of the tables
 *   word=NAME, wrong=refuse or accept, set=MASK, clear=MASK
 *                        instead of them: a row of `words`, and the bits on which it depends
 *   draw=N, seed=TEXT    instead of them: the N-th of the seed's thousand faults, from 1
 *   at=VERSION           an interface version; without it at all of them
 *   told=PATH            a file that is made when the fault has shown for the first time
 *   draw=list, to=PATH   is refused, and the file has a line for each of the thousand: number, a
 *                        version at which it shows, the fault as options. act=list: likewise, for
 *                        each act on each occasion on which it can show.
 * A call that is not forwarded is answered with success.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "draw_words.h"
#include "wrap.h"

#define ALLOCATIONS_MAX 4096
#define DEVICES_MAX 64
#define PAGE 4096u

/* What is known of an allocation: of the second one of three that a call made, {.index 1, .count
 * 3}. */
struct allocation {
    uint32_t handle, flags; /* flags: of its creation */
    uint32_t device;        /* the number of its device in order of creation, from 1 */
    uint32_t process;       /* that of the device's process, and of its adapter */
    uint32_t adapter;
    uint32_t index, count; /* its place in the list of its creation */
    uint32_t born;         /* how many were created before it */
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
    struct device {
        uint32_t handle, process, adapter;
    } devices[DEVICES_MAX];
    uint32_t device_count;
    uint32_t processes[DEVICES_MAX], process_count;
    uint32_t adapters[DEVICES_MAX], adapter_count;
    /* The creation in hand, of which the driver is told. */
    uint32_t creating_flags, creating_device;
    struct word_fault word;
    uint32_t powers;
    uint64_t first_view;
    uint64_t sizes[64]; /* that the driver answered to the creation in hand */
    uint64_t handles[64];
    uint32_t size_count;
    uint32_t calls[0x400];
};

/* ---- When ---- */

/* Occasions of a kind: an act can show on some of them. */
enum occasions {
    TIME = 1 << 0,    /* of any call */
    LIST = 1 << 1,    /* of an element of a list */
    CREATED = 1 << 2, /* of an allocation: its place in its creation */
    CLASS = 1 << 3,   /* its size */
    STATE = 1 << 4,
    LOCKED = 1 << 5,
    KIND = 1 << 6,
    WORLD = 1 << 7,
    ALLOCATION = CREATED | CLASS | STATE | LOCKED | KIND | WORLD,
    /* Of an allocation that is being created. */
    BORN = LIST | CLASS | KIND | WORLD,
};

struct when {
    const char *name;
    uint32_t occasion;
    uint32_t since; /* the first version that has it */
    bool (*is)(const struct drawn *drawn, const struct place *place);
};

#define WHEN(name, occasion, since, condition)                                                     \
    static bool when_##name(const struct drawn *drawn, const struct place *place)                  \
    {                                                                                              \
        const struct allocation *of = place->allocation;                                           \
        (void)drawn, (void)of;                                                                     \
        return condition;                                                                          \
    }
#define WHENS(X)                                                                                   \
    X(always, TIME, 0, true)                                                                       \
    X(second, LIST, 0, place->index == 1)                                                          \
    X(last_of_three, LIST, 0, place->count >= 3 && place->index == place->count - 1)               \
    X(middle, LIST, 0, place->index > 0 && place->index + 1 < place->count)                        \
    X(second_created, CREATED, 0, of && of->index == 1)                                            \
    X(last_created, CREATED, 0, of && of->count >= 3 && of->index == of->count - 1)                \
    X(large, CLASS, 0, of && of->size > 0x10000)                                                   \
    X(larger, CLASS, 0, of && of->size >= 0x100000)                                                \
    X(small, CLASS, 0, of && of->size <= PAGE)                                                     \
    X(odd, CLASS, 0, of && (of->size & (of->size - 1)) != 0)                                       \
    X(unaligned, CLASS, 0, of && of->size % 0x10000 != 0)                                          \
    X(evicted, STATE, 0, of && of->evictions > 0)                                                  \
    X(evicted_twice, STATE, 0, of && of->evictions > 1)                                            \
    X(back, STATE, 0, of && of->evictions > 0 && of->page_ins > 1)                                 \
    X(resident, STATE, 0, of && of->page_ins > 0)                                                  \
    X(locked, LOCKED, 0, of && of->locked)                                                         \
    X(was_locked, STATE, 0, of && of->locks > 0 && !of->locked)                                    \
    X(shared, KIND, 0, of && of->shared)                                                           \
    X(resource, KIND, 0, of && of->flags & 1)                                                      \
    X(non_secure, KIND, 0, of && of->flags & 4)                                                    \
    X(read_only, KIND, WDDM_1_2, of && of->flags & 0x80)                                           \
    X(existing, KIND, WDDM_2_3, of && of->flags & 0x20020)                                         \
    X(second_device, WORLD, 0, of && of->device > 1)                                               \
    X(second_process, WORLD, 0, of && of->process > 1)                                             \
    X(second_adapter, WORLD, 0, of && of->adapter > 1)                                             \
    X(after_power, TIME, 0, drawn->powers > 1)                                                     \
    X(again, TIME, 0, place->earlier > 0)                                                          \
    X(fourth_time, TIME, 0, place->earlier > 2)                                                    \
    X(third_born, CREATED, 0, of && of->born >= 2)                                                 \
    X(crowd, TIME, 0, drawn->live > 4)                                                             \
    X(large_pages, TIME, 0, drawn->host.page_size > PAGE)
WHENS(WHEN)
static const struct when whens[] = {
#define WHEN_ROW(name, occasion, since, condition) {#name, occasion, since, when_##name},
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
    /* When it can show, 0: it is not drawn, and not_drawn says why. Never because the suite does
     * not notice it. */
    uint32_t occasions;
    uint32_t since;
    const char *not_drawn;
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

static bool maps(const va_operation *it)
{
    return it->OperationType == 0 || it->OperationType == 3;
}

CHANGE(map_offset, va_operation, if (maps(it)) it->Map.AllocationOffsetInBytes += PAGE)
CHANGE(map_short, va_operation,
       if (maps(it) && it->Map.SizeInBytes > PAGE) it->Map.SizeInBytes -= PAGE)
CHANGE(protection, va_operation, if (it->OperationType == 3) it->MapProtect.Protection = 0)
CHANGE(driver_protection, va_operation,
       if (it->OperationType == 3) it->MapProtect.DriverProtection = 0)
CHANGE(copy_source, va_operation, if (it->OperationType == 2) it->Copy.SourceAddress += PAGE)
CHANGE(copy_short, va_operation,
       if (it->OperationType == 2 && it->Copy.SizeInBytes > PAGE) it->Copy.SizeInBytes -= PAGE)
CHANGE(unmap_short, va_operation,
       if (it->OperationType == 1 && it->Unmap.SizeInBytes > PAGE) it->Unmap.SizeInBytes -= PAGE)
CHANGE(unmap_invalid, va_operation,
       if (it->OperationType == 1 && it->Unmap.Protection & 0xC) it->Unmap.Protection ^= 0xC)
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
CHANGE(paging_short, paging,
       if (it->Operation == WCTS_PAGING_TRANSFER && it->TransferSize > PAGE) it->TransferSize -=
       PAGE)
CHANGE(paging_source, paging,
       if (it->Operation == WCTS_PAGING_TRANSFER && it->TransferSize > 0) it->SourceAddress += PAGE)
CHANGE(paging_aperture, paging,
       if (it->Operation == WCTS_PAGING_MAP_APERTURE && it->NumberOfPages > 1) it->NumberOfPages--)

/* Not when content is mapped out of an aperture: nothing says that it must be. */
static bool change_no_paging(struct drawn *drawn, uint8_t *element)
{
    (void)drawn;
    return ((const paging *)(void *)element)->Operation != WCTS_PAGING_UNMAP_APERTURE;
}
CHANGE(patch_paging, struct wcts_driver_patch_request, it->Patch.Flags ^= 1)
CHANGE(create_resource, struct wcts_driver_allocation_create_request, it->Flags ^= 1)
CHANGE(secure_short, struct wcts_machine_range_request, if (it->Length > PAGE) it->Length -= PAGE)
CHANGE(view_short, struct wcts_machine_view_request,
       if (!it->View && it->Length > PAGE) it->Length -= PAGE)

static const struct act acts[] = {
    {"map_offset", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_map_offset,
     TIME | LIST | ALLOCATION, WDDM_2_0, NULL},
    {"map_short", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_map_short,
     TIME | LIST | ALLOCATION, WDDM_2_0, NULL},
    {"protection", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_protection,
     TIME | LIST | ALLOCATION, WDDM_2_0, NULL},
    {"driver_protection", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_driver_protection,
     TIME | LIST | ALLOCATION, WDDM_2_0, NULL},
    {"copy_source", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_copy_source, TIME | LIST,
     WDDM_2_0, NULL},
    {"copy_short", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_copy_short, TIME | LIST,
     WDDM_2_0, NULL},
    {"unmap_short", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_unmap_short, TIME | LIST,
     WDDM_2_0, NULL},
    {"unmap_invalid", WCTS_KERNEL_VA_UPDATE, BEFORE, operations_of, change_unmap_invalid,
     TIME | LIST, WDDM_2_0, NULL},
    {"no_update", WCTS_KERNEL_VA_UPDATE, INSTEAD, NULL, NULL, TIME, WDDM_2_0, NULL},
    {"no_free", WCTS_KERNEL_VA_FREE, INSTEAD, NULL, NULL, TIME, WDDM_2_0, NULL},
    {"reserve_zero", WCTS_KERNEL_VA_RESERVE, BEFORE, NULL, change_reserve_zero, TIME, WDDM_2_0,
     NULL},
    {"lock_address", WCTS_KERNEL_LOCK, AFTER, NULL, change_lock_address,
     TIME | (ALLOCATION & ~LOCKED), 0, NULL},
    {"lock_other", WCTS_KERNEL_LOCK, AFTER, NULL, change_lock_other, TIME | (ALLOCATION & ~LOCKED),
     0, NULL},
    {"lock_read", WCTS_KERNEL_LOCK, BEFORE, NULL, change_lock_read, 0, 0,
     "a view for writing that shows content alike: nobody sees what it was asked for"},
    {"no_destroy", WCTS_KERNEL_ALLOCATION_DESTROY, INSTEAD, NULL, NULL, TIME, 0, NULL},
    {"no_evict", WCTS_KERNEL_EVICT, INSTEAD, NULL, NULL, TIME | (ALLOCATION & ~LOCKED), 0, NULL},
    {"no_page_in", WCTS_KERNEL_PAGE_IN, INSTEAD, NULL, NULL, TIME | (ALLOCATION & ~LOCKED), 0,
     NULL},
    /* Before 1.2 no document says what becomes of a segment when the power goes. */
    {"no_power", WCTS_KERNEL_POWER, INSTEAD, NULL, NULL, TIME, WDDM_1_2, NULL},
    {"no_preempt", WCTS_KERNEL_PREEMPT, INSTEAD, NULL, NULL, TIME, 0, NULL},
    {"open_none", WCTS_KERNEL_OPEN_GLOBAL, AFTER, NULL, change_open_none, TIME, 0, NULL},
    {"open_none_nt", WCTS_KERNEL_OPEN_NT, AFTER, NULL, change_open_none, TIME, WDDM_1_2, NULL},
    {"submit_short", WCTS_KERNEL_SUBMIT, BEFORE, NULL, change_submit_short, 0, 0,
     "no document says how the part that user mode asks for and what the driver is told go "
     "together"},
    {"submit_later", WCTS_KERNEL_SUBMIT, BEFORE, NULL, change_submit_later, 0, 0,
     "as submit_short"},
    {"alignment", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_alignment, TIME | BORN, 0,
     NULL},
    {"smaller", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_smaller, TIME | BORN, 0,
     NULL},
    {"write_set", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_write_set, TIME | BORN, 0,
     NULL},
    {"eviction_set", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_eviction_set,
     TIME | BORN, 0, NULL},
    {"priority", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_priority, TIME | BORN, 0,
     NULL},
    {"renaming", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_renaming, 0, 0,
     "a list may be shorter than the driver allows"},
    {"no_flags", WCTS_DRIVER_ALLOCATION_CREATE, AFTER, described, change_no_flags, 0, 0,
     "no document says what a flag of the driver does"},
    {"create_resource", WCTS_DRIVER_ALLOCATION_CREATE, BEFORE, NULL, change_create_resource, 0, 0,
     "no document speaks of DXGK_CREATEALLOCATIONFLAGS"},
    {"patch_offset", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_offset, TIME | LIST, 0, NULL},
    {"patch_allocation", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_allocation, TIME | LIST,
     0, NULL},
    {"patch_slot", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_slot, TIME | LIST, 0, NULL},
    {"patch_index", WCTS_DRIVER_PATCH, BEFORE, patched, change_patch_index, TIME | LIST, 0, NULL},
    {"used_write", WCTS_DRIVER_PATCH, BEFORE, used, change_used_write, TIME | LIST | ALLOCATION, 0,
     NULL},
    {"used_address", WCTS_DRIVER_PATCH, BEFORE, used, change_used_address, TIME | LIST | ALLOCATION,
     0, NULL},
    {"used_handle", WCTS_DRIVER_PATCH, BEFORE, used, change_used_handle, TIME | LIST | ALLOCATION,
     0, NULL},
    {"patch_fence", WCTS_DRIVER_PATCH, BEFORE, NULL, change_patch_fence, TIME, 0, NULL},
    {"patch_paging", WCTS_DRIVER_PATCH, BEFORE, NULL, change_patch_paging, TIME, 0, NULL},
    {"no_patch", WCTS_DRIVER_PATCH, INSTEAD, NULL, NULL, TIME, 0, NULL},
    {"submit_fence", WCTS_DRIVER_SUBMIT, BEFORE, NULL, change_submit_fence, TIME, 0, NULL},
    {"submit_end", WCTS_DRIVER_SUBMIT, BEFORE, NULL, change_submit_end, TIME, 0, NULL},
    {"no_submit", WCTS_DRIVER_SUBMIT, INSTEAD, NULL, NULL, TIME, 0, NULL},
    {"no_driver_destroy", WCTS_DRIVER_ALLOCATION_DESTROY, INSTEAD, NULL, NULL, 0, 0,
     "no document says when the driver is told of the end of an allocation"},
    {"destroy_other", WCTS_DRIVER_ALLOCATION_DESTROY, BEFORE, destroyed, change_destroy_other,
     TIME | LIST | ALLOCATION, 0, NULL},
    {"paging_short", WCTS_DRIVER_PAGING, BEFORE, NULL, change_paging_short, TIME | ALLOCATION, 0,
     NULL},
    {"paging_source", WCTS_DRIVER_PAGING, BEFORE, NULL, change_paging_source, TIME | ALLOCATION, 0,
     NULL},
    {"paging_aperture", WCTS_DRIVER_PAGING, BEFORE, NULL, change_paging_aperture, TIME | ALLOCATION,
     0, NULL},
    {"no_paging", WCTS_DRIVER_PAGING, INSTEAD, NULL, change_no_paging, TIME | ALLOCATION, 0, NULL},
    {"secure_short", WCTS_MACHINE_SECURE, BEFORE, NULL, change_secure_short, TIME, WDDM_2_3, NULL},
    {"no_release", WCTS_MACHINE_RELEASE, INSTEAD, NULL, NULL, TIME, WDDM_2_3, NULL},
    {"view_short", WCTS_MACHINE_VIEW, BEFORE, NULL, change_view_short, TIME, 0, NULL},
    {"no_view_end", WCTS_MACHINE_VIEW_END, INSTEAD, NULL, NULL, 0, 0,
     "no document says that a view ends"},
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

static uint32_t number_of(const uint32_t *handles, uint32_t count, uint32_t handle)
{
    for (uint32_t i = 0; i < count; i++)
        if (handles[i] == handle)
            return i + 1;
    return 0;
}

/* Notes of which device, process and adapter an allocation is. */
static void note_device(const struct drawn *drawn, uint32_t handle, struct allocation *allocation)
{
    for (uint32_t i = 0; i < drawn->device_count; i++)
        if (drawn->devices[i].handle == handle) {
            allocation->device = i + 1;
            allocation->process = drawn->devices[i].process;
            allocation->adapter = drawn->devices[i].adapter;
        }
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
                                .index = i,
                                .count = out->Args.NumAllocations,
                                .born = drawn->allocation_count,
                                .size = i < drawn->size_count ? drawn->sizes[i] : 0,
                                .driver_handle = i < drawn->size_count ? drawn->handles[i] : 0,
                                .shared = out->Args.Flags & 2};
        note_device(drawn, out->Args.hDevice, &drawn->allocations[drawn->allocation_count]);
        drawn->allocation_count++;
        drawn->live++;
    }
}

static void note_device_created(struct drawn *drawn, const struct wcts_kernel_device_request *in,
                                uint32_t handle)
{
    if (drawn->device_count == DEVICES_MAX)
        return;
    drawn->devices[drawn->device_count++] =
        (struct device){handle, number_of(drawn->processes, drawn->process_count, in->hProcess),
                        number_of(drawn->adapters, drawn->adapter_count, in->hAdapter)};
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
    else if (operation == WCTS_KERNEL_DEVICE)
        note_device_created(drawn, request,
                            ((const struct wcts_kernel_handle_reply *)reply)->Handle);
    else if (operation == WCTS_KERNEL_PROCESS && drawn->process_count < DEVICES_MAX)
        drawn->processes[drawn->process_count++] =
            ((const struct wcts_kernel_handle_reply *)reply)->Handle;
    else if (operation == WCTS_KERNEL_ADAPTER_START && drawn->adapter_count < DEVICES_MAX)
        drawn->adapters[drawn->adapter_count++] =
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
        return element && maps(update) ? find(drawn, update->Map.hAllocation) : NULL;
    case WCTS_DRIVER_ALLOCATION_DESTROY:
        return element ? find_driver(drawn, *(const uint64_t *)element) : NULL;
    case WCTS_DRIVER_PATCH: /* only the list of allocations has any */
        return element && drawn->act->list == used
                   ? find_driver(drawn, ((const struct wcts_DXGK_ALLOCATIONLIST *)element)
                                            ->hDeviceSpecificAllocation)
                   : NULL;
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
                                  .flags = drawn->creating_flags,
                                  .shared = drawn->creating_flags & 2};
        struct place place = {named_by(drawn, act->operation, request, act->list ? element : NULL),
                              i, count, drawn->calls[act->operation & 0x3FF]};
        if (act->operation == WCTS_DRIVER_ALLOCATION_CREATE && act->list) {
            told.size = ((description *)(void *)element)->Size;
            note_device(drawn, drawn->creating_device, &told);
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
    const struct act *act = drawn->act && drawn->act->operation == operation ? drawn->act : NULL;
    void *copy = malloc(request_size);
    wcts_status status;
    memcpy(copy, request, request_size);
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE) {
        drawn->creating_flags = ((const struct wcts_kernel_allocation_create *)copy)->Args.Flags;
        drawn->creating_device = ((const struct wcts_kernel_allocation_create *)copy)->Args.hDevice;
    }
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

/* ---- Words of flags ---- */

static bool is_hit(struct drawn *drawn, enum word_kind kind, uint32_t value)
{
    const struct word_fault *fault = &drawn->word;
    bool is_forbidden;
    if (!fault->word || fault->word->kind != kind ||
        (drawn->at && drawn->at != drawn->host.interface_version))
        return false;
    is_forbidden = fault->word->judge(drawn->host.interface_version, value) == FORBIDDEN;
    if (!word_hit(fault, value) || is_forbidden != fault->accept)
        return false;
    tell(drawn);
    return true;
}

static bool update_hit(struct drawn *drawn, const void *request, uint32_t size)
{
    const struct wcts_kernel_va_update_request *in = request;
    const va_operation *list =
        wcts_message_at(request, size, in->Args.Operations, in->Args.NumOperations, sizeof *list);
    for (uint32_t i = 0; list && i < in->Args.NumOperations; i++)
        if (is_hit(drawn, WORD_TYPE, list[i].OperationType) ||
            (list[i].OperationType == 3 &&
             is_hit(drawn, WORD_PROTECT, (uint32_t)list[i].MapProtect.Protection)) ||
            (list[i].OperationType == 1 &&
             is_hit(drawn, WORD_UNMAP, (uint32_t)list[i].Unmap.Protection)))
            return true;
    return false;
}

static bool lock_hit(struct drawn *drawn, const struct wcts_kernel_lock_request *in)
{
    const struct allocation *allocation = find(drawn, in->hAllocation);
    return is_hit(drawn, WORD_LOCK,
                  (in->Write & 1) | (in->Discard & 1) << 1 | (in->UseAlternateVA & 1) << 2 |
                      (allocation && allocation->flags & 0x80 ? 8 : 0));
}

/* Whether the kernel misjudges a word of the request. */
static bool request_hit(struct drawn *drawn, uint32_t operation, const void *request, uint32_t size)
{
    switch (operation) {
    case WCTS_KERNEL_ALLOCATION_CREATE:
        return is_hit(drawn, WORD_CREATE,
                      ((const struct wcts_kernel_allocation_create *)request)->Args.Flags);
    case WCTS_KERNEL_LOCK:
        return lock_hit(drawn, request);
    case WCTS_KERNEL_VA_UPDATE:
        return update_hit(drawn, request, size);
    case WCTS_KERNEL_VA_RESERVE:
        return is_hit(drawn, WORD_RESERVE,
                      ((const struct wcts_kernel_va_reserve *)request)->Args.ReservationType);
    case WCTS_KERNEL_PAGE_IN:
        return is_hit(drawn, WORD_PAGE_IN,
                      ((const struct wcts_kernel_allocation_request *)request)->Write);
    case WCTS_KERNEL_POWER:
        return is_hit(drawn, WORD_POWER,
                      ((const struct wcts_kernel_power_request *)request)->State);
    default:
        return false;
    }
}

/* What the driver answers, judged: a kernel that refuses it refuses the call that asked for it,
 * and one that takes what it must not sees a segment without flags. */
static wcts_status judge_answer(struct drawn *drawn, uint32_t operation, uint8_t *reply,
                                uint32_t size)
{
    const struct wcts_driver_segments_reply *segments = (void *)reply;
    uint32_t count = 0, each = 0;
    bool hit = false;
    if (operation == WCTS_DRIVER_INFO) {
        uint32_t can = ((const struct wcts_driver_info_reply *)(void *)reply)->paging_operations;
        hit = is_hit(drawn, WORD_PAGING, (can & 3) | (can >> 5 & 1) << 2 | (can >> 6 & 1) << 3);
    } else if (operation == WCTS_DRIVER_ALLOCATION_CREATE) {
        const description *list = (void *)described(reply, size, &count, &each);
        for (uint32_t i = 0; list && i < count; i++)
            hit = is_hit(drawn, WORD_INFO, list[i].Flags) || hit;
    } else if (operation == WCTS_DRIVER_SEGMENTS) {
        for (uint32_t i = 0; i < segments->Count; i++) {
            struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
            uint8_t *at = reply + segments->pSegments + (size_t)i * segments->Stride;
            memcpy(&segment, at, sizeof segment);
            if (!is_hit(drawn, WORD_SEGMENT, segment.Flags))
                continue;
            hit = true;
            segment.Flags = 0;
            if (drawn->word.accept)
                memcpy(at, &segment, sizeof segment);
        }
    }
    return hit && !drawn->word.accept ? WCTS_STATUS_INVALID_PARAMETER : WCTS_STATUS_SUCCESS;
}

/* Has the kernel take what it must not: the call without what is wrong about it. */
static wcts_status accept(struct drawn *drawn, uint32_t operation, const void *request,
                          uint32_t request_size, void *reply, uint32_t reply_room,
                          uint32_t *reply_size)
{
    void *copy = malloc(request_size);
    wcts_status status;
    memcpy(copy, request, request_size);
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE) {
        ((struct wcts_kernel_allocation_create *)copy)->Args.Flags = 0;
        ((struct wcts_kernel_allocation_create *)copy)->Args.pStandardAllocation = 0;
    } else if (operation == WCTS_KERNEL_LOCK) {
        ((struct wcts_kernel_lock_request *)copy)->Write = 0;
    }
    status = operation == WCTS_KERNEL_VA_UPDATE ? answer_alone(operation, reply, reply_size)
                                                : pass(drawn, to_kernel, operation, copy,
                                                       request_size, reply, reply_room, reply_size);
    free(copy);
    return status;
}

static wcts_status cross(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    wcts_status status =
        pass(ctx, to_host, operation, request, request_size, reply, reply_room, reply_size);
    if (!wcts_succeeded(status))
        return status;
    wcts_status judged = judge_answer(ctx, operation, reply, *reply_size);
    return wcts_succeeded(judged) ? status : judged;
}

static wcts_status drawn_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    struct drawn *drawn = instance;
    if (!request_hit(drawn, operation, request, request_size))
        return pass(drawn, to_kernel, operation, request, request_size, reply, reply_room,
                    reply_size);
    *reply_size = 0;
    if (!drawn->word.accept)
        return WCTS_STATUS_INVALID_PARAMETER;
    return accept(drawn, operation, request, request_size, reply, reply_room, reply_size);
}

/* ---- A thousand ---- */

#define DRAWN_COUNT 1000

/* What is drawn: a row of `acts` and one of `whens`, or a word. */
struct draw {
    const struct act *act;
    const struct when *when;
    struct word_fault word;
    const struct version *version; /* at which it shows */
    bool is_everywhere;            /* It is there at all others, too */
};

static bool can_show(const struct act *act, const struct when *when)
{
    /* What is at most a page has none to lose. */
    bool is_short = strstr(act->name, "short") || strcmp(act->name, "smaller") == 0;
    bool is_one_page = strcmp(when->name, "small") == 0;
    return act->occasions & when->occasion &&
           !(is_one_page && (is_short || strcmp(act->name, "paging_aperture") == 0));
}

static struct draw draw_fault(const char *seed, uint32_t number)
{
    uint64_t random = 0xCBF29CE484222325u;
    struct draw draw = {.act = NULL};
    for (; *seed != '\0'; seed++)
        random = (random ^ (uint8_t)*seed) * 0x100000001B3u;
    random = draw_next(&random) + number;
    draw_next(&random);
    draw.version = &draw_versions[draw_below(&random, VERSION_COUNT)];
    draw.is_everywhere = draw_below(&random, 2);
    if (draw_below(&random, 2)) {
        draw.word = draw_word(&random, draw.version->number);
        return draw;
    }
    do {
        draw.act = &acts[draw_below(&random, sizeof acts / sizeof *acts)];
        draw.when = &whens[draw_below(&random, sizeof whens / sizeof *whens)];
    } while (!can_show(draw.act, draw.when));
    while (draw.version->number < draw.act->since || draw.version->number < draw.when->since)
        draw.version = &draw_versions[draw_below(&random, VERSION_COUNT)];
    return draw;
}

static void say(FILE *to, uint32_t number, const struct draw *draw)
{
    fprintf(to, "%u %s ", number, draw->version->name);
    if (draw->act)
        fprintf(to, "act=%s,when=%s", draw->act->name, draw->when->name);
    else
        fprintf(to, "word=%s,wrong=%s,set=0x%x,clear=0x%x", draw->word.word->name,
                draw->word.accept ? "accept" : "refuse", draw->word.set, draw->word.clear);
    if (!draw->is_everywhere)
        fprintf(to, ",at=0x%x", draw->version->number);
    fprintf(to, "\n");
}

/* The thousand of the seed, or without one all acts on all occasions. */
static void list(const char *seed, const char *path)
{
    FILE *to = fopen(path, "w");
    uint32_t number = 0;
    if (!to)
        return;
    for (uint32_t i = 1; seed && i <= DRAWN_COUNT; i++) {
        struct draw draw = draw_fault(seed, i);
        say(to, i, &draw);
    }
    for (size_t i = 0; !seed && i < sizeof acts / sizeof *acts; i++)
        for (size_t k = 0; k < sizeof whens / sizeof *whens; k++) {
            struct draw draw = {.act = &acts[i], .when = &whens[k], .version = draw_versions};
            while (draw.version->number < acts[i].since || draw.version->number < whens[k].since)
                draw.version++;
            draw.is_everywhere = true;
            if (can_show(&acts[i], &whens[k]))
                say(to, ++number, &draw);
        }
    fclose(to);
}

/* ---- The plug-in ---- */

static uint32_t number_option(const struct test_instance *options, const char *name)
{
    char text[32];
    return (uint32_t)strtoul(test_option(options, name, text, sizeof text), NULL, 0);
}

/* The fault that the options name, or draw; false if there is none. */
static bool choose(struct drawn *drawn, const struct test_instance *options)
{
    char name[64], seed[128], path[512];
    test_option(options, "seed", seed, sizeof seed);
    test_option(options, "to", path, sizeof path);
    test_option(options, "act", name, sizeof name);
    if (strcmp(name, "list") == 0)
        list(NULL, path);
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].name, name) == 0)
            drawn->act = &acts[i];
    test_option(options, "when", name, sizeof name);
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++)
        if (strcmp(whens[i].name, name) == 0)
            drawn->when = &whens[i];
    test_option(options, "word", name, sizeof name);
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (strcmp(words[i].name, name) == 0)
            drawn->word.word = &words[i];
    drawn->word.accept = strcmp(test_option(options, "wrong", name, sizeof name), "accept") == 0;
    drawn->word.set = number_option(options, "set");
    drawn->word.clear = number_option(options, "clear");
    drawn->at = number_option(options, "at");
    test_option(options, "draw", name, sizeof name);
    if (strcmp(name, "list") == 0) {
        list(seed, path);
    } else if (name[0] != '\0') {
        struct draw draw = draw_fault(seed, (uint32_t)strtoul(name, NULL, 10));
        drawn->act = draw.act;
        drawn->when = draw.when;
        drawn->word = draw.word;
        drawn->at = draw.is_everywhere ? 0 : draw.version->number;
    }
    return drawn->word.word || (drawn->act && drawn->when);
}

static void *drawn_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct drawn *drawn = calloc(1, sizeof *drawn);
    struct wcts_host inner = *host;
    if (!drawn)
        return NULL;
    drawn->host = *host;
    test_option(&options, "told", drawn->told, sizeof drawn->told);
    bool is_chosen = choose(drawn, &options);
    inner.call = cross;
    inner.ctx = drawn;
    inner.options = wrap_rest(host->options);
    if (is_chosen)
        return wrap_open_in(drawn, &inner, side);
    free(drawn);
    return NULL;
}

TEST_PLUGIN_OPEN("drawn fault", WCTS_SIDE_KERNEL, drawn_open, drawn_call, wrap_close_in)
