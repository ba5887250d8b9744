/* SPDX-License-Identifier: MIT */
/* Walks as tests of the plan, and the spec in which a walk's calls are steps. */
#include "tour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/random.h"
#include "../model/names.h"
#include "planner.h"

/* ---- The plan ---- */

/* A walk without the looks that a kernel does not grant is still a walk. */
#define LOOKS ((uint32_t)(WCTS_CAPABILITY_PLACEMENT | WCTS_CAPABILITY_PAGES))

/* The series of the walks of some moves at a page size; -1 without memory. */
static int series_of(struct wcts_plan *plan, int scenario, uint32_t page_size)
{
    const struct wcts_spec *spec = plan->spec;
    const struct wcts_scenario *moves = &spec->cases->scenarios[scenario];
    struct wcts_series *series;
    for (int i = plan->series_count - 1; i >= 0; i--)
        if (plan->series[i].kind == WCTS_KIND_TOUR && plan->series[i].scenario == scenario &&
            plan->series[i].page_size == page_size)
            return i;
    series = WCTS_ARRAY_ADD(plan->series, plan->series_count);
    if (!series)
        return -1;
    *series = (struct wcts_series){.rule = moves->effects[0],
                                   .kind = WCTS_KIND_TOUR,
                                   .expect = WCTS_EXPECT_ACCEPT,
                                   .strict = WCTS_EXPECT_ACCEPT,
                                   .page_size = page_size,
                                   .base = -1,
                                   .scenario = scenario,
                                   .instance = -1,
                                   .needs = wcts_plan_scenario_needs(spec, moves) & ~LOOKS};
    return plan->series_count - 1;
}

/* The moves that there are at a version, and page sizes for each: the n-th of them; returns how
 * many there are. */
static int world_at(const struct wcts_spec *spec, int version, int n, int *scenario,
                    uint32_t *page_size)
{
    int count = 0;
    for (int i = 0; i < spec->cases->scenarios_count; i++) {
        const struct wcts_scenario *moves = &spec->cases->scenarios[i];
        for (int p = 0; p < WCTS_PAGE_SIZES; p++) {
            if (!moves->moves || moves->effect_count == 0 || version < moves->since ||
                version >= moves->until || !(moves->page_sizes & wcts_page_sizes[p]))
                continue;
            if (count++ == n) {
                *scenario = i;
                *page_size = wcts_page_sizes[p];
            }
        }
    }
    return count;
}

bool wcts_plan_tours(struct wcts_plan *plan, uint64_t seed, int count)
{
    const struct wcts_spec *spec = plan->spec;
    plan->seed = seed;
    for (int i = 0; i < count; i++) {
        int version = i % spec->versions_count, scenario = -1, series;
        uint32_t page_size = 0, number = (uint32_t)(i / spec->versions_count);
        int worlds = world_at(spec, version, -1, &scenario, &page_size);
        const uint64_t drawn =
            wcts_random_mixed(seed * 6364136223846793005u + number * 64 + (uint64_t)version);
        struct wcts_test *walk;
        if (worlds == 0)
            continue;
        world_at(spec, version, (int)(drawn % (uint64_t)worlds), &scenario, &page_size);
        series = series_of(plan, scenario, page_size);
        if (series < 0)
            return false;
        walk = WCTS_ARRAY_ADD(plan->tests, plan->count);
        if (!walk)
            return false;
        *walk = (struct wcts_test){
            .series = series, .number = number, .version = (uint16_t)version, .edge = true};
    }
    return true;
}

void wcts_plan_tour_leave_out(struct wcts_plan_tour *tour, uint32_t capabilities)
{
    int kept = 0;
    for (int i = 0; i < tour->scenario.act_count; i++) {
        int message = tour->cases.steps[tour->acts[i].step].message;
        uint32_t needs =
            message < 0 ? 0 : wcts_model_shown_by(tour->spec.messages[message].name) & LOOKS;
        if ((needs & ~capabilities) == 0)
            tour->acts[kept++] = tour->acts[i];
    }
    tour->scenario.act_count = kept;
}

/* ---- The spec of a walk ---- */

bool wcts_plan_tour_init(struct wcts_plan_tour *tour, const struct wcts_plan *plan,
                         const struct wcts_eval *eval)
{
    const struct wcts_cases *cases = plan->spec->cases;
    size_t steps = (size_t)cases->steps_count, symbols = (size_t)cases->symbols_count;
    memset(tour, 0, sizeof *tour);
    tour->spec = *plan->spec;
    tour->cases = *cases;
    tour->plan = *plan;
    tour->eval = *eval;
    tour->spec.cases = &tour->cases;
    tour->plan.spec = tour->eval.spec = &tour->spec;
    tour->cases.steps = calloc(steps + WCTS_TOUR_ACTS, sizeof *cases->steps);
    tour->cases.symbols = calloc(symbols + WCTS_TOUR_SYMBOLS, sizeof *cases->symbols);
    tour->eval.page_states = calloc(symbols + WCTS_TOUR_SYMBOLS + 1, sizeof *eval->page_states);
    if (!tour->cases.steps || !tour->cases.symbols || !tour->eval.page_states) {
        wcts_plan_tour_release(tour);
        return false;
    }
    memcpy(tour->cases.steps, cases->steps, steps * sizeof *cases->steps);
    memcpy(tour->cases.symbols, cases->symbols, symbols * sizeof *cases->symbols);
    memcpy(tour->eval.page_states, eval->page_states, symbols * sizeof *eval->page_states);
    tour->cases.steps_count += WCTS_TOUR_ACTS;
    tour->cases.symbols_count += WCTS_TOUR_SYMBOLS;
    for (int i = 0; i < WCTS_TOUR_SYMBOLS; i++) {
        snprintf(tour->names[i], sizeof tour->names[i], "o%d", i + 1);
        tour->cases.symbols[symbols + (size_t)i].name = tour->names[i];
    }
    return true;
}

void wcts_plan_tour_release(struct wcts_plan_tour *tour)
{
    free(tour->cases.steps);
    free(tour->cases.symbols);
    free(tour->eval.page_states);
    tour->cases.steps = NULL;
    tour->cases.symbols = NULL;
    tour->eval.page_states = NULL;
}
