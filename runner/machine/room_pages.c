/* SPDX-License-Identifier: MIT */
#include "room_pages.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    wcts_machine_room_fault_fn *fault;
    struct sigaction before;
    pid_t pid;
} watch;

uint8_t *wcts_machine_room_pages_new(size_t *size, size_t guarded)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), wanted = (*size + page - 1) / page * page;
    uint8_t *all = mmap(NULL, wanted + 2 * guarded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (mprotect(all + guarded, wanted, PROT_READ | PROT_WRITE) != 0) {
        munmap(all, wanted + 2 * guarded);
        return NULL;
    }
    *size = wanted;
    return all + guarded;
}

void wcts_machine_room_pages_free(uint8_t *pages, size_t size, size_t guarded)
{
    munmap(pages - guarded, size + 2 * guarded);
}

/* Async-signal-safe. A process that a plug-in forked inherits the handler, but is not watched. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    sigaction(number, &watch.before, NULL);
    if (info->si_code <= 0) { /* sent by a process */
        raise(number);
        return;
    }
    if (getpid() == watch.pid)
        watch.fault((uintptr_t)info->si_addr);
    /* Returning faults again, now with the former action. */
}

void wcts_machine_room_pages_watch(wcts_machine_room_fault_fn *fault)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    watch.fault = fault;
    watch.pid = getpid();
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &watch.before);
}
