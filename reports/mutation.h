/* SPDX-License-Identifier: MIT */
/* The mutation record, cases/mutation.tsv: which faults of the emulator the suite noticed. The
 * first line is "#digest", a tab and the digest of spec/ and cases/ at that time. Then a line for
 * each fault: id, statement, outcome, cases until it was noticed, the case that noticed it, blame
 * ("right", or "wrong: " and ids). The id is a rule's, alone or followed by "+" and a word. */
#ifndef WCTS_MUTATION_H
#define WCTS_MUTATION_H

#include "../runner/model/spec.h"

#define WCTS_MUTATION_FILE "mutation.tsv"

enum wcts_report_fault_outcome {
    WCTS_FAULT_KILLED,
    WCTS_FAULT_SURVIVED,
    WCTS_FAULT_NONE, /* either outcome is right, so there is no fault */
    WCTS_FAULT_OUTCOMES
};

/* A line of cases/mutation.tsv: a fault of the emulator and whether the suite noticed it.
 * Example: {"RULE+some-name", 12, .outcome = WCTS_FAULT_KILLED, .tried = 4, .blame = "right"}:
 * the fourth case that was tried failed, and named the rule. */
struct wcts_report_fault_row {
    const char *id;
    int rule;
    enum wcts_report_fault_outcome outcome;
    int tried;
    const char *blame; /* "right", "wrong: ...", or "" */
};

/* cases/mutation.tsv as read, its rows in the order of the file. Its texts are in the arena. */
struct wcts_report_mutation {
    bool there;      /* the file exists */
    bool stale;      /* it has the digest of another spec */
    char digest[65]; /* in the record */
    struct wcts_report_fault_row *rows;
    int row_count;
    struct wcts_arena *arena;
};

/* Reads the record in a directory of cases, which may have none. Invalid lines are reported. False
 * when there was one. Release it either way. */
bool wcts_report_mutation_read(struct wcts_report_mutation *mutation, const struct wcts_spec *spec,
                               const char *cases_dir, struct wcts_diagnostics *diagnostics);
void wcts_report_mutation_release(struct wcts_report_mutation *mutation);

#endif
