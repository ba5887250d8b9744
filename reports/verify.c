/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/base/path.h"
#include "../runner/cli/selection.h"
#include "../runner/store/input.h"
#include "../runner/store/rundir.h"
#include "digest.h"
#include "json.h"

/* ---- What the run says of itself ---- */

static const char *text_of(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return text ? text : "";
}

static bool complain(const char *directory, const char *key, const char *found)
{
    fprintf(stderr, "%s/run.json:1: %s is \"%s\", expected one that this tool knows\n", directory,
            key, found);
    return false;
}

bool wcts_verify_settings(const char *directory, struct wcts_settings *settings, json_t **run)
{
    const char *wrong;
    int line;
    const json_t *seed;
    *run = wcts_input_json(directory, "run.json", &wrong, &line);
    if (!*run && line > 0)
        fprintf(stderr, "%s/run.json:%d: no JSON object: %s\n", directory, line, wrong);
    else if (!*run)
        fprintf(stderr, "wddm-cts: %s/run.json: %s, expected a run directory\n", directory, wrong);
    if (!*run)
        return false;
    if (!wcts_suite_find(text_of(*run, "suite"), &settings->suite))
        return complain(directory, "suite", text_of(*run, "suite"));
    if (!wcts_judging_find(text_of(*run, "level"), &settings->judging))
        return complain(directory, "level", text_of(*run, "level"));
    seed = json_object_get(*run, "seed");
    if (!json_is_integer(seed))
        return complain(directory, "seed", "");
    settings->seed = (uint64_t)json_integer_value(seed);
    return true;
}

/* ---- The page ---- */

static const char *const end_names[WCTS_CHECK_ENDS] = {
    [WCTS_CHECK_OK] = "ok",
    [WCTS_CHECK_OPEN] = "not compared",
    [WCTS_CHECK_LACKS] = "lacking",
    [WCTS_CHECK_NOT_OK] = "NOT ok",
};

void wcts_verify_check(struct wcts_verify *verify, enum wcts_check_end end, const char *what,
                       const char *format, ...)
{
    json_t *check = json_object();
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_object_set_new(check, "check", json_string(what));
    json_object_set_new(check, "result", json_string(end_names[end]));
    json_object_set_new(check, "text", wcts_json_text(text));
    json_array_append_new(json_object_get(verify->page, "checks"), check);
    verify->ends[end]++;
}

void wcts_verify_list(struct wcts_verify *verify, const char *list, const char *id,
                      const char *text)
{
    json_t *line = json_object();
    json_object_set_new(line, "id", wcts_json_text(id));
    json_object_set_new(line, "text", wcts_json_text(text));
    json_array_append_new(json_object_get(verify->page, list), line);
}

void wcts_verify_tally(struct wcts_verify *verify, const char *list, const char *reason)
{
    json_t *lines = json_object_get(verify->page, list), *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        if (strcmp(text_of(line, "text"), reason) != 0)
            continue;
        json_object_set_new(line, "count",
                            json_integer(json_integer_value(json_object_get(line, "count")) + 1));
        return;
    }
    line = json_object();
    json_object_set_new(line, "text", wcts_json_text(reason));
    json_object_set_new(line, "count", json_integer(1));
    json_array_append_new(lines, line);
}

/* What the run says of itself goes to the page as it is. */
static json_t *page_of(const char *directory, const json_t *run)
{
    static const char *const copied[] = {
        "tool_version", "implementation", "claims", "spec_version", "spec_digest", "suite", "level",
        "seed",         "wddm",           "shard",  "started",      "seconds",     "totals"};
    static const char *const lists[] = {
        "checks", "differ", "not_judged_again", "skipped", "not_claimed", "waived", "failed"};
    json_t *page = json_object();
    json_object_set_new(page, "directory", wcts_json_path(directory));
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        if (json_object_get(run, copied[i]))
            json_object_set(page, copied[i], json_object_get(run, copied[i]));
    if (json_is_string(json_object_get(run, "baseline")))
        json_object_set(page, "baseline", json_object_get(run, "baseline"));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_object_set_new(page, lists[i], json_array());
    return page;
}

/* ---- Spec and files ---- */

