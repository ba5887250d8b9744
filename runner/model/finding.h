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
/* Whether a worker may come to it: the runner alone waives, and sees attempts that differ. */
bool wcts_verdict_is_first_hand(enum wcts_verdict verdict);

/* What walks did (walk/): steps and operations that were answered, steps whose outcome the
 * documents leave open, and which ways of a page from state to state were seen. */
struct wcts_walk_numbers {
    uint64_t steps, operations, open;
    uint64_t seen[2];
    uint32_t refused;
    uint32_t reserved;
};

/* An attempt before the one that counts. */
struct wcts_try {
    enum wcts_verdict verdict;
    char *reason, *detail; /* as of a result; may be NULL */
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

/* What a case came to. reason: one line, empty for a pass; detail: the evidence in words, several
 * lines, for whoever reads the failure; scenario: a file that brings the failure about again, NULL
 * for none. All owned by the result (wcts_result_release). */
struct wcts_result {
    enum wcts_verdict verdict;
    char *reason;
    char *detail;
    char *scenario;
    enum wcts_skip skip; /* of a skip: which reason */
    int broken; /* 1 + the rule that is broken, where it is another than the case's; 0: the case's
                 */
    uint64_t cleared; /* judging's: which of the rules that the case's rests on are seen to be kept,
                       * by their order there */
    struct wcts_walk_numbers walk;
    uint64_t nanoseconds;
    struct wcts_answered answered;
    struct wcts_try *tries; /* attempts before this one; owned, with what they hold */
    int try_count;
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

void wcts_result_set(struct wcts_result *result, enum wcts_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A skip; its reason begins with the name of skip. */
void wcts_result_skip(struct wcts_result *result, enum wcts_skip skip, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
