/* SPDX-License-Identifier: MIT */
/* TRANSFER of DRIVER_PAGING. Document 003, PitchAlignment: "when the size of the backing store does
 * not match the size in the segment, the driver must determine how to move the data correctly". */
#include "emu_driver.h"
#include "emu_flags.h"

#include <string.h>

/* What the bytes between two rows become. */
#define PADDING 0xEE

/* A transfer on its way. */
struct transfer {
    struct emu_driver *driver;
    const struct wcts_driver_paging_request *asked;
};

static int is_pitch_aligned(uint32_t space)
{
    const struct emu_driver_segment *segment = emu_segment_of(space);
    return segment != NULL && (segment->flags & EMU_SEGMENT_PITCH_ALIGNMENT);
}

static int reachable(const struct transfer *transfer, uint64_t source_size,
                     uint64_t destination_size)
{
    const struct wcts_driver_paging_request *asked = transfer->asked;
    return emu_memory_reachable(transfer->driver, asked->SourceSegmentId, asked->SourceAddress,
                                source_size) &&
           emu_memory_reachable(transfer->driver, asked->DestinationSegmentId,
                                asked->DestinationAddress, destination_size);
}

static wcts_status read_source(const struct transfer *transfer, uint64_t offset, void *data,
                               uint32_t length)
{
    return emu_memory_read(transfer->driver, transfer->asked->SourceSegmentId,
                           transfer->asked->SourceAddress + offset, data, length);
}

static wcts_status write_destination(const struct transfer *transfer, uint64_t offset,
                                     const void *data, uint32_t length)
{
    return emu_memory_write(transfer->driver, transfer->asked->DestinationSegmentId,
                            transfer->asked->DestinationAddress + offset, data, length);
}

/* Moves bytes that lie in the same way at both ends. Within one space the ends may overlap. */
static wcts_status move_bytes(const struct transfer *transfer, uint64_t size)
{
    const struct wcts_driver_paging_request *asked = transfer->asked;
    const int backwards = asked->SourceSegmentId == asked->DestinationSegmentId &&
                          asked->SourceAddress < asked->DestinationAddress;
    unsigned char bytes[EMU_CHUNK];
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint64_t left = size;
    if (!reachable(transfer, size, size))
        return WCTS_STATUS_INVALID_PARAMETER;
    left = EMU_FAULT("HDR-030+large", left, left < EMU_64KB ? left : EMU_64KB);
    left = EMU_FAULT("HDR-030+last-page", left, left > EMU_GPU_PAGE ? left - EMU_GPU_PAGE : left);
    while (left > 0 && wcts_succeeded(status)) {
        const uint32_t length = left < EMU_CHUNK ? (uint32_t)left : EMU_CHUNK;
        const uint64_t offset = backwards ? left - length : size - left;
        status = read_source(transfer, offset, bytes, length);
        if (wcts_succeeded(status))
            status = write_destination(transfer, offset, bytes, length);
        left -= length;
    }
    return status;
}

/* Moves an allocation whose rows lie source_pitch bytes apart to where they lie destination_pitch
 * bytes apart. Both are at most EMU_CHUNK. */
static wcts_status move_rows(const struct transfer *transfer, uint32_t rows, uint32_t source_pitch,
                             uint32_t destination_pitch)
{
    const uint32_t wider = source_pitch > destination_pitch ? source_pitch : destination_pitch;
    const uint32_t row = source_pitch < destination_pitch ? source_pitch : destination_pitch;
    unsigned char from[EMU_CHUNK], to[EMU_CHUNK];
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t first, count, i;
    if (!reachable(transfer, (uint64_t)rows * source_pitch, (uint64_t)rows * destination_pitch))
        return WCTS_STATUS_INVALID_PARAMETER;
    memset(to, PADDING, sizeof(to));
    for (first = 0; first < rows && wcts_succeeded(status); first += count) {
        count = EMU_CHUNK / wider;
        if (count > rows - first)
            count = rows - first;
        status = read_source(transfer, (uint64_t)first * source_pitch, from, count * source_pitch);
        if (!wcts_succeeded(status))
            break;
        for (i = 0; i < EMU_FAULT("SEG-045+last", count, count - (first + count == rows)); i++)
            memcpy(to + i * destination_pitch, from + i * source_pitch,
                   EMU_FAULT("SEG-045+byte", row, row - 1));
        status = write_destination(transfer, (uint64_t)first * destination_pitch, to,
                                   count * destination_pitch);
    }
    return status;
}