static void check_end(struct wcts_verify *verify)
{
    const char *end = text_of(verify->run, "end");
    bool done = strcmp(end, wcts_end_name(WCTS_POOL_DONE)) == 0;
    wcts_verify_check(
        verify, done ? WCTS_CHECK_OK : WCTS_CHECK_LACKS, "end", "%s%s",
        done ? "the run came to its end" : "the run did not come to its end: ", done ? "" : end);
}

static void check_spec(struct wcts_verify *verify)
{
    const struct wcts_spec *spec = verify->context->spec;
    const char *version = text_of(verify->run, "spec_version");
    const char *digest = text_of(verify->run, "spec_digest");
    verify->foreign = strcmp(digest, spec->digest) != 0;
    if (verify->foreign)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "spec",
                          "of version %s with digest %.12s, here is version %s with %.12s",
                          version[0] ? version : "none", digest,
                          spec->version ? spec->version : "none", spec->digest);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "spec", "version %s, digest %.12s, as here",
                          version, digest);
}

static void check_file(struct wcts_verify *verify, const char *name, const char *expected)
{
    char digest[65] = "";
    bool there = wcts_digest_file(verify->directory, name, digest);
    if (!there)
        wcts_verify_check(verify, expected[0] ? WCTS_CHECK_NOT_OK : WCTS_CHECK_LACKS, name,
                          "is not there");
    else if (!expected[0])
        wcts_verify_check(verify, WCTS_CHECK_LACKS, name, "the run names no digest of it");
    else if (strcmp(digest, expected) != 0)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, name, "has digest %.12s, the run names %.12s",
                          digest, expected);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, name, "digest %.12s, as the run names it", digest);
}

static void check_files(struct wcts_verify *verify)
{
    const json_t *digests = json_object_get(verify->run, "digests");
    for (int i = 0; wcts_digest_files[i]; i++)
        check_file(verify, wcts_digest_files[i], text_of(digests, wcts_digest_files[i]));
}

static void check_implementation(struct wcts_verify *verify)
{
    const struct wcts_settings *settings = verify->context->settings;
    const char *expected = text_of(json_object_get(verify->run, "implementation"), "sha256");
    char digest[65], path[WCTS_PATH_ROOM];
    const char *shown = wcts_path_shown(settings->implementation.path, path, sizeof path);
    if (!settings->given_implementation) {
        wcts_verify_check(verify, WCTS_CHECK_OPEN, "implementation",
                          "--impl FILE compares a file with the digest");
        return;
    }
    wcts_digest_implementation(settings->implementation.path, digest);
    if (strcmp(digest, expected) == 0)
        wcts_verify_check(verify, WCTS_CHECK_OK, "implementation", "is %s", shown);
    else
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "implementation",
                          "is not %s, which has digest %.12s", shown, digest[0] ? digest : "none");
}

/* ---- Plan and journal ---- */

static FILE *open_file(const struct wcts_verify *verify, const char *name)
{
    return wcts_input_open(verify->directory, name, NULL);
}

/* Goes on in the plan up to the case that has the line; -1: there is none. */
static int find_line(const struct wcts_plan *plan, int from, const char *line, char **buffer,
                     size_t *room)
{
    for (int i = from; i < plan->count; i++) {
        FILE *out;
        bool same;
        /* Most often the next one; else the id tells without writing the line. */
        size_t length = strlen(plan->cases[i].id);
        if (strncmp(line, plan->cases[i].id, length) != 0 || line[length] != '\t')
            continue;
        out = open_memstream(buffer, room);
        if (!out)
            return -1;
        wcts_rundir_plan_line(out, plan, &plan->cases[i]);
        fclose(out);
        same = strcmp(*buffer, line) == 0;
        free(*buffer);
        *buffer = NULL;
        return same ? i : -1;
    }
    return -1;
}

/* Lines of plan.tsv are those of the plan that is made here, or some of them, in that order.
 * Returns the number of the first line that is not, 0: none. */
static long read_plan(struct wcts_verify *verify, FILE *file)
{
    const struct wcts_plan *plan = verify->context->plan;
    char *line = NULL, *buffer = NULL;
    size_t room = 0, space = 0;
    long number = 0, wrong = 0;
    int at = -1;
    while (!wrong && wcts_input_line(&line, &room, file) > 0) {
        if (number++ == 0)
            wrong = strcmp(line, WCTS_PLAN_HEAD) == 0 ? 0 : number;
        else if ((at = find_line(plan, at + 1, line, &buffer, &space)) < 0)
            wrong = number;
        else
            verify->chosen[verify->planned++] = at;
    }
    free(line);
    bool whole = wrong || (number > 0 && wcts_input_ended(file));
    return whole ? wrong : number + 1;
}

