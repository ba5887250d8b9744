/* SPDX-License-Identifier: MIT */
#include "saved.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* ---- messages ---- */

/* "DIRECTORY/NAME:LINE: text"; without the line when it is 0. */
static bool complain(const struct wcts_saved *saved, const char *name, long line,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool complain(const struct wcts_saved *saved, const char *name, long line,
                     const char *format, ...)
{
    va_list list;
    fprintf(stderr, "%s/%s:", saved->directory, name);
    if (line > 0)
        fprintf(stderr, "%ld:", line);
    fputc(' ', stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return false;
}

/* expected: of a file that cannot be read. */
static bool complain_of(const struct wcts_saved *saved, const char *expected)
{
    const struct wcts_flaw *flaw = &saved->reader.flaw;
    int position = saved->run.total.count;
    switch (flaw->kind) {
    case WCTS_FLAW_NONE:
        return false; /* no memory */
    case WCTS_FLAW_FILE:
        return complain(saved, flaw->file, flaw->line, "%s, expected %s", flaw->found, expected);
    case WCTS_FLAW_LINE:
    case WCTS_FLAW_COLUMNS:
        return complain(saved, flaw->file, flaw->line, "no line of a plan");
    case WCTS_FLAW_ENTRY:
    case WCTS_FLAW_MEMBERS:
        return complain(saved, flaw->file, flaw->line,
                        "no entry, expected an object with id and verdict");
    case WCTS_FLAW_UNKNOWN:
    case WCTS_FLAW_TWICE:
        if (position >= saved->run.selected_count)
            return complain(saved, flaw->file, flaw->line,
                            "case %s, expected no more than the %d of plan.tsv", flaw->found,
                            position);
        return complain(saved, flaw->file, flaw->line, "case %s, expected %s", flaw->found,
                        saved->reader.rows[position].id);
    case WCTS_FLAW_CUT:
    case WCTS_FLAW_SHORT:
        break;
    }
    return complain(saved, flaw->file, flaw->line,
                    "the journal ends here, expected %d entries as run.json says: it was cut short",
                    flaw->expected);
}

/* ---- what a case asks ---- */

const char *wcts_side_of_name(enum wcts_side_of side)
{
    static const char *const names[] = {
        [WCTS_ACCEPTS] = "accept", [WCTS_REFUSES] = "refuse", [WCTS_EITHER] = "either"};
    return names[side];
}

enum wcts_side_of wcts_side_of_case(const struct wcts_case *one)
{
    static const enum wcts_side_of sides[] = {[WCTS_EXPECT_ACCEPT] = WCTS_ACCEPTS,
                                              [WCTS_EXPECT_REFUSE] = WCTS_REFUSES,
                                              [WCTS_EXPECT_ASSERT] = WCTS_REFUSES,
                                              [WCTS_EXPECT_OPEN] = WCTS_EITHER,
                                              [WCTS_EXPECT_ANSWER] = WCTS_ACCEPTS};
    return sides[one->expect];
}

/* ---- run.json ---- */

/* A text of the description, NULL when it is not there. */
static const char *text_of(const struct wcts_saved *saved, const char *key)
{
    return json_string_value(json_object_get(saved->description, key));
}

static bool take_claims(struct wcts_saved *saved, const char **wrong)
{
    json_t *claims = json_object_get(saved->description, "claims");
    const char *name = json_string_value(json_object_get(claims, "name"));
    const char *version = json_string_value(json_object_get(claims, "version"));
    *wrong = "claims";
    if (!name || !version)
        return false;
    snprintf(saved->run.claims.name, sizeof saved->run.claims.name, "%s", name);
    snprintf(saved->run.claims.version, sizeof saved->run.claims.version, "%s", version);
    saved->run.claims.first_interface_version =
        (uint32_t)json_integer_value(json_object_get(claims, "first_interface_version"));
    saved->run.claims.last_interface_version =
        (uint32_t)json_integer_value(json_object_get(claims, "last_interface_version"));
    saved->run.claims.sides = wcts_json_sides(json_object_get(claims, "sides"));
    return true;
}

/* The settings of the run, as far as they say what came of it. False with the name of what is
 * missing. */
static bool take_settings(struct wcts_saved *saved, const char **wrong)
{
    struct wcts_settings *settings = &saved->settings;
    json_t *implementation = json_object_get(saved->description, "implementation");
    json_t *wddm = json_object_get(saved->description, "wddm");
    json_t *seed = json_object_get(saved->description, "seed");
    json_t *shard = json_object_get(saved->description, "shard");
    json_t *selection = json_object_get(saved->description, "selection");
    const char *level = text_of(saved, "level"), *suite = text_of(saved, "suite");

    *wrong = "implementation";
    settings->implementation.path = json_string_value(json_object_get(implementation, "path"));
    settings->implementation.options =
        json_string_value(json_object_get(implementation, "options"));
    if (!settings->implementation.path || !settings->implementation.options)
        return false;
    *wrong = "wddm";
    settings->first_version = json_string_value(json_object_get(wddm, "first"));
    settings->last_version = json_string_value(json_object_get(wddm, "last"));
    if (!settings->first_version || !settings->last_version)
        return false;
    settings->narrowed = json_is_true(json_object_get(selection, "narrowed"));
    settings->partial = settings->narrowed && !json_is_false(json_object_get(selection, "partial"));
    *wrong = "seed";
    settings->seed = (uint64_t)json_integer_value(seed);
    if (!json_is_integer(seed))
        return false;
    *wrong = "level";
    if (!level || !wcts_judging_find(level, &settings->judging))
        return false;
    settings->shard = (int)json_integer_value(json_object_get(shard, "number"));
    settings->shards = (int)json_integer_value(json_object_get(shard, "of"));
    *wrong = "suite";
    return suite && wcts_suite_find(suite, &settings->suite);
}

/* The cases that hung once, if any. */
static void take_unrepeated(struct wcts_saved *saved)
{
    const json_t *unrepeated = json_object_get(saved->description, "unrepeated");
    const char *first = json_string_value(json_object_get(unrepeated, "first"));
    saved->run.unrepeated.count = (int)json_integer_value(json_object_get(unrepeated, "cases"));
    snprintf(saved->run.unrepeated.first, sizeof saved->run.unrepeated.first, "%s",
             first ? first : "");
}

/* The processes that were left behind, if any. */
static void take_left(struct wcts_saved *saved)
{
    const json_t *left = json_object_get(saved->description, "left_behind");
    const char *names = json_string_value(json_object_get(left, "names"));
    saved->run.left.count = (int)json_integer_value(json_object_get(left, "processes"));
    snprintf(saved->run.left.names, sizeof saved->run.left.names, "%s", names ? names : "");
}

/* How it ended; "running" when it did not, yet or ever. */
static bool take_end(struct wcts_saved *saved, const char **wrong)
{
    const char *end = text_of(saved, "end"), *error = text_of(saved, "error");
    *wrong = "end";
    if (!end)
        return false;
    saved->run.end = WCTS_POOL_STOPPED;
    for (int i = WCTS_POOL_DONE; i <= WCTS_POOL_NO_START; i++)
        if (strcmp(end, wcts_end_name((enum wcts_pool_end)i)) == 0)
            saved->run.end = (enum wcts_pool_end)i;
    snprintf(saved->run.error, sizeof saved->run.error, "%s", error ? error : "");
    take_left(saved);
    take_unrepeated(saved);
    return true;
}

static bool take_times(struct wcts_saved *saved, const char **wrong)
{
    const char *started = text_of(saved, "started");
    struct tm tm = {0};
    *wrong = "started";
    if (!started || !strptime(started, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return false;
    saved->run.started = timegm(&tm);
    saved->run.seconds = json_number_value(json_object_get(saved->description, "seconds"));
    return true;
}

static bool same_spec(const struct wcts_saved *saved, const struct wcts_spec *spec)
{
    const char *digest = text_of(saved, "spec_digest");
    if (digest && strcmp(digest, spec->digest) == 0)
        return true;
    return complain(
        saved, "run.json", 0,
        "the run is of the spec with digest %.16s, expected %.16s, which is loaded; give "
        "the run's spec by --spec-dir, --cases-dir and --spec, or run again",
        digest ? digest : "?", spec->digest);
}

/* ---- plan.tsv ---- */

static bool read_plan(struct wcts_saved *saved)
{
    const struct wcts_reader *reader = &saved->reader;
    if (!wcts_reader_plan(&saved->reader, saved->plan))
        return complain_of(saved, "a file of a run directory");
    for (int i = 0; i < reader->count; i++) {
        const struct wcts_reader_row *row = &reader->rows[i];
        if (row->test < 0)
            return complain(saved, WCTS_FILE_PLAN, row->line,
                            "case %s, expected the next one of the plan that the spec gives",
                            row->id);
        saved->selected[saved->run.selected_count++] = row->test;
    }
    return true;
}

/* ---- journal.jsonl ---- */

static void add_to(struct wcts_sided *sided, enum wcts_side_of side,
                   const struct wcts_result *result)
{
    struct wcts_tally *tally = &sided->of[side];
    tally->verdicts[result->verdict]++;
    tally->count++;
    tally->seconds += (double)result->nanoseconds / 1e9;
}

static bool keep_case(struct wcts_saved *saved, int position, int rule, long offset)
{
    int count = saved->kept_count;
    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * (size_t)count;
        struct wcts_saved_case *more = realloc(saved->kept, room * sizeof *more);
        if (!more)
            return false;
        saved->kept = more;
    }
    saved->kept[saved->kept_count++] = (struct wcts_saved_case){position, rule, offset};
    return true;
}

static bool take_entry(struct wcts_saved *saved, struct wcts_looker *looker, int position,
                       const struct wcts_result *result, long offset)
{
    const struct wcts_case *one = &saved->plan->cases[saved->selected[position]];
    int rule = result->broken ? result->broken - 1 : one->rule;
    enum wcts_side_of side = wcts_side_of_case(one);
    wcts_run_count(&saved->run, one, result);
    add_to(&saved->rules[rule], side, result);
    add_to(&saved->statements[saved->plan->spec->rules[rule].statement], side, result);
    wcts_looker_add(looker, one, result->verdict);
    return result->verdict == WCTS_VERDICT_PASS || keep_case(saved, position, rule, offset);
}

static bool read_entries(struct wcts_saved *saved, struct wcts_looker *looker)
{
    struct wcts_reader *reader = &saved->reader;
    struct wcts_entry entry;
    bool good = true;
    int row;
    for (int i = 0; good; i++) {
        long offset = wcts_journal_tell(&reader->journal);
        if (!wcts_reader_next(reader, &entry, &row))
            return reader->flaw.kind == WCTS_FLAW_NONE || complain_of(saved, "");
        good = row == i ? take_entry(saved, looker, i, &entry.result, offset)
                        : complain(saved, WCTS_FILE_JOURNAL, i + 1, "case %s, expected %s",
                                   entry.id, reader->rows[i].id);
        wcts_entry_release(&entry);
    }
    return good;
}

static bool read_journal(struct wcts_saved *saved)
{
    struct wcts_looker *looker = wcts_looker_new(saved);
    bool good = looker && (wcts_reader_journal(&saved->reader)
                               ? read_entries(saved, looker)
                               : complain(saved, WCTS_FILE_JOURNAL, 0, "cannot be opened"));
    wcts_looker_free(looker);
    return good;
}

/* ---- all of it ---- */

static int by_statement(const void *a, const void *b, void *ctx)
{
    const struct wcts_spec *spec = ctx;
    const struct wcts_saved_case *left = a, *right = b;
    int first = spec->rules[left->rule].statement, second = spec->rules[right->rule].statement;
    return first != second ? first - second : left->position - right->position;
}

static bool allocate(struct wcts_saved *saved)
{
    const struct wcts_spec *spec = saved->plan->spec;
    saved->selected = calloc((size_t)saved->plan->count + 1, sizeof *saved->selected);
    saved->statements = calloc((size_t)spec->statements_count + 1, sizeof *saved->statements);
    saved->rules = calloc((size_t)spec->rules_count + 1, sizeof *saved->rules);
    saved->looks = calloc((size_t)spec->rules_count + 1, sizeof *saved->looks);
    saved->matrices = calloc((size_t)spec->words_count + 1, sizeof *saved->matrices);
    return saved->selected && saved->statements && saved->rules && saved->looks && saved->matrices;
}

static bool describe(struct wcts_saved *saved, const struct wcts_context *context)
{
    const struct wcts_settings *own = context->settings;
    const char *wrong = NULL;

    saved->settings.colours = own->colours;
    saved->settings.spec_dir = own->spec_dir;
    saved->settings.cases_dir = own->cases_dir;
    saved->settings.spec_file_count = own->spec_file_count;
    saved->settings.junit_cases = own->junit_cases;
    memcpy(saved->settings.spec_files, own->spec_files, sizeof own->spec_files);
    return take_settings(saved, &wrong) && take_claims(saved, &wrong) && take_end(saved, &wrong) &&
                   take_times(saved, &wrong)
               ? true
               : complain(saved, "run.json", 0, "\"%s\" is missing or wrong", wrong);
}

static bool climb(struct wcts_saved *saved, const struct wcts_spec *spec)
{
    const struct wcts_ladder_scope all = {.last_version = spec->versions_count - 1};
    return saved->reader.running || wcts_ladder_run(&saved->ladder, spec, saved->directory, &all);
}

/* What was answered is not in the journal: what follows from it is as the run said. */
static void keep_next(struct wcts_saved *saved)
{
    struct wcts_next *next = &saved->run.next;
    const json_t *one;
    size_t i;
    wcts_next_clear(next);
    json_array_foreach(json_object_get(saved->description, "next"), i, one)
    {
        const char *what = json_string_value(json_object_get(one, "implement"));
        if (what)
            wcts_next_keep(next, what, (int)json_integer_value(json_object_get(one, "cases")),
                           (int)json_integer_value(json_object_get(one, "statements")));
    }
}

/* The run itself knew more: baselines, what flaky cases are to count as, what was answered. */
static void keep_conclusion(struct wcts_saved *saved)
{
    struct wcts_run *run = &saved->run;
    const char *headline = text_of(saved, "headline");
    if (saved->reader.running) {
        free(run->headline);
        if (asprintf(&run->headline, "has not ended: %d of %d cases so far", run->total.count,
                     run->selected_count) < 0)
            run->headline = NULL;
        run->conclusion = "running";
        return;
    }
    run->exit_code = (int)json_integer_value(json_object_get(saved->description, "exit_code"));
    run->conclusion = text_of(saved, "conclusion");
    if (headline) {
        free(run->headline);
        run->headline = strdup(headline);
    }
}

static bool load(struct wcts_saved *saved, const struct wcts_context *context)
{
    struct wcts_run counts;
    wcts_reader_init(&saved->reader, saved->directory, context->spec);
    if (!wcts_reader_is_run(&saved->reader))
        return complain_of(saved, "a file of a run directory");
    if (!wcts_reader_run(&saved->reader))
        return complain_of(saved, "the description of a run");
    saved->description = saved->reader.run;
    if (!same_spec(saved, context->spec) || !describe(saved, context))
        return false;
    saved->plan = wcts_context_plan(context, saved->settings.suite, saved->settings.seed);
    if (!saved->plan || !allocate(saved) ||
        !wcts_run_init(&counts, &saved->settings, saved->plan, saved->selected, 0))
        return false;
    /* What was read of the description stays. */
    counts.claims = saved->run.claims;
    counts.end = saved->run.end;
    counts.started = saved->run.started;
    counts.seconds = saved->run.seconds;
    memcpy(counts.error, saved->run.error, sizeof counts.error);
    counts.left = saved->run.left;
    counts.unrepeated = saved->run.unrepeated;
    counts.directory = saved->directory;
    counts.narrowed = saved->settings.narrowed; /* all its versions may be meant by "first" */
    counts.partial = saved->settings.partial;
    saved->run = counts;
    if (!read_plan(saved) || !read_journal(saved) ||
        !wcts_digest_file(saved->directory, WCTS_FILE_PLAN, saved->plan_digest) ||
        !wcts_digest_file(saved->directory, WCTS_FILE_JOURNAL, saved->journal_digest) ||
        !climb(saved, context->spec))
        return false;
    if (saved->kept_count > 1)
        qsort_r(saved->kept, (size_t)saved->kept_count, sizeof *saved->kept, by_statement,
                (void *)(uintptr_t)saved->plan->spec);
    wcts_run_conclude(&saved->run);
    keep_conclusion(saved);
    keep_next(saved);
    return true;
}

enum wcts_exit wcts_saved_load(struct wcts_saved *saved, const char *directory,
                               const struct wcts_context *context)
{
    *saved = (struct wcts_saved){.directory = directory};
    if (!load(saved, context))
        return WCTS_EXIT_USAGE;
    if (saved->reader.running)
        fprintf(stderr,
                "%s: the run has no end: it goes on, or was killed; %d of %d cases so far\n",
                directory, saved->run.total.count, saved->run.selected_count);
    return WCTS_EXIT_OK;
}

void wcts_saved_release(struct wcts_saved *saved)
{
    if (saved->run.plan)
        wcts_run_release(&saved->run);
    wcts_plan_free(saved->plan);
    wcts_ladder_release(&saved->ladder);
    wcts_reader_close(&saved->reader);
    free(saved->selected);
    free(saved->statements);
    free(saved->rules);
    free(saved->looks);
    free(saved->matrices);
    free(saved->kept);
}
