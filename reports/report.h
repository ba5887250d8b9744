/* SPDX-License-Identifier: MIT */
/*
 * What a run came to, as reports see it. Nothing here grows with the number of cases: tallies are
 * kept per statement and rule, everything else is read again from the run directory's journal.
 */
#ifndef WCTS_REPORT_H
#define WCTS_REPORT_H

#include <time.h>

#include "../runner/baseline/baseline.h"
#include "../runner/execute/pool.h"
#include "../runner/plan/mustpass.h"
#include "../runner/settings.h"

struct wcts_tally {
    int verdicts[WCTS_VERDICT_COUNT];
    int count;
    double seconds;
};

/* Of one statement: its tally, and the smallest case that failed. */
struct wcts_statement_tally {
    struct wcts_tally tally;
    int smallest; /* index of a case, -1: none failed */
    enum wcts_verdict verdict;
    char *reason; /* of the smallest */
    char *shrunk; /* of the smallest: a failing sequence in words, NULL: it is none */
};

/* The first different reasons for which cases were skipped. */
#define WCTS_REASONS_MAX 16

struct wcts_reason {
    char *text;
    int count;
};

/* The first cases whose attempts differed. */
#define WCTS_FLAKY_MAX 5

struct wcts_run {
    const struct wcts_settings *settings;
    const struct wcts_plan *plan;
    const int *selected; /* not owned */
    int selected_count;
    struct wcts_claims claims;
    struct wcts_tally total;
    struct wcts_walk_numbers walk;                /* of all sequences */
    struct wcts_statement_tally *statements;      /* one per statement of the spec */
    struct wcts_tally *rules;                     /* one per rule */
    struct wcts_reason reasons[WCTS_REASONS_MAX]; /* the most frequent first, once concluded */
    int other_reasons;                            /* skips for reasons beyond these */
    time_t started;
    double seconds;
    enum wcts_pool_end end;
    char error[512]; /* why it did not start or was stopped; "" when it was done */
    int exit_code;
    const char *directory;                    /* the run directory; not owned */
    const struct wcts_baseline *baseline;     /* NULL: none; not owned */
    struct wcts_reason flaky[WCTS_FLAKY_MAX]; /* id and reason; count 1, 0: none */
    const struct wcts_mustpass *mustpass; /* what a claim needs, NULL: it is not known. Not owned */
    struct wcts_mustpass_count must;      /* how much of it was reached */
    struct wcts_reason refused;     /* cases that say nothing, since a valid call was refused: how
                                     * many, and the first with its reason; owned */
    bool incomplete;                /* it is no claim, although nothing was left out on purpose */
    char implementation_digest[65]; /* SHA-256 of its file, "" when it cannot be read */
};

bool wcts_run_init(struct wcts_run *run, const struct wcts_settings *settings,
                   const struct wcts_plan *plan, const int *selected, int selected_count);
void wcts_run_release(struct wcts_run *run);

/* Counts one result. */
void wcts_run_count(struct wcts_run *run, const struct wcts_case *one,
                    const struct wcts_result *result);

/* Works out the exit code and puts reasons in order, once end and all counts are there. */
void wcts_run_conclude(struct wcts_run *run);

/* Whether the run came to its end with a verdict about the implementation. */
bool wcts_run_judged(const struct wcts_run *run);

/* True for the verdicts that say something about the implementation. */
bool wcts_verdict_judges(enum wcts_verdict verdict);
/* True for fail, crash and timeout. */
bool wcts_verdict_breaks(enum wcts_verdict verdict);
/* Evidence and nothing against it: at least one pass, and else only passes and skips. */
bool wcts_tally_proven(const struct wcts_tally *tally);

/* Whether a statement can be tested at all. */
bool wcts_statement_testable(const struct wcts_statement *statement);
/* "ruled", "pending" or "not-testable". */
const char *wcts_statement_status(const struct wcts_statement *statement);

const char *wcts_end_name(enum wcts_pool_end end);

/* ---- writers ---- */

/* The summary that a person reads at a glance. */
void wcts_summary_print(FILE *out, const struct wcts_run *run);

/* JUnit XML, in the dialect that every consumer accepts: reads the journal of the run directory
 * again. Splits above 25 MB: FILE.xml, FILE-2.xml, ... False with a message on standard error. */
bool wcts_junit_write(const struct wcts_run *run, const char *path);

/* One line: done, of how many, and what went wrong. For a terminal. */
void wcts_progress_print(FILE *out, const struct wcts_run *run);

#endif
