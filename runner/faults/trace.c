/* SPDX-License-Identifier: MIT */
/* Tracing: every case is run once in this process, by an implementation without a fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../execute/worker.h"
#include "faults.h"

static void trace_cases(const struct wcts_faults *faults, struct wcts_session *session, bool driver,
                        uint8_t *marks)
{
    const struct wcts_plan *plan = faults->plan;
    for (int i = 0; faults->table->trace && i < plan->count; i++) {
        struct wcts_result result = {0};
        if (plan->cases[i].driver != driver)
            continue;
        faults->table->trace(&marks[(size_t)i * (size_t)faults->count]);
        wcts_session_run(session, &plan->cases[i], &result);
        faults->table->trace(NULL);
        wcts_result_release(&result);
    }
}

static bool trace_side(struct wcts_fault_trace *trace, const struct wcts_faults *faults,
                       const struct wcts_implementation *implementation, enum wcts_judging judging,
                       bool driver, char *error, size_t room)
{
    const struct wcts_session_options options = {.driver = driver, .judging = judging};
    struct wcts_claims claims = {0};
    struct wcts_session *session =
        wcts_session_open(faults->plan, implementation, &options, &claims, error, room);
    if (!session) /* a plug-in may have one side alone */
        return claims.sides != 0;
    wcts_claims_merge(&trace->claims, &claims, driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL);
    trace_cases(faults, session, driver, trace->marks);
    wcts_session_close(session);
    return true;
}

bool wcts_fault_trace_init(struct wcts_fault_trace *trace, const struct wcts_faults *faults,
                           const char *path, const char *options, enum wcts_judging judging,
                           char *error, size_t room)
{
    size_t size = (size_t)faults->plan->count * (size_t)faults->count;
    *trace = (struct wcts_fault_trace){.options = strdup(options), .marks = malloc(size + 1)};
    snprintf(error, room, "no memory");
    if (!trace->options || !trace->marks)
        return false;
    const struct wcts_implementation implementation = {path, trace->options};
    memset(trace->marks, faults->table->trace ? 0 : 1, size);
    return trace_side(trace, faults, &implementation, judging, false, error, room) &&
           trace_side(trace, faults, &implementation, judging, true, error, room);
}

void wcts_fault_trace_release(struct wcts_fault_trace *trace)
{
    free(trace->options);
    free(trace->marks);
}
