/* SPDX-License-Identifier: MIT */
/* The scripted driver's work: it carries out paging operations, renders by copying, and
 * presents. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

#define CHUNK 4096u
#define PAGE UINT64_C(4096)
/* What it writes to a paging buffer, and how much private data a submission uses. */
#define PAGING_COMMAND 16u
#define PRIVATE_RANGE 16u
/* What it renders beyond the command. */
#define PADDING_PIECE 256u
#define PADDING 6144u
/* Behind a longer command it ends with a page. */
#define SHORT_COMMAND 0x80u

void wcts_machine_probe_reset(struct wcts_machine_probe *probe)
{
    probe->creations = 0;
    probe->answers = NULL;
    probe->answer_count = 0;
    probe->mapped_count = 0;
    probe->next_handle = 0;
    probe->patch_count = probe->pagings = probe->presents = 0;
}

void wcts_machine_probe_release(struct wcts_machine_probe *probe)
{
    free(probe->mapped);
    probe->mapped = NULL;
}

/* ---- Memory ---- */

static struct wcts_machine_aperture_page *find_mapped(const struct wcts_machine_probe *probe,
                                                      uint32_t space, uint64_t page)
{
    for (int i = 0; i < probe->mapped_count; i++)
        if (probe->mapped[i].space == space && probe->mapped[i].page == page)
            return &probe->mapped[i];
    return NULL;
}

/* Takes an address to where an aperture shows memory of the system. */
static void resolve_mapped(const struct wcts_machine_probe *probe, uint32_t *space,
                           uint64_t *address)
{
    const struct wcts_machine_aperture_page *mapped = find_mapped(probe, *space, *address / PAGE);
    if (!mapped)
        return;
    *space = 0;
    *address = mapped->system + *address % PAGE;
}

/* Bytes of one page. */
static bool read_piece(const struct wcts_machine_probe *probe, uint32_t space, uint64_t address,
                       uint8_t *bytes, uint32_t length)
{
    resolve_mapped(probe, &space, &address);
    return wcts_machine_read(probe->machine, space, address, bytes, length);
}

static bool write_piece(const struct wcts_machine_probe *probe, uint32_t space, uint64_t address,
                        const uint8_t *bytes, uint32_t length)
{
    resolve_mapped(probe, &space, &address);
    return wcts_machine_write(probe->machine, space, address, bytes, length);
}

/* The length up to the next page on both sides. */
static uint32_t piece_length(uint64_t from, uint64_t to, uint64_t left)
{
    uint64_t length = left < PAGE - from % PAGE ? left : PAGE - from % PAGE;
    return (uint32_t)(length < PAGE - to % PAGE ? length : PAGE - to % PAGE);
}

static wcts_status transfer(const struct wcts_machine_probe *probe,
                            const struct wcts_driver_paging_request *in)
{
    uint8_t bytes[CHUNK];
    for (uint64_t done = 0; done < in->TransferSize;) {
        uint64_t from = in->SourceAddress + done, to = in->DestinationAddress + done;
        uint32_t length = piece_length(from, to, in->TransferSize - done);
        if (!read_piece(probe, in->SourceSegmentId, from, bytes, length) ||
            !write_piece(probe, in->DestinationSegmentId, to, bytes, length))
            return WCTS_STATUS_INVALID_PARAMETER;
        done += length;
    }
    return WCTS_STATUS_SUCCESS;
}

/* Bytes of a pattern of four, over and over. */
static void repeat_pattern(uint8_t *bytes, uint32_t length, uint32_t pattern)
{
    const uint32_t little = htole32(pattern);
    uint32_t i = 0;
    for (; length - i >= sizeof little; i += sizeof little)
        memcpy(bytes + i, &little, sizeof little);
    memcpy(bytes + i, &little, length - i);
}

static wcts_status fill(const struct wcts_machine_probe *probe,
                        const struct wcts_driver_paging_request *in)
{
    const uint32_t period = sizeof in->FillPattern;
    uint8_t bytes[CHUNK + sizeof in->FillPattern];
    repeat_pattern(bytes, (in->TransferSize < CHUNK ? (uint32_t)in->TransferSize : CHUNK) + period,
                   in->FillPattern);
    for (uint64_t done = 0; done < in->TransferSize;) {
        uint64_t to = in->DestinationAddress + done;
        uint32_t length = piece_length(to, to, in->TransferSize - done);
        if (!write_piece(probe, in->DestinationSegmentId, to, bytes + done % period, length))
            return WCTS_STATUS_INVALID_PARAMETER;
        done += length;
    }
    return WCTS_STATUS_SUCCESS;
}

