/* SPDX-License-Identifier: MIT */
/*
 * Walks over all operations: each call of many of them is asked of the rules again, and names only
 * what a call before it made and none has ended; and a walk depends on its seed, number and version
 * alone. Runs in the top directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/plan/plan.h"
#include "runner/plan/tour.h"
#include "suite.h"

#define WALKS 2000

static struct wcts_spec *spec;
static struct wcts_plan plan;
static struct wcts_eval eval;
static struct wcts_plan_tour *tour, *other;

static struct wcts_plan_tour *new_tour(void)
{
    struct wcts_plan_tour *made = calloc(1, sizeof *made);
    ck_assert_ptr_nonnull(made);
    ck_assert(wcts_plan_tour_init(made, &plan, &eval));
    return made;
}

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = (struct wcts_plan){.spec = spec};
    ck_assert(wcts_plan_tours(&plan, 1, WALKS));
    ck_assert(wcts_oracle_eval_init(&eval, spec));
    tour = new_tour();
    other = new_tour();
}

static void tear_down(void)
{
    wcts_plan_tour_release(tour);
    wcts_plan_tour_release(other);
    free(tour);
    free(other);
    wcts_oracle_eval_release(&eval);
    free(plan.tests);
    free(plan.series);
    wcts_load_spec_free(spec);
}

static const struct wcts_step *step_of(const struct wcts_plan_tour *of, int act)
{
    return &of->cases.steps[of->acts[act].step];
}

/* ---- Legal ---- */

/* True if an act from first to end - 1 makes, or ends, the symbol. */
static bool is_made(int symbol, int end)
{
    for (int i = 0; i < end; i++) {
        const struct wcts_step *step = step_of(tour, i);
        if (tour->acts[i].kind == WCTS_ACT_STEP &&
            wcts_model_step_includes(&tour->cases, tour->acts[i].step,
                                     tour->cases.symbols[symbol].step))
            return true;
        for (int o = 0; o < step->output_count; o++)
            if (step->outputs[o].symbol == symbol)
                return true;
    }
    return false;
}

static bool is_ended(int symbol, int end)
{
    for (int i = 0; i < end; i++)
        if (tour->acts[i].kind != WCTS_ACT_STEP && step_of(tour, i)->ends == symbol)
            return true;
    return false;
}

static void check_names(const struct wcts_case *test, int act)
{
    const struct wcts_step *step = step_of(tour, act);
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++) {
            int symbol = step->instances[i].sets[j].value.symbol;
            if (symbol < 0)
                continue;
            ck_assert_msg(is_made(symbol, act), "%s, act %d: nothing has made %s", test->id, act,
                          tour->cases.symbols[symbol].name);
            ck_assert_msg(!is_ended(symbol, act), "%s, act %d: %s has ended", test->id, act,
                          tour->cases.symbols[symbol].name);
        }
}

/* With the answers of the driver that the call is given, and no others. */
static void check_rules(const struct wcts_case *test, int act)
{
    const struct wcts_step *step = step_of(tour, act);
    struct wcts_oracle_prediction prediction;
    struct wcts_world world;
    int answers = wcts_model_spec_structure(spec, "DXGK_ALLOCATIONINFO");
    ck_assert(wcts_world_init_adapter(&world, &tour->eval, tour->scenario.adapter, test->version,
                                      test->page_size));
    for (int i = 0; i < world.adapter_count; i++) {
        bool given = world.instances[i].structure != answers;
        for (int j = 0; j < step->answer_count; j++)
            given = given || step->answers[j] == i;
        world.instances[i].present = given;
    }
    wcts_world_settle(&world);
    ck_assert(wcts_world_add_step(&world, step));
    wcts_world_judge(&world, &prediction);
    ck_assert_msg(prediction.expect == WCTS_EXPECT_ACCEPT && prediction.broken_count == 0,
                  "%s, act %d breaks %s", test->id, act,
                  prediction.broken_count ? spec->rules[prediction.broken[0]].id : "nothing");
    ck_assert_ptr_null(wcts_world_gap(&world));
    wcts_world_release(&world);
}

