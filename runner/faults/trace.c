/* SPDX-License-Identifier: MIT */
/* Tracing: every case is run once without a fault. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../plan/plan.h"
#include "../run/case.h"
#include "../run/pool.h"
#include "../run/stop.h"
#include "faults.h"

static void trace_cases(const struct wcts_faults *faults, struct wcts_machine_session *session,
                        bool driver, uint8_t *marks)
{
    const struct wcts_plan *plan = faults->plan;
    for (int i = 0; i < plan->count; i++) {
        struct wcts_result result = {0};
        struct wcts_case test;
        if (wcts_plan_series(plan, i)->driver != driver)
            continue;
        session->performed =
            (struct wcts_machine_performed){0}; /* performed for this case, not before */
        faults->table->trace(&marks[(size_t)i * (size_t)faults->count]);
        wcts_run_case(session, wcts_plan_case(plan, i, &test), &result);
        faults->table->trace(NULL);
        wcts_model_result_release(&result);
    }
}

static bool trace_side(const struct wcts_faults_trace *trace, const struct wcts_faults *faults,
                       const struct wcts_options *base, bool driver, char *error, size_t room)
{
    const struct wcts_implementation implementation = {base->implementation.path, trace->options};
    const struct wcts_machine_session_options options = {
        .driver = driver, .levels = wcts_model_level_bit(base->level)};
    struct wcts_claims claims = {0};
    struct wcts_machine_session *session;
    if (!(trace->claims.sides & (driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL)))
        return true;
    session =
        wcts_machine_session_open(faults->plan, &implementation, &options, &claims, error, room);
    if (!session)
        return false;
    trace_cases(faults, session, driver, trace->marks);
    wcts_machine_session_close(session);
    return true;
}

/* Gets the claims in a worker, since loading may hang. */
static bool probe_for_trace(struct wcts_faults_trace *trace, const struct wcts_faults *faults,
                            const struct wcts_options *base, char *error, size_t room)
{
    struct wcts_options asked = *base;
    const struct wcts_run_pool_options options = {
        .asked = &asked, .plan = faults->plan, .levels = wcts_model_level_bit(base->level)};
    asked.implementation.options = trace->options;
    return wcts_run_pool_probe(&options, WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, &trace->claims, error,
                               room) == WCTS_POOL_DONE;
}

/* In a separate process, which may hang or die. */
static bool trace_apart(struct wcts_faults_trace *trace, const struct wcts_faults *faults,
                        const struct wcts_options *base, char *error, size_t room)
{
    char *why = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    fflush(NULL);
    pid_t child = why != MAP_FAILED ? fork() : -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(trace_side(trace, faults, base, false, why, room) &&
                      trace_side(trace, faults, base, true, why, room)
                  ? EXIT_SUCCESS
                  : EXIT_FAILURE);
    }
    if (child < 0)
        snprintf(error, room, "cannot start a process: %s", strerror(errno));
    else if (!wcts_run_stop_wait(child, &status))
        snprintf(error, room, "stopped");
    else if (status != EXIT_SUCCESS)
        snprintf(error, room, "%s", why[0] ? why : "it died while no fault was on");
    if (why != MAP_FAILED)
        munmap(why, room);
    return child > 0 && status == EXIT_SUCCESS;
}

bool wcts_faults_fault_trace_init(struct wcts_faults_trace *trace, const struct wcts_faults *faults,
                                  const struct wcts_options *base, const char *options, char *error,
                                  size_t room)
{
    size_t size = (size_t)faults->plan->count * (size_t)faults->count + 1;
    void *marks = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *trace = (struct wcts_faults_trace){
        .options = strdup(options), .marks = marks != MAP_FAILED ? marks : NULL, .size = size};
    snprintf(error, room, "no memory");
    if (!trace->options || !trace->marks)
        return false;
    memset(trace->marks, faults->table->trace ? 0 : 1, size);
    return probe_for_trace(trace, faults, base, error, room) &&
           (!faults->table->trace || trace_apart(trace, faults, base, error, room));
}

void wcts_faults_fault_trace_release(struct wcts_faults_trace *trace)
{
    free(trace->options);
    if (trace->marks)
        munmap(trace->marks, trace->size);
}
