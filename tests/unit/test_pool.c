/* SPDX-License-Identifier: MIT */
/*
 * The pool against implementations that misbehave in every way that we could think of: each costs
 * the case that it happened in, and no other.
 */
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "pool.h"

#define CHANNEL_FD 200 /* where a worker has its channel */

/* ---- behaviours ---- */

static void call_abort(struct wcts_result *result)
{
    (void)result;
    die_of(SIGABRT);
}

static void call_exit(struct wcts_result *result)
{
    (void)result;
    exit(3);
}

/* Values 0 to 9 of a sweep: it dies with 3, 5 and 6, and hangs with 8. The result names those of
 * which it was told. */
static void sweep_and_die(struct wcts_result *result)
{
    const struct wcts_exchange_deadly *deadly = the_session.deadly;
    char known[64] = "";
    for (uint64_t value = 0; value < 10; value++) {
        bool is_known = false;
        for (int i = 0; deadly && i < deadly->count; i++)
            is_known = is_known || deadly->of[i].value == value;
        if (is_known) {
            snprintf(known + strlen(known), sizeof known - strlen(known), " %d", (int)value);
            continue;
        }
        atomic_store(&pulse->value, value + 1);
        if (value == 3 || value == 5 || value == 6)
            die_of(SIGSEGV);
        if (value == 8)
            hang(result);
    }
    wcts_model_finding_set(&result->finding, WCTS_FOUND_CRASH, "died with%s", known);
}

/* It dies with each of more values than are noted. */
static void die_with_each(struct wcts_result *result)
{
    const struct wcts_exchange_deadly *deadly = the_session.deadly;
    (void)result;
    atomic_store(&pulse->value, 100 + (uint64_t)(deadly ? deadly->count : 0));
    die_of(SIGSEGV);
}

/* It dies with a value that it was told not to send. */
static void die_with_the_same(struct wcts_result *result)
{
    (void)result;
    atomic_store(&pulse->value, 8);
    die_of(SIGSEGV);
}

/* Nothing is known when the case begins. */
static void look_for_deadly(struct wcts_result *result)
{
    if (the_session.deadly)
        wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "told of another case");
}

static void write_garbage(struct wcts_result *result)
{
    char garbage[300];
    (void)result;
    memset(garbage, 'g', sizeof garbage);
    ck_assert_int_gt(write(CHANNEL_FD, garbage, sizeof garbage), 0);
}

static void write_short(struct wcts_result *result)
{
    (void)result;
    ck_assert_int_gt(write(CHANNEL_FD, "x", 1), 0);
}

static void send_wrong_index(struct wcts_result *result)
{
    struct wcts_run_packet_head record = {0};
    record.position = record.index = 7777;
    wcts_run_packet_send_result(CHANNEL_FD, &record, result);
}

static void send_finding(unsigned levels, const char *reason)
{
    struct wcts_run_packet_head record = {.position = (uint32_t)current,
                                          .index = (uint32_t)current};
    struct wcts_finding finding = {.levels = levels, .found = WCTS_FOUND_KEPT};
    finding.reason = (char *)(uintptr_t)reason;
    wcts_run_packet_send_finding(CHANNEL_FD, &record, &finding);
}

/* Before a case is run again: at most one a level. */
static void find_without_end(struct wcts_result *result)
{
    static char reasons[64][12];
    (void)result;
    for (int i = 0; i < 64; i++) {
        snprintf(reasons[i], sizeof reasons[i], "%d", i);
        send_finding(wcts_model_level_bit(WCTS_LEVEL_STRICT), reasons[i]);
    }
}

/* At binding (the pool reads at it here) it is known that the rule is kept when the worker dies. */
static void find_and_crash(struct wcts_result *result)
{
    (void)result;
    send_finding(wcts_model_level_bit(WCTS_LEVEL_BINDING), "");
    die_of(SIGSEGV);
}

/* When all is known, and there is no result, nothing is. */
static void find_all_and_crash(struct wcts_result *result)
{
    (void)result;
    send_finding(WCTS_LEVELS_ALL, "");
    die_of(SIGSEGV);
}

static void break_no_rule(struct wcts_result *result)
{
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "none");
    result->finding.broken = INT32_MAX;
}