/* True when the size is that of the whole allocation, at either end, perhaps with the rest of its
 * last page: the request does not say which part of an allocation a smaller size would be. */
static int is_whole(const struct emu_layout *layout, uint64_t size)
{
    return size >= layout->size && size < layout->pitch_aligned_size + EMU_64KB;
}

/* As much of what is asked for as the record says of pitch-aligned segments. */
static uint64_t pitched_part(const struct wcts_driver_paging_request *asked,
                             const struct emu_layout *layout)
{
    return layout == NULL || asked->TransferSize < layout->pitch_aligned_size
               ? asked->TransferSize
               : layout->pitch_aligned_size;
}

static int is_aperture(uint32_t space)
{
    const struct emu_driver_segment *segment = emu_segment_of(space);
    return segment != NULL && (segment->flags & (EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP));
}

#define WINDOW UINT64_C(0x1000000)

/* For a fault: how much of a range in a segment lies before the next multiple of 16 MiB. */
static uint64_t before_window(uint32_t space, uint64_t address, uint64_t size)
{
    const uint64_t left = WINDOW - address % WINDOW;
    return space != 0 && left < size ? left : size;
}

/* How many bytes of a range that lies in the same way at both ends are moved: all of them, but for
 * faults. */
static uint64_t moved_size(const struct wcts_driver_paging_request *asked, uint64_t size)
{
    const uint32_t from = asked->SourceSegmentId, to = asked->DestinationSegmentId;
    const int between = from != 0 && to != 0 && !is_aperture(from) && !is_aperture(to);
    const uint64_t placed = before_window(to, asked->DestinationAddress,
                                          before_window(from, asked->SourceAddress, size));
    size = EMU_FAULT("HDR-057.placed", size, placed);
    return EMU_FAULT("HDR-057.between", size, between && size != 0 ? size - 1 : size);
}

/* Where the bytes go: where they are asked for, but for faults. */
static uint64_t destination_of(const struct emu_driver *driver,
                               const struct wcts_driver_paging_request *asked, uint64_t address)
{
    const uint64_t size = asked->TransferSize;
    const uint32_t space = asked->DestinationSegmentId;
    const int before =
        space != 0 && address >= size && emu_memory_reachable(driver, space, address - size, size);
    const int out = space == 0 && is_aperture(asked->SourceSegmentId);
    address = EMU_FAULT("HDR-057.out", address, out ? address + EMU_GPU_PAGE : address);
    return EMU_FAULT("HDR-030+before", address, before ? address - size : address);
}

wcts_status emu_transfer(struct emu_driver *driver, const struct wcts_driver_paging_request *asked,
                         const struct emu_record *record)
{
    struct wcts_driver_paging_request request =
        record != NULL ? emu_transfer_of(driver, asked, record) : *asked;
    const struct transfer transfer = {driver, &request};
    const int from_pitch = is_pitch_aligned(asked->SourceSegmentId);
    const int to_pitch = is_pitch_aligned(asked->DestinationSegmentId);
    const struct emu_layout known =
        record != NULL ? emu_layout_of(driver, record) : (struct emu_layout){0};
    const struct emu_layout *layout = record != NULL ? &known : NULL;
    uint32_t row, pitch;
    request.DestinationAddress = destination_of(driver, asked, request.DestinationAddress);
    if (emu_transfer_lost(asked))
        return WCTS_STATUS_SUCCESS;
    if (layout == NULL || (!from_pitch && !to_pitch)) {
        const uint64_t size =
            EMU_FAULT("HDR-030", asked->TransferSize, pitched_part(asked, layout));
        return move_bytes(
            &transfer,
            EMU_FAULT("HDR-030+second-adapter", moved_size(asked, size),
                      (asked->SourceSegmentId | asked->DestinationSegmentId) >> 16 ? 0 : size));
    }
    /* Document 001, PitchAlignedSize: 0 for an allocation that such a segment does not take. */
    if (layout->pitch_aligned_size == 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (layout->rows == 0)
        return move_bytes(&transfer, moved_size(asked, asked->TransferSize));
    if (!is_whole(layout, asked->TransferSize))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (from_pitch && to_pitch)
        return move_bytes(&transfer, moved_size(asked, layout->pitch_aligned_size));
    row = (uint32_t)(layout->size / layout->rows);
    pitch = (uint32_t)(layout->pitch_aligned_size / layout->rows);
    return move_rows(&transfer, layout->rows, from_pitch ? pitch : row,
                     EMU_FAULT("SEG-045", to_pitch, 0) ? pitch : row);
}
