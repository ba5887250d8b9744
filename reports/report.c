/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/machine/plugin.h"
#include "../runner/oracle/walk.h"
#include "../runner/store/run_dir.h"
#include "headline.h"

bool wcts_run_init(struct wcts_run *run, const struct wcts_options *asked,
                   const struct wcts_plan *plan, const int *selected, int selected_count)
{
    const struct wcts_spec *spec = plan->spec;
    *run = (struct wcts_run){.asked = *asked,
                             .plan = plan,
                             .selected = selected,
                             .selected_count = selected_count,
                             .started = time(NULL)};
    run->statements = calloc((size_t)spec->statements_count + 1, sizeof *run->statements);
    run->rules = calloc((size_t)spec->rules_count + 1, sizeof *run->rules);
    run->warnings = calloc((size_t)spec->statements_count + 1, sizeof *run->warnings);
    run->planned = plan->count;
    run->narrowed = asked->narrowed;
    run->partial = asked->partial;
    return run->statements && run->rules && run->warnings && wcts_causes_init(&run->causes, plan) &&
           wcts_scope_init(&run->scope, plan) && wcts_next_init(&run->next, plan);
}

void wcts_run_release(struct wcts_run *run)
{
    for (int i = 0; i < WCTS_REASONS_MAX; i++)
        free(run->reasons[i].text);
    for (int i = 0; i < WCTS_FLAKY_MAX; i++)
        free(run->flaky[i].text);
    for (int i = 0; run->warnings && i < run->plan->spec->statements_count; i++)
        free(run->warnings[i].reason);
    free(run->warnings);
    free(run->headline);
    wcts_scope_release(&run->scope);
    wcts_next_release(&run->next);
    free(run->statements);
    free(run->rules);
    wcts_causes_release(&run->causes);
}

/* ---- counting ---- */

void wcts_tally_add(struct wcts_tally *tally, const struct wcts_result *result)
{
    tally->verdicts[result->verdict]++;
    tally->unjudged += result->skip == WCTS_SKIP_NOT_JUDGED;
    tally->count++;
    tally->seconds += (double)result->nanoseconds / 1e9;
}

static void count_reason(struct wcts_run *run, const char *reason)
{
    for (int i = 0; i < WCTS_REASONS_MAX; i++) {
        if (!run->reasons[i].text)
            run->reasons[i].text = strdup(reason);
        if (run->reasons[i].text && strcmp(run->reasons[i].text, reason) == 0) {
            run->reasons[i].count++;
            return;
        }
    }
    run->other_reasons++;
}

static int more_frequent(const void *a, const void *b)
{
    const struct wcts_reason *left = a, *right = b;
    return right->count - left->count;
}

static void keep_flaky(struct wcts_run *run, const struct wcts_case *test,
                       const struct wcts_result *result)
{
    for (int i = 0; i < WCTS_FLAKY_MAX; i++)
        if (!run->flaky[i].text) {
            run->flaky[i].count = 1;
            if (asprintf(&run->flaky[i].text, "%s: %s", test->id, result->reason) < 0)
                run->flaky[i].text = NULL;
            return;
        }
}

static bool keep_warning(struct wcts_run *run, const struct wcts_case *test, int rule,
                         const struct wcts_result *result)
{
    struct wcts_warning *warning = &run->warnings[run->plan->spec->rules[rule].statement];
    const struct wcts_case *cases = run->plan->cases;
    if (warning->reason && wcts_case_size(&cases[warning->smallest]) <= wcts_case_size(test))
        return true;
    free(warning->reason);
    *warning = (struct wcts_warning){rule, (int)(test - cases),
                                     strdup(result->reason ? result->reason : "")};
    return warning->reason != NULL;
}

