/* SPDX-License-Identifier: MIT */
#include "partial.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "bytes.h"

/* Arrays with more elements are ignored, as in trace.c; pointers in each other, too. */
#define VISITED_ELEMENTS_MAX 4096u
#define VISITED_DEPTH_MAX 3

/* ---- what is missing ---- */

void wcts_exchange_miss(const struct wcts_exchange *exchange, struct wcts_exchange_missing missing)
{
    struct wcts_exchange_partial *partial = exchange->partial;
    if (!partial)
        return;
    if (partial->missing.lack == WCTS_LACK_NOTHING)
        partial->missing = missing;
    partial->missed++;
}

uint64_t wcts_exchange_known_bits(const struct wcts_exchange_record *record, bool reply,
                                  const uint8_t *at, uint32_t width)
{
    const uint8_t *known = reply ? record->reply_known : record->request_known;
    const uint8_t *bytes = reply ? record->reply : record->request;
    return known ? wcts_exchange_bytes_get(known + (at - bytes), width) : UINT64_MAX;
}

static uint64_t bits_of_width(uint32_t width)
{
    return width >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
}

/* A member of which some bits are wanted and not known. */
static struct wcts_exchange_missing missing_bits(int record, bool reply, struct wcts_ref ref,
                                                 const struct wcts_member *member, uint64_t wanted,
                                                 uint64_t known)
{
    struct wcts_exchange_missing missing =
        wcts_exchange_missing_of(WCTS_LACK_MEMBER, record, reply, ref.structure, ref.member);
    uint64_t all = bits_of_width(member->width);
    if (wanted != all || (known & all) != 0)
        missing.bits = wanted & ~known;
    return missing;
}

bool wcts_exchange_knows(const struct wcts_exchange *exchange, int record, bool reply,
                         const uint8_t *at, const struct wcts_spec *spec, struct wcts_ref ref)
{
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    uint64_t wanted = bits_of_width(member->width), known;
    if (!exchange->partial || exchange->partial->whole)
        return true;
    if (ref.flag >= 0)
        wanted = UINT64_C(1) << spec->words[member->word].flags[ref.flag].bit;
    known = wcts_exchange_known_bits(&exchange->records[record], reply, at, member->width);
    if ((wanted & ~known) == 0)
        return true;
    wcts_exchange_miss(exchange, missing_bits(record, reply, ref, member, wanted, known));
    return false;
}

bool wcts_exchange_knows_status(const struct wcts_exchange *exchange, int record)
{
    if (!exchange->records[record].status_unknown)
        return true;
    wcts_exchange_miss(exchange, wcts_exchange_missing_of(WCTS_LACK_STATUS, record, false, -1, -1));
    return false;
}

static struct wcts_operations every_operation(void)
{
    struct wcts_operations all;
    for (int i = 0; i < WCTS_PARTIES; i++)
        all.of[i] = UINT64_MAX;
    return all;
}

static bool is_common(const struct wcts_operations *a, const struct wcts_operations *b)
{
    bool any = false;
    for (int i = 0; i < WCTS_PARTIES; i++)
        any = any || (a->of[i] & b->of[i]) != 0;
    return any;
}

