/* SPDX-License-Identifier: MIT */
/* wddm-cts run: the stages of a run, one after the other. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../reports/baseline_update.h"
#include "../../reports/documents.h"
#include "../../reports/headline.h"
#include "../../reports/json.h"
#include "../../reports/tap.h"
#include "../base/address.h"
#include "../run/backtrace.h"
#include "../run/stop.h"
#include "../store/run_dir.h"
#include "budget.h"
#include "selection.h"
#include "targets.h"

#define PROGRESS_SECONDS 0.1

/* What the results are handed to. */
struct cli_sink {
    const struct wcts_cli_settings *settings;
    struct wcts_report_run *run;
    struct wcts_store_rundir *directory;
    struct wcts_baseline *baseline; /* NULL: none */
    struct wcts_report_tap *tap;
    struct wcts_run_backtraces *backtraces; /* NULL: none are taken */
    struct wcts_stored *stored_claims;      /* NULL: nothing is recorded */
    bool progress;
    double shown; /* when progress was last printed */
    int failures;
};

static double monotonic_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void show(struct cli_sink *sink, const struct wcts_case *test,
                 const struct wcts_result *result)
{
    if (sink->settings->verbose && result->verdict != WCTS_VERDICT_PASS)
        fprintf(stderr, "%s%s %s: %s%s%s\n", sink->progress ? "\r\033[K" : "",
                wcts_model_verdict_name(result->verdict), test->id, result->reason,
                result->signature[0] ? "; signature " : "", result->signature);
    if (sink->progress && monotonic_seconds() - sink->shown > PROGRESS_SECONDS) {
        wcts_report_progress_print(stderr, sink->run);
        sink->shown = monotonic_seconds();
    }
}

static bool keep_result(struct cli_sink *sink, const struct wcts_case *test,
                        const struct wcts_result *result, const char *output)
{
    struct wcts_report_run *run = sink->run;
    wcts_report_run_count(run, test, result);
    /* What is claimed is known by the first result. */
    bool written = !sink->stored_claims || sink->directory->records ||
                   wcts_store_rundir_record(sink->directory, sink->stored_claims);
    written = wcts_store_rundir_add(sink->directory, test, result, output) && written;
    if (sink->settings->json)
        written = wcts_store_json_line(
                      stdout, wcts_store_result_json(run->plan->spec, test, result, output)) &&
                  written;
    if (sink->settings->tap)
        written = wcts_report_tap_case(sink->tap, run, test, result, output) && written;
    if (!written)
        snprintf(run->error, sizeof run->error, "results cannot be written");
    show(sink, test, result);
    return written;
}

/* True if the run has as many failures as it may have. */
static bool has_enough(const struct cli_sink *sink)
{
    int most = sink->settings->options.max_failures;
    return most != 0 && sink->failures >= most;
}

/* Deaths have a cause in common as they have in reports: whatever was tested. */
static char *backtrace_of(struct wcts_run_backtraces *backtraces, const struct wcts_case *test,
                          const struct wcts_result *result)
{
    char *cause = wcts_baseline_signature_text(result->reason);
    char *text = cause ? wcts_run_backtrace(backtraces, test, result->verdict, cause) : NULL;
    free(cause);
    return text;
}

/* The verdict that counts is that of the implementation, unless the baseline says otherwise. */
static bool take_result(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output)
{
    struct cli_sink *sink = ctx;
    struct wcts_result judged = *result;

    judged.reason = strdup(result->reason ? result->reason : "");
    if (!judged.reason)
        return false;
    wcts_baseline_signature(sink->run->plan, test, &judged);
    bool kept =
        !sink->baseline || wcts_baseline_apply(sink->baseline, &sink->run->claims, test, &judged);
    char *backtrace =
        sink->backtraces && judged.ended ? backtrace_of(sink->backtraces, test, &judged) : NULL;
    judged.backtrace = backtrace;
    kept = kept && keep_result(sink, test, &judged, output);
    if (sink->baseline && sink->baseline->wrong)
        snprintf(sink->run->error, sizeof sink->run->error, "the baseline is wrong");
    free(judged.reason);
    free(backtrace);
    sink->failures += wcts_store_verdict_breaks(judged.verdict);
    return kept && !has_enough(sink);
}

/* What the implementation answered when it was asked what it claims. */
struct cli_introduction {
    struct wcts_claims claims;
    enum wcts_run_pool_end end;
    char error[512];              /* end not DONE: why */
    struct wcts_stored stored[2]; /* of kernel and driver */
};

