/* SPDX-License-Identifier: MIT */
/*
 * A run directory, read again: counted anew from the journal, for reports that
 * look at several runs side by side. It grows with the cases that did not pass, not with all.
 */
#ifndef WCTS_LOADED_RUN_H
#define WCTS_LOADED_RUN_H

#include "../runner/store/run_dir.h"
#include "ladder.h"
#include "report.h"

/* What a case asks of an implementation: that it accepts a call and does what the documents say of
 * it, that it refuses the call, or neither. */
enum wcts_polarity { WCTS_ACCEPTS, WCTS_REFUSES, WCTS_EITHER, WCTS_POLARITY_COUNT };

const char *wcts_polarity_name(enum wcts_polarity side);
enum wcts_polarity wcts_polarity_of(const struct wcts_case *test);

/* Tallies by what was asked. */
struct wcts_polarity_tallies {
    struct wcts_tally of[WCTS_POLARITY_COUNT];
};

/* How often something that the spec says was looked at in cases that reached a verdict. */
struct wcts_evaluations {
    int held, broken;
};

#define WCTS_CONDITIONS_MAX 16

/* What the cases of a rule looked at: the rule as a whole, and each of its conditions. */
struct wcts_rule_exercise {
    struct wcts_evaluations rule;
    struct wcts_evaluations conditions[WCTS_CONDITIONS_MAX];
    int effects;    /* verdicts of cases that are no question to the rule: effects, answers, ... */
    bool breakable; /* the plan has a case that breaks the rule */
};

/* Two flags of a word, or one that stands alone in it: how often calls with them were to be
 * accepted, to be refused, or either, and how often that is not what happened. */
struct wcts_pair {
    int tried[WCTS_POLARITY_COUNT];
    int wrong;
};

struct wcts_matrix {
    int version;            /* the newest at which a structure has the word; -1: none */
    uint64_t defined, open; /* bits at that version */
    struct wcts_pairs says;
    struct wcts_pair pairs[64][64];
};

/* A case that did not pass. */
struct wcts_listed_case {
    int position; /* in selected */
    int rule;     /* that it speaks about: its own, or another that is broken */
    long offset;  /* of its entry in the journal */
};

struct wcts_loaded_run {
    const char *directory; /* not owned */
    struct wcts_reader reader;
    const json_t *description; /* run.json; the reader's */
    struct wcts_plan *plan;
    int *selected;
    struct wcts_run run;
    char plan_digest[65], journal_digest[65];
    struct wcts_polarity_tallies *statements, *rules;
    struct wcts_rule_exercise *looks;
    struct wcts_matrix *matrices;    /* one for each word */
    struct wcts_ladder ladder;       /* how far the run got; without rungs while it goes on */
    struct wcts_listed_case *listed; /* by statement, then as they came */
    int listed_count;
};

/*
 * Reads the directory. Returns
 * USAGE, with a message, when it is not a run directory, lacks something, was cut short, or is of
 * another spec. To be released either way.
 */
enum wcts_exit wcts_loaded_run_init(struct wcts_loaded_run *loaded, const char *directory,
                                    const struct wcts_load_options *options);
void wcts_loaded_run_release(struct wcts_loaded_run *loaded);

/* ---- its parts ---- */

/* What the cases that reached a verdict looked at (exercise.c): fills in looks and matrices. */
struct wcts_exercise;
struct wcts_exercise *wcts_exercise_new(struct wcts_loaded_run *loaded);
void wcts_exercise_free(struct wcts_exercise *exercise);
void wcts_exercise_add(struct wcts_exercise *exercise, const struct wcts_case *test,
                       enum wcts_verdict verdict);

#endif
