/* SPDX-License-Identifier: MIT */
/*
 * Checking somebody else's run directory: whether it is whole, whether it is a run of these cases,
 * and whether its records come to its verdicts (docs/claims.md). Nothing in it is believed.
 */
#ifndef WCTS_VERIFY_H
#define WCTS_VERIFY_H

#include "../runner/store/run_dir.h"
#include "report.h"

/* What a check came to. */
enum wcts_check_end {
    WCTS_CHECK_OK,
    WCTS_CHECK_OPEN,   /* nothing to compare with */
    WCTS_CHECK_LACKS,  /* something is not there that a claim needs */
    WCTS_CHECK_NOT_OK, /* something is there that cannot be */
    WCTS_CHECK_ENDS
};

/* A case as the directory has it. */
struct wcts_verify_case {
    int index; /* in the plan */
    enum wcts_verdict verdict;
    enum wcts_verdict was; /* waived: before that */
    enum wcts_skip skip;
    char *reason, *detail;
    struct wcts_answered answered; /* as the record has it */
    bool ended;   /* the worker died of it, if only when it was run again at another level */
    bool another; /* the attempt that counts is not the last one, of which the record is */
};

/* What a directory is held against. */
struct wcts_verify_basis {
    const struct wcts_plan *plan;         /* of its suite and seed */
    const struct wcts_options *asked;     /* with its suite, level and seed */
    const struct wcts_mustpass *mustpass; /* what a claim needs; NULL: it is not known */
    int total;                            /* cases of the whole plan */
    bool implementation;                  /* asked's is the one that was tested */
};

struct wcts_verify {
    const struct wcts_verify_basis *basis;
    const char *directory;
    const json_t *run; /* run.json */
    struct wcts_reader *reader;
    json_t *page; /* what is printed of all this */
    struct wcts_verify_case *cases;
    int count, planned; /* entries of the journal; lines of plan.tsv that are cases of the plan */
    int *chosen;        /* the planned, indices in the plan */
    int ends[WCTS_CHECK_ENDS];
    bool foreign; /* of another spec: its records mean nothing here */
    struct wcts_claims claims;
    struct wcts_run counted; /* the run as it is counted here */
};

/* The settings of the run that decide about its plan, out of its run.json: level, suite and seed.
 * False, with a message, when there is no such file or it does not say. */
bool wcts_verify_settings(struct wcts_reader *reader, struct wcts_options *asked);

/* Makes all checks. reader has read run.json and reads the rest; verify->page holds the results and
 * the return value is an exit code: OK, FAIL or NOTHING. To be released, before the reader. */
int wcts_verify_init(struct wcts_verify *verify, const struct wcts_verify_basis *basis,
                     struct wcts_reader *reader);
void wcts_verify_release(struct wcts_verify *verify);

/* The page for people. */
void wcts_verify_print(FILE *out, const json_t *page);

/* ---- what the files of verify share ---- */

/* Notes a check and what it came to, in words. */
void wcts_verify_check(struct wcts_verify *verify, enum wcts_check_end end, const char *what,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Adds to a list of the page: a line about a case. */
void wcts_verify_list(struct wcts_verify *verify, const char *list, const char *id,
                      const char *text);
/* Adds to a list of the page: how often something was so. */
void wcts_verify_tally(struct wcts_verify *verify, const char *list, const char *reason);

/* Plays the records and holds what they come to against the journal (verify_again.c). */
void wcts_verify_again(struct wcts_verify *verify);

#endif
