/* SPDX-License-Identifier: MIT */
/* What to implement next: which operations and capabilities the skipped cases lack, and how many
 * cases adding them makes runnable. A case needs the operations of its base call or scenario and of
 * all steps before it. An operation that was never called, because an earlier one is missing,
 * counts as missing: the prediction is a minimum. Such operations are listed separately, in
 * brackets. */
#ifndef WCTS_NEXT_H
#define WCTS_NEXT_H

#include "../runner/model/claims.h"
#include "../runner/model/finding.h"
#include "../runner/model/test.h"

struct wcts_report_scope;

/* What a case lacks: sums of wcts_model_operation_bit() and of enum wcts_capability. */
struct wcts_report_lack {
    uint64_t operations;
    uint32_t capabilities;
};

/* A skipped case and what would have to be implemented for it. Example: {.lack = {.operations =
 * LOCK and UNLOCK}, .missing = LOCK, .statement = 7}: the first was called, and answered as
 * missing. */
struct wcts_report_lacking_case {
    struct wcts_report_lack
        lack;         /* operations: all that it needs, before wcts_report_next_conclude */
    uint64_t missing; /* operations answered as missing in this case */
    int statement;
};

/* Something to implement, and what it makes runnable. */
struct wcts_report_unlock {
    char *what; /* the names of operations with " + " between them; owned */
    int cases, statements;
    bool opens; /* true if it opens a core, which all cases of a side need */
};

#define WCTS_UNLOCKS_MAX 5

/* What to implement next, while the skipped cases are counted; wcts_report_next_conclude fills
 * unlocks. Example: .unlocks[0] = {"KERNEL_LOCK + KERNEL_UNLOCK", 120, 9}: the two make 120
 * cases of 9 statements runnable. */
struct wcts_report_next {
    const struct wcts_plan *plan;
    uint64_t setup;  /* operations that a case does without */
    uint64_t *steps; /* by step: the operations that it cannot do without */
    struct wcts_report_lacking_case *cases;
    int count;
    uint64_t missing; /* operations answered as missing in any case */
    struct wcts_report_unlock unlocks[WCTS_UNLOCKS_MAX]; /* best first, once concluded */
    int unlock_count;
};

bool wcts_report_next_init(struct wcts_report_next *next, const struct wcts_plan *plan);
void wcts_report_next_release(struct wcts_report_next *next);

/* Notes what the case lacks, if it was skipped for that. False when memory is short. */
bool wcts_report_next_add(struct wcts_report_next *next, const struct wcts_case *test,
                          const struct wcts_claims *claims, int statement,
                          const struct wcts_result *result);

/* Finds the unlocks when all cases are noted. False when memory is short. */
bool wcts_report_next_conclude(struct wcts_report_next *next,
                               const struct wcts_report_scope *scope);

/* Removes the unlocks. */
void wcts_report_next_clear(struct wcts_report_next *next);
/* Appends an unlock from run.json, up to WCTS_UNLOCKS_MAX. */
void wcts_report_next_keep(struct wcts_report_next *next, const char *what, int cases,
                           int statements);

#endif
