/* SPDX-License-Identifier: MIT */
/* TAP version 13, which all readers support: the plan, a line for each case, and a YAML block with
 * the reason for each that did not pass. A case is "not ok" when it failed or its set-up did; a
 * skipped case is "ok ... # SKIP reason", a waived one "not ok ... # TODO reason", which fails
 * nothing. With a declaration there is one more, "declaration". */
#ifndef WCTS_TAP_H
#define WCTS_TAP_H

#include "report.h"

/* A TAP stream: {stdout, 40} after the line "ok 40 - ...". */
struct wcts_report_tap {
    FILE *out; /* not owned */
    int count; /* test points so far */
};

/* Starts the stream for count cases; declared: and for what is declared. */
bool wcts_report_tap_begin(struct wcts_report_tap *tap, FILE *out, int count, bool declared);

/* Writes one case. output: of the plug-in; NULL: none. */
bool wcts_report_tap_case(struct wcts_report_tap *tap, const struct wcts_report_run *run,
                          const struct wcts_case *test, const struct wcts_result *result,
                          const char *output);

/* Ends the stream, with "Bail out!" when the run was stopped or did not start. */
bool wcts_report_tap_end(struct wcts_report_tap *tap, const struct wcts_report_run *run);

/* Writes the whole stream from the run directory. False with a message. */
bool wcts_report_tap_write(FILE *out, const struct wcts_report_run *run);

#endif
