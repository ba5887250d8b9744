/* SPDX-License-Identifier: MIT */
/*
 * The interpreter of scripts. It judges nothing: which boots a test needs beside its own, and when
 * a sequence is over, is decided by those who have it perform them (run/perform.c).
 */
#ifndef WCTS_MACHINE_SCRIPT_H
#define WCTS_MACHINE_SCRIPT_H

#include "session.h"

/* How many allocations are ended that a driver's kinds were created for. */
#define WCTS_CREATED_MAX 1040

/* One boot while it is performed. */
struct wcts_machine_performance {
    struct wcts_machine_session *session;
    const struct wcts_script *script;
    const struct wcts_script_boot *boot;
    struct wcts_world world; /* the adapter's answers, and behind them the call of the base */
    struct wcts_exchange_attempt attempt;
    bool whole;                      /* as in struct wcts_exchange_boot */
    struct wcts_DXGKARG_PATCH patch; /* as WCTS_ACT_FILL has found it */
    uint32_t device;                 /* of what was created */
    uint32_t created[WCTS_CREATED_MAX];
    int created_count;
};

/* Boots and performs all acts of one of the script's boots, up to one that makes the rest useless,
 * and adds it to the session's recording; NULL without memory. */
struct wcts_exchange_boot *wcts_machine_script_perform(struct wcts_machine_session *session,
                                                       const struct wcts_script *script, int boot);

/* The parts of that, for acts that depend on what came of those before. What has begun must end,
 * also if it began with false: there is no instance. An act returns false if the rest is useless.
 */
bool wcts_machine_script_begin(struct wcts_machine_performance *performance,
                               struct wcts_machine_session *session,
                               const struct wcts_script *script, int boot);
bool wcts_machine_script_act(struct wcts_machine_performance *performance,
                             const struct wcts_act *act);
struct wcts_exchange_boot *wcts_machine_script_end(struct wcts_machine_performance *performance);

#endif
