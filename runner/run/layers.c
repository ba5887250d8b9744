/* SPDX-License-Identifier: MIT */
/* The rules that a rule rests on: a broken case is not judged if one of them is broken at the
 * version. Judging looks for that in the case's own messages (judge/effect.c); if these do not show
 * it, the cases of that rule are run. */
#include <stdlib.h>

#include "../plan/plan.h"
#include "case.h"

/* Runs a case of another rule, with a recording of its own; True if it breaks that rule. */
static bool breaks(struct wcts_machine_session *session, const struct wcts_case *below)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    struct wcts_machine_session_options before = session->options;
    struct wcts_exchange_recording own = session->recording;
    const struct wcts_machine_performed performed = session->performed;
    bool broken;
    session->recording = (struct wcts_exchange_recording){0};
    session->performed = (struct wcts_machine_performed){0};
    session->options.verdicts_only = true;
    session->options.trace = NULL;
    wcts_run_judge(session, below, &finding);
    session->options = before;
    wcts_exchange_recording_release(&session->recording);
    session->recording = own;
    session->performed = performed;
    broken = finding.found == WCTS_FOUND_BROKEN && !finding.observed;
    wcts_model_finding_release(&finding);
    return broken;
}

/* Finds the first case of the rule that breaks; false if none does. A breaking call that is
 * accepted may lack the check of the upper rule, so only valid ones are tried. What a walk shows is
 * observed, and breaks no rule of its own. */
static bool broken_below(struct wcts_machine_session *session, const struct wcts_case *test,
                         int rule, struct wcts_case *below)
{
    const struct wcts_plan *plan = session->plan;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        if (series->rule != rule || series->swept || series->kind == WCTS_KIND_TOUR ||
            plan->tests[i].version != test->version)
            continue;
        wcts_plan_case(plan, i, below);
        if (below->driver == test->driver &&
            (wcts_model_is_effect(plan->spec->rules[rule].form) ||
             below->expect == WCTS_EXPECT_ACCEPT) &&
            breaks(session, below))
            return true;
    }
    return false;
}

void wcts_run_excuse(struct wcts_machine_session *session, const struct wcts_case *test,
                     struct wcts_finding *finding)
{
    const struct wcts_plan *plan = session->plan;
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    for (int i = 0; i < rule->rests_on_count; i++) {
        int below = rule->rests_on[i];
        struct wcts_case found;
        bool shown = false;
        bool cleared = i < 64 && finding->cleared >> i & 1;
        /* A valid call may also be declined because valid ones are refused below. */
        bool excusable = (finding->found == WCTS_FOUND_BROKEN && !finding->broken) ||
                         (finding->found == WCTS_FOUND_DECLINED &&
                          !wcts_model_is_effect(plan->spec->rules[below].form));
        if (!cleared && excusable && wcts_judge_may_excuse(plan, test, below))
            shown = broken_below(session, test, below, &found);
        if (shown)
            wcts_judge_finding_excuse(plan, test, &session->strictness, below, found.id, finding);
    }
}
