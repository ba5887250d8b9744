/* SPDX-License-Identifier: MIT */
/* The cases of scenarios: of each effect that one expects, at versions, page sizes and values. */
#include <inttypes.h>

#include "../base/text.h"
#include "planner.h"
#include "sequence.h"

/* The cases of one scenario and effect, while they are added. */
struct staging {
    struct wcts_planner *planner;
    const struct wcts_scenario *scenario;
    struct wcts_case test;
};

static void keep_scenario_case(struct staging *staging)
{
    const struct wcts_spec *spec = staging->planner->spec;
    const struct wcts_case *test = &staging->test;
    WCTS_TEXT(id);
    wcts_text_add(&id, "%s/scenario/%s/", spec->rules[test->rule].id,
                  spec->versions[test->version].id);
    if (test->page_size != 4096)
        wcts_text_add(&id, "p%uk/", test->page_size / 1024);
    wcts_text_add(&id, "%s", staging->scenario->name);
    for (int i = 0; i < staging->scenario->loop_count; i++) {
        const struct wcts_loop *loop = &staging->scenario->loops[i];
        const struct wcts_value *value = &loop->values[test->values[i]];
        wcts_text_add(&id, ",%s-", spec->cases->symbols[loop->symbol].name);
        if (value->symbol >= 0)
            wcts_text_add(&id, "%s", spec->cases->symbols[value->symbol].name);
        else
            wcts_text_add(&id, "0x%" PRIx64, value->number);
    }
    if (!id.failed)
        wcts_plan_keep_case(staging->planner, test, wcts_text_get(&id));
}

static void keep_values(struct staging *staging, int loop)
{
    if (loop == staging->scenario->loop_count) {
        keep_scenario_case(staging);
        return;
    }
    for (int i = 0; i < staging->scenario->loops[loop].value_count; i++) {
        staging->test.values[loop] = i;
        keep_values(staging, loop + 1);
    }
}

/* Adds cases at every version at which both scenario and effect exist. */
static void plan_scenario(struct staging *staging)
{
    const struct wcts_scenario *scenario = staging->scenario;
    const struct wcts_rule *rule = &staging->planner->spec->rules[staging->test.rule];
    int first = rule->since > scenario->since ? rule->since : scenario->since;
    int last = (rule->until < scenario->until ? rule->until : scenario->until) - 1;
    if (first > last) {
        wcts_error_at(staging->planner->diagnostics, &scenario->place,
                      "scenario \"%s\" expects %s at versions at which it does not bind, expected "
                      "one at which both exist",
                      scenario->name, rule->id);
        return;
    }
    for (int version = staging->planner->newest_only ? last : first; version <= last; version++) {
        staging->test.edge = version == first || version == last;
        staging->test.version = version;
        for (int i = 0; i < WCTS_PAGE_SIZES; i++) {
            staging->test.page_size = wcts_page_sizes[i];
            if (scenario->page_sizes & wcts_page_sizes[i])
                keep_values(staging, 0);
        }
    }
}

static bool expects(const struct wcts_scenario *scenario, int rule)
{
    for (int i = 0; i < scenario->effect_count; i++)
        if (scenario->effects[i] == rule)
            return true;
    return false;
}

int wcts_plan_scenarios(struct wcts_planner *planner, int rule)
{
    const struct wcts_spec *spec = planner->spec;
    int count = 0;
    for (int i = 0; i < spec->cases->scenarios_count; i++) {
        struct staging staging = {.planner = planner, .scenario = &spec->cases->scenarios[i]};
        if (!expects(staging.scenario, rule))
            continue;
        count++;
        if (spec->rules[rule].form == WCTS_FORM_EFFECT_PAGES &&
            !wcts_plan_walk_reads(spec, staging.scenario)) {
            wcts_error_at(planner->diagnostics, &staging.scenario->place,
                          "scenario \"%s\" expects the effect %s on pages, expected the form of a "
                          "sequence (docs/scenarios.md)",
                          staging.scenario->name, spec->rules[rule].id);
            continue;
        }
        staging.test = (struct wcts_case){.rule = rule,
                                          .statement = spec->rules[rule].statement,
                                          .kind = WCTS_KIND_SCENARIO,
                                          .expect = WCTS_EXPECT_ACCEPT,
                                          .strict = WCTS_EXPECT_ACCEPT,
                                          .base = -1,
                                          .instance = -1,
                                          .twin_count = -1,
                                          .driver = staging.scenario->driver,
                                          .scenario = staging.scenario};
        staging.test.needs = wcts_plan_effect_needs(spec, &spec->rules[rule]) |
                             wcts_plan_scenario_needs(spec, staging.scenario);
        plan_scenario(&staging);
    }
    return count;
}
