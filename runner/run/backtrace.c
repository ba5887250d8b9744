/* SPDX-License-Identifier: MIT */
/*
 * Three stages, told apart by gdb's output: gdb attaches to the idle worker; the worker runs the
 * case until a signal stops it, or it ends, or the runner stops it because it hangs; gdb prints the
 * stack. Processes that take too long in a stage are ended.
 */
#include "backtrace.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frames.h"
#include "stop.h"
#include "watch.h"
#include "worker.h"

#define OUTPUT_MAX 65536
/* Without a message for so long, a case that is known to hang is stopped. */
#define STILL_SECONDS 1.0
/* gdb may be busy, or wait for a disk: seconds, as for a worker. */
#define GDB_TIMEOUT 10.0
#define GDB_MISSING 127

/* What begins instead of a backtrace when no other is tried. */
#define WITHOUT "none: gdb "

#define ATTACHED "\n@attached\n"
#define STOPPED "\n@stopped\n"
#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)

/* Reads no user files, fetches nothing, and lets the signals that plug-ins use pass. */
static const char *const script[] = {
    "set width 0",
    "set print address off",
    "set print frame-arguments presence",
    "set filename-display basename",
    "handle all nostop noprint pass",
    "handle SIGSEGV SIGBUS SIGILL SIGFPE SIGABRT SIGSYS SIGSTOP stop nopass",
    "catch syscall exit_group",
    "echo \\n@attached\\n",
    "continue",
    "echo \\n@stopped\\n",
    "frame apply " NUMBER_TEXT(WCTS_FRAMES_READ) " info symbol $pc",
    "kill",
};
#define SCRIPT_LINES (sizeof script / sizeof script[0])

enum run_stage { ATTACHING, RUNNING, PRINTING, ENDED };

struct run_debugging {
    const struct wcts_run_backtraces *of;
    struct wcts_run_worker worker;
    pid_t gdb;
    int pipe;
    char output[OUTPUT_MAX + 1];
    size_t size;
    enum run_stage stage;
    struct wcts_run_watch watch;
    uint64_t progress; /* of the worker, at its last progress */
    double since;      /* time of that */
    bool hangs, interrupted;
    bool abandoned;
};

/* ---- gdb ---- */

static _Noreturn void gdb_main(pid_t worker, int output)
{
    char pid[24];
    const char *words[12 + 2 * SCRIPT_LINES] = {"gdb",  "-nx",
                                                "-q",   "--batch",
                                                "-iex", "set debuginfod enabled off",
                                                "-iex", "set auto-load no",
                                                "-p",   pid};
    size_t count = 10;
    sigset_t none;

    snprintf(pid, sizeof pid, "%d", (int)worker);
    for (size_t i = 0; i < SCRIPT_LINES; i++) {
        words[count++] = "-ex";
        words[count++] = script[i];
    }
    setsid(); /* an interrupt from the terminal is the runner's business */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    setenv("LC_ALL", "C", 1);
    unsetenv("DEBUGINFOD_URLS");
    execvp(words[0], (char *const *)words);
    _exit(errno == ENOENT ? GDB_MISSING : GDB_MISSING - 1);
}

static bool start_gdb(struct run_debugging *debugging)
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    fflush(NULL);
    debugging->gdb = fork();
    if (debugging->gdb == 0)
        gdb_main(debugging->worker.pid, pair[1]);
    close(pair[1]);
    debugging->pipe = pair[0];
    if (debugging->gdb < 0)
        close(pair[0]);
    return debugging->gdb > 0;
}

/* Returns its wait status. */
static int end_gdb(struct run_debugging *debugging)
{
    int status = 0;
    if (debugging->stage != ENDED)
        kill(debugging->gdb, SIGKILL);
    while (waitpid(debugging->gdb, &status, 0) < 0 && errno == EINTR)
        continue;
    close(debugging->pipe);
    return status;
}

/* ---- stages ---- */

