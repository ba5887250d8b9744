/* SPDX-License-Identifier: MIT */
/* wddm-cts run: the stages of a run, one after the other. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../reports/headline.h"
#include "../../reports/json.h"
#include "../base/address.h"
#include "../base/path.h"
#include "../base/random.h"
#include "../run/stop.h"
#include "../run/watch.h"
#include "bazel.h"
#include "budget.h"
#include "durations.h"
#include "finish.h"
#include "order.h"
#include "selection.h"
#include "shard.h"
#include "sink.h"
#include "targets.h"

/* What the implementation answered when it was asked what it claims. */
struct cli_introduction {
    struct wcts_claims claims;
    enum wcts_run_pool_end end;
    char error[512];              /* end not DONE: why */
    struct wcts_stored stored[2]; /* of kernel and driver */
};

/* A run from its selection to its reports. It owns the introduction, the budget and what went
 * before. */
struct cli_running {
    struct wcts_cli_suite *suite;
    struct wcts_baseline *baseline; /* NULL: none */
    int *selected;
    const sigset_t *signals; /* the mask before the run */
    struct wcts_report_run run;
    struct wcts_store_rundir directory;
    struct wcts_store_rundir reached; /* is_reordered(): results until the end */
    struct wcts_cli_files files;
    struct cli_introduction introduction;
    struct wcts_cli_budget budget;
    struct wcts_cli_earlier earlier; /* --resume */
    struct wcts_run_history history;
    struct wcts_run_current current; /* what runs, or ran when the run was stopped */
};

/* True if the cases run in another order than the run directory has them. */
static bool is_reordered(const struct cli_running *running)
{
    const struct wcts_options *asked = &running->suite->settings->options;
    return asked->shuffle || asked->budget > 0;
}

static struct wcts_run_pool_options pool_options(struct cli_running *running)
{
    const struct wcts_options *asked = &running->suite->settings->options;
    return (struct wcts_run_pool_options){
        .asked = asked,
        .plan = running->suite->plan,
        .output_dir = running->directory.output,
        .left_behind = &running->run.left,
        .unrepeated = &running->run.unrepeated,
        .history = &running->history,
        .stored_claims = asked->no_records ? NULL : running->introduction.stored};
}

static void introduce(struct cli_running *running)
{
    struct cli_introduction *introduction = &running->introduction;
    const struct wcts_run_pool_options options = pool_options(running);
    introduction->end =
        wcts_run_pool_probe(&options, wcts_cli_settings_sides(running->suite->settings),
                            &introduction->claims, introduction->error, sizeof introduction->error);
    if (introduction->end == WCTS_POOL_DONE)
        introduction->end =
            wcts_cli_suite_ask_other_side(running->suite, &options, &introduction->claims,
                                          introduction->error, sizeof introduction->error);
    if (introduction->end == WCTS_POOL_NO_START)
        wcts_cli_implementation_name(&options.asked->implementation, introduction->error,
                                     sizeof introduction->error);
}

/* Puts the cases in an order that the seed determines, and says which. */
static void shuffle_cases(const struct cli_running *running, int count)
{
    const struct wcts_options *asked = &running->suite->settings->options;
    uint64_t state = asked->shuffle_seed;
    for (int i = count - 1; i > 0; i--) {
        int k = (int)wcts_random_below(&state, (uint64_t)i + 1);
        int moved = running->selected[i];
        running->selected[i] = running->selected[k];
        running->selected[k] = moved;
    }
    fprintf(stderr, "wddm-cts: the cases run in the order of --shuffle=%" PRIu64 "\n",
            asked->shuffle_seed);
}

/* Opens the directory that has the results until the end. What a killed run left there is kept. */
static bool open_reached(struct cli_running *running)
{
    char *path = NULL;
    bool opened = running->reached.path ||
                  (asprintf(&path, "%s/" WCTS_DIRECTORY_REACHED, running->directory.path) >= 0 &&
                   wcts_store_rundir_init(&running->reached, path));
    running->reached.spec = running->suite->spec;
    free(path);
    return opened;
}

static bool plan_in(struct cli_running *running, struct wcts_store_rundir *directory, int count);

static bool shows_progress(const struct wcts_report_run *run)
{
    return !run->asked.quiet && isatty(STDERR_FILENO);
}

/* With --budget the cases are run before the directory knows them: those that are reached. So they
 * are with --shuffle, in another order than theirs there. Returns how many; -1 with a message. */
