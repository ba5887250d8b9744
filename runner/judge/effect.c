/* SPDX-License-Identifier: MIT */
/* Judging effects from the recording of a case, form by form. */
#include <inttypes.h>
#include <string.h>

#include "../model/test.h"
#include "check.h"
#include "judge.h"

/* ---- Common to the forms ---- */

static const struct wcts_operand *arg(const struct wcts_effect_eval *eval,
                                      enum wcts_attribute attribute)
{
    return &eval->effect->arg[attribute];
}

static uint32_t operation_arg(const struct wcts_effect_eval *eval, enum wcts_attribute attribute)
{
    return eval->trace.spec->messages[arg(eval, attribute)->number].operation;
}

static enum wcts_truth breach_of_operation(struct wcts_effect_eval *eval, const char *what,
                                           uint32_t operation, const char *expected)
{
    snprintf(eval->text, sizeof eval->text, "%s %s, expected %s", what,
             wcts_operation_name(operation), expected);
    return WCTS_FALSE;
}

static bool is_accepted_record(const struct wcts_record *record)
{
    return wcts_exchange_answer_of(record->status) == WCTS_ANSWER_ACCEPTED;
}

static bool is_refused(const struct wcts_record *record)
{
    return wcts_exchange_answer_of(record->status) == WCTS_ANSWER_REFUSED;
}

static enum wcts_truth breach_of_answer(struct wcts_effect_eval *eval,
                                        const struct wcts_record *record, const char *expected)
{
    char status[64];
    wcts_exchange_status_text(record->status, status, sizeof status);
    snprintf(eval->text, sizeof eval->text, "%s answered %s, expected %s",
             wcts_operation_name(record->operation), status, expected);
    return WCTS_FALSE;
}

/* True if any call of the operation was accepted: otherwise a refusal proves nothing. */
static bool ever_accepted(const struct wcts_effect_eval *eval, uint32_t operation)
{
    for (int i = 0; i < eval->trace.exchange->count; i++)
        if (wcts_judge_eval_record(eval, i)->operation == operation &&
            is_accepted_record(wcts_judge_eval_record(eval, i)))
            return true;
    return false;
}

/* ---- reply ---- */

/* A plain member is a member of the reply. */
static enum wcts_truth eval_reply(struct wcts_effect_eval *eval)
{
    struct wcts_operand args[WCTS_ARG_COUNT];
    struct wcts_path path = *arg(eval, WCTS_ARG_MEMBER)->paths;
    struct wcts_path_step step = path.steps[0];
    memcpy(args, eval->effect->arg, sizeof args);
    if (path.count == 1) {
        step.reply = true;
        path.steps = &step;
        args[WCTS_ARG_MEMBER].paths = &path;
    }
    return wcts_judge_check_value(eval, args);
}

/* ---- told ---- */

/* The breach in words, of the driver or of the machine. */
static enum wcts_truth told_breach(struct wcts_effect_eval *eval, uint32_t operation, bool never)
{
    if (operation >> 8 == WCTS_MACHINE_READ >> 8)
        return breach_of_operation(eval, never ? "there was a" : "there was no", operation,
                                   never ? "none" : "one");
    snprintf(eval->text, sizeof eval->text, "the driver was %s %s, expected it %s be",
             never ? "asked" : "not asked", wcts_operation_name(operation),
             never ? "not to" : "to");
    return WCTS_FALSE;
}

/* Messages on one line: the first of them, and its position in the recording. */
struct paging_line {
    bool begun;
    int first;
    uint64_t value, along;
};

