/* SPDX-License-Identifier: MIT */
/*
 * The plan: every case that the spec gives, in spec order. It depends on the spec, the
 * cases directory and the suite alone, never on an implementation; what an implementation cannot
 * do becomes a skip when the case runs.
 */
#ifndef WCTS_PLAN_H
#define WCTS_PLAN_H

#include "../model/cases.h"
#include "../model/spec.h"

enum wcts_kind {
    WCTS_KIND_WITNESS,
    WCTS_KIND_BOUNDARY,
    WCTS_KIND_LAYOUT,
    WCTS_KIND_ANSWER,
    WCTS_KIND_EFFECT,
    WCTS_KIND_SCENARIO,
    WCTS_KIND_SEQUENCE, /* a random walk, see walk/ */
    WCTS_KIND_COUNT
};

/* What is to come of the call. OPEN: either outcome is right. */
enum wcts_expect {
    WCTS_EXPECT_ACCEPT,
    WCTS_EXPECT_REFUSE,
    WCTS_EXPECT_ASSERT, /* refused, or the implementation stops */
    WCTS_EXPECT_OPEN,
    WCTS_EXPECT_ANSWER /* driver under test: its answers keep the rule */
};

/* A value that differs from the base: of the call, or of an answer of the scripted driver. */
struct wcts_fact {
    int instance; /* index in the world's instances */
    struct wcts_ref ref;
    struct wcts_value value;
};

#define WCTS_FACTS_MAX 6

struct wcts_case {
    const char *id;
    int rule;      /* the rule that it is evidence for */
    int statement; /* the rule's */
    enum wcts_kind kind;
    enum wcts_expect expect;
    enum wcts_expect strict;    /* the same of an implementation that claims STRICT */
    const struct wcts_gap *gap; /* no document says whether it is accepted, for this; or NULL */
    int version;
    uint32_t page_size;
    int base;      /* index in cases->bases */
    bool driver;   /* the driver is under test; else the kernel */
    int instance;  /* effect: the instance of the rule's structure that it is about; else -1 */
    uint64_t seed; /* sequence: of the walk */
    uint32_t walk; /* sequence: its number */
    int fact_count;
    struct wcts_fact facts[WCTS_FACTS_MAX];
    const struct wcts_scenario *scenario; /* instead of a base; NULL: none */
    int values[WCTS_LOOPS_MAX];           /* which value of each of its loops */
    uint32_t needs;                       /* enum wcts_capability: without one it is skipped */
    bool edge; /* the like of it at the version before or after is not there, or ends otherwise */
    int twin_count; /* facts of the accepted twin; -1: no twin */
    struct wcts_fact twin[WCTS_FACTS_MAX];
    const struct wcts_gap *twin_gap; /* as gap, of the twin */
};

struct wcts_plan {
    const struct wcts_spec *spec;
    struct wcts_case *cases;
    int count;
    struct wcts_arena *arena;
};

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

/* Prints the case in words: statement, place, level, basis, what is sent, what is expected. */
void wcts_case_describe(FILE *out, const struct wcts_plan *plan, const struct wcts_case *one);

/* Why a call that is to be refused has to be: a line for each member that makes it so, with its
 * value and where it is, and one for each statement that it breaks, but for the case's own. "" of
 * any other case. The caller frees it; NULL without memory. */
char *wcts_wrong_text(const struct wcts_plan *plan, const struct wcts_case *one);

/* For each flag word and version: how many values are valid. One line each. */
void wcts_plan_print_counts(FILE *out, const struct wcts_plan *plan);

/* The rules that the call of the case breaks, the first so many. Returns how many; 0 of a scenario
 * or sequence, or without memory. It takes a while: for what a person reads. */
#define WCTS_BREAKS_MAX 8
int wcts_case_breaks(const struct wcts_spec *spec, const struct wcts_case *one,
                     int rules[WCTS_BREAKS_MAX]);

const char *wcts_kind_name(enum wcts_kind kind);
const char *wcts_expect_name(enum wcts_expect expect);

#endif
