/* SPDX-License-Identifier: MIT */
/*
 * The recording of a test: what the parties said in each boot that it took. Judging reads nothing
 * else (judge/judge.h).
 */
#ifndef WCTS_RECORDING_H
#define WCTS_RECORDING_H

#include "../model/script.h"
#include "partial.h"
#include "trace.h"

/*
 * One boot: the parties were opened, called and closed. Example, of a refused call: {FOR_TEST,
 * attempt {ANSWERED, KERNEL_ALLOCATION_CREATE, INVALID_PARAMETER}, exchange of five messages}, and
 * then {FOR_TWIN, attempt {ANSWERED, KERNEL_ALLOCATION_CREATE, SUCCESS}, ...}.
 */
struct wcts_exchange_boot {
    enum wcts_purpose purpose;
    int kind;     /* with which of a driver's kinds a scenario began, -1: none */
    int unplaced; /* elements of patches whose allocations may be in no segment that is listed */
    struct wcts_exchange_attempt attempt; /* how the set-up or the call ended */
    struct wcts_exchange exchange;
    int closing;          /* the record with which the parties were closed, or the count */
    uint64_t *symbols;    /* the value of each common symbol of the cases at the end; NULL: of a
                           * scenario, whose judge does not ask for them */
    char *no_instance;    /* why nothing was opened; NULL if it was */
    bool whole;           /* all its acts were performed */
    bool reference_lacks; /* ... because the reference kernel does not know the version */
    /* 1 + the index of the test that was judged by this boot alone and found to be kept, at any
     * level: beside others it need not be looked at again. 0: none (run/again.c) */
    int kept_alone;
    /* Of a long exchange, once it is judged: that it is whole, and what gave which handles. Owned
     */
    struct wcts_exchange_partial known;
    struct wcts_exchange_givers *givers;
};

/* The exchange of a boot up to where the parties were closed, as it is judged. Borrows what the
 * boot has, until another boot is added. */
struct wcts_exchange wcts_exchange_judged(struct wcts_exchange_boot *boot,
                                          const struct wcts_spec *spec);

/* One of the alternatives of a cause: all bits of set, none of clear. */
struct wcts_exchange_swept_cube {
    uint64_t set, clear;
};
#define WCTS_SWEPT_CUBES 4

/* What values have in common; count 0: nothing short. */
struct wcts_exchange_swept_cause {
    struct wcts_exchange_swept_cube cubes[WCTS_SWEPT_CUBES];
    int count;
};

#define WCTS_DEADLY_MAX 32

/* Values that an implementation did not survive, as far as they were found out, in the order in
 * which that was. Example: {.count = 1, .of = {{0x83, false, KERNEL_ALLOCATION_CREATE, "killed by
 * SIGSEGV in KERNEL_ALLOCATION_CREATE"}}}. */
struct wcts_exchange_deadly {
    bool alone; /* it did not survive a call with many values: each is sent alone */
    int count;
    struct {
        uint64_t value;
        bool hung; /* else it died */
        uint32_t operation;
        char what[160];
    } of[WCTS_DEADLY_MAX];
};

/* Accepted values whose reply breaks an effect that the call alone decides (judge/replies.h): those
 * that break the same one as the smallest of them. All 0 if there is none. Example: {.judged 24576,
 * .wrong 6144, .smallest 0x10003, .rule 12, .cause {{{0x10002, 0}}, 1}}. */
struct wcts_exchange_swept_replies {
    uint64_t judged, wrong;
    uint64_t smallest; /* if wrong is not 0 */
    int rule;          /* likewise */
    struct wcts_exchange_swept_cause cause;
};

/*
 * The answers of a sweep, in a few numbers. wrong are the judged values that were not answered as
 * the set wants: accepted, if they had to be refused, and otherwise not accepted. Example: {.all
 * 131073, .sent 1024, .judged 1000, .wrong 64, .smallest 0x6, .status INVALID_PARAMETER, .cause
 * {{{0x6, 0}}, 1}}: 64 of 1,000 were refused, exactly when bits 1 and 2 are set.
 */
