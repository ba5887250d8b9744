/* SPDX-License-Identifier: MIT */
/* An integrated GPU of WDDM 2.4 that has nothing but system memory behind an aperture,
 * and whose DxgkDdiPatch does nothing, since its
 * commands carry no addresses. fault=1 (SEG-037): it lists unmap-aperture-segment and refuses it.
 * fault=2 (SEG-004): the same of map-aperture-segment. */
#include "kit.h"

static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    UNREFERENCED_PARAMETER(command);
    if ((fault == 1 && args->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT) ||
        (fault == 2 && args->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT))
        return STATUS_INVALID_PARAMETER;
    return STATUS_SUCCESS;
}

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(args);
    return STATUS_SUCCESS;
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiPatch = patch;
}

static const struct kit kit = {
    .name = "unified",
    .wddm = DXGKDDI_WDDMv2_4,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_4,
    .scheduler_caps = 1,
    .segment_count = 1,
    .segments = {{.flags = 0x1, .base = 0x80000000, .size = 64 * KIT_MIB}},
    .kind_count = 1,
    .kinds = {{.name = "buffer", .size = 0x10000, .alignment = PAGE_SIZE, .sets = 1}},
    .needs_data = 1,
    .no_gpu = 1,
    .patches = WCTS_PATCHES_ELSEWHERE,
    .paging_commands = 32,
    .paging = paging,
    .table = table,
};

KIT_PLUGIN(kit)
