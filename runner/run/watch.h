/* SPDX-License-Identifier: MIT */
/*
 * Distinguishes a worker that hangs from one that a busy machine delays. Wall-clock time proves
 * nothing: what counts is processor time, and the time in which a worker waits although it could
 * run. The time in which the runner itself did not run does not count.
 */
#ifndef WCTS_WATCH_H
#define WCTS_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How many timeouts of waiting and processor time a case may take in all. */
#define WCTS_WATCH_TIMEOUTS 10
/* How many of processor time in one call may make it a loop, if another one like it was one. */
#define WCTS_WATCH_LOOP_TIMEOUTS 2

/* How long a case has been silent, in time that it could have used: a machine that is busy makes
 * nobody hang. Example: {.waited = 2.5, .busy = 0} after two and a half seconds of sleep. */
struct wcts_run_watch {
    bool begun;         /* True if the members below are of this case */
    double looked;      /* time of the last look at the worker */
    double own, forked; /* processor time by then: its own, and that of the processes it forked */
    uint64_t progress;
    double waited; /* seconds since the last progress in which it did not want to run */
    double spent;  /* seconds of this case: waited, or of processor time */
    double busy;   /* seconds of processor time since the last progress */
};

enum wcts_run_watched {
    WCTS_WATCH_ALIVE,
    WCTS_WATCH_SILENT,  /* no progress and no processor time for the timeout */
    WCTS_WATCH_ENDLESS, /* more than WCTS_WATCH_TIMEOUTS timeouts, mostly of processor time */
    WCTS_WATCH_LOOPS    /* more than WCTS_WATCH_LOOP_TIMEOUTS of processor time without progress */
};

/* How often to look at a worker, in seconds. */
double wcts_run_watch_interval(double timeout);

/* To be called at the start of a case. */
void wcts_run_watch_begin(struct wcts_run_watch *watch);

/* To be called at least once an interval. progress: any number that changes when the worker makes
 * progress. */
enum wcts_run_watched wcts_run_watch_look(struct wcts_run_watch *watch, pid_t worker,
                                          uint64_t progress, double timeout);

/* True if the worker has used so much processor time without progress that it may be in a loop.
 * Unlike a silence, that is the same beside other workers. */
bool wcts_run_watch_may_loop(const struct wcts_run_watch *watch, double timeout);

/* Why a case ended: "no answer within 5 s". */
void wcts_run_watch_reason(enum wcts_run_watched watched, double timeout, char *buffer,
                           size_t room);

/* Seconds on the monotonic clock. */
double wcts_run_watch_now(void);

#endif
