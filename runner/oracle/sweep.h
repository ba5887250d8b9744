/* SPDX-License-Identifier: MIT */
/*
 * The values of a flag word at a version, by the rules that they break: those that read nothing but
 * the word are turned into tables once, and then all values are gone through that break none of
 * them, or a certain one alone. The rest of the world is a base's; where a value needs companions,
 * such as a second structure behind a pointer, it is that of the base which has them.
 *
 *     rule   unless="Flags.A"  refuse="Flags.B"     inputs {A, B}     broken[] = {0, 0, 1, 0}
 *     words  0, A, A|B break none; B breaks it
 */
#ifndef WCTS_SWEEP_H
#define WCTS_SWEEP_H

#include "world.h"

#define WCTS_SWEEP_INPUTS 8
#define WCTS_SWEEP_RULES 48
#define WCTS_SWEEP_PLACES 8

/* A rule about the word alone. An input is set if the word has one of its bits: a flag has one,
 * "any other flag" has many. */
struct wcts_oracle_sweep_rule {
    int rule;
    bool must; /* its statement says so; else it is advice */
    int input_count;
    uint64_t inputs[WCTS_SWEEP_INPUTS];
    uint64_t reads;                                 /* the bits of all inputs */
    uint64_t broken[(1 << WCTS_SWEEP_INPUTS) / 64]; /* a bit for each combination of inputs */
};

/* Where a value can be: an instance of the world of a base. */
struct wcts_oracle_sweep_place {
    int base, instance;
    uint64_t word;  /* that the base has there */
    uint64_t knows; /* flags that have to do with companions, and with which it can deal */
};

/* Owned by whoever called an init function. */
struct wcts_oracle_sweep {
    const struct wcts_eval *eval;
    struct wcts_ref member; /* flag -1 */
    int version;
    uint32_t page_size;     /* of the host */
    uint64_t defined, open; /* bits; an open one is not judged */
    uint64_t gated;         /* bits that a rule about their version is about */
    uint64_t related;       /* bits that decide about a rule on their own */
    struct wcts_oracle_sweep_rule rules[WCTS_SWEEP_RULES];
    int rule_count;
    /* After wcts_oracle_sweep_places: */
    struct wcts_oracle_sweep_place places[WCTS_SWEEP_PLACES];
    int place_count;
    uint64_t companions; /* flags by which instances are there or not */
    uint64_t deciding;   /* bits that decide in which place a value is */
    int8_t *chosen;      /* by those bits: the place; -1: each breaks a rule besides; -2: not yet */
    struct wcts_world worlds[WCTS_SWEEP_PLACES];
    int world_count;
};

/* Which values: those that break no rule, those that break one alone, those that break several. */
enum wcts_oracle_sweep_set { WCTS_SWEEP_LEGAL, WCTS_SWEEP_EXACTLY, WCTS_SWEEP_SEVERAL };

/* The members with a word that a "must" restricts, the next one behind after (structure -1: the
 * first); structure -1 behind the last. */
struct wcts_ref wcts_oracle_sweep_next(const struct wcts_spec *spec, struct wcts_ref after);
/* The rule that says how the word of the member is laid out; -1: none. */
int wcts_oracle_sweep_layout(const struct wcts_spec *spec, struct wcts_ref member);

/* False if the member is not there at the version, or the rules about it cannot be put in tables.
 */
bool wcts_oracle_sweep_init(struct wcts_oracle_sweep *sweep, const struct wcts_eval *eval,
                            struct wcts_ref member, int version, uint32_t page_size);
/* Finds the places; false if there is none, or without memory. */
bool wcts_oracle_sweep_places(struct wcts_oracle_sweep *sweep);
void wcts_oracle_sweep_release(struct wcts_oracle_sweep *sweep);

/* The position in sweep->rules, -1: the rule is not about the word alone. */
int wcts_oracle_sweep_find(const struct wcts_oracle_sweep *sweep, int rule);
/* The rules that the value breaks, a bit for each in sweep->rules. */
uint64_t wcts_oracle_sweep_breaks(const struct wcts_oracle_sweep *sweep, uint64_t word);
/* True if the documents decide about the value, which is of the set. */
bool wcts_oracle_sweep_is_judged(const struct wcts_oracle_sweep *sweep,
                                 enum wcts_oracle_sweep_set set, uint64_t word);
/* The place for a value, -1: none. */
int wcts_oracle_sweep_place(struct wcts_oracle_sweep *sweep, uint64_t word);
/* The call with a value; NULL: there is none. Valid until the next one. */
struct wcts_world *wcts_oracle_sweep_world(struct wcts_oracle_sweep *sweep, uint64_t word);
/* Values with the same number have the same place, and the same companions. */
size_t wcts_oracle_sweep_pattern(const struct wcts_oracle_sweep *sweep, uint64_t word);

/* Calls visit for the values of a set, the fewest flags first, until it returns false. at: for
 * EXACTLY, the position in sweep->rules. For a rule about bits without a flag, these are taken
 * alone and in pairs. */
typedef bool wcts_sweep_visit(void *context, uint64_t word);
void wcts_oracle_sweep_each(const struct wcts_oracle_sweep *sweep, enum wcts_oracle_sweep_set set,
                            int at, wcts_sweep_visit *visit, void *context);

/* The set that a sweep of the plan goes through; at as for wcts_oracle_sweep_each. */
enum wcts_oracle_sweep_set wcts_oracle_sweep_set(const struct wcts_oracle_sweep *sweep,
                                                 const struct wcts_case *test, int *at);

#endif
