/* SPDX-License-Identifier: MIT */
/*
 * The wire: messages that arrive in pieces, calls in each other, and
 * thousands of streams that somebody has damaged: each ends, without harm and with a reason.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runner/wire/host.h"
#include "runner/wire/peer.h"
#include "suite.h"

/* ---- numbers from a seed ---- */

static uint64_t drawn;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (uint32_t)(drawn >> 33) % below : 0;
}

/* ---- bytes that are there already ---- */

struct memory {
    const uint8_t *bytes;
    size_t size, at, piece; /* piece: the most bytes that are read at once */
    uint8_t *out;           /* what is written; NULL: it is dropped */
    size_t out_size, out_room;
    bool closed; /* True if nothing can be written */
};

static int64_t read_memory(void *ctx, void *to, size_t room, const char **why)
{
    struct memory *memory = ctx;
    size_t size = memory->size - memory->at;
    (void)why;
    size = size < room ? size : room;
    size = size < memory->piece ? size : memory->piece;
    if (size > 0)
        memcpy(to, memory->bytes + memory->at, size);
    memory->at += size;
    return (int64_t)size;
}

static int64_t write_memory(void *ctx, const void *from, size_t size, const char **why)
{
    struct memory *memory = ctx;
    (void)why;
    if (memory->closed)
        return 0;
    if (memory->out) {
        ck_assert_uint_le(memory->out_size + size, memory->out_room);
        memcpy(memory->out + memory->out_size, from, size);
        memory->out_size += size;
    }
    return (int64_t)size;
}

START_TEST(messages_arrive_in_pieces)
{
    static uint8_t sent[1 << 18];
    struct memory memory = {.out = sent, .out_room = sizeof sent};
    const struct wcts_wire_bytes bytes = {&memory, read_memory, write_memory};
    struct wcts_wire_stream stream;
    struct wcts_wire_head head;
    const uint8_t *body;
    uint8_t text[3000];
    wcts_wire_stream_init(&stream, &bytes);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 7);
    for (uint32_t i = 1; i <= 60; i++) {
        head = (struct wcts_wire_head){.kind = WCTS_WIRE_CALL, .operation = i, .id = i};
        ck_assert(wcts_wire_stream_send(&stream, &head, text, i * 49));
    }
    wcts_wire_stream_release(&stream);
    memory = (struct memory){.bytes = sent, .size = memory.out_size, .piece = (size_t)(_i * _i)};
    wcts_wire_stream_init(&stream, &bytes);
    for (uint32_t i = 1; i <= 60; i++) {
        ck_assert(wcts_wire_stream_receive(&stream, &head, &body));
        ck_assert_uint_eq(head.operation, i);
        ck_assert_uint_eq(head.length, 32 + i * 49);
        ck_assert_uint_eq((uintptr_t)body % 8, 0);
        ck_assert_mem_eq(body, text, i * 49);
    }
    ck_assert(!wcts_wire_stream_receive(&stream, &head, &body));
    ck_assert_int_eq(stream.end, WCTS_WIRE_CLOSED);
    wcts_wire_stream_release(&stream);
}
END_TEST

/* ---- a plug-in ---- */

/* In KERNEL_ADAPTER_START it asks the driver and logs; in KERNEL_DEVICE it lies about its reply. */
static wcts_status answer(void *instance, uint32_t operation, const void *request,
                          uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct wcts_host *host = *(const struct wcts_host **)instance;
    const struct wcts_none none = {.size = sizeof none};
    uint8_t asked[WCTS_REPLY_ROOM] = {0};
    uint32_t size = 0;
    *reply_size = 0;
    if (request_size >= 4 && operation == WCTS_KERNEL_DEVICE) {
        *reply_size = room + 1;
        return WCTS_STATUS_SUCCESS;
    }
    if (operation != WCTS_KERNEL_ADAPTER_START && operation != WCTS_KERNEL_INFO)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    for (int i = 0; operation == WCTS_KERNEL_ADAPTER_START && i < 3; i++)
        host->call(host->ctx, WCTS_DRIVER_INFO, &none, sizeof none, asked, sizeof asked, &size);
    size = size < room ? size : room;
    if (size > 0 && size <= sizeof asked)
        memcpy(reply, asked, size);
    else if (room >= request_size)
        memcpy(reply, request, size = request_size);
    *reply_size = size;
    return WCTS_STATUS_SUCCESS;
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    const struct wcts_host **instance =
        side == WCTS_SIDE_KERNEL && strncmp(host->options, "own", 3) == 0 ? malloc(sizeof *instance)
                                                                          : NULL;
    if (instance)
        *instance = host;
    return instance;
}

