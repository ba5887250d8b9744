/* SPDX-License-Identifier: MIT */
/* The answers of a driver as a world, from a recorded exchange. */
#include <string.h>

#include "../oracle/world.h"
#include "judge.h"
#include "recorded.h"

static const struct wcts_ref no_ref = {-1, -1, -1};

struct judge_answer_reading {
    struct wcts_world *world;
    const struct wcts_spec *spec;
    bool good;
};

/* Adds an instance of a named structure with the members at bytes (NULL: all 0). */
static int add_answered(struct judge_answer_reading *reading, const char *name,
                        const uint8_t *bytes, int parent)
{
    int structure = wcts_model_spec_structure(reading->spec, name);
    int index;
    const struct wcts_structure *type;
    if (structure < 0 || !reading->good)
        return -1;
    index = wcts_world_add(reading->world, structure, name, parent, no_ref);
    reading->good = index >= 0;
    if (index < 0 || !bytes)
        return index;
    type = &reading->spec->structures[structure];
    for (int i = 0; i < type->member_count; i++)
        reading->world->instances[index].values[i] =
            (struct wcts_value){.symbol = -1,
                                .number = wcts_exchange_bytes_get(bytes + type->members[i].offset,
                                                                  type->members[i].width)};
    return index;
}

static void judge_answers_segment(struct judge_answer_reading *reading,
                                  const struct wcts_exchange_record *record, const uint8_t *bytes)
{
    const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment = (const void *)bytes;
    int index = add_answered(reading, "DXGK_SEGMENTDESCRIPTOR", bytes, -1);
    const uint8_t *ranges =
        wcts_message_at(record->reply, record->reply_size, segment->pBankRangeTable,
                        segment->NbOfBanks, sizeof(struct wcts_bank_range));
    if (!ranges && segment->pBankRangeTable != 0 && segment->NbOfBanks != 0)
        reading->world->malformed = "DRIVER_SEGMENTS: a bank table lies outside the reply";
    for (uint32_t i = 0; ranges && i < segment->NbOfBanks && i < 4096; i++)
        add_answered(reading, "BANK_RANGE", ranges + i * sizeof(struct wcts_bank_range), index);
}

static void judge_answers_segments(struct judge_answer_reading *reading,
                                   const struct wcts_exchange_record *record)
{
    const struct wcts_driver_segments_reply *reply = (const void *)record->reply;
    const uint8_t *first;
    if (reply->Count == 0)
        return;
    first =
        wcts_message_at(reply, record->reply_size, reply->pSegments, reply->Count, reply->Stride);
    if (!first || reply->Stride < sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR) || reply->Count > 64) {
        reading->world->malformed = "DRIVER_SEGMENTS: the segments do not lie in the reply";
        return;
    }
    for (uint32_t i = 0; first && i < reply->Count; i++) {
        struct wcts_DXGK_SEGMENTDESCRIPTOR copy;
        memcpy(&copy, first + i * reply->Stride, sizeof copy);
        judge_answers_segment(reading, record, (const uint8_t *)&copy);
    }
}

static void judge_answers_driver_create(struct judge_answer_reading *reading,
                                        const struct wcts_exchange_record *record)
{
    const struct wcts_driver_allocation_create_reply *reply = (const void *)record->reply;
    uint32_t each = sizeof(struct wcts_DXGK_ALLOCATIONINFO);
    const uint8_t *first = wcts_message_at(reply, record->reply_size, reply->pAllocationInfo,
                                           reply->NumAllocations, each);
    if (record->request_size < sizeof(struct wcts_driver_allocation_create_request))
        return;
    if (!first && reply->NumAllocations != 0)
        reading->world->malformed = "DRIVER_ALLOCATION_CREATE: the answers do not lie in the reply";
    add_answered(reading, "DRIVER_ALLOCATION_CREATE", record->request, -1);
    for (uint32_t i = 0; first && i < reply->NumAllocations && i < 4096; i++)
        add_answered(reading, "DXGK_ALLOCATIONINFO", first + i * each, -1);
}

/* A handle that the kernel gave back may be used again. */
static void judge_answers_driver_destroy(struct judge_answer_reading *reading,
                                         const struct wcts_exchange_record *record)
{
    const struct wcts_driver_allocation_destroy_request *request = (const void *)record->request;
    const uint8_t *list;
    int structure = wcts_model_spec_structure(reading->spec, "DXGK_ALLOCATIONINFO");
    int member =
        structure < 0 ? -1 : wcts_model_spec_member(reading->spec, structure, "hAllocation");
    if (record->request_size < sizeof *request || member < 0)
        return;
    list = wcts_message_at(request, record->request_size, request->phAllocationList,
                           request->NumAllocations, 8);
    for (uint32_t i = 0; list && i < request->NumAllocations; i++)
        for (int j = 0; j < reading->world->count; j++)
            if (reading->world->instances[j].structure == structure &&
                !reading->world->instances[j].ended &&
                reading->world->instances[j].values[member].number ==
                    wcts_exchange_bytes_get(list + 8 * i, 8))
                reading->world->instances[j].ended = reading->world->count;
}