static const char *wddm_of(const struct wcts_verify *verify, const char *end)
{
    return json_string_value(json_object_get(json_object_get(verify->run, "wddm"), end));
}

static uint64_t versions_claimed(const struct wcts_verify *verify)
{
    const json_t *claims = json_object_get(verify->run, "claims");
    const struct wcts_claims versions = {.first_interface_version = (uint32_t)json_integer_value(
                                             json_object_get(claims, "first_interface_version")),
                                         .last_interface_version = (uint32_t)json_integer_value(
                                             json_object_get(claims, "last_interface_version"))};
    return wcts_scope_versions(verify->context->spec, &versions);
}

/* The versions that the run claims, and those that it was to be made at. */
static uint64_t versions_of_run(const struct wcts_verify *verify)
{
    const struct wcts_spec *spec = verify->context->spec;
    const char *first = wddm_of(verify, "first"), *last = wddm_of(verify, "last");
    uint64_t all = versions_claimed(verify);
    bool in = false;
    for (int i = 0; i < spec->versions_count && first && last; i++) {
        in = in || strcmp(spec->versions[i].name, first) == 0;
        all |= in ? wcts_version_bit(i) : 0;
        in = in && strcmp(spec->versions[i].name, last) != 0;
    }
    return all;
}

/* The cases that are planned here of the sides and versions that the run names. */
static int planned_here(const struct wcts_verify *verify)
{
    const struct wcts_plan *plan = verify->context->plan;
    uint64_t versions = versions_of_run(verify);
    uint32_t sides =
        wcts_json_sides(json_object_get(json_object_get(verify->run, "claims"), "sides"));
    int *here = calloc((size_t)plan->count + 1, sizeof *here), count = 0;
    for (int i = 0; here && i < plan->count; i++)
        if ((sides & wcts_selection_side(&plan->cases[i])) &&
            (versions & wcts_version_bit(plan->cases[i].version)))
            here[count++] = i;
    if (here && verify->context->settings->suite == WCTS_SUITE_SMOKE)
        count = wcts_context_keep_newest(verify->context, versions_claimed(verify), here, count);
    free(here);
    return count;
}

static void check_plan(struct wcts_verify *verify)
{
    int here = planned_here(verify);
    FILE *file = open_file(verify, "plan.tsv");
    long wrong;
    if (!file)
        return; /* said before */
    wrong = read_plan(verify, file);
    fclose(file);
    if (wrong)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "plan",
                          "line %ld of plan.tsv is not one of the plan that is made here", wrong);
    else if (verify->planned < here)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "plan",
                          "%d of the %d cases that are planned here", verify->planned, here);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "plan", "the %d cases that are planned here",
                          here);
}

/* Reads the journal up to what is wrong. Returns the line where that is, 0: nothing is. */
static long read_journal(struct wcts_verify *verify, struct wcts_journal *journal)
{
    const struct wcts_plan *plan = verify->context->plan;
    struct wcts_entry entry;
    long at = 0;
    for (; wcts_journal_next(journal, &entry); at = wcts_journal_tell(journal)) {
        struct wcts_verify_case *one = &verify->cases[verify->count];
        int index = verify->count < verify->planned ? verify->chosen[verify->count] : -1;
        bool right = index >= 0 && strcmp(plan->cases[index].id, entry.id) == 0;
        if (right)
            *one = (struct wcts_verify_case){.index = index,
                                             .verdict = entry.verdict,
                                             .was = entry.was,
                                             .skip = entry.skip,
                                             .reason = strdup(entry.reason),
                                             .detail = strdup(entry.detail)};
        wcts_entry_release(&entry);
        if (!right || !one->reason || !one->detail)
            return verify->count + 1;
        verify->count++;
    }
    /* Is there nothing more, or something else? */
    return wcts_journal_seek(journal, at) && fgetc(journal->file) == EOF ? 0 : verify->count + 1;
}