static const struct wcts_plugin plugin = {
    sizeof plugin, WCTS_ABI_VERSION, WCTS_SIDE_KERNEL, 0, "unit", "7", boot, answer, free};
static const struct wcts_wire_peer_options served = {.plugin = &plugin, .options = "own"};

/* How a session went. */
struct outcome {
    enum wcts_wire_loss loss;
    char why[256];
    int calls, questions;
    wcts_status device;
    uint32_t device_size;
};

/* ---- the other end: a thread that listens ---- */

struct listener {
    char directory[32], address[64];
    int fd;
    pthread_t thread;
    const uint8_t *bytes; /* NULL: a peer answers; else what is sent, whatever comes */
    size_t size;
    uint8_t *to_peer, *to_host; /* what a peer reads and writes; NULL: not kept */
    size_t to_peer_size, to_host_size;
    int connection;
};

#define KEPT 65536

static int64_t read_socket(void *ctx, void *to, size_t room, const char **why)
{
    struct listener *listener = ctx;
    ssize_t count = read(listener->connection, to, room);
    *why = "read";
    if (count > 0 && listener->to_peer) {
        ck_assert_uint_le(listener->to_peer_size + (size_t)count, KEPT);
        memcpy(listener->to_peer + listener->to_peer_size, to, (size_t)count);
        listener->to_peer_size += (size_t)count;
    }
    return count;
}

static int64_t write_socket(void *ctx, const void *from, size_t size, const char **why)
{
    struct listener *listener = ctx;
    ssize_t count = send(listener->connection, from, size, MSG_NOSIGNAL);
    *why = "write";
    if (count > 0 && listener->to_host) {
        ck_assert_uint_le(listener->to_host_size + (size_t)count, KEPT);
        memcpy(listener->to_host + listener->to_host_size, from, (size_t)count);
        listener->to_host_size += (size_t)count;
    }
    return count;
}

static void *serve_one(void *ctx)
{
    struct listener *listener = ctx;
    const struct wcts_wire_bytes bytes = {listener, read_socket, write_socket};
    char why[256], dropped[4096];
    listener->connection = accept(listener->fd, NULL, NULL);
    close(listener->fd); /* whoever connects again is refused */
    if (!listener->bytes) {
        wcts_wire_peer_run(&bytes, &served, why, sizeof why);
    } else {
        for (size_t sent = 0; sent < listener->size;) {
            ssize_t count = send(listener->connection, listener->bytes + sent,
                                 listener->size - sent, MSG_NOSIGNAL);
            if (count <= 0)
                break;
            sent += (size_t)count;
        }
        shutdown(listener->connection, SHUT_WR);
        while (read(listener->connection, dropped, sizeof dropped) > 0)
            continue;
    }
    close(listener->connection);
    return NULL;
}

static void listener_init(struct listener *listener)
{
    *listener = (struct listener){.directory = "/tmp/wcts-wire-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(listener->directory));
    snprintf(listener->address, sizeof listener->address, "unix:%s/socket", listener->directory);
}

static void listener_release(struct listener *listener)
{
    unlink(listener->address + strlen("unix:"));
    rmdir(listener->directory);
    free(listener->to_peer);
    free(listener->to_host);
}

static struct outcome converse(const char *address);

/* Holds a session with whoever listens. */
static struct outcome converse_with(struct listener *listener)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct outcome outcome;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", listener->address + strlen("unix:"));
    unlink(address.sun_path);
    listener->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener->fd, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(listener->fd, 4), 0);
    pthread_create(&listener->thread, NULL, serve_one, listener);
    outcome = converse(listener->address);
    pthread_join(listener->thread, NULL);
    return outcome;
}

