/* SPDX-License-Identifier: MIT */
/* Patching. For a driver under test: where the allocations of a request are. The scripted driver
 * patches if its adapter states so; when the buffer is submitted it reads both the patched buffer
 * and the place where the request says that it is. */
#include <string.h>

#include "../exchange/trace.h"
#include "probe.h"
#include "session.h"

/* The most bytes of a buffer that are read. */
#define LOOKED_AT 8192u
#define PAGE UINT64_C(4096)
/* The room for the commands of a paging operation, and for its private data. */
#define COMMANDS UINT64_C(0x10000)
#define PRIVATE_DATA PAGE

/* ---- Where the allocations are ---- */

/* An element's SegmentId, and what it says of its use. */
#define BITS_WRITE 1u
#define BITS_SEGMENT(bits) ((bits) >> 1 & 31u)
#define BITS_OF_SEGMENT(id) ((uint32_t)(id) << 1)
#define SEGMENTS 32u

/*
 * The list of allocations of a request to a driver under test, while they are placed. Example: the
 * scenario has three of them at 0x10000, 0x54000 and 0x98000 of segment 1; those that the driver
 * wants in the aperture segment 3 are mapped there, the next ones go behind them.
 */
struct machine_placement {
    struct wcts_machine_session *session;
    struct wcts_exchange_view trace;
    struct wcts_DXGK_ALLOCATIONLIST *list;
    uint32_t count;
};

/* The last description that the driver gave of an allocation; false if it gave none. */
static bool find_info(const struct machine_placement *placement, uint64_t handle,
                      struct wcts_DXGK_ALLOCATIONINFO *info)
{
    const struct wcts_exchange *exchange = placement->trace.exchange;
    for (int i = exchange->count - 1; i >= 0; i--) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_allocation_create_reply *reply = (const void *)record->reply;
        if (record->operation != WCTS_DRIVER_ALLOCATION_CREATE || !wcts_succeeded(record->status) ||
            record->reply_size < sizeof *reply ||
            !wcts_message_at(reply, record->reply_size, reply->pAllocationInfo,
                             reply->NumAllocations, sizeof *info))
            continue;
        for (uint32_t n = 0; n < reply->NumAllocations; n++) {
            memcpy(info, record->reply + reply->pAllocationInfo + n * sizeof *info, sizeof *info);
            if (info->hAllocation == handle)
                return true;
        }
    }
    return false;
}

static bool find_segment(const struct machine_placement *placement, uint32_t id,
                         struct wcts_DXGK_SEGMENTDESCRIPTOR *segment)
{
    const uint8_t *at =
        wcts_exchange_segment(&placement->trace, placement->trace.exchange->count, id);
    if (at)
        memcpy(segment, at, sizeof *segment);
    return at != NULL;
}

/* True if what is in the segment has to be mapped there. */
static bool is_mapped(const struct wcts_spec *spec,
                      const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment)
{
    int structure = wcts_model_shown_structure(spec, WCTS_SHOWS_SEGMENTS);
    int member = wcts_model_spec_member(spec, structure, "Flags");
    const struct wcts_word *word = &spec->words[spec->structures[structure].members[member].word];
    for (int i = 0; i < word->flag_count; i++)
        if (word->flags[i].mapped && segment->Flags >> word->flags[i].bit & 1)
            return true;
    return false;
}

static uint64_t page_aligned_size(const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    uint64_t size = info->Size > info->PitchAlignedSize ? info->Size : info->PitchAlignedSize;
    return size == 0 ? PAGE : (size + PAGE - 1) / PAGE * PAGE;
}

/* The segments that an allocation may be in, as its elements use it. If that is none, they all use
 * it in the same way. */
