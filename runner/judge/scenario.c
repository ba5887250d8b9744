/* SPDX-License-Identifier: MIT */
/* Scenarios as they were recorded: why calls were denied, and what the effect shows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exchange/trace.h"
#include "../model/names.h"
#include "recorded.h"

/* What the calls of a scenario have made so far. */
struct judge_scenario_progress {
    const struct wcts_judge *judge;
    const struct wcts_case *test;
    const struct wcts_exchange *exchange;
    bool *done; /* one a step: taken, or accepted */
    bool *left; /* one a symbol: a call that is not supported was to use it */
};

/* The symbol of a member's value, if it is of an object that a call makes, such as a handle, or a
 * range that a walk reserves; NULL: none. */
static const struct wcts_symbol *symbol_at(const struct wcts_spec *spec,
                                           const struct wcts_oracle_world_instance *instance,
                                           int member)
{
    int at = instance->values[member].symbol;
    const struct wcts_symbol *symbol = at < 0 ? NULL : &spec->cases->symbols[at];
    bool made = symbol && (symbol->kind == WCTS_SYMBOL_HANDLE ||
                           (symbol->kind == WCTS_SYMBOL_RESERVATION && symbol->scenario >= 0));
    return made ? symbol : NULL;
}

/* True if something is what every kernel has somehow, such as a device. */
static bool is_surrounding(const struct wcts_spec *spec, const struct wcts_symbol *symbol)
{
    int message = spec->cases->steps[symbol->step].message;
    return message >= 0 &&
           wcts_model_operation_missing(spec->messages[message].operation) == WCTS_MISSING_SETUP;
}

/* An operation that is missing was to do something with an object: what is done with it next may
 * need that, as KERNEL_UNLOCK needs KERNEL_LOCK. */
static void leave_objects(struct judge_scenario_progress *reached, const struct wcts_world *world)
{
    const struct wcts_spec *spec = reached->judge->plan->spec;
    for (int i = 0; i < world->count; i++)
        for (int m = 0; m < spec->structures[world->instances[i].structure].member_count; m++) {
            const struct wcts_symbol *symbol = symbol_at(spec, &world->instances[i], m);
            if (symbol && !is_surrounding(spec, symbol))
                reached->left[symbol - spec->cases->symbols] = true;
        }
}

/* True if the call uses what no call has made, what one has ended, or what one was left out of. */
static bool uses_nothing(const struct judge_scenario_progress *reached,
                         const struct wcts_world *world)
{
    const struct wcts_spec *spec = reached->judge->plan->spec;
    const struct wcts_cases *cases = spec->cases;
    for (int i = 0; i < world->count; i++)
        for (int m = 0; m < spec->structures[world->instances[i].structure].member_count; m++) {
            int at = world->instances[i].values[m].symbol;
            const struct wcts_symbol *object = symbol_at(spec, &world->instances[i], m);
            if (object &&
                ((object->scenario >= 0 && !reached->done[object->step]) || reached->left[at]))
                return true;
            if (at >= 0 && cases->symbols[at].dead_by >= 0 &&
                reached->done[cases->symbols[at].dead_by])
                return true;
        }
    return false;
}

/* Adds what a step sends, with the values of the test's parameters. */
static bool add_step_of(struct wcts_world *world, const struct wcts_case *test,
                        const struct wcts_step *step)
{
    const int first = world->count;
    const size_t count = (size_t)world->eval->spec->cases->symbols_count + 1;
    struct wcts_symbols symbols = {NULL};
    if (!wcts_world_add_step(world, step))
        return false;
    if (!test->scenario || test->scenario->loop_count == 0)
        return true;
    symbols.values = calloc(count, sizeof *symbols.values);
    for (int i = 0; symbols.values && i < test->scenario->loop_count; i++) {
        const struct wcts_loop *loop = &test->scenario->loops[i];
        symbols.values[loop->symbol] = loop->values[test->values[i]].number;
    }
    if (!symbols.values)
        return false;
    wcts_world_put_flags(world, first, step, &symbols);
    free(symbols.values);
    return true;
}

/* What the driver has answered up to a record and, when it is given, what a step sends. */
static bool world_so_far(const struct wcts_judge *judge, const struct wcts_case *test,
                         const struct wcts_exchange *exchange, int end,
                         const struct wcts_step *step, struct wcts_world *world)
{
    struct wcts_exchange before = *exchange;
    before.count = end;
    return wcts_judge_world_of_answers(world, judge->eval, test->version, test->page_size,
                                       &before) &&
           (!step || add_step_of(world, test, step));
}

/* Notes why a call of the scenario was denied. Answers that the driver has not given yet are no
 * reason. */
