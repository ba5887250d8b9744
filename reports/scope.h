/* SPDX-License-Identifier: MIT */
/*
 * What a run put to the test, of all that the implementation claims: counted case by case, for the
 * headline. A statement is in scope if some case of it needs nothing that is not claimed.
 */
#ifndef WCTS_SCOPE_H
#define WCTS_SCOPE_H

#include "../runner/model/claims.h"
#include "../runner/model/finding.h"
#include "../runner/plan/mustpass.h"

struct wcts_statement_scope {
    bool in;        /* some case needs only what is claimed */
    bool tested;    /* some case reached a verdict, and did not die on the way */
    bool there;     /* some case had something to see, or would have but for a missing operation */
    uint32_t lacks; /* capabilities for want of which cases of it were skipped */
    uint32_t
        pages; /* host pages that are not claimed and that cases of it have: sum of the sizes */
};

struct wcts_scope {
    const struct wcts_spec *spec;
    struct wcts_statement_scope *statements;
    struct wcts_rule_seen *rules[WCTS_MUSTPASS_ROLES];
    uint64_t implemented; /* operations: sum of wcts_operation_bit() */
    int unsupported[64];  /* cases that were skipped where an operation was not there, by its bit */
    uint64_t *accepted;   /* likewise, one a version */
    uint32_t *sides;      /* one a rule: sum of enum wcts_side, of those whose cases are about it */
};

/* False without memory. To be released either way. */
bool wcts_scope_init(struct wcts_scope *scope, const struct wcts_plan *plan);
void wcts_scope_release(struct wcts_scope *scope);

/* Counts a case of a side that the implementation has. statement: that the result is about. */
void wcts_scope_add(struct wcts_scope *scope, const struct wcts_plan *plan,
                    const struct wcts_case *test, const struct wcts_claims *claims, int statement,
                    const struct wcts_result *result);

/* The capabilities that the case needs and that are not claimed. */
uint32_t wcts_scope_lacking(const struct wcts_plan *plan, const struct wcts_case *test,
                            const struct wcts_claims *claims);

/* True if a rule counts for an implementation of these sides (sum of enum wcts_side; 0: nobody
 * knows, which is taken as both): a case of one of them is about it, or, when the plan has no case
 * of it, its feature belongs to one of them. A kernel is tested on what drivers answer, too. */
bool wcts_scope_counts_rule(const struct wcts_scope *scope, int rule, uint32_t sides);
/* True if a statement does: it can be tested, and a rule of it counts, or its feature does. */
bool wcts_scope_counts(const struct wcts_scope *scope, int statement, uint32_t sides);

/* The versions that are claimed: sum of wcts_version_bit(). */
uint64_t wcts_scope_versions(const struct wcts_spec *spec, const struct wcts_claims *claims);

/* ---- one feature ---- */

struct wcts_feature_scope {
    bool claimed; /* one of its operations is implemented, or its capability is claimed, and some
                   * statement of it is in scope */
    int in, tested, there; /* statements */
};

void wcts_scope_feature(const struct wcts_scope *scope, const struct wcts_claims *claims,
                        int feature, struct wcts_feature_scope *of);

/* The first operation of a core that was not accepted at one of the versions (sum of
 * wcts_version_bit()), as a message; -1: all were. Of the sides (sum of enum wcts_side) only;
 * *version is the first at which it was not. */
int wcts_scope_core_missing(const struct wcts_scope *scope, uint32_t sides, uint64_t versions,
                            int *version);

/* An operation that a capability is a promise of and that is not there, and the capability; 0:
 * there is none. */
uint32_t wcts_scope_promised(const struct wcts_scope *scope, const struct wcts_claims *claims,
                             uint32_t *capability);

/* The side that is under test in a case. */
enum wcts_side wcts_scope_side(const struct wcts_case *test);

/* Keeps, of each rule and of each base and scenario that shows it, the cases at the newest of the
 * versions (sum of wcts_version_bit()), and returns how many are left. */
int wcts_scope_newest(const struct wcts_plan *plan, uint64_t versions, int *selected, int count);

/* True if a statement can be tested at all. */
bool wcts_statement_testable(const struct wcts_statement *statement);
/* "ruled", "pending" or "not-testable". */
const char *wcts_statement_status(const struct wcts_statement *statement);

#endif
