/* SPDX-License-Identifier: MIT */
/* Trials, one fault after the other: workers run the cases that reach it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../plan/plan.h"
#include "../run/pool.h"
#include "../run/stop.h"
#include "faults.h"
#include "lanes.h"

/* Options of the implementation under which faults are tried, each traced once. */
#define TRACES_MAX 8

struct faults_trying {
    struct wcts_faults *faults;
    struct wcts_options options; /* of whoever tries: lanes share the workers */
    struct wcts_faults_trace traces[TRACES_MAX];
    int trace_count;
    int *selected; /* room for every case */
    bool stopped;  /* by a signal */
};

/* ---- one fault ---- */

struct faults_trial_counting {
    struct wcts_faults_trial *trial;
    const struct wcts_plan *plan;
    int at;        /* cases so far */
    bool one_only; /* stop at the first failure */
    bool own_only; /* stop at the first failure of the fault's own statement */
    bool enough;   /* True if it stopped */
    int last;      /* the last failing case, an index in the plan; -1: none */
};

static void set_error(struct wcts_faults_trial *trial, const char *error)
{
    wcts_text_release(&trial->error);
    wcts_text_add(&trial->error, "%s", error);
}

static bool count_trial(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output)
{
    struct faults_trial_counting *counting = ctx;
    struct wcts_faults_trial *trial = counting->trial;
    int statement = result->broken != 0 ? counting->plan->spec->rules[result->broken - 1].statement
                                        : test->statement;
    (void)output;
    counting->at++;
    if (result->verdict == WCTS_VERDICT_BROKEN)
        set_error(trial, result->reason ? result->reason : "");
    /* A fault that refuses valid calls leaves the cases of its statement declined. Declined cases
     * of other statements only lack what it refused. */
    if (result->verdict != WCTS_VERDICT_FAIL && !wcts_model_verdict_is_death(result->verdict) &&
        !(result->verdict == WCTS_VERDICT_DECLINED && statement == trial->statement))
        return true;
    counting->last = test->index;
    if (counting->one_only) {
        counting->enough = true;
        return false;
    }
    int *by = WCTS_ARRAY_ADD(trial->by, trial->by_count);
    if (by) /* without memory the case is counted, but not listed */
        *by = counting->last;
    trial->broken++;
    trial->blamed[statement] = true;
    if (statement == trial->statement && trial->first < 0) {
        trial->first = counting->last;
        trial->tried = counting->at;
        counting->enough = counting->own_only;
    }
    return !counting->enough;
}

static void judge_trial(struct wcts_faults_trial *trial, const struct wcts_spec *spec)
{
    trial->outcome = trial->first >= 0 ? WCTS_FAULT_KILLED : WCTS_FAULT_SURVIVED;
    trial->right = true;
    for (int i = 0; i < spec->statements_count; i++)
        if (trial->blamed[i] && i != trial->statement &&
            !wcts_faults_fault_names(trial->fault, spec->statements[i].id))
            trial->right = false;
}

/* The groups of cases, in the order in which they are run. Between two edges of versions a case is
 * like the one at the edge, and nearly every fault has the same effect. */
enum faults_trial_group { GROUP_EDGES, GROUP_BETWEEN, GROUP_SEQUENCES };

/* Selects the cases of the group that reach the fault. */
static int select_group(struct faults_trying *trying, const struct wcts_faults_trace *trace,
                        int fault, enum faults_trial_group group)
{
    const struct wcts_plan *plan = trying->faults->plan;
    int selected = 0;
    for (int i = 0; i < plan->count; i++) {
        enum wcts_kind kind = wcts_plan_series(plan, i)->kind;
        enum faults_trial_group own = wcts_model_is_drawn(kind) ? GROUP_SEQUENCES
                                      : plan->tests[i].edge     ? GROUP_EDGES
                                                                : GROUP_BETWEEN;
        if (trace->marks[(size_t)i * (size_t)trying->faults->count + (size_t)fault] && own == group)
            trying->selected[selected++] = i;
    }
    return selected;
}

/* Runs the selected cases. False when the implementation cannot be run; the trial holds the reason.
 */
