/* SPDX-License-Identifier: MIT */
/*
 * A test: a rule, the base call or scenario that it is made from, the changes to it, and the
 * expected outcome. The plan fills it in; nobody changes it afterwards.
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
    WCTS_KIND_SEQUENCE,    /* a random walk */
    WCTS_KIND_SWEEP,       /* a set of values of a flag word, each in a call */
    WCTS_KIND_COMBINATION, /* a row of a covering array */
    WCTS_KIND_TOUR,        /* a random walk over all operations of the kernel */
    WCTS_KIND_COUNT
};

/* The expected outcome of the call. OPEN: either is right. */
enum wcts_expect {
    WCTS_EXPECT_ACCEPT,
    WCTS_EXPECT_REFUSE,
    WCTS_EXPECT_ASSERT, /* refused, or the implementation stops */
    WCTS_EXPECT_OPEN,
    WCTS_EXPECT_ANSWER /* driver under test: its answers keep the rule */
};

/* A value that differs from the base: of the call, or of an answer of the scripted driver.
 * Example: {.instance = 0, .ref = the flag Shared, .value = 1}: the request with that flag set. */
struct wcts_fact {
    int instance; /* index in the world's instances */
    struct wcts_ref ref;
    struct wcts_value value;
};

#define WCTS_FACTS_MAX 12

/* Facts that are kept once, however many tests have them: {1, {{2, {5, 0, 3}, {-1, 1}}}}. */
struct wcts_facts {
    int count;
    struct wcts_fact facts[];
};

/* A call that was made of many facts at once, for the plan: of twin NULL, one that breaks
 * nothing; else one that breaks the rule alone, and its twin, which differs in one place,
 * nothing. Example: {.rule = 12, .base = 3, .version = 8, .strength = 2, .page_size = 4096, five
 * facts, four facts}. */
struct wcts_combination {
    int rule; /* that it breaks, or comes next to */
    int base, version;
    int state;    /* 1 + index in cases->states, 0: none */
    int strength; /* of the array that it is a row of */
    uint32_t page_size;
    const struct wcts_facts *facts, *twin;
};

/*
 * What tests have in common that differ in their version, or in the values of a scenario, alone.
 * Example: rule "DOC-NNN", base "start" with one fact, a flag of the segment that the driver
 * describes, expect REFUSE, name "/FLAG" behind the version in the ids.
 */
struct wcts_series {
    int rule;     /* that they are evidence for */
    int base;     /* index in cases->bases; -1: none */
    int state;    /* 1 + index in cases->states: the state in which it is performed; 0: none */
    int scenario; /* index in cases->scenarios, instead of a base; -1: none. Of a walk: where its
                   * moves are from */
    int instance; /* effect: the instance of the rule's structure that is its subject; else -1 */
    uint32_t page_size;
    uint32_t needs; /* enum wcts_capability: skipped without these */
    enum wcts_kind kind : 8;
    enum wcts_expect expect : 8;
    enum wcts_expect strict : 8;     /* expected of an implementation that claims STRICT */
    bool driver;                     /* True if the driver is under test, else the kernel */
    const struct wcts_gap *gap;      /* why no document requires that it is accepted; or NULL */
    const struct wcts_gap *twin_gap; /* as gap, of the twin */
    const struct wcts_facts *facts;  /* NULL: none */
    const struct wcts_facts *twin;   /* of the accepted twin; NULL: no twin */
    const char *name;                /* the end of their ids; NULL: of a scenario or sequence */
    bool swept;                      /* True for a sweep, and for one value of it */
    int alone;    /* 1 + the answer of the driver that is the only one of its sort; 0: none */
    int strength; /* combination: that of the array that it is a row of */
};

/* A test of the plan: the series that it belongs to, and how it differs from the others.
 * Example: {.series = 40, .number = 0, .version = 4}: what series 40 does, at WDDM 2.0. */
struct wcts_test {
    int series;
    uint32_t number; /* scenario: which value of each loop, the last one fastest; sequence, walk:
                      * which; sweep: how many values at most, 0: all */
    uint16_t version;
    bool edge; /* True if the same test at a version next to it is missing or ends otherwise */
};

#define WCTS_ID_ROOM 512

/*
 * A test as its users see it, a value that wcts_plan_case() makes from the plan. Example: id
 * "DOC-NNN/refuse/wddm2_0/FLAG" is the base call
 * "start" at WDDM 2.0 with one fact, a flag of the segment that the driver describes, and expect
 * REFUSE; its twin, with twin_count 0, is the base call itself, which must be accepted.
 */
struct wcts_case {
    int index;     /* in the plan */
    int rule;      /* that it is evidence for */
    int statement; /* the rule's */
    enum wcts_kind kind;
    enum wcts_expect expect;
    enum wcts_expect strict;    /* expected of an implementation that claims STRICT */
    const struct wcts_gap *gap; /* why no document requires that it is accepted; or NULL */
    int version;
    uint32_t page_size;
    int base;       /* index in cases->bases */
    int state;      /* 1 + index in cases->states: the state in which it is performed; 0: none */
    bool driver;    /* True if the driver is under test, else the kernel */
    int instance;   /* effect: the instance of the rule's structure that is its subject; else -1 */
    bool swept;     /* True for a sweep, and for one value of it */
    uint32_t limit; /* sweep: how many values at most, 0: all. Its fact is the smallest one */
    int alone;      /* 1 + the answer of the driver that is the only one of its sort; 0: none */
    uint64_t seed;  /* sequence, walk: by which it is drawn */
    uint32_t walk;  /* ... and its number */
    const struct wcts_scenario *moves;    /* walk: where its moves are from; else NULL */
    const struct wcts_scenario *scenario; /* instead of a base; NULL: none */
    int values[WCTS_LOOPS_MAX];           /* which value of each of its loops */
    uint32_t needs;                       /* enum wcts_capability: skipped without these */
    const struct wcts_gap *twin_gap;      /* as gap, of the twin */
    int twin_count;                       /* facts of the accepted twin; -1: no twin */
    int fact_count;
    struct wcts_fact facts[WCTS_FACTS_MAX];
    struct wcts_fact twin[WCTS_FACTS_MAX];
    char id[WCTS_ID_ROOM];
};

/* The tests of a spec, in plan order; the series' facts and names are in its arena, the spec is not
 * owned. Example: tests[0] is the test that wcts_plan_case(plan, 0, &test) makes, with id
 * "DOC-001/refuse/wddm2_0/FLAG"; count 9,000. An index of a test in tests is what workers and the
 * journal call its index. */
struct wcts_plan {
    const struct wcts_spec *spec;
    struct wcts_test *tests;
    int count;
    struct wcts_series *series;
    int series_count;
    uint64_t seed; /* of sequences */
    struct wcts_arena *arena;
    /* The first tests as planned, if some were moved (plan/claimed.h); else NULL. */
    struct wcts_test *planned;
    int planned_count;
    int planned_series; /* how many series they had */
};

const char *wcts_model_kind_name(enum wcts_kind kind);
/* True for sequences and walks, which are drawn from a seed and a number, and are of no rule. */
static inline bool wcts_model_is_drawn(enum wcts_kind kind)
{
    return kind == WCTS_KIND_SEQUENCE || kind == WCTS_KIND_TOUR;
}
const char *wcts_model_expect_name(enum wcts_expect expect);

/* True if the fact is an answer of the scripted driver. */
bool wcts_model_fact_is_answer(const struct wcts_plan *plan, const struct wcts_case *test,
                               const struct wcts_fact *fact);

#endif
