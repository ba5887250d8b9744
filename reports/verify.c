/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/address.h"
#include "../runner/base/path.h"
#include "../runner/base/text.h"
#include "../runner/model/profile.h"
#include "declaration.h"
#include "headline.h"
#include "json.h"
#include "upgrade.h"

/* ---- the settings of the run ---- */

static bool report_unknown(const struct wcts_store_reader *reader, const char *key)
{
    return wcts_store_reader_error(reader, WCTS_FILE_RUN, 1,
                                   "%s is \"%s\", expected one that this tool knows", key,
                                   wcts_store_json_member(reader->run, key));
}

bool wcts_report_verify_settings(struct wcts_store_reader *reader, struct wcts_options *asked)
{
    const json_t *seed;
    if (!wcts_store_reader_run(reader))
        return wcts_store_reader_report(reader);
    if (!wcts_model_suite_find(wcts_store_json_member(reader->run, "suite"), &asked->suite))
        return report_unknown(reader, "suite");
    if (!wcts_model_level_find(wcts_store_json_member(reader->run, "level"), &asked->level))
        return report_unknown(reader, "level");
#define READ_FLAG(flag, object) asked->flag = json_is_true(json_object_get(object, #flag));
    WCTS_JUDGING_FLAGS(READ_FLAG, reader->run)
#undef READ_FLAG
    asked->profile_named =
        json_is_true(json_object_get(json_object_get(reader->run, "profile"), "named"));
    seed = json_object_get(reader->run, "seed");
    asked->seed = (uint64_t)json_integer_value(seed);
    return json_is_integer(seed) || report_unknown(reader, "seed");
}

/* ---- spec and files ---- */

static void check_end(struct wcts_report_verify *verify)
{
    const char *end = wcts_store_json_member(verify->run, "end");
    bool done = strcmp(end, wcts_report_end_name(WCTS_POOL_DONE)) == 0;
    wcts_report_verify_check(
        verify, done ? WCTS_CHECK_OK : WCTS_CHECK_LACKS, "end", "%s%s",
        done ? "the run reached its end" : "the run did not reach its end: ", done ? "" : end);
}

static void check_spec(struct wcts_report_verify *verify)
{
    const struct wcts_spec *spec = verify->basis->plan->spec;
    const char *version = wcts_store_json_member(verify->run, "spec_version");
    const char *digest = wcts_store_json_member(verify->run, "spec_digest");
    verify->foreign = strcmp(digest, spec->digest) != 0;
    if (!verify->foreign)
        verify->reader->spec = spec;
    if (verify->foreign)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "spec",
                                 "of version %s with digest %.12s, here is version %s with %.12s",
                                 version[0] ? version : "none", digest,
                                 spec->version ? spec->version : "none", spec->digest);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "spec", "version %s, digest %.12s, as here",
                                 version, digest);
}

/* The profile of the run is another one now if its digest is. */
static void check_profile(struct wcts_report_verify *verify)
{
    const json_t *said = json_object_get(verify->run, "profile");
    const struct wcts_profile *here = verify->basis->asked->profile;
    const char *digest = wcts_store_json_member(said, "digest");
    if (!json_is_object(said))
        return;
    if (here && strcmp(here->digest, digest) == 0)
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "profile", "%s, digest %.12s, as here",
                                 here->name, digest);
    else
        wcts_report_verify_check(
            verify, WCTS_CHECK_NOT_OK, "profile", "%s with digest %.12s, here is one with %.12s",
            wcts_store_json_member(said, "name"), digest, here ? here->digest : "none");
}

static void check_files(struct wcts_report_verify *verify)
{
    const json_t *digests = json_object_get(verify->run, "digests");
    for (int i = 0; wcts_digest_files[i]; i++) {
        const char *name = wcts_digest_files[i], *expected = wcts_store_json_member(digests, name);
        char digest[65] = "";
        if (!wcts_store_digest_file(verify->directory, name, digest))
            wcts_report_verify_check(verify, expected[0] ? WCTS_CHECK_NOT_OK : WCTS_CHECK_LACKS,
                                     name, "is not there");
        else if (!expected[0])
            wcts_report_verify_check(verify, WCTS_CHECK_LACKS, name,
                                     "the run names no digest of it");
        else if (strcmp(digest, expected) != 0)
            wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, name,
                                     "has digest %.12s, the run names %.12s", digest, expected);
        else
            wcts_report_verify_check(verify, WCTS_CHECK_OK, name,
                                     "digest %.12s, as the run names it", digest);
    }
}

