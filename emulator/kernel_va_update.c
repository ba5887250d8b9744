/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: the rules and the effects of document 002
 * (D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION). The operations of a call are applied in the order
 * of the array, each on top of those before it; a refused call changes no page. */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <string.h>

/* A call on its way. All ranges that it changes lie in one reservation, so one set of pages is all
 * that it changes: the shadow, or the reservation's own when there is one operation only, which
 * is judged as a whole before it changes anything. */
struct batch {
    const struct emu_kernel *kernel;
    const struct emu_process *process;
    uint32_t count;
    struct emu_reservation *target; /* of the ranges that change; NULL before the first */
    struct emu_reservation *source; /* of the copies' sources; NULL before the first */
    struct emu_pages *pages;        /* the pages of target as the batch sees them */
    struct emu_pages shadow;
};

typedef wcts_status operation_fn(struct batch *batch,
                                 const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op);

static int misaligned(uint64_t value)
{
    return value % EMU_GPU_PAGE_SIZE != 0;
}

/* Pages of an aligned range. Neither sum can wrap around, and a range that does so in bytes ends
 * behind every reservation. */
static struct emu_range pages_of(uint64_t address, uint64_t size)
{
    struct emu_range range = {address >> EMU_GPU_PAGE_SHIFT, 0};
    range.end = range.first + (size >> EMU_GPU_PAGE_SHIFT);
    return range;
}

/* Finds the reservation of a range that an operation changes. "The virtual address ranges for all
 * operations must belong to a range that was reserved by the same call." */
static wcts_status use_target(struct batch *batch, struct emu_range range)
{
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, range);
    if (found == NULL || (batch->target != NULL && batch->target != found))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (batch->target != NULL)
        return WCTS_STATUS_SUCCESS;
    batch->target = found;
    batch->pages = &found->pages;
    if (batch->count == 1)
        return WCTS_STATUS_SUCCESS;
    batch->pages = &batch->shadow;
    return emu_pages_clone(&batch->shadow, &found->pages) ? WCTS_STATUS_SUCCESS
                                                          : WCTS_STATUS_NO_MEMORY;
}

/* Finds the reservation of a copy's source. Sources may lie in another reservation than the
 * targets, but together in one: advice. */
static wcts_status use_source(struct batch *batch, struct emu_range range)
{
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, range);
    if (found == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (batch->kernel->base.strict && batch->source != NULL && batch->source != found)
        return WCTS_STATUS_INVALID_PARAMETER;
    batch->source = found;
    return WCTS_STATUS_SUCCESS;
}

/* Judges the allocation's side of a mapping. */
static wcts_status judge_allocation_range(const struct batch *batch,
                                          const struct wcts_va_map_protect *map, uint64_t length)
{
    const struct emu_allocation *allocation =
        emu_handle_object(&batch->kernel->handles, map->hAllocation, EMU_HANDLE_ALLOCATION);
    /* hAllocation: "the allocation to which the range is to be mapped". */
    if (allocation == NULL || allocation->device->process != batch->process)
        return WCTS_STATUS_INVALID_HANDLE;
    /* AllocationOffsetInBytes, AllocationSizeInBytes: "must be aligned to 4 KB". */
    if (misaligned(map->AllocationOffsetInBytes) || misaligned(map->AllocationSizeInBytes))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* AllocationSizeInBytes: "must be less than SizeInBytes" (or equal: 0 stands for equality);
     * "when it is less, SizeInBytes must be a multiple". */
    if (length > map->SizeInBytes || (length != 0 && map->SizeInBytes % length != 0))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* "The specified allocation range": advice that there is one. */
    if (batch->kernel->base.strict &&
        (map->AllocationOffsetInBytes > allocation->content->size ||
         length > allocation->content->size - map->AllocationOffsetInBytes))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}

