/* SPDX-License-Identifier: MIT */
/* Effects on pages: the call is made between two looks at the pages of its range. */
#include "perform.h"

/* More pages than this are looked at in part only: what fits a reply. */
#define PAGES_MAX 256u

static uint64_t instance_number(const struct wcts_session *session, const struct wcts_world *world,
                                int instance, const struct wcts_operand *operand)
{
    int where = wcts_world_resolve(world, instance, operand->refs[0].structure);
    return where < 0 ? 0
                     : wcts_model_value_resolve(session->spec, &session->symbols,
                                                wcts_world_get(world, where, operand->refs[0]));
}

/* The whole pages from the one that holds address on, up to the top of the address space. */
static uint32_t page_count(uint64_t address, uint64_t size)
{
    uint64_t room = (UINT64_MAX - address) / WCTS_GPU_PAGE + 1;
    uint64_t count = size / WCTS_GPU_PAGE < room ? size / WCTS_GPU_PAGE : room;
    return (uint32_t)(count < PAGES_MAX ? count : PAGES_MAX);
}

/* Asks for the pages of a range. False if they were not reported. */
static bool query(struct wcts_session *session, enum wcts_look look, uint64_t address,
                  uint64_t size)
{
    const struct wcts_cases *cases = session->spec->cases;
    int process = wcts_model_cases_symbol(cases, "process"),
        adapter = wcts_model_cases_symbol(cases, "adapter");
    uint64_t first = address / WCTS_GPU_PAGE * WCTS_GPU_PAGE;
    struct wcts_kernel_query_pages_request request = {.size = sizeof request, .Address = first};
    const struct wcts_kernel_query_pages_reply *reply = (const void *)session->reply;
    int index = session->exchange.count;
    uint32_t reply_size = 0;
    wcts_status status;
    request.hProcess = process < 0 ? 0 : (uint32_t)session->symbols.values[process];
    request.hAdapter = adapter < 0 ? 0 : (uint32_t)session->symbols.values[adapter];
    request.Count = page_count(first, size);
    if (request.Count == 0)
        return true;
    status = wcts_session_to_kernel(session, WCTS_KERNEL_QUERY_PAGES, &request, sizeof request,
                                    &reply_size);
    if (index < session->exchange.count)
        session->exchange.records[index].look = look;
    return wcts_succeeded(status) && reply->Count == request.Count &&
           wcts_message_at(reply, reply_size, reply->pPages, reply->Count,
                           sizeof(struct wcts_page));
}

/* Looks, calls, settles, looks again. False if a look was not answered. */
static bool observe(struct wcts_session *session, const struct wcts_case *test,
                    const struct wcts_world *world, struct wcts_attempt *attempt)
{
    const struct wcts_rule *effect = &session->spec->rules[test->rule];
    const struct wcts_step *step =
        &session->spec->cases->steps[session->spec->cases->bases[test->base].step];
    struct wcts_none none = {.size = sizeof none};
    uint64_t base = instance_number(session, world, test->instance, &effect->arg[WCTS_ARG_BASE]);
    uint64_t size = instance_number(session, world, test->instance, &effect->arg[WCTS_ARG_SIZE]);
    uint32_t reply_size;
    *attempt = (struct wcts_attempt){.end = WCTS_ATTEMPT_ANSWERED,
                                     .operation = wcts_model_step_operation(session->spec, step)};
    if (!query(session, WCTS_LOOK_BEFORE, base, size))
        return false;
    if (effect->arg[WCTS_ARG_COPY].given &&
        !query(session, WCTS_LOOK_SOURCE,
               instance_number(session, world, test->instance, &effect->arg[WCTS_ARG_COPY]), size))
        return false;
    attempt->status = wcts_session_send(session, step, world, world->adapter_count, &reply_size);
    wcts_session_to_kernel(session, WCTS_KERNEL_SETTLE, &none, sizeof none, &reply_size);
    return query(session, WCTS_LOOK_AFTER, base, size);
}

/* A refusal says something only when the same call without the test's facts is accepted. */
static bool needs_base(const struct wcts_session *session, const struct wcts_case *test,
                       const struct wcts_attempt *attempt)
{
    return test->fact_count > 0 &&
           wcts_exchange_answer_of(attempt->status) == WCTS_ANSWER_REFUSED &&
           !session->spec->rules[test->rule].arg[WCTS_ARG_REFUSED].given;
}

void wcts_run_perform_pages(struct wcts_session *session, const struct wcts_case *test)
{
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT}, base = attempt;
    struct wcts_boot *own;
    struct wcts_world world;
    bool looked = false;
    if (wcts_oracle_case_world(&world, &session->eval, test, test->facts, test->fact_count) &&
        wcts_session_prepare(session, &world, &attempt))
        looked = observe(session, test, &world, &attempt);
    wcts_world_release(&world);
    own = wcts_session_keep(session, WCTS_FOR_TEST, &attempt);
    if (!own)
        return;
    own->looked = looked;
    if (!looked || !needs_base(session, test, &attempt))
        return;
    if (wcts_oracle_case_world(&world, &session->eval, test, NULL, 0))
        wcts_machine_attempt_make(session, &world, &base);
    wcts_world_release(&world);
    wcts_session_keep(session, WCTS_FOR_BASE, &base);
}
