/* SPDX-License-Identifier: MIT */
/* Processes that a plug-in forked and that outlived their worker. */
#ifndef WCTS_ORPHANS_H
#define WCTS_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on the runner inherits them. */
void wcts_orphans_adopt(bool adopt);

/* Kills all children of this process but those that keep says are ours, and what these have
 * forked. Returns how many that were. */
int wcts_orphans_kill(bool (*keep)(void *ctx, pid_t pid), void *ctx);

#endif