static void send_absurd_sizes(struct wcts_result *result)
{
    struct wcts_run_packet_head record = {.kind = WCTS_PACKET_RESULT, .reason_size = 0xFFFFFFF0u};
    (void)result;
    record.detail_size = 0x10u;
    wcts_run_packet_send(CHANNEL_FD, &record, NULL);
}

static void close_everything(struct wcts_result *result)
{
    (void)result;
    close_range(0, ~0u, 0);
}

static void close_and_hang(struct wcts_result *result)
{
    close_everything(result);
    hang(result);
}

static void *sleeper(void *argument)
{
    for (;;)
        pause();
    return argument;
}

static void leak_thread(struct wcts_result *result)
{
    pthread_t thread;
    (void)result;
    ck_assert_int_eq(pthread_create(&thread, NULL, sleeper, NULL), 0);
}

static void *assassin(void *argument)
{
    usleep(20000);
    die_of(SIGSEGV);
    return argument;
}

static void leak_deadly_thread(struct wcts_result *result)
{
    pthread_t thread;
    (void)result;
    ck_assert_int_eq(pthread_create(&thread, NULL, assassin, NULL), 0);
}

static void fork_and_return(struct wcts_result *result)
{
    (void)result;
    fork();
}

static void fork_and_leave(struct wcts_result *result)
{
    (void)result;
    if (fork() == 0) {
        setsid();
        sleep(100);
        _exit(0);
    }
}

static void __attribute__((noinline)) scribble(struct wcts_result *result)
{
    volatile char small[16];
    volatile char *at = small;
    (void)result;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
    for (int i = 0; i < 4096; i++)
        at[i] = 0x41;
#pragma GCC diagnostic pop
}

static void flood(struct wcts_result *result)
{
    static char block[65536];
    memset(block, 'f', sizeof block);
    for (int i = 0; i < 2000; i++)
        (void)!write(STDOUT_FILENO, block, sizeof block);
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "flooded");
}

static void speak_and_fail(struct wcts_result *result)
{
    printf("one \x01 line\n");
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "two\nlines \xff");
    result->finding.detail = strdup("some\ndetail");
}

/* Lines of 100 bytes, more than a packet holds. */
static void prove_at_length(struct wcts_result *result)
{
    char *text = malloc(100 * 1000 + 1);
    for (int i = 0; i < 1000; i++)
        snprintf(text + 100 * (size_t)i, 101, "%099d\n", i);
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "at length");
    result->finding.detail = text;
}

static void speak(struct wcts_result *result)
{
    (void)result;
    printf("not to be kept\n");
    fflush(stdout);
}

static void dawdle(struct wcts_result *result)
{
    (void)result;
    usleep(150000);
}

static const struct {
    const char *name;
    behave_fn *behave;
    enum wcts_verdict verdict;
    const char *reason; /* NULL: any */
} misdeeds[] = {
    {"crash", crash, WCTS_VERDICT_CRASH, "killed by SIGSEGV"},
    {"abort", call_abort, WCTS_VERDICT_CRASH, "killed by SIGABRT"},
    {"exit", call_exit, WCTS_VERDICT_CRASH, "called exit(3)"},
    {"hang", hang, WCTS_VERDICT_TIMEOUT, "no answer within 0.3 s"},
    {"garbage", write_garbage, WCTS_VERDICT_CRASH, "sent garbage instead of a result"},
    {"short garbage", write_short, WCTS_VERDICT_CRASH, "sent garbage instead of a result"},
    {"wrong index", send_wrong_index, WCTS_VERDICT_CRASH, "sent garbage instead of a result"},
    {"sizes", send_absurd_sizes, WCTS_VERDICT_CRASH, "sent garbage instead of a result"},
    {"findings", find_without_end, WCTS_VERDICT_CRASH, "sent garbage instead of a result"},
    {"found before", find_and_crash, WCTS_VERDICT_PASS, NULL},
    {"all found before", find_all_and_crash, WCTS_VERDICT_CRASH, "killed by SIGSEGV"},
    {"no rule", break_no_rule, WCTS_VERDICT_FAIL, "none"},
    {"closed fds", close_everything, WCTS_VERDICT_CRASH,
     "closed file descriptors that it does not own"},
    {"closed fds, hang", close_and_hang, WCTS_VERDICT_CRASH, NULL},
    {"leaked thread", leak_thread, WCTS_VERDICT_PASS, NULL},
    {"deadly thread", leak_deadly_thread, WCTS_VERDICT_PASS, NULL},
    {"fork, both return", fork_and_return, WCTS_VERDICT_PASS, NULL},
    {"fork, child stays", fork_and_leave, WCTS_VERDICT_PASS, NULL},
    {"scribbled stack", scribble, WCTS_VERDICT_CRASH, NULL},
    {"flood", flood, WCTS_VERDICT_FAIL, "flooded"},
};

