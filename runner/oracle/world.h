/* SPDX-License-Identifier: MIT */
/*
 * Rules are evaluated in a world: instances of structures with a value for each member, at a
 * version and page size. The planner makes worlds from bases and changes facts in them; the judge
 * makes them from answers of a driver.
 */
#ifndef WCTS_WORLD_H
#define WCTS_WORLD_H

#include "../model/test.h"

#define WCTS_GPU_PAGE UINT64_C(4096)

/* The value of a pointer to a companion, known when the message is built. */
#define WCTS_SYMBOL_AUTO (-2)

/* A structure in a world: an allocation info to which hAllocation of instance 0 points is
 * {.parent = 0, .present = true, .values = {...}}. Owned by the world, with its values. */
struct wcts_oracle_world_instance {
    int structure;
    int parent;           /* instance that points to it, or -1 */
    struct wcts_ref at;   /* the pointer member; structure -1: none */
    struct wcts_ref when; /* see struct wcts_instance */
    bool unless;
    int least; /* see struct wcts_instance */
    bool present;
    /* The number of instances when the kernel destroyed the allocation; 0: it did not. */
    int ended;
    const char *name;
    struct wcts_value *values; /* one for each member of the structure */
};

static inline bool wcts_oracle_is_refusal(enum wcts_expect expect)
{
    return expect == WCTS_EXPECT_REFUSE || expect == WCTS_EXPECT_ASSERT;
}

/* Bits of a word at a version. */
struct wcts_oracle_masks {
    uint64_t defined; /* flags that exist */
    uint64_t open;    /* not judged */
    uint64_t gated;   /* owned by a gate rule */
};

/* Indices of a spec for fast evaluation; made once, owned by whoever called
 * wcts_oracle_eval_init(). */
struct wcts_eval {
    const struct wcts_spec *spec;
    struct wcts_oracle_masks *masks; /* word * version_count + version */
    bool *binds;                     /* rule * version_count + version */
    bool *left_open;                 /* structure: some instance of it may be left open */
    uint8_t **page_states;           /* symbol -> state of each page of a reservation, else NULL */
    int *rules;                      /* rule indices, grouped by structure */
    int *shared;       /* member -> next member in the same storage, or -1; see first_member */
    int *first_member; /* structure -> position of its member 0 in shared */
    int *first;        /* structure -> first position in rules; structure_count + 1 of them */
};

/* A world; the caller of an init function releases it. */
struct wcts_world {
    const struct wcts_eval *eval;
    int version;
    uint32_t page_size;
    int base;              /* or -1 */
    int adapter_count;     /* the first instances, which are answers of the scripted driver */
    const char *malformed; /* the unreadable part of the answers that it was made from, or NULL */
    int count;
    struct wcts_oracle_world_instance *instances;
    /* For each instance the bits of each member whose value is not known, so that a rule that is
     * broken all the same is broken whatever they are; NULL: all is known. Borrowed. */
    const uint64_t *const *hidden;
};

/* What the rules predict for the call of a world: {ACCEPT, ACCEPT}, or {REFUSE, REFUSE, {17}, 1, 1}
 * if it breaks rule 17, a must. */
struct wcts_oracle_prediction {
    enum wcts_expect expect, strict;
    int broken[8]; /* rules, the first of them */
    int broken_count;
    int must_broken; /* broken rules that refuse or assert */
};

bool wcts_oracle_eval_init(struct wcts_eval *eval, const struct wcts_spec *spec);
void wcts_oracle_eval_release(struct wcts_eval *eval);

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

/* Appends the structures that a step sends; false without memory. */
bool wcts_world_add_step(struct wcts_world *world, const struct wcts_step *step);
/* Sets the flags of a step's instances, the first of which is given, that a parameter of the
 * scenario decides: symbols has its value. */
void wcts_world_put_flags(struct wcts_world *world, int first, const struct wcts_step *step,
                          const struct wcts_symbols *symbols);

/* Sets a member or a flag of an instance. After the last, settle determines which companions are
 * present. */
void wcts_world_put(struct wcts_world *world, int instance, struct wcts_ref ref,
                    struct wcts_value value);
void wcts_world_settle(struct wcts_world *world);
/* Before flags that decide about companions are set anew: all are there, and nothing points at them
 * yet. */
void wcts_oracle_unsettle(struct wcts_world *world);
/* Leaves out the other instances of the same structure in the driver's answers, and settles. */
void wcts_oracle_alone(struct wcts_world *world, int instance);
struct wcts_value wcts_world_get(const struct wcts_world *world, int instance, struct wcts_ref ref);

