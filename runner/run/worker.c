/* SPDX-License-Identifier: MIT */
/* The process that runs cases, and its start and end in the runner. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

#include "../base/address.h"
#include "../base/exit.h"
#include "../judge/judge.h"
#include "../plan/plan.h"
#include "capture.h"
#include "case.h"

/* Beyond the descriptors that careless plug-ins close. */
#define CHANNEL_FD 200
#define TRACE_FD 201

/* Descriptors that a worker has open and, for each worker, the runner besides its own. */
#define WORKER_FILES (TRACE_FD + 1)
#define RUNNER_FILES 32
#define RUNNER_FILES_EACH 4

/* Exit codes of the worker itself: no more to do, the channel is gone, or it could not be set
 * up. */
enum { EXIT_DONE = 0, EXIT_CHANNEL = 121, EXIT_SETUP = 122, EXIT_LOST = 123 };

/* How many timeouts an implementation may be away, to start again. */
#define PATIENCE_TIMEOUTS 6
/* Milliseconds that a worker has to end with its implementation. */
#define FINISH_MS 2500

enum { KERNEL, DRIVER, SIDE_COUNT };

static const struct {
    uint32_t side;
    const char *name;
} sides[SIDE_COUNT] = {
    [KERNEL] = {WCTS_SIDE_KERNEL, "kernel"},
    [DRIVER] = {WCTS_SIDE_DRIVER, "driver"},
};

/* The state of the worker process. */
struct run_work {
    const struct wcts_run_worker *worker;
    struct wcts_machine_session *sessions[SIDE_COUNT];
    char errors[SIDE_COUNT][512]; /* why a session could not be opened; "" before the first try */
    struct wcts_packer *packer;   /* of the batch, or of claims; NULL: nothing is stored */
    struct wcts_run_packet_head head; /* of the current case: how every packet of it begins */
    FILE *trace;
    uint64_t output_end; /* of the case before: where that of the next one begins */
    pid_t pid;
    unsigned threads;
    struct wcts_wire_host *remote; /* NULL: the implementation is loaded, or was not reached yet */
};

/* ---- the process ---- */

static void move_fd(int from, int to)
{
    if (dup2(from, to) < 0)
        _exit(EXIT_SETUP);
}

/* Leaves open standard input (empty), output and error (the capture), the channel and, in the
 * foreground, the trace. */
static void arrange_files(struct run_work *work, int channel, int output)
{
    int nothing = open("/dev/null", O_RDWR);
    bool foreground = work->worker->options->foreground;

    /* Low numbers first, so that no descriptor is overwritten before it is moved. */
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

/* What the worker inherits from the runner does not count. A sanitizer is not limited. */
#if defined __SANITIZE_ADDRESS__
static void limit_memory(uint64_t bytes)
{
    (void)bytes;
}
#else
static void limit_memory(uint64_t bytes)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    const rlim_t most = pages * (uint64_t)sysconf(_SC_PAGESIZE) + bytes;
    const struct rlimit limit = {most, most};
    if (bytes != 0 && setrlimit(RLIMIT_DATA, &limit) != 0)
        _exit(EXIT_SETUP);
}
#endif

static void arrange_process(const struct wcts_run_worker *worker, pid_t runner)
{
    /* 1 and not 0: this also stops core dumps that go to a program. */
    const struct rlimit no_core = {1, 1};
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 1); /* the runner is not; /proc/self must be the worker's own */
    if (worker->debugged)
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* a debugger is not its parent */
    if (getppid() != runner)
        _exit(EXIT_DONE);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* If memory is short, the worker is killed before the runner and other processes. */
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)!write(file, "1000", 4);
        close(file);
    }
}

static unsigned thread_count(void)
{
    struct stat status;
    return stat("/proc/self/task", &status) == 0 ? (unsigned)status.st_nlink : 0;
}

static void note_state(const struct run_work *work, uint32_t at, bool loading)
{
    struct wcts_run_worker_page *page = work->worker->page;
    atomic_store(&page->at, at);
    atomic_store(&page->loading, loading);
    atomic_fetch_add(&page->beat, 1);
}