/* True if an earlier message of the line had the same value, or the same place. */
static bool is_repeated(struct wcts_effect_eval *eval, const struct paging_line *line,
                        uint64_t value, uint64_t along)
{
    const struct wcts_cursor now = eval->found;
    uint64_t value_then, along_then;
    bool repeated = false;
    for (int i = line->first; i < now.record && !repeated; i++) {
        eval->found = (struct wcts_cursor){i, now.element};
        repeated = wcts_judge_eval_record(eval, i)->operation ==
                       wcts_judge_eval_record(eval, now.record)->operation &&
                   wcts_judge_effect_matches(eval) &&
                   wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_MEMBER), 0, &value_then) &&
                   wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_ALONG), 0, &along_then) &&
                   (value_then == value || along_then == along);
    }
    eval->found = now;
    return repeated;
}

/* Checks that the member grows in proportion to another one. Something that is moved again may go
 * elsewhere, or come from elsewhere: that begins another line. */
static enum wcts_truth eval_along(struct wcts_effect_eval *eval, struct paging_line *line)
{
    uint64_t per = arg(eval, WCTS_ARG_PER)->given ? arg(eval, WCTS_ARG_PER)->number : 1;
    uint64_t value, along, expected;
    if (!wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_MEMBER), 0, &value) ||
        !wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_ALONG), 0, &along))
        return WCTS_UNKNOWN;
    if (!line->begun)
        *line = (struct paging_line){true, eval->found.record, value, along};
    expected = line->value + (along - line->along) * per;
    if (value == expected)
        return WCTS_TRUE;
    if (is_repeated(eval, line, value, along)) {
        *line = (struct paging_line){true, eval->found.record, value, along};
        return WCTS_TRUE;
    }
    snprintf(eval->text, sizeof eval->text,
             "%s is 0x%" PRIx64 ", expected 0x%" PRIx64 " as the first message has it",
             arg(eval, WCTS_ARG_MEMBER)->text, value, expected);
    return WCTS_FALSE;
}

static enum wcts_truth eval_told(struct wcts_effect_eval *eval)
{
    struct paging_line line = {.begun = false};
    uint32_t operation = operation_arg(eval, WCTS_ARG_OPERATION);
    bool never = arg(eval, WCTS_ARG_NEVER)->given, every = arg(eval, WCTS_ARG_EVERY)->given;
    bool some = arg(eval, WCTS_ARG_SOME)->given;
    int end = wcts_exchange_scope(&eval->trace, eval->on.record);
    enum wcts_truth seen = WCTS_UNKNOWN;
    for (int i = eval->on.record + 1; i < end; i++) {
        eval->found = (struct wcts_cursor){i, eval->on.element};
        if (wcts_judge_eval_record(eval, i)->operation != operation)
            continue;
        if (!wcts_judge_effect_matches(eval)) {
            /* Something else was moved, or this was moved out of place. */
            line.begun = false;
            continue;
        }
        if (never)
            return told_breach(eval, operation, true);
        if (arg(eval, WCTS_ARG_ALONG)->given)
            seen = eval_along(eval, &line);
        else
            seen = arg(eval, WCTS_ARG_MEMBER)->given
                       ? wcts_judge_check_value(eval, eval->effect->arg)
                       : WCTS_TRUE;
        if (some ? seen == WCTS_TRUE : seen == WCTS_FALSE || !every)
            return seen;
    }
    if (never)
        return WCTS_TRUE;
    return seen == WCTS_UNKNOWN && !every && !some ? told_breach(eval, operation, false) : seen;
}

/* ---- later ---- */

static enum wcts_truth eval_at_later(struct wcts_effect_eval *eval, int index)
{
    const struct wcts_record *record = wcts_judge_eval_record(eval, index);
    bool to_refuse = arg(eval, WCTS_ARG_REFUSED)->given;
    if (!is_accepted_record(record) && !is_refused(record))
        return WCTS_UNKNOWN;
    if (to_refuse && is_accepted_record(record))
        return breach_of_answer(eval, record, "a refusal");
    if (to_refuse)
        return ever_accepted(eval, record->operation) ? WCTS_TRUE : WCTS_UNKNOWN;
    if (is_refused(record))
        return arg(eval, WCTS_ARG_ACCEPTED)->given
                   ? breach_of_answer(eval, record, "it to be accepted")
                   : WCTS_UNKNOWN;
    return arg(eval, WCTS_ARG_MEMBER)->given ? wcts_judge_check_value(eval, eval->effect->arg)
                                             : WCTS_TRUE;
}

