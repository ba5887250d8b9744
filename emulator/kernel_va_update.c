/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: the rules and the effects of document 002
 * (D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION). The operations of a call are applied in the order
 * of the array, each on top of those before it; a refused call changes no page. */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <string.h>

/* A call on its way. All ranges that it changes lie in one reservation, so one set of pages is all
 * that it changes: the shadow, or the reservation's own when there is one operation only, which
 * is judged as a whole before it changes anything. */
struct batch {
    const struct emu_kernel *kernel;
    const struct emu_process *process;
    const struct emu_adapter *adapter;
    uint32_t count;
    struct emu_reservation *target; /* of the ranges that change; NULL before the first */
    struct emu_reservation *source; /* of the copies' sources; NULL before the first */
    struct emu_pages *pages;        /* the pages of target as the batch sees them */
    struct emu_pages shadow;
    uint32_t applied;       /* OperationType of the one before */
    uint32_t done;          /* operations that took effect; for faults, as what follows */
    struct emu_range freed; /* by the last Unmap */
};

/* For a fault: what 512 entries of a table map. */
#define TABLE_BYTES (512 * EMU_GPU_PAGE_SIZE)

/* The faults of Map, or those of MapProtect: NULL where the other one has one. */
struct map_faults {
    const struct emu_fault_site *address; /* BaseAddress and SizeInBytes */
    const struct emu_fault_site *size, *odd_size, *wrap;
    const struct emu_fault_site *handle, *stale, *resident;
    const struct emu_fault_site *offset; /* AllocationOffsetInBytes */
    const struct emu_fault_site *length; /* AllocationSizeInBytes */
    const struct emu_fault_site *longer, *uneven, *zero, *fits;
    const struct emu_fault_site *named, *first, *period; /* the mapping */
    const struct emu_fault_site *unreserved, *straddling, *invalid;
    /* under a condition only */
    const struct emu_fault_site *longer_page, *uneven_large, *offset_far, *length_even;
    const struct emu_fault_site *size_far, *zero_large, *first_far, *table, *hole, *period_3_1;
    const struct emu_fault_site *fits_first, *fits_anywhere, *fits_whole;
};

EMU_FAULT_SITE(map_address, "UVA-004", "misaligned(map->BaseAddress)",
               "map->BaseAddress % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(map_size, "UVA-005", "misaligned(map->SizeInBytes)",
               "map->SizeInBytes % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(map_odd_size, "UVA-050.map", "misaligned(map->SizeInBytes)",
               "map->SizeInBytes % EMU_GPU_PAGE_SIZE > 1");
EMU_FAULT_SITE(map_wrap, "UVA-052.map", "map->SizeInBytes == 0",
               "map->SizeInBytes == 0 || wraps(map->BaseAddress, end)");
EMU_FAULT_SITE(map_handle, "UVA-008", "allocation == NULL",
               "allocation == NULL && map->hAllocation != 0");
EMU_FAULT_SITE(map_stale, "UVA-001.map", "allocation == NULL",
               "allocation == NULL && names_another(batch, map->hAllocation)");
EMU_FAULT_SITE(map_resident, "UVA-003", "allocation == NULL",
               "allocation == NULL || not_resident(allocation)");
EMU_FAULT_SITE(map_offset, "UVA-009", "misaligned(offset)", "misaligned(offset & 0xFF)");
EMU_FAULT_SITE(map_length, "UVA-010", "misaligned(map->AllocationSizeInBytes)", "0");
EMU_FAULT_SITE(map_longer, "UVA-011", "longer", "0");
EMU_FAULT_SITE(map_uneven, "UVA-013", "uneven", "0");
EMU_FAULT_SITE(map_zero, "UVA-012", "map->SizeInBytes", "EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(map_fits, "UVA-051.map", "left", "left + EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(map_first, "UVA-048", "map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT",
               "(map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT) + 1");
EMU_FAULT_SITE(map_period, "UVA-014", "length", "map->SizeInBytes");
EMU_FAULT_SITE(map_named, "UVA-002", "map->hAllocation", "newest(batch, map)");
EMU_FAULT_SITE(map_unreserved, "UVA-006", "judged.end",
               "first_end(batch, judged, WCTS_PAGE_UNRESERVED)");
EMU_FAULT_SITE(map_straddling, "UVA-007", "judged.end", "first_end(batch, judged, WCTS_PAGE_ZERO)");
EMU_FAULT_SITE(map_invalid, "UVA-038.map",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_INVALID)",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_UNRESERVED)");

EMU_FAULT_SITE(protect_address, "UVA-015", "misaligned(map->BaseAddress)",
               "map->BaseAddress % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(protect_size, "UVA-016", "misaligned(map->SizeInBytes)",
               "map->SizeInBytes % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(protect_odd_size, "UVA-050.mapprotect", "misaligned(map->SizeInBytes)",
               "map->SizeInBytes % EMU_GPU_PAGE_SIZE > 1");
EMU_FAULT_SITE(protect_wrap, "UVA-052.mapprotect", "map->SizeInBytes == 0",
               "map->SizeInBytes == 0 || wraps(map->BaseAddress, end)");
EMU_FAULT_SITE(protect_handle, "UVA-018", "allocation == NULL",
               "allocation == NULL && map->hAllocation != 0");
EMU_FAULT_SITE(protect_stale, "UVA-001.mapprotect", "allocation == NULL",
               "allocation == NULL && names_another(batch, map->hAllocation)");
EMU_FAULT_SITE(protect_resident, "UVA-043", "allocation == NULL",
               "allocation == NULL || not_resident(allocation)");
