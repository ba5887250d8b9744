/* SPDX-License-Identifier: MIT */
/* What each verdict means for a run, and how many results have which verdict. */
#ifndef WCTS_TALLY_H
#define WCTS_TALLY_H

#include <stdbool.h>

#include "../model/finding.h"

/* True for the verdicts that say something about the implementation. */
bool wcts_store_verdict_judges(enum wcts_verdict verdict);
/* The same of a case that a waiver may have changed; was: its verdict without. */
bool wcts_store_verdicts_judge(enum wcts_verdict verdict, enum wcts_verdict was);
/* True for fail, crash and timeout. */
bool wcts_store_verdict_breaks(enum wcts_verdict verdict);
/* True for declined and broken: what the case is about was not seen, and should have been. */
bool wcts_store_verdict_hinders(enum wcts_verdict verdict);

/* Results by verdict: {.verdicts[WCTS_VERDICT_PASS] = 40, .verdicts[WCTS_VERDICT_SKIP] = 2,
 * .unjudged = 1, .count = 42}. */
struct wcts_store_tally {
    int verdicts[WCTS_VERDICT_COUNT];
    int unjudged; /* skipped, since a rule on which theirs rests is broken */
    int count;
};

/* Counts one result. */
void wcts_store_tally_add(struct wcts_store_tally *tally, const struct wcts_result *result);
/* Evidence and nothing against it: at least one pass, and else only passes and skips. */
bool wcts_store_tally_proven(const struct wcts_store_tally *tally);
/* True if a case failed, crashed or hung. */
bool wcts_store_tally_breaks(const struct wcts_store_tally *tally);

#endif