void wcts_run_count(struct wcts_run *run, const struct wcts_case *test,
                    const struct wcts_result *result)
{
    const struct wcts_spec *spec = run->plan->spec;
    bool other = result->broken > 0 && result->broken <= spec->rules_count;
    int rule = other ? result->broken - 1 : test->rule;

    wcts_tally_add(&run->total, result);
    run->judged += wcts_verdicts_judge(result->verdict, result->was);
    wcts_tally_add(&run->statements[spec->rules[rule].statement], result);
    wcts_tally_add(&run->rules[rule], result);
    wcts_scope_add(&run->scope, run->plan, test, &run->claims, spec->rules[rule].statement, result);
    wcts_walk_numbers_add(&run->walk, &result->walk);
    if (result->verdict == WCTS_VERDICT_SKIP)
        count_reason(run, result->reason ? result->reason : "");
    if (result->verdict == WCTS_VERDICT_FLAKY)
        keep_flaky(run, test, result);
    if (result->verdict == WCTS_VERDICT_WARN && !keep_warning(run, test, rule, result))
        fputs("wddm-cts: out of memory: a warning is not listed\n", stderr);
    if (!wcts_causes_count(&run->causes, test, rule, result))
        fputs("wddm-cts: out of memory: a failure is not listed\n", stderr);
    if (!wcts_next_add(&run->next, test, &run->claims, spec->rules[rule].statement, result))
        fputs("wddm-cts: out of memory: what a skipped case lacks is not counted\n", stderr);
}

/* ---- verdicts ---- */

/* What each verdict means for a run. A case that is fixed passes; a failure that is known is one
 * all the same. */
static const struct {
    bool judges, proves, breaks, doubts, hinders;
} meanings[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = {.judges = true, .proves = true},
    [WCTS_VERDICT_WARN] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_SKIP] = {.judges = false},
    [WCTS_VERDICT_WAIVED] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_FIXED] = {.judges = true, .proves = true},
    [WCTS_VERDICT_FLAKY] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_FAIL] = {.judges = true, .breaks = true, .doubts = true},
    [WCTS_VERDICT_CRASH] = {.judges = true, .breaks = true, .doubts = true},
    [WCTS_VERDICT_TIMEOUT] = {.judges = true, .breaks = true, .doubts = true},
    [WCTS_VERDICT_DECLINED] = {.doubts = true, .hinders = true},
    [WCTS_VERDICT_BROKEN] = {.doubts = true, .hinders = true},
};

bool wcts_verdict_judges(enum wcts_verdict verdict)
{
    return meanings[verdict].judges;
}

bool wcts_verdicts_judge(enum wcts_verdict verdict, enum wcts_verdict was)
{
    return meanings[verdict == WCTS_VERDICT_WAIVED ? was : verdict].judges;
}

bool wcts_verdict_breaks(enum wcts_verdict verdict)
{
    return meanings[verdict].breaks;
}

bool wcts_verdict_hinders(enum wcts_verdict verdict)
{
    return meanings[verdict].hinders;
}

bool wcts_tally_proven(const struct wcts_tally *tally)
{
    int proving = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        if (meanings[i].doubts && tally->verdicts[i] != 0)
            return false;
        proving += meanings[i].proves ? tally->verdicts[i] : 0;
    }
    return proving != 0;
}

bool wcts_tally_breaks(const struct wcts_tally *tally)
{
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (meanings[i].breaks && tally->verdicts[i] != 0)
            return true;
    return false;
}

struct wcts_counts wcts_run_counts(const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    struct wcts_counts counts = {0};
    for (int i = 0; i < spec->statements_count; i++) {
        counts.in_scope += run->scope.statements[i].in;
        counts.tested += run->scope.statements[i].tested;
        if (!wcts_scope_counts(&run->scope, i, run->claims.sides))
            continue;
        counts.testable++;
        counts.pending += spec->statements[i].pending;
        counts.proven += wcts_tally_proven(&run->statements[i]);
    }
    for (int i = 0; i < spec->rules_count; i++) {
        bool counted = wcts_scope_counts_rule(&run->scope, i, run->claims.sides);
        counts.rules += counted;
        counts.proven_rules += counted && wcts_tally_proven(&run->rules[i]);
    }
    return counts;
}

