/* SPDX-License-Identifier: MIT */
/*
 * A run with a time limit, or in a drawn order. With a limit, cases are run in the order of their
 * worth, until the time is over; what was running then counts as not reached. A run directory has
 * its cases in plan order, and knows them from the start: so results are kept until then, and
 * handed on afterwards as if they had been chosen before. In the meantime they are in a run
 * directory of their own, WCTS_DIRECTORY_REACHED in the other, in the order in which they ran:
 * what goes on after a kill goes on behind these.
 */
#ifndef WCTS_CLI_BUDGET_H
#define WCTS_CLI_BUDGET_H

#include "../plan/worth.h"
#include "../run/pool.h"
#include "sink.h"

struct wcts_budget_result;

/* All zero at first; released in any case. */
struct wcts_cli_budget {
    double seconds;               /* 0: there is no limit, but another order (--shuffle) */
    enum wcts_plan_worth *worths; /* of all cases that could be, in their order; owned */
    int worth_count;
    struct wcts_budget_result *results; /* of the cases reached, in plan order; NULL: none */
    int reached;
    enum wcts_run_pool_end end; /* how the run of these ended: DONE, if by the limit */
    char error[512];
    double spent; /* seconds */
    /* While it runs. */
    struct wcts_cli_sink sink; /* its run, directory, stored_claims, earlier, progress and current
                                * are the caller's */
    struct wcts_store_tally
        total; /* before waivers, which are applied when results are handed on */
    struct wcts_store_records stored; /* those of earlier results, once one is read */
    struct wcts_packer *packer;       /* for these */
    double begin;
    uint64_t rate; /* 0: the clock's; else so many cases take a second, for tests */
    bool over;
};

/* Runs the selected cases, in this order, until the limit; of selected the first reached are then
 * those that were, in plan order. Those of sink.earlier were run before. */
void wcts_cli_budget_run(struct wcts_cli_budget *budget,
                         const struct wcts_run_pool_options *options,
                         const struct wcts_claims *claims, int *selected);

/* Counts the sweeps of which some values were sent as that. */
void wcts_cli_budget_count_parts(const struct wcts_cli_budget *budget, const struct wcts_plan *plan,
                                 struct wcts_plan_strength *strength);

/* Hands the results on, as wcts_run_pool_run_again() does. */
enum wcts_run_pool_end wcts_cli_budget_hand_on(struct wcts_cli_budget *budget,
                                               const struct wcts_plan *plan,
                                               wcts_pool_result_fn *each, void *ctx);

void wcts_cli_budget_release(struct wcts_cli_budget *budget);

#endif
