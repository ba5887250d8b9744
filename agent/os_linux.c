/* SPDX-License-Identifier: MIT */
#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runner/base/exit.h"
#include "../runner/base/host_port.h"
#include "../runner/base/library.h"
#include "../runner/machine/room.h"
#include "../runner/wire/files.h"

/* Milliseconds that a plug-in has to end once the other end has gone. */
#define GRACE 500
#define BACKLOG 64

/* ---- the plug-in ---- */

void *agent_os_find(const char *path, const char *symbol, void **library, char *error, size_t room)
{
    *library = wcts_library_open(path, path, error, room);
    return *library ? dlsym(*library, symbol) : NULL;
}

void agent_os_unload(void *library)
{
    dlclose(library);
}

/* ---- one connection: a process that serves it, and one that looks after that ---- */

/* What the process that serves leaves to the one that looks after it. */
struct agent_shared {
    struct wcts_exchange_pulse pulse;
    atomic_bool ended; /* True if it has ended by itself, not the plug-in */
};

static pid_t start_server(struct wcts_wire_files *files, struct agent_shared *shared,
                          agent_serve_fn *serve, void *ctx)
{
    const struct wcts_wire_bytes bytes = wcts_wire_files_bytes(files);
    pid_t parent = getpid(), server;
    fflush(NULL);
    server = fork();
    if (server != 0)
        return server;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    wcts_machine_room_watch(&shared->pulse);
    int status = serve(ctx, &bytes);
    atomic_store(&shared->ended, true);
    _exit(status);
}

/* Waits until the server ends; ends it if the other end has gone. Returns its wait status; *gone:
 * True if the other end was the first. */
static int look_after(pid_t server, int in, bool *gone)
{
    struct pollfd fds[2] = {{.fd = pidfd_open(server, 0), .events = POLLIN},
                            {.fd = in, .events = POLLRDHUP}};
    int status = 0;
    *gone = false;
    if (fds[0].fd >= 0) {
        while (poll(fds, 2, -1) < 0 && errno == EINTR)
            continue;
        *gone = fds[0].revents == 0;
        if (*gone && poll(fds, 1, GRACE) == 0)
            kill(server, SIGKILL);
        close(fds[0].fd);
    }
    while (waitpid(server, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* Tells the host what became of the server, which cannot any more. */
static void say_bye(struct wcts_wire_files *files, const struct agent_shared *shared, int status)
{
    const struct wcts_wire_bytes bytes = wcts_wire_files_bytes(files);
    char text[80];
    wcts_exit_text(status, text, sizeof text);
    wcts_machine_room_tell(&shared->pulse, text, sizeof text);
    wcts_wire_peer_bye(&bytes, text);
}

/* Returns the wait status of the server, 0 if the other end has gone. */
static int serve_one(struct wcts_wire_files *files, agent_serve_fn *serve, void *ctx)
{
    struct agent_shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t server = shared == MAP_FAILED ? -1 : start_server(files, shared, serve, ctx);
    bool gone;
    int status;
    if (server < 0) {
        const struct wcts_wire_bytes bytes = wcts_wire_files_bytes(files);
        wcts_wire_peer_bye(&bytes, "the agent cannot start a process");
        return 0;
    }
    status = look_after(server, files->in, &gone);
    if (gone)
        return 0;
    if (!atomic_load(&shared->ended))
        say_bye(files, shared, status);
    return status;
}

/* ---- standard input and output ---- */

/* Keeps a file out of the way of the plug-in. */
static int set_aside(int file)
{
    int aside = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (aside < 0) {
        perror("wddm-cts-agent: standard input or output");
        exit(EXIT_FAILURE);
    }
    return aside;
}

int agent_os_serve_standard(agent_serve_fn *serve, void *ctx)
{
    const struct rlimit no_core = {0, 0};
    struct wcts_wire_files files = {.in = set_aside(STDIN_FILENO), .out = set_aside(STDOUT_FILENO)};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), status;
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    signal(SIGPIPE, SIG_IGN);
    status = serve_one(&files, serve, ctx);
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return EXIT_FAILURE;
}

/* ---- listening ---- */

static char bound_path[sizeof((struct sockaddr_un *)0)->sun_path]; /* for the handler alone */

static void remove_socket(int number)
{
    (void)number;
    unlink(bound_path);
    _exit(EXIT_SUCCESS);
}

/* True if it is a socket that nobody listens at any more: it is removed. At a file of any other
 * kind nobody listens either, and it is kept. */
static bool remove_stale(const struct sockaddr_un *address)
{
    struct stat status;
    if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return errno = EADDRINUSE, false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool stale = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
                 errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return stale && unlink(address->sun_path) == 0;
}

/* Closes the file; returns -1 with errno as it was. */
static int give_up(int fd)
{
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return -1;
}

static bool bind_unix(int fd, const struct sockaddr_un *address)
{
    const struct sockaddr *at = (const struct sockaddr *)address;
    return bind(fd, at, sizeof *address) == 0 ||
           (errno == EADDRINUSE && remove_stale(address) && bind(fd, at, sizeof *address) == 0);
}

/* Returns the socket, -1 with errno. */
static int listen_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd;
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path));
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !bind_unix(fd, &address) || listen(fd, BACKLOG) != 0)
        return give_up(fd);
    memcpy(bound_path, address.sun_path, sizeof bound_path);
    signal(SIGTERM, remove_socket);
    signal(SIGINT, remove_socket);
    printf("listening at unix:%s\n", path);
    return fd;
}

