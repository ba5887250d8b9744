/* SPDX-License-Identifier: MIT */
/* From findings to verdicts: the table of levels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "profile.h"

/* ---- The verdict of a breach ---- */

/* A rule may bind less than its statement. */
static enum wcts_verdict verdict_of_breach(const struct wcts_plan *plan, int broken,
                                           enum wcts_level level)
{
    const struct wcts_rule *rule = &plan->spec->rules[broken];
    const struct wcts_statement *statement = &plan->spec->statements[rule->statement];
    bool advice = statement->force == WCTS_FORCE_SHOULD || rule->force == WCTS_FORCE_SHOULD ||
                  statement->derived;
    if (statement->role == WCTS_ROLE_CALLER && statement->force == WCTS_FORCE_MUST) {
        bool inferred = statement->basis == WCTS_BASIS_INFERRED;
        return inferred && level == WCTS_LEVEL_BINDING ? WCTS_VERDICT_WARN : WCTS_VERDICT_FAIL;
    }
    return advice && level != WCTS_LEVEL_STRICT ? WCTS_VERDICT_WARN : WCTS_VERDICT_FAIL;
}

bool wcts_judge_breach_fails(const struct wcts_plan *plan, int rule,
                             struct wcts_strictness *strictness)
{
    bool fails = verdict_of_breach(plan, rule, strictness->level) == WCTS_VERDICT_FAIL;
    for (enum wcts_level level = WCTS_LEVEL_BINDING; level <= WCTS_LEVEL_STRICT; level++)
        if ((verdict_of_breach(plan, rule, level) == WCTS_VERDICT_FAIL) != fails)
            strictness->differs |= wcts_model_level_bit(level);
    return fails;
}

/* ---- Rules that a rule rests on ---- */

/* The effect of a breach below on a case that broke. */
enum judge_excuse_kind {
    NO_EXCUSE,
    NOT_JUDGED,
    /* If the breach below alone would only warn, the case fails on its behalf: it is certain that
     * one of the two rules is broken. */
    ON_ITS_BEHALF
};

static enum judge_excuse_kind excuse_at(const struct wcts_plan *plan, const struct wcts_case *test,
                                        int broken, int below, enum wcts_level level)
{
    const struct wcts_rule *rule = &plan->spec->rules[below];
    bool advice = rule->force == WCTS_FORCE_SHOULD ||
                  plan->spec->statements[rule->statement].force == WCTS_FORCE_SHOULD;
    bool fails = verdict_of_breach(plan, broken, level) == WCTS_VERDICT_FAIL;
    bool fails_below = verdict_of_breach(plan, below, level) == WCTS_VERDICT_FAIL;
    if (test->version < rule->since || test->version >= rule->until ||
        (advice && fails && !fails_below))
        return NO_EXCUSE;
    return fails && !fails_below ? ON_ITS_BEHALF : NOT_JUDGED;
}

bool wcts_judge_may_excuse(const struct wcts_plan *plan, const struct wcts_case *test, int broken,
                           int below)
{
    for (enum wcts_level level = WCTS_LEVEL_BINDING; level <= WCTS_LEVEL_STRICT; level++)
        if (excuse_at(plan, test, broken, below, level) != NO_EXCUSE)
            return true;
    return false;
}

bool wcts_judge_finding_excuse(const struct wcts_plan *plan, const struct wcts_case *test,
                               struct wcts_strictness *strictness, int below, const char *why,
                               struct wcts_finding *finding)
{
    const char *id = plan->spec->rules[below].id;
    const int broken = wcts_judge_broken_rule(test, finding);
    enum judge_excuse_kind excuse = excuse_at(plan, test, broken, below, strictness->level);
    for (enum wcts_level level = WCTS_LEVEL_BINDING; level <= WCTS_LEVEL_STRICT; level++)
        if (excuse_at(plan, test, broken, below, level) != excuse)
            strictness->differs |= wcts_model_level_bit(level);
    if (excuse == ON_ITS_BEHALF) {
        wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s is broken: %s", id, why);
        finding->fails = true;
        finding->broken = below + 1;
    } else if (excuse == NOT_JUDGED && finding->observed) {
        wcts_model_finding_take_back(finding);
    } else if (excuse == NOT_JUDGED) {
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_JUDGED, "%s is broken: %s", id, why);
        free(finding->detail);
        free(finding->scenario);
        finding->detail = finding->scenario = NULL;
    }
    return excuse != NO_EXCUSE;
}

