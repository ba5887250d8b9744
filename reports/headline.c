/* SPDX-License-Identifier: MIT */
#include "headline.h"

#include "declaration.h"

#include "../runner/model/names.h"
#include "../runner/model/profile.h"
#include "counts.h"
#include "profile_page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scope ---- */

struct report_item_writer {
    FILE *out;
    const char *separator; /* between items */
    int count;
};

__attribute__((format(printf, 2, 3))) static void add_item(struct report_item_writer *list,
                                                           const char *format, ...)
{
    va_list arguments;
    fputs(list->count++ ? list->separator : "", list->out);
    va_start(arguments, format);
    vfprintf(list->out, format, arguments);
    va_end(arguments);
}

/* Statements that could not be tested because a capability or a page size is not claimed. */
static void put_out_of_scope(FILE *out, const struct wcts_report_run *run)
{
    struct report_item_writer list = {out, ", ", 0};
    uint32_t lacks = 0, pages = 0;
    int count = 0;
    for (int i = 0; i < run->plan->spec->statements_count; i++) {
        const struct wcts_report_statement_scope *statement = &run->scope.statements[i];
        if (statement->claimed || (statement->lacks | statement->pages) == 0)
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
            add_item(&list, "%s", wcts_model_capability_name(bit));
    for (uint32_t size = 4096; size != 0; size <<= 1)
        if (pages & size)
            add_item(&list, "pages of %" PRIu32 " KiB", size / 1024);
}

static void put_scope(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_report_counts counts = wcts_report_run_counts(run);
    struct report_item_writer features = {out, ", ", 0};
    const char *first, *last;
    for (int i = 0; i < spec->features_count; i++) {
        struct wcts_report_feature_scope feature;
        wcts_report_scope_feature(&run->scope, &run->claims, i, &feature);
        if (feature.claimed)
            add_item(&features, "%s", spec->features[i].title);
    }
    fprintf(out, "%s%d of %d statements", features.count ? "; " : "", counts.tested,
            counts.in_scope);
    if (counts.in_part != 0)
        fprintf(out, ", %d in part", counts.in_part);
    if (wcts_report_run_versions(run, &first, &last)) {
        fprintf(out, "; WDDM %s", first);
        if (strcmp(first, last) != 0)
            fprintf(out, " to %s", last);
    }
    fprintf(out, "; level %s", wcts_model_level_name(run->asked.level));
    if (run->asked.suite != WCTS_SUITE_STANDARD)
        fprintf(out, "; suite %s", wcts_model_suite_name(run->asked.suite));
    put_out_of_scope(out, run);
}

/* "; every rule once; 88 of 3000 calls at one version". */
static void put_strength(FILE *out, const struct wcts_report_run *run)
{
    bool by_worth = run->asked.max_cases || run->asked.budget > 0;
    char *text = by_worth ? wcts_plan_strength_text(&run->strength) : NULL;
    if (text && text[0])
        fprintf(out, "; %s", text);
    free(text);
}

static void put_selection(FILE *out, const struct wcts_report_run *run)
{
    fprintf(out, "%d of %d cases", run->total.count, run->planned);
    if (run->asked.suite != WCTS_SUITE_STANDARD)
        fprintf(out, "; suite %s", wcts_model_suite_name(run->asked.suite));
    if (run->asked.shards > 1)
        fprintf(out, "; shard %d/%d", run->asked.shard, run->asked.shards);
    put_strength(out, run);
}

/* Operations that are implemented, but were not supported in some cases: nothing else on the line
 * reports them. */
static void put_unsupported(FILE *out, const struct wcts_report_run *run)
{
    struct report_item_writer list = {out, ", ", 0};
    for (int bit = 0; bit < 64; bit++) {
        int count = run->scope.unsupported[bit];
        if (count != 0 && (run->scope.implemented >> bit & 1))
            add_item(&list, "%s%s not supported in %d case%s", list.count ? "" : "; ",
                     wcts_operation_name(wcts_model_operation_of_bit(bit)), count,
                     count == 1 ? "" : "s");
    }
}

/* True if an earlier entry is of the same kind, with another reason. */
static bool is_unshown_before(const struct wcts_report_scope *scope, int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(scope->kinds[i].name, scope->kinds[index].name) == 0)
            return true;
    return false;
}

