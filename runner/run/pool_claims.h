/* SPDX-License-Identifier: MIT */
/* The first worker of a run, which loads the plug-in and reports its claims. */
#ifndef WCTS_POOL_CLAIMS_H
#define WCTS_POOL_CLAIMS_H

#include "pool_slots.h"

/* Loads the plug-in in a worker of its own; a seeming hang counts only if it is repeated. The
 * packet is then that of the claims. */
bool wcts_run_pool_load_claims(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot);

/* Takes the claims from the packet; false with an error if it holds a reason instead. */
bool wcts_run_pool_take_claims(struct wcts_run_pool *pool, struct wcts_claims *claims);

/* A plug-in that gives no reason may not know its options. No verdict has this text. */
void wcts_run_pool_name_options(const struct wcts_run_pool *pool);

/* Adds the last line that the implementation printed to an error that has nothing that it logged:
 * where it printed the reason, that may be the only one. */
void wcts_run_pool_name_output(const struct wcts_run_pool *pool,
                               const struct wcts_run_pool_slot *slot);

#endif
