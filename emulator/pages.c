/* SPDX-License-Identifier: MIT */
#include "emu_pages.h"

#include "fault.h"

#include <stdlib.h>
#include <string.h>

/* The index of the first run that ends after the page. */
static uint32_t run_after(const struct emu_pages *pages, uint64_t page)
{
    uint32_t low = 0, high = pages->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pages->runs[middle].range.end > page)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int emu_pages_any(const struct emu_pages *pages, struct emu_range range, uint32_t state)
{
    uint64_t page = range.first;
    uint32_t i;
    for (i = run_after(pages, page); page < range.end; i++) {
        const struct emu_run *run = i < pages->count ? &pages->runs[i] : NULL;
        const int gap = run == NULL || run->range.first > page;
        if (gap && pages->initial == state)
            return 1;
        if (run == NULL || run->range.first >= range.end)
            return 0;
        if (run->state == state)
            return 1;
        page = run->range.end;
    }
    return 0;
}

const struct emu_run *emu_pages_at(const struct emu_pages *pages, uint64_t page)
{
    const uint32_t i = run_after(pages, page);
    return i < pages->count && pages->runs[i].range.first <= page ? &pages->runs[i] : NULL;
}

/* Makes room for count more runs. Returns 0 when there is no memory. */
static int reserve_runs(struct emu_pages *pages, uint64_t count)
{
    uint64_t room = pages->room ? pages->room : 4;
    struct emu_run *runs;
    if (pages->count + count <= pages->room)
        return 1;
    while (room < pages->count + count)
        room *= 2;
    if (room > UINT32_MAX / 2)
        return 0;
    runs = realloc(pages->runs, (size_t)room * sizeof(*runs));
    if (runs == NULL)
        return 0;
    pages->runs = runs;
    pages->room = (uint32_t)room;
    return 1;
}

/* Puts count runs, in order and inside the range, in the place of everything in the range. The
 * runs must not be those of pages. */
static int replace(struct emu_pages *pages, struct emu_range range, const struct emu_run *runs,
                   uint32_t count)
{
    struct emu_run left, right;
    uint32_t first, last, keep_left, keep_right, added;
    if (!reserve_runs(pages, (uint64_t)count + 2))
        return 0;
    first = last = run_after(pages, range.first);
    while (last < pages->count && pages->runs[last].range.first < range.end)
        last++;
    keep_left = first < last && pages->runs[first].range.first < range.first;
    keep_right = first < last && pages->runs[last - 1].range.end > range.end;
    if (keep_left) {
        left = pages->runs[first];
        left.range.end = range.first;
    }
    if (keep_right) {
        right = pages->runs[last - 1];
        right.range.first = range.end;
    }
    added = keep_left + count + keep_right;
    memmove(pages->runs + first + added, pages->runs + last, (pages->count - last) * sizeof(*runs));
    pages->count = pages->count - (last - first) + added;
    if (keep_left)
        pages->runs[first++] = left;
    if (count != 0)
        memcpy(pages->runs + first, runs, count * sizeof(*runs));
    if (keep_right)
        pages->runs[first + count] = right;
    return 1;
}

int emu_pages_set(struct emu_pages *pages, const struct emu_run *run)
{
    return replace(pages, run->range, run, run->state != pages->initial);
}

int emu_pages_copy(struct emu_pages *pages, uint64_t first, const struct emu_pages *source,
                   struct emu_range range)
{
    const uint64_t shift = first - range.first; /* modulo 2^64 */
    const struct emu_range target = {first, first + (range.end - range.first)};
    struct emu_run *runs = NULL;
    uint32_t i, begin = run_after(source, range.first), end = begin;
    int done;
    while (end < source->count && source->runs[end].range.first < range.end)
        end++;
    if (end > begin) {
        runs = malloc((end - begin) * sizeof(*runs));
        if (runs == NULL)
            return 0;
    }
    for (i = begin; i < end; i++) {
        struct emu_run *run = &runs[i - begin];
        *run = source->runs[i];
        if (run->range.first < range.first) {
            run->range.first = range.first;
            run->origin = EMU_FAULT("UVA-028+middle", run->origin, range.first);
        }
        if (run->range.end > range.end)
            run->range.end = range.end;
        run->range.first += shift;
        run->range.end += shift;
        run->origin += shift;
    }
    done = replace(pages, target, runs, end - begin);
    free(runs);
    return done;
}

