/* SPDX-License-Identifier: MIT */
/*
 * A pool whose sessions are replaced (ld --wrap) by ones that do what the case at hand says: plan
 * and behaviours of the cases are set, the pool runs them, and what it handed over is in struct
 * seen.
 */
#ifndef WCTS_TEST_POOL_H
#define WCTS_TEST_POOL_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runner/machine/session.h"
#include "runner/plan/plan.h"
#include "runner/run/packet.h"
#include "runner/run/pool.h"
#include "runner/run/stop.h"
#include "suite.h"

#define CASES_MAX 20000

/* ---- the plan ---- */

typedef void behave_fn(struct wcts_result *result);

static struct wcts_test planned[CASES_MAX];
static struct wcts_series series[] = {
    {.scenario = -1, .name = "/case", .page_size = 4096},
    {.scenario = -1, .name = "/case", .page_size = 4096, .driver = true},
    {.scenario = -1, .name = "/case", .page_size = 4096, .kind = WCTS_KIND_SWEEP}};
#define SWEEP_SERIES 2
static int selected[CASES_MAX];
static behave_fn *behaviours[CASES_MAX]; /* NULL: pass */

/* Two rules, of which the second only advises. */
#define ADVICE 1
static struct wcts_statement statements[] = {
    {.id = "POO-1", .role = WCTS_ROLE_KERNEL, .force = WCTS_FORCE_MUST},
    {.id = "POO-2", .role = WCTS_ROLE_KERNEL, .force = WCTS_FORCE_SHOULD}};
static struct wcts_rule rules[] = {{.id = "POO-1", .statement = 0, .force = WCTS_FORCE_MUST},
                                   {.id = "POO-2", .statement = 1, .force = WCTS_FORCE_SHOULD}};
/* The plug-in claims the first one. */
#define UNCLAIMED 1
static struct wcts_version versions[] = {{.id = "v1", .name = "1", .interface_version = 1},
                                         {.id = "v2", .name = "2", .interface_version = 2}};
static struct wcts_spec spec = {.versions = versions,
                                .versions_count = 2,
                                .statements = statements,
                                .statements_count = 2,
                                .rules = rules,
                                .rules_count = 2};

static struct wcts_plan plan = {
    .spec = &spec, .tests = planned, .series = series, .series_count = 3};
static behave_fn *when_opened;            /* called in wcts_machine_session_open */
static struct wcts_exchange_pulse *pulse; /* in a worker: its own */
static uint32_t plugin_sides;
static double timeout; /* of a run, in seconds */

static inline void make_plan(int count)
{
    memset(planned, 0, sizeof planned);
    memset(behaviours, 0, sizeof behaviours);
    for (int i = 0; i < count; i++)
        selected[i] = i;
    plan.count = count;
    when_opened = NULL;
    plugin_sides = WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER;
}

static int current; /* in a worker: the case that it is at */
static struct wcts_machine_session the_session;

/* ---- the session ---- */

struct wcts_machine_session *
__wrap_wcts_machine_session_open(const struct wcts_plan *of,
                                 const struct wcts_implementation *implementation,
                                 const struct wcts_machine_session_options *options,
                                 struct wcts_claims *claims, char *error, size_t room);
void __wrap_wcts_run_case(struct wcts_machine_session *session, const struct wcts_case *test,
                          struct wcts_result *result);
void __wrap_wcts_machine_session_close(struct wcts_machine_session *session);
void __wrap_wcts_judge_death(const struct wcts_case *test, bool in_call, const char *what,
                             struct wcts_finding *finding);

struct wcts_machine_session *
__wrap_wcts_machine_session_open(const struct wcts_plan *of,
                                 const struct wcts_implementation *implementation,
                                 const struct wcts_machine_session_options *options,
                                 struct wcts_claims *claims, char *error, size_t room)
{
    uint32_t side = options->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    (void)of;
    (void)implementation;
    pulse = options->pulse;
    if (when_opened)
        when_opened(NULL);
    claims->sides = plugin_sides;
    claims->first_interface_version = claims->last_interface_version = 1;
    claims->page_sizes = 4096;
    claims->patches = WCTS_PATCHES_64;
    strcpy(claims->name, "pretender");
    if (plugin_sides & side)
        return &the_session;
    snprintf(error, room, "no such side");
    return NULL;
}

