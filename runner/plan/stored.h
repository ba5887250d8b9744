/* SPDX-License-Identifier: MIT */
/*
 * The tests of all rules as a file that is made with the tool: to find them takes most of a start.
 * Numbers are those of the loaded spec, so that a file is good for one spec alone, the one with its
 * digest, and for the same with more scenarios (shared_digest); and it is good for the standard and
 * the full suite, which differ in combinations, sequences, walks and sweeps. Those are added as
 * they are without a file.
 *
 * Behind the first line come the numbers of tests in the whole plans of these suites, by the
 * strength of their combinations; for each rule a digit, the sides for which it has tests; the
 * numbers of series and tests, the bytes of what follows and
 * its checksum; then a line for each series, in the order of struct wcts_series, gaps by their
 * number, and a line for each test:
 *
 *     wddm-cts plan 5 SPEC-DIGEST
 *     tests 2 42520
 *     tests 3 114585
 *     sides 1311
 *     1 2 93 CHECKSUM
 *     14 3 -1 -1 4096 0 0 1 1 0 -1 -1 0 0 1 2 5 0 3 -1 1 -1 =/FLAG
 *     0 0 4 1
 *     0 0 5 0
 *
 * Facts are their number, or -1, and of each instance, structure, member, flag, symbol and value.
 */
#ifndef WCTS_PLAN_STORED_H
#define WCTS_PLAN_STORED_H

#include <stdio.h>

#include "plan.h"

/* The number of tests in a suite's whole plan. */
struct wcts_plan_total {
    int strength, tests;
};

/* Writes a plan without combinations, sequences, walks and sweeps. False if that fails. */
bool wcts_plan_store(const struct wcts_plan *plan, const struct wcts_plan_total *totals, int count,
                     FILE *out);

/* Reads such a file into an empty plan, which has none of the scenarios that were added then.
 * False, and the plan stays empty, if it is not there, is of another spec or is damaged: then all
 * has to be planned. */
bool wcts_plan_read_stored(struct wcts_plan *plan, const char *path);

/* What it says of a strength; -1 if it cannot be read. */
int wcts_plan_stored_total(const struct wcts_spec *spec, int strength, const char *path);

/* The sides of the rules of a spec in its whole plan, as wcts_plan_sides() has them; NULL if they
 * cannot be read. */
uint32_t *wcts_plan_stored_sides(const struct wcts_spec *spec, const char *path);

#endif