static void check_implementation(struct wcts_report_verify *verify)
{
    const struct wcts_options *asked = verify->basis->asked;
    const char *expected =
        wcts_store_json_member(json_object_get(verify->run, "implementation"), "sha256");
    char digest[65], path[WCTS_PATH_ROOM];
    const char *shown = wcts_address_shown(asked->implementation.path, path, sizeof path);
    if (!verify->basis->implementation) {
        wcts_report_verify_check(verify, WCTS_CHECK_OPEN, "implementation",
                                 "--impl FILE compares a file with the digest");
        return;
    }
    if (wcts_address_is_remote(asked->implementation.path)) {
        wcts_report_verify_check(verify, WCTS_CHECK_OPEN, "implementation",
                                 "%s is no file, expected one that can be compared", shown);
        return;
    }
    wcts_report_implementation_digest(asked->implementation.path, digest);
    if (strcmp(digest, expected) == 0)
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "implementation", "is %s", shown);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "implementation",
                                 "is not %s, which has digest %.12s", shown,
                                 digest[0] ? digest : "none");
}

/* ---- plan and journal ---- */

/* Compares plan.tsv with the plan made here, of which it may be a part in the same order. Returns
 * the first line that differs, 0: none. */
static long compare_plan(struct wcts_report_verify *verify)
{
    const struct wcts_store_reader *reader = verify->reader;
    bool whole = wcts_store_reader_plan(verify->reader, verify->basis->plan);
    if (!reader->exact)
        return 1;
    for (int i = 0; i < reader->count; i++) {
        if (!reader->rows[i].exact)
            return i + 2;
        verify->chosen[verify->planned++] = reader->rows[i].test;
    }
    return whole ? 0 : reader->flaw.line;
}

static const char *wddm_of(const struct wcts_report_verify *verify, const char *end)
{
    return json_string_value(json_object_get(json_object_get(verify->run, "wddm"), end));
}

/* The versions that the run claims, and those of its --wddm. */
static uint64_t versions_of_run(const struct wcts_report_verify *verify)
{
    const struct wcts_spec *spec = verify->basis->plan->spec;
    const char *first = wddm_of(verify, "first"), *last = wddm_of(verify, "last");
    struct wcts_claims claims = wcts_report_upgrade_claims(verify->basis->plan->spec, verify->run);
    uint64_t all = wcts_report_scope_versions(spec, &claims);
    bool in = false;
    for (int i = 0; i < spec->versions_count && first && last; i++) {
        in = in || strcmp(spec->versions[i].name, first) == 0;
        all |= in ? wcts_plan_version_bit(i) : 0;
        in = in && strcmp(spec->versions[i].name, last) != 0;
    }
    return all;
}

/* The number of planned cases of the sides and versions of the run, or of its --upgrade. */
static int planned_here(const struct wcts_report_verify *verify)
{
    const struct wcts_plan *plan = verify->basis->plan;
    const uint32_t upgrade = verify->basis->asked->upgrade;
    const struct wcts_claims claims =
        wcts_report_upgrade_claims(verify->basis->plan->spec, verify->run);
    uint64_t versions = versions_of_run(verify);
    uint32_t sides =
        wcts_report_json_sides(json_object_get(json_object_get(verify->run, "claims"), "sides"));
    int *here = calloc((size_t)plan->count + 1, sizeof *here), count = 0;
    for (int i = 0; here && i < plan->count; i++)
        if ((sides & wcts_report_scope_side(wcts_plan_series(plan, i)->driver)) &&
            (upgrade ? wcts_report_upgrade_takes(plan, &claims, upgrade, i)
                     : (versions & wcts_plan_version_bit(plan->tests[i].version)) != 0))
            here[count++] = i;
    if (here && verify->basis->asked->suite == WCTS_SUITE_SMOKE)
        count = wcts_report_scope_newest(plan, wcts_report_scope_versions(plan->spec, &claims),
                                         here, count);
    free(here);
    return count;
}

static void check_plan(struct wcts_report_verify *verify)
{
    int here = planned_here(verify);
    long wrong = compare_plan(verify);
    if (verify->reader->flaw.kind == WCTS_FLAW_FILE)
        return; /* already reported */
    if (wrong)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "plan",
                                 "line %ld of plan.tsv is not one of the plan that is made here",
                                 wrong);
    else if (verify->planned < here)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "plan",
                                 "%d of the %d cases that are planned here", verify->planned, here);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "plan",
                                 "the %d cases that are planned here", here);
}

