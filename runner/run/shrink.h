/* SPDX-License-Identifier: MIT */
/* Shrinking: the smallest form of a failure, whatever it is the failure of. */
#ifndef WCTS_SHRINK_H
#define WCTS_SHRINK_H

#include "../machine/session.h"

/*
 * What is shrunk. Example: a scenario; simpler makes it without the n-th act from the end that no
 * other needs, try performs that, and takes it for the scenario if it still fails.
 */
struct wcts_run_shrinking {
    bool (*simpler)(void *ctx, int n); /* makes the n-th candidate; false if there are no more */
    bool (*try)(void *ctx);            /* true if the candidate fails too, and is kept */
    void *ctx;
};

/* Keeps simpler forms until nothing simpler fails. */
void wcts_run_shrink(const struct wcts_run_shrinking *shrinking);

/* Whether an attempt fails, or did when it was recorded; fails makes it. */
bool wcts_run_try(struct wcts_machine_session *session, bool (*fails)(void *ctx), void *ctx);

#endif
