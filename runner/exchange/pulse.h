/* SPDX-License-Identifier: MIT */
#ifndef WCTS_PULSE_H
#define WCTS_PULSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Beside the opcodes of WCTS_OPERATIONS: what a plug-in is doing between its calls. */
enum wcts_activity { WCTS_ACTIVITY_NONE = 0, WCTS_ACTIVITY_OPEN = 1, WCTS_ACTIVITY_CLOSE = 2 };

/*
 * What a session shows of itself while it runs. The session writes it, the runner reads it in
 * shared memory, also when the session's process has died; a plug-in can overwrite it, so it
 * gives hints and never a verdict.
 *
 * operation is the innermost call of a plug-in that has not returned: an opcode, or one of enum
 * wcts_activity in wcts_plugin.open and close. A kernel that asks its driver is in the driver's
 * operation until that returns. A process that dies leaves it as it was: the operation in which it
 * died, named by wcts_activity_name().
 *
 * messages counts calls that began and calls that returned. It only grows: a reader that finds it
 * changed knows that the session was alive in between.
 */
#define WCTS_TRAIL_MAX 16
#define WCTS_TRAIL_INNER 0x80000000u

enum wcts_beyond { WCTS_BEYOND_ROOM = 1, WCTS_BEYOND_REQUEST = 2, WCTS_BEYOND_BELOW = 4 };

struct wcts_pulse {
    atomic_uint version;   /* 1 + that at which instances were last opened */
    atomic_uint in_call;   /* 1: in the call that the case is about, not in set-up or twin */
    atomic_uint operation; /* see above */
    _Atomic uint64_t messages;
    atomic_uint begun; /* calls that began in the case; the last ones are in the trail, at their
                        * number modulo its size */
    atomic_uint trail[WCTS_TRAIL_MAX]; /* operations; WCTS_TRAIL_INNER is added when another ran */
    char log[200]; /* the end of what the parties logged since they were opened */
    /* Where it died when it left a room of so many bytes (room.h): sum of enum wcts_beyond. */
    atomic_uint beyond, beyond_bytes;
};

/* A case begins. */
void wcts_pulse_reset(struct wcts_pulse *pulse);

/* The last calls of a case that died, a line each, for its detail. The caller frees it; NULL: there
 * was none. */
char *wcts_pulse_trail(const struct wcts_pulse *pulse);

/* "KERNEL_LOCK", "open", "close"; "?" for any other number. */
const char *wcts_activity_name(uint32_t operation);

/* Notes in the pulse that a call of a plug-in begins, and that it returned: to what was open
 * before, which the first one gave. */
uint32_t wcts_pulse_enter(struct wcts_pulse *pulse, uint32_t operation);
void wcts_pulse_leave(struct wcts_pulse *pulse, uint32_t before);
/* Shows the last letters of what the parties logged since they were opened. */
void wcts_pulse_log(struct wcts_pulse *pulse, const char *log);

#endif