EMU_FAULT_SITE(protect_offset, "UVA-019", "misaligned(offset)", "misaligned(offset & 0xFF)");
EMU_FAULT_SITE(protect_length, "UVA-020", "misaligned(map->AllocationSizeInBytes)", "0");
EMU_FAULT_SITE(protect_longer, "UVA-039", "longer", "0");
EMU_FAULT_SITE(protect_uneven, "UVA-040", "uneven", "0");
EMU_FAULT_SITE(protect_zero, "UVA-021", "map->SizeInBytes", "EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(protect_fits, "UVA-051.mapprotect", "left", "left + EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(protect_first, "UVA-049", "map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT",
               "(map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT) + 1");
EMU_FAULT_SITE(protect_period, "UVA-041", "length", "map->SizeInBytes");
EMU_FAULT_SITE(protect_named, "UVA-042", "map->hAllocation", "newest(batch, map)");
EMU_FAULT_SITE(protect_unreserved, "UVA-017", "judged.end",
               "first_end(batch, judged, WCTS_PAGE_UNRESERVED)");
EMU_FAULT_SITE(protect_straddling, "UVA-007+protect", "judged.end",
               "first_end(batch, judged, WCTS_PAGE_ZERO)");
EMU_FAULT_SITE(protect_invalid, "UVA-038.mapprotect",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_INVALID)",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_UNRESERVED)");

EMU_FAULT_SITE(map_uneven_large, "UVA-013+large", "uneven",
               "uneven && map->SizeInBytes <= EMU_64KB");
EMU_FAULT_SITE(map_offset_far, "UVA-009+far", "misaligned(offset)",
               "misaligned(offset) && offset < EMU_64KB");
EMU_FAULT_SITE(map_length_even, "UVA-010+even", "misaligned(map->AllocationSizeInBytes)",
               "misaligned(map->AllocationSizeInBytes) && map->SizeInBytes % length != 0");
EMU_FAULT_SITE(map_zero_large, "UVA-012+large", "map->SizeInBytes",
               "map->SizeInBytes < EMU_64KB ? map->SizeInBytes : EMU_64KB");
EMU_FAULT_SITE(map_first_far, "UVA-048+far", "map->AllocationOffsetInBytes",
               "map->AllocationOffsetInBytes & 0xFFFF");
EMU_FAULT_SITE(map_table, "UVA-002+table", "map->SizeInBytes",
               "map->SizeInBytes < TABLE_BYTES ? map->SizeInBytes : TABLE_BYTES");
EMU_FAULT_SITE(map_fits_first, "UVA-051.map+first", "size", "size_of_first(batch->kernel)");
EMU_FAULT_SITE(map_fits_anywhere, "UVA-051.map+offset", "past", "length > size");
EMU_FAULT_SITE(map_fits_whole, "UVA-051.map+whole", "past",
               "past && map->AllocationSizeInBytes != 0");
EMU_FAULT_SITE(map_hole, "UVA-006+hole", "judged.end", "before_hole(batch, judged)");

EMU_FAULT_SITE(protect_longer_page, "UVA-039+page", "longer",
               "longer && map->SizeInBytes > EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(protect_size_far, "UVA-016+far", "misaligned(map->SizeInBytes)",
               "misaligned(map->SizeInBytes) && map->SizeInBytes < 4 * EMU_64KB");
EMU_FAULT_SITE(protect_first_far, "UVA-049+far", "map->AllocationOffsetInBytes",
               "map->AllocationOffsetInBytes & 0xFFFF");
EMU_FAULT_SITE(protect_period_3_1, "UVA-041+3.1", "period", "map->SizeInBytes");
EMU_FAULT_SITE(protect_fits_first, "UVA-051.mapprotect+first", "size",
               "size_of_first(batch->kernel)");
EMU_FAULT_SITE(protect_fits_anywhere, "UVA-051.mapprotect+offset", "past", "length > size");
EMU_FAULT_SITE(protect_fits_whole, "UVA-051.mapprotect+whole", "past",
               "past && map->AllocationSizeInBytes != 0");
EMU_FAULT_SITE(protect_hole, "UVA-017+hole", "judged.end", "before_hole(batch, judged)");

static const struct map_faults map_faults = {
    .address = &map_address,
    .size = &map_size,
    .odd_size = &map_odd_size,
    .wrap = &map_wrap,
    .handle = &map_handle,
    .stale = &map_stale,
    .resident = &map_resident,
    .offset = &map_offset,
    .length = &map_length,
    .longer = &map_longer,
    .uneven = &map_uneven,
    .zero = &map_zero,
    .fits = &map_fits,
    .first = &map_first,
    .period = &map_period,
    .named = &map_named,
    .unreserved = &map_unreserved,
    .straddling = &map_straddling,
    .invalid = &map_invalid,
    .uneven_large = &map_uneven_large,
    .offset_far = &map_offset_far,
    .length_even = &map_length_even,
    .zero_large = &map_zero_large,
    .first_far = &map_first_far,
    .table = &map_table,
    .hole = &map_hole,
    .fits_first = &map_fits_first,
    .fits_anywhere = &map_fits_anywhere,
    .fits_whole = &map_fits_whole,
};

static const struct map_faults protect_faults = {
    .address = &protect_address,
    .size = &protect_size,
    .odd_size = &protect_odd_size,
    .wrap = &protect_wrap,
    .handle = &protect_handle,
    .stale = &protect_stale,
    .resident = &protect_resident,
    .offset = &protect_offset,
    .length = &protect_length,
    .longer = &protect_longer,
    .uneven = &protect_uneven,
    .zero = &protect_zero,
    .fits = &protect_fits,
    .first = &protect_first,
    .period = &protect_period,
    .named = &protect_named,
    .unreserved = &protect_unreserved,
    .straddling = &protect_straddling,
    .invalid = &protect_invalid,
    .longer_page = &protect_longer_page,
    .size_far = &protect_size_far,
    .first_far = &protect_first_far,
    .hole = &protect_hole,
    .fits_first = &protect_fits_first,
    .fits_anywhere = &protect_fits_anywhere,
    .fits_whole = &protect_fits_whole,
    .period_3_1 = &protect_period_3_1,
};