static int run_within(struct cli_running *running)
{
    struct wcts_run_pool_options options = pool_options(running);
    struct wcts_report_run *run = &running->run;
    struct wcts_cli_budget *budget = &running->budget;
    if (run->asked.shuffle)
        shuffle_cases(running, run->selected_count);
    if (!open_reached(running) ||
        (running->earlier.count == 0 && !wcts_store_rundir_begin(&running->reached)) ||
        !plan_in(running, &running->reached, run->selected_count))
        return -1;
    options.selected_count = run->intended = run->selected_count;
    options.current = &running->current;
    budget->sink =
        (struct wcts_cli_sink){.settings = running->suite->settings,
                               .run = run,
                               .directory = &running->reached,
                               .stored_claims = options.stored_claims,
                               .earlier = running->earlier.count > 0 ? &running->earlier : NULL,
                               .progress = shows_progress(run),
                               .current = &running->current};
    wcts_cli_budget_run(budget, &options, &run->claims, running->selected);
    if (budget->end != WCTS_POOL_STOPPED)
        running->current.test = -1; /* what ran when the time was over */
    running->earlier.count = 0;     /* its results were taken */
    if (budget->worths)
        wcts_plan_strength(&run->strength, budget->worths, budget->worth_count, budget->reached);
    wcts_cli_budget_count_parts(budget, run->plan, &run->strength);
    return run->selected_count = budget->reached;
}