wcts_status wcts_machine_probe_memory(void *ctx, uint32_t operation, const void *request,
                                      uint32_t request_size, void *reply, uint32_t reply_room,
                                      uint32_t *reply_size)
{
    const struct wcts_machine_probe *probe = ctx;
    const struct wcts_machine_memory_request *in = request;
    struct wcts_machine_memory_reply *out = reply;
    bool write = operation == WCTS_MACHINE_WRITE;
    const uint8_t *data = wcts_message_at(request, request_size, in->pData, in->Length, 1);
    if (write ? !data : in->Length > reply_room - sizeof *out)
        return WCTS_STATUS_INVALID_PARAMETER;
    for (uint64_t done = 0; done < in->Length;) {
        uint64_t at = in->Address + done;
        uint32_t length = piece_length(at, at, in->Length - done);
        if (write
                ? !write_piece(probe, in->Space, at, data + done, length)
                : !read_piece(probe, in->Space, at, (uint8_t *)reply + sizeof *out + done, length))
            return WCTS_STATUS_INVALID_PARAMETER;
        done += length;
    }
    *reply_size = write ? sizeof(struct wcts_none) : (uint32_t)(sizeof *out + in->Length);
    memset(reply, 0, sizeof(struct wcts_none));
    *(uint32_t *)reply = write ? sizeof(struct wcts_none) : sizeof *out;
    if (!write) {
        out->Length = (uint32_t)in->Length;
        out->pData = sizeof *out;
    }
    return WCTS_STATUS_SUCCESS;
}

static wcts_status map_aperture(struct wcts_machine_probe *probe,
                                const struct wcts_driver_paging_request *in)
{
    if (in->NumberOfPages > 65536)
        return WCTS_STATUS_INVALID_PARAMETER;
    for (uint64_t i = 0; i < in->NumberOfPages; i++) {
        uint64_t page = in->OffsetInPages + i;
        struct wcts_machine_aperture_page *mapped = find_mapped(probe, in->SegmentId, page);
        if (!mapped && probe->mapped_count == probe->mapped_room) {
            int room = probe->mapped_room ? probe->mapped_room * 2 : 64;
            struct wcts_machine_aperture_page *more =
                realloc(probe->mapped, (size_t)room * sizeof *more);
            if (!more)
                return WCTS_STATUS_NO_MEMORY;
            probe->mapped = more;
            probe->mapped_room = room;
        }
        if (!mapped)
            mapped = &probe->mapped[probe->mapped_count++];
        *mapped =
            (struct wcts_machine_aperture_page){in->SegmentId, page, in->SystemAddress + i * PAGE};
    }
    return WCTS_STATUS_SUCCESS;
}

static wcts_status unmap_aperture(struct wcts_machine_probe *probe,
                                  const struct wcts_driver_paging_request *in)
{
    for (int i = 0; i < probe->mapped_count;) {
        struct wcts_machine_aperture_page *one = &probe->mapped[i];
        if (one->space == in->SegmentId && one->page >= in->OffsetInPages &&
            one->page - in->OffsetInPages < in->NumberOfPages)
            *one = probe->mapped[--probe->mapped_count];
        else
            i++;
    }
    return WCTS_STATUS_SUCCESS;
}

/* More than any scenario needs in a segment. */
#define TRANSFER_MAX (UINT64_C(64) << 20)

wcts_status wcts_machine_probe_paging(struct wcts_machine_probe *probe, const void *request,
                                      void *reply)
{
    const struct wcts_driver_paging_request *in = request;
    struct wcts_driver_paging_reply *out = reply;
    uint8_t command[PAGING_COMMAND];
    memset(command, 0xC0, sizeof command);
    /* Every other submission has a private range of its own, after the last one's. */
    out->pDmaBufferPrivateData = in->pDmaBufferPrivateData;
    if (probe->pagings++ % 2 == 0 && in->pDmaBufferPrivateData &&
        in->DmaBufferPrivateDataSize >= 2 * PRIVATE_RANGE)
        out->pDmaBufferPrivateData += PRIVATE_RANGE;
    if (in->pDmaBuffer && in->DmaSize >= sizeof command &&
        write_piece(probe, 0, in->pDmaBuffer, command, sizeof command))
        out->DmaLength = sizeof command;
    if (in->TransferSize > TRANSFER_MAX)
        return WCTS_STATUS_INVALID_PARAMETER;
    switch (in->Operation) {
    case WCTS_PAGING_TRANSFER:
        return transfer(probe, in);
    case WCTS_PAGING_FILL:
        return fill(probe, in);
    case WCTS_PAGING_MAP_APERTURE:
        return map_aperture(probe, in);
    case WCTS_PAGING_UNMAP_APERTURE:
        return unmap_aperture(probe, in);
    default:
        return WCTS_STATUS_INVALID_PARAMETER;
    }
}

