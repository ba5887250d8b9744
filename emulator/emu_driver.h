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

#define EMU_ADAPTER_COUNT 2u
#define EMU_GPU_PAGE UINT64_C(4096)

/* Bytes that one message to the machine carries: what a reply of any room can hold. */
#define EMU_CHUNK 12288u

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
    uint32_t rows;                        /* see struct emu_layout */
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

/* How the bytes of an allocation lie. Its rows follow each other without a gap in the backing store
 * and in every segment but a pitch-aligned one, where each is followed by padding. */
struct emu_layout {
    uint64_t size;               /* rows times the bytes of a row */
    uint64_t pitch_aligned_size; /* rows times the pitch; 0: not for pitch-aligned segments */
    uint32_t rows;               /* 0: the same layout everywhere */
};

/* A range of a space as DRIVER_PAGING names it. */
struct emu_location {
    uint32_t space;
    uint64_t address;
    uint64_t length; /* bytes; 0: nowhere */
};

/* What a handle of the driver finds. */
struct emu_record {
    int doomed;               /* allocation: named by the destroy call at hand */
    uint32_t adapter;         /* device and context */
    struct emu_layout layout; /* allocation */
    /* For faults, of allocations: how many there were before it, the call that made it, and where
     * it is in a memory segment. */
    uint32_t number;
    uint32_t call;
    struct emu_location location;
};

/* The command that ends what the driver puts in a DMA buffer; DRIVER_PATCH writes fence_id. */
struct emu_fence_command {
    uint32_t opcode;
    uint32_t fence_id;
};

#define EMU_FENCE_OPCODE 0x434E4546u /* "FENC" */

/* What the driver writes to the private data of a DMA buffer: where the fence command ends. */
struct emu_private_data {
    uint32_t magic;
    uint32_t end; /* rendered: offset in the DMA buffer; paging: in the submission */
    uint64_t hContext;
};

#define EMU_RENDER_MAGIC 0x52554D45u /* "EMUR" */
#define EMU_PAGING_MAGIC 0x50554D45u /* "EMUP" */

/* DXGK_PATCHFLAGS::Paging, and the same bit of the flags of a submission. */
#define EMU_FLAG_PAGING 1u

/* A part of a DMA buffer that was patched and not submitted yet. */
struct emu_patched {
    uint32_t segment; /* DmaBufferSegmentId */
    uint32_t start;   /* offsets in the DMA buffer */
    uint32_t end;
    int paging;
    uint64_t physical_address;
    uint64_t address; /* pDmaBuffer */
};

struct emu_driver {
    struct emu_side base;
    struct emu_handles handles; /* of records, which it owns */
    struct emu_message request; /* to the machine */
    /* The page tables of the apertures: system address of each page, with bit 0 set when one is
     * mapped. A table is NULL until something is mapped there. */
    uint64_t *apertures[EMU_ADAPTER_COUNT][EMU_SEGMENT_COUNT];
    struct emu_patched *patched;
    uint32_t patched_count;
    uint32_t patched_room;
    /* For faults: allocations that there are, and calls that made some. */
    uint32_t allocations;
    uint32_t calls;
    uint32_t fence; /* what was patched last had this id; for a fault */
    /* For faults: where the last transfer from system memory read, for which allocation, and where
     * the last one for another allocation did. */
    uint64_t fetched_for;
    struct emu_location fetched;
    struct emu_location fetched_before;
};

#pragma GCC visibility push(hidden)

extern const struct emu_driver_segment emu_segments[EMU_SEGMENT_COUNT];
extern const struct emu_kind emu_kinds[];
extern const uint32_t emu_kind_count;

/* Fills in the [out] members but the handle and the usage hint for private data of the size, or
 * NULL. Returns the kind that it is. */
const struct emu_kind *emu_kind_describe(const struct emu_driver *driver, const void *data,
                                         uint32_t size, struct wcts_DXGK_ALLOCATIONINFO *info);

/* The bytes of a standard allocation, 0 when there is none like it. */
uint64_t emu_standard_size(const struct emu_standard_data *standard);

/* Appends count bytes to a reply, aligned to 8. Returns their offset, or 0 without room. */
uint32_t emu_reply_append(void *reply, uint32_t reply_room, uint32_t *reply_size, const void *data,
                          uint32_t count);

