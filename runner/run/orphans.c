/* SPDX-License-Identifier: MIT */
#include "orphans.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/text.h"

/* The most generations of processes, each forked by the one before. */
#define ROUNDS_MAX 1000

void wcts_run_orphans_adopt(bool adopt)
{
    prctl(PR_SET_CHILD_SUBREAPER, adopt ? 1UL : 0UL);
}

/* Adds the name of a process, unless there is no room for it. */
static void add_name(struct wcts_run_left *left, pid_t pid)
{
    char path[64], own[32] = "?";
    size_t used = strlen(left->names);
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    FILE *file = fopen(path, "re");
    if (file && fgets(own, sizeof own, file))
        own[strcspn(own, "\n")] = '\0';
    if (file)
        fclose(file);
    if (used + strlen(own) + 3 < sizeof left->names)
        snprintf(left->names + used, sizeof left->names - used, "%s%s", used ? ", " : "",
                 wcts_text_clean(own));
}

/* The children of a killed process become this process's own. */
void wcts_run_orphans_kill(bool (*keep)(void *ctx, pid_t pid), void *ctx,
                           struct wcts_run_left *left)
{
    char path[64];
    int pid, killed = 1;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (int round = 0; round < ROUNDS_MAX && killed > 0; round++) {
        FILE *children = fopen(path, "re");
        killed = 0;
        while (children && fscanf(children, "%d", &pid) == 1) {
            if (keep(ctx, pid))
                continue;
            add_name(left, pid);
            kill(pid, SIGKILL);
            killed += waitpid(pid, NULL, 0) == pid;
        }
        if (children)
            fclose(children);
        left->count += killed;
    }
}
