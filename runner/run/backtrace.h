/* SPDX-License-Identifier: MIT */
/*
 * Where an implementation died or hung, by gdb: its case runs again, on its own, in a worker that
 * gdb is attached to. A backtrace helps to find the cause; it never changes a verdict, and if there
 * is none, one line gives the reason.
 */
#ifndef WCTS_BACKTRACE_H
#define WCTS_BACKTRACE_H

#include "../model/test.h"
#include "pool.h"

/* The most backtraces of a run: each takes a second or so. */
#define WCTS_BACKTRACES_MAX 10

/* The causes of deaths for which gdb was asked: each is asked once, by its signature. */
struct wcts_run_backtraces {
    const struct wcts_run_pool_options *options; /* of the run; not owned */
    const struct wcts_claims *claims;            /* not owned */
    char *causes[WCTS_BACKTRACES_MAX];           /* with a backtrace, or an attempt at one; owned */
    int count;
    bool given_up; /* True if gdb cannot be used here: the reason was reported */
};

void wcts_run_backtraces_release(struct wcts_run_backtraces *backtraces);

/*
 * The backtrace of a case that died or hung, lines as of wcts_run_frames_text(), or one line that
 * begins with "none: ". cause: what it shares with other cases; only the first case of each has
 * one. NULL if there is nothing to report. To be called in the runner, with the signals that end a
 * run blocked: one that arrives ends the waiting. The caller frees it.
 */
char *wcts_run_backtrace(struct wcts_run_backtraces *backtraces, const struct wcts_case *test,
                         enum wcts_verdict verdict, const char *cause);

/* Notes that a case of a run that goes on had the cause, and which backtrace; NULL: none. */
void wcts_run_backtraces_remember(struct wcts_run_backtraces *backtraces, const char *backtrace,
                                  const char *cause);

#endif
