/* SPDX-License-Identifier: MIT */
/* Playing tapes: a plug-in that repeats what an implementation did. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "tape.h"

/* Calls within calls; a forged tape must not exhaust the stack. */
#define DEPTH_MAX 200

struct wcts_player {
    struct wcts_plugin table;
    char *name, *version;
    struct wcts_strip strip;
    const struct wcts_host *host;
    int depth;
    char fault[160]; /* "": none */
};

static void play_fault(struct wcts_player *player, const char *what)
{
    if (player->fault[0] == '\0')
        snprintf(player->fault, sizeof player->fault, "%s", what);
}

static bool failed(struct wcts_player *player)
{
    if (player->strip.wrong)
        play_fault(player, "the record ends early, or cannot be read");
    return player->fault[0] != '\0';
}

/* ---- What the implementation did ---- */

/* Makes a call of the implementation, and checks that the reply is the recorded one. */
static void play_call_out(struct wcts_player *player)
{
    uint32_t operation = (uint32_t)wcts_exchange_strip_number(&player->strip), size = 0;
    uint64_t room = wcts_exchange_strip_number(&player->strip), hash;
    size_t request_size = 0;
    uint8_t *request = wcts_exchange_strip_message(&player->strip, operation, &request_size);
    uint8_t *reply = room <= WCTS_TAPE_ROOM_MAX ? calloc(1, room + 8) : NULL;
    const uint8_t *there;
    wcts_status status;
    if (room > WCTS_TAPE_ROOM_MAX || player->depth >= DEPTH_MAX)
        play_fault(player, "the record holds a call that cannot be made");
    if (request && reply && !failed(player)) {
        player->depth++;
        status = player->host->call(player->host->ctx, operation, request, (uint32_t)request_size,
                                    reply, (uint32_t)room, &size);
        player->depth--;
        size = size < room ? size : (uint32_t)room;
        hash = wcts_exchange_strip_hash((uint32_t)status, reply, size);
        if (!failed(player) && wcts_exchange_strip_byte(&player->strip) != WCTS_TAPE_BACK)
            play_fault(player, "a call of the implementation is not answered in the record");
        there =
            failed(player) ? NULL : wcts_exchange_strip_bytes(&player->strip, WCTS_TAPE_BACK_HASH);
        if (there && memcmp(there, &hash, WCTS_TAPE_BACK_HASH) != 0)
            play_fault(player, "the implementation was answered something else");
        wcts_tape_expect(&player->strip, operation, status, reply, size);
    } else {
        play_fault(player, "the record ends early, or cannot be read");
    }
    free(request);
    free(reply);
}

/* Makes the calls up to the event that ends the current one. */
static bool play_until(struct wcts_player *player, enum wcts_tape_event end)
{
    while (!failed(player)) {
        uint8_t event = wcts_exchange_strip_byte(&player->strip);
        if (failed(player))
            return false;
        if (event == end)
            return true;
        if (event == WCTS_TAPE_OUT)
            play_call_out(player);
        else
            play_fault(player, "the record does not go on as the case does");
    }
    return false;
}

/* True if the record continues with that event. */
static bool begins(struct wcts_player *player, enum wcts_tape_event event)
{
    if (!failed(player) && wcts_exchange_strip_byte(&player->strip) != (uint8_t)event)
        play_fault(player, "the record does not go on as the case does");
    return !failed(player);
}

/* ---- The plug-in ---- */

static void *play_open_side(const struct wcts_host *host, uint32_t side)
{
    struct wcts_player *player = ((struct wcts_session *)host->ctx)->options.player;
    player->host = host;
    if (!begins(player, WCTS_TAPE_OPEN))
        return NULL;
    if (wcts_exchange_strip_number(&player->strip) != side ||
        wcts_exchange_strip_number(&player->strip) != host->interface_version ||
        wcts_exchange_strip_number(&player->strip) != host->page_size)
        play_fault(player, "the record is of another side, version or page size");
    if (!play_until(player, WCTS_TAPE_OPENED))
        return NULL;
    return wcts_exchange_strip_number(&player->strip) != 0 && !failed(player) ? player : NULL;
}

/* Copies the reply from the record; false if it does not fit. */
static bool take_reply(struct wcts_player *player, uint32_t operation, uint64_t answered,
                       void *reply, uint32_t room)
{
    size_t size = 0;
    uint8_t *message = wcts_exchange_strip_message(&player->strip, operation, &size);
    bool right = message && size == (answered < room ? answered : room);
    if (right)
        memcpy(reply, message, size);
    else
        play_fault(player, "the record holds an answer that does not fit");
    free(message);
    return right;
}

