/* SPDX-License-Identifier: MIT */
/* wddm-cts report: reports from run directories, side by side. */
#include <stdlib.h>

#include "../../reports/documents.h"
#include "../../reports/reread.h"
#include "../../reports/tap.h"
#include "suite.h"
#include "targets.h"

static bool write_reports(const struct wcts_cli_settings *settings,
                          struct wcts_report_documents *documents,
                          const struct wcts_report_loaded_run *runs, int count)
{
    bool written = wcts_report_documents_write(documents, &runs[0].run, runs, count);
    if (settings->tap)
        written = wcts_report_tap_write(stdout, &runs[0].run) && written;
    else if (!wcts_report_documents_wanted(&settings->options) &&
             !settings->options.files[WCTS_FORMAT_junit])
        for (int i = 0; i < count; i++)
            wcts_report_summary_print(stdout, &runs[i].run);
    return fflush(stdout) == 0 && written && wcts_report_documents_commit(documents);
}

static enum wcts_report_exit report_on(const struct wcts_cli_suite *suite)
{
    const struct wcts_cli_settings *settings = suite->settings;
    int count = settings->argument_count, loaded = 0;
    const struct wcts_report_load_options options = wcts_cli_suite_load_options(suite);
    struct wcts_report_documents documents;
    enum wcts_report_exit status = WCTS_EXIT_OK;
    struct wcts_report_loaded_run *runs = calloc((size_t)count, sizeof *runs);
    char **made = calloc((size_t)count, sizeof *made); /* directories read at another level */

    if (!runs || !made) {
        free(runs);
        free(made);
        return WCTS_EXIT_BROKEN;
    }
    if (!wcts_report_documents_open(&documents, &options))
        status = WCTS_EXIT_USAGE;
    while (loaded < count && status == WCTS_EXIT_OK) {
        const char *directory =
            wcts_cli_suite_reread(suite, settings->arguments[loaded], &made[loaded]);
        if (!directory)
            status = WCTS_EXIT_USAGE;
        else
            status = wcts_report_loaded_run_init(&runs[loaded++], directory, &options);
        if (status == WCTS_EXIT_OK && made[loaded - 1])
            runs[loaded - 1].run.read_from = settings->arguments[loaded - 1];
    }
    if (status == WCTS_EXIT_OK && !write_reports(settings, &documents, runs, count))
        status = WCTS_EXIT_BROKEN;
    while (loaded > 0)
        wcts_report_loaded_run_release(&runs[--loaded]);
    wcts_report_documents_release(&documents);
    free(runs);
    for (int i = 0; i < count; i++)
        wcts_report_reread_remove(made[i]);
    free(made);
    return status;
}

/* One entry a case: JUnit and TAP have no place for a second run. */
static bool are_settings_right(const struct wcts_cli_settings *settings)
{
    if (settings->argument_count == 0) {
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_report);
        return false;
    }
    if (!wcts_cli_targets_share_output(settings) ||
        !wcts_cli_targets_check(settings, (const char *const *)settings->arguments,
                                settings->argument_count))
        return false;
    if (settings->argument_count > 1 &&
        (settings->options.files[WCTS_FORMAT_junit] || settings->tap)) {
        fprintf(stderr, "wddm-cts: --%s: %d run directories, expected one\n",
                settings->options.files[WCTS_FORMAT_junit] ? "junit" : "tap",
                settings->argument_count);
        return false;
    }
    return true;
}

int wcts_command_report(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_suite suite = {0};
    enum wcts_report_exit status = WCTS_EXIT_USAGE;
    if (are_settings_right(settings) && wcts_cli_suite_init(&suite, settings))
        status = report_on(&suite);
    wcts_cli_suite_release(&suite);
    return (int)status;
}
