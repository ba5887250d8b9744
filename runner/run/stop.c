/* SPDX-License-Identifier: MIT */
#include "stop.h"

#include <errno.h>
#include <poll.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
#define COUNT (sizeof numbers / sizeof numbers[0])

sigset_t wcts_run_stop_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < COUNT; i++)
        sigaddset(&set, numbers[i]);
    return set;
}

void wcts_run_stop_hold(sigset_t *before)
{
    const sigset_t set = wcts_run_stop_signals();
    sigprocmask(SIG_BLOCK, &set, before);
}

int wcts_run_stop_release(const sigset_t *before)
{
    const sigset_t set = wcts_run_stop_signals();
    int received = 0, number;
    while ((number = sigtimedwait(&set, NULL, &(struct timespec){0})) > 0)
        received = number;
    sigprocmask(SIG_SETMASK, before, NULL);
    return received;
}

bool wcts_run_stop_wait(pid_t child, int *status)
{
    const sigset_t set = wcts_run_stop_signals();
    struct pollfd fds[] = {{.fd = signalfd(-1, &set, SFD_CLOEXEC), .events = POLLIN},
                           {.fd = pidfd_open(child, 0), .events = POLLIN}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        continue;
    bool ended = fds[1].revents != 0;
    if (!ended)
        kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    for (int i = 0; i < 2; i++)
        if (fds[i].fd >= 0)
            close(fds[i].fd);
    return ended;
}
