/* SPDX-License-Identifier: MIT */
/*
 * The finding of a case, the verdict that a level makes of it, its evidence in words, and the
 * signature of a failure.
 */
#ifndef WCTS_FINDING_H
#define WCTS_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "../../include/wddm-cts.h"
#include "choices.h"

enum wcts_verdict {
    WCTS_VERDICT_PASS,     /* evidence for the statement */
    WCTS_VERDICT_WARN,     /* a breach that is not binding at this level */
    WCTS_VERDICT_DEVIATES, /* broken exactly as the profile declares */
    WCTS_VERDICT_SKIP,     /* no evidence, with the reason */
    WCTS_VERDICT_WAIVED,   /* a known failure, matched by a waiver of the baseline */
    WCTS_VERDICT_FIXED,    /* passes although a waiver expects it to fail */
    WCTS_VERDICT_FAIL,     /* non-conformance */
    WCTS_VERDICT_CRASH,    /* the implementation ended the process, or broke the message protocol */
    WCTS_VERDICT_TIMEOUT,  /* the implementation hung */
    WCTS_VERDICT_FLAKY,    /* differs between attempts (--retries, --repeat) */
    WCTS_VERDICT_DECLINED, /* a valid call was refused, so the subject of the case was not seen */
    WCTS_VERDICT_BROKEN,   /* the harness or the set-up failed */
    WCTS_VERDICT_COUNT
};

const char *wcts_model_verdict_name(enum wcts_verdict verdict);

/* Why a skipped case shows nothing. */
enum wcts_skip {
    WCTS_SKIP_NONE,           /* not skipped */
    WCTS_SKIP_NOT_CLAIMED,    /* an operation, capability, side or version */
    WCTS_SKIP_NOT_APPLICABLE, /* the implementation has nothing of the sort */
    WCTS_SKIP_NOT_SHOWN,      /* it chose otherwise, which it may */
    WCTS_SKIP_NOT_TRIED,      /* similar cases died (deaths.h) */
    WCTS_SKIP_NOT_JUDGED,     /* a rule that it rests on is broken */
    WCTS_SKIP_NOT_IN_PROFILE, /* the profile declares that a call of it is refused */
    WCTS_SKIP_COUNT
};

/* "not claimed"; "" for none. The reason of a skip begins with it. */
const char *wcts_model_skip_name(enum wcts_skip skip);

/* True for crash and timeout. */
bool wcts_model_verdict_is_death(enum wcts_verdict verdict);

/* Totals of sequences: steps and operations that were answered, steps whose outcome the
 * documents leave open, and the transitions of pages between states that were seen. Example:
 * {.steps = 100, .operations = 340, .open = 2, .seen = {bits}}. */
struct wcts_walk_numbers {
    uint64_t steps, operations, open;
    uint64_t seen[2];
    uint32_t refused;
    uint32_t reserved;
};

/* What a case shows of its rule, before a level weighs a breach. */
enum wcts_found {
    WCTS_FOUND_KEPT,
    WCTS_FOUND_BROKEN,
    WCTS_FOUND_NOTHING,  /* no evidence: see enum wcts_skip */
    WCTS_FOUND_DECLINED, /* a valid call was refused */
    WCTS_FOUND_CRASH,
    WCTS_FOUND_HANG,
    WCTS_FOUND_TROUBLE, /* the suite or its set-up failed */
    WCTS_FOUND_COUNT
};

/*
 * What a worker found in a case. It can depend on the level, for example where the documents only
 * advise and a kernel claims to follow all advice; then there is one finding for each set of
 * levels, and the sets add up to all levels. The result owns the list. Example: a kernel that
 * claims STRICT accepts a call that breaks advice: {levels 3, KEPT} -> {levels 4, BROKEN, reason
 * "... answered SUCCESS (0x00000000), expected a refusal"}.
 */
struct wcts_finding {
    unsigned levels; /* sum of wcts_model_level_bit() */
    enum wcts_found found;
    enum wcts_skip skip; /* NOTHING: why */
    bool fails;          /* BROKEN: True if it fails at these levels whatever the rule's force */
    int broken;          /* 1 + the broken rule if it is not the case's own, else 0 */
    bool observed;       /* BROKEN: True if the case's own rule is kept, and broken was observed */
    bool partly;         /* of a sweep: the time was over before all of its values were sent */
    uint64_t cleared; /* bit n: the n-th rule that the case's rule rests on was seen to be kept */
    char *reason;     /* one line; NULL: none. Owned, as are the next two */
    char *detail;     /* the evidence in words, several lines; NULL: none */
    char *scenario;   /* a file that reproduces the failure; NULL: none */
    struct wcts_finding *next; /* at other levels; owned */
};

/* "broken", as in the journal. */
const char *wcts_model_found_name(enum wcts_found found);

