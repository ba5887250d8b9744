/* SPDX-License-Identifier: MIT */
/*
 * A world is what a rule is asked about: instances of structures with a value for each member, at
 * one version and page size. The planner makes worlds from bases and changes facts in them; the
 * judge makes them from what a driver answered.
 */
#ifndef WCTS_WORLD_H
#define WCTS_WORLD_H

#include "../model/test.h"

#define WCTS_GPU_PAGE UINT64_C(4096)

/* Values of pointer members that lead to companions: known when the message is built. */
#define WCTS_SYMBOL_AUTO (-2)

struct wcts_world_instance {
    int structure;
    int parent;           /* instance that points to it, or -1 */
    struct wcts_ref at;   /* the pointer member; structure -1: none */
    struct wcts_ref when; /* see struct wcts_instance */
    bool unless;
    bool present;
    /* How many instances there were when the kernel gave the allocation back. 0: it did not. */
    int ended;
    const char *name;
    struct wcts_value *values; /* one for each member of the structure */
};

static inline bool wcts_is_refusal(enum wcts_expect expect)
{
    return expect == WCTS_EXPECT_REFUSE || expect == WCTS_EXPECT_ASSERT;
}

/* Bits of a word at a version. */
struct wcts_masks {
    uint64_t defined; /* flags that exist */
    uint64_t open;    /* not judged */
    uint64_t gated;   /* owned by a gate rule */
};

/* What evaluation needs beside the spec; made once. */
struct wcts_eval {
    const struct wcts_spec *spec;
    struct wcts_masks *masks; /* word * version_count + version */
    bool *binds;              /* rule * version_count + version */
    bool *left_open;          /* structure: some instance of it may be left open */
    uint8_t **page_states;    /* symbol -> state of each page of a reservation, else NULL */
    int *rules;               /* rule indices, grouped by structure */
    int *shared;       /* member -> next member in the same storage, or -1; see first_member */
    int *first_member; /* structure -> position of its member 0 in shared */
    int *first;        /* structure -> first position in rules; structure_count + 1 of them */
};

struct wcts_world {
    const struct wcts_eval *eval;
    int version;
    uint32_t page_size;
    int base;              /* or -1 */
    int adapter_count;     /* the first so many instances are the scripted driver's answers */
    const char *malformed; /* what of the answers it was made from cannot be read, or NULL */
    int count;
    struct wcts_world_instance *instances;
};

/* What the rules say of a world. */
struct wcts_prediction {
    enum wcts_expect expect, strict;
    int broken[8]; /* rules, the first so many */
    int broken_count;
    int must_broken; /* how many of all broken ones refuse or assert */
};

bool wcts_eval_init(struct wcts_eval *eval, const struct wcts_spec *spec);
void wcts_eval_release(struct wcts_eval *eval);

/* An empty world, or a base's. The caller releases it. */
void wcts_world_init(struct wcts_world *world, const struct wcts_eval *eval, int version,
                     uint32_t page_size);
bool wcts_world_init_base(struct wcts_world *world, const struct wcts_eval *eval, int base,
                          int version, uint32_t page_size);
/* The answers of an adapter alone. */
bool wcts_world_init_adapter(struct wcts_world *world, const struct wcts_eval *eval, int adapter,
                             int version, uint32_t page_size);
void wcts_world_release(struct wcts_world *world);

/* Appends an instance with all members 0; returns its index, -1 without memory. */
int wcts_world_add(struct wcts_world *world, int structure, const char *name, int parent,
                   struct wcts_ref at);

/* Appends what a step sends; false without memory. */
bool wcts_world_add_step(struct wcts_world *world, const struct wcts_step *step);

/* Sets a member or a flag of an instance; then settles which companions are there. */
void wcts_world_put(struct wcts_world *world, int instance, struct wcts_ref ref,
                    struct wcts_value value);
void wcts_world_settle(struct wcts_world *world);
struct wcts_value wcts_world_get(const struct wcts_world *world, int instance, struct wcts_ref ref);

/* The instance that a reference in a rule about instance means, or -1. */
int wcts_world_resolve(const struct wcts_world *world, int instance, int structure);

/* Asks one rule about one instance; asks it about all. The version range of the rule is the
 * caller's matter in the first. */
enum wcts_truth wcts_rule_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                              int instance);
enum wcts_truth wcts_rule_ask_all(const struct wcts_world *world, const struct wcts_rule *rule,
                                  int *where);

/* True if the conditions of a rule or effect hold for an instance. */
bool wcts_conditions_hold(const struct wcts_world *world, const struct wcts_rule *rule,
                          int instance);

/* One condition of a rule, the n-th; and the form of a rule without its conditions. */
bool wcts_condition_holds(const struct wcts_world *world, const struct wcts_rule *rule, int n,
                          int instance);
enum wcts_truth wcts_form_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                              int instance);

/* Of an effect with a copied range: whether source and destination intersect, and whether the
 * source has a page in one of the states. */
bool wcts_ranges_intersect(const struct wcts_world *world, const struct wcts_rule *rule,
                           int instance);
bool wcts_source_has(const struct wcts_world *world, const struct wcts_rule *rule, int instance,
                     uint64_t states);

/* True if the rule binds at the version. */
bool wcts_rule_binds(const struct wcts_spec *spec, const struct wcts_rule *rule, int version);

/* Asks all rules. */
void wcts_world_judge(const struct wcts_world *world, struct wcts_prediction *prediction);

/* True if no rule is broken, also none that only advises, and the documents leave nothing open. */
bool wcts_world_is_valid(const struct wcts_world *world);

/* Asks the rules of one instance and adds what they say to the outlook, which begins as
 * {.expect = ACCEPT, .strict = ACCEPT}. Returns true when the instance is left open. */
bool wcts_world_judge_one(const struct wcts_world *world, int instance,
                          struct wcts_prediction *prediction);

/* The first gap that the world falls in: no document says whether the call is accepted. NULL: none.
 */
const struct wcts_gap *wcts_world_gap(const struct wcts_world *world);

const struct wcts_masks *wcts_eval_masks(const struct wcts_eval *eval, int word, int version);

/* Bits of a word that values have beside bit n; bit n itself when it can stand alone. By the rules
 * that look at nothing else. */
struct wcts_pairs {
    uint64_t valid[64];    /* values that break no rule */
    uint64_t bearable[64]; /* values that break none, or of which either outcome is right */
};

/* Fills in pairs for the newest version at which a structure of the documents has the word, and
 * returns that version; -1: none has. */
int wcts_plan_pairs(const struct wcts_eval *eval, int word, struct wcts_pairs *pairs);

/* The rules that the call of the case breaks, the first so many. Returns how many; 0 of a scenario
 * or sequence, or without memory. It takes a while: for what a person reads. */
#define WCTS_BREAKS_MAX 8
int wcts_case_breaks(const struct wcts_spec *spec, const struct wcts_case *test,
                     int rules[WCTS_BREAKS_MAX]);

/* The world of a base with facts applied. The caller releases it. */
bool wcts_case_world(struct wcts_world *world, const struct wcts_eval *eval,
                     const struct wcts_case *test, const struct wcts_fact *facts, int count);

#endif
