/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: Map and MapProtect, which differ in the protections only (document 002). */
#include "emu_flags.h"
#include "emu_va_update.h"

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
    const struct emu_fault_site *first_4g;
    const struct emu_fault_site *size_far, *zero_large, *first_far, *table, *hole, *period_3_1;
    const struct emu_fault_site *fits_first, *fits_anywhere, *fits_whole;
};

EMU_FAULT_SITE(map_address, "UVA-004", "emu_va_misaligned(map->BaseAddress)",
               "map->BaseAddress % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(map_size, "UVA-005", "emu_va_misaligned(map->SizeInBytes)",
               "map->SizeInBytes % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(map_odd_size, "UVA-050.map", "emu_va_misaligned(map->SizeInBytes)",
               "map->SizeInBytes % EMU_GPU_PAGE_SIZE > 1");
EMU_FAULT_SITE(map_wrap, "UVA-052.map", "map->SizeInBytes == 0",
               "map->SizeInBytes == 0 || emu_va_wraps(map->BaseAddress, end)");
EMU_FAULT_SITE(map_handle, "UVA-008", "allocation == NULL",
               "allocation == NULL && map->hAllocation != 0");
EMU_FAULT_SITE(map_stale, "UVA-001.map", "allocation == NULL",
               "allocation == NULL && names_another(batch, map->hAllocation)");
EMU_FAULT_SITE(map_resident, "UVA-003", "allocation == NULL",
               "allocation == NULL || not_resident(allocation)");
EMU_FAULT_SITE(map_offset, "UVA-009", "emu_va_misaligned(offset)",
               "emu_va_misaligned(offset & 0xFF)");
EMU_FAULT_SITE(map_length, "UVA-010", "emu_va_misaligned(map->AllocationSizeInBytes)", "0");
EMU_FAULT_SITE(map_longer, "UVA-011", "longer", "0");
EMU_FAULT_SITE(map_uneven, "UVA-013", "uneven", "0");
EMU_FAULT_SITE(map_zero, "UVA-012", "map->SizeInBytes", "EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(map_fits, "UVA-051.map", "left", "left + EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(map_first, "UVA-048", "map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT",
               "(map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT) + 1");
EMU_FAULT_SITE(map_period, "UVA-014", "length", "map->SizeInBytes");
EMU_FAULT_SITE(map_named, "UVA-002", "map->hAllocation", "newest(batch, map)");
EMU_FAULT_SITE(map_unreserved, "UVA-006", "judged.end",
               "emu_va_first_end(batch, judged, WCTS_PAGE_UNRESERVED)");
EMU_FAULT_SITE(map_straddling, "UVA-007", "judged.end",
               "emu_va_first_end(batch, judged, WCTS_PAGE_ZERO)");
EMU_FAULT_SITE(map_invalid, "UVA-038.map",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_INVALID)",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_UNRESERVED)");

EMU_FAULT_SITE(protect_address, "UVA-015", "emu_va_misaligned(map->BaseAddress)",
               "map->BaseAddress % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(protect_size, "UVA-016", "emu_va_misaligned(map->SizeInBytes)",
               "map->SizeInBytes % (EMU_GPU_PAGE_SIZE / 2) != 0");
EMU_FAULT_SITE(protect_odd_size, "UVA-050.mapprotect", "emu_va_misaligned(map->SizeInBytes)",
               "map->SizeInBytes % EMU_GPU_PAGE_SIZE > 1");
EMU_FAULT_SITE(protect_wrap, "UVA-052.mapprotect", "map->SizeInBytes == 0",
               "map->SizeInBytes == 0 || emu_va_wraps(map->BaseAddress, end)");
EMU_FAULT_SITE(protect_handle, "UVA-018", "allocation == NULL",
               "allocation == NULL && map->hAllocation != 0");
EMU_FAULT_SITE(protect_stale, "UVA-001.mapprotect", "allocation == NULL",
               "allocation == NULL && names_another(batch, map->hAllocation)");
EMU_FAULT_SITE(protect_resident, "UVA-043", "allocation == NULL",
               "allocation == NULL || not_resident(allocation)");
