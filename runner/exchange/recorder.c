/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../machine/parts.h"

/* Bytes of all messages of a case, which are kept until it is judged. */
#define MEBIBYTES_MAX 256

/* One thread writes: no read-modify-write is needed, which would cost more than the rest. */
static void count_message(struct wcts_pulse *pulse)
{
    uint64_t messages = atomic_load_explicit(&pulse->messages, memory_order_relaxed);
    atomic_store_explicit(&pulse->messages, messages + 1, memory_order_relaxed);
}

static void leave_trail(struct wcts_pulse *pulse, uint32_t operation, uint32_t before)
{
    uint32_t begun = atomic_load_explicit(&pulse->begun, memory_order_relaxed);
    uint32_t inner = before != WCTS_ACTIVITY_NONE ? WCTS_TRAIL_INNER : 0;
    atomic_store_explicit(&pulse->trail[begun % WCTS_TRAIL_MAX], operation | inner,
                          memory_order_relaxed);
    atomic_store_explicit(&pulse->begun, begun + 1, memory_order_relaxed);
}

uint32_t wcts_pulse_enter(struct wcts_pulse *pulse, uint32_t operation)
{
    uint32_t before;
    if (!pulse)
        return WCTS_ACTIVITY_NONE;
    before = atomic_load_explicit(&pulse->operation, memory_order_relaxed);
    atomic_store_explicit(&pulse->operation, operation, memory_order_relaxed);
    leave_trail(pulse, operation, before);
    count_message(pulse);
    return before;
}

void wcts_pulse_leave(struct wcts_pulse *pulse, uint32_t before)
{
    if (!pulse)
        return;
    atomic_store_explicit(&pulse->operation, before, memory_order_relaxed);
    count_message(pulse);
}

void wcts_pulse_log(struct wcts_pulse *pulse, const char *log)
{
    size_t length = strlen(log);
    if (!pulse)
        return;
    if (length >= sizeof pulse->log)
        log += length - sizeof pulse->log + 1;
    snprintf(pulse->log, sizeof pulse->log, "%s", log);
}

void wcts_pulse_reset(struct wcts_pulse *pulse)
{
    atomic_store(&pulse->begun, 0);
}

char *wcts_pulse_trail(const struct wcts_pulse *pulse)
{
    uint32_t begun = atomic_load(&pulse->begun);
    uint32_t first = begun > WCTS_TRAIL_MAX ? begun - WCTS_TRAIL_MAX : 0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = begun > 0 ? open_memstream(&text, &size) : NULL;
    if (!out)
        return NULL;
    fputs("  messages:\n", out);
    if (first > 0)
        fputs("    ...\n", out);
    for (uint32_t i = first; i != begun; i++) {
        uint32_t entry = atomic_load(&pulse->trail[i % WCTS_TRAIL_MAX]);
        fprintf(out, "    %s%s\n", entry & WCTS_TRAIL_INNER ? "  " : "",
                wcts_activity_name(entry & ~WCTS_TRAIL_INNER));
    }
    fclose(out);
    return text;
}

const char *wcts_activity_name(uint32_t operation)
{
    switch (operation) {
    case WCTS_ACTIVITY_OPEN:
        return "open";
    case WCTS_ACTIVITY_CLOSE:
        return "close";
    default:
        return wcts_operation_name(operation);
    }
}

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
    exchange->breach_kind = WCTS_BREACH_NONE;
}

void wcts_exchange_breach(struct wcts_exchange *exchange, enum wcts_breach kind, const char *format,
                          ...)
{
    va_list arguments;
    if (exchange->breach_kind != WCTS_BREACH_NONE)
        return;
    exchange->breach_kind = kind;
    va_start(arguments, format);
    vsnprintf(exchange->breach, sizeof exchange->breach, format, arguments);
    va_end(arguments);
}

