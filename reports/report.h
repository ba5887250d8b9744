/* SPDX-License-Identifier: MIT */
/* A run as reports see it. There are tallies for each statement and rule, failures are grouped by
 * cause, and for a case there is only a number; the rest is read from the journal of the run
 * directory. */
#ifndef WCTS_REPORT_H
#define WCTS_REPORT_H

#include <jansson.h>
#include <time.h>

#include "../runner/baseline/baseline.h"
#include "../runner/plan/mustpass.h"
#include "../runner/plan/worth.h"
#include "../runner/run/pool.h"
#include "../runner/store/tally.h"
#include "asked.h"
#include "causes.h"
#include "next.h"
#include "order.h"
#include "output.h"
#include "scope.h"

/* With these words begins the error of a run whose implementation was loaded, but not its profile.
 */
#define WCTS_REPORT_NAMES_PROFILE "the implementation names the profile "

/* Different reasons of skips that are counted. */
#define WCTS_REASONS_MAX 16

/* A reason for which cases were skipped, and how many: {"not claimed: WDDM 2.0", 120}. */
struct wcts_report_reason {
    char *text;
    int count;
};

/* A flaky case: {"STATEMENT/...: pass 3 times, fail 2 times of 5: ...", 980, WCTS_VERDICT_FAIL} */
struct wcts_report_flaky {
    char *text;               /* id and reason; NULL: none */
    int index;                /* in the plan */
    enum wcts_verdict failed; /* of an attempt that failed */
};

/* Flaky cases that are kept. */
#define WCTS_FLAKY_MAX 5

/* What a declaration has, and the implementation has not: {4, "driver: kind \"texture\"", "kinds:
 * plain"}. */
struct wcts_report_undeclared {
    long line; /* of the declaration */
    char *expected, *found;
};

/* What a case of a statement with --upgrade shows, from the least on. */
enum wcts_report_upgrade_shown {
    WCTS_UPGRADE_NOTHING,
    WCTS_UPGRADE_DOUBTS,   /* something hindered it, or attempts differ: what is kept elsewhere
                              proves nothing */
    WCTS_UPGRADE_DEVIATES, /* broken as the profile declares */
    WCTS_UPGRADE_BREAKS
};

/* What a run with --upgrade showed of a statement. Of one that is broken: {.kept = 3, .worst =
 * BREAKS, .test = 812, .reason = "KERNEL_LOCK answered ..."}. */
struct wcts_report_upgraded {
    int kept; /* cases that passed */
    enum wcts_report_upgrade_shown worst;
    int test;     /* the smallest that shows the worst and did not pass: an index in the plan */
    char *reason; /* of that case; NULL: there is none */
};

/* The smallest case of a statement with a warning, the first of equals. */
struct wcts_report_warning {
    int rule, smallest; /* smallest: an index in the plan */
    char *reason;       /* NULL: no warning */
};

/* Cases of a rule that were not judged since another one is broken. Example: 3 of the cases of a
 * paging rule, for what the driver answered: {.rule = 90, .broken = 12, .count = 3}. */
struct wcts_report_unjudged {
    int rule, broken; /* broken -1: the reason names none */
    int count;
};

/*
 * A run as it is counted: of a plan, or loaded from a directory. The caller owns it; plan,
 * selected, directory, baseline and mustpass are borrowed.
 *     wcts_report_run_init(&run, &asked, plan, selected, 2);
 *     wcts_report_run_count(&run, test, &result, NULL);   for each of the two results
 *     wcts_report_run_conclude(&run);
 * and with a pass and a skip run.total.count is 2, run.judged 1, and run.headline the last line.
 */
