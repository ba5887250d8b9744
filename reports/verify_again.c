/* SPDX-License-Identifier: MIT */
/* Judging again: each case runs once more, with its record in the place of the implementation. */
#include <stdlib.h>
#include <string.h>

#include "../runner/machine/tape.h"
#include "../runner/run/case.h"
#include "../runner/run/packet.h"
#include "../runner/run/worker.h"
#include "json.h"
#include "verify.h"

enum { KERNEL, DRIVER, SIDES };

/* The implementation, played. */
struct again {
    struct wcts_verify *verify;
    struct wcts_records records;
    struct wcts_player *players[SIDES];
    struct wcts_session *sessions[SIDES];
    struct wcts_claims claims[SIDES];
    int judged, differ, without, cut;
    int apart; /* what is recorded is of another attempt, or ended at another level */
};

static const uint32_t side_bits[SIDES] = {[KERNEL] = WCTS_SIDE_KERNEL, [DRIVER] = WCTS_SIDE_DRIVER};

/* ---- Claims ---- */

/* Opens a session with what a side claimed; what is wrong with that, or NULL. */
static const char *open_side(struct again *again, int side, const struct wcts_tape_record *tape)
{
    const struct wcts_verify_basis *basis = again->verify->basis;
    const struct wcts_implementation played = {.path = "", .options = ""};
    struct wcts_session_options options = {.driver = side == DRIVER};
    char error[512];
    options.player = again->players[side] = wcts_player_new(tape);
    if (!options.player)
        return "cannot be read";
    again->sessions[side] = wcts_session_open(basis->plan, &played, &options, &again->claims[side],
                                              error, sizeof error);
    return again->sessions[side] ? wcts_player_fault(options.player)
                                 : "does not come to any claims";
}

/* Remarks are no claim: that a process died is in no record. */
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

/* The claims that run.json names are those that the records come to. */
static void check_claims(struct again *again)
{
    struct wcts_verify *verify = again->verify;
    const char *wrong = NULL;
    uint32_t has = 0;
    json_t *claims;
    bool same;
    for (int side = 0; side < SIDES && !wrong; side++) {
        const struct wcts_tape_record *tape =
            wcts_records_find(&again->records, wcts_records_side(side));
        if (!tape)
            continue;
        wrong = open_side(again, side, tape);
        if (wrong)
            continue;
        has |= again->claims[side].sides;
        wcts_claims_merge(&verify->claims, &again->claims[side], side_bits[side]);
    }
    claims = wcts_json_claims(&verify->claims);
    same = is_same_claim(claims, json_object_get(verify->run, "claims"));
    json_decref(claims);
    if (wrong)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "claims", "the record of what is claimed: %s",
                          wrong);
    else if (!same)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "claims",
                          "the run names others than the records come to");
    else if (has & ~verify->claims.sides)
        wcts_verify_check(verify, WCTS_CHECK_OK, "claims",
                          "those that the records come to; the plug-in has another side, of which "
                          "nothing is claimed");
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "claims", "those that the records come to");
}

/* ---- Cases ---- */

/* What the implementation came to, before a waiver or another attempt made something else of it. */
static bool same_verdict(const struct wcts_verify_case *said, enum wcts_verdict come)
{
    bool breaks = come != WCTS_VERDICT_PASS && come != WCTS_VERDICT_SKIP;
    switch (said->verdict) {
    case WCTS_VERDICT_WAIVED:
        return breaks && said->was == come;
    case WCTS_VERDICT_FIXED:
    case WCTS_VERDICT_FLAKY:
        return !breaks;
    default:
        return said->verdict == come;
    }
}

/* True if reason and evidence are those of what the record comes to. */
static bool is_told_so(enum wcts_verdict verdict)
{
    return verdict != WCTS_VERDICT_FIXED && verdict != WCTS_VERDICT_FLAKY;
}

static bool same_text(const char *said, const char *come)
{
    json_t *text = wcts_json_text(come ? come : "");
    bool same = strcmp(said, json_string_value(text)) == 0;
    json_decref(text);
    return same;
}

static void differ(struct again *again, const struct wcts_verify_case *one, const char *format,
                   const char *a, const char *b)
{
    const struct wcts_plan *plan = again->verify->basis->plan;
    char *text = NULL;
    again->differ++;
    if (asprintf(&text, format, a, b) >= 0)
        wcts_verify_list(again->verify, "differ", plan->cases[one->index].id, text);
    free(text);
}

static void compare(struct again *again, const struct wcts_verify_case *one,
                    struct wcts_result *result, const char *fault)
{
    const struct wcts_verify_basis *basis = again->verify->basis;
    bool crossed = wcts_packet_cross(result);
    again->judged++;
    wcts_result_read(basis->plan, &basis->plan->cases[one->index], basis->asked->level, result);
    if (fault)
        differ(again, one, "%s%s", fault, "");
    else if (!crossed)
        differ(again, one, "%s%s", "no memory", "");
    else if (!same_verdict(one, result->verdict) || one->skip != result->skip)
        differ(again, one, "the journal says %s, the record comes to %s",
               wcts_verdict_name(one->verdict), wcts_verdict_name(result->verdict));
    else if (is_told_so(one->verdict) && !same_text(one->reason, result->reason))
        differ(again, one, "the journal says \"%s\", the record comes to \"%s\"", one->reason,
               result->reason);
    else if (is_told_so(one->verdict) && !same_text(one->detail, result->detail))
        differ(again, one, "%s%s", "the journal has other evidence than the record comes to", "");
}

