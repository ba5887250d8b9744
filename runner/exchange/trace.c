/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <string.h>

#include "bytes.h"
#include "partial.h"

/* Arrays with more elements are ignored. */
#define ELEMENTS_MAX 4096u

/* The request or the reply of a record. */
struct exchange_record_side {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t at;   /* offset of its structure */
    int structure; /* -1: it has none */
    int record;
    bool reply;
    bool found; /* one of its elements is looked for: how many there are does not matter */
};

static const struct wcts_message *message_at(const struct wcts_exchange_view *trace, int index)
{
    return wcts_exchange_message_of(trace->spec, trace->exchange->records[index].operation);
}

static struct exchange_record_side record_side_of(const struct wcts_exchange_view *trace, int index,
                                                  bool reply)
{
    const struct wcts_exchange_record *record = &trace->exchange->records[index];
    const struct wcts_message *message = message_at(trace, index);
    if (!message)
        return (struct exchange_record_side){.structure = -1};
    if (reply)
        return (struct exchange_record_side){
            record->reply, record->reply_size, message->reply_at, message->reply, index, reply,
            false};
    return (struct exchange_record_side){record->request,
                                         record->request_size,
                                         message->request_at,
                                         message->request,
                                         index,
                                         reply,
                                         false};
}

/* True if something of the exchange is missing. */
static bool is_partial(const struct wcts_exchange_view *trace)
{
    return trace->exchange->partial && !trace->exchange->partial->whole;
}

/* True if a member of a structure at some place of the side is known; else it is noted. */
static bool knows_member(const struct wcts_exchange_view *trace,
                         const struct exchange_record_side *side, const uint8_t *at, int structure,
                         const struct wcts_member *member)
{
    struct wcts_ref ref = {structure, 0, -1};
    if (!is_partial(trace))
        return true;
    ref.member = (int)(member - trace->spec->structures[structure].members);
    return wcts_exchange_knows(trace->exchange, side->record, side->reply, at + member->offset,
                               trace->spec, ref);
}

/* The value of a member of a structure there; false if it is not known. */
static bool known_value(const struct wcts_exchange_view *trace,
                        const struct exchange_record_side *side, const uint8_t *at, int structure,
                        const struct wcts_member *member, uint64_t *value)
{
    *value = wcts_exchange_bytes_get(at + member->offset, member->width);
    return knows_member(trace, side, at, structure, member);
}

/* True if the record was accepted; if its status is not known that is noted. */
static bool is_accepted(const struct wcts_exchange_view *trace, int index)
{
    return wcts_exchange_knows_status(trace->exchange, index) &&
           wcts_succeeded(trace->exchange->records[index].status);
}

/* Notes it if messages with one of the operations may be missing behind a record up to another. */
static bool has_all(const struct wcts_exchange_view *trace, int from, int to,
                    const struct wcts_operations *operations)
{
    return !is_partial(trace) ||
           wcts_exchange_has_all(trace->exchange, trace->spec, from, to, operations);
}

static const struct wcts_member *pointer_of(const struct wcts_structure *structure, int n)
{
    return &structure->members[structure->pointers[n]];
}

/* True if the elements behind a pointer are of the structure, or may be. */
static bool has_elements(const struct wcts_member *pointer, int structure)
{
    for (int i = 0; i < pointer->element_of_count; i++)
        if (pointer->element_of[i] == structure)
            return true;
    return false;
}

/* The structure of the elements behind a pointer, -1: there are none, or of several. */
static int only_element(const struct wcts_member *pointer)
{
    return pointer->element_of_count == 1 ? pointer->element_of[0] : -1;
}

/* A structure in a message that may hold pointers. */
struct exchange_holder {
    const uint8_t *bytes;
    const struct wcts_structure *structure;
    int index; /* of the structure */
};

/* The array behind a pointer of a holder, of elements of a size; *count of them, NULL: none. If its
 * count is not known, the elements that are recorded are there all the same. That there may be more
 * is noted where they are counted. */
