/* SPDX-License-Identifier: MIT */
/* Sequences: walked, compared after every call with the model, and shrunk when they fail. */
#ifndef WCTS_SEQUENCE_H
#define WCTS_SEQUENCE_H

#include "../oracle/walk.h"
#include "case.h"

/* Walks, and shrinks what fails. */
void wcts_walk_run(struct wcts_session *session, const struct wcts_case *test,
                   struct wcts_finding *finding);

/* Walks the sequence of a scenario that expects an effect on pages; broken when it is none. */
void wcts_walk_run_scenario(struct wcts_session *session, const struct wcts_case *test,
                            struct wcts_finding *finding);

/* ---- sequence_take.c ---- */

enum wcts_walk_breach {
    WCTS_WALK_NO_BREACH,
    WCTS_WALK_ACCEPTED, /* where the rules have it refused */
    WCTS_WALK_REFUSED,  /* where they have it accepted: declined */
    WCTS_WALK_CHANGED,  /* a page is not as it has to be */
    WCTS_WALK_SILENT    /* no answer where there was one before */
};

struct wcts_walk_failure {
    enum wcts_walk_breach breach;
    int step;
    int rule;      /* that it breaks */
    int others[7]; /* accepted: the other rules that would have it refused */
    int other_count;
    enum wcts_found found;
    bool fails; /* rather than that it warns */
    char text[320];
};

struct wcts_walk_outcome {
    struct wcts_walk_failure failure; /* the first of the worst */
    bool stopped; /* before the end: attempt says where, text why when it is no answer */
    struct wcts_attempt attempt;
    char text[160];
    struct wcts_walk_numbers numbers;
};

struct wcts_walker {
    struct wcts_walk_shape shape;
    struct wcts_model model;
    struct wcts_walk_sequence sequence, scratch, best;
};

/* What a session keeps, made when it is first asked for; NULL without memory. */
struct wcts_walker *wcts_walk_of(struct wcts_session *session);

/* Boots and walks. The exchange is that of the last call, or with keep of all calls. */
void wcts_walk_take(struct wcts_session *session, struct wcts_walker *walk,
                    const struct wcts_case *test, const struct wcts_walk_sequence *sequence,
                    bool keep, struct wcts_walk_outcome *outcome);

/* ---- sequence_shrink.c ---- */

/* Whether a sequence still fails, for the same reason. */
typedef bool wcts_walk_fails_fn(void *ctx, const struct wcts_walk_sequence *sequence);

/* Makes a failing sequence as small as it gets: nothing can be left out, and no number be replaced
 * by a simpler one. budget: steps that may be tried. Returns those that were. */
long wcts_walk_shrink(struct wcts_walk_sequence *sequence, const struct wcts_walk_shape *shape,
                      wcts_walk_fails_fn *fails, void *ctx, long budget);

/* The n-th sequence that is simpler in one respect; false when there are no more. */
bool wcts_walk_simpler(const struct wcts_walk_sequence *sequence,
                       const struct wcts_walk_shape *shape, int n,
                       struct wcts_walk_sequence *simpler);

/* ---- sequence.c ---- */

/* True if a failure is that one again: of the same kind, for the same rule, or some of the same. */
bool wcts_walk_same(const struct wcts_walk_failure *failure, const struct wcts_walk_failure *that);

/* Shrinks the walk's sequence, which failed so, into walk->best, and walks that once more. False
 * when it does not fail again. */
bool wcts_walk_reduce(struct wcts_session *session, struct wcts_walker *walk,
                      const struct wcts_case *test, const struct wcts_walk_failure *failure,
                      struct wcts_walk_outcome *outcome);

/* ---- sequence_describe.c ---- */

/* A sequence in words, a line a step, and as a scenario file. Owned by the caller. */
char *wcts_walk_words(const struct wcts_walk_shape *shape,
                      const struct wcts_walk_sequence *sequence, const char *indent);
char *wcts_walk_scenario(const struct wcts_walk_shape *shape,
                         const struct wcts_walk_sequence *sequence, const char *name, int version,
                         int rule, const char *comment);

#endif