/* Makes a record and returns its handle, or 0 without memory. */
uint64_t emu_record_new(struct emu_driver *driver, enum emu_handle_kind kind,
                        const struct emu_record *content);

/* True when the handle is one by which the kernel names the origin of a submission: a context, or
 * a device where the driver creates no contexts. */
int emu_context_known(const struct emu_driver *driver, uint64_t handle);

wcts_handler_fn emu_driver_segments;
wcts_handler_fn emu_driver_allocation_create;
wcts_handler_fn emu_driver_allocation_destroy;
wcts_handler_fn emu_driver_standard_allocation;
wcts_handler_fn emu_driver_device;
wcts_handler_fn emu_driver_context;
wcts_handler_fn emu_driver_render;
wcts_handler_fn emu_driver_present;
wcts_handler_fn emu_driver_paging;
wcts_handler_fn emu_driver_patch;
wcts_handler_fn emu_driver_submit;

/* Moves what DRIVER_PAGING's TRANSFER asks for; record is that of hAllocation, or NULL. */
wcts_status emu_transfer(struct emu_driver *driver, const struct wcts_driver_paging_request *asked,
                         const struct emu_record *record);

/* Remembers where a request that was carried out has put the allocation, or taken it from. */
void emu_track(struct emu_driver *driver, const struct wcts_driver_paging_request *asked,
               struct emu_record *record);

/* A transfer as it is carried out, and the layout that it goes by: as asked for and of the record,
 * but for faults. */
struct wcts_driver_paging_request emu_transfer_of(const struct emu_driver *driver,
                                                  const struct wcts_driver_paging_request *asked,
                                                  const struct emu_record *record);
struct emu_layout emu_layout_of(const struct emu_driver *driver, const struct emu_record *record);

/* For faults: true when a transfer is answered with success and not carried out. */
int emu_transfer_lost(const struct wcts_driver_paging_request *asked);

/* The private data of a rendering goes on with the addresses of a driver that patches it: one for
 * each element of the patch-location list. */
#define EMU_PRIVATE_WIDTH 8u
#define EMU_PRIVATE_OFFSET ((uint32_t)sizeof(struct emu_private_data))

/* The bytes of the DMA buffer that a patched address takes; 0 for a driver that patches none
 * there. */
uint32_t emu_patch_size(const struct emu_driver *driver);

/* Remembers a part as patched. Returns 0 without memory. */
int emu_patched_add(struct emu_driver *driver, const struct wcts_DXGKARG_PATCH *args);

/* Forgets what was patched in [address, address + length): it was written anew. */
void emu_patched_forget(struct emu_driver *driver, uint64_t address, uint64_t length);

/* The segment of a space as DRIVER_PAGING names it, or NULL: system memory, or nothing. */
const struct emu_driver_segment *emu_segment_of(uint32_t space);

/* True when [address, address + length) is memory: in system memory, in a memory segment, or in
 * mapped pages of an aperture. */
int emu_memory_reachable(const struct emu_driver *driver, uint32_t space, uint64_t address,
                         uint64_t length);

/* Read and write reachable memory, through the pages of an aperture; at most EMU_CHUNK bytes. */
wcts_status emu_memory_read(struct emu_driver *driver, uint32_t space, uint64_t address, void *data,
                            uint32_t length);
wcts_status emu_memory_write(struct emu_driver *driver, uint32_t space, uint64_t address,
                             const void *data, uint32_t length);

/* Maps pages of an aperture to the system memory from an address on, or unmaps them. */
wcts_status emu_aperture_map(struct emu_driver *driver, uint32_t space, uint64_t first,
                             uint64_t count, uint64_t system_address);
wcts_status emu_aperture_unmap(struct emu_driver *driver, uint32_t space, uint64_t first,
                               uint64_t count);

void emu_apertures_release(struct emu_driver *driver);

/* Read and write memory of the machine as it is; at most EMU_CHUNK bytes. */
wcts_status emu_machine_read(struct emu_driver *driver, uint32_t space, uint64_t address,
                             void *data, uint32_t length);
wcts_status emu_machine_write(struct emu_driver *driver, uint32_t space, uint64_t address,
                              const void *data, uint32_t length);

/* For faults: writes a word to system memory where the driver has nothing to write. */
wcts_status emu_stray_word(struct emu_driver *driver, uint64_t address);

#pragma GCC visibility pop

#endif
