/* SPDX-License-Identifier: MIT */
/* Where a structure is in a record: in its request or reply, or behind a pointer there. */
#include "trace_parts.h"

/* Arrays with more elements are ignored. */
#define ELEMENTS_MAX 4096u

/* True if the elements behind a pointer are of the structure, or may be. */
static bool has_elements(const struct wcts_member *pointer, int structure)
{
    for (int i = 0; i < pointer->element_of_count; i++)
        if (pointer->element_of[i] == structure)
            return true;
    return false;
}

/* Elements behind a pointer; first NULL: there are none. */
struct exchange_array {
    const uint8_t *first;
    uint32_t count, each; /* each: from one to the next */
};

/* The array behind a pointer of a holder, of elements of a size. If its count is not known, the
 * elements that are recorded are there all the same. That there may be more is noted where they are
 * counted. */
static struct exchange_array array_at(const struct wcts_exchange_view *trace,
                                      const struct wcts_exchange_side *side,
                                      const struct wcts_exchange_holder *holder,
                                      const struct wcts_member *pointer, uint32_t size)
{
    struct exchange_array array = {.each = size};
    uint64_t offset, number = 1; /* if nothing counts them */
    if (pointer->counter >= 0) {
        number = wcts_exchange_number_in(holder, pointer->counter);
        if (!side->found || number == 0)
            wcts_exchange_knows_member(trace, side, holder->bytes, holder->index,
                                       &holder->structure->members[pointer->counter]);
    }
    if (pointer->strider >= 0 &&
        wcts_exchange_number_in(holder, pointer->strider) != 0) /* 0: not recorded */
        array.each = (uint32_t)wcts_exchange_number_in(holder, pointer->strider);
    if (number == 0 || number > ELEMENTS_MAX || array.each < size ||
        !wcts_exchange_known_value(trace, side, holder->bytes, holder->index, pointer, &offset))
        return array;
    array.count = (uint32_t)number;
    array.first = wcts_message_at(side->bytes, side->size, offset, number, array.each);
    return array;
}

/* The array of a structure behind any pointer of a holder. */
static struct exchange_array array_in(const struct wcts_exchange_view *trace,
                                      const struct wcts_exchange_side *side,
                                      const struct wcts_exchange_holder *holder, int structure)
{
    struct exchange_array array = {0};
    for (int i = 0; i < holder->structure->pointer_count && array.count == 0; i++) {
        const struct wcts_member *member = wcts_exchange_pointer_of(holder->structure, i);
        if (has_elements(member, structure))
            array = array_at(trace, side, holder, member, trace->spec->structures[structure].size);
    }
    return array;
}

/* The array of a structure behind a pointer of a side's root. */
static struct exchange_array array_of(const struct wcts_exchange_view *trace,
                                      const struct wcts_exchange_side *side, int structure)
{
    struct wcts_exchange_holder root = wcts_exchange_root_of(trace, side);
    return root.bytes ? array_in(trace, side, &root, structure) : (struct exchange_array){0};
}

/* The n-th of a structure behind a pointer of an element of an array: private data of an
 * allocation, a bank of a segment. */
static const uint8_t *find_behind(const struct wcts_exchange_view *trace,
                                  const struct wcts_exchange_side *side, uint32_t element,
                                  int structure, uint32_t n)
{
    struct wcts_exchange_holder root = wcts_exchange_root_of(trace, side);
    const uint8_t *found = NULL;
    for (int i = 0; root.bytes && !found && i < root.structure->pointer_count; i++) {
        const struct wcts_member *member = wcts_exchange_pointer_of(root.structure, i);
        int of = wcts_exchange_only_element(member);
        struct wcts_exchange_holder holder;
        struct exchange_array array;
        if (of < 0)
            continue;
        holder.structure = &trace->spec->structures[of];
        holder.index = of;
        array = array_at(trace, side, &root, member, holder.structure->size);
        if (!array.first || element >= array.count)
            continue;
        holder.bytes = array.first + (size_t)element * array.each;
        array = array_in(trace, side, &holder, structure);
        if (array.first && n < array.count)
            found = array.first + (size_t)n * array.each;
    }
    return found;
}

