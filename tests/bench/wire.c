/* SPDX-License-Identifier: MIT */
/*
 * What the wire costs. A call of a plug-in behind wddm-cts-agent and exec:, beside a bare ping-pong
 * over two pipes with messages of the same sizes: it fails at more than 1.5 times as much. And how
 * many words a second the sweeps of the creation flags, which are in requests, and of the segment
 * flags, which the driver answers with, judge there: it fails below 200,000 of either. All
 * processes are on one processor, and take turns there, so what counts is their processor time,
 * which is how long they take on a machine that has nothing else to do, and of several rounds the
 * best.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../runner/load/spec_files.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"
#include "runner/wire/host.h"
#include "runner/wire/protocol.h"

#define ROUNDS 15
#define CALLS 4000
#define SWEEP_ROUNDS 7
#define MOST_RATIO 1.5
#define LEAST_WORDS 200000.0

/* The processor time of a process and of all that it started, in seconds. */
static double spent_by(pid_t process)
{
    char path[64];
    struct timespec time = {0};
    clockid_t clock;
    int child;
    if (clock_getcpuclockid(process, &clock) == 0)
        clock_gettime(clock, &time);
    double seconds = (double)time.tv_sec + (double)time.tv_nsec / 1e9;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%d", &child) == 1)
        seconds += spent_by(child);
    if (children)
        fclose(children);
    return seconds;
}

static double now(void)
{
    return spent_by(getpid());
}

static void pin(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&all);
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (size_t i = CPU_SETSIZE; i-- > 0;)
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &one);
            break;
        }
    sched_setaffinity(0, sizeof one, &one);
}

/* ---- a bare ping-pong ---- */

struct pipes {
    int to[2], from[2];
};

static void echo(const struct pipes *pipes, size_t request, size_t reply)
{
    char bytes[65536] = {0};
    (void)request;
    while (read(pipes->to[0], bytes, sizeof bytes) > 0)
        if (write(pipes->from[1], bytes, reply) != (ssize_t)reply)
            break;
    _exit(0);
}

static pid_t start_echo(struct pipes *pipes, size_t request, size_t reply)
{
    pid_t child;
    if (pipe(pipes->to) != 0 || pipe(pipes->from) != 0)
        abort();
    child = fork();
    if (child == 0) {
        close(pipes->to[1]);
        close(pipes->from[0]);
        echo(pipes, request, reply);
    }
    close(pipes->to[0]);
    close(pipes->from[1]);
    return child;
}

static double cost_of_pings(const struct pipes *pipes, size_t request)
{
    char bytes[65536] = {0};
    double start = now();
    for (int i = 0; i < CALLS; i++)
        if (write(pipes->to[1], bytes, request) != (ssize_t)request ||
            read(pipes->from[0], bytes, sizeof bytes) <= 0)
            abort();
    return (now() - start) / CALLS;
}

/* ---- calls ---- */

static wcts_status refuse(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                          void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    (void)ctx, (void)operation, (void)request, (void)request_size, (void)reply, (void)reply_room;
    *reply_size = 0;
    return WCTS_STATUS_NOT_IMPLEMENTED;
}

