/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/execute/parts.h"
#include "digest.h"
#include "json.h"
#include "rundir.h"

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
    json_error_t error;
    char *path = NULL;
    const json_t *seed;
    if (asprintf(&path, "%s/run.json", directory) < 0)
        return false;
    *run = access(path, R_OK) == 0 ? json_load_file(path, 0, &error) : NULL;
    if (!*run && access(path, R_OK) != 0)
        fprintf(stderr, "wddm-cts: %s: %s, expected a run directory\n", path, strerror(errno));
    else if (!*run || !json_is_object(*run))
        fprintf(stderr, "%s:%d: no JSON object: %s\n", path, *run ? 1 : error.line,
                *run ? "something else" : error.text);
    free(path);
    if (!json_is_object(*run))
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
    json_object_set_new(page, "directory", wcts_json_text(directory));
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
    char *path = NULL, digest[65] = "";
    bool there =
        asprintf(&path, "%s/%s", verify->directory, name) >= 0 && wcts_digest_file(path, digest);
    free(path);
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
    char digest[65];
    if (!settings->given_implementation) {
        wcts_verify_check(verify, WCTS_CHECK_OPEN, "implementation",
                          "--impl FILE compares a file with the digest");
        return;
    }
    wcts_digest_implementation(settings->implementation.path, digest);
    if (strcmp(digest, expected) == 0)
        wcts_verify_check(verify, WCTS_CHECK_OK, "implementation", "is %s",
                          settings->implementation.path);
    else
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "implementation",
                          "is not %s, which has digest %.12s", settings->implementation.path,
                          digest[0] ? digest : "none");
}

/* ---- Plan and journal ---- */

static FILE *open_file(const struct wcts_verify *verify, const char *name)
{
    char *path = NULL;
    FILE *file = asprintf(&path, "%s/%s", verify->directory, name) >= 0 ? fopen(path, "re") : NULL;
    free(path);
    return file;
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
    while (!wrong && getline(&line, &room, file) > 0) {
        if (number++ == 0)
            wrong = strcmp(line, WCTS_PLAN_HEAD) == 0 ? 0 : number;
        else if ((at = find_line(plan, at + 1, line, &buffer, &space)) < 0)
            wrong = number;
        else
            verify->chosen[verify->planned++] = at;
    }
    free(line);
    return number == 0 ? 1 : wrong;
}

static void check_plan(struct wcts_verify *verify)
{
    const struct wcts_plan *plan = verify->context->plan;
    FILE *file = open_file(verify, "plan.tsv");
    long wrong;
    if (!file)
        return; /* said before */
    wrong = read_plan(verify, file);
    fclose(file);
    if (wrong)
        wcts_verify_check(verify, WCTS_CHECK_NOT_OK, "plan",
                          "line %ld of plan.tsv is not one of the plan that is made here", wrong);
    else if (verify->planned < plan->count)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "plan",
                          "%d of the %d cases that are planned here", verify->planned, plan->count);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "plan", "the %d cases that are planned here",
                          plan->count);
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
            *one = (struct wcts_verify_case){
                index,         entry.verdict,        entry.was,
                entry.refused, strdup(entry.reason), strdup(entry.detail)};
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
        same = getline(&line, &room, file) > 0 &&
               asprintf(&expected, "%s\t%s\t%s\n", wcts_verdict_name(one->verdict),
                        plan->cases[one->index].id, one->reason) > 0 &&
               strcmp(line, expected) == 0;
        free(expected);
        expected = NULL;
    }
    if (same && getline(&line, &room, file) > 0) {
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
        judged += wcts_verdict_judges(verify->cases[i].verdict);
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

static void missing_text(const struct wcts_mustpass_count *count, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count->missing_count && i < WCTS_MUSTPASS_SHOWN && used < room; i++)
        used +=
            (size_t)snprintf(text + used, room - used, "%s%s", i ? ", " : "", count->missing[i]);
}

static void check_mustpass(struct wcts_verify *verify)
{
    const struct wcts_context *context = verify->context;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_mustpass *mustpass = wcts_context_mustpass(context, &diagnostics);
    struct wcts_mustpass_count count;
    char missing[400];
    if (!mustpass) {
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "mustpass",
                          "there is no list of the cases that a claim needs here");
        return;
    }
    wcts_mustpass_hold(mustpass, context->plan, verify->chosen, verify->count, verify->claims.sides,
                       &count);
    missing_text(&count, missing, sizeof missing);
    if (count.of == 0)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "mustpass", "no side is known to be claimed");
    else if (count.missing_count)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "mustpass", "%d of %d cases are missing: %s%s",
                          count.missing_count, count.of, missing,
                          count.missing_count > WCTS_MUSTPASS_SHOWN ? ", ..." : "");
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "mustpass", "all %d cases of spec %s are there",
                          count.of, context->spec->version);
    wcts_mustpass_free(mustpass);
}

/* What a claim needs has to be accepted before anything can be seen of it. */
static void check_refused(struct wcts_verify *verify)
{
    const struct wcts_verify_case *first = NULL;
    int count = 0;
    for (int i = verify->count - 1; i >= 0; i--)
        if (verify->cases[i].refused) {
            first = &verify->cases[i];
            count++;
        }
    if (first)
        wcts_verify_check(verify, WCTS_CHECK_LACKS, "accepted",
                          "%d cases say nothing, since a valid call was refused: %s: %s", count,
                          verify->context->plan->cases[first->index].id, first->reason);
    else
        wcts_verify_check(verify, WCTS_CHECK_OK, "accepted",
                          "no case was skipped because a valid call was refused");
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
        else if ((wcts_verdict_breaks(one->verdict) || one->verdict == WCTS_VERDICT_BROKEN) &&
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
    bool fails = json_array_size(json_object_get(verify->page, "failed")) > 0;
    bool waived = json_array_size(json_object_get(verify->page, "waived")) > 0;
    const char *text = waived ? "verified: conforms, but for what is waived" : "verified: conforms";
    int status = WCTS_EXIT_OK;
    char counted[120];
    if (verify->ends[WCTS_CHECK_NOT_OK]) {
        snprintf(counted, sizeof counted, "not verified: %d check%s not ok",
                 verify->ends[WCTS_CHECK_NOT_OK],
                 verify->ends[WCTS_CHECK_NOT_OK] == 1 ? " is" : "s are");
        text = counted;
        status = WCTS_EXIT_FAIL;
    } else if (verify->ends[WCTS_CHECK_LACKS]) {
        text = "not verified: incomplete";
        status = WCTS_EXIT_NOTHING;
    } else if (fails) {
        text = "verified: does not conform";
        status = WCTS_EXIT_FAIL;
    }
    json_object_set_new(verify->page, "conclusion", json_string(text));
    json_object_set_new(verify->page, "exit_code", json_integer(status));
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
    wcts_verify_again(verify);
    check_mustpass(verify);
    check_refused(verify);
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
    free(verify->cases);
    free(verify->chosen);
    json_decref(verify->page);
}