#define MISDEED_COUNT ((int)(sizeof misdeeds / sizeof misdeeds[0]))

/* Sweeps go on without the values that they do not survive, each without its own, and so do the
 * cases after them. */
START_TEST(test_sweep_goes_on_after_deaths)
{
    for (int workers = 1; workers <= 3; workers += 2) {
        struct seen *seen = calloc(1, sizeof *seen);
        make_plan(60);
        for (int i = 0; i < 60; i++)
            behaviours[i] = look_for_deadly;
        planned[7].series = planned[8].series = SWEEP_SERIES;
        behaviours[7] = behaviours[8] = sweep_and_die;
        timeout = 0.2;
        ck_assert_int_eq(run(workers, seen), WCTS_POOL_DONE);
        for (int i = 0; i < 60; i++)
            ck_assert_int_eq(seen->verdicts[i], behaviours[i] == sweep_and_die ? WCTS_VERDICT_CRASH
                                                                               : WCTS_VERDICT_PASS);
        ck_assert_str_eq(seen->reason, "died with 3 5 6 8"); /* of the last one */
        free(seen->output);
        free(seen);
    }
}
END_TEST

/* One that cannot go on ends by the first value with which it died. */
static const struct {
    behave_fn *behave;
    const char *reason;
} stuck[] = {
    {die_with_each, "killed by SIGSEGV for 0x63"},
    {die_with_the_same, "killed by SIGSEGV for 0x7"},
};

START_TEST(test_sweep_comes_to_an_end)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(20);
    planned[7].series = SWEEP_SERIES;
    behaviours[7] = stuck[_i].behave;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(seen->verdicts[i], i == 7 ? WCTS_VERDICT_CRASH : WCTS_VERDICT_PASS);
    ck_assert_str_eq(seen->reason, stuck[_i].reason);
    free(seen->output);
    free(seen);
}
END_TEST

/* Each misdeed, at the first, at a middle and at the last case, with one and with three workers. */
START_TEST(test_misdeed_costs_one_case)
{
    const int places[] = {0, 37, 149};
    for (int workers = 1; workers <= 3; workers += 2) {
        for (int k = 0; k < 3; k++) {
            struct seen *seen = calloc(1, sizeof *seen);
            make_plan(150);
            behaviours[places[k]] = misdeeds[_i].behave;
            ck_assert_msg(run(workers, seen) == WCTS_POOL_DONE, "%s: %s", misdeeds[_i].name, error);
            ck_assert_int_eq(seen->count, 150);
            for (int i = 0; i < 150; i++)
                ck_assert_msg(seen->verdicts[i] ==
                                  (i == places[k] ? misdeeds[_i].verdict : WCTS_VERDICT_PASS),
                              "%s at %d: case %d is %d (%s)", misdeeds[_i].name, places[k], i,
                              (int)seen->verdicts[i], seen->reason);
            if (misdeeds[_i].reason)
                ck_assert_str_eq(seen->reason, misdeeds[_i].reason);
            free(seen->output);
            free(seen);
        }
    }
}
END_TEST

