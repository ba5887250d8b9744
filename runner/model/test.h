/* SPDX-License-Identifier: MIT */
/*
 * What a test is: a rule, the base call or the scenario that it is made from, what is changed in
 * it, and what is to come of it. For example DOC-NNN/refuse/wddm2_0/FLAG: the base call "start" at
 * WDDM 2.0 with one change, a flag of the segment that the driver describes; it is to be refused,
 * and its twin, the base call itself, to be accepted. Whoever plans fills it in; nobody changes it
 * then.
 */
#ifndef WCTS_TEST_H
#define WCTS_TEST_H

#include "cases.h"
#include "spec.h"

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

const char *wcts_kind_name(enum wcts_kind kind);
const char *wcts_expect_name(enum wcts_expect expect);

/* True if the fact is an answer of the scripted driver. */
bool wcts_fact_is_answer(const struct wcts_plan *plan, const struct wcts_case *test,
                         const struct wcts_fact *fact);

#endif
