/* SPDX-License-Identifier: MIT */
/*
 * Where an implementation died or hung, as gdb sees it: its case is run again, alone, in a worker
 * that gdb is attached to. A backtrace is for whoever looks for the cause; it never changes a
 * verdict, and where there can be none, one line says why.
 */
#ifndef WCTS_BACKTRACE_H
#define WCTS_BACKTRACE_H

#include "../model/test.h"
#include "pool.h"

/* Of a run so many are taken: each costs a second or so. */
#define WCTS_BACKTRACES_MAX 10

struct wcts_backtraces {
    const struct wcts_pool_options *options; /* of the run; not owned */
    const struct wcts_claims *claims;        /* not owned */
    char *causes[WCTS_BACKTRACES_MAX];       /* that have one, or were tried; owned */
    int count;
    bool given_up; /* gdb cannot be used here: that was said */
};

void wcts_backtraces_release(struct wcts_backtraces *backtraces);

/*
 * The backtrace of a case that died or hung, lines as of wcts_frames_text(), or one line that
 * begins with "none: ". cause: what it has in common with others; only the first of each has one.
 * NULL: there is nothing to say. To be called in the runner, with the signals that end a run held
 * back: one that comes ends the waiting. The caller frees it.
 */
char *wcts_backtrace(struct wcts_backtraces *backtraces, const struct wcts_case *test,
                     enum wcts_verdict verdict, const char *cause);

#endif
