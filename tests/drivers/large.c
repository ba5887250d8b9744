/* SPDX-License-Identifier: MIT */
/* A card with pages of 64 KiB behind a small window for the CPU (SupportsCpuHostAperture), of
 * WDDM 3.1. fault=1 (SEG-022): an Alignment of 4 KiB. fault=2 (SEG-025): the segment is CpuVisible,
 * too. */
#include "kit.h"

#define VRAM 1
#define LARGE 0x10000u

static void segment(int fault, uint32_t id, struct kit_segment *segment)
{
    UNREFERENCED_PARAMETER(id);
    if (fault == 2)
        segment->flags |= 0x4;
}

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    info->Size = (info->Size + LARGE - 1) & ~(SIZE_T)(LARGE - 1);
    if (fault == 1 && kind == 1)
        info->Alignment = PAGE_SIZE;
}

static const struct kit kit = {
    .name = "large",
    .wddm = DXGKDDI_WDDMv3_1,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM3_1,
    .scheduler_caps = 1,
    .segment_count = 1,
    .segments =
        {{.flags = 0x2800, .base = 0x1000000000, .size = 128 * KIT_MIB, .cpu = 0xB00000000}},
    .kind_count = 2,
    .kinds = {{.name = "buffer", .size = 0x40000, .alignment = LARGE, .sets = KIT_SET(VRAM)},
              {.name = "image", .size = 0x20000, .alignment = 2 * LARGE, .sets = KIT_SET(VRAM)}},
    .patches = WCTS_PATCHES_32,
    .paging_commands = 128,
    .segment = segment,
    .describe = describe,
};

KIT_PLUGIN(kit)
