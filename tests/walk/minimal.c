/* SPDX-License-Identifier: MIT */
/*
 * Walks against a plug-in until a sequence fails, has it shrunk, and says what is left:
 *     RULE CALLS OPERATIONS NUMBER
 * (calls that reserve, free or update; operations in them; the number of the walk). Fails when the
 * shrunk sequence is not minimal: when it fails the same way with a step or an operation left out,
 * or with a number that is simpler.
 *     minimal PLUGIN[,OPTIONS] [SEED]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/plan/plan.h"
#include "runner/plan/sequence.h"
#include "runner/run/sequence.h"

#define WALKS 400

static bool same(struct wcts_machine_session *session, const struct wcts_case *test,
                 const struct wcts_oracle_walk_sequence *sequence,
                 const struct wcts_judge_walk_failure *failure)
{
    struct wcts_judge_walk_outcome outcome;
    wcts_run_walk_perform(session, session->walk, test, sequence, &outcome);
    return wcts_run_walk_same(&outcome.failure, failure);
}

static int complain(const struct wcts_oracle_walk_shape *shape,
                    const struct wcts_oracle_walk_sequence *sequence, const char *what)
{
    char *words = wcts_run_walk_words(shape, sequence, "  ");
    fprintf(stderr, "not minimal, %s:\n%s", what, words ? words : "");
    free(words);
    return 1;
}

/* Not by the enumeration that shrinking goes by: each step, each operation, each number. */
static int without_parts(struct wcts_machine_session *session, const struct wcts_case *test,
                         const struct wcts_judge_walk_failure *failure)
{
    static struct wcts_oracle_walk_sequence less;
    struct wcts_run_walker *walk = session->walk;
    const struct wcts_oracle_walk_sequence *best = &walk->best;
    for (int i = 0; i < best->count; i++) {
        less = *best;
        memmove(&less.steps[i], &less.steps[i + 1],
                (size_t)(less.count - i - 1) * sizeof *less.steps);
        less.count--;
        if (same(session, test, &less, failure))
            return complain(&walk->shape, &less, "a step less");
        for (int j = 0; best->steps[i].kind == WCTS_WALK_UPDATE && j < best->steps[i].item_count;
             j++) {
            struct wcts_oracle_walk_step *step = &less.steps[i];
            less = *best;
            memmove(&step->items[j], &step->items[j + 1],
                    (size_t)(step->item_count - j - 1) * sizeof *step->items);
            step->item_count--;
            if (same(session, test, &less, failure))
                return complain(&walk->shape, &less, "an operation less");
        }
    }
    return 0;
}

/* A page less, half of it, nothing. */
static int with_less(struct wcts_machine_session *session, const struct wcts_case *test,
                     const struct wcts_judge_walk_failure *failure, int i, int j, int m)
{
    static struct wcts_oracle_walk_sequence less;
    struct wcts_run_walker *walk = session->walk;
    uint64_t number = walk->best.steps[i].items[j].values[m].number;
    const uint64_t numbers[] = {0, 1, number / 2, number - 1, number - WCTS_GPU_PAGE};
    if (walk->best.steps[i].items[j].values[m].is == WCTS_WALK_IS_ALLOCATION)
        return 0;
    for (size_t n = 0; number > 0 && n < sizeof numbers / sizeof *numbers; n++) {
        bool word =
            walk->shape.operations[walk->best.steps[i].items[j].operation].members[m].role ==
            WCTS_WALK_WORD;
        if (numbers[n] >= number || (word && (numbers[n] & ~number)))
            continue;
        less = walk->best;
        less.steps[i].items[j].values[m].number = numbers[n];
        if (same(session, test, &less, failure))
            return complain(&walk->shape, &less, "a number less");
    }
    return 0;
}

static int with_simpler(struct wcts_machine_session *session, const struct wcts_case *test,
                        const struct wcts_judge_walk_failure *failure)
{
    static struct wcts_oracle_walk_sequence simpler;
    struct wcts_run_walker *walk = session->walk;
    int bad = 0;
    for (int i = 0; i < walk->best.count; i++)
        for (int j = 0; j < walk->best.steps[i].item_count; j++)
            for (int m = 0; m < WCTS_WALK_MEMBERS; m++)
                bad += with_less(session, test, failure, i, j, m);
    for (int n = 0; wcts_run_walk_simpler(&walk->best, &walk->shape, n, &simpler); n++)
        if (same(session, test, &simpler, failure))
            bad += complain(&walk->shape, &simpler, "simpler");
    return bad;
}

static int examine(struct wcts_machine_session *session, const struct wcts_case *test,
                   const struct wcts_judge_walk_outcome *failed)
{
    struct wcts_judge_walk_outcome outcome;
    struct wcts_run_walker *walk = session->walk;
    int calls = 0, operations = 0;
    if (!wcts_run_walk_reduce(session, walk, test, &failed->failure, &outcome)) {
        fprintf(stderr, "the shrunk sequence does not fail again\n");
        return 1;
    }
    for (int i = 0; i < walk->best.count; i++) {
        const struct wcts_oracle_walk_step *step = &walk->best.steps[i];
        calls += step->kind != WCTS_WALK_CREATE && step->kind != WCTS_WALK_DESTROY;
        operations += step->item_count;
    }
    printf("%s %d %d %u\n", session->spec->rules[outcome.failure.rule].id, calls, operations,
           test->walk);
    return without_parts(session, test, &outcome.failure) +
           with_simpler(session, test, &outcome.failure);
}

static int walk_on(struct wcts_machine_session *session, const struct wcts_plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        struct wcts_judge_walk_outcome outcome;
        struct wcts_run_walker *walk = wcts_run_walk_of(session);
        if (test->kind != WCTS_KIND_SEQUENCE || !walk)
            continue;
        wcts_plan_walk_generate(&walk->sequence, &walk->shape, test->seed, test->walk);
        wcts_run_walk_perform(session, walk, test, &walk->sequence, &outcome);
        if (outcome.failure.breach != WCTS_WALK_NO_BREACH)
            return examine(session, test, &outcome);
    }
    fprintf(stderr, "no sequence fails\n");
    return 1;
}

int main(int argc, char **argv)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_machine_session_options options = {
        .levels = wcts_model_level_bit(WCTS_LEVEL_STRICT)};
    struct wcts_plan_options planned = {.newest_only = true, .steps = WALKS * WCTS_WALK_STEPS};
    struct wcts_implementation implementation = {.path = argc > 1 ? argv[1] : "emulator",
                                                 .options = ""};
    char *comma = argc > 1 ? strchr(argv[1], ',') : NULL;
    struct wcts_spec *spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    struct wcts_plan *plan;
    struct wcts_machine_session *session;
    struct wcts_claims claims;
    char error[256];
    int bad = 1;
    planned.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (comma) {
        *comma = '\0';
        implementation.options = comma + 1;
    }
    plan = spec ? wcts_plan_make(spec, &planned, &diagnostics) : NULL;
    if (!plan)
        return 2;
    session =
        wcts_machine_session_open(plan, &implementation, &options, &claims, error, sizeof error);
    if (session)
        bad = walk_on(session, plan);
    else
        fprintf(stderr, "%s: %s\n", implementation.path, error);
    wcts_machine_session_close(session);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
    return bad == 0 ? 0 : 1;
}
