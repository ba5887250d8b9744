/* SPDX-License-Identifier: MIT */
/* Recording: calls a party, checks its reply and keeps both messages. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

/* Bytes of all messages of a case, all of which are kept until it is judged. */
#define MEBIBYTES_MAX 256

void wcts_exchange_reset(struct wcts_exchange *exchange)
{
    for (int i = 0; i < exchange->count; i++) {
        free(exchange->records[i].request);
        free(exchange->records[i].reply);
        free(exchange->records[i].request_known);
        free(exchange->records[i].reply_known);
    }
    exchange->count = 0;
    exchange->log[0] = 0;
    exchange->depth = 0;
    exchange->in_call = 0;
    exchange->bytes = 0;
    exchange->quiet = false;
    exchange->breach[0] = 0;
    exchange->breach_kind = WCTS_BREACH_NONE;
}

void wcts_exchange_breach(struct wcts_exchange *exchange, enum wcts_exchange_breach kind,
                          const char *format, ...)
{
    va_list arguments;
    if (exchange->breach_kind != WCTS_BREACH_NONE)
        return;
    exchange->breach_kind = kind;
    va_start(arguments, format);
    vsnprintf(exchange->breach, sizeof exchange->breach, format, arguments);
    va_end(arguments);
}

int wcts_exchange_last_call(const struct wcts_exchange *exchange)
{
    int index = exchange->count - 1;
    while (index > 0 && (exchange->records[index].depth != 0 || exchange->records[index].between))
        index--;
    return index < 0 ? 0 : index;
}

int wcts_exchange_count_calls(const struct wcts_exchange *exchange, int end, uint32_t operation)
{
    int count = 0;
    for (int i = 0; i < end; i++)
        count += exchange->records[i].depth == 0 && exchange->records[i].operation == operation;
    return count;
}

const struct wcts_exchange_record *wcts_exchange_cause(const struct wcts_exchange *exchange,
                                                       int call)
{
    const struct wcts_exchange_record *records = exchange->records, *cause = &records[call];
    for (int i = call + 1; i < exchange->count && records[i].depth > records[call].depth; i++)
        if (records[i].operation >> 8 == WCTS_DRIVER_INFO >> 8 &&
            !wcts_succeeded(records[i].status))
            cause = &records[i];
    return cause;
}

void wcts_exchange_release(struct wcts_exchange *exchange)
{
    wcts_exchange_reset(exchange);
    free(exchange->records);
    free(exchange->blocks);
    *exchange = (struct wcts_exchange){0};
}

static uint8_t *copy_recorded(const void *bytes, uint32_t size)
{
    uint8_t *made = malloc((size_t)size + 1);
    if (made && size)
        memcpy(made, bytes, size);
    return made;
}

/* True for a call of the suite itself. */
static bool is_own_call(const struct wcts_exchange *exchange)
{
    return exchange->depth == 0 && !exchange->between;
}

/* True if one record was too much already: what follows is not stored. */
static bool was_too_much(const struct wcts_exchange *exchange)
{
    return (!is_own_call(exchange) && exchange->in_call > WCTS_MESSAGES_MAX) ||
           exchange->bytes > (uint64_t)MEBIBYTES_MAX << 20;
}

/* True if one more record is too much. A record without content takes memory too. */
static bool is_too_much(struct wcts_exchange *exchange, uint32_t operation, uint32_t request_size)
{
    if (is_own_call(exchange))
        exchange->in_call = 0;
    exchange->in_call += exchange->in_call <= WCTS_MESSAGES_MAX;
    exchange->bytes += sizeof *exchange->records + request_size;
    if (exchange->in_call > WCTS_MESSAGES_MAX)
        wcts_exchange_breach(exchange, WCTS_BREACH_ENDLESS,
                             "more than %u in a call, the last one %s", WCTS_MESSAGES_MAX,
                             wcts_operation_name(operation));
    else if (exchange->bytes > (uint64_t)MEBIBYTES_MAX << 20)
        wcts_exchange_breach(exchange, WCTS_BREACH_ENDLESS,
                             "more than %d MiB in a case, the last one %s", MEBIBYTES_MAX,
                             wcts_operation_name(operation));
    else
        return false;
    return true;
}

