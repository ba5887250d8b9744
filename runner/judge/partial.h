/* SPDX-License-Identifier: MIT */
/*
 * Judging what was recorded elsewhere, without a test: every rule about what a caller sends and a
 * driver answers, and every effect that may be looked for in any call, of every message. What is
 * said holds whatever the missing members are (exchange/partial.h): struck out, they turn it into
 * UNKNOWN, and into nothing else.
 */
#ifndef WCTS_PARTIAL_JUDGE_H
#define WCTS_PARTIAL_JUDGE_H

#include "../exchange/partial.h"
#include "../exchange/trace.h"
#include "../oracle/world.h"

/* Who is judged. */
enum wcts_judge_side {
    WCTS_JUDGE_CALLER, /* of a kernel: user mode */
    WCTS_JUDGE_KERNEL,
    WCTS_JUDGE_DRIVER,
    WCTS_JUDGE_SIDES
};

/* What an exchange shows of a rule in one place. */
enum wcts_judge_said {
    WCTS_SAID_NOTHING, /* the rule is not about it */
    WCTS_SAID_KEPT,
    WCTS_SAID_BROKEN,
    WCTS_SAID_UNKNOWN /* something is missing without which it cannot be said */
};

/* Of one rule, about one structure. Example: {rule 7, CALLER, record 0, element 0, BROKEN, .text =
 * "Flags is 0x2"}. */
struct wcts_judge_saying {
    int rule;
    enum wcts_judge_side side;
    int record, element; /* where its structure is; record -1: in a call that is in no exchange */
    enum wcts_judge_said said;
    struct wcts_exchange_missing missing; /* of UNKNOWN: what was needed first */
    char *text;                           /* of BROKEN: what is wrong, one line; else NULL. Owned */
};

/* What a driver gave so far in one exchange, which must not change meanwhile (partial_earlier.c).
 */
struct wcts_judge_earlier;
struct wcts_judge_earlier *wcts_judge_earlier_new(void); /* NULL without memory */
void wcts_judge_earlier_free(struct wcts_judge_earlier *earlier);

/* What judging needs beside the exchange; not owned. */
struct wcts_judge_partial {
    const struct wcts_spec *spec;
    const struct wcts_eval *eval; /* of the spec */
    /* The version; where two are possible both, and only what is the same at both is said. */
    int version, last_version;
    uint32_t page_size; /* of the host, 0: it is not known */
    bool quiet;         /* no texts are wanted */
    unsigned unwanted;  /* 1 << enum wcts_judge_side: of these nothing need be said */
    /* Of the exchange; it says nothing that is not found without it, one by one. May be NULL. */
    struct wcts_judge_earlier *earlier;
};

/* All that can be said, in the order of rules, then of messages. Owns its texts. */
struct wcts_judge_sayings {
    struct wcts_judge_saying *of;
    int count, room;
    bool failed; /* memory ran out */
};

/* Adds what an exchange shows, except that rules are not about something. False without memory. */
bool wcts_judge_partial(const struct wcts_judge_partial *judge,
                        const struct wcts_exchange *exchange, struct wcts_judge_sayings *sayings);
void wcts_judge_sayings_release(struct wcts_judge_sayings *sayings);

/* True if some recording could show something of the rule: else *why is the reason, in words. */
bool wcts_judge_partial_shows(const struct wcts_spec *spec, int rule, const char **why);

/* ---- Its parts ---- */

/* A rule about the structure at a place, as its side sends or answers it (partial_rule.c). */
enum wcts_judge_said wcts_judge_partial_rule(const struct wcts_judge_partial *judge,
                                             const struct wcts_exchange *exchange, int rule,
                                             int record, int element);
/* How many structures the message has that the rule may be about; *untold: it is not known. */
int wcts_judge_partial_count(const struct wcts_judge_partial *judge,
                             const struct wcts_exchange *exchange, int rule, int record,
                             bool *untold);
/* What the rule reads there, "Flags = 0x2, hResource = 0x0"; the caller frees it. */
char *wcts_judge_partial_text(const struct wcts_judge_partial *judge,
                              const struct wcts_exchange *exchange, int rule, int record,
                              int element);
/* KEPT if the call of a record is one that the documents ask effects of, BROKEN if it is not, else
 * UNKNOWN. */
enum wcts_judge_said wcts_judge_partial_valid(const struct wcts_judge_partial *judge,
                                              const struct wcts_exchange *exchange, int record);

/* An effect about a place; text: of a breach, may be NULL (partial_effect.c). */
enum wcts_judge_said wcts_judge_partial_effect(const struct wcts_exchange_view *view, int rule,
                                               int record, int element, char **text);

#endif
