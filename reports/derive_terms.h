/* SPDX-License-Identifier: MIT */
/* From samples of calls to the shortest conditions that tell some of them from all others. */
#ifndef WCTS_DERIVE_TERMS_H
#define WCTS_DERIVE_TERMS_H

#include "../runner/judge/samples.h"

/* More conditions than that make no term. */
#define WCTS_TERM_MAX 8

/* Conditions that are all true of some of the calls sought, and of none of the others. Example:
 * {.features = {12, 41}, .count 2, .calls 35, .test 1201}. */
struct wcts_report_term {
    int features[WCTS_TERM_MAX]; /* of the samples */
    int count;
    int calls; /* of which it is true, and no term before it */
    int test;  /* index of the case with the first of them */
};

/*
 * How many steps searches may take together: a step looks at 64 other calls, or at one of those
 * sought. Chance refusals have long conditions, of which there are more than anybody has time for.
 * Example: {.all = 1000, .used = 1012, .over = true}: the last search was not finished.
 */
struct wcts_report_budget {
    uint64_t all, used;
    bool over; /* some conditions were not tried for want of it */
};

/*
 * Finds terms, the best one first, until each call sought that can be told from all others has one.
 * versions: a term may be of nothing but versions. covered: by the number of a call, true if it
 * needs none; set for those that have one then. Without a budget fewer conditions are tried, and
 * longer ones found, or none. The caller frees *terms. Returns how many; -1 without memory.
 */
int wcts_report_terms(const struct wcts_judge_samples *samples, bool versions, bool *covered,
                      struct wcts_report_budget *budget, struct wcts_report_term **terms);

#endif
