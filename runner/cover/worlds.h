/* SPDX-License-Identifier: MIT */
/* The calls that a plan has made, as worlds. */
#ifndef WCTS_COVER_WORLDS_H
#define WCTS_COVER_WORLDS_H

#include "atom.h"

/* A call that the plan has made: of a case, or of its twin. */
struct wcts_trial {
    const struct wcts_case *test;
    bool twin, accepted; /* it breaks no rule, so it is accepted */
    struct wcts_world world;
};

struct wcts_worlds {
    struct wcts_cover *cover;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_atoms *atoms;  /* one for each rule */
    struct wcts_trial *trials; /* those of one base, version and page size together */
    int count;
};

/* To be released either way; eval is empty when init fails before it is made. */
bool wcts_worlds_init(struct wcts_worlds *worlds, struct wcts_cover *cover);
void wcts_worlds_release(struct wcts_worlds *worlds);

/* Makes the world of a trial, to be released; false without memory. */
bool wcts_trial_build(struct wcts_worlds *worlds, struct wcts_trial *trial);
/* True if its world, which is there, breaks the rule of its case, or its case lays something out.
 */
bool wcts_trial_begins(const struct wcts_worlds *worlds, const struct wcts_trial *trial);
/* Keeps what two trials show of a condition, unless more is known of it. */
void wcts_trial_show(const struct wcts_worlds *worlds, struct wcts_decision *decision,
                     enum wcts_shown shown, const struct wcts_trial *one,
                     const struct wcts_trial *other);

/* What pairs of trials show of rules and layouts. */
bool wcts_cover_pairs(struct wcts_worlds *worlds);
/* Of conditions that no pair shows: whether some call could (masks.c). */
bool wcts_cover_masks(struct wcts_worlds *worlds);
/* Of places that no pair shows: whether they have different values at least (values.c). */
bool wcts_cover_values(struct wcts_worlds *worlds);
/* Of the conditions of effects that one call tells: all calls, not those of their cases alone
 * (whens.c). After the records of the effects' own cases. */
bool wcts_cover_whens(struct wcts_worlds *worlds);

#endif
