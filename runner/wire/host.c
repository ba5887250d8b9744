/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/exit.h"
#include "../base/text.h"
#include "talk.h"
#include "target.h"

/* Milliseconds between two attempts to reach a target that is away, and for a program to end. */
#define PAUSE 50
#define LEAVE 1000
/* Room for the reply to HELLO: two texts and a struct. */
#define HELLO_ROOM (2 * WCTS_WIRE_TEXT_MAX + 256)

/* One booted instance: what a wcts_call_fn has as its ctx. */
struct wire_opened {
    struct wcts_wire_host *host;
    const struct wcts_host *party;
    uint32_t number;
    struct wire_opened *next;
};

/*
 * Example in a worker that runs a case of tcp:board:7000: connected, opened = the kernel's
 * instance number 812, talk.id 40961.
 */
struct wcts_wire_host {
    struct wcts_wire_host_options options;
    struct wcts_wire_target target;
    struct wcts_wire_talk talk;
    bool connected;
    bool used; /* True if an instance was closed in this connection */
    bool ends; /* True if the target will end the connection, as it said in CLOSE */
    bool lost;
    bool takes_many; /* True if the target takes ANSWERS */
    uint32_t connections;
    uint32_t last_number;
    struct wire_opened *opened;
    struct wcts_plugin plugin;
    char *name, *version;
};

static wcts_status serve(void *ctx, const struct wcts_wire_head *head, const uint8_t *request,
                         uint32_t size, uint8_t *reply, uint32_t *reply_size);
static wcts_call_fn call;
static void close_opened(void *instance);

/* ---- the end ---- */

static void disconnect(struct wcts_wire_host *host, int milliseconds)
{
    /* Within a call somebody may still read what it holds. */
    if (host->talk.depth == 0)
        wcts_wire_talk_release(&host->talk);
    if (host->connected)
        wcts_wire_target_close(&host->target, milliseconds);
    host->connected = host->used = host->ends = false;
}

/* Why the connection ended, and the wait status of the program. What it said itself goes first. */
static int explain_end(struct wcts_wire_host *host, char *text, size_t room)
{
    const struct wcts_wire_stream *stream = &host->talk.stream;
    bool closed = stream->end == WCTS_WIRE_CLOSED, said = strncmp(stream->why, "closed", 6) != 0;
    int status = -1;
    if (stream->end == WCTS_WIRE_GARBAGE)
        snprintf(text, room, "sent garbage: %s", stream->why);
    else
        snprintf(text, room, "%s", stream->why);
    /* A program that ended in the middle of a message did not mean to send garbage. */
    if (host->target.pid > 0 && (closed || strncmp(stream->why, "ended after", 11) == 0)) {
        status = wcts_wire_target_wait(&host->target);
        if (!said || !closed)
            wcts_exit_text(status, text, room);
    }
    wcts_text_clean(text);
    disconnect(host, 0);
    return status;
}

/* The implementation has gone in the middle of something. */
static void lose(struct wcts_wire_host *host)
{
    char why[240];
    if (host->lost)
        return;
    host->lost = true;
    int status = explain_end(host, why, sizeof why);
    if (host->options.lost)
        host->options.lost(host->options.ctx, WCTS_WIRE_LOST_TARGET, status, why);
}

/* It was there before, and cannot be reached again. A program that does not start is at fault
 * itself. */
static void lose_contact(struct wcts_wire_host *host, const char *why)
{
    bool program = wcts_address_kind(host->options.address) == WCTS_ADDRESS_EXEC;
    host->lost = true;
    if (host->options.lost)
        host->options.lost(host->options.ctx,
                           program ? WCTS_WIRE_LOST_TARGET : WCTS_WIRE_LOST_CONTACT, -1, why);
}

/* ---- HELLO ---- */

/* Of a text without bytes the offset may be any. */
static char *reply_line(const uint8_t *reply, uint64_t at, uint32_t length)
{
    char *copy = strndup(length ? (const char *)reply + at : "", length);
    return copy ? wcts_text_one_line(wcts_text_clean(copy)) : NULL;
}

