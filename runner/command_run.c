/* SPDX-License-Identifier: MIT */
/* wddm-cts run: the stages of a run, one after the other. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../reports/baseline_update.h"
#include "../reports/digest.h"
#include "../reports/json.h"
#include "../reports/rundir.h"
#include "../reports/tap.h"
#include "context.h"

#define PROGRESS_SECONDS 0.1

/* What the results are handed to. */
struct sink {
    struct wcts_run *run;
    struct wcts_rundir *directory;
    struct wcts_baseline *baseline; /* NULL: none */
    struct wcts_tap tap;
    const struct wcts_tape_record *claims_tapes; /* NULL: nothing is recorded */
    bool progress;
    double shown; /* when progress was last printed */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void show(struct sink *sink, const struct wcts_case *one, const struct wcts_result *result)
{
    if (sink->run->settings->verbose && result->verdict != WCTS_VERDICT_PASS)
        fprintf(stderr, "%s%s %s: %s%s%s\n", sink->progress ? "\r\033[K" : "",
                wcts_verdict_name(result->verdict), one->id, result->reason,
                result->signature[0] ? "; signature " : "", result->signature);
    if (sink->progress && now() - sink->shown > PROGRESS_SECONDS) {
        wcts_progress_print(stderr, sink->run);
        sink->shown = now();
    }
}

static bool keep(struct sink *sink, const struct wcts_case *one, const struct wcts_result *result,
                 const char *output)
{
    struct wcts_run *run = sink->run;
    wcts_run_count(run, one, result);
    /* What is claimed is known by the first result. */
    bool written = !sink->claims_tapes || sink->directory->records ||
                   wcts_rundir_record(sink->directory, sink->claims_tapes);
    written = wcts_rundir_add(sink->directory, one, result, output) && written;
    if (run->settings->json)
        written = wcts_json_line(stdout, wcts_json_blame(wcts_json_case(one, result, output),
                                                         run->plan->spec, result)) &&
                  written;
    if (run->settings->tap)
        written = wcts_tap_case(&sink->tap, run, one, result->verdict,
                                result->reason ? result->reason : "",
                                result->detail ? result->detail : "", output ? output : "") &&
                  written;
    if (!written)
        snprintf(run->error, sizeof run->error, "results cannot be written");
    show(sink, one, result);
    return written;
}

/* The verdict that counts is that of the implementation, unless the baseline says otherwise. */
static bool take(void *ctx, const struct wcts_case *one, const struct wcts_result *result,
                 const char *output)
{
    struct sink *sink = ctx;
    struct wcts_result judged = *result;

    judged.reason = strdup(result->reason ? result->reason : "");
    if (!judged.reason)
        return false;
    wcts_signature(sink->run->plan, one, &judged);
    if (sink->baseline)
        wcts_baseline_apply(sink->baseline, &sink->run->claims, one, &judged);
    bool kept = keep(sink, one, &judged, output);
    free(judged.reason);
    return kept;
}

static void execute(struct wcts_run *run, struct wcts_rundir *directory,
                    struct wcts_baseline *baseline)
{
    const struct wcts_settings *settings = run->settings;
    struct wcts_tape_record tapes[2] = {0};
    struct sink sink = {.run = run,
                        .directory = directory,
                        .baseline = baseline,
                        .claims_tapes = settings->no_records ? NULL : tapes,
                        .progress = !settings->quiet && isatty(STDERR_FILENO)};
    const struct wcts_pool_options options = {.plan = run->plan,
                                              .selected = run->selected,
                                              .selected_count = run->selected_count,
                                              .implementation = settings->implementation,
                                              .judging = settings->judging,
                                              .workers = settings->workers,
                                              .timeout = settings->timeout,
                                              .retries = settings->retries,
                                              .output_dir = directory->output,
                                              .claims_tapes = settings->no_records ? NULL : tapes};
    char error[sizeof run->error] = "";
    double start = now();