static void judge_answers_standard(struct judge_answer_reading *reading,
                                   const struct wcts_exchange_record *record)
{
    bool answered = record->reply_size >= sizeof(struct wcts_driver_standard_allocation_reply);
    if (record->request_size < sizeof(struct wcts_driver_standard_allocation_request) ||
        wcts_exchange_answer_of(record->status) == WCTS_ANSWER_MISSING)
        return;
    add_answered(reading, "DRIVER_STANDARD_ALLOCATION", record->request, -1);
    add_answered(reading, "DRIVER_STANDARD_ALLOCATION_REPLY", answered ? record->reply : NULL, -1);
}

static void judge_answers_record(struct judge_answer_reading *reading,
                                 const struct wcts_exchange_record *record)
{
    if (record->operation == WCTS_DRIVER_STANDARD_ALLOCATION)
        judge_answers_standard(reading, record);
    else if (record->operation == WCTS_DRIVER_ALLOCATION_DESTROY)
        judge_answers_driver_destroy(reading, record);
    else if (!wcts_succeeded(record->status) ||
             record->reply_size < wcts_reply_size(record->operation))
        return;
    else if (record->operation == WCTS_DRIVER_INFO)
        add_answered(reading, "DRIVER_INFO", record->reply, -1);
    else if (record->operation == WCTS_DRIVER_SEGMENTS)
        judge_answers_segments(reading, record);
    else if (record->operation == WCTS_DRIVER_ALLOCATION_CREATE)
        judge_answers_driver_create(reading, record);
}

bool wcts_judge_world_of_answers(struct wcts_world *world, const struct wcts_eval *eval,
                                 int version, uint32_t page_size,
                                 const struct wcts_exchange *exchange)
{
    struct judge_answer_reading reading = {world, eval->spec, true};
    wcts_world_init(world, eval, version, page_size);
    for (int i = 0; i < exchange->count; i++)
        judge_answers_record(&reading, &exchange->records[i]);
    return reading.good;
}

/* ---- Room ---- */

/* The largest segment of a set, by what the driver listed last; UINT64_MAX: a segment of the set is
 * not listed, as that of the system. */
static uint64_t largest_segment(const struct wcts_exchange *exchange, uint32_t set)
{
    uint64_t largest = 0, known = 0;
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_segments_reply *reply = (const void *)record->reply;
        const uint8_t *first = NULL;
        if (record->operation == WCTS_DRIVER_SEGMENTS && wcts_succeeded(record->status) &&
            record->reply_size >= sizeof *reply &&
            reply->Stride >= sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR))
            first = wcts_message_at(reply, record->reply_size, reply->pSegments, reply->Count,
                                    reply->Stride);
        for (uint32_t j = 0; first && j < reply->Count && j < 32; j++) {
            struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
            memcpy(&segment, first + j * reply->Stride, sizeof segment);
            known |= 1u << j;
            if (set >> j & 1 && segment.Size > largest)
                largest = segment.Size;
        }
    }
    return set & ~known ? UINT64_MAX : largest;
}

bool wcts_judge_has_no_room(const struct wcts_exchange *exchange, uint64_t *size)
{
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_allocation_create_reply *reply = (const void *)record->reply;
        struct wcts_DXGK_ALLOCATIONINFO info;
        const uint8_t *first = NULL;
        if (record->operation == WCTS_DRIVER_ALLOCATION_CREATE && wcts_succeeded(record->status) &&
            record->reply_size >= sizeof *reply)
            first = wcts_message_at(reply, record->reply_size, reply->pAllocationInfo,
                                    reply->NumAllocations, sizeof info);
        for (uint32_t j = 0; first && j < reply->NumAllocations; j++) {
            memcpy(&info, first + j * sizeof info, sizeof info);
            *size = info.Size;
            if (largest_segment(exchange, info.SupportedReadSegmentSet |
                                              info.SupportedWriteSegmentSet) < info.Size)
                return true;
        }
    }
    return false;
}

/* ---- What a request asks for ---- */

/* The adapter to which a paging operation moves something, or from which. */
static uint32_t paging_adapter(const struct wcts_driver_paging_request *paging)
{
    return (paging->SourceSegmentId | paging->DestinationSegmentId | paging->SegmentId) >> 16;
}

/* What moves an allocation moves it to and fro, at whatever address. */
static bool is_same_paging(const struct wcts_exchange_record *a,
                           const struct wcts_exchange_record *b)
{
    struct wcts_driver_paging_request of[2];
    if (a->request_size < sizeof *of || b->request_size < sizeof *of)
        return false;
    memcpy(&of[0], a->request, sizeof *of);
    memcpy(&of[1], b->request, sizeof *of);
    return of[0].Operation == of[1].Operation && of[0].hAllocation == of[1].hAllocation &&
           paging_adapter(&of[0]) == paging_adapter(&of[1]);
}

bool wcts_judge_is_same_use(const struct wcts_exchange_record *a,
                            const struct wcts_exchange_record *b)
{
    if (a->operation != b->operation || a->request_known || b->request_known)
        return false;
    if (a->operation == WCTS_DRIVER_PAGING)
        return is_same_paging(a, b);
    return a->request_size == b->request_size &&
           memcmp(a->request, b->request, a->request_size) == 0;
}