/* True if the root points to one structure, not an array: all elements of its arrays share it. */
static bool is_shared(const struct wcts_exchange_view *trace, const struct wcts_exchange_side *side,
                      int structure)
{
    const struct wcts_structure *root = &trace->spec->structures[side->structure];
    for (int i = 0; i < root->pointer_count; i++)
        if (has_elements(wcts_exchange_pointer_of(root, i), structure))
            return wcts_exchange_pointer_of(root, i)->count == NULL;
    return false;
}

/* False if a side has the structure nowhere, whatever is sent. Where something is missing, what is
 * not known on the way there is noted (partial.h). */
static bool may_reach(const struct wcts_exchange_view *trace, int record, int structure, bool reply)
{
    enum wcts_held side = reply ? WCTS_HELD_REPLY : WCTS_HELD_REQUEST;
    const struct wcts_message *message = wcts_exchange_message_at(trace, record);
    return message &&
           (wcts_exchange_is_partial(trace) || (message->reaches[structure] & side) != 0);
}

const uint8_t *wcts_exchange_find_in(const struct wcts_exchange_view *trace,
                                     struct wcts_exchange_cursor cursor, int structure, bool reply)
{
    struct wcts_exchange_side side;
    uint32_t size;
    struct exchange_array array;
    if (!may_reach(trace, cursor.record, structure, reply)) /* most do not */
        return NULL;
    side = wcts_exchange_side_of(trace, cursor.record, reply);
    size = trace->spec->structures[structure].size;
    side.found = true;
    if (side.structure < 0 || !side.bytes)
        return NULL;
    if (side.structure == structure)
        return (uint64_t)side.at + size <= side.size ? side.bytes + side.at : NULL;
    array = array_of(trace, &side, structure);
    if (!array.first)
        return find_behind(trace, &side, (uint32_t)cursor.element, structure, 0);
    if (is_shared(trace, &side, structure))
        return array.first;
    return (uint32_t)cursor.element < array.count
               ? array.first + (size_t)cursor.element * array.each
               : NULL;
}

const uint8_t *wcts_exchange_behind(const struct wcts_exchange_view *trace,
                                    struct wcts_exchange_cursor cursor, int structure, uint32_t n)
{
    struct wcts_exchange_side side = wcts_exchange_side_of(trace, cursor.record, true);
    side.found = true;
    return side.structure < 0 || !side.bytes
               ? NULL
               : find_behind(trace, &side, (uint32_t)cursor.element, structure, n);
}

/* Which side of a record may have the structure, or an array of it: sum of enum wcts_held. */
static unsigned held_in(const struct wcts_exchange_view *trace, int record, int structure)
{
    const struct wcts_message *message = wcts_exchange_message_at(trace, record);
    return message ? message->holds[structure] : 0;
}

/* How many a side has that may have it. */
static int instances_in(const struct wcts_exchange_view *trace, int record, int structure,
                        bool reply)
{
    struct wcts_exchange_side side = wcts_exchange_side_of(trace, record, reply);
    struct exchange_array array;
    if (!side.bytes)
        return 0;
    if (side.structure == structure)
        return 1;
    array = array_of(trace, &side, structure);
    return array.first ? (int)array.count : 0;
}

int wcts_exchange_count(const struct wcts_exchange_view *trace, int record, int structure,
                        bool reply)
{
    enum wcts_held side = reply ? WCTS_HELD_REPLY : WCTS_HELD_REQUEST;
    return held_in(trace, record, structure) & side ? instances_in(trace, record, structure, reply)
                                                    : 0;
}

