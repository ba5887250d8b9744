/* SPDX-License-Identifier: MIT */
/*
 * Tests that the plan has at one version, which was drawn for them, performed at another one.
 *
 * States of bases, larger host pages, rows of arrays, sequences and walks multiply the tests, so
 * that each of them has one version of those at which it would be a test. The plan is made before
 * anybody knows what an implementation claims; of an implementation that does not claim the version
 * drawn, such a test is performed at a version that it claims: the one of them that the draw
 * prefers. What the rules predict there is asked then, so that a plan costs no more for it.
 *
 *     RULE/accept/wddm3_2/evicted/BASE        as planned
 *     RULE/accept/wddm2_0/evicted/BASE        the same, of an implementation that claims 2.0 alone
 *
 * Scenarios that are planned at a few versions are performed between them, or behind the last if
 * they say so (or-later), where none of theirs is claimed.
 *
 * Which test of the plan it is does not change, nor how many there are; its id has the version at
 * which it is performed. So an id means the same call everywhere, and an implementation that claims
 * all versions has the tests of the plan.
 */
#ifndef WCTS_CLAIMED_H
#define WCTS_CLAIMED_H

#include "plan.h"

/* Moves tests to these versions (sum of wcts_plan_version_bit()): those that have one version that
 * is none of them, if there is one of them at which they are tests; those that were moved before
 * are as planned first. Before anything is selected from the plan by version. False without memory.
 */
bool wcts_plan_claim(struct wcts_plan *plan, uint64_t versions);

/* True if wcts_plan_claim() may move the test. */
bool wcts_plan_may_move(const struct wcts_plan *plan, int index);

/* Index of the case with this id, which the plan may have at another version; then it is added
 * behind all others. -1: there is none. */
int wcts_plan_find_anywhere(struct wcts_plan *plan, const char *id);
/* True if there is one; nothing is added. */
bool wcts_plan_is_anywhere(struct wcts_plan *plan, const char *id);

#endif
