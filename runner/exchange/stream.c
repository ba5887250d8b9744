/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest room for a reply; a stream with more is wrong. */
#define ROOM_MAX (1u << 20)
/* Calls within calls: a forged stream must not exhaust the stack. */
#define DEPTH_MAX 200
/* Bytes of requests and rooms at all those depths; a party that asks has a few of 64 KiB. */
#define HELD_MAX ((size_t)16 << 20)

static bool writes(const struct wcts_exchange_stream *stream)
{
    return stream && stream->mode == WCTS_STREAM_WRITES;
}

void wcts_exchange_stream_write(struct wcts_exchange_stream *stream)
{
    wcts_exchange_strip_clear(&stream->strip);
    stream->strip.limit = WCTS_STRIP_MAX;
    stream->mode = WCTS_STREAM_WRITES;
}

void wcts_exchange_stream_resume(struct wcts_exchange_stream *stream)
{
    stream->mode = WCTS_STREAM_WRITES;
}

void wcts_exchange_stream_store(struct wcts_exchange_stream *stream, struct wcts_packer *packer,
                                struct wcts_stored *stored)
{
    *stored = (struct wcts_stored){.kept = WCTS_STORED_NONE};
    if (!writes(stream))
        return;
    stream->mode = WCTS_STREAM_OFF;
    stored->kept = WCTS_STORED_CUT;
    if (!packer || stream->strip.full)
        return;
    stored->kept = wcts_exchange_packer_begins(packer) ? WCTS_STORED_FIRST : WCTS_STORED_NEXT;
    stored->raw = stream->strip.size;
    stored->bytes =
        wcts_exchange_packer_pack(packer, stream->strip.bytes, stored->raw, &stored->size);
    if (stored->bytes && stored->size <= WCTS_PACKED_MAX)
        return;
    free(stored->bytes);
    *stored = (struct wcts_stored){.kept = WCTS_STORED_CUT};
    wcts_exchange_packer_begin(packer); /* what comes next cannot be behind it */
}

void wcts_exchange_stream_read(struct wcts_exchange_stream *stream, const void *bytes, size_t size)
{
    stream->mode = WCTS_STREAM_READS;
    stream->depth = 0;
    stream->held = 0;
    stream->fault[0] = '\0';
    wcts_exchange_strip_load(&stream->strip, bytes, size);
}

void wcts_exchange_stream_release(struct wcts_exchange_stream *stream)
{
    wcts_exchange_strip_release(&stream->strip);
    stream->mode = WCTS_STREAM_OFF;
}

void wcts_exchange_stream_differs(struct wcts_exchange_stream *stream, const char *what)
{
    if (stream->fault[0] == '\0')
        snprintf(stream->fault, sizeof stream->fault, "%s", what);
}

static bool failed(struct wcts_exchange_stream *stream)
{
    if (stream->strip.wrong)
        wcts_exchange_stream_differs(stream, "the record ends early, or cannot be read");
    return stream->fault[0] != '\0';
}

const char *wcts_exchange_stream_fault(struct wcts_exchange_stream *stream)
{
    if (!failed(stream) && !wcts_exchange_strip_at_end(&stream->strip))
        wcts_exchange_stream_differs(stream, "the record goes on after the case");
    return failed(stream) ? stream->fault : NULL;
}

/* ---- Content of memory in messages ---- */

#define BEFORE_WRITTEN sizeof(struct wcts_machine_memory_request)
#define BEFORE_READ sizeof(struct wcts_machine_memory_reply)

/* Where it begins; in messages without any, behind the longest one. */
static size_t before_memory(uint32_t operation)
{
    switch (operation) {
    case WCTS_MACHINE_WRITE:
        return BEFORE_WRITTEN;
    case WCTS_MACHINE_READ | WCTS_STRIP_REPLY:
        return BEFORE_READ;
    default:
        return WCTS_STRIP_MESSAGE_MAX;
    }
}

static void put_message(struct wcts_exchange_stream *stream, uint32_t operation, const void *bytes,
                        size_t size)
{
    wcts_exchange_strip_put_memory(&stream->strip, operation, before_memory(operation), bytes,
                                   size);
}

static uint8_t *message_of(struct wcts_exchange_stream *stream, uint32_t operation, size_t *size)
{
    return wcts_exchange_strip_memory(&stream->strip, operation, before_memory(operation), size);
}