static void enter_stage(struct run_debugging *debugging, enum run_stage stage)
{
    const struct wcts_run_batch batch = {0, 1, 0};
    debugging->stage = stage;
    wcts_run_watch_begin(&debugging->watch);
    debugging->since = wcts_run_watch_now();
    if (stage == RUNNING)
        (void)!send(debugging->worker.channel, &batch, sizeof batch, MSG_NOSIGNAL);
}

/* Reads what gdb has printed; its end closes the pipe. */
static void read_output(struct run_debugging *debugging)
{
    char rest[4096];
    ssize_t got;
    do {
        size_t room = OUTPUT_MAX - debugging->size;
        got = room != 0 ? read(debugging->pipe, debugging->output + debugging->size, room)
                        : read(debugging->pipe, rest, sizeof rest);
        debugging->size += got > 0 && room != 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    debugging->output[debugging->size] = '\0';
    if (debugging->stage == ATTACHING && strstr(debugging->output, ATTACHED))
        enter_stage(debugging, RUNNING);
    if (debugging->stage == RUNNING && strstr(debugging->output, STOPPED))
        enter_stage(debugging, PRINTING);
    if (got == 0)
        debugging->stage = ENDED;
}

/* Stops a worker that is known to hang once it makes no progress for a while: it may only be
 * slow. */
static void interrupt(struct run_debugging *debugging)
{
    uint64_t progress = wcts_run_worker_progress(&debugging->worker);
    double now = wcts_run_watch_now();
    if (progress != debugging->progress) {
        debugging->progress = progress;
        debugging->since = now;
    }
    if (debugging->interrupted || now - debugging->since < STILL_SECONDS)
        return;
    debugging->interrupted = true;
    kill(debugging->worker.pid, SIGSTOP);
}

/* True if a signal that ends the run is pending. */
static bool is_to_stop(void)
{
    const sigset_t stop = wcts_run_stop_signals();
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    sigandset(&pending, &pending, &stop);
    return !sigisemptyset(&pending);
}

/* True if the stage takes too long. */
static bool is_overdue(struct run_debugging *debugging)
{
    bool running = debugging->stage == RUNNING;
    double timeout = debugging->of->options->asked->timeout;
    return wcts_run_watch_look(&debugging->watch, running ? debugging->worker.pid : debugging->gdb,
                               running ? wcts_run_worker_progress(&debugging->worker)
                                       : debugging->size,
                               timeout > GDB_TIMEOUT ? timeout : GDB_TIMEOUT) != WCTS_WATCH_ALIVE;
}

/* True if the worker sent anything but a finding before it runs the case again. */
static bool has_survived(const struct run_debugging *debugging)
{
    struct wcts_run_packet *packet = malloc(sizeof *packet);
    enum wcts_run_receive received =
        packet ? wcts_run_packet_receive(debugging->worker.channel, packet) : WCTS_RECEIVE_FAILED;
    bool survived = received != WCTS_RECEIVE_PACKET || packet->head.kind != WCTS_PACKET_FINDING;
    free(packet);
    return survived;
}

/* A worker that sends a result has survived the case this time. */
static void debug(struct run_debugging *debugging)
{
    enter_stage(debugging, ATTACHING);
    while (debugging->stage != ENDED && !debugging->abandoned) {
        struct pollfd fds[2] = {
            {.fd = debugging->pipe, .events = POLLIN},
            {.fd = debugging->stage == RUNNING ? debugging->worker.channel : -1, .events = POLLIN}};
        poll(fds, 2, (int)(wcts_run_watch_interval(GDB_TIMEOUT) * 1e3));
        read_output(debugging);
        bool survived =
            debugging->stage == RUNNING && fds[1].revents != 0 && has_survived(debugging);
        if (debugging->stage == RUNNING && debugging->hangs)
            interrupt(debugging);
        debugging->abandoned =
            debugging->stage != ENDED && (survived || is_to_stop() || is_overdue(debugging));
    }
}

/* ---- the result ---- */

static const char *program_name(char *buffer, size_t room)
{
    ssize_t size = readlink("/proc/self/exe", buffer, room - 1);
    buffer[size > 0 ? size : 0] = '\0';
    const char *slash = strrchr(buffer, '/');
    return slash ? slash + 1 : buffer;
}

/* Why gdb could not attach: it will not be tried again. */
static char *unattached(const struct run_debugging *debugging, int status)
{
    static const char refused[] = "ptrace: ";
    const char *why = strstr(debugging->output, refused);
    char *text = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == GDB_MISSING)
        return strdup(WITHOUT "is not installed\n");
    if (asprintf(&text, WITHOUT "cannot trace the worker%s%.*s\n", why ? ": " : "",
                 why ? (int)strcspn(why + strlen(refused), "\n") : 0,
                 why ? why + strlen(refused) : "") < 0)
        return NULL;
    return text;
}

