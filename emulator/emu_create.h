/* SPDX-License-Identifier: MIT */
/* Create calls: what the files that carry them out share. */
#ifndef EMU_CREATE_H
#define EMU_CREATE_H

#include "emu_kernel.h"

/* A create call on its way. Pointers into the caller's message are valid during the call; a shared
 * primary has no infos and no private data there. */
struct emu_create {
    struct emu_kernel *kernel;
    const struct wcts_D3DKMT_CREATEALLOCATION *args;
    const void *message;
    uint32_t message_size;
    uint32_t flags;             /* of args, those that the version names */
    const unsigned char *infos; /* NumAllocations D3DDDI_ALLOCATIONINFO2, of any alignment */
    const void *private_data;   /* of the whole call, or NULL */
    uint64_t heap_size;         /* D3DKMT_CREATESTANDARDALLOCATION.Size */
    /* How the driver is asked to describe a standard allocation; its type is NONE for any other. */
    struct wcts_driver_standard_allocation_request standard;
    struct emu_device *device;
    struct emu_resource *resource; /* new or given, or NULL */
    int new_resource;
    int refused;                  /* by the driver; for a fault */
    struct emu_allocation *first; /* the new allocations, in the order of infos */
};

#pragma GCC visibility push(hidden)

/* A copy of what the caller gave for the allocation at the index. */
struct wcts_D3DDDI_ALLOCATIONINFO2 emu_create_info(const struct emu_create *create, uint32_t index);

/* True when the driver describes a standard allocation. */
int emu_create_is_standard(const struct emu_create *create);

/* Has the driver create the allocations, and judges what it says of them. */
wcts_status emu_create_ask_driver(struct emu_create *create);

/* Fills the [out] members of what the driver is asked for the allocation at the index of its
 * request, and logs those that still hold that in its answer. */
void emu_garbage_fill(const struct emu_kernel *kernel, uint32_t index,
                      struct wcts_DXGK_ALLOCATIONINFO *info);
void emu_garbage_report(const struct emu_kernel *kernel, uint32_t index,
                        const struct wcts_DXGK_ALLOCATIONINFO *info);

#pragma GCC visibility pop

#endif
