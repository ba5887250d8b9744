/* SPDX-License-Identifier: MIT */
/* wddm-cts lint: load, check, plan; errors go to standard error, counts to standard output. */
#include <unistd.h>

#include "../../reports/profile_page.h"
#include "../../reports/report.h"
#include "../base/text.h"
#include "../load/profile.h"
#include "../load/trace.h"
#include "suite.h"

static void print_statements(const struct wcts_spec *spec)
{
    int pending = 0, closed = 0;
    for (int i = 0; i < spec->statements_count; i++) {
        bool testable = wcts_report_statement_testable(&spec->statements[i]);
        pending += testable && spec->statements[i].pending;
        closed += !testable;
    }
    printf("statements  %6d: %d ruled, %d pending, %d not testable\n", spec->statements_count,
           spec->statements_count - pending - closed, pending, closed);
}

static void print_case_counts(const struct wcts_plan *plan)
{
    int counts[WCTS_KIND_COUNT] = {0};
    const char *separator = ": ";
    for (int i = 0; i < plan->count; i++)
        counts[wcts_plan_series(plan, i)->kind]++;
    printf("cases       %6d", plan->count);
    for (int i = 0; i < WCTS_KIND_COUNT; i++) {
        printf("%s%d %s", separator, counts[i], wcts_model_kind_name((enum wcts_kind)i));
        separator = ", ";
    }
    fputs("\n", stdout);
}

/* Checks the list of cases that a claim needs, which is of the standard suite. Documents added with
 * --spec change the plan. */
static bool mustpass_is_right(const struct wcts_cli_suite *suite)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const char *version = suite->spec->version;
    struct wcts_plan_mustpass *mustpass;
    if (suite->settings->options.spec_file_count > 0)
        return true;
    mustpass = wcts_cli_suite_mustpass(suite, &diagnostics);
    if (mustpass) {
        wcts_plan_mustpass_lint(mustpass, suite->plan, &diagnostics);
    } else if (version && diagnostics.errors == 0) {
        fprintf(stderr,
                "%s/mustpass-%s.txt:1: is not there, expected the list of spec %s: wddm-cts list "
                "--mustpass\n",
                suite->cases_dir, version, version);
        return false;
    }
    wcts_plan_mustpass_free(mustpass);
    return diagnostics.errors == 0;
}

/* Checks the profiles of the suite, and that of --profile. */
static bool profiles_are_right(const struct wcts_cli_suite *suite)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    int count;
    char **names = wcts_cli_suite_profiles(suite, &count);
    for (int i = 0; i < count; i++) {
        struct wcts_profile *profile =
            names[i] ? wcts_cli_suite_profile(suite, names[i], &diagnostics) : NULL;
        if (profile)
            wcts_report_profile_lint(profile, suite->plan, &diagnostics);
        wcts_load_profile_free(profile);
        free(names[i]);
    }
    free(names);
    if (suite->profile && !suite->profile->shipped)
        wcts_report_profile_lint(suite->profile, suite->plan, &diagnostics);
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in the profiles\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return diagnostics.errors == 0;
}

/* Checks what is said of events, where the documents have it. */
static bool traces_are_right(const struct wcts_cli_suite *suite)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    WCTS_TEXT(path);
    wcts_text_add(&path, "%s/" WCTS_CLI_TRACES, suite->spec_dir);
    if (access(wcts_text_get(&path), R_OK) == 0)
        wcts_load_trace_free(wcts_load_trace(wcts_text_get(&path), suite->spec, &diagnostics));
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in " WCTS_CLI_TRACES "\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return diagnostics.errors == 0;
}

static int lint(struct wcts_cli_suite *suite)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_spec *spec = suite->spec;
    int elective = 0;
    if (!mustpass_is_right(suite) || !profiles_are_right(suite) || !traces_are_right(suite))
        return WCTS_EXIT_USAGE;
    /* Who asks about a file of his own need not be told of the documents. */
    const char *const own[] = {suite->settings->declaration, suite->settings->profile};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] && !suite->settings->options.quiet)
            printf("%s: nothing is wrong\n", own[i]);
    if (own[0] || own[1])
        return WCTS_EXIT_OK;
    for (int i = 0; i < spec->rules_count; i++)
        elective += spec->rules[i].elective != NULL;
    wcts_plan_warn(suite->plan, &diagnostics);
    printf("documents   %6d\n", spec->documents_count);
    print_statements(spec);
    printf("rules       %6d\n", spec->rules_count);
    printf("gaps        %6d: not said by any document\n", spec->gaps_count);
    printf("elective    %6d: effects that a kernel may choose not to show\n", elective);
    print_case_counts(suite->plan);
    if (!suite->settings->options.quiet)
        wcts_plan_print_counts(stdout, suite->plan);
    return WCTS_EXIT_OK;
}

int wcts_command_lint(const struct wcts_cli_settings *settings)
{
    if (!settings->store)
        return wcts_cli_suite_run(settings, lint);
    if (settings->options.spec_file_count > 0) {
        fputs("wddm-cts: --store: expected no --spec\n", stderr);
        return WCTS_EXIT_USAGE;
    }
    return wcts_cli_suite_store_spec(settings, settings->store);
}
