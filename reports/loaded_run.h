/* SPDX-License-Identifier: MIT */
/* A run that is loaded from its directory and counted again from the journal, for reports on one or
 * more runs. Its size depends on the cases that did not pass, not on all. */
#ifndef WCTS_LOADED_RUN_H
#define WCTS_LOADED_RUN_H

#include "../runner/store/run_dir.h"
#include "ladder.h"
#include "report.h"

/* What a case expects of an implementation: to accept a call and do what the documents state, to
 * refuse it, or either. */
enum wcts_report_polarity { WCTS_ACCEPTS, WCTS_REFUSES, WCTS_EITHER, WCTS_POLARITY_COUNT };

const char *wcts_report_polarity_name(enum wcts_report_polarity side);
enum wcts_report_polarity wcts_report_polarity_of(const struct wcts_case *test);

/* Tallies by polarity. */
struct wcts_report_polarity_tallies {
    struct wcts_store_tally of[WCTS_POLARITY_COUNT];
};

/* How often a rule or condition held in cases that reached a verdict, and how often it did not. */
struct wcts_report_evaluations {
    int held, broken;
};

#define WCTS_CONDITIONS_MAX 16

/* How the cases of a rule exercise it and each of its conditions. */
struct wcts_report_rule_exercise {
    struct wcts_report_evaluations rule;
    struct wcts_report_evaluations conditions[WCTS_CONDITIONS_MAX];
    int effects;    /* verdicts of cases that do not evaluate the rule: effects, answers, ... */
    bool breakable; /* the plan has a case that breaks the rule */
};

/* Two flags of a word, or one alone: how often calls with them were expected to be accepted,
 * refused, or either, and how often the result was another. */
struct wcts_report_pair {
    int tried[WCTS_POLARITY_COUNT];
    int wrong;
};

/* What a run showed of each two flags of a word. Example: .pairs[1][0] has the calls with bits 0
 * and 1, .pairs[1][1] those with bit 1 alone. */
struct wcts_report_matrix {
    int version;            /* the newest at which a structure has the word; -1: none */
    uint64_t defined, open; /* bits at that version */
    struct wcts_oracle_pairs says;
    struct wcts_report_pair pairs[64][64];
};

/* A case that did not pass: the result XML lists it. */
struct wcts_report_listed_case {
    int position; /* in selected */
    int rule;     /* the broken or tested one */
    long offset;  /* of its entry in the journal */
};

/*
 * A loaded run. The caller owns it.
 *     if (wcts_report_loaded_run_init(&loaded, "out/latest", &options) == WCTS_EXIT_OK)
 *         puts(loaded.run.headline);
 *     wcts_report_loaded_run_release(&loaded);
 */
struct wcts_report_loaded_run {
    const char *directory; /* not owned */
    struct wcts_store_reader reader;
    const json_t *description; /* run.json; the reader's */
    struct wcts_plan *plan;
    int *selected;
    struct wcts_report_run run;
    char plan_digest[65], journal_digest[65];
    struct wcts_report_polarity_tallies *statements, *rules;
    struct wcts_report_rule_exercise *exercised; /* by rule */
    struct wcts_report_matrix *matrices;         /* by word */
    struct wcts_report_ladder ladder;            /* without rungs while the run goes on */
    struct wcts_report_listed_case *listed;      /* sorted by statement, then as in the journal */
    int listed_count;
};

/* Loads the directory. USAGE, with a message, when it is not a run directory, is incomplete, was
 * cut, or has another spec. Release it either way. */
enum wcts_report_exit wcts_report_loaded_run_init(struct wcts_report_loaded_run *loaded,
                                                  const char *directory,
                                                  const struct wcts_report_load_options *options);
void wcts_report_loaded_run_release(struct wcts_report_loaded_run *loaded);

/* ---- its parts ---- */

/* Counts what cases with a verdict exercise (exercise.c): sets exercised and matrices. */
struct wcts_exercise;
struct wcts_exercise *wcts_report_exercise_new(struct wcts_report_loaded_run *loaded);
void wcts_report_exercise_free(struct wcts_exercise *exercise);
void wcts_report_exercise_add(struct wcts_exercise *exercise, const struct wcts_case *test,
                              const struct wcts_result *result);

#endif