/* Every operation that the moves call is called by some walk. */
static void check_moves(const bool *called)
{
    for (int i = 0; i < spec->cases->scenarios_count; i++) {
        const struct wcts_scenario *moves = &spec->cases->scenarios[i];
        for (int a = 0; moves->moves && a < moves->act_count; a++)
            if (moves->acts[a].kind != WCTS_ACT_STEP) {
                int message = spec->cases->steps[moves->acts[a].step].message;
                ck_assert_msg(called[message], "no walk calls %s", spec->messages[message].name);
            }
    }
}

START_TEST(every_step_is_legal_and_every_move_is_made)
{
    bool *called = calloc((size_t)spec->messages_count, 1);
    long calls = 0, uses = 0, ends = 0;
    for (int i = 0; i < plan.count; i++) {
        struct wcts_case test;
        wcts_plan_case(&plan, i, &test);
        wcts_plan_tour_draw(tour, &test);
        ck_assert_int_ge(tour->scenario.act_count, WCTS_TOUR_STEPS);
        for (int a = 0; a < tour->scenario.act_count; a++) {
            if (tour->acts[a].kind == WCTS_ACT_STEP)
                continue;
            called[step_of(tour, a)->message] = true;
            check_names(&test, a);
            ends += step_of(tour, a)->ends >= 0;
            if (tour->acts[a].kind == WCTS_ACT_MEMORY) {
                uses++;
                continue;
            }
            calls++;
            check_rules(&test, a);
        }
    }
    ck_assert_int_gt(calls, WALKS * WCTS_TOUR_STEPS / 2);
    ck_assert_int_gt(uses, WALKS / 2);
    ck_assert_int_gt(ends, WALKS);
    check_moves(called);
    free(called);
}
END_TEST

/* ---- The same walk ---- */

static void check_same(const struct wcts_step *one, const struct wcts_step *two)
{
    ck_assert_int_eq(one->message, two->message);
    ck_assert_int_eq(one->seed, two->seed);
    ck_assert_int_eq(one->instance_count, two->instance_count);
    for (int i = 0; i < one->instance_count; i++) {
        ck_assert_int_eq(one->instances[i].set_count, two->instances[i].set_count);
        for (int j = 0; j < one->instances[i].set_count; j++) {
            ck_assert_int_eq(one->instances[i].sets[j].value.symbol,
                             two->instances[i].sets[j].value.symbol);
            ck_assert_uint_eq(one->instances[i].sets[j].value.number,
                              two->instances[i].sets[j].value.number);
        }
    }
}

START_TEST(the_same_walk)
{
    for (int i = 0; i < 200; i++) {
        struct wcts_case test;
        wcts_plan_case(&plan, i, &test);
        wcts_plan_tour_draw(tour, &test);
        /* Another tour, which has drawn others before. */
        wcts_plan_tour_draw(other, WCTS_PLAN_CASE(&plan, plan.count - 1 - i));
        wcts_plan_tour_draw(other, &test);
        ck_assert_int_eq(tour->scenario.act_count, other->scenario.act_count);
        for (int a = 0; a < tour->scenario.act_count; a++)
            check_same(step_of(tour, a), step_of(other, a));
    }
}
END_TEST

/* More walks, and those of a version alone, are the same at their numbers. */
START_TEST(more_walks)
{
    struct wcts_plan more = {.spec = spec};
    struct wcts_case one, two;
    ck_assert(wcts_plan_tours(&more, 1, 3 * WALKS));
    for (int i = 0; i < plan.count; i++) {
        wcts_plan_case(&plan, i, &one);
        wcts_plan_case(&more, i, &two);
        ck_assert_str_eq(one.id, two.id);
        ck_assert_ptr_eq(one.moves, two.moves);
        ck_assert_uint_eq(one.page_size, two.page_size);
    }
    free(more.tests);
    free(more.series);
}
END_TEST

int main(void)
{
    Suite *all = suite_create("tour");
    TCase *walks = tcase_create("walks");
    tcase_add_checked_fixture(walks, set_up, tear_down);
    tcase_set_timeout(walks, 60);
    suite_add_tcase(all, walks);
    tcase_add_test(walks, every_step_is_legal_and_every_move_is_made);
    tcase_add_test(walks, the_same_walk);
    tcase_add_test(walks, more_walks);
    return suite_run(all);
}
