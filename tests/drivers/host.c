/* SPDX-License-Identifier: MIT */
/* A paravirtual GPU: the driver's allocations are objects of the host, named by small numbers, of
 * WDDM 2.2. The guest sees a window of the host's memory. fault=1 (AIN-030): the number of a new
 * object is 0. fault=2 (PAT-034): each call patches all places. */
#include "kit.h"

static uint64_t objects;

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    UNREFERENCED_PARAMETER(kind);
    free(info->hAllocation);
    info->hAllocation = (HANDLE)(uintptr_t)(fault == 1 ? 0 : ++objects);
}

static const struct kit kit = {
    .name = "host",
    .wddm = DXGKDDI_WDDMv2_2,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_2,
    .memory_caps = 1u << 10, /* ParavirtualizationSupported */
    .segment_count = 1,
    .segments = {{.flags = 0x4, .base = 0x4000000000, .size = 32 * KIT_MIB, .cpu = 0x900000000}},
    .kind_count = 2,
    .kinds = {{.name = "image", .size = 0x18000, .alignment = PAGE_SIZE, .sets = 1},
              {.name = "staging", .size = 0x5000, .sets = 1, .flags = 0x1}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 12,
    .handles_are_numbers = 1,
    .describe = describe,
    .all_places = 1,
};

KIT_PLUGIN(kit)
