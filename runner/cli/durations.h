/* SPDX-License-Identifier: MIT */
/* Parts that take as long as each other, by what cases took in an earlier run: --durations. */
#ifndef WCTS_CLI_DURATIONS_H
#define WCTS_CLI_DURATIONS_H

#include "../model/options.h"
#include "../plan/plan.h"

/*
 * Keeps the selected cases of the part of --shard, in plan order. Cases are dealt out from the
 * longest to the shortest, each to the part that has least so far; one that the earlier run does
 * not have counts as much as the average. So parts are disjoint and complete wherever the same run
 * and the same number of parts are given. Returns how many are left; -1, with a message, when the
 * run's journal cannot be read.
 */
int wcts_cli_durations_select(const struct wcts_options *options, const struct wcts_plan *plan,
                              int *selected, int count);

/* True if they can be read, or none are asked for; false with a message. For whoever has not yet
 * begun to write. */
bool wcts_cli_durations_are_there(const struct wcts_options *options);

#endif
