/* SPDX-License-Identifier: MIT */
/* Scripts of tests: which boots they take, and the acts in each. */
#include "program.h"

static const struct wcts_act call_acts[] = {{.kind = WCTS_ACT_NEEDS}, {.kind = WCTS_ACT_BASE}};

static const struct wcts_act size_acts[] = {{.kind = WCTS_ACT_NEEDS}, {.kind = WCTS_ACT_SIZES}};

/* The call between two looks at the pages of its range. */
static const struct wcts_act page_acts[] = {
    {.kind = WCTS_ACT_NEEDS},
    {.kind = WCTS_ACT_QUERY, .look = WCTS_LOOK_BEFORE, .at = WCTS_ARG_BASE},
    {.kind = WCTS_ACT_QUERY, .look = WCTS_LOOK_SOURCE, .at = WCTS_ARG_COPY},
    {.kind = WCTS_ACT_BASE},
    {.kind = WCTS_ACT_SETTLE},
    {.kind = WCTS_ACT_QUERY, .look = WCTS_LOOK_AFTER, .at = WCTS_ARG_BASE}};

/* A call that the suite itself makes to the driver. */
static const struct wcts_act patch_acts[] = {{.kind = WCTS_ACT_NEEDS},
                                             {.kind = WCTS_ACT_FILL},
                                             {.kind = WCTS_ACT_BASE},
                                             {.kind = WCTS_ACT_DUMP}};

static const struct wcts_act driver_acts[] = {{.kind = WCTS_ACT_KINDS}, {.kind = WCTS_ACT_DESTROY}};

#define ADD_BOOT(script, purpose, due, acts)                                                       \
    add_boot(script, purpose, due, acts, (int)(sizeof(acts) / sizeof *(acts)))

static void add_boot(struct wcts_script *script, enum wcts_purpose purpose, enum wcts_due due,
                     const struct wcts_act *acts, int count)
{
    const struct wcts_case *test = script->test;
    struct wcts_script_boot *boot = &script->boots[script->boot_count++];
    *boot =
        (struct wcts_script_boot){.purpose = purpose, .due = due, .acts = acts, .act_count = count};
    boot->facts = purpose == WCTS_FOR_TWIN ? test->twin : test->facts;
    boot->fact_count = purpose == WCTS_FOR_TWIN   ? test->twin_count
                       : purpose == WCTS_FOR_BASE ? 0
                                                  : test->fact_count;
}

/* A refusal of the call, or what it does not do to pages, is evidence beside its twin or, without
 * one, its base. */
static void program_call(struct wcts_script *script, const struct wcts_rule *rule)
{
    const struct wcts_case *test = script->test;
    bool pages = rule->form == WCTS_FORM_EFFECT_PAGES;
    if (pages)
        ADD_BOOT(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS, page_acts);
    else
        ADD_BOOT(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS, call_acts);
    if (pages && test->fact_count > 0 && !rule->arg[WCTS_ARG_REFUSED].given)
        ADD_BOOT(script, WCTS_FOR_BASE, WCTS_DUE_SEEN_REFUSED, call_acts);
    if (test->kind == WCTS_KIND_EFFECT)
        return;
    if (test->twin_count >= 0)
        ADD_BOOT(script, WCTS_FOR_TWIN, WCTS_DUE_REFUSED, call_acts);
    else if (test->fact_count > 0)
        ADD_BOOT(script, WCTS_FOR_BASE, WCTS_DUE_REFUSED, call_acts);
    if (test->strict == WCTS_EXPECT_REFUSE)
        ADD_BOOT(script, WCTS_FOR_SIZE, WCTS_DUE_ACCEPTED, size_acts);
}

void wcts_plan_program(struct wcts_script *script, const struct wcts_spec *spec,
                       const struct wcts_case *test)
{
    const struct wcts_scenario *scenario = test->scenario;
    *script = (struct wcts_script){.test = test, .adapter = scenario ? scenario->adapter : -1};
    if (scenario)
        add_boot(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS, scenario->acts, scenario->act_count);
    else if (test->driver && test->expect == WCTS_EXPECT_ANSWER)
        ADD_BOOT(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS, driver_acts);
    else if (test->driver)
        ADD_BOOT(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS, patch_acts);
    else
        program_call(script, &spec->rules[test->rule]);
}