/* False with what is wrong with a number of the reply to HELLO. */
static bool check_number(const char *name, uint32_t found, uint32_t least, uint32_t most,
                         char *error, size_t room)
{
    if (found >= least && found <= most)
        return true;
    if (least == most)
        snprintf(error, room, "the reply to HELLO: %s is %u, expected %u", name, found, least);
    else
        snprintf(error, room, "the reply to HELLO: %s is %u, expected %u to %u", name, found, least,
                 most);
    return false;
}

static bool check_text(const char *name, uint64_t at, uint32_t length, const uint8_t *reply,
                       uint32_t size, char *error, size_t room)
{
    if (length == 0 ||
        (length <= WCTS_WIRE_TEXT_MAX && wcts_message_at(reply, size, at, length, 1)))
        return true;
    snprintf(error, room,
             "the reply to HELLO: %s leads out of the message: offset 0x%" PRIx64
             ", %u bytes, in %u",
             name, at, length, size);
    return false;
}

static bool check_hello(const struct wcts_wire_hello_reply *out, const uint8_t *reply,
                        uint32_t size, char *error, size_t room)
{
    return check_number("its length", size, sizeof *out, HELLO_ROOM, error, room) &&
           check_number("size", out->size, sizeof *out, size, error, room) &&
           check_number("version", out->version, WCTS_WIRE_VERSION, WCTS_WIRE_VERSION, error,
                        room) &&
           check_number("abi_version", out->abi_version, WCTS_ABI_VERSION, WCTS_ABI_VERSION, error,
                        room) &&
           check_number("longest", out->longest, WCTS_WIRE_LONGEST_LEAST, WCTS_WIRE_LONGEST_MOST,
                        error, room) &&
           check_number("sides", out->sides, WCTS_SIDE_KERNEL, WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER,
                        error, room) &&
           check_text("pName", out->pName, out->NameLength, reply, size, error, room) &&
           check_text("pVersion", out->pVersion, out->VersionLength, reply, size, error, room);
}

static bool take_hello(struct wcts_wire_host *host, const struct wcts_wire_hello_reply *out,
                       const uint8_t *reply)
{
    free(host->name);
    free(host->version);
    host->name = reply_line(reply, out->pName, out->NameLength);
    host->version = reply_line(reply, out->pVersion, out->VersionLength);
    host->connections = out->connections;
    host->takes_many = out->capabilities & WCTS_WIRE_MANY;
    host->talk.stream.longest_sent = out->longest;
    host->plugin = (struct wcts_plugin){.size = sizeof host->plugin,
                                        .abi_version = WCTS_ABI_VERSION,
                                        .sides = out->sides,
                                        .name = host->name,
                                        .version = host->version,
                                        .call = call,
                                        .close = close_opened};
    return host->name && host->version;
}

/* Agrees with the target on how to speak. False with what was found. */
static bool say_hello(struct wcts_wire_host *host, char *error, size_t room)
{
    const struct wcts_wire_hello in = {.size = sizeof in,
                                       .first_version = WCTS_WIRE_VERSION,
                                       .last_version = WCTS_WIRE_VERSION,
                                       .abi_version = WCTS_ABI_VERSION,
                                       .capabilities =
                                           WCTS_WIRE_REASONS | WCTS_WIRE_BYES | WCTS_WIRE_MANY,
                                       .longest = WCTS_WIRE_LONGEST_MOST};
    uint64_t reply[HELLO_ROOM / 8] = {0};
    const struct wcts_wire_asking asking = {.operation = WCTS_WIRE_HELLO,
                                            .request = &in,
                                            .request_size = sizeof in,
                                            .reply = reply,
                                            .room = sizeof reply};
    struct wcts_wire_hello_reply out;
    wcts_status status;
    uint32_t size;
    if (!wcts_wire_talk_ask(&host->talk, &asking, &status, &size)) {
        explain_end(host, error, room);
        return false;
    }
    memcpy(&out, reply, sizeof out);
    if (!wcts_succeeded(status))
        snprintf(error, room, "HELLO was refused with 0x%08X%s%s", (unsigned)status,
                 host->talk.reason[0] ? ": " : "", host->talk.reason);
    else if (check_hello(&out, (const uint8_t *)reply, size, error, room)) {
        if (take_hello(host, &out, (const uint8_t *)reply))
            return true;
        snprintf(error, room, "no memory");
    }
    disconnect(host, LEAVE);
    return false;
}

