/* SPDX-License-Identifier: MIT */
/*
 * What became of a case: the verdict, the reason, the evidence in words, and what the failure is
 * known by.
 */
#ifndef WCTS_FINDING_H
#define WCTS_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "../../include/wddm-cts.h"
#include "choices.h"

enum wcts_verdict {
    WCTS_VERDICT_PASS,     /* evidence for the statement */
    WCTS_VERDICT_WARN,     /* broken, not binding at this level */
    WCTS_VERDICT_SKIP,     /* no evidence, with the reason */
    WCTS_VERDICT_WAIVED,   /* a known failure, which a waiver of the baseline matches */
    WCTS_VERDICT_FIXED,    /* passes, although a waiver says that it fails */
    WCTS_VERDICT_FAIL,     /* non-conformance */
    WCTS_VERDICT_CRASH,    /* the implementation stopped, or broke the message protocol */
    WCTS_VERDICT_TIMEOUT,  /* the implementation hung */
    WCTS_VERDICT_FLAKY,    /* differs between attempts (--retries) */
    WCTS_VERDICT_DECLINED, /* a valid call was refused, so what the case is about was not seen */
    WCTS_VERDICT_BROKEN,   /* harness or set-up failed */
    WCTS_VERDICT_COUNT
};

const char *wcts_verdict_name(enum wcts_verdict verdict);

/* Why a case that is skipped shows nothing. */
enum wcts_skip {
    WCTS_SKIP_NONE,           /* it is not skipped */
    WCTS_SKIP_NOT_CLAIMED,    /* an operation, capability, side or version */
    WCTS_SKIP_NOT_APPLICABLE, /* the implementation has nothing of the kind */
    WCTS_SKIP_NOT_SHOWN,      /* it chose otherwise, as it may */
    WCTS_SKIP_NOT_TRIED,      /* cases like it died (deaths.h) */
    WCTS_SKIP_NOT_JUDGED,     /* it rests on another rule, which is broken */
    WCTS_SKIP_COUNT
};

/* "not claimed"; "" for none. The reason of a skip begins with it. */
const char *wcts_skip_name(enum wcts_skip skip);

/* True for crash and timeout. */
bool wcts_verdict_is_death(enum wcts_verdict verdict);

/* What walks did (walk/): steps and operations that were answered, steps whose outcome the
 * documents leave open, and which ways of a page from state to state were seen. */
struct wcts_walk_numbers {
    uint64_t steps, operations, open;
    uint64_t seen[2];
    uint32_t refused;
    uint32_t reserved;
};

/* What was seen of a rule in a case. How much a breach weighs is for who reads it to say. */
enum wcts_found {
    WCTS_FOUND_KEPT,
    WCTS_FOUND_BROKEN,
    WCTS_FOUND_NOTHING,  /* no evidence: enum wcts_skip says why */
    WCTS_FOUND_DECLINED, /* a valid call was refused */
    WCTS_FOUND_CRASH,
    WCTS_FOUND_HANG,
    WCTS_FOUND_TROUBLE, /* of the suite, or of its set-up */
    WCTS_FOUND_COUNT
};

/*
 * What a worker found in a case. What is found may depend on the level, as where the documents only
 * advise and a kernel claims to keep to all advice; then there is a finding for each set of levels,
 * and together they are all levels. For example a call is accepted that breaks advice: KEPT at
 * binding and documented, and, of a kernel that claims STRICT, BROKEN at strict.
 */
struct wcts_finding {
    unsigned levels; /* sum of wcts_level_bit() */
    enum wcts_found found;
    enum wcts_skip skip; /* NOTHING: why */
    bool fails;          /* BROKEN: a failure at these levels, whatever the rule weighs */
    int broken;       /* 1 + the rule that is broken, where it is another than the case's; else 0 */
    uint64_t cleared; /* judging's: which of the rules that the case's rests on are seen to be kept,
                       * by their order there */
    char *reason;     /* one line; NULL: none. Owned, as are the next two */
    char *detail;     /* the evidence in words, several lines; NULL: none */
    char *scenario;   /* a file that brings the failure about again; NULL: none */
    struct wcts_finding *next; /* at other levels; owned */
};

/* "broken"; the journal writes it. */
const char *wcts_found_name(enum wcts_found found);