static int fail_recording(struct wcts_exchange *exchange)
{
    wcts_exchange_breach(exchange, WCTS_BREACH_NO_MEMORY, "no memory for another message");
    return -1;
}

/* ---- blocks ---- */

#define BLOCK 64

static void note_in_block(struct wcts_exchange *exchange, int index)
{
    struct wcts_operations *block = &exchange->blocks[index / BLOCK];
    uint32_t operation = exchange->records[index].operation, party = operation >> 8;
    if (index % BLOCK == 0)
        *block = (struct wcts_operations){{0}};
    if (party < WCTS_PARTIES && (operation & 255) < WCTS_PARTY_OPERATIONS)
        block->of[party] |= UINT64_C(1) << (operation & 255);
}

static bool have_common(const struct wcts_operations *one, const struct wcts_operations *other)
{
    uint64_t common = 0;
    for (int i = 0; i < WCTS_PARTIES; i++)
        common |= one->of[i] & other->of[i];
    return common != 0;
}

int wcts_exchange_back(const struct wcts_exchange *exchange, const struct wcts_operations *set,
                       int from)
{
    while (from >= 0) {
        int first = from - from % BLOCK;
        if (!exchange->blocks || have_common(&exchange->blocks[first / BLOCK], set))
            for (int i = from; i >= first; i--)
                if (wcts_model_operations_have(set, exchange->records[i].operation))
                    return i;
        from = first - 1;
    }
    return -1;
}

/* Doubles the room. False without memory. */
static bool grow_exchange(struct wcts_exchange *exchange)
{
    int room = exchange->room ? exchange->room * 2 : BLOCK;
    struct wcts_exchange_record *more = realloc(exchange->records, (size_t)room * sizeof *more);
    bool begun = exchange->blocks != NULL;
    if (!more)
        return false;
    exchange->records = more;
    if (room > BLOCK) {
        struct wcts_operations *blocks =
            realloc(exchange->blocks, (size_t)room / BLOCK * sizeof *blocks);
        if (!blocks)
            return false;
        exchange->blocks = blocks;
    }
    for (int i = 0; exchange->blocks && !begun && i < exchange->count; i++)
        note_in_block(exchange, i);
    exchange->room = room;
    return true;
}

/* ---- records ---- */

/* Returns the index of a new record, -1 without memory. */
static int begin_record(struct wcts_exchange *exchange, uint32_t operation, const void *request,
                        uint32_t request_size)
{
    struct wcts_exchange_record *record;
    if (is_too_much(exchange, operation, request_size))
        return -1;
    if (exchange->count == exchange->room && !grow_exchange(exchange))
        return fail_recording(exchange);
    record = &exchange->records[exchange->count];
    *record = (struct wcts_exchange_record){.operation = operation,
                                            .depth = exchange->depth,
                                            .between = exchange->between,
                                            .request_size = request_size,
                                            .request = copy_recorded(request, request_size)};
    if (!record->request)
        return fail_recording(exchange);
    if (exchange->blocks)
        note_in_block(exchange, exchange->count);
    return exchange->count++;
}

static void breach_of_size(struct wcts_exchange *exchange, uint32_t operation, const char *what,
                           uint32_t found, uint32_t expected)
{
    wcts_exchange_breach(exchange, WCTS_BREACH_PROTOCOL, "%s: %s %u, expected %u",
                         wcts_operation_name(operation), what, found, expected);
}

/* A reply of a plug-in that was built when its struct had fewer members: what is behind its end is
 * 0. Its arrays may be where the members since are: who reads one of these looks at the size. */
static void complete_reply(uint32_t operation, uint8_t *reply, uint32_t *reply_size,
                           uint32_t reply_room)
{
    uint32_t whole = wcts_reply_size(operation), own = 0;
    if (*reply_size >= whole || whole > reply_room || *reply_size < wcts_reply_least(operation))
        return;
    memcpy(&own, reply, sizeof own);
    if (own > *reply_size)
        return;
    memset(reply + *reply_size, 0, whole - *reply_size);
    *reply_size = whole;
}