static enum wcts_truth eval_later(struct wcts_effect_eval *eval)
{
    uint32_t operation = operation_arg(eval, WCTS_ARG_OPERATION);
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = wcts_exchange_end(&eval->trace, eval->on.record); i < eval->trace.exchange->count;
         i++) {
        enum wcts_truth seen;
        eval->found = (struct wcts_cursor){i, 0};
        if (wcts_judge_eval_record(eval, i)->depth != 0 ||
            wcts_judge_eval_record(eval, i)->operation != operation ||
            !wcts_judge_effect_matches(eval))
            continue;
        seen = eval_at_later(eval, i);
        if (seen == WCTS_FALSE)
            return seen;
        all = seen == WCTS_TRUE ? seen : all;
    }
    return all;
}

/* ---- placed ---- */

/* True for calls after which an allocation may be elsewhere. */
static bool moves(uint32_t operation)
{
    return operation == WCTS_KERNEL_PAGE_IN || operation == WCTS_KERNEL_EVICT ||
           operation == WCTS_KERNEL_POWER || operation == WCTS_KERNEL_SUBMIT ||
           operation == WCTS_KERNEL_PREEMPT;
}

static enum wcts_truth eval_placed(struct wcts_effect_eval *eval)
{
    uint64_t handle;
    enum wcts_truth all = WCTS_UNKNOWN;
    eval->found = eval->on;
    if (!wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_OF), 0, &handle))
        return WCTS_UNKNOWN;
    for (int i = wcts_exchange_end(&eval->trace, eval->on.record); i < eval->trace.exchange->count;
         i++) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        const struct wcts_kernel_allocation_request *request = (const void *)record->request;
        if (record->depth != 0)
            continue;
        /* A power state, or work, may move allocations that it does not name. */
        if (moves(record->operation))
            return all;
        if (record->operation != WCTS_KERNEL_QUERY_ALLOCATION || !is_accepted_record(record) ||
            (record->request_size < sizeof *request ? 0 : request->hAllocation) != handle)
            continue;
        eval->found = (struct wcts_cursor){i, 0};
        if (!wcts_judge_effect_matches(eval))
            continue;
        all = wcts_judge_check_value(eval, eval->effect->arg);
        if (all == WCTS_FALSE)
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

/* What the suite last wrote, before a read, with the seed of that read. */
static const uint8_t *last_written(const struct wcts_effect_eval *eval, int before,
                                   uint64_t *length)
{
    for (int i = before - 1; i >= 0; i--) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        if (record->depth == 0 && record->operation == WCTS_MACHINE_WRITE &&
            record->seed == wcts_judge_eval_record(eval, before)->seed &&
            record->part == wcts_judge_eval_record(eval, before)->part)
            return data_of(record, length);
    }
    return NULL;
}

enum wcts_truth wcts_judge_check_bytes(struct wcts_effect_eval *eval, int index,
                                       enum wcts_content content)
{
    uint64_t length, room, at = 0;
    const uint8_t *found = data_of(wcts_judge_eval_record(eval, index), &length), *wanted = NULL;
    if (content == WCTS_CONTENT_WRITTEN) {
        wanted = last_written(eval, index, &room);
        if (!wanted || room < length)
            return WCTS_UNKNOWN;
    }
    if (!found || length == 0)
        return WCTS_UNKNOWN;
    if (wanted ? memcmp(found, wanted, length) == 0
               : found[0] == 0 && memcmp(found, found + 1, length - 1) == 0)
        return WCTS_TRUE;
    while (found[at] == (wanted ? wanted[at] : 0))
        at++;
    snprintf(eval->text, sizeof eval->text,
             "byte %" PRIu64 " of the memory is 0x%02x, expected 0x%02x%s", at, found[at],
             wanted ? wanted[at] : 0, wanted ? ", which was written" : "");
    return WCTS_FALSE;
}

