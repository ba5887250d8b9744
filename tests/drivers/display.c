/* SPDX-License-Identifier: MIT */
/* A driver that displays and does nothing else, of WDDM 2.3: no paging, no work, no kinds of a
 * user-mode half; the kernel's standard allocations alone. fault=1 (AIN-018): the priority is 0.
 * fault=2 (AIN-030): all allocations have one handle. */
#include "kit.h"

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    static int one;
    UNREFERENCED_PARAMETER(kind);
    if (fault == 1)
        info->AllocationPriority = 0;
    if (fault == 2)
        info->hAllocation = &one;
}

static const struct kit kit = {
    .name = "display",
    .wddm = DXGKDDI_WDDMv2_3,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_3,
    .segment_count = 1,
    .segments = {{.flags = 0x4, .base = 0, .size = 16 * KIT_MIB, .cpu = 0xF0000000}},
    .kind_count = 1,
    .kinds = {{.name = "primary", .size = 0x10000, .sets = 1}},
    .display_only = 1,
    .describe = describe,
};

KIT_PLUGIN(kit)
