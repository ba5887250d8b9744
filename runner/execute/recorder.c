/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/* A call takes some dozens of messages; a plug-in that sends without end is stopped here. A case
 * may be a long walk of which records are kept or not: how many are kept must not matter. */
#define RECORDS_MAX 10000
#define MEBIBYTES_MAX 256

void wcts_exchange_forget(struct wcts_exchange *exchange)
{
    for (int i = 0; i < exchange->count; i++) {
        free(exchange->records[i].request);
        free(exchange->records[i].reply);
    }
    exchange->count = 0;
    exchange->log[0] = 0;
}

void wcts_exchange_reset(struct wcts_exchange *exchange)
{
    wcts_exchange_forget(exchange);
    exchange->depth = 0;
    exchange->in_call = 0;
    exchange->bytes = 0;
    exchange->breach[0] = 0;
}

void wcts_exchange_release(struct wcts_exchange *exchange)
{
    wcts_exchange_reset(exchange);
    free(exchange->records);
    *exchange = (struct wcts_exchange){0};
}

static uint8_t *copy(const void *bytes, uint32_t size)
{
    uint8_t *made = malloc((size_t)size + 1);
    if (made && size)
        memcpy(made, bytes, size);
    return made;
}

/* Whether one more record is too much. A record without content takes memory, too. */
static bool is_too_much(struct wcts_exchange *exchange, uint32_t request_size)
{
    if (exchange->depth == 0 && !exchange->between)
        exchange->in_call = 0;
    exchange->in_call += exchange->in_call <= RECORDS_MAX;
    exchange->bytes += sizeof *exchange->records + request_size;
    if (exchange->in_call <= RECORDS_MAX && exchange->bytes <= (uint64_t)MEBIBYTES_MAX << 20)
        return false;
    if (exchange->breach[0] == 0 && exchange->in_call > RECORDS_MAX)
        snprintf(exchange->breach, sizeof exchange->breach, "more than %d messages in a call",
                 RECORDS_MAX);
    else if (exchange->breach[0] == 0)
        snprintf(exchange->breach, sizeof exchange->breach,
                 "more than %d MiB of messages in a case", MEBIBYTES_MAX);
    return true;
}

/* Returns the index of a new record, -1 without memory. */
static int begin(struct wcts_exchange *exchange, uint32_t operation, const void *request,
                 uint32_t request_size)
{
    struct wcts_record *record;
    if (is_too_much(exchange, request_size))
        return -1;
    if (exchange->count == exchange->room) {
        int room = exchange->room ? exchange->room * 2 : 64;
        struct wcts_record *more = realloc(exchange->records, (size_t)room * sizeof *more);
        if (!more)
            return -1;
        exchange->records = more;
        exchange->room = room;
    }
    record = &exchange->records[exchange->count];
    *record = (struct wcts_record){.operation = operation,
                                   .depth = exchange->depth,
                                   .request_size = request_size,
                                   .request = copy(request, request_size)};
    return record->request ? exchange->count++ : -1;
}

static void breach(struct wcts_exchange *exchange, uint32_t operation, const char *what,
                   uint32_t found, uint32_t expected)
{
    if (exchange->breach[0] == 0)
        snprintf(exchange->breach, sizeof exchange->breach, "%s: %s %u, expected %u",
                 wcts_operation_name(operation), what, found, expected);
}

/* A successful reply holds at least its own struct and no more than there was room for. */
static bool check_reply(struct wcts_exchange *exchange, uint32_t operation, const void *reply,
                        uint32_t reply_size, uint32_t reply_room)
{
    uint32_t least = wcts_reply_size(operation), own = 0;
    if (reply_size > reply_room) {
        breach(exchange, operation, "reply_size beyond the room:", reply_size, reply_room);
        return false;
    }
    if (least == sizeof(struct wcts_none) && reply_size == 0)
        return true;
    if (reply_size < least) {
        breach(exchange, operation, "reply too short:", reply_size, least);
        return false;
    }
    memcpy(&own, reply, sizeof own);
    if (own < least || own > reply_size) {
        breach(exchange, operation, "the reply's size member is", own, least);
        return false;
    }
    return true;
}