/* Checks that a flag that marks the content is set exactly if all that was read matches it. */
static enum wcts_truth eval_mark(struct wcts_effect_eval *eval, bool content_matches)
{
    const struct wcts_operand *marks = arg(eval, WCTS_ARG_MARKS);
    uint64_t set;
    if (!wcts_judge_effect_value(eval, marks, 0, &set))
        return WCTS_UNKNOWN;
    if ((set != 0) == content_matches || (content_matches && arg(eval, WCTS_ARG_ONLY)->given))
        return WCTS_TRUE;
    snprintf(eval->text, sizeof eval->text, "%s is %s, expected %s: what was read is %s%s",
             marks->text, set ? "set" : "clear", content_matches ? "set" : "clear",
             content_matches ? "" : "not ", arg(eval, WCTS_ARG_CONTENT)->text);
    return WCTS_FALSE;
}

static enum wcts_truth eval_bytes(struct wcts_effect_eval *eval)
{
    bool marks = arg(eval, WCTS_ARG_MARKS)->given;
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = wcts_exchange_end(&eval->trace, eval->on.record); i < eval->trace.exchange->count;
         i++) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        enum wcts_truth seen;
        eval->found = (struct wcts_cursor){i, 0};
        if (record->depth != 0 || record->operation != WCTS_MACHINE_READ ||
            !is_accepted_record(record) || !wcts_judge_effect_matches(eval))
            continue;
        seen =
            wcts_judge_check_bytes(eval, i, (enum wcts_content)arg(eval, WCTS_ARG_CONTENT)->number);
        if (seen == WCTS_FALSE)
            return marks ? eval_mark(eval, false) : seen;
        all = seen == WCTS_TRUE ? seen : all;
    }
    return marks && all == WCTS_TRUE ? eval_mark(eval, true) : all;
}

/* ---- machine ---- */

static uint64_t secured_handle(const struct wcts_record *record)
{
    const struct wcts_machine_secure_reply *reply = (const void *)record->reply;
    return record->operation == WCTS_MACHINE_SECURE && is_accepted_record(record) &&
                   record->reply_size >= sizeof *reply
               ? reply->Handle
               : 0;
}

/* The record in [from, end) that releases a secured handle; -1 if there is none. */
static int release_of(const struct wcts_effect_eval *eval, uint64_t handle, int from, int end)
{
    for (int i = from; i < end; i++) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        const struct wcts_machine_range_request *request = (const void *)record->request;
        if (record->operation == WCTS_MACHINE_RELEASE && is_accepted_record(record) &&
            record->request_size >= sizeof *request && request->Handle == handle)
            return i;
    }
    return -1;
}

/* The end of the memory from an address on that was secured in [from, end) and is not released
 * before until. */
static uint64_t secured_to(const struct wcts_effect_eval *eval, uint64_t address, int from, int end,
                           int until)
{
    for (int i = from; i < end; i++) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        const struct wcts_machine_range_request *request = (const void *)record->request;
        uint64_t handle = secured_handle(record);
        if (handle == 0 || record->request_size < sizeof *request || request->Address > address ||
            request->Length <= address - request->Address ||
            request->Length > UINT64_MAX - request->Address ||
            release_of(eval, handle, i, until) >= 0)
            continue;
        /* Another one may continue from here, anywhere in the recording. */
        address = request->Address + request->Length;
        i = from - 1;
    }
    return address;
}

/* True if all of the range that the effect names, if it names one, is secured in this sense. */
static bool is_secured(struct wcts_effect_eval *eval, int from, int end, int until)
{
    uint64_t base, size;
    eval->found = eval->on;
    if (!arg(eval, WCTS_ARG_BASE)->given)
        return true;
    return wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_BASE), 0, &base) &&
           wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_SIZE), 0, &size) &&
           secured_to(eval, base, from, end, until) - base >= size;
}

