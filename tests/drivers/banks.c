/* SPDX-License-Identifier: MIT */
/* A card of Windows Vista, whose memory has banks; no contexts.
 * fault=1 (SEG-039): the last bank ends behind the segment. fault=2 (SEG-010): there are no banks.
 */
#include "kit.h"

#define BANKED 1

static void segment(int fault, uint32_t id, struct kit_segment *segment)
{
    if (id == BANKED && fault == 1)
        segment->banks[3] += KIT_MIB;
    if (id == BANKED && fault == 2)
        memset(segment->banks, 0, sizeof segment->banks);
}

static const struct kit kit = {
    .name = "banks",
    .wddm = DXGKDDI_WDDMv1,
    .built_for = DXGKDDI_INTERFACE_VERSION_VISTA_SP1,
    .segment_count = 1,
    .segments = {{.flags = 0xC,
                  .base = 0x10000000,
                  .size = 16 * KIT_MIB,
                  .cpu = 0xC0000000,
                  .banks = {4 * KIT_MIB, 8 * KIT_MIB, 12 * KIT_MIB, 16 * KIT_MIB}}},
    .kind_count = 2,
    .kinds =
        {{.name = "color", .size = 0x10000, .sets = 1, .preferred = BANKED, .banks = 1},
         {.name = "depth", .size = 0x10000, .sets = 1, .preferred = BANKED, .banks = 2 | 3 << 8}},
    .patches = WCTS_PATCHES_32,
    .paging_commands = 64,
    .segment = segment,
};

KIT_PLUGIN(kit)