/* ---- the host ---- */

static void note_loss(void *ctx, enum wcts_wire_loss loss, int status, const char *why)
{
    struct outcome *outcome = ctx;
    (void)status;
    outcome->loss = loss;
    snprintf(outcome->why, sizeof outcome->why, "%s", why);
}

static wcts_status answer_peer(void *ctx, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t room,
                               uint32_t *reply_size)
{
    struct outcome *outcome = ctx;
    (void)operation;
    outcome->questions++;
    *reply_size = request_size < room ? request_size : room;
    if (*reply_size > 0)
        memcpy(reply, request, *reply_size);
    return WCTS_STATUS_SUCCESS;
}

/* One session of three calls, whatever the other end is. */
static struct outcome converse(const char *address)
{
    static const uint32_t operations[] = {WCTS_KERNEL_INFO, WCTS_KERNEL_ADAPTER_START,
                                          WCTS_KERNEL_SETTLE, WCTS_KERNEL_DEVICE};
    struct outcome outcome = {.loss = WCTS_WIRE_LOST_NOTHING};
    const struct wcts_wire_host_options options = {
        .address = address, .lost = note_loss, .ctx = &outcome};
    const struct wcts_host party = {.size = sizeof party,
                                    .interface_version = 0x11007,
                                    .page_size = 4096,
                                    .ctx = &outcome,
                                    .call = answer_peer,
                                    .options = "mine=1"};
    struct wcts_wire_host *host = wcts_wire_host_new(&options);
    const struct wcts_plugin *there = wcts_wire_host_plugin(host, outcome.why, sizeof outcome.why);
    void *instance = there ? wcts_wire_host_open(host, &party, WCTS_SIDE_KERNEL) : NULL;
    uint64_t reply[WCTS_REPLY_ROOM / 8 + 1] = {[WCTS_REPLY_ROOM / 8] = 0x5A5A};
    const struct wcts_none request = {.size = sizeof request};
    for (size_t i = 0; instance && i < sizeof operations / sizeof *operations; i++) {
        outcome.device = there->call(instance, operations[i], &request, sizeof request, reply,
                                     WCTS_REPLY_ROOM, &outcome.device_size);
        outcome.calls++;
        ck_assert_uint_eq(reply[WCTS_REPLY_ROOM / 8], 0x5A5A);
    }
    if (instance)
        there->close(instance);
    wcts_wire_host_free(host);
    return outcome;
}

/* What both ends said in such a session. */
static void record(struct listener *listener)
{
    listener->to_peer = calloc(1, KEPT);
    listener->to_host = calloc(1, KEPT);
    ck_assert(listener->to_peer && listener->to_host);
    struct outcome outcome = converse_with(listener);
    ck_assert_str_eq(outcome.why, "");
    ck_assert_int_eq(outcome.calls, 4);
    ck_assert_int_eq(outcome.questions, 3);
    ck_assert_uint_eq(outcome.device_size, WCTS_REPLY_ROOM + 1);
}

START_TEST(a_session_is_held)
{
    struct listener listener;
    listener_init(&listener);
    record(&listener);
    listener_release(&listener);
}
END_TEST

/* ---- rare ends ---- */

/* Begins of messages in the bytes; returns how many. */
static int find_messages(const uint8_t *bytes, size_t size, size_t *at, int most)
{
    int count = 0;
    for (size_t i = 0; i + 32 <= size && count < most;) {
        uint32_t length;
        memcpy(&length, bytes + i + 8, 4);
        at[count++] = i;
        i += length;
    }
    return count;
}

/* Appends a message. */
static void add(uint8_t *bytes, size_t *size, struct wcts_wire_head head, const void *body,
                size_t body_size)
{
    head.magic = WCTS_WIRE_MAGIC;
    head.version = WCTS_WIRE_VERSION;
    head.length = (uint32_t)(sizeof head + body_size);
    memcpy(bytes + *size, &head, sizeof head);
    memcpy(bytes + *size + sizeof head, body, body_size);
    *size += head.length;
}