wcts_status wcts_recorded_call(struct wcts_exchange *exchange, wcts_call_fn *call, void *ctx,
                               uint32_t operation, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    int index = begin(exchange, operation, request, request_size);
    uint32_t answered = 0;
    wcts_status status;
    if (index < 0)
        return WCTS_STATUS_NO_MEMORY;
    exchange->depth++;
    status = call(ctx, operation, request, request_size, reply, reply_room, &answered);
    exchange->depth--;
    exchange->records[index].status = status;
    if (wcts_succeeded(status) && !check_reply(exchange, operation, reply, answered, reply_room))
        status = WCTS_STATUS_NOT_SUPPORTED;
    if (!wcts_succeeded(status))
        answered = 0;
    exchange->bytes += answered;
    exchange->records[index].reply = copy(reply, answered);
    exchange->records[index].reply_size = exchange->records[index].reply ? answered : 0;
    if (reply_size)
        *reply_size = answered;
    return status;
}

/* ---- In words ---- */

void wcts_status_text(wcts_status status, char *text, size_t room)
{
    static const struct {
        wcts_status status;
        const char *name;
    } names[] = {
        {WCTS_STATUS_SUCCESS, "SUCCESS"},
        {WCTS_STATUS_PENDING, "PENDING"},
        {WCTS_STATUS_NOT_IMPLEMENTED, "NOT_IMPLEMENTED"},
        {WCTS_STATUS_INVALID_HANDLE, "INVALID_HANDLE"},
        {WCTS_STATUS_INVALID_PARAMETER, "INVALID_PARAMETER"},
        {WCTS_STATUS_NO_MEMORY, "NO_MEMORY"},
        {WCTS_STATUS_ACCESS_DENIED, "ACCESS_DENIED"},
        {WCTS_STATUS_BUFFER_TOO_SMALL, "BUFFER_TOO_SMALL"},
        {WCTS_STATUS_INSUFFICIENT_RESOURCES, "INSUFFICIENT_RESOURCES"},
        {WCTS_STATUS_NOT_SUPPORTED, "NOT_SUPPORTED"},
        {WCTS_STATUS_DEVICE_REMOVED, "DEVICE_REMOVED"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status) {
            snprintf(text, room, "%s (0x%08X)", names[i].name, (unsigned)status);
            return;
        }
    snprintf(text, room, "0x%08X", (unsigned)status);
}

static void print_flags(FILE *out, const struct wcts_word *word, uint64_t value)
{
    const char *separator = " = ";
    for (int i = 0; i < word->flag_count; i++) {
        if (!(value >> word->flags[i].bit & 1))
            continue;
        fprintf(out, "%s%s", separator, word->flags[i].name);
        separator = " | ";
    }
}

/* A message as it is printed: which of its bytes have been shown by name. */
struct printing {
    FILE *out;
    const struct wcts_spec *spec;
    const uint8_t *bytes;
    uint64_t size;
    int depth;
};

static void print_elements(const struct printing *printing, const struct wcts_structure *holder,
                           uint64_t at, const struct wcts_member *pointer, int indent);

static void print_member(const struct printing *printing, const struct wcts_structure *structure,
                         uint64_t at, const struct wcts_member *member, int indent)
{
    uint64_t value = wcts_bytes_get(printing->bytes + at + member->offset, member->width);
    fprintf(printing->out, "%*s%s.%s 0x%" PRIx64, indent, "", structure->name, member->name, value);
    if (member->word >= 0)
        print_flags(printing->out, &printing->spec->words[member->word], value);
    fputc('\n', printing->out);
    if (member->elements && printing->depth < 3)
        print_elements(printing, structure, at, member, indent + 2);
}

/* The members that are not 0, of a structure that begins at a byte of the message. */
static void print_structure(const struct printing *printing, int index, uint64_t at, int indent)
{
    const struct wcts_structure *structure = &printing->spec->structures[index];
    uint32_t last = UINT32_MAX;
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        if (at > printing->size || member->offset + member->width > printing->size - at ||
            member->offset == last ||
            wcts_bytes_get(printing->bytes + at + member->offset, member->width) == 0)
            continue;
        last = member->offset;
        print_member(printing, structure, at, member, indent);
    }
}

