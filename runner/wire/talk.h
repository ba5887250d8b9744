/* SPDX-License-Identifier: MIT */
/*
 * Calls and replies over a stream, the same at both ends. One call is in flight: whoever waits for
 * a reply may only be called back within that call, and answers before it goes on waiting. Needs
 * nothing but the C library.
 */
#ifndef WCTS_WIRE_TALK_H
#define WCTS_WIRE_TALK_H

#include "stream.h"

/* A call of the other end: request, of size bytes, is valid during the call; reply has
 * head->answer bytes of room, with any content. Returns the status for the reply; if it is a
 * failing one, *reply_size bytes of reply are a text with the reason. May end the stream. */
typedef wcts_status wcts_wire_serve_fn(void *ctx, const struct wcts_wire_head *head,
                                       const uint8_t *request, uint32_t size, uint8_t *reply,
                                       uint32_t *reply_size);

/* A call of the other end that is being served: copies of what it sent, and its reply. */
struct wcts_wire_served {
    uint8_t *request, *reply;
    size_t request_room, reply_room;
};

/*
 * One end of a connection. Example at the host while a kernel, in its call 7, has asked the driver
 * in its own call 3: id 7, serving 3, depth 2.
 */
struct wcts_wire_talk {
    struct wcts_wire_stream stream;
    wcts_wire_serve_fn *serve;
    void *ctx;
    uint32_t id;      /* of this end's last call */
    uint32_t heard;   /* the id of the other end's last call; 0: none */
    uint32_t serving; /* the id of the other end's innermost call; 0: none */
    int depth;        /* calls of both ends that have no reply yet */
    struct wcts_wire_served served[WCTS_WIRE_DEPTH_MAX];
    char reason[400]; /* of the last reply with a failing status; "" if it gave none */
};

/* A call of this end. */
struct wcts_wire_asking {
    uint32_t operation, instance;
    const void *request;
    uint32_t request_size;
    void *reply; /* of room bytes; what the reply does not reach stays as it is */
    uint32_t room;
};

void wcts_wire_talk_init(struct wcts_wire_talk *talk, const struct wcts_wire_bytes *bytes,
                         wcts_wire_serve_fn *serve, void *ctx);
void wcts_wire_talk_release(struct wcts_wire_talk *talk);

/* Makes a call and waits for its reply, serving what the other end asks within it. *reply_size may
 * be more than the room; then the rest is dropped. False if the stream has ended. */
bool wcts_wire_talk_ask(struct wcts_wire_talk *talk, const struct wcts_wire_asking *asking,
                        wcts_status *status, uint32_t *reply_size);

/* Waits for a call of the other end, and answers it. False if the stream has ended. */
bool wcts_wire_talk_serve(struct wcts_wire_talk *talk);

#endif
