/* SPDX-License-Identifier: MIT */
/* Processes that a plug-in forked and that outlive their worker. */
#ifndef WCTS_ORPHANS_H
#define WCTS_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes the runner inherit them from now on. */
void wcts_run_orphans_adopt(bool adopt);

/* How many there were, and the names of the first ones, as in "sh, sleep". All zero at first. */
struct wcts_run_left {
    int count;
    char names[200];
};

/* Kills all children of this process, with their descendants, except those that keep accepts, and
 * adds them to left. */
void wcts_run_orphans_kill(bool (*keep)(void *ctx, pid_t pid), void *ctx,
                           struct wcts_run_left *left);

#endif