EMU_FAULT_SITE(protect_offset, "UVA-019", "emu_va_misaligned(offset)",
               "emu_va_misaligned(offset & 0xFF)");
EMU_FAULT_SITE(protect_length, "UVA-020", "emu_va_misaligned(map->AllocationSizeInBytes)", "0");
EMU_FAULT_SITE(protect_longer, "UVA-039", "longer", "0");
EMU_FAULT_SITE(protect_uneven, "UVA-040", "uneven", "0");
EMU_FAULT_SITE(protect_zero, "UVA-021", "map->SizeInBytes", "EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(protect_fits, "UVA-051.mapprotect", "left", "left + EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(protect_first, "UVA-049", "map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT",
               "(map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT) + 1");
EMU_FAULT_SITE(protect_period, "UVA-041", "length", "map->SizeInBytes");
EMU_FAULT_SITE(protect_named, "UVA-042", "map->hAllocation", "newest(batch, map)");
EMU_FAULT_SITE(protect_unreserved, "UVA-017", "judged.end",
               "emu_va_first_end(batch, judged, WCTS_PAGE_UNRESERVED)");
EMU_FAULT_SITE(protect_straddling, "UVA-007+protect", "judged.end",
               "emu_va_first_end(batch, judged, WCTS_PAGE_ZERO)");
EMU_FAULT_SITE(protect_invalid, "UVA-038.mapprotect",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_INVALID)",
               "emu_pages_any(batch->pages, run.range, WCTS_PAGE_UNRESERVED)");

EMU_FAULT_SITE(map_uneven_large, "UVA-013+large", "uneven",
               "uneven && map->SizeInBytes <= EMU_64KB");
EMU_FAULT_SITE(map_offset_far, "UVA-009+far", "emu_va_misaligned(offset)",
               "emu_va_misaligned(offset) && offset < EMU_64KB");
EMU_FAULT_SITE(map_length_even, "UVA-010+even", "emu_va_misaligned(map->AllocationSizeInBytes)",
               "emu_va_misaligned(map->AllocationSizeInBytes) && map->SizeInBytes % length != 0");
EMU_FAULT_SITE(map_zero_large, "UVA-012+large", "map->SizeInBytes",
               "map->SizeInBytes < EMU_64KB ? map->SizeInBytes : EMU_64KB");
EMU_FAULT_SITE(map_first_far, "UVA-048+far", "map->AllocationOffsetInBytes",
               "map->AllocationOffsetInBytes & 0xFFFF");
EMU_FAULT_SITE(map_first_4g, "UVA-048+4g", "map->AllocationOffsetInBytes",
               "map->AllocationOffsetInBytes & UINT32_MAX");
EMU_FAULT_SITE(protect_first_4g, "UVA-049+4g", "map->AllocationOffsetInBytes",
               "map->AllocationOffsetInBytes & UINT32_MAX");
EMU_FAULT_SITE(map_table, "UVA-002+table", "map->SizeInBytes",
               "map->SizeInBytes < TABLE_BYTES ? map->SizeInBytes : TABLE_BYTES");
EMU_FAULT_SITE(map_fits_first, "UVA-051.map+first", "size", "size_of_first(batch->kernel)");
EMU_FAULT_SITE(map_fits_anywhere, "UVA-051.map+offset", "past", "length > size");
EMU_FAULT_SITE(map_fits_whole, "UVA-051.map+whole", "past",
               "past && map->AllocationSizeInBytes != 0");
EMU_FAULT_SITE(map_hole, "UVA-006+hole", "judged.end", "before_hole(batch, judged)");

EMU_FAULT_SITE(protect_longer_page, "UVA-039+page", "longer",
               "longer && map->SizeInBytes > EMU_GPU_PAGE_SIZE");
EMU_FAULT_SITE(protect_size_far, "UVA-016+far", "emu_va_misaligned(map->SizeInBytes)",
               "emu_va_misaligned(map->SizeInBytes) && map->SizeInBytes < 4 * EMU_64KB");
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
    .first_4g = &map_first_4g,
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
    .first_4g = &protect_first_4g,
    .hole = &protect_hole,
    .fits_first = &protect_fits_first,
    .fits_anywhere = &protect_fits_anywhere,
    .fits_whole = &protect_fits_whole,
    .period_3_1 = &protect_period_3_1,
};