static const uint8_t *array_at(const struct wcts_exchange_view *trace,
                               const struct exchange_record_side *side,
                               const struct exchange_holder *holder,
                               const struct wcts_member *pointer, uint32_t each, uint32_t *count)
{
    int counter = pointer->counter;
    uint64_t offset, number = 1; /* if nothing counts them */
    *count = 0;
    if (counter >= 0) {
        const struct wcts_member *member = &holder->structure->members[counter];
        number = wcts_exchange_bytes_get(holder->bytes + member->offset, member->width);
        if (!side->found)
            knows_member(trace, side, holder->bytes, holder->index, member);
    }
    if (number == 0 || number > ELEMENTS_MAX ||
        !known_value(trace, side, holder->bytes, holder->index, pointer, &offset))
        return NULL;
    *count = (uint32_t)number;
    return wcts_message_at(side->bytes, side->size, offset, number, each);
}

/* The array of a structure behind any pointer of a holder. */
static const uint8_t *array_in(const struct wcts_exchange_view *trace,
                               const struct exchange_record_side *side,
                               const struct exchange_holder *holder, int structure, uint32_t *count)
{
    const struct wcts_structure *wanted = &trace->spec->structures[structure];
    *count = 0;
    for (int i = 0; i < holder->structure->pointer_count; i++) {
        const struct wcts_member *member = pointer_of(holder->structure, i);
        const uint8_t *first;
        if (!has_elements(member, structure))
            continue;
        first = array_at(trace, side, holder, member, wanted->size, count);
        if (*count > 0)
            return first;
    }
    return NULL;
}

/* The root structure of a side; bytes NULL if it is cut off. */
static struct exchange_holder root_of(const struct wcts_exchange_view *trace,
                                      const struct exchange_record_side *side)
{
    const struct wcts_structure *root = &trace->spec->structures[side->structure];
    bool whole = (uint64_t)side->at + root->size <= side->size;
    return (struct exchange_holder){whole ? side->bytes + side->at : NULL, root, side->structure};
}

/* The array of a structure behind a pointer of a side's root; *count of them, NULL: none. */
static const uint8_t *array_of(const struct wcts_exchange_view *trace,
                               const struct exchange_record_side *side, int structure,
                               uint32_t *count)
{
    struct exchange_holder root = root_of(trace, side);
    *count = 0;
    return root.bytes ? array_in(trace, side, &root, structure, count) : NULL;
}

/* The structure behind a pointer of an element of an array: private data of an allocation. */
static const uint8_t *find_behind(const struct wcts_exchange_view *trace,
                                  const struct exchange_record_side *side, uint32_t element,
                                  int structure)
{
    struct exchange_holder root = root_of(trace, side);
    const uint8_t *found = NULL;
    for (int i = 0; root.bytes && !found && i < root.structure->pointer_count; i++) {
        const struct wcts_member *member = pointer_of(root.structure, i);
        int of = only_element(member);
        uint32_t count, behind;
        struct exchange_holder holder;
        const uint8_t *first;
        if (of < 0)
            continue;
        holder.structure = &trace->spec->structures[of];
        holder.index = of;
        first = array_at(trace, side, &root, member, holder.structure->size, &count);
        if (!first || element >= count)
            continue;
        holder.bytes = first + (size_t)element * holder.structure->size;
        found = array_in(trace, side, &holder, structure, &behind);
    }
    return found;
}

/* True if the root points to one structure, not an array: all elements of its arrays share it. */
static bool is_shared(const struct wcts_exchange_view *trace,
                      const struct exchange_record_side *side, int structure)
{
    const struct wcts_structure *root = &trace->spec->structures[side->structure];
    for (int i = 0; i < root->pointer_count; i++)
        if (has_elements(pointer_of(root, i), structure))
            return pointer_of(root, i)->count == NULL;
    return false;
}

