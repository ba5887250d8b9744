/* SPDX-License-Identifier: MIT */
/*
 * A worker: a process that loads the implementation and runs cases for the pool. It shares a page
 * with the runner, in which it notes what it does, and sends each result as a packet.
 */
#ifndef WCTS_WORKER_H
#define WCTS_WORKER_H

#include <stdatomic.h>
#include <sys/types.h>

#include "packet.h"
#include "pool.h"

/* Why a worker ended, in words. */
#define WCTS_RUN_WHY_ROOM 240

/* In shared memory; the plug-in can overwrite it, so the runner only takes times and hints from
 * it. */
struct wcts_run_worker_page {
    _Atomic uint32_t beat;         /* raised whenever the worker begins something else */
    _Atomic uint32_t at;           /* 1 + its current position, 0: none */
    _Atomic uint32_t loading;      /* 1: in wcts_machine_session_open */
    _Atomic uint64_t output_start; /* size of its output when the case began */
    _Atomic int trouble;           /* errno of the worker's own failure that ended it; 0: none */
    /* Of an implementation that is elsewhere: 1 while it is waited for, and if the worker ended
     * because it was lost, what that was (enum wcts_wire_loss), the wait status of the program,
     * else -1, and why. */
    _Atomic uint32_t waiting;
    _Atomic int lost;
    int lost_status;
    char lost_why[WCTS_RUN_WHY_ROOM];
    /* Of a message of that size so many bytes were received, and the rest is waited for; 0 of 0:
     * none. */
    _Atomic uint32_t received, expected;
    struct wcts_exchange_pulse pulse; /* see pulse.h */
};

/*
 * One worker as the runner sees it; the pool's slot owns it. Example while it runs: pid 4711,
 * channel 9, sides 0, claims = those of the first worker, page->at 12 (it runs position 11). pid 0:
 * it is not started yet, or was stopped.
 */
struct wcts_run_worker {
    const struct wcts_run_pool_options *options;
    const struct wcts_claims *claims; /* NULL: reports the claims of the sides, runs no cases */
    uint32_t sides;
    int versions; /* how many versions are tried for the claims, from the oldest; 0: all */
    struct wcts_run_worker_page *page;
    int output;    /* -1: foreground */
    bool debugged; /* True if a process other than its parent may trace it */
    /* Values of the sweep at a position that earlier workers did not survive. A worker has those
     * that were known when it was started: it is replaced after each one. */
    struct wcts_exchange_deadly deadly;
    uint32_t deadly_at;

    /* filled in by wcts_run_worker_start */
    pid_t pid;
    int pidfd;   /* readable once it has ended */
    int channel; /* see packet.h */
};

/* Raises the limit of open files to what workers need, if it is lower. False with an error if that
 * is not permitted. */
bool wcts_run_worker_files(int workers, char *error, size_t room);

/* Forks the worker. False with errno if that fails. */
bool wcts_run_worker_start(struct wcts_run_worker *worker);

/* Kills it with all that it forked, and waits for it. Returns its wait status. */
int wcts_run_worker_stop(struct wcts_run_worker *worker);

/* The same for one that has nothing to do: an implementation that is elsewhere may first end in its
 * own way, for a second or two. */
void wcts_run_worker_finish(struct wcts_run_worker *worker);

/* True if its implementation is not in the worker, but a program or a connection of its. */
bool wcts_run_worker_is_remote(const struct wcts_run_worker *worker);

/* True while it waits for such an implementation, which takes no time of a case. */
bool wcts_run_worker_is_waiting(const struct wcts_run_worker *worker);

/* What happened to an implementation that is elsewhere, if the worker ended because of that; and
 * *status: of the program, where it was one. NULL for any other end. */
const char *wcts_run_worker_lost(const struct wcts_run_worker *worker, int *status);

/* Why the worker ended, if that is not the plug-in's fault: it could not be set up, or lacked
 * memory itself. NULL for any other reason. */
const char *wcts_run_worker_trouble(const struct wcts_run_worker *worker, int status);

/* "killed by SIGSEGV", "called exit(3)". Returns buffer. */
const char *wcts_run_worker_death(int status, char *buffer, size_t room);

/* Adds the claims of a side to those of all sides, which begin as zero. */
void wcts_run_claims_merge(struct wcts_claims *all, const struct wcts_claims *more, uint32_t side);

/* False, with an error that has both names, if the sides name different profiles. */
bool wcts_run_claims_agree(const struct wcts_claims *kernel, const struct wcts_claims *driver,
                           char *error, size_t room);

/* True if nobody is asked: the plug-in does not claim the side of the case, its version or
 * something else that it needs. result: NULL, or gets the skip. */
bool wcts_run_not_asked(const struct wcts_plan *plan, const struct wcts_case *test,
                        const struct wcts_claims *claims, struct wcts_result *result);

/* A number that changes when the worker makes progress: it began something else, or sent a
 * message. */
static inline uint64_t wcts_run_worker_progress(const struct wcts_run_worker *worker)
{
    return atomic_load(&worker->page->beat) + atomic_load(&worker->page->pulse.messages);
}

#endif