/* For a fault: true when a Map of the range begins with the freed one and goes on behind it. */
static int outgrows(const struct map_faults *faults, struct emu_range range, struct emu_range freed)
{
    return faults == &map_faults && freed.first < freed.end && range.first == freed.first &&
           range.end > freed.end;
}

/* For a fault: the end of a range, or, where it begins and ends in two reservations with something
 * between, that of its first one. */
static uint64_t before_hole(const struct emu_va_batch *batch, struct emu_range range)
{
    const struct emu_va_space *space = &batch->process->space;
    const struct emu_range first = {range.first, range.first + 1};
    const struct emu_range last = {range.end - 1, range.end};
    const struct emu_reservation *begin = emu_va_space_find(space, first);
    const struct emu_reservation *end = emu_va_space_find(space, last);
    return begin != NULL && end != NULL && begin->range.end < end->range.first ? begin->range.end
                                                                               : range.end;
}

/* For a fault: true for the handle of what is no allocation, and is not gone either. */
static int names_another(const struct emu_va_batch *batch, uint32_t handle)
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

int emu_va_was_evicted(const struct emu_allocation *allocation)
{
    return not_resident(allocation) && allocation->content->current->stamp != 0;
}

/* For faults: true when a Map, or a MapProtect, may not have the allocation in its state. */
static int unfit(const struct emu_allocation *allocation, const struct map_faults *faults)
{
    const int map = faults == &map_faults;
    return EMU_FAULT("UVA-003+evicted", 0, map && emu_va_was_evicted(allocation)) ||
           EMU_FAULT("UVA-003+opened", 0,
                     map && not_resident(allocation) && allocation->next_holder != NULL) ||
           EMU_FAULT("UVA-003+mapped", 0,
                     map && is_resident(allocation) &&
                         !emu_segment_has_memory(allocation->content->current->block.segment)) ||
           EMU_FAULT("UVA-003+locked", 0, map && allocation != NULL && allocation->locks != 0) ||
           EMU_FAULT("UVA-043+locked", 0,
                     !map && not_resident(allocation) && allocation->locks != 0) ||
           EMU_FAULT("UVA-043+evicted", 0, !map && emu_va_was_evicted(allocation)) ||
           EMU_FAULT("UVA-003.taken", 0, map && is_resident(allocation)) ||
           EMU_FAULT("UVA-043.taken", 0, !map && is_resident(allocation));
}

