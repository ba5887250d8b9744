/* SPDX-License-Identifier: MIT */
/* The pool tells what takes long from what hangs, and tries again what failed. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "pool.h"

static void fail_once(struct wcts_result *result)
{
    if (calls[0]++ == 0)
        go_wrong(result);
}

static void crash_twice(struct wcts_result *result)
{
    if (calls[1]++ < 2)
        crash(result);
}

static void hang_then_fail(struct wcts_result *result)
{
    if (calls[2]++ < 2)
        hang(result);
    go_wrong(result);
}

static void fail_then_warn(struct wcts_result *result)
{
    go_wrong(result);
    if (calls[3]++ > 0)
        result->finding.broken = 1 + ADVICE;
}

static int static_count;

/* Fresh memory is what another attempt is for. */
static void fail_when_not_fresh(struct wcts_result *result)
{
    calls[4]++;
    if (static_count++ > 0)
        go_wrong(result);
}

static void warn(struct wcts_result *result)
{
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "a warning");
    result->finding.broken = 1 + ADVICE;
    calls[5]++;
}

/* ---- what looks like a hang, and what is one ---- */

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void work_for(double seconds)
{
    double end = processor_seconds() + seconds;
    while (processor_seconds() < end)
        continue;
}

/* A case as long as two timeouts, all of it work. */
static void work(struct wcts_result *result)
{
    (void)result;
    work_for(2 * timeout);
}

