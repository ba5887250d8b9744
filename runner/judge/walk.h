/* SPDX-License-Identifier: MIT */
/* Judging a sequence: each answer is checked against the rules, and the pages against the model. */
#ifndef WCTS_JUDGE_WALK_H
#define WCTS_JUDGE_WALK_H

#include "../oracle/walk.h"
#include "judge.h"

/*
 * A sequence is a struct wcts_oracle_walk_sequence (oracle/walk.h): steps {kind, first, count,
 * items} in a window of pages. Example: top false, steps {RESERVE first 0 count 2}, {CREATE
 * allocation 0}, {UPDATE items {map a1 at window+0x0, size 0x1000}}, count 3.
 */
enum wcts_judge_walk_breach {
    WCTS_WALK_NO_BREACH,
    WCTS_WALK_ACCEPTED, /* although the rules require a refusal */
    WCTS_WALK_REFUSED,  /* although they require acceptance: declined */
    WCTS_WALK_CHANGED,  /* a page differs from the model */
    WCTS_WALK_SILENT    /* no answer although there was one before */
};

/* What is wrong in a sequence, and at which step. Example: {WCTS_WALK_ACCEPTED, .step = 7, .rule
 * = 12, .found = WCTS_FOUND_BROKEN, .fails = true}. */
struct wcts_judge_walk_failure {
    enum wcts_judge_walk_breach breach;
    int step;
    int rule;      /* the broken rule */
    int others[7]; /* accepted: the other rules that require a refusal */
    int other_count;
    enum wcts_found found;
    bool fails; /* True if it fails, false if it warns */
    char text[320];
};

/* A sequence that was judged: its worst failure, or none ({.failure.breach =
 * WCTS_WALK_NO_BREACH}), and what it exercised. */
struct wcts_judge_walk_outcome {
    struct wcts_judge_walk_failure failure; /* the first of the worst */
    bool stopped; /* before the end: attempt has the place, text the reason if it is no answer */
    struct wcts_exchange_attempt attempt;
    char text[160];
    struct wcts_walk_numbers numbers;
};

/*
 * Who takes a walk: the judge decides after each call whether there is another, by what is recorded
 * of it alone. Example: the machine, which makes the calls, or has them read from a stream.
 */
struct wcts_judge_walk_taker {
    const struct wcts_exchange *exchange; /* where the calls are recorded; not owned */
    void (*call)(void *ctx, const struct wcts_oracle_walk_step *step); /* makes the step's call */
    void (*look)(void *ctx); /* asks for the window's pages */
    void *ctx;
};

/* Follows a walk. The model has begun, and is changed; the outcome has how the set-up ended. */
void wcts_judge_walk(const struct wcts_plan *plan, const struct wcts_case *test,
                     const struct wcts_oracle_walk_sequence *sequence,
                     struct wcts_oracle_model *model, const struct wcts_judge_walk_taker *taker,
                     struct wcts_strictness *strictness, struct wcts_judge_walk_outcome *outcome);

#endif