START_TEST(an_instance_in_a_call_is_not_closed)
{
    const struct wcts_wire_hello hello = {sizeof hello, 1, 1, WCTS_ABI_VERSION, 0, 1 << 20};
    const struct wcts_wire_open boots = {.size = sizeof boots, .side = WCTS_SIDE_KERNEL};
    const struct wcts_none none = {.size = sizeof none};
    uint8_t bytes[512], out[65536];
    struct memory memory = {
        .bytes = bytes, .piece = sizeof bytes, .out = out, .out_room = sizeof out};
    const struct wcts_wire_bytes both = {&memory, read_memory, write_memory};
    struct wcts_wire_head head = {.kind = WCTS_WIRE_CALL, .operation = 1, .id = 1, .answer = 9000};
    size_t at[16];
    char why[256];
    add(bytes, &memory.size, head, &hello, sizeof hello);
    head = (struct wcts_wire_head){
        .kind = WCTS_WIRE_CALL, .operation = WCTS_WIRE_OPEN, .id = 2, .instance = 5};
    add(bytes, &memory.size, head, &boots, sizeof boots);
    head.operation = WCTS_KERNEL_ADAPTER_START;
    head.id = 3;
    head.answer = 64;
    add(bytes, &memory.size, head, &none, sizeof none);
    head.operation = WCTS_WIRE_CLOSE; /* in the place of an answer to the peer's call 1 */
    head.id = 4;
    head.within = 1;
    add(bytes, &memory.size, head, &none, 0);
    ck_assert_int_eq(wcts_wire_peer_run(&both, &served, why, sizeof why), WCTS_WIRE_CLOSED);
    ck_assert_int_eq(find_messages(out, memory.out_size, at, 16), 4);
    memcpy(&head, out + at[3], sizeof head);
    ck_assert_uint_eq(head.operation, WCTS_WIRE_CLOSE);
    ck_assert_int_eq((int32_t)head.answer, WCTS_STATUS_INVALID_HANDLE);
}
END_TEST

START_TEST(a_last_word_is_heard)
{
    uint8_t bytes[128];
    struct memory memory = {.bytes = bytes, .piece = sizeof bytes, .closed = true};
    const struct wcts_wire_bytes both = {&memory, read_memory, write_memory};
    const struct wcts_wire_head bye = {.kind = WCTS_WIRE_CALL, .operation = WCTS_WIRE_BYE, .id = 1};
    const struct wcts_wire_asking asking = {.operation = WCTS_KERNEL_INFO};
    struct wcts_wire_talk talk;
    wcts_status status;
    uint32_t size;
    if (_i == 1)
        add(bytes, &memory.size, bye, "on fire", 7);
    wcts_wire_talk_init(&talk, &both, NULL, NULL);
    ck_assert(!wcts_wire_talk_ask(&talk, &asking, &status, &size));
    ck_assert_int_eq(talk.stream.end, WCTS_WIRE_CLOSED);
    ck_assert_str_eq(talk.stream.why, _i == 1 ? "on fire" : "closed the connection");
    wcts_wire_talk_release(&talk);
}
END_TEST

/* ---- damage ---- */

#define DAMAGED 5000

