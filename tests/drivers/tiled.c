/* SPDX-License-Identifier: MIT */
/* A card of WDDM 2.8 whose surfaces are described by private data of the resource alone, as a
 * driver has them whose allocations have none of their own, in rows that end at multiples of 256
 * bytes. fault=1 (HDR-041): the pitch of a GDI surface that the CPU sees is not returned. fault=2
 * (HDR-041): what it describes forgets where the rows end. */
#include "kit.h"

static UINT *pitch_of(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    switch (args->StandardAllocationType) {
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        return &args->pCreateShadowSurfaceData->Pitch;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        return &args->pCreateStagingSurfaceData->Pitch;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        return &args->pCreateGdiSurfaceData->Pitch;
    default:
        return NULL;
    }
}

/* Width and Height are the first members of all surfaces. */
static NTSTATUS standard(HANDLE context, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args)
{
    const D3DKMDT_GDISURFACEDATA *surface = args->pCreateGdiSurfaceData;
    const int gdi = args->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_GDISURFACE;
    const int bytes = gdi && surface->Format == D3DDDIFMT_UNKNOWN;
    const int left_out = kit_fault == 1 && gdi && surface->Type == 2;
    const UINT row = surface->Width * 4, pitch = bytes ? surface->Width : (row + 255) & ~255u;
    struct kit_data data = {.magic = KIT_MAGIC,
                            .size = (uint64_t)(kit_fault == 2 && !bytes ? row : pitch) *
                                    surface->Height};
    UINT *at = pitch_of(args);
    UNREFERENCED_PARAMETER(context);
    args->AllocationPrivateDriverDataSize = 0;
    args->ResourcePrivateDriverDataSize = sizeof data;
    if (args->pResourcePrivateDriverData == NULL)
        return STATUS_SUCCESS;
    memcpy(args->pResourcePrivateDriverData, &data, sizeof data);
    if (at != NULL && !left_out)
        *at = pitch;
    return STATUS_SUCCESS;
}

/* The private data of what has none is that of its resource. */
static NTSTATUS create(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    uint32_t i;
    for (i = 0; i < args->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO *info = &args->pAllocationInfo[i];
        if (info->PrivateDriverDataSize != 0)
            continue;
        info->pPrivateDriverData = (VOID *)(uintptr_t)args->pPrivateDriverData;
        info->PrivateDriverDataSize = args->PrivateDriverDataSize;
    }
    return kit_create(context, args);
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiGetStandardAllocationDriverData = standard;
    data->DxgkDdiCreateAllocation = create;
}

static const struct kit kit = {
    .name = "tiled",
    .wddm = DXGKDDI_WDDMv2_8,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_8,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x400000000, .size = 64 * KIT_MIB, .cpu = 0xC00000000},
                 {.flags = 0x1, .base = 0x8000000000, .size = 64 * KIT_MIB}},
    .kind_count = 1,
    .kinds = {{.name = "image",
               .size = 0x24000,
               .alignment = 0x1000,
               .sets = 0x3,
               .eviction = 0x2,
               .preferred = 1,
               .flags = 0x1}},
    .needs_data = 1,
    .patches = WCTS_PATCHES_64,
    .paging_commands = 16,
    .table = table,
};

KIT_PLUGIN(kit)
