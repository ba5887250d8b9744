/* SPDX-License-Identifier: MIT */
/* A GPU in the processor of WDDM 2.2: it has no segment at all, all it works with is in the
 * kernel's own (bit 0 of a set). fault=1 (AIN-038): nothing may be written anywhere. fault=2
 * (AIN-030): several allocations of a call have one handle. */
#include "kit.h"

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    UNREFERENCED_PARAMETER(kind);
    if (fault == 1)
        info->SupportedWriteSegmentSet = 0;
}

static NTSTATUS create(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    const NTSTATUS status = kit_create(context, args);
    uint32_t i;
    for (i = 1; NT_SUCCESS(status) && kit_fault == 2 && i < args->NumAllocations; i++)
        args->pAllocationInfo[i].hAllocation = args->pAllocationInfo[0].hAllocation;
    return status;
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiCreateAllocation = create;
}

static const struct kit kit = {
    .name = "soft",
    .wddm = DXGKDDI_WDDMv2_2,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_2,
    .scheduler_caps = 1,
    .kind_count = 2,
    .kinds = {{.name = "plain", .size = 0x3000, .sets = 0x1},
              {.name = "large", .size = 0x200000, .alignment = 0x10000, .sets = 0x1}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 4,
    .describe = describe,
    .table = table,
};

KIT_PLUGIN(kit)
