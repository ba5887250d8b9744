/* SPDX-License-Identifier: MIT */
/* The exchange: the messages of a case between the parties, recorded in order. */
#ifndef WCTS_EXCHANGE_H
#define WCTS_EXCHANGE_H

#include <stdbool.h>
#include <stdio.h>

#include "../../include/wddm-cts.h"
#include "../model/cases.h"
#include "pulse.h"
#include "status.h"

/* Why a call was denied, as far as somebody looked. */
enum wcts_denial {
    WCTS_DENIAL_NONE,    /* it was not, or nobody looked */
    WCTS_DENIAL_VALID,   /* it breaks no rule: it was declined */
    WCTS_DENIAL_BREACH,  /* it breaks a rule, or advice */
    WCTS_DENIAL_GAP,     /* no document says whether it is accepted */
    WCTS_DENIAL_LET,     /* the scenario lets it be refused */
    WCTS_DENIAL_NOTHING, /* it names what no call has made, or what one has ended */
};

/* One message between the parties, in the order of the calls. */
struct wcts_record {
    uint32_t operation;
    int depth;    /* calls that were open when it was sent */
    bool between; /* a party was opened or closed then: it belongs to no call of the suite */
    wcts_status status;
    uint32_t request_size, reply_size;
    uint8_t *request, *reply; /* copies */
    int seed;                 /* of bytes that the suite itself wrote or reads, else 0 */
    enum wcts_denial denial;
    const struct wcts_gap *gap; /* DENIAL_GAP: which */
    uint64_t part;              /* of a range that takes several records: where it begins there */
};

/* What ends a case before it is judged. */
enum wcts_breach {
    WCTS_BREACH_NONE,
    WCTS_BREACH_PROTOCOL, /* a message that is none: the implementation's fault */
    WCTS_BREACH_ENDLESS,  /* more messages than may be */
    WCTS_BREACH_NO_MEMORY /* the suite's own trouble */
};

struct wcts_exchange {
    struct wcts_record *records;
    int count, room;
    int depth;
    bool between;     /* a party is opened or closed: what it sends belongs to no call */
    uint32_t in_call; /* records since the suite's last call began, with that */
    uint64_t bytes;   /* of all records since the reset, also of those that were forgotten */
    struct wcts_pulse *pulse; /* NULL: nobody watches; survives a reset */
    enum wcts_breach breach_kind;
    char breach[240]; /* what happened; "" if nothing */
    char log[1024];   /* what the parties logged */
};

void wcts_exchange_reset(struct wcts_exchange *exchange);
/* Drops the records, which count all the same; a breach stays. */
void wcts_exchange_forget(struct wcts_exchange *exchange);
void wcts_exchange_release(struct wcts_exchange *exchange);

/* The last call of the suite itself: the one that the case is about; 0: there
 * is none. */
int wcts_exchange_last_call(const struct wcts_exchange *exchange);
/* Of a call that a driver under test had a part in and that was not accepted: what the driver
 * answered last without success, or the call itself if it always answered with success. */
const struct wcts_record *wcts_exchange_cause(const struct wcts_exchange *exchange, int call);

/* Notes what ends the case; the first one counts. */
void wcts_exchange_breach(struct wcts_exchange *exchange, enum wcts_breach kind, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));
/* Calls a party, checks and records what it answered. The reply counts for nothing when the status
 * is a failing one. After a breach of the protocol the status is NOT_SUPPORTED and
 * exchange->breach says what happened. */
wcts_status wcts_recorded_call(struct wcts_exchange *exchange, wcts_call_fn *call, void *ctx,
                               uint32_t operation, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size);

/* The message of an operation in interface.xml, NULL when it has none. */
const struct wcts_message *wcts_message_of(const struct wcts_spec *spec, uint32_t operation);

/* Prints messages with the names of their members; a line a member that is not 0,
 * each line indented. */
void wcts_exchange_print(FILE *out, const struct wcts_spec *spec,
                         const struct wcts_exchange *exchange, int indent);
void wcts_status_text(wcts_status status, char *text, size_t room);

/* What became of one attempt at a call. */
enum wcts_attempt_end {
    WCTS_ATTEMPT_ANSWERED, /* status says how */
    WCTS_ATTEMPT_SETUP,    /* a step before it did not succeed: operation and status of that */
    WCTS_ATTEMPT_NO_BOOT   /* no instance */
};

struct wcts_attempt {
    enum wcts_attempt_end end;
    uint32_t operation;
    wcts_status status;
};

#endif
