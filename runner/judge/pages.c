/* SPDX-License-Identifier: MIT */
/* Judging effects on pages: each stated aspect, page by page. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle/world.h"
#include "check.h"
#include "judge.h"
#include "recorded.h"

static const char *const state_names[] = {"unreserved", "zero", "invalid", "mapped"};

struct eval {
    const struct wcts_plan *plan;
    const struct wcts_case *test;
    const struct wcts_rule *effect;
    const struct wcts_world *world;
    const struct wcts_symbols *symbols;
    int instance;
    const struct wcts_pages_evidence *evidence;
    char text[160]; /* the first difference; "" if there is none so far */
};

static uint64_t instance_value(const struct eval *eval, struct wcts_ref ref)
{
    int where = wcts_world_resolve(eval->world, eval->instance, ref.structure);
    return where < 0 ? 0
                     : wcts_model_value_resolve(eval->plan->spec, eval->symbols,
                                                wcts_world_get(eval->world, where, ref));
}

static uint64_t operand(const struct eval *eval, enum wcts_attribute attribute)
{
    const struct wcts_operand *given = &eval->effect->arg[attribute];
    return given->count > 0 ? instance_value(eval, given->refs[0]) : given->number;
}

static bool states(const struct eval *eval, enum wcts_attribute attribute)
{
    return eval->effect->arg[attribute].given;
}

/* Compares a number of a page. */
static bool compare_number(struct eval *eval, uint32_t page, const char *what, uint64_t found,
                           uint64_t wanted)
{
    if (found != wanted)
        snprintf(eval->text, sizeof eval->text,
                 "page %u of the range: %s is 0x%" PRIx64 ", expected 0x%" PRIx64, page, what,
                 found, wanted);
    return found == wanted;
}

static const char *state_name(uint32_t state)
{
    return state < sizeof state_names / sizeof *state_names ? state_names[state] : "unknown";
}

static bool compare_page(struct eval *eval, uint32_t index, const struct wcts_page *found,
                         const struct wcts_page *wanted)
{
    if (found->State != wanted->State) {
        snprintf(eval->text, sizeof eval->text, "page %u of the range is %s, expected %s", index,
                 state_name(found->State), state_name(wanted->State));
        return false;
    }
    return compare_number(eval, index, "hAllocation", found->hAllocation, wanted->hAllocation) &&
           compare_number(eval, index, "AllocationOffset", found->AllocationOffset,
                          wanted->AllocationOffset) &&
           compare_number(eval, index, "Protection", found->Protection, wanted->Protection) &&
           compare_number(eval, index, "DriverProtection", found->DriverProtection,
                          wanted->DriverProtection);
}

/* Checks a page's offset in the allocation, counted from the first page of the range. */
static bool check_offset(struct eval *eval, uint32_t index, const struct wcts_page *page,
                         uint64_t first)
{
    uint64_t distance = index * WCTS_GPU_PAGE;
    if (states(eval, WCTS_ARG_FROM) && index == 0 &&
        !compare_number(eval, index, "AllocationOffset", page->AllocationOffset,
                        operand(eval, WCTS_ARG_FROM)))
        return false;
    if (states(eval, WCTS_ARG_EACH)) {
        uint64_t each = operand(eval, WCTS_ARG_EACH);
        if (each == 0) {
            snprintf(eval->text, sizeof eval->text,
                     "the allocation is repeated after 0 bytes, which no page can follow");
            return false;
        }
        return compare_number(eval, index, "AllocationOffset", page->AllocationOffset,
                              first + distance % each);
    }
    return !states(eval, WCTS_ARG_LINEAR) ||
           compare_number(eval, index, "AllocationOffset", page->AllocationOffset,
                          first + distance);
}