/* ---- connecting ---- */

static enum wcts_wire_reached try_connect(struct wcts_wire_host *host, char *const *words,
                                          char *error, size_t room)
{
    enum wcts_address_kind kind = wcts_address_kind(host->options.address);
    enum wcts_wire_reached reached = wcts_wire_target_open(&host->target, kind, words, error, room);
    if (reached != WCTS_WIRE_REACHED)
        return reached;
    const struct wcts_wire_bytes bytes = wcts_wire_files_bytes(&host->target.files);
    wcts_wire_talk_init(&host->talk, &bytes, serve, host);
    host->talk.stream.partly = host->options.partly;
    host->talk.stream.partly_ctx = host->options.ctx;
    host->connected = true;
    if (say_hello(host, error, room))
        return WCTS_WIRE_REACHED;
    /* What stands between may accept a connection long before the target does. */
    return kind == WCTS_ADDRESS_EXEC || host->talk.stream.end != WCTS_WIRE_CLOSED
               ? WCTS_WIRE_NEVER
               : WCTS_WIRE_NOT_YET;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Connects, waiting for a target that is away. */
static bool connect_patiently(struct wcts_wire_host *host, char *error, size_t room)
{
    const struct timespec pause = {.tv_nsec = PAUSE * 1000000L};
    char **words = wcts_address_words(host->options.address, error, room);
    double since = now();
    bool waits = false;
    enum wcts_wire_reached reached = WCTS_WIRE_NEVER;
    while (words) {
        reached = try_connect(host, words, error, room);
        if (reached != WCTS_WIRE_NOT_YET || now() - since >= host->options.patience)
            break;
        if (!waits && host->options.waits)
            host->options.waits(host->options.ctx, true);
        waits = true;
        nanosleep(&pause, NULL);
    }
    if (waits && host->options.waits)
        host->options.waits(host->options.ctx, false);
    free(words);
    if (waits && reached == WCTS_WIRE_NOT_YET) {
        size_t used = strlen(error);
        snprintf(error + used, room - used, ", for %g s", host->options.patience);
    }
    return reached == WCTS_WIRE_REACHED;
}

const struct wcts_plugin *wcts_wire_host_plugin(struct wcts_wire_host *host, char *error,
                                                size_t room)
{
    if (host->connected || connect_patiently(host, error, room))
        return &host->plugin;
    if (host->options.patience > 0)
        lose_contact(host, error);
    return NULL;
}

uint32_t wcts_wire_host_connections(const struct wcts_wire_host *host)
{
    return host->connections;
}

bool wcts_wire_host_takes_many(const struct wcts_wire_host *host)
{
    return host->takes_many;
}

/* ---- calls ---- */

static void explain_status(const struct wcts_wire_host *host, const struct wcts_host *party,
                           uint32_t operation, const char *reason)
{
    if (host->options.explain && reason[0])
        host->options.explain(
            party, operation == WCTS_WIRE_OPEN ? "open" : wcts_operation_name(operation), reason);
}

/* False, with the end of the stream, if there is no reply. */
static bool try_ask(struct wire_opened *one, const struct wcts_wire_asking *asking,
                    wcts_status *status, uint32_t *reply_size)
{
    struct wcts_wire_host *host = one->host;
    *status = WCTS_STATUS_DEVICE_REMOVED;
    *reply_size = 0;
    if (host->lost || !host->connected ||
        !wcts_wire_talk_ask(&host->talk, asking, status, reply_size))
        return false;
    explain_status(host, one->party, asking->operation, host->talk.reason);
    return true;
}

static bool ask(struct wire_opened *one, const struct wcts_wire_asking *asking, wcts_status *status,
                uint32_t *reply_size)
{
    bool answered = try_ask(one, asking, status, reply_size);
    if (!answered)
        lose(one->host);
    return answered;
}

/* wcts_plugin.call */
static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t reply_room,
                        uint32_t *reply_size)
{
    struct wire_opened *one = instance;
    const struct wcts_wire_asking asking = {.operation = operation,
                                            .instance = one->number,
                                            .request = request,
                                            .request_size = request_size,
                                            .reply = reply,
                                            .room = reply_room};
    wcts_status status;
    ask(one, &asking, &status, reply_size);
    return status;
}