enum wcts_verdict wcts_breach_verdict(enum wcts_breach kind)
{
    static const enum wcts_verdict verdicts[] = {[WCTS_BREACH_NONE] = WCTS_VERDICT_PASS,
                                                 [WCTS_BREACH_PROTOCOL] = WCTS_VERDICT_CRASH,
                                                 [WCTS_BREACH_ENDLESS] = WCTS_VERDICT_TIMEOUT,
                                                 [WCTS_BREACH_NO_MEMORY] = WCTS_VERDICT_BROKEN};
    return verdicts[kind];
}

bool wcts_judge_breach(const struct wcts_exchange *exchange, struct wcts_result *result)
{
    static const char *const what[] = {[WCTS_BREACH_PROTOCOL] = "protocol",
                                       [WCTS_BREACH_ENDLESS] = "too many messages",
                                       [WCTS_BREACH_NO_MEMORY] = "the suite"};
    if (exchange->breach_kind == WCTS_BREACH_NONE)
        return false;
    wcts_result_set(result, wcts_breach_verdict(exchange->breach_kind), "%s: %s",
                    what[exchange->breach_kind], exchange->breach);
    return true;
}

const struct wcts_record *wcts_exchange_cause(const struct wcts_exchange *exchange, int call)
{
    const struct wcts_record *records = exchange->records, *cause = &records[call];
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
    *exchange = (struct wcts_exchange){0};
}

static uint8_t *copy(const void *bytes, uint32_t size)
{
    uint8_t *made = malloc((size_t)size + 1);
    if (made && size)
        memcpy(made, bytes, size);
    return made;
}

/* True if one more record is too much. A record without content takes memory, too. */
static bool is_too_much(struct wcts_exchange *exchange, uint32_t operation, uint32_t request_size)
{
    if (exchange->depth == 0 && !exchange->between)
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

static int no_memory(struct wcts_exchange *exchange)
{
    wcts_exchange_breach(exchange, WCTS_BREACH_NO_MEMORY, "no memory for another message");
    return -1;
}

/* Returns the index of a new record, -1 without memory. */
static int begin(struct wcts_exchange *exchange, uint32_t operation, const void *request,
                 uint32_t request_size)
{
    struct wcts_record *record;
    if (is_too_much(exchange, operation, request_size))
        return -1;
    if (exchange->count == exchange->room) {
        int room = exchange->room ? exchange->room * 2 : 64;
        struct wcts_record *more = realloc(exchange->records, (size_t)room * sizeof *more);
        if (!more)
            return no_memory(exchange);
        exchange->records = more;
        exchange->room = room;
    }
    record = &exchange->records[exchange->count];
    *record = (struct wcts_record){.operation = operation,
                                   .depth = exchange->depth,
                                   .between = exchange->between,
                                   .request_size = request_size,
                                   .request = copy(request, request_size)};
    return record->request ? exchange->count++ : no_memory(exchange);
}

static void breach(struct wcts_exchange *exchange, uint32_t operation, const char *what,
                   uint32_t found, uint32_t expected)
{
    wcts_exchange_breach(exchange, WCTS_BREACH_PROTOCOL, "%s: %s %u, expected %u",
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
    uint32_t answered = 0, before;
    wcts_status status;
    if (index < 0)
        return WCTS_STATUS_NO_MEMORY;
    exchange->depth++;
    before = wcts_pulse_enter(exchange->pulse, operation);
    status = call(ctx, operation, request, request_size, reply, reply_room, &answered);
    wcts_pulse_leave(exchange->pulse, before);
    exchange->depth--;
    exchange->records[index].status = status;
    if (wcts_succeeded(status) && !check_reply(exchange, operation, reply, answered, reply_room))
        status = WCTS_STATUS_NOT_SUPPORTED;
    if (!wcts_succeeded(status))
        answered = 0;
    exchange->bytes += answered;
    exchange->records[index].reply = copy(reply, answered);
    exchange->records[index].reply_size = exchange->records[index].reply ? answered : 0;
    if (!exchange->records[index].reply)
        no_memory(exchange);
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