static bool check_page(struct eval *eval, uint32_t index)
{
    const struct wcts_pages_evidence *evidence = eval->evidence;
    const struct wcts_page *page = &evidence->after.list[index];
    if (states(eval, WCTS_ARG_REFUSED))
        return compare_page(eval, index, page, &evidence->before.list[index]);
    if (states(eval, WCTS_ARG_COPY)) {
        const struct wcts_page *source = &evidence->source.list[index];
        uint64_t compared =
            states(eval, WCTS_ARG_SOURCE) ? eval->effect->arg[WCTS_ARG_SOURCE].number : UINT64_MAX;
        return !(compared >> (source->State & 63) & 1) || compare_page(eval, index, page, source);
    }
    if (states(eval, WCTS_ARG_STATE)) {
        uint32_t wanted = (uint32_t)__builtin_ctzll(eval->effect->arg[WCTS_ARG_STATE].number);
        if (page->State != wanted) {
            snprintf(eval->text, sizeof eval->text, "page %u of the range is %s, expected %s",
                     index, state_name(page->State), state_name(wanted));
            return false;
        }
    }
    if (states(eval, WCTS_ARG_OF) &&
        !compare_number(eval, index, "hAllocation", page->hAllocation, operand(eval, WCTS_ARG_OF)))
        return false;
    if (states(eval, WCTS_ARG_FLAGS) &&
        !compare_number(
            eval, index, "Protection", page->Protection,
            wcts_judge_flags_mask(eval->plan->spec, &eval->effect->arg[WCTS_ARG_FLAGS])))
        return false;
    if (states(eval, WCTS_ARG_PROTECTION) &&
        !compare_number(eval, index, "Protection", page->Protection,
                        operand(eval, WCTS_ARG_PROTECTION)))
        return false;
    if (states(eval, WCTS_ARG_DRIVER) &&
        !compare_number(eval, index, "DriverProtection", page->DriverProtection,
                        operand(eval, WCTS_ARG_DRIVER)))
        return false;
    return check_offset(eval, index, page, evidence->after.list[0].AllocationOffset);
}

/* True if the call ended as the effect states: accepted, or refused. */
static bool ended_as_stated(const struct eval *eval, struct wcts_finding *finding)
{
    const struct wcts_attempt *attempt = &eval->evidence->attempt;
    bool refused = states(eval, WCTS_ARG_REFUSED);
    bool was = wcts_exchange_answer_of(attempt->status) == WCTS_ANSWER_REFUSED;
    char status[64];
    if (wcts_judge_no_answer(attempt, "base call", finding))
        return false;
    if (was == refused)
        return true;
    if (states(eval, WCTS_ARG_ACCEPTED) && eval->evidence->base_accepted) {
        wcts_exchange_status_text(attempt->status, status, sizeof status);
        wcts_model_finding_set(finding, WCTS_FOUND_BROKEN,
                               "%s answered %s, expected it to be accepted",
                               wcts_operation_name(attempt->operation), status);
        return false;
    }
    wcts_exchange_status_text(attempt->status, status, sizeof status);
    if (was && wcts_world_is_valid(eval->world))
        wcts_judge_finding_decline(finding, "valid call", attempt->operation, attempt->status);
    else
        wcts_model_finding_skip(finding, was ? WCTS_SKIP_NOT_APPLICABLE : WCTS_SKIP_NOT_SHOWN,
                                "the call was %s: %s answered %s", was ? "refused" : "accepted",
                                wcts_operation_name(attempt->operation), status);
    return false;
}

void wcts_judge_pages(const struct wcts_plan *plan, const struct wcts_case *test,
                      const struct wcts_world *world, const struct wcts_symbols *symbols,
                      const struct wcts_pages_evidence *evidence, struct wcts_finding *finding)
{
    struct eval eval = {.plan = plan,
                        .test = test,
                        .effect = &plan->spec->rules[test->rule],
                        .world = world,
                        .symbols = symbols,
                        .instance = test->instance,
                        .evidence = evidence};
    if (!ended_as_stated(&eval, finding))
        return;
    finding->found = WCTS_FOUND_KEPT;
    for (uint32_t i = 0; i < evidence->after.count; i++)
        if (!check_page(&eval, i)) {
            wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", eval.text);
            return;
        }
}

