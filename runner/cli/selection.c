/* SPDX-License-Identifier: MIT */
#include "selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../reports/report.h"
#include "../../reports/scope.h"
#include "../../reports/upgrade.h"
#include "../base/array.h"
#include "../base/regex.h"
#include "../base/text.h"
#include "../judge/judge.h"
#include "../plan/claimed.h"
#include "../store/run_dir.h"

/* ---- expressions ---- */

/* The values of --filter or --exclude, compiled. */
struct cli_patterns {
    const char *option;
    const struct wcts_strings *expressions;
    struct wcts_regex *of[WCTS_STRINGS_MAX];
    int count;
};

static bool compile_patterns(struct cli_patterns *patterns, const char *option,
                             const struct wcts_strings *expressions)
{
    patterns->option = option;
    patterns->expressions = expressions;
    for (int i = 0; i < expressions->count; i++) {
        char error[256];
        struct wcts_regex *pattern =
            wcts_regex_new(expressions->of[i], WCTS_REGEX_PART, error, sizeof error);
        if (!pattern) {
            fprintf(stderr, "wddm-cts: %s %s: %s\n", option, expressions->of[i], error);
            return false;
        }
        patterns->of[patterns->count++] = pattern;
    }
    return true;
}

/* False, with a message, if one of them could not be matched with an id, such as at a match limit.
 */
static bool patterns_matched(const struct cli_patterns *patterns)
{
    for (int i = 0; i < patterns->count; i++) {
        const char *error = wcts_regex_error(patterns->of[i]);
        if (error) {
            fprintf(stderr, "wddm-cts: %s %s: %s\n", patterns->option, patterns->expressions->of[i],
                    error);
            return false;
        }
    }
    return true;
}

static bool any_matches(const struct cli_patterns *patterns, const char *id)
{
    for (int i = 0; i < patterns->count; i++)
        if (wcts_regex_matches(patterns->of[i], id))
            return true;
    return false;
}

static void patterns_release(struct cli_patterns *patterns)
{
    for (int i = 0; i < patterns->count; i++)
        wcts_regex_free(patterns->of[i]);
}

/* ---- the selection ---- */

/* The options that select, compiled. */
struct cli_selection {
    const struct wcts_cli_settings *settings; /* not owned */
    struct cli_patterns filters, excludes;
    char **failures; /* of --failed-of: ids, sorted */
    int failure_count;
    int first, last; /* versions */
    uint32_t sides;
    bool any_only;  /* --case is given */
    bool unclaimed; /* True if what is selected is so at versions that claims may give it alone */
};

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Keeps the ids of the cases that failed or were declined. False, with a message, where the journal
 * is cut or damaged: what is not read would be left out, and what is left pass for all of it. */
static bool keep_failures(struct cli_selection *selection, struct wcts_store_reader *reader)
{
    struct wcts_store_entry entry;
    bool kept = true;
    int row;
    if (!wcts_store_reader_is_run(reader) || !wcts_store_reader_run(reader) ||
        !wcts_store_reader_plan(reader, NULL) || !wcts_store_reader_journal(reader))
        return wcts_store_reader_report(reader);
    while (kept && wcts_store_reader_next(reader, &entry, &row)) {
        if (wcts_store_verdict_breaks(entry.result.verdict) ||
            entry.result.verdict == WCTS_VERDICT_DECLINED) {
            char **added = WCTS_ARRAY_ADD(selection->failures, selection->failure_count);
            kept = added && (*added = strdup(entry.id)) != NULL;
        }
        wcts_store_entry_release(&entry);
    }
    return kept && (reader->flaw.kind == WCTS_FLAW_NONE || wcts_store_reader_report(reader));
}

/* Reads the failures of another run. */
static bool read_failures(struct cli_selection *selection, const char *directory)
{
    struct wcts_store_journal journal;
    struct wcts_store_reader reader;
    bool kept;
    if (!directory)
        return true;
    if (!wcts_store_journal_open(&journal, directory, NULL)) {
        fprintf(stderr, "wddm-cts: --failed-of %s: %s, expected a run directory\n", directory,
                errno == ENOENT ? "no journal.jsonl" : strerror(errno));
        return false;
    }
    wcts_store_journal_close(&journal);
    wcts_store_reader_init(&reader, directory, NULL);
    kept = keep_failures(selection, &reader);
    wcts_store_reader_close(&reader);
    if (kept && selection->failure_count == 0)
        fprintf(stderr, "wddm-cts: --failed-of %s: no case failed or was declined in that run\n",
                directory);
    else if (kept)
        qsort(selection->failures, (size_t)selection->failure_count, sizeof *selection->failures,
              compare_ids);
    return kept;
}

