/* SPDX-License-Identifier: MIT */
/* All that the driver needs to be a plug-in: what its user-mode half makes, a model of its GPU, one
 * table. */
#include <wddm-cts-ddi.h>

#include "gpu.h"

/* What the user-mode half creates. */
static const EXAMPLE_DATA texture = {0x20000, 1, 0}, buffer = {0x8000, 0, 0};
static const struct wcts_ddi_kind kinds[] = {{"texture", &texture, sizeof texture},
                                             {"buffer", &buffer, sizeof buffer}};

/* What it sends to DxgkDdiRender: DxgkDdiPatch writes the address of each target. */
static uint32_t draw(struct wcts_ddi_work *work)
{
    GPU_COMMAND *commands = work->commands;
    for (uint32_t i = 0; i < work->use_count; i++) {
        commands[i] = (GPU_COMMAND){.opcode = GPU_DRAW};
        work->locations[i] = work->uses[i];
        work->locations[i].PatchOffset = (UINT)((char *)&commands[i].target - (char *)commands);
    }
    work->location_count = work->use_count;
    return work->use_count * (uint32_t)sizeof *commands;
}

/* Reads or writes at an address of the GPU; one in the aperture goes through the page table. */
static NTSTATUS access(struct wcts_ddi_gpu *gpu, uint64_t at, void *page, uint32_t size, int write)
{
    const EXAMPLE_ADAPTER *adapter = wcts_ddi_gpu_device(gpu);
    uint32_t segment = at < GART_BASE ? VRAM_ID : 0;
    if (segment == 0 && !(at & GPU_SYSTEM))
        at = adapter->page_table[(at - GART_BASE) / PAGE_SIZE] - GPU_PTE_VALID + at % PAGE_SIZE;
    at = segment == 0 ? at & ~GPU_SYSTEM : at - VRAM_BASE;
    return write ? wcts_ddi_gpu_write(gpu, segment, at, page, size)
                 : wcts_ddi_gpu_read(gpu, segment, at, page, size);
}

/* Commands of paging stay within a page. */
static NTSTATUS execute(struct wcts_ddi_gpu *gpu, const void *commands, uint32_t size)
{
    EXAMPLE_ADAPTER *adapter = wcts_ddi_gpu_device(gpu);
    const GPU_COMMAND *command = commands, *end = command + size / sizeof *command;
    uint8_t page[PAGE_SIZE];
    NTSTATUS status = STATUS_SUCCESS;
    for (; command < end && NT_SUCCESS(status); command++) {
        if (command->opcode == GPU_PTE)
            adapter->page_table[command->value] = command->source;
        for (uint32_t i = 0; i < command->size && command->opcode == GPU_FILL; i++)
            page[i] = (uint8_t)(command->value >> 8 * (i % 4));
        if (command->opcode == GPU_COPY)
            status = access(gpu, command->source, page, command->size, 0);
        if (NT_SUCCESS(status) && (command->opcode == GPU_COPY || command->opcode == GPU_FILL))
            status = access(gpu, command->target, page, command->size, 1);
    }
    return status;
}

static const struct wcts_ddi_driver driver = {
    .size = sizeof driver,
    .patches = WCTS_PATCHES_64,
    .name = "example",
    .version = "1",
    .entry = DriverEntry,
    .first_interface_version = DXGKDDI_INTERFACE_VERSION_WIN8, /* without: what it claims */
    .last_interface_version = DXGKDDI_INTERFACE_VERSION_WDDM3_2,
    .kind_count = 2,
    .kinds = kinds,
    .execute = execute,
    .commands = draw,
};

WCTS_DDI_PLUGIN(driver)
