/* SPDX-License-Identifier: MIT */
/*
 * What a run came to, as reports see it. Tallies are kept per statement and rule, failures by their
 * cause, of a case no more than a number; everything else is read again from the run directory's
 * journal.
 */
#ifndef WCTS_REPORT_H
#define WCTS_REPORT_H

#include <time.h>

#include "../runner/baseline/baseline.h"
#include "../runner/plan/mustpass.h"
#include "../runner/run/pool.h"
#include "asked.h"
#include "causes.h"
#include "next.h"
#include "output.h"
#include "scope.h"

struct wcts_tally {
    int verdicts[WCTS_VERDICT_COUNT];
    int unjudged; /* skipped, since a rule on which theirs rests is broken */
    int count;
    double seconds;
};

/* The first different reasons for which cases were skipped. */
#define WCTS_REASONS_MAX 16

struct wcts_reason {
    char *text;
    int count;
};

/* The first cases whose attempts differed. */
#define WCTS_FLAKY_MAX 5

/* The smallest case of a statement that came with a warning; the first of equals. */
struct wcts_warning {
    int rule, smallest; /* index of the case */
    char *reason;       /* NULL: the statement has no warning */
};

struct wcts_run {
    struct wcts_options asked;
    const struct wcts_plan *plan;
    const int *selected; /* not owned */
    int selected_count;
    struct wcts_claims claims;
    struct wcts_tally total;
    int judged;                    /* cases that say something about the implementation */
    struct wcts_walk_numbers walk; /* of all sequences */
    struct wcts_tally *statements; /* one per statement of the spec */
    struct wcts_tally *rules;      /* one per rule */
    struct wcts_warning *warnings; /* one per statement */
    struct wcts_causes causes;     /* of what failed */
    struct wcts_reason reasons[WCTS_REASONS_MAX]; /* the most frequent first, once concluded */
    int other_reasons;                            /* skips for reasons beyond these */
    time_t started;
    double seconds;
    enum wcts_pool_end end;
    char error[512];       /* why it did not start or was stopped; "" when it was done */
    struct wcts_left left; /* processes that the plug-in left behind; ended with the run */
    struct wcts_unrepeated unrepeated;
    int exit_code;
    const char *directory;                    /* the run directory; not owned */
    const struct wcts_baseline *baseline;     /* NULL: none; not owned */
    struct wcts_reason flaky[WCTS_FLAKY_MAX]; /* id and reason; count 1, 0: none */
    const struct wcts_mustpass *mustpass; /* what a claim needs, NULL: it is not known. Not owned */
    struct wcts_mustpass_count must;      /* how much of it was reached */
    struct wcts_scope scope;              /* what was put to the test */
    struct wcts_next next;                /* what to implement next */
    int planned;            /* cases of the whole suite, of which these were selected */
    bool narrowed;          /* cases were left out on purpose: it never says "conforms" */
    bool partial;           /* ... at versions that were run, so that nobody knows what these
                             * cases would have shown */
    char *headline;         /* the last line (headline.h), once concluded; owned */
    const char *conclusion; /* its name, once concluded */
    char implementation_digest[65]; /* SHA-256 of its file, "" when it cannot be read */
};

bool wcts_run_init(struct wcts_run *run, const struct wcts_options *asked,
                   const struct wcts_plan *plan, const int *selected, int selected_count);
void wcts_run_release(struct wcts_run *run);

/* Counts one result. */
void wcts_run_count(struct wcts_run *run, const struct wcts_case *test,
                    const struct wcts_result *result);

/* Works out headline and exit code and puts reasons in order, once end and all counts are there. */
void wcts_run_conclude(struct wcts_run *run);

/* Makes an end of the run that is no result, although all cases have one: what they came to could
 * not be written. */
void wcts_run_spoil(struct wcts_run *run, const char *error);

/* How many statements and rules count (docs/ci.md defines the words): the same in every report. */
struct wcts_counts {
    int testable, pending; /* statements of the sides that the implementation has */
    int proven;            /* of the testable */
    int in_scope, tested;
    int rules, proven_rules;
};

struct wcts_counts wcts_run_counts(const struct wcts_run *run);

/* The names of the first and the last version that is claimed and not left out; false: none is. */
uint64_t wcts_run_version_bits(const struct wcts_run *run);
bool wcts_run_versions(const struct wcts_run *run, const char **first, const char **last);

/* True if the run came to its end with a verdict about the implementation. */
bool wcts_run_judged(const struct wcts_run *run);

/* True for the verdicts that say something about the implementation. */
bool wcts_verdict_judges(enum wcts_verdict verdict);
/* The same of a case that a waiver may have changed; was: its verdict without. */
bool wcts_verdicts_judge(enum wcts_verdict verdict, enum wcts_verdict was);
/* True for fail, crash and timeout. */
bool wcts_verdict_breaks(enum wcts_verdict verdict);
/* True for declined and broken: what the case is about was not seen, and should have been. */
bool wcts_verdict_hinders(enum wcts_verdict verdict);
/* Counts one result. */
void wcts_tally_add(struct wcts_tally *tally, const struct wcts_result *result);
/* Evidence and nothing against it: at least one pass, and else only passes and skips. */
bool wcts_tally_proven(const struct wcts_tally *tally);
/* True if a case failed, crashed or hung. */
bool wcts_tally_breaks(const struct wcts_tally *tally);

/* True if a statement can be tested at all. */
bool wcts_statement_testable(const struct wcts_statement *statement);
/* "ruled", "pending" or "not-testable". */
const char *wcts_statement_status(const struct wcts_statement *statement);

/* The document's own words: "original (es): «...»". The caller frees it; NULL: it quotes none, or
 * there is no memory. */
char *wcts_statement_original(const struct wcts_spec *spec, const struct wcts_statement *statement);

const char *wcts_end_name(enum wcts_pool_end end);

/* The SHA-256 of the file that an implementation is loaded from: the tool's own when it is built
 * in. It says nothing of libraries that the file loads in turn. "" when it cannot be read. */
void wcts_implementation_digest(const char *path, char digest[65]);

/* ---- writers ---- */

/* The summary that a person reads at a glance. */
void wcts_summary_print(FILE *out, const struct wcts_run *run);

/* JUnit XML, in the dialect that every consumer accepts: reads the journal of the run directory
 * again. Splits above 25 MB: FILE.xml, FILE-2.xml, ...; the first is committed by the caller, as
 * the last of them. Opening removes what is there of an earlier report. False with a message on
 * standard error. */
bool wcts_junit_open(struct wcts_output *output, const char *path);
bool wcts_junit_write(const struct wcts_run *run, const struct wcts_output *output);

/* One line: done, of how many, and what went wrong. For a terminal. */
void wcts_progress_print(FILE *out, const struct wcts_run *run);

#endif
