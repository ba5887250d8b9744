/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

#include "answers.h"

/* Instances at a time: a host needs two. */
#define INSTANCES_MAX 64

struct wire_peer;

/* One booted instance of the plug-in. */
struct wire_instance {
    struct wire_peer *peer;
    uint32_t number; /* 0: this place is free */
    bool busy;       /* True during a call of it: the host may not call it again meanwhile */
    void *instance;
    struct wcts_host host;
    char *options;
    struct wcts_wire_answering *answering; /* during ANSWERS, else NULL */
};

/* The state of a connection. version 0: HELLO has not come yet. */
struct wire_peer {
    struct wcts_wire_talk talk;
    const struct wcts_wire_peer_options *options;
    bool greeted;
    bool reasons; /* True if the host takes them */
    struct wire_instance instances[INSTANCES_MAX];
};

const char *wcts_wire_peer_flaw(const struct wcts_plugin *plugin)
{
    if (!plugin)
        return WCTS_PLUGIN_SYMBOL "() returned NULL, expected a plug-in table";
    if (plugin->abi_version != WCTS_ABI_VERSION)
        return "it was built with another ABI version of wddm-cts.h";
    if (plugin->size < sizeof *plugin)
        return "its plug-in table is too short";
    if (!plugin->open || !plugin->call || !plugin->close || !plugin->name || !plugin->version)
        return "name, version, open, call or close is NULL";
    if (!(plugin->sides & (WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER)))
        return "sides is 0, expected kernel (1), driver (2) or both";
    return NULL;
}

/* ---- questions of the plug-in ---- */

/* wcts_host.call. After the end of the connection everything fails: the plug-in returns. */
static wcts_status ask_host(void *ctx, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    struct wire_instance *one = ctx;
    const struct wcts_wire_asking asking = {.operation = operation,
                                            .instance = one->number,
                                            .request = request,
                                            .request_size = request_size,
                                            .reply = reply,
                                            .room = reply_room};
    uint32_t ignored = 0, *size = reply_size ? reply_size : &ignored;
    wcts_status status;
    if (one->answering && wcts_wire_answering_give(one->answering, operation, request, request_size,
                                                   reply, reply_room, size, &status))
        return status;
    wcts_wire_talk_ask(&one->peer->talk, &asking, &status, size);
    return status;
}

/* ---- the protocol's own operations ---- */

/* What a call of the host gives and takes. */
struct wire_call {
    const struct wcts_wire_head *head;
    const uint8_t *request;
    uint32_t size;
    uint8_t *reply;
    uint32_t *reply_size;
};

/* The failing status, with its reason if the host takes one and has room. */
static wcts_status refuse_call(const struct wire_peer *peer, const struct wire_call *call,
                               wcts_status status, const char *reason)
{
    size_t size = strlen(reason);
    *call->reply_size = 0;
    if (peer->reasons && size <= call->head->answer) {
        memcpy(call->reply, reason, size);
        *call->reply_size = (uint32_t)size;
    }
    return status;
}

static uint32_t length_of(const char *text)
{
    size_t size = strlen(text);
    return (uint32_t)(size < WCTS_WIRE_TEXT_MAX ? size : WCTS_WIRE_TEXT_MAX);
}