static void note_denial(const struct judge_scenario_progress *reached, const struct wcts_step *step,
                        int index, const struct wcts_world *sent)
{
    struct wcts_exchange_record *record = &reached->exchange->records[index];
    const struct wcts_exchange_view trace = {reached->judge->plan->spec, reached->exchange, 0};
    struct wcts_world world;
    record->denial = WCTS_DENIAL_LET;
    if (uses_nothing(reached, sent)) {
        record->denial = WCTS_DENIAL_NOTHING;
    } else if (!step->refusable) {
        record->denial = WCTS_DENIAL_NONE;
        if (world_so_far(reached->judge, reached->test, reached->exchange,
                         wcts_exchange_end(&trace, index), step, &world))
            wcts_judge_note_denial(record, &world);
        wcts_world_release(&world);
    }
}

/* The loss of an operation is a refusal where nothing allows one. */
static void note_loss(const struct judge_scenario_progress *reached, const struct wcts_step *step,
                      int index, const struct wcts_world *sent)
{
    struct wcts_exchange_record *record = &reached->exchange->records[index];
    note_denial(reached, step, index, sent);
    if (record->denial != WCTS_DENIAL_VALID)
        record->denial = WCTS_DENIAL_NONE;
}

bool wcts_judge_is_valid_call(const struct wcts_judge *judge, const struct wcts_case *test,
                              const struct wcts_exchange *exchange, int index)
{
    const struct wcts_exchange_view trace = {judge->plan->spec, exchange, 0};
    struct wcts_oracle_prediction prediction = {.expect = WCTS_EXPECT_OPEN};
    struct wcts_world world;
    const struct wcts_step *step;
    while (index > 0 && exchange->records[index].depth != 0)
        index--;
    if (exchange->records[index].step == 0)
        return true;
    step = &judge->plan->spec->cases->steps[exchange->records[index].step - 1];
    if (world_so_far(judge, test, exchange, wcts_exchange_end(&trace, index), step, &world) &&
        !wcts_world_gap(&world))
        wcts_world_judge(&world, &prediction);
    wcts_world_release(&world);
    return prediction.expect == WCTS_EXPECT_ACCEPT;
}

static bool is_scenario_call(const struct wcts_scenario *scenario, int step)
{
    for (int i = 0; i < scenario->act_count; i++)
        if (scenario->acts[i].kind != WCTS_ACT_SPOIL && scenario->acts[i].kind != WCTS_ACT_STEP &&
            scenario->acts[i].step == step)
            return true;
    return false;
}

/* Follows one call of the suite. */
static void follow_scenario(struct judge_scenario_progress *reached, int index)
{
    const struct wcts_exchange_record *record = &reached->exchange->records[index];
    const struct wcts_step *step = &reached->judge->plan->spec->cases->steps[record->step - 1];
    struct wcts_world sent;
    if (!is_scenario_call(reached->test->scenario, record->step - 1)) {
        reached->done[record->step - 1] = true;
        return;
    }
    wcts_world_init(&sent, reached->judge->eval, 0, 4096);
    if (wcts_world_add_step(&sent, step)) {
        if (!reached->test->driver && wcts_exchange_is_denied(record->status))
            note_denial(reached, step, index, &sent);
        else if (!reached->test->driver && wcts_judge_is_lost(reached->exchange, index))
            note_loss(reached, step, index, &sent);
        if (wcts_exchange_answer_of(record->status) == WCTS_ANSWER_MISSING)
            leave_objects(reached, &sent);
    }
    if (wcts_succeeded(record->status))
        reached->done[record->step - 1] = true;
    wcts_world_release(&sent);
}

static void note_denials(const struct wcts_judge *judge, const struct wcts_case *test,
                         struct wcts_exchange *exchange)
{
    const struct wcts_cases *cases = judge->plan->spec->cases;
    struct judge_scenario_progress reached = {
        judge, test, exchange, calloc((size_t)cases->steps_count + 1, sizeof(bool)),
        calloc((size_t)cases->symbols_count + 1, sizeof(bool))};
    for (int i = 0; reached.done && reached.left && i < exchange->count; i++)
        if (exchange->records[i].step > 0)
            follow_scenario(&reached, i);
    free(reached.done);
    free(reached.left);
}

/* A set-up that the kernel may refuse, since what the driver answered breaks advice, or no document
 * says what it comes to: with the reason. */
static bool judge_open_setup(const struct wcts_judge *judge, const struct wcts_case *test,
                             const struct wcts_exchange_boot *boot, struct wcts_finding *finding)
{
    struct wcts_oracle_prediction prediction = {.expect = WCTS_EXPECT_ACCEPT};
    const struct wcts_exchange_attempt *attempt = &boot->attempt;
    const struct wcts_message *message =
        wcts_exchange_message_of(judge->plan->spec, attempt->operation);
    const struct wcts_gap *gap = NULL;
    struct wcts_world world;
    if (attempt->end != WCTS_ATTEMPT_SETUP || !wcts_exchange_is_denied(attempt->status) ||
        test->driver)
        return false;
    if (world_so_far(judge, test, &boot->exchange, boot->closing, NULL, &world)) {
        wcts_world_judge(&world, &prediction);
        gap = wcts_world_gap(&world);
    }
    wcts_world_release(&world);
    if (gap)
        wcts_judge_gap(gap, attempt, finding);
    else if (prediction.expect == WCTS_EXPECT_OPEN)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE, "%s",
                                message && message->starts
                                    ? "an adapter that breaks advice does not start"
                                    : "an answer of the driver that breaks advice is refused");
    return gap || prediction.expect == WCTS_EXPECT_OPEN;
}

