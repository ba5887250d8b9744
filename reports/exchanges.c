/* SPDX-License-Identifier: MIT */
#include "exchanges.h"

#include <errno.h>
#include <string.h>

#include "../runner/run/case.h"
#include "upgrade.h"

enum { KERNEL_CASES, DRIVER_CASES, CASES_SIDES };

/* The sessions that read what is stored of each side. */
struct report_replaying {
    const struct wcts_plan *plan;
    struct wcts_store_records records;
    uint32_t upgrade; /* as in wcts_machine_session_options */
    struct wcts_machine_session *sessions[CASES_SIDES];
    struct wcts_claims claims[CASES_SIDES];
    wcts_report_exchange_visit *visit;
    void *context;
};

/* False, with the reason in text, if what a side claims cannot be read. */
static bool open_side(struct report_replaying *replaying, int side, char *text, size_t room)
{
    const struct wcts_stored *stored =
        wcts_store_records_find(&replaying->records, wcts_store_records_side(side));
    if (!stored || stored->kept == WCTS_STORED_NONE)
        return true;
    replaying->sessions[side] =
        wcts_machine_session_open_stored(replaying->plan, side == DRIVER_CASES, stored,
                                         replaying->upgrade, &replaying->claims[side], text, room);
    return replaying->sessions[side] != NULL;
}

/* Visits the exchange of each boot whose call was answered. */
static bool visit_boots(struct report_replaying *replaying, const struct wcts_case *test, int side)
{
    const struct wcts_exchange_recording *recording = &replaying->sessions[side]->recording;
    for (int i = 0; i < recording->count; i++) {
        struct wcts_exchange exchange = recording->boots[i].exchange;
        const struct wcts_report_exchange one = {test, &exchange, &replaying->claims[side]};
        if (exchange.breach_kind != WCTS_BREACH_NONE || recording->boots[i].no_instance)
            continue;
        if (recording->boots[i].closing < exchange.count)
            exchange.count = recording->boots[i].closing;
        if (exchange.count > 0 && !replaying->visit(replaying->context, &one))
            return false;
    }
    return true;
}

static bool visit_case(struct report_replaying *replaying, int index)
{
    struct wcts_case made;
    const struct wcts_case *test = wcts_plan_case(replaying->plan, index, &made);
    const struct wcts_stored *stored = wcts_store_records_find(&replaying->records, test->id);
    int side = test->driver ? DRIVER_CASES : KERNEL_CASES;
    struct wcts_result result = {0};
    bool more = true;
    if (!stored || !wcts_model_is_stored(stored->kept) || !replaying->sessions[side])
        return true;
    wcts_exchange_recording_clear(&replaying->sessions[side]->recording);
    if (!wcts_run_case_again(replaying->sessions[side], test, stored, &result))
        more = visit_boots(replaying, test, side);
    wcts_model_result_release(&result);
    return more;
}

bool wcts_report_exchanges(struct wcts_store_reader *reader, const struct wcts_plan *plan,
                           wcts_report_exchange_visit *visit, void *context)
{
    struct report_replaying replaying = {.plan = plan,
                                         .upgrade = wcts_report_upgrade_of(plan->spec, reader->run),
                                         .visit = visit,
                                         .context = context};
    char wrong[512] = "";
    bool good = false, more = true;
    const char *digest = wcts_store_json_member(reader->run, "spec_digest");
    if (strcmp(digest, plan->spec->digest) != 0) {
        wcts_store_reader_error(reader, WCTS_FILE_RUN, 1,
                                "spec_digest is %.12s, expected %.12s: the run is of other "
                                "documents",
                                digest, plan->spec->digest);
    } else if (!wcts_store_reader_plan(reader, plan)) {
        wcts_store_reader_report(reader);
    } else if (!wcts_store_records_open(&replaying.records, reader->directory)) {
        wcts_store_reader_error(reader, WCTS_RECORDS_FILE, 0,
                                "%s, expected the records of the run (not --no-records)",
                                strerror(errno));
    } else if (replaying.records.right == 0) {
        wcts_store_reader_error(reader, WCTS_RECORDS_FILE, 0, "%s", replaying.records.wrong);
    } else if (!open_side(&replaying, KERNEL_CASES, wrong, sizeof wrong) ||
               !open_side(&replaying, DRIVER_CASES, wrong, sizeof wrong)) {
        wcts_store_reader_error(reader, WCTS_RECORDS_FILE, 0, "%s", wrong);
    } else {
        for (int i = 0; i < reader->count && more; i++)
            if (reader->rows[i].test >= 0)
                more = visit_case(&replaying, reader->rows[i].test);
        good = more;
    }
    for (int side = 0; side < CASES_SIDES; side++)
        wcts_machine_session_close(replaying.sessions[side]);
    wcts_store_records_release(&replaying.records);
    return good;
}
