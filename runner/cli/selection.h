/* SPDX-License-Identifier: MIT */
/*
 * Selecting by the options of a command. A case is selected if its id matches some --filter and no
 * --exclude, if it is among the failures of --failed-of, at a version of --wddm, of a side of
 * --role and of a file of --case. An option that is not given selects everything.
 */
#ifndef WCTS_SELECTION_H
#define WCTS_SELECTION_H

#include "../plan/worth.h"
#include "suite.h"

/*
 * Selects cases, as indices in the plan. Returns an exit status: OK, USAGE for a wrong expression
 * or version, NOTHING (with near misses) if no case is left. The caller frees *selected.
 */
int wcts_cli_select_cases(struct wcts_cli_suite *suite, int **selected, int *count);

/*
 * Tests of which one version was drawn have one that is claimed from now on (plan/claimed.h):
 * selects from the plan as it is then. Returns how many are selected, -1 without
 * memory or, with a message, for a wrong option.
 */
int wcts_cli_select_again(struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                          int *selected, int count);

/*
 * Without --role a plug-in is tested on the sides that it has: keeps their cases and returns how
 * many are left, with a message if none is.
 */
int wcts_cli_select_sides(const struct wcts_cli_suite *suite, uint32_t sides, int *selected,
                          int count);

/*
 * Of --max-cases: keeps the cases that are worth most, in plan order, and counts in strength how
 * far they reach; without it, all, and nothing is counted. With --budget they are left in the order
 * of their worth, and worths, which the caller frees, has the sort of each, also of those that are
 * not kept. claims: what is not claimed is worth nothing; NULL: they are not known. Returns how
 * many are left, -1 without memory.
 */
int wcts_cli_select_worth(const struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                          int *selected, int count, struct wcts_plan_strength *strength,
                          enum wcts_plan_worth **worths);

/* Of --upgrade: keeps the cases of what begins to bind, at the versions behind the last that the
 * implementation claims itself, and returns how many are left. */
int wcts_cli_select_upgrade(const struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                            int *selected, int count);

/* All of that for what an implementation claims: its sides, of --suite smoke its newest version,
 * and what is worth most. worth_count: of how many cases worths has the sort. */
int wcts_cli_select_claimed(struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                            int *selected, int count, struct wcts_plan_strength *strength,
                            enum wcts_plan_worth **worths, int *worth_count);

/* True if the run leaves out what the implementation could be asked. */
bool wcts_cli_leaves_out(const struct wcts_cli_suite *suite, const struct wcts_claims *claims);

/* Of how many cases a part was selected. */
int wcts_cli_planned(const struct wcts_cli_suite *suite, bool narrowed);

/*
 * Selects statements by --filter and --exclude (their ids), --wddm (a version at which they bind)
 * and
 * --role (a side that they concern); statements has room for all. Returns an exit status as above.
 */
int wcts_cli_select_statements(const struct wcts_cli_suite *suite, bool *statements);

/* The versions of --wddm, by default all; false, with a message, if there is no such version. */
bool wcts_cli_select_versions(const struct wcts_cli_suite *suite, int *first, int *last);

/* Prints that there is no such case, rule or statement, with near misses. */
void wcts_cli_unknown_id(struct wcts_cli_suite *suite, const char *id);

#endif