static uint32_t usable_set(const struct machine_placement *placement, uint32_t index,
                           const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    const uint64_t handle = placement->list[index].hDeviceSpecificAllocation;
    uint32_t both = info->SupportedReadSegmentSet & info->SupportedWriteSegmentSet;
    bool reads = false, writes = false;
    for (uint32_t i = 0; i < placement->count; i++)
        if (placement->list[i].hDeviceSpecificAllocation == handle) {
            writes = writes || placement->list[i].Bits & BITS_WRITE;
            reads = reads || !(placement->list[i].Bits & BITS_WRITE);
        }
    if (reads && writes && both)
        return both;
    writes = writes && (!reads || info->SupportedReadSegmentSet == 0);
    writes = writes || info->SupportedReadSegmentSet == 0;
    for (uint32_t i = 0; i < placement->count; i++)
        if (placement->list[i].hDeviceSpecificAllocation == handle)
            placement->list[i].Bits =
                (placement->list[i].Bits & ~BITS_WRITE) | (writes ? BITS_WRITE : 0);
    return writes ? info->SupportedWriteSegmentSet : info->SupportedReadSegmentSet;
}

/* The end of what is placed before the element and shares bytes with it, from the start of the
 * segment on; 0: nothing does. */
static uint64_t end_of_overlap(const struct machine_placement *placement, uint32_t index,
                               uint32_t id, uint64_t base, uint64_t offset, uint64_t size)
{
    for (uint32_t i = 0; i < index; i++) {
        const struct wcts_DXGK_ALLOCATIONLIST *other = &placement->list[i];
        const uint64_t at = other->PhysicalAddress - base;
        struct wcts_DXGK_ALLOCATIONINFO info;
        if (BITS_SEGMENT(other->Bits) == id &&
            find_info(placement, other->hDeviceSpecificAllocation, &info) && at < offset + size &&
            offset < at + page_aligned_size(&info))
            return at + page_aligned_size(&info);
    }
    return 0;
}

/* Where the element fits in a segment, from *offset on or, without room there, from its start. */
static bool find_room(const struct machine_placement *placement, uint32_t index, uint32_t id,
                      const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment,
                      const struct wcts_DXGK_ALLOCATIONINFO *info, uint64_t *offset)
{
    const uint64_t size = page_aligned_size(info);
    const uint64_t step = info->Alignment > PAGE && (info->Alignment & (info->Alignment - 1)) == 0
                              ? info->Alignment
                              : PAGE;
    uint64_t at = *offset, end;
    for (int tries = 0; tries < 2; tries++, at = 0)
        for (;; at = end) {
            at = (at + step - 1) / step * step;
            if (size > segment->Size || at > segment->Size - size)
                break;
            end = end_of_overlap(placement, index, id, segment->BaseAddress, at, size);
            *offset = at;
            if (end == 0)
                return true;
        }
    return false;
}

/* The last operation by which an allocation was mapped or unmapped for a request like this one. */
static const struct wcts_driver_paging_request *
last_mapping(const struct machine_placement *placement, uint64_t handle)
{
    const struct wcts_exchange *exchange = placement->trace.exchange;
    for (int i = exchange->count - 1; i >= 0; i--) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_paging_request *in = (const void *)record->request;
        if (record->depth == 0 && record->operation == WCTS_DRIVER_PAGING &&
            wcts_succeeded(record->status) && in->hAllocation == handle)
            return in->Operation == WCTS_PAGING_MAP_APERTURE ? in : NULL;
    }
    return NULL;
}

static bool send_mapping(const struct machine_placement *placement,
                         const struct wcts_driver_paging_request *request)
{
    struct wcts_machine_session *session = placement->session;
    const struct wcts_host *host = &session->hosts[0];
    uint32_t reply_size = 0;
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    return wcts_succeeded(host->call(host->ctx, WCTS_DRIVER_PAGING, request, sizeof *request,
                                     session->reply, WCTS_REPLY_ROOM, &reply_size));
}

