/* SPDX-License-Identifier: MIT */
/* The form bank: checks that an offset in a segment is in the bank of a hint. */
#include <inttypes.h>
#include <string.h>

#include "check.h"

/* The bits of a hint with the number of the bank, from 1. */
#define BANK_BITS 0x7Fu
#define BANK_FROM_END 0x80u

/* The n-th bank, from 1, of a segment that a record describes; false if it has none. */
static bool find_bank(const struct wcts_exchange_record *record, uint64_t segment, uint32_t n,
                      struct wcts_bank_range *bank)
{
    const struct wcts_driver_segments_reply *reply = (const void *)record->reply;
    struct wcts_DXGK_SEGMENTDESCRIPTOR descriptor;
    const uint8_t *at;
    if (segment == 0 || segment > reply->Count || n == 0)
        return false;
    at = wcts_message_at(reply, record->reply_size, reply->pSegments, reply->Count, reply->Stride);
    if (!at || reply->Stride < sizeof descriptor)
        return false;
    memcpy(&descriptor, at + (segment - 1) * reply->Stride, sizeof descriptor);
    at = n > descriptor.NbOfBanks
             ? NULL
             : wcts_message_at(reply, record->reply_size, descriptor.pBankRangeTable,
                               descriptor.NbOfBanks, sizeof *bank);
    if (at)
        memcpy(bank, at + (n - 1) * sizeof *bank, sizeof *bank);
    return at != NULL;
}

static const struct wcts_exchange_record *described(const struct wcts_judge_effect_eval *eval)
{
    for (int i = eval->found.record; i >= 0; i--) {
        const struct wcts_exchange_record *record = &eval->trace.exchange->records[i];
        if (record->operation == WCTS_DRIVER_SEGMENTS && wcts_succeeded(record->status) &&
            record->reply_size >= sizeof(struct wcts_driver_segments_reply))
            return record;
    }
    return NULL;
}

/* A hint need not be followed: an offset proves something only if it is in that bank of its
 * segment, or where the bank of that number in another segment begins, or ends for a hint that
 * counts from the end. */
enum wcts_truth wcts_judge_check_bank(struct wcts_judge_effect_eval *eval, uint64_t offset,
                                      uint64_t hint)
{
    const struct wcts_exchange_record *query = &eval->trace.exchange->records[eval->found.record];
    const struct wcts_kernel_query_allocation_reply *reply = (const void *)query->reply;
    const struct wcts_exchange_record *segments = described(eval);
    uint32_t n = (uint32_t)hint & BANK_BITS;
    struct wcts_bank_range own, other;
    if (!segments || query->operation != WCTS_KERNEL_QUERY_ALLOCATION ||
        query->reply_size < sizeof *reply || !find_bank(segments, reply->SegmentId, n, &own))
        return WCTS_UNKNOWN;
    if (offset >= own.Start && offset - own.Start < own.Length)
        return WCTS_TRUE;
    for (uint64_t id = 1; id <= 31; id++) {
        bool ends;
        if (id == reply->SegmentId || !find_bank(segments, id, n, &other))
            continue;
        ends = hint & BANK_FROM_END && offset < other.Start + other.Length &&
               other.Start + other.Length - offset == reply->SegmentSize;
        if (offset != other.Start && !ends)
            continue;
        snprintf(eval->text, sizeof eval->text,
                 "the offset in segment %u is 0x%" PRIx64 ", where bank %u of segment %" PRIu64
                 " %s, expected its own bank %u from 0x%" PRIx64,
                 reply->SegmentId, offset, n, id, ends ? "ends" : "begins", n, own.Start);
        return WCTS_FALSE;
    }
    snprintf(eval->text, sizeof eval->text, "the hint of bank %u was not followed", n);
    return WCTS_UNKNOWN;
}