static struct wcts_run_pool_options pool_options(const struct wcts_cli_suite *suite,
                                                 const struct wcts_store_rundir *directory,
                                                 struct cli_introduction *introduction)
{
    const struct wcts_options *asked = &suite->settings->options;
    return (struct wcts_run_pool_options){.asked = asked,
                                          .plan = suite->plan,
                                          .output_dir = directory->output,
                                          .stored_claims =
                                              asked->no_records ? NULL : introduction->stored};
}

static void introduce(const struct wcts_cli_suite *suite, const struct wcts_store_rundir *directory,
                      struct cli_introduction *introduction)
{
    const struct wcts_run_pool_options options = pool_options(suite, directory, introduction);
    introduction->end =
        wcts_run_pool_probe(&options, wcts_cli_settings_sides(suite->settings),
                            &introduction->claims, introduction->error, sizeof introduction->error);
}

static void introduction_release(struct cli_introduction *introduction)
{
    for (int i = 0; i < 2; i++)
        free(introduction->stored[i].bytes);
}

/* With --budget the cases are run before the directory knows them: those that are reached. Returns
 * how many. */
static int run_within(const struct wcts_cli_suite *suite, const struct wcts_store_rundir *directory,
                      struct wcts_report_run *run, int *selected,
                      struct cli_introduction *introduction, struct wcts_cli_budget *budget)
{
    struct wcts_run_pool_options options = pool_options(suite, directory, introduction);
    options.selected_count = run->selected_count;
    options.left_behind = &run->left;
    options.unrepeated = &run->unrepeated;
    wcts_cli_budget_run(budget, &options, &run->claims, selected);
    wcts_plan_strength(&run->strength, budget->worths, budget->worth_count, budget->reached);
    return run->selected_count = budget->reached;
}

static void execute(const struct wcts_cli_suite *suite, struct wcts_report_run *run,
                    struct wcts_store_rundir *directory, struct wcts_baseline *baseline,
                    struct cli_introduction *introduction, struct wcts_report_tap *tap,
                    struct wcts_cli_budget *budget)
{
    struct wcts_run_pool_options options = pool_options(suite, directory, introduction);
    struct wcts_run_backtraces backtraces = {.options = &options, .claims = &run->claims};
    /* A debugger sees nothing of what runs elsewhere. */
    bool traces = !suite->settings->options.no_backtrace &&
                  !wcts_address_is_remote(suite->settings->options.implementation.path);
    struct cli_sink sink = {.settings = suite->settings,
                            .run = run,
                            .directory = directory,
                            .baseline = baseline,
                            .tap = tap,
                            .backtraces = traces ? &backtraces : NULL,
                            .stored_claims = options.stored_claims,
                            .progress = !run->asked.quiet && isatty(STDERR_FILENO)};
    char error[sizeof run->error] = "";
    double start = monotonic_seconds();

    options.left_behind = &run->left;
    options.unrepeated = &run->unrepeated;
    options.selected = run->selected;
    options.selected_count = run->selected_count;
    run->end = introduction->end;
    memcpy(error, introduction->error, sizeof error);
    if (run->end == WCTS_POOL_DONE && budget->results) {
        memcpy(error, budget->error, sizeof error);
        run->end = wcts_cli_budget_hand_on(budget, suite->plan, take_result, &sink);
    } else if (run->end == WCTS_POOL_DONE)
        run->end = wcts_run_pool_run_again(&options, &run->claims, take_result, &sink, error,
                                           sizeof error);
    run->seconds = monotonic_seconds() - start + budget->spent;
    if (run->end == WCTS_POOL_STOPPED && has_enough(&sink) && run->error[0] == '\0') {
        run->end = run->total.count < run->selected_count ? WCTS_POOL_CUT : WCTS_POOL_DONE;
        snprintf(error, sizeof error, "--max-failures %d", suite->settings->options.max_failures);
    }
    if (run->end != WCTS_POOL_DONE && run->error[0] == '\0')
        memcpy(run->error, error, sizeof error);
    wcts_run_backtraces_release(&backtraces);
    if (sink.progress)
        fputs("\r\033[K", stderr);
    if (run->left.count > 0)
        fprintf(stderr, "wddm-cts: %s left %d process%s behind: %s; ended\n",
                run->asked.implementation.path, run->left.count, run->left.count > 1 ? "es" : "",
                run->left.names);
    if (run->unrepeated.count > 0)
        fprintf(stderr,
                "wddm-cts: %d case%s hung or died by SIGKILL, and not when run again alone: %s%s\n",
                run->unrepeated.count, run->unrepeated.count == 1 ? "" : "s",
                run->unrepeated.count == 1 ? "" : "first ", run->unrepeated.first);
}

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