static void check_journal(struct wcts_verify *verify)
{
    struct wcts_journal journal;
    long wrong;
    if (!wcts_journal_open(&journal, verify->directory))
        return;
    wrong = read_journal(verify, &journal);
    wcts_journal_close(&journal);
    if (wrong)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "journal",
                          "line %ld of journal.jsonl is not the entry of the next planned case",
                          wrong);
    else if (verify->count < verify->planned)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "journal", "%d of the %d planned cases",
                          verify->count, verify->planned);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "journal", "an entry for each planned case");
}

/* The verdicts are written beside the journal, and say the same. */
static long read_verdicts(const struct wcts_verify *verify, FILE *file)
{
    const struct wcts_plan *plan = verify->context->plan;
    char *line = NULL, *expected = NULL;
    size_t room = 0;
    int i = 0;
    bool same = true;
    for (; same && i < verify->count; i++) {
        const struct wcts_verify_case *one = &verify->cases[i];
        same = wcts_input_line(&line, &room, file) > 0 &&
               asprintf(&expected, "%s\t%s\t%s\n", wcts_verdict_name(one->verdict),
                        plan->cases[one->index].id, one->reason) > 0 &&
               strcmp(line, expected) == 0;
        free(expected);
        expected = NULL;
    }
    if (same && wcts_input_line(&line, &room, file) > 0) {
        same = false;
        i++;
    }
    free(line);
    return same ? 0 : i;
}

static void check_verdicts(struct wcts_verify *verify)
{
    FILE *file = open_file(verify, "verdicts.txt");
    long wrong;
    if (!file)
        return;
    wrong = read_verdicts(verify, file);
    fclose(file);
    if (wrong)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "verdicts",
                          "line %ld of verdicts.txt is not what the journal says", wrong);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "verdicts",
                          "verdicts.txt says what the journal says");
}

/* ---- What it came to ---- */

static void check_totals(struct wcts_verify *verify)
{
    const json_t *totals = json_object_get(verify->run, "totals");
    int counts[WCTS_VERDICT_COUNT] = {0}, judged = 0;
    for (int i = 0; i < verify->count; i++) {
        counts[verify->cases[i].verdict]++;
        judged += wcts_verdicts_judge(verify->cases[i].verdict, verify->cases[i].was);
    }
    if (judged == 0)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "verdicts", "no case reached one");
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        const char *name = wcts_verdict_name((enum wcts_verdict)i);
        json_int_t said = json_integer_value(json_object_get(totals, name));
        if (said == counts[i])
            continue;
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "totals",
                          "the run names %lld of verdict %s, the journal has %d", (long long)said,
                          name, counts[i]);
        return;
    }
    wcts_verify_check(verify, WCTS_CHECK_OK, "totals", "those of the journal");
}

/* ---- What the run says of its own shape ---- */

/* The versions that the run names have those of all its cases. */
static void check_versions(struct wcts_verify *verify)
{
    const struct wcts_plan *plan = verify->context->plan;
    const json_t *wddm = json_object_get(verify->run, "wddm");
    int first = wcts_spec_version(plan->spec, text_of(wddm, "first"));
    int last = wcts_spec_version(plan->spec, text_of(wddm, "last"));
    if (verify->foreign)
        return; /* said before */
    if (first < 0 || last < first) {
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "wddm",
                          "the run names \"%s\" to \"%s\", expected versions of the spec",
                          text_of(wddm, "first"), text_of(wddm, "last"));
        return;
    }
    for (int i = 0; i < verify->planned; i++) {
        const struct wcts_case *one = &plan->cases[verify->chosen[i]];
        if (one->version >= first && one->version <= last)
            continue;
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "wddm", "%s is not at a version from %s to %s",
                          one->id, text_of(wddm, "first"), text_of(wddm, "last"));
        return;
    }
    wcts_verify_check(verify, WCTS_CHECK_OK, "wddm", "%s to %s, as all cases",
                      text_of(wddm, "first"), text_of(wddm, "last"));
}

/* One of several parts has no more than its share, and a run of which nothing was left out has all
 * cases: then what is missing was taken away. */