/* What the target asks during a call. */
static wcts_status serve(void *ctx, const struct wcts_wire_head *head, const uint8_t *request,
                         uint32_t size, uint8_t *reply, uint32_t *reply_size)
{
    struct wcts_wire_host *host = ctx;
    const struct wire_opened *one = host->opened;
    wcts_status status;
    char text[WCTS_WIRE_NAME_ROOM];
    while (one && one->number != head->instance)
        one = one->next;
    if (!one || head->operation < WCTS_WIRE_OPERATIONS_END) {
        wcts_wire_stream_fail(&host->talk.stream, WCTS_WIRE_GARBAGE,
                              "a call of %s for %s, expected an operation of another "
                              "party for an open instance",
                              wcts_wire_operation_text(head->operation, text),
                              one ? "an open instance" : "no open instance");
        return WCTS_STATUS_INVALID_PARAMETER;
    }
    memset(reply, 0, head->answer);
    status = one->party->call(one->party->ctx, head->operation, request, size, reply, head->answer,
                              reply_size);
    if (!wcts_succeeded(status))
        *reply_size = 0;
    return status;
}

/* ---- instances ---- */

static void forget(struct wire_opened *one)
{
    struct wire_opened **link = &one->host->opened;
    while (*link && *link != one)
        link = &(*link)->next;
    if (*link)
        *link = one->next;
    free(one);
}

/* Between two cases a target may end the connection, or what was started may end: it is started
 * again, or waited for. */
static bool ensure_connected(struct wcts_wire_host *host)
{
    char error[400] = "";
    if (host->connected && !host->opened &&
        (host->ends || (host->talk.stream.size == 0 && wcts_wire_target_has_ended(&host->target))))
        disconnect(host, LEAVE);
    if (host->connected)
        return true;
    if (connect_patiently(host, error, sizeof error))
        return true;
    lose_contact(host, error);
    return false;
}

static struct wire_opened *add_opened(struct wcts_wire_host *host, const struct wcts_host *party)
{
    struct wire_opened *one = calloc(1, sizeof *one);
    if (!one)
        return NULL;
    host->last_number = host->last_number == UINT32_MAX ? 1 : host->last_number + 1;
    *one = (struct wire_opened){
        .host = host, .party = party, .number = host->last_number, .next = host->opened};
    host->opened = one;
    return one;
}

/* True if the connection has ended before anything was said of the first instance since the last
 * one was closed: the target ended it then, and that arrived late. */
static bool ended_before(const struct wcts_wire_host *host, uint64_t received)
{
    const struct wcts_wire_stream *stream = &host->talk.stream;
    return host->used && host->target.kind != WCTS_ADDRESS_EXEC && !host->opened->next &&
           stream->end == WCTS_WIRE_CLOSED && stream->received == received;
}

static void check_opened(struct wcts_wire_host *host, wcts_status status, uint32_t size)
{
    if (!wcts_succeeded(status) || size == 0)
        return;
    wcts_wire_stream_fail(&host->talk.stream, WCTS_WIRE_GARBAGE,
                          "a reply of OPEN with a body of %u bytes, expected none", size);
    lose(host);
}