/* What the run is to tell of processes that were left behind, and cases that were not repeated. */
static void tell_remarks(const struct wcts_report_run *run)
{
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

/* Of a run that was stopped, which case was running then. */
static void tell_current(const struct wcts_report_run *run, const struct wcts_run_current *current)
{
    struct wcts_case test;
    if (run->end != WCTS_POOL_STOPPED || current->test < 0)
        return;
    wcts_plan_case(run->plan, current->test, &test);
    fprintf(stderr, "wddm-cts: stopped while %s was running", test.id);
    if (current->others > 0)
        fprintf(stderr, ", and %d other%s beside it", current->others,
                current->others > 1 ? "s" : "");
    fputs("\n", stderr);
}

/* Runs the cases, or hands on the results of those that were run within the budget. */
static void run_cases(struct cli_running *running, struct wcts_cli_sink *sink,
                      const struct wcts_run_pool_options *options, char *error, size_t room)
{
    struct wcts_report_run *run = &running->run;
    const struct wcts_cli_budget *budget = &running->budget;
    run->end = running->introduction.end;
    snprintf(error, room, "%s", running->introduction.error);
    if (run->end == WCTS_POOL_DONE && budget->results) {
        snprintf(error, room, "%s", budget->error);
        run->end = wcts_cli_budget_hand_on(&running->budget, running->suite->plan,
                                           wcts_cli_sink_take, sink);
    } else if (run->end == WCTS_POOL_DONE) {
        run->end =
            wcts_run_pool_run_again(options, &run->claims, wcts_cli_sink_take, sink, error, room);
    }
}

static void execute(struct cli_running *running)
{
    const struct wcts_options *asked = &running->suite->settings->options;
    struct wcts_report_run *run = &running->run;
    struct wcts_run_pool_options options = pool_options(running);
    struct wcts_run_backtraces backtraces = {.options = &options, .claims = &run->claims};
    /* A debugger sees nothing of what runs elsewhere. */
    bool traces = !asked->no_backtrace && !wcts_address_is_remote(asked->implementation.path);
    double before = (double)running->directory.whole.milliseconds / 1e3 + running->budget.spent;
    struct wcts_cli_sink sink = {.settings = running->suite->settings,
                                 .run = run,
                                 .directory = &running->directory,
                                 .baseline = running->baseline,
                                 .tap = &running->files.tap,
                                 .backtraces = traces ? &backtraces : NULL,
                                 .stored_claims = options.stored_claims,
                                 .earlier = running->earlier.count > 0 ? &running->earlier : NULL,
                                 .are_apart = asked->repeat > 0 || is_reordered(running),
                                 .progress = shows_progress(run),
                                 .total = &run->total,
                                 .current = &running->current,
                                 .begin = wcts_run_watch_now() - before,
                                 .described = run->unrepeated.count};
    char error[sizeof run->error];

    options.selected = run->selected;
    options.selected_count = run->selected_count;
    options.over = wcts_cli_sink_flush;
    options.over_ctx = &sink;
    options.current = &running->current;
    options.earlier_count = running->earlier.count;
    options.earlier = wcts_cli_earlier_next;
    options.earlier_ctx = &running->earlier;
    run_cases(running, &sink, &options, error, sizeof error);
    run->seconds = wcts_run_watch_now() - sink.begin;
    if (run->end == WCTS_POOL_STOPPED && wcts_cli_sink_has_enough(&sink) && run->error[0] == '\0') {
        run->end = run->total.count < run->selected_count ? WCTS_POOL_CUT : WCTS_POOL_DONE;
        snprintf(error, sizeof error, "--max-failures %d", asked->max_failures);
    }
    if (run->end != WCTS_POOL_DONE && run->error[0] == '\0')
        memcpy(run->error, error, sizeof error);
    wcts_run_backtraces_release(&backtraces);
    options.current = NULL;
    struct wcts_run_order_search search = {.options = &options,
                                           .claims = &run->claims,
                                           .history = &running->history,
                                           .left = WCTS_RUN_ORDER_CASES};
    wcts_cli_order_look(run, &search);
    wcts_store_repack_release(&sink.repack);
    wcts_cli_sink_clear(&sink);
    tell_current(run, &running->current);
    tell_remarks(run);
}

/* A run that was stopped says by what, and how it goes on. */
static void name_stop(struct cli_running *running, int number)
{
    struct wcts_report_run *run = &running->run;
    char buffer[WCTS_PATH_ROOM];
    size_t used;
    if (run->end != WCTS_POOL_STOPPED)
        return;
    if (number != 0)
        snprintf(run->error, sizeof run->error, "SIG%s", sigabbrev_np(number));
    used = strlen(run->error);
    if (used < sizeof run->error)
        snprintf(run->error + used, sizeof run->error - used,
                 "%sresume with wddm-cts run --resume %s", used ? "; " : "",
                 wcts_path_shown(running->directory.path, buffer, sizeof buffer));
}

/* Takes the profile that the implementation names. False, with the reason for which the run cannot
 * be, if there is none of that name. */
static bool take_named_profile(struct cli_running *running)
{
    struct cli_introduction *introduction = &running->introduction;
    struct wcts_report_run *run = &running->run;
    const struct wcts_options *asked = &running->suite->settings->options;
    if (!wcts_cli_suite_name_profile(running->suite, &run->claims)) {
        WCTS_TEXT(text);
        wcts_cli_suite_profile_problem(running->suite, run->claims.profile, &text);
        introduction->end = WCTS_POOL_NO_START;
        snprintf(introduction->error, sizeof introduction->error,
                 WCTS_REPORT_NAMES_PROFILE "%s: %s", run->claims.profile, wcts_text_get(&text));
        return false;
    }
    run->asked.profile = asked->profile;
    run->asked.profile_named = asked->profile_named;
    return true;
}

/* Loads the implementation, and keeps of the selected cases those of sides that it has. Returns how
 * many; -1 with a message. */
static int introduce_to(struct cli_running *running)
{
    struct wcts_cli_suite *suite = running->suite;
    struct wcts_report_run *run = &running->run;
    int count = run->selected_count;
    bool goes_on = running->earlier.count > 0;
    introduce(running);
    if (goes_on && running->introduction.end == WCTS_POOL_NO_START) {
        wcts_cli_implementation_complain(&run->asked.implementation, running->introduction.error);
        return -1;
    }
    /* A run that goes on, and is stopped before it does, reports what was stored. */
    if (goes_on && running->introduction.end == WCTS_POOL_STOPPED)
        running->introduction.end = WCTS_POOL_DONE;
    else
        run->claims = running->introduction.claims;
    if (running->introduction.end != WCTS_POOL_DONE)
        return count;
    if (!take_named_profile(running))
        return goes_on ? -1 : count;
    run->narrowed = wcts_cli_leaves_out(suite, &run->claims);
    if (goes_on && !wcts_cli_earlier_claims_same(&running->earlier, &run->claims))
        return -1;
    count = wcts_cli_select_claimed(suite, &run->claims, running->selected, count, &run->strength,
                                    &running->budget.worths, &running->budget.worth_count);
    if (!wcts_cli_suite_bind_again(suite, running->baseline))
        return -1;
    if (count > 0)
        count = wcts_cli_shard_select(suite->settings, suite->plan, running->selected, count);
    run->selected_count = count;
    if (count > 0 && is_reordered(running))
        count = run_within(running);
    return count;
}

/* Writes the plan; of a run that goes on, it has to be what it was. */
static bool plan_in(struct cli_running *running, struct wcts_store_rundir *directory, int count)
{
    const struct wcts_report_run *run = &running->run;
    if (running->earlier.count > 0
            ? !wcts_store_rundir_same_plan(directory, run->plan, run->selected, count) ||
                  !wcts_store_rundir_cut(directory)
            : !wcts_store_rundir_plan(directory, run->plan, run->selected, count))
        return false;
    return wcts_store_rundir_describe(directory, wcts_report_json_run(run), false);
}

/* The run in its directory. Without a case nothing is loaded. */
static int run_in(struct cli_running *running)
{
    struct wcts_report_run *run = &running->run;
    int count = run->selected_count;
    bool goes_on = running->earlier.count > 0;
    running->introduction.end = WCTS_POOL_STOPPED;
    running->budget.seconds = running->suite->settings->options.budget;
    /* What it is, for a run that goes on although this one was killed before it ran a case. */
    bool ready =
        (running->earlier.count > 0 && !is_reordered(running)) ||
        (wcts_store_rundir_plan(&running->directory, run->plan, run->selected, 0) &&
         wcts_store_rundir_describe(&running->directory, wcts_report_json_run(run), false));
    if (ready && count != 0)
        count = introduce_to(running);
    ready = ready && count >= 0 && plan_in(running, &running->directory, count);
    if (goes_on && !ready)
        return WCTS_EXIT_USAGE;
    if (ready && running->suite->settings->tap)
        ready = wcts_report_tap_begin(&running->files.tap, stdout, count,
                                      running->suite->declaration != NULL);
    if (ready && count != 0) {
        execute(running);
    } else if (ready && running->budget.end == WCTS_POOL_STOPPED) {
        run->end = WCTS_POOL_STOPPED; /* before the first of them */
        tell_current(run, &running->current);
    } else if (ready) {
        snprintf(run->error, sizeof run->error, "%s",
                 running->budget.worths ? "no case was reached in time" : "no case is selected");
    }
    name_stop(running, wcts_run_stop_release(running->signals));
    if (!ready)
        return WCTS_EXIT_BROKEN;
    if (running->baseline)
        wcts_baseline_conclude(running->baseline);
    wcts_report_run_conclude(run);
    wcts_cli_bazel_conclude(running->suite->settings, run);
    bool written = wcts_cli_files_finish(running->suite, run, &running->directory, &running->files);
    if (running->baseline && running->baseline->wrong)
        return WCTS_EXIT_USAGE;
    return written ? run->exit_code : WCTS_EXIT_BROKEN;
}

/* True if the files of a run that has ended are those with which it ended. */
static bool is_unchanged(const char *directory)
{
    struct wcts_store_reader reader;
    wcts_store_reader_init(&reader, directory, NULL);
    bool good = wcts_store_reader_run(&reader) ? wcts_store_reader_unchanged(&reader)
                                               : wcts_store_reader_report(&reader);
    wcts_store_reader_close(&reader);
    return good;
}

/* A run that has ended has nothing to run; its reports are written, though. Returns its exit
 * status. */
static int report_again(const struct cli_running *running, int ended)
{
    const char *directory = running->directory.path;
    if (!is_unchanged(directory))
        return WCTS_EXIT_USAGE;
    fprintf(stderr, "wddm-cts: %s: the run has ended, nothing is left to run: %s\n", directory,
            wcts_store_json_member(running->earlier.description, "headline"));
    return wcts_cli_files_again(running->suite, directory) ? ended : WCTS_EXIT_BROKEN;
}

/* Opens what an earlier run has left. False with a message, and the exit status; also when there is
 * nothing to go on with. */
static bool reopen(struct cli_running *running, int *status)
{
    struct wcts_cli_earlier *earlier = &running->earlier;
    struct wcts_store_rundir *directory = &running->directory;
    int ended;
    *status = WCTS_EXIT_USAGE;
    directory->goes_on = is_reordered(running) && wcts_store_rundir_has_reached(directory);
    if (directory->goes_on && !open_reached(running))
        return false;
    directory = directory->goes_on ? &running->reached : directory;
    if (!wcts_cli_earlier_open(earlier, directory->path) ||
        !wcts_cli_earlier_is_same(earlier, &running->run))
        return false;
    bool over = wcts_cli_earlier_has_ended(earlier, &ended);
    if (!over && json_object_get(earlier->description, "merged")) {
        fprintf(stderr,
                "wddm-cts: --resume %s: a merge that was stopped, expected a run: merge again\n",
                directory->path);
        return false;
    }
    if (!wcts_store_rundir_reopen(directory, &earlier->count, &over))
        return false;
    earlier->run = &running->run;
    if (earlier->count == 0 && over) {
        *status = report_again(running, ended);
        return false;
    }
    if (earlier->count == 0)
        return true;
    fprintf(stderr, "wddm-cts: %s: continues behind %d stored case%s\n", directory->path,
            earlier->count, earlier->count == 1 ? "" : "s");
    return wcts_cli_earlier_describe(earlier, &running->run);
}

static void running_release(struct cli_running *running)
{
    wcts_cli_budget_release(&running->budget);
    wcts_cli_earlier_release(&running->earlier);
    wcts_run_history_release(&running->history);
    for (int i = 0; i < 2; i++)
        free(running->introduction.stored[i].bytes);
    wcts_report_documents_release(&running->files.documents);
    if (running->reached.path)
        wcts_store_rundir_release(&running->reached);
    wcts_store_rundir_release(&running->directory);
    wcts_report_run_release(&running->run);
}

static int run_selected(struct wcts_cli_suite *suite, struct wcts_baseline *baseline, int *selected,
                        int count, const sigset_t *signals)
{
    const struct wcts_cli_settings *settings = suite->settings;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan_mustpass *mustpass = wcts_cli_suite_mustpass(suite, &diagnostics);
    struct cli_running running = {.suite = suite,
                                  .baseline = baseline,
                                  .selected = selected,
                                  .signals = signals,
                                  .current = {.test = -1}};
    struct wcts_report_run *run = &running.run;
    int status = WCTS_EXIT_USAGE;
    bool ready = wcts_report_run_init(run, &settings->options, suite->plan, selected, count);

    ready = ready && wcts_cli_suite_count_sides(suite, run);
    run->baseline = baseline;
    run->planned = wcts_cli_planned(suite, run->narrowed);
    if (diagnostics.errors != 0) {
        wcts_report_run_release(run);
        return WCTS_EXIT_USAGE;
    }
    run->mustpass = mustpass;
    wcts_report_implementation_digest(settings->options.implementation.path,
                                      run->implementation_digest);
    if (wcts_store_rundir_init(&running.directory, settings->out) && ready &&
        wcts_cli_durations_are_there(&settings->options) &&
        (!settings->resume || reopen(&running, &status)) &&
        wcts_cli_files_open(&running.files, suite, running.directory.path) &&
        ((running.earlier.count > 0 && !is_reordered(&running)) ||
         wcts_store_rundir_begin(&running.directory))) {
        run->directory = running.directory.path;
        running.directory.spec = suite->spec;
        status = run_in(&running);
    }
    running_release(&running);
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

/* A plug-in that a build did not leave behind is one that cannot be loaded: the reports that CI
 * reads have to say so, and not what an earlier run found. A run that goes on keeps what it has. */
static bool is_not_built(const struct wcts_cli_settings *settings)
{
    const char *path = settings->options.implementation.path;
    return !settings->resume && !wcts_address_is_remote(path) && strcmp(path, "emulator") != 0 &&
           access(path, F_OK) != 0 && errno == ENOENT;
}

/* True if the file of the implementation is there, or may be missed later; else with a message. */
static bool is_there(const struct wcts_cli_settings *settings)
{
    if (is_not_built(settings) ||
        wcts_cli_implementation_is_there(&settings->options.implementation))
        return true;
    if (settings->resume)
        fprintf(stderr,
                "wddm-cts: --resume %s: paths of a run are relative to the directory in which it "
                "was begun: resume it there\n",
                settings->resume);
    return false;
}

int wcts_command_run(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_suite suite = {0};
    struct wcts_baseline *baseline = NULL;
    int *selected = NULL, count = 0;
    int status = WCTS_EXIT_USAGE;
    sigset_t signals;

    /* A signal is obeyed by the pools, and the run ends in order, with all that was asked for. */
    wcts_run_stop_hold(&signals);
    /* A reader that goes away is an error of writing; the reports are still made. */
    signal(SIGPIPE, SIG_IGN);
    if (settings->argument_count != 0)
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_run);
    else if (wcts_cli_bazel_begin(settings) && wcts_cli_targets_share_output(settings) &&
             is_there(settings) && wcts_cli_suite_init(&suite, settings) &&
             wcts_cli_suite_baseline(&suite, baseline_of(settings), &baseline))
        status = wcts_cli_select_cases(&suite, &selected, &count);
    /* An empty run is reported, too: CI must not take a missing file for a green one. */
    if (status == WCTS_EXIT_OK ||
        (status == WCTS_EXIT_NOTHING && (settings->options.files[WCTS_FORMAT_junit] ||
                                         wcts_report_documents_wanted(&settings->options))))
        status = run_selected(&suite, baseline, selected, count, &signals);
    wcts_run_stop_release(&signals);
    wcts_cli_bazel_end(settings);
    free(selected);
    wcts_baseline_free(baseline);
    wcts_cli_suite_release(&suite);
    return status;
}
