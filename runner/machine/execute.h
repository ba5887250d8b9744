/* SPDX-License-Identifier: MIT */
/*
 * Executing cases. A session is one loaded implementation with everything that the runner puts
 * around it: recorder, machine, scripted driver or reference kernel. It lives in a worker process,
 * never in the runner itself (but for replay --no-fork).
 */
#ifndef WCTS_EXECUTE_H
#define WCTS_EXECUTE_H

#include <stdatomic.h>

#include "../../include/wddm-cts.h"
#include "../model/choices.h"
#include "../plan/plan.h"

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

/* The part of a detail that says what came, behind the case in words. */
const char *wcts_detail_came(const char *detail);

/* The part of a detail that holds a failing sequence in its smallest form; NULL: there is none. */
const char *wcts_detail_shrunk(const char *detail);

/* An implementation as --impl names it. path NULL or "emulator": the built-in one. */
struct wcts_implementation {
    const char *path;
    const char *options; /* "" for none */
};

/* What it says of itself, read once by a first worker. Fixed size: it crosses a pipe. */
struct wcts_claims {
    char name[128];
    char version[128];
    uint32_t sides;
    uint32_t capabilities;
    uint32_t first_interface_version, last_interface_version;
    uint32_t page_sizes;
    uint32_t patches;
    uint32_t creates_contexts;
    int versions; /* how many of the spec's were tried, from the oldest; 0: all. The runner's */
    char remarks[800]; /* what was noticed while it was asked, a line each; "" for nothing. Last:
                        * records of cases (tape.h) depend on what is before it */
};

/* What it was at when open() failed, or ended the process: remarked upon where it claims the
 * version. Versions with the same reason are one entry, the newest first. */
struct wcts_refusal {
    bool driver;
    int newest, oldest;
    char why[400];
};

struct wcts_refusals {
    struct wcts_refusal list[8];
    int count;
};

struct wcts_spec;

/* What there is no room for is left out. */
void wcts_refusals_add(struct wcts_refusals *refusals, bool driver, int version, const char *why);
/* Adds a line for each to the claims' remarks. all: also of versions that are not claimed. */
void wcts_refusals_remark(const struct wcts_refusals *refusals, const struct wcts_spec *spec,
                          bool all, struct wcts_claims *claims);

/* Beside the opcodes of WCTS_OPERATIONS: what a plug-in is doing between its calls. */
enum wcts_activity { WCTS_ACTIVITY_NONE = 0, WCTS_ACTIVITY_OPEN = 1, WCTS_ACTIVITY_CLOSE = 2 };

/*
 * What a session shows of itself while it runs. The session writes it, the runner reads it in
 * shared memory, also when the session's process has died; a plug-in can overwrite it, so it
 * gives hints and never a verdict.
 *
 * operation is the innermost call of a plug-in that has not returned: an opcode, or one of enum
 * wcts_activity in wcts_plugin.open and close. A kernel that asks its driver is in the driver's
 * operation until that returns. A process that dies leaves it as it was: the operation in which it
 * died, named by wcts_activity_name().
 *
 * messages counts calls that began and calls that returned. It only grows: a reader that finds it
 * changed knows that the session was alive in between.
 */
#define WCTS_TRAIL_MAX 16
#define WCTS_TRAIL_INNER 0x80000000u

enum wcts_beyond { WCTS_BEYOND_ROOM = 1, WCTS_BEYOND_REQUEST = 2, WCTS_BEYOND_BELOW = 4 };

struct wcts_pulse {
    atomic_uint version;   /* 1 + that at which instances were last opened */
    atomic_uint in_call;   /* 1: in the call that the case is about, not in set-up or twin */
    atomic_uint operation; /* see above */
    _Atomic uint64_t messages;
    atomic_uint begun; /* calls that began in the case; the last ones are in the trail, at their
                        * number modulo its size */
    atomic_uint trail[WCTS_TRAIL_MAX]; /* operations; WCTS_TRAIL_INNER is added when another ran */
    char log[200]; /* the end of what the parties logged since they were opened */
    /* Where it died when it left a room of so many bytes (room.h): sum of enum wcts_beyond. */
    atomic_uint beyond, beyond_bytes;
};

/* A case begins. */
void wcts_pulse_reset(struct wcts_pulse *pulse);

/* The last calls of a case that died, a line each, for its detail. The caller frees it; NULL: there
 * was none. */
char *wcts_pulse_trail(const struct wcts_pulse *pulse);

/* "KERNEL_LOCK", "open", "close"; "?" for any other number. */
const char *wcts_activity_name(uint32_t operation);

struct wcts_session_options {
    bool driver; /* the driver side is under test */
    enum wcts_judging judging;
    struct wcts_pulse *pulse;             /* kept up to date; NULL: nobody watches. Not owned */
    FILE *trace;                          /* -v: every message with names; NULL: none. Not owned */
    bool brief;                           /* what fails is not shrunk */
    struct wcts_tape_record *claims_tape; /* not NULL: everything is recorded, what it claims goes
                                           * there; its bytes are the caller's */
    int versions; /* how many of the spec's are tried when it is asked, from the oldest; 0: all */
    struct wcts_player *player; /* not NULL: it plays the implementation (tape.h). Not owned */
};

struct wcts_session;

/* The error of a session that is short of memory itself, whatever the plug-in is. */
#define WCTS_NO_MEMORY "no memory"

/* Loads the implementation (dlopen, entry symbol, ABI version) and asks it for its claims. NULL
 * with a one-line error when that fails; the implementation may end the process instead. */
struct wcts_session *wcts_session_open(const struct wcts_plan *plan,
                                       const struct wcts_implementation *implementation,
                                       const struct wcts_session_options *options,
                                       struct wcts_claims *claims, char *error, size_t room);
void wcts_session_close(struct wcts_session *session);

/* What records, and what plays, the implementation; NULL when nothing does. session: as a void
 * pointer, it is the context of wcts_host. */
struct wcts_tape *wcts_session_tape(void *session);
struct wcts_player *wcts_session_player(void *session);

/* Runs one case on fresh instances. Fills in result; may not return when the plug-in misbehaves.*/
void wcts_session_run(struct wcts_session *session, const struct wcts_case *one,
                      struct wcts_result *result);

/* The verdict for a case during which the worker died: a crash, or a pass where the documents let
 * the implementation stop. in_call: it was in the call that the case is about, not in the set-up or
 * in the twin. what: "killed by SIGSEGV", "called exit(3)". */
void wcts_judge_death(const struct wcts_case *one, bool in_call, const char *what,
                      struct wcts_result *result);

#endif