static wcts_status greet(struct wire_peer *peer, const struct wire_call *call)
{
    const struct wcts_plugin *plugin = peer->options->plugin;
    struct wcts_wire_hello in;
    struct wcts_wire_hello_reply out = {.size = sizeof out,
                                        .version = WCTS_WIRE_VERSION,
                                        .abi_version = WCTS_ABI_VERSION,
                                        .capabilities =
                                            WCTS_WIRE_REASONS | WCTS_WIRE_BYES | WCTS_WIRE_MANY,
                                        .longest = WCTS_WIRE_LONGEST_MOST,
                                        .connections = peer->options->connections,
                                        .sides = plugin->sides,
                                        .NameLength = length_of(plugin->name),
                                        .VersionLength = length_of(plugin->version)};
    if (call->size < sizeof in)
        return refuse_call(peer, call, WCTS_STATUS_INVALID_PARAMETER, "HELLO is too short");
    memcpy(&in, call->request, sizeof in);
    peer->reasons = in.capabilities & WCTS_WIRE_REASONS;
    if (in.first_version > WCTS_WIRE_VERSION || in.last_version < WCTS_WIRE_VERSION)
        return refuse_call(peer, call, WCTS_STATUS_NOT_SUPPORTED,
                           "this peer has version 1 of the protocol, and the host has not");
    if (in.abi_version != WCTS_ABI_VERSION)
        return refuse_call(peer, call, WCTS_STATUS_NOT_SUPPORTED,
                           "this peer was built with another ABI version of wddm-cts.h");
    if (in.longest < WCTS_WIRE_LONGEST_LEAST || in.longest > WCTS_WIRE_LONGEST_MOST)
        return refuse_call(peer, call, WCTS_STATUS_INVALID_PARAMETER,
                           "HELLO: longest is out of its range");
    out.pName = sizeof out;
    out.pVersion = sizeof out + out.NameLength;
    *call->reply_size = (uint32_t)sizeof out + out.NameLength + out.VersionLength;
    if (*call->reply_size > call->head->answer)
        return refuse_call(peer, call, WCTS_STATUS_BUFFER_TOO_SMALL,
                           "HELLO: no room for the reply");
    memcpy(call->reply, &out, sizeof out);
    memcpy(call->reply + out.pName, plugin->name, out.NameLength);
    memcpy(call->reply + out.pVersion, plugin->version, out.VersionLength);
    peer->talk.stream.longest_sent = in.longest;
    peer->greeted = true;
    return WCTS_STATUS_SUCCESS;
}

static struct wire_instance *find_instance(struct wire_peer *peer, uint32_t number)
{
    for (int i = 0; i < INSTANCES_MAX; i++)
        if (peer->instances[i].number == number)
            return &peer->instances[i];
    return NULL;
}

static void end_instance(const struct wire_peer *peer, struct wire_instance *one)
{
    if (one->instance)
        peer->options->plugin->close(one->instance);
    free(one->options);
    *one = (struct wire_instance){0};
}

/* Both texts, with a comma between them where both say something; the caller frees it. */
static char *join_options(const char *own, const uint8_t *text, uint32_t length)
{
    size_t before = strlen(own), comma = before > 0 && length > 0;
    char *joined = malloc(before + comma + length + 1);
    if (!joined)
        return NULL;
    memcpy(joined, own, before);
    if (comma)
        joined[before] = ',';
    if (length > 0)
        memcpy(joined + before + comma, text, length);
    joined[before + comma + length] = '\0';
    return joined;
}

static wcts_status peer_open(struct wire_peer *peer, const struct wire_call *call)
{
    struct wcts_wire_open in;
    struct wire_instance *one = find_instance(peer, 0);
    const uint8_t *text;
    if (call->size < sizeof in)
        return refuse_call(peer, call, WCTS_STATUS_INVALID_PARAMETER, "OPEN is too short");
    memcpy(&in, call->request, sizeof in);
    text = wcts_message_at(call->request, call->size, in.pOptions, in.OptionsLength, 1);
    if (in.OptionsLength > 0 && (!text || in.OptionsLength > WCTS_WIRE_TEXT_MAX))
        return refuse_call(peer, call, WCTS_STATUS_INVALID_PARAMETER,
                           "OPEN: pOptions leads out of the message, or is too long");
    if (call->head->instance == 0 || find_instance(peer, call->head->instance))
        return refuse_call(peer, call, WCTS_STATUS_INVALID_PARAMETER,
                           "OPEN: the instance is 0, or open already");
    if (!one)
        return refuse_call(peer, call, WCTS_STATUS_INSUFFICIENT_RESOURCES, "too many instances");
    *one = (struct wire_instance){.peer = peer,
                                  .number = call->head->instance,
                                  .host = {.size = sizeof one->host,
                                           .abi_version = WCTS_ABI_VERSION,
                                           .interface_version = in.interface_version,
                                           .page_size = in.page_size,
                                           .ctx = one,
                                           .call = ask_host}};
    one->options = join_options(peer->options->options, text, in.OptionsLength);
    one->host.options = one->options;
    if (one->options)
        one->instance = peer->options->plugin->open(&one->host, in.side);
    if (one->instance)
        return WCTS_STATUS_SUCCESS;
    end_instance(peer, one);
    return WCTS_STATUS_NOT_SUPPORTED; /* the plug-in has logged why */
}

/* ---- serving ---- */

