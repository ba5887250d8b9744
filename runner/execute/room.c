/* SPDX-License-Identifier: MIT */
#include "room.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* Who goes beyond an array seldom goes on with the very next byte. */
#define GUARDED 65536

static struct wcts_room *rooms; /* all that have pages */

static struct {
    struct wcts_pulse *pulse;
    struct sigaction before;
    pid_t pid;
} watch;

void wcts_room_release(struct wcts_room *room)
{
    struct wcts_room **link = &rooms;
    while (*link && *link != room)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = room->next;
    munmap(room->pages, room->size + room->guarded);
    *room = (struct wcts_room){0};
}

static bool grow(struct wcts_room *room, size_t wanted)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (wanted + page - 1) / page * page;
    uint8_t *pages = mmap(NULL, size + GUARDED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    if (mprotect(pages, size, PROT_READ | PROT_WRITE) != 0) {
        munmap(pages, size + GUARDED);
        return false;
    }
    wcts_room_release(room);
    *room = (struct wcts_room){.pages = pages, .size = size, .guarded = GUARDED, .next = rooms};
    rooms = room;
    return true;
}

uint8_t *wcts_room_take(struct wcts_room *room, uint32_t size)
{
    size_t aligned = ((size_t)size + 7) / 8 * 8;
    if (aligned > room->size && !grow(room, aligned))
        return NULL;
    room->taken = size;
    return room->pages + room->size - aligned;
}

/* Async-signal-safe. What a plug-in forked shares the pulse, but is not watched. */
static void note_death(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    (void)context;
    sigaction(number, &watch.before, NULL);
    if (info->si_code <= 0) { /* sent by somebody */
        raise(number);
        return;
    }
    for (const struct wcts_room *room = rooms; room && getpid() == watch.pid; room = room->next) {
        uintptr_t end = (uintptr_t)room->pages + room->size;
        if (at >= end && at - end < room->guarded)
            atomic_store(&watch.pulse->beyond, room->taken);
    }
    /* To return is to fault again, this time as if nobody had looked. */
}

void wcts_room_watch(struct wcts_pulse *pulse)
{
    struct sigaction action = {.sa_sigaction = note_death, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    watch.pulse = pulse;
    watch.pid = getpid();
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &watch.before);
}
