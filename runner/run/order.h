/* SPDX-License-Identifier: MIT */
/*
 * Whether a failure depends on the cases that ran before it: the case is run alone, in a new
 * worker, and if that ends otherwise, the fewest cases are searched for that have to run before it
 * to make the difference. It tells where to look, and never changes a verdict.
 */
#ifndef WCTS_ORDER_H
#define WCTS_ORDER_H

#include "history.h"
#include "pool.h"

enum wcts_run_order_kind {
    WCTS_ORDER_NONE,    /* it fails alone, and whatever runs before it; or nothing can be said */
    WCTS_ORDER_AFTER,   /* passes alone, fails after these cases */
    WCTS_ORDER_TIMES,   /* passes alone, fails when it is run so often in one process */
    WCTS_ORDER_WITHOUT, /* fails alone, passes after these cases */
    WCTS_ORDER_NEVER,   /* passes alone, and also after all that ran before it */
    WCTS_ORDER_CHANCE,  /* ends otherwise in the same circumstances */
};

/* Example: the case passes alone, and fails after the plan's case 17: {.kind = AFTER, .cases =
 * {17}, .count = 1}. */
struct wcts_run_order {
    enum wcts_run_order_kind kind;
    int *cases; /* AFTER, WITHOUT: as they have to run; owned */
    int count;
    bool smallest; /* none of them can be left out; false: the search was ended */
    int times;     /* TIMES: then each time; CHANCE: it was run so often until it failed, or 0 */
};

/* What is searched with, and how much more may be. */
struct wcts_run_order_search {
    const struct wcts_run_pool_options *options; /* of the run; not owned */
    const struct wcts_claims *claims;            /* not owned */
    const struct wcts_run_history *history;      /* not owned */
    int left; /* cases that may still be run for it: begins with WCTS_RUN_ORDER_CASES */
};

#define WCTS_RUN_ORDER_CASES 100000

/*
 * Looks at a case that failed in the run, with that finding. others: cases that pass, after which
 * it is tried if it fails alone. To be called when no pool runs, with the signals that end a run
 * blocked: one that arrives ends the search, as does its limit. The owner frees order->cases.
 */
void wcts_run_order_find(struct wcts_run_order_search *search, int index, enum wcts_found found,
                         const int *others, int other_count, struct wcts_run_order *order);

#endif
