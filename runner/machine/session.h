/* SPDX-License-Identifier: MIT */
/*
 * A session: one loaded implementation with everything that the runner puts around it: recorder,
 * machine, scripted driver or reference kernel. It lives in a worker process, never in the runner
 * itself (but for replay --no-fork). It boots, takes steps and makes calls; it judges nothing.
 */
#ifndef WCTS_SESSION_H
#define WCTS_SESSION_H

#include "../exchange/exchange.h"
#include "../model/choices.h"
#include "../model/claims.h"
#include "../model/finding.h"
#include "../model/options.h"
#include "../model/test.h"
#include "message.h"
#include "plugin.h"
#include "probe.h"
#include "room.h"

/* What it was at when open() failed, or ended the process: remarked upon where it claims the
 * version. Versions with the same reason are one entry, the newest first. */
struct wcts_refusal {
    bool driver;
    int newest, oldest;
    char why[400];
};

struct wcts_refusals {
    struct wcts_refusal list[8];
    int count;
};

struct wcts_spec;

/* What there is no room for is left out. */
void wcts_refusals_add(struct wcts_refusals *refusals, bool driver, int version, const char *why);
/* Adds a line for each to the claims' remarks. all: also of versions that are not claimed. */
void wcts_refusals_remark(const struct wcts_refusals *refusals, const struct wcts_spec *spec,
                          bool all, struct wcts_claims *claims);

struct wcts_session_options {
    bool driver;     /* the driver side is under test */
    unsigned levels; /* that matter, sum of wcts_level_bit(); 0: all */
    /* What was found, when the case is run once more at other levels; NULL: nobody waits for it. */
    void (*each)(void *ctx, const struct wcts_finding *finding);
    void *each_ctx;
    struct wcts_pulse *pulse;             /* kept up to date; NULL: nobody watches. Not owned */
    FILE *trace;                          /* -v: every message with names; NULL: none. Not owned */
    bool brief;                           /* what fails is not shrunk */
    struct wcts_tape_record *claims_tape; /* not NULL: everything is recorded, what it claims goes
                                           * there; its bytes are the caller's */
    int versions; /* how many of the spec's are tried when it is asked, from the oldest; 0: all */
    struct wcts_player *player; /* not NULL: it plays the implementation (tape.h). Not owned */
};

struct wcts_session;

/* The error of a session that is short of memory itself, whatever the plug-in is. */
#define WCTS_NO_MEMORY "no memory"

/* Loads the implementation (dlopen, entry symbol, ABI version) and asks it for its claims. NULL
 * with a one-line error when that fails; the implementation may end the process instead. */
struct wcts_session *wcts_session_open(const struct wcts_plan *plan,
                                       const struct wcts_implementation *implementation,
                                       const struct wcts_session_options *options,
                                       struct wcts_claims *claims, char *error, size_t room);
void wcts_session_close(struct wcts_session *session);

/* What records, and what plays, the implementation; NULL when nothing does. session: as a void
 * pointer, it is the context of wcts_host. */
struct wcts_tape *wcts_session_tape(void *session);
struct wcts_player *wcts_session_player(void *session);

/* ---- bounds.c ---- */

/* False, with a breach that names the member, when an array of the message is not inside it. */
bool wcts_bounds_check(struct wcts_exchange *exchange, const struct wcts_spec *spec,
                       uint32_t operation, bool reply, const void *bytes, uint32_t size);

/* ---- session.c ---- */

