/* SPDX-License-Identifier: MIT */
/* Applying a baseline to results, and reporting the state of its waivers. */
#include <stdlib.h>
#include <string.h>

#include "../base/path.h"
#include "../base/regex.h"
#include "../base/text.h"
#include "../plan/plan.h"
#include "baseline.h"

/* Suggestions are printed for at most so many orphans. */
#define NEAR_ORPHANS 10

/* ---- applying ---- */

static void match_implementation(struct wcts_baseline *baseline, const struct wcts_claims *claims)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    for (int i = 0; !baseline->asked && i < baseline->count; i++) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        waiver->applies =
            (!waiver->name_pattern || wcts_regex_matches(waiver->name_pattern, claims->name)) &&
            (!waiver->version_pattern ||
             wcts_regex_matches(waiver->version_pattern, claims->version));
        wcts_baseline_waiver_compared(waiver, "implementation", waiver->implementation,
                                      waiver->name_pattern, &diagnostics);
        wcts_baseline_waiver_compared(waiver, "implementation-version",
                                      waiver->implementation_version, waiver->version_pattern,
                                      &diagnostics);
    }
    baseline->asked = true;
    baseline->wrong = baseline->wrong || diagnostics.errors != 0;
}

/* The first pair of the case, or where it would be. */
static int first_pair(const struct wcts_baseline *baseline, int index)
{
    int low = 0, high = baseline->pair_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (baseline->pairs[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The meaning of a verdict for the waivers of its case. */
enum baseline_waived_sort { NOTHING, PASSES, FAILS, UNSTEADY };

static const enum baseline_waived_sort sorts[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = PASSES,    [WCTS_VERDICT_WARN] = FAILS,
    [WCTS_VERDICT_FAIL] = FAILS,     [WCTS_VERDICT_CRASH] = FAILS,
    [WCTS_VERDICT_TIMEOUT] = FAILS,  [WCTS_VERDICT_FLAKY] = UNSTEADY,
    [WCTS_VERDICT_DECLINED] = FAILS,
};

static bool is_as_said(const struct wcts_baseline_waiver *waiver, const char *signature)
{
    return !waiver->signature || strcmp(waiver->signature, signature) == 0;
}

static void count_waived(struct wcts_baseline_waiver *waiver, const struct wcts_case *test,
                         enum baseline_waived_sort sort, const struct wcts_result *result)
{
    const char *signature = result->signature;
    waiver->ran++;
    if (sort == PASSES) {
        waiver->passing++;
    } else if (sort == UNSTEADY) {
        waiver->failing++;
    } else if (sort == FAILS && is_as_said(waiver, signature)) {
        if (++waiver->failing == 1)
            waiver->failing_case = test->index + 1;
        if (waiver->failures == 0) {
            memcpy(waiver->failure, signature, WCTS_SIGNATURE_SIZE);
            waiver->failures = 1;
        } else if (strcmp(waiver->failure, signature) != 0) {
            waiver->failures = 2;
        }
    } else if (sort == FAILS) {
        /* The waiver has a signature of version 1, which did not name the operation: this case is
         * the one that it waives. */
        bool earlier = waiver->signature && strcmp(waiver->signature, result->earlier) == 0;
        if (earlier && !waiver->superseded)
            waiver->otherwise = 0;
        waiver->superseded = waiver->superseded || earlier;
        if (waiver->otherwise++ == 0) {
            waiver->otherwise_case = test->index + 1;
            memcpy(waiver->other, signature, WCTS_SIGNATURE_SIZE);
        }
    }
}

/* Sets the verdict that follows from the first waiver that applies. Warnings do not fail a run and
 * are not waived. */
static void change_verdict(struct wcts_baseline_waiver *waiver, enum baseline_waived_sort sort,
                           struct wcts_result *result)
{
    bool waives = sort == FAILS && is_as_said(waiver, result->signature);
    bool fixes = sort == PASSES && waiver->id;
    if (result->waiver || waiver->expired || result->verdict == WCTS_VERDICT_WARN ||
        (!waives && !fixes))
        return;
    result->waiver = waiver;
    result->was = result->verdict;
    result->verdict = waives ? WCTS_VERDICT_WAIVED : WCTS_VERDICT_FIXED;
    if (fixes) {
        char path[WCTS_PATH_ROOM];
        free(result->reason);
        if (asprintf(&result->reason, "passes, although %s:%ld says that it fails",
                     wcts_path_shown(waiver->place.file, path, sizeof path),
                     waiver->place.line) < 0)
            result->reason = NULL;
    }
    waiver->waived += waives;
}

/* True if a waiver for the case itself has expired; a pattern does not replace it. */
static bool has_lapsed(const struct wcts_baseline *baseline, int index, const char *signature)
{
    for (int i = first_pair(baseline, index);
         i < baseline->pair_count && baseline->pairs[i].index == index; i++) {
        const struct wcts_baseline_waiver *waiver = &baseline->waivers[baseline->pairs[i].waiver];
        if (waiver->id && waiver->signature && waiver->expired && waiver->applies &&
            is_as_said(waiver, signature))
            return true;
    }
    return false;
}

/* What a case shows of another rule is waived as a case of that rule, RULE/observed, would be, by
 * waivers that do not match the case itself. */
static void apply_elsewhere(struct wcts_baseline *baseline, const struct wcts_case *test,
                            struct wcts_result *result)
{
    const struct wcts_spec *spec = baseline->plan->spec;
    bool other = result->broken > 0 && result->broken <= spec->rules_count;
    for (int i = 0; other && !result->waiver && i < baseline->count; i++) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        if (!waiver->applies || waiver->id || wcts_regex_matches(waiver->pattern, test->id) ||
            !wcts_baseline_waives_rule(waiver, spec, result->broken - 1, test->version))
            continue;
        waiver->failing += is_as_said(waiver, result->signature);
        change_verdict(waiver, FAILS, result);
    }
}

bool wcts_baseline_apply(struct wcts_baseline *baseline, const struct wcts_claims *claims,
                         const struct wcts_case *test, struct wcts_result *result)
{
    int index = test->index;
    enum baseline_waived_sort sort = sorts[result->verdict];

    match_implementation(baseline, claims);
    bool lapsed = has_lapsed(baseline, index, result->signature);
    for (int i = first_pair(baseline, index);
         i < baseline->pair_count && baseline->pairs[i].index == index; i++) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[baseline->pairs[i].waiver];
        if (!waiver->applies)
            continue;
        count_waived(waiver, test, sort, result);
        if (!lapsed || waiver->id)
            change_verdict(waiver, sort, result);
    }
    if (sort == FAILS)
        apply_elsewhere(baseline, test, result);
    return !baseline->wrong;
}

bool wcts_baseline_covers(const struct wcts_baseline *baseline, int index, const char *signature)
{
    for (int i = first_pair(baseline, index);
         i < baseline->pair_count && baseline->pairs[i].index == index; i++) {
        const struct wcts_baseline_waiver *waiver = &baseline->waivers[baseline->pairs[i].waiver];
        bool renewed = waiver->superseded && strcmp(waiver->other, signature) == 0;
        if (waiver->applies && (is_as_said(waiver, signature) || renewed))
            return true;
    }
    return false;
}

/* ---- concluding ---- */

bool wcts_baseline_waiver_outdated(const struct wcts_baseline_waiver *waiver)
{
    /* A pattern whose cases did not all run cannot be outdated. */
    return !waiver->superseded && waiver->failing == 0 && waiver->passing + waiver->otherwise > 0 &&
           (waiver->id || waiver->ran == waiver->planned);
}

static enum wcts_baseline_waiver_state waiver_state(const struct wcts_baseline_waiver *waiver)
{
    /* A waiver with a signature waives one failure wherever it occurs; passing cases do not matter.
     */
    bool catches_more = waiver->failures > 1 || (waiver->passing > 0 && !waiver->signature);
    bool broad = waiver->failing > 0 && catches_more;
    if (waiver->planned == 0 && waiver->failing == 0)
        return waiver->found ? WCTS_WAIVER_IDLE : WCTS_WAIVER_ORPHANED;
    if (waiver->expired)
        return WCTS_WAIVER_EXPIRED;
    if (waiver->superseded)
        return WCTS_WAIVER_DIFFERS;
    if (waiver->match && broad)
        return WCTS_WAIVER_BROAD;
    if (waiver->failing > 0)
        return WCTS_WAIVER_USED;
    if (!wcts_baseline_waiver_outdated(waiver))
        return WCTS_WAIVER_IDLE;
    return waiver->passing > 0 ? WCTS_WAIVER_FIXED : WCTS_WAIVER_DIFFERS;
}

void wcts_baseline_conclude(struct wcts_baseline *baseline)
{
    memset(baseline->states, 0, sizeof baseline->states);
    for (int i = 0; i < baseline->count; i++) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        waiver->state = waiver_state(waiver);
        baseline->states[waiver->state]++;
    }
}

