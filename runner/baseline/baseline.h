/* SPDX-License-Identifier: MIT */
/* Baselines: known failures, each with a reason and an expiry date (docs/baselines.md). A baseline
 * is loaded, bound to a plan and applied to each result; then each waiver has a state. */
#ifndef WCTS_BASELINE_H
#define WCTS_BASELINE_H

#include "../model/claims.h"
#include "../model/finding.h"
#include "../model/spec.h"
#include "../model/test.h"

/* The state of a waiver. IDLE: none of its cases reached a verdict, or not all cases of a pattern
 * did and none failed. */
enum wcts_baseline_waiver_state {
    WCTS_WAIVER_IDLE,
    WCTS_WAIVER_USED,     /* a case fails as stated */
    WCTS_WAIVER_FIXED,    /* no case that it matches fails any more */
    WCTS_WAIVER_DIFFERS,  /* cases fail, but in another way */
    WCTS_WAIVER_BROAD,    /* a pattern that matches passing cases or several failures */
    WCTS_WAIVER_EXPIRED,  /* without effect */
    WCTS_WAIVER_ORPHANED, /* matches no case of the plan */
    WCTS_WAIVER_STATE_COUNT
};

struct wcts_regex;

/*
 * A waiver: a failure that is known. The baseline owns it and its strings; NULL: not given. For
 * example
 *     <waiver match="RULE/.*" signature="1f0c5e2a9b3d" reason="rounds up" expires="2027-01-31"/>
 * becomes {.match = "RULE/.*", .signature = "1f0c5e2a9b3d", .reason = "rounds up", ...}; after a
 * run in which 3 of its 4 cases fail that way: {.planned = 4, .ran = 4, .failing = 3, .passing = 1,
 * .waived = 3, .state = WCTS_WAIVER_USED}.
 */
struct wcts_baseline_waiver {
    struct wcts_place place;
    const char *id, *match; /* one of them is given: an id, or an expression for whole ids */
    const char *signature, *implementation, *implementation_version, *wddm;
    const char *reason, *link, *expires;
    struct wcts_regex *pattern, *name_pattern, *version_pattern;
    bool expired, applies; /* applies: to the implementation; set with the first result */
    bool found;            /* matches a case of a larger plan, or what cases of others may show */
    int first_version, last_version; /* of attribute wddm; the first behind the last: of no cases */
    int planned, first;              /* cases of the plan; the first of them, -1: none */
    int ran;                         /* of these: reached, skips included */
    int failing;                     /* ... failed or warned as stated */
    int otherwise;                   /* ... failed in another way */
    int passing;
    int waived;                        /* ... whose verdict was changed */
    bool superseded;                   /* its signature has version 1; other is the current one */
    int failures;                      /* different signatures among the failing, up to 2 */
    char failure[WCTS_SIGNATURE_SIZE]; /* the first of these signatures */
    char other[WCTS_SIGNATURE_SIZE];   /* the first signature of those that failed in another way */
    int failing_case, otherwise_case;  /* 1 + the index of a case of each; 0: none */
    enum wcts_baseline_waiver_state state; /* set by wcts_baseline_conclude */
};

/* A case and a waiver that matches it. */
struct wcts_baseline_waived_case {
    int index, waiver;
};

/*
 * The waivers of a file. wcts_baseline_load makes it, wcts_baseline_free frees it. For example a
 * file of two waivers, one of which matches cases 3 and 5 of the plan, the other case 5:
 *     {.path = "known.xml", .today = "2027-01-31", .count = 2, .pair_count = 3,
 *      .pairs = {{3, 0}, {5, 0}, {5, 1}}}
 */
struct wcts_baseline {
    const char *path;
    const char *today; /* the date on which it is applied */
    char digest[65];
    struct wcts_baseline_waiver *waivers;
    int count;
    const struct wcts_plan *plan;            /* not owned */
    struct wcts_baseline_waived_case *pairs; /* sorted by case, then in the order of the file */
    int pair_count;
    int states[WCTS_WAIVER_STATE_COUNT]; /* waivers in each state, once concluded */
    int unexplained;                     /* waivers without a reason of their own */
    bool asked;                          /* true if applies is set in all waivers */
    bool wrong; /* a pattern could not be matched with the implementation */
    struct wcts_arena *arena;
};