static wcts_status play_call_in(void *ctx, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct wcts_player *player = ctx;
    uint64_t hash = wcts_exchange_strip_hash(0, request, request_size), answered;
    const uint8_t *there;
    wcts_status status;
    if (!begins(player, WCTS_TAPE_CALL))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (wcts_exchange_strip_number(&player->strip) != operation)
        play_fault(player, "the record holds another call");
    there = wcts_exchange_strip_bytes(&player->strip, sizeof hash);
    if (there && memcmp(there, &hash, sizeof hash) != 0)
        play_fault(player, "the record holds a call with another request");
    if (!play_until(player, WCTS_TAPE_ANSWER))
        return WCTS_STATUS_NOT_SUPPORTED;
    status = (wcts_status)(uint32_t)wcts_exchange_strip_number(&player->strip);
    answered = wcts_exchange_strip_number(&player->strip);
    if (wcts_succeeded(status) && !take_reply(player, operation, answered, reply, reply_room))
        return WCTS_STATUS_NOT_SUPPORTED;
    *reply_size = (uint32_t)answered;
    return failed(player) ? WCTS_STATUS_NOT_SUPPORTED : status;
}

static void play_close_side(void *instance)
{
    struct wcts_player *player = instance;
    if (begins(player, WCTS_TAPE_CLOSE))
        play_until(player, WCTS_TAPE_CLOSED);
}

uint32_t wcts_player_opens(const struct wcts_player *player)
{
    struct wcts_strip ahead = player->strip; /* only read from: it owns nothing */
    uint64_t version = 0;
    if (player->fault[0] == '\0' && wcts_exchange_strip_byte(&ahead) == WCTS_TAPE_OPEN) {
        wcts_exchange_strip_number(&ahead); /* the side */
        version = wcts_exchange_strip_number(&ahead);
    }
    return ahead.wrong ? 0 : (uint32_t)version;
}

bool wcts_player_fails(struct wcts_player *player)
{
    uint8_t event = failed(player) ? 0 : wcts_exchange_strip_byte(&player->strip);
    if (event != WCTS_TAPE_FAILS && event != WCTS_TAPE_HOLDS)
        play_fault(player, "the record does not go on as the case does");
    return event == WCTS_TAPE_FAILS;
}

/* ---- Players ---- */

static bool unpack(struct wcts_player *player, const struct wcts_tape_record *record)
{
    player->fault[0] = '\0';
    player->depth = 0;
    return record->kept == WCTS_TAPE_KEPT && record->raw <= WCTS_TAPE_MAX &&
           wcts_exchange_strip_unpack(&player->strip, record->bytes, record->size, record->raw);
}

/* A name of at most WCTS_TAPE_NAME_MAX bytes; NULL if there is none. */
static char *take_text(struct wcts_player *player)
{
    uint64_t length = wcts_exchange_strip_number(&player->strip);
    const uint8_t *bytes = length <= WCTS_TAPE_NAME_MAX
                               ? wcts_exchange_strip_bytes(&player->strip, (size_t)length)
                               : NULL;
    return bytes ? strndup((const char *)bytes, (size_t)length) : NULL;
}

static bool take_table(struct wcts_player *player)
{
    player->name = take_text(player);
    player->version = take_text(player);
    player->table =
        (struct wcts_plugin){.size = sizeof player->table,
                             .abi_version = WCTS_ABI_VERSION,
                             .sides = (uint32_t)wcts_exchange_strip_number(&player->strip),
                             .name = player->name,
                             .version = player->version,
                             .open = play_open_side,
                             .call = play_call_in,
                             .close = play_close_side};
    return player->name && player->version && !player->strip.wrong;
}

struct wcts_player *wcts_player_new(const struct wcts_tape_record *claims)
{
    struct wcts_player *player = calloc(1, sizeof *player);
    if (player && unpack(player, claims) && take_table(player))
        return player;
    wcts_player_free(player);
    return NULL;
}

void wcts_player_free(struct wcts_player *player)
{
    if (!player)
        return;
    wcts_exchange_strip_release(&player->strip);
    free(player->name);
    free(player->version);
    free(player);
}

const struct wcts_plugin *wcts_player_plugin(const struct wcts_player *player)
{
    return &player->table;
}

bool wcts_player_load(struct wcts_player *player, const struct wcts_tape_record *record,
                      const struct wcts_claims *claims)
{
    uint64_t hash = wcts_exchange_strip_hash(0, claims, offsetof(struct wcts_claims, remarks));
    const uint8_t *there =
        unpack(player, record) ? wcts_exchange_strip_bytes(&player->strip, sizeof hash) : NULL;
    if (!there)
        play_fault(player, "the record ends early, or cannot be read");
    else if (memcmp(there, &hash, sizeof hash) != 0)
        play_fault(player, "the record is of an implementation that claimed something else");
    return !failed(player);
}

const char *wcts_player_fault(struct wcts_player *player)
{
    if (!failed(player) && !wcts_exchange_strip_at_end(&player->strip))
        play_fault(player, "the record goes on after the case");
    return failed(player) ? player->fault : NULL;
}