struct wcts_report_run {
    struct wcts_options asked;
    const struct wcts_plan *plan;
    const int *selected; /* not owned */
    int selected_count;
    int intended; /* of a run in an order of its own, all cases, of which selected were reached; 0
                   */
    struct wcts_claims claims;
    struct wcts_store_tally total;
    int judged; /* cases with a verdict about the implementation */
    /* Entries of the profile: that cases show as declared; that a case contradicts; that should
     * show in some cases, and do not in one. */
    uint64_t shown, against, unshown;
    struct wcts_walk_numbers walk;         /* totals of all sequences */
    struct wcts_store_tally *statements;   /* by statement */
    struct wcts_store_tally *rules;        /* by rule */
    struct wcts_report_unjudged *unjudged; /* in order of their first case; owned */
    int unjudged_count;
    struct wcts_report_warning *warnings;                /* by statement */
    struct wcts_report_causes causes;                    /* of failures */
    struct wcts_report_reason reasons[WCTS_REASONS_MAX]; /* once concluded, sorted by count */
    int other_reasons;                                   /* skips for further reasons */
    time_t started;
    double seconds;
    enum wcts_run_pool_end end;
    char error[512];           /* why it did not start or was stopped; "": it was done */
    struct wcts_run_left left; /* processes that outlived the plug-in and were ended */
    struct wcts_run_unrepeated unrepeated;
    struct wcts_report_undeclared *lacking; /* what is declared and not there; owned */
    int lacking_count;
    struct wcts_report_upgraded *upgraded; /* by statement, with --upgrade; NULL: none. Owned */
    char *declaration_path;                /* of the declaration; NULL: none. Owned */
    struct wcts_profile *described;        /* the profile as run.json has it; NULL: none. Owned */
    int exit_code;
    const char *directory; /* the run directory; not owned */
    const char *read_from; /* the one that it was read from, if that is another; NULL: directory */
    const struct wcts_baseline *baseline; /* NULL: none; not owned */
    struct wcts_report_flaky flaky[WCTS_FLAKY_MAX];
    struct wcts_report_orders orders; /* failures that depend on what ran before them */
    const struct wcts_plan_mustpass
        *mustpass;                        /* rules that a claim needs; NULL: unknown. Not owned */
    struct wcts_plan_mustpass_count must; /* how many of them were reached */
    struct wcts_report_scope scope;       /* what was tested */
    struct wcts_report_next next;         /* what to implement next */
    int planned;                          /* cases of the whole suite */
    struct wcts_plan_strength strength;   /* --max-cases: how far it reaches */
    bool narrowed;                        /* cases were left out on purpose: it never "conforms" */
    bool partial; /* ... at versions that were run, so that conclusions about missing cases are
                     impossible */
    uint64_t unshowable; /* of a partial run: entries of the profile that no case of the plan, had
                            it been selected, would show */
    int missing;    /* cases of parts that "merge --partial" did not have: the run is incomplete */
    char *headline; /* the last line, once concluded; owned */
    const char *conclusion;         /* its name ("conforms"), once concluded */
    const json_t *merged;           /* the runs of which it was made; NULL: none. Not owned */
    char implementation_digest[65]; /* SHA-256; "": the file cannot be read */
};

bool wcts_report_run_init(struct wcts_report_run *run, const struct wcts_options *asked,
                          const struct wcts_plan *plan, const int *selected, int selected_count);
void wcts_report_run_release(struct wcts_report_run *run);

/* Counts one result. output: what the plug-in wrote, or NULL. */
void wcts_report_run_count(struct wcts_report_run *run, const struct wcts_case *test,
                           const struct wcts_result *result, const char *output);

/* The versions that are claimed and not left out, as a sum of wcts_plan_version_bit(), and the
 * first and last of them; false: there are none. */
uint64_t wcts_report_run_version_bits(const struct wcts_report_run *run);
bool wcts_report_run_versions(const struct wcts_report_run *run, const char **first,
                              const char **last);

/* The entries of the profile about sides, statements and operations that the implementation has,
 * which no case shows, either way. */
uint64_t wcts_report_run_entries_missing(const struct wcts_report_run *run);

/* True if the run reached its end and a verdict about the implementation. */
bool wcts_report_run_judged(const struct wcts_report_run *run);

const char *wcts_report_end_name(enum wcts_run_pool_end end);
/* What stands before the error of a run that did not start: "", or that the implementation could
 * not be loaded. */
const char *wcts_report_not_started(const struct wcts_report_run *run);

/* The SHA-256 of the file of an implementation; of the tool itself if it is built in. Libraries
 * that the file loads are not included. "" when it cannot be read. */
void wcts_report_implementation_digest(const char *path, char digest[65]);

/* ---- writers ---- */

/* Prints the summary. */
void wcts_report_summary_print(FILE *out, const struct wcts_report_run *run);

/* JUnit XML, made from the journal of the run directory. Above 25 MB it is split into FILE.xml,
 * FILE-2.xml, ...; the caller commits the first, after the others. Opening removes the parts of an
 * earlier report. False with a message. */
bool wcts_report_junit_open(struct wcts_report_output *output, const char *path);
bool wcts_report_junit_write(const struct wcts_report_run *run,
                             const struct wcts_report_output *output);

/* Prints progress on one line of a terminal, over the last one: the results so far of that many
 * cases. current: what runs now, "" if that need not be said. */
void wcts_report_progress_print(FILE *out, const struct wcts_store_tally *total, int of,
                                const char *current);

#endif
