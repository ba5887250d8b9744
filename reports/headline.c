/* SPDX-License-Identifier: MIT */
#include "headline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scope ---- */

struct list {
    FILE *out;
    const char *separator; /* between what is put */
    int count;
};

static void put(struct list *list, const char *text)
{
    fprintf(list->out, "%s%s", list->count++ ? list->separator : "", text);
}

static void put_features(FILE *out, const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    struct list list = {out, ", ", 0};
    for (int i = 0; i < spec->features_count; i++) {
        struct wcts_feature_scope feature;
        wcts_scope_feature(&run->scope, &run->claims, i, &feature);
        if (feature.claimed)
            put(&list, spec->features[i].title);
    }
    fputs(list.count ? "; " : "", out);
}

static void put_statements(FILE *out, const struct wcts_run *run)
{
    const struct wcts_counts counts = wcts_run_counts(run);
    fprintf(out, "%d of %d statements", counts.tested, counts.in_scope);
}

static void put_versions(FILE *out, const struct wcts_run *run)
{
    const char *first, *last;
    if (!wcts_run_versions(run, &first, &last))
        return;
    fprintf(out, "; WDDM %s", first);
    if (strcmp(first, last) != 0)
        fprintf(out, " to %s", last);
}

/* Statements of which nothing could be seen, since a capability or a size of pages is not claimed.
 */
static void put_out_of_scope(FILE *out, const struct wcts_run *run)
{
    struct list list = {out, ", ", 0};
    uint32_t lacks = 0, pages = 0;
    int count = 0;
    for (int i = 0; i < run->plan->spec->statements_count; i++) {
        const struct wcts_statement_scope *statement = &run->scope.statements[i];
        if (statement->in || (statement->lacks | statement->pages) == 0)
            continue;
        lacks |= statement->lacks;
        pages |= statement->pages;
        count++;
    }
    if (count == 0)
        return;
    fprintf(out, "; %d out of scope for want of ", count);
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (lacks & bit)
            put(&list, wcts_capability_name(bit));
    for (uint32_t size = 4096; size != 0; size <<= 1)
        if (pages & size) {
            char text[32];
            snprintf(text, sizeof text, "pages of %" PRIu32 " KiB", size / 1024);
            put(&list, text);
        }
}

static void put_scope(FILE *out, const struct wcts_run *run)
{
    put_features(out, run);
    put_statements(out, run);
    put_versions(out, run);
    fprintf(out, "; level %s", wcts_level_name(run->asked.level));
    if (run->asked.suite != WCTS_SUITE_STANDARD)
        fprintf(out, "; suite %s", wcts_suite_name(run->asked.suite));
    put_out_of_scope(out, run);
}

static void put_selection(FILE *out, const struct wcts_run *run)
{
    fprintf(out, "%d of %d cases", run->total.count, run->planned);
    if (run->asked.suite != WCTS_SUITE_STANDARD)
        fprintf(out, "; suite %s", wcts_suite_name(run->asked.suite));
    if (run->asked.shards > 1)
        fprintf(out, "; shard %d/%d", run->asked.shard, run->asked.shards);
}

/* Nothing else in the line tells that a use of what is implemented was not put to the test. */
static void put_unsupported(FILE *out, const struct wcts_run *run)
{
    struct list list = {out, ", ", 0};
    for (int bit = 0; bit < 64; bit++) {
        int count = run->scope.unsupported[bit];
        char text[96];
        if (count == 0 || !(run->scope.implemented >> bit & 1))
            continue;
        snprintf(text, sizeof text, "%s%s not supported in %d case%s", list.count ? "" : "; ",
                 wcts_operation_name(wcts_operation_of_bit(bit)), count, count == 1 ? "" : "s");
        put(&list, text);
    }
}

/* What was broken and does not bind: nobody has to act on it, but it is never silent. */
static void put_warnings(FILE *out, const struct wcts_run *run)
{
    int count = run->total.verdicts[WCTS_VERDICT_WARN];
    if (count != 0)
        fprintf(out, "; %d warning%s", count, count == 1 ? "" : "s");
}

