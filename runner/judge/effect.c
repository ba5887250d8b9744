/* SPDX-License-Identifier: MIT */
/* Judging effects from the record of a case: each form once. */
#include <inttypes.h>
#include <string.h>

#include "../model/test.h"
#include "check.h"
#include "judge.h"

/* ---- What the forms have in common ---- */

static const struct wcts_record *record_at(const struct wcts_looking *looking, int index)
{
    return &looking->trace.exchange->records[index];
}

static const struct wcts_operand *arg(const struct wcts_looking *looking,
                                      enum wcts_attribute attribute)
{
    return &looking->effect->arg[attribute];
}

static uint32_t operation_of(const struct wcts_looking *looking, enum wcts_attribute attribute)
{
    return looking->trace.spec->messages[arg(looking, attribute)->number].operation;
}

static enum wcts_seen breach(struct wcts_looking *looking, const char *what, uint32_t operation,
                             const char *expected)
{
    snprintf(looking->text, sizeof looking->text, "%s %s, expected %s", what,
             wcts_operation_name(operation), expected);
    return WCTS_BREACH;
}

static bool accepted(const struct wcts_record *record)
{
    return wcts_answer_of(record->status) == WCTS_ANSWER_ACCEPTED;
}

static bool refused(const struct wcts_record *record)
{
    return wcts_answer_of(record->status) == WCTS_ANSWER_REFUSED;
}

static enum wcts_seen answered(struct wcts_looking *looking, const struct wcts_record *record,
                               const char *expected)
{
    char status[64];
    wcts_status_text(record->status, status, sizeof status);
    snprintf(looking->text, sizeof looking->text, "%s answered %s, expected %s",
             wcts_operation_name(record->operation), status, expected);
    return WCTS_BREACH;
}

/* Whether a call of the operation was accepted anywhere: without one, a refusal proves nothing. */
static bool ever_accepted(const struct wcts_looking *looking, uint32_t operation)
{
    for (int i = 0; i < looking->trace.exchange->count; i++)
        if (record_at(looking, i)->operation == operation && accepted(record_at(looking, i)))
            return true;
    return false;
}

/* ---- reply ---- */

/* A plain member is the reply's. */
static enum wcts_seen look_reply(struct wcts_looking *looking)
{
    struct wcts_operand args[WCTS_ARG_COUNT];
    struct wcts_way way = *arg(looking, WCTS_ARG_MEMBER)->ways;
    struct wcts_hop hop = way.hops[0];
    memcpy(args, looking->effect->arg, sizeof args);
    if (way.count == 1) {
        hop.reply = true;
        way.hops = &hop;
        args[WCTS_ARG_MEMBER].ways = &way;
    }
    return wcts_look_check(looking, args);
}

/* ---- told ---- */

/* In words for the driver, and for the machine. */
static enum wcts_seen told_breach(struct wcts_looking *looking, uint32_t operation, bool never)
{
    if (operation >> 8 == WCTS_MACHINE_READ >> 8)
        return breach(looking, never ? "there was a" : "there was no", operation,
                      never ? "none" : "one");
    snprintf(looking->text, sizeof looking->text, "the driver was %s %s, expected it %s be",
             never ? "asked" : "not asked", wcts_operation_name(operation),
             never ? "not to" : "to");
    return WCTS_BREACH;
}

/* Messages that lie on one line: the first of them, and where it is in the recording. */
struct line {
    bool begun;
    int first;
    uint64_t value, along;
};

/* True when a message of the line before this one had the same value, or the same place. */
static bool is_repeated(struct wcts_looking *looking, const struct line *line, uint64_t value,
                        uint64_t along)
{
    const struct wcts_spot now = looking->found;
    uint64_t value_then, along_then;
    bool repeated = false;
    for (int i = line->first; i < now.record && !repeated; i++) {
        looking->found = (struct wcts_spot){i, now.element};
        repeated = record_at(looking, i)->operation == record_at(looking, now.record)->operation &&
                   wcts_look_matches(looking) &&
                   wcts_look_value(looking, arg(looking, WCTS_ARG_MEMBER), 0, &value_then) &&
                   wcts_look_value(looking, arg(looking, WCTS_ARG_ALONG), 0, &along_then) &&
                   (value_then == value || along_then == along);
    }
    looking->found = now;
    return repeated;
}