static double cost_of_calls(const struct wcts_plugin *plugin, void *instance, void *reply,
                            uint32_t *reply_size)
{
    const struct wcts_none request = {.size = sizeof request};
    double start = now();
    for (int i = 0; i < CALLS; i++)
        if (!wcts_succeeded(plugin->call(instance, WCTS_KERNEL_INFO, &request, sizeof request,
                                         reply, WCTS_REPLY_ROOM, reply_size)))
            abort();
    return (now() - start) / CALLS;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static bool bench_calls(struct wcts_wire_host *host)
{
    const struct wcts_host party = {.size = sizeof party,
                                    .abi_version = WCTS_ABI_VERSION,
                                    .interface_version = 0x11007,
                                    .page_size = 4096,
                                    .call = refuse,
                                    .options = "strict"};
    uint8_t *reply = calloc(1, WCTS_REPLY_ROOM);
    char error[256] = "";
    const struct wcts_plugin *plugin = wcts_wire_host_plugin(host, error, sizeof error);
    void *instance = plugin ? wcts_wire_host_open(host, &party, WCTS_SIDE_KERNEL) : NULL;
    struct pipes pipes;
    double bare = 1e9, call = 1e9;
    uint32_t size = 0;
    if (!instance || !reply) {
        fprintf(stderr, "not opened: %s\n", error);
        free(reply);
        return false;
    }
    cost_of_calls(plugin, instance, reply, &size);
    size_t head = sizeof(struct wcts_wire_head), request = head + sizeof(struct wcts_none);
    pid_t child = start_echo(&pipes, request, head + size);
    for (int i = 0; i < ROUNDS; i++) {
        bare = least(bare, cost_of_pings(&pipes, request));
        call = least(call, cost_of_calls(plugin, instance, reply, &size));
    }
    close(pipes.to[1]);
    close(pipes.from[0]);
    waitpid(child, NULL, 0);
    plugin->close(instance);
    free(reply);
    printf("a call of %zu and %zu bytes: %.2f us, a bare ping-pong %.2f us: %.2f of it\n", request,
           head + size, call * 1e6, bare * 1e6, call / bare);
    return call / bare <= MOST_RATIO;
}

/* ---- sweeps ---- */

/* "24,576 of ..." */
static double number_of(const char *text)
{
    double number = 0;
    for (; (*text >= '0' && *text <= '9') || *text == ','; text++)
        if (*text != ',')
            number = 10 * number + (*text - '0');
    return number;
}

static double sweep(struct wcts_machine_session *session, const struct wcts_case *test)
{
    struct wcts_result result = {0};
    double words;
    wcts_run_case(session, test, &result);
    words = number_of(result.finding.reason ? result.finding.reason : "");
    if (result.finding.found != WCTS_FOUND_KEPT || words == 0) {
        fprintf(stderr, "%s: %s\n", test->id, result.finding.reason);
        abort();
    }
    wcts_model_result_release(&result);
    return words;
}

/* The sweeps of the flags whose statements begin so. */
static bool bench_sweeps(const struct wcts_plan *plan, struct wcts_machine_session *session,
                         const char *name, const char *statements)
{
    double best = 0;
    for (int round = 0; round < SWEEP_ROUNDS; round++) {
        double words = 0, start = now();
        for (int i = 0; i < plan->count; i++) {
            struct wcts_case made;
            const struct wcts_case *test = wcts_plan_case(plan, i, &made);
            if (test->kind == WCTS_KIND_SWEEP && strncmp(test->id, statements, 4) == 0 &&
                strstr(test->id, "/wddm3_2"))
                words += sweep(session, test);
        }
        double rate = words / (now() - start);
        if (round == 0)
            printf("sweeps of the %s at WDDM 3.2: %.0f words\n", name, words);
        best = rate > best ? rate : best;
    }
    printf("%.0f words a second\n", best);
    return best >= LEAST_WORDS;
}

int main(int count, char **arguments)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options planned = {.seed = 1, .sweeps = WCTS_SWEEPS_SINGLE};
    const struct wcts_implementation implementation = {.path = arguments[1],
                                                       .options = "strict,sweep"};
    struct wcts_machine_session_options options = {.levels =
                                                       wcts_model_level_bit(WCTS_LEVEL_DOCUMENTED)};
    const struct wcts_wire_host_options remote = {.address = arguments[1]};
    struct wcts_claims claims;
    char error[256] = "";
    bool right = count == 2;
    if (!right) {
        fprintf(stderr, "usage: bench-wire 'exec:AGENT EMULATOR'\n");
        return 2;
    }
    pin();
    options.remote = wcts_wire_host_new(&remote);
    right = options.remote && bench_calls(options.remote);
    struct wcts_spec *spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    struct wcts_plan *plan = spec ? wcts_plan_make(spec, &planned, &diagnostics) : NULL;
    struct wcts_machine_session *session =
        plan ? wcts_machine_session_open(plan, &implementation, &options, &claims, error,
                                         sizeof error)
             : NULL;
    right = session && bench_sweeps(plan, session, "creation flags", "CAF-") && right;
    right = session && bench_sweeps(plan, session, "segment flags", "SEG-") && right;
    if (error[0] != '\0' && !session)
        fprintf(stderr, "%s\n", error);
    wcts_machine_session_close(session);
    wcts_wire_host_free(options.remote);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
    return right ? 0 : 1;
}