const uint8_t *wcts_exchange_find_in(const struct wcts_exchange_view *trace,
                                     struct wcts_exchange_cursor cursor, int structure, bool reply)
{
    struct exchange_record_side side = record_side_of(trace, cursor.record, reply);
    uint32_t size = trace->spec->structures[structure].size, count;
    const uint8_t *first;
    side.found = true;
    if (side.structure < 0 || !side.bytes)
        return NULL;
    if (side.structure == structure)
        return (uint64_t)side.at + size <= side.size ? side.bytes + side.at : NULL;
    first = array_of(trace, &side, structure, &count);
    if (!first)
        return find_behind(trace, &side, (uint32_t)cursor.element, structure);
    if (is_shared(trace, &side, structure))
        return first;
    return (uint32_t)cursor.element < count ? first + (size_t)cursor.element * size : NULL;
}

/* Which side of a record may have the structure, or an array of it: sum of enum wcts_held. */
static unsigned held_in(const struct wcts_exchange_view *trace, int record, int structure)
{
    const struct wcts_message *message = message_at(trace, record);
    return message ? message->holds[structure] : 0;
}

/* How many a side has that may have it. */
static int count_in(const struct wcts_exchange_view *trace, int record, int structure, bool reply)
{
    struct exchange_record_side side = record_side_of(trace, record, reply);
    uint32_t count;
    if (!side.bytes)
        return 0;
    if (side.structure == structure)
        return 1;
    return array_of(trace, &side, structure, &count) ? (int)count : 0;
}

int wcts_exchange_count(const struct wcts_exchange_view *trace, int record, int structure,
                        bool reply)
{
    enum wcts_held side = reply ? WCTS_HELD_REPLY : WCTS_HELD_REQUEST;
    return held_in(trace, record, structure) & side ? count_in(trace, record, structure, reply) : 0;
}

int wcts_exchange_latest(const struct wcts_exchange_view *trace, struct wcts_exchange_cursor cursor,
                         int structure)
{
    const struct wcts_operations *having = &trace->spec->structures[structure].held_by;
    for (int i = cursor.record; (i = wcts_exchange_back(trace->exchange, having, i)) >= 0; i--) {
        unsigned held = held_in(trace, i, structure);
        if ((held & WCTS_HELD_REQUEST && cursor.element < count_in(trace, i, structure, false)) ||
            (held & WCTS_HELD_REPLY && cursor.element < count_in(trace, i, structure, true))) {
            has_all(trace, i, cursor.record, having);
            return i;
        }
    }
    has_all(trace, -1, cursor.record, having);
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
    if (bytes && is_partial(trace))
        wcts_exchange_knows(trace->exchange, record, reply, bytes + member->offset, trace->spec,
                            ref);
    return bytes != NULL;
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
           asked < trace->exchange->count && (message = message_at(trace, asked)) &&
           message->shows != WCTS_SHOWS_NOTHING && !message->driver)
        asked = wcts_exchange_end(trace, asked);
    if (asked < trace->exchange->count && (message = message_at(trace, asked)) && message->settles)
        end = asked;
    while (end < trace->exchange->count && (message = message_at(trace, end)) && message->settles)
        end = wcts_exchange_end(trace, end);
    return end;
}

const uint8_t *wcts_exchange_find(const struct wcts_exchange_view *trace,
                                  struct wcts_exchange_cursor cursor, int structure, bool reply)
{
    int end = wcts_exchange_end(trace, cursor.record);
    const uint8_t *found = wcts_exchange_find_in(trace, cursor, structure, reply);
    if (!found && !reply)
        found = wcts_exchange_find_in(trace, cursor, structure, true);
    if (!found)
        has_all(trace, cursor.record, end, &trace->spec->structures[structure].held_by);
    for (int i = cursor.record + 1; !found && i < end; i++) {
        struct wcts_exchange_cursor inner = {i, cursor.element};
        found = wcts_exchange_find_in(trace, inner, structure, reply);
        if (!found && !reply)
            found = wcts_exchange_find_in(trace, inner, structure, true);
    }
    return found;
}

