/* SPDX-License-Identifier: MIT */
#include "orphans.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Generations of processes, each forked by the one before. */
#define ROUNDS_MAX 1000

void wcts_orphans_adopt(bool adopt)
{
    prctl(PR_SET_CHILD_SUBREAPER, adopt ? 1UL : 0UL);
}

/* Those that are there now. */
static int kill_children(bool (*keep)(void *ctx, pid_t pid), void *ctx)
{
    char path[64];
    int pid, killed = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "re");
    while (children && fscanf(children, "%d", &pid) == 1) {
        if (keep(ctx, pid))
            continue;
        kill(pid, SIGKILL);
        killed += waitpid(pid, NULL, 0) == pid;
    }
    if (children)
        fclose(children);
    return killed;
}

/* The children of one that is killed become this process's own. */
int wcts_orphans_kill(bool (*keep)(void *ctx, pid_t pid), void *ctx)
{
    int all = 0, killed = 1;
    for (int round = 0; round < ROUNDS_MAX && killed > 0; round++) {
        killed = kill_children(keep, ctx);
        all += killed;
    }
    return all;
}