void __wrap_wcts_run_case(struct wcts_machine_session *session, const struct wcts_case *test,
                          struct wcts_result *result)
{
    behave_fn *behave = behaviours[test->index];
    current = test->index;
    (void)session;
    result->finding = (struct wcts_finding){.levels = WCTS_LEVELS_ALL, .found = WCTS_FOUND_KEPT};
    if (behave)
        behave(result);
}

void __wrap_wcts_machine_session_close(struct wcts_machine_session *session)
{
    (void)session;
}

void __wrap_wcts_judge_death(const struct wcts_case *test, bool in_call, const char *what,
                             struct wcts_finding *finding)
{
    (void)test;
    (void)in_call;
    wcts_model_finding_set(finding, WCTS_FOUND_CRASH, "%s", what);
}

static inline void die_of(int number)
{
    signal(number, SIG_DFL); /* a sanitizer may have a handler */
    raise(number);
}

static inline void crash(struct wcts_result *result)
{
    (void)result;
    die_of(SIGSEGV);
}

static inline void hang(struct wcts_result *result)
{
    (void)result;
    for (;;)
        pause();
}

/* What outlives a worker: how often behaviours were called. */
static int *calls;

static inline void go_wrong(struct wcts_result *result)
{
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "failed");
    result->finding.detail = strdup("the evidence");
}

/* ---- running ---- */

struct seen {
    int count;
    int tries[64];
    enum wcts_verdict first[64]; /* of the first attempt */
    enum wcts_verdict verdicts[CASES_MAX];
    char reason[256]; /* of the last that did not pass */
    char detail[256];
    char detail_end[256]; /* its last bytes */
    char *output;
    int stop_after; /* 0: never */
};

static bool (*over)(void *ctx); /* of a run; NULL: it has no limit */

static inline bool take(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output)
{
    struct seen *seen = ctx;
    ck_assert_int_eq(test->index, seen->count);
    if (seen->count < 64) {
        seen->tries[seen->count] = result->try_count;
        if (result->try_count > 0)
            seen->first[seen->count] = result->tries[0].verdict;
    }
    seen->verdicts[seen->count++] = result->verdict;
    if (result->verdict != WCTS_VERDICT_PASS) {
        snprintf(seen->reason, sizeof seen->reason, "%s", result->reason);
        snprintf(seen->detail, sizeof seen->detail, "%s", result->detail ? result->detail : "");
        size_t length = result->detail ? strlen(result->detail) : 0;
        snprintf(seen->detail_end, sizeof seen->detail_end, "%s",
                 length < 156 ? "" : result->detail + length - 155);
        free(seen->output);
        seen->output = strdup(output);
    }
    return seen->stop_after == 0 || seen->count < seen->stop_after;
}

static struct wcts_claims claims;
static char error[256];
static char directory[64];
static int retries;

static inline enum wcts_run_pool_end run(int workers, struct seen *seen)
{
    const struct wcts_options asked = {.implementation = {"pretender", ""},
                                       .workers = workers,
                                       .timeout = timeout,
                                       .retries = retries,
                                       .all_deaths = true};
    const struct wcts_run_pool_options options = {.asked = &asked,
                                                  .plan = &plan,
                                                  .selected = selected,
                                                  .selected_count = plan.count,
                                                  .output_dir = directory,
                                                  .over = over,
                                                  .over_ctx = seen};
    memset(&claims, 0, sizeof claims);
    error[0] = '\0';
    enum wcts_run_pool_end end;
    uint32_t sides = 0;
    for (int i = 0; i < plan.count; i++)
        sides |= wcts_plan_series(&plan, selected[i])->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    end = wcts_run_pool_probe(&options, sides, &claims, error, sizeof error);
    return end == WCTS_POOL_DONE
               ? wcts_run_pool_run_again(&options, &claims, take, seen, error, sizeof error)
               : end;
}

static inline void setup(void)
{
    over = NULL;
    retries = 0;
    timeout = 0.3;
    calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(calls, MAP_FAILED);
    strcpy(directory, "/tmp/wcts-test-pool-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static inline void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0);
}

#endif