/* "; kinds not shown: "texture" in 12 cases", which others of the driver's kinds show. */
static void put_unshown_kinds(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_report_scope *scope = &run->scope;
    struct report_item_writer list = {out, ", ", 0};
    for (int i = 0; i < scope->kind_count; i++) {
        int cases = 0;
        for (int j = i; j < scope->kind_count; j++)
            if (strcmp(scope->kinds[i].name, scope->kinds[j].name) == 0)
                cases += scope->kinds[j].cases;
        if (!is_unshown_before(scope, i))
            add_item(&list, "%s\"%s\" in %d case%s",
                     list.count ? "" : "; kinds not shown: ", scope->kinds[i].name, cases,
                     cases == 1 ? "" : "s");
    }
}

/* "; patching without DRIVER_SUBMIT", "; memory without KERNEL_EVICT": of a feature that is claimed
 * by another operation; of a kernel only what moves content. What a core lacks is named elsewhere.
 */
static void put_absent(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    for (int i = 0; i < spec->features_count; i++) {
        const struct wcts_feature *feature = &spec->features[i];
        struct report_item_writer list = {out, ", ", 0};
        struct wcts_report_feature_scope of;
        wcts_report_scope_feature(&run->scope, &run->claims, i, &of);
        if (!of.claimed || feature->core)
            continue;
        for (int j = 0; j < feature->operation_count; j++) {
            const struct wcts_message *message = &spec->messages[feature->operations[j]];
            if ((!feature->driver && !message->moves) ||
                run->scope.implemented & wcts_model_operation_bit(message->operation))
                continue;
            if (list.count == 0)
                fprintf(out, "; %s without ", feature->title);
            add_item(&list, "%s", message->name);
        }
    }
}

/* What moved content in place of the driver's commands is no part of the driver. */
static void put_unexecuted(FILE *out, const struct wcts_report_run *run)
{
    if (run->claims.capabilities & WCTS_CAPABILITY_UNEXECUTED &&
        run->claims.sides & WCTS_SIDE_DRIVER)
        fputs("; the driver's commands were not run", out);
}

/* ---- the profile ---- */

/* " under profile windows", " under own profile mine (named by the implementation)". */
static void put_profile_name(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_profile *profile = run->asked.profile;
    if (profile)
        fprintf(out, " under %sprofile %s%s", profile->shipped ? "" : "own ", profile->name,
                run->asked.profile_named ? " (named by the implementation)" : "");
}

/* "7 deviations, 3 restrictions, 1 absent, 2 of these not shown": of the sides that the run is
 * about. */
static void put_profile_counts(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_profile *profile = run->asked.profile;
    int deviations = 0, restrictions = 0, absent = 0, hidden;
    for (int i = 0; i < profile->count; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        if (!(run->claims.sides & (entry->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL)))
            continue;
        deviations += entry->kind == WCTS_PROFILE_DEVIATION;
        restrictions += entry->kind == WCTS_PROFILE_RESTRICTION;
        absent += entry->kind == WCTS_PROFILE_ABSENT;
    }
    fprintf(out, "%d deviation%s, %d restriction%s", deviations, deviations == 1 ? "" : "s",
            restrictions, restrictions == 1 ? "" : "s");
    if (absent != 0)
        fprintf(out, ", %d absent", absent);
    hidden = run->partial ? __builtin_popcountll(wcts_report_run_entries_missing(run)) : 0;
    if (hidden != 0)
        fprintf(out, ", %d of these not shown", hidden);
}

/* "; under profile windows: ..." */
static void put_profile(FILE *out, const struct wcts_report_run *run)
{
    if (!run->asked.profile)
        return;
    fputs(";", out);
    put_profile_name(out, run);
    fputs(": ", out);
    put_profile_counts(out, run);
}

static void put_entries(FILE *out, const struct wcts_profile *profile, uint64_t set)
{
    const char *between = "";
    for (int i = 0; i < profile->count; i++)
        if (set & wcts_model_profile_bit(i)) {
            fprintf(out, "%s%s", between, profile->entries[i].id);
            between = ", ";
        }
}

