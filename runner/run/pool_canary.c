/* SPDX-License-Identifier: MIT */
#include "pool_canary.h"

#include <string.h>
#include <sys/socket.h>

#include "../base/address.h"
#include "../plan/plan.h"

/* So many deaths in a row may be the target's own state. */
#define DEATHS 3

void wcts_run_pool_canary_note(struct wcts_run_pool *pool, const struct wcts_run_pool_slot *slot,
                               const struct wcts_result *result)
{
    struct wcts_run_canary *canary = &pool->canary;
    enum wcts_found found = wcts_model_finding_last(&result->finding)->found;
    if (!wcts_address_is_remote(pool->options->asked->implementation.path))
        return;
    if (result->ended && (found == WCTS_FOUND_CRASH || found == WCTS_FOUND_HANG)) {
        canary->deaths++;
        canary->due = canary->deaths >= DEATHS && canary->position > 0;
        return;
    }
    if (found != WCTS_FOUND_KEPT && found != WCTS_FOUND_BROKEN)
        return;
    canary->deaths = 0;
    canary->due = false;
    if (found == WCTS_FOUND_KEPT && !result->finding.next &&
        (canary->position == 0 || result->nanoseconds < canary->nanoseconds)) {
        canary->position = 1 + slot->next;
        canary->nanoseconds = result->nanoseconds;
    }
}

/* True if the packet is the result, with *passes. */
static bool is_result(const struct wcts_run_pool *pool, bool *passes)
{
    struct wcts_result result = {0};
    if (pool->packet.head.kind != WCTS_PACKET_RESULT)
        return false;
    *passes =
        wcts_run_packet_result(&pool->packet, &result) && result.finding.found == WCTS_FOUND_KEPT;
    wcts_model_result_release(&result);
    return true;
}

/* Waits for the end of the case, which the slot's worker runs. False with what happened. */
static bool await(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot, struct pollfd *fds,
                  char *what, size_t room)
{
    double timeout = pool->options->asked->timeout;
    bool passes = false;
    snprintf(what, room, "it fails");
    while (!pool->stopped) {
        wcts_run_pool_wait(pool, fds);
        enum wcts_run_receive got = wcts_run_packet_receive(slot->worker.channel, &pool->packet);
        while (got == WCTS_RECEIVE_PACKET && !is_result(pool, &passes))
            got = wcts_run_packet_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_PACKET)
            return passes;
        if (fds[2].revents != 0) {
            int status = wcts_run_pool_end_worker(slot, what, room);
            wcts_run_pool_give_up_on(pool, slot, status);
            return false;
        }
        if (wcts_run_worker_is_waiting(&slot->worker))
            wcts_run_watch_begin(&slot->watch);
        enum wcts_run_watched watched = wcts_run_watch_look(
            &slot->watch, slot->worker.pid, wcts_run_worker_progress(&slot->worker), timeout);
        if (watched != WCTS_WATCH_ALIVE) {
            wcts_run_watch_reason(watched, timeout, what, room);
            return false;
        }
    }
    return true; /* by a signal */
}

/* A target may serve one connection only: no other worker keeps one. */
static void end_workers(struct wcts_run_pool *pool)
{
    for (int i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].worker.pid != 0)
            wcts_run_worker_finish(&pool->slots[i].worker);
}

void wcts_run_pool_canary_look(struct wcts_run_pool *pool, struct pollfd *fds)
{
    struct wcts_run_canary *canary = &pool->canary;
    struct wcts_run_pool_slot *slot = &pool->slots[0];
    struct wcts_run_batch batch = {(uint32_t)canary->position - 1, 1, 0};
    struct wcts_case made;
    char what[300], reason[sizeof what + 600];
    bool passes;
    end_workers(pool);
    if (!wcts_run_pool_start_worker(pool, slot))
        return;
    wcts_run_pool_begin_case(slot);
    (void)!send(slot->worker.channel, &batch, sizeof batch, MSG_NOSIGNAL);
    passes = await(pool, slot, fds, what, sizeof what);
    end_workers(pool);
    if (!passes && !pool->stopped) {
        snprintf(
            reason, sizeof reason,
            "after %d deaths in a row the implementation does not pass %.400s any more, which "
            "it passed before: %s; expected one that works, start it afresh",
            canary->deaths,
            wcts_plan_case(pool->options->plan, pool->options->selected[batch.from], &made)->id,
            what);
        wcts_run_pool_give_up(pool, reason);
    }
    canary->deaths = 0;
    canary->due = false;
}
