/* SPDX-License-Identifier: MIT */
/* What an instance of either side begins with. */
#ifndef EMU_SIDE_H
#define EMU_SIDE_H

#include "choice.h"
#include "emu_port.h"
#include "emu_versions.h"
#include "fault.h"
#include "profile.h"

struct emu_side {
    uint32_t side;      /* enum wcts_side */
    int strict;         /* kernel: refuse breaches of advice too */
    int pages;          /* kernel: answers KERNEL_QUERY_PAGES */
    int probe;          /* kernel: asks the driver */
    int machine;        /* kernel: memory and regions come from the machine */
    int placement;      /* kernel: answers KERNEL_QUERY_ALLOCATION */
    int patches;        /* driver: enum wcts_patches */
    int contexts;       /* driver: creates contexts */
    int sweep;          /* kernel: answers KERNEL_SWEEP */
    int evicts_both;    /* kernel: evicts straight, too, where there are apertures for it */
    int shared_private; /* driver: one private-data range for all paging submissions */
    int segment_dma;    /* driver: wants its DMA buffers in a segment */
    int any_priority;   /* driver: priority levels do not matter to it */
    const struct wcts_host *host;
    const struct emu_version *version;
    const struct emu_fault_site *fault; /* that is on; NULL: none */
    const struct emu_choice *choice;    /* that is on; NULL: none */
    const struct emu_profile *profile;  /* that is on; NULL: none */
    uint64_t rows;                      /* of the profile, those that are on */
    struct emu_port port;
};

#pragma GCC visibility push(hidden)

/* Every instance is what open made of a filled-in base, or NULL when there is no memory. */
void *emu_kernel_open(const struct emu_side *base);
void *emu_driver_open(const struct emu_side *base);

wcts_call_fn emu_kernel_call;
wcts_call_fn emu_driver_call;

void emu_kernel_close(void *instance);
void emu_driver_close(void *instance);

/* Answers one operation through a table that is indexed by operation - first. An operation of
 * the table without a handler is NOT_SUPPORTED, one beyond it NOT_IMPLEMENTED. */
wcts_status emu_side_call(const struct wcts_handler *table, uint32_t count, uint32_t first,
                          void *instance, uint32_t operation, const void *request,
                          uint32_t request_size, void *reply, uint32_t reply_room,
                          uint32_t *reply_size);

#pragma GCC visibility pop

#endif
