/* SPDX-License-Identifier: MIT */
/* What the driver tracks of an allocation: document 001, hAllocation, "a value that the driver can
 * use to refer to its private tracking structure for the allocation". A request names every address
 * itself, so only faults look at where an allocation is. */
#include "emu_driver.h"
#include "emu_flags.h"

/* True for a segment that has memory of its own. */
static int is_memory(uint32_t space)
{
    const struct emu_driver_segment *segment = emu_segment_of(space);
    return segment != NULL && !(segment->flags & (EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP));
}

/* True when the range goes on where what is known of the allocation's place ends. */
static int goes_on(const struct emu_location *location, uint32_t space, uint64_t address)
{
    return location->length != 0 && location->space == space &&
           location->address + location->length == address;
}

void emu_track(struct emu_driver *driver, const struct wcts_driver_paging_request *asked,
               struct emu_record *record)
{
    const struct emu_location source = {asked->SourceSegmentId, asked->SourceAddress,
                                        asked->TransferSize};
    struct emu_location *location = &record->location;
    if (asked->Operation > WCTS_PAGING_FILL || asked->TransferSize == 0)
        return;
    if (is_memory(asked->DestinationSegmentId)) {
        if (!goes_on(location, asked->DestinationSegmentId, asked->DestinationAddress))
            *location = (struct emu_location){.space = asked->DestinationSegmentId,
                                              .address = asked->DestinationAddress};
        location->length += asked->TransferSize;
    } else if (location->space == source.space &&
               source.address + source.length >= location->address + location->length)
        location->length = 0;
    if (asked->Operation != WCTS_PAGING_TRANSFER || source.space != 0)
        return;
    if (driver->fetched_for != asked->hAllocation)
        driver->fetched_before = driver->fetched;
    driver->fetched_for = asked->hAllocation;
    driver->fetched = source;
}

/* Another allocation in the same segment, or this one when there is none. */
static const struct emu_record *find_neighbour(const struct emu_driver *driver,
                                               const struct emu_record *record)
{
    uint32_t i;
    for (i = 0; i < driver->handles.count; i++) {
        const struct emu_record *other = driver->handles.entries[i].object;
        if (driver->handles.entries[i].kind == EMU_HANDLE_ALLOCATION && other != record &&
            other->location.length != 0 && other->location.space == record->location.space)
            return other;
    }
    return record;
}

/* The first allocation of the creation call, or this one when the first is not in the segment. */
static const struct emu_record *find_first(const struct emu_driver *driver,
                                           const struct emu_record *record)
{
    uint32_t i;
    for (i = 0; i < driver->handles.count; i++) {
        const struct emu_record *other = driver->handles.entries[i].object;
        if (driver->handles.entries[i].kind == EMU_HANDLE_ALLOCATION && other->call == record->call)
            return other->location.length != 0 && other->location.space == record->location.space
                       ? other
                       : record;
    }
    return record;
}

/* The record that the driver finds by the handle of this one, when the content leaves a segment. */
static const struct emu_record *found(const struct emu_driver *driver,
                                      const struct emu_record *record)
{
    const struct emu_record *is = EMU_FAULT("AIN-015", record, find_neighbour(driver, record));
    is = EMU_FAULT("AIN-015+third", is,
                   record->number >= 2 ? find_neighbour(driver, record) : record);
    return EMU_FAULT("AIN-015+call", is, find_first(driver, record));
}

/* The address in the place of another allocation that is as far behind its start. */
static uint64_t moved_to(const struct emu_driver *driver,
                         const struct wcts_driver_paging_request *asked,
                         const struct emu_record *from, const struct emu_record *to)
{
    const uint64_t address =
        asked->SourceAddress - from->location.address + to->location.address; /* modulo 2^64 */
    return emu_memory_reachable(driver, asked->SourceSegmentId, address, asked->TransferSize)
               ? address
               : asked->SourceAddress;
}

/* What was fetched last of another allocation, if it is as long as what is asked for. */
static uint64_t fetched_of_other(const struct emu_driver *driver,
                                 const struct wcts_driver_paging_request *asked)
{
    const struct emu_location *other =
        driver->fetched_for == asked->hAllocation ? &driver->fetched_before : &driver->fetched;
    return other->length >= asked->TransferSize ? other->address : asked->SourceAddress;
}

struct wcts_driver_paging_request emu_transfer_of(const struct emu_driver *driver,
                                                  const struct wcts_driver_paging_request *asked,
                                                  const struct emu_record *record)
{
    struct wcts_driver_paging_request request = *asked;
    const struct emu_location *location = &record->location;
    if (location->length != 0 && location->space == asked->SourceSegmentId) {
        request.SourceAddress = moved_to(driver, asked, record, found(driver, record));
        request.SourceAddress =
            EMU_FAULT("HDR-030+start-out", request.SourceAddress, location->address);
    }
    if (goes_on(location, asked->DestinationSegmentId, asked->DestinationAddress))
        request.DestinationAddress =
            EMU_FAULT("HDR-030+start", request.DestinationAddress, location->address);
    if (asked->SourceSegmentId == 0)
        request.SourceAddress =
            EMU_FAULT("AIN-015+fetched", request.SourceAddress, fetched_of_other(driver, asked));
    return request;
}

/* The pitch of an allocation in a pitch-aligned segment; 0: it has none. */
static uint64_t pitch_of(const struct emu_record *record)
{
    return record->layout.rows != 0 ? record->layout.pitch_aligned_size / record->layout.rows : 0;
}

/* The size in a pitch-aligned segment with the pitch of another allocation there, if the rows fit
 * into that. */
static uint64_t size_with_other(const struct emu_driver *driver, const struct emu_record *record)
{
    const struct emu_layout *own = &record->layout;
    const uint64_t pitch = pitch_of(find_neighbour(driver, record));
    return record->location.length != 0 && own->rows != 0 && pitch <= EMU_CHUNK &&
                   pitch >= own->size / own->rows
               ? own->rows * pitch
               : own->pitch_aligned_size;
}

struct emu_layout emu_layout_of(const struct emu_driver *driver, const struct emu_record *record)
{
    struct emu_layout layout = record->layout;
    layout.pitch_aligned_size =
        EMU_FAULT("AIN-015+pitch", layout.pitch_aligned_size, size_with_other(driver, record));
    return layout;
}

int emu_transfer_lost(const struct wcts_driver_paging_request *asked)
{
    const int from = is_memory(asked->SourceSegmentId), to = is_memory(asked->DestinationSegmentId);
    return EMU_FAULT("HDR-030+none", 0, 1) ||
           EMU_FAULT("HDR-030+in", 0, to && asked->SourceSegmentId == 0) ||
           EMU_FAULT("HDR-030+out", 0, from && asked->DestinationSegmentId == 0) ||
           EMU_FAULT("HDR-030+through", 0, from && !to && asked->DestinationSegmentId != 0);
}
