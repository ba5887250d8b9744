/* SPDX-License-Identifier: MIT */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"

/* ---- what a case asks ---- */

const char *wcts_polarity_name(enum wcts_polarity side)
{
    static const char *const names[] = {
        [WCTS_ACCEPTS] = "accept", [WCTS_REFUSES] = "refuse", [WCTS_EITHER] = "either"};
    return names[side];
}

enum wcts_polarity wcts_polarity_of(const struct wcts_case *test)
{
    static const enum wcts_polarity sides[] = {[WCTS_EXPECT_ACCEPT] = WCTS_ACCEPTS,
                                               [WCTS_EXPECT_REFUSE] = WCTS_REFUSES,
                                               [WCTS_EXPECT_ASSERT] = WCTS_REFUSES,
                                               [WCTS_EXPECT_OPEN] = WCTS_EITHER,
                                               [WCTS_EXPECT_ANSWER] = WCTS_ACCEPTS};
    return sides[test->expect];
}

/* ---- run.json ---- */

static bool same_spec(const struct wcts_saved *saved, const struct wcts_spec *spec)
{
    const char *digest = json_string_value(json_object_get(saved->description, "spec_digest"));
    if (digest && strcmp(digest, spec->digest) == 0)
        return true;
    return wcts_reader_wrong(
        &saved->reader, WCTS_FILE_RUN, 0,
        "the run is of the spec with digest %.16s, expected %.16s, which is loaded; give "
        "the run's spec by --spec-dir, --cases-dir and --spec, or run again",
        digest ? digest : "?", spec->digest);
}

/* ---- plan.tsv ---- */

static bool read_plan(struct wcts_saved *saved)
{
    const struct wcts_reader *reader = &saved->reader;
    if (!wcts_reader_plan(&saved->reader, saved->plan))
        return wcts_reader_complain(&saved->reader, WCTS_VOICE_REPORT);
    for (int i = 0; i < reader->count; i++) {
        const struct wcts_reader_row *row = &reader->rows[i];
        if (row->test < 0)
            return wcts_reader_wrong(
                &saved->reader, WCTS_FILE_PLAN, row->line,
                "case %s, expected the next one of the plan that the spec gives", row->id);
        saved->selected[saved->run.selected_count++] = row->test;
    }
    return true;
}

/* ---- journal.jsonl ---- */

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
    const struct wcts_case *test = &saved->plan->cases[saved->selected[position]];
    int rule = result->broken ? result->broken - 1 : test->rule;
    enum wcts_polarity side = wcts_polarity_of(test);
    wcts_run_count(&saved->run, test, result);
    wcts_tally_add(&saved->rules[rule].of[side], result);
    wcts_tally_add(&saved->statements[saved->plan->spec->rules[rule].statement].of[side], result);
    wcts_looker_add(looker, test, result->verdict);
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
            return reader->flaw.kind == WCTS_FLAW_NONE ||
                   wcts_reader_complain(&saved->reader, WCTS_VOICE_REPORT);
        good = row == i ? take_entry(saved, looker, i, &entry.result, offset)
                        : wcts_reader_wrong(&saved->reader, WCTS_FILE_JOURNAL, i + 1,
                                            "case %s, expected %s", entry.id, reader->rows[i].id);
        wcts_entry_release(&entry);
    }
    return good;
}

static bool read_journal(struct wcts_saved *saved)
{
    struct wcts_looker *looker = wcts_looker_new(saved);
    bool good = looker && (wcts_reader_journal(&saved->reader)
                               ? read_entries(saved, looker)
                               : wcts_reader_complain(&saved->reader, WCTS_VOICE_REPORT));
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

static bool describe(struct wcts_saved *saved, struct wcts_run *run, const struct wcts_options *own)
{
    const char *wrong;
    run->asked = *own;
    wrong = wcts_json_read_run(run, saved->description, false);
    return !wrong ||
           wcts_reader_wrong(&saved->reader, WCTS_FILE_RUN, 0, "\"%s\" is missing or wrong", wrong);
}

static bool climb(struct wcts_saved *saved, const struct wcts_spec *spec)
{
    const struct wcts_ladder_scope all = {.last_version = spec->versions_count - 1};
    return saved->reader.running || wcts_ladder_run(&saved->ladder, spec, saved->directory, &all);
}

/* What was answered is not in the journal: what follows from it is as the run said. */
static void conclude_saved(struct wcts_saved *saved)
{
    struct wcts_run *run = &saved->run;
    wcts_run_conclude(run);
    if (!saved->reader.running) {
        wcts_json_read_run(run, saved->description, true);
        return;
    }
    wcts_next_clear(&run->next);
    free(run->headline);
    if (asprintf(&run->headline, "has not ended: %d of %d cases so far", run->total.count,
                 run->selected_count) < 0)
        run->headline = NULL;
    run->conclusion = WCTS_RUNNING;
}

static bool load(struct wcts_saved *saved, const struct wcts_saved_options *options)
{
    struct wcts_run told = {0};
    wcts_reader_init(&saved->reader, saved->directory, options->spec);
    if (!wcts_reader_is_run(&saved->reader))
        return wcts_reader_complain(&saved->reader, WCTS_VOICE_REPORT);
    if (!wcts_reader_run(&saved->reader))
        return wcts_reader_complain(&saved->reader, WCTS_VOICE_REPORT);
    saved->description = saved->reader.run;
    if (!same_spec(saved, options->spec) || !describe(saved, &told, options->asked))
        return false;
    saved->plan = options->plan(options->spec, told.asked.suite, told.asked.seed);
    if (!saved->plan || !allocate(saved) ||
        !wcts_run_init(&saved->run, &told.asked, saved->plan, saved->selected, 0) ||
        wcts_json_read_run(&saved->run, saved->description, false))
        return false;
    saved->run.directory = saved->directory;
    if (!read_plan(saved) || !read_journal(saved) ||
        !wcts_digest_file(saved->directory, WCTS_FILE_PLAN, saved->plan_digest) ||
        !wcts_digest_file(saved->directory, WCTS_FILE_JOURNAL, saved->journal_digest) ||
        !climb(saved, options->spec))
        return false;
    if (saved->kept_count > 1)
        qsort_r(saved->kept, (size_t)saved->kept_count, sizeof *saved->kept, by_statement,
                (void *)(uintptr_t)saved->plan->spec);
    conclude_saved(saved);
    return true;
}

enum wcts_exit wcts_saved_load(struct wcts_saved *saved, const char *directory,
                               const struct wcts_saved_options *options)
{
    *saved = (struct wcts_saved){.directory = directory};
    if (!load(saved, options))
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