/* ---- Rendering ---- */

/* Copies a list of the request to the end of the reply; returns its offset, 0 if there is none. */
static uint64_t give_back(const void *request, uint32_t request_size, uint64_t at, uint32_t count,
                          size_t each, uint8_t *reply, uint32_t room, uint32_t *end)
{
    const void *list = count ? wcts_message_at(request, request_size, at, count, each) : NULL;
    uint32_t place = *end;
    if (!list || (uint64_t)place + count * each > room)
        return 0;
    memcpy(reply + place, list, count * each);
    *end = place + (uint32_t)(count * each);
    return place;
}

/* A driver that patches renders more than a page, to expose a kernel that splits the buffer.
 * Returns how many bytes it adds. */
static uint32_t pad(const struct wcts_machine_probe *probe,
                    const struct wcts_driver_render_request *in)
{
    uint8_t bytes[CHUNK];
    uint32_t added = 0, wanted = PADDING, piece;
    if (wcts_machine_probe_patches(probe) == WCTS_PATCHES_NONE)
        return 0;
    if (in->CommandLength > SHORT_COMMAND)
        wanted += (uint32_t)(PAGE - (in->CommandLength + PADDING) % PAGE);
    for (; added < wanted; added += piece) {
        piece = wanted - added < PADDING_PIECE ? wanted - added : PADDING_PIECE;
        if (in->DmaSize - in->CommandLength - added < piece)
            break;
        for (uint32_t i = 0; i < piece; i++)
            bytes[i] = (uint8_t)(1 + (added / PADDING_PIECE * 31 + i) % 255);
        if (!write_piece(probe, 0, in->pDmaBuffer + in->CommandLength + added, bytes, piece))
            break;
    }
    return added;
}

/* A driver that patches writes to every second allocation, and to a single one. */
static void mark_written(const struct wcts_machine_probe *probe, uint8_t *reply, uint64_t at,
                         uint32_t count)
{
    if (wcts_machine_probe_patches(probe) == WCTS_PATCHES_NONE)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct wcts_DXGK_ALLOCATIONLIST one;
        memcpy(&one, reply + at + i * sizeof one, sizeof one);
        one.Bits = (one.Bits & ~1u) | (i & 1) | (count == 1);
        memcpy(reply + at + i * sizeof one, &one, sizeof one);
    }
}

/* The same of the locations, which it numbers. */
static void mark_located(const struct wcts_machine_probe *probe, uint8_t *reply, uint64_t at,
                         uint32_t count)
{
    if (wcts_machine_probe_patches(probe) == WCTS_PATCHES_NONE)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct wcts_D3DDDI_PATCHLOCATIONLIST one;
        memcpy(&one, reply + at + i * sizeof one, sizeof one);
        one.DriverId = i + 1;
        memcpy(reply + at + i * sizeof one, &one, sizeof one);
    }
}

wcts_status wcts_machine_probe_render(struct wcts_machine_probe *probe, const void *request,
                                      uint32_t request_size, void *reply, uint32_t room,
                                      uint32_t *reply_size)
{
    const struct wcts_driver_render_request *in = request;
    struct wcts_driver_render_reply *out = reply;
    const uint8_t *command =
        wcts_message_at(request, request_size, in->pCommand, in->CommandLength, 1);
    uint32_t end = sizeof *out;
    if (in->CommandLength > CHUNK || in->CommandLength > in->DmaSize ||
        (in->CommandLength && !command))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (in->CommandLength && !write_piece(probe, 0, in->pDmaBuffer, command, in->CommandLength))
        return WCTS_STATUS_INVALID_PARAMETER;
    out->DmaLength = in->CommandLength + pad(probe, in);
    out->PrivateDataLength =
        in->DmaBufferPrivateDataSize < PRIVATE_RANGE ? in->DmaBufferPrivateDataSize : PRIVATE_RANGE;
    out->pAllocationList =
        give_back(request, request_size, in->pAllocationList, in->AllocationListSize,
                  sizeof(struct wcts_DXGK_ALLOCATIONLIST), reply, room, &end);
    out->AllocationListSize = out->pAllocationList ? in->AllocationListSize : 0;
    mark_written(probe, reply, out->pAllocationList, out->AllocationListSize);
    out->pPatchLocationList =
        give_back(request, request_size, in->pPatchLocationList, in->PatchLocationListSize,
                  sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST), reply, room, &end);
    out->PatchLocationListSize = out->pPatchLocationList ? in->PatchLocationListSize : 0;
    mark_located(probe, reply, out->pPatchLocationList, out->PatchLocationListSize);
    *reply_size = end;
    return WCTS_STATUS_SUCCESS;
}