/* Map and MapProtect differ in the two protections only. */
static wcts_status map_pages(struct batch *batch, const struct wcts_va_map_protect *map)
{
    /* AllocationSizeInBytes: "if this value is zero, SizeInBytes is used". */
    const uint64_t length =
        map->AllocationSizeInBytes ? map->AllocationSizeInBytes : map->SizeInBytes;
    const struct emu_run run = {.range = pages_of(map->BaseAddress, map->SizeInBytes),
                                .state = WCTS_PAGE_MAPPED,
                                .hAllocation = map->hAllocation,
                                .origin = map->BaseAddress >> EMU_GPU_PAGE_SHIFT,
                                .offset = map->AllocationOffsetInBytes >> EMU_GPU_PAGE_SHIFT,
                                .period = length >> EMU_GPU_PAGE_SHIFT,
                                .protection = map->Protection,
                                .driver_protection = map->DriverProtection};
    wcts_status status;
    /* BaseAddress, SizeInBytes: "must be aligned to 4 KB". */
    if (misaligned(map->BaseAddress) || misaligned(map->SizeInBytes))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = judge_allocation_range(batch, map, length);
    if (!wcts_succeeded(status) || map->SizeInBytes == 0)
        return status;
    status = use_target(batch, run.range);
    if (!wcts_succeeded(status))
        return status;
    /* BaseAddress: "the whole range must be in the reserved (zero) or mapped state, or the call
     * will fail". That pages without access are neither is advice. */
    if (batch->kernel->base.strict && emu_pages_any(batch->pages, run.range, WCTS_PAGE_INVALID))
        return WCTS_STATUS_INVALID_PARAMETER;
    return emu_pages_set(batch->pages, &run) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

static wcts_status operation_map(struct batch *batch,
                                 const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    /* Map: "read-write protection is set on the pages; DriverProtection is set to zero". */
    const struct wcts_va_map_protect map = {
        .BaseAddress = op->Map.BaseAddress,
        .SizeInBytes = op->Map.SizeInBytes,
        .hAllocation = op->Map.hAllocation,
        .AllocationOffsetInBytes = op->Map.AllocationOffsetInBytes,
        .AllocationSizeInBytes = op->Map.AllocationSizeInBytes,
        .Protection = EMU_PROTECTION_WRITE,
    };
    return map_pages(batch, &map);
}

static wcts_status
operation_map_protect(struct batch *batch,
                      const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    return map_pages(batch, &op->MapProtect);
}

static wcts_status operation_unmap(struct batch *batch,
                                   const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    const struct wcts_va_unmap *unmap = &op->Unmap;
    const int no_access = (unmap->Protection & EMU_PROTECTION_NO_ACCESS) != 0;
    const struct emu_run run = {.range = pages_of(unmap->BaseAddress, unmap->SizeInBytes),
                                .state = no_access ? WCTS_PAGE_INVALID : WCTS_PAGE_ZERO};
    wcts_status status;
    /* BaseAddress, SizeInBytes: "must be aligned to 4 KB". */
    if (misaligned(unmap->BaseAddress) || misaligned(unmap->SizeInBytes))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* Protection: "the state of the page table entry, Zero or NoAccess". */
    if (batch->kernel->base.strict && unmap->Protection != EMU_PROTECTION_ZERO &&
        unmap->Protection != EMU_PROTECTION_NO_ACCESS)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (unmap->SizeInBytes == 0)
        return WCTS_STATUS_SUCCESS;
    status = use_target(batch, run.range);
    if (!wcts_succeeded(status))
        return status;
    /* Unmap: "puts the range into the zero state or into the invalid state". */
    return emu_pages_set(batch->pages, &run) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

static wcts_status operation_copy(struct batch *batch,
                                  const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    const struct wcts_va_copy *copy = &op->Copy;
    const struct emu_range from = pages_of(copy->SourceAddress, copy->SizeInBytes);
    const struct emu_range to = pages_of(copy->DestAddress, copy->SizeInBytes);
    const struct emu_pages *source;
    wcts_status status;
    /* SourceAddress, SizeInBytes, DestAddress: "must be aligned to 4 KB". */
    if (misaligned(copy->SourceAddress) || misaligned(copy->DestAddress) ||
        misaligned(copy->SizeInBytes))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (copy->SizeInBytes == 0)
        return WCTS_STATUS_SUCCESS;
    status = use_source(batch, from);
    if (wcts_succeeded(status))
        status = use_target(batch, to);
    if (!wcts_succeeded(status))
        return status;
    /* Copy: "both ranges must belong to a reserved (zero) virtual address range". */
    if (batch->source->pages.initial != WCTS_PAGE_ZERO ||
        batch->target->pages.initial != WCTS_PAGE_ZERO)
        return WCTS_STATUS_INVALID_PARAMETER;
    /* "Copies all mappings from the source range to the destination range; the ranges may
     * intersect." */
    source = batch->source == batch->target ? batch->pages : &batch->source->pages;
    return emu_pages_copy(batch->pages, to.first, source, from) ? WCTS_STATUS_SUCCESS
                                                                : WCTS_STATUS_NO_MEMORY;
}

static operation_fn *const operations[] = {
    [EMU_VA_MAP] = operation_map,
    [EMU_VA_UNMAP] = operation_unmap,
    [EMU_VA_COPY] = operation_copy,
    [EMU_VA_MAP_PROTECT] = operation_map_protect,
};

#define OPERATION_COUNT (sizeof(operations) / sizeof(operations[0]))

static wcts_status apply_operation(struct batch *batch, const unsigned char *data)
{
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operation;
    memcpy(&operation, data, sizeof(operation));
    if (operation.OperationType < OPERATION_COUNT)
        return operations[operation.OperationType](batch, &operation);
    /* OperationType: the document describes four; that there are no others is advice. */
    return batch->kernel->base.strict ? WCTS_STATUS_INVALID_PARAMETER : WCTS_STATUS_SUCCESS;
}

/* Puts the shadow in the place of the target's pages, or drops it. */
static void batch_end(struct batch *batch, int commit)
{
    if (batch->pages != &batch->shadow)
        return;
    if (commit) {
        const struct emu_pages old = batch->target->pages;
        batch->target->pages = batch->shadow;
        batch->shadow = old;
    }
    emu_pages_release(&batch->shadow);
}

wcts_status emu_kernel_va_update(void *instance, const void *request, uint32_t request_size,
                                 void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_kernel *kernel = instance;
    const struct wcts_D3DKMT_UPDATEGPUVIRTUALADDRESS *args =
        &((const struct wcts_kernel_va_update_request *)request)->Args;
    const struct emu_device *device =
        emu_handle_object(&kernel->handles, args->hDevice, EMU_HANDLE_DEVICE);
    const size_t each = sizeof(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION);
    const unsigned char *data =
        wcts_message_at(request, request_size, args->Operations, args->NumOperations, each);
    struct batch batch = {.kernel = kernel, .count = args->NumOperations};
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    (void)reply, (void)reply_room, (void)reply_size;
    if (kernel->base.host->interface_version < EMU_WDDM_2_0)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (device == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (data == NULL && args->NumOperations != 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    batch.process = device->process;
    for (i = 0; i < args->NumOperations && wcts_succeeded(status); i++)
        status = apply_operation(&batch, data + i * each);
    batch_end(&batch, wcts_succeeded(status));
    return status;
}
