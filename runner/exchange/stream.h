/* SPDX-License-Identifier: MIT */
/*
 * Streams: all that the parties said while a test was performed, as it is stored. A session that
 * writes one calls the parties and notes every message; a session that reads one makes the same
 * calls of its own, which have to be the recorded ones byte for byte, and finds the answers, and
 * what the parties asked each other in between, in the stream. So a test is judged again by the
 * code that judged it, without any party.
 *
 * Events, each a byte, with numbers and messages as strip.h writes them:
 *   OPEN side, interface version, page size ... OPENED 0 or 1
 *   CALL operation, request ... RETURN status and, of a success, size and what fits the room
 *   CLOSE ... CLOSED
 *   VALUE number                  the address of a region of the suite's memory
 *   FAILS or HOLDS, levels        the outcome of an attempt to shrink, of which no more is
 *                                 stored, and the levels at which it may be another one
 * In the place of "...", what a party asks:
 *   ASK operation, room, request ... RETURN as above
 * A case begins with a hash of the claims, claims with name, version and sides of the plug-in.
 *
 * Example, a refused call of a kernel that asks its driver once:
 *   OPEN 1 0x1300 4096 OPENED 1  CALL KERNEL_... request  ASK DRIVER_INFO 65536 request
 *   RETURN SUCCESS 40 reply  RETURN INVALID_PARAMETER  CLOSE CLOSED
 */
#ifndef WCTS_STREAM_H
#define WCTS_STREAM_H

#include "../../include/wddm-cts.h"
#include "../model/finding.h"
#include "strip.h"

enum wcts_exchange_stream_event {
    WCTS_STREAM_OPEN = 1,
    WCTS_STREAM_OPENED,
    WCTS_STREAM_CALL,
    WCTS_STREAM_ASK,
    WCTS_STREAM_RETURN,
    WCTS_STREAM_CLOSE,
    WCTS_STREAM_CLOSED,
    WCTS_STREAM_VALUE,
    WCTS_STREAM_FAILS,
    WCTS_STREAM_HOLDS,
};

enum wcts_exchange_stream_mode { WCTS_STREAM_OFF, WCTS_STREAM_WRITES, WCTS_STREAM_READS };

/* The session owns it and lends it to its exchange. */
struct wcts_exchange_stream {
    enum wcts_exchange_stream_mode mode;
    struct wcts_exchange_strip strip;
    wcts_call_fn *cross; /* reading: makes the calls that parties make */
    void *ctx;
    int depth;       /* of those */
    size_t held;     /* bytes of their requests and of the room for their replies */
    bool paused;     /* writing: nothing is written during an attempt to shrink */
    char fault[160]; /* reading: the first difference from what the session does; "": none */
};

static inline bool wcts_exchange_stream_reads(const struct wcts_exchange_stream *stream)
{
    return stream && stream->mode == WCTS_STREAM_READS;
}

/* Begins to write; the strip then has the bytes. */
void wcts_exchange_stream_write(struct wcts_exchange_stream *stream);
/* Writes on, behind what was written of another case. */
void wcts_exchange_stream_resume(struct wcts_exchange_stream *stream);
/* Ends writing and packs the bytes, which the caller frees; NONE: nothing was written. */
void wcts_exchange_stream_store(struct wcts_exchange_stream *stream, struct wcts_packer *packer,
                                struct wcts_stored *stored);
/* Begins to read the bytes, which must stay until they are read. */
void wcts_exchange_stream_read(struct wcts_exchange_stream *stream, const void *bytes, size_t size);
void wcts_exchange_stream_release(struct wcts_exchange_stream *stream);
/* What of the stream is wrong, or is not what the session did; NULL if it was read to its end.
 * Valid until the next one is read. */
const char *wcts_exchange_stream_fault(struct wcts_exchange_stream *stream);
/* Notes a difference; only the first one counts. */
void wcts_exchange_stream_differs(struct wcts_exchange_stream *stream, const char *what);

/* Each of these writes, or reads what was written, or does nothing. */

/* An event; what was asked before it is asked first. False if it is not there. */
bool wcts_exchange_stream_event(struct wcts_exchange_stream *stream,
                                enum wcts_exchange_stream_event event);
/* A number: the given one or, reading, the stored one. */
uint64_t wcts_exchange_stream_number(struct wcts_exchange_stream *stream, uint64_t number);
/* A number that has to be the stored one; otherwise that is the fault. */
void wcts_exchange_stream_same(struct wcts_exchange_stream *stream, uint64_t number,
                               const char *fault);
/* A text of at most so many bytes, into which a stored one is read. */
void wcts_exchange_stream_text(struct wcts_exchange_stream *stream, char *text, size_t room);
/* What the next MACHINE_WRITE writes, or the next MACHINE_READ should read: the stream keeps no
 * more than how it differs. Writer and reader must call it at the same place. */
void wcts_exchange_stream_expect(struct wcts_exchange_stream *stream, uint32_t operation,
                                 const void *bytes, size_t size);
/* A request, of the suite itself or of a party that asks another one. */
void wcts_exchange_stream_request(struct wcts_exchange_stream *stream, bool own, uint32_t operation,
                                  const void *request, uint32_t size, uint32_t room);
/* The answer to it: the given one or, reading, the stored one. */
wcts_status wcts_exchange_stream_answer(struct wcts_exchange_stream *stream, uint32_t operation,
                                        wcts_status status, void *reply, uint32_t room,
                                        uint32_t *size);
/* Around an attempt to shrink: True, with its outcome, if that is stored; otherwise nothing is
 * written until the outcome. */
bool wcts_exchange_stream_try(struct wcts_exchange_stream *stream, bool *fails);
void wcts_exchange_stream_tried(struct wcts_exchange_stream *stream, bool fails);

#endif
