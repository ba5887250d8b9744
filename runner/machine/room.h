/* SPDX-License-Identifier: MIT */
/*
 * Rooms for replies and requests. Before and behind each lie pages that nobody may touch: a plug-in
 * that goes beyond its room dies there and then, in the operation that did it, and not in some
 * later one. A room ends at such a page but seldom begins at one: what is written into the bytes
 * before it is found when the call returns.
 */
#ifndef WCTS_ROOM_H
#define WCTS_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "../exchange/pulse.h"

/* Begins as zero. */
struct wcts_room {
    uint8_t *pages; /* NULL: none yet */
    size_t size,
        guarded;    /* bytes from there on that may be used; before and behind, that may not */
    uint32_t taken; /* bytes of the room as it was given out last */
    bool is_request, lent;
    struct wcts_room *next;
};

/* A room of so many bytes that ends at the guarded pages (or up to 7 bytes before: it is 8-byte
 * aligned), until the next call. Its bytes are those of the last use. NULL: no memory. */
uint8_t *wcts_room_take(struct wcts_room *room, uint32_t size);
void wcts_room_release(struct wcts_room *room);

/* The request in such a room, which belongs to the callee until it is given back. The request
 * itself when the room is lent already, or there is no memory for it. */
const void *wcts_room_lend(struct wcts_room *room, const void *request, uint32_t size);

/* Ends the process, with the reason in the pulse, when something was written around it. */
void wcts_room_take_back(struct wcts_room *room, const void *lent);

/* From now on a death of this process at such a page is noted in the pulse. */
void wcts_room_watch(struct wcts_pulse *pulse);

#endif
