/* SPDX-License-Identifier: MIT */
/*
 * Messages over a stream of bytes: whole ones are sent with one write, and what arrives is cut into
 * messages again. Everything that the other end sends is checked here before anybody looks at it.
 * Needs nothing but the C library.
 */
#ifndef WCTS_WIRE_STREAM_H
#define WCTS_WIRE_STREAM_H

#include <stdbool.h>

#include "protocol.h"

/* How bytes travel; each returns how many did, 0: the other end has closed, -1: it failed, with
 * *why. read waits for at least one byte. */
struct wcts_wire_bytes {
    void *ctx;
    int64_t (*read)(void *ctx, void *to, size_t room, const char **why);
    int64_t (*write)(void *ctx, const void *from, size_t size, const char **why);
};

/* A function with a format and its arguments; %zu is known, also where the compiler's printf is
 * that of an old Windows. */
#ifdef __MINGW32__
#define WCTS_WIRE_FORMAT(format_at, from) __attribute__((format(gnu_printf, format_at, from)))
#else
#define WCTS_WIRE_FORMAT(format_at, from) __attribute__((format(printf, format_at, from)))
#endif

#define WCTS_WIRE_NAME_ROOM 48

/* "KERNEL_INFO", "OPEN", "operation 0x2FF". Returns text. */
const char *wcts_wire_operation_text(uint32_t operation, char text[WCTS_WIRE_NAME_ROOM]);

enum wcts_wire_end {
    WCTS_WIRE_ALIVE,
    WCTS_WIRE_CLOSED,  /* between two messages */
    WCTS_WIRE_FAILED,  /* an error of the operating system */
    WCTS_WIRE_GARBAGE, /* bytes that break the protocol */
    WCTS_WIRE_BROKEN   /* this end lacks memory */
};

/*
 * One direction each way, one message at a time. Its owner is the one who sets bytes; release frees
 * the buffers only. Once end is not ALIVE nothing more is sent or received. Example after a message
 * of 40 bytes, of which 12 had arrived with the one before: start 0, size 0, end ALIVE.
 */
struct wcts_wire_stream {
    struct wcts_wire_bytes bytes;
    uint32_t longest;      /* message that it takes */
    uint32_t longest_sent; /* that the other end takes */
    uint16_t version;      /* of the messages; 1 before HELLO */
    uint8_t *in;           /* bytes that arrived: [start, start + size) belong to no message yet */
    size_t in_room, start, size;
    /* Called before the rest of a message is waited for, with how many of its bytes are there; and
     * with 0 of 0 when it is. NULL: nobody cares. */
    void (*partly)(void *ctx, uint32_t got, uint32_t wanted);
    void *partly_ctx;
    uint64_t received;          /* messages */
    struct wcts_wire_head last; /* that was received; magic 0: none */
    uint8_t *out;
    size_t out_room;
    enum wcts_wire_end end;
    char why[200]; /* end not ALIVE: what was found and what was expected */
};

void wcts_wire_stream_init(struct wcts_wire_stream *stream, const struct wcts_wire_bytes *bytes);
void wcts_wire_stream_release(struct wcts_wire_stream *stream);

/* Where to write a body of up to size bytes, 8-byte aligned, that send() will take; NULL with the
 * end if it is longer than the other end takes, or memory is short. Valid until the next send() or
 * room(). */
void *wcts_wire_stream_room(struct wcts_wire_stream *stream, size_t size);
/* Sends head and size bytes of body, which is room() or anywhere else. Fills in magic, version and
 * length. False with the end. */
bool wcts_wire_stream_send(struct wcts_wire_stream *stream, struct wcts_wire_head *head,
                           const void *body, size_t size);
/* Waits for a message. *body, of head->length - sizeof *head bytes, 8-byte aligned, is valid until
 * the next receive(). False with the end. */
bool wcts_wire_stream_receive(struct wcts_wire_stream *stream, struct wcts_wire_head *head,
                              const uint8_t **body);

/* Ends it with what was found; only the first end counts. Returns false. */
bool wcts_wire_stream_fail(struct wcts_wire_stream *stream, enum wcts_wire_end end,
                           const char *format, ...) WCTS_WIRE_FORMAT(3, 4);

#endif
