/* SPDX-License-Identifier: MIT */
/*
 * Tapes: what an implementation did in a case, so that the case can be judged again without it. It
 * is called only through its plug-in table, and calls only wcts_host.call. So a recorder is a
 * plug-in around it, and a player is a plug-in that makes the same calls with the same bytes and
 * gives the same answers. All else is the suite's own and deterministic: the case runs through the
 * very code that judged it.
 *
 * A tape of claims begins with the table's name, version and sides, one of a case with a hash of
 * what the implementation claimed. Events follow, and numbers as strip.h writes them:
 *   OPEN side, interface version, page size  ...  OPENED 0 or 1
 *                      calls in between are nested
 *   CALL operation, hash of the request  ...  ANSWER status, size, and what of it fits the room
 *   OUT operation, room, request  ...  BACK hash of status and reply
 *   CLOSE  ...  CLOSED
 *   FAILS or HOLDS     the outcome of an attempt to shrink
 * The bytes of an answer are there when its status is a success.
 */
#ifndef WCTS_TAPE_H
#define WCTS_TAPE_H

#include "../exchange/strip.h"
#include "../model/claims.h"
#include "../model/finding.h"

/* The largest room for a reply to a call of an implementation; a tape with more is wrong. */
#define WCTS_TAPE_ROOM_MAX (1u << 20)
/* Of a name or version. */
#define WCTS_TAPE_NAME_MAX 1000u

/* Bytes of the hash of an answer of the suite, which hardly ever differs. */
#define WCTS_TAPE_BACK_HASH 4

enum wcts_tape_event {
    WCTS_TAPE_OPEN = 1,
    WCTS_TAPE_OPENED,
    WCTS_TAPE_CALL,
    WCTS_TAPE_ANSWER,
    WCTS_TAPE_OUT,
    WCTS_TAPE_BACK,
    WCTS_TAPE_CLOSE,
    WCTS_TAPE_CLOSED,
    WCTS_TAPE_FAILS,
    WCTS_TAPE_HOLDS,
};

/* Bytes read from memory are often written next, by a driver that moves content. To be called for
 * each answer by writer and player. */
void wcts_tape_expect(struct wcts_strip *strip, uint32_t operation, wcts_status status,
                      const void *reply, size_t size);

struct wcts_tape;

/* A tape that records one implementation; NULL without memory. wcts_tape_free frees it; the plug-in
 * stays the caller's. */
struct wcts_tape *wcts_tape_new(const struct wcts_plugin *plugin);
void wcts_tape_free(struct wcts_tape *tape);
/* The plug-in to call instead, with one instance at a time. */
const struct wcts_plugin *wcts_tape_plugin(const struct wcts_tape *tape);

/* Begins a new tape: of claims, or, with what was claimed, of a case. */
void wcts_tape_begin(struct wcts_tape *tape, const struct wcts_claims *claims);
/* Ends and packs it. */
void wcts_tape_end(struct wcts_tape *tape, struct wcts_tape_record *record);
/* Calls between these are not recorded, only their outcome. */
void wcts_tape_pause(struct wcts_tape *tape);
void wcts_tape_resume(struct wcts_tape *tape, bool fails);

/* ---- playback.c ---- */

/* A player of the tapes of one implementation; NULL if the record is no tape of claims. To be
 * passed to wcts_session_open, and freed after wcts_session_close. */
struct wcts_player *wcts_player_new(const struct wcts_tape_record *claims);
void wcts_player_free(struct wcts_player *player);
const struct wcts_plugin *wcts_player_plugin(const struct wcts_player *player);
/* Loads the tape of a case. False if it is not one, or of an implementation with other claims. */
bool wcts_player_load(struct wcts_player *player, const struct wcts_tape_record *record,
                      const struct wcts_claims *claims);
/* The recorded outcome of an attempt to shrink. */
bool wcts_player_fails(struct wcts_player *player);

/* The interface version at which the record opens an instance next; 0 if it does something else. */
uint32_t wcts_player_opens(const struct wcts_player *player);
/* The first difference between the calls and the tape; NULL if there is none. Valid until the next
 * tape is loaded. */
const char *wcts_player_fault(struct wcts_player *player);

#endif