/* Maps an allocation where it is now, and unmaps it where it was. id 0: it is not to be mapped. */
static bool map(const struct machine_placement *placement, uint64_t handle, uint32_t id,
                uint64_t offset, uint64_t size)
{
    const struct wcts_driver_paging_request *last = last_mapping(placement, handle);
    const struct wcts_symbol region = {.size = COMMANDS + PRIVATE_DATA + size};
    struct wcts_driver_paging_request request;
    if (last && last->SegmentId == id && last->OffsetInPages == offset / PAGE)
        return true;
    if (last) {
        request = *last;
        request.Operation = WCTS_PAGING_UNMAP_APERTURE;
        if (!send_mapping(placement, &request))
            return false;
    }
    if (id == 0)
        return true;
    request = (struct wcts_driver_paging_request){
        .size = sizeof request,
        .Operation = WCTS_PAGING_MAP_APERTURE,
        .hAllocation = handle,
        .SegmentId = id,
        .OffsetInPages = offset / PAGE,
        .NumberOfPages = size / PAGE,
        .pDmaBuffer = wcts_machine_session_region(placement->session, &region, 0),
        .DmaSize = COMMANDS,
        .DmaBufferPrivateDataSize = PRIVATE_DATA};
    request.pDmaBufferPrivateData = request.pDmaBuffer + COMMANDS;
    request.SystemAddress = request.pDmaBufferPrivateData + PRIVATE_DATA;
    return request.pDmaBuffer != 0 && send_mapping(placement, &request);
}

/* Where the scenario has the element, from the start of its segment. Every other one is taken as
 * the distance to the end of the segment that it goes to: addresses with more bits. */
static uint64_t wanted_offset(const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment, uint64_t size,
                              uint64_t offset, bool from_end)
{
    uint64_t room = segment->Size > size ? segment->Size - size : 0;
    offset = offset < room ? offset : 0;
    return from_end ? room - offset : offset;
}

/* Puts an element into one of the segments of its set. Which one depends on where the scenario has
 * it, so that what moves there moves here. Without one, as of a kind that stays in system memory,
 * in the segment that is the kernel's own, it is in no segment. */
static void place(const struct machine_placement *placement, uint32_t index)
{
    struct wcts_DXGK_ALLOCATIONLIST *one = &placement->list[index];
    struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
    struct wcts_DXGK_ALLOCATIONINFO info;
    uint32_t ids[SEGMENTS], count = 0, set;
    uint64_t distance;
    if (!find_segment(placement, BITS_SEGMENT(one->Bits), &segment) ||
        !find_info(placement, one->hDeviceSpecificAllocation, &info))
        return;
    distance = one->PhysicalAddress - segment.BaseAddress;
    set = usable_set(placement, index, &info);
    for (uint32_t id = 1; id < SEGMENTS; id++)
        if (set >> (id - 1) & 1 && find_segment(placement, id, &segment))
            ids[count++] = id;
    if (count == 0) {
        one->Bits &= ~BITS_OF_SEGMENT(31);
        one->PhysicalAddress = 0;
        placement->session->unplaced++;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t turn = distance >> 16;
        const uint32_t id = ids[(turn + i) % count];
        uint64_t offset;
        bool mapped;
        find_segment(placement, id, &segment);
        mapped = is_mapped(placement->trace.spec, &segment);
        offset = wanted_offset(&segment, page_aligned_size(&info), distance, turn / count & 1);
        if (!find_room(placement, index, id, &segment, &info, &offset) ||
            !map(placement, info.hAllocation, mapped ? id : 0, offset, page_aligned_size(&info)))
            continue;
        one->Bits = (one->Bits & ~BITS_OF_SEGMENT(31)) | BITS_OF_SEGMENT(id);
        one->PhysicalAddress = segment.BaseAddress + offset;
        break;
    }
}

void wcts_machine_session_place(struct wcts_machine_session *session)
{
    const struct wcts_driver_patch_request *request = (const void *)session->request.bytes;
    struct machine_placement placement = {
        .session = session,
        .trace = {session->spec, &session->exchange, 0},
        .count = request->Patch.AllocationListSize,
    };
    placement.list = (void *)wcts_message_at(request, (uint32_t)session->request.size,
                                             request->Patch.pAllocationList, placement.count,
                                             sizeof *placement.list);
    for (uint32_t i = 0; placement.list && i < placement.count; i++) {
        uint32_t first = 0;
        while (placement.list[first].hDeviceSpecificAllocation !=
               placement.list[i].hDeviceSpecificAllocation)
            first++;
        if (BITS_SEGMENT(placement.list[i].Bits) == 0)
            continue;
        if (first == i)
            place(&placement, i);
        placement.list[i].PhysicalAddress = placement.list[first].PhysicalAddress;
        placement.list[i].Bits = (placement.list[i].Bits & ~BITS_OF_SEGMENT(31)) |
                                 (placement.list[first].Bits & BITS_OF_SEGMENT(31));
    }
}