/* ---- From the recording ---- */

/* The pages that a look reported; false if it was not answered with those asked for. A look at no
 * pages is not made. The caller frees the list. */
static bool read_look(const struct wcts_exchange *exchange, enum wcts_look look,
                      struct wcts_pages *pages)
{
    const struct wcts_kernel_query_pages_request *in;
    const struct wcts_kernel_query_pages_reply *reply;
    const void *list;
    int index = 0;
    while (index < exchange->count && exchange->records[index].look != look)
        index++;
    if (index == exchange->count)
        return true;
    in = (const void *)exchange->records[index].request;
    reply = (const void *)exchange->records[index].reply;
    if (!wcts_succeeded(exchange->records[index].status) ||
        exchange->records[index].reply_size < sizeof *reply || reply->Count != in->Count)
        return false;
    list = wcts_message_at(reply, exchange->records[index].reply_size, reply->pPages, reply->Count,
                           sizeof *pages->list);
    pages->list = list ? malloc(reply->Count * sizeof *pages->list) : NULL;
    if (!pages->list)
        return false;
    memcpy(pages->list, list, reply->Count * sizeof *pages->list);
    pages->count = reply->Count;
    return true;
}

/* The pages were asked for last, and were not reported. */
void wcts_judge_unseen_pages(const struct wcts_exchange *exchange, struct wcts_finding *finding)
{
    const struct wcts_record *last =
        exchange->count > 0 ? &exchange->records[wcts_exchange_last_call(exchange)] : NULL;
    const struct wcts_attempt missing = {
        .end = WCTS_ATTEMPT_ANSWERED,
        .operation = WCTS_KERNEL_QUERY_PAGES,
        .status = last ? last->status : WCTS_STATUS_SUCCESS,
    };
    if (last && last->operation == WCTS_KERNEL_QUERY_PAGES && wcts_exchange_is_denied(last->status))
        wcts_judge_denied(last, finding);
    else if (!last || last->operation != WCTS_KERNEL_QUERY_PAGES ||
             !wcts_judge_no_answer(&missing, "", finding)) {
        wcts_model_finding_set(
            finding, WCTS_FOUND_BROKEN,
            "KERNEL_QUERY_PAGES did not answer with the pages asked for, although PAGES is "
            "claimed");
        finding->fails = true;
    }
}

void wcts_judge_pages_test(const struct wcts_judge *judge, const struct wcts_case *test,
                           const struct wcts_recording *recording, struct wcts_finding *finding)
{
    const struct wcts_boot *own = wcts_exchange_recording_find(recording, WCTS_FOR_TEST);
    const struct wcts_boot *base = wcts_exchange_recording_find(recording, WCTS_FOR_BASE);
    struct wcts_pages_evidence evidence = {
        .attempt = own->attempt,
        .base_accepted = base && base->attempt.end == WCTS_ATTEMPT_ANSWERED &&
                         wcts_exchange_answer_of(base->attempt.status) == WCTS_ANSWER_ACCEPTED};
    struct wcts_symbols symbols = wcts_judge_boot_symbols(own);
    struct wcts_world world;
    if (own->attempt.end != WCTS_ATTEMPT_ANSWERED) {
        wcts_judge_no_answer(&own->attempt, "base call", finding);
        return;
    }
    if (!wcts_oracle_case_world(&world, judge->eval, test, test->facts, test->fact_count))
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
    else if (own->whole && read_look(&own->exchange, WCTS_LOOK_BEFORE, &evidence.before) &&
             read_look(&own->exchange, WCTS_LOOK_SOURCE, &evidence.source) &&
             read_look(&own->exchange, WCTS_LOOK_AFTER, &evidence.after))
        wcts_judge_pages(judge->plan, test, &world, &symbols, &evidence, finding);
    else
        wcts_judge_unseen_pages(&own->exchange, finding);
    free(evidence.before.list);
    free(evidence.source.list);
    free(evidence.after.list);
    wcts_world_release(&world);
}
