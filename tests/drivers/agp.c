/* SPDX-License-Identifier: MIT */
/* A GPU on AGP that works from system memory alone, of Windows Vista.
 * fault=1 (SEG-006): the AGP segment has another flag. fault=2 (SEG-007): there are two of them. */
#include "kit.h"

static void segment(int fault, uint32_t id, struct kit_segment *segment)
{
    if (fault == 1 && id == 1)
        segment->flags |= 0x4;
    if (fault == 2 && id == 2)
        segment->flags = 0x2;
}

static const struct kit kit = {
    .name = "agp",
    .wddm = DXGKDDI_WDDMv1,
    .built_for = DXGKDDI_INTERFACE_VERSION_VISTA_SP1,
    .segment_count = 2,
    .segments = {{.flags = 0x2, .base = 0xE8000000, .size = 16 * KIT_MIB},
                 {.flags = 0x1, .base = 0xF0000000, .size = 16 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "streamed", .size = 0xC000, .sets = 0x1, .preferred = 1},
              {.name = "linear", .size = 0x4000, .sets = 0x3, .preferred = 2 | 1 << 6}},
    .patches = WCTS_PATCHES_32,
    .paging_commands = 64,
    .segment = segment,
};

KIT_PLUGIN(kit)
