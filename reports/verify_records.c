/* SPDX-License-Identifier: MIT */
/* Judging again: each case is run with its record instead of the parties. */
#include <stdlib.h>
#include <string.h>

#include "../runner/run/case.h"
#include "../runner/run/packet.h"
#include "../runner/run/worker.h"
#include "json.h"
#include "verify.h"

enum { KERNEL, DRIVER, SIDES };

/* The records, the sessions that read them, and the results. */
struct rejudging {
    struct wcts_verify *verify;
    struct wcts_records records;
    struct wcts_session *sessions[SIDES];
    struct wcts_claims claims[SIDES];
    int judged, differ, without, cut;
    int apart; /* records of another attempt or level than the one that counts */
};

static const uint32_t side_bits[SIDES] = {[KERNEL] = WCTS_SIDE_KERNEL, [DRIVER] = WCTS_SIDE_DRIVER};

/* ---- claims ---- */

/* Opens a session that reads a side's claims. Returns what is wrong, or NULL. */
static const char *read_claims(struct rejudging *rejudging, int side,
                               const struct wcts_stored *stored)
{
    const struct wcts_verify_basis *basis = rejudging->verify->basis;
    const struct wcts_implementation nobody = {.path = "", .options = ""};
    const struct wcts_session_options options = {.driver = side == DRIVER, .claims = stored};
    struct wcts_session *session;
    char error[512];
    session = rejudging->sessions[side] = wcts_session_open(
        basis->plan, &nobody, &options, &rejudging->claims[side], error, sizeof error);
    return session ? wcts_exchange_stream_fault(&session->stream) : "gives no claims";
}

/* Compares claims without remarks: a process that died is not recorded. */
static bool is_same_claim(const json_t *there, const json_t *said)
{
    json_t *a = json_copy((json_t *)there), *b = json_copy((json_t *)said);
    bool same;
    json_object_del(a, "remarks");
    json_object_del(b, "remarks");
    same = json_equal(a, b) == 1;
    json_decref(a);
    json_decref(b);
    return same;
}

/* run.json must name the claims that the records give. */
static void check_claims(struct rejudging *rejudging)
{
    struct wcts_verify *verify = rejudging->verify;
    const char *wrong = NULL;
    uint32_t has = 0;
    json_t *claims;
    bool same;
    for (int side = 0; side < SIDES && !wrong; side++) {
        const struct wcts_stored *stored =
            wcts_store_records_find(&rejudging->records, wcts_store_records_side(side));
        if (!stored)
            continue;
        wrong = read_claims(rejudging, side, stored);
        if (wrong)
            continue;
        has |= rejudging->claims[side].sides;
        wcts_run_claims_merge(&verify->claims, &rejudging->claims[side], side_bits[side]);
    }
    claims = wcts_report_json_claims(&verify->claims);
    same = is_same_claim(claims, json_object_get(verify->run, "claims"));
    json_decref(claims);
    if (wrong)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "claims",
                                 "the record of what is claimed: %s", wrong);
    else if (!same)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "claims",
                                 "the run names other claims than the records give");
    else if (has & ~verify->claims.sides)
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "claims",
                                 "those of the records; the plug-in has another side, for which "
                                 "nothing is claimed");
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "claims", "those of the records");
}

/* ---- cases ---- */

/* True if the record's verdict fits the journal's, which a waiver or another attempt may have
 * changed. */
static bool same_verdict(const struct wcts_verify_case *said, enum wcts_verdict got)
{
    bool breaks = got != WCTS_VERDICT_PASS && got != WCTS_VERDICT_SKIP;
    switch (said->verdict) {
    case WCTS_VERDICT_WAIVED:
        return breaks && said->was == got;
    case WCTS_VERDICT_FIXED:
    case WCTS_VERDICT_FLAKY:
        return !breaks;
    default:
        return said->verdict == got;
    }
}

/* True if reason and evidence are those of the recorded attempt. */
static bool has_same_reason(enum wcts_verdict verdict)
{
    return verdict != WCTS_VERDICT_FIXED && verdict != WCTS_VERDICT_FLAKY;
}

static bool matches_text(const char *said, const char *got)
{
    json_t *text = wcts_store_json_text(got ? got : "");
    bool same = strcmp(said, json_string_value(text)) == 0;
    json_decref(text);
    return same;
}

static void differ(struct rejudging *rejudging, const struct wcts_verify_case *one,
                   const char *format, const char *a, const char *b)
{
    const struct wcts_plan *plan = rejudging->verify->basis->plan;
    char *text = NULL;
    rejudging->differ++;
    if (asprintf(&text, format, a, b) >= 0)
        wcts_report_verify_list(rejudging->verify, "differ", WCTS_PLAN_CASE(plan, one->index)->id,
                                text);
    free(text);
}

static void compare_case(struct rejudging *rejudging, const struct wcts_verify_case *one,
                         struct wcts_result *result, const char *fault)
{
    const struct wcts_verify_basis *basis = rejudging->verify->basis;
    bool crossed = wcts_packet_cross(result);
    rejudging->judged++;
    wcts_judge_result_read(basis->plan, WCTS_PLAN_CASE(basis->plan, one->index), basis->asked,
                           result);
    if (fault)
        differ(rejudging, one, "%s%s", fault, "");
    else if (!crossed)
        differ(rejudging, one, "%s%s", "no memory", "");
    else if (!same_verdict(one, result->verdict) || one->skip != result->skip)
        differ(rejudging, one, "the journal has %s, the record gives %s",
               wcts_verdict_name(one->verdict), wcts_verdict_name(result->verdict));
    else if (has_same_reason(one->verdict) && !matches_text(one->reason, result->reason))
        differ(rejudging, one, "the journal has \"%s\", the record gives \"%s\"", one->reason,
               result->reason);
    else if (has_same_reason(one->verdict) && !matches_text(one->detail, result->detail))
        differ(rejudging, one, "%s%s", "the journal has other evidence than the record gives", "");
}

