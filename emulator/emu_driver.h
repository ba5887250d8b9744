/* SPDX-License-Identifier: MIT */
/* The driver side: its segments, its kinds of allocations, and the records that it keeps. */
#ifndef EMU_DRIVER_H
#define EMU_DRIVER_H

#include "emu_handles.h"
#include "emu_side.h"

/* Ids of the driver's segments. */
enum emu_segment_id {
    EMU_ID_VRAM = 1,       /* CPU-visible memory, preserved always */
    EMU_ID_APERTURE,       /* aperture that keeps caches coherent */
    EMU_ID_AGP,            /* AGP-type aperture */
    EMU_ID_PITCH,          /* pitch-aligned memory, partially preserved */
    EMU_ID_BANKED,         /* memory in banks, populated from system memory */
    EMU_ID_LARGE_PAGES,    /* memory of 64 KiB pages with a protected region */
    EMU_ID_HOST_APERTURE,  /* memory behind a cached CPU host aperture */
    EMU_ID_PLAIN_APERTURE, /* aperture that does not keep caches coherent */
    EMU_SEGMENT_COUNT = EMU_ID_PLAIN_APERTURE,
};

#define EMU_SET_OF(id) (1u << ((id)-1))

struct emu_driver_segment {
    uint32_t flags; /* at the newest version; older ones have a subset */
    uint64_t base_address;
    uint64_t size;
};

/* A kind of allocation: what the driver answers when it is asked for one. */
struct emu_kind {
    const char *name;
    struct wcts_DXGK_ALLOCATIONINFO info; /* Flags: below WDDM 2.0 */
    uint32_t flags_wddm2;                 /* FlagsWddm2: from WDDM 2.0 */
    int usage_hint;                       /* answers a usage hint too */
};

/* The private data with which the user-mode half asks for an allocation of a kind. */
struct emu_kind_data {
    uint32_t magic;
    uint32_t kind; /* index of the table of kinds */
};

/* The private data of a standard allocation. */
struct emu_standard_data {
    uint32_t magic;
    uint32_t type; /* enum wcts_standard_allocation */
    uint32_t width;
    uint32_t height;
    uint32_t format;
    uint32_t surface_type; /* D3DKMDT_GDISURFACEDATA::Type */
};

#define EMU_KIND_MAGIC 0x4B554D45u     /* "EMUK" */
#define EMU_STANDARD_MAGIC 0x53554D45u /* "EMUS" */

/* What hAllocation or hResource finds. */
struct emu_record {
    int doomed; /* named by the destroy call at hand */
};

struct emu_driver {
    struct emu_side base;
    struct emu_handles handles; /* of records, which it owns */
    struct emu_message request; /* to the machine */
};

#pragma GCC visibility push(hidden)

extern const struct emu_driver_segment emu_segments[EMU_SEGMENT_COUNT];
extern const struct emu_kind emu_kinds[];
extern const uint32_t emu_kind_count;

/* Fills in the [out] members but the handle for private data of the size, or NULL. The usage hint
 * is left to the caller: returns nonzero when there is to be one. */
int emu_kind_describe(const struct emu_driver *driver, const void *data, uint32_t size,
                      struct wcts_DXGK_ALLOCATIONINFO *info);

/* Appends count bytes to a reply, aligned to 8. Returns their offset, or 0 without room. */
uint32_t emu_reply_append(void *reply, uint32_t reply_room, uint32_t *reply_size, const void *data,
                          uint32_t count);

wcts_handler_fn emu_driver_segments;
wcts_handler_fn emu_driver_allocation_create;
wcts_handler_fn emu_driver_allocation_destroy;
wcts_handler_fn emu_driver_standard_allocation;
wcts_handler_fn emu_driver_paging;
wcts_handler_fn emu_driver_patch;

/* Reads up to the room of a reply, or writes, memory of the machine. */
wcts_status emu_machine_read(struct emu_driver *driver, uint32_t space, uint64_t address,
                             void *data, uint32_t length);
wcts_status emu_machine_write(struct emu_driver *driver, uint32_t space, uint64_t address,
                              const void *data, uint32_t length);

#pragma GCC visibility pop

#endif
