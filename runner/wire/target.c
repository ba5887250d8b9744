/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/host_port.h"

/* Seconds for one attempt to connect to a host that does not answer at all. */
#define CONNECT_SECONDS 2
/* How a program that cannot be started ends, if nobody can be told why. */
#define EXIT_NOT_STARTED 127

/* ---- a program ---- */

/* In the child. Only what the program is to have stays open; *report is closed when it begins. */
static _Noreturn void become(char *const *words, int in, int out, int report, pid_t parent)
{
    sigset_t none;
    int error;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NOT_STARTED);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
        close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
        execvp(words[0], words);
    }
    error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(EXIT_NOT_STARTED);
}

/* What is read from is never one of the three standard files, which the child replaces. */
static bool make_pipe(int pipe[2])
{
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        pipe[i] = fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(made[i]);
    }
    return pipe[0] >= 0 && pipe[1] >= 0;
}

static void close_all(const int *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i] >= 0)
            close(files[i]);
}

enum { TO, FROM, REPORT, PIPES };

static enum wcts_wire_reached start(struct wcts_wire_target *target, char *const *words,
                                    char *error, size_t room)
{
    int pipes[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int failure = 0;
    pid_t parent = getpid();
    for (int i = 0; i < PIPES; i++)
        if (!make_pipe(pipes[i])) {
            snprintf(error, room, "no pipe: %s", strerror(errno));
            close_all(pipes[0], 2 * PIPES);
            return WCTS_WIRE_NEVER;
        }
    /* A program that has ended is noticed when it is written to. */
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    target->pid = fork();
    if (target->pid == 0)
        become(words, pipes[TO][0], pipes[FROM][1], pipes[REPORT][1], parent);
    if (target->pid < 0)
        failure = errno;
    close_all((const int[]){pipes[TO][0], pipes[FROM][1], pipes[REPORT][1]}, 3);
    if (target->pid > 0 && read(pipes[REPORT][0], &failure, sizeof failure) != sizeof failure)
        failure = 0;
    close(pipes[REPORT][0]);
    target->files.out = pipes[TO][1];
    target->files.in = pipes[FROM][0];
    if (failure == 0)
        return WCTS_WIRE_REACHED;
    snprintf(error, room, "%s: %s", words[0], strerror(failure));
    if (target->pid > 0)
        wcts_wire_target_wait(target);
    else
        close_all((const int[]){target->files.in, target->files.out}, 2);
    target->pid = 0;
    return WCTS_WIRE_NEVER;
}

/* ---- a connection ---- */

/* True if whoever is to listen there may be starting. */
static bool may_come(int error)
{
    static const int errors[] = {ECONNREFUSED, ECONNRESET,  ENOENT,    ETIMEDOUT,    EHOSTUNREACH,
                                 ENETUNREACH,  EINPROGRESS, EHOSTDOWN, ECONNABORTED, EAGAIN};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i] == error)
            return true;
    return false;
}

/* Returns the connection, or -1 with errno. */
static int connect_to(int family, const struct sockaddr *address, socklen_t size)
{
    const struct timeval limit = {.tv_sec = CONNECT_SECONDS}, none = {.tv_sec = 0};
    const int yes = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(fd, address, size) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
    if (family != AF_UNIX) {
        /* Each message is waited for; and a machine that has gone is to be noticed. */
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    }
    return fd;
}

static enum wcts_wire_reached connected(struct wcts_wire_target *target, int fd, char *error,
                                        size_t room)
{
    int failure = errno;
    target->files.in = target->files.out = fd;
    if (fd >= 0)
        return WCTS_WIRE_REACHED;
    snprintf(error, room, "cannot be reached: %s", strerror(failure));
    return may_come(failure) ? WCTS_WIRE_NOT_YET : WCTS_WIRE_NEVER;
}

static enum wcts_wire_reached connect_unix(struct wcts_wire_target *target, const char *path,
                                           char *error, size_t room)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        snprintf(error, room, "a path of %zu bytes, expected fewer than %zu", strlen(path),
                 sizeof address.sun_path);
        return WCTS_WIRE_NEVER;
    }
    memcpy(address.sun_path, path, strlen(path));
    return connected(target, connect_to(AF_UNIX, (const struct sockaddr *)&address, sizeof address),
                     error, room);
}

static enum wcts_wire_reached connect_tcp(struct wcts_wire_target *target, const char *word,
                                          char *error, size_t room)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char *copy = strdup(word), *host, *port;
    int fd = -1, failed;
    if (!copy || !wcts_address_split(copy, &host, &port)) {
        free(copy);
        snprintf(error, room, "expected HOST:PORT");
        return WCTS_WIRE_NEVER;
    }
    failed = getaddrinfo(host, port, &wanted, &found);
    free(copy);
    if (failed != 0) {
        snprintf(error, room, "%s", gai_strerror(failed));
        return failed == EAI_AGAIN ? WCTS_WIRE_NOT_YET : WCTS_WIRE_NEVER;
    }
    for (const struct addrinfo *one = found; one && fd < 0; one = one->ai_next)
        fd = connect_to(one->ai_family, one->ai_addr, one->ai_addrlen);
    int failure = errno;
    freeaddrinfo(found);
    errno = failure;
    return connected(target, fd, error, room);
}

/* ---- both ---- */

enum wcts_wire_reached wcts_wire_target_open(struct wcts_wire_target *target,
                                             enum wcts_address_kind kind, char *const *words,
                                             char *error, size_t room)
{
    *target = (struct wcts_wire_target){.kind = kind, .files = {-1, -1, kind != WCTS_ADDRESS_EXEC}};
    if (kind == WCTS_ADDRESS_EXEC)
        return start(target, words, error, room);
    return kind == WCTS_ADDRESS_UNIX ? connect_unix(target, words[0], error, room)
                                     : connect_tcp(target, words[0], error, room);
}

bool wcts_wire_target_has_ended(const struct wcts_wire_target *target)
{
    struct pollfd in = {.fd = target->files.in, .events = POLLIN};
    char byte;
    if (poll(&in, 1, 0) <= 0)
        return false;
    if (target->kind == WCTS_ADDRESS_EXEC)
        return !(in.revents & POLLIN);
    return recv(target->files.in, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static void disconnect_target(struct wcts_wire_target *target)
{
    if (target->files.in >= 0)
        close(target->files.in);
    if (target->files.out >= 0 && target->files.out != target->files.in)
        close(target->files.out);
    target->files.in = target->files.out = -1;
}

int wcts_wire_target_wait(struct wcts_wire_target *target)
{
    int status = -1;
    disconnect_target(target);
    if (target->pid <= 0)
        return -1;
    while (waitpid(target->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    target->pid = 0;
    return status;
}

int wcts_wire_target_close(struct wcts_wire_target *target, int milliseconds)
{
    disconnect_target(target);
    if (target->pid > 0) {
        struct pollfd end = {.fd = pidfd_open(target->pid, 0), .events = POLLIN};
        if (end.fd < 0 || poll(&end, 1, milliseconds) <= 0)
            kill(target->pid, SIGKILL);
        if (end.fd >= 0)
            close(end.fd);
    }
    return wcts_wire_target_wait(target);
}
