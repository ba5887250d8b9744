/* SPDX-License-Identifier: MIT */
/* Shared by the files of the planner. */
#ifndef WCTS_PLANNER_H
#define WCTS_PLANNER_H

#include "../../include/wddm-cts.h"
#include "../base/arena.h"
#include "../base/map.h"
#include "../lang/expr.h"
#include "../oracle/reads.h"
#include "plan.h"

#define WCTS_VALUES_MAX 96
#define WCTS_SLOTS_MAX 48

/* The host page sizes at which cases are planned. */
#define WCTS_PAGE_SIZES 3
extern const uint32_t wcts_page_sizes[WCTS_PAGE_SIZES];

/* The search changes no more places at once. */
#define WCTS_CHANGE_MAX 6

/* Facts that differ from a base: {1, {{2, {5, 0, 3}, {-1, 1}}}} sets flag 3 of member 0 of its
 * instance 2, of structure 5. A
 * value, copied freely. */
struct wcts_plan_change {
    int count;
    struct wcts_fact facts[WCTS_CHANGE_MAX];
};

/* A place in a world, of which a rule reads the fact: {2, {5, 0, 3}}. */
struct wcts_plan_slot {
    int instance;
    struct wcts_ref ref;
};

/* The places that a rule reads. */
struct wcts_plan_slots {
    int count, own; /* the first `own` are the rule's, the rest those of rules that share facts */
    struct wcts_plan_slot slots[WCTS_SLOTS_MAX];
};

/* Places, and those that rules which share members with them have beside them. */
struct wcts_plan_extension {
    bool known;
    struct wcts_plan_slots from, to;
};

/* What is known of a base without a change, at one version and page size. */
struct wcts_plan_base_state {
    bool known;
    bool clean;        /* True if it breaks nothing and leaves nothing open */
    uint64_t *covered; /* the gaps that cover it, a bit for each; NULL: not known */
};

/* A copy of the world of a base with a change: for the next change, only the instances of this one
 * are put right. */
struct wcts_plan_changed_world {
    struct wcts_world world;
    struct wcts_plan_change change;
    bool rearranged; /* True if the change may alter which instances are present */
    bool asked;      /* True if asks are those of the change */
    struct wcts_oracle_asks asks;
};

/* The world of a base, and those of the last two changes: a case and its twin take turns. */
struct wcts_plan_base_world {
    struct wcts_world pristine;
    struct wcts_plan_changed_world changed[2];
    int latest;                          /* in changed */
    struct wcts_plan_base_state *states; /* version * WCTS_PAGE_SIZES + index of the page size */
    struct wcts_plan_extension extension;
};

/* A prediction that may be wanted again: rules that read the same try the same changes. */
struct wcts_plan_remembered {
    int base; /* + 1; 0: none */
    int version;
    uint32_t page_size;
    struct wcts_plan_change change;
    struct wcts_oracle_prediction prediction;
};
#define WCTS_REMEMBERED 1024

/* A change that breaks a rule and no other. */
struct wcts_plan_solution {
    int base;
    int instance; /* of the rule's structure */
    struct wcts_plan_change broken;
};

/* The facts kept so far, by their hash; its size is 0 or a power of two. */
struct wcts_plan_facts_table {
    const struct wcts_facts **entries;
    size_t size, count;
};

/* The state of wcts_plan_make(), which owns it; the plan alone outlives it. */
struct wcts_planner {
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_oracle_reads reads;
    struct wcts_plan *plan;
    struct wcts_plan_base_world *base_worlds; /* one for each base */
    struct wcts_plan_remembered *remembered;  /* WCTS_REMEMBERED, by their hash */
    uint64_t *sharing;                        /* a bit for each rule, for the search */
    bool *wanted;                             /* of each rule: its tests are to be planned */
    int *version_edges;                       /* versions at which something changes, ascending */
    int version_edge_count;
    struct wcts_plan_facts_table facts;
    struct wcts_map names; /* of tests of this rule: the index in named */
    struct wcts_named *named;
    int named_count;
    struct wcts_diagnostics *diagnostics;
    bool few, newest_only; /* as in wcts_plan_options */
    int rule;              /* that is being planned */
    bool with_masks;       /* nothing breaks it alone: rules that mask it may be broken, too */
    uint32_t needs;        /* of its effect */
    int instance;          /* whose effect is planned, -1: none */
    const char *label;     /* of a layout case without facts: its member; NULL: none */
};

bool wcts_plan_base_world_init(struct wcts_planner *planner, int base);
void wcts_plan_base_world_release(struct wcts_planner *planner, int base);

/* The world of a base with a change applied, at a version and page size; valid until the next call
 * for that base. */
const struct wcts_world *wcts_plan_base_world_with(struct wcts_planner *planner, int base,
                                                   int version, uint32_t page_size,
                                                   const struct wcts_plan_change *change);
void wcts_plan_base_world_predict(struct wcts_planner *planner, int base, int version,
                                  uint32_t page_size, const struct wcts_plan_change *change,
                                  struct wcts_oracle_prediction *prediction);
const struct wcts_gap *wcts_plan_base_world_gap(struct wcts_planner *planner, int base, int version,
                                                uint32_t page_size,
                                                const struct wcts_plan_change *change);

/* A hash of its facts. */
uint64_t wcts_plan_change_hash(const struct wcts_plan_change *change);

/* Adds a fact, which replaces one of the same place; false if the change is full. */
bool wcts_plan_change_add(struct wcts_plan_change *change, int instance, struct wcts_ref ref,
                          struct wcts_value value);

