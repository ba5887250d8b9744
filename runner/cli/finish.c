/* SPDX-License-Identifier: MIT */
#include "finish.h"

#include "../../reports/baseline_update.h"
#include "../../reports/headline.h"
#include "../../reports/json.h"
#include "targets.h"

/* A new baseline, if one was asked for. False when it cannot be written. */
static bool update_baseline(const struct wcts_report_run *run, const char *path)
{
    if (path && wcts_report_run_judged(run))
        return wcts_report_baseline_update(path, run);
    if (path)
        fprintf(stderr, "wddm-cts: %s is left as it is: the run %s\n", path,
                run->end == WCTS_POOL_CUT ? "was cut short" : "reached no verdict");
    return true;
}

/* A baseline is an input, too: it is only looked whether another can take its place. */
bool wcts_cli_files_open(struct wcts_cli_files *files, const struct wcts_cli_suite *suite,
                         const char *directory)
{
    const struct wcts_cli_settings *settings = suite->settings;
    struct wcts_report_output baseline = {0};
    files->options = wcts_cli_suite_load_options(suite);
    bool opened = wcts_cli_targets_check(settings, &directory, 1) &&
                  wcts_report_documents_open(&files->documents, &files->options) &&
                  wcts_report_output_open(&baseline, settings->update_baseline, WCTS_OUTPUT_KEEP);
    wcts_report_output_release(&baseline);
    return opened;
}

bool wcts_cli_files_again(const struct wcts_cli_suite *suite, const char *directory)
{
    struct wcts_cli_files files = {0};
    struct wcts_report_loaded_run run = {0};
    bool wanted = false, written = wcts_cli_files_open(&files, suite, directory);
    for (int i = 0; i < WCTS_FORMAT_COUNT; i++)
        wanted = wanted || suite->settings->options.files[i];
    if (written && wanted)
        written = wcts_report_loaded_run_init(&run, directory, &files.options) == WCTS_EXIT_OK &&
                  wcts_report_documents_write(&files.documents, &run.run, &run, 1) &&
                  wcts_report_documents_commit(&files.documents);
    if (run.run.plan)
        wcts_report_loaded_run_release(&run);
    wcts_report_documents_release(&files.documents);
    return written;
}

static const char unwritten[] = "the results could not be written";

/* Writes the files, and in the end the description of the run, of which documents are made. */
static bool write_files(const struct wcts_cli_suite *suite, struct wcts_report_run *run,
                        struct wcts_store_rundir *directory, struct wcts_cli_files *files)
{
    bool written = wcts_store_rundir_flush(directory, (uint64_t)(run->seconds * 1e3)) &&
                   wcts_store_rundir_is_whole(directory);
    if (run->baseline)
        wcts_baseline_report(stderr, run->baseline);
    written = written && update_baseline(run, suite->settings->update_baseline);
    if (!written)
        wcts_report_run_fail(run, unwritten);
    /* Documents may be on another disk than a run directory that is full. */
    if (!wcts_store_rundir_describe(directory, wcts_report_json_run(run), true)) {
        wcts_report_run_fail(run, unwritten);
        written = false;
    }
    return wcts_report_documents_write_one(&files->documents, run) &&
           wcts_report_documents_commit(&files->documents) && written;
}

bool wcts_cli_files_finish(const struct wcts_cli_suite *suite, struct wcts_report_run *run,
                           struct wcts_store_rundir *directory, struct wcts_cli_files *files)
{
    const struct wcts_cli_settings *settings = suite->settings;
    bool written = write_files(suite, run, directory, files);

    if (!written) {
        wcts_report_run_fail(run, unwritten);
        wcts_store_rundir_describe(directory, wcts_report_json_run(run), true);
    }
    if (settings->json)
        written = wcts_store_json_line(stdout, wcts_store_rundir_run(directory->path)) && written;
    else if (settings->tap)
        written = wcts_report_tap_end(&files->tap, run) && written;
    else if (wcts_cli_targets_on_output(settings) == 0)
        wcts_report_summary_print(stdout, run);
    if (wcts_cli_targets_on_output(settings) != 0 && run->end == WCTS_POOL_NO_START)
        wcts_cli_implementation_complain(&settings->options.implementation, run->error);
    written = fflush(stdout) == 0 && written;
    if (written && run->end != WCTS_POOL_STOPPED)
        wcts_store_rundir_end(directory);
    return written;
}
