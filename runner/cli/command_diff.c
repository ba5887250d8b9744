/* SPDX-License-Identifier: MIT */
/* wddm-cts diff: two runs, or two specs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../reports/diff.h"
#include "../store/run_dir.h"
#include "suite.h"

/* What a directory is. */
enum cli_kind { NOTHING, RUN, SPEC };

static bool has_file(const char *directory, const char *file)
{
    char *path = NULL;
    bool there = asprintf(&path, "%s/%s", directory, file) > 0 && access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Says what is wrong with what is neither. */
static enum cli_kind kind_of(const char *directory)
{
    static const char expected[] =
        "expected a run (with run.json) or a spec (with spec/ and cases/)";
    struct stat status;
    if (stat(directory, &status) != 0)
        fprintf(stderr, "wddm-cts: %s: %s, %s\n", directory, strerror(errno), expected);
    else if (!S_ISDIR(status.st_mode))
        fprintf(stderr, "wddm-cts: %s is a file, %s\n", directory, expected);
    else if (access(directory, X_OK) != 0)
        fprintf(stderr, "wddm-cts: %s: %s, %s\n", directory, strerror(errno), expected);
    else if (has_file(directory, WCTS_FILE_RUN))
        return RUN;
    else if (has_file(directory, "spec/versions.xml") || has_file(directory, "versions.xml"))
        return SPEC;
    else
        fprintf(stderr, "wddm-cts: %s is neither, %s\n", directory, expected);
    return NOTHING;
}

/* ---- specs ---- */

/* A tree that is compared, and the settings under which it is loaded. */
struct cli_tree {
    struct wcts_cli_settings settings;
    struct wcts_cli_suite suite;
    char *spec, *cases;
};

/* directory holds spec/ and cases/, or is itself a spec/ with cases/ beside it. */
static bool tree_init(struct cli_tree *tree, const struct wcts_cli_settings *settings,
                      const char *directory)
{
    bool above = has_file(directory, "spec/versions.xml");
    *tree = (struct cli_tree){.settings = *settings};
    if (asprintf(&tree->spec, above ? "%s/spec" : "%s", directory) < 0 ||
        asprintf(&tree->cases, above ? "%s/cases" : "%s/../cases", directory) < 0)
        return false;
    tree->settings.options.spec_dir = tree->spec;
    tree->settings.options.cases_dir = tree->cases;
    return wcts_cli_suite_init(&tree->suite, &tree->settings);
}

static void tree_release(struct cli_tree *tree)
{
    wcts_cli_suite_release(&tree->suite);
    free(tree->spec);
    free(tree->cases);
}

static json_t *diff_specs(const struct wcts_cli_settings *settings,
                          struct wcts_diagnostics *diagnostics)
{
    char **names = settings->arguments;
    struct wcts_baseline *baseline = NULL;
    struct cli_tree a = {0}, b = {0};
    json_t *difference = NULL;
    bool ready = tree_init(&a, settings, names[0]);

    ready = tree_init(&b, settings, names[1]) && ready;
    if (ready && settings->baseline) {
        baseline = wcts_baseline_load(settings->baseline, diagnostics);
        ready = baseline != NULL;
    }
    if (ready) {
        const struct wcts_report_diff_spec left = {names[0], a.suite.plan};
        const struct wcts_report_diff_spec right = {names[1], b.suite.plan};
        difference = wcts_report_diff_specs(&left, &right, baseline, diagnostics);
    }
    wcts_baseline_free(baseline);
    tree_release(&a);
    tree_release(&b);
    return difference;
}

/* ---- either ---- */

static json_t *diff(const struct wcts_cli_settings *settings)
{
    char **names = settings->arguments;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    enum cli_kind a = kind_of(names[0]), b = kind_of(names[1]);

    if (a == NOTHING || b == NOTHING)
        return NULL;
    if (a != b) {
        fprintf(stderr, "wddm-cts: %s is a %s and %s a %s, expected two of a kind\n", names[0],
                a == RUN ? "run" : "spec", names[1], b == RUN ? "run" : "spec");
        return NULL;
    }
    if (a == SPEC)
        return diff_specs(settings, &diagnostics);
    if (settings->baseline) {
        fprintf(stderr, "wddm-cts: --baseline with two runs, expected two specs\n");
        return NULL;
    }
    return wcts_report_diff_runs(names[0], names[1]);
}

int wcts_command_diff(const struct wcts_cli_settings *settings)
{
    json_t *difference = NULL;
    int status = WCTS_EXIT_USAGE;

    if (settings->argument_count != 2)
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_diff);
    else
        difference = diff(settings);
    if (difference) {
        status = wcts_report_diff_exit_code(difference);
        if (status == WCTS_EXIT_NOTHING)
            fputs("wddm-cts: a run was not finished: what it did not reach may have failed\n",
                  stderr);
        if (settings->json) {
            json_dumpf(difference, stdout, JSON_INDENT(2));
            fputs("\n", stdout);
        } else {
            wcts_report_diff_print(stdout, difference, settings->verbose);
        }
    }
    json_decref(difference);
    return fflush(stdout) == 0 ? status : WCTS_EXIT_BROKEN;
}
