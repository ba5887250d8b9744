/* SPDX-License-Identifier: MIT */
/* Processes that a plug-in forked and that outlived their worker. */
#ifndef WCTS_ORPHANS_H
#define WCTS_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on the runner inherits them. */
void wcts_orphans_adopt(bool adopt);

/* How many they were, and the names of the first, as in "sh, sleep". Begins as zero. */
struct wcts_left {
    int count;
    char names[200];
};

/* Kills all children of this process but those that keep says are ours, and what these have
 * forked, and adds them to left. */
void wcts_orphans_kill(bool (*keep)(void *ctx, pid_t pid), void *ctx, struct wcts_left *left);

#endif
