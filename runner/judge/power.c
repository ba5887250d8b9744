/* SPDX-License-Identifier: MIT */
/* Functions of the language: what a power state does to segments, by the rows of a table. */
#include <inttypes.h>
#include <string.h>

#include "../exchange/bytes.h"
#include "recorded_functions.h"

#define RESIDENTS_MAX 64

/* An allocation that was in a segment when a power state was requested. */
struct judge_resident {
    uint64_t handle;        /* the kernel's */
    uint64_t driver_handle; /* the driver's */
    uint64_t size;          /* of its backing store */
    uint64_t moved_out;     /* bytes */
};

/* A segment, and the record of the power state. */
struct judge_power_segment {
    uint64_t id, size; /* size: bytes, by its descriptor */
    int call;
    struct judge_resident residents[RESIDENTS_MAX];
    int count;
};

/* The id of the segment with that memory. The segments of both adapters are alike, so what lies in
 * either is judged together. */
static uint64_t segment_of(uint64_t space)
{
    return space % WCTS_SPACE(1, 0);
}

/* True if the record asks to move content across the segment's border. What is moved within the
 * segment stays in it. */
static bool crosses(const struct wcts_judge_effect_eval *eval, int record,
                    const struct judge_power_segment *segment,
                    struct wcts_exchange_transfer *transfer)
{
    return wcts_exchange_transfer(&eval->trace, record, transfer) &&
           (segment_of(transfer->source) == segment->id) !=
               (segment_of(transfer->destination) == segment->id);
}

/* True if the allocation is in the segment, by the last query before the call: nothing has moved it
 * out since, and no power state was requested. */
static bool is_resident(const struct wcts_judge_effect_eval *eval,
                        const struct judge_power_segment *segment, const struct judge_resident *one)
{
    for (int i = segment->call - 1; i >= 0; i--) {
        struct wcts_exchange_place place;
        struct wcts_exchange_transfer transfer;
        uint64_t power;
        if (wcts_exchange_place(&eval->trace, i, &place) && place.allocation == one->handle)
            return place.segment == segment->id;
        if ((wcts_exchange_meant(&eval->trace, i, false, WCTS_MEANS_POWER, &power) &&
             power != WCTS_POWER_ON) ||
            (crosses(eval, i, segment, &transfer) && transfer.allocation == one->driver_handle &&
             segment_of(transfer.source) == segment->id))
            return false;
    }
    return false;
}

static bool listed(const struct judge_power_segment *segment, uint64_t handle)
{
    for (int i = 0; i < segment->count; i++)
        if (segment->residents[i].handle == handle)
            return true;
    return false;
}

/* What a driver makes first: allocations. */
static struct wcts_ref made_by_driver(const struct wcts_spec *spec)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].driver && spec->messages[i].makes_count > 0)
            return spec->messages[i].makes[0];
    return (struct wcts_ref){-1, -1, -1};
}

/* The driver's handle of the allocation that a query names, from its answer when that was made. */
static bool driver_handle(const struct wcts_judge_effect_eval *eval, int query, uint64_t *handle)
{
    const struct wcts_spec *spec = eval->trace.spec;
    const struct wcts_ref made = made_by_driver(spec);
    int request = wcts_model_showing(spec, WCTS_SHOWS_PLACE)->request;
    const struct wcts_lang_ref steps[] = {
        {.structure = (int16_t)request,
         .member = (int16_t)(spec->structures[request].means[WCTS_MEANS_ALLOCATION] - 1),
         .flag = -1},
        {.structure = (int16_t)made.structure,
         .member = (int16_t)made.member,
         .flag = -1,
         .reply = true}};
    const struct wcts_exchange_cursor cursor = {query, 0};
    return made.structure >= 0 && wcts_exchange_follow(&eval->trace, cursor, steps, 2, handle);
}

static void find_residents(const struct wcts_judge_effect_eval *eval,
                           struct judge_power_segment *segment)
{
    for (int i = 0; i < segment->call && segment->count < RESIDENTS_MAX; i++) {
        struct judge_resident *one = &segment->residents[segment->count];
        struct wcts_exchange_place place;
        if (!wcts_exchange_place(&eval->trace, i, &place) || listed(segment, place.allocation))
            continue;
        *one = (struct judge_resident){.handle = place.allocation, .size = place.size};
        if (driver_handle(eval, i, &one->driver_handle) && is_resident(eval, segment, one))
            segment->count++;
    }
}

/* Counts what the driver was asked to move out of the segment during the call, less what came back.
 * A kernel may delay that until it settles. */