/* Of a run that leaves cases out nobody has to know more than how many. */
static void put_extent(FILE *out, const struct wcts_run *run)
{
    if (run->narrowed)
        put_selection(out, run);
    else
        put_scope(out, run);
    put_unsupported(out, run);
    put_warnings(out, run);
}

/* " but for 13 waived, 2 flaky" */
static void put_but_for(FILE *out, const struct wcts_run *run)
{
    static const enum wcts_verdict verdicts[] = {WCTS_VERDICT_WAIVED, WCTS_VERDICT_FLAKY};
    struct list list = {out, ", ", 0};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        char text[64];
        int count = run->total.verdicts[verdicts[i]];
        if (count == 0)
            continue;
        snprintf(text, sizeof text, "%s%d %s", list.count ? "" : " but for ", count,
                 wcts_verdict_name(verdicts[i]));
        put(&list, text);
    }
}

/* ---- what is missing ---- */

static void put_core(struct list *list, const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    char text[160];
    int version, message = wcts_scope_core_missing(&run->scope, run->claims.sides,
                                                   wcts_run_version_bits(run), &version);
    if (message < 0 || run->partial)
        return;
    snprintf(text, sizeof text, "core not shown at WDDM %s (%s was never accepted)",
             spec->versions[version].name, spec->messages[message].name);
    put(list, text);
}

static void put_promised(struct list *list, const struct wcts_run *run)
{
    uint32_t capability, operation = wcts_scope_promised(&run->scope, &run->claims, &capability);
    char text[160];
    if (operation == 0)
        return;
    snprintf(text, sizeof text, "%s is claimed, but %s is not there",
             wcts_capability_name(capability), wcts_operation_name(operation));
    put(list, text);
}

static void put_hindered(struct list *list, const struct wcts_run *run)
{
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        char text[64];
        if (!wcts_verdict_hinders((enum wcts_verdict)i) || run->total.verdicts[i] == 0)
            continue;
        snprintf(text, sizeof text, "%d %s", run->total.verdicts[i],
                 wcts_verdict_name((enum wcts_verdict)i));
        put(list, text);
    }
}

static void put_untested(struct list *list, const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    for (int i = 0; i < spec->features_count && !run->partial; i++) {
        struct wcts_feature_scope feature;
        char text[160];
        wcts_scope_feature(&run->scope, &run->claims, i, &feature);
        if (!feature.claimed || feature.tested > 0 || feature.there == 0)
            continue;
        snprintf(text, sizeof text, "no statement of %s tested", spec->features[i].title);
        put(list, text);
    }
}

/* True if the run shows that a rule on which this one rests is broken, if only because that one
 * rests on another that is. */
static bool is_accounted_for(const struct wcts_run *run, int rule)
{
    static const enum wcts_verdict shown[] = {WCTS_VERDICT_WARN, WCTS_VERDICT_WAIVED,
                                              WCTS_VERDICT_FLAKY};
    const struct wcts_rule *one = &run->plan->spec->rules[rule];
    for (int i = 0; i < one->rests_on_count; i++) {
        const struct wcts_tally *below = &run->rules[one->rests_on[i]];
        bool broken = wcts_tally_breaks(below);
        for (size_t v = 0; v < sizeof shown / sizeof *shown; v++)
            broken = broken || below->verdicts[shown[v]] != 0;
        if (broken || (below->unjudged != 0 && is_accounted_for(run, one->rests_on[i])))
            return true;
    }
    return false;
}

/* A case is not judged because another one fails: without that other one it is missing. */
static void put_unjudged(struct list *list, const struct wcts_run *run)
{
    for (int i = 0; i < run->plan->spec->rules_count; i++) {
        char text[160];
        if (run->rules[i].unjudged == 0 || is_accounted_for(run, i))
            continue;
        snprintf(text, sizeof text, "%d of %s not judged, and nothing that it rests on failed",
                 run->rules[i].unjudged, run->plan->spec->rules[i].id);
        put(list, text);
    }
}

