/* SPDX-License-Identifier: MIT */
/*
 * The plan: every case of a spec, in spec order. It depends on the spec, the cases directory and
 * the suite, never on an implementation; what an implementation cannot do is skipped when the case
 * runs.
 */
#ifndef WCTS_PLAN_H
#define WCTS_PLAN_H

#include "../model/test.h"
#include "../oracle/world.h"

/* Which values of flag words are swept: none; what breaks nothing or one "must", of answers only
 * some; all. */
enum wcts_plan_sweeps { WCTS_SWEEPS_NONE, WCTS_SWEEPS_SINGLE, WCTS_SWEEPS_ALL };

/* Which cases to plan. The standard suite is {.steps = 20000, .tours = 1000, .seed = 1, .sweeps =
 * SINGLE}. */
struct wcts_plan_options {
    bool few;         /* suite smoke: a witness for each condition and no more */
    bool newest_only; /* at the newest version of the spec */
    int steps;        /* of sequences, in all; 0: none */
    int tours;        /* walks over all operations */
    uint64_t seed;    /* of sequences and walks */
    enum wcts_plan_sweeps sweeps;
    const char *value; /* the id of a sweep, a slash and one of its values: a case of its own. NULL:
                        * none, and any other id is none */
    /*
     * Plans a part: a rule is left out if this returns false for its id with a '/' appended, with
     * which the ids of all its cases begin, and for the rules that rest on it; sequences likewise.
     * NULL: plans all. The cases of the part are those of the whole plan, in the same order.
     */
    bool (*wants)(const void *context, const char *beginning);
    const void *wants_context;
    /* Calls of many facts, rule by rule; each becomes a case. Borrowed. */
    const struct wcts_combination *combinations;
    int combination_count;
    const char
        *stored; /* a file that may hold the tests of rules (stored.h); NULL: there is none */
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

/* Makes the test with this index, its id included; returns it. */
const struct wcts_case *wcts_plan_case(const struct wcts_plan *plan, int index,
                                       struct wcts_case *test);
/* The same as an expression; it lives to the end of the block. */
#define WCTS_PLAN_CASE(plan, number) wcts_plan_case(plan, number, &(struct wcts_case){.index = 0})
/* What it belongs to: all that is not its own. */
static inline const struct wcts_series *wcts_plan_series(const struct wcts_plan *plan, int index)
{
    return &plan->series[plan->tests[index].series];
}
/* All tests, for who looks at them again and again: much memory. The caller frees it; NULL without
 * memory. */
struct wcts_case *wcts_plan_cases(const struct wcts_plan *plan);

/* By rule, the sides for which it has tests: sum of enum wcts_side. The caller frees it; NULL
 * without memory. */
uint32_t *wcts_plan_sides(const struct wcts_plan *plan);

/* Index of the case with this id, or -1. */
int wcts_plan_find(const struct wcts_plan *plan, const char *id);

/* Reports, as warnings, rules of several versions that have one case, and domains that offer no
 * value beside that of the calls. */
void wcts_plan_warn(const struct wcts_plan *plan, struct wcts_diagnostics *diagnostics);

/* Prints for each flag word and version the number of valid values, a line each. */
void wcts_plan_print_counts(FILE *out, const struct wcts_plan *plan);

/* Fills in pairs for the newest version at which a structure of the documents has the word, and
 * returns that version; -1 if none has. */
int wcts_plan_pairs(const struct wcts_eval *eval, int word, struct wcts_oracle_pairs *pairs);

#endif
