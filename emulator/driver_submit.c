/* SPDX-License-Identifier: MIT */
/* DRIVER_SUBMIT (DxgkDdiSubmitCommand), and what the driver keeps between patch and submission. */
#include "emu_driver.h"

#include <stdlib.h>

/* Takes an element out of the list. */
static void take_out(struct emu_driver *driver, uint32_t index)
{
    driver->patched[index] = driver->patched[--driver->patched_count];
}

/* The index of the part that was patched with these offsets, or patched_count. */
static uint32_t find(const struct emu_driver *driver, uint32_t segment, uint64_t physical_address,
                     uint32_t start, uint32_t end)
{
    uint32_t i;
    for (i = 0; i < driver->patched_count; i++) {
        const struct emu_patched *part = &driver->patched[i];
        if (part->segment == segment && part->physical_address == physical_address &&
            part->start == start && part->end == end)
            break;
    }
    return i;
}

/* Makes room for one more part. Returns 0 without memory. */
static int reserve(struct emu_driver *driver)
{
    const uint32_t room = driver->patched_room ? driver->patched_room * 2 : 8;
    struct emu_patched *parts;
    if (driver->patched_count < driver->patched_room)
        return 1;
    parts = realloc(driver->patched, room * sizeof(*parts));
    if (parts == NULL)
        return 0;
    driver->patched = parts;
    driver->patched_room = room;
    return 1;
}

int emu_patched_add(struct emu_driver *driver, const struct wcts_DXGKARG_PATCH *args)
{
    const struct emu_patched part = {
        .segment = args->DmaBufferSegmentId,
        .start = args->DmaBufferSubmissionStartOffset,
        .end = args->DmaBufferSubmissionEndOffset,
        .paging = (args->Flags & EMU_FLAG_PAGING) != 0,
        .physical_address = args->DmaBufferPhysicalAddress,
        .address = args->pDmaBuffer,
    };
    const uint32_t index = find(driver, part.segment, part.physical_address, part.start, part.end);
    if (index == driver->patched_count) {
        if (!reserve(driver))
            return 0;
        driver->patched_count++;
    }
    driver->patched[index] = part;
    return 1;
}

void emu_patched_forget(struct emu_driver *driver, uint64_t address, uint64_t length)
{
    uint32_t i = driver->patched_count;
    while (i-- > 0) {
        const struct emu_patched *part = &driver->patched[i];
        if (part->address + part->start < address + length && address < part->address + part->end)
            take_out(driver, i);
    }
}

wcts_status emu_driver_submit(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_driver *driver = instance;
    const struct wcts_driver_submit_request *asked = request;
    const uint32_t index =
        find(driver, asked->DmaBufferSegmentId, asked->DmaBufferPhysicalAddress,
             asked->DmaBufferSubmissionStartOffset, asked->DmaBufferSubmissionEndOffset);
    const int patched = index < driver->patched_count;
    const int paging =
        (asked->Flags & EMU_FLAG_PAGING) || (patched && driver->patched[index].paging);
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (!(asked->hContext == 0 && paging) && !emu_context_known(driver, asked->hContext))
        return WCTS_STATUS_INVALID_HANDLE;
    if (asked->DmaBufferSubmissionStartOffset > asked->DmaBufferSubmissionEndOffset ||
        asked->DmaBufferSubmissionEndOffset > asked->DmaBufferSize)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (driver->base.patches == WCTS_PATCHES_NONE)
        return WCTS_STATUS_SUCCESS;
    /* Document 004: the offsets at patch time are those at submission time, so a part that was
     * patched with other ones was not patched. Each submission takes a patch of its own. To refuse
     * a part without one is a choice, no duty. */
    if (!patched)
        return WCTS_STATUS_INVALID_PARAMETER;
    take_out(driver, index);
    return WCTS_STATUS_SUCCESS;
}