static void count_moved(const struct wcts_judge_effect_eval *eval,
                        struct judge_power_segment *segment)
{
    int end = wcts_exchange_scope(&eval->trace, segment->call);
    for (int i = segment->call + 1; i < end; i++) {
        struct wcts_exchange_transfer transfer;
        bool moved = crosses(eval, i, segment, &transfer);
        for (int j = 0; moved && j < segment->count; j++) {
            struct judge_resident *one = &segment->residents[j];
            if (one->driver_handle != transfer.allocation)
                continue;
            if (segment_of(transfer.source) == segment->id)
                one->moved_out += transfer.size;
            else
                one->moved_out -= one->moved_out < transfer.size ? one->moved_out : transfer.size;
        }
    }
}

/* What happened to the content of a segment. A part may be whole allocations or a part of each. */
static enum wcts_content content_shown(const struct wcts_judge_effect_eval *eval,
                                       struct judge_power_segment *segment, int *moved)
{
    int whole = 0;
    *moved = 0;
    find_residents(eval, segment);
    count_moved(eval, segment);
    for (int i = 0; i < segment->count; i++) {
        *moved += segment->residents[i].moved_out > 0;
        whole += segment->residents[i].moved_out >= segment->residents[i].size;
    }
    return *moved == 0               ? WCTS_CONTENT_KEPT
           : whole == segment->count ? WCTS_CONTENT_PURGED
                                     : WCTS_CONTENT_PARTLY;
}

/* True if the content of the segment may have fared so. Which part of it is partly kept no document
 * says: all of a few allocations may lie there, or none. Those that fill it lie in both parts. */
static bool may_be_content(const struct judge_power_segment *segment, enum wcts_content found,
                           enum wcts_content content)
{
    uint64_t bytes = 0;
    for (int i = 0; i < segment->count; i++)
        bytes += segment->residents[i].size;
    return found == content || (content == WCTS_CONTENT_PARTLY && bytes < segment->size);
}

static enum wcts_truth judge_segment(struct wcts_judge_effect_eval *eval,
                                     struct judge_power_segment *segment, enum wcts_content content)
{
    static const char *const expected[] = {[WCTS_CONTENT_KEPT] = "none",
                                           [WCTS_CONTENT_PURGED] = "all, wholly",
                                           [WCTS_CONTENT_PARTLY] = "some, but not all"};
    int moved;
    enum wcts_content found = content_shown(eval, segment, &moved);
    if (segment->count == 0 || (content == WCTS_CONTENT_PARTLY && segment->count < 2))
        return WCTS_UNKNOWN;
    if (found == content)
        return WCTS_TRUE;
    if (may_be_content(segment, found, content))
        return WCTS_UNKNOWN;
    snprintf(eval->text, sizeof eval->text,
             "%d of the %d allocations in segment %" PRIu64 " were moved out, expected %s", moved,
             segment->count, segment->id, expected[content]);
    return WCTS_FALSE;
}

static bool names_statement(const struct wcts_row *row, int statement)
{
    for (int i = 0; i < row->statement_count; i++)
        if (row->statements[i] == statement)
            return true;
    return false;
}

/* True if the flags of a descriptor equal those of the row. */
static bool is_row(const struct wcts_spec *spec, const struct wcts_table *table,
                   const struct wcts_row *row, const uint8_t *descriptor)
{
    for (int i = 0; i < table->column_count; i++) {
        const struct wcts_member *member = wcts_model_ref_member(spec, table->columns[i]);
        int bit = spec->words[member->word].flags[table->columns[i].flag].bit;
        uint64_t word = wcts_exchange_bytes_get(descriptor + member->offset, member->width);
        if ((word >> bit & 1) != (row->values >> i & 1))
            return false;
    }
    return true;
}

/* What a function is asked about: a column of the tables. */
struct judge_column_asked {
    struct wcts_judge_effect_eval *eval;
    bool standby;
};

/* Judges one segment by a row with the same flags. */
typedef enum wcts_truth judge_fn(const struct judge_column_asked *asked,
                                 const struct wcts_table *table, const struct wcts_row *row,
                                 struct judge_power_segment *segment);

static enum wcts_truth judge_valid(const struct judge_column_asked *asked,
                                   const struct wcts_table *table, const struct wcts_row *row,
                                   struct judge_power_segment *segment)
{
    struct wcts_judge_effect_eval *eval = asked->eval;
    int content = asked->standby ? row->standby : row->hibernate;
    (void)table;
    if (!row->valid || content == 0 || !names_statement(row, eval->effect->statement))
        return WCTS_UNKNOWN;
    return judge_segment(eval, segment, (enum wcts_content)(content - 1));
}

/* What happened to a segment, with what was in it then, in the last earlier call that requested
 * another state. */