void wcts_finding_set(struct wcts_finding *finding, enum wcts_found found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* NOTHING; the reason begins with the name of skip. */
void wcts_finding_skip(struct wcts_finding *finding, enum wcts_skip skip, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Frees what it holds, with those behind it, and makes it empty. */
void wcts_finding_release(struct wcts_finding *finding);
/* Adds what was found at more levels; one that is the same but for its levels becomes part of that.
 * Takes over more. False without memory; more is then released. */
bool wcts_finding_add(struct wcts_finding *finding, struct wcts_finding *more);
/* The one that was found last. */
const struct wcts_finding *wcts_finding_last(const struct wcts_finding *finding);
/* What was found at a level, at the first one if that is not known. */
const struct wcts_finding *wcts_finding_at(const struct wcts_finding *finding,
                                           enum wcts_level level);

/* An attempt before the one that counts: as of a result; strings may be NULL. */
struct wcts_try {
    enum wcts_verdict verdict;
    char *reason, *detail;
    struct wcts_finding finding;
};

/* Room for the signature of a failure: 12 hexadecimal digits, of a death "2-" before them. */
#define WCTS_SIGNATURE_SIZE 15

struct wcts_waiver;

/* What an implementation did in a case, packed (tape.h): enough to judge the case again. */
enum wcts_tape_kept {
    WCTS_TAPE_NONE, /* none was asked for, or the worker ended during the case */
    WCTS_TAPE_KEPT,
    WCTS_TAPE_CUT /* it was too long */
};

/* Bytes of a case before they are packed; more are not kept. */
#define WCTS_TAPE_MAX ((size_t)8 << 20)

/* The same of what is left of it once it is packed. */
#define WCTS_TAPE_PACKED_MAX (1u << 20)

struct wcts_tape_record {
    enum wcts_tape_kept kept;
    uint8_t *bytes; /* owned */
    size_t size;
    size_t raw; /* bytes before they were packed */
};

/* Which operations of the side under test showed something in a case: sums of
 * wcts_operation_bit(). */
struct wcts_answered {
    uint64_t implemented; /* answered with anything but NOT_IMPLEMENTED or NOT_SUPPORTED */
    uint64_t accepted;    /* answered with success */
    uint64_t missing;     /* answered with NOT_IMPLEMENTED or NOT_SUPPORTED, at least once */
};

/* Of an operation of kernel or driver; 0 for any other. */
static inline uint64_t wcts_operation_bit(uint32_t operation)
{
    uint32_t party = operation >> 8, number = operation & 0xFF;
    bool known = (party == WCTS_KERNEL_INFO >> 8 || party == WCTS_DRIVER_INFO >> 8) && number < 32;
    return known ? UINT64_C(1) << (number + (party == WCTS_DRIVER_INFO >> 8 ? 32 : 0)) : 0;
}

/* The other way round; bit: 0 to 63. */
static inline uint32_t wcts_operation_of_bit(int bit)
{
    uint32_t party = (bit < 32 ? WCTS_KERNEL_INFO : WCTS_DRIVER_INFO) & ~0xFFu;
    return party + (uint32_t)bit % 32;
}

/*
 * What became of a case: what was found, and, once it was read at a level (wcts_result_read), the
 * verdict with its texts. All owned by the result (wcts_result_release).
 */
struct wcts_result {
    struct wcts_finding finding;
    enum wcts_verdict verdict;
    char *reason, *detail, *scenario; /* of the finding, but for what flaky and fixed cases say */
    enum wcts_skip skip;              /* of a skip: which reason */
    int broken;                       /* of the finding */
    struct wcts_walk_numbers walk;
    uint64_t nanoseconds;
    struct wcts_answered answered;
    struct wcts_try *tries; /* attempts before the last one; owned, with what they hold */
    int tried;              /* how many */
    int try_count;          /* how many of them were before the one that counts at the level */
    /* The runner's: what the failure is known by, "" for none; a waiver that matches, NULL: none
     * (not owned); and what came of the case that it waives. */
    char signature[WCTS_SIGNATURE_SIZE];
    char earlier[WCTS_SIGNATURE_SIZE]; /* what it was known by in version 1, where that differs */
    const struct wcts_waiver *waiver;
    enum wcts_verdict was;
    struct wcts_tape_record tape;
    bool ended; /* the runner's: the worker did with the case, or was ended since it hung */
    const char *backtrace; /* the runner's, of a death: see backtrace.h; NULL: none. Not owned */
};

void wcts_result_release(struct wcts_result *result);

/* Begins the part of a detail that shows the messages. */
#define WCTS_MESSAGES "  messages:\n"

/* The part of a detail that says what came, behind the case in words. */
const char *wcts_detail_came(const char *detail);

/* Begins the part of a detail that holds a sequence in its smallest form. */
#define WCTS_SHRUNK "  shrunk:\n"

/* The part of a detail that holds a failing sequence in its smallest form; NULL: there is none. */
const char *wcts_detail_shrunk(const char *detail);

#endif
