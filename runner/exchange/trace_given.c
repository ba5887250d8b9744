/* SPDX-License-Identifier: MIT */
/* Which record gave a handle or an address, and which ended it. */
#include <stdlib.h>

#include "../base/array.h"
#include "trace_parts.h"

/* True if the reply has the value in a member of the type, and the request does not. */
static bool reply_gives(const struct wcts_exchange_view *trace, struct wcts_exchange_cursor cursor,
                        int structure, enum wcts_member_type type, uint64_t value)
{
    const struct wcts_structure *of = &trace->spec->structures[structure];
    const uint8_t *reply = wcts_exchange_find_in(trace, cursor, structure, true);
    const uint8_t *request = wcts_exchange_find_in(trace, cursor, structure, false);
    struct wcts_exchange_side answered = {0}, asked = {0};
    if (wcts_exchange_is_partial(trace)) {
        answered = wcts_exchange_side_of(trace, cursor.record, true);
        asked = wcts_exchange_side_of(trace, cursor.record, false);
    }
    for (int i = 0; reply && i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        uint64_t given, sent = 0;
        if (member->type != type ||
            !wcts_exchange_known_value(trace, &answered, reply, structure, member, &given) ||
            given != value)
            continue;
        if (!request ||
            (wcts_exchange_known_value(trace, &asked, request, structure, member, &sent) &&
             sent != value))
            return true;
    }
    return false;
}

/* True if the record returned the value, in its reply or in an array of it. */
static bool gives_value(const struct wcts_exchange_view *trace, int index,
                        enum wcts_member_type type, uint64_t value,
                        struct wcts_exchange_cursor *cursor)
{
    struct wcts_exchange_side side = wcts_exchange_side_of(trace, index, true);
    const struct wcts_structure *root;
    if (side.structure < 0 || !wcts_exchange_is_accepted(trace, index))
        return false;
    *cursor = (struct wcts_exchange_cursor){index, 0};
    if (reply_gives(trace, *cursor, side.structure, type, value))
        return true;
    root = &trace->spec->structures[side.structure];
    for (int i = 0; i < root->pointer_count; i++) {
        int structure = wcts_exchange_only_element(wcts_exchange_pointer_of(root, i));
        int count = structure < 0 ? 0 : wcts_exchange_count(trace, index, structure, true);
        for (cursor->element = 0; cursor->element < count; cursor->element++)
            if (reply_gives(trace, *cursor, structure, type, value))
                return true;
    }
    return false;
}

/* The operations that give handles or addresses to the party of an operation. Handles of one party
 * mean nothing to another. */
static struct wcts_operations giving_to(const struct wcts_exchange_view *trace, uint32_t operation,
                                        enum wcts_member_type type)
{
    struct wcts_operations giving = trace->spec->given[type];
    for (uint32_t i = 0; i < WCTS_PARTIES && type == WCTS_TYPE_HANDLE; i++)
        giving.of[i] = i == operation >> 8 ? giving.of[i] : 0;
    return giving;
}

/* ---- by value ---- */

/* Fewer records are looked at one by one. */
#define GIVERS_LEAST 16

/* A value that a record returned. */
struct exchange_gift {
    uint64_t value;
    enum wcts_member_type type;
    struct wcts_exchange_cursor cursor;
    int rank; /* in the order in which gives_value() looks: a record may have several arrays */
};

struct wcts_exchange_givers {
    /* Of records of which all is known: those that were accepted; ascending by type, value, record.
     * A record gives a value once, in the first place that gives_value() finds. */
    struct exchange_gift *gifts;
    int gift_count;
    int *open; /* records of which not all is known, ascending: they may have given anything */
    int open_count;
};

static bool is_known_whole(const struct wcts_exchange_record *record)
{
    return !record->status_unknown && !record->request_known && !record->reply_known;
}

/* Adds what the cursor's element of a structure in a reply gives. */
static bool add_gifts(struct wcts_exchange_givers *givers, const struct wcts_exchange_view *trace,
                      struct wcts_exchange_cursor cursor, int structure)
{
    const struct wcts_structure *of = &trace->spec->structures[structure];
    const uint8_t *reply = wcts_exchange_find_in(trace, cursor, structure, true);
    for (int i = 0; reply && i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        struct exchange_gift *gift;
        uint64_t value;
        if (member->type != WCTS_TYPE_HANDLE && member->type != WCTS_TYPE_ADDRESS)
            continue;
        value = wcts_exchange_bytes_get(reply + member->offset, member->width);
        if (value == 0 || !reply_gives(trace, cursor, structure, member->type, value))
            continue;
        gift = WCTS_ARRAY_ADD(givers->gifts, givers->gift_count);
        if (!gift)
            return false;
        *gift = (struct exchange_gift){value, member->type, cursor, givers->gift_count};
    }
    return true;
}

