/* SPDX-License-Identifier: MIT */
/* Where content lives: system memory of the kernel's own, backing stores, and blocks of segments.
 */
#ifndef EMU_STORE_H
#define EMU_STORE_H

#include "wddm-cts.h"

struct emu_adapter;
struct emu_allocation;
struct emu_content;
struct emu_instance;
struct emu_kernel;
struct emu_segment;

/* Free memory that was once in use. */
struct emu_extent {
    uint64_t address;
    uint64_t size;
    int dirty; /* may hold something else than zeros */
};

/* [WCTS_KERNEL_MEMORY, WCTS_KERNEL_MEMORY_END): behind next everything is fresh. All zero is the
 * memory of a new instance. */
struct emu_memory {
    uint64_t next;
    struct emu_extent *extents; /* the one that was freed last at the end */
    uint32_t count;
    uint32_t room;
};

/* The system memory of an instance of an allocation. Its pages do not follow each other: the middle
 * one stands elsewhere, in spare, while the backing is apart. It is joined, the middle page in its
 * place, while a CPU view must show it as one range. */
struct emu_backing {
    uint64_t base;  /* 0: there is none */
    uint64_t size;  /* bytes; whole host pages */
    uint64_t spare; /* 0: never apart */
    int apart;
    int owned; /* 0: the memory of a section or of user mode */
    int dirty; /* may hold something else than zeros */
};

/* A part of a segment that is taken. */
struct emu_block {
    struct emu_segment *segment; /* NULL: in none */
    uint64_t offset;
    uint64_t size;
    struct emu_block *next;        /* of the segment, by offset */
    struct emu_instance *instance; /* what is there; NULL for a DMA buffer */
};

struct emu_segment {
    struct emu_adapter *adapter;
    uint32_t id;
    uint32_t flags;
    uint64_t base_address;
    uint64_t cpu_address; /* CpuTranslatedAddress */
    uint64_t size;
    uint64_t limit; /* bytes that may be taken at once */
    uint64_t taken;
    uint32_t bank_count;
    struct wcts_bank_range *banks; /* owned */
    struct emu_block *first;
};

/* One set of bytes of an allocation. There are several when it was renamed. */
struct emu_instance {
    struct emu_content *content;
    struct emu_instance *next; /* of the content */
    struct emu_backing backing;
    struct emu_block block;
    int evicted;     /* the block is that of the aperture through which it was evicted */
    int pinned;      /* must stay where it is: part of the submission at hand */
    uint64_t epoch;  /* of the last submission that uses it */
    uint64_t stamp;  /* when it was last paged in; grows */
    uint32_t leaves; /* evictions of it so far, with evict=both */
    uint32_t moves;  /* transfers of it so far; for faults */
};

/* The buffer of an allocation over existing system memory. */
struct emu_buffer {
    uint64_t address;
    uint64_t size;
    uint64_t handle;
    int secured; /* MemSecure holds it */
};

/* What an allocation is to the driver and the video memory manager. All that opened it hold it. */
struct emu_content {
    struct emu_content *next; /* of the kernel */
    struct emu_content *previous;
    struct emu_content *next_doomed; /* of the destroy call at hand */
    struct emu_content *next_sibling;
    struct emu_body *body;          /* or NULL */
    struct emu_allocation *holders; /* linked by next_holder */
    struct emu_adapter *adapter;    /* that made it; NULL once that is gone */
    int driver_knows;               /* the driver has it, as driver_allocation */
    int primary;                    /* a primary surface */
    int standard;                   /* a standard allocation; for a fault */
    int from_mode;                  /* a shared primary that the kernel made; for a fault */
    uint32_t private_data;          /* bytes of its own that describe it to the driver */
    uint32_t flags;                 /* of the create call, those that the version names */
    uint64_t driver_allocation;
    uint64_t size; /* bytes, expanded to host pages; UINT64_MAX when nobody said it */
    struct wcts_DXGK_ALLOCATIONINFO info; /* the driver's answer, without its blobs */
    struct emu_buffer buffer;
    struct emu_backing copy; /* of the buffer, for a fault; else there is none */
    struct emu_instance *current;
    uint32_t renamed; /* instances beyond the first */
    uint32_t place;   /* in the call that made it, from 0; for faults */
    struct emu_instance original;
};

/* What a resource is to the driver. All that opened it hold it. */
struct emu_body {
    uint32_t holders;
    uint32_t flags;              /* of the create call, those that the version names */
    int secure;                  /* made by a secure process */
    int driver_knows;            /* the driver has it, as driver_resource */
    uint32_t nt_shared;          /* NT handles that name it */
    uint64_t driver_resource;    /* the driver's hResource */
    struct emu_adapter *adapter; /* that made it */
    uint32_t hGlobalShare;
    struct emu_content *contents; /* in the order of their creation */
};

#pragma GCC visibility push(hidden)

/* Takes contiguous memory. Returns 0 when there is none. */
int emu_memory_take(struct emu_kernel *kernel, uint64_t size, struct emu_extent *taken);

void emu_memory_give(struct emu_kernel *kernel, const struct emu_extent *extent);

/* Makes memory zero, and copies memory, through the machine. */
wcts_status emu_memory_zero(struct emu_kernel *kernel, uint64_t address, uint64_t size);
wcts_status emu_memory_copy(struct emu_kernel *kernel, uint32_t to_space, uint64_t to,
                            uint64_t from, uint64_t size);

/* Makes a backing store of size bytes, expanded to host pages. contiguous: never apart. zeroed: of
 * zero pages. Leaves backing->base 0 when there is not that much memory. */
wcts_status emu_backing_make(struct emu_kernel *kernel, struct emu_backing *backing, uint64_t size,
                             int contiguous, int zeroed);

void emu_backing_release(struct emu_kernel *kernel, struct emu_backing *backing);

/* Joins the pages, or takes them apart; valid: the bytes matter. */
wcts_status emu_backing_join(struct emu_kernel *kernel, struct emu_backing *backing, int valid);
wcts_status emu_backing_part(struct emu_kernel *kernel, struct emu_backing *backing, int valid);

/* Bytes from the offset on that follow each other at *address; 0 at the end. */
uint64_t emu_backing_run(const struct emu_kernel *kernel, const struct emu_backing *backing,
                         uint64_t offset, uint64_t *address);

/* The place of the page that stands apart. */
uint64_t emu_backing_middle(const struct emu_kernel *kernel, const struct emu_backing *backing);

#pragma GCC visibility pop

#endif
