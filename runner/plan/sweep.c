/* SPDX-License-Identifier: MIT */
/* Sweeps as cases of the plan: for each flag word, rule and version a set of values, and single
 * values of it by their ids. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle/sweep.h"
#include "planner.h"

/* Where the driver answers with the word, an adapter is started for each value, and stopped: of
 * those that break a rule the standard suite takes so many of a set, which are all with up to four
 * flags. */
#define BREACHES_STANDARD 4096
/* Of those that break several rules, of which there are millions: all with up to three flags, or
 * without up to two of them. */
#define SEVERAL_STANDARD 2048

/* Of those that break what is advised alone, which the full suite sends whole: all with up to two
 * flags. */
#define ADVISED_STANDARD 512

/* At host pages that are not 4 KiB, which each have one version, of each set where the driver
 * answers with the word: those with the fewest flags. */
#define LEGAL_AT_PAGES 16384
#define BREACHES_AT_PAGES 512

struct plan_sweep_planning {
    struct wcts_planner *planner;
    struct wcts_oracle_sweep sweep;
    const char *value; /* the id of a single value, or NULL */
    bool full;
    int state; /* in which the values are sent, 0: none, else number and one */
};

static bool take_first(void *context, uint64_t word)
{
    uint64_t *first = context;
    *first = word;
    return false;
}

/* What is in an id behind the version. */
static const char *sweep_name_suffix(const struct plan_sweep_planning *planning)
{
    const struct wcts_planner *planner = planning->planner;
    if (planning->state)
        return wcts_arena_format(planner->plan->arena, "/%s",
                                 planner->spec->cases->states[planning->state - 1].name);
    return planning->sweep.page_size == 16384   ? "/p16k"
           : planning->sweep.page_size == 65536 ? "/p64k"
                                                : "";
}

static struct wcts_series series_of(struct plan_sweep_planning *planning, int rule,
                                    enum wcts_expect expect, uint64_t word)
{
    struct wcts_oracle_sweep *sweep = &planning->sweep;
    struct wcts_planner *planner = planning->planner;
    int chosen = wcts_oracle_sweep_place(sweep, word);
    const struct wcts_oracle_sweep_place *place = &sweep->places[chosen < 0 ? 0 : chosen];
    const struct wcts_plan_change change = {
        1, {{place->instance, sweep->member, {.symbol = -1, .number = word}}}};
    const struct wcts_plan_change none = {0};
    bool answer = place->instance < sweep->worlds[place - sweep->places].adapter_count;
    return (struct wcts_series){.rule = rule,
                                .kind = WCTS_KIND_SWEEP,
                                .base = place->base,
                                .scenario = -1,
                                .instance = -1,
                                .state = planning->state,
                                .page_size = sweep->page_size,
                                .expect = expect,
                                .strict = expect == WCTS_EXPECT_ACCEPT ? WCTS_EXPECT_ACCEPT
                                                                       : WCTS_EXPECT_REFUSE,
                                .facts = wcts_plan_keep_facts(planner, &change),
                                .twin = wcts_plan_keep_facts(planner, &none),
                                .name = sweep_name_suffix(planning),
                                .swept = true,
                                .alone = answer ? 1 + place->instance : 0};
}

static void keep_sweep(struct plan_sweep_planning *planning, const struct wcts_series *series,
                       uint32_t limit)
{
    int kept = wcts_plan_keep_series(planning->planner, series);
    if (kept >= 0)
        wcts_plan_keep_test(planning->planner,
                            (struct wcts_test){.series = kept,
                                               .version = (uint16_t)planning->sweep.version,
                                               .number = limit,
                                               .edge = true});
}

/* Adds the case of a single value if its id is that of the newest sweep, a slash and the value. */
static void add_value(struct plan_sweep_planning *planning, const struct wcts_series *sweep,
                      enum wcts_oracle_sweep_set set, int at)
{
    struct wcts_plan *plan = planning->planner->plan;
    struct wcts_series series = *sweep;
    struct wcts_case test;
    uint64_t word, broken;
    size_t length;
    char *end;
    if (!planning->value || plan->count == 0)
        return;
    length = strlen(wcts_plan_case(plan, plan->count - 1, &test)->id);
    if (strncmp(planning->value, test.id, length) != 0 || planning->value[length] != '/')
        return;
    word = strtoull(planning->value + length + 1, &end, 16);
    broken = wcts_oracle_sweep_breaks(&planning->sweep, word);
    if (*end != '\0' || (set == WCTS_SWEEP_LEGAL && broken) ||
        (set == WCTS_SWEEP_EXACTLY && broken != UINT64_C(1) << at))
        return;
    series = series_of(planning, sweep->rule, sweep->expect, word);
    series.kind = WCTS_KIND_WITNESS;
    if (!wcts_oracle_sweep_is_judged(&planning->sweep, set, word))
        series.expect = series.strict = WCTS_EXPECT_OPEN;
    if (series.expect == WCTS_EXPECT_ACCEPT)
        series.twin = NULL;
    length -= strlen(sweep->name); /* the pages are in the name of both */
    series.name =
        wcts_arena_string(plan->arena, planning->value + length, strlen(planning->value + length));
    keep_sweep(planning, &series, 0);
}