/* ---- Events and numbers ---- */

/* Makes a call of a party again: its answer comes next. */
static void ask_again(struct wcts_exchange_stream *stream)
{
    uint32_t operation = (uint32_t)wcts_exchange_strip_number(&stream->strip), answered = 0;
    uint64_t room = wcts_exchange_strip_number(&stream->strip);
    size_t size = 0, held = stream->held;
    uint8_t *request = message_of(stream, operation, &size);
    bool can = room <= ROOM_MAX && stream->depth < DEPTH_MAX && held + size + room <= HELD_MAX;
    uint8_t *reply = can ? calloc(1, room + 8) : NULL;
    if (!can)
        wcts_exchange_stream_differs(stream, "the record holds a call that cannot be made");
    if (request && reply && !failed(stream)) {
        stream->depth++;
        stream->held += size + room;
        stream->cross(stream->ctx, operation, request, (uint32_t)size, reply, (uint32_t)room,
                      &answered);
        stream->held = held;
        stream->depth--;
    } else {
        wcts_exchange_stream_differs(stream, "the record ends early, or cannot be read");
    }
    free(request);
    free(reply);
}

bool wcts_exchange_stream_event(struct wcts_exchange_stream *stream,
                                enum wcts_exchange_stream_event event)
{
    if (writes(stream))
        wcts_exchange_strip_put_byte(&stream->strip, (uint8_t)event);
    while (wcts_exchange_stream_reads(stream) && !failed(stream)) {
        uint8_t next = wcts_exchange_strip_byte(&stream->strip);
        if (next == event)
            return !failed(stream);
        if (next == WCTS_STREAM_ASK && !stream->strip.wrong)
            ask_again(stream);
        else if (!failed(stream))
            wcts_exchange_stream_differs(stream, "the record does not go on as the case does");
    }
    return !wcts_exchange_stream_reads(stream);
}

uint64_t wcts_exchange_stream_number(struct wcts_exchange_stream *stream, uint64_t number)
{
    if (writes(stream))
        wcts_exchange_strip_put_number(&stream->strip, number);
    return wcts_exchange_stream_reads(stream) ? wcts_exchange_strip_number(&stream->strip) : number;
}

void wcts_exchange_stream_same(struct wcts_exchange_stream *stream, uint64_t number,
                               const char *fault)
{
    if (wcts_exchange_stream_number(stream, number) != number && !failed(stream))
        wcts_exchange_stream_differs(stream, fault);
}

void wcts_exchange_stream_text(struct wcts_exchange_stream *stream, char *text, size_t room)
{
    uint64_t size = wcts_exchange_stream_number(stream, strnlen(text, room - 1));
    const uint8_t *bytes;
    if (writes(stream))
        wcts_exchange_strip_put_bytes(&stream->strip, text, (size_t)size);
    if (!wcts_exchange_stream_reads(stream))
        return;
    bytes = size < room ? wcts_exchange_strip_bytes(&stream->strip, (size_t)size) : NULL;
    if (bytes)
        snprintf(text, room, "%.*s", (int)size, (const char *)bytes);
    else
        stream->strip.wrong = true;
}

/* ---- Messages ---- */

void wcts_exchange_stream_expect(struct wcts_exchange_stream *stream, uint32_t operation,
                                 const void *bytes, size_t size)
{
    if (!stream || stream->mode == WCTS_STREAM_OFF)
        return;
    if (operation == WCTS_MACHINE_WRITE)
        wcts_exchange_strip_expect(&stream->strip, operation, BEFORE_WRITTEN, bytes, size);
    else
        wcts_exchange_strip_expect(&stream->strip, operation | WCTS_STRIP_REPLY, BEFORE_READ, bytes,
                                   size);
}

/* Bytes read from memory are often written next, by a driver that moves content, and what was
 * written is read. */
static void expect_memory(struct wcts_exchange_stream *stream, uint32_t operation,
                          const uint8_t *message, size_t size)
{
    if (operation == WCTS_MACHINE_READ && size > BEFORE_READ)
        wcts_exchange_stream_expect(stream, WCTS_MACHINE_WRITE, message + BEFORE_READ,
                                    size - BEFORE_READ);
    if (operation == WCTS_MACHINE_WRITE && size > BEFORE_WRITTEN)
        wcts_exchange_stream_expect(stream, WCTS_MACHINE_READ, message + BEFORE_WRITTEN,
                                    size - BEFORE_WRITTEN);
}

