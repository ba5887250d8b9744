/* SPDX-License-Identifier: MIT */
/* ANSWERS at the peer: what the driver answers during a call is known beforehand. Needs nothing but
 * the C library. */
#ifndef WCTS_WIRE_ANSWERS_H
#define WCTS_WIRE_ANSWERS_H

#include <stdbool.h>

#include "protocol.h"

/*
 * The answers to the questions of one instance. Example: for flags of segments, in their 17th call:
 * in.AnswerCount 2 (DRIVER_INFO; DRIVER_SEGMENTS, with MemberOffset 72), value 0x10, strayed false.
 */
struct wcts_wire_answering {
    const uint8_t *body; /* of the request, borrowed; checked */
    struct wcts_wire_answers in;
    struct wcts_wire_answer answers[WCTS_WIRE_ANSWERS_MAX];
    uint64_t value;
    bool strayed; /* True if another question was asked of the driver */
};

/* False if the request breaks a rule. */
bool wcts_wire_answering_init(struct wcts_wire_answering *answering, const uint8_t *body,
                              uint32_t size);

/* Answers a question of the instance if it can be. False, and perhaps strayed, if it is the host's.
 */
bool wcts_wire_answering_give(struct wcts_wire_answering *answering, uint32_t operation,
                              const void *request, uint32_t request_size, void *reply,
                              uint32_t room, uint32_t *reply_size, wcts_status *status);

/* Makes the calls, each of which asks with _give above, with an answer for each value behind the
 * struct in reply, which has WCTS_SWEEP_ROOM bytes. Returns the status of ANSWERS itself. */
wcts_status wcts_wire_answering_run(struct wcts_wire_answering *answering, wcts_call_fn *call,
                                    void *instance, uint8_t *reply, uint32_t *reply_size);

#endif