static bool is_failure(const struct cli_selection *selection, const char *id)
{
    return selection->failure_count != 0 &&
           bsearch(&id, selection->failures, (size_t)selection->failure_count,
                   sizeof *selection->failures, compare_ids) != NULL;
}

static bool version_named(const struct wcts_spec *spec, const char *name, int *version)
{
    *version = wcts_model_spec_version(spec, name);
    if (*version >= 0)
        return true;
    fprintf(stderr, "wddm-cts: --wddm: there is no version %s; there are", name[0] ? name : "''");
    for (int i = 0; i < spec->versions_count; i++)
        fprintf(stderr, " %s", spec->versions[i].name);
    fputs(", and V..W from one to another\n", stderr);
    return false;
}

bool wcts_cli_select_versions(const struct wcts_cli_suite *suite, int *first, int *last)
{
    const struct wcts_options *options = &suite->settings->options;
    *first = 0;
    *last = suite->spec->versions_count - 1;
    if (options->first_version && (!version_named(suite->spec, options->first_version, first) ||
                                   !version_named(suite->spec, options->last_version, last)))
        return false;
    if (*first <= *last)
        return true;
    fprintf(stderr, "wddm-cts: --wddm: %s comes after %s\n", options->first_version,
            options->last_version);
    return false;
}

/* False, with a message, if an expression, a version or the run of --failed-of is wrong. To be
 * released either way. */
static bool selection_init(struct cli_selection *selection, const struct wcts_cli_suite *suite)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const struct wcts_options *options = &settings->options;
    *selection = (struct cli_selection){.settings = settings,
                                        .sides = options->sides ? options->sides : ~0u};
    for (int i = 0; i < options->spec_file_count; i++)
        selection->any_only = selection->any_only || settings->only[i];
    return wcts_cli_select_versions(suite, &selection->first, &selection->last) &&
           compile_patterns(&selection->filters, "--filter", &options->filters) &&
           compile_patterns(&selection->excludes, "--exclude", &options->excludes) &&
           read_failures(selection, options->failed_of);
}

static void selection_release(struct cli_selection *selection)
{
    patterns_release(&selection->filters);
    patterns_release(&selection->excludes);
    for (int i = 0; i < selection->failure_count; i++)
        free(selection->failures[i]);
    free(selection->failures);
}

/* True if --filter leaves the id, of a case or a statement. */
static bool filters_match(const struct cli_selection *selection, const char *id)
{
    return selection->filters.count == 0 || any_matches(&selection->filters, id);
}

/* True if the case is a scenario of a file of --case. */
static bool is_of_file(const struct wcts_cli_settings *settings, const struct wcts_case *test)
{
    for (int i = 0; test->scenario && i < settings->options.spec_file_count; i++)
        if (settings->only[i] &&
            strcmp(test->scenario->place.file, settings->options.spec_files[i]) == 0)
            return true;
    return false;
}

/* True if the case is of a version and a side that is selected. */
static bool may_be_candidate(const struct cli_selection *selection, const struct wcts_plan *plan,
                             int index)
{
    int version = plan->tests[index].version;
    return version >= selection->first && version <= selection->last &&
           (selection->sides & wcts_report_scope_side(wcts_plan_series(plan, index)->driver)) != 0;
}

/* True if every option but --exclude leaves the case. */
static bool is_candidate(const struct cli_selection *selection, const struct wcts_case *test)
{
    return (!selection->any_only || is_of_file(selection->settings, test)) &&
           (!selection->settings->options.failed_of || is_failure(selection, test->id)) &&
           filters_match(selection, test->id);
}

/* ---- near misses ---- */

/* True if the statement has a case of the sides of --role; rule: of that rule, -1: of any. */
static bool has_case_of_role(const struct wcts_cli_suite *suite, int statement, int rule)
{
    const uint32_t sides = wcts_cli_settings_sides(suite->settings);
    bool found = sides == (WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER);
    for (int i = 0; !found && i < suite->plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(suite->plan, i);
        found = (sides & wcts_report_scope_side(series->driver)) &&
                (rule < 0 || series->rule == rule) &&
                suite->spec->rules[series->rule].statement == statement;
    }
    return found;
}