typedef wcts_status operation_fn(struct batch *batch,
                                 const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op);

static int misaligned(uint64_t value)
{
    return value % EMU_GPU_PAGE_SIZE != 0;
}

/* Pages of an aligned range. Neither sum can wrap around, and a range that does so in bytes ends
 * behind every reservation. */
static struct emu_range pages_of(uint64_t address, uint64_t size)
{
    struct emu_range range = {address >> EMU_GPU_PAGE_SHIFT, 0};
    range.end = range.first + (size >> EMU_GPU_PAGE_SHIFT);
    return range;
}

/* For faults: a range that runs past the last address; one that ends there does not. */
static int wraps(uint64_t address, uint64_t end)
{
    return end != 0 && end < address;
}

/* For faults: the end of a range, or that of its first page where its last one lies in another
 * reservation, whose pages begin in the state; or, of unreserved pages, in none. */
static uint64_t first_end(const struct batch *batch, struct emu_range range, uint32_t initial)
{
    const struct emu_range first = {range.first, range.first + 1};
    const struct emu_range last = {range.end - 1, range.end};
    const struct emu_reservation *other = emu_va_space_find(&batch->process->space, last);
    const uint32_t found = other != NULL ? other->pages.initial : (uint32_t)WCTS_PAGE_UNRESERVED;
    const int cut = found == initial && other != emu_va_space_find(&batch->process->space, first);
    return cut ? first.end : range.end;
}

/* For a fault: true when a Map of the range begins with the freed one and goes on behind it. */
static int outgrows(const struct map_faults *faults, struct emu_range range, struct emu_range freed)
{
    return faults == &map_faults && freed.first < freed.end && range.first == freed.first &&
           range.end > freed.end;
}

static int touches(struct emu_range a, struct emu_range b)
{
    return a.first < b.end && b.first < a.end;
}

/* For a fault: the reservation of the range by any process, or NULL. */
static struct emu_reservation *of_any(const struct batch *batch, struct emu_range range)
{
    const struct emu_handles *handles = &batch->kernel->handles;
    struct emu_reservation *found = NULL;
    uint32_t i;
    for (i = 0; i < handles->count && found == NULL; i++)
        if (handles->entries[i].kind == EMU_HANDLE_PROCESS)
            found = emu_va_space_find(
                &((const struct emu_process *)handles->entries[i].object)->space, range);
    return found;
}

/* For a fault: the end of a range, or, where it begins and ends in two reservations with something
 * between, that of its first one. */
static uint64_t before_hole(const struct batch *batch, struct emu_range range)
{
    const struct emu_va_space *space = &batch->process->space;
    const struct emu_range first = {range.first, range.first + 1};
    const struct emu_range last = {range.end - 1, range.end};
    const struct emu_reservation *begin = emu_va_space_find(space, first);
    const struct emu_reservation *end = emu_va_space_find(space, last);
    return begin != NULL && end != NULL && begin->range.end < end->range.first ? begin->range.end
                                                                               : range.end;
}

/* Finds the reservation of a range that an operation changes. "The virtual address ranges for all
 * operations must belong to a range that was reserved by the same call." */
static wcts_status use_target(struct batch *batch, struct emu_range range)
{
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, range);
    found = EMU_FAULT("UVA-006+other-process", found, found != NULL ? found : of_any(batch, range));
    if (found == NULL || (batch->target != NULL && batch->target != found &&
                          EMU_FAULT("UVA-007+third", 1, batch->done < 2)))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (batch->target != NULL)
        return WCTS_STATUS_SUCCESS;
    batch->target = found;
    batch->pages = &found->pages;
    if (batch->count == 1)
        return WCTS_STATUS_SUCCESS;
    batch->pages = &batch->shadow;
    return emu_pages_clone(&batch->shadow, &found->pages) ? WCTS_STATUS_SUCCESS
                                                          : WCTS_STATUS_NO_MEMORY;
}

/* Finds the reservation of a copy's source. Sources may lie in another reservation than the
 * targets, but together in one: advice. */
static wcts_status use_source(struct batch *batch, struct emu_range range)
{
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, range);
    if (found == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (batch->kernel->base.strict && batch->source != NULL &&
        EMU_FAULT("UVA-037", batch->source != found,
                  batch->source->range.first < found->range.first))
        return WCTS_STATUS_INVALID_PARAMETER;
    batch->source = found;
    return WCTS_STATUS_SUCCESS;
}

/* For a fault: true for the handle of what is no allocation, and is not gone either. */
static int names_another(const struct batch *batch, uint32_t handle)
{
    return handle == 0 ||
           emu_handle_object(&batch->kernel->handles, handle, EMU_HANDLE_DEVICE) != NULL;
}

static int not_resident(const struct emu_allocation *allocation)
{
    return allocation != NULL && allocation->content->current->block.segment == NULL;
}

static int is_resident(const struct emu_allocation *allocation)
{
    return allocation != NULL && !not_resident(allocation);
}

/* For faults: true for an allocation that was in a segment and is in none. */
static int was_evicted(const struct emu_allocation *allocation)
{
    return not_resident(allocation) && allocation->content->current->stamp != 0;
}

