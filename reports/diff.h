/* SPDX-License-Identifier: MIT */
/* Differences between two runs, and between two specs. A difference is an object, which --json
 * prints as it is, and from which the text is made; docs/baselines.md shows both. */
#ifndef WCTS_DIFF_H
#define WCTS_DIFF_H

#include <jansson.h>

#include "../runner/baseline/baseline.h"

/* The difference of two run directories: {kind: "runs", a, b, differs, groups, statements, same,
 * new_failures}. The caller owns it. NULL, with a message, when one cannot be read. */
json_t *wcts_report_diff_runs(const char *a, const char *b);

/* One of two specs to compare: its directory and its plan. */
struct wcts_report_diff_spec {
    const char *directory;
    const struct wcts_plan *plan;
};

/* The difference of two specs: {kind: "specs", a, b, statements, rules, cases, orphaned}. orphaned:
 * the waivers of baseline that match a case of a and none of b; missing when baseline is NULL. The
 * caller owns it. NULL, with a message, when the baseline does not fit the specs. */
json_t *wcts_report_diff_specs(const struct wcts_report_diff_spec *a,
                               const struct wcts_report_diff_spec *b,
                               struct wcts_baseline *baseline,
                               struct wcts_diagnostics *diagnostics);

/* Prints a difference of either kind. all: every case, not only the first of each statement. */
void wcts_report_diff_print(FILE *out, const json_t *difference, bool all);

/* 1 when b has new failures or orphaned waivers, else 0; WCTS_EXIT_NOTHING when a run has not
 * ended. */
int wcts_report_diff_exit_code(const json_t *difference);

#endif