uint64_t wcts_run_version_bits(const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_options *asked = &run->asked;
    uint64_t bits = 0;
    bool within = !asked->first_version, last = false;
    for (int i = 0; i < spec->versions_count && !last; i++) {
        const char *name = spec->versions[i].name;
        within = within || strcmp(name, asked->first_version) == 0;
        last = asked->last_version && strcmp(name, asked->last_version) == 0;
        bits |= within ? wcts_version_bit(i) : 0;
    }
    return bits & wcts_scope_versions(spec, &run->claims);
}

bool wcts_run_versions(const struct wcts_run *run, const char **first, const char **last)
{
    const struct wcts_spec *spec = run->plan->spec;
    uint64_t bits = wcts_run_version_bits(run);
    bool any = false;
    for (int i = 0; i < spec->versions_count; i++)
        if (bits & wcts_version_bit(i)) {
            *first = any ? *first : spec->versions[i].name;
            *last = spec->versions[i].name;
            any = true;
        }
    return any;
}

bool wcts_run_judged(const struct wcts_run *run)
{
    return run->end == WCTS_POOL_DONE && run->judged != 0;
}

static void count_mustpass(struct wcts_run *run)
{
    if (run->mustpass)
        wcts_mustpass_hold(run->mustpass, run->plan->spec,
                           (const struct wcts_rule_seen *const *)run->scope.rules,
                           wcts_run_version_bits(run), run->claims.sides, &run->must);
}

static void conclude(struct wcts_run *run)
{
    enum wcts_conclusion conclusion = wcts_conclude(run);
    free(run->headline);
    run->headline = wcts_headline(run);
    run->conclusion = wcts_conclusion_name(conclusion);
    run->exit_code = (int)wcts_conclusion_exit(conclusion);
}

void wcts_run_conclude(struct wcts_run *run)
{
    count_mustpass(run);
    if (!wcts_causes_conclude(&run->causes))
        fputs("wddm-cts: out of memory: failures are not listed\n", stderr);
    qsort(run->reasons, WCTS_REASONS_MAX, sizeof run->reasons[0], more_frequent);
    /* Of a part of the cases nobody knows what the others need. */
    if (run->end == WCTS_POOL_DONE && !run->narrowed &&
        !wcts_next_conclude(&run->next, &run->scope))
        fputs("wddm-cts: out of memory: what to implement next is not listed\n", stderr);
    conclude(run);
}

void wcts_run_spoil(struct wcts_run *run, const char *error)
{
    run->end = WCTS_POOL_STOPPED;
    if (run->error[0] == '\0')
        snprintf(run->error, sizeof run->error, "%s", error);
    conclude(run);
}

/* ---- names ---- */

bool wcts_statement_testable(const struct wcts_statement *statement)
{
    return statement->reason == NULL;
}

char *wcts_statement_original(const struct wcts_spec *spec, const struct wcts_statement *statement)
{
    const char *language = spec->documents[statement->document].language;
    char *text = NULL;
    if (!statement->quote || asprintf(&text, "original (%s): «%s»", language, statement->quote) < 0)
        return NULL;
    return text;
}

const char *wcts_statement_status(const struct wcts_statement *statement)
{
    if (!wcts_statement_testable(statement))
        return "not-testable";
    return statement->pending ? "pending" : "ruled";
}

const char *wcts_end_name(enum wcts_pool_end end)
{
    static const char *const names[] = {[WCTS_POOL_DONE] = "done",
                                        [WCTS_POOL_STOPPED] = "stopped",
                                        [WCTS_POOL_CUT] = "cut",
                                        [WCTS_POOL_NO_START] = "not started"};
    return names[end];
}

void wcts_implementation_digest(const char *path, char digest[65])
{
    wcts_digest_path(wcts_is_builtin(path) ? "/proc/self/exe" : path, digest);
}
