/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <stdlib.h>
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

/* Elements behind a pointer; first NULL: there are none. */
struct exchange_array {
    const uint8_t *first;
    uint32_t count, each; /* each: from one to the next */
};

static uint64_t number_in(const struct exchange_holder *holder, int member)
{
    const struct wcts_member *of = &holder->structure->members[member];
    return wcts_exchange_bytes_get(holder->bytes + of->offset, of->width);
}

/* The array behind a pointer of a holder, of elements of a size. If its count is not known, the
 * elements that are recorded are there all the same. That there may be more is noted where they are
 * counted. */
static struct exchange_array array_at(const struct wcts_exchange_view *trace,
                                      const struct exchange_record_side *side,
                                      const struct exchange_holder *holder,
                                      const struct wcts_member *pointer, uint32_t size)
{
    struct exchange_array array = {.each = size};
    uint64_t offset, number = 1; /* if nothing counts them */
    if (pointer->counter >= 0) {
        number = number_in(holder, pointer->counter);
        if (!side->found)
            knows_member(trace, side, holder->bytes, holder->index,
                         &holder->structure->members[pointer->counter]);
    }
    if (pointer->strider >= 0 && number_in(holder, pointer->strider) != 0) /* 0: not recorded */
        array.each = (uint32_t)number_in(holder, pointer->strider);
    if (number == 0 || number > ELEMENTS_MAX || array.each < size ||
        !known_value(trace, side, holder->bytes, holder->index, pointer, &offset))
        return array;
    array.count = (uint32_t)number;
    array.first = wcts_message_at(side->bytes, side->size, offset, number, array.each);
    return array;
}

/* The array of a structure behind any pointer of a holder. */
static struct exchange_array array_in(const struct wcts_exchange_view *trace,
                                      const struct exchange_record_side *side,
                                      const struct exchange_holder *holder, int structure)
{
    struct exchange_array array = {0};
    for (int i = 0; i < holder->structure->pointer_count && array.count == 0; i++) {
        const struct wcts_member *member = pointer_of(holder->structure, i);
        if (has_elements(member, structure))
            array = array_at(trace, side, holder, member, trace->spec->structures[structure].size);
    }
    return array;
}

/* The root structure of a side; bytes NULL if it is cut off. */
static struct exchange_holder root_of(const struct wcts_exchange_view *trace,
                                      const struct exchange_record_side *side)
{
    const struct wcts_structure *root = &trace->spec->structures[side->structure];
    bool whole = (uint64_t)side->at + root->size <= side->size;
    return (struct exchange_holder){whole ? side->bytes + side->at : NULL, root, side->structure};
}

/* The array of a structure behind a pointer of a side's root. */
static struct exchange_array array_of(const struct wcts_exchange_view *trace,
                                      const struct exchange_record_side *side, int structure)
{
    struct exchange_holder root = root_of(trace, side);
    return root.bytes ? array_in(trace, side, &root, structure) : (struct exchange_array){0};
}

/* The n-th of a structure behind a pointer of an element of an array: private data of an
 * allocation, a bank of a segment. */
