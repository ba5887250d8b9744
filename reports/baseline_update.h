/* SPDX-License-Identifier: MIT */
/* A baseline from a run: what it knew already stays, what is new is added, what is fixed goes. */
#ifndef WCTS_BASELINE_UPDATE_H
#define WCTS_BASELINE_UPDATE_H

#include "report.h"

/* For how many days a new waiver holds. */
#define WCTS_NEW_WAIVER_DAYS 90

/*
 * Writes waivers for all that fails in the run, in the order of the plan, in the place of path.
 * Waivers of the run's baseline are kept as they are unless nothing fails as they say. The run has
 * ended and its baseline, if it has one, is concluded. False with a message on standard error; path
 * is then as it was.
 */
bool wcts_baseline_update(const char *path, const struct wcts_run *run);

#endif
