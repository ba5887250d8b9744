/* SPDX-License-Identifier: MIT */
/*
 * A changed effect in exchanges that no test of it is made for: each scenario was performed once,
 * at the newest version that it is for. What the effect says of the exchange is not to change.
 */
#include <stdlib.h>

#include "in_process.h"

/* The scenarios as an implementation performed them, by their number, for each side under test. */
struct near_scenarios {
    struct wcts_machine_session *sessions[2];
    struct near_result *of[2];
};

/* What an effect says of the scenarios as it is: it is seen in those whose verdict is no skip. */
struct near_elsewhere {
    int rule;
    bool driver; /* the side that its tests are of */
    struct near_said {
        bool asked;
        enum wcts_verdict verdict;
    } * said;
};

/* The plan of all scenarios, and of each the test that is performed; index -1: there is none. */
static struct {
    struct wcts_plan *plan;
    int count;
    struct wcts_case *tests[2];
    struct near_scenarios plain;
} all;

static bool open_sessions(struct near_scenarios *scenarios, const char *options)
{
    for (int i = 0; i < 2; i++) {
        scenarios->sessions[i] = near_open_session(all.plan, options, i);
        scenarios->of[i] = calloc((size_t)all.count + 1, sizeof *scenarios->of[i]);
        if (!scenarios->sessions[i] || !scenarios->of[i])
            return false;
    }
    return true;
}

/* Chooses a test of each scenario. Those about pages are performed otherwise. */
static void choose_tests(const struct wcts_spec *spec)
{
    for (int i = 0; i < all.plan->count; i++) {
        struct wcts_case test, *chosen;
        wcts_plan_case(all.plan, i, &test);
        if (test.kind != WCTS_KIND_SCENARIO ||
            spec->rules[test.rule].form == WCTS_FORM_EFFECT_PAGES)
            continue;
        chosen = &all.tests[test.driver][test.scenario - spec->cases->scenarios];
        if (!chosen->scenario || test.version > chosen->version)
            *chosen = test;
    }
}

bool near_elsewhere_start(const struct wcts_spec *spec)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    all.plan = wcts_plan_make(spec, NULL, &diagnostics);
    all.count = spec->cases->scenarios_count;
    for (int i = 0; i < 2; i++)
        all.tests[i] = calloc((size_t)all.count + 1, sizeof *all.tests[i]);
    if (!all.plan || !all.tests[0] || !all.tests[1])
        return false;
    choose_tests(spec);
    if (!open_sessions(&all.plain, ""))
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < all.count; j++)
            if (all.tests[i][j].scenario)
                near_run(all.plain.sessions[i], &all.tests[i][j], true, &all.plain.of[i][j]);
    return true;
}

void near_scenarios_release(struct near_scenarios *scenarios)
{
    for (int i = 0; scenarios && i < 2; i++) {
        for (int j = 0; scenarios->of[i] && j < all.count; j++)
            wcts_exchange_recording_release(&scenarios->of[i][j].recording);
        free(scenarios->of[i]);
        wcts_machine_session_close(scenarios->sessions[i]);
    }
    free(scenarios);
}

void near_elsewhere_release(struct near_elsewhere *elsewhere)
{
    if (elsewhere)
        free(elsewhere->said);
    free(elsewhere);
}

/* What the effect, as the suite has it now, says of a scenario. */
static struct near_said say(const struct near_scenarios *scenarios, int effect, bool driver, int i)
{
    const struct wcts_rule *rule = &all.plan->spec->rules[effect];
    struct wcts_case test = all.tests[driver][i];
    struct near_said said = {false, WCTS_VERDICT_SKIP};
    struct near_result *result = &scenarios->of[driver][i];
    if (!test.scenario || test.version < rule->since || test.version >= rule->until ||
        result->recording.count == 0)
        return said;
    test.rule = effect;
    test.statement = rule->statement;
    said.asked =
        near_judge(all.plan, scenarios->sessions[driver], &test, &result->recording, &said.verdict);
    return said;
}

/* The same of the effect as it was, in a scenario that is performed if it was not yet. */
static struct near_said said_before(const struct near_trial *trial,
                                    struct near_scenarios *scenarios, bool driver, int i)
{
    struct wcts_rule changed = near_change_back(trial);
    struct near_said said;
    if (!scenarios->of[driver][i].made && all.tests[driver][i].scenario)
        near_run(scenarios->sessions[driver], &all.tests[driver][i], true,
                 &scenarios->of[driver][i]);
    said = say(scenarios, trial->effect, driver, i);
    near_change_again(trial, &changed);
    return said;
}

/* What the effect that is changed says as it is, of all scenarios; NULL without memory. */
static const struct near_elsewhere *as_it_is(const struct near_trial *trial)
{
    struct near_group *group = trial->group;
    struct near_elsewhere *made;
    if (group->elsewhere && group->elsewhere->rule == trial->effect)
        return group->elsewhere;
    near_elsewhere_release(group->elsewhere);
    made = group->elsewhere = calloc(1, sizeof *made);
    if (!made || !(made->said = calloc((size_t)all.count + 1, sizeof *made->said)))
        abort();
    made->rule = trial->effect;
    for (int i = 0; i < group->suite.plan->count; i++)
        if (group->cases[i].rule == trial->effect)
            made->driver = group->cases[i].driver;
    for (int i = 0; i < all.count; i++)
        made->said[i] = said_before(trial, &all.plain, made->driver, i);
    return made;
}

/* A rival's scenarios: one that the effect is seen in, and that was not performed, is. */
static struct near_scenarios *scenarios_of(struct near_host *host)
{
    if (host->scenarios)
        return host->scenarios;
    host->scenarios = calloc(1, sizeof *host->scenarios);
    if (!host->scenarios || !open_sessions(host->scenarios, host->options))
        abort();
    return host->scenarios;
}

static bool differ(struct near_said a, struct near_said b)
{
    return a.asked != b.asked || a.verdict != b.verdict;
}

int near_shows_elsewhere(const struct near_trial *trial, int rival)
{
    const struct near_elsewhere *before = as_it_is(trial);
    const bool driver = before->driver;
    struct near_scenarios *scenarios =
        rival < 0 ? &all.plain : scenarios_of(near_rival(trial->group, rival));
    for (int i = 0; i < all.count; i++) {
        struct near_said was = before->said[i];
        if (rival >= 0 && (!was.asked || was.verdict == WCTS_VERDICT_SKIP))
            continue;
        if (rival >= 0)
            was = said_before(trial, scenarios, driver, i);
        if (differ(was, say(scenarios, trial->effect, driver, i)))
            return i;
    }
    return -1;
}
