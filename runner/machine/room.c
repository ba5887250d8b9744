/* SPDX-License-Identifier: MIT */
#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room_pages.h"

/* A write beyond an array seldom continues with the very next byte. */
#define GUARDED 65536
/* The bytes around a request, up to the guarded pages. */
#define AROUND 0xC5

static struct wcts_machine_room *rooms; /* all that have pages */

static struct wcts_exchange_pulse *watched; /* NULL: nobody is to be told */

void wcts_machine_room_release(struct wcts_machine_room *room)
{
    struct wcts_machine_room **link = &rooms;
    while (*link && *link != room)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = room->next;
    wcts_machine_room_pages_free(room->pages, room->size, room->guarded);
    *room = (struct wcts_machine_room){0};
}

static bool grow_room(struct wcts_machine_room *room, size_t wanted)
{
    size_t size = wanted;
    uint8_t *pages = wcts_machine_room_pages_new(&size, GUARDED);
    if (!pages)
        return false;
    wcts_machine_room_release(room);
    *room =
        (struct wcts_machine_room){.pages = pages, .size = size, .guarded = GUARDED, .next = rooms};
    rooms = room;
    return true;
}

static size_t aligned_of(uint32_t size)
{
    return ((size_t)size + 7) / 8 * 8;
}

uint8_t *wcts_machine_room_get(struct wcts_machine_room *room, uint32_t size)
{
    size_t aligned = aligned_of(size);
    /* No bytes are a room, too. */
    bool fits = room->pages && aligned <= room->size;
    if (!fits && !grow_room(room, aligned > 0 ? aligned : 1))
        return NULL;
    room->taken = size;
    return room->pages + room->size - aligned;
}

const void *wcts_machine_room_lend(struct wcts_machine_room *room, const void *request,
                                   uint32_t size)
{
    const uint8_t *before = room->pages;
    uint8_t *lent = room->lent ? NULL : wcts_machine_room_get(room, size);
    if (!lent)
        return request;
    if (room->pages != before)
        memset(room->pages, AROUND, room->size);
    room->is_request = room->lent = true;
    return memcpy(lent, request, size);
}

/* Of a room in brief, the bytes below a request that are compared each time. */
#define NEAR 128

/* True if all bytes still have the value of those around a request. */
static bool is_around(const uint8_t *bytes, size_t size)
{
    return size == 0 || (bytes[0] == AROUND && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static void note_beyond(const struct wcts_machine_room *room, bool below)
{
    if (!watched)
        return;
    atomic_store(&watched->beyond_bytes, room->taken);
    atomic_store(&watched->beyond, WCTS_BEYOND_ROOM |
                                       (room->is_request ? WCTS_BEYOND_REQUEST : 0u) |
                                       (below ? WCTS_BEYOND_BELOW : 0u));
}

void wcts_machine_room_return(struct wcts_machine_room *room, const void *lent)
{
    size_t aligned = aligned_of(room->taken), below = room->size - aligned;
    size_t compared = room->brief && below > NEAR ? NEAR : below;
    uint8_t *at = room->pages + below;
    if (!room->lent || lent != at)
        return;
    room->lent = false;
    bool kept = is_around(at - compared, compared);
    if (!kept || !is_around(at + room->taken, aligned - room->taken)) {
        note_beyond(room, !kept);
        abort();
    }
    memset(at, AROUND, aligned);
}

bool wcts_machine_room_is_kept(const struct wcts_machine_room *room)
{
    return !room->is_request || room->lent || is_around(room->pages, room->size);
}

void wcts_machine_room_mend(struct wcts_machine_room *room)
{
    memset(room->pages, AROUND, room->size);
}

void wcts_machine_room_condemn(const struct wcts_machine_room *room)
{
    note_beyond(room, true);
    abort();
}

/* Async-signal-safe. */
static void note_fault(uintptr_t at)
{
    for (const struct wcts_machine_room *room = rooms; room; room = room->next) {
        uintptr_t begin = (uintptr_t)room->pages, end = begin + room->size;
        if ((at >= end && at - end < room->guarded) || (at < begin && begin - at <= room->guarded))
            note_beyond(room, at < begin);
    }
}

bool wcts_machine_room_tell(const struct wcts_exchange_pulse *pulse, char *text, size_t room)
{
    unsigned beyond = atomic_load(&pulse->beyond);
    if (beyond != 0)
        snprintf(text, room, "went %s the %s of %u bytes",
                 beyond & WCTS_BEYOND_BELOW ? "below" : "beyond",
                 beyond & WCTS_BEYOND_REQUEST ? "request" : "reply room",
                 atomic_load(&pulse->beyond_bytes));
    return beyond != 0;
}

void wcts_machine_room_watch(struct wcts_exchange_pulse *pulse)
{
    watched = pulse;
    wcts_machine_room_pages_watch(note_fault);
}