/* A process that the plug-in forked may also return from the call: it is no worker. */
static void only_worker(const struct run_work *work)
{
    if (getpid() != work->pid)
        _exit(EXIT_DONE);
}

/* Ends the worker for a reason that is not the plug-in's fault. */
static _Noreturn void end_in_trouble(const struct run_work *work, int error)
{
    atomic_store(&work->worker->page->trouble, error);
    _exit(EXIT_SETUP);
}

static void must_be_sent(const struct run_work *work, bool sent)
{
    if (sent)
        return;
    if (wcts_run_packet_is_own_trouble(errno))
        end_in_trouble(work, errno);
    _exit(EXIT_CHANNEL);
}

/* ---- cases ---- */

/* Sends the finding of the current case before it runs again, in case that kills the worker. */
static void send_finding(void *ctx, const struct wcts_finding *finding)
{
    struct run_work *work = ctx;
    struct wcts_run_packet_head head = work->head;
    must_be_sent(work, wcts_run_packet_send_finding(CHANNEL_FD, &head, finding));
}

/* ---- an implementation that is elsewhere ---- */

static void note_lost_peer(void *ctx, enum wcts_wire_loss loss, int status, const char *why)
{
    struct wcts_run_worker_page *page = ((struct run_work *)ctx)->worker->page;
    page->lost_status = status;
    snprintf(page->lost_why, sizeof page->lost_why, "%s", why);
    atomic_store(&page->lost, (int)loss);
    _exit(EXIT_LOST);
}

static void note_waiting(void *ctx, bool waits)
{
    atomic_store(&((struct run_work *)ctx)->worker->page->waiting, waits);
}

static void note_partly(void *ctx, uint32_t got, uint32_t wanted)
{
    struct wcts_run_worker_page *page = ((struct run_work *)ctx)->worker->page;
    atomic_store(&page->received, got);
    atomic_store(&page->expected, wanted);
}

/* What a program of the implementation starts hears nothing of the worker's death, which may be
 * that of the runner: a process that waits for it ends the whole group. */
static void start_guard(const struct run_work *work)
{
    int ends[2];
    char byte;
    if (pipe2(ends, O_CLOEXEC) != 0)
        end_in_trouble(work, errno);
    pid_t guard = fork();
    if (guard < 0)
        end_in_trouble(work, errno);
    if (guard > 0) { /* the other end stays open until the worker is no more */
        close(ends[0]);
        return;
    }
    if (dup2(ends[0], STDIN_FILENO) >= 0) {
        close_range(STDIN_FILENO + 1, ~0u, 0);
        while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
            continue;
    }
    kill(-work->pid, SIGKILL);
    _exit(EXIT_DONE);
}

/* One connection serves both sides. */
static void prepare_remote(struct run_work *work)
{
    const struct wcts_options *asked = work->worker->options->asked;
    const struct wcts_wire_host_options remote = {
        .address = asked->implementation.path,
        .patience = work->worker->claims ? PATIENCE_TIMEOUTS * asked->timeout : 0,
        .lost = note_lost_peer,
        .waits = note_waiting,
        .partly = note_partly,
        .ctx = work,
        .explain = wcts_machine_session_explain};
    if (work->remote || !wcts_address_is_remote(asked->implementation.path))
        return;
    work->remote = wcts_wire_host_new(&remote);
    if (!work->remote)
        end_in_trouble(work, ENOMEM);
    if (wcts_address_kind(remote.address) == WCTS_ADDRESS_EXEC)
        start_guard(work);
}

static struct wcts_machine_session *open_session(struct run_work *work, int which,
                                                 struct wcts_claims *claims)
{
    const struct wcts_run_pool_options *options = work->worker->options;
    prepare_remote(work);
    const struct wcts_machine_session_options session = {
        .driver = which == DRIVER,
        .levels = options->levels,
        .each = send_finding,
        .each_ctx = work,
        .pulse = &work->worker->page->pulse,
        .trace = work->trace,
        .remote = work->remote,
        .verdicts_only = options->verdicts_only,
        .until = options->until,
        .versions = work->worker->claims ? work->worker->claims->versions : work->worker->versions,
        .stores = options->stored_claims != NULL,
        .upgrade = options->asked->upgrade,
        .profile = options->asked->profile};

