/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define HEAD sizeof(struct wcts_wire_head)
/* Room for what arrives at once. */
#define IN_LEAST 0x10000u

const char *wcts_wire_operation_text(uint32_t operation, char text[WCTS_WIRE_NAME_ROOM])
{
    static const char *const own[] = {[WCTS_WIRE_HELLO] = "HELLO",
                                      [WCTS_WIRE_OPEN] = "OPEN",
                                      [WCTS_WIRE_CLOSE] = "CLOSE",
                                      [WCTS_WIRE_BYE] = "BYE",
                                      [WCTS_WIRE_ANSWERS] = "ANSWERS"};
    if (operation < sizeof own / sizeof *own && own[operation])
        snprintf(text, WCTS_WIRE_NAME_ROOM, "%s", own[operation]);
    else if (wcts_request_size(operation) > 0)
        snprintf(text, WCTS_WIRE_NAME_ROOM, "%s", wcts_operation_name(operation));
    else
        snprintf(text, WCTS_WIRE_NAME_ROOM, "operation 0x%X", operation);
    return text;
}

void wcts_wire_stream_init(struct wcts_wire_stream *stream, const struct wcts_wire_bytes *bytes)
{
    *stream = (struct wcts_wire_stream){.bytes = *bytes,
                                        .longest = WCTS_WIRE_LONGEST_MOST,
                                        .longest_sent = WCTS_WIRE_LONGEST_LEAST,
                                        .version = WCTS_WIRE_VERSION};
}

void wcts_wire_stream_release(struct wcts_wire_stream *stream)
{
    free(stream->in);
    free(stream->out);
    stream->in = stream->out = NULL;
    stream->in_room = stream->out_room = stream->start = stream->size = 0;
}

bool wcts_wire_stream_fail(struct wcts_wire_stream *stream, enum wcts_wire_end end,
                           const char *format, ...)
{
    va_list arguments;
    if (stream->end != WCTS_WIRE_ALIVE)
        return false;
    stream->end = end;
    va_start(arguments, format);
    vsnprintf(stream->why, sizeof stream->why, format, arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(struct wcts_wire_stream *stream)
{
    return wcts_wire_stream_fail(stream, WCTS_WIRE_BROKEN, "no memory for another message");
}

/* ---- sending ---- */

/* Makes room for a message; false if there is none. */
static bool grow_out(struct wcts_wire_stream *stream, size_t size)
{
    if (size > stream->longest_sent)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_FAILED,
                                     "a message of %zu bytes is to be sent, the other end takes %u",
                                     size, stream->longest_sent);
    if (size <= stream->out_room)
        return true;
    uint8_t *more = realloc(stream->out, size);
    if (!more)
        return no_memory(stream);
    stream->out = more;
    stream->out_room = size;
    return true;
}

void *wcts_wire_stream_room(struct wcts_wire_stream *stream, size_t size)
{
    return stream->end == WCTS_WIRE_ALIVE && grow_out(stream, HEAD + size) ? stream->out + HEAD
                                                                           : NULL;
}

static bool write_out(struct wcts_wire_stream *stream, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        const char *why = "?";
        int64_t count =
            stream->bytes.write(stream->bytes.ctx, stream->out + sent, size - sent, &why);
        if (count < 0)
            return wcts_wire_stream_fail(stream, WCTS_WIRE_FAILED, "cannot be written to: %s", why);
        if (count == 0)
            return wcts_wire_stream_fail(stream, WCTS_WIRE_CLOSED, "closed the connection");
        sent += (size_t)count;
    }
    return true;
}

bool wcts_wire_stream_send(struct wcts_wire_stream *stream, struct wcts_wire_head *head,
                           const void *body, size_t size)
{
    if (stream->end != WCTS_WIRE_ALIVE || !grow_out(stream, HEAD + size))
        return false;
    head->magic = WCTS_WIRE_MAGIC;
    head->version = stream->version;
    head->length = (uint32_t)(HEAD + size);
    memcpy(stream->out, head, HEAD);
    if (size > 0 && body != stream->out + HEAD)
        memmove(stream->out + HEAD, body, size);
    return write_out(stream, HEAD + size);
}

/* ---- receiving ---- */

/* Reads until wanted bytes are there, of a message or a head that has so many as whole. Between two
 * messages the end is no garbage. */
