/* SPDX-License-Identifier: MIT */
/*
 * Signals that ask for an end: SIGINT, SIGTERM and SIGHUP. They are held back while something is
 * begun that is to be ended in order. A pool that runs meanwhile stops for them, and one that is
 * begun later does so at once, so none is lost between two.
 */
#ifndef WCTS_STOP_H
#define WCTS_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

sigset_t wcts_stop_signals(void);

/* Holds them back; *before: the mask to go back to. */
void wcts_stop_hold(sigset_t *before);

/* Lets them through again, those that came have been obeyed. Returns one of them, 0: none came. */
int wcts_stop_release(const sigset_t *before);

/* Waits for a child process to end. False if a signal was there before: the child is killed. */
bool wcts_stop_wait(pid_t child, int *status);

#endif