/* One pair in the right order is enough: other requests to the machine are the kernel's own
 * affair. */
static enum wcts_truth eval_order(struct wcts_effect_eval *eval)
{
    uint32_t first = operation_arg(eval, WCTS_ARG_FIRST);
    uint32_t second = operation_arg(eval, WCTS_ARG_OPERATION);
    int from = eval->on.record + 1;
    bool begun = false, any = false, early = false;
    for (int i = from; i < wcts_exchange_end(&eval->trace, eval->on.record); i++) {
        uint32_t operation = wcts_judge_eval_record(eval, i)->operation;
        eval->found = (struct wcts_cursor){i, 0};
        if ((operation != first && operation != second) || !wcts_judge_effect_matches(eval))
            continue;
        if (operation == second && begun && is_secured(eval, from, i, i))
            return WCTS_TRUE;
        early = early || (operation == second && !begun);
        any = any || operation == second;
        begun = begun || operation == first;
    }
    if (!begun || !any)
        return breach_of_operation(eval, "there was no", begun ? second : first,
                                   "one within the call");
    if (early)
        return breach_of_operation(eval, "the first was", second, wcts_operation_name(first));
    return breach_of_operation(eval, "part of the range was not secured before", second,
                               "all of it");
}

/* True if one of the handles belongs to an allocation of the reply. */
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

/* True if a call of the suite destroys the resource, or an allocation, that another one created. */
static bool destroys(const struct wcts_record *record, const struct wcts_record *created)
{
    const struct wcts_kernel_allocation_destroy_request *request = (const void *)record->request;
    const struct wcts_kernel_allocation_create *reply = (const void *)created->reply;
    const void *handles;
    if (record->operation != WCTS_KERNEL_ALLOCATION_DESTROY || !is_accepted_record(record) ||
        record->request_size < sizeof *request ||
        created->operation != WCTS_KERNEL_ALLOCATION_CREATE || !is_accepted_record(created) ||
        created->reply_size < sizeof *reply)
        return false;
    if (request->Args.hResource)
        return request->Args.hResource == reply->Args.hResource;
    handles = wcts_message_at(request, record->request_size, request->Args.phAllocationList,
                              request->Args.AllocationCount, sizeof(struct wcts_handle_entry));
    return handles && gave_any(created, handles, request->Args.AllocationCount);
}

/* The first call, from index on, with which the suite destroys what the call created. */
static int next_end(const struct wcts_effect_eval *eval, int index)
{
    while (index < eval->trace.exchange->count) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, index);
        if (record->depth == 0 &&
            (destroys(record, wcts_judge_eval_record(eval, eval->on.record)) ||
             record->operation == WCTS_KERNEL_ADAPTER_STOP))
            break;
        index++;
    }
    return index;
}

/* One that stays secured is enough; with a range, as many as cover it. */
static enum wcts_truth eval_held(struct wcts_effect_eval *eval)
{
    int from = eval->on.record + 1;
    int end = wcts_exchange_end(&eval->trace, eval->on.record);
    int until = next_end(eval, end);
    bool any = false, held = false;
    for (int i = from; i < end && !held; i++) {
        uint64_t handle = secured_handle(wcts_judge_eval_record(eval, i));
        eval->found = (struct wcts_cursor){i, 0};
        if (handle == 0 || !wcts_judge_effect_matches(eval))
            continue;
        any = true;
        held = release_of(eval, handle, i, until) < 0;
    }
    if (!any)
        return breach_of_operation(eval, "there was no", WCTS_MACHINE_SECURE, "one");
    if (!is_secured(eval, from, end, from))
        return breach_of_operation(eval, "part of the range was left out by", WCTS_MACHINE_SECURE,
                                   "all of it to be secured");
    if (!held || !is_secured(eval, from, end, until))
        return breach_of_operation(eval, "there was a", WCTS_MACHINE_RELEASE,
                                   "none before the allocation is destroyed");
    return WCTS_TRUE;
}