void wcts_model_finding_set(struct wcts_finding *finding, enum wcts_found found, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));
/* Adds to the reason, if there is one. */
void wcts_model_finding_append(struct wcts_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* NOTHING; the reason starts with the name of skip. */
void wcts_model_finding_skip(struct wcts_finding *finding, enum wcts_skip skip, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));
/* Takes back what was observed: the finding becomes that of the case's own rule, which is kept. */
void wcts_model_finding_take_back(struct wcts_finding *finding);
/* Frees its texts and the findings behind it, and empties it. */
void wcts_model_finding_release(struct wcts_finding *finding);
/* Adds the finding of more levels, merged into an equal one if there is one. Owns more from then
 * on. False without memory; more is then released. */
bool wcts_model_finding_add(struct wcts_finding *finding, struct wcts_finding *more);
/* True if two cases found the same, at each level. */
bool wcts_model_finding_same(const struct wcts_finding *a, const struct wcts_finding *b);
/* The one added last. */
const struct wcts_finding *wcts_model_finding_last(const struct wcts_finding *finding);
/* The finding at a level, or the first one if there is none. */
const struct wcts_finding *wcts_model_finding_at(const struct wcts_finding *finding,
                                                 enum wcts_level level);

/* How the messages of a case are stored (stream.h): enough to judge it again. */
enum wcts_stored_kept {
    WCTS_STORED_NONE,  /* not at all: not requested, or the worker ended during the case */
    WCTS_STORED_FIRST, /* packed, on its own */
    WCTS_STORED_NEXT,  /* packed behind the one before it, without which it cannot be read */
    WCTS_STORED_CUT    /* too long */
};

/* True if there are bytes. */
static inline bool wcts_model_is_stored(enum wcts_stored_kept kept)
{
    return kept == WCTS_STORED_FIRST || kept == WCTS_STORED_NEXT;
}

/* The exchange of a case, packed: {WCTS_STORED_FIRST, bytes, .size = 900, .raw = 40000}. */
struct wcts_stored {
    enum wcts_stored_kept kept;
    uint8_t *bytes; /* owned */
    size_t size;
    size_t raw; /* bytes before they were packed */
};

/* An attempt before the one that counts, or with --repeat another finding than that one; members
 * as in a result, strings may be NULL. Example: a case that crashed and then passed has one,
 * {WCTS_VERDICT_CRASH, "killed by SIGSEGV in ...", ...}. */
struct wcts_try {
    enum wcts_verdict verdict;
    char *reason, *detail;
    struct wcts_finding finding;
    struct wcts_stored stored;
    int times; /* --repeat: in so many repetitions; else 0 */
};

/* The most repetitions of a case. */
#define WCTS_REPEAT_MAX 10000

/* Room for a signature: 12 hexadecimal digits, with "2-" before them for a death. */
#define WCTS_SIGNATURE_SIZE 15

struct wcts_baseline_waiver;

/* Which operations of the side under test were answered in a case: sums of
 * wcts_model_operation_bit(). Example: {3, 1, 4}: of three operations the first was accepted,
 * the second refused, the third is missing. */
struct wcts_answered {
    uint64_t implemented; /* answered with anything but NOT_IMPLEMENTED or NOT_SUPPORTED */
    uint64_t accepted;    /* answered with success */
    uint64_t missing;     /* answered with NOT_IMPLEMENTED or NOT_SUPPORTED, at least once */
    /* Of a driver under test, bit n: DRIVER_PAGING of the wcts_paging_operation n likewise. */
    uint32_t paged, unpaged;
};

/* The bit of an operation of kernel or driver; 0 for any other. */
static inline uint64_t wcts_model_operation_bit(uint32_t operation)
{
    uint32_t party = operation >> 8, number = operation & 0xFF;
    bool known = (party == WCTS_KERNEL_INFO >> 8 || party == WCTS_DRIVER_INFO >> 8) && number < 32;
    return known ? UINT64_C(1) << (number + (party == WCTS_DRIVER_INFO >> 8 ? 32 : 0)) : 0;
}

/* The operation of a bit, 0 to 63. */
static inline uint32_t wcts_model_operation_of_bit(int bit)
{
    uint32_t party = (bit < 32 ? WCTS_KERNEL_INFO : WCTS_DRIVER_INFO) & ~0xFFu;
    return party + (uint32_t)bit % 32;
}

/* The answer to the call that a case is about. */
enum wcts_profile_answer { WCTS_PROFILE_NO_ANSWER, WCTS_PROFILE_ACCEPTED, WCTS_PROFILE_REFUSED };

