/* SPDX-License-Identifier: MIT */
#include "reseen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/machine/session.h"
#include "../runner/run/case.h"
#include "../runner/run/worker.h"

enum { KERNEL, DRIVER, SIDES };

/* Where the entry of the profile is in the one before; -1: it is not there. */
typedef int8_t report_entry_map[WCTS_PROFILE_ENTRIES_MAX];

struct wcts_report_reseen {
    const char *directory;
    const struct wcts_plan *plan;
    const struct wcts_claims *claims;
    const struct wcts_profile *profile;
    struct wcts_store_records records;
    struct wcts_machine_session *sessions[SIDES];
    bool known; /* all conditions were asked in the run, so that only sweeps are judged again */
    report_entry_map from;
};

static bool complain(const struct wcts_report_reseen *reseen, const char *id, const char *wrong)
{
    fprintf(stderr, "%s/records: %s%s%s, expected what the run recorded (not --no-records)\n",
            reseen->directory, id ? id : "", id ? ": " : "", wrong);
    return false;
}

/* ---- what the run asked already ---- */

static bool asks_the_same(const struct wcts_profile_entry *a, const struct wcts_profile_entry *b)
{
    return a->kind == b->kind && a->driver == b->driver && a->on == b->on && a->condition &&
           b->condition && strcmp(a->condition, b->condition) == 0 && a->since == b->since &&
           a->until == b->until;
}

static void map_entries(struct wcts_report_reseen *reseen, const struct wcts_profile *before)
{
    reseen->known = before != NULL;
    for (int i = 0; i < reseen->profile->count; i++) {
        const struct wcts_profile_entry *entry = &reseen->profile->entries[i];
        reseen->from[i] = -1;
        for (int j = 0; before && j < before->count; j++)
            if (asks_the_same(entry, &before->entries[j]))
                reseen->from[i] = (int8_t)j;
        reseen->known = reseen->known && (!entry->condition || reseen->from[i] >= 0);
    }
}

static uint64_t mapped(const struct wcts_report_reseen *reseen, uint64_t set)
{
    uint64_t to = 0;
    for (int i = 0; i < reseen->profile->count; i++)
        if (reseen->from[i] >= 0 && set & wcts_model_profile_bit(reseen->from[i]))
            to |= wcts_model_profile_bit(i);
    return to;
}

/* ---- opening ---- */

static bool open_sessions(struct wcts_report_reseen *reseen)
{
    static const uint32_t bits[SIDES] = {[KERNEL] = WCTS_SIDE_KERNEL, [DRIVER] = WCTS_SIDE_DRIVER};
    for (int side = 0; side < SIDES; side++) {
        const struct wcts_stored *stored =
            wcts_store_records_find(&reseen->records, wcts_store_records_side(side));
        struct wcts_claims claims;
        char error[512] = "";
        if (!stored || stored->kept == WCTS_STORED_NONE || !(reseen->claims->sides & bits[side]))
            continue;
        reseen->sessions[side] = wcts_machine_session_open_stored(
            reseen->plan, side == DRIVER, stored,
            reseen->claims->raised_from ? reseen->claims->last_interface_version : 0, &claims,
            error, sizeof error);
        if (!reseen->sessions[side])
            return complain(reseen, NULL, error[0] ? error : "the claims cannot be read");
        reseen->sessions[side]->options.profile = reseen->profile;
    }
    return true;
}

struct wcts_report_reseen *wcts_report_reseen_new(const char *directory,
                                                  const struct wcts_plan *plan,
                                                  const struct wcts_claims *claims,
                                                  const struct wcts_profile *before,
                                                  const struct wcts_profile *profile)
{
    struct wcts_report_reseen *reseen = calloc(1, sizeof *reseen);
    bool good;
    if (!reseen)
        return NULL;
    reseen->directory = directory;
    reseen->plan = plan;
    reseen->claims = claims;
    reseen->profile = profile;
    map_entries(reseen, before);
    good = wcts_store_records_open(&reseen->records, directory);
    if (!good)
        complain(reseen, NULL, strerror(errno));
    else if (reseen->records.right == 0)
        good = complain(reseen, NULL, reseen->records.wrong);
    if (good && open_sessions(reseen))
        return reseen;
    wcts_report_reseen_free(reseen);
    return NULL;
}

void wcts_report_reseen_free(struct wcts_report_reseen *reseen)
{
    if (!reseen)
        return;
    for (int side = 0; side < SIDES; side++)
        wcts_machine_session_close(reseen->sessions[side]);
    wcts_store_records_release(&reseen->records);
    free(reseen);
}

/* ---- cases ---- */

/* Judges the record of the last attempt again. */
static bool see_record(struct wcts_report_reseen *reseen, const struct wcts_case *test,
                       const struct wcts_stored *stored, struct wcts_profile_seen *seen)
{
    struct wcts_machine_session *session = reseen->sessions[test->driver ? DRIVER : KERNEL];
    struct wcts_result again = {0};
    const char *fault = NULL;
    *seen = (struct wcts_profile_seen){0};
    if (!stored)
        return complain(reseen, test->id,
                        reseen->records.wrong[0] ? reseen->records.wrong : "is not there");
    if (!wcts_model_is_stored(stored->kept))
        return true; /* it ended the implementation, or was not tried */
    if (!session)
        return complain(reseen, test->id, "nothing is recorded of what its side claims");
    fault = wcts_run_case_again(session, test, stored, &again);
    *seen = again.seen;
    wcts_model_result_release(&again);
    return !fault || complain(reseen, test->id, fault);
}

/* The record of the last attempt; there is an entry of cases that were not asked, too, and none may
 * be passed over. */
static const struct wcts_stored *next_record(struct wcts_report_reseen *reseen,
                                             const struct wcts_case *test,
                                             const struct wcts_result *result)
{
    const struct wcts_stored *stored = NULL;
    for (int i = 0; i <= result->tried; i++)
        stored = wcts_store_records_find(&reseen->records, test->id);
    return stored;
}

void wcts_report_reseen_skip(struct wcts_report_reseen *reseen, const struct wcts_case *test,
                             const struct wcts_result *result)
{
    next_record(reseen, test, result);
}

bool wcts_report_reseen_case(struct wcts_report_reseen *reseen, const struct wcts_case *test,
                             struct wcts_result *result)
{
    const struct wcts_stored *stored = next_record(reseen, test, result);
    struct wcts_profile_seen *seen = &result->seen;
    if (!reseen->known || test->kind == WCTS_KIND_SWEEP) {
        if (wcts_run_not_asked(reseen->plan, test, reseen->claims, NULL))
            return true;
        return see_record(reseen, test, stored, seen);
    }
    seen->refused = mapped(reseen, seen->refused);
    seen->accepted = mapped(reseen, seen->accepted);
    seen->holds = mapped(reseen, seen->holds);
    return true;
}

void wcts_report_reseen_watch(struct wcts_report_reseen *reseen,
                              void (*see)(void *ctx, const struct wcts_case *test,
                                          const struct wcts_exchange_recording *recording),
                              void *ctx)
{
    for (int side = 0; side < SIDES; side++)
        if (reseen->sessions[side]) {
            reseen->sessions[side]->options.see = see;
            reseen->sessions[side]->options.see_ctx = ctx;
        }
}
