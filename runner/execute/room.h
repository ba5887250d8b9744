/* SPDX-License-Identifier: MIT */
/*
 * Rooms for replies. Behind each lie pages that nobody may touch: a plug-in that goes beyond its
 * room dies there and then, in the operation that did it, and not in some later one.
 */
#ifndef WCTS_ROOM_H
#define WCTS_ROOM_H

#include "execute.h"

/* Begins as zero. */
struct wcts_room {
    uint8_t *pages;       /* NULL: none yet */
    size_t size, guarded; /* bytes from there on that may be used, and that may not */
    uint32_t taken;       /* bytes of the room as it was given out last */
    struct wcts_room *next;
};

/* A room of so many bytes that ends at the guarded pages (or up to 7 bytes before: it is 8-byte
 * aligned), until the next call. Its bytes are those of the last use. NULL: no memory. */
uint8_t *wcts_room_take(struct wcts_room *room, uint32_t size);
void wcts_room_release(struct wcts_room *room);

/* From now on a death of this process at such a page is noted in the pulse. */
void wcts_room_watch(struct wcts_pulse *pulse);

#endif
