/* SPDX-License-Identifier: MIT */
/* The cases of scenarios: of each effect that one expects, at versions, page sizes and values. */
#include "planner.h"
#include "sequence.h"

/* How many combinations of values its loops have. */
static uint32_t combinations(const struct wcts_scenario *scenario)
{
    uint32_t count = 1;
    for (int i = 0; i < scenario->loop_count; i++)
        count *= (uint32_t)scenario->loops[i].value_count;
    return count;
}

static const char *scenario_name(struct wcts_planner *planner, const struct wcts_series *series,
                                 const struct wcts_scenario *scenario)
{
    if (series->page_size == 4096)
        return wcts_arena_format(planner->plan->arena, "/%s", scenario->name);
    return wcts_arena_format(planner->plan->arena, "/p%uk/%s", series->page_size / 1024,
                             scenario->name);
}

bool wcts_plan_scenario_is_at(const struct wcts_scenario *scenario, int version)
{
    return (version >= scenario->since && version < scenario->until) ||
           (version < 32 && scenario->and_at >> version & 1);
}

/* True at a version at which both scenario and effect exist. */
static bool is_at(const struct wcts_scenario *scenario, const struct wcts_rule *rule, int version)
{
    return version >= rule->since && version < rule->until &&
           wcts_plan_scenario_is_at(scenario, version);
}

/* Adds cases at every version at which both scenario and effect exist. */
static void plan_scenario(struct wcts_planner *planner, const struct wcts_scenario *scenario,
                          struct wcts_series *series)
{
    const struct wcts_rule *rule = &planner->spec->rules[series->rule];
    int first = 0, last = planner->spec->versions_count - 1;
    int kept[WCTS_PAGE_SIZES];
    while (first <= last && !is_at(scenario, rule, first))
        first++;
    while (last >= first && !is_at(scenario, rule, last))
        last--;
    if (first > last) {
        wcts_error_at(planner->diagnostics, &scenario->place,
                      "scenario \"%s\" expects %s at versions at which it does not bind, expected "
                      "one at which both exist",
                      scenario->name, rule->id);
        return;
    }
    for (int i = 0; i < WCTS_PAGE_SIZES; i++) {
        series->page_size = wcts_page_sizes[i];
        kept[i] = -1;
        if (!(scenario->page_sizes & wcts_page_sizes[i]))
            continue;
        series->name = scenario_name(planner, series, scenario);
        kept[i] = wcts_plan_keep_series(planner, series);
    }
    for (int version = planner->newest_only ? last : first; version <= last; version++) {
        bool edge = version == 0 || !is_at(scenario, rule, version - 1) ||
                    !is_at(scenario, rule, version + 1);
        for (int i = 0; i < WCTS_PAGE_SIZES && is_at(scenario, rule, version); i++)
            for (uint32_t n = 0; kept[i] >= 0 && n < combinations(scenario); n++)
                wcts_plan_keep_test(planner, (struct wcts_test){.series = kept[i],
                                                                .number = n,
                                                                .version = (uint16_t)version,
                                                                .edge = edge});
    }
}

static bool expects(const struct wcts_scenario *scenario, int rule)
{
    for (int i = 0; i < scenario->effect_count; i++)
        if (scenario->effects[i] == rule)
            return true;
    return false;
}

int wcts_plan_scenarios(struct wcts_planner *planner, int rule, int first)
{
    const struct wcts_spec *spec = planner->spec;
    int count = 0;
    for (int i = first; i < spec->cases->scenarios_count; i++) {
        const struct wcts_scenario *scenario = &spec->cases->scenarios[i];
        struct wcts_series series;
        if (scenario->moves || !expects(scenario, rule))
            continue;
        count++;
        if (spec->rules[rule].form == WCTS_FORM_EFFECT_PAGES &&
            !wcts_plan_walk_reads(spec, scenario)) {
            wcts_error_at(planner->diagnostics, &scenario->place,
                          "scenario \"%s\" expects the effect %s on pages, expected the form of a "
                          "sequence (docs/scenarios.md)",
                          scenario->name, spec->rules[rule].id);
            continue;
        }
        series = (struct wcts_series){.rule = rule,
                                      .kind = WCTS_KIND_SCENARIO,
                                      .expect = WCTS_EXPECT_ACCEPT,
                                      .strict = WCTS_EXPECT_ACCEPT,
                                      .base = -1,
                                      .scenario = i,
                                      .instance = -1,
                                      .driver = scenario->driver,
                                      .needs = spec->rules[rule].effect->needs |
                                               wcts_plan_scenario_needs(spec, scenario)};
        plan_scenario(planner, scenario, &series);
    }
    return count;
}
