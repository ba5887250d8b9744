/* SPDX-License-Identifier: MIT */
/*
 * What tests are worth: the order in which a run that must be short takes them, so that each prefix
 * shows as much as it can. Sorts of test come one after the other, cheap ones that find much first.
 *
 *     rules        DOC-001/refuse/wddm3_2/FLAG      the first of the rule
 *     calls        DOC-001/refuse/wddm3_2/OTHER     another call
 *     pairs        DOC-001/combination/wddm2_1/...
 *     versions     DOC-001/refuse/wddm3_1/FLAG      a call of above at another version
 *     legal words  DOC-001/sweep-accept/wddm3_2
 */
#ifndef WCTS_PLAN_WORTH_H
#define WCTS_PLAN_WORTH_H

#include "plan.h"

/*
 * The sorts of test, in their order. X(name, its name in run.json, how many: "3 of 7 <what>", all
 * of them)
 */
#define WCTS_WORTHS(X)                                                                             \
    X(RULES, "rules", "rules once", "every rule once")                                             \
    X(CALLS, "calls", "calls at one version", "every call at one version")                         \
    X(PAIRS, "pairs", "rows of pairs", "all pairs")                                                \
    X(VERSIONS, "versions", "calls at other versions", "every call at every version")              \
    X(LEGAL, "legal", "sets of legal words", "all legal words")                                    \
    X(SINGLE, "single", "sets of single breaches", "all single breaches")                          \
    X(SEQUENCES, "sequences", "sequences", "all sequences")                                        \
    X(WALKS, "walks", "walks", "all walks")                                                        \
    X(TRIPLES, "triples", "rows of triples", "all triples")                                        \
    X(SEVERAL, "several", "sets of several breaches", "all of several breaches")                   \
    X(UNCLAIMED, "unclaimed", "cases that are not claimed", "all that is not claimed")

enum wcts_plan_worth {
#define WCTS_WORTH_ENUM(name, ...) WCTS_WORTH_##name,
    WCTS_WORTHS(WCTS_WORTH_ENUM)
#undef WCTS_WORTH_ENUM
        WCTS_WORTH_COUNT
};

/* How far a run came that took a prefix: {.of = {512, 3000}, .reached = {512, 88}}. */
struct wcts_plan_strength {
    int of[WCTS_WORTH_COUNT];
    int reached[WCTS_WORTH_COUNT];
    int partly[WCTS_WORTH_COUNT]; /* of a sweep some values, for want of time: it is not reached */
};

/* The name of a sort in run.json. */
const char *wcts_plan_worth_name(enum wcts_plan_worth worth);

/*
 * Puts indices of tests, ascending, in the order of their worth, and the sort of each in worths,
 * which has room for count. unclaimed: of each, true if the
 * implementation does not claim what it needs; NULL: none. False without memory.
 */
bool wcts_plan_by_worth(const struct wcts_plan *plan, const bool *unclaimed, int *selected,
                        enum wcts_plan_worth *worths, int count);

/* Counts tests of these sorts: all of them, and the first as reached. */
void wcts_plan_strength(struct wcts_plan_strength *strength, const enum wcts_plan_worth *worths,
                        int count, int reached);

/* A sweep that was counted as reached was so in part alone. */
void wcts_plan_strength_partly(struct wcts_plan_strength *strength, const struct wcts_plan *plan,
                               int index);

/* "every rule once; 88 of 3000 calls at one version": up to the first sort that is not whole. The
 * caller frees it; NULL without memory. */
char *wcts_plan_strength_text(const struct wcts_plan_strength *strength);

#endif
