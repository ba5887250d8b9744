/* SPDX-License-Identifier: MIT */
/* A GPU with virtual addresses (GpuMmu), of WDDM 2.6, without surfaces over existing memory:
 * paging comes as virtual transfers and fills, nothing is patched. Segment n is at (64 + n) << 40
 * of the paging process, system memory at its own addresses. fault=1 (AIN-012): a memory segment
 * in the eviction set. fault=2 (HDR-030): each page comes from the first. */
#include "kit.h"

#define VRAM 1
#define GART 2

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 1 && kind == 0)
        info->EvictionSegmentSet |= KIT_SET(VRAM);
}

/* The GPU of the kit has no page tables of processes: the driver knows what its own led to. */
static uint64_t physical(uint64_t address)
{
    const uint64_t window = address >> 40;
    const uint64_t bases[] = {0, 0x100000000, 0x200000000};
    if (window != 64 + VRAM && window != 64 + GART)
        return KIT_SYSTEM | address;
    return bases[window - 64] + (address & 0xFFFFFFFFFF);
}

static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    const uint64_t offset = (uint64_t)args->MultipassOffset * PAGE_SIZE;
    if (args->Operation == DXGK_OPERATION_VIRTUAL_TRANSFER) {
        command->opcode = KIT_COPY;
        command->size = PAGE_SIZE;
        command->value = 0;
        command->source =
            physical(args->TransferVirtual.SourceVirtualAddress) + (fault == 2 ? 0 : offset);
        command->target = physical(args->TransferVirtual.DestinationVirtualAddress) + offset;
    }
    if (args->Operation == DXGK_OPERATION_VIRTUAL_FILL) {
        command->opcode = KIT_FILL;
        command->size = PAGE_SIZE;
        command->value = args->FillVirtual.FillPattern;
        command->target = physical(args->FillVirtual.DestinationVirtualAddress) + offset;
    }
    return STATUS_SUCCESS;
}

static const struct kit kit = {
    .name = "gpuva",
    .wddm = DXGKDDI_WDDMv2_6,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_6,
    .memory_caps = 1u << 5 | 1u << 6, /* VirtualAddressingSupported, GpuMmuSupported */
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x80004, .base = 0x100000000, .size = 64 * KIT_MIB, .cpu = 0x800000000},
                 {.flags = 0x100001, .base = 0x200000000, .size = 64 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "resident",
               .size = 0x20000,
               .alignment = 0x10000,
               .sets = KIT_SET(VRAM),
               .eviction = KIT_SET(GART)},
              {.name = "upload", .size = 0x10000, .sets = KIT_SET(GART), .flags = 0x5}},
    .primary_kind = 0,
    .no_surfaces = 1,
    .patches = WCTS_PATCHES_NONE,
    .paging_commands = 4,
    .describe = describe,
    .paging = paging,
};

KIT_PLUGIN(kit)
