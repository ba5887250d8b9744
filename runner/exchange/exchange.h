/* SPDX-License-Identifier: MIT */
/* The exchange: the recorded messages of a case between the parties, in order. */
#ifndef WCTS_EXCHANGE_H
#define WCTS_EXCHANGE_H

#include <stdbool.h>
#include <stdio.h>

#include "../../include/wddm-cts.h"
#include "../model/cases.h"
#include "pulse.h"
#include "status.h"
#include "stream.h"

/* Why a call was denied, as far as it was examined. */
enum wcts_exchange_denial {
    WCTS_DENIAL_NONE,    /* it was not denied, or not examined */
    WCTS_DENIAL_VALID,   /* it breaks no rule: it was declined */
    WCTS_DENIAL_BREACH,  /* it breaks a rule, or advice */
    WCTS_DENIAL_GAP,     /* no document states whether it is accepted */
    WCTS_DENIAL_LET,     /* the scenario allows a refusal */
    WCTS_DENIAL_NOTHING, /* it names an object that no call made, or that one has ended */
};

/* One message between the parties, and its reply. */
struct wcts_exchange_record {
    uint32_t operation;
    int depth;    /* open calls when it was sent */
    bool between; /* True if sent while a party was opened or closed, in no call of the suite */
    wcts_status status;
    uint32_t request_size, reply_size;
    uint8_t *request, *reply; /* copies */
    /* Of a recording from elsewhere (partial.h): the bits of them that are known, as many bytes as
     * they have; NULL: all. Owned */
    uint8_t *request_known, *reply_known;
    bool status_unknown;
    bool native; /* ... if it is a call of Windows, not of the header */
    bool stray;  /* ... and if it is not known in which call it was made, of those before it */
    long line;   /* ... and where it is in the file, 0: nowhere */
    int step;    /* the suite's own call: of which step, + 1; 0: of none */
    enum wcts_look look;
    bool of_kind; /* it asks for a kind that the driver lists */
    int seed;     /* of bytes that the suite itself wrote or reads, else 0 */
    enum wcts_exchange_denial denial;
    const struct wcts_gap *gap; /* if denial is GAP */
    uint64_t part;   /* of a range recorded in parts: the offset of this one in the range */
    uint64_t offset; /* of the suite's own use of memory: of its address from one that was given */
};

/* What ends a case before it is judged. The text of a breach enters signatures. */
enum wcts_exchange_breach {
    WCTS_BREACH_NONE,
    WCTS_BREACH_PROTOCOL, /* a malformed message: the implementation's fault */
    WCTS_BREACH_ENDLESS,  /* too many messages */
    WCTS_BREACH_NO_MEMORY /* the suite's own failure */
};

struct wcts_exchange_partial;

/*
 * The recording of one case; the session owns it and resets it at each boot. Example: a map call
 * during which the kernel asks the driver gives records[0] {KERNEL_MAP, depth 0, SUCCESS},
 * records[1] {DRIVER_PAGING, depth 1, SUCCESS}, count 2, and depth is 0 again.
 */
struct wcts_exchange {
    struct wcts_exchange_record *records;
    int count, room;
    /* Which operations there are among records 0 to 63, 64 to 127, ...: what is sought far back is
     * found without a look at all between. NULL while there are few records. Owned */
    struct wcts_operations *blocks;
    int depth;
    bool between;     /* True while a party is opened or closed: its messages belong to no call */
    bool quiet;       /* True during a sweep: nothing is recorded or stored */
    uint32_t in_call; /* records since, and with, the suite's last call */
    uint64_t bytes;   /* of all records since the reset, with the forgotten ones */
    struct wcts_exchange_pulse *pulse;   /* NULL: no observer; survives a reset, as the next one */
    struct wcts_exchange_stream *stream; /* NULL: nothing is stored. Not owned */
    struct wcts_exchange_partial *partial; /* NULL: all is known. Not owned */
    enum wcts_exchange_breach breach_kind;
    char breach[240]; /* "" if there was none */
    char log[1024];   /* what the parties logged */
};

void wcts_exchange_reset(struct wcts_exchange *exchange);
void wcts_exchange_release(struct wcts_exchange *exchange);

/* The last record up to this one whose operation is in the set; -1: none. */
int wcts_exchange_back(const struct wcts_exchange *exchange, const struct wcts_operations *set,
                       int from);

/* The last call of the suite itself, the subject of the case; 0 if there is none. */
int wcts_exchange_last_call(const struct wcts_exchange *exchange);
/* How many of the first calls of the exchange, those up to end, the suite made of an operation. */
int wcts_exchange_count_calls(const struct wcts_exchange *exchange, int end, uint32_t operation);
/* Why a call with a driver under test failed: the driver's last answer that was no success, or the
 * call itself if the driver always answered with success. */
const struct wcts_exchange_record *wcts_exchange_cause(const struct wcts_exchange *exchange,
                                                       int call);

/* Records what ends the case; only the first one counts. */
void wcts_exchange_breach(struct wcts_exchange *exchange, enum wcts_exchange_breach kind,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Calls a party, or reads what it answered, checks and records the answer. A failing status makes
 * the reply void. After a breach of the protocol the status is NOT_SUPPORTED and exchange->breach
 * has the text. */
wcts_status wcts_exchange_recorded_call(struct wcts_exchange *exchange, wcts_call_fn *call,
                                        void *ctx, uint32_t operation, const void *request,
                                        uint32_t request_size, void *reply, uint32_t reply_room,
                                        uint32_t *reply_size);

/* The message of an operation in interface.xml, NULL if it has none. */
static inline const struct wcts_message *wcts_exchange_message_of(const struct wcts_spec *spec,
                                                                  uint32_t operation)
{
    uint32_t party = operation >> 8, number = operation & 255;
    int at = party < WCTS_PARTIES && number < WCTS_PARTY_OPERATIONS
                 ? spec->message_at[party][number]
                 : 0;
    return at > 0 ? &spec->messages[at - 1] : NULL;
}

/* Prints messages with the names of their members: a line for each member that is not 0. */
void wcts_exchange_print(FILE *out, const struct wcts_spec *spec,
                         const struct wcts_exchange *exchange, int indent);
void wcts_exchange_status_text(wcts_status status, char *text, size_t room);
/* Prints the names of the flags that are set: " = A | B"; nothing if there are none. */
void wcts_exchange_flags_print(FILE *out, const struct wcts_word *word, uint64_t value);

/* The outcome of one attempt at a call. */
enum wcts_exchange_attempt_end {
    WCTS_ATTEMPT_ANSWERED, /* with status */
    WCTS_ATTEMPT_SETUP,    /* a step before it failed, with its operation and status */
    WCTS_ATTEMPT_NO_BOOT   /* no instance */
};

/* How the call that a test is about ended. Example: {WCTS_ATTEMPT_SETUP, an operation, its
 * status, .nth = 2}: the second call of that operation, which the set-up needs, was refused. */
struct wcts_exchange_attempt {
    enum wcts_exchange_attempt_end end;
    uint32_t operation;
    wcts_status status;
    int nth; /* how many calls of the operation the suite had made by then, with it; 0: unknown */
};

/* True if the call was answered, and accepted. */
static inline bool wcts_exchange_was_accepted(const struct wcts_exchange_attempt *attempt)
{
    return attempt->end == WCTS_ATTEMPT_ANSWERED && wcts_succeeded(attempt->status);
}

#endif
