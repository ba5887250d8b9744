/* SPDX-License-Identifier: MIT */
/* Walks as tests of the plan, and the spec in which a walk's calls are steps. */
#include "tour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/map.h"
#include "../base/random.h"
#include "../model/names.h"
#include "planner.h"

/* ---- The plan ---- */

/* A walk without the looks that a kernel does not grant is still a walk. */
#define LOOKS ((uint32_t)(WCTS_CAPABILITY_PLACEMENT | WCTS_CAPABILITY_PAGES))

/* The series of the walks of some moves at a page size; -1 without memory. */
static int tour_series(struct wcts_plan *plan, int scenario, uint32_t page_size)
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

/* Moves and a page size that they are for. */
struct plan_tour_world {
    int scenario;
    uint32_t page_size;
};

struct plan_tour_worlds {
    struct plan_tour_world *of;
    int count;
};

/* The worlds that there are; the caller frees the array. False without memory. */
static bool find_worlds(const struct wcts_spec *spec, struct plan_tour_worlds *worlds)
{
    for (int i = 0; i < spec->cases->scenarios_count; i++) {
        const struct wcts_scenario *moves = &spec->cases->scenarios[i];
        for (int p = 0; p < WCTS_PAGE_SIZES; p++) {
            struct plan_tour_world *added;
            if (!moves->moves || moves->effect_count == 0 ||
                !(moves->page_sizes & wcts_page_sizes[p]))
                continue;
            added = WCTS_ARRAY_ADD(worlds->of, worlds->count);
            if (!added)
                return false;
            *added = (struct plan_tour_world){i, wcts_page_sizes[p]};
        }
    }
    return true;
}

/* Of the worlds that there are at a version, the n-th goes to *world; returns how many there are.
 */
static int world_at(const struct wcts_spec *spec, const struct plan_tour_worlds *worlds,
                    int version, int n, struct plan_tour_world *world)
{
    int count = 0;
    for (int i = 0; i < worlds->count; i++) {
        const struct wcts_scenario *moves = &spec->cases->scenarios[worlds->of[i].scenario];
        if (version >= moves->since && version < moves->until && count++ == n)
            *world = worlds->of[i];
    }
    return count;
}

/* The number-th walk of a version; of series -1 if no moves are for that. False without memory. */
static bool draw_tour(struct wcts_plan *plan, const struct plan_tour_worlds *worlds, int version,
                      uint32_t number, struct wcts_test *walk)
{
    struct plan_tour_world world = {-1, 0};
    const uint64_t drawn =
        wcts_random_mixed(plan->seed * 6364136223846793005u + number * 64 + (uint64_t)version);
    int count = world_at(plan->spec, worlds, version, -1, &world);
    *walk = (struct wcts_test){
        .series = -1, .number = number, .version = (uint16_t)version, .edge = true};
    if (count == 0)
        return true;
    world_at(plan->spec, worlds, version, (int)(drawn % (uint64_t)count), &world);
    walk->series = tour_series(plan, world.scenario, world.page_size);
    return walk->series >= 0;
}

/* Adds the number-th walk of a version, if any moves are for that. False without memory. */
static bool add_tour(struct wcts_plan *plan, const struct plan_tour_worlds *worlds, int version,
                     uint32_t number)
{
    struct wcts_test walk, *added;
    if (!draw_tour(plan, worlds, version, number, &walk))
        return false;
    if (walk.series < 0)
        return true;
    added = WCTS_ARRAY_ADD(plan->tests, plan->count);
    if (added)
        *added = walk;
    return added != NULL;
}

bool wcts_plan_tours(struct wcts_plan *plan, uint64_t seed, int count)
{
    const int versions = plan->spec->versions_count;
    struct plan_tour_worlds worlds = {0};
    bool good = find_worlds(plan->spec, &worlds);
    plan->seed = seed;
    for (int i = 0; good && i < count; i++)
        good = add_tour(plan, &worlds, i % versions, (uint32_t)(i / versions));
    free(worlds.of);
    return good;
}

bool wcts_plan_add_tour(struct wcts_plan *plan, int version, uint32_t number)
{
    struct plan_tour_worlds worlds = {0};
    bool good = find_worlds(plan->spec, &worlds) && add_tour(plan, &worlds, version, number);
    free(worlds.of);
    return good;
}

/* Moves the walks of the other versions to these in turn. */
static bool move_tours(struct wcts_plan *plan, const struct plan_tour_worlds *worlds,
                       const int *versions, int count)
{
    uint32_t *next = calloc((size_t)plan->spec->versions_count + 1, sizeof *next);
    bool good = next != NULL;
    for (int i = 0; good && i < plan->count; i++) {
        const struct wcts_test *test = &plan->tests[i];
        if (plan->series[test->series].kind == WCTS_KIND_TOUR &&
            test->number >= next[test->version])
            next[test->version] = test->number + 1;
    }
    for (int i = 0, moved = 0; good && i < plan->count; i++) {
        struct wcts_test walk, *test = &plan->tests[i];
        bool stays = plan->series[test->series].kind != WCTS_KIND_TOUR;
        for (int k = 0; !stays && k < count; k++)
            stays = versions[k] == test->version;
        if (stays)
            continue;
        int to = versions[moved++ % count];
        good = draw_tour(plan, worlds, to, next[to]++, &walk);
        if (good && walk.series >= 0)
            *test = walk;
    }
    free(next);
    return good;
}

bool wcts_plan_move_tours(struct wcts_plan *plan, const int *versions, int count)
{
    struct plan_tour_worlds worlds = {0};
    bool good = count == 0 ||
                (find_worlds(plan->spec, &worlds) && move_tours(plan, &worlds, versions, count));
    free(worlds.of);
    return good;
}

void wcts_plan_tour_leave_out(struct wcts_plan_tour *tour, uint32_t capabilities)
{
    int kept = 0;
    for (int i = 0; i < tour->scenario.act_count; i++) {
        int message = tour->cases.steps[tour->acts[i].step].message;
        uint32_t needs =
            message < 0 ? 0 : wcts_model_shown_by(&tour->spec.messages[message]) & LOOKS;
        if ((needs & ~capabilities) == 0)
            tour->acts[kept++] = tour->acts[i];
    }
    tour->scenario.act_count = kept;
}

/* ---- The spec of a walk ---- */

/* Makes equal names of kinds one text, so that whoever draws an object of a kind need not compare
 * them. False without memory. */
static bool join_kinds(struct wcts_symbol *symbols, int count)
{
    struct wcts_map kinds = {0};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        int first = wcts_map_get(&kinds, symbols[i].kind_name, -1);
        if (first >= 0)
            symbols[i].kind_name = symbols[first].kind_name;
        else
            good = wcts_map_add(&kinds, symbols[i].kind_name, i);
    }
    wcts_map_release(&kinds);
    return good;
}

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
    if (!join_kinds(tour->cases.symbols, cases->symbols_count)) {
        wcts_plan_tour_release(tour);
        return false;
    }
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