/* Checks that the member grows by the same number for each 1 that another one grows by. What is
 * moved once more may go elsewhere, or come from elsewhere: that begins another line. */
static enum wcts_seen look_along(struct wcts_looking *looking, struct line *line)
{
    uint64_t per = arg(looking, WCTS_ARG_PER)->given ? arg(looking, WCTS_ARG_PER)->number : 1;
    uint64_t value, along, expected;
    if (!wcts_look_value(looking, arg(looking, WCTS_ARG_MEMBER), 0, &value) ||
        !wcts_look_value(looking, arg(looking, WCTS_ARG_ALONG), 0, &along))
        return WCTS_UNSEEN;
    if (!line->begun)
        *line = (struct line){true, looking->found.record, value, along};
    expected = line->value + (along - line->along) * per;
    if (value == expected)
        return WCTS_KEPT;
    if (is_repeated(looking, line, value, along)) {
        *line = (struct line){true, looking->found.record, value, along};
        return WCTS_KEPT;
    }
    snprintf(looking->text, sizeof looking->text,
             "%s is 0x%" PRIx64 ", expected 0x%" PRIx64 " as the first message has it",
             arg(looking, WCTS_ARG_MEMBER)->text, value, expected);
    return WCTS_BREACH;
}

/* What one message shows that matches. */
static enum wcts_seen look_told_at(struct wcts_looking *looking, struct line *line)
{
    if (arg(looking, WCTS_ARG_ALONG)->given)
        return look_along(looking, line);
    return arg(looking, WCTS_ARG_MEMBER)->given ? wcts_look_check(looking, looking->effect->arg)
                                                : WCTS_KEPT;
}

static enum wcts_seen look_told(struct wcts_looking *looking)
{
    struct line line = {.begun = false};
    uint32_t operation = operation_of(looking, WCTS_ARG_OPERATION);
    bool never = arg(looking, WCTS_ARG_NEVER)->given, every = arg(looking, WCTS_ARG_EVERY)->given;
    bool some = arg(looking, WCTS_ARG_SOME)->given;
    int end = wcts_trace_scope(&looking->trace, looking->on.record);
    enum wcts_seen seen = WCTS_UNSEEN;
    for (int i = looking->on.record + 1; i < end; i++) {
        looking->found = (struct wcts_spot){i, looking->on.element};
        if (record_at(looking, i)->operation != operation)
            continue;
        if (!wcts_look_matches(looking)) {
            /* Something else was moved, or this one out of its place. */
            line.begun = false;
            continue;
        }
        if (never)
            return told_breach(looking, operation, true);
        seen = look_told_at(looking, &line);
        if (some ? seen == WCTS_KEPT : seen == WCTS_BREACH || !every)
            return seen;
    }
    if (never)
        return WCTS_KEPT;
    return seen == WCTS_UNSEEN && !every && !some ? told_breach(looking, operation, false) : seen;
}

/* ---- later ---- */

static enum wcts_seen look_at_later(struct wcts_looking *looking, int index)
{
    const struct wcts_record *record = record_at(looking, index);
    bool to_refuse = arg(looking, WCTS_ARG_REFUSED)->given;
    if (!accepted(record) && !refused(record))
        return WCTS_UNSEEN;
    if (to_refuse && accepted(record))
        return answered(looking, record, "a refusal");
    if (to_refuse)
        return ever_accepted(looking, record->operation) ? WCTS_KEPT : WCTS_UNSEEN;
    if (refused(record))
        return arg(looking, WCTS_ARG_ACCEPTED)->given
                   ? answered(looking, record, "it to be accepted")
                   : WCTS_UNSEEN;
    return arg(looking, WCTS_ARG_MEMBER)->given ? wcts_look_check(looking, looking->effect->arg)
                                                : WCTS_KEPT;
}

