/* SPDX-License-Identifier: MIT */
/*
 * What is different: between two runs, and between two specs. A difference is an object, which
 * --json prints as it is and from which the text is made; docs/baselines.md shows both.
 */
#ifndef WCTS_DIFF_H
#define WCTS_DIFF_H

#include <jansson.h>

#include "../runner/baseline/baseline.h"
#include "../runner/plan/plan.h"

/*
 * {kind: "runs", a, b, differs, groups, statements, same, new_failures} of two run directories;
 * NULL, reported, when one cannot be read. The caller owns it.
 */
json_t *wcts_diff_runs(const char *a, const char *b);

/* One of the sides of a difference of specs: where it is, and its plan. */
struct wcts_diff_spec {
    const char *directory;
    const struct wcts_plan *plan;
};

/*
 * {kind: "specs", a, b, statements, rules, cases, orphaned} of two specs. baseline NULL: orphaned
 * is not there; else the waivers that match a case of a and none of b. The caller owns it. NULL,
 * reported, when the baseline does not fit the specs.
 */
json_t *wcts_diff_specs(const struct wcts_diff_spec *a, const struct wcts_diff_spec *b,
                        struct wcts_baseline *baseline, struct wcts_diagnostics *diagnostics);

/* Either kind in words. all: every case, not the first few of each statement. */
void wcts_diff_print(FILE *out, const json_t *difference, bool all);

/* 1 when there are failures that a had not, or waivers that b orphans; else 0. */
int wcts_diff_exit_code(const json_t *difference);

#endif