/* Adds the sweep of a rule, unless no value is of its set. */
static void add_sweep(struct plan_sweep_planning *planning, enum wcts_oracle_sweep_set set, int at,
                      int rule, enum wcts_expect expect)
{
    uint64_t word = UINT64_MAX;
    uint32_t limit = 0;
    struct wcts_series series;
    wcts_oracle_sweep_each(&planning->sweep, set, at, take_first, &word);
    if (word == UINT64_MAX)
        return;
    series = series_of(planning, rule, expect, word);
    if (!planning->full && set == WCTS_SWEEP_EXACTLY && !planning->sweep.rules[at].must)
        limit = ADVISED_STANDARD;
    else if (!planning->full && set != WCTS_SWEEP_LEGAL && series.alone)
        limit = BREACHES_STANDARD;
    else if (!planning->full && set == WCTS_SWEEP_SEVERAL)
        limit = SEVERAL_STANDARD;
    if (planning->sweep.page_size != WCTS_GPU_PAGE && series.alone)
        limit = set == WCTS_SWEEP_LEGAL ? LEGAL_AT_PAGES : BREACHES_AT_PAGES;
    keep_sweep(planning, &series, limit);
    add_value(planning, &series, set, at);
}

static void plan_word(struct plan_sweep_planning *planning, int layout)
{
    const bool *wanted = planning->planner->wanted;
    const struct wcts_spec *spec = planning->planner->spec;
    struct wcts_oracle_sweep *sweep = &planning->sweep;
    if (wanted[layout])
        add_sweep(planning, WCTS_SWEEP_LEGAL, -1, layout, WCTS_EXPECT_ACCEPT);
    for (int i = 0; i < sweep->rule_count; i++) {
        int rule = sweep->rules[i].rule;
        /* Where an implementation may stop it would be started anew for each value. */
        if (spec->rules[rule].outcome == WCTS_OUTCOME_ASSERT)
            continue;
        if (wanted[rule])
            add_sweep(planning, WCTS_SWEEP_EXACTLY, i, rule,
                      spec->rules[rule].outcome == WCTS_OUTCOME_EITHER ? WCTS_EXPECT_OPEN
                                                                       : WCTS_EXPECT_REFUSE);
    }
    if (wanted[layout])
        add_sweep(planning, WCTS_SWEEP_SEVERAL, -1, layout, WCTS_EXPECT_REFUSE);
}

/* The state of a version, counted from the last one, which has none: so each state has some of the
 * versions. Where the driver answers with the word, what a state does first would meet it, too. */
static int choose_state(const struct plan_sweep_planning *planning, int version, int nth)
{
    const struct wcts_cases *cases = planning->planner->spec->cases;
    const struct wcts_oracle_sweep *sweep = &planning->sweep;
    const struct wcts_oracle_sweep_place *place = &sweep->places[0];
    const bool answer = place->instance < sweep->worlds[0].adapter_count;
    int *states = calloc((size_t)cases->states_count + 1, sizeof *states), count = 1, state = 0;
    for (int i = 0; states && i < cases->states_count; i++)
        if (version >= cases->states[i].since && version < cases->states[i].until &&
            (!answer || cases->states[i].take_count == 0) &&
            wcts_model_base_has_state(cases, &cases->bases[place->base], &cases->states[i]))
            states[count++] = i + 1;
    if (states)
        state = states[nth % count];
    free(states);
    return state;
}

/* Plans the sweeps of a word; nth: how many versions come behind this one, -1: in no state. False
 * if there are none at the version. */
static bool plan_word_at(struct plan_sweep_planning *planning, struct wcts_ref member, int version,
                         uint32_t page_size, int nth)
{
    int layout = wcts_oracle_sweep_layout(planning->planner->spec, member);
    bool good = layout >= 0 &&
                wcts_oracle_sweep_init(&planning->sweep, &planning->planner->eval, member, version,
                                       page_size) &&
                wcts_oracle_sweep_places(&planning->sweep);
    planning->state = good && nth >= 0 ? choose_state(planning, version, nth) : 0;
    if (good)
        plan_word(planning, layout);
    if (layout >= 0)
        wcts_oracle_sweep_release(&planning->sweep);
    return good;
}

void wcts_plan_sweeps(struct wcts_planner *planner, const struct wcts_plan_options *options)
{
    const struct wcts_spec *spec = planner->spec;
    struct plan_sweep_planning planning = {
        .planner = planner, .value = options->value, .full = options->sweeps == WCTS_SWEEPS_ALL};
    struct wcts_ref member = {-1, -1, -1};
    while ((member = wcts_oracle_sweep_next(spec, member)).structure >= 0) {
        int first = -1, last = -1;
        for (int version = 0; version < spec->versions_count; version++) {
            if (!plan_word_at(&planning, member, version, (uint32_t)WCTS_GPU_PAGE,
                              spec->versions_count - 1 - version))
                continue;
            first = first < 0 ? version : first;
            last = version;
        }
        for (int i = 1; last >= 0 && i < WCTS_PAGE_SIZES; i++)
            plan_word_at(&planning, member, i == 1 ? last : (first + last) / 2, wcts_page_sizes[i],
                         -1);
    }
}
