/* SPDX-License-Identifier: MIT */
/* --upgrade: the statements that begin to bind between what an implementation claims and a later
 * version, and what a run of their cases showed of each. */
#ifndef WCTS_UPGRADE_H
#define WCTS_UPGRADE_H

#include "report.h"

/* True if the rule begins to bind behind the last version that is claimed, up to that of
 * --upgrade. */
bool wcts_report_upgrade_begins(const struct wcts_spec *spec, const struct wcts_claims *claims,
                                uint32_t upgrade, int rule);

/* Counts a result for the statement of the rule. False without memory. */
bool wcts_report_upgrade_count(struct wcts_report_run *run, const struct wcts_case *test, int rule,
                               const struct wcts_result *result);

/* The member "upgrade" of run.json; NULL without --upgrade. */
json_t *wcts_report_upgrade_json(const struct wcts_report_run *run);

/* "upgrade", for the summary; nothing without --upgrade. */
void wcts_report_upgrade_print(FILE *out, const struct wcts_report_run *run);

void wcts_report_upgrade_release(struct wcts_report_run *run);

#endif
