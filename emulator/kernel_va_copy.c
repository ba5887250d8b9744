/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: Copy (document 002). */
#include "emu_flags.h"
#include "emu_va_update.h"

static int touches(struct emu_range a, struct emu_range b)
{
    return a.first < b.end && b.first < a.end;
}

/* SourceAddress, SizeInBytes, DestAddress: "must be aligned to 4 KB". */
static int copy_misaligned(const struct wcts_va_copy *copy)
{
    const uint64_t size = copy->SizeInBytes;
    int odd = emu_va_misaligned(size);
    odd = EMU_FAULT("UVA-032", odd, emu_va_misaligned(size & ~UINT64_C(0x800)));
    odd = EMU_FAULT("UVA-050.copy", odd, size % EMU_GPU_PAGE_SIZE > 1);
    return EMU_FAULT("UVA-031", emu_va_misaligned(copy->SourceAddress), 0) ||
           EMU_FAULT("UVA-033", emu_va_misaligned(copy->DestAddress),
                     emu_va_misaligned(copy->DestAddress & ~UINT64_C(0xFF))) ||
           odd;
}

static int nothing_to_copy(const struct wcts_va_copy *copy)
{
    const uint64_t from_end = copy->SourceAddress + copy->SizeInBytes; /* modulo 2^64 */
    const uint64_t to_end = copy->DestAddress + copy->SizeInBytes;
    int nothing = copy->SizeInBytes == 0;
    nothing = EMU_FAULT("UVA-052.source", nothing,
                        nothing || emu_va_wraps(copy->SourceAddress, from_end));
    return EMU_FAULT("UVA-052.destination", nothing,
                     nothing || emu_va_wraps(copy->DestAddress, to_end));
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
static int begins_evicted(const struct emu_va_batch *batch, const struct emu_pages *pages,
                          struct emu_range range)
{
    const struct emu_run *run = emu_pages_at(pages, range.first);
    const struct emu_allocation *allocation =
        run != NULL && run->state == WCTS_PAGE_MAPPED
            ? emu_handle_object(&batch->kernel->handles, run->hAllocation, EMU_HANDLE_ALLOCATION)
            : NULL;
    return emu_va_was_evicted(allocation);
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

/* For a fault: forgets the DriverProtection of what was copied from another reservation. */
static void forget_driver_protection(const struct emu_va_batch *batch, struct emu_range to)
{
    uint32_t i;
    for (i = 0; batch->source != batch->target && i < batch->pages->count; i++)
        if (batch->pages->runs[i].range.first >= to.first &&
            batch->pages->runs[i].range.end <= to.end)
            batch->pages->runs[i].driver_protection = 0;
}

/* For a fault: the end of a range, or, at host pages of 64 KiB, that of its last whole host page,
 * if it has one. */
static uint64_t end_in_host_pages(const struct emu_va_batch *batch, struct emu_range range)
{
    const uint64_t pages = EMU_64KB >> EMU_GPU_PAGE_SHIFT;
    const uint64_t length = range.end - range.first;
    return batch->kernel->base.host->page_size != EMU_64KB || length < pages
               ? range.end
               : range.first + length / pages * pages;
}

/* A range that another process reserved is taken. */
EMU_FAULT_SITE(copied_foreign, "HDR-071.copied", "found", "found != NULL ? found : of_any(range)");

static wcts_status copy_range(struct emu_va_batch *batch, const struct wcts_va_copy *copy)
{
    const struct emu_range from = emu_va_pages_of(copy->SourceAddress, copy->SizeInBytes);
    const struct emu_range to = emu_va_pages_of(copy->DestAddress, copy->SizeInBytes);
    struct emu_range judged = from, copied = from;
    const struct emu_pages *source;
    wcts_status status;
    if (copy_misaligned(copy))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (nothing_to_copy(copy))
        return WCTS_STATUS_SUCCESS;
    judged.end = EMU_FAULT("UVA-001.copy", judged.end,
                           emu_va_first_end(batch, judged, WCTS_PAGE_UNRESERVED));
    status = emu_va_use_source(batch, judged, &copied_foreign);
    if (wcts_succeeded(status))
        status = emu_va_use_target(batch, to, &copied_foreign);
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
    copied.end = EMU_FAULT("UVA-028+64k", copied.end, end_in_host_pages(batch, copied));
    if (!copy_pages(batch->pages, to.first, source, copied))
        return WCTS_STATUS_NO_MEMORY;
    EMU_FAULT_DO("UVA-028+driver-protection", (void)0, forget_driver_protection(batch, to));
    return WCTS_STATUS_SUCCESS;
}

/* For a fault: the destination of a single copy that is refused is empty. */
static void clear_destination(const struct emu_va_batch *batch, const struct wcts_va_copy *copy)
{
    const struct emu_run zero = {.range = emu_va_pages_of(copy->DestAddress, copy->SizeInBytes),
                                 .state = WCTS_PAGE_ZERO};
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, zero.range);
    if (batch->count == 1 && found != NULL)
        (void)emu_pages_set(&found->pages, &zero);
}

wcts_status emu_va_copy(struct emu_va_batch *batch,
                        const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    const wcts_status status = copy_range(batch, &op->Copy);
    if (!wcts_succeeded(status))
        EMU_FAULT_DO("UVA-034.copy+destination", (void)0, clear_destination(batch, &op->Copy));
    return status;
}