static bool fill_in(struct wcts_wire_stream *stream, size_t wanted, size_t whole)
{
    size_t room = wanted > IN_LEAST ? wanted : IN_LEAST;
    if (stream->size >= wanted)
        return true;
    if (room > stream->in_room) {
        uint8_t *more = realloc(stream->in, room);
        if (!more)
            return no_memory(stream);
        stream->in = more;
        stream->in_room = room;
    }
    if (stream->start > 0 && stream->size > 0)
        memmove(stream->in, stream->in + stream->start, stream->size);
    stream->start = 0;
    bool told = false;
    while (stream->size < wanted) {
        const char *why = "?";
        if (stream->partly && stream->size > 0) {
            stream->partly(stream->partly_ctx, (uint32_t)stream->size, (uint32_t)whole);
            told = true;
        }
        int64_t count = stream->bytes.read(stream->bytes.ctx, stream->in + stream->size,
                                           stream->in_room - stream->size, &why);
        if (count < 0)
            return wcts_wire_stream_fail(stream, WCTS_WIRE_FAILED, "cannot be read from: %s", why);
        if (count == 0 && stream->size == 0)
            return wcts_wire_stream_fail(stream, WCTS_WIRE_CLOSED, "closed the connection");
        if (count == 0)
            return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                         "ended after %zu bytes of a message, expected %zu",
                                         stream->size, whole);
        stream->size += (size_t)count;
    }
    if (told)
        stream->partly(stream->partly_ctx, 0, 0);
    return true;
}

/* The four bytes as text, where they are some. */
static const char *quoted_word(uint32_t word, char text[16])
{
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                    (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    for (int i = 0; i < 4; i++)
        if (bytes[i] < 0x20 || bytes[i] > 0x7E)
            return "";
    snprintf(text, 16, " (\"%c%c%c%c\")", bytes[0], bytes[1], bytes[2], bytes[3]);
    return text;
}

/* Where a message should begin stands something else. What came before it is named: if that has the
 * wrong length, it is what has to be mended. */
static bool fail_magic(struct wcts_wire_stream *stream, uint32_t magic)
{
    const struct wcts_wire_head *last = &stream->last;
    char text[16], name[WCTS_WIRE_NAME_ROOM], behind[WCTS_WIRE_NAME_ROOM + 48] = "";
    if (last->magic)
        snprintf(behind, sizeof behind, ", behind a %s of %s of %u bytes",
                 last->kind == WCTS_WIRE_CALL ? "call" : "reply",
                 wcts_wire_operation_text(last->operation, name), last->length);
    return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                 "a message begins with 0x%08X%s, expected 0x%08X (\"WCTS\")%s",
                                 magic, quoted_word(magic, text), WCTS_WIRE_MAGIC, behind);
}

static bool check_head(struct wcts_wire_stream *stream, const struct wcts_wire_head *head)
{
    if (head->version != stream->version)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a message of version %u, expected %u", head->version,
                                     stream->version);
    if (head->kind != WCTS_WIRE_CALL && head->kind != WCTS_WIRE_REPLY)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a message of kind %u, expected 1 (a call) or 2 (a reply)",
                                     head->kind);
    if (head->length < HEAD || head->length > stream->longest)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a message of %u bytes, expected %zu to %u", head->length,
                                     HEAD, stream->longest);
    if (head->id == 0)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a message with id 0, expected another number");
    return true;
}

bool wcts_wire_stream_receive(struct wcts_wire_stream *stream, struct wcts_wire_head *head,
                              const uint8_t **body)
{
    *body = NULL;
    uint32_t magic;
    /* A greeting of a few bytes would be waited on for the rest of a head that never comes. */
    if (stream->end != WCTS_WIRE_ALIVE || !fill_in(stream, sizeof magic, HEAD))
        return false;
    memcpy(&magic, stream->in + stream->start, sizeof magic);
    if (magic != WCTS_WIRE_MAGIC)
        return fail_magic(stream, magic);
    if (!fill_in(stream, HEAD, HEAD))
        return false;
    memcpy(head, stream->in + stream->start, HEAD);
    if (!check_head(stream, head) || !fill_in(stream, head->length, head->length))
        return false;
    /* The next message may begin anywhere; bodies are read as structs. */
    if (stream->start % 8 != 0) {
        memmove(stream->in, stream->in + stream->start, stream->size);
        stream->start = 0;
    }
    *body = stream->in + stream->start + HEAD;
    stream->start += head->length;
    stream->size -= head->length;
    stream->received++;
    stream->last = *head;
    return true;
}