/* What was declined or broken is missing for a reason that is already there. */
static void put_mustpass(struct list *list, const struct wcts_run *run)
{
    const struct wcts_mustpass_count *must = &run->must;
    char text[800];
    int used;
    if (must->missing_count == 0 || run->partial || list->count > 0)
        return;
    used = snprintf(text, sizeof text, "%d of the %d rules that spec %s needs did not pass",
                    must->missing_count, must->of, run->plan->spec->version);
    for (int i = 0; i < must->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", i == 0 ? ": " : ", ",
                         must->missing[i]);
    put(list, text);
}

static int put_missing(FILE *out, const struct wcts_run *run)
{
    struct list list = {out, "; ", 0};
    put_core(&list, run);
    put_promised(&list, run);
    put_hindered(&list, run);
    put_untested(&list, run);
    put_unjudged(&list, run);
    put_mustpass(&list, run);
    return list.count;
}

/* ---- conclusions ---- */

static int count_broken(const struct wcts_run *run)
{
    int count = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        count += wcts_verdict_breaks((enum wcts_verdict)i) ? run->total.verdicts[i] : 0;
    return count;
}

static bool is_not_loaded(const struct wcts_run *run)
{
    return run->end == WCTS_POOL_NO_START && run->selected_count != 0;
}

static bool is_stopped(const struct wcts_run *run)
{
    return run->end == WCTS_POOL_STOPPED ||
           (run->end == WCTS_POOL_DONE && run->total.count < run->selected_count);
}

static bool is_nothing_selected(const struct wcts_run *run)
{
    return run->selected_count == 0;
}

static bool is_without_verdict(const struct wcts_run *run)
{
    int judged = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        judged += wcts_verdict_judges((enum wcts_verdict)i) ? run->total.verdicts[i] : 0;
    return judged == 0 && run->total.verdicts[WCTS_VERDICT_DECLINED] == 0 &&
           run->total.verdicts[WCTS_VERDICT_BROKEN] == 0;
}

static bool is_broken(const struct wcts_run *run)
{
    return count_broken(run) != 0;
}

static bool is_flaky(const struct wcts_run *run)
{
    return run->asked.fail_on_flaky && run->total.verdicts[WCTS_VERDICT_FLAKY] != 0;
}

static bool is_fixed(const struct wcts_run *run)
{
    return run->asked.strict_baseline && run->baseline &&
           run->baseline->states[WCTS_WAIVER_FIXED] != 0;
}

static bool is_incomplete(const struct wcts_run *run)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int missing = out ? put_missing(out, run) : 1;
    if (out)
        fclose(out);
    free(text);
    return missing != 0;
}

static bool is_narrowed(const struct wcts_run *run)
{
    return run->narrowed;
}

static bool is_conforming(const struct wcts_run *run)
{
    (void)run;
    return true;
}

static void say_not_loaded(FILE *out, const struct wcts_run *run)
{
    fprintf(out, "not run: the implementation could not be loaded: %s", run->error);
}

static void say_stopped(FILE *out, const struct wcts_run *run)
{
    fprintf(out, "stopped after %d of %d cases%s%s", run->total.count, run->selected_count,
            run->error[0] ? ": " : "", run->error);
}

static void say_nothing_selected(FILE *out, const struct wcts_run *run)
{
    (void)run;
    fputs("no case is selected", out);
}

static void say_without_verdict(FILE *out, const struct wcts_run *run)
{
    fputs("no case reached a verdict: ", out);
    put_extent(out, run);
}

static void say_broken(FILE *out, const struct wcts_run *run)
{
    int statements = 0, cases = count_broken(run);
    for (int i = 0; i < run->plan->spec->statements_count; i++)
        statements += wcts_tally_breaks(&run->statements[i]);
    fprintf(out, "does not conform: %d case%s of %d statement%s failed; ", cases,
            cases == 1 ? "" : "s", statements, statements == 1 ? "" : "s");
    if (run->end == WCTS_POOL_CUT)
        say_stopped(out, run);
    else
        put_extent(out, run);
}