/* ---- reporting ---- */

const char *wcts_baseline_waiver_state_name(enum wcts_baseline_waiver_state state)
{
    static const char *const names[WCTS_WAIVER_STATE_COUNT] = {
        [WCTS_WAIVER_IDLE] = "idle",         [WCTS_WAIVER_USED] = "used",
        [WCTS_WAIVER_FIXED] = "fixed",       [WCTS_WAIVER_DIFFERS] = "differs",
        [WCTS_WAIVER_BROAD] = "over-broad",  [WCTS_WAIVER_EXPIRED] = "expired",
        [WCTS_WAIVER_ORPHANED] = "orphaned",
    };
    return names[state];
}

typedef void report_fn(FILE *out, const struct wcts_baseline *baseline,
                       const struct wcts_baseline_waiver *waiver);

static void report_fixed(FILE *out, const struct wcts_baseline *baseline,
                         const struct wcts_baseline_waiver *waiver)
{
    (void)baseline;
    if (waiver->id)
        fprintf(out, "fixed: %s passes, expected it to fail", waiver->id);
    else
        fprintf(out, "fixed: none of the %d cases that it matches fails this way, expected some",
                waiver->ran);
}

static void report_differs(FILE *out, const struct wcts_baseline *baseline,
                           const struct wcts_baseline_waiver *waiver)
{
    struct wcts_case otherwise;
    wcts_plan_case(baseline->plan, waiver->otherwise_case - 1, &otherwise);
    if (waiver->superseded) {
        fprintf(out,
                "differs: signature %s is of version 1, which did not name the operation of a "
                "crash or timeout: %s has %s now, expected that",
                waiver->signature, otherwise.id, waiver->other);
        return;
    }
    fprintf(out, "differs: %s fails with signature %s, expected %s", otherwise.id, waiver->other,
            waiver->signature);
}