/* A worker that died has sent no record. Only cases that fail, or may end, have a verdict without
 * one. */
static void judge_without(struct rejudging *rejudging, const struct wcts_verify_case *one)
{
    struct wcts_case made;
    const struct wcts_case *planned =
        wcts_plan_case(rejudging->verify->basis->plan, one->index, &made);
    bool failed = wcts_verdict_is_death(one->verdict) || one->verdict == WCTS_VERDICT_BROKEN ||
                  one->verdict == WCTS_VERDICT_WAIVED ||
                  (one->ended && wcts_store_verdict_breaks(one->verdict));
    bool may_end = one->verdict == WCTS_VERDICT_PASS && planned->expect == WCTS_EXPECT_ASSERT &&
                   one->reason[0] == '\0';
    if (failed)
        wcts_report_verify_tally(
            rejudging->verify, "not_judged_again",
            "the implementation ended or hung during the case, or was not loaded");
    else if (may_end)
        wcts_report_verify_tally(rejudging->verify, "not_judged_again",
                                 "the implementation ended, as the document allows");
    else if (one->skip == WCTS_SKIP_NOT_TRIED)
        wcts_report_verify_tally(rejudging->verify, "not_judged_again",
                                 "cases like it ended the implementation, and it was not tried");
    else if (one->ended)
        rejudging->apart++;
    else
        rejudging->without++;
    if (!failed && !may_end && !one->ended && one->skip != WCTS_SKIP_NOT_TRIED)
        wcts_report_verify_list(rejudging->verify, "differ", planned->id,
                                "there is no record of it");
}

static void judge_case(struct rejudging *rejudging, struct wcts_verify_case *one)
{
    struct wcts_case made;
    const struct wcts_case *planned =
        wcts_plan_case(rejudging->verify->basis->plan, one->index, &made);
    const struct wcts_stored *stored = wcts_store_records_find(&rejudging->records, planned->id);
    int side = planned->driver ? DRIVER : KERNEL;
    struct wcts_result result = {0};
    const char *fault = NULL;
    if (!stored && wcts_run_no_side(planned, &rejudging->verify->claims, &result)) {
        compare_case(rejudging, one, &result, NULL);
    } else if (!stored) {
        judge_without(rejudging, one);
    } else if (stored->kept == WCTS_STORED_CUT) {
        rejudging->cut++;
        wcts_report_verify_tally(rejudging->verify, "not_judged_again",
                                 "the record was too long, and is cut");
    } else if (one->another) {
        rejudging->apart++;
    } else if (!rejudging->sessions[side]) {
        differ(rejudging, one, "%s%s", "nothing is recorded of what this side claims", "");
    } else {
        fault = wcts_run_case_again(rejudging->sessions[side], planned, stored, &result);
        one->answered = result.answered;
        compare_case(rejudging, one, &result, fault);
    }
    wcts_model_result_release(&result);
}

static void check_records(struct rejudging *rejudging)
{
    struct wcts_verify *verify = rejudging->verify;
    int unused = 0;
    for (int i = 0; i < rejudging->records.count; i++)
        unused += !rejudging->records.entries[i].used;
    if (rejudging->records.wrong[0])
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records", "%s",
                                 rejudging->records.wrong);
    if (unused)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records",
                                 "%d of %d belong to no case of the journal", unused,
                                 rejudging->records.count);
    if (rejudging->without)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records",
                                 "%d cases have none, although the implementation did not end",
                                 rejudging->without);
    if (rejudging->apart)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "records",
                                 "%d are of another attempt or level than the one that counts",
                                 rejudging->apart);
    if (rejudging->cut)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "records", "%d are cut", rejudging->cut);
    wcts_report_verify_check(
        verify, rejudging->differ ? WCTS_CHECK_NOT_OK : WCTS_CHECK_OK, "judged again",
        rejudging->differ ? "%d of %d verdicts, %d differ" : "%d of %d verdicts", rejudging->judged,
        verify->count, rejudging->differ);
}

void wcts_report_verify_records(struct wcts_verify *verify)
{
    struct rejudging rejudging = {.verify = verify};
    if (verify->foreign)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "judged again",
                                 "no verdict: the records are of another spec");
    else if (!wcts_store_records_open(&rejudging.records, verify->directory))
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "judged again",
                                 "no verdict: there are no records");
    else if (rejudging.records.right == 0) {
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records", "%s",
                                 rejudging.records.wrong);
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "judged again",
                                 "no verdict: there are no records");
    } else {
        check_claims(&rejudging);
        for (int i = 0; i < verify->count; i++)
            judge_case(&rejudging, &verify->cases[i]);
        check_records(&rejudging);
    }
    json_object_set_new(verify->page, "judged_again", json_integer(rejudging.judged));
    for (int side = 0; side < SIDES; side++)
        wcts_session_close(rejudging.sessions[side]);
    wcts_store_records_release(&rejudging.records);
}