static bool try_group(struct faults_trying *trying, const struct wcts_faults_trace *trace,
                      const char *options, int selected, bool shrink,
                      struct faults_trial_counting *counting)
{
    struct wcts_faults_trial *trial = counting->trial;
    struct wcts_options asked = trying->options;
    const struct wcts_run_pool_options pool = {.asked = &asked,
                                               .plan = trying->faults->plan,
                                               .selected = trying->selected,
                                               .selected_count = selected,
                                               .levels = wcts_model_level_bit(asked.level),
                                               .verdicts_only = !shrink};
    char error[512] = "";
    asked.implementation.options = options;
    if (selected == 0)
        return true;
    counting->enough = false;
    enum wcts_run_pool_end end =
        wcts_run_pool_run_again(&pool, &trace->claims, count_trial, counting, error, sizeof error);
    if (end == WCTS_POOL_DONE || counting->enough)
        return true;
    trying->stopped = end == WCTS_POOL_STOPPED && error[0] == 0;
    set_error(trial, error[0] ? error : "stopped");
    return false;
}

/* Of sequences that can show no more than whom they blame. */
#define SEQUENCES_MAX 48

/* Leaves at most so many of the selected cases, at equal distances. Returns how many are left. */
static int thin_out(int *selected, int count, int most)
{
    for (int i = 0; count > most && i < most; i++)
        selected[i] = selected[(int)((long)i * count / most)];
    return count > most ? most : count;
}

/* Runs sequences up to the first that fails, and shrinks that one: a long sequence may blame a
 * statement that only copies wrong pages. Of a fault that was noticed before, some. */
static bool run_sequences(struct faults_trying *trying, const char *options,
                          const struct wcts_faults_trace *trace, int fault,
                          struct faults_trial_counting *counting)
{
    int selected = select_group(trying, trace, fault, GROUP_SEQUENCES);
    if (counting->trial->first >= 0)
        selected = thin_out(trying->selected, selected, SEQUENCES_MAX);
    counting->trial->cases += selected;
    counting->one_only = true;
    counting->last = -1;
    if (!try_group(trying, trace, options, selected, false, counting))
        return false;
    if (counting->last < 0)
        return true;
    trying->selected[0] = counting->last;
    counting->at--; /* it runs again */
    counting->one_only = false;
    return try_group(trying, trace, options, 1, true, counting);
}

/* A fault that edges and sequences do not notice is tried at the versions between. */
static bool run_between(struct faults_trying *trying, const char *options,
                        const struct wcts_faults_trace *trace, int fault,
                        struct faults_trial_counting *counting)
{
    int selected;
    if (counting->trial->first >= 0)
        return true;
    selected = select_group(trying, trace, fault, GROUP_BETWEEN);
    counting->trial->cases += selected;
    return try_group(trying, trace, options, selected, false, counting);
}

/* Runs the cases at edges. Behind the first that notices the fault, which others are blamed is
 * asked of a part, if --shard has one. */
static bool run_edges(struct faults_trying *trying, const char *options,
                      const struct wcts_faults_trace *trace, int fault,
                      struct faults_trial_counting *counting)
{
    const struct wcts_options *asked = &trying->options;
    struct wcts_faults_trial *trial = counting->trial;
    int count = select_group(trying, trace, fault, GROUP_EDGES), left = 0, behind = 0;
    trial->cases = count;
    counting->own_only = asked->shards > 1;
    if (!try_group(trying, trace, options, count, false, counting))
        return false;
    counting->own_only = false;
    if (!counting->enough)
        return true;
    for (int i = 0; i < count; i++)
        if (trying->selected[i] > trial->first && behind++ % asked->shards == asked->shard - 1)
            trying->selected[left++] = trying->selected[i];
    trial->cases = counting->at + left;
    return try_group(trying, trace, options, left, false, counting);
}

/* A trial with an error and without a failure stays BROKEN. */
static void try_one(struct faults_trying *trying, int fault, const struct wcts_faults_trace *trace)
{
    struct wcts_faults_trial *trial = &trying->faults->trials[fault];
    struct faults_trial_counting counting = {
        .trial = trial, .plan = trying->faults->plan, .last = -1};
    char *options = NULL;
    if (asprintf(&options, "%s%sfault=%s", trace->options, trace->options[0] ? "," : "",
                 trial->fault->id) < 0) {
        set_error(trial, "no memory");
        return;
    }
    if (run_edges(trying, options, trace, fault, &counting) &&
        run_sequences(trying, options, trace, fault, &counting) &&
        run_between(trying, options, trace, fault, &counting) &&
        (trial->broken > 0 || trial->error.length == 0))
        judge_trial(trial, trying->faults->plan->spec);
    free(options);
}

