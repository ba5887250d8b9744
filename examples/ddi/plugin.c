/* SPDX-License-Identifier: MIT */
/* All that the driver needs to be a plug-in: what it offers, a model of its GPU, one table. */
#include <wddm-cts-ddi.h>

#include "gpu.h"

/* What the user-mode half creates. */
static const EXAMPLE_DATA texture = {0x20000, 1, 0}, buffer = {0x8000, 0, 0};
static const struct wcts_ddi_kind kinds[] = {{"texture", &texture, sizeof texture},
                                             {"buffer", &buffer, sizeof buffer}};

/* Where an address of the GPU is; one in the aperture goes through the page table. */
static uint64_t resolve(struct wcts_ddi_gpu *gpu, uint64_t address, uint32_t *segment)
{
    const EXAMPLE_ADAPTER *adapter = wcts_ddi_gpu_device(gpu);
    *segment = 0;
    if (address & GPU_SYSTEM)
        return address & ~GPU_SYSTEM;
    if (address >= GART_BASE)
        return (adapter->page_table[(address - GART_BASE) / PAGE_SIZE] & ~GPU_PTE_VALID) +
               address % PAGE_SIZE;
    *segment = VRAM_ID;
    return address - VRAM_BASE;
}

/* Commands of paging stay within a page. */
static NTSTATUS execute(struct wcts_ddi_gpu *gpu, const void *commands, uint32_t size)
{
    EXAMPLE_ADAPTER *adapter = wcts_ddi_gpu_device(gpu);
    const GPU_COMMAND *command = commands, *end = command + size / sizeof *command;
    uint8_t page[PAGE_SIZE];
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t segment, i;
    uint64_t address;
    for (; command < end && NT_SUCCESS(status); command++) {
        if (command->opcode == GPU_PTE)
            adapter->page_table[command->value] = command->source;
        for (i = 0; i < command->size && command->opcode == GPU_FILL; i++)
            page[i] = (uint8_t)(command->value >> 8 * (i % 4));
        if (command->opcode == GPU_COPY) {
            address = resolve(gpu, command->source, &segment);
            status = wcts_ddi_gpu_read(gpu, segment, address, page, command->size);
        }
        if (NT_SUCCESS(status) && (command->opcode == GPU_COPY || command->opcode == GPU_FILL)) {
            address = resolve(gpu, command->target, &segment);
            status = wcts_ddi_gpu_write(gpu, segment, address, page, command->size);
        }
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
};

WCTS_DDI_PLUGIN(driver)
