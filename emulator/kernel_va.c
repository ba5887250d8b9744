/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_RESERVE and KERNEL_VA_FREE: ranges of GPU virtual addresses of a process. */
#include "emu_flags.h"
#include "emu_kernel.h"

#define GRANULE_PAGES (EMU_64KB / EMU_GPU_PAGE_SIZE)

/* The range of a reservation. Returns 0 when it is not made of 64 KiB granules, is empty, or ends
 * behind 2^64. */
static int granule_range(uint64_t address, uint64_t size, struct emu_range *range)
{
    range->first = address >> EMU_GPU_PAGE_SHIFT;
    range->end = range->first + (size >> EMU_GPU_PAGE_SHIFT);
    return address % EMU_64KB == 0 && size % EMU_64KB == 0 && size != 0 &&
           range->end <= EMU_SPACE_END;
}

/* Finds a free range where the caller gave no address. */
static wcts_status choose_range(const struct emu_process *process,
                                const struct wcts_D3DDDI_RESERVEGPUVIRTUALADDRESS *args,
                                struct emu_range *range)
{
    struct emu_range within = {args->MinimumAddress >> EMU_GPU_PAGE_SHIFT,
                               args->MaximumAddress >> EMU_GPU_PAGE_SHIFT};
    if (args->MinimumAddress % EMU_64KB != 0 || args->MaximumAddress % EMU_64KB != 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (within.first == 0) /* address 0 means "none" in this interface */
        within.first = GRANULE_PAGES;
    if (args->MaximumAddress == 0)
        within.end = EMU_SPACE_END;
    if (!emu_va_space_choose(&process->space, within, range->end - range->first, GRANULE_PAGES,
                             range))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_kernel_va_reserve(void *instance, const void *request, uint32_t request_size,
                                  void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_va_reserve *asked = request;
    struct wcts_kernel_va_reserve *answer = reply;
    const struct wcts_D3DDDI_RESERVEGPUVIRTUALADDRESS *args = &asked->Args;
    struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    struct emu_range range;
    wcts_status status = WCTS_STATUS_SUCCESS;
    int reserved;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (kernel->base.host->interface_version < EMU_WDDM_2_0)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (process == NULL ||
        emu_handle_object(&kernel->handles, args->hAdapter, EMU_HANDLE_ADAPTER) == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (!granule_range(args->BaseAddress, args->Size, &range) ||
        args->ReservationType > EMU_RESERVATION_ZERO)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (args->BaseAddress == 0)
        status = choose_range(process, args, &range);
    if (!wcts_succeeded(status))
        return status;
    /* Document 002 knows the two kinds as "reserved (zero)" and "not valid". */
    reserved = emu_va_space_reserve(
        &process->space, range,
        args->ReservationType == EMU_RESERVATION_ZERO ? WCTS_PAGE_ZERO : WCTS_PAGE_INVALID);
    if (reserved <= 0)
        return reserved < 0 ? WCTS_STATUS_INVALID_PARAMETER : WCTS_STATUS_NO_MEMORY;
    answer->hProcess = asked->hProcess;
    answer->Args = *args;
    answer->Args.VirtualAddress = range.first << EMU_GPU_PAGE_SHIFT;
    answer->Args.PagingFenceValue = 0;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_kernel_va_free(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_va_free_request *asked = request;
    struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    struct emu_range range;
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (kernel->base.host->interface_version < EMU_WDDM_2_0)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (process == NULL ||
        emu_handle_object(&kernel->handles, asked->Args.hAdapter, EMU_HANDLE_ADAPTER) == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (!granule_range(asked->Args.BaseAddress, asked->Args.Size, &range) ||
        !emu_va_space_free(&process->space, range))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}