static wcts_status ask_to_open(struct wire_opened *one, const struct wcts_wire_asking *asking)
{
    struct wcts_wire_host *host = one->host;
    uint64_t received = host->talk.stream.received;
    wcts_status status;
    uint32_t size;
    if (try_ask(one, asking, &status, &size)) {
        check_opened(host, status, size);
        return status;
    }
    if (!ended_before(host, received)) {
        lose(host);
        return status;
    }
    disconnect(host, 0);
    if (ensure_connected(host) && ask(one, asking, &status, &size))
        check_opened(host, status, size);
    return status;
}

void *wcts_wire_host_open(struct wcts_wire_host *host, const struct wcts_host *party, uint32_t side)
{
    size_t length = strlen(party->options);
    struct wcts_wire_open in = {.size = sizeof in,
                                .side = side,
                                .interface_version = party->interface_version,
                                .page_size = party->page_size,
                                .pOptions = sizeof in,
                                .OptionsLength = (uint32_t)length};
    char *request = length <= WCTS_WIRE_TEXT_MAX ? malloc(sizeof in + length) : NULL;
    struct wire_opened *one =
        request && !host->lost && ensure_connected(host) ? add_opened(host, party) : NULL;
    if (length > WCTS_WIRE_TEXT_MAX)
        explain_status(host, party, WCTS_WIRE_OPEN, "the options are longer than 4096 bytes");
    if (one) {
        memcpy(request, &in, sizeof in);
        memcpy(request + sizeof in, party->options, length);
        uint64_t room[64];
        const struct wcts_wire_asking asking = {.operation = WCTS_WIRE_OPEN,
                                                .instance = one->number,
                                                .request = request,
                                                .request_size = (uint32_t)(sizeof in + length),
                                                .reply = room,
                                                .room = sizeof room};
        if (!wcts_succeeded(ask_to_open(one, &asking))) {
            forget(one);
            one = NULL;
        }
    }
    free(request);
    return one;
}

/* An instance ends whatever the target thinks of it. */
static bool check_closed(struct wcts_wire_host *host, wcts_status status, uint32_t size,
                         const struct wcts_wire_close_reply *reply)
{
    struct wcts_wire_stream *stream = &host->talk.stream;
    if (!wcts_succeeded(status))
        return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                     "a reply of CLOSE with the status 0x%08X, expected success",
                                     (unsigned)status);
    if (size == 0 || (size == sizeof *reply && reply->size == size && reply->ends <= 1))
        return true;
    return wcts_wire_stream_fail(stream, WCTS_WIRE_GARBAGE,
                                 "a reply of CLOSE with a body of %u bytes, size %u and ends %u, "
                                 "expected none, or 8 bytes with size 8 and ends 0 or 1",
                                 size, reply->size, reply->ends);
}

/* wcts_plugin.close */
static void close_opened(void *instance)
{
    struct wire_opened *one = instance;
    struct wcts_wire_host *host = one->host;
    struct wcts_wire_close_reply reply = {0};
    const struct wcts_wire_asking asking = {.operation = WCTS_WIRE_CLOSE,
                                            .instance = one->number,
                                            .reply = &reply,
                                            .room = sizeof reply};
    uint32_t size;
    wcts_status status;
    if (ask(one, &asking, &status, &size)) {
        if (check_closed(host, status, size, &reply)) {
            host->used = true;
            host->ends = host->ends || reply.ends == 1;
        } else
            lose(host);
    }
    forget(one);
}

/* ---- the host ---- */

struct wcts_wire_host *wcts_wire_host_new(const struct wcts_wire_host_options *options)
{
    struct wcts_wire_host *host = calloc(1, sizeof *host);
    if (host)
        host->options = *options;
    return host;
}

void wcts_wire_host_free(struct wcts_wire_host *host)
{
    if (!host)
        return;
    for (struct wire_opened *one = host->opened, *next; one; one = next) {
        next = one->next;
        free(one);
    }
    host->talk.depth = 0;
    disconnect(host, LEAVE);
    free(host->name);
    free(host->version);
    free(host);
}