static enum wcts_truth eval_released(struct wcts_effect_eval *eval)
{
    int end = wcts_exchange_scope(&eval->trace, eval->on.record);
    bool own = arg(eval, WCTS_ARG_REFUSED)->given, any = false;
    const struct wcts_record *call = wcts_judge_eval_record(eval, eval->on.record);
    for (int i = own ? eval->on.record + 1 : 0; i < (own ? end : eval->on.record); i++) {
        uint64_t handle = secured_handle(wcts_judge_eval_record(eval, i));
        if (wcts_judge_eval_record(eval, i)->depth == 0)
            call = wcts_judge_eval_record(eval, i);
        eval->found = (struct wcts_cursor){i, 0};
        if (handle == 0 || !wcts_judge_effect_matches(eval) ||
            (!own && !destroys(wcts_judge_eval_record(eval, eval->on.record), call)) ||
            (!own && release_of(eval, handle, i, eval->on.record) >= 0))
            continue;
        any = true;
        if (release_of(eval, handle, own ? i : eval->on.record, end) < 0)
            return breach_of_operation(eval, "there was no", WCTS_MACHINE_RELEASE,
                                       "one for each range that was secured");
    }
    return any ? WCTS_TRUE : WCTS_UNKNOWN;
}

static enum wcts_truth eval_machine(struct wcts_effect_eval *eval)
{
    if (arg(eval, WCTS_ARG_FIRST)->given)
        return eval_order(eval);
    return arg(eval, WCTS_ARG_HELD)->given ? eval_held(eval) : eval_released(eval);
}

/* ---- patch ---- */

static enum wcts_truth eval_patch(struct wcts_effect_eval *eval)
{
    bool before =
        arg(eval, WCTS_ARG_SIDE)->given && strcmp(arg(eval, WCTS_ARG_SIDE)->text, "before") == 0;
    bool every = arg(eval, WCTS_ARG_EVERY)->given;
    enum wcts_truth all = WCTS_UNKNOWN;
    uint32_t operation;
    eval->found = eval->on;
    if (arg(eval, WCTS_ARG_BUFFER)->given)
        return wcts_judge_check_buffer(eval);
    if (!arg(eval, WCTS_ARG_OPERATION)->given)
        return wcts_judge_effect_matches(eval) ? wcts_judge_check_value(eval, eval->effect->arg)
                                               : WCTS_UNKNOWN;
    operation = operation_arg(eval, WCTS_ARG_OPERATION);
    for (int i = eval->on.record + (before ? -1 : 1); i >= 0 && i < eval->trace.exchange->count;
         i += before ? -1 : 1) {
        enum wcts_truth seen;
        /* The place of an allocation proves nothing about its place before it moved. */
        if (operation == WCTS_KERNEL_QUERY_ALLOCATION &&
            wcts_judge_eval_record(eval, i)->depth == 0 &&
            moves(wcts_judge_eval_record(eval, i)->operation))
            return all;
        eval->found = (struct wcts_cursor){i, eval->on.element};
        if (wcts_judge_eval_record(eval, i)->operation != operation ||
            !is_accepted_record(wcts_judge_eval_record(eval, i)) ||
            !wcts_judge_effect_matches(eval))
            continue;
        seen = wcts_judge_check_value(eval, eval->effect->arg);
        if (seen == WCTS_FALSE || !every)
            return seen;
        all = seen == WCTS_TRUE ? seen : all;
    }
    return all;
}

/* ---- All forms ---- */

typedef enum wcts_truth eval_fn(struct wcts_effect_eval *eval);