static const uint8_t *find_behind(const struct wcts_exchange_view *trace,
                                  const struct exchange_record_side *side, uint32_t element,
                                  int structure, uint32_t n)
{
    struct exchange_holder root = root_of(trace, side);
    const uint8_t *found = NULL;
    for (int i = 0; root.bytes && !found && i < root.structure->pointer_count; i++) {
        const struct wcts_member *member = pointer_of(root.structure, i);
        int of = only_element(member);
        struct exchange_holder holder;
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
    uint32_t size = trace->spec->structures[structure].size;
    struct exchange_array array;
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
    struct exchange_record_side side = record_side_of(trace, cursor.record, true);
    side.found = true;
    return side.structure < 0 || !side.bytes
               ? NULL
               : find_behind(trace, &side, (uint32_t)cursor.element, structure, n);
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

bool wcts_exchange_meant(const struct wcts_exchange_view *trace, int record, bool reply,
                         enum wcts_meaning meaning, uint64_t *value)
{
    const struct exchange_record_side side = record_side_of(trace, record, reply);
    const struct wcts_member *member;
    struct exchange_holder root;
    if (side.structure < 0 || !side.bytes)
        return false;
    root = root_of(trace, &side);
    member = wcts_model_meaning(root.structure, meaning);
    return member && root.bytes && known_value(trace, &side, root.bytes, root.index, member, value);
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

/* All that a pointer of a message's root leads to, pieces of so many bytes; *length of them, NULL:
 * nothing. */
static const uint8_t *counted_at(const struct exchange_record_side *side,
                                 const struct exchange_holder *root, int pointer, uint32_t each,
                                 uint64_t *length)
{
    int counter = root->structure->members[pointer].counter;
    if (counter < 0)
        return NULL;
    *length = number_in(root, counter);
    return wcts_message_at(side->bytes, side->size, number_in(root, pointer), *length, each);
}

const uint8_t *wcts_exchange_data(const struct wcts_exchange_view *trace, int record, bool reply,
                                  const char *member, uint64_t *length)
{
    const struct exchange_record_side side = record_side_of(trace, record, reply);
    int index =
        side.structure < 0 ? -1 : wcts_model_spec_member(trace->spec, side.structure, member);
    struct exchange_holder root;
    *length = 0;
    if (index < 0 || !side.bytes)
        return NULL;
    root = root_of(trace, &side);
    return root.bytes ? counted_at(&side, &root, index, 1, length) : NULL;
}

uint64_t wcts_exchange_meaning_in(const struct wcts_spec *spec, int structure,
                                  enum wcts_meaning meaning, const uint8_t *bytes)
{
    const struct wcts_member *member = wcts_model_meaning(&spec->structures[structure], meaning);
    return wcts_exchange_bytes_get(bytes + member->offset, member->width);
}

bool wcts_exchange_place(const struct wcts_exchange_view *trace, int record,
                         struct wcts_exchange_place *place)
{
    const struct wcts_message *message = message_at(trace, record);
    return message && message->shows == WCTS_SHOWS_PLACE && is_accepted(trace, record) &&
           wcts_exchange_meant(trace, record, false, WCTS_MEANS_ALLOCATION, &place->allocation) &&
           wcts_exchange_meant(trace, record, true, WCTS_MEANS_SEGMENT, &place->segment) &&
           wcts_exchange_meant(trace, record, true, WCTS_MEANS_SEGMENT_SIZE,
                               &place->segment_size) &&
           wcts_exchange_meant(trace, record, true, WCTS_MEANS_SIZE, &place->size);
}

bool wcts_exchange_memory(const struct wcts_exchange_view *trace, int record,
                          struct wcts_exchange_memory *memory)
{
    const struct wcts_message *message = message_at(trace, record);
    struct exchange_record_side side;
    struct exchange_holder root;
    if (!message || !(message->reads || message->writes) || message->range_count != 2 ||
        !is_accepted(trace, record) ||
        !wcts_exchange_meant(trace, record, false, WCTS_MEANS_SPACE, &memory->space) ||
        !wcts_exchange_member(trace, record, message->range[0], false, 0, &memory->address) ||
        !wcts_exchange_member(trace, record, message->range[1], false, 0, &memory->length))
        return false;
    memory->write = message->writes;
    memory->bytes = NULL;
    side = record_side_of(trace, record, message->reads);
    root = side.bytes ? root_of(trace, &side) : (struct exchange_holder){0};
    if (root.bytes && root.structure->means[WCTS_MEANS_DATA] > 0)
        memory->bytes = counted_at(&side, &root, root.structure->means[WCTS_MEANS_DATA] - 1, 1,
                                   &memory->length);
    return memory->bytes != NULL;
}

bool wcts_exchange_transfer(const struct wcts_exchange_view *trace, int record,
                            struct wcts_exchange_transfer *transfer)
{
    uint64_t operation;
    return wcts_exchange_meant(trace, record, false, WCTS_MEANS_TRANSFER, &operation) &&
           operation == WCTS_PAGING_TRANSFER &&
           wcts_exchange_meant(trace, record, false, WCTS_MEANS_ALLOCATION,
                               &transfer->allocation) &&
           wcts_exchange_meant(trace, record, false, WCTS_MEANS_SOURCE, &transfer->source) &&
           wcts_exchange_meant(trace, record, false, WCTS_MEANS_DESTINATION,
                               &transfer->destination) &&
           wcts_exchange_meant(trace, record, false, WCTS_MEANS_SIZE, &transfer->size);
}

struct wcts_page_shown *wcts_exchange_pages(const struct wcts_exchange_view *trace, int record,
                                            uint32_t *count)
{
    const struct wcts_message *message = message_at(trace, record);
    const struct exchange_record_side side = record_side_of(trace, record, true);
    struct exchange_holder root = {0};
    struct wcts_page_shown *pages = NULL;
    const uint8_t *bytes;
    uint64_t length = 0;
    int pointer, page;
    uint32_t each;
    if (message && message->shows == WCTS_SHOWS_PAGES && is_accepted(trace, record) && side.bytes)
        root = root_of(trace, &side);
    if (!root.bytes)
        return NULL;
    pointer = root.structure->pointers[0];
    page = root.structure->members[pointer].element_of[0];
    each = trace->spec->structures[page].size;
    bytes = counted_at(&side, &root, pointer, each, &length);
    pages = bytes ? calloc(length, sizeof *pages) : NULL;
    for (uint64_t i = 0; pages && i < length; i++)
        for (int m = 0; m < WCTS_PAGE_MEANINGS; m++)
            pages[i].of[m] =
                wcts_exchange_meaning_in(trace->spec, page, (enum wcts_meaning)m, bytes + i * each);
    *count = (uint32_t)length;
    return pages;
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
    int structure = wcts_model_shown_structure(trace->spec, WCTS_SHOWS_SEGMENTS);
    struct wcts_exchange_cursor cursor;
    return structure >= 0 && find_segment(trace, before, id, &cursor)
               ? wcts_exchange_find_in(trace, cursor, structure, true)
               : NULL;
}

bool wcts_exchange_base(const struct wcts_exchange_view *trace, int before, uint64_t id,
                        uint64_t *base)
{
    int structure = wcts_model_shown_structure(trace->spec, WCTS_SHOWS_SEGMENTS);
    const uint8_t *at = wcts_exchange_segment(trace, before, id);
    if (at)
        *base = wcts_exchange_meaning_in(trace->spec, structure, WCTS_MEANS_BASE, at);
    return at != NULL;
}

uint32_t wcts_exchange_buffer_space(const struct wcts_exchange_view *trace, int before,
                                    uint64_t context, uint32_t segment)
{
    for (int i = before - 1; i >= 0 && segment != 0; i--) {
        uint64_t adapter, given;
        if (wcts_exchange_meant(trace, i, false, WCTS_MEANS_ADAPTER, &adapter) &&
            wcts_succeeded(trace->exchange->records[i].status) &&
            wcts_exchange_meant(trace, i, true, WCTS_MEANS_CONTEXT, &given) && given == context)
            return segment | WCTS_SPACE((uint32_t)adapter, 0);
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
            if (bytes && member->type == WCTS_TYPE_HANDLE &&
                known_value(trace, &side, bytes, structure, member, &ended) && ended == handle)
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
