/* SPDX-License-Identifier: MIT */
#ifndef WCTS_PULSE_H
#define WCTS_PULSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Activities of a plug-in between its calls, numbered beside the opcodes of WCTS_OPERATIONS. */
enum wcts_exchange_activity {
    WCTS_ACTIVITY_NONE = 0,
    WCTS_ACTIVITY_OPEN = 1,
    WCTS_ACTIVITY_CLOSE = 2
};

/*
 * What a session shows of itself while it runs. The session writes it, the runner reads it in
 * shared memory, also after the session's process has died; a plug-in can overwrite it, so it gives
 * hints and never a verdict.
 *
 * operation is the innermost call of a plug-in that has not returned: an opcode, or one of enum
 * wcts_activity in wcts_plugin.open and close. While a kernel asks its driver it is the driver's
 * operation. A process that dies leaves the operation in which it died, named by
 * wcts_exchange_activity_name().
 *
 * messages counts calls that began and calls that returned. It only grows: if it has changed, the
 * session was alive in between.
 */
#define WCTS_TRAIL_MAX 16
#define WCTS_TRAIL_INNER 0x80000000u

/* Many values are being sent in one call. */
#define WCTS_VALUE_MANY UINT64_MAX

enum wcts_exchange_beyond { WCTS_BEYOND_ROOM = 1, WCTS_BEYOND_REQUEST = 2, WCTS_BEYOND_BELOW = 4 };

/* What a worker shows of itself while it runs, in memory that the runner shares: so a death has
 * an operation, and a hang is told from slow work. Example: .operation is that of a lock and
 * .messages stays the same for the time-out: the case hangs there. */
struct wcts_exchange_pulse {
    atomic_uint version;   /* 1 + the version at which instances were last opened */
    atomic_uint in_call;   /* 1 in the call that the case is about, 0 in set-up and twin */
    atomic_uint operation; /* see above */
    _Atomic uint64_t messages;
    atomic_uint begun; /* calls that began in the case; the trail holds the last ones, at their
                        * number modulo its size */
    atomic_uint trail[WCTS_TRAIL_MAX]; /* operations, plus WCTS_TRAIL_INNER inside another one */
    _Atomic uint64_t value;            /* 1 + the value of a sweep that is being sent; 0: none, or
                                        * WCTS_VALUE_MANY */
    char log[200]; /* the end of what the parties logged since they were opened */
    /* Where it left its room (room.h) as it died, a sum of enum wcts_exchange_beyond, and how many
     * bytes the room has. */
    atomic_uint beyond, beyond_bytes;
};

/* To be called at the start of a case. */
void wcts_exchange_pulse_reset(struct wcts_exchange_pulse *pulse);

/* The last calls of a case that died, a line each, for its detail. The caller frees it; NULL if
 * there was none. */
char *wcts_exchange_pulse_trail(const struct wcts_exchange_pulse *pulse);

/* The name of an operation, "open", "close"; "?" for any other number. */
const char *wcts_exchange_activity_name(uint32_t operation);

/* Notes in the pulse that a call of a plug-in begins; returns what to pass when it has returned. */
uint32_t wcts_exchange_pulse_enter(struct wcts_exchange_pulse *pulse, uint32_t operation);
void wcts_exchange_pulse_leave(struct wcts_exchange_pulse *pulse, uint32_t before);
/* Shows the last characters of what the parties logged since they were opened. */
void wcts_exchange_pulse_log(struct wcts_exchange_pulse *pulse, const char *log);

#endif