/* Adds what a record gives, in its reply or in an array of it. */
static bool add_giver(struct wcts_exchange_givers *givers, const struct wcts_exchange_view *trace,
                      int index)
{
    const struct wcts_exchange_record *record = &trace->exchange->records[index];
    const struct wcts_exchange_side side = wcts_exchange_side_of(trace, index, true);
    const struct wcts_structure *root;
    bool good = true;
    if (!is_known_whole(record)) {
        int *open = WCTS_ARRAY_ADD(givers->open, givers->open_count);
        if (open)
            *open = index;
        return open != NULL;
    }
    if (side.structure < 0 || !wcts_succeeded(record->status))
        return true;
    good = add_gifts(givers, trace, (struct wcts_exchange_cursor){index, 0}, side.structure);
    root = &trace->spec->structures[side.structure];
    for (int i = 0; i < root->pointer_count; i++) {
        int structure = wcts_exchange_only_element(wcts_exchange_pointer_of(root, i));
        int count = structure < 0 ? 0 : wcts_exchange_count(trace, index, structure, true);
        for (int e = 0; e < count && good; e++)
            good = add_gifts(givers, trace, (struct wcts_exchange_cursor){index, e}, structure);
    }
    return good;
}

/* By what is sought: gifts of one record that compare equal have the same value. */
static int compare_sought(const struct exchange_gift *one, const struct exchange_gift *other)
{
    if (one->type != other->type)
        return one->type < other->type ? -1 : 1;
    if (one->value != other->value)
        return one->value < other->value ? -1 : 1;
    return (one->cursor.record > other->cursor.record) -
           (one->cursor.record < other->cursor.record);
}

static int compare_gifts(const void *a, const void *b)
{
    const struct exchange_gift *one = a, *other = b;
    int order = compare_sought(one, other);
    return order ? order : (one->rank > other->rank) - (one->rank < other->rank);
}

static void sort_gifts(struct wcts_exchange_givers *givers)
{
    int kept = 0;
    if (givers->gift_count > 0)
        qsort(givers->gifts, (size_t)givers->gift_count, sizeof *givers->gifts, compare_gifts);
    for (int i = 0; i < givers->gift_count; i++)
        if (kept == 0 || compare_sought(&givers->gifts[kept - 1], &givers->gifts[i]) != 0)
            givers->gifts[kept++] = givers->gifts[i];
    givers->gift_count = kept;
}

struct wcts_exchange_givers *wcts_exchange_givers_new(const struct wcts_exchange_view *trace)
{
    struct wcts_exchange_givers *givers = NULL;
    bool good = trace->exchange->count >= GIVERS_LEAST && (givers = calloc(1, sizeof *givers));
    for (int i = 0; i < trace->exchange->count && good; i++)
        good = add_giver(givers, trace, i);
    if (!good) {
        wcts_exchange_givers_free(givers);
        return NULL;
    }
    sort_gifts(givers);
    return givers;
}

void wcts_exchange_givers_free(struct wcts_exchange_givers *givers)
{
    if (givers) {
        free(givers->gifts);
        free(givers->open);
    }
    free(givers);
}

/* The last one of a record up to this one that returned the value; NULL: none. */
static const struct exchange_gift *last_gift(const struct wcts_exchange_givers *givers,
                                             enum wcts_member_type type, uint64_t value, int from)
{
    const struct exchange_gift sought = {value, type, {from, 0}, 0};
    const struct exchange_gift *last;
    int low = 0, high = givers->gift_count; /* the first one behind it is among them */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_sought(&givers->gifts[middle], &sought) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    last = low > 0 ? &givers->gifts[low - 1] : NULL;
    return last && last->value == value && last->type == type ? last : NULL;
}

