/* SPDX-License-Identifier: MIT */
/*
 * Signals that request an end: SIGINT, SIGTERM and SIGHUP. They are blocked while something runs
 * that must end in order. A pool that runs meanwhile stops for them, and one that starts later does
 * so at once, so none is lost in between.
 */
#ifndef WCTS_STOP_H
#define WCTS_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

sigset_t wcts_run_stop_signals(void);

/* Blocks them; *before: the mask to restore. */
void wcts_run_stop_hold(sigset_t *before);

/* Restores the mask; pending ones have been obeyed. Returns one of them, 0 if there was none. */
int wcts_run_stop_release(const sigset_t *before);

/* Waits for a child process to end. False if a signal arrived first: the child is killed. */
bool wcts_run_stop_wait(pid_t child, int *status);

#endif
