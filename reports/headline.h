/* SPDX-License-Identifier: MIT */
/*
 * The end of a run: its conclusion, its exit status and its last line, from one table. The last
 * line states the scope: features, statements, versions, level. For example
 *     conforms: memory, paging; 120 of 130 statements; WDDM 2.0 to 3.2; level documented
 */
#ifndef WCTS_HEADLINE_H
#define WCTS_HEADLINE_H

#include "report.h"

/* Works out headline and exit code and puts reasons in order, once end and all counts are there. */
void wcts_run_conclude(struct wcts_run *run);

/* Makes an end of the run that is no result, although all cases have one: what they came to could
 * not be written. */
void wcts_run_fail(struct wcts_run *run, const char *error);

#endif