/* Damages a copy of the bytes in one of several ways; returns its size. */
static size_t damage(const uint8_t *bytes, size_t size, uint8_t *to)
{
    static const uint32_t odd[] = {0, 1, 31, 32, 33, 0x100, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    size_t at[64] = {0};
    int count = find_messages(bytes, size, at, 64);
    size_t message = at[draw((uint32_t)count)], place, length;
    uint32_t value = odd[draw(sizeof odd / sizeof *odd)];
    memcpy(to, bytes, size);
    switch (draw(7)) {
    case 0: /* a bit anywhere */
        to[draw((uint32_t)size)] ^= (uint8_t)(1u << draw(8));
        return size;
    case 1: /* a bit of a head */
        to[message + draw(32)] ^= (uint8_t)(1u << draw(8));
        return size;
    case 2: /* a member of a head */
        memcpy(to + message + 4 * draw(8), &value, 4);
        return size;
    case 3: /* a member of a body */
        place = message + 32;
        if (place + 4 <= size)
            memcpy(to + place, &value, 4);
        return size;
    case 4: /* cut off */
        return draw((uint32_t)size);
    case 5: /* a piece is missing */
        place = draw((uint32_t)size);
        length = draw((uint32_t)(size - place)) % 80;
        memmove(to + place, to + place + length, size - place - length);
        return size - length;
    default: /* a message comes twice */
        memcpy(&length, bytes + message + 8, 4);
        length &= UINT32_MAX;
        memmove(to + message + length, to + message, size - message);
        return size + length;
    }
}

/* What a target says in the place of its third reply, to call 3 of instance 1, and what is said of
 * it.
 */
static const struct {
    struct wcts_wire_head head;
    const char *why;
} bad_messages[] = {
    {{0x12345678, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: a message begins with 0x12345678, expected 0x53544357 (\"WCTS\"), "
     "behind a reply of OPEN of 32 bytes"},
    {{0x20544547, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: a message begins with 0x20544547 (\"GET \"), expected 0x53544357 (\"WCTS\"), "
     "behind a reply of OPEN of 32 bytes"},
    {{WCTS_WIRE_MAGIC, 2, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: a message of version 2, expected 1"},
    {{WCTS_WIRE_MAGIC, 1, 3, 32, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: a message of kind 3, expected 1 (a call) or 2 (a reply)"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 31, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: a message of 31 bytes, expected 32 to 67108864"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 0x40000000, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: a message of 1073741824 bytes, expected 32 to 67108864"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 50, WCTS_KERNEL_INFO, 3, 0, 1, 0},
     "sent garbage: ended after 32 bytes of a message, expected 50"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 0, 0, 1, 0},
     "sent garbage: a message with id 0, expected another number"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 2, 0, 1, 0},
     "sent garbage: a reply with another id than its call"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_ADAPTER_START, 3, 0, 1, 0},
     "sent garbage: a reply of KERNEL_ADAPTER_START, expected one of KERNEL_INFO"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 3, 0, 2, 0},
     "sent garbage: a reply with another instance than its call"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_REPLY, 32, WCTS_KERNEL_INFO, 3, 77, 1, 0},
     "sent garbage: a reply within another call than its call is"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_CALL, 32, WCTS_DRIVER_INFO, 1, 0, 1, 64},
     "sent garbage: a call of DRIVER_INFO within no call, expected within the one that waits"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_CALL, 32, WCTS_DRIVER_INFO, 1, 2, 1, 64},
     "sent garbage: a call of DRIVER_INFO within another call, expected within the one that "
     "waits"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_CALL, 32, WCTS_DRIVER_INFO, 1, 3, 1, 0x40000000},
     "sent garbage: a call of DRIVER_INFO with room for a reply of 1073741824 bytes, expected "
     "67108832 at most"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_CALL, 32, WCTS_DRIVER_INFO, 1, 3, 7, 64},
     "sent garbage: a call of DRIVER_INFO for no open instance, expected an operation of "
     "another party for an open instance"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_CALL, 32, WCTS_WIRE_OPEN, 1, 3, 1, 64},
     "sent garbage: a call of OPEN for an open instance, expected an operation of another "
     "party for an open instance"},
    {{WCTS_WIRE_MAGIC, 1, WCTS_WIRE_CALL, 32, WCTS_WIRE_BYE, 1, 3, 1, 64}, "closed the connection"},
};

START_TEST(bad_messages_are_named)
{
    struct listener listener, hostile;
    uint8_t bytes[1024];
    size_t at[4];
    listener_init(&listener);
    record(&listener);
    ck_assert_int_eq(find_messages(listener.to_host, listener.to_host_size, at, 4), 4);
    ck_assert_uint_lt(at[2] + 32, sizeof bytes);
    memcpy(bytes, listener.to_host, at[2]);
    memcpy(bytes + at[2], &bad_messages[_i].head, 32);
    listener_init(&hostile);
    hostile.bytes = bytes;
    hostile.size = at[2] + 32;
    struct outcome outcome = converse_with(&hostile);
    ck_assert_int_eq(outcome.loss, WCTS_WIRE_LOST_TARGET);
    ck_assert_str_eq(outcome.why, bad_messages[_i].why);
    listener_release(&listener);
    listener_release(&hostile);
}
END_TEST

