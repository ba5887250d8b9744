/* SPDX-License-Identifier: MIT */
/*
 * How long sequences take on the emulator, with all pages of the window compared after every call,
 * and how much memory: after a tenth of the operations, and in the end.
 *     bench [OPERATIONS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "../../runner/load/spec_files.h"
#include "runner/oracle/walk.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static int walk(struct wcts_machine_session *session, const struct wcts_plan *plan,
                uint64_t operations)
{
    struct wcts_walk_numbers sum = {0};
    double start = now();
    long early = 0;
    int bad = 0;
    for (int i = 0; sum.operations < operations; i++) {
        struct wcts_case test = *WCTS_PLAN_CASE(plan, plan->count - 1);
        struct wcts_result result;
        test.walk = (uint32_t)i;
        wcts_run_case(session, &test, &result);
        bad += result.finding.found != WCTS_FOUND_KEPT;
        wcts_oracle_walk_numbers_add(&sum, &result.walk);
        wcts_model_result_release(&result);
        if (early == 0 && sum.operations >= operations / 10)
            early = memory();
    }
    double seconds = now() - start;
    printf("sequences  %" PRIu64 " operations in %" PRIu64
           " calls: %.2f s of one core, %ld KiB after a tenth, %ld KiB in the end\n",
           sum.operations, sum.steps, seconds, early, memory());
    if (bad != 0)
        printf("%d walks failed\n", bad);
    return bad != 0;
}

int main(int argc, char **argv)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options planned = {.newest_only = true, .steps = 1, .seed = 1};
    const struct wcts_implementation implementation = {.path = "emulator", .options = "strict"};
    const struct wcts_machine_session_options options = {
        .levels = wcts_model_level_bit(WCTS_LEVEL_DOCUMENTED)};
    struct wcts_spec *spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    struct wcts_plan *plan = spec ? wcts_plan_make(spec, &planned, &diagnostics) : NULL;
    struct wcts_machine_session *session = NULL;
    struct wcts_claims claims;
    char error[256];
    int status = 1;
    if (plan)
        session = wcts_machine_session_open(plan, &implementation, &options, &claims, error,
                                            sizeof error);
    if (session)
        status = walk(session, plan, argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000);
    wcts_machine_session_close(session);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
    return status;
}