/* ---- Places that the suite itself names ---- */

/* True if all calls were accepted that should have returned one of a step's values. */
static bool has_values(const struct wcts_machine_session *session, const struct wcts_step *step)
{
    for (int i = 0; i < step->instance_count; i++)
        for (int n = 0; n < step->instances[i].set_count; n++) {
            const int index = step->instances[i].sets[n].value.symbol;
            const struct wcts_symbol *symbol =
                index >= 0 ? &session->spec->cases->symbols[index] : NULL;
            if (symbol && symbol->scenario >= 0 && symbol->kind == WCTS_SYMBOL_HANDLE &&
                !session->steps_done[symbol->step])
                return false;
        }
    return true;
}

/* True if an allocation was moved to the place before. */
static bool was_there(const struct machine_placement *placement, uint64_t handle, uint32_t id,
                      uint64_t address)
{
    const struct wcts_exchange *exchange = placement->trace.exchange;
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_paging_request *in = (const void *)record->request;
        if (record->operation == WCTS_DRIVER_PAGING && record->request_size >= sizeof *in &&
            wcts_succeeded(record->status) && in->Operation == WCTS_PAGING_TRANSFER &&
            in->hAllocation == handle && in->DestinationSegmentId == id &&
            in->DestinationAddress == address)
            return true;
    }
    return false;
}

/* True if an allocation may be there: in system memory, or, aligned as the driver wants it, in a
 * segment of its set that is memory and does not end before it. */
static bool is_place(const struct machine_placement *placement,
                     const struct wcts_DXGK_ALLOCATIONINFO *info, uint32_t id, uint64_t address)
{
    struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
    const uint64_t size = page_aligned_size(info);
    if (id == 0)
        return true;
    if (id >= SEGMENTS || !(info->SupportedWriteSegmentSet >> (id - 1) & 1) ||
        !find_segment(placement, id, &segment) || is_mapped(placement->trace.spec, &segment))
        return false;
    return was_there(placement, info->hAllocation, id, address) ||
           ((info->Alignment == 0 || address % info->Alignment == 0) && size <= segment.Size &&
            address <= segment.Size - size);
}

bool wcts_machine_session_placed(struct wcts_machine_session *session, const struct wcts_step *step)
{
    const struct machine_placement placement = {
        .session = session,
        .trace = {session->spec, &session->exchange, 0},
    };
    const struct wcts_driver_paging_request *in;
    struct wcts_DXGK_ALLOCATIONINFO info;
    struct wcts_world world;
    bool placed;
    if (!has_values(session, step))
        return false;
    wcts_world_init(&world, &session->eval, 0, 4096);
    placed = wcts_world_add_step(&world, step) &&
             wcts_machine_message_build(&session->request, session->spec,
                                        &session->spec->messages[step->message], &world, 0,
                                        &session->symbols) &&
             session->request.size >= sizeof *in;
    wcts_world_release(&world);
    in = (const void *)session->request.bytes;
    return placed && in->SourceSegmentId != in->DestinationSegmentId &&
           find_info(&placement, in->hAllocation, &info) &&
           is_place(&placement, &info, in->SourceSegmentId, in->SourceAddress) &&
           is_place(&placement, &info, in->DestinationSegmentId, in->DestinationAddress);
}

/* ---- The scripted driver ---- */

/* As the device sees memory: a buffer may lie in an aperture segment. */
static wcts_status recorded(struct wcts_machine_probe *probe, uint32_t operation,
                            struct wcts_machine_memory_request *request, uint32_t size)
{
    static _Alignas(8) uint8_t reply[WCTS_REPLY_ROOM];
    uint32_t reply_size = 0;
    request->size = sizeof *request;
    return wcts_exchange_recorded_call(probe->exchange, wcts_machine_probe_memory, probe, operation,
                                       request, size, reply, sizeof reply, &reply_size);
}