/* For faults: true when a Map, or a MapProtect, may not have the allocation in its state. */
static int unfit(const struct emu_allocation *allocation, const struct map_faults *faults)
{
    const int map = faults == &map_faults;
    return EMU_FAULT("UVA-003+evicted", 0, map && was_evicted(allocation)) ||
           EMU_FAULT("UVA-003+opened", 0,
                     map && not_resident(allocation) && allocation->next_holder != NULL) ||
           EMU_FAULT("UVA-003+mapped", 0,
                     map && is_resident(allocation) &&
                         !emu_segment_has_memory(allocation->content->current->block.segment)) ||
           EMU_FAULT("UVA-003+locked", 0, map && allocation != NULL && allocation->locks != 0) ||
           EMU_FAULT("UVA-043+locked", 0,
                     !map && not_resident(allocation) && allocation->locks != 0) ||
           EMU_FAULT("UVA-043+evicted", 0, !map && was_evicted(allocation)) ||
           EMU_FAULT("UVA-003.taken", 0, map && is_resident(allocation)) ||
           EMU_FAULT("UVA-043.taken", 0, !map && is_resident(allocation));
}

/* hAllocation: "the allocation to which the range is to be mapped". It "need not be resident". */
static int no_allocation(const struct batch *batch, const struct wcts_va_map_protect *map,
                         const struct emu_allocation *allocation, const struct map_faults *faults)
{
    int none = allocation == NULL;
    none = EMU_FAULT_AT(faults->handle, none, none && map->hAllocation != 0);
    none = EMU_FAULT_AT(faults->stale, none, none && names_another(batch, map->hAllocation));
    none = EMU_FAULT_AT(faults->resident, none, none || not_resident(allocation));
    return none || (allocation != NULL && allocation->device->process != batch->process) ||
           unfit(allocation, faults);
}

/* AllocationSizeInBytes: "must be less than SizeInBytes" (or equal: 0 stands for equality);
 * "when it is less, SizeInBytes must be a multiple". */
static int length_wrong(const struct wcts_va_map_protect *map, uint64_t length,
                        const struct map_faults *faults)
{
    const int longer = length > map->SizeInBytes;
    const int uneven = !longer && length != 0 && map->SizeInBytes % length != 0;
    return (EMU_FAULT_AT(faults->longer, longer, 0) &&
            EMU_FAULT_AT(faults->longer_page, 1, map->SizeInBytes > EMU_GPU_PAGE_SIZE)) ||
           (EMU_FAULT_AT(faults->uneven, uneven, 0) &&
            EMU_FAULT_AT(faults->uneven_large, 1, map->SizeInBytes <= EMU_64KB));
}

/* For faults: the size of the first allocation of all, which stands last. */
static uint64_t size_of_first(const struct emu_kernel *kernel)
{
    const struct emu_content *content = kernel->contents;
    while (content->next != NULL)
        content = content->next;
    return content->size;
}

/* "The specified allocation range": advice that there is one. */
static int past_end(const struct wcts_va_map_protect *map, uint64_t length, uint64_t size,
                    const struct map_faults *faults)
{
    const uint64_t left = size - map->AllocationOffsetInBytes;
    return map->AllocationOffsetInBytes > size ||
           length > EMU_FAULT_AT(faults->fits, left, left + EMU_GPU_PAGE_SIZE);
}

static int leaves_allocation(const struct batch *batch, const struct wcts_va_map_protect *map,
                             uint64_t length, const struct emu_allocation *allocation,
                             const struct map_faults *faults)
{
    const uint64_t own = allocation->content->size;
    const uint64_t size = EMU_FAULT_AT(faults->fits_first, own, size_of_first(batch->kernel));
    const int past = past_end(map, length, size, faults);
    return EMU_FAULT_AT(faults->fits_anywhere, past, length > size) &&
           EMU_FAULT_AT(faults->fits_whole, 1, map->AllocationSizeInBytes != 0);
}

/* Judges the allocation's side of a mapping. */
static wcts_status judge_allocation_range(const struct batch *batch,
                                          const struct wcts_va_map_protect *map, uint64_t length,
                                          const struct map_faults *faults)
{
    const uint64_t offset = map->AllocationOffsetInBytes;
    const struct emu_allocation *allocation =
        emu_handle_object(&batch->kernel->handles, map->hAllocation, EMU_HANDLE_ALLOCATION);
    if (no_allocation(batch, map, allocation, faults))
        return WCTS_STATUS_INVALID_HANDLE;
    /* AllocationOffsetInBytes, AllocationSizeInBytes: "must be aligned to 4 KB". */
    if ((EMU_FAULT_AT(faults->offset, misaligned(offset), misaligned(offset & 0xFF)) &&
         EMU_FAULT_AT(faults->offset_far, 1, offset < EMU_64KB)) ||
        (EMU_FAULT_AT(faults->length, misaligned(map->AllocationSizeInBytes), 0) &&
         EMU_FAULT_AT(faults->length_even, 1, length == 0 || map->SizeInBytes % length != 0)))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (length_wrong(map, length, faults))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (batch->kernel->base.strict && allocation != NULL &&
        leaves_allocation(batch, map, length, allocation, faults))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}

/* For a fault: the allocation that was made last. */
static uint32_t newest(const struct batch *batch, const struct wcts_va_map_protect *map)
{
    const struct emu_content *content = batch->kernel->contents;
    return content != NULL && content->holders != NULL ? content->holders->hAllocation
                                                       : map->hAllocation;
}

