/* SPDX-License-Identifier: MIT */
/* What the files behind trace.h share: trace.c finds a structure in a record, trace_shown.c reads
 * what calls show and move, trace_given.c knows which record gave a handle or address, and
 * trace_path.c goes along paths from record to record. Not for others. */
#ifndef WCTS_TRACE_PARTS_H
#define WCTS_TRACE_PARTS_H

#include "bytes.h"
#include "partial.h"
#include "trace.h"

/* The request or the reply of a record. */
struct wcts_exchange_side {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t at;   /* offset of its structure */
    int structure; /* -1: it has none */
    int record;
    bool reply;
    bool found; /* one of its elements is looked for: how many there are does not matter */
};

static inline const struct wcts_message *
wcts_exchange_message_at(const struct wcts_exchange_view *trace, int index)
{
    return wcts_exchange_message_of(trace->spec, trace->exchange->records[index].operation);
}

static inline struct wcts_exchange_side
wcts_exchange_side_of(const struct wcts_exchange_view *trace, int index, bool reply)
{
    const struct wcts_exchange_record *record = &trace->exchange->records[index];
    const struct wcts_message *message = wcts_exchange_message_at(trace, index);
    if (!message)
        return (struct wcts_exchange_side){.structure = -1};
    if (reply)
        return (struct wcts_exchange_side){
            record->reply, record->reply_size, message->reply_at, message->reply, index, reply,
            false};
    return (struct wcts_exchange_side){record->request,
                                       record->request_size,
                                       message->request_at,
                                       message->request,
                                       index,
                                       reply,
                                       false};
}

/* True if something of the exchange is missing. */
static inline bool wcts_exchange_is_partial(const struct wcts_exchange_view *trace)
{
    return trace->exchange->partial && !trace->exchange->partial->whole;
}

/* True if a member of a structure at some place of the side is known; else it is noted. */
static inline bool wcts_exchange_knows_member(const struct wcts_exchange_view *trace,
                                              const struct wcts_exchange_side *side,
                                              const uint8_t *at, int structure,
                                              const struct wcts_member *member)
{
    struct wcts_ref ref = {structure, 0, -1};
    if (!wcts_exchange_is_partial(trace))
        return true;
    ref.member = (int)(member - trace->spec->structures[structure].members);
    return wcts_exchange_knows(trace->exchange, side->record, side->reply, at + member->offset,
                               trace->spec, ref);
}

/* The value of a member of a structure there; false if it is not known. */
static inline bool wcts_exchange_known_value(const struct wcts_exchange_view *trace,
                                             const struct wcts_exchange_side *side,
                                             const uint8_t *at, int structure,
                                             const struct wcts_member *member, uint64_t *value)
{
    *value = wcts_exchange_bytes_get(at + member->offset, member->width);
    return wcts_exchange_knows_member(trace, side, at, structure, member);
}

/* True if the record was accepted; if its status is not known that is noted. */
static inline bool wcts_exchange_is_accepted(const struct wcts_exchange_view *trace, int index)
{
    wcts_status status = trace->exchange->records[index].status;
    return wcts_exchange_knows_status(trace->exchange, index) && wcts_succeeded(status);
}

/* Notes it if messages with one of the operations may be missing behind a record up to another. */
static inline bool wcts_exchange_has_every(const struct wcts_exchange_view *trace, int from, int to,
                                           const struct wcts_operations *operations)
{
    return !wcts_exchange_is_partial(trace) ||
           wcts_exchange_has_all(trace->exchange, trace->spec, from, to, operations);
}

static inline const struct wcts_member *
wcts_exchange_pointer_of(const struct wcts_structure *structure, int n)
{
    return &structure->members[structure->pointers[n]];
}

/* The structure of the elements behind a pointer, -1: there are none, or of several. */
static inline int wcts_exchange_only_element(const struct wcts_member *pointer)
{
    return pointer->element_of_count == 1 ? pointer->element_of[0] : -1;
}

/* A structure in a message that may hold pointers. */
struct wcts_exchange_holder {
    const uint8_t *bytes;
    const struct wcts_structure *structure;
    int index; /* of the structure */
};

static inline uint64_t wcts_exchange_number_in(const struct wcts_exchange_holder *holder,
                                               int member)
{
    const struct wcts_member *of = &holder->structure->members[member];
    return wcts_exchange_bytes_get(holder->bytes + of->offset, of->width);
}

/* The root structure of a side; bytes NULL if it is cut off. */
static inline struct wcts_exchange_holder
wcts_exchange_root_of(const struct wcts_exchange_view *trace, const struct wcts_exchange_side *side)
{
    const struct wcts_structure *root = &trace->spec->structures[side->structure];
    bool whole = (uint64_t)side->at + root->size <= side->size;
    return (struct wcts_exchange_holder){whole ? side->bytes + side->at : NULL, root,
                                         side->structure};
}

/* ---- trace_shown.c ---- */

/* The descriptor of a segment: that of its adapter, in the order in which these were started. */
bool wcts_exchange_find_segment(const struct wcts_exchange_view *trace, int before, uint64_t id,
                                struct wcts_exchange_cursor *cursor);

/* ---- trace_given.c ---- */

/* The last call up to this one that returned a handle or address, and that has the next structure
 * of the path. */
bool wcts_exchange_find_maker(const struct wcts_exchange_view *trace, int before,
                              enum wcts_member_type type, uint64_t value,
                              const struct wcts_lang_ref *next,
                              struct wcts_exchange_cursor *cursor);

#endif
