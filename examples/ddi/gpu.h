/* SPDX-License-Identifier: MIT */
/* The invented GPU of the example: what its driver and its model both know. */
#ifndef EXAMPLE_GPU_H
#define EXAMPLE_GPU_H

#include <dispmprt.h>

/* Segments: video memory that the CPU sees, and an aperture with a page table of its own. */
#define VRAM_ID 1
#define VRAM_BASE 0x100000000ull
#define VRAM_SIZE 0x2000000ull
#define GART_ID 2
#define GART_BASE 0x200000000ull
#define GART_SIZE 0x1000000ull
#define GART_PAGES (GART_SIZE / PAGE_SIZE)

/* An address on the bus, when the bit is set; else one of a segment. */
#define GPU_SYSTEM (1ull << 63)
#define GPU_PTE_VALID 1ull

enum { GPU_COPY = 0x43, GPU_FILL = 0x46, GPU_PTE = 0x50, GPU_DRAW = 0x44 };

/* One command. COPY: size bytes from source to target. FILL: value as pattern. PTE: the entry
 * number value of the page table becomes source. DRAW: reads source, writes target. */
typedef struct _GPU_COMMAND {
    UINT opcode;
    UINT size;
    UINT64 value;
    UINT64 source;
    UINT64 target;
} GPU_COMMAND;

/* The private data of an allocation. */
typedef struct _EXAMPLE_DATA {
    UINT64 size;
    UINT in_vram; /* 0: in the aperture alone */
    UINT reserved;
} EXAMPLE_DATA;

/* A device of the driver. */
typedef struct _EXAMPLE_ADAPTER {
    DXGKRNL_INTERFACE interface;
    UINT64 *page_table; /* of the aperture; the GPU's */
    UINT last_fence;
} EXAMPLE_ADAPTER;

DRIVER_INITIALIZE DriverEntry;

#endif