START_TEST(test_all_misdeeds_at_once)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(4 * MISDEED_COUNT);
    for (int i = 0; i < MISDEED_COUNT; i++)
        behaviours[2 * i + 3] = misdeeds[i].behave;
    ck_assert_int_eq(run(2, seen), WCTS_POOL_DONE);
    ck_assert_int_eq(seen->count, 4 * MISDEED_COUNT);
    for (int i = 0; i < MISDEED_COUNT; i++)
        ck_assert_int_eq(seen->verdicts[2 * i + 3], misdeeds[i].verdict);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_every_case_crashes)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(60);
    for (int i = 0; i < 60; i++)
        behaviours[i] = crash;
    ck_assert_int_eq(run(2, seen), WCTS_POOL_DONE);
    for (int i = 0; i < 60; i++)
        ck_assert_int_eq(seen->verdicts[i], WCTS_VERDICT_CRASH);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_results_in_plan_order)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(CASES_MAX);
    behaviours[0] = dawdle; /* the others run into the window */
    behaviours[9000] = dawdle;
    ck_assert_int_eq(run(3, seen), WCTS_POOL_DONE);
    ck_assert_int_eq(seen->count, CASES_MAX);
    free(seen);
}
END_TEST

START_TEST(test_output_is_kept_with_its_case)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(20);
    for (int i = 0; i < 20; i++)
        behaviours[i] = speak;
    behaviours[10] = speak_and_fail;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_str_eq(seen->output, "one ? line\n");
    ck_assert_str_eq(seen->reason, "two lines ?");
    ck_assert_str_eq(seen->detail, "some\ndetail");
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_long_detail_says_that_it_is_cut)
{
    struct seen *seen = calloc(1, sizeof *seen);
    char *rest;
    make_plan(1);
    behaviours[0] = prove_at_length;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_str_eq(seen->reason, "at length");
    ck_assert_ptr_nonnull(rest = strchr(seen->detail_end, '\n'));
    ck_assert_uint_eq(strspn(rest + 1, "0123456789"), 99);
    ck_assert_str_eq(rest + 101, "... the rest is left out: replay --verbose has it all\n");
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_output_is_bounded)
{
    struct seen *seen = calloc(1, sizeof *seen);
    struct stat status;
    char path[128];
    make_plan(1);
    behaviours[0] = flood;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_uint_eq(strlen(seen->output), 65536);
    snprintf(path, sizeof path, "%s/worker-0.txt", directory);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_le(status.st_size, 32L << 20);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_missing_side_is_skipped)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(10);
    plugin_sides = WCTS_SIDE_KERNEL;
    planned[4].series = 1;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_uint_eq(claims.sides, WCTS_SIDE_KERNEL);
    ck_assert_int_eq(seen->verdicts[4], WCTS_VERDICT_SKIP);
    ck_assert_str_eq(seen->reason, "not claimed: the driver side");
    ck_assert_int_eq(seen->verdicts[5], WCTS_VERDICT_PASS);
    free(seen->output);
    free(seen);
}
END_TEST

static const struct {
    behave_fn *behave;
    const char *error;
} bad_starts[] = {
    {call_exit, "called exit(3) while it was loaded"},
    {crash, "killed by SIGSEGV while it was loaded"},
    {hang, "was not loaded: no answer within 0.3 s"},
    {write_garbage, "sent garbage while it was loaded"},
};

START_TEST(test_bad_start)
{
    struct seen seen = {0};
    make_plan(10);
    when_opened = bad_starts[_i].behave;
    ck_assert_int_eq(run(2, &seen), WCTS_POOL_NO_START);
    ck_assert_str_eq(error, bad_starts[_i].error);
    ck_assert_int_eq(seen.count, 0);
}
END_TEST

START_TEST(test_no_side)
{
    struct seen seen = {0};
    make_plan(10);
    plugin_sides = 0;
    ck_assert_int_eq(run(2, &seen), WCTS_POOL_NO_START);
    ck_assert_str_eq(error, "no such side");
}
END_TEST

/* Two thirds of the cases, whole batches at the end, are of a version that is not claimed: nobody
 * is asked, and the others have their own results, a death in between included. */
START_TEST(test_not_asked)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(900);
    for (int i = 0; i < 900; i++)
        if (i % 3 != 1 || i >= 600) {
            planned[i].version = UNCLAIMED;
            behaviours[i] = crash;
        }
    behaviours[100] = crash;
    behaviours[301] = go_wrong;
    ck_assert(run(2, seen) == WCTS_POOL_DONE);
    ck_assert_int_eq(seen->count, 900);
    for (int i = 0; i < 900; i++)
        ck_assert_msg(seen->verdicts[i] == (i % 3 != 1 || i >= 600 ? WCTS_VERDICT_SKIP
                                            : i == 100             ? WCTS_VERDICT_CRASH
                                            : i == 301             ? WCTS_VERDICT_FAIL
                                                                   : WCTS_VERDICT_PASS),
                      "case %d is %d", i, (int)seen->verdicts[i]);
    free(seen->output);
    free(seen);
}
END_TEST