/* Notes findings that the verdict does not show. */
static void note_found(struct wcts_report_verify_case *one, const struct wcts_store_entry *entry,
                       const struct wcts_spec *spec)
{
    if (!json_object_get(entry->value, "found") ||
        !wcts_store_entry_found(entry, spec, &one->found))
        return;
    for (const struct wcts_finding *at = &one->found.finding; at; at = at->next)
        one->ended = one->ended || at->found == WCTS_FOUND_CRASH || at->found == WCTS_FOUND_HANG;
    one->found.backtrace = NULL; /* of the entry */
}

/* Reads the entries of the planned cases. Returns the first wrong line, 0: none. */
static long collect_cases(struct wcts_report_verify *verify)
{
    struct wcts_store_entry entry;
    int row;
    while (wcts_store_reader_next(verify->reader, &entry, &row)) {
        struct wcts_report_verify_case *one = &verify->cases[verify->count];
        bool right = row == verify->count && row < verify->planned;
        if (right)
            *one = (struct wcts_report_verify_case){.index = verify->chosen[row],
                                                    .verdict = entry.result.verdict,
                                                    .was = entry.result.was,
                                                    .skip = entry.result.skip,
                                                    .broken = entry.result.broken,
                                                    .reason = strdup(entry.result.reason),
                                                    .detail = strdup(entry.result.detail)};
        if (right)
            note_found(one, &entry, verify->basis->plan->spec);
        wcts_store_entry_release(&entry);
        verify->count += right;
        if (!right || !one->reason || !one->detail)
            return right ? verify->count : verify->count + 1;
    }
    /* Missing entries are not wrong. */
    bool wrong =
        verify->reader->flaw.kind != WCTS_FLAW_NONE && verify->reader->flaw.kind < WCTS_FLAW_CUT;
    return wrong || verify->reader->journal.half ? verify->count + 1 : 0;
}

static void check_journal(struct wcts_report_verify *verify)
{
    long wrong;
    if (!wcts_store_reader_journal(verify->reader))
        return;
    wrong = collect_cases(verify);
    if (wrong)
        wcts_report_verify_check(
            verify, WCTS_CHECK_NOT_OK, "journal",
            "line %ld of journal.jsonl is not the entry of the next planned case", wrong);
    else if (verify->count < verify->planned)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "journal", "%d of the %d planned cases",
                                 verify->count, verify->planned);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "journal",
                                 "an entry for each planned case");
}

/* verdicts.txt must agree with the journal. */
static char *verdict_line(void *ctx, int i)
{
    const struct wcts_report_verify *verify = ctx;
    const struct wcts_report_verify_case *one = &verify->cases[i];
    return wcts_store_rundir_verdict_line(
        one->verdict, WCTS_PLAN_CASE(verify->basis->plan, one->index)->id, one->reason);
}

static void check_verdicts(struct wcts_report_verify *verify)
{
    long wrong = wcts_store_reader_verdicts(verify->directory, verify->count, verdict_line, verify);
    if (wrong < 0)
        return; /* already reported */
    if (wrong)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "verdicts",
                                 "line %ld of verdicts.txt differs from the journal", wrong);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "verdicts",
                                 "verdicts.txt agrees with the journal");
}

/* ---- totals ---- */

static void check_totals(struct wcts_report_verify *verify)
{
    const json_t *totals = json_object_get(verify->run, "totals");
    int counts[WCTS_VERDICT_COUNT] = {0}, judged = 0;
    for (int i = 0; i < verify->count; i++) {
        counts[verify->cases[i].verdict]++;
        judged += wcts_store_verdicts_judge(verify->cases[i].verdict, verify->cases[i].was);
    }
    if (judged == 0)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "verdicts", "no case reached one");
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        const char *name = wcts_model_verdict_name((enum wcts_verdict)i);
        json_int_t stated = json_integer_value(json_object_get(totals, name));
        if (stated == counts[i])
            continue;
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "totals",
                                 "the run names %lld of verdict %s, the journal has %d",
                                 (long long)stated, name, counts[i]);
        return;
    }
    wcts_report_verify_check(verify, WCTS_CHECK_OK, "totals", "those of the journal");
}

/* ---- versions, shards and exit status ---- */

