/* SPDX-License-Identifier: MIT */
/* Opening and closing a session: loads the plug-ins and reads the claims. */
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "tape.h"

/* Loads what is tested: the plug-in, behind a tape if it is recorded, or a player instead. */
static bool load_tested(struct wcts_session *session,
                        const struct wcts_implementation *implementation, char *error, size_t room)
{
    if (session->options.player) {
        session->tested.plugin = wcts_player_plugin(session->options.player);
        return true;
    }
    if (!wcts_plugin_load(&session->tested, implementation->path, error, room))
        return false;
    if (!session->options.claims_tape)
        return true;
    session->tape = wcts_tape_new(session->tested.plugin);
    if (session->tape)
        session->tested.plugin = wcts_tape_plugin(session->tape);
    return session->tape != NULL;
}

/* Reads the claims, and records that. */
static bool read_own_claims(struct wcts_session *session, char *error, size_t room)
{
    bool asked;
    if (session->tape)
        wcts_tape_begin(session->tape, NULL);
    asked = wcts_session_ask(session, error, room);
    if (session->tape)
        wcts_tape_end(session->tape, session->options.claims_tape);
    return asked;
}

static bool allocate_session(struct wcts_session *session,
                             const struct wcts_implementation *implementation)
{
    const struct wcts_cases *cases = session->spec->cases;
    session->machine = session->probe.machine = wcts_machine_new();
    session->symbols.values =
        calloc((size_t)cases->symbols_count + 1, sizeof *session->symbols.values);
    session->steps_done = calloc((size_t)cases->steps_count + 1, sizeof *session->steps_done);
    session->reply = wcts_machine_room_get(&session->reply_room, WCTS_REPLY_ROOM);
    session->plugin_options = strdup(implementation->options ? implementation->options : "");
    return wcts_oracle_eval_init(&session->eval, session->spec) && session->machine &&
           session->symbols.values && session->steps_done && session->reply &&
           session->plugin_options;
}

struct wcts_session *wcts_session_open(const struct wcts_plan *plan,
                                       const struct wcts_implementation *implementation,
                                       const struct wcts_session_options *options,
                                       struct wcts_claims *claims, char *error, size_t room)
{
    struct wcts_session *session = calloc(1, sizeof *session);
    uint32_t side = options->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    snprintf(error, room, WCTS_NO_MEMORY);
    if (!session)
        return NULL;
    session->plan = plan;
    session->spec = plan->spec;
    session->options = *options;
    session->exchange.pulse = options->pulse;
    session->kind = -1;
    session->probe = (struct wcts_probe){
        .spec = plan->spec, .symbols = &session->symbols, .exchange = &session->exchange};
    if (!allocate_session(session, implementation) ||
        !load_tested(session, implementation, error, room) ||
        !wcts_plugin_load(&session->reference, NULL, error, room)) {
        wcts_session_close(session);
        return NULL;
    }
    claims->sides = session->tested.plugin->sides;
    if (!(claims->sides & side)) {
        snprintf(error, room, "the plug-in has no %s side", options->driver ? "driver" : "kernel");
        wcts_session_close(session);
        return NULL;
    }
    if (!read_own_claims(session, error, room)) {
        wcts_session_close(session);
        return NULL;
    }
    *claims = session->claims;
    return session;
}

void wcts_session_close(struct wcts_session *session)
{
    if (!session)
        return;
    wcts_session_shut_down(session);
    wcts_tape_free(session->tape);
    wcts_plugin_unload(&session->tested);
    wcts_plugin_unload(&session->reference);
    wcts_exchange_release(&session->exchange);
    wcts_probe_release(&session->probe);
    wcts_machine_free(session->machine);
    wcts_oracle_eval_release(&session->eval);
    if (session->walk)
        session->walk_free(session->walk);
    free(session->symbols.values);
    free(session->steps_done);
    wcts_exchange_recording_release(&session->recording);
    wcts_machine_room_release(&session->reply_room);
    wcts_machine_room_release(&session->driver_room);
    wcts_machine_room_release(&session->asked_room);
    free(session->plugin_options);
    free(session->request.bytes);
    free(session);
}
