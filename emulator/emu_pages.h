/* SPDX-License-Identifier: MIT */
/* GPU virtual address spaces: reservations, and the state of their pages. Addresses and lengths are
 * in GPU pages of 4096 bytes here, so that the end of the last page, 2^52, is a number. */
#ifndef EMU_PAGES_H
#define EMU_PAGES_H

#include <stdint.h>

#define EMU_GPU_PAGE_SHIFT 12
#define EMU_GPU_PAGE_SIZE UINT64_C(4096)
#define EMU_SPACE_END (UINT64_C(1) << 52)

struct emu_range {
    uint64_t first;
    uint64_t end; /* exclusive; never below first */
};

/* Pages in one state. A page p of a mapping shows the page
 * offset + (p - origin) % period of the allocation. */
struct emu_run {
    struct emu_range range;
    uint32_t state; /* enum wcts_page_state */
    uint32_t hAllocation;
    uint64_t origin; /* may lie outside range, and before 0 by wrapping around */
    uint64_t offset;
    uint64_t period; /* not 0 in a mapping */
    uint64_t protection;
    uint64_t driver_protection;
};

/* The pages of a reservation. Sparse: a page in no run is in the initial state. */
struct emu_pages {
    struct emu_run *runs; /* in order, not overlapping */
    uint32_t count;
    uint32_t room;
    uint32_t initial; /* enum wcts_page_state */
};

struct emu_reservation {
    struct emu_range range;
    struct emu_pages pages;
};

/* The reservations of a process. All zero is an empty space. */
struct emu_va_space {
    struct emu_reservation **reservations; /* in order, not overlapping; owned */
    uint32_t count;
    uint32_t room;
};

#pragma GCC visibility push(hidden)

/* True when some page of the range is in the state. */
int emu_pages_any(const struct emu_pages *pages, struct emu_range range, uint32_t state);

/* The run that the page is in, or NULL when it is in none. */
const struct emu_run *emu_pages_at(const struct emu_pages *pages, uint64_t page);

/* Puts all pages of run->range into the run's state. Returns 0, and changes nothing, when there is
 * no memory. */
int emu_pages_set(struct emu_pages *pages, const struct emu_run *run);

/* Copies the states of the range in source (which may be pages) to as many pages from first on.
 * Both must have the same initial state. Returns 0 and changes nothing when there is no memory. */
int emu_pages_copy(struct emu_pages *pages, uint64_t first, const struct emu_pages *source,
                   struct emu_range range);

/* Makes an empty copy the copy of pages. Returns 0 when there is no memory. */
int emu_pages_clone(struct emu_pages *copy, const struct emu_pages *pages);

void emu_pages_release(struct emu_pages *pages);

/* The reservation that the whole range lies in, or NULL. An empty range lies in none. */
struct emu_reservation *emu_va_space_find(const struct emu_va_space *space, struct emu_range range);

/* True when a part of the range is reserved. */
int emu_va_space_taken(const struct emu_va_space *space, struct emu_range range);

/* Reserves a free range. Returns 0 when there is no memory, -1 when it is not free. */
int emu_va_space_reserve(struct emu_va_space *space, struct emu_range range, uint32_t initial);

/* Chooses the first free range of length pages of within, aligned to a power of two of
 * pages. Returns 0 when there is none. */
int emu_va_space_choose(const struct emu_va_space *space, struct emu_range within, uint64_t length,
                        uint64_t alignment, struct emu_range *chosen);

/* Frees a reservation that is exactly the range. Returns 0 when there is none. */
int emu_va_space_free(struct emu_va_space *space, struct emu_range range);

void emu_va_space_release(struct emu_va_space *space);

#pragma GCC visibility pop

#endif
