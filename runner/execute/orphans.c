/* SPDX-License-Identifier: MIT */
#include "orphans.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void wcts_orphans_adopt(bool adopt)
{
    prctl(PR_SET_CHILD_SUBREAPER, adopt ? 1UL : 0UL);
}

void wcts_orphans_kill(bool (*keep)(void *ctx, pid_t pid), void *ctx)
{
    char path[64];
    int pid;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "re");
    if (!children)
        return;
    while (fscanf(children, "%d", &pid) == 1) {
        if (keep(ctx, pid))
            continue;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    fclose(children);
}