struct wcts_session {
    const struct wcts_plan *plan;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_loaded tested, reference;
    struct wcts_session_options options;
    struct wcts_answered
        answered; /* in the case so far, without what is tried to shrink a failure */
    struct wcts_walk_numbers walked; /* by the last sequence of the case */
    struct wcts_strictness strictness;
    bool trying;   /* that is being tried */
    bool own_call; /* the next attempt is of the case itself, not of its twin or base */
    char *plugin_options;
    struct wcts_claims claims;
    struct wcts_exchange exchange;
    struct wcts_machine *machine;
    struct wcts_symbols symbols;
    struct wcts_probe probe;
    struct wcts_buffer request;
    bool *steps_done;   /* one a step */
    bool *symbols_left; /* one a symbol: what a call that is missing was to be made of */
    int kind;        /* of what a scenario creates first, among those that the driver knows; what it
                      * creates next is of the next kind; -1: none */
    int kinds_asked; /* since it was booted */
    /* the machine that is booted */
    const struct wcts_plugin *kernel_plugin, *driver_plugin;
    void *kernel, *driver; /* instances; driver NULL: the probe answers */
    char no_instance[400]; /* why it could not be booted last; "": it could */
    bool reference_lacks;  /* ... since the reference kernel does not know the version */
    struct wcts_host hosts[2];
    uint8_t *reply; /* in its room */
    struct wcts_room reply_room;
    struct wcts_room driver_room; /* where a driver under test answers others than the suite */
    bool driver_answers;          /* there, just now */
    struct wcts_room asked_room;  /* requests to the side under test */
    /* What who runs sequences keeps from one to the next (run/sequence.h), and what frees it. */
    struct wcts_walker *walk;
    void (*walk_free)(struct wcts_walker *walk);
    struct wcts_tape *tape; /* NULL: nothing is recorded */
};

/* Asks the side under test what it claims, into session->claims. False with a one-line error. */
bool wcts_session_ask(struct wcts_session *session, char *error, size_t room);

/* Boots fresh instances, takes the steps of the world's base and makes its call. */
void wcts_attempt_make(struct wcts_session *session, const struct wcts_world *world,
                       struct wcts_attempt *attempt);
/* Boots kernel and driver and has the driver asked in every way that the bases know. */
void wcts_situation_make(struct wcts_session *session, int version, uint32_t page_size,
                         struct wcts_attempt *attempt);

/* The parts of an attempt, for those that look around the call. Booted sides stay until
 * wcts_session_shut_down. */
bool wcts_session_prepare(struct wcts_session *session, const struct wcts_world *world,
                          struct wcts_attempt *attempt);
wcts_status wcts_session_send(struct wcts_session *session, const struct wcts_step *step,
                              const struct wcts_world *world, int first, uint32_t *reply_size);
wcts_status wcts_session_to_kernel(struct wcts_session *session, uint32_t operation,
                                   const void *request, uint32_t request_size,
                                   uint32_t *reply_size);
wcts_status wcts_session_to_driver(struct wcts_session *session, uint32_t operation,
                                   const void *request, uint32_t request_size, void *reply,
                                   uint32_t reply_room, uint32_t *reply_size);
void wcts_session_shut_down(struct wcts_session *session);
bool wcts_session_boot(struct wcts_session *session, int version, uint32_t page_size);
/* Takes a step of base.xml once, with all that it needs; false, with what stopped it, else. */
bool wcts_session_take(struct wcts_session *session, int step, struct wcts_attempt *attempt);
/* Takes what a step needs, but not the step. world: of the call that is made instead of it, whose
 * instances decide what is needed; NULL: the step itself is sent. */
bool wcts_session_take_needs(struct wcts_session *session, const struct wcts_step *step,
                             const struct wcts_world *world, struct wcts_attempt *attempt);
/* Keeps the values that a step's reply gives symbols. */
void wcts_session_keep_results(struct wcts_session *session, const struct wcts_step *step,
                               uint32_t reply_size);
/* How many kinds of allocations the driver told of when the adapter was started. */
int wcts_session_kinds(const struct wcts_session *session);
/* Notes of the suite's last call why it was denied. */
void wcts_session_note_denial(struct wcts_session *session, enum wcts_denial denial,
                              const struct wcts_gap *gap);
/* Lets who watches from outside know that the calls of the case itself go on. */
void wcts_session_mark_call(struct wcts_session *session, bool begins);
/* Around an attempt that only decides what is attempted next, as when a failure is made smaller:
 * nothing of it is recorded but whether it failed. True: what is played says so already. */
bool wcts_session_try(struct wcts_session *session, bool *fails);
void wcts_session_tried(struct wcts_session *session, bool fails);
#endif