/* How the answers to the values of a sweep compare with what a profile declares of them. */
enum wcts_profile_swept {
    WCTS_PROFILE_UNSWEPT, /* the profile declares nothing of them, or it is no sweep */
    WCTS_PROFILE_SWEPT_AS_DECLARED,
    WCTS_PROFILE_SWEPT_OTHERWISE,
    WCTS_PROFILE_SWEPT_UNKNOWN /* which values were answered how has no short expression */
};

/*
 * What an exchange shows of the entries of a profile, as sets of entries (model/profile.h): kept
 * beside the finding, so that the case can be read with the profile again, or without it. Example:
 * the set-up was refused because of restriction 3: {.refused = 8}.
 */
struct wcts_profile_seen {
    uint64_t refused;  /* restrictions: a call that they are about was refused, as the last one */
    uint64_t accepted; /* ... was accepted */
    uint64_t holds;    /* deviations whose condition is true of a call of the case */
    uint64_t declared; /* of a sweep: entries that are about some of its values */
    enum wcts_profile_answer own;
    enum wcts_profile_swept swept;
};

/*
 * The result of a case: its finding and, after wcts_judge_result_read, the verdict with its texts
 * at a level. It owns what it points to (wcts_model_result_release) unless noted. Example: finding
 * {BROKEN,
 * "... expected a refusal"} read at "documented": verdict FAIL, reason and detail copied from the
 * finding, tried 0, signature "3f2a9c0d1e4b".
 */
struct wcts_result {
    struct wcts_finding finding;
    enum wcts_verdict verdict;
    char *reason, *detail, *scenario; /* the finding's, except for flaky and fixed cases */
    enum wcts_skip skip;
    int broken; /* as in the finding */
    struct wcts_walk_numbers walk;
    uint64_t nanoseconds;
    struct wcts_answered answered;
    struct wcts_profile_seen seen;
    /* Read with a profile: entries that the case shows as declared; that it contradicts; and those
     * that show in some cases only, and not in this one. */
    uint64_t shown, against, unshown;
    bool profiled; /* the profile changed the verdict, which no longer determines the finding */
    /* Attempts before the last one. With --repeat, whose findings have no order: each that differs
     * from "finding", which is one that does not fail if there is any. */
    struct wcts_try *tries;
    int tried;
    int times;     /* --repeat: how often "finding" came; 0: the case was not repeated */
    int try_count; /* how many of them were before the one that counts at the level */
    /* Filled in by the runner: */
    char signature[WCTS_SIGNATURE_SIZE];       /* of a failure; "" for none */
    char earlier[WCTS_SIGNATURE_SIZE];         /* its version 1, if that differs */
    const struct wcts_baseline_waiver *waiver; /* that matches, NULL: none. Not owned */
    enum wcts_verdict was;                     /* the verdict that is waived */
    struct wcts_stored stored;
    bool ended;        /* True if the worker ended with the case, or was ended because it hung */
    uint32_t ended_in; /* ended: the operation, or other activity (pulse.h), in which it did */
    const char *backtrace; /* of a death (backtrace.h); NULL: none. Not owned */
};

void wcts_model_result_release(struct wcts_result *result);

/* The first line of the part of a detail with the messages, and that part of a detail. */
#define WCTS_MESSAGES "  messages:\n"
const char *wcts_model_detail_messages(const char *detail);

/* The first line of the part of a detail with the shrunk sequence. */
#define WCTS_SHRUNK "  shrunk:\n"

/* Before the id of one call, in the detail of a sweep that fails. */
#define WCTS_ONE_CALL "  one call:    "
/* The id, which the caller frees; NULL: there is none. */
char *wcts_model_detail_call(const char *detail);

/* Before what is to blame, at the end of the reason of a combination: not part of its signature. */
#define WCTS_FINDING_CAUSE ", exactly when "

/* In the reason of a case that is kept, before the name of a kind of the driver's allocations for
 * which it shows nothing, and what is between that name and the reason. */
#define WCTS_FINDING_UNSHOWN_KIND "not shown of the kind \""
#define WCTS_FINDING_KIND_END "\": "
/* How that reason begins if the driver refused to create the kind. */
#define WCTS_FINDING_NOT_CREATED "not created: "

/* In a reason, before the size of an allocation that no segment of its sets can hold. */
#define WCTS_FINDING_NO_ROOM "no segment of its sets has room for an allocation of "

/* Behind an operation, before the number of the call that it is about among those of the case, and
 * ")": not part of the signature, which is older. */
#define WCTS_FINDING_WHICH " (call no. "

/* Before a call of the suite that answered earlier what must not be answered again. */
#define WCTS_FINDING_EARLIER "there was an earlier "

/* Behind messages of which none was the one that was expected. Signatures do not tell this from no
 * message at all: they are older. */
#define WCTS_FINDING_NEVER ", but never as expected"

/* The part of a detail with the shrunk sequence; NULL if there is none. */
const char *wcts_model_detail_shrunk(const char *detail);

#endif