static void check_shard(struct wcts_verify *verify)
{
    const json_t *shard = json_object_get(verify->run, "shard");
    const json_t *narrowed = json_object_get(json_object_get(verify->run, "selection"), "narrowed");
    json_int_t number = json_integer_value(json_object_get(shard, "number"));
    json_int_t of = json_integer_value(json_object_get(shard, "of"));
    int here = planned_here(verify);
    if (verify->foreign || here == 0)
        return; /* another plan, or nothing was loaded */
    if (number < 1 || number > of)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "shard",
                          "the run names part %lld of %lld, expected one from 1", (long long)number,
                          (long long)of);
    else if (verify->planned > (here + of - 1) / of)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "shard",
                          "the run names part %lld of %lld, and has %d of %d cases",
                          (long long)number, (long long)of, verify->planned, here);
    else if (json_is_false(narrowed) && verify->planned < here)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "shard",
                          "the run names nothing that was left out, and has %d of %d cases",
                          verify->planned, here);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "shard", "part %lld of %lld", (long long)number,
                          (long long)of);
}

/* What the verdicts allow as the exit status of a run. */
struct outcome {
    int judged, breaks, undecided; /* undecided: broken or declined */
    int on_demand;                 /* flaky or fixed: a failure where that is asked for */
};

static struct outcome outcome_of(const struct wcts_verify *verify)
{
    struct outcome outcome = {0};
    for (int i = 0; i < verify->count; i++) {
        enum wcts_verdict verdict = verify->cases[i].verdict;
        outcome.judged += wcts_verdicts_judge(verdict, verify->cases[i].was);
        outcome.breaks += wcts_verdict_breaks(verdict);
        outcome.undecided += verdict == WCTS_VERDICT_BROKEN || verdict == WCTS_VERDICT_DECLINED;
        outcome.on_demand += verdict == WCTS_VERDICT_FLAKY || verdict == WCTS_VERDICT_FIXED;
    }
    return outcome;
}

static void check_exit_code(struct wcts_verify *verify)
{
    const json_t *code = json_object_get(verify->run, "exit_code");
    const struct outcome outcome = outcome_of(verify);
    const char *wrong = NULL;
    switch (json_is_integer(code) ? json_integer_value(code) : -1) {
    case WCTS_EXIT_OK:
        wrong = outcome.breaks      ? "although cases fail"
                : outcome.undecided ? "although cases came to no verdict"
                : !outcome.judged   ? "although no case reached a verdict"
                                    : NULL;
        break;
    case WCTS_EXIT_FAIL:
        wrong = !outcome.breaks && !outcome.on_demand ? "although no case fails" : NULL;
        break;
    case WCTS_EXIT_USAGE:
    case WCTS_EXIT_NOTHING:
        break;
    default:
        wrong = "which no run has";
    }
    if (wrong)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "exit status", "%lld, %s",
                          (long long)json_integer_value(code), wrong);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "exit status", "%lld, as the verdicts allow",
                          (long long)json_integer_value(code));
}

/* ---- What it comes to ---- */

/* Counts the journal as the run itself did. */
static bool count_run(struct wcts_verify *verify, const struct wcts_mustpass *mustpass)
{
    const struct wcts_context *context = verify->context;
    const json_t *selection = json_object_get(verify->run, "selection");
    struct wcts_run *run = &verify->counted;
    if (!wcts_run_init(run, context->settings, context->plan, verify->chosen, verify->count))
        return false;
    run->claims = verify->claims;
    run->mustpass = mustpass;
    run->narrowed = json_is_true(json_object_get(selection, "narrowed"));
    run->partial = run->narrowed && !json_is_false(json_object_get(selection, "partial"));
    run->planned = wcts_context_total(context);
    for (int i = 0; i < verify->count; i++) {
        const struct wcts_verify_case *one = &verify->cases[i];
        const struct wcts_result result = {.verdict = one->verdict,
                                           .skip = one->skip,
                                           .reason = one->reason,
                                           .detail = one->detail,
                                           .answered = one->answered};
        wcts_run_count(run, &context->plan->cases[one->index], &result);
    }
    wcts_run_conclude(run);
    return run->headline != NULL;
}

/* What the run says of itself is what is counted here. */
static void check_headline(struct wcts_verify *verify)
{
    const char *said = text_of(verify->run, "headline");
    json_t *text = wcts_json_text(verify->counted.headline);
    if (verify->foreign || verify->ends[WCTS_CHECK_NOT_OK] || verify->ends[WCTS_CHECK_LACKS])
        wcts_verify_check(verify, WCTS_CHECK_OPEN, "headline", "not compared: see above");
    else if (strcmp(said, json_string_value(text)) != 0)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "headline",
                          "the run says \"%s\", it comes to \"%s\"", said, json_string_value(text));
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "headline", "what the run says of itself");
    json_decref(text);
}

