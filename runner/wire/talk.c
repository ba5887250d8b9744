/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD sizeof(struct wcts_wire_head)

void wcts_wire_talk_init(struct wcts_wire_talk *talk, const struct wcts_wire_bytes *bytes,
                         wcts_wire_serve_fn *serve, void *ctx)
{
    *talk = (struct wcts_wire_talk){.serve = serve, .ctx = ctx};
    wcts_wire_stream_init(&talk->stream, bytes);
}

void wcts_wire_talk_release(struct wcts_wire_talk *talk)
{
    wcts_wire_stream_release(&talk->stream);
    for (int i = 0; i < WCTS_WIRE_DEPTH_MAX; i++) {
        free(talk->served[i].request);
        free(talk->served[i].reply);
        talk->served[i] = (struct wcts_wire_served){0};
    }
}

/* Copies a text that came from elsewhere: one line, printable, as much as has room. */
static void keep_text(char *to, size_t room, const uint8_t *text, size_t size)
{
    size_t kept = size < room - 1 ? size : room - 1;
    for (size_t i = 0; i < kept; i++)
        to[i] = (char)(text[i] < 0x20 || text[i] == 0x7F ? ' ' : text[i]);
    to[kept] = '\0';
}

/* ---- calls of the other end ---- */

static bool grow_buffer(uint8_t **bytes, size_t *room, size_t size)
{
    if (size <= *room)
        return true;
    uint8_t *more = realloc(*bytes, size);
    if (!more)
        return false;
    *bytes = more;
    *room = size;
    return true;
}

/* Neither here nor below does the text name an id or an instance: the same fault in another run is
 * to have the same text. */
static bool check_call_head(struct wcts_wire_talk *talk, const struct wcts_wire_head *head,
                            uint32_t within)
{
    struct wcts_wire_stream *stream = &talk->stream;
    char text[WCTS_WIRE_NAME_ROOM];
    const char *name = wcts_wire_operation_text(head->operation, text);
    if (head->within != within)
        return wcts_wire_stream_fail(
            stream, WCTS_WIRE_GARBAGE, "a call of %s within %s, expected within %s", name,
            head->within ? "another call" : "no call", within ? "the one that waits" : "none");
    if (head->id == talk->heard)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a call of %s with the id of the call before", name);
    if (talk->depth == WCTS_WIRE_DEPTH_MAX)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a call of %s within %d others, expected fewer", name,
                                     WCTS_WIRE_DEPTH_MAX);
    if (head->answer > stream->longest_sent - HEAD)
        return wcts_wire_stream_fail(
            stream, WCTS_WIRE_GARBAGE,
            "a call of %s with room for a reply of %u bytes, expected %zu at most", name,
            head->answer, stream->longest_sent - HEAD);
    talk->heard = head->id;
    return true;
}

static bool send_reply(struct wcts_wire_talk *talk, const struct wcts_wire_head *call,
                       const struct wcts_wire_served *served, wcts_status status, uint32_t size)
{
    struct wcts_wire_head head = {.kind = WCTS_WIRE_REPLY,
                                  .operation = call->operation,
                                  .id = call->id,
                                  .within = call->within,
                                  .instance = call->instance,
                                  .answer = (uint32_t)status};
    uint32_t most = talk->stream.longest_sent - (uint32_t)HEAD;
    uint8_t *body;
    if (size <= call->answer)
        return wcts_wire_stream_send(&talk->stream, &head, served->reply, size);
    /* More than there is room for: the other end is to see that, and says so. */
    size = size < most ? size : most;
    body = wcts_wire_stream_room(&talk->stream, size);
    if (!body)
        return false;
    memset(body, 0, size);
    return wcts_wire_stream_send(&talk->stream, &head, body, size);
}

/* BYE: the other end says why it will end. */
static bool end_by_bye(struct wcts_wire_talk *talk, const uint8_t *body, size_t size)
{
    char text[sizeof talk->stream.why];
    keep_text(text, sizeof text, body, size);
    return wcts_wire_stream_fail(&talk->stream, WCTS_WIRE_CLOSED, "%s",
                                 text[0] ? text : "closed the connection");
}

/* Answers a call that has arrived, within which call of this end (0: none). */
static bool answer(struct wcts_wire_talk *talk, const struct wcts_wire_head *head,
                   const uint8_t *body, uint32_t within)
{
    uint32_t size = head->length - (uint32_t)HEAD, reply_size = 0, before = talk->serving;
    struct wcts_wire_served *served;
    wcts_status status;
    if (head->operation == WCTS_WIRE_BYE)
        return end_by_bye(talk, body, size);
    if (!check_call_head(talk, head, within))
        return false;
    served = &talk->served[talk->depth];
    if (!grow_buffer(&served->request, &served->request_room, (size_t)size + 1) ||
        !grow_buffer(&served->reply, &served->reply_room, (size_t)head->answer + 1))
        return wcts_wire_stream_fail(&talk->stream, WCTS_WIRE_BROKEN,
                                     "no memory for another message");
    memcpy(served->request, body, size);
    talk->depth++;
    talk->serving = head->id;
    status = talk->serve(talk->ctx, head, served->request, size, served->reply, &reply_size);
    talk->serving = before;
    talk->depth--;
    if (!wcts_succeeded(status) && reply_size > head->answer)
        reply_size = 0;
    return talk->stream.end == WCTS_WIRE_ALIVE &&
           send_reply(talk, head, served, status, reply_size);
}