static enum wcts_seen look_later(struct wcts_looking *looking)
{
    uint32_t operation = operation_of(looking, WCTS_ARG_OPERATION);
    enum wcts_seen all = WCTS_UNSEEN;
    for (int i = wcts_trace_end(&looking->trace, looking->on.record);
         i < looking->trace.exchange->count; i++) {
        enum wcts_seen seen;
        looking->found = (struct wcts_spot){i, 0};
        if (record_at(looking, i)->depth != 0 || record_at(looking, i)->operation != operation ||
            !wcts_look_matches(looking))
            continue;
        seen = look_at_later(looking, i);
        if (seen == WCTS_BREACH)
            return seen;
        all = seen == WCTS_KEPT ? seen : all;
    }
    return all;
}

/* ---- placed ---- */

/* Calls after which an allocation may be somewhere else. */
static bool moves(uint32_t operation)
{
    return operation == WCTS_KERNEL_PAGE_IN || operation == WCTS_KERNEL_EVICT ||
           operation == WCTS_KERNEL_POWER || operation == WCTS_KERNEL_SUBMIT ||
           operation == WCTS_KERNEL_PREEMPT;
}

static uint64_t handle_asked(const struct wcts_record *record)
{
    const struct wcts_kernel_allocation_request *request = (const void *)record->request;
    return record->request_size < sizeof *request ? 0 : request->hAllocation;
}

static enum wcts_seen look_placed(struct wcts_looking *looking)
{
    uint64_t handle;
    enum wcts_seen all = WCTS_UNSEEN;
    looking->found = looking->on;
    if (!wcts_look_value(looking, arg(looking, WCTS_ARG_OF), 0, &handle))
        return WCTS_UNSEEN;
    for (int i = wcts_trace_end(&looking->trace, looking->on.record);
         i < looking->trace.exchange->count; i++) {
        const struct wcts_record *record = record_at(looking, i);
        if (record->depth != 0)
            continue;
        /* A power state, or work, may move what it does not name. */
        if (moves(record->operation))
            return all;
        if (record->operation != WCTS_KERNEL_QUERY_ALLOCATION || !accepted(record) ||
            handle_asked(record) != handle)
            continue;
        looking->found = (struct wcts_spot){i, 0};
        if (!wcts_look_matches(looking))
            continue;
        all = wcts_look_check(looking, looking->effect->arg);
        if (all == WCTS_BREACH)
            return all;
    }
    return all;
}

/* ---- bytes ---- */

static const uint8_t *data_of(const struct wcts_record *record, uint64_t *length)
{
    const struct wcts_machine_memory_request *request = (const void *)record->request;
    bool read = record->operation == WCTS_MACHINE_READ;
    const struct wcts_machine_memory_reply *reply = (const void *)record->reply;
    *length = read ? reply->Length : request->Length;
    return read
               ? wcts_message_at(reply, record->reply_size, reply->pData, reply->Length, 1)
               : wcts_message_at(request, record->request_size, request->pData, request->Length, 1);
}

/* What the suite last wrote with the seed of a read, before it. */
static const uint8_t *written(const struct wcts_looking *looking, int before, uint64_t *length)
{
    for (int i = before - 1; i >= 0; i--) {
        const struct wcts_record *record = record_at(looking, i);
        if (record->depth == 0 && record->operation == WCTS_MACHINE_WRITE &&
            record->seed == record_at(looking, before)->seed &&
            record->part == record_at(looking, before)->part)
            return data_of(record, length);
    }
    return NULL;
}

/* Where the first byte is that is not as wanted (NULL: not 0); when there is none, length, which is
 * not 0. */
static uint64_t first_other(const uint8_t *found, const uint8_t *wanted, uint64_t length)
{
    uint64_t i = 0;
    if (wanted ? memcmp(found, wanted, length) == 0
               : found[0] == 0 && memcmp(found, found + 1, length - 1) == 0)
        return length;
    while (found[i] == (wanted ? wanted[i] : 0))
        i++;
    return i;
}