/* Lists near misses of an id among those of --role. */
static void list_near_misses(const struct wcts_cli_suite *suite, const char *id)
{
    const struct wcts_spec *spec = suite->spec;
    const uint32_t sides = wcts_cli_settings_sides(suite->settings);
    struct wcts_suggestions near = {0};
    for (int i = 0; i < spec->statements_count; i++)
        if (has_case_of_role(suite, i, -1))
            wcts_suggest(&near, id, spec->statements[i].id);
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_model_spec_statement(spec, spec->rules[i].id) < 0 &&
            has_case_of_role(suite, spec->rules[i].statement, i))
            wcts_suggest(&near, id, spec->rules[i].id);
    for (int i = 0; i < suite->plan->count; i++)
        if (sides & wcts_report_scope_side(wcts_plan_series(suite->plan, i)->driver))
            wcts_suggest(&near, id, WCTS_PLAN_CASE(suite->plan, i)->id);
    for (int i = 0; i < near.count; i++)
        fprintf(stderr, "%s  %s\n", i == 0 ? "did you mean:\n" : "", near.names[i]);
}

/* What else an id names, and where that is to be found; NULL: nothing. */
static const char *named_otherwise(const struct wcts_spec *spec, const char *id)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (strcmp(spec->messages[i].name, id) == 0)
            return "an operation, expected a case, rule or statement; wddm-cts.h declares it";
    for (int i = 0; i < spec->features_count; i++)
        if (strcmp(spec->features[i].name, id) == 0)
            return "a feature, expected a case, rule or statement; wddm-cts list --features has it";
    return NULL;
}

void wcts_cli_unknown_id(struct wcts_cli_suite *suite, const char *id)
{
    const char *otherwise = named_otherwise(suite->spec, id);
    if (otherwise) {
        fprintf(stderr, "wddm-cts: %s is %s\n", id, otherwise);
        return;
    }
    wcts_cli_suite_plan_all(suite);
    fprintf(stderr, "wddm-cts: there is no case, rule or statement %s\n", id[0] ? id : "''");
    list_near_misses(suite, id);
}

/* excluded: cases that --exclude leaves out. */
static void nothing_selected(struct wcts_cli_suite *suite, int excluded)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const struct wcts_strings *filters = &settings->options.filters;
    if (excluded != 0)
        fprintf(stderr, "wddm-cts: no case is selected: --exclude takes all %d that were left\n",
                excluded);
    else if (filters->count == 1)
        fprintf(stderr, "wddm-cts: no case is selected by --filter %s and the other options\n",
                filters->of[0]);
    else
        fputs("wddm-cts: no case is selected\n", stderr);
    if (excluded != 0)
        return;
    wcts_cli_suite_plan_all(suite);
    for (int i = 0; i < filters->count; i++) {
        /* Anchors are no part of an id. */
        char *plain = strdup(filters->of[i] + (filters->of[i][0] == '^'));
        if (!plain)
            return;
        bool whole = plain[0] != '\0' && plain[strlen(plain) - 1] == '$';
        if (whole)
            plain[strlen(plain) - 1] = '\0';
        if (wcts_plan_find(suite->plan, plain) >= 0 ||
            (!whole && wcts_model_spec_statement(suite->spec, plain) >= 0))
            fprintf(stderr, "wddm-cts: --filter %s: other options leave out its cases\n", plain);
        else if (wcts_plan_is_anywhere(suite->plan, plain))
            fprintf(stderr,
                    "wddm-cts: %s is planned at another version, and performed at this one by an "
                    "implementation that does not claim that; replay takes it at any\n",
                    plain);
        else
            list_near_misses(suite, plain);
        free(plain);
    }
}

/* ---- what is selected ---- */

/* True if the options leave the test at the version that it has; *excluded counts those that
 * --exclude takes. */
static bool is_selected(const struct cli_selection *selection, const struct wcts_plan *plan,
                        int index, int *excluded)
{
    struct wcts_case test;
    if (!may_be_candidate(selection, plan, index) ||
        !is_candidate(selection, wcts_plan_case(plan, index, &test)))
        return false;
    bool taken = any_matches(&selection->excludes, test.id);
    *excluded += taken;
    return !taken;
}

/* Selects what is selected of an implementation that claims one of the versions alone: of one that
 * claims several, each is what it is of one of those. The plan is as before. False without memory.
 */