/* All cases must be at versions that the run names. */
static void check_versions(struct wcts_report_verify *verify)
{
    const struct wcts_plan *plan = verify->basis->plan;
    const json_t *wddm = json_object_get(verify->run, "wddm");
    int first = wcts_model_spec_version(plan->spec, wcts_store_json_member(wddm, "first"));
    int last = wcts_model_spec_version(plan->spec, wcts_store_json_member(wddm, "last"));
    if (verify->foreign)
        return; /* already reported */
    if (first < 0 || last < first) {
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "wddm",
                                 "the run names \"%s\" to \"%s\", expected versions of the spec",
                                 wcts_store_json_member(wddm, "first"),
                                 wcts_store_json_member(wddm, "last"));
        return;
    }
    for (int i = 0; i < verify->planned; i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(plan, verify->chosen[i], &made);
        if (test->version >= first && test->version <= last)
            continue;
        wcts_report_verify_check(
            verify, WCTS_CHECK_NOT_OK, "wddm", "%s is not at a version from %s to %s", test->id,
            wcts_store_json_member(wddm, "first"), wcts_store_json_member(wddm, "last"));
        return;
    }
    wcts_report_verify_check(verify, WCTS_CHECK_OK, "wddm", "%s to %s, as all cases",
                             wcts_store_json_member(wddm, "first"),
                             wcts_store_json_member(wddm, "last"));
}

/* True if the parts were made to take as long as each other: they may have any number of cases. */
static bool is_balanced(const struct wcts_report_verify *verify)
{
    static const char option[] = "--durations=";
    const json_t *options = json_object_get(verify->run, "options");
    bool found = false;
    for (size_t i = 0; !found && i < json_array_size(options); i++) {
        const char *word = json_string_value(json_array_get(options, i));
        found = word && strncmp(word, option, strlen(option)) == 0;
    }
    return found;
}

/* A shard has no more than its share, and a run without a selection has all cases; otherwise cases
 * were removed. */
static void check_shard(struct wcts_report_verify *verify)
{
    const json_t *shard = json_object_get(verify->run, "shard");
    const json_t *narrowed = json_object_get(json_object_get(verify->run, "selection"), "narrowed");
    json_int_t number = json_integer_value(json_object_get(shard, "number"));
    json_int_t of = json_integer_value(json_object_get(shard, "of"));
    int here = planned_here(verify);
    if (verify->foreign || here == 0)
        return; /* another plan, or nothing was loaded */
    if (number < 1 || number > of)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "shard",
                                 "the run names part %lld of %lld, expected one from 1",
                                 (long long)number, (long long)of);
    else if (!is_balanced(verify) && verify->planned > (here + of - 1) / of)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "shard",
                                 "the run names part %lld of %lld, and has %d of %d cases",
                                 (long long)number, (long long)of, verify->planned, here);
    else if (json_is_false(narrowed) && verify->planned < here)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "shard",
                                 "the run names nothing that was left out, and has %d of %d cases",
                                 verify->planned, here);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "shard", "part %lld of %lld",
                                 (long long)number, (long long)of);
}

/* Cases that hung, and not when they ran again alone: no verdict has them. */
static int hung_once(const struct wcts_report_verify *verify)
{
    const json_t *noted = json_object_get(verify->run, "unrepeated");
    json_int_t cases = json_integer_value(json_object_get(noted, "cases"));
    return cases > 0 && cases <= verify->count ? (int)cases : 0;
}

/* The verdicts allow the exit status. Flaky and fixed cases fail a run that asks for it. */
static void check_exit_code(struct wcts_report_verify *verify)
{
    const json_t *code = json_object_get(verify->run, "exit_code");
    bool lacking = json_array_size(json_object_get(json_object_get(verify->run, "declaration"),
                                                   "lacking")) != 0;
    int judged = 0, broken = 0, undecided = 0, on_demand = 0;
    const char *wrong = NULL;
    for (int i = 0; i < verify->count; i++) {
        enum wcts_verdict verdict = verify->cases[i].verdict;
        judged += wcts_store_verdicts_judge(verdict, verify->cases[i].was);
        broken += wcts_store_verdict_breaks(verdict);
        undecided += wcts_store_verdict_hinders(verdict);
        on_demand += verdict == WCTS_VERDICT_FLAKY || verdict == WCTS_VERDICT_FIXED;
    }
    on_demand += hung_once(verify);
    switch (json_is_integer(code) ? json_integer_value(code) : -1) {
    case WCTS_EXIT_OK:
        wrong = broken      ? "although cases fail"
                : lacking   ? "although what is declared is not there"
                : undecided ? "although cases reached no verdict"
                : !judged   ? "although no case reached a verdict"
                            : NULL;
        break;
    case WCTS_EXIT_FAIL:
        wrong = !broken && !on_demand && !lacking ? "although no case fails" : NULL;
        break;
    case WCTS_EXIT_USAGE:
    case WCTS_EXIT_NOTHING:
        break;
    default:
        wrong = "which no run has";
    }
    if (wrong)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "exit status", "%lld, %s",
                                 (long long)json_integer_value(code), wrong);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "exit status",
                                 "%lld, as the verdicts allow",
                                 (long long)json_integer_value(code));
}