/* A successful reply holds at least its own struct and no more than the room for it. */
static bool check_reply_size(struct wcts_exchange *exchange, uint32_t operation, const void *reply,
                             uint32_t reply_size, uint32_t reply_room)
{
    uint32_t least = wcts_reply_size(operation), own = 0;
    if (reply_size > reply_room) {
        breach_of_size(exchange, operation, "reply_size beyond the room:", reply_size, reply_room);
        return false;
    }
    if (least == sizeof(struct wcts_none) && reply_size == 0)
        return true;
    if (reply_size < least) {
        breach_of_size(exchange, operation, "reply too short:", reply_size, least);
        return false;
    }
    memcpy(&own, reply, sizeof own);
    if (own < wcts_reply_least(operation) || own > reply_size) {
        breach_of_size(exchange, operation, "the reply's size member is", own, least);
        return false;
    }
    return true;
}

/* The same call without a record: of a sweep only the answers count. */
static wcts_status quiet_call(struct wcts_exchange *exchange, wcts_call_fn *call, void *ctx,
                              uint32_t operation, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    uint32_t answered = 0, before;
    wcts_status status;
    if (is_own_call(exchange))
        exchange->in_call = 0;
    if (++exchange->in_call > WCTS_MESSAGES_MAX) {
        wcts_exchange_breach(exchange, WCTS_BREACH_ENDLESS,
                             "more than %u in a call, the last one %s", WCTS_MESSAGES_MAX,
                             wcts_operation_name(operation));
        return WCTS_STATUS_NO_MEMORY;
    }
    exchange->depth++;
    before = wcts_exchange_pulse_enter(exchange->pulse, operation);
    status = call(ctx, operation, request, request_size, reply, reply_room, &answered);
    wcts_exchange_pulse_leave(exchange->pulse, before);
    exchange->depth--;
    if (wcts_succeeded(status))
        complete_reply(operation, reply, &answered, reply_room);
    if (wcts_succeeded(status) &&
        !check_reply_size(exchange, operation, reply, answered, reply_room))
        status = WCTS_STATUS_NOT_SUPPORTED;
    if (reply_size)
        *reply_size = wcts_succeeded(status) ? answered : 0;
    return status;
}

wcts_status wcts_exchange_recorded_call(struct wcts_exchange *exchange, wcts_call_fn *call,
                                        void *ctx, uint32_t operation, const void *request,
                                        uint32_t request_size, void *reply, uint32_t reply_room,
                                        uint32_t *reply_size)
{
    bool reads = wcts_exchange_stream_reads(exchange->stream);
    uint32_t answered = 0, before;
    wcts_status status = WCTS_STATUS_SUCCESS;
    int index;
    if (exchange->quiet)
        return quiet_call(exchange, call, ctx, operation, request, request_size, reply, reply_room,
                          reply_size);
    if (!was_too_much(exchange))
        wcts_exchange_stream_request(exchange->stream, is_own_call(exchange), operation, request,
                                     request_size, reply_room);
    index = begin_record(exchange, operation, request, request_size);
    if (index < 0)
        return WCTS_STATUS_NO_MEMORY;
    exchange->depth++;
    before = wcts_exchange_pulse_enter(exchange->pulse, operation);
    if (!reads)
        status = call(ctx, operation, request, request_size, reply, reply_room, &answered);
    status = wcts_exchange_stream_answer(exchange->stream, operation, status, reply, reply_room,
                                         &answered);
    wcts_exchange_pulse_leave(exchange->pulse, before);
    exchange->depth--;
    exchange->records[index].status = status;
    if (wcts_succeeded(status))
        complete_reply(operation, reply, &answered, reply_room);
    if (wcts_succeeded(status) &&
        !check_reply_size(exchange, operation, reply, answered, reply_room))
        status = WCTS_STATUS_NOT_SUPPORTED;
    if (!wcts_succeeded(status))
        answered = 0;
    exchange->bytes += answered;
    exchange->records[index].reply = copy_recorded(reply, answered);
    exchange->records[index].reply_size = exchange->records[index].reply ? answered : 0;
    if (!exchange->records[index].reply)
        fail_recording(exchange);
    if (reply_size)
        *reply_size = answered;
    return status;
}
