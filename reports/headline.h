/* SPDX-License-Identifier: MIT */
/*
 * The end of a run: its conclusion, its exit status and its last line, from one table. The last
 * line states the scope: features, statements, versions, level. For example
 *     conforms: memory, paging; 120 of 130 statements; WDDM 2.0 to 3.2; level documented
 */
#ifndef WCTS_HEADLINE_H
#define WCTS_HEADLINE_H

#include "report.h"

/* Sets conclusion, headline and exit code, and sorts causes and reasons. Call it when end and all
 * counts are set. */
void wcts_report_run_conclude(struct wcts_report_run *run);

/* Changes the end to stopped, although all cases have a result: it could not be written. */
void wcts_report_run_fail(struct wcts_report_run *run, const char *error);

#endif
