/* SPDX-License-Identifier: MIT */
/* What calls show of places, pages and segments, and what they read, write and move. */
#include <stdlib.h>

#include "trace_parts.h"

/* The array that a pointer in a message's root points to: *length elements of that many bytes each.
 * NULL if the pointer has no counter, or the array is not within the message. */
static const uint8_t *counted_at(const struct wcts_exchange_side *side,
                                 const struct wcts_exchange_holder *root, int pointer,
                                 uint32_t each, uint64_t *length)
{
    int counter = root->structure->members[pointer].counter;
    if (counter < 0)
        return NULL;
    *length = wcts_exchange_number_in(root, counter);
    return wcts_message_at(side->bytes, side->size, wcts_exchange_number_in(root, pointer), *length,
                           each);
}

const uint8_t *wcts_exchange_data(const struct wcts_exchange_view *trace, int record, bool reply,
                                  const char *member, uint64_t *length)
{
    const struct wcts_exchange_side side = wcts_exchange_side_of(trace, record, reply);
    int index =
        side.structure < 0 ? -1 : wcts_model_spec_member(trace->spec, side.structure, member);
    struct wcts_exchange_holder root;
    *length = 0;
    if (index < 0 || !side.bytes)
        return NULL;
    root = wcts_exchange_root_of(trace, &side);
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
    const struct wcts_message *message = wcts_exchange_message_at(trace, record);
    return message && message->shows == WCTS_SHOWS_PLACE &&
           wcts_exchange_is_accepted(trace, record) &&
           wcts_exchange_meant(trace, record, false, WCTS_MEANS_ALLOCATION, &place->allocation) &&
           wcts_exchange_meant(trace, record, true, WCTS_MEANS_SEGMENT, &place->segment) &&
           wcts_exchange_meant(trace, record, true, WCTS_MEANS_SEGMENT_SIZE,
                               &place->segment_size) &&
           wcts_exchange_meant(trace, record, true, WCTS_MEANS_SIZE, &place->size);
}

bool wcts_exchange_memory(const struct wcts_exchange_view *trace, int record,
                          struct wcts_exchange_memory *memory)
{
    const struct wcts_message *message = wcts_exchange_message_at(trace, record);
    struct wcts_exchange_side side;
    struct wcts_exchange_holder root;
    if (!message || !(message->reads || message->writes) || message->range_count != 2 ||
        !wcts_exchange_is_accepted(trace, record) ||
        !wcts_exchange_meant(trace, record, false, WCTS_MEANS_SPACE, &memory->space) ||
        !wcts_exchange_member(trace, record, message->range[0], false, 0, &memory->address) ||
        !wcts_exchange_member(trace, record, message->range[1], false, 0, &memory->length))
        return false;
    memory->write = message->writes;
    memory->bytes = NULL;
    side = wcts_exchange_side_of(trace, record, message->reads);
    root = side.bytes ? wcts_exchange_root_of(trace, &side) : (struct wcts_exchange_holder){0};
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
    const struct wcts_message *message = wcts_exchange_message_at(trace, record);
    const struct wcts_exchange_side side = wcts_exchange_side_of(trace, record, true);
    struct wcts_exchange_holder root = {0};
    struct wcts_page_shown *pages = NULL;
    const uint8_t *bytes;
    uint64_t length = 0;
    int pointer, page;
    uint32_t each;
    if (message && message->shows == WCTS_SHOWS_PAGES && wcts_exchange_is_accepted(trace, record) &&
        side.bytes)
        root = wcts_exchange_root_of(trace, &side);
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

/* ---- segments ---- */

bool wcts_exchange_find_segment(const struct wcts_exchange_view *trace, int before, uint64_t id,
                                struct wcts_exchange_cursor *cursor)
{
    uint64_t adapter = id >> 16;
    if ((id & 0xFFFF) == 0)
        return false;
    for (int i = 0; i < before; i++) {
        const struct wcts_message *message = wcts_exchange_message_at(trace, i);
        struct wcts_operations showing;
        if (!message || message->shows != WCTS_SHOWS_SEGMENTS ||
            !wcts_exchange_is_accepted(trace, i))
            continue;
        showing = wcts_model_operations_of(message->operation);
        if (adapter-- == 0) {
            *cursor = (struct wcts_exchange_cursor){i, (int)(id & 0xFFFF) - 1};
            wcts_exchange_has_every(trace, -1, i, &showing);
            return true;
        }
    }
    for (int i = 0; i < trace->spec->messages_count; i++) {
        struct wcts_operations showing =
            wcts_model_operations_of(trace->spec->messages[i].operation);
        if (trace->spec->messages[i].shows == WCTS_SHOWS_SEGMENTS)
            wcts_exchange_has_every(trace, -1, before, &showing);
    }
    return false;
}

const uint8_t *wcts_exchange_segment(const struct wcts_exchange_view *trace, int before,
                                     uint64_t id)
{
    int structure = wcts_model_shown_structure(trace->spec, WCTS_SHOWS_SEGMENTS);
    struct wcts_exchange_cursor cursor;
    return structure >= 0 && wcts_exchange_find_segment(trace, before, id, &cursor)
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
