/* SPDX-License-Identifier: MIT */
/* A card of WDDM 2.2 with two channels of memory: the GPU's page n of a segment is page n ^ 1 of
 * its memory, and addresses in commands count 16 bytes. fault=1 (HDR-030): what an allocation had
 * in the same place before is taken to be there still, and is not copied in again. fault=2
 * (PAT-013): a place for the address that was patched in right before is left as it is. */
#include "kit.h"

#define VRAM 1
#define GART 2
#define UNIT_BITS 4

/* Pages that were copied in: where, and for which allocation. */
static struct {
    const void *allocation;
    uint64_t target;
} copied[1024];
static uint32_t copied_count;

/* Notes a page; nonzero if it was copied there before. */
static int was_copied(const void *allocation, uint64_t target)
{
    uint32_t i;
    for (i = 0; i < copied_count; i++)
        if (copied[i].allocation == allocation && copied[i].target == target)
            return 1;
    if (copied_count < sizeof copied / sizeof *copied) {
        copied[copied_count].allocation = allocation;
        copied[copied_count++].target = target;
    }
    return 0;
}

static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    if (args->Operation == DXGK_OPERATION_FILL && args->Fill.Destination.SegmentId == VRAM)
        command->target ^= PAGE_SIZE;
    if (args->Operation != DXGK_OPERATION_TRANSFER)
        return STATUS_SUCCESS;
    if (args->Transfer.Source.SegmentId == VRAM)
        command->source ^= PAGE_SIZE;
    if (args->Transfer.Destination.SegmentId != VRAM)
        return STATUS_SUCCESS;
    if (fault == 1 && was_copied(args->Transfer.hAllocation, command->target))
        command->size = 0;
    command->target ^= PAGE_SIZE;
    return STATUS_SUCCESS;
}

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    uint64_t last = 0;
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = 0; i < args->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST *at =
            &args->pPatchLocationList[args->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST *allocation = &args->pAllocationList[at->AllocationIndex];
        const uint64_t address =
            (uint64_t)allocation->PhysicalAddress.QuadPart + at->AllocationOffset;
        const uint32_t units = (uint32_t)(address >> UNIT_BITS);
        if (kit_fault != 2 || i == 0 || address != last)
            memcpy((unsigned char *)args->pDmaBuffer + at->PatchOffset, &units, sizeof units);
        last = address;
    }
    return STATUS_SUCCESS;
}

/* The driver begins anew with each instance. */
static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiPatch = patch;
    copied_count = 0;
}

static const struct kit kit = {
    .name = "weave",
    .wddm = DXGKDDI_WDDMv2_2,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_2,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.base = 0x100000000, .size = 32 * KIT_MIB},
                 {.flags = 0x1, .base = 0x200000000, .size = 16 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "texture",
               .size = 0x20000,
               .alignment = PAGE_SIZE,
               .sets = KIT_SET(VRAM),
               .eviction = KIT_SET(GART)},
              {.name = "state", .size = 0x9000, .sets = KIT_SET(VRAM)}},
    .patches = WCTS_PATCHES_EXPRESSION,
    .patch_width = 4,
    .patch_expression = "(address + offset) >> 4",
    .paging_commands = 16,
    .paging = paging,
    .table = table,
};

KIT_PLUGIN(kit)