/* What is to be mapped where. The last page of an allocation range counts in whole. */
static struct emu_run run_of(const struct batch *batch, const struct wcts_va_map_protect *map,
                             uint64_t length, const struct map_faults *faults)
{
    const uint32_t boot = batch->kernel->base.host->interface_version;
    const uint64_t period =
        EMU_FAULT_AT(faults->period_3_1, EMU_FAULT_AT(faults->period, length, map->SizeInBytes),
                     EMU_WDDM_OF(boot) == EMU_WDDM_OF(EMU_WDDM_3_1) ? map->SizeInBytes : length);
    const uint64_t offset = EMU_FAULT_AT(faults->first_far, map->AllocationOffsetInBytes,
                                         map->AllocationOffsetInBytes & 0xFFFF) >>
                            EMU_GPU_PAGE_SHIFT;
    return (struct emu_run){.range = pages_of(map->BaseAddress, map->SizeInBytes),
                            .state = WCTS_PAGE_MAPPED,
                            .hAllocation =
                                EMU_FAULT_AT(faults->named, map->hAllocation, newest(batch, map)),
                            .origin = map->BaseAddress >> EMU_GPU_PAGE_SHIFT,
                            .offset = EMU_FAULT_AT(faults->first, offset, offset + 1),
                            .period = (period + EMU_GPU_PAGE_SIZE - 1) >> EMU_GPU_PAGE_SHIFT,
                            .protection = map->Protection,
                            .driver_protection = map->DriverProtection};
}

/* BaseAddress, SizeInBytes: "must be aligned to 4 KB". */
static int range_misaligned(const struct wcts_va_map_protect *map, const struct map_faults *faults)
{
    const int base = misaligned(map->BaseAddress);
    int size = misaligned(map->SizeInBytes);
    size = EMU_FAULT_AT(faults->size, size, map->SizeInBytes % (EMU_GPU_PAGE_SIZE / 2) != 0);
    size = EMU_FAULT_AT(faults->odd_size, size, map->SizeInBytes % EMU_GPU_PAGE_SIZE > 1);
    size = EMU_FAULT_AT(faults->size_far, size, size && map->SizeInBytes < 4 * EMU_64KB);
    return EMU_FAULT_AT(faults->address, base, map->BaseAddress % (EMU_GPU_PAGE_SIZE / 2) != 0) ||
           size;
}

/* For a fault: of a single Map that leaves its reservation, what lies in it is mapped. */
static void map_inside(const struct batch *batch, struct emu_run run)
{
    const struct emu_range first = {run.range.first, run.range.first + 1};
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, first);
    if (batch->count != 1 || found == NULL || found->range.end >= run.range.end)
        return;
    run.range.end = found->range.end;
    (void)emu_pages_set(&found->pages, &run);
}

/* For a fault: true when something was done with the pages, and all are in the zero state. */
static int emptied(const struct emu_pages *pages)
{
    return pages->room != 0 && pages->count == 0 && pages->initial == WCTS_PAGE_ZERO;
}

/* For a fault: the end of a range, not beyond what one table of pages holds. */
static uint64_t end_in_table(struct emu_range range)
{
    const uint64_t most = TABLE_BYTES >> EMU_GPU_PAGE_SHIFT;
    return range.end - range.first < most ? range.end : range.first + most;
}

/* For faults: what a Map leaves of the protections of pages that were mapped before. */
static void keep_protections(const struct batch *batch, struct emu_run *run)
{
    const struct emu_run *before = emu_pages_at(batch->pages, run->range.first);
    if (before == NULL || before->state != WCTS_PAGE_MAPPED)
        return;
    run->protection = EMU_FAULT("UVA-035+over", run->protection, before->protection);
    run->driver_protection =
        EMU_FAULT("UVA-036+over", run->driver_protection, before->driver_protection);
}

