/* SPDX-License-Identifier: MIT */
/*
 * Preloaded: the n-th call of a function fails, in the process that was started or in those that it
 * forks. DENY=FUNCTION, DENY_NTH=N, DENY_IN=runner or worker, DENY_NOTE=FILE: there once it has.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

static pid_t started;

__attribute__((constructor)) static void begin(void)
{
    started = getpid();
}

static bool denied(const char *name, int error)
{
    static int calls;
    const char *wanted = getenv("DENY"), *in = getenv("DENY_IN"), *nth = getenv("DENY_NTH");
    if (!wanted || !in || !nth || strcmp(wanted, name) != 0 ||
        (strcmp(in, "runner") == 0) != (getpid() == started) || ++calls != atoi(nth))
        return false;
    close(open(getenv("DENY_NOTE"), O_CREAT | O_WRONLY, 0666));
    errno = error;
    return true;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    return denied("mmap", ENOMEM) ? MAP_FAILED
                                  : REAL(mmap)(at, size, protection, flags, file, offset);
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    return denied("socketpair", EMFILE) ? -1 : REAL(socketpair)(domain, type, protocol, pair);
}

pid_t fork(void)
{
    return denied("fork", EAGAIN) ? -1 : REAL(fork)();
}

int pidfd_open(pid_t pid, unsigned flags);
int pidfd_open(pid_t pid, unsigned flags)
{
    return denied("pidfd_open", EMFILE) ? -1 : REAL(pidfd_open)(pid, flags);
}

int signalfd(int file, const sigset_t *set, int flags)
{
    return denied("signalfd", EMFILE) ? -1 : REAL(signalfd)(file, set, flags);
}

ssize_t recv(int file, void *bytes, size_t size, int flags)
{
    return denied("recv", ENOMEM) ? -1 : REAL(recv)(file, bytes, size, flags);
}

ssize_t send(int file, const void *bytes, size_t size, int flags)
{
    return denied("send", ENOBUFS) ? -1 : REAL(send)(file, bytes, size, flags);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags)
{
    return denied("sendmsg", ENOBUFS) ? -1 : REAL(sendmsg)(file, message, flags);
}

int mprotect(void *at, size_t size, int protection)
{
    return denied("mprotect", ENOMEM) ? -1 : REAL(mprotect)(at, size, protection);
}

int poll(struct pollfd *files, nfds_t count, int timeout)
{
    return denied("poll", ENOMEM) ? -1 : REAL(poll)(files, count, timeout);
}

int dup2(int from, int to)
{
    return denied("dup2", EMFILE) ? -1 : REAL(dup2)(from, to);
}
