/* SPDX-License-Identifier: MIT */
/*
 * The combinations that a suite sends: for each base call of the kernel the rows of a covering
 * array of valid calls, and for each rule that a member of it may break rows that break it alone,
 * with every combination, one place smaller, of all else.
 */
#ifndef WCTS_GENERATE_COMBINE_H
#define WCTS_GENERATE_COMBINE_H

#include "../base/arena.h"
#include "base_model.h"

/* Sorted by rule. Owned by whoever called wcts_generate_combine(). */
struct wcts_generate_combinations {
    struct wcts_combination *list;
    int count;
    int left_out; /* rows with more facts than a case has, and bases that are too large */
    struct wcts_arena *arena; /* holds their facts */
};

#define WCTS_GENERATE_STRENGTH_MIN 2

/* Those of each strength from 2 up to this one: of the valid rows; a rule's have one less, from the
 * first base that sends its structure, or of strength 2 on from all. False without memory. Always
 * the same for a spec. */
bool wcts_generate_combine(const struct wcts_spec *spec, int strength,
                           struct wcts_generate_combinations *combinations);
/* Of this strength alone. */
bool wcts_generate_combine_alone(const struct wcts_spec *spec, int strength,
                                 struct wcts_generate_combinations *combinations);
/* Puts them in the order of rules; those of one rule stay as they are. False without memory. */
bool wcts_generate_sort_by_rule(struct wcts_generate_combinations *combinations, int rules);
void wcts_generate_combinations_release(struct wcts_generate_combinations *combinations);

#endif