static wcts_status put_mapping(struct batch *batch, struct emu_run run,
                               const struct map_faults *faults)
{
    run.range.end = EMU_FAULT_AT(faults->table, run.range.end, end_in_table(run.range));
    if (faults == &map_faults)
        keep_protections(batch, &run);
    if (EMU_FAULT("UVA-002+second-adapter", 0, batch->adapter->index != 0))
        return WCTS_STATUS_SUCCESS;
    return emu_pages_set(batch->pages, &run) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

/* Map and MapProtect differ in the two protections only. */
static wcts_status map_pages(struct batch *batch, const struct wcts_va_map_protect *map,
                             const struct map_faults *faults)
{
    /* AllocationSizeInBytes: "if this value is zero, SizeInBytes is used". */
    const uint64_t whole = EMU_FAULT_AT(
        faults->zero_large, EMU_FAULT_AT(faults->zero, map->SizeInBytes, EMU_GPU_PAGE_SIZE),
        map->SizeInBytes < EMU_64KB ? map->SizeInBytes : EMU_64KB);
    const uint64_t length = map->AllocationSizeInBytes ? map->AllocationSizeInBytes : whole;
    const struct emu_run run = run_of(batch, map, length, faults);
    const uint64_t end = map->BaseAddress + map->SizeInBytes; /* modulo 2^64 */
    struct emu_range judged = run.range;
    wcts_status status;
    if (range_misaligned(map, faults))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = judge_allocation_range(batch, map, length, faults);
    if (!wcts_succeeded(status) ||
        EMU_FAULT_AT(faults->wrap, map->SizeInBytes == 0,
                     map->SizeInBytes == 0 || wraps(map->BaseAddress, end)))
        return status;
    judged.end = EMU_FAULT_AT(faults->unreserved, judged.end,
                              first_end(batch, judged, WCTS_PAGE_UNRESERVED));
    judged.end =
        EMU_FAULT_AT(faults->straddling, judged.end, first_end(batch, judged, WCTS_PAGE_ZERO));
    judged.end = EMU_FAULT_AT(faults->hole, judged.end, before_hole(batch, judged));
    if (EMU_FAULT("UVA-045", 0, outgrows(faults, judged, batch->freed)))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = use_target(batch, judged);
    if (!wcts_succeeded(status)) {
        EMU_FAULT_DO("UVA-034.map+inside", (void)0, map_inside(batch, run));
        return status;
    }
    if (EMU_FAULT("UVA-045+whole", 0, emptied(batch->pages)))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* BaseAddress: "the whole range must be in the reserved (zero) or mapped state, or the call
     * will fail". That pages without access are neither is advice. */
    if (batch->kernel->base.strict &&
        EMU_FAULT_AT(faults->invalid, emu_pages_any(batch->pages, run.range, WCTS_PAGE_INVALID),
                     emu_pages_any(batch->pages, run.range, WCTS_PAGE_UNRESERVED)))
        return WCTS_STATUS_INVALID_PARAMETER;
    return put_mapping(batch, run, faults);
}

static wcts_status operation_map(struct batch *batch,
                                 const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    /* Map: "read-write protection is set on the pages; DriverProtection is set to zero". */
    const struct wcts_va_map_protect map = {
        .BaseAddress = op->Map.BaseAddress,
        .SizeInBytes = op->Map.SizeInBytes,
        .hAllocation = op->Map.hAllocation,
        .AllocationOffsetInBytes = op->Map.AllocationOffsetInBytes,
        .AllocationSizeInBytes = op->Map.AllocationSizeInBytes,
        .Protection = EMU_FAULT("UVA-035", (uint64_t)EMU_PROTECTION_WRITE, UINT64_C(0)),
        .DriverProtection =
            EMU_FAULT("UVA-036+2.2", EMU_FAULT("UVA-036", UINT64_C(0), UINT64_C(1)),
                      (uint64_t)(EMU_WDDM_OF(batch->kernel->base.host->interface_version) ==
                                 EMU_WDDM_OF(EMU_WDDM_2_2))),
    };
    return map_pages(batch, &map, &map_faults);
}

static wcts_status
operation_map_protect(struct batch *batch,
                      const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    struct wcts_va_map_protect map = op->MapProtect;
    /* Protection, DriverProtection: as "specified in the operation". */
    map.Protection = EMU_FAULT("UVA-022", map.Protection, map.Protection << 1);
    map.DriverProtection =
        EMU_FAULT("UVA-023", map.DriverProtection, map.DriverProtection & ~UINT64_C(1));
    map.DriverProtection =
        EMU_FAULT("UVA-023+high", map.DriverProtection, map.DriverProtection & UINT32_MAX);
    return map_pages(batch, &map, &protect_faults);
}

static uint32_t unmap_state(uint64_t protection)
{
    const int no_access =
        EMU_FAULT("UVA-044", (protection & EMU_PROTECTION_NO_ACCESS) != 0, protection == 0);
    const uint32_t zero =
        EMU_FAULT("UVA-024", (uint32_t)WCTS_PAGE_ZERO, (uint32_t)WCTS_PAGE_INVALID);
    return no_access ? (uint32_t)WCTS_PAGE_INVALID : zero;
}

/* BaseAddress, SizeInBytes: "must be aligned to 4 KB". */
static int unmap_misaligned(const struct batch *batch, const struct wcts_va_unmap *unmap)
{
    const uint64_t size = unmap->SizeInBytes;
    int odd = misaligned(size);
    odd = EMU_FAULT("UVA-026", odd, misaligned(size & ~UINT64_C(0x800)));
    odd = EMU_FAULT("UVA-050.unmap", odd, size % EMU_GPU_PAGE_SIZE > 1);
    return (EMU_FAULT("UVA-025", misaligned(unmap->BaseAddress),
                      misaligned(unmap->BaseAddress & ~UINT64_C(0x800))) &&
            EMU_FAULT("UVA-025+later", 1, batch->done == 0)) ||
           odd;
}

/* For a fault: the end of a range, or that of the mapping in whose middle it lies. */
static uint64_t end_of_mapping(const struct emu_pages *pages, struct emu_range range)
{
    const struct emu_run *before = range.first != 0 ? emu_pages_at(pages, range.first - 1) : NULL;
    return before != NULL && before->state == WCTS_PAGE_MAPPED && before->range.end > range.end
               ? before->range.end
               : range.end;
}

static wcts_status operation_unmap(struct batch *batch,
                                   const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    const struct wcts_va_unmap *unmap = &op->Unmap;
    const uint32_t state = unmap_state(unmap->Protection);
    struct emu_run run = {.range = pages_of(unmap->BaseAddress, unmap->SizeInBytes),
                          .state = state};
    const uint64_t end = unmap->BaseAddress + unmap->SizeInBytes; /* modulo 2^64 */
    struct emu_range judged = run.range;
    wcts_status status;
    if (unmap_misaligned(batch, unmap))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* Protection: "the state of the page table entry, Zero or NoAccess". */
    if (batch->kernel->base.strict && unmap->Protection != EMU_PROTECTION_NO_ACCESS &&
        EMU_FAULT("UVA-027", unmap->Protection != EMU_PROTECTION_ZERO,
                  (unmap->Protection & ~(uint64_t)EMU_PROTECTION_ZERO) != 0))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (EMU_FAULT("UVA-052.unmap", unmap->SizeInBytes == 0,
                  unmap->SizeInBytes == 0 || wraps(unmap->BaseAddress, end)))
        return WCTS_STATUS_SUCCESS;
    judged.end = EMU_FAULT("UVA-001.unmap", judged.end, first_end(batch, judged, WCTS_PAGE_ZERO));
    status = use_target(batch, judged);
    if (!wcts_succeeded(status))
        return status;
    batch->freed = run.range;
    run.range.end =
        EMU_FAULT("UVA-024+middle", run.range.end, end_of_mapping(batch->pages, run.range));
    if (EMU_FAULT("UVA-044+unmapped", 0,
                  state == WCTS_PAGE_INVALID &&
                      !emu_pages_any(batch->pages, run.range, WCTS_PAGE_MAPPED)))
        return WCTS_STATUS_SUCCESS;
    /* Unmap: "puts the range into the zero state or into the invalid state". */
    return emu_pages_set(batch->pages, &run) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

/* SourceAddress, SizeInBytes, DestAddress: "must be aligned to 4 KB". */
static int copy_misaligned(const struct wcts_va_copy *copy)
{
    const uint64_t size = copy->SizeInBytes;
    int odd = misaligned(size);
    odd = EMU_FAULT("UVA-032", odd, misaligned(size & ~UINT64_C(0x800)));
    odd = EMU_FAULT("UVA-050.copy", odd, size % EMU_GPU_PAGE_SIZE > 1);
    return EMU_FAULT("UVA-031", misaligned(copy->SourceAddress), 0) ||
           EMU_FAULT("UVA-033", misaligned(copy->DestAddress),
                     misaligned(copy->DestAddress & ~UINT64_C(0xFF))) ||
           odd;
}

static int nothing_to_copy(const struct wcts_va_copy *copy)
{
    const uint64_t from_end = copy->SourceAddress + copy->SizeInBytes; /* modulo 2^64 */
    const uint64_t to_end = copy->DestAddress + copy->SizeInBytes;
    int nothing = copy->SizeInBytes == 0;
    nothing = EMU_FAULT("UVA-052.source", nothing, nothing || wraps(copy->SourceAddress, from_end));
    return EMU_FAULT("UVA-052.destination", nothing, nothing || wraps(copy->DestAddress, to_end));
}

/* For faults: page by page from the first one on, of not more than most. */
static int copy_forwards(struct emu_pages *pages, uint64_t first, const struct emu_pages *source,
                         struct emu_range range, uint64_t most)
{
    uint64_t i;
    int done = 1;
    if (range.end - range.first > most)
        return emu_pages_copy(pages, first, source, range);
    for (i = 0; i < range.end - range.first && done; i++)
        done = emu_pages_copy(pages, first + i, source,
                              (struct emu_range){range.first + i, range.first + i + 1});
    return done;
}

/* For a fault: the end of the last mapping in a range, or that of the range without one. */
static uint64_t end_of_last(const struct emu_pages *pages, struct emu_range range)
{
    uint32_t i = pages->count;
    while (i-- > 0) {
        const struct emu_run *run = &pages->runs[i];
        if (run->state == WCTS_PAGE_MAPPED && touches(run->range, range))
            return run->range.end < range.end ? run->range.end : range.end;
    }
    return range.end;
}

/* For a fault: true when the first page of a range shows what was evicted. */
static int begins_evicted(const struct batch *batch, const struct emu_pages *pages,
                          struct emu_range range)
{
    const struct emu_run *run = emu_pages_at(pages, range.first);
    const struct emu_allocation *allocation =
        run != NULL && run->state == WCTS_PAGE_MAPPED
            ? emu_handle_object(&batch->kernel->handles, run->hAllocation, EMU_HANDLE_ALLOCATION)
            : NULL;
    return was_evicted(allocation);
}

/* "Copies all mappings from the source range to the destination range", those that were there
 * before the copy, and what is not mapped, too. */
static int copy_pages(struct emu_pages *pages, uint64_t first, const struct emu_pages *source,
                      struct emu_range range)
{
    const struct emu_range last = {range.end - 1, range.end};
    range.end = EMU_FAULT("UVA-028", range.end, last.first > range.first ? last.first : range.end);
    if (EMU_FAULT("UVA-046", 0, !emu_pages_any(source, range, WCTS_PAGE_MAPPED)))
        return 1;
    range.end = EMU_FAULT("UVA-046+tail", range.end, end_of_last(source, range));
    if (EMU_FAULT("UVA-047+large", 0, range.end - range.first > 64))
        return copy_forwards(pages, first, source, range, 4096);
    return EMU_FAULT_DO("UVA-047", emu_pages_copy(pages, first, source, range),
                        copy_forwards(pages, first, source, range, 64));
}

static wcts_status copy_range(struct batch *batch, const struct wcts_va_copy *copy)
{
    const struct emu_range from = pages_of(copy->SourceAddress, copy->SizeInBytes);
    const struct emu_range to = pages_of(copy->DestAddress, copy->SizeInBytes);
    struct emu_range judged = from, copied = from;
    const struct emu_pages *source;
    wcts_status status;
    if (copy_misaligned(copy))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (nothing_to_copy(copy))
        return WCTS_STATUS_SUCCESS;
    judged.end =
        EMU_FAULT("UVA-001.copy", judged.end, first_end(batch, judged, WCTS_PAGE_UNRESERVED));
    status = use_source(batch, judged);
    if (wcts_succeeded(status))
        status = use_target(batch, to);
    if (!wcts_succeeded(status))
        return status;
    /* Copy: "both ranges must belong to a reserved (zero) virtual address range". */
    if ((EMU_FAULT("UVA-030.source", batch->source->pages.initial != WCTS_PAGE_ZERO, 0) ||
         EMU_FAULT("UVA-030.destination", batch->target->pages.initial != WCTS_PAGE_ZERO, 0)) &&
        EMU_FAULT("UVA-030.source+same", 1, batch->source != batch->target))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* "The ranges may intersect." */
    if (EMU_FAULT("UVA-029", 0, batch->source == batch->target && touches(from, to)) ||
        EMU_FAULT("UVA-029+backwards", 0, touches(from, to) && to.first < from.first))
        return WCTS_STATUS_INVALID_PARAMETER;
    source = batch->source == batch->target ? batch->pages : &batch->source->pages;
    if (EMU_FAULT("UVA-028+evicted", 0, begins_evicted(batch, source, from)))
        return WCTS_STATUS_SUCCESS;
    copied.end =
        EMU_FAULT("UVA-028+slept", from.end,
                  batch->adapter->slept && from.end - from.first > 1 ? from.end - 1 : from.end);
    return copy_pages(batch->pages, to.first, source, copied) ? WCTS_STATUS_SUCCESS
                                                              : WCTS_STATUS_NO_MEMORY;
}

/* For a fault: the destination of a single copy that is refused is empty. */
static void clear_destination(const struct batch *batch, const struct wcts_va_copy *copy)
{
    const struct emu_run zero = {.range = pages_of(copy->DestAddress, copy->SizeInBytes),
                                 .state = WCTS_PAGE_ZERO};
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, zero.range);
    if (batch->count == 1 && found != NULL)
        (void)emu_pages_set(&found->pages, &zero);
}

static wcts_status operation_copy(struct batch *batch,
                                  const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    const wcts_status status = copy_range(batch, &op->Copy);
    if (!wcts_succeeded(status))
        EMU_FAULT_DO("UVA-034.copy+destination", (void)0, clear_destination(batch, &op->Copy));
    return status;
}

static operation_fn *const operations[] = {
    [EMU_VA_MAP] = operation_map,
    [EMU_VA_UNMAP] = operation_unmap,
    [EMU_VA_COPY] = operation_copy,
    [EMU_VA_MAP_PROTECT] = operation_map_protect,
};

#define OPERATION_COUNT (sizeof(operations) / sizeof(operations[0]))

static wcts_status apply_operation(struct batch *batch, const unsigned char *data)
{
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operation;
    wcts_status status;
    memcpy(&operation, data, sizeof(operation));
    if (operation.OperationType < OPERATION_COUNT) {
        status = operations[operation.OperationType](batch, &operation);
        if (wcts_succeeded(status)) {
            batch->applied = operation.OperationType;
            batch->done++;
        }
        return status;
    }
    /* OperationType: the document describes four; that there are no others is advice. */
    return batch->kernel->base.strict &&
                   EMU_FAULT("UVA-053", operation.OperationType >= OPERATION_COUNT,
                             operation.OperationType <= INT32_MAX)
               ? WCTS_STATUS_INVALID_PARAMETER
               : WCTS_STATUS_SUCCESS;
}

EMU_FAULT_SITE(map_kept, "UVA-034.map", "wcts_succeeded(status)", "1");
EMU_FAULT_SITE(unmap_kept, "UVA-034.unmap", "wcts_succeeded(status)", "1");
EMU_FAULT_SITE(copy_kept, "UVA-034.copy", "wcts_succeeded(status)", "1");
EMU_FAULT_SITE(protect_kept, "UVA-034.mapprotect", "wcts_succeeded(status)", "1");

/* What is kept of a call that is refused after such an operation, by OperationType. */
static const struct emu_fault_site *const kept[OPERATION_COUNT] = {
    [EMU_VA_MAP] = &map_kept,
    [EMU_VA_UNMAP] = &unmap_kept,
    [EMU_VA_COPY] = &copy_kept,
    [EMU_VA_MAP_PROTECT] = &protect_kept,
};

static int commits(const struct batch *batch, wcts_status status)
{
    const struct emu_fault_site *site =
        batch->applied < OPERATION_COUNT ? kept[batch->applied] : NULL;
    return EMU_FAULT_AT(site, wcts_succeeded(status), 1) ||
           EMU_FAULT("UVA-034.unmap+third", 0, batch->done > 2 && batch->applied == EMU_VA_UNMAP);
}

/* For faults: true for two operations of these types that differ in the protections only. */
static int pair(const unsigned char *data, uint32_t count, uint32_t first, uint32_t last)
{
    const size_t each = sizeof(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION);
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION a, b;
    if (count != 2)
        return 0;
    memcpy(&a, data, each);
    memcpy(&b, data + each, each);
    return a.OperationType == first && b.OperationType == last &&
           memcmp(&a.MapProtect, &b.MapProtect, offsetof(struct wcts_va_map_protect, Protection)) ==
               0;
}

/* The index of the operation that is applied next, the i-th. */
static uint32_t next_of(const unsigned char *data, uint32_t count, uint32_t i)
{
    i = EMU_FAULT("UVA-054.map-last", i,
                  pair(data, count, EMU_VA_MAP_PROTECT, EMU_VA_MAP) ? 1 - i : i);
    return EMU_FAULT("UVA-054.protect-last", i,
                     pair(data, count, EMU_VA_MAP, EMU_VA_MAP_PROTECT) ? 1 - i : i);
}

/* Puts the shadow in the place of the target's pages, or drops it. */
static void batch_end(struct batch *batch, int commit)
{
    if (batch->pages != &batch->shadow)
        return;
    if (commit) {
        const struct emu_pages old = batch->target->pages;
        batch->target->pages = batch->shadow;
        batch->shadow = old;
    }
    emu_pages_release(&batch->shadow);
}

wcts_status emu_kernel_va_update(void *instance, const void *request, uint32_t request_size,
                                 void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_kernel *kernel = instance;
    const struct wcts_D3DKMT_UPDATEGPUVIRTUALADDRESS *args =
        &((const struct wcts_kernel_va_update_request *)request)->Args;
    const struct emu_device *device =
        emu_handle_object(&kernel->handles, args->hDevice, EMU_HANDLE_DEVICE);
    const size_t each = sizeof(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION);
    const unsigned char *data =
        wcts_message_at(request, request_size, args->Operations, args->NumOperations, each);
    struct batch batch = {.kernel = kernel, .count = args->NumOperations};
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    (void)reply, (void)reply_room, (void)reply_size;
    if (kernel->base.host->interface_version < EMU_WDDM_2_0)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (device == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (data == NULL && args->NumOperations != 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    batch.process = device->process;
    batch.adapter = device->adapter;
    for (i = 0; i < args->NumOperations && wcts_succeeded(status); i++) {
        const unsigned char *at = data + next_of(data, args->NumOperations, i) * each;
        if (EMU_FAULT("UVA-002+many", 1, i < 16))
            status = apply_operation(&batch, at);
    }
    batch_end(&batch, commits(&batch, status));
    return status;
}