/* Entries that were to show in some cases and do in none, although these were executed. */
static uint64_t hidden_entries(const struct wcts_report_run *run)
{
    return run->asked.profile ? run->unshown & ~run->shown : 0;
}

/* A narrowed run states only how many cases it had. Warnings are always counted. */
static void put_extent(FILE *out, const struct wcts_report_run *run)
{
    int warnings = run->total.verdicts[WCTS_VERDICT_WARN];
    if (run->narrowed)
        put_selection(out, run);
    else
        put_scope(out, run);
    if (!run->narrowed)
        put_absent(out, run);
    put_unsupported(out, run);
    put_unshown_kinds(out, run);
    put_unexecuted(out, run);
    if (warnings != 0)
        fprintf(out, "; %d warning%s", warnings, warnings == 1 ? "" : "s");
}

/* Of cases that did so, and not when they ran again alone. */
#define ENDED_ONCE "hung or died by SIGKILL once"

/* " but for 13 waived, 2 flaky, 1 that hung or died by SIGKILL once", and the extent. */
static void put_exceptions(FILE *out, const struct wcts_report_run *run)
{
    static const enum wcts_verdict verdicts[] = {WCTS_VERDICT_WAIVED, WCTS_VERDICT_FLAKY};
    struct report_item_writer list = {out, ", ", 0};
    put_profile_name(out, run);
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        int count = run->total.verdicts[verdicts[i]];
        if (count != 0)
            add_item(&list, "%s%d %s", list.count ? "" : " but for ", count,
                     wcts_model_verdict_name(verdicts[i]));
    }
    if (run->unrepeated.count != 0)
        add_item(&list, "%s%d that " ENDED_ONCE, list.count ? "" : " but for ",
                 run->unrepeated.count);
    fputs(": ", out);
    if (run->asked.profile) {
        put_profile_counts(out, run);
        fputs("; ", out);
    }
    put_extent(out, run);
}

/* ---- what is missing ---- */

static void put_parts(struct report_item_writer *list, const struct wcts_report_run *run)
{
    if (run->missing != 0)
        add_item(list, "%d case%s of parts that were not merged", run->missing,
                 run->missing == 1 ? "" : "s");
}

static void put_core(struct report_item_writer *list, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    uint64_t versions = wcts_report_run_version_bits(run);
    int first,
        message = wcts_report_scope_core_missing(&run->scope, run->claims.sides, versions, &first);
    int last = first;
    if (message < 0 || run->partial)
        return;
    for (int i = first + 1; i < spec->versions_count && (versions & wcts_plan_version_bit(i));
         i++) {
        if (run->scope.accepted[i] & wcts_model_operation_bit(spec->messages[message].operation))
            break;
        last = i;
    }
    add_item(list, "core not shown at WDDM %s%s%s (%s was never accepted)",
             spec->versions[first].name, last != first ? " to " : "",
             last != first ? spec->versions[last].name : "", spec->messages[message].name);
}

static void put_promised(struct report_item_writer *list, const struct wcts_report_run *run)
{
    uint32_t capability,
        operation = wcts_report_scope_promised(&run->scope, &run->claims, &capability);
    if (operation != 0)
        add_item(list, "%s is claimed, but %s is not there", wcts_model_capability_name(capability),
                 wcts_operation_name(operation));
    for (int i = 0; wcts_paging_words[i] && !run->partial; i++)
        if (run->claims.paging & run->scope.unpaged & ~run->scope.paged & wcts_paging_bits[i])
            add_item(list, "the paging operation %s is claimed, but not there",
                     wcts_paging_words[i]);
    for (int i = 0; i < run->scope.kind_count && !run->partial; i++)
        if (!is_unshown_before(&run->scope, i) &&
            wcts_report_scope_never_created(&run->scope, run->scope.kinds[i].name))
            add_item(list, "the kind \"%s\" is claimed, but %s", run->scope.kinds[i].name,
                     run->scope.kinds[i].why);
}

static void put_hindered(struct report_item_writer *list, const struct wcts_report_run *run)
{
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (wcts_store_verdict_hinders((enum wcts_verdict)i) && run->total.verdicts[i] != 0)
            add_item(list, "%d %s", run->total.verdicts[i],
                     wcts_model_verdict_name((enum wcts_verdict)i));
}