/* What a run writes beside its directory. */
struct cli_files {
    struct wcts_report_load_options options;
    struct wcts_report_documents documents;
    struct wcts_report_tap tap; /* on standard output */
};

/* Opens what is to be written before anything runs. A baseline is an input, too: it is only looked
 * whether another can take its place. */
static bool files_open(struct cli_files *files, const struct wcts_cli_suite *suite,
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

static const char unwritten[] = "the results could not be written";

/* Writes the files, and in the end the description of the run, of which documents are made. */
static bool write_files(const struct wcts_cli_suite *suite, struct wcts_report_run *run,
                        struct wcts_store_rundir *directory, struct cli_files *files)
{
    bool written = wcts_store_rundir_is_whole(directory);
    if (run->baseline)
        wcts_baseline_report(stderr, run->baseline);
    written = written && update_baseline(run, suite->settings->update_baseline);
    if (!written)
        wcts_report_run_fail(run, unwritten);
    return wcts_store_rundir_describe(directory, wcts_report_json_run(run), true) &&
           wcts_report_documents_write_one(&files->documents, run) &&
           wcts_report_documents_commit(&files->documents) && written;
}

/* The conclusion comes last, and only of what is written. */
static bool finish_run(const struct wcts_cli_suite *suite, struct wcts_report_run *run,
                       struct wcts_store_rundir *directory, struct cli_files *files)
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
    return fflush(stdout) == 0 && written;
}

/* A run that a signal stopped says so. */
static void name_signal(struct wcts_report_run *run, int number)
{
    if (number != 0 && run->end == WCTS_POOL_STOPPED)
        snprintf(run->error, sizeof run->error, "SIG%s", sigabbrev_np(number));
}

/* True if the run leaves out what the implementation could be asked. */
static bool leaves_out(const struct wcts_cli_suite *suite, const struct wcts_claims *claims)
{
    uint64_t claimed = wcts_report_scope_versions(suite->spec, claims);
    int first, last;
    if (suite->settings->options.partial)
        return true;
    if (!wcts_cli_select_versions(suite, &first, &last))
        return true;
    for (int i = first; i <= last; i++)
        claimed &= ~wcts_plan_version_bit(i);
    return claimed != 0;
}

/* Loads the implementation, and keeps of the selected cases those of sides that it has. Returns how
 * many. */
static int introduce_to(const struct wcts_cli_suite *suite,
                        const struct wcts_store_rundir *directory, struct wcts_report_run *run,
                        int *selected, struct cli_introduction *introduction,
                        struct wcts_cli_budget *budget)
{
    int count = run->selected_count;
    introduce(suite, directory, introduction);
    run->claims = introduction->claims;
    if (introduction->end == WCTS_POOL_DONE)
        run->narrowed = leaves_out(suite, &run->claims);
    if (introduction->end == WCTS_POOL_DONE)
        count = wcts_cli_select_sides(suite, run->claims.sides, selected, count);
    if (introduction->end == WCTS_POOL_DONE && run->asked.suite == WCTS_SUITE_SMOKE)
        count = wcts_report_scope_newest(
            suite->plan, wcts_report_scope_versions(suite->spec, &run->claims), selected, count);
    budget->worth_count = count;
    if (introduction->end == WCTS_POOL_DONE)
        count = wcts_cli_select_worth(suite, &run->claims, selected, count, &run->strength,
                                      &budget->worths);
    run->selected_count = count;
    if (introduction->end == WCTS_POOL_DONE && count > 0 && budget->seconds > 0)
        count = run_within(suite, directory, run, selected, introduction, budget);
    return count;
}

