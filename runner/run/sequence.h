/* SPDX-License-Identifier: MIT */
/* Sequences: run, compared with the model after every call, and shrunk if they fail. */
#ifndef WCTS_SEQUENCE_H
#define WCTS_SEQUENCE_H

#include "../oracle/walk.h"
#include "case.h"

/* Runs the sequence of a case, and shrinks a failure. */
void wcts_walk_run(struct wcts_session *session, const struct wcts_case *test,
                   struct wcts_finding *finding);

/* Runs the sequence of a scenario that expects an effect on pages; trouble if it has not that
 * form. */
void wcts_walk_run_scenario(struct wcts_session *session, const struct wcts_case *test,
                            struct wcts_finding *finding);

/* ---- sequence_take.c ---- */

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

struct wcts_walker {
    struct wcts_walk_shape shape;
    struct wcts_model model;
    struct wcts_walk_sequence sequence, scratch, best;
};

/* The session's walker, made at the first call; NULL without memory. */
struct wcts_walker *wcts_walk_of(struct wcts_session *session);

/* Boots and runs the sequence. The exchange holds the last call, or with keep all calls. */
void wcts_walk_perform(struct wcts_session *session, struct wcts_walker *walk,
                       const struct wcts_case *test, const struct wcts_walk_sequence *sequence,
                       bool keep, struct wcts_walk_outcome *outcome);

/* ---- sequence_shrink.c ---- */

/* True if a sequence still fails, for the same reason. */
typedef bool wcts_walk_fails_fn(void *ctx, const struct wcts_walk_sequence *sequence);

/* Makes a failing sequence minimal: nothing can be left out, and no number replaced by a simpler
 * one. budget: steps that may be tried. Returns how many were. */
long wcts_walk_shrink(struct wcts_walk_sequence *sequence, const struct wcts_walk_shape *shape,
                      wcts_walk_fails_fn *fails, void *ctx, long budget);

/* The n-th sequence that is simpler in one respect; false if there are no more. */
bool wcts_walk_simpler(const struct wcts_walk_sequence *sequence,
                       const struct wcts_walk_shape *shape, int n,
                       struct wcts_walk_sequence *simpler);

/* ---- sequence.c ---- */

/* True if two failures are the same: of the same sort, for the same rule, or a subset of its
 * rules. */
bool wcts_walk_same(const struct wcts_walk_failure *failure, const struct wcts_walk_failure *that);

/* Shrinks the walk's sequence, which failed in this way, into walk->best, and runs that again.
 * False if it does not fail again. */
bool wcts_walk_reduce(struct wcts_session *session, struct wcts_walker *walk,
                      const struct wcts_case *test, const struct wcts_walk_failure *failure,
                      struct wcts_walk_outcome *outcome);

/* ---- sequence_describe.c ---- */

/* A sequence in words, a line for each step, and as a scenario file. The caller frees it. */
char *wcts_walk_words(const struct wcts_walk_shape *shape,
                      const struct wcts_walk_sequence *sequence, const char *indent);
char *wcts_walk_scenario(const struct wcts_walk_shape *shape,
                         const struct wcts_walk_sequence *sequence, const char *name, int version,
                         int rule, const char *comment);

#endif