static void print_port(int fd, const char *host)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char port[16] = "?";
    if (getsockname(fd, (struct sockaddr *)&address, &size) == 0)
        getnameinfo((const struct sockaddr *)&address, size, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV);
    printf(strchr(host, ':') ? "listening at tcp:[%s]:%s\n" : "listening at tcp:%s:%s\n", host,
           port);
}

static int bind_to(const struct addrinfo *one)
{
    const int yes = 1;
    int fd = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, one->ai_addr, one->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    return give_up(fd);
}

static int listen_tcp(const char *where)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    char *copy = strdup(where), *host, *port;
    int fd = -1;
    if (!copy || !wcts_address_split(copy, &host, &port)) {
        free(copy);
        return errno = EINVAL, -1;
    }
    if (getaddrinfo(host[0] ? host : NULL, port, &wanted, &found) != 0)
        errno = EADDRNOTAVAIL;
    for (const struct addrinfo *one = found; one && fd < 0; one = one->ai_next)
        fd = bind_to(one);
    if (found)
        freeaddrinfo(found);
    if (fd >= 0)
        print_port(fd, host);
    free(copy);
    return fd;
}

/* In a process of its own. */
static _Noreturn void serve_connection(int fd, agent_serve_fn *serve, void *ctx)
{
    const int yes = 1;
    struct wcts_wire_files files = {fd, fd, true};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); /* fails for unix: no matter */
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    serve_one(&files, serve, ctx);
    _exit(EXIT_SUCCESS);
}

/* Ends accept4(), so that who has ended is waited for. */
static void note_child(int number)
{
    (void)number;
}

static void accept_all(int listening, unsigned connections, agent_serve_fn *serve, void *ctx)
{
    const struct sigaction child = {.sa_handler = note_child};
    unsigned served = 0;
    sigaction(SIGCHLD, &child, NULL);
    for (;;) {
        while (served > 0 &&
               waitpid(-1, NULL, connections != 0 && served == connections ? 0 : WNOHANG) > 0)
            served--;
        int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0)
            return;
        fflush(NULL);
        pid_t keeper = fork();
        if (keeper == 0) {
            close(listening);
            serve_connection(fd, serve, ctx);
        }
        served += keeper > 0;
        close(fd);
    }
}

void agent_os_listen(const char *address, unsigned connections, agent_serve_fn *serve, void *ctx,
                     char *error, size_t room)
{
    int fd = -1;
    errno = EINVAL;
    if (strncmp(address, "unix:", 5) == 0)
        fd = listen_unix(address + 5);
    else if (strncmp(address, "tcp:", 4) == 0)
        fd = listen_tcp(address + 4);
    else
        snprintf(error, room, "%s: expected tcp:HOST:PORT or unix:PATH", address);
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    if (fd >= 0)
        accept_all(fd, connections, serve, ctx);
    if (error[0] == '\0')
        snprintf(error, room, "%s: %s", address, strerror(errno));
}
