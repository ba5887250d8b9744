/* SPDX-License-Identifier: MIT */
/* A GPU in a system on a chip: its memory is the firmware's part of system memory, of WDDM 1.3; it
 * has no aperture. fault=1 (SEG-011): the memory segment is CacheCoherent. fault=2 (AIN-009): a
 * preferred segment that is in no set. */
#include "kit.h"

static void segment(int fault, uint32_t id, struct kit_segment *segment)
{
    UNREFERENCED_PARAMETER(id);
    if (fault == 1)
        segment->flags |= 0x10;
}

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 2 && kind == 1)
        info->PreferredSegment.SegmentId0 = 2;
}

static const struct kit kit = {
    .name = "carveout",
    .wddm = DXGKDDI_WDDMv1_3,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM1_3,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x44,
                  .base = 0x20000000,
                  .size = 16 * KIT_MIB,
                  .cpu = 0x60000000,
                  .sysmem_end = 0x61000000},
                 {.flags = 0x4, .base = 0x30000000, .size = 4 * KIT_MIB, .cpu = 0x70000000}},
    .kind_count = 2,
    .kinds = {{.name = "frame", .size = 0x30000, .alignment = 0x4000, .sets = 0x3, .preferred = 2},
              {.name = "texture", .size = 0x8000, .sets = 0x1, .preferred = 1}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 32,
    .segment = segment,
    .describe = describe,
};

KIT_PLUGIN(kit)
