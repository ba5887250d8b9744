/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/walk/walk.h"

bool wcts_run_init(struct wcts_run *run, const struct wcts_settings *settings,
                   const struct wcts_plan *plan, const int *selected, int selected_count)
{
    const struct wcts_spec *spec = plan->spec;
    *run = (struct wcts_run){.settings = settings,
                             .plan = plan,
                             .selected = selected,
                             .selected_count = selected_count,
                             .started = time(NULL)};
    run->statements = calloc((size_t)spec->statements_count + 1, sizeof *run->statements);
    run->rules = calloc((size_t)spec->rules_count + 1, sizeof *run->rules);
    for (int i = 0; run->statements && i < spec->statements_count; i++)
        run->statements[i].smallest = -1;
    return run->statements && run->rules;
}

void wcts_run_release(struct wcts_run *run)
{
    for (int i = 0; run->statements && i < run->plan->spec->statements_count; i++) {
        free(run->statements[i].reason);
        free(run->statements[i].shrunk);
    }
    for (int i = 0; i < WCTS_REASONS_MAX; i++)
        free(run->reasons[i].text);
    for (int i = 0; i < WCTS_FLAKY_MAX; i++)
        free(run->flaky[i].text);
    free(run->refused.text);
    free(run->statements);
    free(run->rules);
}

/* ---- counting ---- */

static void tally_add(struct wcts_tally *tally, const struct wcts_result *result)
{
    tally->verdicts[result->verdict]++;
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

/* A sequence says less than a call. */
static int size_of(const struct wcts_case *one)
{
    return one->kind == WCTS_KIND_SEQUENCE ? WCTS_FACTS_MAX + 1 : one->fact_count;
}

/* The case with the fewest facts says most; of equals, the first. */
static void keep_smallest(struct wcts_run *run, struct wcts_statement_tally *statement,
                          const struct wcts_case *one, const struct wcts_result *result)
{
    if (statement->smallest >= 0 && size_of(&run->plan->cases[statement->smallest]) <= size_of(one))
        return;
    const char *shrunk = result->detail ? wcts_detail_shrunk(result->detail) : NULL;
    free(statement->reason);
    free(statement->shrunk);
    statement->shrunk = shrunk ? strdup(shrunk) : NULL;
    statement->smallest = (int)(one - run->plan->cases);
    statement->verdict = result->verdict;
    statement->reason = strdup(result->reason ? result->reason : "");
}

static void keep_flaky(struct wcts_run *run, const struct wcts_case *one,
                       const struct wcts_result *result)
{
    for (int i = 0; i < WCTS_FLAKY_MAX; i++)
        if (!run->flaky[i].text) {
            run->flaky[i].count = 1;
            if (asprintf(&run->flaky[i].text, "%s: %s", one->id, result->reason) < 0)
                run->flaky[i].text = NULL;
            return;
        }
}

static void keep_refused(struct wcts_run *run, const struct wcts_case *one,
                         const struct wcts_result *result)
{
    if (run->refused.count++ == 0 &&
        asprintf(&run->refused.text, "%s: %s", one->id, result->reason ? result->reason : "") < 0)
        run->refused.text = NULL;
}

void wcts_run_count(struct wcts_run *run, const struct wcts_case *one,
                    const struct wcts_result *result)
{
    const struct wcts_spec *spec = run->plan->spec;
    bool other = result->broken > 0 && result->broken <= spec->rules_count;
    int rule = other ? result->broken - 1 : one->rule;
    struct wcts_statement_tally *statement = &run->statements[spec->rules[rule].statement];

    tally_add(&run->total, result);
    tally_add(&statement->tally, result);
    tally_add(&run->rules[rule], result);
    wcts_walk_numbers_add(&run->walk, &result->walk);
    if (result->verdict == WCTS_VERDICT_SKIP)
        count_reason(run, result->reason ? result->reason : "");
    if (result->refused)
        keep_refused(run, one, result);
    if (result->verdict == WCTS_VERDICT_FLAKY)
        keep_flaky(run, one, result);
    if (wcts_verdict_breaks(result->verdict) || result->verdict == WCTS_VERDICT_BROKEN)
        keep_smallest(run, statement, one, result);
}

/* ---- verdicts ---- */

/* What each verdict means for a run. A case that is fixed passes; a failure that is known is one
 * all the same. */
static const struct {
    bool judges, proves, breaks, doubts;
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
    [WCTS_VERDICT_BROKEN] = {.doubts = true},
};

bool wcts_verdict_judges(enum wcts_verdict verdict)
{
    return meanings[verdict].judges;
}

bool wcts_verdict_breaks(enum wcts_verdict verdict)
{
    return meanings[verdict].breaks;
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

bool wcts_run_judged(const struct wcts_run *run)
{
    int judged = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        judged += meanings[i].judges ? run->total.verdicts[i] : 0;
    return run->end == WCTS_POOL_DONE && judged != 0;
}

/* What fails a run only when it is asked for. */
static int broke_on_demand(const struct wcts_run *run)
{
    const struct wcts_settings *settings = run->settings;
    int broke = settings->fail_on_flaky ? run->total.verdicts[WCTS_VERDICT_FLAKY] : 0;
    if (settings->strict_baseline && run->baseline)
        broke += run->baseline->states[WCTS_WAIVER_FIXED];
    return broke;
}

/* Results come in plan order: those that were reached are the first. */
static void count_mustpass(struct wcts_run *run)
{
    if (run->mustpass)
        wcts_mustpass_hold(run->mustpass, run->plan, run->selected, run->total.count,
                           run->claims.sides, &run->must);
}

/* A run is no claim when it lacks what one needs, although nothing was left out on purpose. That it
 * fails is the more important where cases merely say nothing. */
static bool is_incomplete(const struct wcts_run *run, int broke)
{
    return run->end == WCTS_POOL_DONE && !wcts_settings_select(run->settings) &&
           (run->must.missing_count > 0 || (run->refused.count > 0 && broke == 0));
}

void wcts_run_conclude(struct wcts_run *run)
{
    int broke = broke_on_demand(run);
    count_mustpass(run);
    qsort(run->reasons, WCTS_REASONS_MAX, sizeof run->reasons[0], more_frequent);
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        broke += meanings[i].breaks ? run->total.verdicts[i] : 0;
    run->incomplete = is_incomplete(run, broke);
    if (!wcts_run_judged(run) || run->incomplete)
        run->exit_code = WCTS_EXIT_NOTHING;
    else if (broke != 0)
        run->exit_code = WCTS_EXIT_FAIL;
    else if (run->total.verdicts[WCTS_VERDICT_BROKEN] != 0)
        run->exit_code = WCTS_EXIT_BROKEN;
    else
        run->exit_code = WCTS_EXIT_OK;
}

/* ---- names ---- */

bool wcts_statement_testable(const struct wcts_statement *statement)
{
    return statement->reason == NULL;
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
                                        [WCTS_POOL_NO_START] = "not started"};
    return names[end];
}
