/* SPDX-License-Identifier: MIT */
#include "watch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INTERVAL 0.05
/* How often at least to look within a short timeout. */
#define LOOKS_MIN 4
/* A longer pause between two looks means that the runner had to wait, and maybe the worker too. */
#define INTERVALS_MAX 2
/* How many processes that a plug-in forks are examined. */
#define PROCESSES_MAX 64

double wcts_run_watch_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double wcts_run_watch_interval(double timeout)
{
    return timeout < LOOKS_MIN * INTERVAL ? timeout / LOOKS_MIN : INTERVAL;
}

/* ---- processes ---- */

/* Of all threads, in seconds; 0 if there is no such process. */
static double processor_time(pid_t pid)
{
    struct timespec time;
    clockid_t clock;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A worker with the processes that it forked. */
struct run_family {
    pid_t pids[PROCESSES_MAX];
    int count;
    bool runnable; /* True if a thread runs, or waits for a processor */
};

static void add_children(struct run_family *family, const char *task)
{
    char path[128];
    int pid;
    snprintf(path, sizeof path, "%s/children", task);
    FILE *children = fopen(path, "re");
    if (!children)
        return;
    while (family->count < PROCESSES_MAX && fscanf(children, "%d", &pid) == 1)
        family->pids[family->count++] = pid;
    fclose(children);
}

/* "PID (NAME) STATE ...": the name may contain parentheses and blanks. */
static bool is_runnable(const char *task)
{
    char path[128], line[256];
    snprintf(path, sizeof path, "%s/stat", task);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        fclose(file);
    line[length] = '\0';
    const char *end = strrchr(line, ')');
    return end && strncmp(end, ") R", 3) == 0;
}

static void add_threads(struct run_family *family, pid_t pid)
{
    char path[64], task[96];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        return;
    for (const struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks)) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(task, sizeof task, "%s/%.16s", path, entry->d_name);
        family->runnable = family->runnable || is_runnable(task);
        add_children(family, task);
    }
    closedir(tasks);
}

/* Processor time of the processes that the worker forked; *runnable: True if any wants to run. */
static double look_at_family(pid_t worker, bool *runnable)
{
    struct run_family family = {.pids = {worker}, .count = 1};
    double time = 0;
    for (int i = 0; i < family.count; i++) {
        add_threads(&family, family.pids[i]);
        if (i > 0)
            time += processor_time(family.pids[i]);
    }
    *runnable = family.runnable;
    return time;
}

/* ---- the watch ---- */

void wcts_run_watch_begin(struct wcts_run_watch *watch)
{
    *watch = (struct wcts_run_watch){.looked = watch->looked};
}

/* How far a clock has advanced; a new process has no earlier time. */
static double advance(double *clock, double time)
{
    double gone = time > *clock ? time - *clock : 0;
    *clock = time;
    return gone;
}

enum wcts_run_watched wcts_run_watch_look(struct wcts_run_watch *watch, pid_t worker,
                                          uint64_t progress, double timeout)
{
    double now = wcts_run_watch_now(), interval = wcts_run_watch_interval(timeout);
    double passed = now - watch->looked;
    bool runnable = false;
    if (passed > INTERVALS_MAX * interval)
        passed = INTERVALS_MAX * interval;
    if (passed < interval)
        return WCTS_WATCH_ALIVE;
    watch->looked = now;
    if (!watch->begun) {
        watch->begun = true;
        watch->own = processor_time(worker);
        watch->forked = look_at_family(worker, &runnable);
        watch->progress = progress;
        return WCTS_WATCH_ALIVE;
    }

    double used = advance(&watch->own, processor_time(worker));
    bool works = used > passed / 2;
    if (!works)
        used += advance(&watch->forked, look_at_family(worker, &runnable));
    double waited = works || runnable || used > passed ? 0 : passed - used;
    watch->waited = progress != watch->progress ? 0 : watch->waited + waited;
    watch->spent += used + waited;
    watch->busy = progress != watch->progress ? 0 : watch->busy + used;
    watch->progress = progress;
    if (watch->waited > timeout)
        return WCTS_WATCH_SILENT;
    return watch->spent > WCTS_WATCH_TIMEOUTS * timeout ? WCTS_WATCH_ENDLESS : WCTS_WATCH_ALIVE;
}

bool wcts_run_watch_may_loop(const struct wcts_run_watch *watch, double timeout)
{
    return watch->busy > WCTS_WATCH_LOOP_TIMEOUTS * timeout;
}

void wcts_run_watch_reason(enum wcts_run_watched watched, double timeout, char *buffer, size_t room)
{
    int timeouts = watched == WCTS_WATCH_LOOPS ? WCTS_WATCH_LOOP_TIMEOUTS : WCTS_WATCH_TIMEOUTS;
    if (watched == WCTS_WATCH_SILENT)
        snprintf(buffer, room, "no answer within %g s", timeout);
    else
        snprintf(buffer, room, "no end after %g s of processor time", timeouts * timeout);
}