struct wcts_exchange_swept {
    bool made;       /* it was performed */
    bool partly;     /* no more was sent, since the time of the run was over */
    unsigned flags;  /* partly: all values with up to so many flags were sent; 0: not known */
    uint64_t all;    /* values of the set */
    uint64_t sent;   /* of the first ones of them, with those that ended the implementation */
    uint64_t judged; /* of those sent and answered: the documents decide about them */
    uint64_t wrong;
    uint64_t answers[4]; /* of all that were answered, by enum wcts_exchange_answer */
    uint64_t digest;     /* of the values sent, in their order */
    uint64_t smallest;   /* of the wrong ones, or the first one if there is none */
    wcts_status status;  /* with which it was answered */
    struct wcts_exchange_swept_cause cause;
    uint64_t died;   /* values that it did not survive */
    uint64_t spared; /* values like those, which were not sent */
    uint64_t deadly; /* the smallest one that it did not survive */
    bool hung;       /* with that one it hung */
    char what[160];  /* "killed by SIGSEGV in OPERATION": how it ended with that one */
    struct wcts_exchange_swept_cause
        death;     /* what those have in common, against what was answered */
    char lie[160]; /* the breach of the protocol in answers to many values at once; "": none */
    struct wcts_exchange_swept_replies replies;
};

/* The boots of a test, in their order; owns them. */
struct wcts_exchange_recording {
    struct wcts_exchange_boot *boots;
    int count;
    struct wcts_exchange_swept swept;
    int evidence; /* the boot that the finding rests on, once it is judged */
};

/* Drops all boots. */
void wcts_exchange_recording_clear(struct wcts_exchange_recording *recording);
void wcts_exchange_recording_release(struct wcts_exchange_recording *recording);
/* Adds a boot, which takes over the messages of the exchange and leaves it empty; NULL without
 * memory. Valid until the next one is added. */
struct wcts_exchange_boot *wcts_exchange_recording_add(struct wcts_exchange_recording *recording,
                                                       enum wcts_purpose purpose,
                                                       struct wcts_exchange *exchange);
/* The first boot for the purpose, NULL: there is none. */
struct wcts_exchange_boot *
wcts_exchange_recording_find(const struct wcts_exchange_recording *recording,
                             enum wcts_purpose purpose);

/* More kinds than that count as none. */
#define WCTS_KINDS_MAX 256u

/* How many kinds the driver listed when the adapter was started, and the reply that lists them,
 * which belongs to the exchange. */
uint32_t wcts_exchange_kinds(const struct wcts_exchange *exchange, const uint8_t **reply,
                             uint32_t *size);

/* The names of the kinds in a driver's reply to INFO, each with its 0, in names[0..room): of those
 * that have one, as far as there is room. Returns how many. */
uint32_t wcts_exchange_kind_names(const void *reply, uint32_t size, char *names, size_t room);

/* The profile that the reply of KERNEL_INFO or DRIVER_INFO names in its member pProfile, which is
 * at that offset; "" for none. A name without an end is cut off. */
void wcts_exchange_profile_name(const void *reply, uint32_t size, size_t member, char *name,
                                size_t room);

/* The name of a kind that the driver listed, by its place in the list, in name[0..room): "" if
 * there is none, or no such kind. */
void wcts_exchange_kind_name(const struct wcts_exchange *exchange, int kind, char *name,
                             size_t room);

/* True if a record asks a driver to create allocations. */
bool wcts_exchange_creates(const struct wcts_exchange_view *view, int index);

/* The name of the kind of allocation that a request to create one has the private data of, in
 * name[0..room): "" if it is none of a kind that the driver listed with a name. */
void wcts_exchange_kind_of(const struct wcts_exchange_view *view, int index, char *name,
                           size_t room);

/* Where an array of the reply begins: the one that the companion of the structure in the step's
 * request hangs on; 0: there is none. */
uint64_t wcts_exchange_reply_array(const struct wcts_spec *spec, const struct wcts_step *step,
                                   int structure, const uint8_t *reply, uint32_t size);
/* A member of the reply's root, or of an element of its array; 0 if it lies outside. */
uint64_t wcts_exchange_reply_value(const struct wcts_spec *spec, const struct wcts_step *step,
                                   struct wcts_ref ref, int index, const uint8_t *reply,
                                   uint32_t size);
/* The value that the reply to a step's call gives its symbol; 0: it has none. */
uint64_t wcts_exchange_step_result(const struct wcts_spec *spec, const struct wcts_step *step,
                                   const struct wcts_exchange_record *record);

#endif
