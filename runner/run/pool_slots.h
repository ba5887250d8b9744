/* SPDX-License-Identifier: MIT */
/*
 * The state of a pool: what its slots, in each of which a worker runs cases, and its ring of
 * results have in common for those who hand out work (pool.c), make results of what workers send
 * and how they end (pool_results.h), and read the claims (pool_claims.h).
 *
 * Positions are indices in options->selected. Each slot has at most one batch, [next, end), and a
 * worker that may be replaced before the batch is done: whatever happens, it happens to the case at
 * next. Results wait in a ring for their turn; a batch is assigned only if it fits into the ring,
 * so memory does not grow with the plan.
 */
#ifndef WCTS_POOL_SLOTS_H
#define WCTS_POOL_SLOTS_H

#include <poll.h>
#include <signal.h>

#include "../judge/judge.h"
#include "deaths.h"
#include "pool.h"
#include "watch.h"
#include "worker.h"

#define WCTS_POOL_WINDOW 4096

/* A worker and what it has to do. Example: {.next = 40, .end = 64, .sent = 48}: it is at case
 * 40, and those up to 47 were sent to it. */
struct wcts_run_pool_slot {
    struct wcts_run_worker worker; /* pid 0: none */
    int next, end;                 /* the rest of its batch */
    int sent;                      /* positions before it were sent to the worker */
    int life;                      /* of the worker, in options->history */
    bool retiring;
    bool closed;               /* True if the worker's channel is closed while it lives on */
    struct wcts_stored stored; /* the pieces so far, of the case at next */
    struct wcts_finding found; /* of that case, at some levels, before it ran at others */
    int found_count;           /* packets with such findings */
    struct wcts_run_watch watch;
    double since; /* when the case at next began */
    int idle_deaths;
};

/* A result that waits until all before it are handed on, so that reports come in the order of
 * the plan. */
struct wcts_run_pool_pending {
    bool done;
    bool alone;                /* True if it seemed to hang: only a run on its own counts */
    uint32_t seemed_in;        /* alone: the operation, or other activity, in which it seemed so */
    struct wcts_result result; /* before it is done: the attempts so far */
    char *output;              /* of the last attempt that failed */
};

/* Of an implementation that is elsewhere (pool_canary.h). Example after two deaths: position 18,
 * the case at position 17 passed in 40000 nanoseconds, deaths 2, due false. */
struct wcts_run_canary {
    int position;         /* 1 + that of the quickest case that passed; 0: none did */
    uint64_t nanoseconds; /* that it took */
    int deaths;           /* since a case was survived */
    bool due;
};

/* A run of several workers. Example: {.handed = 100, .assigned = 164}: 64 results are awaited,
 * some of which are in the ring already. */
struct wcts_run_pool {
    const struct wcts_run_pool_options *options;
    const struct wcts_claims *claims;
    wcts_pool_result_fn *each;
    void *ctx;
    struct wcts_run_pool_slot *slots;
    int slot_count;
    struct wcts_deaths *deaths; /* NULL: every case is tried */
    struct wcts_run_canary canary;
    struct wcts_judge_once once; /* what was observed in the results handed on */
    uint32_t looped_in;          /* the operation in which a case did not end last; 0: none */
    struct wcts_run_pool_pending
        *ring;    /* WCTS_POOL_WINDOW of them, by position modulo WCTS_POOL_WINDOW */
    int handed;   /* positions before it are done with */
    int assigned; /* positions before it were assigned */
    int batch;
    int signals;  /* signalfd */
    int dumpable; /* of the runner, before */
    sigset_t old_mask;
    bool stopped;
    char *error;
    size_t room;
    struct wcts_run_packet packet;
    struct wcts_machine_refusals refusals; /* versions at which the first worker died in open() */
};

static inline bool wcts_run_pool_is_busy(const struct wcts_run_pool_slot *slot)
{
    return slot->next < slot->end;
}

/* Makes the case at next; returns it. */
const struct wcts_case *wcts_run_pool_case_at(const struct wcts_run_pool *pool,
                                              const struct wcts_run_pool_slot *slot,
                                              struct wcts_case *test);

/* False if its shared memory or the file for its output cannot be had. */
bool wcts_run_pool_slot_init(struct wcts_run_pool_slot *slot, const struct wcts_run_pool *pool,
                             int number);
void wcts_run_pool_slot_release(struct wcts_run_pool_slot *slot);

/* Drops what a case has sent before its result. */
void wcts_run_pool_drop_pieces(struct wcts_run_pool_slot *slot);

/* The time of the case at next begins now. */
void wcts_run_pool_begin_case(struct wcts_run_pool_slot *slot);

/* False if it cannot be started, which ends the run. */
bool wcts_run_pool_start_worker(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot);

/* Stops a worker that has ended by itself, and describes its end. Returns its wait status. */
int wcts_run_pool_end_worker(struct wcts_run_pool_slot *slot, char *what, size_t room);

/* Ends the run for a reason that is not the implementation's fault. */
void wcts_run_pool_give_up(struct wcts_run_pool *pool, const char *reason);

/* True if the worker ended by no fault of the implementation; ends the run. */
bool wcts_run_pool_give_up_on(struct wcts_run_pool *pool, const struct wcts_run_pool_slot *slot,
                              int status);

/* Waits until something happens, or a watch has to look. fds: 1 + 2 for each slot, its channel and
 * its pidfd. */
void wcts_run_pool_wait(struct wcts_run_pool *pool, struct pollfd *fds);

#endif
