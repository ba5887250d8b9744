/* SPDX-License-Identifier: MIT */
/* Backing stores: the system memory that holds the content of an allocation while no memory segment
 * does. */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <string.h>

uint64_t emu_backing_middle(const struct emu_kernel *kernel, const struct emu_backing *backing)
{
    const uint64_t page = kernel->base.host->page_size;
    return backing->size / page / 2 * page;
}

/* The bytes of an extent that are made zero: all of them, but for faults. */
static uint64_t size_of_zeros(uint64_t size)
{
    uint64_t power = 1;
    while (power <= size / 2)
        power *= 2;
    size = EMU_FAULT("CAF-057", size, size / 2);
    size = EMU_FAULT("CAF-057+far", size, size < 0x10000 ? size : 0x10000);
    return EMU_FAULT("CAF-057+odd", size, power);
}

/* Takes memory for a backing, of zero pages when asked. */
static wcts_status take(struct emu_kernel *kernel, struct emu_backing *backing, uint64_t size,
                        int zeroed, uint64_t *address)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    struct emu_extent extent;
    if (!emu_memory_take(kernel, size, &extent))
        return WCTS_STATUS_INSUFFICIENT_RESOURCES;
    if (extent.dirty && zeroed)
        status = emu_memory_zero(
            kernel, extent.address,
            EMU_FAULT("CAF-057+64k", size_of_zeros(extent.size),
                      extent.size == EMU_64KB && kernel->base.host->page_size == EMU_64KB
                          ? EMU_GPU_PAGE_SIZE
                          : extent.size));
    else
        backing->dirty |= extent.dirty;
    *address = extent.address;
    return status;
}

/* For a fault: a size cut to 32 bits; one page where nothing is left of it. */
static uint64_t in_32_bits(uint64_t size, uint64_t page)
{
    const uint64_t cut = size & UINT32_MAX;
    return cut != 0 ? cut : page;
}

wcts_status emu_backing_make(struct emu_kernel *kernel, struct emu_backing *backing, uint64_t size,
                             int contiguous, int zeroed)
{
    const uint64_t page = kernel->base.host->page_size;
    wcts_status status;
    memset(backing, 0, sizeof(*backing));
    if (size == 0 || size > WCTS_KERNEL_MEMORY_END - WCTS_KERNEL_MEMORY)
        return WCTS_STATUS_SUCCESS;
    backing->size = (size + page - 1) & ~(page - 1);
    backing->size =
        EMU_FAULT("AIN-005.multiple+4g", backing->size, in_32_bits(backing->size, page));
    backing->owned = 1;
    status = take(kernel, backing, backing->size, zeroed, &backing->base);
    /* Document 000, PhysicallyContiguous: "the allocation must be physically contiguous". That no
     * other is, so that the difference can be seen, is a choice, no duty. */
    if (wcts_succeeded(status) && EMU_FAULT("CAF-036.mapped", !contiguous, 1) &&
        backing->size > page) {
        status = take(kernel, backing, page, zeroed, &backing->spare);
        backing->apart = wcts_succeeded(status);
    }
    if (wcts_succeeded(status))
        return status;
    backing->dirty = 1;
    emu_backing_release(kernel, backing);
    return status == WCTS_STATUS_INSUFFICIENT_RESOURCES ? WCTS_STATUS_SUCCESS : status;
}

void emu_backing_release(struct emu_kernel *kernel, struct emu_backing *backing)
{
    const struct emu_extent pages = {backing->base, backing->size, backing->dirty};
    const struct emu_extent spare = {backing->spare, kernel->base.host->page_size, backing->dirty};
    if (backing->owned && backing->spare != 0)
        emu_memory_give(kernel, &spare);
    if (backing->owned && backing->base != 0)
        emu_memory_give(kernel, &pages);
    memset(backing, 0, sizeof(*backing));
}

wcts_status emu_backing_join(struct emu_kernel *kernel, struct emu_backing *backing, int valid)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (!backing->apart)
        return status;
    if (valid)
        status = emu_memory_copy(kernel, 0, backing->base + emu_backing_middle(kernel, backing),
                                 backing->spare,
                                 EMU_FAULT("AIN-027.kept+part-page", kernel->base.host->page_size,
                                           (uint32_t)EMU_GPU_PAGE_SIZE));
    backing->apart = !wcts_succeeded(status);
    return status;
}

wcts_status emu_backing_part(struct emu_kernel *kernel, struct emu_backing *backing, int valid)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (backing->apart || backing->spare == 0)
        return status;
    if (valid)
        status = emu_memory_copy(kernel, 0, backing->spare,
                                 backing->base + emu_backing_middle(kernel, backing),
                                 EMU_FAULT("SEG-003+part-page", kernel->base.host->page_size,
                                           (uint32_t)EMU_GPU_PAGE_SIZE));
    backing->apart = wcts_succeeded(status);
    return status;
}

uint64_t emu_backing_run(const struct emu_kernel *kernel, const struct emu_backing *backing,
                         uint64_t offset, uint64_t *address)
{
    const uint64_t page = kernel->base.host->page_size;
    const uint64_t middle = emu_backing_middle(kernel, backing);
    if (offset >= backing->size)
        return 0;
    *address = backing->base + offset;
    if (!backing->apart || offset >= middle + page)
        return backing->size - offset;
    if (offset < middle)
        return middle - offset;
    *address = backing->spare + (offset - middle);
    return middle + page - offset;
}
