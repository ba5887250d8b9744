/* SPDX-License-Identifier: MIT */
/* Verifying a run directory from somebody else (docs/claims.md): is it complete, is it a run of
 * these cases, do its records give its verdicts? Nothing in it is trusted. */
#ifndef WCTS_VERIFY_H
#define WCTS_VERIFY_H

#include "../runner/store/run_dir.h"
#include "report.h"

/* The result of a check. */
enum wcts_report_check_end {
    WCTS_CHECK_OK,
    WCTS_CHECK_OPEN,   /* not compared */
    WCTS_CHECK_LACKS,  /* something that a claim needs is missing */
    WCTS_CHECK_NOT_OK, /* something is wrong */
    WCTS_CHECK_ENDS
};

/* A case in the directory. */
struct wcts_report_verify_case {
    int index; /* in the plan */
    enum wcts_verdict verdict;
    enum wcts_verdict was; /* the verdict before a waiver */
    enum wcts_skip skip;
    int broken; /* as in the finding: 1 + another rule that it breaks, or 0 */
    char *reason, *detail;
    struct wcts_answered answered; /* from the record */
    uint64_t shown, against,
        unshown;              /* entries of the profile, as in the result; from the record */
    struct wcts_result found; /* all attempts as the journal has them, with all levels */
    bool ended;               /* the worker died in the last one, perhaps only at another level */
};

/* What a directory is compared with. */
struct wcts_report_verify_basis {
    const struct wcts_plan *plan;              /* of its suite and seed */
    const struct wcts_options *asked;          /* with its suite, level and seed */
    const struct wcts_plan_mustpass *mustpass; /* rules that a claim needs; NULL: unknown */
    int total;                                 /* cases of the whole plan */
    bool implementation;                       /* asked names the implementation that was tested */
};

/*
 * The verification of a directory. The caller owns it; basis and reader are borrowed. Each check
 * adds to page, from which text and --json are made, and to ends:
 *     page = {"checks": [{"check": "plan", "result": "ok", "text": "the 120 cases ..."}, ...],
 *             "conclusion": "verified: conforms: ...", "exit_code": 0, ...}
 *     ends = {[WCTS_CHECK_OK] = 12, [WCTS_CHECK_OPEN] = 1}
 */
struct wcts_report_verify {
    const struct wcts_report_verify_basis *basis;
    const char *directory;
    const json_t *run; /* run.json */
    struct wcts_store_reader *reader;
    json_t *page; /* the results */
    struct wcts_report_verify_case *cases;
    int count, planned; /* entries of the journal; lines of plan.tsv */
    int *chosen;        /* the planned cases, indices in the plan */
    int ends[WCTS_CHECK_ENDS];
    bool foreign; /* another spec: the records have no meaning here */
    struct wcts_claims claims;
    struct wcts_report_run counted; /* as counted here */
};

/* Reads level, suite and seed, which determine the plan, from run.json. False, with a message, when
 * they are missing. */
bool wcts_report_verify_settings(struct wcts_store_reader *reader, struct wcts_options *asked);

/* Makes all checks and fills verify->page. reader has read run.json and reads the rest. Returns the
 * exit status OK, FAIL or NOTHING. Release it, before the reader. */
int wcts_report_verify_init(struct wcts_report_verify *verify,
                            const struct wcts_report_verify_basis *basis,
                            struct wcts_store_reader *reader);
void wcts_report_verify_release(struct wcts_report_verify *verify);

/* Prints the page. */
void wcts_report_verify_print(FILE *out, const json_t *page);

/* ---- what the files of verify share ---- */

/* As pages show it. */
const char *wcts_report_verify_end_name(enum wcts_report_check_end end);

/* A new page with what the run states about itself. */
json_t *wcts_report_verify_page(const char *directory, const json_t *run);
/* Adds a check and its result. */
void wcts_report_verify_check(struct wcts_report_verify *verify, enum wcts_report_check_end end,
                              const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a line about a case to a list of the page. */
void wcts_report_verify_list(struct wcts_report_verify *verify, const char *list, const char *id,
                             const char *text);
/* Counts an occurrence in a list of the page. */
void wcts_report_verify_tally(struct wcts_report_verify *verify, const char *list,
                              const char *reason);

/* Judges the records again and compares the results with the journal (verify_records.c). */
void wcts_report_verify_records(struct wcts_report_verify *verify);

#endif