static enum wcts_seen compare_bytes(struct wcts_looking *looking, int index)
{
    uint64_t length, room, at;
    const uint8_t *found = data_of(record_at(looking, index), &length), *wanted = NULL;
    if (arg(looking, WCTS_ARG_CONTENT)->number == WCTS_CONTENT_WRITTEN) {
        wanted = written(looking, index, &room);
        if (!wanted || room < length)
            return WCTS_UNSEEN;
    }
    if (!found || length == 0)
        return WCTS_UNSEEN;
    at = first_other(found, wanted, length);
    if (at == length)
        return WCTS_KEPT;
    snprintf(looking->text, sizeof looking->text,
             "byte %" PRIu64 " of the memory is 0x%02x, expected 0x%02x%s", at, found[at],
             wanted ? wanted[at] : 0, wanted ? ", which was written" : "");
    return WCTS_BREACH;
}

/* A flag that marks the content is set exactly when all that was read is so. */
static enum wcts_seen look_mark(struct wcts_looking *looking, bool so)
{
    const struct wcts_operand *marks = arg(looking, WCTS_ARG_MARKS);
    uint64_t set;
    if (!wcts_look_value(looking, marks, 0, &set))
        return WCTS_UNSEEN;
    if ((set != 0) == so || (so && arg(looking, WCTS_ARG_ONLY)->given))
        return WCTS_KEPT;
    snprintf(looking->text, sizeof looking->text, "%s is %s, expected %s: what was read is %s%s",
             marks->text, set ? "set" : "clear", so ? "set" : "clear", so ? "" : "not ",
             arg(looking, WCTS_ARG_CONTENT)->text);
    return WCTS_BREACH;
}

static enum wcts_seen look_bytes(struct wcts_looking *looking)
{
    bool marks = arg(looking, WCTS_ARG_MARKS)->given;
    enum wcts_seen all = WCTS_UNSEEN;
    for (int i = wcts_trace_end(&looking->trace, looking->on.record);
         i < looking->trace.exchange->count; i++) {
        const struct wcts_record *record = record_at(looking, i);
        enum wcts_seen seen;
        looking->found = (struct wcts_spot){i, 0};
        if (record->depth != 0 || record->operation != WCTS_MACHINE_READ || !accepted(record) ||
            !wcts_look_matches(looking))
            continue;
        seen = compare_bytes(looking, i);
        if (seen == WCTS_BREACH)
            return marks ? look_mark(looking, false) : seen;
        all = seen == WCTS_KEPT ? seen : all;
    }
    return marks && all == WCTS_KEPT ? look_mark(looking, true) : all;
}

/* ---- machine ---- */

static uint64_t secured_handle(const struct wcts_record *record)
{
    const struct wcts_machine_secure_reply *reply = (const void *)record->reply;
    return record->operation == WCTS_MACHINE_SECURE && accepted(record) &&
                   record->reply_size >= sizeof *reply
               ? reply->Handle
               : 0;
}

/* Where a secured handle is released, in [from, end); -1: nowhere. */
static int release_of(const struct wcts_looking *looking, uint64_t handle, int from, int end)
{
    for (int i = from; i < end; i++) {
        const struct wcts_record *record = record_at(looking, i);
        const struct wcts_machine_range_request *request = (const void *)record->request;
        if (record->operation == WCTS_MACHINE_RELEASE && accepted(record) &&
            record->request_size >= sizeof *request && request->Handle == handle)
            return i;
    }
    return -1;
}

/* How far memory from an address on is secured by what was secured in [from, end) and is not
 * released before until. */
static uint64_t secured_to(const struct wcts_looking *looking, uint64_t address, int from, int end,
                           int until)
{
    for (int i = from; i < end; i++) {
        const struct wcts_record *record = record_at(looking, i);
        const struct wcts_machine_range_request *request = (const void *)record->request;
        uint64_t handle = secured_handle(record);
        if (handle == 0 || record->request_size < sizeof *request || request->Address > address ||
            request->Length <= address - request->Address ||
            request->Length > UINT64_MAX - request->Address ||
            release_of(looking, handle, i, until) >= 0)
            continue;
        /* Another one may go on from here, wherever it stands. */
        address = request->Address + request->Length;
        i = from - 1;
    }
    return address;
}