const uint8_t *wcts_exchange_data(const struct wcts_exchange_view *trace, int record, bool reply,
                                  const char *member, uint64_t *length)
{
    struct exchange_record_side side = record_side_of(trace, record, reply);
    int index =
        side.structure < 0 ? -1 : wcts_model_spec_member(trace->spec, side.structure, member);
    const struct wcts_member *pointer, *counter;
    struct exchange_holder root;
    int count;
    *length = 0;
    if (index < 0 || !side.bytes)
        return NULL;
    root = root_of(trace, &side);
    pointer = &root.structure->members[index];
    count = pointer->counter;
    if (!root.bytes || count < 0)
        return NULL;
    counter = &root.structure->members[count];
    *length = wcts_exchange_bytes_get(root.bytes + counter->offset, counter->width);
    return wcts_message_at(side.bytes, side.size,
                           wcts_exchange_bytes_get(root.bytes + pointer->offset, pointer->width),
                           *length, 1);
}

/* ---- Paths ---- */

/* The descriptor of a segment: that of its adapter, in the order in which these were started. */
static bool find_segment(const struct wcts_exchange_view *trace, int before, uint64_t id,
                         struct wcts_exchange_cursor *cursor)
{
    uint64_t adapter = id >> 16;
    if ((id & 0xFFFF) == 0)
        return false;
    for (int i = 0; i < before; i++) {
        const struct wcts_message *message = message_at(trace, i);
        struct wcts_operations showing;
        if (!message || message->shows != WCTS_SHOWS_SEGMENTS || !is_accepted(trace, i))
            continue;
        showing = wcts_model_operations_of(message->operation);
        if (adapter-- == 0) {
            *cursor = (struct wcts_exchange_cursor){i, (int)(id & 0xFFFF) - 1};
            has_all(trace, -1, i, &showing);
            return true;
        }
    }
    for (int i = 0; i < trace->spec->messages_count; i++) {
        struct wcts_operations showing =
            wcts_model_operations_of(trace->spec->messages[i].operation);
        if (trace->spec->messages[i].shows == WCTS_SHOWS_SEGMENTS)
            has_all(trace, -1, before, &showing);
    }
    return false;
}

const uint8_t *wcts_exchange_segment(const struct wcts_exchange_view *trace, int before,
                                     uint64_t id)
{
    int structure = wcts_model_segment_structure(trace->spec);
    struct wcts_exchange_cursor cursor;
    return structure >= 0 && find_segment(trace, before, id, &cursor)
               ? wcts_exchange_find_in(trace, cursor, structure, true)
               : NULL;
}

bool wcts_exchange_base(const struct wcts_exchange_view *trace, int before, uint64_t id,
                        uint64_t *base)
{
    struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
    const uint8_t *at = wcts_exchange_segment(trace, before, id);
    if (!at)
        return false;
    memcpy(&segment, at, sizeof segment);
    *base = segment.BaseAddress;
    return true;
}

uint32_t wcts_exchange_buffer_space(const struct wcts_exchange_view *trace, int before,
                                    uint64_t context, uint32_t segment)
{
    struct wcts_operations making = wcts_model_operations_of(WCTS_DRIVER_DEVICE);
    int i = segment != 0 ? before - 1 : -1;
    making.of[WCTS_DRIVER_CONTEXT >> 8] |= UINT64_C(1) << (WCTS_DRIVER_CONTEXT & 255);
    for (; (i = wcts_exchange_back(trace->exchange, &making, i)) >= 0; i--) {
        const struct wcts_exchange_record *record = &trace->exchange->records[i];
        const struct wcts_driver_device_request *asked = (const void *)record->request;
        const struct wcts_driver_handle_reply *answer = (const void *)record->reply;
        if (record->request_size >= sizeof *asked && record->reply_size >= sizeof *answer &&
            wcts_succeeded(record->status) && answer->Handle == context)
            return segment | WCTS_SPACE(asked->Adapter, 0);
    }
    return segment;
}

/* True if the reply has the value in a member of the type, and the request does not. */
static bool reply_gives(const struct wcts_exchange_view *trace, struct wcts_exchange_cursor cursor,
                        int structure, enum wcts_member_type type, uint64_t value)
{
    const struct wcts_structure *of = &trace->spec->structures[structure];
    const uint8_t *reply = wcts_exchange_find_in(trace, cursor, structure, true);
    const uint8_t *request = wcts_exchange_find_in(trace, cursor, structure, false);
    struct exchange_record_side answered = {0}, asked = {0};
    if (is_partial(trace)) {
        answered = record_side_of(trace, cursor.record, true);
        asked = record_side_of(trace, cursor.record, false);
    }
    for (int i = 0; reply && i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        uint64_t given, sent = 0;
        if (member->type != type ||
            !known_value(trace, &answered, reply, structure, member, &given) || given != value)
            continue;
        if (!request ||
            (known_value(trace, &asked, request, structure, member, &sent) && sent != value))
            return true;
    }
    return false;
}

