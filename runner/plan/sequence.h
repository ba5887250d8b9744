/* SPDX-License-Identifier: MIT */
/* Sequences as cases of the plan: made by their seed and number, or read from a scenario. */
#ifndef WCTS_SEQUENCE_PLAN_H
#define WCTS_SEQUENCE_PLAN_H

#include "../base/diagnostics.h"
#include "../oracle/walk.h"

/* Adds cases for about that many steps: none if the spec has no effect on pages. Reports a spec
 * that has one, but lacks what a sequence needs. False without memory. */
bool wcts_plan_walks(struct wcts_plan *plan, uint64_t seed, int steps,
                     struct wcts_diagnostics *diagnostics);

/* True if a scenario has the form of a sequence. */
bool wcts_plan_walk_reads(const struct wcts_spec *spec, const struct wcts_scenario *scenario);

/* The same for the same seed and number on every machine. */
void wcts_plan_walk_generate(struct wcts_oracle_walk_sequence *sequence,
                             const struct wcts_oracle_walk_shape *shape, uint64_t seed,
                             uint32_t number);

/* What the calls of a sequence name, as values for whoever sends, writes or reads them: numbers, or
 * symbols of a scenario. */
struct wcts_plan_walk_names {
    struct wcts_value window; /* its address */
    struct wcts_value allocations[WCTS_WALK_ALLOCATIONS];
};

#define WCTS_WALK_CALL_INSTANCES 24
#define WCTS_WALK_CALL_SETS 320

/* The call of a step, a step like those of base.xml. Example: of = the step "map", step = a copy of
 * it with two operations instead of one. It owns nothing, and must not be moved. */
struct wcts_plan_walk_call {
    int of; /* the step of base.xml that it is made of */
    struct wcts_step step;
    struct wcts_instance instances[WCTS_WALK_CALL_INSTANCES];
    struct wcts_set sets[WCTS_WALK_CALL_SETS];
    int set_count;
    bool fits; /* false if there are more of them */
};

/* False if there is no room for it. count of a step that frees is that of what it frees. */
bool wcts_plan_walk_call(struct wcts_plan_walk_call *call,
                         const struct wcts_oracle_walk_shape *shape,
                         const struct wcts_plan_walk_names *names,
                         const struct wcts_oracle_walk_step *step);

/* The sequence of a scenario; false if a walk would not make exactly its calls. */
bool wcts_plan_walk_read(struct wcts_oracle_walk_sequence *sequence,
                         const struct wcts_oracle_walk_shape *shape,
                         const struct wcts_scenario *scenario);

#endif
