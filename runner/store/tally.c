/* SPDX-License-Identifier: MIT */
#include "tally.h"

/* What each verdict means for a run. A case that is fixed passes; a failure that is known is one
 * all the same. */
static const struct {
    bool judges, proves, breaks, doubts, hinders;
} meanings[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = {.judges = true, .proves = true},
    [WCTS_VERDICT_WARN] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_DEVIATES] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_SKIP] = {.judges = false},
    [WCTS_VERDICT_WAIVED] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_FIXED] = {.judges = true, .proves = true},
    [WCTS_VERDICT_FLAKY] = {.judges = true, .doubts = true},
    [WCTS_VERDICT_FAIL] = {.judges = true, .breaks = true, .doubts = true},
    [WCTS_VERDICT_CRASH] = {.judges = true, .breaks = true, .doubts = true},
    [WCTS_VERDICT_TIMEOUT] = {.judges = true, .breaks = true, .doubts = true},
    [WCTS_VERDICT_DECLINED] = {.doubts = true, .hinders = true},
    [WCTS_VERDICT_BROKEN] = {.doubts = true, .hinders = true},
};

bool wcts_store_verdict_judges(enum wcts_verdict verdict)
{
    return meanings[verdict].judges;
}

bool wcts_store_verdicts_judge(enum wcts_verdict verdict, enum wcts_verdict was)
{
    return meanings[verdict == WCTS_VERDICT_WAIVED ? was : verdict].judges;
}

bool wcts_store_verdict_breaks(enum wcts_verdict verdict)
{
    return meanings[verdict].breaks;
}

bool wcts_store_verdict_hinders(enum wcts_verdict verdict)
{
    return meanings[verdict].hinders;
}

bool wcts_store_tally_proven(const struct wcts_store_tally *tally)
{
    int proving = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        if (meanings[i].doubts && tally->verdicts[i] != 0)
            return false;
        proving += meanings[i].proves ? tally->verdicts[i] : 0;
    }
    return proving != 0;
}

bool wcts_store_tally_breaks(const struct wcts_store_tally *tally)
{
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (meanings[i].breaks && tally->verdicts[i] != 0)
            return true;
    return false;
}

void wcts_store_tally_add(struct wcts_store_tally *tally, const struct wcts_result *result)
{
    tally->verdicts[result->verdict]++;
    tally->unjudged += result->skip == WCTS_SKIP_NOT_JUDGED;
    tally->count++;
}
