/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../exchange/trace.h"

/* Follows a walk, step by step, in the model. */
struct judge_walk_follower {
    const struct wcts_plan *plan;
    const struct wcts_case *test;
    struct wcts_strictness *strictness;
    struct wcts_oracle_model *model;
    struct wcts_judge_walk_outcome *outcome;
    const struct wcts_oracle_walk_step *step;
    int at;        /* its number */
    bool answered; /* True once an update was answered */
    enum wcts_expect expect;
    struct wcts_oracle_prediction prediction;
};

/* The answer to a step. */
struct judge_walk_answer {
    wcts_status status;
    uint64_t result; /* address or handle */
    bool breach;     /* the exchange ended with it (enum wcts_exchange_breach) */
};

/* ---- Failures ---- */

/* Keeps the first failure among the worst. Returns true if the walk is over. */
static bool record_failure(struct judge_walk_follower *follower, enum wcts_judge_walk_breach breach,
                           int rule, const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool record_failure(struct judge_walk_follower *follower, enum wcts_judge_walk_breach breach,
                           int rule, const char *format, ...)
{
    const struct wcts_plan *plan = follower->plan;
    struct wcts_judge_walk_failure *failure = &follower->outcome->failure;
    bool declined = breach == WCTS_WALK_REFUSED;
    bool fails = !declined && wcts_judge_breach_fails(plan, rule, follower->strictness);
    va_list arguments;
    if (failure->breach != WCTS_WALK_NO_BREACH && !fails)
        return false;
    *failure = (struct wcts_judge_walk_failure){.breach = breach,
                                                .step = follower->at,
                                                .rule = rule,
                                                .found = declined ? WCTS_FOUND_DECLINED
                                                                  : WCTS_FOUND_BROKEN,
                                                .fails = fails};
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return fails;
}

static void field_text(char *text, size_t room, enum wcts_meaning field, uint64_t value)
{
    static const char *const states[] = {"unreserved", "zero", "invalid", "mapped"};
    if (field == WCTS_MEANS_STATE && value < sizeof states / sizeof *states)
        snprintf(text, room, "%s", states[value]);
    else
        snprintf(text, room, "0x%" PRIx64, value);
}

/* The operation of the step's call. */
static uint32_t operation_of(const struct judge_walk_follower *follower)
{
    return wcts_oracle_walk_message(follower->model->shape, follower->step)->operation;
}

static bool stop(struct judge_walk_follower *follower, uint32_t operation, wcts_status status,
                 const char *why)
{
    struct wcts_judge_walk_outcome *outcome = follower->outcome;
    outcome->stopped = true;
    outcome->attempt = (struct wcts_exchange_attempt){WCTS_ATTEMPT_ANSWERED, operation, status, 0};
    snprintf(outcome->text, sizeof outcome->text, "%s", why);
    return true;
}

/* ---- Steps: each returns true if the walk is over ---- */

static bool compare_pages(struct judge_walk_follower *follower,
                          const struct judge_walk_answer *answer,
                          const struct wcts_page_shown *pages)
{
    const struct wcts_oracle_walk_step *step = follower->step;
    struct wcts_oracle_model *model = follower->model;
    bool refused = wcts_exchange_answer_of(answer->status) != WCTS_ANSWER_ACCEPTED &&
                   step->kind == WCTS_WALK_UPDATE;
    bool writes = step->kind == WCTS_WALK_UPDATE && !refused;
    enum wcts_meaning field;
    char found[24], wanted[24];
    int page, rule;
    if (!pages)
        return stop(follower, wcts_model_operation_showing(follower->plan->spec, WCTS_SHOWS_PAGES),
                    answer->status, "PAGES");
    page = wcts_oracle_model_compare(model, pages, &field);
    if (page < 0)
        return false;
    if (writes && model->writer[page] >= 0)
        rule = wcts_oracle_model_blame_page(model, step, pages, page, field);
    else if (refused)
        rule = wcts_oracle_model_blame_refused(model, step, page);
    else
        rule = wcts_oracle_model_blame_outside(model, step, page);
    field_text(found, sizeof found, field, pages[page].of[field]);
    field_text(wanted, sizeof wanted, field, model->pages[page].page.of[field]);
    wcts_oracle_model_adopt(model, pages);
    return record_failure(
        follower, WCTS_WALK_CHANGED, rule,
        "%s, the page at " WCTS_WALK_WINDOW_NAME "+0x%" PRIx64 ": %s is %s, expected %s",
        refused ? "after a refused call" : "after the call", (uint64_t)page * WCTS_GPU_PAGE,
        wcts_model_page_member_name(follower->plan->spec, field), found, wanted);
}

/* The rule that the call breaks for certain, before rules that only advise. */
static int rule_broken(const struct wcts_spec *spec,
                       const struct wcts_oracle_prediction *prediction)
{
    for (int i = 0; i < prediction->broken_count; i++)
        if (spec->rules[prediction->broken[i]].outcome != WCTS_OUTCOME_EITHER)
            return prediction->broken[i];
    return prediction->broken[0];
}

/* An answer that proves nothing. */
static bool no_answer(struct judge_walk_follower *follower, const struct judge_walk_answer *answer)
{
    uint32_t operation = operation_of(follower);
    const struct wcts_oracle_walk_step *step = follower->step;
    enum wcts_exchange_answer sort = wcts_exchange_answer_of(answer->status);
    if (answer->breach)
        return stop(follower, operation, answer->status, "");
    if (sort == WCTS_ANSWER_MISSING && follower->answered && step->kind == WCTS_WALK_UPDATE)
        return record_failure(
            follower, WCTS_WALK_SILENT, wcts_oracle_model_blame_refusal(follower->model, step),
            "%s answered that it is not supported, but took calls before: expected an "
            "answer",
            wcts_operation_name(operation));
    if (sort == WCTS_ANSWER_MISSING || sort == WCTS_ANSWER_NO_TEST)
        return stop(follower, operation, answer->status, "");
    return false;
}

static void note_refused_call(struct judge_walk_follower *follower,
                              const struct wcts_oracle_walk_step *step)
{
    const struct wcts_oracle_model *model = follower->model;
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        if (model->writer[i] >= 0)
            wcts_oracle_walk_note_refused(&follower->outcome->numbers,
                                          step->items[model->writer[i]].operation,
                                          (unsigned)model->pages[i].page.of[WCTS_MEANS_STATE]);
}

static void note_others(struct judge_walk_follower *follower,
                        const struct wcts_oracle_prediction *prediction)
{
    const struct wcts_spec *spec = follower->plan->spec;
    struct wcts_judge_walk_failure *failure = &follower->outcome->failure;
    int room = (int)(sizeof failure->others / sizeof *failure->others);
    if (failure->step != follower->at || failure->breach != WCTS_WALK_ACCEPTED)
        return;
    for (int i = 0; i < prediction->broken_count && failure->other_count < room; i++)
        if (spec->rules[prediction->broken[i]].outcome != WCTS_OUTCOME_EITHER &&
            prediction->broken[i] != failure->rule)
            failure->others[failure->other_count++] = prediction->broken[i];
}

/* A call that breaks no rule was refused: the pages must be unchanged, and the walk goes on. */
static void decline(struct judge_walk_follower *follower, int rule, wcts_status status)
{
    char text[64];
    wcts_exchange_status_text(status, text, sizeof text);
    record_failure(follower, WCTS_WALK_REFUSED, rule, "%s answered %s, " WCTS_JUDGE_REFUSAL,
                   wcts_operation_name(operation_of(follower)), text);
}

static bool judge_update(struct judge_walk_follower *follower, wcts_status status)
{
    const struct wcts_oracle_prediction *prediction = &follower->prediction;
    enum wcts_expect expect = follower->expect;
    bool accepted = wcts_succeeded(status);
    char text[64];
    wcts_exchange_status_text(status, text, sizeof text);
    if (accepted && (expect == WCTS_EXPECT_REFUSE || expect == WCTS_EXPECT_ASSERT)) {
        bool over = record_failure(follower, WCTS_WALK_ACCEPTED,
                                   rule_broken(follower->plan->spec, prediction),
                                   "%s answered %s, expected a refusal",
                                   wcts_operation_name(operation_of(follower)), text);
        note_others(follower, prediction);
        return over;
    }
    if (!accepted && expect == WCTS_EXPECT_ACCEPT)
        decline(follower, wcts_oracle_model_blame_refusal(follower->model, follower->step), status);
    return false;
}

static bool follow_update(struct judge_walk_follower *follower,
                          const struct judge_walk_answer *answer)
{
    struct wcts_walk_numbers *numbers = &follower->outcome->numbers;
    if (no_answer(follower, answer))
        return true;
    follower->answered = true;
    numbers->operations += (uint64_t)follower->step->item_count;
    numbers->open += follower->expect == WCTS_EXPECT_OPEN;
    if (judge_update(follower, answer->status))
        return true;
    if (wcts_succeeded(answer->status)) {
        wcts_oracle_model_take(follower->model, follower->step,
                               follower->expect != WCTS_EXPECT_ACCEPT, 0);
        if (follower->expect == WCTS_EXPECT_ACCEPT)
            wcts_oracle_walk_numbers_add(numbers, &follower->model->taken);
    } else {
        note_refused_call(follower, follower->step);
    }
    return false;
}

/* Calls without rules in the documents: either answer is right. */
static bool follow_other(struct judge_walk_follower *follower,
                         const struct judge_walk_answer *answer)
{
    const struct wcts_oracle_walk_step *step = follower->step;
    struct wcts_oracle_model *model = follower->model;
    struct wcts_walk_numbers *numbers = &follower->outcome->numbers;
    uint64_t base = model->base + (uint64_t)step->first * WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    bool accepted = wcts_succeeded(answer->status);
    if (step->kind == WCTS_WALK_RESERVE && accepted && answer->result != base) {
        record_failure(follower, WCTS_WALK_REFUSED, follower->test->rule,
                       "%s reserved 0x%" PRIx64 ", expected 0x%" PRIx64 ", which was free",
                       wcts_operation_name(operation_of(follower)), answer->result, base);
        return true; /* the walk cannot follow it there */
    }
    if (no_answer(follower, answer))
        return true;
    numbers->operations += step->kind == WCTS_WALK_RESERVE || step->kind == WCTS_WALK_FREE;
    if (accepted) {
        wcts_oracle_model_take(model, step, true, answer->result);
        wcts_oracle_walk_numbers_add(numbers, &model->taken);
    } else if (step->kind != WCTS_WALK_DESTROY) {
        decline(follower, follower->test->rule, answer->status);
    }
    numbers->open += step->kind == WCTS_WALK_DESTROY || !accepted;
    return false;
}

/* False if the step cannot be taken. Else the model has the update's world. */
static bool begin_step(struct judge_walk_follower *follower,
                       const struct wcts_oracle_walk_step *step, int at)
{
    if (!wcts_oracle_account_can(&follower->model->held, step))
        return false;
    follower->step = step;
    follower->at = at;
    follower->outcome->numbers.steps++;
    if (step->kind == WCTS_WALK_UPDATE)
        follower->expect = wcts_oracle_model_expect(follower->model, step, &follower->prediction);
    return true;
}

/* ---- From what is recorded ---- */

/* The next call of the suite from *index on, which moves behind it; NULL if there are no more. */
static const struct wcts_exchange_record *next_recorded_call(const struct wcts_exchange *exchange,
                                                             int *index)
{
    while (*index < exchange->count && exchange->records[*index].depth != 0)
        ++*index;
    return *index < exchange->count ? &exchange->records[(*index)++] : NULL;
}

/* What the suite read of the whole window; NULL if it was not reported. The caller frees it. */
static struct wcts_page_shown *read_window(const struct wcts_exchange_view *view, int index)
{
    struct wcts_page_shown *pages = NULL;
    const struct wcts_exchange_record *record;
    uint32_t count = 0;
    next_recorded_call(view->exchange, &index); /* which settles */
    record = next_recorded_call(view->exchange, &index);
    if (record)
        pages = wcts_exchange_pages(view, (int)(record - view->exchange->records), &count);
    if (count == WCTS_WALK_PAGES)
        return pages;
    free(pages);
    return NULL;
}

/* Has the call made, and follows it; false if the walk is over. */
static bool follow_call(struct judge_walk_follower *follower,
                        const struct wcts_judge_walk_taker *taker, struct judge_walk_answer *answer)
{
    const struct wcts_exchange *exchange = taker->exchange;
    const struct wcts_spec *spec = follower->plan->spec;
    int index = exchange->count;
    const struct wcts_exchange_record *record;
    taker->call(taker->ctx, follower->step);
    record = next_recorded_call(exchange, &index);
    if (!record)
        return !stop(follower, operation_of(follower), WCTS_STATUS_NO_MEMORY, "");
    *answer = (struct judge_walk_answer){.status = record->status,
                                         .breach = exchange->breach_kind != WCTS_BREACH_NONE};
    if (record->step > 0 && wcts_succeeded(record->status))
        answer->result =
            wcts_exchange_step_result(spec, &spec->cases->steps[record->step - 1], record);
    return !(follower->step->kind == WCTS_WALK_UPDATE ? follow_update(follower, answer)
                                                      : follow_other(follower, answer));
}

/* Has the pages asked for, and compares them; false if the walk is over. */
static bool follow_pages(struct judge_walk_follower *follower,
                         const struct wcts_judge_walk_taker *taker,
                         const struct judge_walk_answer *answer)
{
    const struct wcts_exchange_view view = {follower->plan->spec, taker->exchange, 0};
    struct wcts_page_shown *pages;
    int index = taker->exchange->count;
    bool over;
    taker->look(taker->ctx);
    pages = read_window(&view, index);
    over = compare_pages(follower, answer, pages);
    free(pages);
    return !over;
}

void wcts_judge_walk(const struct wcts_plan *plan, const struct wcts_case *test,
                     const struct wcts_oracle_walk_sequence *sequence,
                     struct wcts_oracle_model *model, const struct wcts_judge_walk_taker *taker,
                     struct wcts_strictness *strictness, struct wcts_judge_walk_outcome *outcome)
{
    struct judge_walk_follower follower = {
        .plan = plan, .test = test, .strictness = strictness, .model = model, .outcome = outcome};
    struct judge_walk_answer answer;
    for (int i = 0; i < sequence->count; i++)
        if (begin_step(&follower, &sequence->steps[i], i) &&
            !(follow_call(&follower, taker, &answer) && follow_pages(&follower, taker, &answer)))
            return;
}