/* What a target answers to an operation of the protocol: the number of the message that it sends,
 * its status and its body, and what is said of it. */
static const struct {
    int message;
    int32_t status;
    uint32_t size;
    uint32_t body[3];
    const char *why;
} bad_answers[] = {
    {1, 0, 8, {8, 0}, "sent garbage: a reply of OPEN with a body of 8 bytes, expected none"},
    {-1,
     WCTS_STATUS_INVALID_HANDLE,
     0,
     {0},
     "sent garbage: a reply of CLOSE with the status 0xC0000008, expected success"},
    {-1,
     0,
     4,
     {4},
     "sent garbage: a reply of CLOSE with a body of 4 bytes, size 4 and ends 0, expected none, or "
     "8 "
     "bytes with size 8 and ends 0 or 1"},
    {-1,
     0,
     8,
     {8, 2},
     "sent garbage: a reply of CLOSE with a body of 8 bytes, size 8 and ends 2, expected none, or "
     "8 "
     "bytes with size 8 and ends 0 or 1"},
    {-1,
     0,
     12,
     {8, 1, 0},
     "sent garbage: a reply of CLOSE with a body of 12 bytes, size 8 and ends 1, expected none, or "
     "8 bytes with size 8 and ends 0 or 1"},
    {-1, 0, 8, {8, 1}, ""},
    {-1, 0, 0, {0}, ""},
};

START_TEST(answers_of_the_protocol_are_checked)
{
    struct listener listener, hostile;
    uint8_t bytes[KEPT];
    size_t at[64];
    listener_init(&listener);
    record(&listener);
    int count = find_messages(listener.to_host, listener.to_host_size, at, 64);
    int message = bad_answers[_i].message < 0 ? count - 1 : bad_answers[_i].message;
    struct wcts_wire_head head;
    memcpy(bytes, listener.to_host, at[message]);
    memcpy(&head, listener.to_host + at[message], sizeof head);
    head.answer = (uint32_t)bad_answers[_i].status;
    listener_init(&hostile);
    hostile.bytes = bytes;
    hostile.size = at[message];
    add(bytes, &hostile.size, head, bad_answers[_i].body, bad_answers[_i].size);
    struct outcome outcome = converse_with(&hostile);
    ck_assert_str_eq(outcome.why, bad_answers[_i].why);
    listener_release(&listener);
    listener_release(&hostile);
}
END_TEST

/* A member of the reply to HELLO, at an offset of its body, and what is said of it. */
static const struct {
    size_t at;
    uint32_t value;
    const char *why;
} bad_hellos[] = {
#define HELLO(member, value, why)                                                                  \
    {                                                                                              \
        offsetof(struct wcts_wire_hello_reply, member), value, "the reply to HELLO: " why          \
    }
    HELLO(size, 3, "size is 3, expected 56 to 61"),
    HELLO(size, 62, "size is 62, expected 56 to 61"),
    HELLO(version, 2, "version is 2, expected 1"),
    HELLO(abi_version, 1, "abi_version is 1, expected 2"),
    HELLO(longest, 5, "longest is 5, expected 65536 to 67108864"),
    HELLO(sides, 0, "sides is 0, expected 1 to 3"),
    HELLO(sides, 9, "sides is 9, expected 1 to 3"),
    HELLO(NameLength, 5000, "pName leads out of the message: offset 0x38, 5000 bytes, in 61"),
    HELLO(pVersion, 0xFFFFFFFF,
          "pVersion leads out of the message: offset 0xffffffff, 1 bytes, in 61"),
};

START_TEST(bad_hellos_are_named)
{
    struct listener listener, hostile;
    listener_init(&listener);
    record(&listener);
    memcpy(listener.to_host + 32 + bad_hellos[_i].at, &bad_hellos[_i].value, 4);
    listener_init(&hostile);
    hostile.bytes = listener.to_host;
    hostile.size = listener.to_host_size;
    struct outcome outcome = converse_with(&hostile);
    ck_assert_int_eq(outcome.calls, 0);
    ck_assert_str_eq(outcome.why, bad_hellos[_i].why);
    listener_release(&listener);
    listener_release(&hostile);
}
END_TEST