/* The last record up to this one that is open; -1: none. */
static int last_open(const struct wcts_exchange_givers *givers, int from)
{
    int low = 0, high = givers->open_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (givers->open[middle] <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? givers->open[low - 1] : -1;
}

/* The last record up to this one, with one of the operations, that returned the value; *cursor is
 * where. -1: none. */
static int back_to_giver(const struct wcts_exchange_view *trace,
                         const struct wcts_operations *giving, enum wcts_member_type type,
                         uint64_t value, int from, struct wcts_exchange_cursor *cursor)
{
    const struct wcts_exchange *exchange = trace->exchange;
    const struct wcts_exchange_givers *givers =
        exchange->partial ? exchange->partial->givers : NULL;
    for (; from >= 0; from--) {
        const struct exchange_gift *gift = givers ? last_gift(givers, type, value, from) : NULL;
        int open = givers ? last_open(givers, from) : wcts_exchange_back(exchange, giving, from);
        from = gift && gift->cursor.record > open ? gift->cursor.record : open;
        if (from < 0 || !wcts_model_operations_have(giving, exchange->records[from].operation))
            continue;
        if (from != open) {
            *cursor = gift->cursor;
            return from;
        }
        if (gives_value(trace, from, type, value, cursor))
            return from;
    }
    return -1;
}

/* ---- what made it, what ended it ---- */

/* True if the record is a call that ends the handle. */
static bool ends_value(const struct wcts_exchange_view *trace, int index, uint64_t handle)
{
    const struct wcts_message *message =
        wcts_exchange_message_of(trace->spec, trace->exchange->records[index].operation);
    const struct wcts_exchange_side side = wcts_exchange_side_of(trace, index, false);
    for (int i = 0; i < message->ends_count && wcts_exchange_is_accepted(trace, index); i++) {
        const int structure = message->ends[i].structure;
        const struct wcts_member *member =
            &trace->spec->structures[structure].members[message->ends[i].member];
        for (int e = wcts_exchange_count(trace, index, structure, false) - 1; e >= 0; e--) {
            const uint8_t *bytes = wcts_exchange_find_in(
                trace, (struct wcts_exchange_cursor){index, e}, structure, false);
            uint64_t ended;
            if (bytes && member->type == WCTS_TYPE_HANDLE &&
                wcts_exchange_known_value(trace, &side, bytes, structure, member, &ended) &&
                ended == handle)
                return true;
        }
    }
    return false;
}

enum wcts_exchange_given wcts_exchange_given(const struct wcts_exchange_view *trace, int before,
                                             uint64_t handle)
{
    const struct wcts_exchange *exchange = trace->exchange;
    const uint32_t party = exchange->records[before].operation >> 8;
    struct wcts_operations either =
        giving_to(trace, exchange->records[before].operation, WCTS_TYPE_HANDLE);
    struct wcts_exchange_cursor cursor;
    int ends = 0; /* that are not those of another one with the same value */
    bool ended = false;
    for (int i = 0; i < trace->spec->messages_count; i++)
        if (trace->spec->messages[i].ends_count > 0 &&
            trace->spec->messages[i].operation >> 8 == party)
            either.of[party] |= UINT64_C(1) << (trace->spec->messages[i].operation & 63);
    for (int i = before - 1; (i = wcts_exchange_back(exchange, &either, i)) >= 0; i--) {
        if (ends_value(trace, i, handle))
            ends++;
        else if (gives_value(trace, i, WCTS_TYPE_HANDLE, handle, &cursor) && ends-- == 0)
            return WCTS_GIVEN;
        ended = ended || ends > 0;
    }
    return ended ? WCTS_GIVEN_ENDED : WCTS_GIVEN_NEVER;
}

bool wcts_exchange_find_maker(const struct wcts_exchange_view *trace, int before,
                              enum wcts_member_type type, uint64_t value,
                              const struct wcts_lang_ref *next, struct wcts_exchange_cursor *cursor)
{
    const struct wcts_exchange *exchange = trace->exchange;
    const struct wcts_operations giving =
        giving_to(trace, exchange->records[before].operation, type);
    if (value == 0)
        return false;
    for (int i = before; (i = back_to_giver(trace, &giving, type, value, i, cursor)) >= 0; i--)
        if (wcts_exchange_find(trace, *cursor, next->structure, next->reply)) {
            wcts_exchange_has_every(trace, i, before, &giving);
            return true;
        }
    wcts_exchange_has_every(trace, -1, before, &giving);
    return false;
}
