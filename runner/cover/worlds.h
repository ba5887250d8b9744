/* SPDX-License-Identifier: MIT */
/* The calls of a plan as worlds. */
#ifndef WCTS_COVER_WORLDS_H
#define WCTS_COVER_WORLDS_H

#include "atom.h"

/* A call of the plan: of a case, or of its twin. */
struct wcts_cover_trial {
    const struct wcts_case *test;
    bool twin, accepted; /* it breaks no rule */
    struct wcts_world world;
};

/* All calls of a plan with what they are, and the conditions of all rules; trials that may be a
 * pair are neighbours. */
struct wcts_cover_worlds {
    struct wcts_cover *cover;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_cover_atoms *atoms;  /* one for each rule */
    struct wcts_cover_trial *trials; /* sorted by base, version and page size */
    int count;
};

/* Release it either way; eval is empty when init fails early. */
bool wcts_cover_worlds_init(struct wcts_cover_worlds *worlds, struct wcts_cover *cover);
void wcts_cover_worlds_release(struct wcts_cover_worlds *worlds);

/* Makes the world of a trial, which the caller releases. False when memory is short. */
bool wcts_cover_trial_world(struct wcts_cover_worlds *worlds, struct wcts_cover_trial *trial);
/* The same, and predicts whether the call is accepted. */
bool wcts_cover_trial_build(struct wcts_cover_worlds *worlds, struct wcts_cover_trial *trial);
/* True if the trial's world breaks the rule of its case, or its case belongs to a layout. */
bool wcts_cover_trial_begins(const struct wcts_cover_worlds *worlds,
                             const struct wcts_cover_trial *trial);
/* Stores what two trials show of a condition, unless more is known. */
void wcts_cover_trial_show(struct wcts_cover_decision *decision, enum wcts_cover_shown shown,
                           const struct wcts_cover_trial *one,
                           const struct wcts_cover_trial *other);

/* Pairs of trials, for rules and layouts. */
bool wcts_cover_pairs(struct wcts_cover_worlds *worlds);
/* Conditions that no pair shows: could a call show them (masks.c)? */
bool wcts_cover_masks(struct wcts_cover_worlds *worlds);
/* Places that no pair shows: do they ever have different values (values.c)? */
bool wcts_cover_values(struct wcts_cover_worlds *worlds);
/* Conditions of effects that depend on the request alone, in all calls (whens.c). Call it after
 * wcts_cover_records. */
bool wcts_cover_whens(struct wcts_cover_worlds *worlds);

#endif
