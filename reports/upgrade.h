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

/* True if that test of the plan is of such a rule, at one of these versions. */
bool wcts_report_upgrade_takes(const struct wcts_plan *plan, const struct wcts_claims *claims,
                               uint32_t upgrade, int test);

/* The interface version of the --upgrade that run.json has; 0: it has none. */
uint32_t wcts_report_upgrade_of(const struct wcts_spec *spec, const json_t *run);

/* The versions that run.json says are claimed, and those of its --upgrade. */
struct wcts_claims wcts_report_upgrade_claims(const struct wcts_spec *spec, const json_t *run);
/* Has the plan's tests at the versions at which those of the run are (runner/plan/claimed.h). False
 * without memory. */
bool wcts_report_upgrade_plan(struct wcts_plan *plan, const json_t *run);

/* Counts a result for the statement of the rule. False without memory. */
bool wcts_report_upgrade_count(struct wcts_report_run *run, const struct wcts_case *test, int rule,
                               const struct wcts_result *result);

enum wcts_report_upgrade_state {
    WCTS_UPGRADE_STATE_KEPT,
    WCTS_UPGRADE_STATE_BROKEN,
    WCTS_UPGRADE_STATE_DECLARED, /* broken as the profile declares */
    WCTS_UPGRADE_STATE_NOT_SHOWN,
    WCTS_UPGRADE_STATES
};

/* "kept", "cannot be shown". */
extern const char *const wcts_report_upgrade_states[WCTS_UPGRADE_STATES];

/* A statement that begins to bind: {the statement, "2.3", BROKEN, "KERNEL_ALLOCATION_CREATE
 * answered
 * ...", "wddm-cts replay ..."}. Valid until the visit returns. */
struct wcts_report_upgrade_row {
    const struct wcts_statement *statement;
    const char *since; /* the version with which its first rule begins */
    enum wcts_report_upgrade_state state;
    const char *reason;  /* NULL: it is kept */
    const char *command; /* that shows a breach again; NULL: there is none */
};

typedef void wcts_report_upgrade_visit(void *context, const struct wcts_report_upgrade_row *row);

/* Visits what begins to bind, by state, then in the order of the documents; nothing without
 * --upgrade. */
void wcts_report_upgrade_each(const struct wcts_report_run *run, wcts_report_upgrade_visit *visit,
                              void *context);

/* The name of the last version that is claimed; "none". */
const char *wcts_report_upgrade_from(const struct wcts_report_run *run);

/* The member "upgrade" of run.json; NULL without --upgrade. */
json_t *wcts_report_upgrade_json(const struct wcts_report_run *run);

/* "upgrade", for the summary; nothing without --upgrade. */
void wcts_report_upgrade_print(FILE *out, const struct wcts_report_run *run);

void wcts_report_upgrade_release(struct wcts_report_run *run);

#endif