/* The first gap behind a record. */
static int gap_behind(const struct wcts_exchange_partial *partial, int record)
{
    int low = 0, high = partial->gap_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (partial->gaps[middle].record > record)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first gap from this one on in which one of the operations may be. */
static int first_gap(const struct wcts_exchange_partial *partial, int from,
                     const struct wcts_operations *wanted)
{
    int first = partial->gap_count, other = from;
    if (from >= partial->gap_count)
        return from;
    for (int i = 0; i < partial->sort_count; i++)
        if (partial->gaps[from].next[i] < first && is_common(&partial->sorts[i], wanted))
            first = partial->gaps[from].next[i];
    while (other < first && (other = partial->gaps[other].next[WCTS_GAP_SORTS]) < first) {
        if (is_common(&partial->gaps[other].of, wanted))
            return other;
        other++;
    }
    return first;
}

/* Some of the wanted operations of which lines are missing between two records: none, if all are
 * there. */
static struct wcts_operations gone_between(const struct wcts_exchange *exchange, int from, int to,
                                           const struct wcts_operations *wanted)
{
    const struct wcts_exchange_partial *partial = exchange->partial;
    struct wcts_operations gone = {{0}};
    int first;
    if ((from < 0 && !partial->begun) || (to >= exchange->count && !partial->ended))
        return every_operation();
    if (!is_common(&partial->gone, wanted))
        return gone;
    first = first_gap(partial, gap_behind(partial, from), wanted);
    return first < partial->gap_count && partial->gaps[first].record <= to ? partial->gaps[first].of
                                                                           : gone;
}

bool wcts_exchange_may_end(const struct wcts_exchange *exchange, int from, int to)
{
    const struct wcts_exchange_partial *partial = exchange->partial;
    for (int i = partial ? gap_behind(partial, from) : 0;
         partial && i < partial->gap_count && partial->gaps[i].record <= to; i++)
        if (partial->gaps[i].of.of[0] & WCTS_GAP_END)
            return true;
    return false;
}

/* Notes that not all of a message are there between two records: one that is recorded may be one,
 * or lines are lost of what was recorded otherwise. */
static void miss_messages(const struct wcts_exchange *exchange, int from, int to, int message,
                          bool recorded)
{
    const struct wcts_exchange_partial *partial = exchange->partial;
    struct wcts_exchange_missing missing = wcts_exchange_missing_of(
        recorded ? WCTS_LACK_LINES : WCTS_LACK_MESSAGES, -1, false, message, -1);
    bool outside = (from < 0 && !partial->begun) || (to >= exchange->count && !partial->ended);
    int gap = outside || !recorded ? partial->gap_count : gap_behind(partial, from);
    if (gap < partial->gap_count)
        gap = partial->gaps[gap].next_line;
    if (gap < partial->gap_count && partial->gaps[gap].record <= to)
        missing = wcts_exchange_missing_of(WCTS_LACK_KIND, -1, false, gap, -1);
    wcts_exchange_miss(exchange, missing);
}

bool wcts_exchange_has_all(const struct wcts_exchange *exchange, const struct wcts_spec *spec,
                           int from, int to, const struct wcts_operations *operations)
{
    struct wcts_operations gone;
    if (!exchange->partial || exchange->partial->whole)
        return true;
    gone = gone_between(exchange, from, to, operations);
    for (int i = 0; i < spec->messages_count; i++) {
        uint32_t operation = spec->messages[i].operation;
        bool all = wcts_model_operations_have(&exchange->partial->all, operation);
        if (!wcts_model_operations_have(operations, operation) ||
            (all && !wcts_model_operations_have(&gone, operation)))
            continue;
        miss_messages(exchange, from, to, i, all);
        return false;
    }
    return true;
}

void wcts_exchange_miss_answer(const struct wcts_exchange *exchange, const struct wcts_spec *spec,
                               int structure)
{
    int message = 0;
    while (message + 1 < spec->messages_count &&
           !wcts_model_operations_have(&spec->structures[structure].held_by,
                                       spec->messages[message].operation))
        message++;
    wcts_exchange_miss(exchange, wcts_exchange_missing_of(WCTS_LACK_ANSWER, -1, true, message, -1));
}

bool wcts_exchange_is_whole(const struct wcts_exchange *exchange)
{
    struct wcts_exchange_missing missing;
    if (!exchange->partial || exchange->partial->whole)
        return true;
    missing = exchange->partial->hole;
    missing.content = true;
    wcts_exchange_miss(exchange, missing);
    return false;
}

/* ---- the members of a message ---- */

struct exchange_visiting {
    const struct wcts_exchange *exchange;
    const struct wcts_spec *spec;
    int record, version;
    bool reply;
    wcts_exchange_member_visit *visit;
    void *context;
};

static bool exists_at(const struct wcts_member *member, int version)
{
    return version < 0 || (version >= member->since && version < member->until);
}

/* The structure of an element: of several, the one that the number in its first member selects; -1:
 * none, or it is not known. */
static int selected_element(const struct exchange_visiting *visiting,
                            const struct wcts_member *pointer, const uint8_t *at)
{
    const struct wcts_exchange_record *record = &visiting->exchange->records[visiting->record];
    const char *names = pointer->elements, *piece;
    uint64_t number;
    size_t length;
    if (pointer->element_of_count == 1)
        return pointer->element_of[0];
    if (!visiting->exchange->partial ||
        (uint32_t)wcts_exchange_known_bits(record, visiting->reply, at, 4) == UINT32_MAX) {
        number = wcts_exchange_bytes_get(at, 4);
        for (uint64_t n = 0; (length = wcts_next_piece(&names, &piece)) > 0; n++)
            for (int i = 0; number == n && i < pointer->element_of_count; i++)
                if (wcts_is_piece(visiting->spec->structures[pointer->element_of[i]].name, piece,
                                  length))
                    return pointer->element_of[i];
    }
    return -1;
}

static void visit_structure(const struct exchange_visiting *visiting, int structure,
                            const uint8_t *at, int element, int depth);

static void visit_elements(const struct exchange_visiting *visiting, int structure,
                           const uint8_t *holder, const struct wcts_member *pointer, int depth)
{
    const struct wcts_exchange_record *record = &visiting->exchange->records[visiting->record];
    const struct wcts_structure *of = &visiting->spec->structures[structure];
    const uint8_t *bytes = visiting->reply ? record->reply : record->request;
    uint32_t size = visiting->reply ? record->reply_size : record->request_size;
    uint64_t count = 1, each = visiting->spec->structures[pointer->least_element].size;
    const uint8_t *first;
    if (pointer->counter >= 0)
        count = wcts_exchange_bytes_get(holder + of->members[pointer->counter].offset,
                                        of->members[pointer->counter].width);
    if (depth >= VISITED_DEPTH_MAX || count > VISITED_ELEMENTS_MAX)
        return;
    first = wcts_message_at(bytes, size,
                            wcts_exchange_bytes_get(holder + pointer->offset, pointer->width),
                            count, (uint32_t)each);
    for (uint64_t i = 0; first && i < count; i++) {
        int selected = selected_element(visiting, pointer, first + i * each);
        if (selected >= 0)
            visit_structure(visiting, selected, first + i * each, (int)i, depth + 1);
    }
}

static void visit_structure(const struct exchange_visiting *visiting, int structure,
                            const uint8_t *at, int element, int depth)
{
    const struct wcts_structure *of = &visiting->spec->structures[structure];
    for (int i = 0; i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        if (!exists_at(member, visiting->version))
            continue;
        visiting->visit(visiting->context, (struct wcts_ref){structure, i, -1}, visiting->reply, at,
                        element);
        if (member->least_element >= 0)
            visit_elements(visiting, structure, at, member, depth);
    }
}

void wcts_exchange_members(const struct wcts_exchange *exchange, const struct wcts_spec *spec,
                           int record, int version, wcts_exchange_member_visit *visit,
                           void *context)
{
    const struct wcts_exchange_record *one = &exchange->records[record];
    const struct wcts_message *message = wcts_exchange_message_of(spec, one->operation);
    struct exchange_visiting visiting = {exchange, spec, record, version, false, visit, context};
    for (int side = 0; message && side < 2; side++) {
        int structure = side ? message->reply : message->request;
        uint32_t at = side ? message->reply_at : message->request_at;
        const uint8_t *bytes = side ? one->reply : one->request;
        uint32_t size = side ? one->reply_size : one->request_size;
        visiting.reply = side;
        if (structure >= 0 && bytes && (uint64_t)at + spec->structures[structure].size <= size)
            visit_structure(&visiting, structure, bytes + at, 0, 0);
    }
}

/* ---- whole ---- */

static bool is_known(const uint8_t *known, uint32_t size)
{
    for (uint32_t i = 0; known && i < size; i++)
        if (known[i] != 0xFF)
            return false;
    return true;
}

/* The first member of a record that is not known. */
struct exchange_hole {
    const struct wcts_exchange *exchange;
    const struct wcts_spec *spec;
    struct wcts_exchange_missing *found;
    bool strides; /* else those of a native call are passed over, which has none to be recorded */
};

/* True if a member is the distance between the elements of an array. */
static bool is_stride(const struct wcts_structure *of, int member)
{
    for (int i = 0; i < of->pointer_count; i++)
        if (of->members[of->pointers[i]].strider == member)
            return true;
    return false;
}

/* True if a member leads to bytes that are not all known. */
static bool leads_to_hole(const struct wcts_exchange_record *record,
                          const struct wcts_structure *of, const struct wcts_member *pointer,
                          bool reply, const uint8_t *at)
{
    const uint8_t *bytes = reply ? record->reply : record->request, *first;
    const uint8_t *known = reply ? record->reply_known : record->request_known;
    uint64_t count;
    if (pointer->counter < 0 || pointer->least_element >= 0 || !known)
        return false;
    count = wcts_exchange_bytes_get(at + of->members[pointer->counter].offset,
                                    of->members[pointer->counter].width);
    first =
        wcts_message_at(bytes, reply ? record->reply_size : record->request_size,
                        wcts_exchange_bytes_get(at + pointer->offset, pointer->width), count, 1);
    return first && count > 0 && !is_known(known + (first - bytes), (uint32_t)count);
}

static void find_hole(void *context, struct wcts_ref ref, bool reply, const uint8_t *at,
                      int element)
{
    struct exchange_hole *hole = context;
    const struct wcts_member *member = wcts_model_ref_member(hole->spec, ref);
    const struct wcts_exchange_record *record = &hole->exchange->records[hole->found->record];
    uint64_t known = wcts_exchange_known_bits(record, reply, at + member->offset, member->width);
    (void)element;
    if (hole->found->lack != WCTS_LACK_BYTES || hole->found->member >= 0)
        return;
    if (!hole->strides && record->native &&
        is_stride(&hole->spec->structures[ref.structure], ref.member))
        return;
    if (leads_to_hole(record, &hole->spec->structures[ref.structure], member, reply, at))
        *hole->found = wcts_exchange_missing_of(WCTS_LACK_BYTES, hole->found->record, reply,
                                                ref.structure, ref.member);
    else if (bits_of_width(member->width) & ~known)
        *hole->found = missing_bits(hole->found->record, reply, ref, member,
                                    bits_of_width(member->width), known);
}

/* True, with what is missing, if something of a record is. */
static bool has_hole(const struct wcts_exchange *exchange, const struct wcts_spec *spec, int index,
                     struct wcts_exchange_missing *found)
{
    const struct wcts_exchange_record *record = &exchange->records[index];
    struct exchange_hole hole = {exchange, spec, found, false};
    *found = wcts_exchange_missing_of(WCTS_LACK_BYTES, index, false, -1, -1);
    if (record->status_unknown) {
        found->lack = WCTS_LACK_STATUS;
        return true;
    }
    if (is_known(record->request_known, record->request_size) &&
        is_known(record->reply_known, record->reply_size))
        return false;
    wcts_exchange_members(exchange, spec, index, -1, find_hole, &hole);
    hole.strides = true;
    if (found->member < 0)
        wcts_exchange_members(exchange, spec, index, -1, find_hole, &hole);
    return true;
}

/* Which calls are not there at all, if some are not. */
static struct wcts_exchange_missing lost_calls(const struct wcts_exchange_partial *partial)
{
    struct wcts_exchange_missing lost = {.record = -1, .structure = -1, .member = -1};
    if (partial->gap_count > 0 && partial->gaps[0].line) {
        lost.lack = WCTS_LACK_KIND;
        lost.structure = 0;
    } else if (partial->gap_count > 0) {
        lost.lack = WCTS_LACK_GAP;
        lost.record = partial->gaps[0].record;
    } else if (!partial->begun || !partial->ended) {
        lost.lack = partial->begun ? WCTS_LACK_END : WCTS_LACK_BEGIN;
    }
    return lost;
}

static int by_record(const void *a, const void *b)
{
    const struct wcts_exchange_gap *x = a, *y = b;
    if (x->record != y->record)
        return x->record < y->record ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* The sort of some operations; WCTS_GAP_SORTS: none, there are too many. */
static int sort_of(struct wcts_exchange_partial *partial, const struct wcts_operations *of)
{
    int sort = 0;
    while (sort < partial->sort_count && memcmp(&partial->sorts[sort], of, sizeof *of) != 0)
        sort++;
    if (sort == partial->sort_count && sort < WCTS_GAP_SORTS)
        partial->sorts[partial->sort_count++] = *of;
    return sort;
}

/* Links the gaps, so that none that does not matter is looked at. */
static void link_gaps(struct wcts_exchange_partial *partial)
{
    const int count = partial->gap_count;
    partial->sort_count = 0;
    for (int i = count - 1; i >= 0; i--) {
        struct wcts_exchange_gap *gap = &partial->gaps[i];
        for (int sort = 0; sort <= WCTS_GAP_SORTS; sort++)
            gap->next[sort] = i + 1 < count ? gap[1].next[sort] : count;
        gap->next[sort_of(partial, &gap->of)] = i;
        gap->next_line = gap->line ? i : i + 1 < count ? gap[1].next_line : count;
    }
}

static void settle_gaps(struct wcts_exchange_partial *partial)
{
    partial->gone = (struct wcts_operations){{0}};
    for (int i = 0; i < partial->gap_count; i++)
        for (int party = 0; party < WCTS_PARTIES; party++)
            partial->gone.of[party] |= partial->gaps[i].of.of[party];
    if (partial->gap_count > 1)
        qsort(partial->gaps, (size_t)partial->gap_count, sizeof *partial->gaps, by_record);
    link_gaps(partial);
}

/* The first thing that is missing of the calls, if all are there; one that can be recorded goes
 * before a stride. */
static void settle_holes(const struct wcts_exchange *exchange, const struct wcts_spec *spec)
{
    struct wcts_exchange_partial *partial = exchange->partial;
    bool named = false;
    for (int i = 0; i < exchange->count && !named; i++) {
        struct wcts_exchange_missing hole = {.record = -1};
        if (!has_hole(exchange, spec, i, &hole))
            continue;
        named = hole.member < 0 || hole.structure < 0 ||
                !is_stride(&spec->structures[hole.structure], hole.member);
        if (partial->whole || named)
            partial->hole = hole;
        partial->whole = false;
    }
}

void wcts_exchange_partial_settle(const struct wcts_exchange *exchange,
                                  const struct wcts_spec *spec)
{
    struct wcts_exchange_partial *partial = exchange->partial;
    settle_gaps(partial);
    partial->whole = partial->begun && partial->ended && partial->gap_count == 0;
    partial->hole = lost_calls(partial);
    for (int i = 0; partial->whole && i < spec->messages_count; i++)
        if (!wcts_model_operations_have(&partial->all, spec->messages[i].operation)) {
            partial->whole = false;
            partial->hole = wcts_exchange_missing_of(WCTS_LACK_MESSAGES, -1, false, i, -1);
        }
    if (partial->whole)
        settle_holes(exchange, spec);
}
