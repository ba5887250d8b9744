/* SPDX-License-Identifier: MIT */
/* Checks of the implementation's messages: each array is inside its message, none that a reply
 * counts is missing, and a request has the size that it states (recorder.c checks that of a
 * reply). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "session.h"

/* Arrays in elements of arrays, no deeper. */
#define DEPTH_MAX 3

struct bounds {
    struct wcts_exchange *exchange;
    const struct wcts_spec *spec;
    const char *operation;
    const uint8_t *bytes;
    uint32_t size;
    bool reply;
    const char *ignored; /* a member that is never read, or NULL */
};

static uint64_t member_at(const struct bounds *bounds, uint64_t at,
                          const struct wcts_member *member)
{
    if (at + member->offset + member->width > bounds->size)
        return 0;
    return wcts_exchange_bytes_get(bounds->bytes + at + member->offset, member->width);
}

/* The smallest structure of a list of names; NULL for bytes. */
static const struct wcts_structure *smallest(const struct wcts_spec *spec, const char *names)
{
    const struct wcts_structure *found = NULL;
    char name[96];
    int length;
    for (; names && sscanf(names, " %95s%n", name, &length) == 1; names += length) {
        int index = wcts_model_spec_structure(spec, name);
        if (index >= 0 && (!found || spec->structures[index].size < found->size))
            found = &spec->structures[index];
    }
    return found;
}

/* True if another version of the structure has the member under another name with smaller elements:
 * either may be meant. */
static bool has_smaller_twin(const struct bounds *bounds, const struct wcts_structure *structure,
                             const struct wcts_member *member, uint32_t each)
{
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *other = &structure->members[i];
        const struct wcts_structure *elements;
        if (other == member || other->offset != member->offset)
            continue;
        elements = smallest(bounds->spec, other->elements);
        if (elements && elements->size < each)
            return true;
    }
    return false;
}

static const struct wcts_member *count_of(const struct wcts_structure *structure,
                                          const struct wcts_member *member)
{
    for (int i = 0; i < structure->member_count; i++)
        if (strcmp(structure->members[i].name, member->count) == 0)
            return &structure->members[i];
    return NULL;
}

static bool is_inside(const struct bounds *bounds, const struct wcts_structure *structure,
                      uint64_t at, int depth);

static bool array_is_inside(const struct bounds *bounds, const struct wcts_structure *structure,
                            uint64_t at, const struct wcts_member *member, int depth)
{
    const struct wcts_member *counter = count_of(structure, member);
    uint64_t offset = member_at(bounds, at, member);
    uint64_t count = counter ? member_at(bounds, at, counter) : 0;
    const struct wcts_structure *elements =
        count > 0 ? smallest(bounds->spec, member->elements) : NULL;
    uint32_t each = elements ? elements->size : 1;
    if (count == 0 || has_smaller_twin(bounds, structure, member, each))
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

static bool is_inside(const struct bounds *bounds, const struct wcts_structure *structure,
                      uint64_t at, int depth)
{
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        bool read = !bounds->ignored || strcmp(bounds->ignored, member->name) != 0;
        if (member->count && read && !array_is_inside(bounds, structure, at, member, depth))
            return false;
    }
    return true;
}

/* True if a request holds at least its own struct. */
static bool is_whole_request(const struct bounds *bounds, uint32_t operation)
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
    const struct bounds bounds = {.exchange = exchange,
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
