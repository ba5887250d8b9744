/* SPDX-License-Identifier: MIT */
/* The rules that a rule rests on: a broken case is not judged if one of them is broken at the
 * version. Judging looks for that in the case's own messages (judge/effect.c); if these do not show
 * it, the cases of that rule are run. */
#include <stdlib.h>

#include "case.h"

static bool is_broken(const struct wcts_finding *finding)
{
    return finding->found == WCTS_FOUND_BROKEN;
}

/* A call that is accepted against the rule may lack the check of the upper rule; a valid one that
 * is refused does not. */
static bool is_asked_below(const struct wcts_plan *plan, const struct wcts_case *below,
                           const struct wcts_case *test, int rule)
{
    return below->rule == rule && below->version == test->version &&
           below->driver == test->driver &&
           (wcts_is_effect(plan->spec->rules[rule].form) || below->expect == WCTS_EXPECT_ACCEPT);
}

/* Runs a case of another rule; True if it breaks. */
static bool breaks(struct wcts_session *session, const struct wcts_case *below)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    struct wcts_session_options before = session->options;
    bool broken;
    session->options.brief = true;
    session->options.trace = NULL;
    wcts_session_judge(session, below, &finding);
    session->options = before;
    broken = is_broken(&finding);
    wcts_finding_release(&finding);
    return broken;
}

/* The first case of the rule that breaks, NULL if none does. */
static const struct wcts_case *broken_below(struct wcts_session *session,
                                            const struct wcts_case *test, int rule)
{
    const struct wcts_plan *plan = session->plan;
    for (int i = 0; i < plan->count; i++)
        if (is_asked_below(plan, &plan->cases[i], test, rule) && breaks(session, &plan->cases[i]))
            return &plan->cases[i];
    return NULL;
}

/* A valid call may be refused because valid ones are refused below. */
static bool is_open(const struct wcts_rule *below, const struct wcts_finding *finding)
{
    return (is_broken(finding) && !finding->broken) ||
           (finding->found == WCTS_FOUND_DECLINED && !wcts_is_effect(below->form));
}

void wcts_session_excuse(struct wcts_session *session, const struct wcts_case *test,
                         struct wcts_finding *finding)
{
    const struct wcts_plan *plan = session->plan;
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    for (int i = 0; i < rule->rests_on_count; i++) {
        int below = rule->rests_on[i];
        const struct wcts_case *shown = NULL;
        bool cleared = i < 64 && finding->cleared >> i & 1;
        if (!cleared && is_open(&plan->spec->rules[below], finding) &&
            wcts_may_excuse(plan, test, below))
            shown = broken_below(session, test, below);
        if (shown)
            wcts_finding_excuse(plan, test, &session->strictness, below, shown->id, finding);
    }
}
