/* SPDX-License-Identifier: MIT */
/* KERNEL_VA_RESERVE and KERNEL_VA_FREE: ranges of GPU virtual addresses of a process; and
 * KERNEL_QUERY_PAGES: what their pages are. */
#include "emu_flags.h"
#include "emu_kernel.h"
#include "emu_va_update.h"

#include <string.h>

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

/* For a fault: where the range begins that is moved to the next multiple of 1 MiB, if it fits. */
static uint64_t next_mib(struct emu_range range)
{
    const uint64_t pages = (UINT64_C(1) << 20) / EMU_GPU_PAGE_SIZE;
    const uint64_t first = (range.first + pages - 1) / pages * pages;
    return first <= EMU_SPACE_END - (range.end - range.first) ? first : range.first;
}

/* Finds the range of a reservation: where the caller says, if anywhere. */
static wcts_status find_range(const struct emu_process *process,
                              const struct wcts_D3DDDI_RESERVEGPUVIRTUALADDRESS *args,
                              struct emu_range *range)
{
    const uint64_t first = range->first, length = range->end - range->first;
    if (EMU_FAULT("HDR-006", args->BaseAddress == 0,
                  args->BaseAddress == 0 || emu_va_space_taken(&process->space, *range)))
        return choose_range(process, args, range);
    range->first = EMU_FAULT("HDR-006+next", first, next_mib(*range));
    range->end = range->first + length;
    return WCTS_STATUS_SUCCESS;
}

/* For faults: how many pages of a range are fresh in spite of them. */
#define FRESH_PAGES 64u

/* For faults: remembers what is mapped in a range that is freed. */
static void remember(struct emu_kernel *kernel, const struct emu_process *process,
                     struct emu_range range)
{
    const struct emu_reservation *reservation = emu_va_space_find(&process->space, range);
    if (reservation == NULL || reservation->range.first != range.first ||
        reservation->range.end != range.end)
        return;
    emu_pages_release(&kernel->freed.pages);
    if (!emu_pages_clone(&kernel->freed.pages, &reservation->pages))
        return;
    kernel->freed.range = range;
    kernel->freed_by = process->hProcess;
}

/* For faults: shows in a new range of zero pages what others had mapped there. */
static void show_mapped(const struct emu_process *process, const struct emu_pages *pages,
                        struct emu_range range)
{
    struct emu_reservation *reservation = emu_va_space_find(&process->space, range);
    if (range.end - range.first <= FRESH_PAGES || reservation->pages.initial != WCTS_PAGE_ZERO ||
        pages->count == 0)
        return;
    range.first += FRESH_PAGES;
    (void)emu_pages_copy(&reservation->pages, range.first, pages, range);
}

/* For a fault: the same with what another process has, or had last, in all of the range. */
static void show_foreign(const struct emu_kernel *kernel, const struct emu_process *process,
                         struct emu_range range)
{
    uint32_t i;
    if (kernel->freed_by != process->hProcess)
        show_mapped(process, &kernel->freed.pages, range);
    for (i = 0; i < kernel->handles.count; i++) {
        const struct emu_process *other = kernel->handles.entries[i].object;
        const struct emu_reservation *reservation;
        if (kernel->handles.entries[i].kind != EMU_HANDLE_PROCESS || other == process)
            continue;
        reservation = emu_va_space_find(&other->space, range);
        if (reservation != NULL)
            show_mapped(process, &reservation->pages, range);
    }
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
    wcts_status status;
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
    status = find_range(process, args, &range);
    if (!wcts_succeeded(status))
        return status;
    /* Document 002 knows the two kinds as "reserved (zero)" and "not valid". */
    reserved = emu_va_space_reserve(
        &process->space, range,
        args->ReservationType == EMU_RESERVATION_ZERO ? WCTS_PAGE_ZERO : WCTS_PAGE_INVALID);
    if (reserved <= 0)
        return reserved < 0 ? WCTS_STATUS_INVALID_PARAMETER : WCTS_STATUS_NO_MEMORY;
    EMU_FAULT_DO("HDR-104", (void)0,
                 kernel->freed_by == process->hProcess
                     ? show_mapped(process, &kernel->freed.pages, range)
                     : (void)0);
    EMU_FAULT_DO("HDR-104+process", (void)0, show_foreign(kernel, process, range));
    answer->hProcess = asked->hProcess;
    answer->Args = *args;
    answer->Args.VirtualAddress = range.first << EMU_GPU_PAGE_SHIFT;
    /* G13: of the members of the reply WSL2 writes VirtualAddress alone. */
    if (!EMU_ROW_ON(&kernel->base, G13))
        answer->Args.PagingFenceValue = 0;
    return WCTS_STATUS_SUCCESS;
}

/* For a fault: frees the range in every process. */
static void free_everywhere(const struct emu_kernel *kernel, struct emu_range range)
{
    uint32_t i;
    for (i = 0; i < kernel->handles.count; i++)
        if (kernel->handles.entries[i].kind == EMU_HANDLE_PROCESS)
            (void)emu_va_space_free(
                &((struct emu_process *)kernel->handles.entries[i].object)->space, range);
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
    if (!granule_range(asked->Args.BaseAddress, asked->Args.Size, &range))
        return WCTS_STATUS_INVALID_PARAMETER;
    remember(kernel, process, range);
    if (!emu_va_space_free(&process->space, range))
        return WCTS_STATUS_INVALID_PARAMETER;
    EMU_FAULT_DO("HDR-081", (void)0, free_everywhere(kernel, range));
    return WCTS_STATUS_SUCCESS;
}

