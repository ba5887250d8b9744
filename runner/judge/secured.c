/* SPDX-License-Identifier: MIT */
/* The form machine: what memory is secured, when, and until when. */
#include <inttypes.h>

#include "select.h"

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
    if (!arg(eval, WCTS_ARG_BASE)->given)
        return true;
    return wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_BASE), &base) &&
           wcts_judge_effect_value(eval, arg(eval, WCTS_ARG_SIZE), &size) &&
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
        if ((operation != first && operation != second) ||
            !wcts_judge_is_selected(wcts_judge_selection_of(eval)))
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
        if (handle == 0 || !wcts_judge_is_selected(wcts_judge_selection_of(eval)))
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
        if (handle == 0 || !wcts_judge_is_selected(wcts_judge_selection_of(eval)) ||
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

enum wcts_truth wcts_judge_check_machine(struct wcts_effect_eval *eval)
{
    if (arg(eval, WCTS_ARG_FIRST)->given)
        return eval_order(eval);
    return arg(eval, WCTS_ARG_HELD)->given ? eval_held(eval) : eval_released(eval);
}
