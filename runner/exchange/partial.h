/* SPDX-License-Identifier: MIT */
/*
 * An exchange that was recorded elsewhere, of which not everything is known: members that nobody
 * wrote down, statuses, and messages that are not there at all. Whoever reads it notes what he
 * needed and did not find; what is found without such a note is the same whatever the missing parts
 * were. So a judge that reads an exchange, and then asks whether something was missed, never says
 * more than the recording shows.
 */
#ifndef WCTS_PARTIAL_H
#define WCTS_PARTIAL_H

#include "exchange.h"

/* What was needed and is not recorded. */
enum wcts_exchange_lack {
    WCTS_LACK_NOTHING,
    WCTS_LACK_MEMBER,   /* of a structure in a request or reply, or bit of a word */
    WCTS_LACK_STATUS,   /* of the record */
    WCTS_LACK_MESSAGES, /* it is not known that all of an operation are there: structure is its
                           message */
    WCTS_LACK_LINES, /* all of an operation were recorded, but lines of the recording are lost, or
                        it began later or ended sooner: structure is its message */
    WCTS_LACK_GAP,   /* calls before the record, which is the first behind lost lines */
    WCTS_LACK_BEGIN, /* calls before the first one */
    WCTS_LACK_END,   /* calls behind the last one */
    WCTS_LACK_BYTES, /* of the record, behind a member; member -1: some */
    WCTS_LACK_PAGE_SIZE, /* of the host */
    WCTS_LACK_ANSWER,    /* to the message structure: none that was accepted is in the recording */
    WCTS_LACK_STATE,     /* what only whoever is judged knows: pages, objects */
    WCTS_LACK_KIND,      /* what a call was: structure is its gap */
    WCTS_LACK_WITHIN,    /* in which call the record was made */
    WCTS_LACK_CAUSE      /* that the rule structure, on which a breach rests, is not broken */
};

/* Example: {MEMBER, record 4, reply true, structure DXGK_ALLOCATIONINFO, member Flags, bits 0x4}.
 */
struct wcts_exchange_missing {
    enum wcts_exchange_lack lack;
    int record; /* -1: none in particular */
    bool reply;
    int structure, member; /* member -1: none, or all of the structure */
    uint64_t bits;         /* of a member of which others are known; 0: all of it */
    bool handles;          /* content: what became of handles is read, and no memory */
    bool content; /* it is needed since the content of memory is read, of which nothing is known
                     unless nothing at all is missing */
};

struct wcts_exchange_givers;

/* Gaps with the same operations are of one sort. Those of more sorts are sought one by one. */
#define WCTS_GAP_SORTS 8

/* Where messages may be missing: in front of a record, of some operations. Example, a call of which
 * it is not known what it asked for: {3, {DRIVER_INFO, DRIVER_SEGMENTS}, line 5}. */
struct wcts_exchange_gap {
    int record;
    struct wcts_operations of;
    long line; /* of the one that is known to be there; 0: none is */
    /* Once it is settled, from this one on: the first of each sort, of none of them, and with a
     * line; the count: there is none. */
    int next[WCTS_GAP_SORTS + 1], next_line;
};

/*
 * What of an exchange is not recorded, beside the masks of its records. Owned by whoever owns the
 * exchange. Example, of a driver's own recording, of which the ring lost lines before record 7:
 * {.all = {DRIVER_PAGING, DRIVER_PATCH}, .begun = true, .ended = false, .gaps = {{7, all}},
 * .gap_count = 1}.
 */
struct wcts_exchange_partial {
    struct wcts_operations all; /* of these every call is there, but for the gaps */
    bool begun, ended; /* nothing was before the first record, nothing is behind the last */
    struct wcts_exchange_gap *gaps; /* ascending, once it is settled */
    int gap_count;
    struct wcts_operations gone; /* of all gaps; see wcts_exchange_partial_settle */
    struct wcts_operations sorts[WCTS_GAP_SORTS]; /* the operations of each sort, the same */
    int sort_count;
    bool whole;                        /* nothing is missing; see wcts_exchange_partial_settle */
    struct wcts_exchange_missing hole; /* if it is not whole: something that is missing */
    /* What records gave which handles (trace.h), lent by who judges; NULL: records are looked at
     * one by one. Not owned */
    const struct wcts_exchange_givers *givers;
    /* The first thing that was missed since somebody set this to NOTHING, and how often anything
     * was. */
    struct wcts_exchange_missing missing;
    unsigned missed;
};

/* All of a member, or what else the lack is about. */
static inline struct wcts_exchange_missing wcts_exchange_missing_of(enum wcts_exchange_lack lack,
                                                                    int record, bool reply,
                                                                    int structure, int member)
{
    return (struct wcts_exchange_missing){
        .lack = lack, .record = record, .reply = reply, .structure = structure, .member = member};
}

/* Notes that something is missing; nothing for an exchange that is known. */
void wcts_exchange_miss(const struct wcts_exchange *exchange, struct wcts_exchange_missing missing);
/* How often something was missed so far; the same before and after: nothing was. */
static inline unsigned wcts_exchange_missed(const struct wcts_exchange *exchange)
{
    return exchange->partial ? exchange->partial->missed : 0;
}

/* The bits of a number in a record that are known: width bytes from at on, which points into the
 * request, or with reply into the reply. */
uint64_t wcts_exchange_known_bits(const struct wcts_exchange_record *record, bool reply,
                                  const uint8_t *at, uint32_t width);
/* True if they all are; else the member is noted. */
bool wcts_exchange_knows(const struct wcts_exchange *exchange, int record, bool reply,
                         const uint8_t *at, const struct wcts_spec *spec, struct wcts_ref ref);
/* True if the status is known; else that is noted. */
bool wcts_exchange_knows_status(const struct wcts_exchange *exchange, int record);
/* True if every message with one of the operations that came behind record from (-1: ever) and not
 * behind record to (the count: ever) is there; else that is noted. */
bool wcts_exchange_has_all(const struct wcts_exchange *exchange, const struct wcts_spec *spec,
                           int from, int to, const struct wcts_operations *operations);
/* What ends behind record from, and not behind record to, may have ended there with all that it had
 * given: such a call is known, or lines are lost. */
bool wcts_exchange_may_end(const struct wcts_exchange *exchange, int from, int to);
/* The place of such calls among the operations of a gap: none has that number. */
#define WCTS_GAP_END (UINT64_C(1) << 63)
/* Notes that no answer of the recording has a structure of those that messages may have. */
void wcts_exchange_miss_answer(const struct wcts_exchange *exchange, const struct wcts_spec *spec,
                               int structure);
/* True if nothing at all is missing; else that is noted. */
bool wcts_exchange_is_whole(const struct wcts_exchange *exchange);

/* Finds out if it is whole: to be called when its records, or their masks, have changed. */
void wcts_exchange_partial_settle(const struct wcts_exchange *exchange,
                                  const struct wcts_spec *spec);

/* Visits each member of a message that is recorded, with its place in the bytes: those of its
 * structure, and of the arrays behind its pointers. Members that do not exist at the version (an
 * index; -1: all) are left out, so are those whose place is not known. */
typedef void wcts_exchange_member_visit(void *context, struct wcts_ref ref, bool reply,
                                        const uint8_t *at, int element);
void wcts_exchange_members(const struct wcts_exchange *exchange, const struct wcts_spec *spec,
                           int record, int version, wcts_exchange_member_visit *visit,
                           void *context);

#endif
