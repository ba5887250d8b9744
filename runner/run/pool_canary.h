/* SPDX-License-Identifier: MIT */
/*
 * Whether an implementation that is elsewhere still works after deaths. One that is loaded is new
 * in each worker; a target lives on, and what one case broke may end all that follow. So after some
 * deaths in a row the quickest case that has passed is run again: if it does not pass any more, the
 * target is to be started afresh, and no case can be blamed.
 */
#ifndef WCTS_POOL_CANARY_H
#define WCTS_POOL_CANARY_H

#include "pool_slots.h"

/* Takes note of the result of the case at the slot's next position. */
void wcts_run_pool_canary_note(struct wcts_run_pool *pool, const struct wcts_run_pool_slot *slot,
                               const struct wcts_result *result);

/* True if it is time to look: no more work is to be handed out. */
static inline bool wcts_run_pool_canary_is_due(const struct wcts_run_pool *pool)
{
    return pool->canary.due;
}

/* Looks, when no worker is at work: each is ended before. Ends the run if the case does not pass.
 */
void wcts_run_pool_canary_look(struct wcts_run_pool *pool, struct pollfd *fds);

#endif
