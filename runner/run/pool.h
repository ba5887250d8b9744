/* SPDX-License-Identifier: MIT */
/*
 * The worker pool: runs cases of a plan in worker processes and delivers their results in plan
 * order, so that two runs, and runs with any number of workers, report the same.
 */
#ifndef WCTS_POOL_H
#define WCTS_POOL_H

#include "../machine/session.h"
#include "history.h"
#include "orphans.h"

/* Cases that hung or were killed, but not when they ran again on their own. All zero at first. */
struct wcts_run_unrepeated {
    int count;
    char first[600]; /* "CASE in KERNEL_LOCK" */
};

/* What a pool is at: of the cases that run now, the one that began first. */
struct wcts_run_current {
    int test;     /* index in the plan; -1: none runs */
    double since; /* wcts_run_watch_now() when it began */
    int others;   /* that run beside it */
};

/*
 * What a pool runs, beside the options of the run. For "replay ID": one case, in the foreground.
 *
 *     {.asked = &settings->options, .plan = plan, .selected = &index, .selected_count = 1,
 *      .levels = wcts_model_level_bit(level), .foreground = true}
 */
struct wcts_run_pool_options {
    const struct wcts_options *asked; /* of the run; not owned */
    const struct wcts_plan *plan;
    const int *selected; /* indices of cases */
    int selected_count;
    unsigned levels; /* at which somebody may read results, sum of wcts_model_level_bit(); 0: all */
    const char *output_dir; /* for the plug-in's output, a file for each worker */
    bool foreground;        /* replay: the plug-in writes to the terminal; output_dir is not used */
    bool trace;             /* foreground: every message on standard output */
    bool verdicts_only;     /* True if only verdicts and blame matter: failures are not shrunk */
    bool apart;             /* True if each case is recorded on its own, not behind another */
    bool (*over)(void *ctx); /* not NULL: asked again and again; true stops the run */
    void *over_ctx;
    double until; /* when over() will be true, by wcts_run_watch_now(); 0: it is not known */
    struct wcts_run_current *current; /* not NULL: is kept before over() is asked; when the run was
                                       * stopped, it has what ran then */
    /* The first so many cases were run before, by a run that goes on: instead of running one,
     * earlier() makes its result, as a worker would have, and its output, which the caller frees.
     * False stops the run. */
    int earlier_count;
    bool (*earlier)(void *ctx, int position, struct wcts_result *result, char **output);
    void *earlier_ctx;
    struct wcts_run_left *left_behind; /* not NULL: counts processes that the plug-in left behind */
    struct wcts_run_unrepeated *unrepeated; /* not NULL: counts such cases */
    struct wcts_run_history *history;  /* not NULL: gets what ran in which worker, and failed */
    struct wcts_stored *stored_claims; /* not NULL: cases are recorded (result->stored), and here
                                        * the claims of kernel and driver; the caller's */
};

/* Called in the runner, in the order in which they are selected, once for each case. It may take
 * over what the result holds, and leave it empty. output: the last 64 KiB of what
 * the plug-in wrote during a case that did not pass (may be ""). Returning false stops the run. */
typedef bool wcts_pool_result_fn(void *ctx, const struct wcts_case *test,
                                 struct wcts_result *result, const char *output);

enum wcts_run_pool_end {
    WCTS_POOL_DONE,
    WCTS_POOL_STOPPED,  /* by the callback or a signal */
    WCTS_POOL_CUT,      /* by a callback after enough failures; the pool never returns it */
    WCTS_POOL_NO_START, /* the implementation could not be loaded; error has the reason */
};

/*
 * Loads the implementation in a worker of its own and reads its claims. sides: which sides to read
 * (sum of enum wcts_side); claims->sides are those of them that it has. DONE, or NO_START with a
 * one-line error, also if it has none of them.
 */
enum wcts_run_pool_end wcts_run_pool_probe(const struct wcts_run_pool_options *options,
                                           uint32_t sides, struct wcts_claims *claims, char *error,
                                           size_t room);

/* Runs the selected cases, with claims known from a probe, or another run, of all their sides.
 * DONE, or STOPPED: error is "" if the callback or a signal did it. */
enum wcts_run_pool_end wcts_run_pool_run_again(const struct wcts_run_pool_options *options,
                                               const struct wcts_claims *claims,
                                               wcts_pool_result_fn *each, void *ctx, char *error,
                                               size_t room);

#endif