static eval_fn *const forms[WCTS_FORM_COUNT_OF] = {
    [WCTS_FORM_EFFECT_REPLY] = eval_reply,
    [WCTS_FORM_EFFECT_TOLD] = eval_told,
    [WCTS_FORM_EFFECT_LATER] = eval_later,
    [WCTS_FORM_EFFECT_PLACED] = eval_placed,
    [WCTS_FORM_EFFECT_BYTES] = eval_bytes,
    [WCTS_FORM_EFFECT_MACHINE] = eval_machine,
    [WCTS_FORM_EFFECT_POWER] = wcts_judge_check_power,
    [WCTS_FORM_EFFECT_PATCH] = eval_patch,
};

/* Checks the outcome of the call itself: the effect may require a refusal, or accept none. */
static enum wcts_truth ended(struct wcts_effect_eval *eval, const struct wcts_record *record)
{
    bool to_refuse = arg(eval, WCTS_ARG_REFUSED)->given;
    if (to_refuse && eval->effect->form == WCTS_FORM_EFFECT_MACHINE)
        return is_refused(record) ? WCTS_TRUE : WCTS_UNKNOWN;
    /* A refused call must not cause the message either. */
    if (to_refuse && eval->effect->form == WCTS_FORM_EFFECT_TOLD)
        return WCTS_TRUE;
    if (is_accepted_record(record))
        return WCTS_TRUE;
    if (arg(eval, WCTS_ARG_ACCEPTED)->given && is_refused(record) &&
        (eval->effect->form == WCTS_FORM_EFFECT_PATCH ||
         (eval->effect->form == WCTS_FORM_EFFECT_REPLY && ever_accepted(eval, record->operation))))
        return breach_of_answer(eval, record, "it to be accepted");
    return WCTS_UNKNOWN;
}

enum wcts_truth wcts_judge_effect_at(struct wcts_effect_eval *eval, int index)
{
    const struct wcts_record *record = wcts_judge_eval_record(eval, index);
    int on = eval->effect->on;
    int count = wcts_exchange_count(&eval->trace, index, on, false);
    enum wcts_truth all = WCTS_UNKNOWN;
    if (count == 0)
        count = wcts_exchange_count(&eval->trace, index, on, true);
    if (eval->effect->form == WCTS_FORM_EFFECT_PATCH && record->operation != WCTS_DRIVER_PATCH)
        return WCTS_UNKNOWN;
    for (int i = 0; i < count; i++) {
        enum wcts_truth seen;
        eval->on = (struct wcts_cursor){index, i};
        if (!wcts_judge_effect_conditions(eval))
            continue;
        seen = ended(eval, record);
        if (seen == WCTS_TRUE)
            seen = forms[eval->effect->form](eval);
        if (seen == WCTS_FALSE)
            return seen;
        all = seen == WCTS_TRUE ? seen : all;
    }
    return all;
}

/* The suite's last call with such an answer or, with a driver under test, the driver's answer that
 * caused it; NULL if there is none. A call that names a missing object explains less than the
 * reason why it is missing. */
static const struct wcts_record *last_that(const struct wcts_effect_eval *eval, bool driver,
                                           enum wcts_answer answer)
{
    for (int i = eval->trace.exchange->count - 1; i >= 0; i--) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        if (record->depth != 0 || record->between || is_accepted_record(record))
            continue;
        if (driver)
            record = wcts_exchange_cause(eval->trace.exchange, i);
        if (wcts_exchange_answer_of(record->status) == answer &&
            record->denial != WCTS_DENIAL_NOTHING)
            return record;
    }
    return NULL;
}

/* Skips for a call whose refusal is allowed and hides the effect; false if it is not allowed. */
static bool skip_refused(const struct wcts_record *record, const char *answered,
                         struct wcts_finding *finding)
{
    const char *name = wcts_operation_name(record->operation);
    switch (record->denial) {
    case WCTS_DENIAL_BREACH:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "a breach of advice is refused: %s %s", name, answered);
        return true;
    case WCTS_DENIAL_GAP:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s: no document says %s", name,
                                answered, record->gap->missing);
        return true;
    case WCTS_DENIAL_LET:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s, as it may be", name,
                                answered);
        return true;
    case WCTS_DENIAL_NONE:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s", name, answered);
        return true;
    default:
        return false;
    }
}

