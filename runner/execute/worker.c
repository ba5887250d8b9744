/* SPDX-License-Identifier: MIT */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"

/* Out of the way of plug-ins that close descriptors which they do not own. */
#define CHANNEL_FD 200
#define TRACE_FD 201

/* Exit codes of the worker itself: no more to do, and the channel is gone. */
enum { EXIT_DONE = 0, EXIT_CHANNEL = 121 };

enum { KERNEL, DRIVER, SIDE_COUNT };

static const struct {
    uint32_t side;
    const char *name;
} sides[SIDE_COUNT] = {
    [KERNEL] = {WCTS_SIDE_KERNEL, "kernel"},
    [DRIVER] = {WCTS_SIDE_DRIVER, "driver"},
};

/* The state of the worker process. */
struct work {
    const struct wcts_worker *worker;
    struct wcts_session *sessions[SIDE_COUNT];
    char errors[SIDE_COUNT][512]; /* why a session could not be opened; "" before the first try */
    struct wcts_tape_record claims_tapes[SIDE_COUNT];
    FILE *trace;
    pid_t pid;
    unsigned threads;
};

/* ---- the process ---- */

static void move_fd(int from, int to)
{
    if (dup2(from, to) < 0)
        _exit(EXIT_CHANNEL);
}

/* Leaves open standard input (empty), output and error (the capture), the channel and, in the
 * foreground, the trace. */
