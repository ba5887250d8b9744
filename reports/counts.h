/* SPDX-License-Identifier: MIT */
/* How many statements and rules a run proves, and what it does not show of those that were tested.
 */
#ifndef WCTS_COUNTS_H
#define WCTS_COUNTS_H

#include "report.h"

/* The numbers of statements and rules, the same in every report (docs/ci.md defines them). */
struct wcts_report_counts {
    int testable, pending; /* statements of the implementation's sides */
    int proven;            /* of the testable ones */
    int in_scope, tested;
    int in_part; /* of those that were tested (below) */
    int rules, proven_rules;
};

struct wcts_report_counts wcts_report_run_counts(const struct wcts_report_run *run);

/* True if a statement was tested, and not all of it. */
bool wcts_report_is_in_part(const struct wcts_report_run *run, int statement);
/* True if a statement was tested, all of it, and there is nothing against it. */
bool wcts_report_is_proven(const struct wcts_report_run *run, int statement);

/* "parts" of run.json: of what was tested in part each statement, rule, side, versions, reason. */
json_t *wcts_report_parts_json(const struct wcts_report_run *run);
/* The elements "hidden" of a statement in the result XML. */
struct wcts_report_xml;
void wcts_report_parts_write(struct wcts_report_xml *xml, const struct wcts_report_run *run,
                             int statement);

#endif