/* A walk is for no effect of its own (observed.c), but shows nothing of who does nothing. */
static void judge_tour(const struct wcts_judge *judge, const struct wcts_case *test,
                       const struct wcts_exchange *exchange, struct wcts_finding *finding)
{
    const struct wcts_spec *spec = judge->plan->spec;
    bool any = false;
    for (int i = 0; i < exchange->count && !any; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
        any = record->step > 0 && message && !message->settles && !message->machine &&
              is_scenario_call(test->scenario, record->step - 1) && wcts_succeeded(record->status);
    }
    if (any)
        finding->found = WCTS_FOUND_KEPT;
    else
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "no call of the walk was accepted");
}

/* The reference kernel has nowhere to place an allocation that is larger than the segments in which
 * it may be: nothing is seen of it. */
static void excuse_no_room(const struct wcts_exchange *exchange, struct wcts_finding *finding)
{
    uint64_t size;
    for (int i = 0; i < exchange->count; i++)
        if (exchange->records[i].depth != 0 &&
            wcts_exchange_answer_of(exchange->records[i].status) == WCTS_ANSWER_NO_TEST)
            return;
    if (finding->found == WCTS_FOUND_TROUBLE && wcts_judge_has_no_room(exchange, &size))
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                WCTS_FINDING_NO_ROOM "0x%" PRIx64, size);
}

static void judge_boot(const struct wcts_judge *judge, const struct wcts_case *test,
                       struct wcts_exchange_boot *boot, struct wcts_strictness *strictness,
                       struct wcts_finding *finding)
{
    if (boot->attempt.end == WCTS_ATTEMPT_ANSWERED) {
        struct wcts_exchange open = wcts_exchange_judged(boot, judge->plan->spec);
        const struct wcts_exchange_view view = {judge->plan->spec, &open, test->page_size};
        if (test->driver)
            wcts_judge_decline_owed(judge->plan->spec, &open);
        else
            note_denials(judge, test, &open);
        if (test->kind == WCTS_KIND_TOUR)
            judge_tour(judge, test, &open, finding);
        else
            wcts_judge_effect(judge->plan, test, strictness, &open, 0, finding);
        wcts_judge_declined(&view, finding);
    } else if (!judge_open_setup(judge, test, boot, finding)) {
        wcts_judge_no_answer(&boot->attempt, "set-up", finding);
        wcts_judge_name_refused_kind(
            &(struct wcts_exchange_view){judge->plan->spec, &boot->exchange, test->page_size},
            finding);
    }
    if (test->driver && boot->exchange.breach_kind == WCTS_BREACH_NONE)
        excuse_no_room(&boot->exchange, finding);
}

/* A kind that shows nothing, as one that the driver cannot page or does not create, is passed over
 * as long as another does; but one of which a valid call is denied is the result, unless a breach
 * comes, which ends it. */
const struct wcts_exchange_boot *
wcts_judge_scenario(const struct wcts_judge *judge, const struct wcts_case *test,
                    const struct wcts_exchange_recording *recording,
                    struct wcts_strictness *strictness, struct wcts_finding *finding)
{
    struct wcts_judge_of_kind *of_kinds = calloc((size_t)recording->count + 1, sizeof *of_kinds);
    int chosen = 0, count = 0;
    for (bool ended = !of_kinds; count < recording->count && !ended; count++) {
        struct wcts_exchange_boot *boot = &recording->boots[count];
        struct wcts_finding found = {.found = WCTS_FOUND_TROUBLE, .cleared = finding->cleared};
        if (boot->purpose != WCTS_FOR_TEST)
            continue;
        if (boot->kept_alone == test->index + 1)
            found.found = WCTS_FOUND_KEPT;
        else
            judge_boot(judge, test, boot, strictness, &found);
        finding->cleared = found.cleared;
        of_kinds[count].found = found;
        wcts_judge_note_kind(judge->plan->spec, recording, count, of_kinds);
        ended = boot->exchange.breach_kind != WCTS_BREACH_NONE; /* that is the finding */
    }
    if (of_kinds)
        chosen = wcts_judge_choose_kind(recording, count, of_kinds, finding);
    free(of_kinds);
    return &recording->boots[chosen];
}