/* ---- the life of a baseline ---- */

/* Loads a file and compiles its patterns. NULL when there are errors, which are reported. The
 * caller frees it. */
struct wcts_baseline *wcts_baseline_load(const char *path, struct wcts_diagnostics *diagnostics);
void wcts_baseline_free(struct wcts_baseline *baseline);

/* Finds the cases of each waiver in the plan, which must outlive the baseline; an earlier plan is
 * dropped. False when a waiver names an unknown version or cannot be matched (reported), or memory
 * is short. */
bool wcts_baseline_bind(struct wcts_baseline *baseline, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics);

/* True if a waiver matches no case of the plan. */
bool wcts_baseline_has_orphans(const struct wcts_baseline *baseline);
/* Looks for the cases of orphans in a larger plan. False when a waiver cannot be matched
 * (reported). */
bool wcts_baseline_seek(struct wcts_baseline *baseline, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics);

/* Counts the result for the waivers of its case and changes its verdict to waived or fixed where
 * that follows. The result must have its signature. False, with a message, when a pattern cannot be
 * matched with the claims; then the baseline is wrong. */
bool wcts_baseline_apply(struct wcts_baseline *baseline, const struct wcts_claims *claims,
                         const struct wcts_case *test, struct wcts_result *result);

/* True if a waiver with a pattern is for RULE/observed: what cases of other rules show of it. */
bool wcts_baseline_waives_rule(const struct wcts_baseline_waiver *waiver,
                               const struct wcts_spec *spec, int rule, int version);

/* True if a waiver, even an expired one, states this failure of this case. */
bool wcts_baseline_covers(const struct wcts_baseline *baseline, int index, const char *signature);

/* Determines the state of each waiver after the last result. */
void wcts_baseline_conclude(struct wcts_baseline *baseline);

/* True if an update drops the waiver: no case fails as stated. */
bool wcts_baseline_waiver_outdated(const struct wcts_baseline_waiver *waiver);

/* True if the reason is the one that an update writes. */
bool wcts_baseline_waiver_unexplained(const struct wcts_baseline_waiver *waiver);
#define WCTS_UNEXPLAINED "new: "

/* Prints "file:line: ..." for each waiver that needs attention. */
void wcts_baseline_report(FILE *out, const struct wcts_baseline *baseline);

/* "used", "over-broad", ... */
const char *wcts_baseline_waiver_state_name(enum wcts_baseline_waiver_state state);

/* False, with a message, when an expression of the waiver could not be matched with a text. */
bool wcts_baseline_waiver_compared(const struct wcts_baseline_waiver *waiver, const char *attribute,
                                   const char *expression, const struct wcts_regex *pattern,
                                   struct wcts_diagnostics *diagnostics);

/* ---- signatures ---- */

/* Sets the signature of a failing result: a digest of the verdict, the broken rule and the reason
 * without numbers; for a death with a version before it, and the signature of version 1 in earlier.
 * "" for any other result. */
void wcts_baseline_signature(const struct wcts_plan *plan, const struct wcts_case *test,
                             struct wcts_result *result);

/* The reason without what differs between runs: numbers become '#'. The caller frees it; NULL when
 * memory is short. */
char *wcts_baseline_signature_text(const char *reason);

/* The same for a reason that may repeat the sentence of the rule's statement, which is left out. */
char *wcts_baseline_signature_reason(const struct wcts_spec *spec, const struct wcts_rule *rule,
                                     const char *reason);

/* ---- dates ---- */

/* A date in UTC such as "2027-01-31". */
#define WCTS_DATE_SIZE 11

/* Today: $WCTS_TODAY, else $SOURCE_DATE_EPOCH, else now. False, with a message, when a variable is
 * invalid. */
bool wcts_baseline_today(char date[WCTS_DATE_SIZE], struct wcts_diagnostics *diagnostics);

/* True if the date exists. */
bool wcts_baseline_date_exists(const char *date);

/* The date that many days later. */
void wcts_baseline_date_add(const char *date, int days, char later[WCTS_DATE_SIZE]);

#endif
