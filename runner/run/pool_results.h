/* SPDX-License-Identifier: MIT */
/* From what workers send, and from how they end, to results: a case is settled by its packets, by
 * the end of its worker or by the time that it takes. */
#ifndef WCTS_POOL_RESULTS_H
#define WCTS_POOL_RESULTS_H

#include "packet.h"
#include "pool_slots.h"

/* Settles the case at next with a result, which it owns from then on, or notes an attempt at it
 * that is not the last; output may be NULL. ran: True if the case was run. */
void wcts_run_pool_settle(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                          struct wcts_result *result, char *output, bool ran);

/* How many repetitions of a case were made so far (--repeat). */
int wcts_run_pool_made(const struct wcts_run_pool_pending *pending);

/* Settles the cases from next on for which nobody is asked; the worker passes over them, too. */
void wcts_run_pool_pass_over(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot);

/* Hands the results on whose turn it is. */
void wcts_run_pool_hand_on(struct wcts_run_pool *pool);

void wcts_run_pool_pending_release(struct wcts_run_pool_pending *pending);

/* Reads what the worker has sent; NOTHING: no more for now. */
enum wcts_run_receive wcts_run_pool_drain(struct wcts_run_pool *pool,
                                          struct wcts_run_pool_slot *slot);

/* Stops a worker that breaks the protocol. */
void wcts_run_pool_expel(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                         const char *reason);

/* Handles a worker that has ended by itself, after all that it sent has been read. */
void wcts_run_pool_bury(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot);

/* Adds to the reason of a silence how much of a message came: "no answer within 5 s, received 40 of
 * 48 bytes of a message", as when its length is too large. */
void wcts_run_pool_name_part(const struct wcts_run_pool_slot *slot, char *what, size_t room);

/* Settles a case that hangs. */
void wcts_run_pool_check_time(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot);

#endif