/* True if the record returned the value, in its reply or in an array of it. */
static bool gives_value(const struct wcts_exchange_view *trace, int index,
                        enum wcts_member_type type, uint64_t value,
                        struct wcts_exchange_cursor *cursor)
{
    struct exchange_record_side side = record_side_of(trace, index, true);
    const struct wcts_structure *root;
    if (side.structure < 0 || !is_accepted(trace, index))
        return false;
    *cursor = (struct wcts_exchange_cursor){index, 0};
    if (reply_gives(trace, *cursor, side.structure, type, value))
        return true;
    root = &trace->spec->structures[side.structure];
    for (int i = 0; i < root->pointer_count; i++) {
        int structure = only_element(pointer_of(root, i));
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

/* True if the record is a call that ends the handle. */
static bool ends_value(const struct wcts_exchange_view *trace, int index, uint64_t handle)
{
    const struct wcts_message *message =
        wcts_exchange_message_of(trace->spec, trace->exchange->records[index].operation);
    const struct exchange_record_side side = record_side_of(trace, index, false);
    for (int i = 0; i < message->ends_count && is_accepted(trace, index); i++) {
        const int structure = message->ends[i].structure;
        const struct wcts_member *member =
            &trace->spec->structures[structure].members[message->ends[i].member];
        for (int e = wcts_exchange_count(trace, index, structure, false) - 1; e >= 0; e--) {
            const uint8_t *bytes = wcts_exchange_find_in(
                trace, (struct wcts_exchange_cursor){index, e}, structure, false);
            uint64_t ended;
            if (bytes && known_value(trace, &side, bytes, structure, member, &ended) &&
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

/* The last call up to this one that returned a handle or address, and that has the next structure
 * of the path. */
static bool find_maker(const struct wcts_exchange_view *trace, int before,
                       enum wcts_member_type type, uint64_t value, const struct wcts_lang_ref *next,
                       struct wcts_exchange_cursor *cursor)
{
    const struct wcts_exchange *exchange = trace->exchange;
    const struct wcts_operations giving =
        giving_to(trace, exchange->records[before].operation, type);
    if (value == 0)
        return false;
    for (int i = before; (i = wcts_exchange_back(exchange, &giving, i)) >= 0; i--)
        if (gives_value(trace, i, type, value, cursor) &&
            wcts_exchange_find(trace, *cursor, next->structure, next->reply)) {
            has_all(trace, i, before, &giving);
            return true;
        }
    has_all(trace, -1, before, &giving);
    return false;
}

/* True if the request has the handle in its root. */
static bool names_handle(const struct wcts_exchange_view *trace, int index, uint64_t value)
{
    struct exchange_record_side side = record_side_of(trace, index, false);
    struct exchange_holder root;
    if (side.structure < 0 || !side.bytes)
        return false;
    root = root_of(trace, &side);
    for (int i = 0; root.bytes && i < root.structure->member_count; i++) {
        const struct wcts_member *member = &root.structure->members[i];
        uint64_t named;
        if (member->type == WCTS_TYPE_HANDLE &&
            known_value(trace, &side, root.bytes, root.index, member, &named) && named == value)
            return true;
    }
    return false;
}

/* Notes it if a report about a handle, or what takes its truth, may be missing behind a record. */
static void has_all_reports(const struct wcts_exchange_view *trace, int from, int before,
                            int structure)
{
    struct wcts_operations reporting = trace->spec->structures[structure].held_by;
    if (!is_partial(trace) || before == 0)
        return;
    for (int i = 0; i < trace->spec->messages_count; i++) {
        const struct wcts_message *message = &trace->spec->messages[i];
        const struct wcts_operations moving = wcts_model_operations_of(message->operation);
        for (int p = 0; message->driver && message->moves && p < WCTS_PARTIES; p++)
            reporting.of[p] |= moving.of[p];
    }
    has_all(trace, from, before, &reporting);
}

/* The last call before this one that reported something about a handle: the next structure of the
 * path is its reply. */
static bool find_report(const struct wcts_exchange_view *trace, int before, uint64_t value,
                        const struct wcts_lang_ref *next, struct wcts_exchange_cursor *cursor)
{
    const struct wcts_exchange_record *records = trace->exchange->records;
    int i = value != 0 ? before - 1 : -1;
    for (; i >= 0; i--) {
        *cursor = (struct wcts_exchange_cursor){i, 0};
        if (records[i].operation >> 8 == records[before].operation >> 8 &&
            record_side_of(trace, i, true).structure == next->structure && is_accepted(trace, i) &&
            names_handle(trace, i, value) &&
            wcts_exchange_find_in(trace, *cursor, next->structure, true))
            break;
    }
    has_all_reports(trace, i, before, next->structure);
    if (i < 0 || message_at(trace, i)->shows != WCTS_SHOWS_PLACE)
        return i >= 0;
    /* An allocation may be elsewhere once a driver moved something, whoever requested that. */
    while (++i < before) {
        const struct wcts_message *message = message_at(trace, i);
        if (message && message->driver && message->moves)
            return false;
    }
    return true;
}

/* True if the member of what was found is known; a pointer is, if it is known not to be 0: where it
 * leads is no value. */
static bool knows_found(const struct wcts_exchange_view *trace, struct wcts_exchange_cursor cursor,
                        const uint8_t *bytes, const struct wcts_lang_ref *step)
{
    const struct wcts_member *member =
        &trace->spec->structures[step->structure].members[step->member];
    const struct wcts_exchange_record *records = trace->exchange->records;
    int end = wcts_exchange_end(trace, cursor.record);
    for (int i = cursor.record; i < end; i++)
        for (int reply = 0; reply < 2; reply++) {
            const uint8_t *side = reply ? records[i].reply : records[i].request;
            uint32_t size = reply ? records[i].reply_size : records[i].request_size;
            const uint8_t *at = bytes + member->offset;
            if (!side || bytes < side || bytes >= side + size)
                continue;
            if (member->type == WCTS_TYPE_POINTER &&
                (wcts_exchange_bytes_get(at, member->width) &
                 wcts_exchange_known_bits(&records[i], reply, at, member->width)) != 0)
                return true;
            return wcts_exchange_knows(
                trace->exchange, i, reply, at, trace->spec,
                (struct wcts_ref){step->structure, step->member, step->flag});
        }
    return false;
}

bool wcts_exchange_follow(const struct wcts_exchange_view *trace,
                          struct wcts_exchange_cursor cursor, const struct wcts_lang_ref *steps,
                          int count, uint64_t *value)
{
    for (int i = 0; i < count; i++) {
        const struct wcts_lang_ref *step = &steps[i];
        const struct wcts_member *member =
            &trace->spec->structures[step->structure].members[step->member];
        const uint8_t *bytes = wcts_exchange_find(trace, cursor, step->structure, step->reply);
        if (!bytes)
            return false;
        *value = wcts_exchange_bytes_get(bytes + member->offset, member->width);
        if (is_partial(trace) && !knows_found(trace, cursor, bytes, step))
            return false;
        if (step->flag >= 0)
            *value = *value >> trace->spec->words[member->word].flags[step->flag].bit & 1;
        if (i + 1 == count)
            return true;
        if (member->type == WCTS_TYPE_SEGMENT) {
            if (!find_segment(trace, cursor.record + 1, *value, &cursor))
                return false;
        } else {
            int from = cursor.record;
            if (member->type == WCTS_TYPE_ADDRESS)
                *value -= trace->exchange->records[from].offset;
            if (!find_maker(trace, from, member->type, *value, step + 1, &cursor) &&
                (member->type != WCTS_TYPE_HANDLE ||
                 !find_report(trace, from, *value, step + 1, &cursor)))
                return false;
        }
    }
    return false;
}