    work->sessions[which] =
        wcts_machine_session_open(options->plan, &options->asked->implementation, &session, claims,
                                  work->errors[which], sizeof work->errors[which]);
    if (!work->sessions[which] && work->errors[which][0] == '\0')
        snprintf(work->errors[which], sizeof work->errors[which], "it gave no reason");
    work->threads = thread_count();
    return work->sessions[which];
}

bool wcts_run_not_asked(const struct wcts_plan *plan, const struct wcts_case *test,
                        const struct wcts_claims *claims, struct wcts_result *result)
{
    const struct wcts_judge judge = {.plan = plan, .claims = claims};
    int which = test->driver ? DRIVER : KERNEL;
    bool has_side = claims->sides & sides[which].side;
    const char *reason = has_side ? wcts_judge_not_claimed(&judge, test) : sides[which].name;
    if (!reason || !result)
        return reason;
    result->finding.levels = WCTS_LEVELS_ALL;
    wcts_model_finding_skip(&result->finding, WCTS_SKIP_NOT_CLAIMED,
                            has_side ? "%s" : "the %s side", reason);
    return true;
}

static void run_case(struct run_work *work, const struct wcts_case *test,
                     struct wcts_result *result)
{
    int which = test->driver ? DRIVER : KERNEL;
    struct wcts_claims claims = {0};

    if (!work->sessions[which] && work->errors[which][0] == '\0')
        open_session(work, which, &claims);
    if (!work->sessions[which]) {
        result->finding.levels = WCTS_LEVELS_ALL;
        wcts_model_finding_set(&result->finding, WCTS_FOUND_TROUBLE, "could not be loaded: %s",
                               work->errors[which]);
        return;
    }
    note_state(work, atomic_load(&work->worker->page->at), false);
    if (work->worker->deadly.alone)
        work->sessions[which]->deadly =
            work->head.position == work->worker->deadly_at ? &work->worker->deadly : NULL;
    wcts_run_case(work->sessions[which], test, result);
    wcts_exchange_stream_store(&work->sessions[which]->stream, work->packer, &result->stored);
}

/* Returns false if the worker must end: the plug-in left a thread behind. */
static bool run_position(struct run_work *work, uint32_t position)
{
    const struct wcts_run_pool_options *options = work->worker->options;
    int index = options->selected[position];
    struct wcts_case made;
    const struct wcts_case *test = wcts_plan_case(options->plan, index, &made);
    struct wcts_result result = {0};
    struct wcts_run_packet_head head = {.position = position, .index = (uint32_t)index};
    if (wcts_run_not_asked(options->plan, test, work->worker->claims, NULL))
        return true; /* the runner knows its result */

    work->head = head;
    head.output_start = work->output_end;
    atomic_store(&work->worker->page->output_start, head.output_start);
    wcts_exchange_pulse_reset(&work->worker->page->pulse);
    note_state(work, position + 1, true);
    run_case(work, test, &result);
    only_worker(work);
    fflush(stdout);
    if (work->trace)
        fflush(work->trace);

    head.retiring = thread_count() > work->threads;
    head.output_end = work->output_end = wcts_run_capture_size(STDERR_FILENO);
    must_be_sent(work, wcts_run_packet_send_result(CHANNEL_FD, &head, &result));
    wcts_model_result_release(&result);
    note_state(work, 0, false);
    return !head.retiring;
}

/* Runs a case as often as it is to be run, but for the times that it was before. Each record is
 * then on its own, since those of equal repetitions are dropped. False as above. */
static bool run_repeated(struct run_work *work, uint32_t position, uint32_t made)
{
    const struct wcts_run_pool_options *options = work->worker->options;
    const int times = options->asked->repeat > 1 ? options->asked->repeat : 1;
    bool goes_on = true;
    for (int i = (int)made; goes_on && i < times; i++) {
        if (options->apart || options->asked->repeat > 0)
            wcts_exchange_packer_begin(work->packer);
        goes_on = run_position(work, position);
    }
    return goes_on;
}