static void check_conclusion(struct wcts_verify *verify)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_mustpass *mustpass = wcts_context_mustpass(verify->context, &diagnostics);
    if (!mustpass)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "mustpass",
                          "there is no list of the rules that a claim needs here");
    if (verify->claims.sides == 0)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "sides", "no side is known to be claimed");
    if (count_run(verify, mustpass))
        check_headline(verify);
    verify->counted.mustpass = NULL;
    wcts_mustpass_free(mustpass);
}

static void list_cases(struct wcts_verify *verify)
{
    const struct wcts_plan *plan = verify->context->plan;
    for (int i = 0; i < verify->count; i++) {
        const struct wcts_verify_case *one = &verify->cases[i];
        const char *id = plan->cases[one->index].id;
        char *text = NULL;
        if (one->verdict == WCTS_VERDICT_SKIP)
            wcts_verify_tally(verify, "skipped", one->reason);
        else if (one->verdict == WCTS_VERDICT_WAIVED)
            wcts_verify_list(verify, "waived", id, one->reason);
        else if ((wcts_verdict_breaks(one->verdict) || wcts_verdict_hinders(one->verdict)) &&
                 asprintf(&text, "%s: %s", wcts_verdict_name(one->verdict), one->reason) >= 0)
            wcts_verify_list(verify, "failed", id, text);
        free(text);
    }
}

/* Versions outside of what the implementation claims: their cases are skipped, not missing. */
static void list_versions(struct wcts_verify *verify)
{
    const struct wcts_spec *spec = verify->context->spec;
    for (int i = 0; i < spec->versions_count && verify->claims.sides; i++) {
        uint32_t version = spec->versions[i].interface_version;
        if (version < verify->claims.first_interface_version ||
            version > verify->claims.last_interface_version)
            json_array_append_new(json_object_get(verify->page, "not_claimed"),
                                  json_string(spec->versions[i].name));
    }
}

/* ---- All ---- */

static int conclude(struct wcts_verify *verify)
{
    const struct wcts_run *run = &verify->counted;
    int status = run->exit_code;
    char *text = NULL;
    if (verify->ends[WCTS_CHECK_NOT_OK]) {
        status = WCTS_EXIT_FAIL;
        if (asprintf(&text, "not verified: %d check%s not ok", verify->ends[WCTS_CHECK_NOT_OK],
                     verify->ends[WCTS_CHECK_NOT_OK] == 1 ? " is" : "s are") < 0)
            text = NULL;
    } else if (verify->ends[WCTS_CHECK_LACKS]) {
        status = WCTS_EXIT_NOTHING;
        text = strdup("not verified: incomplete");
    } else if (asprintf(&text, "verified: %s", run->headline ? run->headline : "") < 0) {
        text = NULL;
    }
    json_object_set_new(verify->page, "conclusion", wcts_json_text(text));
    json_object_set_new(verify->page, "exit_code", json_integer(status));
    free(text);
    return status;
}

int wcts_verify_init(struct wcts_verify *verify, const struct wcts_context *context,
                     const char *directory, json_t *run)
{
    size_t count = (size_t)context->plan->count + 1;
    *verify = (struct wcts_verify){.context = context, .directory = directory, .run = run};
    verify->page = page_of(directory, run);
    verify->cases = calloc(count, sizeof *verify->cases);
    verify->chosen = calloc(count, sizeof *verify->chosen);
    if (!verify->page || !verify->cases || !verify->chosen)
        return WCTS_EXIT_BROKEN;
    check_end(verify);
    check_spec(verify);
    check_files(verify);
    check_implementation(verify);
    check_plan(verify);
    check_journal(verify);
    check_verdicts(verify);
    check_totals(verify);
    check_versions(verify);
    check_shard(verify);
    check_exit_code(verify);
    wcts_verify_again(verify);
    check_conclusion(verify);
    list_cases(verify);
    list_versions(verify);
    return conclude(verify);
}

void wcts_verify_release(struct wcts_verify *verify)
{
    for (int i = 0; verify->cases && i < verify->count; i++) {
        free(verify->cases[i].reason);
        free(verify->cases[i].detail);
    }
    if (verify->counted.plan)
        wcts_run_release(&verify->counted);
    free(verify->cases);
    free(verify->chosen);
    json_decref(verify->page);
}
