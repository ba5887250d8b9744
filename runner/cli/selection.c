/* SPDX-License-Identifier: MIT */
#include "selection.h"

#include <stdlib.h>
#include <string.h>

#include "../../reports/report.h"
#include "../base/array.h"
#include "../store/run_dir.h"

/* ---- expressions ---- */

static bool compile_patterns(struct wcts_patterns *patterns, const char *option,
                             const struct wcts_strings *expressions)
{
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

static bool patterns_compared(const struct wcts_patterns *patterns, const char *option,
                              const struct wcts_strings *expressions)
{
    for (int i = 0; i < patterns->count; i++) {
        const char *error = wcts_regex_error(patterns->of[i]);
        if (error) {
            fprintf(stderr, "wddm-cts: %s %s: %s\n", option, expressions->of[i], error);
            return false;
        }
    }
    return true;
}

static void free_patterns(struct wcts_patterns *patterns)
{
    for (int i = 0; i < patterns->count; i++)
        wcts_regex_free(patterns->of[i]);
}

static bool any_matches(const struct wcts_patterns *patterns, const char *id)
{
    for (int i = 0; i < patterns->count; i++)
        if (wcts_regex_matches(patterns->of[i], id))
            return true;
    return false;
}

static bool filters_match(const struct wcts_selection *selection, const char *id)
{
    return selection->filters.count == 0 || any_matches(&selection->filters, id);
}

bool wcts_selection_excludes(const struct wcts_selection *selection, const char *id)
{
    return any_matches(&selection->excludes, id);
}

bool wcts_selection_has_id(const struct wcts_selection *selection, const char *id)
{
    return filters_match(selection, id) && !wcts_selection_excludes(selection, id);
}

/* ---- the failures of another run ---- */

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool keep_failure(struct wcts_selection *selection, const char *id)
{
    char **added = WCTS_ARRAY_ADD(selection->failures, selection->failure_count);
    if (added)
        *added = strdup(id);
    return added && *added;
}

static bool read_failures(struct wcts_selection *selection, const char *directory)
{
    struct wcts_journal journal;
    struct wcts_entry entry;
    bool kept = true;
    if (!directory)
        return true;
    if (!wcts_journal_open(&journal, directory, NULL)) {
        fprintf(stderr, "wddm-cts: --failed-of %s: no journal.jsonl, expected a run directory\n",
                directory);
        return false;
    }
    while (kept && wcts_journal_next(&journal, &entry)) {
        if (wcts_verdict_breaks(entry.result.verdict) ||
            entry.result.verdict == WCTS_VERDICT_DECLINED)
            kept = keep_failure(selection, entry.id);
        wcts_entry_release(&entry);
    }
    wcts_journal_close(&journal);
    if (kept && selection->failure_count == 0)
        fprintf(stderr, "wddm-cts: --failed-of %s: no case failed or was declined in that run\n",
                directory);
    else if (kept)
        qsort(selection->failures, (size_t)selection->failure_count, sizeof *selection->failures,
              compare_ids);
    return kept;
}

static bool is_failure(const struct wcts_selection *selection, const char *id)
{
    return selection->failure_count != 0 &&
           bsearch(&id, selection->failures, (size_t)selection->failure_count,
                   sizeof *selection->failures, compare_ids) != NULL;
}

/* ---- versions ---- */

static bool version_named(const struct wcts_spec *spec, const char *name, int *version)
{
    *version = wcts_spec_version(spec, name);
    if (*version >= 0)
        return true;
    fprintf(stderr, "wddm-cts: --wddm: there is no version %s; there are", name);
    for (int i = 0; i < spec->versions_count; i++)
        fprintf(stderr, " %s", spec->versions[i].name);
    fputs("\n", stderr);
    return false;
}

bool wcts_selection_versions(const struct wcts_spec *spec, const struct wcts_settings *settings,
                             int *first, int *last)
{
    *first = 0;
    *last = spec->versions_count - 1;
    if (settings->asked.first_version &&
        (!version_named(spec, settings->asked.first_version, first) ||
         !version_named(spec, settings->asked.last_version, last)))
        return false;
    if (*first <= *last)
        return true;
    fprintf(stderr, "wddm-cts: --wddm: %s comes after %s\n", settings->asked.first_version,
            settings->asked.last_version);
    return false;
}

/* ---- the selection ---- */

bool wcts_selection_init(struct wcts_selection *selection, const struct wcts_spec *spec,
                         const struct wcts_settings *settings)
{
    *selection = (struct wcts_selection){.settings = settings,
                                         .sides = settings->sides ? settings->sides : ~0u};
    for (int i = 0; i < settings->asked.spec_file_count; i++)
        selection->any_only = selection->any_only || settings->only[i];
    return wcts_selection_versions(spec, settings, &selection->first, &selection->last) &&
           compile_patterns(&selection->filters, "--filter", &settings->asked.filters) &&
           compile_patterns(&selection->excludes, "--exclude", &settings->asked.excludes) &&
           read_failures(selection, settings->asked.failed_of);
}

bool wcts_selection_compared(const struct wcts_selection *selection)
{
    const struct wcts_settings *settings = selection->settings;
    return patterns_compared(&selection->filters, "--filter", &settings->asked.filters) &&
           patterns_compared(&selection->excludes, "--exclude", &settings->asked.excludes);
}

void wcts_selection_release(struct wcts_selection *selection)
{
    free_patterns(&selection->filters);
    free_patterns(&selection->excludes);
    for (int i = 0; i < selection->failure_count; i++)
        free(selection->failures[i]);
    free(selection->failures);
}

/* True if the case is a scenario of a file of --case. */
static bool is_of_file(const struct wcts_settings *settings, const struct wcts_case *test)
{
    for (int i = 0; test->scenario && i < settings->asked.spec_file_count; i++)
        if (settings->only[i] &&
            strcmp(test->scenario->place.file, settings->asked.spec_files[i]) == 0)
            return true;
    return false;
}

bool wcts_selection_would_have(const struct wcts_selection *selection, const struct wcts_case *test)
{
    return test->version >= selection->first && test->version <= selection->last &&
           (selection->sides & wcts_scope_side(test)) != 0 &&
           (!selection->any_only || is_of_file(selection->settings, test)) &&
           (!selection->settings->asked.failed_of || is_failure(selection, test->id)) &&
           filters_match(selection, test->id);
}