static void run_batches(struct run_work *work)
{
    struct wcts_run_batch batch;
    for (;;) {
        ssize_t size = recv(CHANNEL_FD, &batch, sizeof batch, 0);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 && wcts_run_packet_is_own_trouble(errno))
            end_in_trouble(work, errno);
        if (size != sizeof batch)
            return;
        wcts_exchange_packer_begin(work->packer);
        for (uint32_t i = 0; i < batch.count; i++) {
            if (!run_repeated(work, batch.from + i, i == 0 ? batch.made : 0))
                return;
        }
    }
}

/* ---- claims ---- */

void wcts_run_claims_merge(struct wcts_claims *all, const struct wcts_claims *more, uint32_t side)
{
    uint32_t have = all->sides;
    size_t used = strlen(all->remarks);
    if (have == 0) {
        *all = *more;
        all->offered = more->sides;
    } else { /* the kernel's claims came first; only the driver's own are added */
        if (more->profile[0])
            memcpy(all->profile, more->profile, sizeof all->profile);
        all->patches = more->patches;
        all->patch_width = more->patch_width;
        all->of[1] = more->of[1];
        all->paging = more->paging;
        all->kind_count = more->kind_count;
        memcpy(all->kinds, more->kinds, sizeof all->kinds);
        if (more->remarks[0])
            snprintf(all->remarks + used, sizeof all->remarks - used, "%s%s", used ? "\n" : "",
                     more->remarks);
    }
    all->sides = have | side;
}

bool wcts_run_claims_agree(const struct wcts_claims *kernel, const struct wcts_claims *driver,
                           char *error, size_t room)
{
    if (!kernel->profile[0] || !driver->profile[0] || strcmp(kernel->profile, driver->profile) == 0)
        return true;
    snprintf(error, room,
             "%s: KERNEL_INFO names the profile %s, DRIVER_INFO the profile %s, expected the same "
             "or one alone",
             driver->name, kernel->profile, driver->profile);
    return false;
}

/* Reads the claims of a side, and sends them as they are stored. False if the plug-in has the side
 * but cannot be read. */
static bool ask_side(struct run_work *work, int which, struct wcts_claims *all)
{
    struct wcts_claims claims = {0};
    struct wcts_run_packet_head piece = {.position = (uint32_t)which};
    struct wcts_stored stored;
    note_state(work, (uint32_t)which + 1, true);
    if (!open_session(work, which, &claims) && strcmp(work->errors[which], WCTS_NO_MEMORY) == 0)
        end_in_trouble(work, ENOMEM);
    if (!work->sessions[which])
        return claims.sides != 0 && !(claims.sides & sides[which].side);
    if (!wcts_run_claims_agree(all, &claims, work->errors[which], sizeof work->errors[which]))
        return false;
    wcts_run_claims_merge(all, &claims, sides[which].side);
    wcts_exchange_packer_begin(work->packer);
    wcts_exchange_stream_store(&work->sessions[which]->stream, work->packer, &stored);
    must_be_sent(work, wcts_run_packet_send_stored(CHANNEL_FD, &piece, &stored));
    free(stored.bytes);
    return true;
}

static void report_claims(struct run_work *work)
{
    struct wcts_claims all = {0};
    struct wcts_run_packet_head head = {.kind = WCTS_PACKET_CLAIMS, .body_size = sizeof all};
    const char *error = NULL, *lacking = "";

    for (int which = KERNEL; which < SIDE_COUNT && !error; which++) {
        if (!(work->worker->sides & sides[which].side))
            continue;
        if (!ask_side(work, which, &all))
            error = work->errors[which];
        else if (work->errors[which][0] != '\0')
            lacking = work->errors[which];
    }
    only_worker(work);
    if (!error && all.sides == 0)
        error = lacking;
    if (error) {
        head.kind = WCTS_PACKET_ERROR;
        head.body_size = (uint32_t)strlen(error);
        must_be_sent(work, wcts_run_packet_send(CHANNEL_FD, &head, error));
    } else {
        must_be_sent(work, wcts_run_packet_send(CHANNEL_FD, &head, &all));
    }
}

