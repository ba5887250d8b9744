/* SPDX-License-Identifier: MIT */
/* Which part of the cases a run takes: --shard, and what the engine that started it says. */
#ifndef WCTS_CLI_SHARD_H
#define WCTS_CLI_SHARD_H

#include "settings.h"

/*
 * Finds the part that --shard auto or --shard-env ask for, and prints what it took. False, with a
 * message that names variable and value, when there is none, or two contradict each other. Nothing
 * is done without these options.
 */
bool wcts_cli_shard_resolve(struct wcts_cli_settings *settings);

/*
 * Of the selected cases, keeps those of the part, in plan order: each N-th or, with --durations, so
 * many that all parts take as long as each other. Parts are disjoint, and together they are all.
 * Returns how many are left, with a message if none is; -1, with a message, when the durations
 * cannot be read.
 */
int wcts_cli_shard_select(const struct wcts_cli_settings *settings, const struct wcts_plan *plan,
                          int *selected, int count);

#endif
