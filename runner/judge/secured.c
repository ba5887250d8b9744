/* SPDX-License-Identifier: MIT */
/* Functions of the language: what memory is secured, when, and until when. */
#include "recorded_functions.h"

/* What a function is asked about: the operations that its first arguments name, and the range
 * behind them. */
struct secured_range {
    struct wcts_effect_eval *eval;
    uint32_t operation, other;
    bool known;
    __int128 base, size;
};

static struct secured_range range_asked(const struct wcts_call *call, int operations)
{
    struct wcts_expr_result base = wcts_judge_argument(call, operations);
    struct wcts_expr_result size = wcts_judge_argument(call, operations + 1);
    return (struct secured_range){&wcts_judge_selection_at(call)->eval,
                                  wcts_judge_operation_named(call, 0),
                                  wcts_judge_operation_named(call, operations - 1),
                                  base.known && size.known,
                                  base.number,
                                  size.number};
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

static uint64_t secured_handle(const struct wcts_record *record, uint32_t operation)
{
    const struct wcts_machine_secure_reply *reply = (const void *)record->reply;
    return record->operation == operation && is_accepted_record(record) &&
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
static uint64_t secured_to(const struct secured_range *range, uint64_t address, int from, int end,
                           int until)
{
    for (int i = from; i < end; i++) {
        const struct wcts_record *record = wcts_judge_eval_record(range->eval, i);
        const struct wcts_machine_range_request *request = (const void *)record->request;
        uint64_t handle = secured_handle(record, range->operation);
        if (handle == 0 || record->request_size < sizeof *request || request->Address > address ||
            request->Length <= address - request->Address ||
            request->Length > UINT64_MAX - request->Address ||
            release_of(range->eval, handle, i, until) >= 0)
            continue;
        /* Another one may continue from here, anywhere in the recording. */
        address = request->Address + request->Length;
        i = from - 1;
    }
    return address;
}

/* True if all of the range is secured in this sense. */
static bool is_secured(const struct secured_range *range, int from, int end, int until)
{
    uint64_t base = (uint64_t)range->base;
    return secured_to(range, base, from, end, until) - base >= range->size;
}

static bool is_in_range(const struct secured_range *range, const struct wcts_record *record)
{
    const struct wcts_machine_range_request *request = (const void *)record->request;
    return record->request_size >= sizeof *request && request->Address >= range->base &&
           request->Address < range->base + range->size;
}

/* One pair in the right order is enough: other requests to the machine are the kernel's own
 * affair. */
static enum wcts_truth eval_order(const struct secured_range *range)
{
    struct wcts_effect_eval *eval = range->eval;
    int from = eval->on.record + 1;
    bool begun = false, any = false, early = false;
    for (int i = from; i < wcts_exchange_end(&eval->trace, eval->on.record); i++) {
        const struct wcts_record *record = wcts_judge_eval_record(eval, i);
        bool second = record->operation == range->other;
        if ((record->operation != range->operation && !second) || !is_in_range(range, record))
            continue;
        if (second && begun && is_secured(range, from, i, i))
            return WCTS_TRUE;
        early = early || (second && !begun);
        any = any || second;
        begun = begun || !second;
    }
    if (!begun || !any)
        return breach_of_operation(eval, "there was no", begun ? range->other : range->operation,
                                   "one within the call");
    if (early)
        return breach_of_operation(eval, "the first was", range->other,
                                   wcts_operation_name(range->operation));
    return breach_of_operation(eval, "part of the range was not secured before", range->other,
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

/* As many as cover the range stay secured, and one at least. */
static enum wcts_truth eval_held(const struct secured_range *range)
{
    struct wcts_effect_eval *eval = range->eval;
    int from = eval->on.record + 1;
    int end = wcts_exchange_end(&eval->trace, eval->on.record);
    int until = next_end(eval, end);
    bool any = false, held = false;
    for (int i = from; i < end && !held; i++) {
        uint64_t handle = secured_handle(wcts_judge_eval_record(eval, i), range->operation);
        any = any || handle;
        held = handle && release_of(eval, handle, i, until) < 0;
    }
    if (!any)
        return breach_of_operation(eval, "there was no", range->operation, "one");
    if (!is_secured(range, from, end, from))
        return breach_of_operation(eval, "part of the range was left out by", range->operation,
                                   "all of it to be secured");
    if (!held || !is_secured(range, from, end, until))
        return breach_of_operation(eval, "there was a", WCTS_MACHINE_RELEASE,
                                   "none before the allocation is destroyed");
    return WCTS_TRUE;
}

/* What a refused call secured itself, or what was secured for what an accepted one destroys. */
static enum wcts_truth eval_released(struct wcts_effect_eval *eval, uint32_t operation)
{
    int end = wcts_exchange_scope(&eval->trace, eval->on.record);
    const struct wcts_record *on = wcts_judge_eval_record(eval, eval->on.record), *call = on;
    bool own = !is_accepted_record(on), any = false;
    for (int i = own ? eval->on.record + 1 : 0; i < (own ? end : eval->on.record); i++) {
        uint64_t handle = secured_handle(wcts_judge_eval_record(eval, i), operation);
        if (wcts_judge_eval_record(eval, i)->depth == 0)
            call = wcts_judge_eval_record(eval, i);
        if (handle == 0 || (!own && !destroys(on, call)) ||
            (!own && release_of(eval, handle, i, eval->on.record) >= 0))
            continue;
        any = true;
        if (release_of(eval, handle, own ? i : eval->on.record, end) < 0)
            return breach_of_operation(eval, "there was no", WCTS_MACHINE_RELEASE,
                                       "one for each range that was secured");
    }
    return any ? WCTS_TRUE : WCTS_UNKNOWN;
}

struct wcts_expr_result wcts_judge_ask_held(const struct wcts_call *call)
{
    const struct secured_range range = range_asked(call, 1);
    return wcts_judge_result(range.known ? eval_held(&range) : WCTS_UNKNOWN);
}

struct wcts_expr_result wcts_judge_ask_held_before(const struct wcts_call *call)
{
    const struct secured_range range = range_asked(call, 2);
    return wcts_judge_result(range.known ? eval_order(&range) : WCTS_UNKNOWN);
}

struct wcts_expr_result wcts_judge_ask_released(const struct wcts_call *call)
{
    return wcts_judge_result(
        eval_released(&wcts_judge_selection_at(call)->eval, wcts_judge_operation_named(call, 0)));
}
