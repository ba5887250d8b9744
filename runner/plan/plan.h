/* SPDX-License-Identifier: MIT */
/*
 * The plan: every case that the spec gives, in spec order. It depends on the spec, the
 * cases directory and the suite alone, never on an implementation; what an implementation cannot
 * do becomes a skip when the case runs.
 */
#ifndef WCTS_PLAN_H
#define WCTS_PLAN_H

#include "../model/test.h"

/* Which cases to plan. */
struct wcts_plan_options {
    bool few;         /* suite smoke: a witness for each condition and no more */
    bool newest_only; /* at the newest version of the spec */
    int steps;        /* of sequences, about so many; 0: none */
    uint64_t seed;    /* of sequences */
    /*
     * Plans only what may be wanted: a rule is left out if this returns false for its id with a '/'
     * behind it, with which the ids of all its cases begin, and for all that rest on it; sequences
     * likewise. NULL: all are wanted. What is planned is the same as in the whole plan, in the
     * same order.
     */
    bool (*wants)(const void *context, const char *beginning);
    const void *wants_context;
};

/*
 * Plans all cases; reports rules that cannot be broken alone, base calls that break a rule, rules
 * that no value satisfies and equal ids. Returns NULL on an error in the spec. The caller frees
 * the plan before the spec.
 */
struct wcts_plan *wcts_plan_make(const struct wcts_spec *spec,
                                 const struct wcts_plan_options *options,
                                 struct wcts_diagnostics *diagnostics);
void wcts_plan_free(struct wcts_plan *plan);

/* Index of the case with this id, or -1. */
int wcts_plan_find(const struct wcts_plan *plan, const char *id);

/* For each flag word and version: how many values are valid. One line each. */
void wcts_plan_print_counts(FILE *out, const struct wcts_plan *plan);

#endif
