/* SPDX-License-Identifier: MIT */
/* Failures grouped by cause. Cases that break one statement for the same reason, except for
 * addresses and handles, have one cause; so have all cases in which the implementation died in the
 * same way in the same operation, whatever they test. */
#ifndef WCTS_CAUSES_H
#define WCTS_CAUSES_H

#include "../runner/model/finding.h"
#include "../runner/model/test.h"

struct wcts_report_run;
struct wcts_report_paint;

/* The pattern of a cause, and for how many counted results it is valid. */
struct wcts_report_pattern {
    char *text; /* NULL: not made yet */
    int counted;
};

/*
 * The cause of one or more failures. struct wcts_report_causes owns it. For example, 12 cases break
 * rule 41 for one reason, and case 980 of the plan is the smallest of them:
 *     {.verdict = WCTS_VERDICT_FAIL, .rule = 41, .key = "fail STATEMENT answered #, expected #",
 *      .count = 12, .statements = 1, .smallest = 980, .reason = "answered 0, expected 1"}
 */
struct wcts_report_cause {
    enum wcts_verdict verdict;
    bool death; /* true if it is not of one statement: the implementation died, hung or declined, or
                   the set-up failed */
    int rule;   /* broken; for a death the rule of the smallest case */
    char *key;  /* shared by its cases */
    int count;  /* cases */
    int statements;  /* statements of its cases */
    int smallest;    /* the case with the fewest facts, the first of equals: an index in the plan */
    bool walked;     /* only sequences have it, so it may follow from another cause */
    char *reason;    /* of the smallest case; never NULL */
    char *call;      /* of the smallest case, a sweep: the id of one call; NULL: none */
    char *shrunk;    /* of the smallest case: a failing sequence in words; NULL: none */
    char *output;    /* of the smallest case: the last lines that the plug-in wrote; NULL: none */
    char *backtrace; /* of a death: lines from gdb, or why there are none; NULL: unknown */
    uint8_t *about;  /* by statement: 1 if one of its cases tests it */
    struct wcts_report_pattern patterns[2]; /* for kernel and driver */
};

/* The state of a case of the plan. */
enum {
    WCTS_CASE_UNKNOWN = 0,
    WCTS_CASE_GOOD = -1,
    WCTS_CASE_UNTRIED = -2, /* similar cases died */
};                          /* or 1 + the index of its cause */

/* All causes of a run while its results are counted. Example: cases 17 and 18 broke one rule for
 * one reason, case 40 another: .count 2, .of[17] and .of[18] are 1, .of[40] is 2. */
struct wcts_report_causes {
    const struct wcts_plan *plan; /* not owned */
    struct wcts_report_cause *list;
    int count;
    int counted; /* results so far */
    int *of;     /* by case of the plan, as above */
    int *order;  /* indices in list, once concluded: deaths, then by statement, then what only
                    sequences found, then failed set-ups */
};

/* The size of a case: its facts. A sequence is larger than any call. */
int wcts_report_case_size(const struct wcts_case *test);

bool wcts_report_causes_init(struct wcts_report_causes *causes, const struct wcts_plan *plan);
void wcts_report_causes_release(struct wcts_report_causes *causes);

/* Counts a result. rule: the broken or tested one; output: what the plug-in wrote, or NULL. False
 * when memory is short. */
bool wcts_report_causes_count(struct wcts_report_causes *causes, const struct wcts_case *test,
                              int rule, const struct wcts_result *result, const char *output);

/* Sorts the causes. False when memory is short. */
bool wcts_report_causes_conclude(struct wcts_report_causes *causes);

/* The statement of a cause; for a death that of its smallest case. */
const struct wcts_statement *wcts_report_cause_statement(const struct wcts_report_causes *causes,
                                                         const struct wcts_report_cause *cause);

/* ---- in words ---- */

/* One line, "STATEMENT: what was got", shorter than 200 bytes, since consumers show it as a title.
 * Returns buffer. */
#define WCTS_TITLE_SIZE 196
const char *wcts_report_failure_title(char buffer[WCTS_TITLE_SIZE], const char *statement,
                                      enum wcts_verdict verdict, const char *reason);

/* How far a rule binds: "should, stated, derived". Returns buffer. */
#define WCTS_WEIGHT_SIZE 64
const char *wcts_report_weight(char buffer[WCTS_WEIGHT_SIZE], const struct wcts_rule *rule,
                               const struct wcts_statement *statement);

/* What decides to which cause a failure belongs, and what a new cause takes from it. Example:
 * {.rule = 12, .smallest = 340, .reason = "answered SUCCESS, expected a refusal"}. */
struct wcts_report_failure {
    int rule;     /* broken, or tested */
    int smallest; /* index of the case */
    const char *reason;
    const char *backtrace; /* lines; NULL: none */
    bool death;            /* as in wcts_cause */
    const char *call;      /* as in wcts_cause */
    const char *output;    /* as in wcts_cause */
};

/* The case that reproduces a failure: the smallest one or, of a sweep, one call of it. */
const struct wcts_case *wcts_report_failure_case(const struct wcts_plan *plan,
                                                 const struct wcts_report_failure *failure,
                                                 struct wcts_case *made);

/* What is wrong in that case, as wcts_judge_wrong_text() has it. The caller frees it. */
char *wcts_report_wrong_text(const struct wcts_plan *plan,
                             const struct wcts_report_failure *failure);

/* Prints the sentence, its place, the case, what was got and the command that reproduces it, each
 * line after the indent. */
void wcts_report_failure_print(FILE *out, const char *indent, const struct wcts_report_run *run,
                               const struct wcts_report_failure *failure);

/* A line for each fact that separates the failing cases of the cause from the others (pattern.c);
 * "": none. The caller frees it; NULL when memory is short. */
char *wcts_report_pattern_text(const struct wcts_report_causes *causes,
                               const struct wcts_report_failure *failure);

/* The failure that represents a cause. */
struct wcts_report_failure wcts_report_cause_failure(const struct wcts_report_cause *cause);

/* Prints each line of a text after a prefix, first or others, and frees the text. */
void wcts_report_lines_print(FILE *out, const char *first, const char *others, char *text);

/* Prints the first max causes, and the number of the others. */
void wcts_report_causes_print(const struct wcts_report_paint *to, const struct wcts_report_run *run,
                              int max);

#endif