/* The places that a rule reads in a world (search.c), and those of rules that share members with
 * it. */
void wcts_plan_slots_of(const struct wcts_planner *planner, const struct wcts_world *world,
                        const struct wcts_rule *rule, int instance, struct wcts_plan_slots *slots);
void wcts_plan_slots_extend(struct wcts_planner *planner, const struct wcts_world *world,
                            struct wcts_plan_slots *slots);
/* Values worth trying at a place for a rule; returns how many. */
int wcts_plan_candidates(const struct wcts_planner *planner, const struct wcts_world *pristine,
                         const struct wcts_rule *rule, const struct wcts_plan_slot *slot,
                         uint32_t page_size, struct wcts_value *values);

/* True if a prediction is evidence for or against the rule; true if it breaks the rule alone, or
 * with_masks. */
bool wcts_plan_is_evidence(const struct wcts_planner *planner, int rule,
                           const struct wcts_oracle_prediction *prediction);
bool wcts_plan_breaks_alone(const struct wcts_planner *planner, int rule,
                            const struct wcts_oracle_prediction *prediction);

/* Finds ways to break the rule alone at a version; returns how many (at most room). If there is
 * none, *mask is a rule that was always broken with it, -1 if nothing broke it. */
int wcts_plan_solve(struct wcts_planner *planner, int rule, int version,
                    struct wcts_plan_solution *solutions, int room, int *mask);

/* True if the rules accept the base with the change, at 4 KiB pages. */
bool wcts_plan_is_accepted(struct wcts_planner *planner, int base, int version,
                           const struct wcts_plan_change *change,
                           struct wcts_oracle_prediction *prediction);
/* Finds a change with this value that the rules accept; false if there is none. */
bool wcts_plan_find_accepted_with(struct wcts_planner *planner, int base, int version,
                                  const struct wcts_plan_slot *slot, struct wcts_value value,
                                  struct wcts_plan_change *change,
                                  struct wcts_oracle_prediction *best);

/* Adds the cases of a change: at each version at which its base exists and it is evidence. twin may
 * be NULL. */
void wcts_plan_emit(struct wcts_planner *planner, enum wcts_kind kind, int base,
                    const struct wcts_plan_change *change, const struct wcts_plan_change *twin);
void wcts_plan_emit_answer(struct wcts_planner *planner, int version, uint32_t page_size);
void wcts_plan_emit_combination(struct wcts_planner *planner,
                                const struct wcts_combination *combination);
/* How high the version is drawn for a test: that with the highest has it, if it has one. */
uint64_t wcts_plan_draw(const struct wcts_plan *plan, const struct wcts_test *test, int version);
/* The same for what is not of one rule. */
uint64_t wcts_plan_draw_named(const char *name, int version);
/* The default base of the rule being planned: the first in which its structure occurs. */
int wcts_plan_default_base(const struct wcts_planner *planner);

/* Plan the cases of one rule: rules.c, layout.c, effect.c. */
void wcts_plan_rule(struct wcts_planner *planner, int rule);
void wcts_plan_layout(struct wcts_planner *planner, int rule);
void wcts_plan_effect(struct wcts_planner *planner, int rule);
/* Plans the cases of the scenarios from this one that expect the effect; returns how many do. */
int wcts_plan_scenarios(struct wcts_planner *planner, int rule, int first);

/* True at a version of the scenario, whichever rules there are. */
bool wcts_plan_scenario_is_at(const struct wcts_scenario *scenario, int version);

/* The capabilities that a scenario needs to be carried out. */
uint32_t wcts_plan_scenario_needs(const struct wcts_spec *spec,
                                  const struct wcts_scenario *scenario);

/* keep.c: the facts of a change, which are kept once; NULL without memory. */
const struct wcts_facts *wcts_plan_keep_facts(struct wcts_planner *planner,
                                              const struct wcts_plan_change *change);

/* Adds a series unless it is the last one; its index, -1 on an error. */
int wcts_plan_keep_series(struct wcts_planner *planner, const struct wcts_series *series);
void wcts_plan_keep_test(struct wcts_planner *planner, struct wcts_test test);

/* Versions from the first up to until; whether the test ends otherwise before, and behind them. */
struct wcts_plan_span {
    int from, until;
    bool begins, ends;
};

/* Adds the tests of the rule at these versions, but for those whose ids, of which name, copied, is
 * the end, others have. */
void wcts_plan_keep(struct wcts_planner *planner, const struct wcts_series *series,
                    const char *name, const struct wcts_plan_span *span);
/* Forgets the names, at the end of a rule. */
void wcts_plan_names_release(struct wcts_planner *planner);

/* wanted.c: true if what has the id is planned; of each rule, if it is, or one that rests on it,
 * which the caller frees; NULL without memory. */
bool wcts_plan_wants(const struct wcts_plan_options *options, const char *id);
bool *wcts_plan_wanted_rules(const struct wcts_plan_options *options, const struct wcts_spec *spec);
/* Adds the sweeps of all words (sweep.c). */
void wcts_plan_sweeps(struct wcts_planner *planner, const struct wcts_plan_options *options);

/* True if the id of the test begins with these letters and a slash. */
bool wcts_plan_is_of(const struct wcts_plan *plan, int index, const char *id, size_t length);
/* "refuse", in an id. */
const char *wcts_plan_polarity(const struct wcts_series *series);

#endif