/* A request of the suite must be the stored one. */
static void compare_request(struct wcts_exchange_stream *stream, uint32_t operation,
                            const void *request, uint32_t size)
{
    size_t stored_size = 0;
    uint8_t *stored;
    if (!wcts_exchange_stream_event(stream, WCTS_STREAM_CALL))
        return;
    wcts_exchange_stream_same(stream, operation, "the record holds another call");
    stored = message_of(stream, operation, &stored_size);
    if (stored && (stored_size != size || (size && memcmp(stored, request, size) != 0)))
        wcts_exchange_stream_differs(stream, "the record holds a call with another request");
    free(stored);
}

void wcts_exchange_stream_request(struct wcts_exchange_stream *stream, bool own, uint32_t operation,
                                  const void *request, uint32_t size, uint32_t room)
{
    if (writes(stream)) {
        wcts_exchange_stream_event(stream, own ? WCTS_STREAM_CALL : WCTS_STREAM_ASK);
        wcts_exchange_strip_put_number(&stream->strip, operation);
        if (!own)
            wcts_exchange_strip_put_number(&stream->strip, room);
        put_message(stream, operation, request, size);
    } else if (wcts_exchange_stream_reads(stream) && own) {
        compare_request(stream, operation, request, size);
    }
    if (operation == WCTS_MACHINE_WRITE)
        expect_memory(stream, operation, request, size);
}

/* Reads a success; false if it does not fit. */
static bool read_reply(struct wcts_exchange_stream *stream, uint32_t operation, void *reply,
                       uint32_t room, uint32_t *answered)
{
    size_t size = 0;
    uint64_t said = wcts_exchange_strip_number(&stream->strip);
    uint8_t *message = message_of(stream, operation | WCTS_STRIP_REPLY, &size);
    bool right = message && said <= UINT32_MAX && size == (said < room ? said : room);
    if (right) {
        memcpy(reply, message, size);
        *answered = (uint32_t)said;
    } else {
        wcts_exchange_stream_differs(stream, "the record holds an answer that does not fit");
    }
    free(message);
    return right;
}

wcts_status wcts_exchange_stream_answer(struct wcts_exchange_stream *stream, uint32_t operation,
                                        wcts_status status, void *reply, uint32_t room,
                                        uint32_t *size)
{
    bool reads = wcts_exchange_stream_reads(stream);
    if (!wcts_exchange_stream_event(stream, WCTS_STREAM_RETURN))
        return WCTS_STATUS_NOT_SUPPORTED;
    status = (wcts_status)(uint32_t)wcts_exchange_stream_number(stream, (uint32_t)status);
    if (writes(stream) && wcts_succeeded(status)) {
        wcts_exchange_strip_put_number(&stream->strip, *size);
        put_message(stream, operation | WCTS_STRIP_REPLY, reply, *size < room ? *size : room);
    }
    if (reads && (failed(stream) ||
                  (wcts_succeeded(status) && !read_reply(stream, operation, reply, room, size))))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (operation == WCTS_MACHINE_READ && wcts_succeeded(status))
        expect_memory(stream, operation, reply, *size < room ? *size : room);
    return status;
}

/* ---- Attempts to shrink ---- */

bool wcts_exchange_stream_try(struct wcts_exchange_stream *stream, bool *fails)
{
    uint8_t event;
    if (!wcts_exchange_stream_reads(stream)) {
        stream->paused = writes(stream);
        stream->mode = WCTS_STREAM_OFF;
        return false;
    }
    event = failed(stream) ? 0 : wcts_exchange_strip_byte(&stream->strip);
    if (event != WCTS_STREAM_FAILS && event != WCTS_STREAM_HOLDS)
        wcts_exchange_stream_differs(stream, "the record does not go on as the case does");
    *fails = event == WCTS_STREAM_FAILS;
    return true;
}

void wcts_exchange_stream_tried(struct wcts_exchange_stream *stream, bool fails)
{
    if (stream->paused)
        stream->mode = WCTS_STREAM_WRITES;
    stream->paused = false;
    wcts_exchange_stream_event(stream, fails ? WCTS_STREAM_FAILS : WCTS_STREAM_HOLDS);
}