/* Why nothing was seen. A kernel may show in one case what another one looks for, which is counted
 * for each rule (reports/scope.c); what a driver shows depends on the kinds that it lists. */
static void skip_unseen(const struct wcts_effect_eval *eval, bool driver,
                        struct wcts_finding *finding)
{
    const char *why = eval->text[0] ? eval->text : "no call came under the effect";
    const char *elective = eval->effect->elective;
    const struct wcts_record *missing = last_that(eval, driver, WCTS_ANSWER_MISSING);
    const struct wcts_record *untested = last_that(eval, driver, WCTS_ANSWER_NO_TEST);
    const struct wcts_record *denied = last_that(eval, driver, WCTS_ANSWER_REFUSED);
    const struct wcts_record *worst = untested ? untested : missing ? missing : denied;
    char status[64] = "", answered[80];
    if (worst)
        wcts_exchange_status_text(worst->status, status, sizeof status);
    snprintf(answered, sizeof answered, "answered %s", status);
    if (untested)
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "%s %s",
                               wcts_operation_name(untested->operation), answered);
    else if (missing)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s %s",
                                wcts_operation_name(missing->operation), answered);
    else if (denied && skip_refused(denied, answered, finding))
        return;
    else if (elective)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s: %s", elective, why);
    else if (driver)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "nothing that the driver lists: %s", why);
    else
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s", why);
}

static enum wcts_truth eval_from(struct wcts_effect_eval *eval, int from)
{
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = from; i < eval->trace.exchange->count; i++) {
        enum wcts_truth seen = wcts_judge_effect_at(eval, i);
        if (seen == WCTS_FALSE)
            return seen;
        all = seen == WCTS_TRUE ? seen : all;
    }
    return all;
}

/* True if the scenario is meant to show the effect: in another one it may look broken. */
static bool is_expected(const struct wcts_scenario *scenario, int effect)
{
    for (int i = 0; scenario && i < scenario->effect_count; i++)
        if (scenario->effects[i] == effect)
            return true;
    return false;
}

/* True if the same messages break an effect that the case's own rests on: then they prove nothing
 * about the latter. The other effect has a failing case of this scenario too. */
static bool is_excused(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       struct wcts_finding *finding)
{
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    for (int i = 0; i < rule->rests_on_count && i < 64; i++) {
        const struct wcts_rule *below = &plan->spec->rules[rule->rests_on[i]];
        struct wcts_effect_eval eval = {.trace = {plan->spec, exchange, test->page_size},
                                        .effect = below};
        enum wcts_truth seen;
        if (!is_expected(test->scenario, rule->rests_on[i]) || !forms[below->form] ||
            !wcts_judge_may_excuse(plan, test, rule->rests_on[i]))
            continue;
        seen = eval_from(&eval, 0);
        if (seen == WCTS_FALSE && wcts_judge_finding_excuse(plan, test, strictness,
                                                            rule->rests_on[i], eval.text, finding))
            return true;
        if (seen == WCTS_TRUE)
            finding->cleared |= UINT64_C(1) << i;
    }
    return false;
}

void wcts_judge_effect(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       int from, struct wcts_finding *finding)
{
    struct wcts_effect_eval eval = {.trace = {plan->spec, exchange, test->page_size},
                                    .effect = &plan->spec->rules[test->rule]};
    switch (eval_from(&eval, from)) {
    case WCTS_TRUE:
        finding->found = WCTS_FOUND_KEPT;
        break;
    case WCTS_UNKNOWN:
        if (!wcts_judge_valid_denied(exchange, finding))
            skip_unseen(&eval, test->driver, finding);
        break;
    case WCTS_FALSE:
        if (!is_excused(plan, test, strictness, exchange, finding))
            wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", eval.text);
        break;
    }
}
