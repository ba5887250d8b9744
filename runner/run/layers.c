/* SPDX-License-Identifier: MIT */
/* The rules that a rule rests on: a broken case is not judged if one of them is broken at the
 * version. Judging looks for that in the case's own messages (judge/effect.c); if these do not show
 * it, the cases of that rule are run. So it is with an effect that a scenario looks at in the case
 * of another one (judge/observed.c) and that rests on one which only its own cases show; and with
 * what a walk reads, for which something may have gone wrong long before.
 *
 * That is asked anew for each broken case, and may take hundreds of cases: a session remembers the
 * answer. Nothing of the search is stored with a case but its outcome and the case that breaks,
 * which is then run for the record: what is stored is the same whether it was remembered or not. */
#include <stdlib.h>

#include "../plan/plan.h"
#include "case.h"
#include "shrink.h"

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

/* What is known of a rule at a version and a level. Example, of one that is kept: {true, 0, -1}. */
struct wcts_run_below {
    bool tried;
    unsigned differs; /* the levels at which it may be otherwise, as in struct wcts_strictness */
    int found;        /* the case that breaks it; -1: none does */
};

#define LEVELS (WCTS_LEVEL_STRICT + 1)

/* NULL without memory. */
static struct wcts_run_below *known_of(struct wcts_machine_session *session, int version, int rule)
{
    const struct wcts_spec *spec = session->spec;
    const size_t count = (size_t)spec->rules_count * (size_t)spec->versions_count * LEVELS;
    if (!session->below)
        session->below = calloc(count, sizeof *session->below);
    if (!session->below)
        return NULL;
    return &session->below[(size_t)(rule * spec->versions_count + version) * LEVELS +
                           session->strictness.level];
}

/* A rule that a broken one of the test rests on, and its case that breaks. */
struct run_search {
    struct wcts_machine_session *session;
    const struct wcts_case *test;
    int rule;
    struct wcts_case found;
};

/* Finds the first case of the rule that breaks; false if none does. A breaking call that is
 * accepted may lack the check of the upper rule, so only valid ones are tried, and what a driver
 * answered to one. What a walk shows is observed, and breaks no rule of its own. */
static bool is_any_broken(struct run_search *search)
{
    const struct wcts_plan *plan = search->session->plan;
    struct wcts_case *below = &search->found;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        if (series->rule != search->rule || series->swept || series->kind == WCTS_KIND_TOUR ||
            plan->tests[i].version != search->test->version)
            continue;
        wcts_plan_case(plan, i, below);
        if (below->driver == search->test->driver &&
            (wcts_model_is_effect(plan->spec->rules[search->rule].form) ||
             below->kind == WCTS_KIND_ANSWER || below->expect == WCTS_EXPECT_ACCEPT) &&
            breaks(search->session, below))
            return true;
    }
    return false;
}

/* The same for wcts_run_try, from what is known if the rule was tried before. */
static bool is_known_broken(void *ctx)
{
    struct run_search *search = ctx;
    struct wcts_strictness *strictness = &search->session->strictness;
    struct wcts_run_below *known = known_of(search->session, search->test->version, search->rule);
    const unsigned before = strictness->differs;
    if (!known)
        return is_any_broken(search);
    if (!known->tried) {
        strictness->differs = 0;
        known->found = is_any_broken(search) ? search->found.index : -1;
        known->differs = strictness->differs;
        known->tried = true;
    }
    strictness->differs = before | known->differs;
    if (known->found >= 0)
        wcts_plan_case(search->session->plan, known->found, &search->found);
    return known->found >= 0;
}

/* True if a case of the rule breaks it, with that case in found. */
static bool is_layer_broken(struct run_search *search)
{
    struct wcts_exchange_stream *stream = &search->session->stream;
    int index;
    if (!wcts_run_try(search->session, is_known_broken, search))
        return false;
    wcts_exchange_stream_text(stream, search->found.id, sizeof search->found.id);
    index = wcts_plan_find(search->session->plan, search->found.id);
    if (index < 0) {
        wcts_exchange_stream_differs(stream, "the record names a case that is not planned");
        return false;
    }
    wcts_plan_case(search->session->plan, index, &search->found);
    return breaks(search->session, &search->found);
}

/* True if a breach of the n-th rule that the broken one rests on would explain the finding. */
static bool is_explained_by(const struct wcts_spec *spec, const struct wcts_case *test,
                            const struct wcts_finding *finding, int broken, int n)
{
    const struct wcts_rule *below = &spec->rules[spec->rules[broken].rests_on[n]];
    if (finding->found == WCTS_FOUND_BROKEN && finding->observed)
        return finding->broken == broken + 1 &&
               (wcts_model_is_also(test->scenario, broken)
                    ? below->effect && below->effect->unobserved
                    : test->kind == WCTS_KIND_TOUR && spec->rules[broken].effect->written);
    if (n < 64 && finding->cleared >> n & 1)
        return false;
    /* A valid call may also be declined because valid ones are refused below. */
    return (finding->found == WCTS_FOUND_BROKEN && !finding->broken) ||
           (finding->found == WCTS_FOUND_DECLINED && !wcts_model_is_effect(below->form));
}

void wcts_run_excuse(struct wcts_machine_session *session, const struct wcts_case *test,
                     struct wcts_finding *finding)
{
    const struct wcts_plan *plan = session->plan;
    const int broken = wcts_judge_broken_rule(test, finding);
    const struct wcts_rule *rule = &plan->spec->rules[broken];
    for (int i = 0; i < rule->rests_on_count; i++) {
        struct run_search search = {session, test, rule->rests_on[i], {.index = -1}};
        if (is_explained_by(plan->spec, test, finding, broken, i) &&
            wcts_judge_may_excuse(plan, test, broken, search.rule) && is_layer_broken(&search))
            wcts_judge_finding_excuse(plan, test, &session->strictness, search.rule,
                                      search.found.id, finding);
    }
}
