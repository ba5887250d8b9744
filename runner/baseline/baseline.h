/* SPDX-License-Identifier: MIT */
/*
 * A baseline: known failures, each with a reason and a day on which the waiver for it ends
 * (docs/baselines.md). It is loaded, bound to a plan, applied to each result in turn, and then
 * knows of each waiver what has become of it.
 */
#ifndef WCTS_BASELINE_H
#define WCTS_BASELINE_H

#include "../model/claims.h"
#include "../model/finding.h"
#include "../model/spec.h"
#include "../model/test.h"

/* What has become of a waiver. IDLE: none of its cases reached a verdict, or not all of a pattern's
 * did and none failed. */
enum wcts_waiver_state {
    WCTS_WAIVER_IDLE,
    WCTS_WAIVER_USED,     /* a failure is as it says */
    WCTS_WAIVER_FIXED,    /* nothing that it matches fails any more */
    WCTS_WAIVER_DIFFERS,  /* what fails, fails in another way */
    WCTS_WAIVER_BROAD,    /* a pattern that matches what passes, or several failures */
    WCTS_WAIVER_EXPIRED,  /* has no effect any more */
    WCTS_WAIVER_ORPHANED, /* matches no case of the plan */
    WCTS_WAIVER_STATE_COUNT
};

struct wcts_regex;

/* One waiver. Strings are the baseline's; NULL: not given. */
struct wcts_waiver {
    struct wcts_place place;
    const char *id, *match; /* one of them: of a case, or an expression for all of an id */
    const char *signature, *implementation, *implementation_version, *wddm;
    const char *reason, *link, *expires;
    struct wcts_regex *pattern, *name_pattern, *version_pattern;
    bool expired, applies; /* to the implementation; known with the first result */
    bool found;            /* in a larger plan than that of the run */
    int planned, first;    /* cases of the plan, and the first of them; -1: none */
    int ran;               /* those of them that the run came to, skipped ones included */
    int failing;           /* ... that fail, or warn, as the waiver says */
    int otherwise;         /* ... that fail in another way */
    int passing;
    int waived;                            /* verdicts that it has changed */
    bool superseded;                       /* its signature is of version 1; "other" is it now */
    int failures;                          /* different ones among the failing, up to 2 */
    char failure[WCTS_SIGNATURE_SIZE];     /* the first of them */
    char other[WCTS_SIGNATURE_SIZE];       /* the first of those that fail otherwise */
    const char *failing_id, *otherwise_id; /* a case of each; the plan's */
    enum wcts_waiver_state state;          /* once concluded */
};

/* A case and a waiver that matches it. */
struct wcts_waived_case {
    int index, waiver;
};

struct wcts_baseline {
    const char *path;
    const char *today; /* the day on which it is applied */
    char digest[65];
    struct wcts_waiver *waivers;
    int count;
    const struct wcts_plan *plan;   /* not owned */
    struct wcts_waived_case *pairs; /* by case, and then in the order of the file */
    int pair_count;
    int states[WCTS_WAIVER_STATE_COUNT]; /* how many of each, once concluded */
    int waived;                          /* cases */
    int unexplained;                     /* waivers whose reason is still to be written */
    bool asked;                          /* whether waivers apply to the implementation is known */
    bool wrong;                          /* a waiver cannot be compared with the implementation */
    struct wcts_arena *arena;
};

/* ---- the life of a baseline ---- */

/* NULL when there is an error, reported. Patterns are compiled; nothing is held against a plan yet.
 * The caller frees it. */
struct wcts_baseline *wcts_baseline_load(const char *path, struct wcts_diagnostics *diagnostics);
void wcts_baseline_free(struct wcts_baseline *baseline);

/* Finds the cases of each waiver, in another plan than before if there was one; the plan must
 * outlive it. False when a waiver names a version that does not exist or cannot be compared
 * (reported), or memory is short. */
bool wcts_baseline_bind(struct wcts_baseline *baseline, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics);

/* True if a waiver matches no case of the plan. */
bool wcts_baseline_has_orphans(const struct wcts_baseline *baseline);
/* What a larger plan has is no orphan. False when a waiver cannot be compared (reported). */
bool wcts_baseline_seek(struct wcts_baseline *baseline, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics);

/* Counts the result for the waivers of its case and gives it the verdict that follows: waived or
 * fixed. The result must have its signature. False when a waiver cannot be compared with the
 * claims: a message is on standard error, and the baseline is wrong. */
bool wcts_baseline_apply(struct wcts_baseline *baseline, const struct wcts_claims *claims,
                         const struct wcts_case *test, struct wcts_result *result);

/* True if a waiver, though it may have expired, says of this case that it fails like this. */
bool wcts_baseline_covers(const struct wcts_baseline *baseline, int index, const char *signature);

/* Works out the state of each waiver, when all results have been applied. */
void wcts_baseline_conclude(struct wcts_baseline *baseline);

/* True if an update may leave the waiver out: nothing fails as it says. */
bool wcts_waiver_outdated(const struct wcts_waiver *waiver);

/* True if its reason is the one that an update writes. */
bool wcts_waiver_unexplained(const struct wcts_waiver *waiver);
#define WCTS_UNEXPLAINED "new: "

/* One line "file:line: ..." for each waiver that somebody has to look at. */
void wcts_baseline_report(FILE *out, const struct wcts_baseline *baseline);

/* "used", "over-broad", ... */
const char *wcts_waiver_state_name(enum wcts_waiver_state state);

/* False, with a message, when an expression of the waiver could not be compared with a text. */
bool wcts_waiver_compared(const struct wcts_waiver *waiver, const char *attribute,
                          const char *expression, const struct wcts_regex *pattern,
                          struct wcts_diagnostics *diagnostics);

/* ---- signatures ---- */

/* Fills in the signature of a result that is a breach: a digest of the verdict, the rule that is
 * broken and the reason without numbers; of a death with the version before it, and beside it the
 * signature that version 1 gave. "" for any other. */
void wcts_signature(const struct wcts_plan *plan, const struct wcts_case *test,
                    struct wcts_result *result);

/* The reason without what differs between runs: numbers that stand alone become '#'. The caller
 * frees it; NULL without memory. */
char *wcts_signature_text(const char *reason);

/* The same of a reason for which the rule is broken, without the words of its statement. */
char *wcts_signature_reason(const struct wcts_spec *spec, const struct wcts_rule *rule,
                            const char *reason);

/* ---- dates ---- */

/* "2027-01-31", as UTC has it. */
#define WCTS_DATE_SIZE 11

/* Today: $WCTS_TODAY, else $SOURCE_DATE_EPOCH, else now. False, with a message, when a variable is
 * set to what is no date. */
bool wcts_today(char date[WCTS_DATE_SIZE], struct wcts_diagnostics *diagnostics);

/* True if there is such a day. */
bool wcts_date_exists(const char *date);

/* The day so many days later. */
void wcts_date_add(const char *date, int days, char later[WCTS_DATE_SIZE]);

#endif