/* A worker that ended has sent no record. Only what fails anyway, and what a document lets end,
 * may come to a verdict so. */
static void judge_without(struct again *again, const struct wcts_verify_case *one)
{
    const struct wcts_case *planned = &again->verify->basis->plan->cases[one->index];
    bool failed = wcts_verdict_is_death(one->verdict) || one->verdict == WCTS_VERDICT_BROKEN ||
                  one->verdict == WCTS_VERDICT_WAIVED ||
                  (one->ended && wcts_verdict_breaks(one->verdict));
    bool may_end = one->verdict == WCTS_VERDICT_PASS && planned->expect == WCTS_EXPECT_ASSERT &&
                   one->reason[0] == '\0';
    if (failed)
        wcts_verify_tally(again->verify, "not_judged_again",
                          "the implementation ended or hung during the case, or was not loaded");
    else if (may_end)
        wcts_verify_tally(again->verify, "not_judged_again",
                          "the implementation ended, as the document lets it");
    else if (one->skip == WCTS_SKIP_NOT_TRIED)
        wcts_verify_tally(again->verify, "not_judged_again",
                          "cases like it ended the implementation, and it was not tried");
    else if (one->ended)
        again->apart++;
    else
        again->without++;
    if (!failed && !may_end && !one->ended && one->skip != WCTS_SKIP_NOT_TRIED)
        wcts_verify_list(again->verify, "differ", planned->id, "there is no record of it");
}

static void judge(struct again *again, struct wcts_verify_case *one)
{
    const struct wcts_case *planned = &again->verify->basis->plan->cases[one->index];
    const struct wcts_tape_record *tape = wcts_records_find(&again->records, planned->id);
    int side = planned->driver ? DRIVER : KERNEL;
    struct wcts_result result = {0};
    const char *fault = NULL;
    if (!tape && wcts_judge_no_side(planned, &again->verify->claims, &result)) {
        compare(again, one, &result, NULL);
    } else if (!tape) {
        judge_without(again, one);
    } else if (tape->kept == WCTS_TAPE_CUT) {
        again->cut++;
        wcts_verify_tally(again->verify, "not_judged_again", "the record was too long, and is cut");
    } else if (one->another) {
        again->apart++;
    } else if (!again->sessions[side]) {
        differ(again, one, "%s%s", "nothing is recorded of what this side claims", "");
    } else {
        if (wcts_player_load(again->players[side], tape, &again->claims[side]))
            wcts_session_run(again->sessions[side], planned, &result);
        one->answered = result.answered;
        fault = wcts_player_fault(again->players[side]);
        compare(again, one, &result, fault);
    }
    wcts_result_release(&result);
}

static int count_unused(const struct wcts_records *records)
{
    int count = 0;
    for (int i = 0; i < records->count; i++)
        count += !records->entries[i].used;
    return count;
}

static void check_records(struct again *again)
{
    struct wcts_verify *verify = again->verify;
    int unused = count_unused(&again->records);
    if (again->records.wrong[0])
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "records", "%s", again->records.wrong);
    if (unused)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "records",
                          "%d of %d belong to no case of the journal", unused,
                          again->records.count);
    if (again->without)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "records",
                          "%d cases have none, although the implementation did not end",
                          again->without);
    if (again->apart)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "records",
                          "%d are not of the attempt or the level that counts", again->apart);
    if (again->cut)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "records", "%d are cut", again->cut);
    wcts_verify_check(verify, again->differ ? WCTS_CHECK_NOT_OK : WCTS_CHECK_OK, "judged again",
                      again->differ ? "%d of %d verdicts, %d differ" : "%d of %d verdicts",
                      again->judged, verify->count, again->differ);
}

static void release(struct again *again)
{
    for (int side = 0; side < SIDES; side++) {
        wcts_session_close(again->sessions[side]);
        wcts_player_free(again->players[side]);
    }
    wcts_records_release(&again->records);
}

void wcts_verify_again(struct wcts_verify *verify)
{
    struct again again = {.verify = verify};
    if (verify->foreign)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "judged again",
                          "no verdict: the records are of another spec");
    else if (!wcts_records_open(&again.records, verify->directory))
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "judged again",
                          "no verdict: there are no records");
    else {
        check_claims(&again);
        for (int i = 0; i < verify->count; i++)
            judge(&again, &verify->cases[i]);
        check_records(&again);
    }
    json_object_set_new(verify->page, "judged_again", json_integer(again.judged));
    release(&again);
}
