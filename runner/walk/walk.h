/* SPDX-License-Identifier: MIT */
/*
 * Sequences: calls that reserve, free, update, create and destroy, walked at random and compared
 * after every call with an interpreter of the effects on pages. What operations a call carries,
 * what they are allowed and what they bring about is read from the spec; nothing here knows one by
 * name. A walk depends on its seed and number alone, never on what an implementation answers.
 */
#ifndef WCTS_WALK_H
#define WCTS_WALK_H

#include "../machine/execute.h"

struct wcts_walker;

/* Steps of a walk: a case of the plan is one walk. */
#define WCTS_WALK_STEPS 100

/* Adds cases for that many steps to the plan: none, when the spec has no effect on pages. One that
 * has, but cannot be walked, is an error. */
bool wcts_walk_plan(struct wcts_plan *plan, uint64_t seed, int steps,
                    struct wcts_diagnostics *diagnostics);

/* Walks, and shrinks what fails. */
void wcts_walk_run(struct wcts_session *session, const struct wcts_case *one,
                   struct wcts_result *result);

/* Whether a scenario has the form of a sequence. */
bool wcts_walk_reads(const struct wcts_spec *spec, const struct wcts_scenario *scenario);

/* Walks the sequence of a scenario that expects an effect on pages; broken when it is none. */
void wcts_walk_run_scenario(struct wcts_session *session, const struct wcts_case *one,
                            struct wcts_result *result);

/* What a session keeps from walk to walk; NULL is nothing. */
void wcts_walk_free(struct wcts_walker *walk);

/* Adds up what walks did. */
void wcts_walk_numbers_add(struct wcts_walk_numbers *sum, const struct wcts_walk_numbers *more);

/* How many transitions of pages the spec has, and how many of them were seen. */
void wcts_walk_coverage(const struct wcts_spec *spec, const struct wcts_walk_numbers *numbers,
                        int *seen, int *all);

/* Those that were not seen, a line each: operation, state, "->", state; or "refused". Owned by the
 * caller; NULL without memory. */
char *wcts_walk_unseen(const struct wcts_spec *spec, const struct wcts_walk_numbers *numbers);

#endif