/* Whether all of the range that the effect names, if it names one, is secured so. */
static bool is_secured(struct wcts_looking *looking, int from, int end, int until)
{
    uint64_t base, size;
    looking->found = looking->on;
    if (!arg(looking, WCTS_ARG_BASE)->given)
        return true;
    return wcts_look_value(looking, arg(looking, WCTS_ARG_BASE), 0, &base) &&
           wcts_look_value(looking, arg(looking, WCTS_ARG_SIZE), 0, &size) &&
           secured_to(looking, base, from, end, until) - base >= size;
}

/* One in the right order is enough: what else the kernel asks of the machine is its own affair. */
static enum wcts_seen look_order(struct wcts_looking *looking)
{
    uint32_t first = operation_of(looking, WCTS_ARG_FIRST);
    uint32_t second = operation_of(looking, WCTS_ARG_OPERATION);
    int from = looking->on.record + 1;
    bool begun = false, any = false, early = false;
    for (int i = from; i < wcts_trace_end(&looking->trace, looking->on.record); i++) {
        uint32_t operation = record_at(looking, i)->operation;
        looking->found = (struct wcts_spot){i, 0};
        if ((operation != first && operation != second) || !wcts_look_matches(looking))
            continue;
        if (operation == second && begun && is_secured(looking, from, i, i))
            return WCTS_KEPT;
        early = early || (operation == second && !begun);
        any = any || operation == second;
        begun = begun || operation == first;
    }
    if (!begun || !any)
        return breach(looking, "there was no", begun ? second : first, "one within the call");
    if (early)
        return breach(looking, "the first was", second, wcts_operation_name(first));
    return breach(looking, "part of the range was not secured before", second, "all of it");
}

/* Whether one of the handles is that of an allocation that the reply gave. */
static bool gave_any(const struct wcts_record *created, const struct wcts_handle_entry *handles,
                     uint32_t count)
{
    const struct wcts_kernel_allocation_create *reply = (const void *)created->reply;
    const struct wcts_D3DDDI_ALLOCATIONINFO2 *infos =
        wcts_message_at(reply, created->reply_size, reply->Args.pAllocationInfo2,
                        reply->Args.NumAllocations, sizeof *infos);
    for (uint32_t i = 0; infos && i < reply->Args.NumAllocations; i++)
        for (uint32_t j = 0; j < count; j++)
            if (infos[i].hAllocation == handles[j].Handle)
                return true;
    return false;
}

/* Whether a call of the suite destroys what another one created: its resource, or an allocation. */
static bool destroys(const struct wcts_record *record, const struct wcts_record *created)
{
    const struct wcts_kernel_allocation_destroy_request *request = (const void *)record->request;
    const struct wcts_kernel_allocation_create *reply = (const void *)created->reply;
    const void *handles;
    if (record->operation != WCTS_KERNEL_ALLOCATION_DESTROY || !accepted(record) ||
        record->request_size < sizeof *request ||
        created->operation != WCTS_KERNEL_ALLOCATION_CREATE || !accepted(created) ||
        created->reply_size < sizeof *reply)
        return false;
    if (request->Args.hResource)
        return request->Args.hResource == reply->Args.hResource;
    handles = wcts_message_at(request, record->request_size, request->Args.phAllocationList,
                              request->Args.AllocationCount, sizeof(struct wcts_handle_entry));
    return handles && gave_any(created, handles, request->Args.AllocationCount);
}

/* The first call, from index on, by which the suite ends what the call created. */
static int next_end(const struct wcts_looking *looking, int index)
{
    while (index < looking->trace.exchange->count) {
        const struct wcts_record *record = record_at(looking, index);
        if (record->depth == 0 && (destroys(record, record_at(looking, looking->on.record)) ||
                                   record->operation == WCTS_KERNEL_ADAPTER_STOP))
            break;
        index++;
    }
    return index;
}

