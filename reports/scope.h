/* SPDX-License-Identifier: MIT */
/* The scope of a run: what it tested of all that the implementation claims, counted case by case
 * for the headline. A statement is in scope if one of its cases needs only what is claimed: a
 * feature is claimed by any of its operations, and the others are then missing. */
#ifndef WCTS_SCOPE_H
#define WCTS_SCOPE_H

#include "../runner/model/claims.h"
#include "../runner/model/finding.h"
#include "../runner/plan/mustpass.h"
#include "part.h"

/* Different sets of missing operations that are kept for a statement. */
#define WCTS_LACKED_MAX 8

/* Whether a statement is in scope, and if not, what is missing. Example: {.in = false, .there =
 * true, .lacked = {LOCK, MAP}, .lacked_count = 2}: some cases lack the one operation, some the
 * other. */
struct wcts_report_statement_scope {
    bool in;        /* a case needs only what is there */
    bool claimed;   /* ... or lacks operations of claimed features alone; once settled */
    bool tested;    /* a case reached a verdict without a death */
    bool there;     /* a case was applicable, possibly except for a missing operation */
    uint32_t lacks; /* capabilities that its skipped cases lack */
    uint32_t pages; /* page sizes of its cases that are not claimed: sum */
    uint64_t lacked[WCTS_LACKED_MAX]; /* operations that a case lacks, and it lacks nothing else */
    int lacked_count;
};

/* Why cases that others of the driver's kinds show show nothing of one. For example: {.name =
 * "texture", .why = "not created: DRIVER_ALLOCATION_CREATE answered INVALID_PARAMETER
 * (0xC000000D)", .refused = true, .cases = 554}, with the statements of these cases. */
struct wcts_report_unshown_kind {
    char *name, *why; /* owned */
    bool refused;     /* it was not created */
    bool *statements; /* of these cases, by index; owned */
    int cases;
    int through; /* of them those that passed and ask for each kind */
};

/*
 * What was tested, by statement, rule and operation. struct wcts_report_run owns it. For example,
 * of a statement that was skipped for want of a capability in all cases: statements[s] = {.in =
 * false, .tested = false, .lacks = WCTS_CAPABILITY_PROBE}
 */
struct wcts_report_scope {
    const struct wcts_spec *spec;
    struct wcts_report_statement_scope *statements;
    struct wcts_plan_rule_seen *rules[WCTS_MUSTPASS_ROLES];
    uint64_t implemented;    /* operations: sum of wcts_model_operation_bit() */
    int unsupported[64];     /* by bit: cases skipped because the operation is missing */
    uint64_t *accepted;      /* by version: operations, as above */
    uint32_t paged, unpaged; /* paging operations that a driver answered, and that it lacked */
    uint32_t *sides;         /* by rule: sum of enum wcts_side, from its cases */
    struct wcts_report_unshown_kind *kinds; /* in the order in which they came; owned */
    int kind_count;
    int through; /* cases that passed and ask for each kind */
    struct wcts_report_parts parts;
};

/* False without memory. To be released either way. Of a plan in part, sides has to be replaced by
 * those of the whole (wcts_plan_sides), from which all numbers of statements come. */
bool wcts_report_scope_init(struct wcts_report_scope *scope, const struct wcts_plan *plan);
void wcts_report_scope_release(struct wcts_report_scope *scope);

/* Counts a case of a side that the implementation has. statement: of the result. */
void wcts_report_scope_add(struct wcts_report_scope *scope, const struct wcts_plan *plan,
                           const struct wcts_case *test, const struct wcts_claims *claims,
                           int statement, const struct wcts_result *result);

/* Settles which statements are in scope, when all cases are counted. */
void wcts_report_scope_settle(struct wcts_report_scope *scope, const struct wcts_claims *claims);

/* The capabilities that the case needs and the implementation does not claim. */
uint32_t wcts_report_scope_lacking(const struct wcts_plan *plan, const struct wcts_case *test,
                                   const struct wcts_claims *claims);

/* True if a rule counts for an implementation of these sides (sum of enum wcts_side; 0: unknown,
 * counts as both): it has a case for one of them, or it has no case and its feature belongs to one.
 * Kernels are also tested by drivers' answers. */
bool wcts_report_scope_counts_rule(const struct wcts_report_scope *scope, int rule, uint32_t sides);
/* True if a statement counts: it is testable, and its feature or one of its rules counts. */
bool wcts_report_scope_counts(const struct wcts_report_scope *scope, int statement, uint32_t sides);

/* The versions that are claimed: sum of wcts_plan_version_bit(). */
uint64_t wcts_report_scope_versions(const struct wcts_spec *spec, const struct wcts_claims *claims);

/* Those of them at which a run has tests: of --upgrade, which raised the claims, the ones behind
 * the last that the implementation claims itself. */
uint64_t wcts_report_scope_claimed(const struct wcts_spec *spec, const struct wcts_claims *claims);

/* ---- one feature ---- */

/* A feature in a run: {.claimed = true, .in = 9, .tested = 8, .there = 12}: of 12 statements 9
 * are in scope, and a case of 8 had a verdict. */
struct wcts_report_feature_scope {
    bool claimed; /* an operation is implemented or the capability claimed, and a statement is in
                     scope */
    int in, tested, there; /* numbers of statements */
};

void wcts_report_scope_feature(const struct wcts_report_scope *scope,
                               const struct wcts_claims *claims, int feature,
                               struct wcts_report_feature_scope *of);

/* The first core operation of the sides (sum of enum wcts_side) that was not accepted at one of the
 * versions (sum of wcts_plan_version_bit()), as the index of its message; -1: none. *version: the
 * first one at which it was not accepted. */
int wcts_report_scope_core_missing(const struct wcts_report_scope *scope, uint32_t sides,
                                   uint64_t versions, int *version);

/* A missing operation that a claimed capability requires, and the capability; 0: none. */
uint32_t wcts_report_scope_promised(const struct wcts_report_scope *scope,
                                    const struct wcts_claims *claims, uint32_t *capability);

/* True if all cases that passed and ask for each kind were refused this one: it is not there. */
bool wcts_report_scope_never_created(const struct wcts_report_scope *scope, const char *kind);

/* The sides under test (sum of enum wcts_side) that statements with the role are about. */
uint32_t wcts_report_scope_sides_of_role(enum wcts_role role);

/* The side that a case tests; driver: of the case. */
enum wcts_side wcts_report_scope_side(bool driver);

/* Keeps the newest of the versions for the cases of each rule with the same base or scenario.
 * Returns how many cases are left. */
int wcts_report_scope_newest(const struct wcts_plan *plan, uint64_t versions, int *selected,
                             int count);

/* True if the statement is testable. */
bool wcts_report_statement_testable(const struct wcts_statement *statement);
/* "ruled", "pending" or "not-testable". */
const char *wcts_report_statement_status(const struct wcts_statement *statement);

#endif
