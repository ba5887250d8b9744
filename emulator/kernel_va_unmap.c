/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_UPDATE: Unmap (document 002). */
#include "emu_flags.h"
#include "emu_va_update.h"

static uint32_t unmap_state(const struct emu_va_batch *batch, uint64_t protection)
{
    const uint32_t boot = EMU_WDDM_OF(batch->kernel->base.host->interface_version);
    const int no_access =
        EMU_FAULT("UVA-044", (protection & EMU_PROTECTION_NO_ACCESS) != 0, protection == 0);
    const uint32_t zero =
        EMU_FAULT("UVA-024", (uint32_t)WCTS_PAGE_ZERO, (uint32_t)WCTS_PAGE_INVALID);
    if (EMU_FAULT("UVA-044+2.9", 0, boot == EMU_WDDM_OF(EMU_WDDM_2_9)) ||
        EMU_FAULT("UVA-044+second", 0, batch->done != 0))
        return zero;
    return no_access ? (uint32_t)WCTS_PAGE_INVALID : zero;
}

/* BaseAddress, SizeInBytes: "must be aligned to 4 KB". */
static int unmap_misaligned(const struct emu_va_batch *batch, const struct wcts_va_unmap *unmap)
{
    const uint64_t size = unmap->SizeInBytes;
    int odd = emu_va_misaligned(size);
    odd = EMU_FAULT("UVA-026", odd, emu_va_misaligned(size & ~UINT64_C(0x800)));
    odd = EMU_FAULT("UVA-050.unmap", odd, size % EMU_GPU_PAGE_SIZE > 1);
    return (EMU_FAULT("UVA-025", emu_va_misaligned(unmap->BaseAddress),
                      emu_va_misaligned(unmap->BaseAddress & ~UINT64_C(0x800))) &&
            EMU_FAULT("UVA-025+later", 1, batch->done == 0)) ||
           odd;
}

/* For a fault: the end of a range, or that of the mapping in whose middle it lies. */
static uint64_t end_of_mapping(const struct emu_pages *pages, struct emu_range range)
{
    const struct emu_run *before = range.first != 0 ? emu_pages_at(pages, range.first - 1) : NULL;
    return before != NULL && before->state == WCTS_PAGE_MAPPED && before->range.end > range.end
               ? before->range.end
               : range.end;
}

/* A range that another process reserved is taken. */
EMU_FAULT_SITE(unmapped_foreign, "HDR-071.unmapped", "found",
               "found != NULL ? found : of_any(range)");

wcts_status emu_va_unmap(struct emu_va_batch *batch,
                         const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *op)
{
    const struct wcts_va_unmap *unmap = &op->Unmap;
    const uint32_t state = unmap_state(batch, unmap->Protection);
    struct emu_run run = {.range = emu_va_pages_of(unmap->BaseAddress, unmap->SizeInBytes),
                          .state = state};
    const uint64_t end = unmap->BaseAddress + unmap->SizeInBytes; /* modulo 2^64 */
    struct emu_range judged = run.range;
    wcts_status status;
    if (unmap_misaligned(batch, unmap))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* Protection: "the state of the page table entry, Zero or NoAccess". */
    if (batch->kernel->base.strict && unmap->Protection != EMU_PROTECTION_NO_ACCESS &&
        EMU_FAULT("UVA-027", unmap->Protection != EMU_PROTECTION_ZERO,
                  (unmap->Protection & ~(uint64_t)EMU_PROTECTION_ZERO) != 0))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (EMU_FAULT("UVA-052.unmap", unmap->SizeInBytes == 0,
                  unmap->SizeInBytes == 0 || emu_va_wraps(unmap->BaseAddress, end)))
        return WCTS_STATUS_SUCCESS;
    judged.end =
        EMU_FAULT("UVA-001.unmap", judged.end, emu_va_first_end(batch, judged, WCTS_PAGE_ZERO));
    status = emu_va_use_target(batch, judged, &unmapped_foreign);
    if (!wcts_succeeded(status))
        return status;
    batch->freed = run.range;
    run.range.end =
        EMU_FAULT("UVA-024+middle", run.range.end, end_of_mapping(batch->pages, run.range));
    if (EMU_FAULT("UVA-044+unmapped", 0,
                  state == WCTS_PAGE_INVALID &&
                      !emu_pages_any(batch->pages, run.range, WCTS_PAGE_MAPPED)))
        return WCTS_STATUS_SUCCESS;
    /* Unmap: "puts the range into the zero state or into the invalid state". */
    return emu_pages_set(batch->pages, &run) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}