static void arrange_files(struct work *work, int channel, int output)
{
    int nothing = open("/dev/null", O_RDWR);
    bool foreground = work->worker->options->foreground;

    /* Low numbers first: whatever is still to be moved may stand where something goes. */
    move_fd(nothing, STDIN_FILENO);
    if (!foreground) {
        move_fd(output >= 0 ? output : nothing, STDOUT_FILENO);
        move_fd(STDOUT_FILENO, STDERR_FILENO);
    }
    move_fd(channel, CHANNEL_FD);
    if (foreground) {
        move_fd(STDOUT_FILENO, TRACE_FD);
        move_fd(STDERR_FILENO, STDOUT_FILENO);
    }
    close_range(STDERR_FILENO + 1, CHANNEL_FD - 1, 0);
    close_range(foreground ? TRACE_FD + 1 : CHANNEL_FD + 1, ~0u, 0);
    if (foreground && work->worker->options->trace)
        work->trace = fdopen(TRACE_FD, "w");
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

static void arrange_process(pid_t runner)
{
    /* 1 and not 0: it also stops core dumps that go to a program. */
    const struct rlimit no_core = {1, 1};
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != runner)
        _exit(EXIT_DONE);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static unsigned thread_count(void)
{
    struct stat status;
    return stat("/proc/self/task", &status) == 0 ? (unsigned)status.st_nlink : 0;
}

static void note(const struct work *work, uint32_t at, bool loading)
{
    struct wcts_worker_page *page = work->worker->page;
    atomic_store(&page->at, at);
    atomic_store(&page->loading, loading);
    atomic_fetch_add(&page->beat, 1);
}

/* A process that the plug-in forked may come back from the call, too: it is no worker. */
static void only_worker(const struct work *work)
{
    if (getpid() != work->pid)
        _exit(EXIT_DONE);
}

static void must_be_sent(bool sent)
{
    if (!sent)
        _exit(EXIT_CHANNEL);
}

/* ---- cases ---- */

static struct wcts_session *open_side(struct work *work, int which, struct wcts_claims *claims)
{
    const struct wcts_pool_options *options = work->worker->options;
    const struct wcts_session_options session = {
        .driver = which == DRIVER,
        .judging = options->judging,
        .in_call = &work->worker->page->in_call,
        .trace = work->trace,
        .brief = options->brief,
        .claims_tape = options->claims_tapes ? &work->claims_tapes[which] : NULL};

    work->sessions[which] =
        wcts_session_open(options->plan, &options->implementation, &session, claims,
                          work->errors[which], sizeof work->errors[which]);
    if (!work->sessions[which] && work->errors[which][0] == '\0')
        snprintf(work->errors[which], sizeof work->errors[which], "it gave no reason");
    work->threads = thread_count();
    return work->sessions[which];
}

static void result_text(struct wcts_result *result, enum wcts_verdict verdict, const char *format,
                        const char *text)
{
    result->verdict = verdict;
    if (asprintf(&result->reason, format, text) < 0)
        result->reason = NULL;
}

bool wcts_judge_no_side(const struct wcts_case *one, const struct wcts_claims *claims,
                        struct wcts_result *result)
{
    int which = one->driver ? DRIVER : KERNEL;
    if (claims->sides & sides[which].side)
        return false;
    result_text(result, WCTS_VERDICT_SKIP, "the plug-in has no %s side", sides[which].name);
    return true;
}

static void run_case(struct work *work, const struct wcts_case *one, struct wcts_result *result)
{
    int which = one->driver ? DRIVER : KERNEL;
    struct wcts_claims claims = {0};

    if (wcts_judge_no_side(one, work->worker->claims, result))
        return;
    if (!work->sessions[which] && work->errors[which][0] == '\0')
        open_side(work, which, &claims);
    if (!work->sessions[which]) {
        result_text(result, WCTS_VERDICT_BROKEN, "could not be loaded: %s", work->errors[which]);
        return;
    }
    note(work, atomic_load(&work->worker->page->at), false);
    wcts_session_run(work->sessions[which], one, result);
}

/* Returns false when the worker is to end: the plug-in left a thread behind. */
static bool run_position(struct work *work, uint32_t position)
{
    const struct wcts_pool_options *options = work->worker->options;
    int index = options->selected[position];
    struct wcts_result result = {0};
    struct wcts_record_head record = {.position = position, .index = (uint32_t)index};

    record.output_start = wcts_capture_size(STDERR_FILENO);
    atomic_store(&work->worker->page->output_start, record.output_start);
    note(work, position + 1, true);
    run_case(work, &options->plan->cases[index], &result);
    only_worker(work);
    fflush(stdout);
    if (work->trace)
        fflush(work->trace);

    record.retiring = thread_count() > work->threads;
    record.output_end = wcts_capture_size(STDERR_FILENO);
    must_be_sent(wcts_record_send_result(CHANNEL_FD, &record, &result));
    wcts_result_release(&result);
    note(work, 0, false);
    return !record.retiring;
}

static void run_batches(struct work *work)
{
    struct wcts_batch batch;
    for (;;) {
        ssize_t size = recv(CHANNEL_FD, &batch, sizeof batch, 0);
        if (size < 0 && errno == EINTR)
            continue;
        if (size != sizeof batch)
            return;
        for (uint32_t i = 0; i < batch.count; i++)
            if (!run_position(work, batch.from + i))
                return;
    }
}

/* ---- claims ---- */

void wcts_claims_merge(struct wcts_claims *all, const struct wcts_claims *more, uint32_t side)
{
    uint32_t have = all->sides;
    if (have == 0)
        *all = *more;
    else
        all->patches = more->patches;
    all->sides = have | side;
}

static void report_claims(struct work *work)
{
    struct wcts_claims all = {0};
    struct wcts_record_head piece = {0};
    struct wcts_record_head record = {.kind = WCTS_RECORD_CLAIMS, .body_size = sizeof all};
    const char *error = "";

    for (int which = KERNEL; which < SIDE_COUNT; which++) {
        struct wcts_claims claims = {0};
        if (!(work->worker->sides & sides[which].side))
            continue;
        note(work, (uint32_t)which + 1, true);
        if (open_side(work, which, &claims)) {
            wcts_claims_merge(&all, &claims, sides[which].side);
            piece.position = (uint32_t)which;
            must_be_sent(wcts_record_send_tape(CHANNEL_FD, &piece, &work->claims_tapes[which]));
        } else if (error[0] == '\0')
            error = work->errors[which];
    }
    only_worker(work);
    if (all.sides == 0) {
        record.kind = WCTS_RECORD_ERROR;
        record.body_size = (uint32_t)strlen(error);
        must_be_sent(wcts_record_send(CHANNEL_FD, &record, error));
    } else {
        must_be_sent(wcts_record_send(CHANNEL_FD, &record, &all));
    }
}

static _Noreturn void worker_main(const struct wcts_worker *worker, int channel, pid_t runner)
{
    struct work work = {.worker = worker, .pid = getpid()};

    arrange_process(runner);
    arrange_files(&work, channel, worker->output);
    if (worker->claims)
        run_batches(&work);
    else
        report_claims(&work);
    /* Not exit(): handlers that a plug-in left behind must not run. */
    _exit(EXIT_DONE);
}

/* ---- in the runner ---- */

bool wcts_worker_start(struct wcts_worker *worker)
{
    int pair[2];
    pid_t runner = getpid();

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    memset(worker->page, 0, sizeof *worker->page);
    fflush(NULL); /* or a plug-in that calls exit() writes what we have buffered */
    worker->pid = fork();
    if (worker->pid == 0)
        worker_main(worker, pair[1], runner);

    close(pair[1]);
    worker->channel = pair[0];
    worker->pidfd = worker->pid > 0 ? pidfd_open(worker->pid, 0) : -1;
    if (worker->pidfd >= 0) {
        setpgid(worker->pid, worker->pid);
        return true;
    }
    int error = errno;
    close(pair[0]);
    if (worker->pid > 0) {
        kill(worker->pid, SIGKILL);
        waitpid(worker->pid, NULL, 0);
    }
    worker->pid = 0;
    errno = error;
    return false;
}

int wcts_worker_stop(struct wcts_worker *worker)
{
    int status = 0;
    /* The group is gone only when its last process is: a worker that has ended but was not waited
     * for keeps it, so this cannot hit anybody else. */
    kill(-worker->pid, SIGKILL);
    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(worker->pidfd);
    close(worker->channel);
    worker->pid = 0;
    return status;
}

const char *wcts_worker_death(int status, char *buffer, size_t room)
{
    if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(buffer, room, "killed by SIG%s", name ? name : "?");
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CHANNEL) {
        snprintf(buffer, room, "closed file descriptors that it does not own");
    } else {
        snprintf(buffer, room, "called exit(%d)", WEXITSTATUS(status));
    }
    return buffer;
}
