/* SPDX-License-Identifier: MIT */
/* A driver of a family of boards of WDDM 2.7, on one without memory of its own: segment 1 has the
 * size 0, and the kind that may be there alone is created, but cannot be moved. The others show
 * everything. fault=1 (AIN-012): what is evicted goes through the segment of size 0, a memory
 * segment. fault=2 (PAT-013, PAT-015): the high half of an address is not written. */
#include "kit.h"

#define VRAM 1
#define GART 2

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 1 && kind == 1)
        info->EvictionSegmentSet = KIT_SET(VRAM);
}

static uint64_t value(int fault, const DXGK_ALLOCATIONLIST *allocation, uint64_t offset,
                      uint32_t *size)
{
    if (fault == 2)
        *size = 4;
    return (uint64_t)allocation->PhysicalAddress.QuadPart + offset;
}

static const struct kit kit = {
    .name = "stripped",
    .wddm = DXGKDDI_WDDMv2_7,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_7,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x100000000},
                 {.flags = 0x1, .base = 0x8000000000, .size = 32 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "tile", .size = 0x10000, .alignment = 0x1000, .sets = KIT_SET(VRAM)},
              {.name = "buffer",
               .size = 0x9000,
               .alignment = 0x1000,
               .sets = KIT_SET(VRAM) | KIT_SET(GART),
               .preferred = GART,
               .flags = 0x1}},
    .primary_kind = 1,
    .patches = WCTS_PATCHES_64,
    .paging_commands = 8,
    .describe = describe,
    .patch = value,
};

KIT_PLUGIN(kit)
