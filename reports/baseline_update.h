/* SPDX-License-Identifier: MIT */
/* Updating a baseline from a run: keeps known failures, adds new ones, removes fixed ones. */
#ifndef WCTS_BASELINE_UPDATE_H
#define WCTS_BASELINE_UPDATE_H

#include "report.h"

/* The days until a new waiver expires. */
#define WCTS_NEW_WAIVER_DAYS 90

/* Writes waivers for all failures of the run to path, in the order of the plan. Waivers of the
 * run's baseline are kept unless they are outdated. The run and its baseline, if any, are
 * concluded. False with a message; path is then unchanged. */
bool wcts_report_baseline_update(const char *path, const struct wcts_report_run *run);

#endif