/* ---- Verdicts ---- */

bool wcts_judge_verdict_is_retried(enum wcts_verdict verdict)
{
    return verdict == WCTS_VERDICT_FAIL || wcts_model_verdict_is_death(verdict) ||
           verdict == WCTS_VERDICT_DECLINED || verdict == WCTS_VERDICT_BROKEN;
}

enum wcts_verdict wcts_judge_finding_verdict(const struct wcts_plan *plan,
                                             const struct wcts_case *test,
                                             const struct wcts_finding *finding,
                                             enum wcts_level level)
{
    static const enum wcts_verdict verdicts[] = {
        [WCTS_FOUND_KEPT] = WCTS_VERDICT_PASS,      [WCTS_FOUND_BROKEN] = WCTS_VERDICT_FAIL,
        [WCTS_FOUND_NOTHING] = WCTS_VERDICT_SKIP,   [WCTS_FOUND_DECLINED] = WCTS_VERDICT_DECLINED,
        [WCTS_FOUND_CRASH] = WCTS_VERDICT_CRASH,    [WCTS_FOUND_HANG] = WCTS_VERDICT_TIMEOUT,
        [WCTS_FOUND_TROUBLE] = WCTS_VERDICT_BROKEN,
    };
    bool other = finding->broken > 0 && finding->broken <= plan->spec->rules_count;
    if (finding->found == WCTS_FOUND_BROKEN && !finding->fails)
        return verdict_of_breach(plan, other ? finding->broken - 1 : test->rule, level);
    return verdicts[finding->found];
}

static char *copy_of(const char *text)
{
    return text ? strdup(text) : NULL;
}

/* The attempt that counts at the level: the first that would not have been repeated. */
static int counting_try(const struct wcts_plan *plan, const struct wcts_case *test,
                        enum wcts_level level, struct wcts_result *result)
{
    for (int i = 0; i < result->tried; i++) {
        struct wcts_try *attempt = &result->tries[i];
        const struct wcts_finding *finding = wcts_model_finding_at(&attempt->finding, level);
        free(attempt->reason);
        free(attempt->detail);
        attempt->verdict = wcts_judge_finding_verdict(plan, test, finding, level);
        attempt->reason = copy_of(finding->reason);
        attempt->detail = copy_of(finding->detail);
        if (!wcts_judge_verdict_is_retried(attempt->verdict))
            return i;
    }
    return result->tried;
}

void wcts_judge_result_read(const struct wcts_plan *plan, const struct wcts_case *test,
                            const struct wcts_options *options, struct wcts_result *result)
{
    enum wcts_level level = options->level;
    int counts = counting_try(plan, test, level, result);
    const struct wcts_finding *finding = wcts_model_finding_at(
        counts < result->tried ? &result->tries[counts].finding : &result->finding, level);
    char *flaky = NULL;
    free(result->reason);
    free(result->detail);
    free(result->scenario);
    result->verdict = wcts_judge_finding_verdict(plan, test, finding, level);
    result->detail = copy_of(finding->detail);
    result->scenario = copy_of(finding->scenario);
    result->skip = finding->skip;
    result->broken = finding->broken;
    result->try_count = counts;
    if (counts > 0 && !wcts_judge_verdict_is_retried(result->verdict)) {
        const struct wcts_try *first = &result->tries[0];
        if (asprintf(&flaky, "%s at attempt %d, but first %s: %s",
                     wcts_model_verdict_name(result->verdict), counts + 1,
                     wcts_model_verdict_name(first->verdict),
                     first->reason ? first->reason : "") < 0)
            flaky = NULL;
        result->verdict = WCTS_VERDICT_FLAKY;
        result->reason = flaky;
    } else {
        result->reason = copy_of(finding->reason);
    }
    wcts_judge_profile_read(plan, test, options->profile, finding, result);
}