static char *backtrace_text(struct wcts_run_backtraces *backtraces,
                            const struct run_debugging *debugging, int status)
{
    char path[4096];
    const char *frames = strstr(debugging->output, STOPPED);
    char *text = frames ? wcts_run_frames_text(frames, program_name(path, sizeof path)) : NULL;
    if (text && text[0] != '\0')
        return text;
    free(text);
    if (!strstr(debugging->output, ATTACHED) && !is_to_stop()) {
        backtraces->given_up = true;
        return unattached(debugging, status);
    }
    return strdup("none: the case ends in another way when it is run again, alone\n");
}

/* Runs the case on its own, as replay does, but without its output. */
static char *run_again(struct wcts_run_backtraces *backtraces, int index, bool hangs)
{
    struct wcts_run_pool_options options = *backtraces->options;
    struct run_debugging *debugging = calloc(1, sizeof *debugging);
    struct wcts_run_worker_page *page =
        mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *text = NULL;

    options.selected = &index;
    options.selected_count = 1;
    options.foreground = options.trace = false;
    options.stored_claims = NULL;
    if (debugging && page != MAP_FAILED) {
        debugging->hangs = hangs;
        debugging->worker = (struct wcts_run_worker){.options = &options,
                                                     .claims = backtraces->claims,
                                                     .page = page,
                                                     .output = -1,
                                                     .debugged = true};
        debugging->of = backtraces;
        if (wcts_run_worker_start(&debugging->worker)) {
            if (start_gdb(debugging)) {
                debug(debugging);
                text = backtrace_text(backtraces, debugging, end_gdb(debugging));
            }
            wcts_run_worker_stop(&debugging->worker);
        }
    }
    if (page != MAP_FAILED)
        munmap(page, sizeof *page);
    free(debugging);
    return text;
}

/* True for the first case of a cause, as long as there may be more backtraces. */
static bool add_cause(struct wcts_run_backtraces *backtraces, const char *cause)
{
    if (backtraces->given_up || backtraces->count == WCTS_BACKTRACES_MAX)
        return false;
    for (int i = 0; i < backtraces->count; i++)
        if (strcmp(backtraces->causes[i], cause) == 0)
            return false;
    char *copy = strdup(cause);
    if (copy)
        backtraces->causes[backtraces->count++] = copy;
    return copy != NULL;
}

char *wcts_run_backtrace(struct wcts_run_backtraces *backtraces, const struct wcts_case *test,
                         enum wcts_verdict verdict, const char *cause)
{
    bool hangs = verdict == WCTS_VERDICT_TIMEOUT;
    if ((!hangs && verdict != WCTS_VERDICT_CRASH) || !add_cause(backtraces, cause))
        return NULL;
    return run_again(backtraces, test->index, hangs);
}

void wcts_run_backtraces_remember(struct wcts_run_backtraces *backtraces, const char *backtrace,
                                  const char *cause)
{
    if (!backtrace || !backtrace[0])
        return;
    add_cause(backtraces, cause);
    backtraces->given_up =
        backtraces->given_up || strncmp(backtrace, WITHOUT, strlen(WITHOUT)) == 0;
}

void wcts_run_backtraces_release(struct wcts_run_backtraces *backtraces)
{
    for (int i = 0; i < backtraces->count; i++)
        free(backtraces->causes[i]);
}
