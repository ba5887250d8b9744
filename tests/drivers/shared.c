/* SPDX-License-Identifier: MIT */
/* The second GPU of a hybrid system, of WDDM 1.3: it shares surfaces with the first through an
 * aperture (CrossAdapterResource). A surface has data of the resource as well, which it returns
 * with the allocation's, and without which it creates none. fault=1 (AIN-010): a preferred segment
 * that cannot be written. fault=2 (SEG-014): the aperture is populated from system memory. */
#include "kit.h"

#define VRAM 1
#define GART 2

static void segment(int fault, uint32_t id, struct kit_segment *segment)
{
    if (fault == 2 && id == GART)
        segment->flags |= 0x40;
}

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    if (fault == 1 && kind == 1) {
        info->PreferredSegment.SegmentId0 = VRAM;
        info->SupportedWriteSegmentSet = KIT_SET(GART);
    }
}

/* The resource's data of a surface with this private data: what no allocation has. */
static struct kit_data of_resource(const struct kit_data *data)
{
    return (struct kit_data){.magic = ~data->magic, .kind = data->kind, .size = data->size};
}

static NTSTATUS standard(HANDLE context, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    const NTSTATUS status = kit_standard(context, args);
    if (args->pResourcePrivateDriverData != NULL)
        *(struct kit_data *)args->pResourcePrivateDriverData =
            of_resource(args->pAllocationPrivateDriverData);
    args->ResourcePrivateDriverDataSize = sizeof(struct kit_data);
    return status;
}

static NTSTATUS create(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    const DXGK_ALLOCATIONINFO *first = args->pAllocationInfo;
    struct kit_data data = {0};
    if (first->PrivateDriverDataSize == sizeof data)
        memcpy(&data, first->pPrivateDriverData, sizeof data);
    if (data.size != 0) {
        const struct kit_data wanted = of_resource(&data);
        if (args->PrivateDriverDataSize != sizeof wanted ||
            memcmp(args->pPrivateDriverData, &wanted, sizeof wanted) != 0)
            return STATUS_INVALID_PARAMETER;
    }
    return kit_create(context, args);
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiGetStandardAllocationDriverData = standard;
    data->DxgkDdiCreateAllocation = create;
}

static const struct kit kit = {
    .name = "shared",
    .wddm = DXGKDDI_WDDMv1_3,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM1_3,
    .memory_caps = 1u << 3 | 1u << 4, /* SectionBackedPrimary, CrossAdapterResource */
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x800000000, .size = 32 * KIT_MIB, .cpu = 0xA00000000},
                 {.flags = 0x1, .base = 0x900000000, .size = 32 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "shared", .size = 0x20000, .alignment = PAGE_SIZE, .sets = KIT_SET(GART)},
              {.name = "own",
               .size = 0x10000,
               .sets = KIT_SET(VRAM) | KIT_SET(GART),
               .eviction = KIT_SET(GART)}},
    .patches = WCTS_PATCHES_64_SEGMENT,
    .paging_commands = 24,
    .segment = segment,
    .describe = describe,
    .table = table,
    .relative_to = {0x800000000, 0x900000000},
};

KIT_PLUGIN(kit)