/* The run in its directory. Without a case nothing is loaded. */
static int run_in(const struct wcts_cli_suite *suite, struct wcts_store_rundir *directory,
                  struct wcts_report_run *run, struct wcts_baseline *baseline, int *selected,
                  struct cli_files *files)
{
    struct cli_introduction introduction = {.end = WCTS_POOL_STOPPED};
    struct wcts_cli_budget budget = {.seconds = suite->settings->options.budget};
    int count = run->selected_count;
    sigset_t before;
    /* From here on a signal is obeyed by the pools, and the run ends in order. */
    wcts_run_stop_hold(&before);
    if (count != 0)
        count = introduce_to(suite, directory, run, selected, &introduction, &budget);
    bool ready = count >= 0 && wcts_store_rundir_plan(directory, run->plan, run->selected, count) &&
                 wcts_store_rundir_describe(directory, wcts_report_json_run(run), false);
    if (ready && suite->settings->tap)
        ready = wcts_report_tap_begin(&files->tap, stdout, count);
    if (ready && count != 0)
        execute(suite, run, directory, baseline, &introduction, &files->tap, &budget);
    else if (ready)
        snprintf(run->error, sizeof run->error, "%s",
                 budget.worths ? "no case was reached in time" : "no case is selected");
    wcts_cli_budget_release(&budget);
    name_signal(run, wcts_run_stop_release(&before));
    introduction_release(&introduction);
    if (!ready)
        return WCTS_EXIT_BROKEN;
    if (baseline)
        wcts_baseline_conclude(baseline);
    wcts_report_run_conclude(run);
    bool written = finish_run(suite, run, directory, files);
    if (baseline && baseline->wrong)
        return WCTS_EXIT_USAGE;
    return written ? run->exit_code : WCTS_EXIT_BROKEN;
}

/* Of how many cases a part was selected. */
static int planned_in_all(const struct wcts_cli_suite *suite, bool narrowed)
{
    int total = narrowed ? wcts_cli_suite_total(suite) : suite->plan->count;
    return total > suite->plan->count ? total : suite->plan->count;
}

static int run_selected(const struct wcts_cli_suite *suite, struct wcts_baseline *baseline,
                        int *selected, int count)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan_mustpass *mustpass = wcts_cli_suite_mustpass(suite, &diagnostics);
    struct cli_files files = {0};
    struct wcts_store_rundir directory;
    struct wcts_report_run run;
    int status = WCTS_EXIT_USAGE;
    bool ready =
        wcts_report_run_init(&run, &suite->settings->options, suite->plan, selected, count);

    run.baseline = baseline;
    run.planned = planned_in_all(suite, run.narrowed);
    if (diagnostics.errors != 0) {
        wcts_report_run_release(&run);
        return WCTS_EXIT_USAGE;
    }
    run.mustpass = mustpass;
    wcts_report_implementation_digest(suite->settings->options.implementation.path,
                                      run.implementation_digest);
    if (wcts_store_rundir_init(&directory, suite->settings->out) && ready &&
        files_open(&files, suite, directory.path) && wcts_store_rundir_begin(&directory)) {
        run.directory = directory.path;
        directory.spec = suite->spec;
        status = run_in(suite, &directory, &run, baseline, selected, &files);
    }
    wcts_report_documents_release(&files.documents);
    wcts_store_rundir_release(&directory);
    wcts_report_run_release(&run);
    wcts_plan_mustpass_free(mustpass);
    return status;
}

/* A baseline that is to be updated is one, if it is there. */
static const char *baseline_of(const struct wcts_cli_settings *settings)
{
    bool there = settings->update_baseline && access(settings->update_baseline, F_OK) == 0;
    if (settings->baseline)
        return settings->baseline;
    return there ? settings->update_baseline : NULL;
}

int wcts_command_run(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_suite suite = {0};
    struct wcts_baseline *baseline = NULL;
    int *selected = NULL, count = 0;
    int status = WCTS_EXIT_USAGE;

    /* A reader that goes away is an error of writing; the reports are still made. */
    signal(SIGPIPE, SIG_IGN);
    if (settings->argument_count != 0)
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_run);
    else if (wcts_cli_targets_share_output(settings) &&
             wcts_cli_implementation_is_there(&settings->options.implementation) &&
             wcts_cli_suite_init(&suite, settings) &&
             wcts_cli_suite_baseline(&suite, baseline_of(settings), &baseline))
        status = wcts_cli_select_cases(&suite, &selected, &count);
    /* An empty run is reported, too: CI must not take a missing file for a green one. */
    if (status == WCTS_EXIT_OK ||
        (status == WCTS_EXIT_NOTHING && (settings->options.files[WCTS_FORMAT_junit] ||
                                         wcts_report_documents_wanted(&settings->options))))
        status = run_selected(&suite, baseline, selected, count);
    free(selected);
    wcts_baseline_free(baseline);
    wcts_cli_suite_release(&suite);
    return status;
}
