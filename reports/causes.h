/* SPDX-License-Identifier: MIT */
/*
 * Failures by cause. Cases that break one statement for the same reason, but for addresses and
 * handles, have one cause; so have all cases in which the implementation died in the same way in
 * the same operation, whatever statements they are about.
 */
#ifndef WCTS_CAUSES_H
#define WCTS_CAUSES_H

#include "../runner/model/finding.h"
#include "../runner/model/test.h"

struct wcts_run;
struct wcts_paint;

/* The text of a cause's pattern, when so many results were counted. */
struct wcts_pattern {
    char *text; /* NULL: not asked for */
    int counted;
};

struct wcts_cause {
    enum wcts_verdict verdict;
    bool death;      /* not of one statement: the implementation ended, hung or refused, or the
                      * set-up failed */
    int rule;        /* that is broken; of a death that of the smallest case */
    char *key;       /* what its cases have in common */
    int count;       /* of cases */
    int statements;  /* that its cases are about */
    int smallest;    /* index of the case with the fewest facts; the first of equals */
    bool walked;     /* nothing but sequences have it: it may follow from another */
    char *reason;    /* of the smallest; never NULL */
    char *shrunk;    /* of the smallest: a failing sequence in words; NULL: it is none */
    char *backtrace; /* of a death, as gdb sees it, lines, or why there is none; NULL: not known */
    uint8_t *about;  /* 1 for each statement that its cases are about */
    struct wcts_pattern patterns[2]; /* of a kernel's case, of a driver's */
};

/* What is known of a case of the plan. */
enum { WCTS_CASE_UNKNOWN = 0, WCTS_CASE_GOOD = -1 }; /* or 1 + the index of its cause */

struct wcts_causes {
    const struct wcts_plan *plan; /* not owned */
    struct wcts_cause *list;
    int count;
    int counted; /* results */
    int *of;     /* of each case of the plan: see above */
    int *order;  /* of the list, once concluded: deaths, then statements as in the spec, then what
                  * only sequences found, then set-ups that failed */
};

/* How much there is to read in a case: its facts. A sequence says less than any call. */
int wcts_case_size(const struct wcts_case *test);

bool wcts_causes_init(struct wcts_causes *causes, const struct wcts_plan *plan);
void wcts_causes_release(struct wcts_causes *causes);

/* Counts a result. rule: the one that it is about. False when there is no memory. */
bool wcts_causes_count(struct wcts_causes *causes, const struct wcts_case *test, int rule,
                       const struct wcts_result *result);

/* Puts the causes in order. False when there is no memory. */
bool wcts_causes_conclude(struct wcts_causes *causes);

/* The statement that a cause is about; of a death that of its smallest case. */
const struct wcts_statement *wcts_cause_statement(const struct wcts_causes *causes,
                                                  const struct wcts_cause *cause);

/* ---- in words ---- */

/* One line, "STATEMENT: what was got", in less than 200 letters, since consumers show it
 * as a title. Returns buffer. */
#define WCTS_TITLE_SIZE 196
const char *wcts_failure_title(char buffer[WCTS_TITLE_SIZE], const char *statement,
                               enum wcts_verdict verdict, const char *reason);

struct wcts_failure {
    int rule;     /* that is broken, or that was tested */
    int smallest; /* index of the case */
    const char *reason;
    const char *backtrace; /* lines; NULL: none */
    bool death;            /* as of a cause */
};

/* The sentence, its place, the case, what was got and the command that reproduces it, each line
 * after the indent. */
void wcts_failure_print(FILE *out, const char *indent, const struct wcts_run *run,
                        const struct wcts_failure *failure);

/* A line for each fact that tells the failing cases of the statement from the others (pattern.c),
 * "" for none. The caller frees it; NULL without memory. */
char *wcts_pattern_text(const struct wcts_causes *causes, const struct wcts_failure *failure);

/* The failure that a cause is shown by. */
struct wcts_failure wcts_cause_failure(const struct wcts_cause *cause);

/* Prints each line of a text, which is freed, behind a name: that of the first, or of the others.
 */
void wcts_lines_print(FILE *out, const char *first, const char *others, char *text);

/* For a person: the first max causes, and how many more there are. */
void wcts_causes_print(const struct wcts_paint *to, const struct wcts_run *run, int max);

#endif