/* ---- the conclusion ---- */

/* Counts the journal as the run did. */
static bool count_run(struct wcts_report_verify *verify)
{
    const struct wcts_report_verify_basis *basis = verify->basis;
    const json_t *selection = json_object_get(verify->run, "selection");
    struct wcts_report_run *run = &verify->counted;
    if (!wcts_report_run_init(run, basis->asked, basis->plan, verify->chosen, verify->count))
        return false;
    run->claims = verify->claims;
    run->mustpass = basis->mustpass;
    run->narrowed = json_is_true(json_object_get(selection, "narrowed"));
    run->partial = run->narrowed && !json_is_false(json_object_get(selection, "partial"));
    run->planned = basis->total;
    run->unrepeated.count = hung_once(verify);
    run->missing = (int)json_integer_value(json_object_get(verify->run, "missing"));
    wcts_report_json_read_budget(run, json_object_get(verify->run, "budget"));
    for (int i = 0; i < verify->count; i++) {
        const struct wcts_report_verify_case *one = &verify->cases[i];
        const struct wcts_result result = {.verdict = one->verdict,
                                           .skip = one->skip,
                                           .broken = one->broken,
                                           .reason = one->reason,
                                           .detail = one->detail,
                                           .answered = one->answered,
                                           .shown = one->shown,
                                           .against = one->against,
                                           .unshown = one->unshown};
        wcts_report_run_count(run, WCTS_PLAN_CASE(basis->plan, one->index), &result, NULL);
    }
    wcts_report_declaration_read(run, json_object_get(verify->run, "declaration"));
    wcts_report_run_conclude(run);
    return run->headline != NULL;
}

/* The headline must be the one that is counted here. */
static void check_headline(struct wcts_report_verify *verify)
{
    const char *stated = wcts_store_json_member(verify->run, "headline");
    const char *concluded = wcts_store_json_member(verify->run, "conclusion");
    json_t *text = wcts_store_json_text(verify->counted.headline);
    if (verify->foreign || verify->ends[WCTS_CHECK_NOT_OK] || verify->ends[WCTS_CHECK_LACKS])
        wcts_report_verify_check(verify, WCTS_CHECK_OPEN, "headline", "not compared: see above");
    else if (strcmp(stated, json_string_value(text)) != 0)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "headline",
                                 "the run states \"%s\", counted here: \"%s\"", stated,
                                 json_string_value(text));
    else if (strcmp(concluded, verify->counted.conclusion) != 0)
        wcts_report_verify_check(verify, WCTS_CHECK_NOT_OK, "headline",
                                 "the run concludes \"%s\", counted here: \"%s\"", concluded,
                                 verify->counted.conclusion);
    else
        wcts_report_verify_check(verify, WCTS_CHECK_OK, "headline", "as the run states it");
    json_decref(text);
}

static void check_conclusion(struct wcts_report_verify *verify)
{
    if (!verify->basis->mustpass)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "mustpass",
                                 "there is no list of the rules that a claim needs here");
    if (verify->claims.sides == 0)
        wcts_report_verify_check(verify, WCTS_CHECK_LACKS, "sides",
                                 "no side is known to be claimed");
    if (count_run(verify))
        check_headline(verify);
}

static void list_cases(struct wcts_report_verify *verify)
{
    const struct wcts_plan *plan = verify->basis->plan;
    for (int i = 0; i < verify->count; i++) {
        const struct wcts_report_verify_case *one = &verify->cases[i];
        const char *id = WCTS_PLAN_CASE(plan, one->index)->id;
        char *text = NULL;
        if (one->verdict == WCTS_VERDICT_SKIP)
            wcts_report_verify_tally(verify, "skipped", one->reason);
        else if (one->verdict == WCTS_VERDICT_WAIVED)
            wcts_report_verify_list(verify, "waived", id, one->reason);
        else if ((wcts_store_verdict_breaks(one->verdict) ||
                  wcts_store_verdict_hinders(one->verdict)) &&
                 asprintf(&text, "%s: %s", wcts_model_verdict_name(one->verdict), one->reason) >= 0)
            wcts_report_verify_list(verify, "failed", id, text);
        free(text);
    }
}

