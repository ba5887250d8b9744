/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: what the files of its operations share. */
#ifndef EMU_VA_UPDATE_H
#define EMU_VA_UPDATE_H

#include "emu_kernel.h"

/* A call on its way. All ranges that it changes lie in one reservation, so one set of pages is all
 * that it changes: the shadow, or the reservation's own when there is one operation only, which
 * is judged as a whole before it changes anything. */
struct emu_va_batch {
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

/* Carries out one operation, or changes no page when it refuses. */
typedef wcts_status
emu_va_operation_fn(struct emu_va_batch *batch,
                    const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op);

#pragma GCC visibility push(hidden)

emu_va_operation_fn emu_va_map;
emu_va_operation_fn emu_va_map_protect;
emu_va_operation_fn emu_va_unmap;
emu_va_operation_fn emu_va_copy;

/* True when the value is no multiple of a GPU page. */
int emu_va_misaligned(uint64_t value);

/* Pages of an aligned range. Neither sum can wrap around, and a range that does so in bytes ends
 * behind every reservation. */
struct emu_range emu_va_pages_of(uint64_t address, uint64_t size);

/* For faults: the reservation of the range by any process, or NULL. */
struct emu_reservation *emu_va_of_any(const struct emu_kernel *kernel, struct emu_range range);

/* Finds the reservation of a range that an operation changes. "The virtual address ranges for all
 * operations must belong to a range that was reserved by the same call." Site `foreign` takes one
 * that another process reserved. */
wcts_status emu_va_use_target(struct emu_va_batch *batch, struct emu_range range,
                              const struct emu_fault_site *foreign);

/* Finds the reservation of a copy's source. Sources may lie in another reservation than the
 * targets, but together in one: advice. */
wcts_status emu_va_use_source(struct emu_va_batch *batch, struct emu_range range,
                              const struct emu_fault_site *foreign);

/* For faults: a range that runs past the last address; one that ends there does not. */
int emu_va_wraps(uint64_t address, uint64_t end);

/* For faults: the end of a range, or that of its first page where its last one lies in another
 * reservation, whose pages begin in the state; or, of unreserved pages, in none. */
uint64_t emu_va_first_end(const struct emu_va_batch *batch, struct emu_range range,
                          uint32_t initial);

/* For faults: true for an allocation that was in a segment and is in none. */
int emu_va_was_evicted(const struct emu_allocation *allocation);

#pragma GCC visibility pop

#endif
