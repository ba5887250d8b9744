/* SPDX-License-Identifier: MIT */
/*
 * The pool against implementations that misbehave in every way that we could think of: each costs
 * the case that it happened in, and no other. Sessions are replaced (ld --wrap) by ones that
 * do what the case at hand says.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/machine/session.h"
#include "runner/plan/plan.h"
#include "runner/run/packet.h"
#include "runner/run/pool.h"
#include "runner/run/stop.h"
#include "suite.h"

#define CHANNEL_FD 200 /* where a worker has its channel */
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

static void make_plan(int count)
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

/* ---- behaviours ---- */

static void die_of(int number)
{
    signal(number, SIG_DFL); /* a sanitizer may have a handler */
    raise(number);
}

static void crash(struct wcts_result *result)
{
    (void)result;
    die_of(SIGSEGV);
}

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

static void hang(struct wcts_result *result)
{
    (void)result;
    for (;;)
        pause();
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

/* What outlives a worker: how often behaviours were called. */
static int *calls;

static void go_wrong(struct wcts_result *result)
{
    wcts_model_finding_set(&result->finding, WCTS_FOUND_BROKEN, "failed");
    result->finding.detail = strdup("the evidence");
}

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

static bool take(void *ctx, const struct wcts_case *test, struct wcts_result *result,
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

static enum wcts_run_pool_end run(int workers, struct seen *seen)
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

static void setup(void)
{
    over = NULL;
    retries = 0;
    timeout = 0.3;
    calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(calls, MAP_FAILED);
    strcpy(directory, "/tmp/wcts-test-pool-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0);
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
    tcase_add_loop_test(tests, test_only_a_hang_is_a_timeout, 0,
                        (int)(sizeof slow / sizeof slow[0]));
    tcase_add_test(tests, test_a_loop_costs_less_once_it_is_known);
    tcase_add_test(tests, test_sweep_goes_on_after_deaths);
    tcase_add_loop_test(tests, test_sweep_comes_to_an_end, 0, 2);
    tcase_add_test(tests, test_timeout_is_tried_again_alone);
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
    tcase_add_loop_test(tests, test_retries, 1, 4);
    tcase_add_test(tests, test_no_retries);
    tcase_add_test(tests, test_retry_says_what_came_first);
    tcase_add_test(tests, test_retry_is_in_fresh_memory);
    tcase_add_test(tests, test_findings_that_are_none);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
