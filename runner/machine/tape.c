/* SPDX-License-Identifier: MIT */
#include "tape.h"

#include <stdlib.h>
#include <string.h>

#include "session.h"

struct wcts_tape {
    struct wcts_plugin table; /* what the session calls */
    const struct wcts_plugin *plugin;
    void *instance;
    struct wcts_host host;         /* what the implementation calls */
    const struct wcts_host *outer; /* the session's */
    struct wcts_strip strip;
    struct wcts_packer *packer;
    bool on;
};

static void put_event(struct wcts_tape *tape, enum wcts_tape_event event)
{
    if (tape->on)
        wcts_exchange_strip_put_byte(&tape->strip, (uint8_t)event);
}

static void tape_put_number(struct wcts_tape *tape, uint64_t number)
{
    if (tape->on)
        wcts_exchange_strip_put_number(&tape->strip, number);
}

/* The first kept bytes of the hash. */
static void put_hash(struct wcts_tape *tape, uint64_t state, const void *bytes, size_t size,
                     size_t kept)
{
    uint64_t hash;
    if (!tape->on)
        return;
    hash = wcts_exchange_strip_hash(state, bytes, size);
    wcts_exchange_strip_put_bytes(&tape->strip, &hash, kept);
}

/* ---- Between session and implementation ---- */

void wcts_tape_expect(struct wcts_strip *strip, uint32_t operation, wcts_status status,
                      const void *reply, size_t size)
{
    const size_t head = sizeof(struct wcts_machine_memory_reply);
    if (operation == WCTS_MACHINE_READ && wcts_succeeded(status) && size > head)
        wcts_exchange_strip_expect(strip, WCTS_MACHINE_WRITE,
                                   sizeof(struct wcts_machine_memory_request),
                                   (const uint8_t *)reply + head, size - head);
}

/* wcts_host.call of the implementation. */
static wcts_status tape_call_out(void *ctx, uint32_t operation, const void *request,
                                 uint32_t request_size, void *reply, uint32_t reply_room,
                                 uint32_t *reply_size)
{
    struct wcts_tape *tape = ctx;
    uint32_t size = 0, there;
    wcts_status status;
    put_event(tape, WCTS_TAPE_OUT);
    tape_put_number(tape, operation);
    tape_put_number(tape, reply_room);
    if (tape->on)
        wcts_exchange_strip_put_message(&tape->strip, operation, request, request_size);
    status = tape->outer->call(tape->outer->ctx, operation, request, request_size, reply,
                               reply_room, &size);
    put_event(tape, WCTS_TAPE_BACK);
    there = size < reply_room ? size : reply_room;
    put_hash(tape, (uint32_t)status, reply, there, WCTS_TAPE_BACK_HASH);
    if (tape->on)
        wcts_tape_expect(&tape->strip, operation, status, reply, there);
    if (reply_size)
        *reply_size = size;
    return status;
}

static wcts_status tape_call_in(void *ctx, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct wcts_tape *tape = ctx;
    wcts_status status;
    put_event(tape, WCTS_TAPE_CALL);
    tape_put_number(tape, operation);
    put_hash(tape, 0, request, request_size, sizeof(uint64_t));
    status = tape->plugin->call(tape->instance, operation, request, request_size, reply, reply_room,
                                reply_size);
    put_event(tape, WCTS_TAPE_ANSWER);
    tape_put_number(tape, (uint32_t)status);
    tape_put_number(tape, *reply_size);
    if (tape->on && wcts_succeeded(status))
        wcts_exchange_strip_put_message(&tape->strip, operation, reply,
                                        *reply_size < reply_room ? *reply_size : reply_room);
    return status;
}

/* The table has no context of its own: the host's session has the tape. */
static void *tape_open_side(const struct wcts_host *host, uint32_t side)
{
    struct wcts_tape *tape = ((struct wcts_session *)host->ctx)->tape;
    tape->outer = host;
    tape->host = *host;
    tape->host.ctx = tape;
    tape->host.call = tape_call_out;
    put_event(tape, WCTS_TAPE_OPEN);
    tape_put_number(tape, side);
    tape_put_number(tape, host->interface_version);
    tape_put_number(tape, host->page_size);
    tape->instance = tape->plugin->open(&tape->host, side);
    put_event(tape, WCTS_TAPE_OPENED);
    tape_put_number(tape, tape->instance != NULL);
    return tape->instance ? tape : NULL;
}

static void tape_close_side(void *instance)
{
    struct wcts_tape *tape = instance;
    put_event(tape, WCTS_TAPE_CLOSE);
    tape->plugin->close(tape->instance);
    put_event(tape, WCTS_TAPE_CLOSED);
    tape->instance = NULL;
}

/* ---- Tapes ---- */

struct wcts_tape *wcts_tape_new(const struct wcts_plugin *plugin)
{
    struct wcts_tape *tape = calloc(1, sizeof *tape);
    if (!tape)
        return NULL;
    tape->plugin = plugin;
    tape->table = (struct wcts_plugin){.size = sizeof tape->table,
                                       .abi_version = WCTS_ABI_VERSION,
                                       .sides = plugin->sides,
                                       .name = plugin->name,
                                       .version = plugin->version,
                                       .open = tape_open_side,
                                       .call = tape_call_in,
                                       .close = tape_close_side};
    tape->strip.limit = WCTS_TAPE_MAX;
    tape->packer = wcts_exchange_packer_new();
    return tape;
}

void wcts_tape_free(struct wcts_tape *tape)
{
    if (!tape)
        return;
    wcts_exchange_strip_release(&tape->strip);
    wcts_exchange_packer_free(tape->packer);
    free(tape);
}

const struct wcts_plugin *wcts_tape_plugin(const struct wcts_tape *tape)
{
    return &tape->table;
}

static void put_text(struct wcts_tape *tape, const char *text)
{
    size_t length = strnlen(text, WCTS_TAPE_NAME_MAX);
    tape_put_number(tape, length);
    wcts_exchange_strip_put_bytes(&tape->strip, text, length);
}

void wcts_tape_begin(struct wcts_tape *tape, const struct wcts_claims *claims)
{
    wcts_exchange_strip_clear(&tape->strip);
    tape->on = true;
    if (claims) {
        put_hash(tape, 0, claims, offsetof(struct wcts_claims, remarks), sizeof(uint64_t));
        return;
    }
    put_text(tape, tape->table.name);
    put_text(tape, tape->table.version);
    tape_put_number(tape, tape->table.sides);
}

void wcts_tape_end(struct wcts_tape *tape, struct wcts_tape_record *record)
{
    *record = (struct wcts_tape_record){.kept = WCTS_TAPE_CUT};
    tape->on = false;
    if (tape->strip.full)
        return;
    record->raw = tape->strip.size;
    record->bytes = wcts_exchange_strip_pack(&tape->strip, tape->packer, &record->size);
    record->kept = record->bytes ? WCTS_TAPE_KEPT : WCTS_TAPE_CUT;
}

void wcts_tape_pause(struct wcts_tape *tape)
{
    tape->on = false;
}

void wcts_tape_resume(struct wcts_tape *tape, bool fails)
{
    tape->on = true;
    put_event(tape, fails ? WCTS_TAPE_FAILS : WCTS_TAPE_HOLDS);
}
