/* SPDX-License-Identifier: MIT */
/* DRIVER_PAGING (DxgkDdiBuildPagingBuffer): operations that are carried out at once. */
#include "emu_driver.h"
#include "emu_flags.h"

#include <string.h>

#define CHUNK 8192u
#define PAGE_SIZE 4096u

typedef wcts_status paging_fn(struct emu_driver *driver,
                              const struct wcts_driver_paging_request *asked);

/* True when [address, address + size) lies in the space: a segment, or system memory. */
static int in_space(uint32_t space, uint64_t address, uint64_t size)
{
    if (space > EMU_SEGMENT_COUNT || size > UINT64_MAX - address)
        return 0;
    return space == 0 || address + size <= emu_segments[space - 1].size;
}

static wcts_status transfer(struct emu_driver *driver,
                            const struct wcts_driver_paging_request *asked)
{
    unsigned char bytes[CHUNK];
    uint64_t done = 0;
    if (!in_space(asked->SourceSegmentId, asked->SourceAddress, asked->TransferSize) ||
        !in_space(asked->DestinationSegmentId, asked->DestinationAddress, asked->TransferSize))
        return WCTS_STATUS_INVALID_PARAMETER;
    while (done < asked->TransferSize) {
        const uint64_t left = asked->TransferSize - done;
        const uint32_t length = left < CHUNK ? (uint32_t)left : CHUNK;
        wcts_status status = emu_machine_read(driver, asked->SourceSegmentId,
                                              asked->SourceAddress + done, bytes, length);
        if (wcts_succeeded(status))
            status = emu_machine_write(driver, asked->DestinationSegmentId,
                                       asked->DestinationAddress + done, bytes, length);
        if (!wcts_succeeded(status))
            return status;
        done += length;
    }
    return WCTS_STATUS_SUCCESS;
}

static wcts_status fill(struct emu_driver *driver, const struct wcts_driver_paging_request *asked)
{
    unsigned char bytes[CHUNK];
    uint64_t done;
    uint32_t i;
    if (!in_space(asked->DestinationSegmentId, asked->DestinationAddress, asked->TransferSize))
        return WCTS_STATUS_INVALID_PARAMETER;
    for (i = 0; i < CHUNK; i += 4) {
        bytes[i] = (unsigned char)(asked->FillPattern & 0xFF);
        bytes[i + 1] = (unsigned char)(asked->FillPattern >> 8 & 0xFF);
        bytes[i + 2] = (unsigned char)(asked->FillPattern >> 16 & 0xFF);
        bytes[i + 3] = (unsigned char)(asked->FillPattern >> 24);
    }
    for (done = 0; done < asked->TransferSize; done += CHUNK) {
        const uint64_t left = asked->TransferSize - done;
        wcts_status status =
            emu_machine_write(driver, asked->DestinationSegmentId, asked->DestinationAddress + done,
                              bytes, left < CHUNK ? (uint32_t)left : CHUNK);
        if (!wcts_succeeded(status))
            return status;
    }
    return WCTS_STATUS_SUCCESS;
}

/* Document 003, Aperture: map-aperture-segment and unmap-aperture-segment. The machine has no page
 * table of its own for apertures, so there is nothing to write. */
static wcts_status map_aperture(struct emu_driver *driver,
                                const struct wcts_driver_paging_request *asked)
{
    const uint32_t id = asked->SegmentId;
    uint64_t pages;
    (void)driver;
    if (id == 0 || id > EMU_SEGMENT_COUNT || !(emu_segments[id - 1].flags & EMU_SEGMENT_APERTURE))
        return WCTS_STATUS_INVALID_PARAMETER;
    pages = emu_segments[id - 1].size / PAGE_SIZE;
    if (asked->OffsetInPages > pages || asked->NumberOfPages > pages - asked->OffsetInPages)
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}

static paging_fn *const operations[] = {
    [WCTS_PAGING_TRANSFER] = transfer,
    [WCTS_PAGING_FILL] = fill,
    [WCTS_PAGING_MAP_APERTURE] = map_aperture,
    [WCTS_PAGING_UNMAP_APERTURE] = map_aperture,
};

wcts_status emu_driver_paging(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_driver *driver = instance;
    const struct wcts_driver_paging_request *asked = request;
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (asked->Operation >= sizeof(operations) / sizeof(operations[0]))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (asked->hAllocation != 0 &&
        !emu_handle_object(&driver->handles, asked->hAllocation, EMU_HANDLE_ALLOCATION))
        return WCTS_STATUS_INVALID_HANDLE;
    return operations[asked->Operation](driver, asked);
}