/* One that is held is enough, and with a range so many as cover it. */
static enum wcts_seen look_held(struct wcts_looking *looking)
{
    int from = looking->on.record + 1;
    int end = wcts_trace_end(&looking->trace, looking->on.record);
    int until = next_end(looking, end);
    bool any = false, held = false;
    for (int i = from; i < end && !held; i++) {
        uint64_t handle = secured_handle(record_at(looking, i));
        looking->found = (struct wcts_spot){i, 0};
        if (handle == 0 || !wcts_look_matches(looking))
            continue;
        any = true;
        held = release_of(looking, handle, i, until) < 0;
    }
    if (!any)
        return breach(looking, "there was no", WCTS_MACHINE_SECURE, "one");
    if (!is_secured(looking, from, end, from))
        return breach(looking, "part of the range was left out by", WCTS_MACHINE_SECURE,
                      "all of it to be secured");
    if (!held || !is_secured(looking, from, end, until))
        return breach(looking, "there was a", WCTS_MACHINE_RELEASE,
                      "none before the allocation is destroyed");
    return WCTS_KEPT;
}

static enum wcts_seen look_released(struct wcts_looking *looking)
{
    int end = wcts_trace_scope(&looking->trace, looking->on.record);
    bool own = arg(looking, WCTS_ARG_REFUSED)->given, any = false;
    const struct wcts_record *call = record_at(looking, looking->on.record);
    for (int i = own ? looking->on.record + 1 : 0; i < (own ? end : looking->on.record); i++) {
        uint64_t handle = secured_handle(record_at(looking, i));
        if (record_at(looking, i)->depth == 0)
            call = record_at(looking, i);
        looking->found = (struct wcts_spot){i, 0};
        if (handle == 0 || !wcts_look_matches(looking) ||
            (!own && !destroys(record_at(looking, looking->on.record), call)) ||
            (!own && release_of(looking, handle, i, looking->on.record) >= 0))
            continue;
        any = true;
        if (release_of(looking, handle, own ? i : looking->on.record, end) < 0)
            return breach(looking, "there was no", WCTS_MACHINE_RELEASE,
                          "one for each range that was secured");
    }
    return any ? WCTS_KEPT : WCTS_UNSEEN;
}

static enum wcts_seen look_machine(struct wcts_looking *looking)
{
    if (arg(looking, WCTS_ARG_FIRST)->given)
        return look_order(looking);
    return arg(looking, WCTS_ARG_HELD)->given ? look_held(looking) : look_released(looking);
}

/* ---- patch ---- */

static enum wcts_seen look_patch(struct wcts_looking *looking)
{
    bool before = arg(looking, WCTS_ARG_SIDE)->given &&
                  strcmp(arg(looking, WCTS_ARG_SIDE)->text, "before") == 0;
    bool every = arg(looking, WCTS_ARG_EVERY)->given;
    enum wcts_seen all = WCTS_UNSEEN;
    uint32_t operation;
    looking->found = looking->on;
    if (arg(looking, WCTS_ARG_BUFFER)->given)
        return wcts_look_buffer(looking);
    if (!arg(looking, WCTS_ARG_OPERATION)->given)
        return wcts_look_matches(looking) ? wcts_look_check(looking, looking->effect->arg)
                                          : WCTS_UNSEEN;
    operation = operation_of(looking, WCTS_ARG_OPERATION);
    for (int i = looking->on.record + (before ? -1 : 1);
         i >= 0 && i < looking->trace.exchange->count; i += before ? -1 : 1) {
        enum wcts_seen seen;
        /* Where an allocation is says nothing of where it was before it moved. */
        if (operation == WCTS_KERNEL_QUERY_ALLOCATION && record_at(looking, i)->depth == 0 &&
            moves(record_at(looking, i)->operation))
            return all;
        looking->found = (struct wcts_spot){i, looking->on.element};
        if (record_at(looking, i)->operation != operation || !accepted(record_at(looking, i)) ||
            !wcts_look_matches(looking))
            continue;
        seen = wcts_look_check(looking, looking->effect->arg);
        if (seen == WCTS_BREACH || !every)
            return seen;
        all = seen == WCTS_KEPT ? seen : all;
    }
    return all;
}

/* ---- All ---- */

typedef enum wcts_seen look_fn(struct wcts_looking *looking);

