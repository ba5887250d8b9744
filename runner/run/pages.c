/* SPDX-License-Identifier: MIT */
/* Effects on pages: the pages of a range are queried before and after the call. */
#include <stdlib.h>
#include <string.h>

#include "case.h"

/* Of a longer range only so many pages are queried: what fits a reply. */
#define PAGES_MAX 256u

static uint64_t instance_number(const struct wcts_session *session, const struct wcts_world *world,
                                int instance, const struct wcts_operand *operand)
{
    int where = wcts_world_resolve(world, instance, operand->refs[0].structure);
    return where < 0 ? 0
                     : wcts_value_resolve(session->spec, &session->symbols,
                                          wcts_world_get(world, where, operand->refs[0]));
}

static bool query_pages(struct wcts_session *session, uint64_t address, uint64_t size,
                        struct wcts_pages *pages)
{
    const struct wcts_cases *cases = session->spec->cases;
    int process = wcts_cases_symbol(cases, "process"),
        adapter = wcts_cases_symbol(cases, "adapter");
    uint64_t first = address / WCTS_GPU_PAGE * WCTS_GPU_PAGE;
    uint64_t top = (UINT64_MAX - first) / WCTS_GPU_PAGE + 1; /* pages up to the end of all */
    uint64_t count = size / WCTS_GPU_PAGE < top ? size / WCTS_GPU_PAGE : top;
    struct wcts_kernel_query_pages_request request = {.size = sizeof request, .Address = first};
    const struct wcts_kernel_query_pages_reply *reply = (const void *)session->reply;
    uint32_t reply_size = 0;
    const void *list;
    request.hProcess = process < 0 ? 0 : (uint32_t)session->symbols.values[process];
    request.hAdapter = adapter < 0 ? 0 : (uint32_t)session->symbols.values[adapter];
    request.Count = (uint32_t)(count < PAGES_MAX ? count : PAGES_MAX);
    *pages = (struct wcts_pages){0};
    if (request.Count == 0)
        return true;
    if (!wcts_succeeded(wcts_session_to_kernel(session, WCTS_KERNEL_QUERY_PAGES, &request,
                                               sizeof request, &reply_size)))
        return false;
    list = wcts_message_at(reply, reply_size, reply->pPages, reply->Count, sizeof *pages->list);
    if (!list || reply->Count != request.Count)
        return false;
    pages->list = malloc(reply->Count * sizeof *pages->list);
    if (!pages->list)
        return false;
    memcpy(pages->list, list, reply->Count * sizeof *pages->list);
    pages->count = reply->Count;
    return true;
}

/* Queries, calls, settles, queries again. False if a query was not answered. */
static bool observe(struct wcts_session *session, const struct wcts_case *test,
                    const struct wcts_world *world, struct wcts_pages_evidence *evidence)
{
    const struct wcts_rule *effect = &session->spec->rules[test->rule];
    const struct wcts_step *step =
        &session->spec->cases->steps[session->spec->cases->bases[test->base].step];
    struct wcts_none none = {.size = sizeof none};
    uint64_t base = instance_number(session, world, test->instance, &effect->arg[WCTS_ARG_BASE]);
    uint64_t size = instance_number(session, world, test->instance, &effect->arg[WCTS_ARG_SIZE]);
    uint32_t reply_size;
    if (!query_pages(session, base, size, &evidence->before))
        return false;
    if (effect->arg[WCTS_ARG_COPY].given) {
        uint64_t from =
            instance_number(session, world, test->instance, &effect->arg[WCTS_ARG_COPY]);
        if (!query_pages(session, from, size, &evidence->source))
            return false;
    }
    evidence->attempt.end = WCTS_ATTEMPT_ANSWERED;
    evidence->attempt.operation = session->spec->messages[step->message].operation;
    evidence->attempt.status =
        wcts_session_send(session, step, world, world->adapter_count, &reply_size);
    wcts_session_to_kernel(session, WCTS_KERNEL_SETTLE, &none, sizeof none, &reply_size);
    return query_pages(session, base, size, &evidence->after);
}

/* True if the same call without the case's facts is accepted: only then a refusal proves
 * anything. */
static bool accepts_base(struct wcts_session *session, const struct wcts_case *test,
                         const struct wcts_attempt *attempt)
{
    struct wcts_attempt base;
    struct wcts_world world;
    bool accepted = false;
    if (test->fact_count == 0 || wcts_answer_of(attempt->status) != WCTS_ANSWER_REFUSED ||
        session->spec->rules[test->rule].arg[WCTS_ARG_REFUSED].given)
        return false;
    wcts_session_shut_down(session);
    if (wcts_case_world(&world, &session->eval, test, NULL, 0)) {
        wcts_attempt_make(session, &world, &base);
        accepted = base.end == WCTS_ATTEMPT_ANSWERED &&
                   wcts_answer_of(base.status) == WCTS_ANSWER_ACCEPTED;
    }
    wcts_world_release(&world);
    return accepted;
}

void wcts_judge_unseen_pages(struct wcts_session *session, struct wcts_finding *finding)
{
    const struct wcts_exchange *exchange = &session->exchange;
    const struct wcts_record *last =
        exchange->count > 0 ? &exchange->records[exchange->count - 1] : NULL;
    const struct wcts_attempt missing = {
        .end = WCTS_ATTEMPT_ANSWERED,
        .operation = WCTS_KERNEL_QUERY_PAGES,
        .status = last ? last->status : WCTS_STATUS_SUCCESS,
    };
    if (last && last->operation == WCTS_KERNEL_QUERY_PAGES && wcts_is_denied(last->status))
        wcts_judge_denied(last, finding);
    else if (!last || last->operation != WCTS_KERNEL_QUERY_PAGES ||
             !wcts_judge_no_answer(&missing, "", finding)) {
        wcts_finding_set(
            finding, WCTS_FOUND_BROKEN,
            "KERNEL_QUERY_PAGES did not answer with the pages asked for, although PAGES is "
            "claimed");
        finding->fails = true;
    }
}

void wcts_run_pages(struct wcts_session *session, const struct wcts_case *test,
                    struct wcts_finding *finding)
{
    struct wcts_pages_evidence evidence = {.attempt = {.end = WCTS_ATTEMPT_NO_BOOT}};
    struct wcts_world world;
    if (!(session->claims.capabilities & WCTS_CAPABILITY_PAGES)) {
        wcts_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED,
                          "PAGES, so that no page can be looked at");
        return;
    }
    if (!wcts_case_world(&world, &session->eval, test, test->facts, test->fact_count)) {
        wcts_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
    } else if (!wcts_session_prepare(session, &world, &evidence.attempt)) {
        wcts_judge_no_answer(&evidence.attempt, "base call", finding);
    } else if (!observe(session, test, &world, &evidence)) {
        wcts_judge_unseen_pages(session, finding);
    } else {
        evidence.base_accepted = accepts_base(session, test, &evidence.attempt);
        wcts_judge_pages(session->plan, test, &world, &session->symbols, &evidence, finding);
    }
    wcts_session_shut_down(session);
    free(evidence.before.list);
    free(evidence.after.list);
    free(evidence.source.list);
    wcts_world_release(&world);
}
