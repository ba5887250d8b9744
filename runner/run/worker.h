/* SPDX-License-Identifier: MIT */
/*
 * A worker: a process that loads the implementation and runs cases for the pool. It shares a
 * page with the runner, in which it notes what it is at, and sends each result as a record.
 */
#ifndef WCTS_WORKER_H
#define WCTS_WORKER_H

#include <stdatomic.h>
#include <sys/types.h>

#include "pool.h"
#include "record.h"

/* In shared memory; the plug-in can reach it, so the runner only takes times and hints from it. */
struct wcts_worker_page {
    _Atomic uint32_t beat;         /* raised whenever the worker goes on to something else */
    _Atomic uint32_t at;           /* 1 + the position that it is at, 0: none */
    _Atomic uint32_t loading;      /* 1: in wcts_session_open */
    _Atomic uint64_t output_start; /* size of its output when the case began */
    _Atomic int trouble;     /* errno of the worker's own trouble, of which it ended; 0: none */
    struct wcts_pulse pulse; /* see execute.h: the operation that it is in */
};

struct wcts_worker {
    const struct wcts_pool_options *options;
    const struct wcts_claims *claims; /* NULL: report the claims of the sides, run no cases */
    uint32_t sides;
    int versions; /* how many are tried for the claims, from the oldest; 0: all */
    struct wcts_worker_page *page;
    int output;    /* -1: foreground */
    bool debugged; /* another process than its parent may trace it */

    /* filled in by wcts_worker_start */
    pid_t pid;
    int pidfd;   /* readable when it has ended */
    int channel; /* see record.h */
};

/* Raises the limit of open files to what workers take, if it is lower. False with an error when it
 * may not be raised so far. */
bool wcts_worker_files(int workers, char *error, size_t room);

/* Forks the worker. False with errno when that cannot be done. */
bool wcts_worker_start(struct wcts_worker *worker);

/* Kills it with all that it forked, and waits for it. Returns its wait status. */
int wcts_worker_stop(struct wcts_worker *worker);

/* Why the worker ended, if that is no fault of the plug-in: it could not be set up, or was short of
 * memory itself. NULL: for another reason. */
const char *wcts_worker_trouble(const struct wcts_worker *worker, int status);

/* "killed by SIGSEGV", "called exit(3)". Returns buffer. */
const char *wcts_worker_death(int status, char *buffer, size_t room);

/* The two sides of a plug-in speak for themselves; what each alone can say is put together. all
 * begins as zero. */
void wcts_claims_merge(struct wcts_claims *all, const struct wcts_claims *more, uint32_t side);

/* True, with a skip, when the plug-in lacks the side that the case is for. */
bool wcts_judge_no_side(const struct wcts_case *test, const struct wcts_claims *claims,
                        struct wcts_result *result);

#endif
