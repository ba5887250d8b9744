/* SPDX-License-Identifier: MIT */
/* A render-only card of WDDM 1.1 that creates nothing without its own private data, its second
 * kind not without data of the resource, and whose first kind of allocation cannot be moved once
 * it is placed: it answers NOT_SUPPORTED to paging it, while its second kind is paged. Addresses
 * are page numbers of 20 bits, from the segment's start, behind 2 GiB of the device's own, above
 * 12 bits of a command that stay. fault=1 (PAT-013 PAT-015): the device's own 2 GiB are left out.
 * fault=2 (HDR-030): MdlOffset is taken to be 0, of what leaves the card. */
#include "kit.h"

#define WINDOW 0x80000000u

enum { PINNED, MOVABLE };

static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    const struct kit_allocation *allocation =
        args->Operation == DXGK_OPERATION_TRANSFER ? args->Transfer.hAllocation
        : args->Operation == DXGK_OPERATION_FILL   ? args->Fill.hAllocation
                                                   : NULL;
    if (allocation != NULL && allocation->data.kind == PINNED)
        return STATUS_NOT_SUPPORTED;
    if (fault == 2 && args->Operation == DXGK_OPERATION_TRANSFER &&
        args->Transfer.Destination.SegmentId == 0)
        command->target =
            KIT_SYSTEM | (MmGetMdlPfnArray(args->Transfer.Destination.pMdl)[args->MultipassOffset]
                          << PAGE_SHIFT);
    return STATUS_SUCCESS;
}

static const struct kit kit;

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = 0; i < args->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST *at =
            &args->pPatchLocationList[args->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST *allocation = &args->pAllocationList[at->AllocationIndex];
        unsigned char *to = (unsigned char *)args->pDmaBuffer + at->PatchOffset;
        const uint64_t base =
            allocation->SegmentId != 0 ? kit.segments[allocation->SegmentId - 1].base : 0;
        const uint64_t address =
            (uint64_t)allocation->PhysicalAddress.QuadPart + at->AllocationOffset - base;
        uint32_t word;
        memcpy(&word, to, sizeof word);
        word = ((uint32_t)address + (kit_fault == 1 ? 0 : WINDOW)) >> 12 << 12 | (word & 0xFFF);
        memcpy(to, &word, sizeof word);
    }
    return STATUS_SUCCESS;
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiPatch = patch;
}

static const struct wcts_ddi_data resource_data[] = {{NULL, 0}, {"relocs", 7}};

static const struct kit kit = {
    .name = "relocs",
    .wddm = DXGKDDI_WDDMv1,
    .built_for = DXGKDDI_INTERFACE_VERSION_WIN7,
    .scheduler_caps = 1,
    .segment_count = 1,
    .segments = {{.flags = 0x4, .base = 0x20000000, .size = 32 * KIT_MIB, .cpu = 0xB0000000}},
    .kind_count = 2,
    .kinds = {{.name = "ring", .size = 0x8000, .alignment = PAGE_SIZE, .sets = 1, .flags = 1},
              {.name = "buffer", .size = 0x10000, .alignment = PAGE_SIZE, .sets = 1, .flags = 1}},
    .primary_kind = MOVABLE,
    .needs_data = 1,
    .resource_data = resource_data,
    .patches = WCTS_PATCHES_EXPRESSION,
    .patch_width = 4,
    .patch_expression = "(address + offset - base + 0x80000000) >> 12 << 12 | old & 0xFFF",
    .paging_commands = 32,
    .paging = paging,
    .table = table,
};

KIT_PLUGIN(kit)
