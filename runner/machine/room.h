/* SPDX-License-Identifier: MIT */
/*
 * Rooms for replies and requests. Guarded pages before and after it make a plug-in that goes beyond
 * its room die at once, in the operation that did it. A room ends at such a page but seldom begins
 * at one: what is written into the bytes before it is found when the call returns.
 */
#ifndef WCTS_ROOM_H
#define WCTS_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "../exchange/pulse.h"

/* All zero at first. */
struct wcts_machine_room {
    uint8_t *pages;       /* NULL: none yet */
    size_t size, guarded; /* bytes from there on that may be used; bytes before and after that may
                           * not */
    uint32_t taken;       /* bytes of the room as last handed out */
    bool is_request, lent;
    bool brief; /* True if only the bytes next to a request are compared when it is taken back, for
                 * calls of which there are many: whoever sets it has all of them compared by
                 * wcts_machine_room_is_kept() from time to time */
    struct wcts_machine_room *next;
};

/* A room of so many bytes that ends at the guarded pages (or up to 7 bytes before: it is 8-byte
 * aligned), until the next call. Its content is undefined. NULL without memory. */
uint8_t *wcts_machine_room_get(struct wcts_machine_room *room, uint32_t size);
void wcts_machine_room_release(struct wcts_machine_room *room);

/* A copy of the request in such a room, which the callee may use until it is taken back. The
 * request itself if the room is in use, or there is no memory for it. */
const void *wcts_machine_room_lend(struct wcts_machine_room *room, const void *request,
                                   uint32_t size);

/* Ends the process, with the reason in the pulse, if the bytes around it were written. */
void wcts_machine_room_return(struct wcts_machine_room *room, const void *lent);

/* True if no byte of a room was written in which requests were lent, and none is now. */
bool wcts_machine_room_is_kept(const struct wcts_machine_room *room);
/* Gives such bytes their value again. */
void wcts_machine_room_mend(struct wcts_machine_room *room);
/* Ends the process as wcts_machine_room_return does when a byte below the request was written. */
_Noreturn void wcts_machine_room_condemn(const struct wcts_machine_room *room);

/* What note a death has left in the pulse: "went beyond the reply room of 16384 bytes". False, and
 * no text, if there is none. */
bool wcts_machine_room_tell(const struct wcts_exchange_pulse *pulse, char *text, size_t room);

/* From now on, a death of this process at a guarded page is noted in the pulse. */
void wcts_machine_room_watch(struct wcts_exchange_pulse *pulse);

#endif