static bool select_somewhere(const struct cli_selection *selection, struct wcts_plan *plan,
                             int *selected, int *count)
{
    bool *found = calloc((size_t)plan->count + 1, sizeof *found);
    bool good = found != NULL;
    int excluded = 0;
    for (int v = selection->first; good && v <= selection->last; v++) {
        good = wcts_plan_claim(plan, wcts_plan_version_bit(v));
        for (int i = 0; good && i < plan->count; i++)
            found[i] = found[i] || is_selected(selection, plan, i, &excluded);
    }
    good = good && wcts_plan_claim(plan, 0);
    for (int i = 0; good && i < plan->count; i++)
        if (found[i])
            selected[(*count)++] = i;
    free(found);
    return good;
}

static void free_selection(struct cli_selection *selection)
{
    selection_release(selection);
    free(selection);
}

/* The options, read once: the run of --failed-of may be in the directory that is written. NULL,
 * with a message, for a wrong one. */
static struct cli_selection *selection_of(struct wcts_cli_suite *suite)
{
    if (suite->selection)
        return suite->selection;
    suite->selection = calloc(1, sizeof *suite->selection);
    if (suite->selection && !selection_init(suite->selection, suite)) {
        free_selection(suite->selection);
        suite->selection = NULL;
    }
    suite->free_selection = free_selection;
    return suite->selection;
}

/* Selects those of the plan; unclaimed: if there is none, those that claims may give a version at
 * which they are. False, with a message, for a wrong option. */
static bool select_from_plan(struct wcts_cli_suite *suite, bool unclaimed, int *selected,
                             int *count, int *excluded)
{
    struct wcts_plan *plan = suite->plan;
    struct cli_selection *selection = selection_of(suite);
    *count = *excluded = 0;
    for (int i = 0; selection && i < plan->count; i++)
        if (is_selected(selection, plan, i, excluded))
            selected[(*count)++] = i;
    if (selection)
        selection->unclaimed = unclaimed && *count == 0;
    if (selection && selection->unclaimed && !select_somewhere(selection, plan, selected, count))
        return false;
    if (selection && patterns_matched(&selection->filters) &&
        patterns_matched(&selection->excludes))
        return true;
    *count = 0;
    return false;
}

/* True if the implementation is asked what it claims before anything is done. */
static bool is_to_be_claimed(const struct wcts_cli_settings *settings)
{
    return settings->command != WCTS_COMMAND_list || settings->given_implementation ||
           settings->options.upgrade;
}

int wcts_cli_select_cases(struct wcts_cli_suite *suite, int **selected, int *count)
{
    int excluded;
    *count = 0;
    *selected = calloc((size_t)suite->plan->count + 1, sizeof **selected);
    if (!*selected)
        return WCTS_EXIT_BROKEN;
    if (!select_from_plan(suite, is_to_be_claimed(suite->settings), *selected, count, &excluded))
        return WCTS_EXIT_USAGE;
    if (*count == 0)
        nothing_selected(suite, excluded);
    return *count != 0 ? WCTS_EXIT_OK : WCTS_EXIT_NOTHING;
}

int wcts_cli_select_again(struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                          int *selected, int count)
{
    int excluded;
    if (!wcts_plan_claim(suite->plan, wcts_report_scope_claimed(suite->spec, claims)))
        return -1;
    if (!suite->plan->planned && suite->selection && !suite->selection->unclaimed)
        return count; /* nothing was moved */
    return select_from_plan(suite, false, selected, &count, &excluded) ? count : -1;
}

int wcts_cli_select_sides(const struct wcts_cli_suite *suite, uint32_t sides, int *selected,
                          int count)
{
    int kept = 0;
    if (suite->settings->options.sides != 0)
        return count;
    for (int i = 0; i < count; i++)
        if (sides & wcts_report_scope_side(wcts_plan_series(suite->plan, selected[i])->driver))
            selected[kept++] = selected[i];
    if (count != 0 && kept == 0)
        fprintf(stderr,
                "wddm-cts: no case is selected of a side that the plug-in has: it has the %s side, "
                "the selection is of the %s side\n",
                sides & WCTS_SIDE_KERNEL ? "kernel" : "driver",
                sides & WCTS_SIDE_KERNEL ? "driver" : "kernel");
    return kept;
}

/* ---- what is worth most ---- */

/* Of each case, true if the claims leave it out. */
static void find_unclaimed(const struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                           const int *selected, int count, bool *unclaimed)
{
    const struct wcts_judge judge = {.plan = suite->plan, .claims = claims};
    for (int i = 0; i < count; i++)
        unclaimed[i] =
            claims && wcts_judge_not_claimed(&judge, WCTS_PLAN_CASE(suite->plan, selected[i]));
}

