/* SPDX-License-Identifier: MIT */
/* Opening and closing a session: loads the plug-ins and reads the claims. */
#include <stdlib.h>
#include <string.h>

#include "session.h"

/* Loads what is tested, and the reference; neither if a stream is read. */
static bool load_plugin(struct wcts_machine_session *session,
                        const struct wcts_implementation *implementation, char *error, size_t room)
{
    return session->options.claims ||
           (wcts_machine_plugin_load(&session->tested, implementation->path,
                                     session->options.remote, error, room) &&
            wcts_machine_plugin_load(&session->reference, NULL, NULL, error, room));
}

/* A session that reads a stream has no machine: it makes no call. */
static bool has_machine(struct wcts_machine_session *session)
{
    session->machine = session->probe.machine = session->options.claims ? NULL : wcts_machine_new();
    return session->machine || session->options.claims;
}

static bool allocate_session(struct wcts_machine_session *session,
                             const struct wcts_implementation *implementation)
{
    const struct wcts_cases *cases = session->spec->cases;
    session->symbols.values =
        calloc((size_t)cases->symbols_count + 1, sizeof *session->symbols.values);
    session->steps_done = calloc((size_t)cases->steps_count + 1, sizeof *session->steps_done);
    session->reply = wcts_machine_room_get(&session->reply_room, WCTS_REPLY_ROOM);
    session->plugin_options = strdup(implementation->options ? implementation->options : "");
    return wcts_oracle_eval_init(&session->eval, session->spec) && has_machine(session) &&
           session->symbols.values && session->steps_done && session->reply &&
           session->plugin_options;
}

struct wcts_machine_session *
wcts_machine_session_open(const struct wcts_plan *plan,
                          const struct wcts_implementation *implementation,
                          const struct wcts_machine_session_options *options,
                          struct wcts_claims *claims, char *error, size_t room)
{
    struct wcts_machine_session *session = calloc(1, sizeof *session);
    bool asked;
    snprintf(error, room, WCTS_NO_MEMORY);
    if (!session)
        return NULL;
    session->plan = plan;
    session->spec = plan->spec;
    session->options = *options;
    session->exchange.pulse = options->pulse;
    session->exchange.stream = &session->stream;
    session->stream.cross = wcts_machine_session_cross;
    session->stream.ctx = session;
    session->kind = -1;
    session->probe = (struct wcts_machine_probe){
        .spec = plan->spec, .symbols = &session->symbols, .exchange = &session->exchange};
    wcts_machine_probe_find_structures(&session->probe);
    if (!allocate_session(session, implementation) ||
        !load_plugin(session, implementation, error, room)) {
        wcts_machine_session_close(session);
        return NULL;
    }
    asked = wcts_machine_session_ask(session, error, room);
    claims->sides = session->claims.sides;
    if (!asked) {
        wcts_machine_session_close(session);
        return NULL;
    }
    *claims = session->claims;
    return session;
}

void wcts_machine_session_close(struct wcts_machine_session *session)
{
    if (!session)
        return;
    wcts_machine_session_shut_down(session);
    wcts_exchange_stream_release(&session->stream);
    wcts_machine_plugin_unload(&session->tested);
    wcts_machine_plugin_unload(&session->reference);
    wcts_exchange_release(&session->exchange);
    wcts_machine_probe_release(&session->probe);
    wcts_machine_free(session->machine);
    wcts_oracle_eval_release(&session->eval);
    if (session->walk)
        session->walk_free(session->walk);
    if (session->tourist)
        session->tourist_free(session->tourist);
    free(session->below);
    free(session->symbols.values);
    free(session->steps_done);
    wcts_exchange_recording_release(&session->recording);
    wcts_machine_room_release(&session->reply_room);
    wcts_machine_room_release(&session->driver_room);
    wcts_machine_room_release(&session->asked_room);
    wcts_machine_room_release(&session->many_room);
    free(session->plugin_options);
    free(session->request.bytes);
    free(session);
}

struct wcts_machine_session *
wcts_machine_session_open_stored(const struct wcts_plan *plan, bool driver,
                                 const struct wcts_stored *stored, uint32_t upgrade,
                                 struct wcts_claims *claims, char *error, size_t room)
{
    const struct wcts_implementation nobody = {.path = "", .options = ""};
    const struct wcts_machine_session_options options = {
        .driver = driver, .claims = stored, .upgrade = upgrade};
    return wcts_machine_session_open(plan, &nobody, &options, claims, error, room);
}
