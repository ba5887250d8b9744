/* SPDX-License-Identifier: MIT */
#include "saved.h"

#include <errno.h>
#include <sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/store/input.h"
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

static bool is_directory_of_run(const struct wcts_saved *saved)
{
    static const char *const names[] = {"run.json", "plan.tsv", "journal.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *wrong;
        FILE *file = wcts_input_open(saved->directory, names[i], &wrong);
        if (!file)
            return complain(saved, names[i], 0, "%s, expected a file of a run directory", wrong);
        fclose(file);
    }
    return true;
}

static bool read_description(struct wcts_saved *saved)
{
    const char *wrong;
    int line;
    saved->description = wcts_input_json(saved->directory, "run.json", &wrong, &line);
    if (!saved->description)
        return complain(saved, "run.json", line, "%s, expected the description of a run", wrong);
    return true;
}

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
    saved->running = strcmp(end, "running") == 0;
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

/* Cases stand there in the order of the plan. */
static bool take_plan_line(struct wcts_saved *saved, char *line, long number, int *at)
{
    const struct wcts_plan *plan = saved->plan;
    line[strcspn(line, "\t\n")] = '\0';
    while (*at < plan->count && strcmp(plan->cases[*at].id, line) != 0)
        ++*at;
    if (*at == plan->count)
        return complain(saved, "plan.tsv", number,
                        "case %s, expected the next one of the plan that the spec gives", line);
    saved->selected[saved->run.selected_count++] = (*at)++;
    return true;
}

static bool read_plan(struct wcts_saved *saved)
{
    const char *wrong;
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    int at = 0;
    FILE *file = wcts_input_open(saved->directory, "plan.tsv", &wrong);
    if (!file)
        return complain(saved, "plan.tsv", 0, "%s", wrong);
    long number = 1;
    for (; good && wcts_input_line(&line, &room, file) > 0; number++)
        if (line[0] != '#')
            good = take_plan_line(saved, line, number, &at);
    if (good && !wcts_input_ended(file))
        good = complain(saved, "plan.tsv", number, "no line of a plan");
    free(line);
    fclose(file);
    return good;
}

/* ---- journal.jsonl ---- */

/* The rule that an entry speaks about. */
static int rule_of(const struct wcts_saved *saved, const struct wcts_case *one,
                   const struct wcts_entry *entry)
{
    const char *id = json_string_value(json_object_get(entry->value, "rule"));
    const struct wcts_spec *spec = saved->plan->spec;
    for (int i = 0; id && i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return i;
    return one->rule;
}

static void add_to(struct wcts_sided *sided, enum wcts_side_of side, const struct wcts_entry *entry)
{
    struct wcts_tally *tally = &sided->of[side];
    tally->verdicts[entry->verdict]++;
    tally->count++;
    tally->seconds += entry->seconds;
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
                       const struct wcts_entry *entry, long offset)
{
    const struct wcts_case *one = &saved->plan->cases[saved->selected[position]];
    int rule = rule_of(saved, one, entry);
    enum wcts_side_of side = wcts_side_of_case(one);
    const struct wcts_result result = {.verdict = entry->verdict,
                                       .reason = (char *)entry->reason,
                                       .detail = (char *)entry->detail,
                                       .backtrace = entry->backtrace[0] ? entry->backtrace : NULL,
                                       .skip = entry->skip,
                                       .was = entry->was,
                                       .broken = rule == one->rule ? 0 : rule + 1,
                                       .nanoseconds = (uint64_t)(entry->seconds * 1e9)};
    wcts_run_count(&saved->run, one, &result);
    add_to(&saved->rules[rule], side, entry);
    add_to(&saved->statements[saved->plan->spec->rules[rule].statement], side, entry);
    wcts_looker_add(looker, one, entry->verdict);
    return entry->verdict == WCTS_VERDICT_PASS || keep_case(saved, position, rule, offset);
}

/* Of a run that goes on, the last line may be half written. */
static bool read_entries(struct wcts_saved *saved, struct wcts_journal *journal,
                         struct wcts_looker *looker)
{
    struct wcts_entry entry;
    bool good = true;
    for (int i = 0; good; i++) {
        long offset = wcts_journal_tell(journal);
        if (!wcts_journal_next(journal, &entry)) {
            if (!saved->running && getc(journal->file) != EOF)
                return complain(saved, "journal.jsonl", i + 1,
                                "no entry, expected an object with id and verdict");
            return true;
        }
        if (i >= saved->run.selected_count)
            good = complain(saved, "journal.jsonl", i + 1,
                            "case %s, expected no more than the %d "
                            "of plan.tsv",
                            entry.id, i);
        else if (strcmp(entry.id, saved->plan->cases[saved->selected[i]].id) != 0)
            good = complain(saved, "journal.jsonl", i + 1, "case %s, expected %s", entry.id,
                            saved->plan->cases[saved->selected[i]].id);
        else
            good = take_entry(saved, looker, i, &entry, offset);
        wcts_entry_release(&entry);
    }
    return good;
}

/* A journal ends where run.json says; only of a run that goes on nobody knows. */
static bool is_whole(const struct wcts_saved *saved)
{
    json_t *reached = json_object_get(saved->description, "reached");
    if (saved->running || json_integer_value(reached) == saved->run.total.count)
        return true;
    return complain(saved, "journal.jsonl", saved->run.total.count + 1,
                    "the journal ends here, expected %d entries as run.json says: it was cut short",
                    (int)json_integer_value(reached));
}

static bool read_journal(struct wcts_saved *saved)
{
    struct wcts_journal journal;
    struct wcts_looker *looker = wcts_looker_new(saved);
    bool good = looker && wcts_journal_open(&journal, saved->directory);
    if (looker && !good)
        complain(saved, "journal.jsonl", 0, "cannot be opened");
    if (good) {
        good = read_entries(saved, &journal, looker) && is_whole(saved);
        wcts_journal_close(&journal);
    }
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

static bool digest_of(const struct wcts_saved *saved, const char *name, char digest[65])
{
    SHA2_CTX hash;
    const char *wrong;
    uint8_t bytes[65536];
    size_t size;
    FILE *file = wcts_input_open(saved->directory, name, &wrong);
    if (!file)
        return complain(saved, name, 0, "%s", wrong);
    SHA256Init(&hash);
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        SHA256Update(&hash, bytes, size);
    fclose(file);
    SHA256End(&hash, digest);
    return true;
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
    return saved->running || wcts_ladder_run(&saved->ladder, spec, saved->directory, &all);
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
    if (saved->running) {
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
    if (!is_directory_of_run(saved) || !read_description(saved) ||
        !same_spec(saved, context->spec) || !describe(saved, context))
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
        !digest_of(saved, "plan.tsv", saved->plan_digest) ||
        !digest_of(saved, "journal.jsonl", saved->journal_digest) || !climb(saved, context->spec))
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
    if (saved->running)
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
    json_decref(saved->description);
    free(saved->selected);
    free(saved->statements);
    free(saved->rules);
    free(saved->looks);
    free(saved->matrices);
    free(saved->kept);
}
