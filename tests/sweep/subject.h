/* SPDX-License-Identifier: MIT */
/*
 * The emulator, asked for one value of a flag word after the other: through its plug-in table, with
 * a machine and a scripted driver behind it, in one long-lived instance that is booted anew after
 * so many accepted calls.
 */
#ifndef SWEEP_SUBJECT_H
#define SWEEP_SUBJECT_H

#include "oracle.h"
#include "runner/machine/message.h"
#include "runner/machine/probe.h"

struct subject {
    const struct wcts_spec *spec;
    const struct wcts_plugin *plugin;
    struct oracle *oracle; /* whose worlds are sent */
    struct wcts_host host;
    void *kernel; /* NULL: to be booted */
    struct wcts_machine *machine;
    struct wcts_symbols symbols;
    struct wcts_machine_probe probe;
    struct wcts_exchange_buffer requests[16]; /* create calls, by their companions */
    int accepted;                             /* calls since the last boot */
    uint32_t flags_at;                        /* offset of the word in its structure */
    uint32_t answer_sizes[ORACLE_VARIANTS];
    uint64_t answers[ORACLE_VARIANTS][256]; /* what the driver says of its segments */
    uint64_t value;                         /* being asked */
    uint64_t reply[WCTS_REPLY_ROOM / 8];
};

/* False without memory. The caller releases it before the oracle. */
bool subject_init(struct subject *subject, struct oracle *oracle);
void subject_release(struct subject *subject);

/* Makes the call with the value; its status. Ends the process when setting up fails. */
wcts_status subject_ask(struct subject *subject, uint64_t value);

#endif
