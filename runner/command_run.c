/* SPDX-License-Identifier: MIT */
/* wddm-cts run: the stages of a run, one after the other. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../reports/digest.h"
#include "../reports/json.h"
#include "../reports/rundir.h"
#include "context.h"

#define PROGRESS_SECONDS 0.1

/* What the results are handed to. */
struct sink {
    struct wcts_run *run;
    struct wcts_rundir *directory;
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
        fprintf(stderr, "%s%s %s: %s\n", sink->progress ? "\r\033[K" : "",
                wcts_verdict_name(result->verdict), one->id, result->reason);
    if (sink->progress && now() - sink->shown > PROGRESS_SECONDS) {
        wcts_progress_print(stderr, sink->run);
        sink->shown = now();
    }
}

static bool take(void *ctx, const struct wcts_case *one, const struct wcts_result *result,
                 const char *output)
{
    struct sink *sink = ctx;
    struct wcts_run *run = sink->run;

    wcts_run_count(run, one, result);
    /* What is claimed is known by the first result. */
    bool written = !sink->claims_tapes || sink->directory->records ||
                   wcts_rundir_record(sink->directory, sink->claims_tapes);
    written = wcts_rundir_add(sink->directory, one, result, output) && written;
    if (run->settings->json)
        written = wcts_json_line(stdout, wcts_json_case(one, result, output)) && written;
    if (!written)
        snprintf(run->error, sizeof run->error, "results cannot be written");
    show(sink, one, result);
    return written;
}

static void execute(struct wcts_run *run, struct wcts_rundir *directory)
{
    const struct wcts_settings *settings = run->settings;
    struct wcts_tape_record tapes[2] = {0};
    struct sink sink = {.run = run,
                        .directory = directory,
                        .claims_tapes = settings->no_records ? NULL : tapes,
                        .progress = !settings->quiet && isatty(STDERR_FILENO)};
    const struct wcts_pool_options options = {.plan = run->plan,
                                              .selected = run->selected,
                                              .selected_count = run->selected_count,
                                              .implementation = settings->implementation,
                                              .judging = settings->judging,
                                              .workers = settings->workers,
                                              .timeout = settings->timeout,
                                              .output_dir = directory->output,
                                              .claims_tapes = settings->no_records ? NULL : tapes};
    char error[sizeof run->error] = "";
    double start = now();

    run->end = wcts_pool_run(&options, &run->claims, take, &sink, error, sizeof error);
    run->seconds = now() - start;
    if (run->end != WCTS_POOL_DONE && run->error[0] == '\0')
        memcpy(run->error, error, sizeof error);
    if (sink.progress)
        fputs("\r\033[K", stderr);
    for (int i = 0; i < 2; i++)
        free(tapes[i].bytes);
}

static bool report(struct wcts_run *run, struct wcts_rundir *directory)
{
    const struct wcts_settings *settings = run->settings;
    bool written = wcts_rundir_describe(directory, run, true);

    if (settings->junit)
        written = wcts_junit_write(run, settings->junit) && written;
    if (settings->json)
        written = wcts_json_line(stdout, wcts_json_run(run)) && written;
    else
        wcts_summary_print(stdout, run);
    if (settings->json && run->end == WCTS_POOL_NO_START)
        fprintf(stderr, "wddm-cts: %s: %s\n", settings->implementation.path, run->error);
    return fflush(stdout) == 0 && written;
}

static int run_selected(const struct wcts_context *context, const int *selected, int count)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_mustpass *mustpass = wcts_context_mustpass(context, &diagnostics);
    struct wcts_rundir directory;
    struct wcts_run run;
    int status = WCTS_EXIT_BROKEN;
    bool ready = wcts_run_init(&run, context->settings, context->plan, selected, count);

    if (diagnostics.errors != 0) {
        wcts_run_release(&run);
        return WCTS_EXIT_USAGE;
    }
    run.mustpass = mustpass;
    wcts_digest_implementation(context->settings->implementation.path, run.implementation_digest);
    if (wcts_rundir_init(&directory, context->settings->out) && ready) {
        run.directory = directory.path;
        if (wcts_rundir_plan(&directory, &run) && wcts_rundir_describe(&directory, &run, false)) {
            if (count != 0)
                execute(&run, &directory);
            else
                snprintf(run.error, sizeof run.error, "no case is selected");
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

int wcts_command_run(const struct wcts_settings *settings)
{
    struct wcts_context context = {0};
    int *selected = NULL, count = 0;
    int status = WCTS_EXIT_USAGE;

    /* A reader that goes away is an error of writing; the reports are still made. */
    signal(SIGPIPE, SIG_IGN);
    if (settings->argument_count != 0)
        wcts_settings_usage(stderr, WCTS_COMMAND_run);
    else if (implementation_is_there(&settings->implementation) &&
             wcts_context_init(&context, settings))
        status = wcts_context_select(&context, &selected, &count);
    /* An empty run is reported, too: CI must not take a missing file for a green one. */
    if (status == WCTS_EXIT_OK || (status == WCTS_EXIT_NOTHING && settings->junit))
        status = run_selected(&context, selected, count);
    free(selected);
    wcts_context_release(&context);
    return status;
}