static look_fn *const forms[WCTS_FORM_COUNT_OF] = {
    [WCTS_FORM_EFFECT_REPLY] = look_reply,      [WCTS_FORM_EFFECT_TOLD] = look_told,
    [WCTS_FORM_EFFECT_LATER] = look_later,      [WCTS_FORM_EFFECT_PLACED] = look_placed,
    [WCTS_FORM_EFFECT_BYTES] = look_bytes,      [WCTS_FORM_EFFECT_MACHINE] = look_machine,
    [WCTS_FORM_EFFECT_POWER] = wcts_look_power, [WCTS_FORM_EFFECT_PATCH] = look_patch,
};

/* Whether the call ended as the effect speaks of it. */
static enum wcts_seen ended(struct wcts_looking *looking, const struct wcts_record *record)
{
    bool to_refuse = arg(looking, WCTS_ARG_REFUSED)->given;
    if (to_refuse && looking->effect->form == WCTS_FORM_EFFECT_MACHINE)
        return refused(record) ? WCTS_KEPT : WCTS_UNSEEN;
    /* What is never to be told is not told by a call that comes to nothing, either. */
    if (to_refuse && looking->effect->form == WCTS_FORM_EFFECT_TOLD)
        return WCTS_KEPT;
    if (accepted(record))
        return WCTS_KEPT;
    if (arg(looking, WCTS_ARG_ACCEPTED)->given && refused(record) &&
        (looking->effect->form == WCTS_FORM_EFFECT_PATCH ||
         (looking->effect->form == WCTS_FORM_EFFECT_REPLY &&
          ever_accepted(looking, record->operation))))
        return answered(looking, record, "it to be accepted");
    return WCTS_UNSEEN;
}

/* Whether records of the operation are those that the form speaks of. */
static bool is_spoken_of(const struct wcts_rule *effect, uint32_t operation)
{
    return effect->form != WCTS_FORM_EFFECT_PATCH || operation == WCTS_DRIVER_PATCH;
}

static enum wcts_seen look_at(struct wcts_looking *looking, int index)
{
    const struct wcts_record *record = record_at(looking, index);
    int on = looking->effect->on;
    int count = wcts_trace_count(&looking->trace, index, on, false);
    enum wcts_seen all = WCTS_UNSEEN;
    if (count == 0)
        count = wcts_trace_count(&looking->trace, index, on, true);
    for (int i = 0; i < count && is_spoken_of(looking->effect, record->operation); i++) {
        enum wcts_seen seen;
        looking->on = (struct wcts_spot){index, i};
        if (!wcts_look_conditions(looking))
            continue;
        seen = ended(looking, record);
        if (seen == WCTS_KEPT)
            seen = forms[looking->effect->form](looking);
        if (seen == WCTS_BREACH)
            return seen;
        all = seen == WCTS_KEPT ? seen : all;
    }
    return all;
}

/* The suite's last call that ended so, or, where a driver is under test, what the driver answered
 * meanwhile; NULL: there is none. One that names what is not there says less than why it is not. */
static const struct wcts_record *last_that(const struct wcts_looking *looking, bool driver,
                                           enum wcts_answer answer)
{
    for (int i = looking->trace.exchange->count - 1; i >= 0; i--) {
        const struct wcts_record *record = record_at(looking, i);
        if (record->depth != 0 || record->between || accepted(record))
            continue;
        if (driver)
            record = wcts_exchange_cause(looking->trace.exchange, i);
        if (wcts_answer_of(record->status) == answer && record->denial != WCTS_DENIAL_NOTHING)
            return record;
    }
    return NULL;
}

/* What a call that was refused, as it may be, leaves unseen; false: it may not. */
static bool say_refused(const struct wcts_record *record, const char *answered,
                        struct wcts_finding *finding)
{
    const char *name = wcts_operation_name(record->operation);
    switch (record->denial) {
    case WCTS_DENIAL_BREACH:
        wcts_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE, "a breach of advice is refused: %s %s",
                          name, answered);
        return true;
    case WCTS_DENIAL_GAP:
        wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s: no document says %s", name,
                          answered, record->gap->missing);
        return true;
    case WCTS_DENIAL_LET:
        wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s, as it may be", name, answered);
        return true;
    case WCTS_DENIAL_NONE:
        wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s", name, answered);
        return true;
    default:
        return false;
    }
}