/* The n-th name of a list, -1 when it has none so far in. */
static int nth_structure(const struct wcts_spec *spec, const char *names, uint64_t n)
{
    char name[96];
    int taken;
    while (sscanf(names, " %95s%n", name, &taken) == 1) {
        if (n-- == 0)
            return wcts_spec_structure(spec, name);
        names += taken;
    }
    return -1;
}

static int element_structure(const struct printing *printing, const char *names, uint64_t at)
{
    bool several = strchr(names, ' ') != NULL;
    return nth_structure(printing->spec, names,
                         several ? wcts_bytes_get(printing->bytes + at, 4) : 0);
}

static void print_elements(const struct printing *printing, const struct wcts_structure *holder,
                           uint64_t at, const struct wcts_member *pointer, int indent)
{
    struct printing deeper = *printing;
    uint64_t offset = wcts_bytes_get(printing->bytes + at + pointer->offset, pointer->width);
    uint64_t count = pointer->count ? 0 : 1;
    deeper.depth++;
    for (int i = 0; pointer->count && i < holder->member_count; i++)
        if (strcmp(holder->members[i].name, pointer->count) == 0)
            count = wcts_bytes_get(printing->bytes + at + holder->members[i].offset,
                                   holder->members[i].width);
    for (uint64_t i = 0; i < count && i < 64; i++) {
        int index = offset + 4 <= printing->size
                        ? element_structure(printing, pointer->elements, offset)
                        : -1;
        if (index < 0 || printing->spec->structures[index].size > printing->size - offset) {
            fprintf(printing->out, "%*s(outside the message)\n", indent, "");
            return;
        }
        fprintf(printing->out, "%*s[%" PRIu64 "]\n", indent, "", i);
        print_structure(&deeper, index, offset, indent + 2);
        offset += printing->spec->structures[index].size;
    }
}

const struct wcts_message *wcts_message_of(const struct wcts_spec *spec, uint32_t operation)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].operation == operation)
            return &spec->messages[i];
    return NULL;
}

static void print_side(FILE *out, const struct wcts_spec *spec, int structure, uint32_t at,
                       const uint8_t *bytes, uint32_t size, int indent)
{
    /* Offsets in a message count from its start; a structure inside it is counted from there. */
    struct printing printing = {out, spec, bytes, size, 0};
    if (structure >= 0 && size > at)
        print_structure(&printing, structure, at, indent);
}

static void print_record(FILE *out, const struct wcts_spec *spec, const struct wcts_record *record,
                         int left)
{
    const struct wcts_message *message = wcts_message_of(spec, record->operation);
    int indent = left + 2 * record->depth + 4;
    char status[64];
    wcts_status_text(record->status, status, sizeof status);
    fprintf(out, "%*s%s -> %s\n", indent - 4, "", wcts_operation_name(record->operation), status);
    if (!message)
        return;
    print_side(out, spec, message->request, message->request_at, record->request,
               record->request_size, indent);
    if (message->reply < 0 || record->reply_size <= message->reply_at)
        return;
    fprintf(out, "%*sanswer:\n", indent - 2, "");
    print_side(out, spec, message->reply, message->reply_at, record->reply, record->reply_size,
               indent);
}

void wcts_exchange_print(FILE *out, const struct wcts_spec *spec,
                         const struct wcts_exchange *exchange, int indent)
{
    for (int i = 0; i < exchange->count; i++)
        print_record(out, spec, &exchange->records[i], indent);
    if (exchange->log[0])
        fprintf(out, "%*slog: %s\n", indent, "", exchange->log);
}