int emu_pages_clone(struct emu_pages *copy, const struct emu_pages *pages)
{
    copy->initial = pages->initial;
    if (!reserve_runs(copy, pages->count))
        return 0;
    if (pages->count != 0)
        memcpy(copy->runs, pages->runs, pages->count * sizeof(*pages->runs));
    copy->count = pages->count;
    return 1;
}

void emu_pages_release(struct emu_pages *pages)
{
    free(pages->runs);
    memset(pages, 0, sizeof(*pages));
}

/* The index of the first reservation that ends after the page. */
static uint32_t reservation_after(const struct emu_va_space *space, uint64_t page)
{
    uint32_t low = 0, high = space->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (space->reservations[middle]->range.end > page)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct emu_reservation *emu_va_space_find(const struct emu_va_space *space, struct emu_range range)
{
    uint32_t i = reservation_after(space, range.first);
    if (i == space->count || space->reservations[i]->range.first > range.first ||
        space->reservations[i]->range.end < range.end || range.first == range.end)
        return NULL;
    return space->reservations[i];
}

int emu_va_space_taken(const struct emu_va_space *space, struct emu_range range)
{
    const uint32_t i = reservation_after(space, range.first);
    return i < space->count && space->reservations[i]->range.first < range.end;
}

int emu_va_space_reserve(struct emu_va_space *space, struct emu_range range, uint32_t initial)
{
    uint32_t i = reservation_after(space, range.first);
    struct emu_reservation *reservation;
    if (emu_va_space_taken(space, range))
        return -1;
    if (space->count == space->room) {
        uint32_t room = space->room ? space->room * 2 : 4;
        void *grown = realloc(space->reservations, room * sizeof(*space->reservations));
        if (grown == NULL)
            return 0;
        space->reservations = grown;
        space->room = room;
    }
    reservation = calloc(1, sizeof(*reservation));
    if (reservation == NULL)
        return 0;
    reservation->range = range;
    reservation->pages.initial = initial;
    memmove(space->reservations + i + 1, space->reservations + i,
            (space->count - i) * sizeof(*space->reservations));
    space->reservations[i] = reservation;
    space->count++;
    return 1;
}

/* Rounds a page up to the alignment. */
static uint64_t align_up(uint64_t page, uint64_t alignment)
{
    return (page + alignment - 1) & ~(alignment - 1);
}

int emu_va_space_choose(const struct emu_va_space *space, struct emu_range within, uint64_t length,
                        uint64_t alignment, struct emu_range *chosen)
{
    uint64_t page = align_up(within.first, alignment);
    uint32_t i = reservation_after(space, page);
    /* Behind the last reservation there is most often room: look there before the gaps. */
    if (space->count != 0 && i < space->count) {
        uint64_t behind = align_up(space->reservations[space->count - 1]->range.end, alignment);
        if (behind <= within.end && length <= within.end - behind) {
            page = behind;
            i = space->count;
        }
    }
    for (; i < space->count; i++) {
        const struct emu_range taken = space->reservations[i]->range;
        if (page < taken.first && length <= taken.first - page)
            break;
        page = align_up(taken.end, alignment);
    }
    if (page > within.end || length > within.end - page)
        return 0;
    chosen->first = page;
    chosen->end = page + length;
    return 1;
}

int emu_va_space_free(struct emu_va_space *space, struct emu_range range)
{
    struct emu_reservation *reservation = emu_va_space_find(space, range);
    uint32_t i;
    if (reservation == NULL || reservation->range.first != range.first ||
        reservation->range.end != range.end)
        return 0;
    i = reservation_after(space, range.first);
    space->count--;
    memmove(space->reservations + i, space->reservations + i + 1,
            (space->count - i) * sizeof(*space->reservations));
    emu_pages_release(&reservation->pages);
    free(reservation);
    return 1;
}

void emu_va_space_release(struct emu_va_space *space)
{
    uint32_t i;
    for (i = 0; i < space->count; i++) {
        emu_pages_release(&space->reservations[i]->pages);
        free(space->reservations[i]);
    }
    free(space->reservations);
    memset(space, 0, sizeof(*space));
}