START_TEST(damaged_calls_harm_no_peer)
{
    struct listener listener;
    static uint8_t damaged[2 * KEPT];
    int ends[WCTS_WIRE_BROKEN + 1] = {0};
    listener_init(&listener);
    record(&listener);
    drawn = 1;
    for (int i = 0; i < DAMAGED; i++) {
        struct memory memory = {.bytes = damaged, .piece = 1 + draw(300)};
        const struct wcts_wire_bytes bytes = {&memory, read_memory, write_memory};
        char why[256] = "";
        memory.size = damage(listener.to_peer, listener.to_peer_size, damaged);
        enum wcts_wire_end end = wcts_wire_peer_run(&bytes, &served, why, sizeof why);
        ck_assert(end == WCTS_WIRE_CLOSED || end == WCTS_WIRE_GARBAGE);
        ck_assert_str_ne(why, "");
        ends[end]++;
    }
    ck_assert_int_gt(ends[WCTS_WIRE_GARBAGE], DAMAGED / 3);
    ck_assert_int_gt(ends[WCTS_WIRE_CLOSED], 0); /* where only content was damaged */
    listener_release(&listener);
}
END_TEST

START_TEST(damaged_replies_harm_no_host)
{
    struct listener listener, hostile;
    static uint8_t damaged[2 * KEPT];
    int lost = 0;
    listener_init(&listener);
    record(&listener);
    listener_init(&hostile);
    drawn = 2;
    for (int i = 0; i < DAMAGED; i++) {
        hostile.bytes = damaged;
        hostile.size = damage(listener.to_host, listener.to_host_size, damaged);
        struct outcome outcome = converse_with(&hostile);
        if (outcome.loss != WCTS_WIRE_LOST_NOTHING || outcome.calls == 0)
            lost++;
        if (outcome.loss != WCTS_WIRE_LOST_NOTHING)
            ck_assert_str_ne(outcome.why, "");
    }
    ck_assert_int_gt(lost, DAMAGED / 3);
    ck_assert_int_lt(lost, DAMAGED);
    listener_release(&listener);
    listener_release(&hostile);
}
END_TEST

START_TEST(noise_is_no_message)
{
    uint8_t noise[512];
    drawn = (uint64_t)_i + 3;
    for (int i = 0; i < 1000; i++) {
        struct memory memory = {.bytes = noise, .size = draw(sizeof noise), .piece = 1 + draw(64)};
        const struct wcts_wire_bytes bytes = {&memory, read_memory, write_memory};
        char why[256] = "";
        for (size_t at = 0; at < memory.size; at++)
            noise[at] = (uint8_t)draw(256);
        enum wcts_wire_end end = wcts_wire_peer_run(&bytes, &served, why, sizeof why);
        ck_assert_int_eq(end, memory.size == 0 ? WCTS_WIRE_CLOSED : WCTS_WIRE_GARBAGE);
        ck_assert_str_ne(why, "");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wire");
    TCase *tests = tcase_create("wire");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, messages_arrive_in_pieces, 1, 70);
    tcase_add_test(tests, a_session_is_held);
    tcase_add_test(tests, an_instance_in_a_call_is_not_closed);
    tcase_add_loop_test(tests, a_last_word_is_heard, 0, 2);
    tcase_add_loop_test(tests, bad_messages_are_named, 0,
                        sizeof bad_messages / sizeof *bad_messages);
    tcase_add_loop_test(tests, answers_of_the_protocol_are_checked, 0,
                        sizeof bad_answers / sizeof *bad_answers);
    tcase_add_loop_test(tests, bad_hellos_are_named, 0, sizeof bad_hellos / sizeof *bad_hellos);
    tcase_add_test(tests, damaged_calls_harm_no_peer);
    tcase_add_test(tests, damaged_replies_harm_no_host);
    tcase_add_loop_test(tests, noise_is_no_message, 0, 3);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