/* ---- all of them ---- */

static struct wcts_faults_trace *find_trace(struct faults_trying *trying, const char *more,
                                            char *error, size_t room)
{
    const struct wcts_implementation *base = &trying->options.implementation;
    WCTS_TEXT(options);
    wcts_text_add(&options, "%s%s%s", base->options, base->options[0] && more ? "," : "",
                  more ? more : "");
    for (int i = 0; i < trying->trace_count; i++)
        if (strcmp(trying->traces[i].options, wcts_text_get(&options)) == 0)
            return &trying->traces[i];
    if (trying->trace_count == TRACES_MAX) {
        snprintf(error, room, "the faults want more than %d different options", TRACES_MAX);
        return NULL;
    }
    struct wcts_faults_trace *trace = &trying->traces[trying->trace_count];
    if (!wcts_faults_fault_trace_init(trace, trying->faults, &trying->options,
                                      wcts_text_get(&options), error, room)) {
        wcts_faults_fault_trace_release(trace);
        return NULL;
    }
    trying->trace_count++;
    return trace;
}

static bool is_tried(const struct wcts_faults_trial *trial)
{
    return trial->fault->file && trial->rule >= 0;
}

/* Makes the traces of all that is listed. */
static bool make_traces(struct faults_trying *trying, const int *list, int count, char *error,
                        size_t room)
{
    for (int i = 0; i < count; i++) {
        const struct wcts_faults_trial *trial = &trying->faults->trials[list[i]];
        if (is_tried(trial) && !find_trace(trying, trial->fault->options, error, room))
            return false;
    }
    return true;
}

/* Tries one of those that are listed. False if a signal stopped it. */
static bool try_listed(void *ctx, int fault)
{
    struct faults_trying *trying = ctx;
    const struct wcts_faults_trial *trial = &trying->faults->trials[fault];
    char error[512];
    if (is_tried(trial))
        try_one(trying, fault, find_trace(trying, trial->fault->options, error, sizeof error));
    return !trying->stopped;
}

/* In lanes, which share the workers; or one after the other, with all of them, where a single one
 * is to be tried or there is one worker. */
static bool try_all(struct faults_trying *trying, const int *list, int count,
                    wcts_fault_tried_fn *each, void *ctx, char *error, size_t room)
{
    int workers = trying->options.workers;
    const struct wcts_faults_lanes lanes = {
        .faults = trying->faults,
        .list = list,
        .count = count,
        .lanes = workers < count ? workers : count,
        .try = try_listed,
        .try_ctx = trying,
        .each = each,
        .each_ctx = ctx,
    };
    if (lanes.lanes > 1) {
        if (!make_traces(trying, list, count, error, room))
            return false;
        trying->options.workers /= lanes.lanes;
        enum wcts_faults_lanes_end end = wcts_faults_lanes_run(&lanes, error, room);
        trying->stopped = end == WCTS_LANES_STOPPED;
        return end == WCTS_LANES_DONE;
    }
    for (int i = 0; i < count; i++) {
        if (!make_traces(trying, &list[i], 1, error, room) || !try_listed(trying, list[i]))
            return false;
        each(ctx, &trying->faults->trials[list[i]]);
    }
    return true;
}

bool wcts_faults_try(struct wcts_faults *faults, const struct wcts_options *options,
                     const bool *wanted, wcts_fault_tried_fn *each, void *ctx, char *error,
                     size_t room)
{
    struct faults_trying trying = {.faults = faults, .options = *options};
    int *list = calloc((size_t)faults->count + 1, sizeof *list), count = 0;
    sigset_t before;
    wcts_run_stop_hold(&before); /* between two runs, too */
    trying.selected = calloc((size_t)faults->plan->count + 1, sizeof *trying.selected);
    snprintf(error, room, "no memory");
    for (int i = 0; list && i < faults->count; i++)
        if (!wanted || wanted[i])
            list[count++] = i;
    bool done = list && trying.selected && try_all(&trying, list, count, each, ctx, error, room);
    for (int i = 0; i < trying.trace_count; i++)
        wcts_faults_fault_trace_release(&trying.traces[i]);
    free(trying.selected);
    free(list);
    if (wcts_run_stop_release(&before) != 0)
        trying.stopped = true;
    if (trying.stopped)
        snprintf(error, room, "stopped");
    return done && !trying.stopped;
}
