/* SPDX-License-Identifier: MIT */
/* The kernel side: its objects, and the functions that its files give each other. */
#ifndef EMU_KERNEL_H
#define EMU_KERNEL_H

#include "emu_handles.h"
#include "emu_pages.h"
#include "emu_side.h"

#define EMU_ADAPTER_COUNT 2u

/* Sets of segments: bit n is the segment with id n + 1. */
struct emu_adapter {
    uint32_t hAdapter;
    uint32_t index;
    int section_backed_primary;               /* DXGK_VIDMMCAPS.SectionBackedPrimary */
    uint32_t aperture_segments;               /* Aperture or Agp */
    uint32_t pitch_segments;                  /* PitchAlignment */
    uint32_t large_page_segments;             /* Use64KBPages, where the version has it */
    uint32_t no_eviction_segments;            /* described, but not fit for an EvictionSegmentSet */
    struct emu_handle_set driver_allocations; /* live driver handles; kept in strict mode only */
};

struct emu_process {
    uint32_t hProcess;
    struct emu_va_space space;
};

struct emu_device {
    uint32_t hDevice;
    struct emu_adapter *adapter;
    struct emu_process *process;
};

struct emu_section {
    struct emu_process *process;
};

struct emu_allocation;

struct emu_resource {
    uint32_t hResource;
    int nt_shared;    /* created with NtSecuritySharing */
    int driver_knows; /* the driver has it, as driver_resource */
    struct emu_device *device;
    uint64_t driver_resource; /* the driver's hResource */
    struct emu_allocation *first;
};

struct emu_allocation {
    uint32_t hAllocation;
    int driver_knows; /* the driver has it, as driver_allocation */
    int secured;      /* MemSecure holds the buffer below */
    int doomed;       /* named by the destroy call at hand */
    struct emu_device *device;
    struct emu_resource *resource; /* or NULL */
    struct emu_allocation *next;   /* of the resource, or of the create call at hand */
    struct emu_allocation *previous;
    uint64_t driver_allocation;
    uint64_t size; /* bytes, expanded to host pages; UINT64_MAX when nobody said it */
    uint64_t buffer_address;
    uint64_t buffer_size;
    uint64_t buffer_handle;
};

struct emu_kernel {
    struct emu_side base;
    struct emu_handles handles; /* owns its objects */
    struct emu_adapter *adapters[EMU_ADAPTER_COUNT];
    struct emu_message request; /* the request to the driver under construction */
};

#pragma GCC visibility push(hidden)

/* Document 000, the flags of a create call from user mode. */
wcts_status emu_create_flags_judge(const struct emu_kernel *kernel, uint32_t flags);

/* Document 003: reads the segments of a DRIVER_SEGMENTS reply and judges them. */
wcts_status emu_segments_judge(const struct emu_kernel *kernel,
                               const struct wcts_driver_info_reply *info,
                               const struct emu_reply *reply, struct emu_adapter *adapter);

/* Document 001: judges an answer of DRIVER_ALLOCATION_CREATE for an allocation of the type (enum
 * wcts_standard_allocation). */
wcts_status emu_answer_judge(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                             uint32_t standard_type, const struct wcts_DXGK_ALLOCATIONINFO *info);

/* Document 000, ExistingSysMem: secures the buffer of an allocation, then queries its memory. */
wcts_status emu_buffer_secure(struct emu_kernel *kernel, struct emu_allocation *allocation);

/* Releases what emu_buffer_secure secured, if anything. */
void emu_buffer_release(struct emu_kernel *kernel, struct emu_allocation *allocation);

/* Ends allocations: the chain that begins at first, linked by next, all of one adapter and in no
 * list of a resource that stays; and with resource (or NULL) the driver's resource too. Tells the
 * driver, and frees the allocations. */
void emu_allocations_end(struct emu_kernel *kernel, struct emu_allocation *first,
                         const struct emu_resource *resource);

/* Ends a resource with all its allocations. */
void emu_resource_end(struct emu_kernel *kernel, struct emu_resource *resource);

/* Ends everything that stands on the adapter, and the adapter. */
void emu_adapter_end(struct emu_kernel *kernel, struct emu_adapter *adapter);

/* Handlers. */
wcts_handler_fn emu_kernel_adapter_start;
wcts_handler_fn emu_kernel_adapter_stop;
wcts_handler_fn emu_kernel_allocation_create;
wcts_handler_fn emu_kernel_allocation_destroy;
wcts_handler_fn emu_kernel_shared_primary;
wcts_handler_fn emu_kernel_share;
wcts_handler_fn emu_kernel_va_reserve;
wcts_handler_fn emu_kernel_va_free;
wcts_handler_fn emu_kernel_va_update;
wcts_handler_fn emu_kernel_query_pages;

#pragma GCC visibility pop

#endif
