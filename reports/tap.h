/* SPDX-License-Identifier: MIT */
/*
 * TAP, version 13, which all readers know: the plan, a line a case, and for each case that did not
 * pass a YAML block that says why. A case is "not ok" when its verdict breaks or
 * the set-up failed; what was not put to the test is "ok ... # SKIP reason", what is waived "not ok
 * ... # TODO reason", which fails nothing.
 */
#ifndef WCTS_TAP_H
#define WCTS_TAP_H

#include "report.h"

struct wcts_tap {
    FILE *out; /* not owned */
    int count; /* of test points so far */
};

/* Begins the stream; count: how many cases there will be. */
bool wcts_tap_begin(struct wcts_tap *tap, FILE *out, int count);

/* One case; output: what the plug-in wrote, NULL: nothing. */
bool wcts_tap_case(struct wcts_tap *tap, const struct wcts_run *run, const struct wcts_case *test,
                   const struct wcts_result *result, const char *output);

/* Ends it: says "Bail out!" when the run was stopped or did not start. */
bool wcts_tap_end(struct wcts_tap *tap, const struct wcts_run *run);

/* All of it, from the run directory of the run. False with a message. */
bool wcts_tap_write(FILE *out, const struct wcts_run *run);

#endif
