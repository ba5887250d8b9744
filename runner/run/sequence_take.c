/* SPDX-License-Identifier: MIT */
/* Taking walks: the acts of each step are performed, and the judge decides whether it goes on. */
#include <stdlib.h>

#include "../machine/script.h"
#include "../plan/sequence.h"
#include "sequence.h"

static void free_walker(struct wcts_run_walker *walk)
{
    if (!walk)
        return;
    wcts_oracle_model_release(&walk->model);
    free(walk);
}

struct wcts_run_walker *wcts_run_walk_of(struct wcts_machine_session *session)
{
    struct wcts_run_walker *walk = session->walk;
    if (walk)
        return walk;
    walk = calloc(1, sizeof *walk);
    /* A spec without sequences has no case that gets here. */
    if (!walk || !wcts_oracle_walk_shape_init(&walk->shape, session->spec) ||
        !wcts_oracle_model_init(&walk->model, &walk->shape)) {
        free(walk);
        return NULL;
    }
    session->walk = walk;
    session->walk_free = free_walker;
    return walk;
}

struct run_taking {
    struct wcts_machine_performance performance;
    struct wcts_run_walker *walk;
    struct wcts_plan_walk_names names;
};

static void take_call(struct run_taking *taking, const struct wcts_oracle_walk_step *step)
{
    struct wcts_plan_walk_call call;
    if (wcts_plan_walk_call(&call, &taking->walk->shape, &taking->names, step))
        wcts_machine_script_act(
            &taking->performance,
            &(struct wcts_act){.kind = WCTS_ACT_CALL, .step = call.of, .call = &call.step});
}

/* The call of a step that the model can take. */
static void take_step(void *ctx, const struct wcts_oracle_walk_step *step)
{
    struct run_taking *taking = ctx;
    const struct wcts_oracle_model *model = &taking->walk->model;
    struct wcts_oracle_walk_step sent = *step;
    if (step->kind == WCTS_WALK_FREE)
        sent.count = model->held.slots[wcts_oracle_account_at(&model->held, step->first)].count;
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        taking->names.allocations[i] = (struct wcts_value){
            .symbol = -1, .number = model->symbols.values[model->allocation_symbols + i]};
    take_call(taking, &sent);
}

static void take_look(void *ctx)
{
    struct run_taking *taking = ctx;
    const struct wcts_act acts[] = {
        {.kind = WCTS_ACT_SETTLE},
        {.kind = WCTS_ACT_QUERY, .address = taking->names.window.number, .size = WCTS_WALK_WINDOW}};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        wcts_machine_script_act(&taking->performance, &acts[i]);
}

/* Reserves or frees the window; false if that was refused. */
static bool take_window(struct run_taking *taking, enum wcts_oracle_walk_kind kind, uint64_t base)
{
    const struct wcts_exchange *exchange = &taking->performance.session->exchange;
    const struct wcts_oracle_walk_step step = {.kind = kind, .count = WCTS_WALK_GRANULES};
    struct wcts_exchange_attempt *attempt = &taking->performance.attempt;
    int index = exchange->count;
    taking->names.window = (struct wcts_value){.symbol = -1, .number = base};
    take_call(taking, &step);
    *attempt = (struct wcts_exchange_attempt){
        WCTS_ATTEMPT_SETUP, wcts_oracle_walk_message(&taking->walk->shape, &step)->operation,
        WCTS_STATUS_NO_MEMORY, 0};
    if (index < exchange->count)
        attempt->status = exchange->records[index].status;
    return wcts_succeeded(attempt->status);
}

/* Finds a place for the window: reserves it and frees it. */
static bool find_window(struct run_taking *taking, bool top)
{
    const struct wcts_machine_session *session = taking->performance.session;
    int result = session->spec->cases->steps[taking->walk->shape.reserves[0].step].result;
    bool found = top && take_window(taking, WCTS_WALK_RESERVE, WCTS_WALK_TOP);
    if (!found && (!top || wcts_exchange_answer_of(taking->performance.attempt.status) ==
                               WCTS_ANSWER_REFUSED))
        found = take_window(taking, WCTS_WALK_RESERVE, 0);
    return found && take_window(taking, WCTS_WALK_FREE, session->symbols.values[result]);
}

void wcts_run_walk_perform(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                           const struct wcts_case *test,
                           const struct wcts_oracle_walk_sequence *sequence,
                           struct wcts_judge_walk_outcome *outcome)
{
    const struct wcts_oracle_walk_shape *shape = &walk->shape;
    const struct wcts_step *steps = session->spec->cases->steps;
    const struct wcts_script script = {.test = test,
                                       .adapter = session->spec->cases->bases[shape->base].adapter,
                                       .boots = {{.purpose = WCTS_FOR_TEST}},
                                       .boot_count = 1};
    struct run_taking taking = {.walk = walk};
    struct wcts_machine_performance *performance = &taking.performance;
    const struct wcts_judge_walk_taker taker = {&session->exchange, take_step, take_look, &taking};
    wcts_exchange_recording_clear(&session->recording);
    *outcome = (struct wcts_judge_walk_outcome){.failure = {.breach = WCTS_WALK_NO_BREACH}};
    outcome->stopped = !wcts_machine_script_begin(performance, session, &script, 0) ||
                       !wcts_machine_session_ensure_needs(session, &steps[shape->reserves[0].step],
                                                          NULL, &performance->attempt) ||
                       !wcts_machine_session_ensure_needs(session, &steps[shape->create], NULL,
                                                          &performance->attempt) ||
                       !find_window(&taking, sequence->top);
    outcome->attempt = performance->attempt;
    if (!outcome->stopped) {
        performance->attempt.end = WCTS_ATTEMPT_ANSWERED;
        wcts_oracle_model_begin(&walk->model, test->version, taking.names.window.number,
                                session->symbols.values);
        wcts_judge_walk(session->plan, test, sequence, &walk->model, &taker, &session->strictness,
                        outcome);
    }
    wcts_machine_script_end(performance);
}
