/* SPDX-License-Identifier: MIT */
/*
 * What the spec says of every value of a flag word at a version. The rules of the world that the
 * word stands in are asked once for each combination of the flags that they relate; of the other
 * bits it matters only whether one is set: a free flag (beside an exclusive one), a bit that no
 * flag has, a bit that is not judged. oracle_ask_in_full asks without that shortcut.
 */
#ifndef SWEEP_ORACLE_H
#define SWEEP_ORACLE_H

#include "runner/oracle/world.h"

#define ORACLE_VARIANTS 3

/* A call with what a value of the word brings along: a base, or an adapter with one segment. */
struct oracle_variant {
    struct wcts_world world;
    int instance; /* the one that holds the word */
};

struct oracle {
    const struct wcts_eval *eval;
    struct wcts_ref member; /* that holds the word; flag -1 */
    int version;
    bool segments; /* the word is that of the driver's segments, else of the create call */
    struct oracle_variant variants[ORACLE_VARIANTS];
    int variant_count;
    uint64_t companions; /* flags that decide between the variants, or between companions */
    uint64_t choice[ORACLE_VARIANTS], against[ORACLE_VARIANTS];

    uint64_t defined, open; /* bits of the version */
    uint64_t related;       /* flags that rules, open ranges or companions look at */
    unsigned char *answers; /* enum wcts_expect, one for each combination */
};

/* Reads the worlds of word 0 (of the create call) or 1 (of segments) at a version, and asks all
 * combinations. False when memory is short or the bases are not there. */
bool oracle_init(struct oracle *oracle, const struct wcts_eval *eval, int word, int version);
/* The same without the answers, for who wants to know which bits there are. */
bool oracle_describe(struct oracle *oracle, const struct wcts_eval *eval, int word, int version);
void oracle_release(struct oracle *oracle);

/* Which variant a value takes. */
int oracle_variant_of(const struct oracle *oracle, uint64_t value);

/* ACCEPT, REFUSE or OPEN. */
enum wcts_expect oracle_ask(const struct oracle *oracle, uint64_t value);
/* The same from the rules themselves; outlook says which are broken. */
enum wcts_expect oracle_ask_in_full(struct oracle *oracle, uint64_t value,
                                    struct wcts_oracle_prediction *prediction);

/* The world of the value, with its companions settled; borrowed. */
const struct wcts_world *oracle_world(struct oracle *oracle, uint64_t value);

#endif
