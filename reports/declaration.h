/* SPDX-License-Identifier: MIT */
/* Declarations (runner/model/declaration.h): written from what an implementation claims and has,
 * and compared with it. */
#ifndef WCTS_REPORT_DECLARATION_H
#define WCTS_REPORT_DECLARATION_H

#include "report.h"

/* Writes the declaration of the implementation of a run: its claims, and the features of which the
 * run saw an operation. False if it cannot be written. */
bool wcts_report_declaration_write(FILE *out, const struct wcts_report_run *run);

/* Sets run->lacking to what the declaration of the run has and the implementation has not, in the
 * order of the file. Features are compared as far as the run can show them. Without a declaration
 * what was read stays. */
void wcts_report_declaration_compare(struct wcts_report_run *run);

/* The member "declaration" of run.json; NULL without one; and the way back, which returns true. */
json_t *wcts_report_declaration_json(const struct wcts_report_run *run);
bool wcts_report_declaration_read(struct wcts_report_run *run, const json_t *value);

/* "FILE:4: declared driver: kind "texture", found kinds: plain"; the caller frees it. */
char *wcts_report_declaration_line(const struct wcts_report_run *run, int index);

void wcts_report_declaration_release(struct wcts_report_run *run);

#endif