int wcts_exchange_latest(const struct wcts_exchange_view *trace, struct wcts_exchange_cursor cursor,
                         int structure)
{
    const struct wcts_operations *having = &trace->spec->structures[structure].held_by;
    for (int i = cursor.record; (i = wcts_exchange_back(trace->exchange, having, i)) >= 0; i--) {
        unsigned held = held_in(trace, i, structure);
        if ((held & WCTS_HELD_REQUEST &&
             cursor.element < instances_in(trace, i, structure, false)) ||
            (held & WCTS_HELD_REPLY && cursor.element < instances_in(trace, i, structure, true))) {
            wcts_exchange_has_every(trace, i, cursor.record, having);
            return i;
        }
    }
    wcts_exchange_has_every(trace, -1, cursor.record, having);
    return -1;
}

bool wcts_exchange_member(const struct wcts_exchange_view *trace, int record, struct wcts_ref ref,
                          bool reply, int n, uint64_t *value)
{
    const struct wcts_member *member = wcts_model_ref_member(trace->spec, ref);
    const struct wcts_exchange_cursor cursor = {record, n};
    const uint8_t *bytes = NULL;
    if (n < wcts_exchange_count(trace, record, ref.structure, reply))
        bytes = wcts_exchange_find_in(trace, cursor, ref.structure, reply);
    if (bytes)
        *value = wcts_exchange_bytes_get(bytes + member->offset, member->width);
    if (bytes && wcts_exchange_is_partial(trace))
        wcts_exchange_knows(trace->exchange, record, reply, bytes + member->offset, trace->spec,
                            ref);
    return bytes != NULL;
}

bool wcts_exchange_meant(const struct wcts_exchange_view *trace, int record, bool reply,
                         enum wcts_meaning meaning, uint64_t *value)
{
    const struct wcts_exchange_side side = wcts_exchange_side_of(trace, record, reply);
    const struct wcts_member *member;
    struct wcts_exchange_holder root;
    if (side.structure < 0 || !side.bytes)
        return false;
    root = wcts_exchange_root_of(trace, &side);
    member = wcts_model_meaning(root.structure, meaning);
    return member && root.bytes &&
           wcts_exchange_known_value(trace, &side, root.bytes, root.index, member, value);
}

int wcts_exchange_end(const struct wcts_exchange_view *trace, int index)
{
    int end = index + 1;
    while (end < trace->exchange->count &&
           trace->exchange->records[end].depth > trace->exchange->records[index].depth)
        end++;
    return end;
}

int wcts_exchange_scope(const struct wcts_exchange_view *trace, int index)
{
    int end = wcts_exchange_end(trace, index), asked = end;
    const struct wcts_message *message;
    /* What is pending may be done behind what only asks. */
    while (trace->exchange->records[index].status == WCTS_STATUS_PENDING &&
           asked < trace->exchange->count && (message = wcts_exchange_message_at(trace, asked)) &&
           message->shows != WCTS_SHOWS_NOTHING && !message->driver)
        asked = wcts_exchange_end(trace, asked);
    if (asked < trace->exchange->count && (message = wcts_exchange_message_at(trace, asked)) &&
        message->settles)
        end = asked;
    while (end < trace->exchange->count && (message = wcts_exchange_message_at(trace, end)) &&
           message->settles)
        end = wcts_exchange_end(trace, end);
    return end;
}

const uint8_t *wcts_exchange_find(const struct wcts_exchange_view *trace,
                                  struct wcts_exchange_cursor cursor, int structure, bool reply)
{
    int end;
    const uint8_t *found = wcts_exchange_find_in(trace, cursor, structure, reply);
    if (!found && !reply)
        found = wcts_exchange_find_in(trace, cursor, structure, true);
    if (found)
        return found;
    end = wcts_exchange_end(trace, cursor.record);
    wcts_exchange_has_every(trace, cursor.record, end, &trace->spec->structures[structure].held_by);
    for (int i = cursor.record + 1; !found && i < end; i++) {
        struct wcts_exchange_cursor inner = {i, cursor.element};
        found = wcts_exchange_find_in(trace, inner, structure, reply);
        if (!found && !reply)
            found = wcts_exchange_find_in(trace, inner, structure, true);
    }
    return found;
}
