/* SPDX-License-Identifier: MIT */
/* A card of WDDM 1.3 whose memory controller seals what an allocation holds with a key of its own,
 * so that nobody sees it there, and whose render function takes the commands of its own user-mode
 * half alone. fault=1 (AIN-015): the key is that of the allocation that moved last. fault=2
 * (HDR-031): a draw with a target takes it for its source, too. With fault=8 its user-mode half
 * makes what it does not take, with fault=9 nothing. */
#include "kit.h"

#define VRAM 1
#define GART 2
#define MAGIC 0x4C414553u

/* What the user-mode half sends: draws, each from one place to the next one. */
struct commands {
    uint32_t magic;
    uint32_t count;
    struct {
        uint32_t index;
        uint32_t offset;
    } places[];
};

static uint32_t keys, last_key;

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    struct kit_allocation *allocation = info->hAllocation;
    UNREFERENCED_PARAMETER(fault);
    UNREFERENCED_PARAMETER(kind);
    allocation->data.magic = ++keys;
}

static uint32_t key_of(int fault, const struct kit_allocation *allocation)
{
    const uint32_t key = fault == 1 && last_key != 0 ? last_key : allocation->data.magic;
    last_key = allocation->data.magic;
    return key & 0xFF;
}

static NTSTATUS paging(int fault, const DXGKARG_BUILDPAGINGBUFFER *args,
                       struct kit_command *command)
{
    const int from = args->Transfer.Source.SegmentId == VRAM;
    const int to = args->Transfer.Destination.SegmentId == VRAM;
    if (args->Operation == DXGK_OPERATION_FILL)
        command->value = args->Fill.FillPattern ^ key_of(fault, args->Fill.hAllocation) * 0x1010101;
    if (args->Operation != DXGK_OPERATION_TRANSFER || from == to)
        return STATUS_SUCCESS;
    command->opcode = KIT_MIX;
    command->value = key_of(fault, args->Transfer.hAllocation);
    return STATUS_SUCCESS;
}

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *args)
{
    const struct commands *commands = args->pCommand;
    struct kit_command *draw = args->pDmaBuffer;
    uint32_t i;
    UNREFERENCED_PARAMETER(context);
    if (args->CommandLength < sizeof *commands || commands->magic != MAGIC ||
        args->CommandLength != sizeof *commands + commands->count * sizeof commands->places[0])
        return STATUS_ILLEGAL_INSTRUCTION;
    if (commands->count > args->DmaSize / sizeof *draw ||
        commands->count > args->PatchLocationListOutSize)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    for (i = 0; i < commands->count; i++) {
        const uint32_t place = kit_fault == 2 ? i & ~1u : i;
        if (commands->places[i].index >= args->AllocationListSize)
            return STATUS_INVALID_PARAMETER;
        draw[i] = (struct kit_command){.opcode = KIT_DRAW};
        *args->pPatchLocationListOut++ = (D3DDDI_PATCHLOCATIONLIST){
            .AllocationIndex = commands->places[place].index,
            .AllocationOffset = commands->places[place].offset,
            .PatchOffset = i * (UINT)sizeof *draw + (UINT)FIELD_OFFSET(struct kit_command, source)};
    }
    args->pDmaBuffer = draw + commands->count;
    return STATUS_SUCCESS;
}

static uint32_t make(struct wcts_ddi_work *work)
{
    struct commands *commands = work->commands;
    uint32_t i;
    if (kit_fault == 9)
        return 0;
    commands->magic = kit_fault == 8 ? 0 : MAGIC;
    commands->count = work->use_count;
    for (i = 0; i < work->use_count; i++) {
        commands->places[i].index = work->uses[i].AllocationIndex;
        commands->places[i].offset = work->uses[i].AllocationOffset;
    }
    return (uint32_t)(sizeof *commands + work->use_count * sizeof commands->places[0]);
}

static NTSTATUS preempt(HANDLE context, const DXGKARG_PREEMPTCOMMAND *args)
{
    const struct kit_adapter *adapter = context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED};
    DbgPrint("sealed: preempted before fence 0x%x\n", args->PreemptionFenceId);
    data.DmaPreempted.PreemptionFenceId = args->PreemptionFenceId;
    adapter->interface.DxgkCbNotifyInterrupt(adapter->interface.DeviceHandle, &data);
    return STATUS_SUCCESS;
}

/* The driver begins anew with each instance. */
static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiPreemptCommand = preempt;
    keys = last_key = 0;
}

static const struct kit kit = {
    .name = "sealed",
    .wddm = DXGKDDI_WDDMv1_3,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM1_3,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.base = 0x200000000, .size = 32 * KIT_MIB},
                 {.flags = 0x1, .base = 0x300000000, .size = 16 * KIT_MIB}},
    .kind_count = 2,
    .kinds = {{.name = "surface",
               .size = 0x18000,
               .alignment = PAGE_SIZE,
               .sets = KIT_SET(VRAM),
               .eviction = KIT_SET(GART)},
              {.name = "scratch", .size = 0x7000, .sets = KIT_SET(VRAM)}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 16,
    .describe = describe,
    .paging = paging,
    .render = render,
    .commands = make,
    .table = table,
};

KIT_PLUGIN(kit)