static void report_broad(FILE *out, const struct wcts_baseline *baseline,
                         const struct wcts_baseline_waiver *waiver)
{
    (void)baseline;
    fprintf(out, "over-broad: of the %d cases that it matches %d fail", waiver->ran,
            waiver->failing);
    if (waiver->passing > 0)
        fprintf(out, " and %d pass", waiver->passing);
    if (waiver->failures > 1)
        fputs(", not all with the same signature", out);
    fputs(", expected one failure and nothing else", out);
}

static void report_expired(FILE *out, const struct wcts_baseline *baseline,
                           const struct wcts_baseline_waiver *waiver)
{
    fprintf(out, "expired %s", waiver->expires);
    if (waiver->failing == 1 && waiver->failing_case > 0)
        fprintf(out, ", %s fails again",
                WCTS_PLAN_CASE(baseline->plan, waiver->failing_case - 1)->id);
    else if (waiver->failing > 0)
        fprintf(out, ", %d cases fail again", waiver->failing);
    else if (wcts_baseline_waiver_outdated(waiver))
        fputs(", and nothing fails this way", out);
}

static void report_orphaned(FILE *out, const struct wcts_baseline *baseline,
                            const struct wcts_baseline_waiver *waiver)
{
    struct wcts_suggestions near = {0};
    int before = 0;
    if (waiver->match)
        fprintf(out, "orphaned: no case matches %s", waiver->match);
    else
        fprintf(out, "orphaned: there is no case %s", waiver->id);
    if (waiver->wddm)
        fprintf(out, " of WDDM %s", waiver->wddm);
    /* Searching for similar names takes long, and whoever renamed many cases knows it. */
    for (const struct wcts_baseline_waiver *one = baseline->waivers; one < waiver; one++)
        before += one->state == WCTS_WAIVER_ORPHANED;
    if (!waiver->id || before >= NEAR_ORPHANS)
        return;
    for (int i = 0; i < baseline->plan->count; i++)
        wcts_suggest(&near, waiver->id, WCTS_PLAN_CASE(baseline->plan, i)->id);
    /* The case exists, but not at the waiver's versions. */
    if (near.count > 0 && strcmp(near.names[0], waiver->id) == 0)
        near.count = 0;
    for (int i = 0; i < near.count; i++)
        fprintf(out, "%s%s", i == 0 ? "; did you mean " : ", ", near.names[i]);
}

void wcts_baseline_report(FILE *out, const struct wcts_baseline *baseline)
{
    static report_fn *const reports[WCTS_WAIVER_STATE_COUNT] = {
        [WCTS_WAIVER_FIXED] = report_fixed,       [WCTS_WAIVER_DIFFERS] = report_differs,
        [WCTS_WAIVER_BROAD] = report_broad,       [WCTS_WAIVER_EXPIRED] = report_expired,
        [WCTS_WAIVER_ORPHANED] = report_orphaned,
    };
    const struct wcts_baseline_waiver *unexplained = NULL;
    char path[WCTS_PATH_ROOM];
    for (int i = 0; i < baseline->count; i++) {
        const struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        if (reports[waiver->state]) {
            fprintf(out, "%s:%ld: ", wcts_path_shown(waiver->place.file, path, sizeof path),
                    waiver->place.line);
            reports[waiver->state](out, baseline, waiver);
            fputs("\n", out);
        }
        unexplained =
            unexplained || !wcts_baseline_waiver_unexplained(waiver) ? unexplained : waiver;
    }
    if (unexplained)
        fprintf(
            out, "%s:%ld: reason is \"%s\", in %d waiver%s, expected why the failure is known\n",
            wcts_path_shown(unexplained->place.file, path, sizeof path), unexplained->place.line,
            unexplained->reason, baseline->unexplained, baseline->unexplained == 1 ? "" : "s");
}
