/* SPDX-License-Identifier: MIT */
/*
 * The mutation record, cases/mutation.tsv: which faults of the emulator the suite noticed. Its
 * first line is "#digest", a tab and the digest of spec/ and cases/ at which it was made; then a
 * line for each fault: id, statement, outcome, cases run until it was noticed, the case that did,
 * blame ("right", or "wrong: " and ids). The id is a rule's, alone or followed by "+" and a word.
 */
#ifndef WCTS_MUTATION_H
#define WCTS_MUTATION_H

#include "../runner/model/spec.h"

#define WCTS_MUTATION_FILE "mutation.tsv"

enum wcts_fault_outcome {
    WCTS_FAULT_KILLED,
    WCTS_FAULT_SURVIVED,
    WCTS_FAULT_NONE, /* either outcome is right: there is nothing to fault */
    WCTS_FAULT_OUTCOMES
};

struct wcts_fault_row {
    const char *id;
    int rule;
    enum wcts_fault_outcome outcome;
    int tried;
    const char *first; /* the first case that noticed it; "" if none */
    const char *blame; /* "right", "wrong: ...", or "" */
};

struct wcts_mutation {
    bool there;      /* the file is */
    bool stale;      /* it is of another spec */
    char digest[65]; /* of which it is */
    struct wcts_fault_row *rows;
    int row_count;
    struct wcts_arena *arena;
};

/* Reads the record in a directory of cases; that there is none is no error. A line that is not as
 * it should be is reported. False when one was. To be released either way. */
bool wcts_mutation_read(struct wcts_mutation *mutation, const struct wcts_spec *spec,
                        const char *cases_dir, struct wcts_diagnostics *diagnostics);
void wcts_mutation_release(struct wcts_mutation *mutation);

#endif