    if (settings->tap)
        wcts_tap_begin(&sink.tap, stdout, run->selected_count);
    run->end = wcts_pool_run(&options, &run->claims, take, &sink, error, sizeof error);
    run->seconds = now() - start;
    if (run->end != WCTS_POOL_DONE && run->error[0] == '\0')
        memcpy(run->error, error, sizeof error);
    if (settings->tap)
        wcts_tap_end(&sink.tap, run);
    if (sink.progress)
        fputs("\r\033[K", stderr);
    for (int i = 0; i < 2; i++)
        free(tapes[i].bytes);
}

/* A new baseline, if one was asked for. False when it cannot be written. */
static bool update(const struct wcts_run *run)
{
    const char *path = run->settings->update_baseline;
    if (path && wcts_run_judged(run))
        return wcts_baseline_update(path, run);
    if (path)
        fprintf(stderr, "wddm-cts: %s is left as it is: the run came to no verdict\n", path);
    return true;
}

static bool report(struct wcts_run *run, struct wcts_rundir *directory)
{
    const struct wcts_settings *settings = run->settings;
    bool written = wcts_rundir_describe(directory, run, true);

    if (run->baseline)
        wcts_baseline_report(stderr, run->baseline);
    written = update(run) && written;
    if (settings->junit)
        written = wcts_junit_write(run, settings->junit) && written;
    if (settings->json)
        written = wcts_json_line(stdout, wcts_rundir_run(directory)) && written;
    else if (!settings->tap)
        wcts_summary_print(stdout, run);
    if ((settings->json || settings->tap) && run->end == WCTS_POOL_NO_START)
        fprintf(stderr, "wddm-cts: %s: %s\n", settings->implementation.path, run->error);
    return fflush(stdout) == 0 && written;
}

static int run_selected(const struct wcts_context *context, struct wcts_baseline *baseline,
                        const int *selected, int count)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_mustpass *mustpass = wcts_context_mustpass(context, &diagnostics);
    struct wcts_rundir directory;
    struct wcts_run run;
    int status = WCTS_EXIT_BROKEN;
    bool ready = wcts_run_init(&run, context->settings, context->plan, selected, count);

    run.baseline = baseline;
    if (diagnostics.errors != 0) {
        wcts_run_release(&run);
        return WCTS_EXIT_USAGE;
    }
    run.mustpass = mustpass;
    wcts_digest_implementation(context->settings->implementation.path, run.implementation_digest);
    if (wcts_rundir_init(&directory, context->settings->out) && ready) {
        run.directory = directory.path;
        directory.spec = context->spec;
        if (wcts_rundir_plan(&directory, &run) && wcts_rundir_describe(&directory, &run, false)) {
            if (count != 0)
                execute(&run, &directory, baseline);
            else
                snprintf(run.error, sizeof run.error, "no case is selected");
            if (baseline)
                wcts_baseline_conclude(baseline);
            wcts_run_conclude(&run);
            status = report(&run, &directory) ? run.exit_code : WCTS_EXIT_BROKEN;
        }
    }
    wcts_rundir_release(&directory);
    wcts_run_release(&run);
    wcts_mustpass_free(mustpass);
    return status;
}

/* A wrong path is a wrong command line, not a bad implementation. */
static bool implementation_is_there(const struct wcts_implementation *implementation)
{
    if (strcmp(implementation->path, "emulator") == 0 || access(implementation->path, R_OK) == 0)
        return true;
    fprintf(stderr, "wddm-cts: --impl %s: %s\n", implementation->path, strerror(errno));
    return false;
}

/* A baseline that is to be updated is one, if it is there. */
static const char *baseline_of(const struct wcts_settings *settings)
{
    bool there = settings->update_baseline && access(settings->update_baseline, F_OK) == 0;
    if (settings->baseline)
        return settings->baseline;
    return there ? settings->update_baseline : NULL;
}

int wcts_command_run(const struct wcts_settings *settings)
{
    struct wcts_context context = {0};
    struct wcts_baseline *baseline = NULL;
    int *selected = NULL, count = 0;
    int status = WCTS_EXIT_USAGE;

    /* A reader that goes away is an error of writing; the reports are still made. */
    signal(SIGPIPE, SIG_IGN);
    if (settings->argument_count != 0)
        wcts_settings_usage(stderr, WCTS_COMMAND_run);
    else if (settings->json && settings->tap)
        fputs("wddm-cts: --json and --tap both want standard output, expected one of them\n",
              stderr);
    else if (implementation_is_there(&settings->implementation) &&
             wcts_context_init(&context, settings) &&
             wcts_context_baseline(&context, baseline_of(settings), &baseline))
        status = wcts_context_select(&context, &selected, &count);
    /* An empty run is reported, too: CI must not take a missing file for a green one. */
    if (status == WCTS_EXIT_OK || (status == WCTS_EXIT_NOTHING && settings->junit))
        status = run_selected(&context, baseline, selected, count);
    free(selected);
    wcts_baseline_free(baseline);
    wcts_context_release(&context);
    return status;
}