/* ---- Presenting ---- */

/* The places of the elements in the request's list, in the order of the reply's: of every other
 * present the empty one is the last. */
#define PRESENTED 3u
static const uint32_t presented_lists[][PRESENTED] = {{2, 0, 1}, {2, 1, 0}};
#define PRESENT_LENGTH 0x100u
/* Where the address of the n-th allocation goes. */
#define PRESENT_PLACE(n) (0x20u + 0x40u * (uint32_t)(n))

/* Writes the commands of a present; false if there is no room for them. */
static bool write_present(const struct wcts_machine_probe *probe,
                          const struct wcts_driver_render_request *in)
{
    uint8_t bytes[PRESENT_LENGTH];
    for (uint32_t i = 0; i < PRESENT_LENGTH; i++)
        bytes[i] = (uint8_t)(0x11 + i * 7);
    return in->DmaSize >= PRESENT_LENGTH &&
           write_piece(probe, 0, in->pDmaBuffer, bytes, PRESENT_LENGTH);
}

/* Unlike the request's list the reply's begins with the destination, which is written to, and has
 * its empty element behind that, or at the end: a kernel that passes on its own list does not look
 * like one that passes on this. A list that is too short is the judge's to name: what it lacks is
 * taken for empty. */
wcts_status wcts_machine_probe_present(struct wcts_machine_probe *probe, const void *request,
                                       uint32_t request_size, void *reply, uint32_t room,
                                       uint32_t *reply_size)
{
    const struct wcts_driver_render_request *in = request;
    struct wcts_driver_render_reply *out = reply;
    const struct wcts_DXGK_ALLOCATIONLIST *list = wcts_message_at(
        request, request_size, in->pAllocationList, in->AllocationListSize, sizeof *list);
    const uint32_t *presented = presented_lists[probe->presents++ % 2];
    struct wcts_DXGK_ALLOCATIONLIST allocations[PRESENTED];
    struct wcts_D3DDDI_PATCHLOCATIONLIST locations[PRESENTED - 1] = {{0}};
    uint32_t count = 0;
    if ((!list && in->AllocationListSize != 0) ||
        room < sizeof *out + sizeof allocations + sizeof locations || !write_present(probe, in))
        return WCTS_STATUS_INVALID_PARAMETER;
    memset(allocations, 0, sizeof allocations);
    for (uint32_t i = 0; i < PRESENTED; i++) {
        if (presented[i] >= in->AllocationListSize)
            continue;
        memcpy(&allocations[i], &list[presented[i]], sizeof *allocations);
        if (presented[i] == 0)
            continue;
        allocations[i].Bits = (allocations[i].Bits & ~1u) | (i == 0);
        locations[count].AllocationIndex = i;
        locations[count].AllocationOffset = count * 0x10;
        locations[count].PatchOffset = PRESENT_PLACE(count);
        count++;
    }
    out->DmaLength = PRESENT_LENGTH;
    out->PrivateDataLength =
        in->DmaBufferPrivateDataSize < PRIVATE_RANGE ? in->DmaBufferPrivateDataSize : PRIVATE_RANGE;
    out->AllocationListSize = PRESENTED;
    out->pAllocationList = sizeof *out;
    memcpy((uint8_t *)reply + sizeof *out, allocations, sizeof allocations);
    out->PatchLocationListSize = count;
    out->pPatchLocationList = sizeof *out + sizeof allocations;
    memcpy((uint8_t *)reply + out->pPatchLocationList, locations, sizeof locations);
    *reply_size = (uint32_t)(out->pPatchLocationList + sizeof locations);
    return WCTS_STATUS_SUCCESS;
}
