/* SPDX-License-Identifier: MIT */
/* From findings to verdicts: the table of levels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
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

static char *copy_text(const char *text)
{
    return text ? strdup(text) : NULL;
}

static void read_try(const struct wcts_plan *plan, const struct wcts_case *test,
                     enum wcts_level level, struct wcts_try *attempt)
{
    const struct wcts_finding *finding = wcts_model_finding_at(&attempt->finding, level);
    free(attempt->reason);
    free(attempt->detail);
    attempt->verdict = wcts_judge_finding_verdict(plan, test, finding, level);
    attempt->reason = copy_text(finding->reason);
    attempt->detail = copy_text(finding->detail);
}

/* The attempt that counts at the level: the first that would not have been repeated. */
static int counting_try(const struct wcts_plan *plan, const struct wcts_case *test,
                        enum wcts_level level, struct wcts_result *result)
{
    for (int i = 0; i < result->tried; i++) {
        read_try(plan, test, level, &result->tries[i]);
        if (!wcts_judge_verdict_is_retried(result->tries[i].verdict))
            return i;
    }
    return result->tried;
}

/* Of two verdicts that fail, the one that a person has to look at first. */
static bool is_worse(enum wcts_verdict a, enum wcts_verdict b)
{
    static const int ranks[WCTS_VERDICT_COUNT] = {[WCTS_VERDICT_BROKEN] = 1,
                                                  [WCTS_VERDICT_DECLINED] = 2,
                                                  [WCTS_VERDICT_FAIL] = 3,
                                                  [WCTS_VERDICT_TIMEOUT] = 4,
                                                  [WCTS_VERDICT_CRASH] = 5};
    return ranks[a] > ranks[b];
}

/* "pass 3 times, fail 2 times of 5: the reason of a failure": how often which verdict came. */
static char *repeated_text(const struct wcts_result *result)
{
    int counts[WCTS_VERDICT_COUNT] = {0};
    int total = result->times;
    const char *reason = NULL;
    WCTS_TEXT(text);
    counts[result->verdict] = result->times;
    for (int i = 0; i < result->tried; i++) {
        const struct wcts_try *one = &result->tries[i];
        counts[one->verdict] += one->times;
        total += one->times;
        if (!reason && one->verdict != result->verdict)
            reason = one->reason;
    }
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (counts[i])
            wcts_text_add(&text, "%s%s %d time%s", text.length ? ", " : "",
                          wcts_model_verdict_name((enum wcts_verdict)i), counts[i],
                          counts[i] == 1 ? "" : "s");
    wcts_text_add(&text, " of %d%s%s", total, reason ? ": " : "", reason ? reason : "");
    return wcts_text_take(&text);
}

/* The verdict of a repeated case, whose "finding" was read: that of all repetitions, flaky, or of
 * failures of several sorts the worst. Returns the finding that has it; NULL: the one that was
 * read. */
static const struct wcts_finding *read_repeated(const struct wcts_plan *plan,
                                                const struct wcts_case *test, enum wcts_level level,
                                                struct wcts_result *result)
{
    const struct wcts_try *worst = NULL;
    bool differs = false, fails = wcts_judge_verdict_is_retried(result->verdict);
    for (int i = 0; i < result->tried; i++) {
        struct wcts_try *one = &result->tries[i];
        read_try(plan, test, level, one);
        differs = differs || one->verdict != result->verdict;
        fails = fails && wcts_judge_verdict_is_retried(one->verdict);
        if (is_worse(one->verdict, worst ? worst->verdict : result->verdict))
            worst = one;
    }
    result->try_count = result->tried;
    if (differs && !fails) {
        char *text = repeated_text(result);
        free(result->reason);
        result->reason = text;
        result->verdict = WCTS_VERDICT_FLAKY;
        return NULL;
    }
    if (differs && worst) {
        const struct wcts_finding *finding = wcts_model_finding_at(&worst->finding, level);
        free(result->reason);
        free(result->detail);
        result->verdict = worst->verdict;
        result->reason = copy_text(worst->reason);
        result->detail = copy_text(worst->detail);
        result->broken = finding->broken;
        return finding;
    }
    return NULL;
}

void wcts_judge_result_read(const struct wcts_plan *plan, const struct wcts_case *test,
                            const struct wcts_options *options, struct wcts_result *result)
{
    enum wcts_level level = options->level;
    bool repeated = result->times > 0;
    int counts = repeated ? result->tried : counting_try(plan, test, level, result);
    const struct wcts_finding *finding = wcts_model_finding_at(
        counts < result->tried ? &result->tries[counts].finding : &result->finding, level);
    char *flaky = NULL;
    free(result->reason);
    free(result->detail);
    free(result->scenario);
    result->verdict = wcts_judge_finding_verdict(plan, test, finding, level);
    result->detail = copy_text(finding->detail);
    result->scenario = copy_text(finding->scenario);
    result->skip = finding->skip;
    result->broken = finding->broken;
    result->try_count = counts;
    if (!repeated && counts > 0 && !wcts_judge_verdict_is_retried(result->verdict)) {
        const struct wcts_try *first = &result->tries[0];
        if (asprintf(&flaky, "%s at attempt %d, but first %s: %s",
                     wcts_model_verdict_name(result->verdict), counts + 1,
                     wcts_model_verdict_name(first->verdict),
                     first->reason ? first->reason : "") < 0)
            flaky = NULL;
        result->verdict = WCTS_VERDICT_FLAKY;
        result->reason = flaky;
    } else {
        result->reason = copy_text(finding->reason);
    }
    const struct wcts_finding *worst =
        repeated && result->tried > 0 ? read_repeated(plan, test, level, result) : NULL;
    wcts_judge_profile_read(plan, test, options->profile, worst ? worst : finding, result);
}