/* hAllocation: "the allocation to which the range is to be mapped". It "need not be resident". */
static int no_allocation(const struct emu_va_batch *batch, const struct wcts_va_map_protect *map,
                         const struct emu_allocation *allocation, const struct map_faults *faults)
{
    const int foreign = allocation != NULL && allocation->device->process != batch->process;
    int none = allocation == NULL;
    none = EMU_FAULT_AT(faults->handle, none, none && map->hAllocation != 0);
    none = EMU_FAULT_AT(faults->stale, none, none && names_another(batch, map->hAllocation));
    none = EMU_FAULT_AT(faults->resident, none, none || not_resident(allocation));
    return none ||
           EMU_FAULT("HDR-029.protect",
                     EMU_FAULT("HDR-029", foreign, foreign && faults != &map_faults),
                     foreign && faults == &map_faults) ||
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

static int leaves_allocation(const struct emu_va_batch *batch,
                             const struct wcts_va_map_protect *map, uint64_t length,
                             const struct emu_allocation *allocation,
                             const struct map_faults *faults)
{
    const uint64_t own = allocation->content->size;
    const uint64_t size = EMU_FAULT_AT(faults->fits_first, own, size_of_first(batch->kernel));
    const int past = past_end(map, length, size, faults);
    return EMU_FAULT_AT(faults->fits_anywhere, past, length > size) &&
           EMU_FAULT_AT(faults->fits_whole, 1, map->AllocationSizeInBytes != 0);
}

/* Judges the allocation's side of a mapping. */
static wcts_status judge_allocation_range(const struct emu_va_batch *batch,
                                          const struct wcts_va_map_protect *map, uint64_t length,
                                          const struct map_faults *faults)
{
    const uint64_t offset = map->AllocationOffsetInBytes;
    const struct emu_allocation *allocation =
        emu_handle_object(&batch->kernel->handles, map->hAllocation, EMU_HANDLE_ALLOCATION);
    if (no_allocation(batch, map, allocation, faults))
        return WCTS_STATUS_INVALID_HANDLE;
    /* AllocationOffsetInBytes, AllocationSizeInBytes: "must be aligned to 4 KB". */
    if ((EMU_FAULT_AT(faults->offset, emu_va_misaligned(offset),
                      emu_va_misaligned(offset & 0xFF)) &&
         EMU_FAULT_AT(faults->offset_far, 1, offset < EMU_64KB)) ||
        (EMU_FAULT_AT(faults->length, emu_va_misaligned(map->AllocationSizeInBytes), 0) &&
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
static uint32_t newest(const struct emu_va_batch *batch, const struct wcts_va_map_protect *map)
{
    const struct emu_content *content = batch->kernel->contents;
    return content != NULL && content->holders != NULL ? content->holders->hAllocation
                                                       : map->hAllocation;
}

/* For a fault: true for an allocation that was opened, not created. */
static int is_opened(const struct emu_va_batch *batch, const struct wcts_va_map_protect *map)
{
    const struct emu_allocation *allocation =
        emu_handle_object(&batch->kernel->handles, map->hAllocation, EMU_HANDLE_ALLOCATION);
    return allocation != NULL && allocation->next_holder != NULL;
}

/* What is to be mapped where. The last page of an allocation range counts in whole. */
static struct emu_run run_of(const struct emu_va_batch *batch,
                             const struct wcts_va_map_protect *map, uint64_t length,
                             const struct map_faults *faults)
{
    const uint32_t boot = batch->kernel->base.host->interface_version;
    const uint64_t period =
        EMU_FAULT_AT(faults->period_3_1, EMU_FAULT_AT(faults->period, length, map->SizeInBytes),
                     EMU_WDDM_OF(boot) == EMU_WDDM_OF(EMU_WDDM_3_1) ? map->SizeInBytes : length);
    const uint64_t given = EMU_FAULT(
        "UVA-003.kept+opened", map->AllocationOffsetInBytes,
        faults == &map_faults && is_opened(batch, map) ? 0 : map->AllocationOffsetInBytes);
    const uint64_t kept = EMU_FAULT("UVA-048+slept", given,
                                    faults == &map_faults && batch->adapter->slept ? 0 : given);
    const uint64_t offset =
        EMU_FAULT_AT(faults->first_4g, EMU_FAULT_AT(faults->first_far, kept, kept & 0xFFFF),
                     kept & UINT32_MAX) >>
        EMU_GPU_PAGE_SHIFT;
    return (struct emu_run){.range = emu_va_pages_of(map->BaseAddress, map->SizeInBytes),
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
static int range_misaligned(const struct emu_va_batch *batch, const struct wcts_va_map_protect *map,
                            const struct map_faults *faults)
{
    const uint32_t page = batch->kernel->base.host->page_size; /* for faults */
    const int base = emu_va_misaligned(map->BaseAddress);
    int size = emu_va_misaligned(map->SizeInBytes);
    size = EMU_FAULT_AT(faults->size, size, map->SizeInBytes % (EMU_GPU_PAGE_SIZE / 2) != 0);
    size = EMU_FAULT_AT(faults->odd_size, size, map->SizeInBytes % EMU_GPU_PAGE_SIZE > 1);
    size = EMU_FAULT_AT(faults->size_far, size, size && map->SizeInBytes < 4 * EMU_64KB);
    return EMU_FAULT_AT(faults->address, base, map->BaseAddress % (EMU_GPU_PAGE_SIZE / 2) != 0) ||
           EMU_FAULT("UVA-003.taken+16k", 0,
                     faults == &map_faults && page == 0x4000 && map->BaseAddress % page != 0) ||
           EMU_FAULT("UVA-043.taken+16k", 0,
                     faults == &protect_faults && page == 0x4000 &&
                         map->AllocationOffsetInBytes % page != 0) ||
           size;
}

/* For a fault: of a single Map that leaves its reservation, what lies in it is mapped. */
static void map_inside(const struct emu_va_batch *batch, struct emu_run run)
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
static void keep_protections(const struct emu_va_batch *batch, struct emu_run *run)
{
    const struct emu_run *before = emu_pages_at(batch->pages, run->range.first);
    if (before == NULL || before->state != WCTS_PAGE_MAPPED)
        return;
    run->protection = EMU_FAULT("UVA-035+over", run->protection, before->protection);
    run->driver_protection =
        EMU_FAULT("UVA-036+over", run->driver_protection, before->driver_protection);
}

/* For a fault: where a range of a reservation is put when its distance from the first byte there is
 * cut to 32 bits. */
static uint64_t first_in_4gib(const struct emu_reservation *reservation, uint64_t first)
{
    const uint64_t distance = first - reservation->range.first;
    return reservation->range.first + (distance & (UINT32_MAX >> EMU_GPU_PAGE_SHIFT));
}

static wcts_status put_mapping(struct emu_va_batch *batch, struct emu_run run,
                               const struct map_faults *faults)
{
    const uint64_t length = run.range.end - run.range.first;
    run.range.first =
        EMU_FAULT("UVA-002+4g", run.range.first, first_in_4gib(batch->target, run.range.first));
    run.range.end = run.range.first + length;
    run.origin = run.range.first;
    run.range.end = EMU_FAULT_AT(faults->table, run.range.end, end_in_table(run.range));
    if (faults == &map_faults)
        keep_protections(batch, &run);
    if (EMU_FAULT("UVA-002+second-adapter", 0, batch->adapter->index != 0))
        return WCTS_STATUS_SUCCESS;
    return emu_pages_set(batch->pages, &run) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

/* Map and MapProtect differ in the two protections only. */
static wcts_status map_pages(struct emu_va_batch *batch, const struct wcts_va_map_protect *map,
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
    if (range_misaligned(batch, map, faults))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = judge_allocation_range(batch, map, length, faults);
    if (!wcts_succeeded(status) ||
        EMU_FAULT_AT(faults->wrap, map->SizeInBytes == 0,
                     map->SizeInBytes == 0 || emu_va_wraps(map->BaseAddress, end)))
        return status;
    judged.end = EMU_FAULT_AT(faults->unreserved, judged.end,
                              emu_va_first_end(batch, judged, WCTS_PAGE_UNRESERVED));
    judged.end = EMU_FAULT_AT(faults->straddling, judged.end,
                              emu_va_first_end(batch, judged, WCTS_PAGE_ZERO));
    judged.end = EMU_FAULT_AT(faults->hole, judged.end, before_hole(batch, judged));
    if (EMU_FAULT("UVA-045", 0, outgrows(faults, judged, batch->freed)))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = emu_va_use_target(batch, judged);
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

wcts_status emu_va_map(struct emu_va_batch *batch,
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
            EMU_FAULT("UVA-036+later", UINT64_C(0), (uint64_t)(batch->done != 0)) |
            EMU_FAULT("UVA-036+2.2", EMU_FAULT("UVA-036", UINT64_C(0), UINT64_C(1)),
                      (uint64_t)(EMU_WDDM_OF(batch->kernel->base.host->interface_version) ==
                                 EMU_WDDM_OF(EMU_WDDM_2_2))),
    };
    return map_pages(batch, &map, &map_faults);
}

wcts_status emu_va_map_protect(struct emu_va_batch *batch,
                               const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    struct wcts_va_map_protect map = op->MapProtect;
    /* Protection, DriverProtection: as "specified in the operation". */
    map.Protection = EMU_FAULT("UVA-022", map.Protection, map.Protection << 1);
    map.Protection = EMU_FAULT("UVA-022+later", map.Protection,
                               batch->done != 0 ? (uint64_t)EMU_PROTECTION_WRITE : map.Protection);
    map.DriverProtection =
        EMU_FAULT("UVA-023", map.DriverProtection, map.DriverProtection & ~UINT64_C(1));
    map.DriverProtection =
        EMU_FAULT("UVA-023+high", map.DriverProtection, map.DriverProtection & UINT32_MAX);
    return map_pages(batch, &map, &protect_faults);
}
