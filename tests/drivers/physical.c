/* SPDX-License-Identifier: MIT */
/* A card with memory of its own and an aperture, of WDDM 1.2, by physical addresses: 32 bits, from
 * the segment's start. Its paging buffer holds 8 pages, so larger operations take several passes.
 * fault=1 (PAT-036): the offset in the allocation is left out. fault=2 (HDR-030): the pages
 * of a transfer that leaves the card are taken to follow the first. */
#include "kit.h"

#define VRAM 1
#define GART 2

static uint64_t patch(int fault, const DXGK_ALLOCATIONLIST *allocation, uint64_t offset,
                      uint32_t *size);

static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    if (fault == 2 && args->Operation == DXGK_OPERATION_TRANSFER &&
        args->Transfer.Destination.SegmentId == 0)
        command->target = KIT_SYSTEM | ((MmGetMdlPfnArray(args->Transfer.Destination.pMdl)[0] +
                                         args->Transfer.MdlOffset + args->MultipassOffset)
                                        << PAGE_SHIFT);
    return STATUS_SUCCESS;
}

static const struct kit kit = {
    .name = "physical",
    .wddm = DXGKDDI_WDDMv1_2,
    .built_for = DXGKDDI_INTERFACE_VERSION_WIN8,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x40000000, .size = 32 * KIT_MIB, .cpu = 0xD0000000},
                 {.flags = 0x1, .base = 0x80000000, .size = 16 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "texture",
               .size = 0x14000,
               .alignment = PAGE_SIZE,
               .sets = KIT_SET(VRAM),
               .eviction = KIT_SET(GART),
               .preferred = VRAM},
              {.name = "vertices", .size = 0x9000, .sets = KIT_SET(VRAM), .flags = 0x1}},
    .patches = WCTS_PATCHES_32_SEGMENT,
    .paging_commands = 8,
    .paging = paging,
    .patch = patch,
};

static uint64_t patch(int fault, const DXGK_ALLOCATIONLIST *allocation, uint64_t offset,
                      uint32_t *size)
{
    const uint32_t id = allocation->SegmentId;
    const uint64_t base = id >= 1 && id <= 2 ? kit.segments[id - 1].base : 0;
    *size = 4;
    return (uint64_t)allocation->PhysicalAddress.QuadPart - base + (fault == 1 ? 0 : offset);
}

KIT_PLUGIN(kit)
