/* SPDX-License-Identifier: MIT */
/* wddm-cts lint: load, check, plan; what is wrong goes to standard error, counts to output. */
#include "../../reports/report.h"
#include "suite.h"

static void print_statements(const struct wcts_spec *spec)
{
    int pending = 0, closed = 0;
    for (int i = 0; i < spec->statements_count; i++) {
        bool testable = wcts_statement_testable(&spec->statements[i]);
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
        counts[plan->cases[i].kind]++;
    printf("cases       %6d", plan->count);
    for (int i = 0; i < WCTS_KIND_COUNT; i++) {
        printf("%s%d %s", separator, counts[i], wcts_kind_name((enum wcts_kind)i));
        separator = ", ";
    }
    fputs("\n", stdout);
}

/* The cases that a claim needs are those of the standard suite. Documents beside the spec's own
 * change what is planned. */
static bool mustpass_is_right(const struct wcts_cli_suite *suite)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const char *version = suite->spec->version;
    struct wcts_mustpass *mustpass;
    if (suite->settings->options.spec_file_count > 0)
        return true;
    mustpass = wcts_cli_suite_mustpass(suite, &diagnostics);
    if (mustpass) {
        wcts_mustpass_lint(mustpass, suite->plan, &diagnostics);
    } else if (version && diagnostics.errors == 0) {
        fprintf(stderr,
                "%s/mustpass-%s.txt:1: is not there, expected the list of spec %s: wddm-cts list "
                "--mustpass\n",
                suite->cases_dir, version, version);
        return false;
    }
    wcts_mustpass_free(mustpass);
    return diagnostics.errors == 0;
}

static int elective_count(const struct wcts_spec *spec)
{
    int count = 0;
    for (int i = 0; i < spec->rules_count; i++)
        count += spec->rules[i].elective != NULL;
    return count;
}

int wcts_command_lint(const struct wcts_settings *settings)
{
    struct wcts_cli_suite suite = {0};
    bool right = false;

    if (settings->argument_count != 0)
        wcts_settings_usage(stderr, WCTS_COMMAND_lint);
    else
        right = wcts_cli_suite_init(&suite, settings) && mustpass_is_right(&suite);
    if (right) {
        printf("documents   %6d\n", suite.spec->documents_count);
        print_statements(suite.spec);
        printf("rules       %6d\n", suite.spec->rules_count);
        printf("gaps        %6d: not said by any document\n", suite.spec->gaps_count);
        printf("elective    %6d: effects that a kernel may choose not to show\n",
               elective_count(suite.spec));
        print_case_counts(suite.plan);
        if (!settings->options.quiet)
            wcts_plan_print_counts(stdout, suite.plan);
    }
    wcts_cli_suite_release(&suite);
    return right ? WCTS_EXIT_OK : WCTS_EXIT_USAGE;
}