/* Cases at versions that are not claimed are skipped, not missing. */
static void list_versions(struct wcts_report_verify *verify)
{
    const struct wcts_spec *spec = verify->basis->plan->spec;
    for (int i = 0; i < spec->versions_count && verify->claims.sides; i++) {
        uint32_t version = spec->versions[i].interface_version;
        if (version < verify->claims.first_interface_version ||
            version > verify->claims.last_interface_version)
            json_array_append_new(json_object_get(verify->page, "not_claimed"),
                                  json_string(spec->versions[i].name));
    }
}

/* ---- all checks ---- */

/* The last line names so many checks. */
#define NAMED_MAX 3

/* The first checks with a result: "records: is not there; plan: line 7 of ...; and 2 more". */
static void add_checks(const struct wcts_report_verify *verify, enum wcts_report_check_end end,
                       int most, struct wcts_text *text)
{
    const json_t *check;
    size_t i;
    int count = 0;
    json_array_foreach(json_object_get(verify->page, "checks"), i, check)
    {
        if (strcmp(wcts_store_json_member(check, "result"), wcts_report_verify_end_name(end)) ==
                0 &&
            count++ < most)
            wcts_text_add(text, "%s%s: %s", count > 1 ? "; " : "",
                          wcts_store_json_member(check, "check"),
                          wcts_store_json_member(check, "text"));
    }
    if (most > 1 && count > most)
        wcts_text_add(text, "; and %d more", count - most);
}

static int conclude_verification(struct wcts_report_verify *verify)
{
    const struct wcts_report_run *run = &verify->counted;
    const int *ends = verify->ends;
    int status = run->exit_code;
    WCTS_TEXT(text);
    if (ends[WCTS_CHECK_NOT_OK]) {
        status = WCTS_EXIT_FAIL;
        wcts_text_add(&text, "not verified: %d check%s not ok: ", ends[WCTS_CHECK_NOT_OK],
                      ends[WCTS_CHECK_NOT_OK] == 1 ? " is" : "s are");
        add_checks(verify, WCTS_CHECK_NOT_OK, NAMED_MAX, &text);
    } else if (ends[WCTS_CHECK_LACKS]) {
        status = WCTS_EXIT_NOTHING;
        wcts_text_add(&text, "not verified: incomplete: ");
        add_checks(verify, WCTS_CHECK_LACKS, 1, &text);
    } else {
        wcts_text_add(&text, "verified: %s", run->headline ? run->headline : "");
    }
    json_object_set_new(verify->page, "conclusion", wcts_store_json_text(wcts_text_get(&text)));
    json_object_set_new(verify->page, "exit_code", json_integer(status));
    return status;
}

int wcts_report_verify_init(struct wcts_report_verify *verify,
                            const struct wcts_report_verify_basis *basis,
                            struct wcts_store_reader *reader)
{
    size_t count = (size_t)basis->plan->count + 1;
    *verify = (struct wcts_report_verify){
        .basis = basis, .directory = reader->directory, .run = reader->run, .reader = reader};
    verify->page = wcts_report_verify_page(reader->directory, reader->run);
    verify->cases = calloc(count, sizeof *verify->cases);
    verify->chosen = calloc(count, sizeof *verify->chosen);
    if (!verify->page || !verify->cases || !verify->chosen)
        return WCTS_EXIT_BROKEN;
    check_end(verify);
    check_spec(verify);
    check_profile(verify);
    check_files(verify);
    check_implementation(verify);
    check_plan(verify);
    check_journal(verify);
    check_verdicts(verify);
    check_totals(verify);
    check_versions(verify);
    check_shard(verify);
    check_exit_code(verify);
    wcts_report_verify_records(verify);
    check_conclusion(verify);
    list_cases(verify);
    list_versions(verify);
    return conclude_verification(verify);
}

void wcts_report_verify_release(struct wcts_report_verify *verify)
{
    for (int i = 0; verify->cases && i < verify->count; i++) {
        free(verify->cases[i].reason);
        free(verify->cases[i].detail);
        wcts_model_result_release(&verify->cases[i].found);
    }
    if (verify->counted.plan)
        wcts_report_run_release(&verify->counted);
    free(verify->cases);
    free(verify->chosen);
    json_decref(verify->page);
}
