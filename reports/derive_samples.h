/* SPDX-License-Identifier: MIT */
/* Samples from the records of finished runs, for what a profile is proposed from. */
#ifndef WCTS_DERIVE_SAMPLES_H
#define WCTS_DERIVE_SAMPLES_H

#include "../runner/judge/samples.h"
#include "derive_terms.h"
#include "loaded_run.h"

/* What a case is to a rule of which cases fail and others pass. */
enum wcts_report_derive_part { WCTS_DERIVE_NONE, WCTS_DERIVE_BROKEN, WCTS_DERIVE_KEPT };

/* Calls with a structure. */
struct wcts_report_derive_set {
    bool driver; /* the side that is sent them */
    int on;      /* structure */
    int rule;    /* which cases break it is asked; -1: which valid calls are refused */
    struct wcts_judge_samples samples;
    struct wcts_report_term *terms; /* of which calls; the owner finds them, or NULL */
    int term_count;
};

/* The sets of all rules, as they are filled from runs. Example: two sets, {.on = 4, .rule = -1}
 * of refused calls that break nothing, and {.on = 4, .rule = 12} of calls that one rule is
 * about. */
struct wcts_report_derive {
    const struct wcts_spec *spec;
    struct wcts_report_derive_set *
        *sets; /* owned; of refused calls those of whole requests first */
    int set_count;
    int *tests;     /* by number of a call that is refused, although it breaks nothing: its case */
    int test_count; /* as many */
    /* What the case is to the rule that it is evidence for, or breaks: set by the owner. */
    enum wcts_report_derive_part (*part)(void *ctx, const struct wcts_case *test,
                                         const struct wcts_result *result, int *rule);
    void *ctx;
};

/* Adds a set for a rule that is about a structure of requests; nothing for others. */
void wcts_report_derive_of_rule(struct wcts_report_derive *derive, int rule, bool driver);
/* Reads the records of the runs twice: for what is refused, then for all calls, of which whole
 * requests are sampled. refusals: some are sought. False, with a message, if a run has none. */
bool wcts_report_derive_samples(struct wcts_report_derive *derive,
                                struct wcts_report_loaded_run *runs, int count, bool refusals);
/* Reads them once more for what is behind the pointers of requests. Numbers of calls are the same.
 */
bool wcts_report_derive_elements(struct wcts_report_derive *derive,
                                 struct wcts_report_loaded_run *runs, int count);
void wcts_report_derive_release(struct wcts_report_derive *derive);

#endif