START_TEST(test_callback_stops)
{
    struct seen seen = {.stop_after = 5};
    make_plan(1000);
    ck_assert_int_eq(run(2, &seen), WCTS_POOL_STOPPED);
    ck_assert_int_eq(seen.count, 5);
}
END_TEST

/* Over once nothing came any more for a while. */
static bool is_over(void *ctx)
{
    static int looks, count;
    const struct seen *seen = ctx;
    looks = seen->count == count ? looks + 1 : 0;
    count = seen->count;
    return count > 0 && looks > 10;
}

/* What is running when the time is over has no result, and does not delay the end. */
START_TEST(test_limit_stops)
{
    struct seen seen = {.stop_after = 1000};
    make_plan(100);
    behaviours[7] = hang;
    timeout = 1000;
    over = is_over;
    ck_assert_int_eq(run(1, &seen), WCTS_POOL_STOPPED);
    ck_assert_str_eq(error, "");
    ck_assert_int_eq(seen.count, 7);
}
END_TEST

static void terminate_soon(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
    const struct itimerspec soon = {.it_value = {.tv_nsec = 100000000}};
    timer_t timer;
    ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    ck_assert_int_eq(timer_settime(timer, 0, &soon, NULL), 0);
}

static void dawdle_briefly(struct wcts_result *result)
{
    (void)result;
    usleep(10000);
}

START_TEST(test_signal_stops)
{
    struct seen *seen = calloc(1, sizeof *seen);
    sigset_t before;
    make_plan(1000);
    for (int i = 0; i < 1000; i++)
        behaviours[i] = dawdle_briefly;
    /* As the commands do: a signal between probe and run is not lost. */
    wcts_run_stop_hold(&before);
    terminate_soon();
    ck_assert_int_eq(run(2, seen), WCTS_POOL_STOPPED);
    ck_assert_int_eq(wcts_run_stop_release(&before), SIGTERM);
    ck_assert_int_lt(seen->count, 1000);
    free(seen);
}
END_TEST

/* What there is not. */
static void find_what_is_not(struct wcts_result *result)
{
    result->finding.found = WCTS_FOUND_COUNT;
}

START_TEST(test_findings_that_are_none)
{
    struct seen *seen = calloc(1, sizeof *seen);
    make_plan(3);
    behaviours[1] = find_what_is_not;
    ck_assert_int_eq(run(1, seen), WCTS_POOL_DONE);
    ck_assert_int_eq(seen->verdicts[1], WCTS_VERDICT_CRASH);
    ck_assert_str_eq(seen->reason, "sent garbage instead of a result");
    free(seen->output);
    free(seen);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool");
    TCase *tests = tcase_create("pool");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_misdeed_costs_one_case, 0, MISDEED_COUNT);
    tcase_add_test(tests, test_all_misdeeds_at_once);
    tcase_add_test(tests, test_sweep_goes_on_after_deaths);
    tcase_add_loop_test(tests, test_sweep_comes_to_an_end, 0, 2);
    tcase_add_test(tests, test_every_case_crashes);
    tcase_add_test(tests, test_results_in_plan_order);
    tcase_add_test(tests, test_output_is_kept_with_its_case);
    tcase_add_test(tests, test_long_detail_says_that_it_is_cut);
    tcase_add_test(tests, test_output_is_bounded);
    tcase_add_test(tests, test_missing_side_is_skipped);
    tcase_add_loop_test(tests, test_bad_start, 0, (int)(sizeof bad_starts / sizeof bad_starts[0]));
    tcase_add_test(tests, test_no_side);
    tcase_add_test(tests, test_not_asked);
    tcase_add_test(tests, test_callback_stops);
    tcase_add_test(tests, test_limit_stops);
    tcase_add_test(tests, test_signal_stops);
    tcase_add_test(tests, test_findings_that_are_none);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
