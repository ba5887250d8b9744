/* SPDX-License-Identifier: MIT */
/*
 * Trying faults: an implementation that can be told to be wrong in one place (struct wcts_fault of
 * the plug-in interface) is run with each of its faults, and the suite must notice, and blame the
 * statement whose rule is broken. Only the cases for which the fault makes a difference are
 * run; which these are is traced once, without any fault.
 */
#ifndef WCTS_FAULTS_H
#define WCTS_FAULTS_H

#include "../base/text.h"
#include "../machine/session.h"

enum wcts_trial_outcome {
    WCTS_FAULT_KILLED,   /* a case of its statement broke */
    WCTS_FAULT_SURVIVED, /* none did */
    WCTS_FAULT_NONE,     /* the rule has no fault, the implementation says why */
    WCTS_FAULT_BROKEN,   /* it could not be tried: error says why */
    WCTS_FAULT_OUTCOME_COUNT
};

/* What came of one fault. */
struct wcts_fault_trial {
    const struct wcts_fault *fault;
    int rule, statement; /* that it is about; -1: the spec has no such rule */
    enum wcts_trial_outcome outcome;
    int cases;    /* that can notice it */
    int broken;   /* of these broke */
    int *by;      /* those, as indices in the plan; owned */
    int by_count; /* broken, but where memory was short */
    int tried;    /* cases up to the first of the own statement that broke, with that one */
    int first;    /* that case, an index in the plan; -1: none */
    bool right;   /* nothing but its statement, and those that it names, was blamed */
    bool *blamed; /* by statement */
    struct wcts_text error; /* of BROKEN */
};

/* The faults of an implementation, matched with a spec. */
struct wcts_faults {
    const struct wcts_plan *plan;
    const struct wcts_fault_table *table;
    struct wcts_fault_trial *trials; /* one a fault */
    int count;
    bool *ruled; /* by rule: it has a fault, or there can be none */
    void *library;
};

/* Loads the implementation into this process and takes its table. False with a one-line error,
 * also when it has none. To be released either way. */
bool wcts_faults_init(struct wcts_faults *faults, const struct wcts_plan *plan, const char *path,
                      char *error, size_t room);
void wcts_faults_release(struct wcts_faults *faults);

/* Tries the faults for which wanted (by fault, NULL: all), in their order; each is called after
 * each. False when memory is short, the implementation cannot be loaded without a fault, or a
 * signal stops the trials: error says why. The options are those without a fault. */
typedef void wcts_fault_tried_fn(void *ctx, const struct wcts_fault_trial *trial);
bool wcts_faults_try(struct wcts_faults *faults, const struct wcts_options *options,
                     const bool *wanted, wcts_fault_tried_fn *each, void *ctx, char *error,
                     size_t room);

const char *wcts_trial_outcome_name(enum wcts_trial_outcome outcome);

/* True if the fault says that this statement breaks with it. */
bool wcts_fault_names(const struct wcts_fault *fault, const char *statement);

/* ---- trace.c ---- */

/* Which cases can notice which faults. */
struct wcts_fault_trace {
    char *options;             /* of the implementation when it was traced */
    uint8_t *marks;            /* by case, then by fault; mapped */
    size_t size;               /* of marks, in bytes */
    struct wcts_claims claims; /* then; a fault does not change them */
};

/* Runs every case without a fault, with these options of the implementation, in a process of its
 * own. False with a one-line error, also when a signal stopped it (stop.h). */
bool wcts_fault_trace_init(struct wcts_fault_trace *trace, const struct wcts_faults *faults,
                           const struct wcts_options *base, const char *options, char *error,
                           size_t room);
void wcts_fault_trace_release(struct wcts_fault_trace *trace);

#endif