bool wcts_wire_talk_serve(struct wcts_wire_talk *talk)
{
    struct wcts_wire_head head;
    const uint8_t *body;
    if (!wcts_wire_stream_receive(&talk->stream, &head, &body))
        return false;
    char text[WCTS_WIRE_NAME_ROOM];
    if (head.kind != WCTS_WIRE_CALL)
        return wcts_wire_stream_fail(&talk->stream, WCTS_WIRE_GARBAGE,
                                     "a reply of %s, expected a call",
                                     wcts_wire_operation_text(head.operation, text));
    return answer(talk, &head, body, 0);
}

/* ---- calls of this end ---- */

static bool check_reply(struct wcts_wire_talk *talk, const struct wcts_wire_head *head,
                        const struct wcts_wire_head *call)
{
    struct wcts_wire_stream *stream = &talk->stream;
    char came[WCTS_WIRE_NAME_ROOM], due[WCTS_WIRE_NAME_ROOM];
    if (head->operation != call->operation)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE, "a reply of %s, expected one of %s",
                                     wcts_wire_operation_text(head->operation, came),
                                     wcts_wire_operation_text(call->operation, due));
    if (head->id != call->id)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a reply with another id than its call");
    if (head->instance != call->instance)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a reply with another instance than its call");
    if (head->within != call->within)
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a reply within another call than its call is");
    return true;
}

static void take_reply(struct wcts_wire_talk *talk, const struct wcts_wire_asking *asking,
                       const struct wcts_wire_head *head, const uint8_t *body, wcts_status *status,
                       uint32_t *reply_size)
{
    uint32_t size = head->length - (uint32_t)HEAD;
    *status = (wcts_status)head->answer;
    *reply_size = 0;
    talk->reason[0] = '\0';
    if (!wcts_succeeded(*status)) {
        keep_text(talk->reason, sizeof talk->reason, body, size);
        return;
    }
    *reply_size = size;
    if (size > 0 && asking->room > 0)
        memcpy(asking->reply, body, size < asking->room ? size : asking->room);
}

/* True if a call that arrives where an answer is due cannot be one of a peer's; it ends the talk. A
 * program that is no peer may send back what it is sent, as cat does. */
static bool is_no_peers(struct wcts_wire_talk *talk, const struct wcts_wire_head *head,
                        const struct wcts_wire_head *call)
{
    char came[WCTS_WIRE_NAME_ROOM];
    bool is_echo = head->operation == call->operation && head->id == call->id &&
                   head->within == call->within && head->instance == call->instance &&
                   head->answer == call->answer;
    if (is_echo)
        wcts_wire_stream_fail(&talk->stream, WCTS_WIRE_GARBAGE,
                              "the call of %s that it was sent, expected an answer to it: it sends "
                              "back what it is sent",
                              wcts_wire_operation_text(head->operation, came));
    else if (call->operation == WCTS_WIRE_HELLO && head->operation != WCTS_WIRE_BYE)
        wcts_wire_stream_fail(&talk->stream, WCTS_WIRE_GARBAGE,
                              "a call of %s, expected an answer to HELLO",
                              wcts_wire_operation_text(head->operation, came));
    return talk->stream.end != WCTS_WIRE_ALIVE;
}

/* The other end has closed before it was asked: what it said before, such as BYE, tells more. */
static void hear_out(struct wcts_wire_talk *talk)
{
    struct wcts_wire_stream *stream = &talk->stream;
    struct wcts_wire_head head;
    const uint8_t *body;
    if (stream->end != WCTS_WIRE_CLOSED)
        return;
    stream->end = WCTS_WIRE_ALIVE;
    if (!wcts_wire_stream_receive(stream, &head, &body))
        return;
    if (head.operation == WCTS_WIRE_BYE)
        end_by_bye(talk, body, head.length - (uint32_t)HEAD);
    else
        wcts_wire_stream_fail(stream, WCTS_WIRE_CLOSED, "closed the connection");
}

bool wcts_wire_talk_ask(struct wcts_wire_talk *talk, const struct wcts_wire_asking *asking,
                        wcts_status *status, uint32_t *reply_size)
{
    struct wcts_wire_head call = {.kind = WCTS_WIRE_CALL,
                                  .operation = asking->operation,
                                  .within = talk->serving,
                                  .instance = asking->instance,
                                  .answer = asking->room};
    struct wcts_wire_head head;
    const uint8_t *body;
    talk->id = talk->id == UINT32_MAX ? 1 : talk->id + 1;
    call.id = talk->id;
    *status = WCTS_STATUS_DEVICE_REMOVED;
    *reply_size = 0;
    if (talk->depth == WCTS_WIRE_DEPTH_MAX)
        return wcts_wire_stream_fail(&talk->stream, WCTS_WIRE_FAILED,
                                     "more than %d calls in each other", WCTS_WIRE_DEPTH_MAX);
    if (!wcts_wire_stream_send(&talk->stream, &call, asking->request, asking->request_size)) {
        hear_out(talk);
        return false;
    }
    talk->depth++;
    while (wcts_wire_stream_receive(&talk->stream, &head, &body)) {
        if (head.kind == WCTS_WIRE_CALL && is_no_peers(talk, &head, &call))
            break;
        if (head.kind == WCTS_WIRE_CALL && answer(talk, &head, body, call.id))
            continue;
        if (head.kind == WCTS_WIRE_CALL || !check_reply(talk, &head, &call))
            break;
        talk->depth--;
        take_reply(talk, asking, &head, body, status, reply_size);
        return true;
    }
    talk->depth--;
    return false;
}