static _Noreturn void worker_main(const struct wcts_run_worker *worker, int channel, pid_t runner)
{
    struct run_work work = {.worker = worker, .pid = getpid()};

    arrange_process(worker, runner);
    wcts_machine_room_watch(&worker->page->pulse);
    limit_memory(worker->options->asked->memory_limit);
    arrange_files(&work, channel, worker->output);
    work.packer = worker->options->stored_claims ? wcts_exchange_packer_new() : NULL;
    work.output_end = wcts_run_capture_size(STDERR_FILENO);
    if (worker->claims)
        run_batches(&work);
    else
        report_claims(&work);
    wcts_wire_host_free(work.remote);
    /* Not exit(): handlers of a plug-in must not run. */
    _exit(EXIT_DONE);
}

/* ---- in the runner ---- */

bool wcts_run_worker_files(int workers, char *error, size_t room)
{
    rlim_t runner = RUNNER_FILES + RUNNER_FILES_EACH * (rlim_t)workers;
    rlim_t wanted = runner > WORKER_FILES ? runner : WORKER_FILES;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return true;
    if (limit.rlim_max >= wanted) {
        limit.rlim_cur = wanted;
        return setrlimit(RLIMIT_NOFILE, &limit) == 0;
    }
    snprintf(error, room,
             "at most %llu files may be open, expected %llu or more: see ulimit -n, or use fewer "
             "workers (-j)",
             (unsigned long long)limit.rlim_max, (unsigned long long)wanted);
    return false;
}

bool wcts_run_worker_start(struct wcts_run_worker *worker)
{
    int pair[2];
    pid_t runner = getpid();

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    memset(worker->page, 0, sizeof *worker->page);
    fflush(NULL); /* or a plug-in that calls exit() writes what is buffered here */
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

int wcts_run_worker_stop(struct wcts_run_worker *worker)
{
    int status = 0;
    /* The group exists until its last process is waited for: a worker that has ended keeps it, so
     * this cannot hit another process. */
    kill(-worker->pid, SIGKILL);
    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    /* What a program of the implementation had started is no process left behind. */
    if (wcts_run_worker_is_remote(worker))
        while (waitpid(-worker->pid, NULL, 0) > 0 || errno == EINTR)
            continue;
    close(worker->pidfd);
    close(worker->channel);
    worker->pid = 0;
    return status;
}

void wcts_run_worker_finish(struct wcts_run_worker *worker)
{
    struct pollfd end = {.fd = worker->pidfd, .events = POLLIN};
    if (wcts_run_worker_is_remote(worker)) {
        shutdown(worker->channel, SHUT_RDWR);
        poll(&end, 1, FINISH_MS);
    }
    wcts_run_worker_stop(worker);
}

bool wcts_run_worker_is_remote(const struct wcts_run_worker *worker)
{
    return wcts_address_is_remote(worker->options->asked->implementation.path);
}

bool wcts_run_worker_is_waiting(const struct wcts_run_worker *worker)
{
    return wcts_run_worker_is_remote(worker) && atomic_load(&worker->page->waiting) != 0;
}

const char *wcts_run_worker_lost(const struct wcts_run_worker *worker, int *status)
{
    struct wcts_run_worker_page *page = worker->page;
    if (!wcts_run_worker_is_remote(worker) || !WIFEXITED(*status) ||
        WEXITSTATUS(*status) != EXIT_LOST || atomic_load(&page->lost) == WCTS_WIRE_LOST_NOTHING)
        return NULL;
    page->lost_why[sizeof page->lost_why - 1] = '\0';
    if (page->lost_status != -1)
        *status = page->lost_status;
    return page->lost_why;
}

const char *wcts_run_worker_trouble(const struct wcts_run_worker *worker, int status)
{
    int error = atomic_load(&worker->page->trouble);
    if (wcts_run_worker_is_remote(worker) &&
        atomic_load(&worker->page->lost) == WCTS_WIRE_LOST_CONTACT)
        return worker->page->lost_why;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SETUP)
        return NULL;
    if (error != 0)
        return strerror(error);
    return atomic_load(&worker->page->beat) == 0 ? "its files cannot be opened" : NULL;
}

const char *wcts_run_worker_death(int status, char *buffer, size_t room)
{
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_CHANNEL)
        return wcts_exit_text(status, buffer, room);
    snprintf(buffer, room, "closed file descriptors that it does not own");
    return buffer;
}
