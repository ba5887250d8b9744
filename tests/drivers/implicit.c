/* SPDX-License-Identifier: MIT */
/* A GPU of WDDM 2.5 that reaches system memory by itself: what is in no segment of its own is in
 * the one after its last, which is the kernel's (of a set, bit NbSegment). One kind may be in
 * both, one is there alone, and a segment that this board does not have has the size 0. fault=1
 * (AIN-010): the preferred segment cannot be written. fault=2 (PAT-034): a call patches all places,
 * and not only its own. */
#include "kit.h"

#define VRAM 1
#define ABSENT 2
#define SYSTEM 3

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 1 && kind == 1)
        info->PreferredSegment.SegmentId0 = ABSENT;
}

static const struct kit kit;

/* What is in no segment of its sets is in none at all. */
static uint64_t value(int fault, const DXGK_ALLOCATIONLIST *allocation, uint64_t offset,
                      uint32_t *size)
{
    const struct kit_opened *opened = allocation->hDeviceSpecificAllocation;
    UNREFERENCED_PARAMETER(fault);
    UNREFERENCED_PARAMETER(size);
    NT_ASSERT(allocation->SegmentId == 0 ||
              kit.kinds[opened->allocation->data.kind].sets >> (allocation->SegmentId - 1) & 1);
    return (uint64_t)allocation->PhysicalAddress.QuadPart + offset;
}

static const struct kit kit = {
    .name = "implicit",
    .wddm = DXGKDDI_WDDMv2_5,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_5,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x100000000, .size = 32 * KIT_MIB, .cpu = 0xA00000000},
                 {.base = 0x200000000}},
    .kind_count = 2,
    .kinds = {{.name = "staging",
               .size = 0x8000,
               .alignment = PAGE_SIZE,
               .sets = KIT_SET(SYSTEM),
               .preferred = SYSTEM,
               .flags = 0x1},
              {.name = "texture",
               .size = 0x20000,
               .alignment = PAGE_SIZE,
               .sets = KIT_SET(VRAM) | KIT_SET(SYSTEM)}},
    .primary_kind = 1,
    .patches = WCTS_PATCHES_64,
    .paging_commands = 12,
    .all_places = 1,
    .describe = describe,
    .patch = value,
};

KIT_PLUGIN(kit)
