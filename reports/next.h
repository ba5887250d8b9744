/* SPDX-License-Identifier: MIT */
/*
 * What to implement next: of the cases that were skipped for want of something, which operations
 * and capabilities each one lacks, and what adding them makes runnable.
 *
 * A case needs the operations of its base call or scenario and of all steps on the way there. One
 * that was never called, because a call before it is missing, counts as missing too: what is
 * predicted is the least that comes of it. Such operations are named apart, in brackets.
 */
#ifndef WCTS_NEXT_H
#define WCTS_NEXT_H

#include "../runner/model/claims.h"
#include "../runner/model/finding.h"
#include "../runner/model/test.h"

struct wcts_scope;

/* What is missing: sums of wcts_operation_bit() and of enum wcts_capability. */
struct wcts_lack {
    uint64_t operations;
    uint32_t capabilities;
};

struct wcts_lacking_case {
    struct wcts_lack lack; /* operations: all that it needs, until it is concluded */
    uint64_t missing;      /* operations that were answered as missing in the case */
    int statement;
};

/* What would be runnable with it. */
struct wcts_unlock {
    char *what; /* "KERNEL_LOCK", "KERNEL_SHARE + KERNEL_OPEN_NT"; owned */
    int cases, statements;
    bool opens; /* a core, which nothing of its side can do without */
};

#define WCTS_UNLOCKS_MAX 5

struct wcts_next {
    const struct wcts_plan *plan;
    uint64_t *steps; /* of each step: the operations without which it cannot be taken */
    struct wcts_lacking_case *cases;
    int count;
    uint64_t missing;                             /* operations answered as missing in any case */
    struct wcts_unlock unlocks[WCTS_UNLOCKS_MAX]; /* the best first, once concluded */
    int unlock_count;
};

bool wcts_next_init(struct wcts_next *next, const struct wcts_plan *plan);
void wcts_next_release(struct wcts_next *next);

/* Notes what the case lacks if it was skipped for that. False without memory. */
bool wcts_next_add(struct wcts_next *next, const struct wcts_case *test,
                   const struct wcts_claims *claims, int statement,
                   const struct wcts_result *result);

/* Works out the unlocks, once all cases are noted. False without memory. */
bool wcts_next_conclude(struct wcts_next *next, const struct wcts_scope *scope);

/* Forgets the unlocks. */
void wcts_next_clear(struct wcts_next *next);
/* Appends one that was worked out before; more than WCTS_UNLOCKS_MAX are not kept. */
void wcts_next_keep(struct wcts_next *next, const char *what, int cases, int statements);

#endif
