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
struct report_rejudging {
    struct wcts_report_verify *verify;
    struct wcts_store_records records;
    struct wcts_machine_session *sessions[SIDES];
    struct wcts_claims claims[SIDES];
    int judged, differ, without, cut;
    int first, bare; /* indices in the plan: the first that differs, the first without a record */
    int allowed; /* passed because the implementation ended where it may, of which there is none */
    int apart;   /* records of another level than the one that counts */
    struct wcts_judge_once once;
};

static const uint32_t side_bits[SIDES] = {[KERNEL] = WCTS_SIDE_KERNEL, [DRIVER] = WCTS_SIDE_DRIVER};

/* ---- claims ---- */

/* Opens a session that reads a side's claims. Returns what is wrong, or NULL. */
static const char *claims_again(struct report_rejudging *rejudging, int side,
                                const struct wcts_stored *stored)
{
    const struct wcts_report_verify_basis *basis = rejudging->verify->basis;
    struct wcts_machine_session *session;
    char error[512];
    session = rejudging->sessions[side] =
        wcts_machine_session_open_stored(basis->plan, side == DRIVER, stored, basis->asked->upgrade,
                                         &rejudging->claims[side], error, sizeof error);
    if (session)
        session->options.profile = basis->asked->profile;
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

/* True if the side was asked for its profile alone, and named one: the run is not about it. */
static bool only_names_profile(const struct report_rejudging *rejudging, int side)
{
    const json_t *claims = json_object_get(rejudging->verify->run, "claims");
    return !(wcts_report_json_sides(json_object_get(claims, "sides")) & side_bits[side]) &&
           rejudging->claims[side].profile[0];
}

/* run.json must name the claims that the records give. */
static void check_claims(struct report_rejudging *rejudging)
{
    struct wcts_report_verify *verify = rejudging->verify;
    const char *wrong = NULL, *named = NULL;
    uint32_t has = 0;
    json_t *claims;
    bool same;
    for (int side = 0; side < SIDES && !wrong; side++) {
        const struct wcts_stored *stored =
            wcts_store_records_find(&rejudging->records, wcts_store_records_side(side));
        if (!stored || stored->kept == WCTS_STORED_NONE)
            continue;
        wrong = claims_again(rejudging, side, stored);
        if (wrong)
            continue;
        has |= rejudging->claims[side].sides;
        if (only_names_profile(rejudging, side))
            named = rejudging->claims[side].profile;
        else
            wcts_run_claims_merge(&verify->claims, &rejudging->claims[side], side_bits[side]);
    }
    if (named)
        memcpy(verify->claims.profile, named, sizeof verify->claims.profile);
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

/* True if the record's verdict fits the journal's, which a waiver may have changed. */
static bool same_verdict(const struct wcts_report_verify_case *said, enum wcts_verdict got)
{
    bool breaks = got != WCTS_VERDICT_PASS && got != WCTS_VERDICT_SKIP;
    switch (said->verdict) {
    case WCTS_VERDICT_WAIVED:
        return breaks && said->was == got;
    case WCTS_VERDICT_FIXED:
        return !breaks;
    default:
        return said->verdict == got;
    }
}

static bool matches_text(const char *said, const char *got)
{
    json_t *text = wcts_store_json_text(got ? got : "");
    bool same = strcmp(said, json_string_value(text)) == 0;
    json_decref(text);
    return same;
}

static void differ(struct report_rejudging *rejudging, const struct wcts_report_verify_case *one,
                   const char *format, const char *a, const char *b)
{
    const struct wcts_plan *plan = rejudging->verify->basis->plan;
    char *text = NULL;
    if (rejudging->differ++ == 0)
        rejudging->first = one->index;
    if (asprintf(&text, format, a, b) >= 0)
        wcts_report_verify_list(rejudging->verify, "differ", WCTS_PLAN_CASE(plan, one->index)->id,
                                text);
    free(text);
}

/* The rule that a case of the journal is counted for. */
static const char *blamed(const struct wcts_plan *plan, const struct wcts_report_verify_case *one,
                          int broken)
{
    bool other = broken > 0 && broken <= plan->spec->rules_count;
    return plan->spec->rules[other ? broken - 1 : wcts_plan_series(plan, one->index)->rule].id;
}

static void compare_case(struct report_rejudging *rejudging,
                         const struct wcts_report_verify_case *one, struct wcts_result *result,
                         const char *fault)
{
    const struct wcts_report_verify_basis *basis = rejudging->verify->basis;
    struct wcts_report_verify_case *counted =
        &rejudging->verify->cases[one - rejudging->verify->cases];
    rejudging->judged++;
    wcts_judge_once(&rejudging->once, WCTS_PLAN_CASE(basis->plan, one->index), result);
    wcts_judge_result_read(basis->plan, WCTS_PLAN_CASE(basis->plan, one->index), basis->asked,
                           result);
    counted->shown = result->shown;
    counted->against = result->against;
    counted->unshown = result->unshown;
    if (fault)
        differ(rejudging, one, "%s%s", fault, "");
    else if (!same_verdict(one, result->verdict) || one->skip != result->skip)
        differ(rejudging, one, "the journal has %s, the record gives %s",
               wcts_model_verdict_name(one->verdict), wcts_model_verdict_name(result->verdict));
    else if (one->broken != result->broken)
        differ(rejudging, one, "the journal blames %s, the record %s",
               blamed(basis->plan, one, one->broken), blamed(basis->plan, one, result->broken));
    else if (one->verdict != WCTS_VERDICT_FIXED && !matches_text(one->reason, result->reason))
        differ(rejudging, one, "the journal has \"%s\", the record gives \"%s\"", one->reason,
               result->reason);
    else if (one->verdict != WCTS_VERDICT_FIXED && !matches_text(one->detail, result->detail))
        differ(rejudging, one, "%s%s", "the journal has other evidence than the record gives", "");
}

/* True if the case failed, or fails but for a waiver, because its worker ended: nobody gains by a
 * record that is not there. */
static bool failed_by_ending(const struct wcts_report_verify_case *one)
{
    enum wcts_verdict verdict = one->verdict == WCTS_VERDICT_WAIVED ? one->was : one->verdict;
    return wcts_model_verdict_is_death(verdict) || verdict == WCTS_VERDICT_BROKEN ||
           (one->ended && wcts_store_verdict_breaks(verdict));
}

/* A worker that ended has sent no record, and then an empty one is stored. Without any at all no
 * verdict stands. */
static void judge_without(struct report_rejudging *rejudging,
                          const struct wcts_report_verify_case *one, bool stored)
{
    struct wcts_case made;
    const struct wcts_case *planned =
        wcts_plan_case(rejudging->verify->basis->plan, one->index, &made);
    bool may_end = one->verdict == WCTS_VERDICT_PASS && planned->expect == WCTS_EXPECT_ASSERT &&
                   one->reason[0] == '\0';
    const char *why = NULL;
    if (failed_by_ending(one))
        why = "the implementation ended or hung during the case, or was not loaded";
    else if (may_end)
        why = "the implementation ended, as the document allows";
    else if (one->skip == WCTS_SKIP_NOT_TRIED)
        why = "cases like it ended the implementation, and it was not tried";
    if (stored && why)
        wcts_report_verify_tally(rejudging->verify, "not_judged_again", why);
    rejudging->allowed += stored && why && may_end;
    rejudging->apart += stored && !why && one->ended;
    if (stored && (why || one->ended))
        return;
    if (rejudging->without++ == 0)
        rejudging->bare = one->index;
    wcts_report_verify_list(rejudging->verify, "differ", planned->id, "there is no record of it");
}

/* True if nothing can be stored of an attempt: the implementation ended or hung, which fails, or
 * may have stopped where the document lets it. */
static bool may_lack(const struct wcts_case *planned, const struct wcts_finding *finding)
{
    enum wcts_found last = wcts_model_finding_last(finding)->found;
    return last == WCTS_FOUND_CRASH || last == WCTS_FOUND_HANG ||
           (last == WCTS_FOUND_KEPT && planned->expect == WCTS_EXPECT_ASSERT);
}

/* Judges all attempts again into the result; those that ended are as the journal has them. Returns
 * what is wrong with a record, or NULL. */
static const char *judge_attempts(struct report_rejudging *rejudging,
                                  struct wcts_report_verify_case *one,
                                  const struct wcts_stored *stored, struct wcts_result *result,
                                  bool *cut)
{
    const struct wcts_case *planned = WCTS_PLAN_CASE(rejudging->verify->basis->plan, one->index);
    const char *fault = NULL;
    int tried = one->found.tried;
    for (int i = 0; i <= tried && !fault; i++) {
        struct wcts_finding *finding =
            i < tried ? &one->found.tries[i].finding : &one->found.finding;
        struct wcts_result attempt = {0};
        if (i > 0)
            stored = wcts_store_records_find(&rejudging->records, planned->id);
        *cut = *cut || (stored && stored->kept == WCTS_STORED_CUT);
        if (stored && wcts_model_is_stored(stored->kept)) {
            fault = wcts_run_case_again(rejudging->sessions[planned->driver ? DRIVER : KERNEL],
                                        planned, stored, &attempt);
            if (!wcts_run_packet_cross(&attempt))
                fault = "no memory";
            one->answered = one->found.answered = attempt.answered;
            one->found.seen = attempt.seen;
            wcts_model_finding_release(finding);
            *finding = attempt.finding;
        } else if (!stored || (stored->kept == WCTS_STORED_NONE && !may_lack(planned, finding))) {
            fault = "there is no record of an attempt";
        }
    }
    *result = one->found;
    one->found = (struct wcts_result){0};
    return fault;
}

static void judge_case(struct report_rejudging *rejudging, struct wcts_report_verify_case *one)
{
    struct wcts_case made;
    const struct wcts_case *planned =
        wcts_plan_case(rejudging->verify->basis->plan, one->index, &made);
    const struct wcts_stored *stored = wcts_store_records_find(&rejudging->records, planned->id);
    bool none = !stored || (stored->kept == WCTS_STORED_NONE && one->found.tried == 0);
    struct wcts_result result = {0};
    const char *fault;
    bool cut = false;
    if (none && wcts_run_not_asked(rejudging->verify->basis->plan, planned,
                                   &rejudging->verify->claims, &result)) {
        compare_case(rejudging, one, &result, NULL);
    } else if (none) {
        judge_without(rejudging, one, stored != NULL);
    } else if (!rejudging->sessions[planned->driver ? DRIVER : KERNEL]) {
        differ(rejudging, one, "%s%s", "nothing is recorded of what this side claims", "");
    } else {
        fault = judge_attempts(rejudging, one, stored, &result, &cut);
        if (!cut)
            compare_case(rejudging, one, &result, fault);
    }
    if (cut) {
        rejudging->cut++;
        wcts_report_verify_tally(rejudging->verify, "not_judged_again",
                                 "the record was too long, and is cut");
    }
    wcts_model_result_release(&result);
}

static void check_records(struct report_rejudging *rejudging)
{
    struct wcts_report_verify *verify = rejudging->verify;
    wcts_store_records_end(&rejudging->records);
    if (rejudging->records.wrong[0])
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records", "%s",
                                 rejudging->records.wrong);
    if (rejudging->records.unused)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records",
                                 "%d of %d belong to no case of the journal",
                                 rejudging->records.unused, rejudging->records.count);
    if (rejudging->without)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "records",
                                 "%d cases have none, first %s, although the implementation did "
                                 "not end",
                                 rejudging->without,
                                 WCTS_PLAN_CASE(verify->basis->plan, rejudging->bare)->id);
    if (rejudging->allowed)
        wcts_report_verify_check(verify, WCTS_CHECK_OPEN, "records",
                                 "%d passed because the implementation ended where it may, which "
                                 "no record shows",
                                 rejudging->allowed);
    if (rejudging->apart)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "records",
                                 "%d are of another level than the one that counts",
                                 rejudging->apart);
    if (rejudging->cut)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "records", "%d are cut", rejudging->cut);
    if (rejudging->differ)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "judged again",
                                 "%d of %d verdicts, %d differ, first that of %s",
                                 rejudging->judged, verify->count, rejudging->differ,
                                 WCTS_PLAN_CASE(verify->basis->plan, rejudging->first)->id);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "judged again", "%d of %d verdicts",
                                 rejudging->judged, verify->count);
}

void wcts_report_verify_records(struct wcts_report_verify *verify)
{
    struct report_rejudging rejudging = {.verify = verify};
    if (!wcts_judge_once_init(&rejudging.once, verify->basis->plan->spec))
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "judged again", "no verdict: no memory");
    else if (verify->foreign)
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
        wcts_machine_session_close(rejudging.sessions[side]);
    wcts_store_records_release(&rejudging.records);
    wcts_judge_once_release(&rejudging.once);
}