/* Why nothing was seen. A kernel may do what one case looks for in another one, which is counted
 * for each rule (reports/scope.c); what comes of a driver hangs on what it lists. */
static void say_unseen(const struct wcts_looking *looking, bool driver,
                       struct wcts_finding *finding)
{
    const char *came = looking->text[0] ? looking->text : "no call came under the effect";
    const char *elective = looking->effect->elective;
    const struct wcts_record *missing = last_that(looking, driver, WCTS_ANSWER_MISSING);
    const struct wcts_record *untested = last_that(looking, driver, WCTS_ANSWER_NO_TEST);
    const struct wcts_record *denied = last_that(looking, driver, WCTS_ANSWER_REFUSED);
    const struct wcts_record *worst = untested ? untested : missing ? missing : denied;
    char status[64] = "", answered[80];
    if (worst)
        wcts_status_text(worst->status, status, sizeof status);
    snprintf(answered, sizeof answered, "answered %s", status);
    if (untested)
        wcts_finding_set(finding, WCTS_FOUND_TROUBLE, "%s %s",
                         wcts_operation_name(untested->operation), answered);
    else if (missing)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s %s",
                          wcts_operation_name(missing->operation), answered);
    else if (denied && say_refused(denied, answered, finding))
        return;
    else if (elective)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s: %s", elective, came);
    else if (driver)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE, "nothing that the driver lists: %s",
                          came);
    else
        wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s", came);
}

static enum wcts_seen look_from(struct wcts_looking *looking, int from)
{
    enum wcts_seen all = WCTS_UNSEEN;
    for (int i = from; i < looking->trace.exchange->count; i++) {
        enum wcts_seen seen = look_at(looking, i);
        if (seen == WCTS_BREACH)
            return seen;
        all = seen == WCTS_KEPT ? seen : all;
    }
    return all;
}

/* Whether the scenario is one that shows the effect: what another one does may look like a breach.
 */
static bool is_expected(const struct wcts_scenario *scenario, int effect)
{
    for (int i = 0; scenario && i < scenario->effect_count; i++)
        if (scenario->effects[i] == effect)
            return true;
    return false;
}

/* True when the same messages break an effect on which the case's rests: what they show of the
 * case's own is no evidence. The other effect has a case of this scenario, too, which fails. */
static bool is_excused(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       struct wcts_finding *finding)
{
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    for (int i = 0; i < rule->rests_on_count && i < 64; i++) {
        const struct wcts_rule *below = &plan->spec->rules[rule->rests_on[i]];
        struct wcts_looking looking = {.trace = {plan->spec, exchange, test->page_size},
                                       .effect = below};
        enum wcts_seen seen;
        if (!is_expected(test->scenario, rule->rests_on[i]) || !forms[below->form] ||
            !wcts_may_excuse(plan, test, rule->rests_on[i]))
            continue;
        seen = look_from(&looking, 0);
        if (seen == WCTS_BREACH &&
            wcts_finding_excuse(plan, test, strictness, rule->rests_on[i], looking.text, finding))
            return true;
        if (seen == WCTS_KEPT)
            finding->cleared |= UINT64_C(1) << i;
    }
    return false;
}

void wcts_judge_effect(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       int from, struct wcts_finding *finding)
{
    struct wcts_looking looking = {.trace = {plan->spec, exchange, test->page_size},
                                   .effect = &plan->spec->rules[test->rule]};
    switch (look_from(&looking, from)) {
    case WCTS_KEPT:
        finding->found = WCTS_FOUND_KEPT;
        break;
    case WCTS_UNSEEN:
        if (!wcts_judge_valid_denied(exchange, finding))
            say_unseen(&looking, test->driver, finding);
        break;
    case WCTS_BREACH:
        if (!is_excused(plan, test, strictness, exchange, finding))
            wcts_finding_set(finding, WCTS_FOUND_BROKEN, "%s", looking.text);
        break;
    }
}
