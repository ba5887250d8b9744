/* SPDX-License-Identifier: MIT */
/* Judging a sequence: each answer is checked against the rules, and the pages against the model. */
#ifndef WCTS_JUDGE_WALK_H
#define WCTS_JUDGE_WALK_H

#include "../oracle/walk.h"
#include "judge.h"

/*
 * A sequence is a struct wcts_walk_sequence (oracle/walk.h): steps {kind, first, count, items} in a
 * window of pages. Example: top false, steps {RESERVE first 0 count 2}, {CREATE allocation 0},
 * {UPDATE items {map a1 at window+0x0, size 0x1000}}, count 3.
 */
enum wcts_walk_breach {
    WCTS_WALK_NO_BREACH,
    WCTS_WALK_ACCEPTED, /* although the rules require a refusal */
    WCTS_WALK_REFUSED,  /* although they require acceptance: declined */
    WCTS_WALK_CHANGED,  /* a page differs from the model */
    WCTS_WALK_SILENT    /* no answer although there was one before */
};

struct wcts_walk_failure {
    enum wcts_walk_breach breach;
    int step;
    int rule;      /* the broken rule */
    int others[7]; /* accepted: the other rules that require a refusal */
    int other_count;
    enum wcts_found found;
    bool fails; /* True if it fails, false if it warns */
    char text[320];
};

struct wcts_walk_outcome {
    struct wcts_walk_failure failure; /* the first of the worst */
    bool stopped; /* before the end: attempt has the place, text the reason if it is no answer */
    struct wcts_attempt attempt;
    char text[160];
    struct wcts_walk_numbers numbers;
};

/*
 * Follows a walk, step by step, in the model. Whoever has it walk begins a step, gives its answer
 * and then the pages; each returns true if the walk is over. Example: the call is made by the
 * machine, or read from the recording.
 */
struct wcts_walk_follower {
    const struct wcts_plan *plan;
    const struct wcts_case *test;
    struct wcts_strictness *strictness;
    struct wcts_model *model; /* begun by its owner */
    struct wcts_walk_outcome *outcome;
    const struct wcts_walk_step *step;
    int at;        /* its number */
    bool answered; /* True once an update was answered */
    enum wcts_expect expect;
    struct wcts_prediction prediction;
};

/* The answer to a step. */
struct wcts_walk_answer {
    wcts_status status;
    uint64_t result; /* address or handle */
    bool breach;     /* the exchange ended with it (enum wcts_breach) */
};

/* False if the step cannot be taken. Else the model has the update's world. */
bool wcts_judge_walk_begin_step(struct wcts_walk_follower *follower,
                                const struct wcts_walk_step *step, int at);
bool wcts_judge_walk_follow(struct wcts_walk_follower *follower,
                            const struct wcts_walk_answer *answer);
/* pages: WCTS_WALK_PAGES; NULL: they were not reported. */
bool wcts_judge_walk_compare(struct wcts_walk_follower *follower,
                             const struct wcts_walk_answer *answer, const struct wcts_page *pages);

/* Follows a recorded walk. The model is the caller's, to be changed. */
void wcts_judge_walk(const struct wcts_judge *judge, const struct wcts_case *test,
                     const struct wcts_walk_sequence *sequence, const struct wcts_boot *boot,
                     struct wcts_model *model, struct wcts_strictness *strictness,
                     struct wcts_walk_outcome *outcome);

#endif
