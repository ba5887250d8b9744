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

/* ---- what was not shown ---- */

/* Why a rule that applies was not shown on a side, and where: {KERNEL, a rule about locks, the
 * versions 1.0 to 3.2, "not claimed: KERNEL_LOCK ..."}. Valid until the visit returns. */
struct wcts_report_part {
    int side, rule;
    uint64_t versions; /* with this reason */
    const char *reason;
};

typedef void wcts_report_part_visit(void *context, const struct wcts_report_part *part);

/* Visits what was not shown of the rules of a statement, in the order of rules, sides and versions:
 * where a case of a rule that applies shows nothing, or none of it ran. visit may be NULL. Returns
 * how many there are; 0 of a statement that was not tested at all. */
int wcts_report_parts_each(const struct wcts_report_run *run, int statement,
                           wcts_report_part_visit *visit, void *context);

/* True if a statement was tested, and not all of it. */
bool wcts_report_is_in_part(const struct wcts_report_run *run, int statement);
/* True if a statement was tested, all of it, and there is nothing against it. */
bool wcts_report_is_proven(const struct wcts_report_run *run, int statement);
/* The same of a rule: shown on each side and at each version at which it applies. */
bool wcts_report_rule_is_proven(const struct wcts_report_run *run, int rule);

/* "parts" of run.json: of what was tested in part each statement, rule, side, versions, reason. */
json_t *wcts_report_parts_json(const struct wcts_report_run *run);
/* The elements "hidden" of a statement in the result XML. */
struct wcts_report_xml;
void wcts_report_parts_write(struct wcts_report_xml *xml, const struct wcts_report_run *run,
                             int statement);

#endif
