/* SPDX-License-Identifier: MIT */
/* The second GPU of a hybrid system, of WDDM 1.3: it shares surfaces with the first through an
 * aperture (CrossAdapterResource). fault=1 (AIN-010): a preferred segment that cannot be written.
 * fault=2 (SEG-014): the aperture is populated from system memory. */
#include "kit.h"

#define VRAM 1
#define GART 2

static void segment(int fault, uint32_t id, struct kit_segment *segment)
{
    if (fault == 2 && id == GART)
        segment->flags |= 0x40;
}

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 1 && kind == 1) {
        info->PreferredSegment.SegmentId0 = VRAM;
        info->SupportedWriteSegmentSet = KIT_SET(GART);
    }
}

static const struct kit kit = {
    .name = "shared",
    .wddm = DXGKDDI_WDDMv1_3,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM1_3,
    .memory_caps = 1u << 3 | 1u << 4, /* SectionBackedPrimary, CrossAdapterResource */
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x800000000, .size = 32 * KIT_MIB, .cpu = 0xA00000000},
                 {.flags = 0x1, .base = 0x900000000, .size = 32 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "shared", .size = 0x20000, .alignment = PAGE_SIZE, .sets = KIT_SET(GART)},
              {.name = "own",
               .size = 0x10000,
               .sets = KIT_SET(VRAM) | KIT_SET(GART),
               .eviction = KIT_SET(GART)}},
    .patches = WCTS_PATCHES_64_SEGMENT,
    .paging_commands = 24,
    .segment = segment,
    .describe = describe,
    .relative_to = {0x800000000, 0x900000000},
};

KIT_PLUGIN(kit)