static wcts_status call_plugin(const struct wire_peer *peer, struct wire_instance *one,
                               const struct wire_call *call)
{
    wcts_call_fn *answer = peer->options->call;
    wcts_status status;
    if (!answer) {
        answer = peer->options->plugin->call;
        memset(call->reply, 0, call->head->answer);
    }
    one->busy = true;
    status = answer(one->instance, call->head->operation, call->request, call->size, call->reply,
                    call->head->answer, call->reply_size);
    one->busy = false;
    if (!wcts_succeeded(status))
        *call->reply_size = 0; /* no text */
    return status;
}

/* As a plug-in's call without a room of its own would be: the reply is zeroed before. */
static wcts_status answer_many(const struct wire_peer *peer, struct wire_instance *one,
                               const struct wire_call *call)
{
    const struct wcts_wire_peer_options *options = peer->options;
    struct wcts_wire_answering answering;
    wcts_status status;
    if (!wcts_wire_answering_init(&answering, call->request, call->size))
        return refuse_call(peer, call, WCTS_STATUS_INVALID_PARAMETER, "ANSWERS breaks a rule");
    if (call->head->answer < WCTS_SWEEP_ROOM)
        return refuse_call(peer, call, WCTS_STATUS_BUFFER_TOO_SMALL,
                           "ANSWERS: no room for the reply");
    one->busy = true;
    one->answering = &answering;
    memset(call->reply, 0, WCTS_SWEEP_ROOM);
    status =
        wcts_wire_answering_run(&answering, options->call ? options->call : options->plugin->call,
                                one->instance, call->reply, call->reply_size);
    one->answering = NULL;
    one->busy = false;
    return status;
}

static wcts_status serve_host(void *ctx, const struct wcts_wire_head *head, const uint8_t *request,
                              uint32_t size, uint8_t *reply, uint32_t *reply_size)
{
    struct wire_peer *peer = ctx;
    const struct wire_call call = {head, request, size, reply, reply_size};
    struct wire_instance *one = head->instance ? find_instance(peer, head->instance) : NULL;
    if (head->operation == WCTS_WIRE_HELLO && !peer->greeted)
        return greet(peer, &call);
    if (!peer->greeted) {
        wcts_wire_stream_fail(&peer->talk.stream, WCTS_WIRE_GARBAGE,
                              "operation 0x%X, expected HELLO (1)", head->operation);
        return WCTS_STATUS_INVALID_PARAMETER;
    }
    if (head->operation == WCTS_WIRE_OPEN)
        return peer_open(peer, &call);
    bool many = head->operation == WCTS_WIRE_ANSWERS;
    if (!many && head->operation != WCTS_WIRE_CLOSE && head->operation < WCTS_WIRE_OPERATIONS_END)
        return WCTS_STATUS_NOT_IMPLEMENTED; /* of a later version */
    if (!one || !one->instance)
        return refuse_call(peer, &call, WCTS_STATUS_INVALID_HANDLE, "there is no such instance");
    if (one->busy)
        return refuse_call(peer, &call, WCTS_STATUS_INVALID_HANDLE, "the instance is in a call");
    if (many)
        return answer_many(peer, one, &call);
    if (head->operation != WCTS_WIRE_CLOSE)
        return call_plugin(peer, one, &call);
    end_instance(peer, one);
    return WCTS_STATUS_SUCCESS;
}

enum wcts_wire_end wcts_wire_peer_run(const struct wcts_wire_bytes *bytes,
                                      const struct wcts_wire_peer_options *options, char *why,
                                      size_t room)
{
    struct wire_peer *peer = calloc(1, sizeof *peer);
    enum wcts_wire_end end;
    if (!peer) {
        snprintf(why, room, "no memory");
        return WCTS_WIRE_BROKEN;
    }
    peer->options = options;
    wcts_wire_talk_init(&peer->talk, bytes, serve_host, peer);
    while (wcts_wire_talk_serve(&peer->talk))
        continue;
    for (int i = 0; i < INSTANCES_MAX; i++)
        end_instance(peer, &peer->instances[i]);
    end = peer->talk.stream.end;
    snprintf(why, room, "%s", peer->talk.stream.why);
    wcts_wire_talk_release(&peer->talk);
    free(peer);
    return end;
}

void wcts_wire_peer_bye(const struct wcts_wire_bytes *bytes, const char *reason)
{
    struct wcts_wire_head head = {
        .kind = WCTS_WIRE_CALL, .operation = WCTS_WIRE_BYE, .id = UINT32_MAX};
    struct wcts_wire_stream stream;
    wcts_wire_stream_init(&stream, bytes);
    wcts_wire_stream_send(&stream, &head, reason, strlen(reason));
    wcts_wire_stream_release(&stream);
}
