/* SPDX-License-Identifier: MIT */
/* Checks of the implementation's messages: each array is inside its message, none that a reply
 * counts is missing, and a request has the size that it states (recorder.c checks that of a
 * reply). */
#include <inttypes.h>
#include <string.h>

#include "session.h"

/* Arrays in elements of arrays, no deeper. */
#define DEPTH_MAX 3

struct machine_bounds {
    struct wcts_exchange *exchange;
    const struct wcts_spec *spec;
    const char *operation;
    const uint8_t *bytes;
    uint32_t size;
    bool reply;
    const char *ignored; /* a member that is never read, or NULL */
};

static uint64_t member_at(const struct machine_bounds *bounds, uint64_t at,
                          const struct wcts_member *member)
{
    if (at + member->offset + member->width > bounds->size)
        return 0;
    return wcts_exchange_bytes_get(bounds->bytes + at + member->offset, member->width);
}

static bool is_inside(const struct machine_bounds *bounds, const struct wcts_structure *structure,
                      uint64_t at, int depth);

static bool array_is_inside(const struct machine_bounds *bounds,
                            const struct wcts_structure *structure, uint64_t at,
                            const struct wcts_member *member, int depth)
{
    const struct wcts_member *counter = &structure->members[member->counter];
    uint64_t offset = member_at(bounds, at, member);
    uint64_t count = member_at(bounds, at, counter);
    const struct wcts_structure *elements =
        member->least_element < 0 ? NULL : &bounds->spec->structures[member->least_element];
    uint32_t each = elements ? elements->size : 1;
    if (count == 0)
        return true;
    if (offset == 0 && bounds->reply && elements) {
        wcts_exchange_breach(bounds->exchange, WCTS_BREACH_PROTOCOL,
                             "%s: %s.%s is 0, expected the offset of an array: %s is %" PRIu64,
                             bounds->operation, structure->name, member->field, counter->name,
                             count);
        return false;
    }
    if (offset == 0)
        return true;
    if (!wcts_message_at(bounds->bytes, bounds->size, offset, count, each)) {
        wcts_exchange_breach(bounds->exchange, WCTS_BREACH_PROTOCOL,
                             "%s: %s.%s leads out of the message: offset 0x%" PRIx64 ", %s %" PRIu64
                             ", %u bytes each, in %u bytes",
                             bounds->operation, structure->name, member->field, offset,
                             counter->name, count, each, bounds->size);
        return false;
    }
    for (uint64_t i = 0; elements && depth < DEPTH_MAX && i < count; i++)
        if (!is_inside(bounds, elements, offset + i * each, depth + 1))
            return false;
    return true;
}

static bool is_inside(const struct machine_bounds *bounds, const struct wcts_structure *structure,
                      uint64_t at, int depth)
{
    for (int i = 0; i < structure->array_count; i++) {
        const struct wcts_member *member = &structure->members[structure->arrays[i]];
        bool read = !bounds->ignored || strcmp(bounds->ignored, member->name) != 0;
        if (read && !array_is_inside(bounds, structure, at, member, depth))
            return false;
    }
    return true;
}

/* True if a request holds at least its own struct. */
static bool is_whole_request(const struct machine_bounds *bounds, uint32_t operation)
{
    uint32_t least = wcts_request_size(operation), own = 0;
    if (bounds->size < least) {
        wcts_exchange_breach(bounds->exchange, WCTS_BREACH_PROTOCOL,
                             "%s: request too short: %u, expected %u", bounds->operation,
                             bounds->size, least);
        return false;
    }
    if (least != 0)
        memcpy(&own, bounds->bytes, sizeof own);
    if (own >= least && own <= bounds->size)
        return true;
    wcts_exchange_breach(bounds->exchange, WCTS_BREACH_PROTOCOL,
                         "%s: the request's size member is %u, expected %u", bounds->operation, own,
                         least);
    return false;
}

bool wcts_machine_bounds_check(struct wcts_exchange *exchange, const struct wcts_spec *spec,
                               uint32_t operation, bool reply, const void *bytes, uint32_t size)
{
    const struct wcts_message *message = wcts_exchange_message_of(spec, operation);
    const struct machine_bounds bounds = {.exchange = exchange,
                                          .spec = spec,
                                          .operation = wcts_operation_name(operation),
                                          .bytes = bytes,
                                          .size = size,
                                          .reply = reply,
                                          .ignored = message && !reply ? message->ignores : NULL};
    if (!reply && !is_whole_request(&bounds, operation))
        return false;
    int structure = message ? (reply ? message->reply : message->request) : -1;
    return structure < 0 || is_inside(&bounds, &spec->structures[structure],
                                      reply ? message->reply_at : message->request_at, 0);
}