static int compare_indices(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int wcts_cli_select_worth(const struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                          int *selected, int count, struct wcts_plan_strength *strength,
                          enum wcts_plan_worth **kept_worths)
{
    const struct wcts_options *asked = &suite->settings->options;
    int most = asked->max_cases, kept = most && most < count ? most : count;
    bool *unclaimed;
    enum wcts_plan_worth *worths;
    if (most == 0 && asked->budget == 0)
        return count;
    unclaimed = calloc((size_t)count + 1, sizeof *unclaimed);
    worths = calloc((size_t)count + 1, sizeof *worths);
    bool good = unclaimed && worths;
    if (good)
        find_unclaimed(suite, claims, selected, count, unclaimed);
    good = good && wcts_plan_by_worth(suite->plan, unclaimed, selected, worths, count);
    if (good)
        wcts_plan_strength(strength, worths, count, kept);
    free(unclaimed);
    if (asked->budget > 0) {
        *kept_worths = worths;
        return good ? kept : -1;
    }
    qsort(selected, (size_t)kept, sizeof *selected, compare_indices);
    free(worths);
    return good ? kept : -1;
}

int wcts_cli_select_upgrade(const struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                            int *selected, int count)
{
    const struct wcts_plan *plan = suite->plan;
    uint32_t to = suite->settings->options.upgrade;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (wcts_report_upgrade_takes(plan, claims, to, selected[i]))
            selected[kept++] = selected[i];
    if (count != 0 && !claims->raised_from)
        fprintf(stderr, "wddm-cts: --upgrade: the implementation claims WDDM %s already\n",
                suite->settings->options.upgrade_to);
    else if (count != 0 && kept == 0)
        fputs("wddm-cts: --upgrade: no case is selected of a statement that begins to bind\n",
              stderr);
    return kept;
}

int wcts_cli_select_claimed(struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                            int *selected, int count, struct wcts_plan_strength *strength,
                            enum wcts_plan_worth **worths, int *worth_count)
{
    count = wcts_cli_select_again(suite, claims, selected, count);
    if (count < 0)
        return -1;
    count = wcts_cli_select_sides(suite, claims->sides, selected, count);
    if (suite->settings->options.upgrade)
        count = wcts_cli_select_upgrade(suite, claims, selected, count);
    if (suite->settings->options.suite == WCTS_SUITE_SMOKE)
        count = wcts_report_scope_newest(
            suite->plan, wcts_report_scope_versions(suite->spec, claims), selected, count);
    *worth_count = count;
    return wcts_cli_select_worth(suite, claims, selected, count, strength, worths);
}

bool wcts_cli_leaves_out(const struct wcts_cli_suite *suite, const struct wcts_claims *claims)
{
    uint64_t claimed = wcts_report_scope_versions(suite->spec, claims);
    int first, last;
    if (suite->settings->options.partial || suite->settings->options.upgrade)
        return true;
    if (!wcts_cli_select_versions(suite, &first, &last))
        return true;
    for (int i = first; i <= last; i++)
        claimed &= ~wcts_plan_version_bit(i);
    return claimed != 0;
}

int wcts_cli_planned(const struct wcts_cli_suite *suite, bool narrowed)
{
    int total = narrowed ? wcts_cli_suite_total(suite) : suite->plan->count;
    return total > suite->plan->count ? total : suite->plan->count;
}

int wcts_cli_select_statements(const struct wcts_cli_suite *suite, bool *statements)
{
    const struct wcts_spec *spec = suite->spec;
    struct cli_selection selection;
    int count = 0;
    bool ready = selection_init(&selection, suite);
    for (int i = 0; ready && i < spec->statements_count; i++) {
        const struct wcts_statement *one = &spec->statements[i];
        statements[i] = one->since <= selection.last && one->until > selection.first &&
                        (wcts_report_scope_sides_of_role(one->role) & selection.sides) &&
                        filters_match(&selection, one->id) &&
                        !any_matches(&selection.excludes, one->id);
        count += statements[i];
    }
    ready = ready && patterns_matched(&selection.filters) && patterns_matched(&selection.excludes);
    selection_release(&selection);
    if (!ready)
        return WCTS_EXIT_USAGE;
    return count != 0 ? WCTS_EXIT_OK : WCTS_EXIT_NOTHING;
}
