/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: the rules and the effects of document 002
 * (D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION). The operations of a call are applied in the order
 * of the array, each on top of those before it; a refused call changes no page. */
#include "emu_flags.h"
#include "emu_va_update.h"

#include <string.h>

int emu_va_misaligned(uint64_t value)
{
    return value % EMU_GPU_PAGE_SIZE != 0;
}

struct emu_range emu_va_pages_of(uint64_t address, uint64_t size)
{
    struct emu_range range = {address >> EMU_GPU_PAGE_SHIFT, 0};
    range.end = range.first + (size >> EMU_GPU_PAGE_SHIFT);
    return range;
}

int emu_va_wraps(uint64_t address, uint64_t end)
{
    return end != 0 && end < address;
}

uint64_t emu_va_first_end(const struct emu_va_batch *batch, struct emu_range range,
                          uint32_t initial)
{
    const struct emu_range first = {range.first, range.first + 1};
    const struct emu_range last = {range.end - 1, range.end};
    const struct emu_reservation *other = emu_va_space_find(&batch->process->space, last);
    const uint32_t found = other != NULL ? other->pages.initial : (uint32_t)WCTS_PAGE_UNRESERVED;
    const int cut = found == initial && other != emu_va_space_find(&batch->process->space, first);
    return cut ? first.end : range.end;
}

/* For a fault: the reservation of the range by any process, or NULL. */
static struct emu_reservation *of_any(const struct emu_va_batch *batch, struct emu_range range)
{
    const struct emu_handles *handles = &batch->kernel->handles;
    struct emu_reservation *found = NULL;
    uint32_t i;
    for (i = 0; i < handles->count && found == NULL; i++)
        if (handles->entries[i].kind == EMU_HANDLE_PROCESS)
            found = emu_va_space_find(
                &((const struct emu_process *)handles->entries[i].object)->space, range);
    return found;
}

wcts_status emu_va_use_target(struct emu_va_batch *batch, struct emu_range range)
{
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, range);
    found = EMU_FAULT("UVA-006+other-process", found, found != NULL ? found : of_any(batch, range));
    found = EMU_FAULT("UVA-003.kept+other-process", found, of_any(batch, range));
    found = EMU_FAULT("UVA-007+outside", found,
                      found == NULL && batch->done > 1 ? batch->target : found);
    if (found == NULL || (batch->target != NULL && batch->target != found &&
                          EMU_FAULT("UVA-007+third", 1, batch->done < 2)))
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

wcts_status emu_va_use_source(struct emu_va_batch *batch, struct emu_range range)
{
    struct emu_reservation *found = emu_va_space_find(&batch->process->space, range);
    if (found == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (batch->kernel->base.strict && batch->source != NULL &&
        EMU_FAULT("UVA-037", batch->source != found,
                  batch->source->range.first < found->range.first))
        return WCTS_STATUS_INVALID_PARAMETER;
    batch->source = found;
    return WCTS_STATUS_SUCCESS;
}

static emu_va_operation_fn *const operations[] = {
    [EMU_VA_MAP] = emu_va_map,
    [EMU_VA_UNMAP] = emu_va_unmap,
    [EMU_VA_COPY] = emu_va_copy,
    [EMU_VA_MAP_PROTECT] = emu_va_map_protect,
};

#define OPERATION_COUNT (sizeof(operations) / sizeof(operations[0]))

static wcts_status apply_operation(struct emu_va_batch *batch, const unsigned char *data)
{
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operation;
    wcts_status status;
    memcpy(&operation, data, sizeof(operation));
    if (operation.OperationType < OPERATION_COUNT) {
        status = operations[operation.OperationType](batch, &operation);
        if (wcts_succeeded(status)) {
            batch->applied = operation.OperationType;
            batch->done++;
        }
        return status;
    }
    /* OperationType: the document describes four; that there are no others is advice. */
    return batch->kernel->base.strict &&
                   EMU_FAULT("UVA-053", operation.OperationType >= OPERATION_COUNT,
                             operation.OperationType <= INT32_MAX)
               ? WCTS_STATUS_INVALID_PARAMETER
               : WCTS_STATUS_SUCCESS;
}

EMU_FAULT_SITE(map_kept, "UVA-034.map", "wcts_succeeded(status)", "1");
EMU_FAULT_SITE(unmap_kept, "UVA-034.unmap", "wcts_succeeded(status)", "1");
EMU_FAULT_SITE(copy_kept, "UVA-034.copy", "wcts_succeeded(status)", "1");
EMU_FAULT_SITE(protect_kept, "UVA-034.mapprotect", "wcts_succeeded(status)", "1");

/* What is kept of a call that is refused after such an operation, by OperationType. */
static const struct emu_fault_site *const kept[OPERATION_COUNT] = {
    [EMU_VA_MAP] = &map_kept,
    [EMU_VA_UNMAP] = &unmap_kept,
    [EMU_VA_COPY] = &copy_kept,
    [EMU_VA_MAP_PROTECT] = &protect_kept,
};

static int commits(const struct emu_va_batch *batch, wcts_status status)
{
    const struct emu_fault_site *site =
        batch->applied < OPERATION_COUNT ? kept[batch->applied] : NULL;
    return EMU_FAULT_AT(site, wcts_succeeded(status), 1) ||
           EMU_FAULT("UVA-034.unmap+third", 0, batch->done > 2 && batch->applied == EMU_VA_UNMAP);
}

/* For faults: true for two operations of these types that differ in the protections only. */
static int pair(const unsigned char *data, uint32_t count, uint32_t first, uint32_t last)
{
    const size_t each = sizeof(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION);
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION a, b;
    if (count != 2)
        return 0;
    memcpy(&a, data, each);
    memcpy(&b, data + each, each);
    return a.OperationType == first && b.OperationType == last &&
           memcmp(&a.MapProtect, &b.MapProtect, offsetof(struct wcts_va_map_protect, Protection)) ==
               0;
}

/* The index of the operation that is applied next, the i-th. */
static uint32_t next_of(const unsigned char *data, uint32_t count, uint32_t i)
{
    i = EMU_FAULT("UVA-054.map-last", i,
                  pair(data, count, EMU_VA_MAP_PROTECT, EMU_VA_MAP) ? 1 - i : i);
    return EMU_FAULT("UVA-054.protect-last", i,
                     pair(data, count, EMU_VA_MAP, EMU_VA_MAP_PROTECT) ? 1 - i : i);
}

/* Puts the shadow in the place of the target's pages, or drops it. */
static void batch_end(struct emu_va_batch *batch, int commit)
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
    struct emu_va_batch batch = {.kernel = kernel, .count = args->NumOperations};
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
    batch.adapter = device->adapter;
    for (i = 0; i < args->NumOperations && wcts_succeeded(status); i++) {
        const unsigned char *at = data + next_of(data, args->NumOperations, i) * each;
        if (EMU_FAULT("UVA-002+many", 1, i < 16))
            status = apply_operation(&batch, at);
    }
    batch_end(&batch, commits(&batch, status));
    return status;
}
