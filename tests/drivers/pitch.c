/* SPDX-License-Identifier: MIT */
/* A card whose memory is laid out in rows with gaps (PitchAlignment), of WDDM 1.1: rows of 2048
 * bytes, 4096 apart. fault=1 (AIN-007): PitchAlignedSize is less than Size. fault=2 (SEG-045):
 * coming back, the rows are taken as if there were no gaps. */
#include "kit.h"

#define PITCH 1
#define GART 2
#define ROW 2048u

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (kind == 0)
        info->PitchAlignedSize = 2 * info->Size;
    if (fault == 1 && kind == 0)
        info->PitchAlignedSize = info->Size / 2;
}

/* A page of the allocation is two rows, which lie in two pages of the segment; the aperture has no
 * gaps. Each pass of a page is one command here: the GPU spreads what it copies. */
static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    const uint64_t gap = (uint64_t)args->MultipassOffset * PAGE_SIZE;
    if (args->Operation != DXGK_OPERATION_TRANSFER || args->Transfer.hAllocation == NULL)
        return STATUS_SUCCESS;
    command->value = 0;
    if (args->Transfer.Destination.SegmentId == PITCH) {
        command->value = ROW;
        command->target += gap;
    }
    if (args->Transfer.Source.SegmentId == PITCH && fault != 2) {
        command->value = ROW << 16;
        command->source += gap;
    }
    return STATUS_SUCCESS;
}

static const struct kit kit = {
    .name = "pitch",
    .wddm = DXGKDDI_WDDMv1,
    .built_for = DXGKDDI_INTERFACE_VERSION_WIN7,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x20, .base = 0x100000000, .size = 32 * KIT_MIB},
                 {.flags = 0x1, .base = 0x180000000, .size = 16 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "rows",
               .size = 0x8000,
               .pitch_aligned_size = 0x10000,
               .alignment = PAGE_SIZE,
               .sets = KIT_SET(PITCH)},
              {.name = "bytes", .size = 0x8000, .sets = KIT_SET(GART)}},
    .primary_kind = 0,
    .patches = WCTS_PATCHES_64,
    .paging_commands = 16,
    .describe = describe,
    .paging = paging,
};

KIT_PLUGIN(kit)
