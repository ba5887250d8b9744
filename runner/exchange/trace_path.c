/* SPDX-License-Identifier: MIT */
/* Paths from record to record: by the handles, addresses and segments that their members name. */
#include "trace_parts.h"

/* True if the request has the handle in its root. */
static bool names_handle(const struct wcts_exchange_view *trace, int index, uint64_t value)
{
    struct wcts_exchange_side side = wcts_exchange_side_of(trace, index, false);
    struct wcts_exchange_holder root;
    if (side.structure < 0 || !side.bytes)
        return false;
    root = wcts_exchange_root_of(trace, &side);
    for (int i = 0; root.bytes && i < root.structure->member_count; i++) {
        const struct wcts_member *member = &root.structure->members[i];
        uint64_t named;
        if (member->type == WCTS_TYPE_HANDLE &&
            wcts_exchange_known_value(trace, &side, root.bytes, root.index, member, &named) &&
            named == value)
            return true;
    }
    return false;
}

/* Notes it if a report about a handle, or what takes its truth, may be missing behind a record. */
static void has_all_reports(const struct wcts_exchange_view *trace, int from, int before,
                            int structure)
{
    struct wcts_operations reporting = trace->spec->structures[structure].held_by;
    if (!wcts_exchange_is_partial(trace) || before == 0)
        return;
    for (int i = 0; i < trace->spec->messages_count; i++) {
        const struct wcts_message *message = &trace->spec->messages[i];
        const struct wcts_operations moving = wcts_model_operations_of(message->operation);
        for (int p = 0; message->driver && message->moves && p < WCTS_PARTIES; p++)
            reporting.of[p] |= moving.of[p];
    }
    wcts_exchange_has_every(trace, from, before, &reporting);
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
            wcts_exchange_side_of(trace, i, true).structure == next->structure &&
            wcts_exchange_is_accepted(trace, i) && names_handle(trace, i, value) &&
            wcts_exchange_find_in(trace, *cursor, next->structure, true))
            break;
    }
    has_all_reports(trace, i, before, next->structure);
    if (i < 0 || wcts_exchange_message_at(trace, i)->shows != WCTS_SHOWS_PLACE)
        return i >= 0;
    /* An allocation may be elsewhere once a driver moved something, whoever requested that. */
    while (++i < before) {
        const struct wcts_message *message = wcts_exchange_message_at(trace, i);
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
        if (wcts_exchange_is_partial(trace) && !knows_found(trace, cursor, bytes, step))
            return false;
        if (step->flag >= 0)
            *value = *value >> trace->spec->words[member->word].flags[step->flag].bit & 1;
        if (i + 1 == count)
            return true;
        if (member->type == WCTS_TYPE_SEGMENT) {
            if (!wcts_exchange_find_segment(trace, cursor.record + 1, *value, &cursor))
                return false;
        } else {
            int from = cursor.record;
            if (member->type == WCTS_TYPE_ADDRESS)
                *value -= trace->exchange->records[from].offset;
            if (!wcts_exchange_find_maker(trace, from, member->type, *value, step + 1, &cursor) &&
                (member->type != WCTS_TYPE_HANDLE ||
                 !find_report(trace, from, *value, step + 1, &cursor)))
                return false;
        }
    }
    return false;
}
