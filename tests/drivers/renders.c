/* SPDX-License-Identifier: MIT */
/* A driver that takes any commands, presents, and keeps a note of each submission in the private
 * data, of WDDM 2.1. fault=1 (HDR-018): it says that it wrote more commands than there was room
 * for. fault=2 (PAT-001): it takes the word behind Flags for the flags, and patches
 * nothing for paging. */
#include "kit.h"

/* What the driver notes for a submission. */
struct note {
    uint32_t length;
    uint32_t reserved;
};

static NTSTATUS finish(VOID **dma, UINT dma_size, VOID **data, UINT data_size, const void *commands,
                       uint32_t length)
{
    const struct note note = {.length = length};
    if (length > dma_size || data_size < sizeof note)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (length != 0)
        memcpy(*dma, commands, length);
    memcpy(*data, &note, sizeof note);
    *dma = (unsigned char *)*dma + (kit_fault == 1 ? dma_size + 8 : length);
    *data = (unsigned char *)*data + sizeof note;
    return STATUS_SUCCESS;
}

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *args)
{
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = 0; i < args->PatchLocationListInSize; i++)
        *args->pPatchLocationListOut++ = args->pPatchLocationListIn[i];
    return finish(&args->pDmaBuffer, args->DmaSize, &args->pDmaBufferPrivateData,
                  args->DmaBufferPrivateDataSize, args->pCommand, args->CommandLength);
}

/* Two places: the source's address, and the destination's. */
static NTSTATUS present(HANDLE context, DXGKARG_PRESENT *args)
{
    const uint64_t commands[2] = {0, 0};
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    for (i = DXGK_PRESENT_SOURCE_INDEX; i <= DXGK_PRESENT_DESTINATION_INDEX; i++)
        *args->pPatchLocationListOut++ =
            (D3DDDI_PATCHLOCATIONLIST){.AllocationIndex = i,
                                       .SlotId = i & 0xFF,
                                       .PatchOffset = (i - 1) * (UINT)sizeof commands[0]};
    return finish(&args->pDmaBuffer, args->DmaSize, &args->pDmaBufferPrivateData,
                  args->DmaBufferPrivateDataSize, commands, sizeof commands);
}

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    const UINT flags = kit_fault == 2 ? args->EngineOrdinal : args->Flags.Value;
    return flags & 1 ? STATUS_SUCCESS : kit_patch(context, args);
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiPatch = patch;
}

static const struct kit kit = {
    .name = "renders",
    .wddm = DXGKDDI_WDDMv2_1,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_1,
    .scheduler_caps = 1,
    .segment_count = 1,
    .segments = {{.flags = 0x4, .base = 0x600000000, .size = 32 * KIT_MIB, .cpu = 0xC00000000}},
    .kind_count = 1,
    .kinds = {{.name = "target", .size = 0x10000, .alignment = PAGE_SIZE, .sets = 1, .flags = 1}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 32,
    .render = render,
    .present = present,
    .table = table,
};

KIT_PLUGIN(kit)