/* The bits of a member, or its flag's, that are not known. */
static inline uint64_t wcts_world_hidden(const struct wcts_world *world, int instance,
                                         struct wcts_ref ref)
{
    uint64_t hidden = world->hidden ? world->hidden[instance][ref.member] : 0;
    if (ref.flag >= 0 && hidden) {
        const struct wcts_spec *spec = world->eval->spec;
        const struct wcts_member *member = wcts_model_ref_member(spec, ref);
        hidden &= UINT64_C(1) << spec->words[member->word].flags[ref.flag].bit;
    }
    return hidden;
}

/* The instance to which a structure refers in a rule about an instance, or -1. */
int wcts_world_resolve(const struct wcts_world *world, int instance, int structure);

/* Evaluates a rule for an instance, and for all. The caller checks the rule's versions. */
enum wcts_truth wcts_oracle_rule_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance);
enum wcts_truth wcts_oracle_rule_ask_all(const struct wcts_world *world,
                                         const struct wcts_rule *rule, int *where);

/* True if the conditions of a rule or effect hold for an instance. */
bool wcts_oracle_conditions_hold(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int instance);

/* Evaluates the n-th condition of a rule; and the form of a rule without its conditions. */
bool wcts_oracle_condition_holds(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int n, int instance);
enum wcts_truth wcts_oracle_form_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance);

/* For an effect with a copied range: true if source and destination intersect; true if the source
 * has a page in one of the states. */
bool wcts_oracle_ranges_intersect(const struct wcts_world *world, const struct wcts_rule *rule,
                                  int instance);
bool wcts_oracle_source_has(const struct wcts_world *world, const struct wcts_rule *rule,
                            int instance, uint64_t states);

/* True if the rule binds at the version. */
bool wcts_oracle_rule_binds(const struct wcts_spec *spec, const struct wcts_rule *rule,
                            int version);

/* Evaluates all rules. */
void wcts_world_judge(const struct wcts_world *world, struct wcts_oracle_prediction *prediction);

/* True if no rule is broken, advice included, and the documents leave nothing open. */
bool wcts_world_is_valid(const struct wcts_world *world);

/* Evaluates the rules of an instance and adds to the prediction, which begins as {.expect = ACCEPT,
 * .strict = ACCEPT}. Returns true if the instance is left open. */
bool wcts_world_judge_one(const struct wcts_world *world, int instance,
                          struct wcts_oracle_prediction *prediction);

/* Its parts: adds a broken rule; concludes, open: some instance is left open; True if the instance
 * is. */
void wcts_oracle_prediction_add(struct wcts_oracle_prediction *prediction,
                                const struct wcts_spec *spec, int index);
void wcts_oracle_prediction_end(struct wcts_oracle_prediction *prediction, bool open);
bool wcts_oracle_left_open(const struct wcts_world *world, int instance);

/* True if the gap covers the world: its version, and what the gap is about. */
static inline bool wcts_oracle_gap_is_at(const struct wcts_gap *gap, int version)
{
    return version >= gap->since && version < gap->until;
}
bool wcts_oracle_gap_fits(const struct wcts_world *world, const struct wcts_gap *gap);
bool wcts_oracle_gap_covers(const struct wcts_world *world, const struct wcts_gap *gap);

/* The first gap that covers the world, so that no document decides its call; NULL: none. */
const struct wcts_gap *wcts_world_gap(const struct wcts_world *world);

const struct wcts_oracle_masks *wcts_oracle_eval_masks(const struct wcts_eval *eval, int word,
                                                       int version);

/* For each bit n of a word: the bits that valid values have beside it, and bit n itself if it is
 * valid alone. By the rules that read only this word. */
struct wcts_oracle_pairs {
    uint64_t valid[64];    /* values that break no rule */
    uint64_t bearable[64]; /* values that break none, or whose breach may be accepted */
};

/* The first rules that the call of a case breaks. Returns how many; 0 for a scenario or sequence,
 * or without memory. Slow: for texts that a person reads. */
#define WCTS_BREAKS_MAX 8
int wcts_oracle_case_breaks(const struct wcts_spec *spec, const struct wcts_case *test,
                            int rules[WCTS_BREAKS_MAX]);

/* The world of a base with facts applied. The caller releases it. */
bool wcts_oracle_case_world(struct wcts_world *world, const struct wcts_eval *eval,
                            const struct wcts_case *test, const struct wcts_fact *facts, int count);

#endif
