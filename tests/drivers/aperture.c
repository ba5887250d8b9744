/* SPDX-License-Identifier: MIT */
/* An integrated GPU that has nothing but an aperture, coherent with the CPU's caches, of WDDM 2.9
 * with page lists in place of MDLs. fault=1 (SEG-037): it does not unmap, and says so. fault=2
 * (AIN-018): the priority of a surface is 0. */
#include "kit.h"

#define GART 1

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 2 && kind == 0)
        info->AllocationPriority = 0;
}

static const struct kit kit = {
    .name = "aperture",
    .wddm = DXGKDDI_WDDMv2_9,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_9,
    .memory_caps = 1u << 3 | 1u << 14, /* SectionBackedPrimary, MapAperture2Supported */
    .scheduler_caps = 1,
    .segment_count = 1,
    .segments = {{.flags = 0x11, .base = 0x100000000, .size = 64 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "surface", .size = 0x20000, .alignment = PAGE_SIZE, .sets = 1},
              {.name = "mapped", .size = 0x4000, .sets = 1, .preferred = GART, .flags = 0x5}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 16,
    .lacks = 1u << WCTS_PAGING_UNMAP_APERTURE,
    .describe = describe,
};

KIT_PLUGIN(kit)