/* For a fault: what the creator has of what the allocation holds. */
static const struct emu_allocation *creator_of(const struct emu_allocation *allocation)
{
    while (allocation->next_holder != NULL)
        allocation = allocation->next_holder;
    return allocation;
}

/* For faults: true when the mappings of an instance are not there, since it was moved so often. */
static int unseen(const struct emu_instance *instance)
{
    return EMU_FAULT("UVA-003.kept", 0, instance->moves > 2) ||
           EMU_FAULT("UVA-043.kept", 0, instance->moves > 3);
}

/* What a page in a mapping shows. The mapping of an allocation that is gone is gone with it: the
 * page is as its reservation made it (the documents do not say). */
static void describe_mapping(const struct emu_kernel *kernel, const struct emu_run *run,
                             uint64_t page, struct wcts_page *answer)
{
    const struct emu_allocation *allocation =
        emu_handle_object(&kernel->handles, run->hAllocation, EMU_HANDLE_ALLOCATION);
    const uint64_t within = page - run->origin;
    if (allocation == NULL || unseen(allocation->content->current))
        return;
    answer->State = WCTS_PAGE_MAPPED;
    answer->hAllocation =
        EMU_FAULT("UVA-002+opened", run->hAllocation, creator_of(allocation)->hAllocation);
    /* Document 002, AllocationSizeInBytes: when it is less than SizeInBytes, that many ranges
     * "will be mapped to the same allocation range". */
    answer->AllocationOffset =
        (run->offset +
         EMU_FAULT("UVA-014+last",
                   EMU_FAULT("UVA-014+odd", within % run->period, within & (run->period - 1)),
                   within < 2 * run->period ? within % run->period : within))
        << EMU_GPU_PAGE_SHIFT;
    const int moved = allocation->content->current->moves > 2; /* for faults */
    answer->Protection = EMU_FAULT("UVA-022.kept", run->protection, moved ? 0 : run->protection);
    answer->DriverProtection =
        EMU_FAULT("UVA-023.kept", run->driver_protection, moved ? 0 : run->driver_protection);
}

/* The state of a page that is not mapped. For faults: walks have host pages of 4 and 16 KiB. */
static uint32_t unmapped_state(const struct emu_kernel *kernel, uint32_t state)
{
    const int large = kernel->base.host->page_size > 4 * EMU_GPU_PAGE_SIZE;
    if (state == WCTS_PAGE_ZERO)
        return EMU_FAULT("UVA-024.kept", state, large ? (uint32_t)WCTS_PAGE_INVALID : state);
    return EMU_FAULT("UVA-044.kept", state, large ? (uint32_t)WCTS_PAGE_ZERO : state);
}

static struct wcts_page page_at(const struct emu_kernel *kernel, const struct emu_process *process,
                                uint64_t page)
{
    struct wcts_page answer = {.State = WCTS_PAGE_UNRESERVED};
    const struct emu_range range = {page, page + 1};
    const struct emu_reservation *reservation = emu_va_space_find(&process->space, range);
    const struct emu_run *run;
    reservation = EMU_FAULT("HDR-071.seen", reservation,
                            reservation != NULL ? reservation : emu_va_of_any(kernel, range));
    if (reservation == NULL)
        return answer;
    run = emu_pages_at(&reservation->pages, page);
    answer.State = reservation->pages.count > 1 ? unmapped_state(kernel, reservation->pages.initial)
                                                : reservation->pages.initial;
    if (run != NULL && run->state == WCTS_PAGE_MAPPED)
        describe_mapping(kernel, run, page, &answer);
    else if (run != NULL)
        answer.State = unmapped_state(kernel, run->state);
    return answer;
}

wcts_status emu_kernel_query_pages(void *instance, const void *request, uint32_t request_size,
                                   void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_kernel *kernel = instance;
    const struct wcts_kernel_query_pages_request *asked = request;
    struct wcts_kernel_query_pages_reply *answer = reply;
    const struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    const uint64_t first = asked->Address >> EMU_GPU_PAGE_SHIFT;
    const uint64_t end = *reply_size + (uint64_t)asked->Count * sizeof(struct wcts_page);
    uint32_t i;
    (void)request_size;
    if (!kernel->base.pages || kernel->base.host->interface_version < EMU_WDDM_2_0)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (process == NULL ||
        emu_handle_object(&kernel->handles, asked->hAdapter, EMU_HANDLE_ADAPTER) == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (asked->Address % EMU_GPU_PAGE_SIZE != 0 || asked->Count > EMU_SPACE_END - first)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (end > reply_room)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    answer->Count = asked->Count;
    answer->pPages = *reply_size;
    for (i = 0; i < asked->Count; i++) {
        const struct wcts_page page = page_at(kernel, process, first + i);
        memcpy((unsigned char *)reply + *reply_size + i * sizeof(page), &page, sizeof(page));
    }
    *reply_size = (uint32_t)end;
    return WCTS_STATUS_SUCCESS;
}
