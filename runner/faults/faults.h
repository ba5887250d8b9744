/* SPDX-License-Identifier: MIT */
/* Trials of faults. An implementation that can be wrong in one place (struct wcts_fault of the
 * plug-in interface) is run with each of its faults; the suite must notice the fault and blame the
 * statement of the broken rule. Only cases that reach the fault are run: they are found by a trace
 * without faults. */
#ifndef WCTS_FAULTS_H
#define WCTS_FAULTS_H

#include "../base/text.h"
#include "../machine/session.h"

enum wcts_faults_trial_outcome {
    WCTS_FAULT_KILLED,   /* a case of its statement failed */
    WCTS_FAULT_SURVIVED, /* no case did */
    WCTS_FAULT_NONE,     /* the rule has no fault; the implementation explains it */
    WCTS_FAULT_BROKEN,   /* it could not be tried; see error */
    WCTS_FAULT_OUTCOME_COUNT
};

/* The trial of one fault. */
struct wcts_faults_trial {
    const struct wcts_fault *fault;
    int rule, statement; /* of the fault; -1: the spec has no such rule */
    enum wcts_faults_trial_outcome outcome;
    int cases;              /* that reach the fault */
    int broken;             /* of these failed */
    int *by;                /* their indices in the plan; owned */
    int by_count;           /* equals broken, unless memory was short */
    int tried;              /* cases up to the first failure of its own statement */
    int first;              /* that case, an index in the plan; -1: none */
    bool right;             /* only its statement and those that it names were blamed */
    bool *blamed;           /* by statement */
    struct wcts_text error; /* for BROKEN */
};

/* The faults of an implementation, matched with a spec. */
struct wcts_faults {
    const struct wcts_plan *plan;
    const struct wcts_fault_table *table;
    struct wcts_faults_trial *trials; /* one for each fault */
    int count;
    bool *ruled; /* by rule: true if it has a fault, or cannot have one */
    void *library;
};

/* Loads the implementation into this process and gets its table. False, with a one-line error, also
 * when it has no table. Release it either way. */
bool wcts_faults_init(struct wcts_faults *faults, const struct wcts_plan *plan, const char *path,
                      char *error, size_t room);
void wcts_faults_release(struct wcts_faults *faults);

/* Tries the wanted faults (by index; NULL: all) in their order and calls each after each. False,
 * with the reason in error, when memory is short, the implementation cannot be loaded without a
 * fault, or a signal stops the trials. The options are those without a fault. */
typedef void wcts_fault_tried_fn(void *ctx, const struct wcts_faults_trial *trial);
bool wcts_faults_try(struct wcts_faults *faults, const struct wcts_options *options,
                     const bool *wanted, wcts_fault_tried_fn *each, void *ctx, char *error,
                     size_t room);

const char *wcts_faults_trial_outcome_name(enum wcts_faults_trial_outcome outcome);

/* True if the fault states that this statement breaks, too. */
bool wcts_faults_fault_names(const struct wcts_fault *fault, const char *statement);

/* ---- trace.c ---- */

/* Which cases reach which faults. */
struct wcts_faults_trace {
    char *options;             /* of the implementation during the trace */
    uint8_t *marks;            /* by case, then by fault; mapped */
    size_t size;               /* size of marks in bytes */
    struct wcts_claims claims; /* during the trace; a fault does not change them */
};

/* Runs every case without a fault, with these options, in a separate process. False, with a
 * one-line error, also when a signal stopped it (stop.h). */
bool wcts_faults_fault_trace_init(struct wcts_faults_trace *trace, const struct wcts_faults *faults,
                                  const struct wcts_options *base, const char *options, char *error,
                                  size_t room);
void wcts_faults_fault_trace_release(struct wcts_faults_trace *trace);

#endif
