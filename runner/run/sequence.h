/* SPDX-License-Identifier: MIT */
/* Sequences: run, compared with the model after every call, and shrunk if they fail. */
#ifndef WCTS_SEQUENCE_H
#define WCTS_SEQUENCE_H

#include "../judge/walk.h"
#include "case.h"

/* Runs the sequence of a case, and shrinks a failure. */
void wcts_run_walk_run(struct wcts_machine_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding);

/* Runs the sequence of a scenario that expects an effect on pages; trouble if it has not that form.
 */
void wcts_run_walk_run_scenario(struct wcts_machine_session *session, const struct wcts_case *test,
                                struct wcts_finding *finding);

/* ---- sequence_take.c ---- */

/* What a session needs to draw, perform and shrink sequences: big, so that it is made once. */
struct wcts_run_walker {
    struct wcts_oracle_walk_shape shape;
    struct wcts_oracle_model model;
    struct wcts_oracle_walk_sequence sequence, best;
};

/* The session's walker, made at the first call; NULL without memory. */
struct wcts_run_walker *wcts_run_walk_of(struct wcts_machine_session *session);

/* Boots, runs the sequence into a recording of its own, and judges it on the way. */
void wcts_run_walk_perform(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                           const struct wcts_case *test,
                           const struct wcts_oracle_walk_sequence *sequence,
                           struct wcts_judge_walk_outcome *outcome);

/* ---- sequence_shrink.c ---- */

/* True if a sequence still fails, for the same reason. */
typedef bool wcts_walk_fails_fn(void *ctx, const struct wcts_oracle_walk_sequence *sequence);

/* Makes a failing sequence minimal: nothing can be left out, and no number replaced by a simpler
 * one. budget: steps that may be tried. Returns how many were. */
long wcts_run_walk_shrink(struct wcts_oracle_walk_sequence *sequence,
                          const struct wcts_oracle_walk_shape *shape, wcts_walk_fails_fn *fails,
                          void *ctx, long budget);

/* The n-th sequence that is simpler in one respect; false if there are no more. */
bool wcts_run_walk_simpler(const struct wcts_oracle_walk_sequence *sequence,
                           const struct wcts_oracle_walk_shape *shape, int n,
                           struct wcts_oracle_walk_sequence *simpler);

/* ---- sequence.c ---- */

/* True if two failures are the same: of the same sort, for the same rule, or a subset of its rules.
 */
bool wcts_run_walk_same(const struct wcts_judge_walk_failure *failure,
                        const struct wcts_judge_walk_failure *that);

/* Shrinks the walk's sequence, which failed in this way, into walk->best, and runs that again.
 * False if it does not fail again. */
bool wcts_run_walk_reduce(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                          const struct wcts_case *test,
                          const struct wcts_judge_walk_failure *failure,
                          struct wcts_judge_walk_outcome *outcome);

/* ---- sequence_describe.c ---- */

/* A sequence in words, a line for each step, and as a scenario file. The caller frees it. */
char *wcts_run_walk_words(const struct wcts_oracle_walk_shape *shape,
                          const struct wcts_oracle_walk_sequence *sequence, const char *indent);
char *wcts_run_walk_scenario(const struct wcts_oracle_walk_shape *shape,
                             const struct wcts_oracle_walk_sequence *sequence, const char *name,
                             int version, int rule, const char *comment);

#endif