static void work_in_child(struct wcts_result *result)
{
    (void)result;
    pid_t child = fork();
    if (child == 0) {
        work_for(2 * timeout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void speak_now_and_then(struct wcts_result *result)
{
    (void)result;
    for (int i = 0; i < 8; i++) {
        usleep((useconds_t)(timeout / 4 * 1e6));
        atomic_fetch_add(&pulse->messages, 1);
    }
}

/* Stops runner and worker, as a machine that sleeps does, for longer than the timeout. */
static void stop_everything(struct wcts_result *result)
{
    pid_t worker = getpid(), runner = getppid();
    (void)result;
    if (fork() == 0) {
        setsid();
        kill(runner, SIGSTOP);
        kill(worker, SIGSTOP);
        usleep((useconds_t)(3 * timeout * 1e6));
        kill(worker, SIGCONT);
        kill(runner, SIGCONT);
        _exit(0);
    }
    usleep((useconds_t)(timeout / 2 * 1e6));
}

static void stop_once(struct wcts_result *result)
{
    (void)result;
    if (calls[6]++ == 0)
        raise(SIGSTOP);
}

/* No work, and yet some processor time. */
static void poll_without_end(struct wcts_result *result)
{
    (void)result;
    for (;;)
        usleep(1000);
}

static void work_without_end(struct wcts_result *result)
{
    (void)result;
    for (;;)
        work_for(1);
}

static void loop_in_call(struct wcts_result *result)
{
    calls[6]++;
    atomic_store(&pulse->operation, WCTS_KERNEL_ALLOCATION_CREATE);
    work_without_end(result);
}

static void speak_without_end(struct wcts_result *result)
{
    (void)result;
    for (;;) {
        usleep(10000);
        atomic_fetch_add(&pulse->messages, 1);
    }
}

/* Hangs at first; tried again, it takes a while and says so. */
static void hang_then_say_alone(struct wcts_result *result)
{
    if (calls[7]++ == 0)
        hang(result);
    calls[8] = 1;
    usleep(100000);
    calls[8] = 0;
}

static void look_who_is_alone(struct wcts_result *result)
{
    (void)result;
    usleep(2000);
    if (calls[8])
        calls[9]++;
}

static const struct {
    const char *name;
    behave_fn *behave;
    double timeout;
    const char *reason; /* of a timeout; NULL: it is none */
} slow[] = {
    {"work", work, 0.3, NULL},
    {"work in a child", work_in_child, 0.3, NULL},
    {"messages", speak_now_and_then, 0.3, NULL},
    {"all stopped", stop_everything, 0.3, NULL},
    {"stopped once", stop_once, 0.3, NULL},
    {"silence", hang, 0.3, "no answer within 0.3 s"},
    {"polling", poll_without_end, 0.3, "no answer within 0.3 s"},
    {"endless work", work_without_end, 0.1, "no end after 0.2 s of processor time"},
    {"endless messages", speak_without_end, 0.1, "no end after 1 s of processor time"},
};

START_TEST(test_only_a_hang_is_a_timeout)
{
    for (int workers = 1; workers <= 3; workers += 2) {
        struct seen *seen = calloc(1, sizeof *seen);
        make_plan(150);
        behaviours[37] = slow[_i].behave;
        timeout = slow[_i].timeout;
        calls[6] = 0;
        ck_assert_msg(run(workers, seen) == WCTS_POOL_DONE, "%s: %s", slow[_i].name, error);
        for (int i = 0; i < 150; i++)
            ck_assert_msg(seen->verdicts[i] == (i == 37 && slow[_i].reason ? WCTS_VERDICT_TIMEOUT
                                                                           : WCTS_VERDICT_PASS),
                          "%s: case %d is %d (%s)", slow[_i].name, i, (int)seen->verdicts[i],
                          seen->reason);
        if (slow[_i].reason)
            ck_assert_str_eq(seen->reason, slow[_i].reason);
        free(seen->output);
        free(seen);
    }
}
END_TEST

/* The first one may take ten timeouts, each further one two, and none has to prove it again. */
START_TEST(test_a_loop_costs_less_once_it_is_known)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(150);
    behaviours[37] = behaviours[77] = loop_in_call;
    timeout = 0.1;
    calls[6] = 0;
    ck_assert(run(1, seen) == WCTS_POOL_DONE);
    for (int i = 0; i < 150; i++)
        ck_assert_int_eq(seen->verdicts[i],
                         behaviours[i] ? WCTS_VERDICT_TIMEOUT : WCTS_VERDICT_PASS);
    ck_assert_str_eq(seen->reason,
                     "no end after 0.2 s of processor time in KERNEL_ALLOCATION_CREATE");
    ck_assert_int_eq(calls[6], 2);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_timeout_is_tried_again_alone)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(400);
    for (int i = 0; i < 400; i++)
        behaviours[i] = look_who_is_alone;
    behaviours[10] = hang_then_say_alone;
    timeout = 0.2;
    ck_assert_int_eq(run(3, seen), WCTS_POOL_DONE);
    for (int i = 0; i < 400; i++)
        ck_assert_int_eq(seen->verdicts[i], WCTS_VERDICT_PASS);
    ck_assert_int_eq(calls[7], 2);
    ck_assert_int_eq(calls[9], 0);
    free(seen);
}
END_TEST

/* A worker runs ahead of a case that is tried again: what counts its calls must not be close behind
 * one that fails without ending its worker. */
static void make_unsteady_plan(void)
{
    make_plan(40);
    behaviours[14] = fail_once;
    behaviours[2] = crash_twice;
    behaviours[5] = hang_then_fail;
    behaviours[20] = fail_then_warn;
    behaviours[30] = warn;
    behaviours[39] = go_wrong;
}

START_TEST(test_retries)
{
    static const struct {
        int position, tries;
        enum wcts_verdict verdict, first;
    } expected[] = {{14, 1, WCTS_VERDICT_FLAKY, WCTS_VERDICT_FAIL},
                    {2, 2, WCTS_VERDICT_FLAKY, WCTS_VERDICT_CRASH},
                    {5, 2, WCTS_VERDICT_FAIL, WCTS_VERDICT_TIMEOUT},
                    {20, 1, WCTS_VERDICT_FLAKY, WCTS_VERDICT_FAIL},
                    {30, 0, WCTS_VERDICT_WARN, WCTS_VERDICT_PASS},
                    {39, 2, WCTS_VERDICT_FAIL, WCTS_VERDICT_FAIL}};
    struct seen *seen = calloc(1, sizeof *seen);
    int unsteady = 0;
    make_unsteady_plan();
    retries = 2;
    ck_assert_int_eq(run(_i, seen), WCTS_POOL_DONE);
    ck_assert_int_eq(seen->count, 40);
    for (int i = 0; i < 40; i++)
        unsteady += seen->verdicts[i] != WCTS_VERDICT_PASS;
    ck_assert_int_eq(unsteady, 6);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        int at = expected[i].position;
        ck_assert_int_eq(seen->verdicts[at], expected[i].verdict);
        ck_assert_int_eq(seen->tries[at], expected[i].tries);
        ck_assert_int_eq(seen->first[at], expected[i].first);
    }
    /* At strict it is a failure: so it was tried again, which a reader at documented does not see.
     */
    ck_assert_int_eq(calls[5], 3);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_no_retries)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_unsteady_plan();
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_int_eq(seen->verdicts[14], WCTS_VERDICT_FAIL);
    ck_assert_int_eq(seen->verdicts[2], WCTS_VERDICT_CRASH);
    ck_assert_int_eq(seen->tries[14], 0);
    ck_assert_int_eq(calls[0], 1);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_retry_says_what_came_first)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(3);
    behaviours[1] = fail_once;
    retries = 1;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_str_eq(seen->reason, "pass at attempt 2, but first fail: failed");
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_retry_is_in_fresh_memory)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(20);
    for (int i = 0; i < 4; i++)
        behaviours[i] = fail_when_not_fresh;
    retries = 1;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_int_eq(seen->verdicts[0], WCTS_VERDICT_PASS);
    for (int i = 1; i < 4; i++)
        ck_assert_int_eq(seen->verdicts[i], WCTS_VERDICT_FLAKY);
    free(seen->output);
    free(seen);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool_again");
    TCase *tests = tcase_create("pool_again");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_only_a_hang_is_a_timeout, 0,
                        (int)(sizeof slow / sizeof slow[0]));
    tcase_add_test(tests, test_a_loop_costs_less_once_it_is_known);
    tcase_add_test(tests, test_timeout_is_tried_again_alone);
    tcase_add_loop_test(tests, test_retries, 1, 4);
    tcase_add_test(tests, test_no_retries);
    tcase_add_test(tests, test_retry_says_what_came_first);
    tcase_add_test(tests, test_retry_is_in_fresh_memory);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