static void say_flaky(FILE *out, const struct wcts_run *run)
{
    fprintf(out, "%d cases are flaky: ", run->total.verdicts[WCTS_VERDICT_FLAKY]);
    put_extent(out, run);
}

static void say_fixed(FILE *out, const struct wcts_run *run)
{
    fputs("waivers are fixed, the baseline is out of date: ", out);
    put_extent(out, run);
}

static void say_incomplete(FILE *out, const struct wcts_run *run)
{
    fputs("incomplete: ", out);
    put_missing(out, run);
    fputs("; ", out);
    put_extent(out, run);
}

static void say_selection(FILE *out, const struct wcts_run *run)
{
    fputs("no failure in the selection", out);
    put_but_for(out, run);
    fputs(": ", out);
    put_extent(out, run);
}

static void say_conforms(FILE *out, const struct wcts_run *run)
{
    fputs("conforms", out);
    put_but_for(out, run);
    fputs(": ", out);
    put_extent(out, run);
}

/* In order: the first that applies. 2, a wrong command line or spec, comes before any run. */
static const struct {
    const char *name;
    enum wcts_exit exit;
    bool (*applies)(const struct wcts_run *run);
    void (*say)(FILE *out, const struct wcts_run *run);
} conclusions[WCTS_CONCLUSION_COUNT] = {
    [WCTS_CONCLUSION_NOT_LOADED] = {"not-loaded", WCTS_EXIT_USAGE, is_not_loaded, say_not_loaded},
    [WCTS_CONCLUSION_NOTHING_SELECTED] = {"nothing-selected", WCTS_EXIT_NOTHING,
                                          is_nothing_selected, say_nothing_selected},
    [WCTS_CONCLUSION_STOPPED] = {"stopped", WCTS_EXIT_NOTHING, is_stopped, say_stopped},
    [WCTS_CONCLUSION_NO_VERDICT] = {"no-verdict", WCTS_EXIT_NOTHING, is_without_verdict,
                                    say_without_verdict},
    [WCTS_CONCLUSION_BROKEN] = {"does-not-conform", WCTS_EXIT_FAIL, is_broken, say_broken},
    [WCTS_CONCLUSION_FLAKY] = {"flaky", WCTS_EXIT_FAIL, is_flaky, say_flaky},
    [WCTS_CONCLUSION_FIXED] = {"fixed", WCTS_EXIT_FAIL, is_fixed, say_fixed},
    [WCTS_CONCLUSION_INCOMPLETE] = {"incomplete", WCTS_EXIT_NOTHING, is_incomplete, say_incomplete},
    [WCTS_CONCLUSION_SELECTION] = {"selection", WCTS_EXIT_OK, is_narrowed, say_selection},
    [WCTS_CONCLUSION_CONFORMS] = {"conforms", WCTS_EXIT_OK, is_conforming, say_conforms},
};

const char *wcts_conclusion_name(enum wcts_conclusion conclusion)
{
    return conclusions[conclusion].name;
}

enum wcts_exit wcts_conclusion_exit(enum wcts_conclusion conclusion)
{
    return conclusions[conclusion].exit;
}

enum wcts_conclusion wcts_conclude(const struct wcts_run *run)
{
    int i = 0;
    while (!conclusions[i].applies(run))
        i++;
    return (enum wcts_conclusion)i;
}

char *wcts_headline(const struct wcts_run *run)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    conclusions[wcts_conclude(run)].say(out, run);
    fclose(out);
    return text;
}

/* ---- the end of a run ---- */

static int more_frequent(const void *a, const void *b)
{
    const struct wcts_reason *left = a, *right = b;
    return right->count - left->count;
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

void wcts_run_fail(struct wcts_run *run, const char *error)
{
    run->end = WCTS_POOL_STOPPED;
    if (run->error[0] == '\0')
        snprintf(run->error, sizeof run->error, "%s", error);
    conclude(run);
}