static bool other_content(const struct wcts_judge_effect_eval *eval,
                          struct judge_power_segment *segment, enum wcts_content *content)
{
    const struct wcts_exchange_view *trace = &eval->trace;
    uint64_t asked, power;
    if (!wcts_exchange_meant(trace, eval->on.record, false, WCTS_MEANS_POWER, &asked))
        return false;
    for (int i = eval->on.record - 1; i >= 0; i--) {
        int moved;
        if (!wcts_exchange_meant(trace, i, false, WCTS_MEANS_POWER, &power) ||
            !wcts_succeeded(trace->exchange->records[i].status) || power == WCTS_POWER_ON ||
            power == asked)
            continue;
        segment->call = i;
        *content = content_shown(eval, segment, &moved);
        return segment->count >= 2;
    }
    return false;
}

/* Whatever a kernel does with a row that is not valid, some valid row must state it. */
static enum wcts_truth judge_invalid(const struct judge_column_asked *asked,
                                     const struct wcts_table *table, const struct wcts_row *row,
                                     struct judge_power_segment *segment)
{
    struct wcts_judge_effect_eval *eval = asked->eval;
    struct judge_power_segment before = {.id = segment->id, .size = segment->size};
    enum wcts_content found, other = WCTS_CONTENT_KEPT;
    int moved;
    bool both;
    if (row->valid)
        return WCTS_UNKNOWN;
    found = content_shown(eval, segment, &moved);
    if (segment->count < 2)
        return WCTS_UNKNOWN;
    both = other_content(eval, &before, &other);
    for (int i = 0; i < table->row_count; i++) {
        const struct wcts_row *valid = &table->rows[i];
        int here = asked->standby ? valid->standby : valid->hibernate;
        int there = asked->standby ? valid->hibernate : valid->standby;
        if (valid->valid && here > 0 && there > 0 &&
            may_be_content(segment, found, (enum wcts_content)(here - 1)) &&
            (!both || may_be_content(&before, other, (enum wcts_content)(there - 1))))
            return WCTS_TRUE;
    }
    snprintf(eval->text, sizeof eval->text,
             "%d of the %d allocations in segment %" PRIu64 " were moved out, expected what one "
             "valid row says of all power states",
             moved, segment->count, segment->id);
    return WCTS_FALSE;
}

static enum wcts_truth judge_row(const struct judge_column_asked *asked,
                                 const struct wcts_table *table, const struct wcts_row *row,
                                 judge_fn *judge)
{
    struct wcts_judge_effect_eval *eval = asked->eval;
    const struct wcts_spec *spec = eval->trace.spec;
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = 0; i < eval->on.record; i++) {
        const struct wcts_message *message =
            wcts_exchange_message_of(spec, wcts_judge_eval_record(eval, i)->operation);
        int count = message && message->shows == WCTS_SHOWS_SEGMENTS
                        ? wcts_exchange_count(&eval->trace, i, table->on, true)
                        : 0;
        for (int n = 0; n < count; n++) {
            const struct wcts_exchange_cursor cursor = {i, n};
            const uint8_t *descriptor = wcts_exchange_find(&eval->trace, cursor, table->on, true);
            struct judge_power_segment segment = {.id = (uint64_t)n + 1, .call = eval->on.record};
            enum wcts_truth seen;
            if (!descriptor || !is_row(spec, table, row, descriptor))
                continue;
            segment.size = wcts_exchange_meaning_in(spec, table->on, WCTS_MEANS_SIZE, descriptor);
            seen = judge(asked, table, row, &segment);
            if (seen == WCTS_FALSE)
                return seen;
            all = seen == WCTS_TRUE ? seen : all;
        }
    }
    return all;
}

static struct wcts_lang_result ask_rows(const struct wcts_lang_call *call, judge_fn *judge)
{
    const struct judge_column_asked asked = {&wcts_judge_selection_at(call)->eval,
                                             wcts_judge_word(call, 0) == 0};
    const struct wcts_spec *spec = asked.eval->trace.spec;
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int t = 0; t < spec->tables_count; t++)
        for (int r = 0; r < spec->tables[t].row_count; r++) {
            const struct wcts_table *table = &spec->tables[t];
            enum wcts_truth seen = judge_row(&asked, table, &table->rows[r], judge);
            if (seen == WCTS_FALSE)
                return wcts_judge_result(seen);
            all = seen == WCTS_TRUE ? seen : all;
        }
    return wcts_judge_result(all);
}

struct wcts_lang_result wcts_judge_ask_as_row(const struct wcts_lang_call *call)
{
    return ask_rows(call, judge_valid);
}

struct wcts_lang_result wcts_judge_ask_as_some_row(const struct wcts_lang_call *call)
{
    return ask_rows(call, judge_invalid);
}