static void put_untested(struct report_item_writer *list, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    for (int i = 0; i < spec->features_count && !run->partial; i++) {
        struct wcts_report_feature_scope feature;
        wcts_report_scope_feature(&run->scope, &run->claims, i, &feature);
        if (feature.claimed && feature.tested == 0 && feature.there > 0)
            add_item(list, "no statement of %s tested", spec->features[i].title);
    }
}

/* True if a case shows that the rule is broken, whatever counts. */
static bool is_shown_broken(const struct wcts_report_run *run, int rule)
{
    static const enum wcts_verdict shown[] = {WCTS_VERDICT_WARN, WCTS_VERDICT_DEVIATES,
                                              WCTS_VERDICT_WAIVED, WCTS_VERDICT_FLAKY};
    const struct wcts_store_tally *tally = &run->rules[rule];
    bool broken = wcts_store_tally_breaks(tally);
    for (size_t v = 0; v < sizeof shown / sizeof *shown; v++)
        broken = broken || tally->verdicts[shown[v]] != 0;
    return broken;
}

/* True if the run shows that a rule below this one is broken, or was itself not judged for that
 * reason. */
static bool is_accounted_for(const struct wcts_report_run *run, int rule)
{
    const struct wcts_rule *one = &run->plan->spec->rules[rule];
    for (int i = 0; i < one->rests_on_count; i++)
        if (is_shown_broken(run, one->rests_on[i]) ||
            (run->rules[one->rests_on[i]].unjudged != 0 && is_accounted_for(run, one->rests_on[i])))
            return true;
    return false;
}

/* The cases of a rule that were not judged, and whose reason names no rule that the run shows to be
 * broken: a deviation or a waived breach of a driver's answer accounts for all that it hinders. */
static int count_unaccounted(const struct wcts_report_run *run, int rule)
{
    int count = 0;
    for (int i = 0; i < run->unjudged_count; i++)
        if (run->unjudged[i].rule == rule &&
            (run->unjudged[i].broken < 0 || !is_shown_broken(run, run->unjudged[i].broken)))
            count += run->unjudged[i].count;
    return count;
}

/* Cases that were not judged although nothing below them failed are missing. */
static void put_unjudged(struct report_item_writer *list, const struct wcts_report_run *run)
{
    for (int i = 0; i < run->plan->spec->rules_count; i++) {
        int count = run->rules[i].unjudged != 0 ? count_unaccounted(run, i) : 0;
        if (count != 0 && !is_accounted_for(run, i))
            add_item(list, "%d of %s not judged, and nothing that it rests on failed", count,
                     run->plan->spec->rules[i].id);
    }
}

