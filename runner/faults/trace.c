/* SPDX-License-Identifier: MIT */
/* Tracing: every case is run once in this process, by an implementation without a fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../execute/pool.h"
#include "faults.h"

static void trace_cases(const struct wcts_faults *faults, struct wcts_session *session, bool driver,
                        uint8_t *marks)
{
    const struct wcts_plan *plan = faults->plan;
    for (int i = 0; i < plan->count; i++) {
        struct wcts_result result = {0};
        if (plan->cases[i].driver != driver)
            continue;
        faults->table->trace(&marks[(size_t)i * (size_t)faults->count]);
        wcts_session_run(session, &plan->cases[i], &result);
        faults->table->trace(NULL);
        wcts_result_release(&result);
    }
}

static bool trace_side(const struct wcts_fault_trace *trace, const struct wcts_faults *faults,
                       const struct wcts_fault_options *base, bool driver, char *error, size_t room)
{
    const struct wcts_implementation implementation = {base->implementation.path, trace->options};
    const struct wcts_session_options options = {.driver = driver, .judging = base->judging};
    struct wcts_claims claims = {0};
    struct wcts_session *session;
    if (!(trace->claims.sides & (driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL)))
        return true;
    session = wcts_session_open(faults->plan, &implementation, &options, &claims, error, room);
    if (!session)
        return false;
    trace_cases(faults, session, driver, trace->marks);
    wcts_session_close(session);
    return true;
}

/* What it claims. What does not come back when it is loaded does so in a worker. */
static bool probe(struct wcts_fault_trace *trace, const struct wcts_faults *faults,
                  const struct wcts_fault_options *base, char *error, size_t room)
{
    const struct wcts_pool_options options = {
        .plan = faults->plan,
        .implementation = {base->implementation.path, trace->options},
        .judging = base->judging,
        .timeout = base->timeout};
    return wcts_pool_probe(&options, WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, &trace->claims, error,
                           room) == WCTS_POOL_DONE;
}

bool wcts_fault_trace_init(struct wcts_fault_trace *trace, const struct wcts_faults *faults,
                           const struct wcts_fault_options *base, const char *options, char *error,
                           size_t room)
{
    size_t size = (size_t)faults->plan->count * (size_t)faults->count;
    *trace = (struct wcts_fault_trace){.options = strdup(options), .marks = malloc(size + 1)};
    snprintf(error, room, "no memory");
    if (!trace->options || !trace->marks)
        return false;
    memset(trace->marks, faults->table->trace ? 0 : 1, size);
    if (!probe(trace, faults, base, error, room))
        return false;
    return !faults->table->trace || (trace_side(trace, faults, base, false, error, room) &&
                                     trace_side(trace, faults, base, true, error, room));
}

void wcts_fault_trace_release(struct wcts_fault_trace *trace)
{
    free(trace->options);
    free(trace->marks);
}