/* Writes 64-bit addresses at the elements to be processed that are inside the buffer. */
static void patch_elements(struct wcts_machine_probe *probe, const uint8_t *request, uint32_t size)
{
    const struct wcts_DXGKARG_PATCH *patch =
        &((const struct wcts_driver_patch_request *)(const void *)request)->Patch;
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *location = wcts_message_at(
        request, size, patch->pPatchLocationList, patch->PatchLocationListSize, sizeof *location);
    const struct wcts_DXGK_ALLOCATIONLIST *list = wcts_message_at(
        request, size, patch->pAllocationList, patch->AllocationListSize, sizeof *list);
    uint64_t first = patch->PatchLocationListSubmissionStart;
    for (uint64_t i = first; location && list && i < patch->PatchLocationListSize &&
                             i - first < patch->PatchLocationListSubmissionLength;
         i++) {
        struct {
            struct wcts_machine_memory_request head;
            uint64_t address;
        } write = {{.Address = patch->pDmaBuffer + location[i].PatchOffset,
                    .Length = sizeof write.address,
                    .pData = sizeof write.head},
                   0};
        if (location[i].AllocationIndex >= patch->AllocationListSize ||
            (uint64_t)location[i].PatchOffset + sizeof(uint64_t) > patch->DmaBufferSize)
            continue;
        write.address =
            list[location[i].AllocationIndex].PhysicalAddress + location[i].AllocationOffset;
        recorded(probe, WCTS_MACHINE_WRITE, &write.head, sizeof write);
    }
}

wcts_status wcts_machine_probe_patch(struct wcts_machine_probe *probe, const void *request,
                                     uint32_t size)
{
    const struct wcts_driver_patch_request *in = request;
    probe->patched[probe->patch_count++ % WCTS_PROBE_PATCHES] = in->Patch;
    patch_elements(probe, request, size);
    return WCTS_STATUS_SUCCESS;
}

static void read_place(struct wcts_machine_probe *probe, uint32_t space, uint64_t address,
                       uint32_t from, uint32_t to)
{
    struct wcts_machine_memory_request request = {
        .Space = space,
        .Address = address + from,
        .Length = to - from < LOOKED_AT ? to - from : LOOKED_AT,
    };
    if (from < to)
        recorded(probe, WCTS_MACHINE_READ, &request, sizeof request);
}

wcts_status wcts_machine_probe_submit(struct wcts_machine_probe *probe, const void *request)
{
    const struct wcts_driver_submit_request *in = request;
    const struct wcts_exchange_view trace = {probe->spec, probe->exchange, 0};
    for (unsigned i = 0; i < WCTS_PROBE_PATCHES && i < probe->patch_count; i++) {
        const struct wcts_DXGKARG_PATCH *patch =
            &probe->patched[(probe->patch_count - 1 - i) % WCTS_PROBE_PATCHES];
        uint32_t start = patch->DmaBufferSubmissionStartOffset;
        uint32_t id = wcts_exchange_buffer_space(&trace, probe->exchange->count, patch->hContext,
                                                 patch->DmaBufferSegmentId);
        uint32_t end = patch->DmaBufferSubmissionEndOffset;
        uint64_t base = 0;
        if (patch->SubmissionFenceId != in->SubmissionFenceId)
            continue;
        if (id != 0 && !wcts_exchange_base(&trace, probe->exchange->count, id, &base))
            break;
        read_place(probe, 0, patch->pDmaBuffer, start, end);
        read_place(probe, id, patch->DmaBufferPhysicalAddress - base, start, end);
        read_place(probe, 0, patch->pDmaBuffer, 0, patch->DmaBufferSize);
        read_place(probe, id, patch->DmaBufferPhysicalAddress - base, 0, patch->DmaBufferSize);
        break;
    }
    return WCTS_STATUS_SUCCESS;
}