/* Declined and broken cases explain missing rules, so the list must be empty. */
static void put_mustpass(struct report_item_writer *list, const struct wcts_report_run *run)
{
    const struct wcts_plan_mustpass_count *must = &run->must;
    if (must->missing_count == 0 || run->partial || list->count > 0)
        return;
    add_item(list, "%d of the %d rules that spec %s needs did not pass", must->missing_count,
             must->of, run->plan->spec->version);
    for (int i = 0; i < must->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        fprintf(list->out, "%s%s", i == 0 ? ": " : ", ", must->missing[i]);
}

/* Entries about what the implementation has, that no case shows either way; of some of the cases,
 * those that the others would not show either. */
static void put_not_shown(struct report_item_writer *list, const struct wcts_report_run *run)
{
    const struct wcts_profile *profile = run->asked.profile;
    uint64_t set = run->partial ? run->unshowable : wcts_report_run_entries_missing(run);
    if (!set)
        return;
    add_item(list, "the profile's %s %s: ", __builtin_popcountll(set) == 1 ? "entry" : "entries",
             run->partial ? "that no case can show" : "not shown");
    put_entries(list->out, profile, set);
}

static int put_missing(FILE *out, const struct wcts_report_run *run)
{
    struct report_item_writer list = {out, "; ", 0};
    put_parts(&list, run);
    put_core(&list, run);
    put_promised(&list, run);
    put_hindered(&list, run);
    put_untested(&list, run);
    put_unjudged(&list, run);
    put_mustpass(&list, run);
    put_not_shown(&list, run);
    return list.count;
}

/* ---- conclusions ---- */

static int count_broken(const struct wcts_report_run *run)
{
    int count = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        count += wcts_store_verdict_breaks((enum wcts_verdict)i) ? run->total.verdicts[i] : 0;
    return count;
}

static bool is_not_loaded(const struct wcts_report_run *run)
{
    return run->end == WCTS_POOL_NO_START && run->selected_count != 0;
}

static bool is_stopped(const struct wcts_report_run *run)
{
    return run->end == WCTS_POOL_STOPPED ||
           (run->end == WCTS_POOL_DONE && run->total.count < run->selected_count);
}

static bool is_nothing_selected(const struct wcts_report_run *run)
{
    return run->selected_count == 0 && !(run->end == WCTS_POOL_STOPPED && run->intended > 0);
}

/* What is declared and not there needs no case to be said. */
static bool is_without_verdict(const struct wcts_report_run *run)
{
    int judged = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        judged += wcts_store_verdict_judges((enum wcts_verdict)i) ? run->total.verdicts[i] : 0;
    return judged == 0 && run->lacking_count == 0 &&
           run->total.verdicts[WCTS_VERDICT_DECLINED] == 0 &&
           run->total.verdicts[WCTS_VERDICT_BROKEN] == 0;
}

static bool has_failures(const struct wcts_report_run *run)
{
    return count_broken(run) != 0 || hidden_entries(run) != 0 || run->lacking_count != 0;
}

static bool is_flaky(const struct wcts_report_run *run)
{
    return run->asked.fail_on_flaky &&
           (run->total.verdicts[WCTS_VERDICT_FLAKY] != 0 || run->unrepeated.count != 0);
}

static bool is_fixed(const struct wcts_report_run *run)
{
    return run->asked.strict_baseline && run->baseline &&
           run->baseline->states[WCTS_WAIVER_FIXED] != 0;
}

static bool is_incomplete(const struct wcts_report_run *run)
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

static bool is_narrowed(const struct wcts_report_run *run)
{
    return run->narrowed;
}

static bool is_conforming(const struct wcts_report_run *run)
{
    (void)run;
    return true;
}

static void put_error(FILE *out, const struct wcts_report_run *run)
{
    fprintf(out, "%s%s", wcts_report_not_started(run), run->error);
}

static void put_nothing(FILE *out, const struct wcts_report_run *run)
{
    fputs(run->error[0] ? run->error : "no case is selected", out);
}

static void put_stopped(FILE *out, const struct wcts_report_run *run)
{
    fprintf(out, "stopped after %d of %d cases%s%s", run->total.count,
            run->intended > 0 ? run->intended : run->selected_count, run->error[0] ? ": " : "",
            run->error);
}

/* "the profile declares what no case shows: D4; " */
static void put_hidden(FILE *out, const struct wcts_report_run *run)
{
    fputs("the profile declares what no case shows: ", out);
    put_entries(out, run->asked.profile, hidden_entries(run));
    fputs("; ", out);
}

static void put_failures(FILE *out, const struct wcts_report_run *run)
{
    struct report_item_writer parts = {out, "", 0};
    int statements = 0, cases = count_broken(run);
    for (int i = 0; i < run->plan->spec->statements_count; i++)
        statements += wcts_store_tally_breaks(&run->statements[i]);
    if (hidden_entries(run) != 0)
        put_hidden(out, run);
    if (run->lacking_count != 0)
        fprintf(out, "%d declared thing%s not there; ", run->lacking_count,
                run->lacking_count == 1 ? " is" : "s are");
    if (cases != 0)
        fprintf(out, "%d case%s of %d statement%s failed; ", cases, cases == 1 ? "" : "s",
                statements, statements == 1 ? "" : "s");
    put_parts(&parts, run);
    fputs(parts.count ? "; " : "", out);
    if (run->end == WCTS_POOL_CUT)
        put_stopped(out, run);
    else
        put_extent(out, run);
    put_profile(out, run);
}

static void put_flaky(FILE *out, const struct wcts_report_run *run)
{
    struct report_item_writer list = {out, ", ", 0};
    int flaky = run->total.verdicts[WCTS_VERDICT_FLAKY], once = run->unrepeated.count;
    if (flaky != 0)
        add_item(&list, flaky != 1 ? "%d cases are flaky" : "%d case is flaky", flaky);
    if (once != 0)
        add_item(&list, "%d case%s " ENDED_ONCE, once, once == 1 ? "" : "s");
    fputs(": ", out);
    put_extent(out, run);
}

static void put_incomplete(FILE *out, const struct wcts_report_run *run)
{
    put_missing(out, run);
    fputs("; ", out);
    put_extent(out, run);
    put_profile(out, run);
}

/* The conclusions in order; the first one that applies counts. A wrong command line or spec never
 * gets this far. The last line consists of words and what put_rest writes. */
static const struct {
    const char *name;
    enum wcts_report_exit exit;
    bool (*applies)(const struct wcts_report_run *run);
    const char *words;
    void (*put_rest)(FILE *out, const struct wcts_report_run *run);
} conclusions[] = {
    {"not-loaded", WCTS_EXIT_USAGE, is_not_loaded, "not run: ", put_error},
    {"nothing-selected", WCTS_EXIT_NOTHING, is_nothing_selected, "", put_nothing},
    {"stopped", WCTS_EXIT_NOTHING, is_stopped, "", put_stopped},
    {"no-verdict", WCTS_EXIT_NOTHING, is_without_verdict,
     "no case reached a verdict: ", put_extent},
    {"does-not-conform", WCTS_EXIT_FAIL, has_failures, "does not conform: ", put_failures},
    {"flaky", WCTS_EXIT_FAIL, is_flaky, "", put_flaky}, /* --fail-on-flaky */
    {"fixed", WCTS_EXIT_FAIL, is_fixed,                 /* --strict-baseline */
     "waivers are fixed, the baseline is out of date: ", put_extent},
    {"incomplete", WCTS_EXIT_NOTHING, is_incomplete, "incomplete: ", put_incomplete},
    {"selection", WCTS_EXIT_OK, is_narrowed, "no failure in the selection", put_exceptions},
    {"conforms", WCTS_EXIT_OK, is_conforming, "conforms", put_exceptions},
};

/* ---- the end of a run ---- */

static int more_frequent(const void *a, const void *b)
{
    const struct wcts_report_reason *left = a, *right = b;
    return right->count - left->count;
}

static void set_conclusion(struct wcts_report_run *run)
{
    size_t size;
    int i = 0;
    while (!conclusions[i].applies(run))
        i++;
    free(run->headline);
    run->headline = NULL;
    FILE *out = open_memstream(&run->headline, &size);
    if (out) {
        fputs(conclusions[i].words, out);
        conclusions[i].put_rest(out, run);
        fclose(out);
    }
    run->conclusion = conclusions[i].name;
    run->exit_code = (int)conclusions[i].exit;
}

void wcts_report_run_conclude(struct wcts_report_run *run)
{
    if (run->mustpass)
        wcts_plan_mustpass_hold(run->mustpass, run->plan->spec,
                                (const struct wcts_plan_rule_seen *const *)run->scope.rules,
                                wcts_report_run_version_bits(run), run->claims.sides, &run->must);
    wcts_report_scope_settle(&run->scope, &run->claims);
    if (!wcts_report_causes_conclude(&run->causes))
        fputs("wddm-cts: out of memory: failures are not listed\n", stderr);
    qsort(run->reasons, WCTS_REASONS_MAX, sizeof run->reasons[0], more_frequent);
    /* A part of the cases does not show what the others need. */
    if (run->end == WCTS_POOL_DONE && !run->narrowed &&
        !wcts_report_next_conclude(&run->next, &run->scope))
        fputs("wddm-cts: out of memory: what to implement next is not listed\n", stderr);
    wcts_report_declaration_compare(run);
    if (run->partial && run->asked.profile)
        run->unshowable = wcts_report_profile_unshowable(
            run->asked.profile, wcts_report_run_entries_missing(run), run->plan);
    set_conclusion(run);
}

void wcts_report_run_fail(struct wcts_report_run *run, const char *error)
{
    run->end = WCTS_POOL_STOPPED;
    if (run->error[0] == '\0')
        snprintf(run->error, sizeof run->error, "%s", error);
    set_conclusion(run);
}
