/* SPDX-License-Identifier: MIT */
#include "loaded_run.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "headline.h"
#include "json.h"
#include "upgrade.h"

/* ---- run.json ---- */

static bool same_spec(const struct wcts_report_loaded_run *loaded, const struct wcts_spec *spec)
{
    const char *digest = json_string_value(json_object_get(loaded->description, "spec_digest"));
    if (digest && strcmp(digest, spec->digest) == 0)
        return true;
    return wcts_store_reader_error(
        &loaded->reader, WCTS_FILE_RUN, 0,
        "the run has the spec with digest %.16s, expected %.16s, which is loaded; give "
        "the run's spec by --spec-dir, --cases-dir and --spec, or run again",
        digest ? digest : "?", spec->digest);
}

/* ---- plan.tsv ---- */

static bool select_planned(struct wcts_report_loaded_run *loaded)
{
    const struct wcts_store_reader *reader = &loaded->reader;
    if (!wcts_store_reader_plan(&loaded->reader, loaded->plan))
        return wcts_store_reader_report(&loaded->reader);
    for (int i = 0; i < reader->count; i++) {
        const struct wcts_store_reader_row *row = &reader->rows[i];
        if (row->test < 0)
            return wcts_store_reader_error(
                &loaded->reader, WCTS_FILE_PLAN, row->line,
                "case %s, expected the next one of the plan that the spec gives", row->id);
        loaded->selected[loaded->run.selected_count++] = row->test;
    }
    return true;
}

/* ---- journal.jsonl ---- */

static bool count_entry(struct wcts_report_loaded_run *loaded, struct wcts_exercise *exercise,
                        int position, const struct wcts_store_entry *entry, long offset)
{
    const struct wcts_result *result = &entry->result;
    struct wcts_case made;
    const struct wcts_case *test = wcts_plan_case(loaded->plan, loaded->selected[position], &made);
    int rule = result->broken ? result->broken - 1 : test->rule;
    enum wcts_report_polarity side = wcts_report_polarity_of(test);
    wcts_report_run_count(&loaded->run, test, result, entry->output);
    wcts_store_tally_add(&loaded->rules[rule].of[side], result);
    wcts_store_tally_add(&loaded->statements[loaded->plan->spec->rules[rule].statement].of[side],
                         result);
    wcts_report_exercise_add(exercise, test, result);
    if (result->verdict == WCTS_VERDICT_PASS)
        return true;
    struct wcts_report_listed_case *listed = WCTS_ARRAY_ADD(loaded->listed, loaded->listed_count);
    if (listed)
        *listed = (struct wcts_report_listed_case){position, rule, offset};
    return listed != NULL;
}

static bool count_entries(struct wcts_report_loaded_run *loaded, struct wcts_exercise *exercise)
{
    struct wcts_store_reader *reader = &loaded->reader;
    struct wcts_store_entry entry;
    bool good = true;
    int row;
    for (int i = 0; good; i++) {
        long offset = wcts_store_journal_tell(&reader->journal);
        if (!wcts_store_reader_next(reader, &entry, &row))
            return reader->flaw.kind == WCTS_FLAW_NONE || wcts_store_reader_report(&loaded->reader);
        good = row == i
                   ? count_entry(loaded, exercise, i, &entry, offset)
                   : wcts_store_reader_error(&loaded->reader, WCTS_FILE_JOURNAL, i + 1,
                                             "case %s, expected %s", entry.id, reader->rows[i].id);
        wcts_store_entry_release(&entry);
    }
    return good;
}

static bool count_journal(struct wcts_report_loaded_run *loaded)
{
    struct wcts_exercise *exercise = wcts_report_exercise_new(loaded);
    bool good = exercise && (wcts_store_reader_journal(&loaded->reader)
                                 ? count_entries(loaded, exercise)
                                 : wcts_store_reader_report(&loaded->reader));
    wcts_report_exercise_free(exercise);
    return good;
}

/* ---- all of it ---- */

static int by_statement(const void *a, const void *b, void *ctx)
{
    const struct wcts_spec *spec = ctx;
    const struct wcts_report_listed_case *left = a, *right = b;
    int first = spec->rules[left->rule].statement, second = spec->rules[right->rule].statement;
    return first != second ? first - second : left->position - right->position;
}

static bool allocate_counts(struct wcts_report_loaded_run *loaded)
{
    const struct wcts_spec *spec = loaded->plan->spec;
    loaded->selected = calloc((size_t)loaded->plan->count + 1, sizeof *loaded->selected);
    loaded->statements = calloc((size_t)spec->statements_count + 1, sizeof *loaded->statements);
    loaded->rules = calloc((size_t)spec->rules_count + 1, sizeof *loaded->rules);
    loaded->exercised = calloc((size_t)spec->rules_count + 1, sizeof *loaded->exercised);
    loaded->matrices = calloc((size_t)spec->words_count + 1, sizeof *loaded->matrices);
    return loaded->selected && loaded->statements && loaded->rules && loaded->exercised &&
           loaded->matrices;
}

static bool read_description_of(struct wcts_report_loaded_run *loaded, struct wcts_report_run *run,
                                const struct wcts_options *own)
{
    const char *wrong;
    run->asked = *own;
    wrong = wcts_report_json_read_run(run, loaded->description, false);
    return !wrong || wcts_store_reader_error(&loaded->reader, WCTS_FILE_RUN, 0,
                                             "\"%s\" is missing or wrong", wrong);
}

/* The journal does not have the answers, so what follows from them is read from run.json. */
static void conclude_loaded(struct wcts_report_loaded_run *loaded)
{
    struct wcts_report_run *run = &loaded->run;
    wcts_report_run_conclude(run);
    if (!loaded->reader.running) {
        wcts_report_json_read_run(run, loaded->description, true);
        return;
    }
    wcts_report_next_clear(&run->next);
    free(run->headline);
    if (asprintf(&run->headline, "has not ended: %d of %d cases so far", run->total.count,
                 run->selected_count) < 0)
        run->headline = NULL;
    run->conclusion = WCTS_RUNNING;
}

static bool load_run(struct wcts_report_loaded_run *loaded,
                     const struct wcts_report_load_options *options)
{
    const struct wcts_report_ladder_scope all = {.last_version = options->spec->versions_count - 1};
    struct wcts_report_run described = {0};
    bool read;
    wcts_store_reader_init(&loaded->reader, loaded->directory, options->spec);
    if (!wcts_store_reader_is_run(&loaded->reader) || !wcts_store_reader_run(&loaded->reader))
        return wcts_store_reader_report(&loaded->reader);
    loaded->description = loaded->reader.run;
    read =
        same_spec(loaded, options->spec) && read_description_of(loaded, &described, options->asked);
    wcts_report_run_release(&described); /* all but what was asked is read again, with the plan */
    described.asked.profile = NULL;
    if (!read)
        return false;
    loaded->plan = options->plan(options->ctx, described.asked.suite, described.asked.seed);
    if (!loaded->plan || !wcts_report_upgrade_plan(loaded->plan, loaded->description) ||
        !allocate_counts(loaded) ||
        !wcts_report_run_init(&loaded->run, &described.asked, loaded->plan, loaded->selected, 0) ||
        wcts_report_json_read_run(&loaded->run, loaded->description, false))
        return false;
    loaded->run.directory = loaded->directory;
    if (!select_planned(loaded) || !count_journal(loaded) ||
        !wcts_store_digest_file(loaded->directory, WCTS_FILE_PLAN, loaded->plan_digest) ||
        !wcts_store_digest_file(loaded->directory, WCTS_FILE_JOURNAL, loaded->journal_digest) ||
        (!loaded->reader.running &&
         !wcts_report_ladder_run(&loaded->ladder, options->spec, loaded->directory, &all)))
        return false;
    if (loaded->listed_count > 1)
        qsort_r(loaded->listed, (size_t)loaded->listed_count, sizeof *loaded->listed, by_statement,
                (void *)(uintptr_t)loaded->plan->spec);
    conclude_loaded(loaded);
    return true;
}

enum wcts_report_exit wcts_report_loaded_run_init(struct wcts_report_loaded_run *loaded,
                                                  const char *directory,
                                                  const struct wcts_report_load_options *options)
{
    *loaded = (struct wcts_report_loaded_run){.directory = directory};
    if (!load_run(loaded, options))
        return WCTS_EXIT_USAGE;
    if (loaded->reader.running)
        fprintf(stderr,
                "%s: the run has not ended: it is running or was killed; %d of %d cases so far\n",
                directory, loaded->run.total.count, loaded->run.selected_count);
    return WCTS_EXIT_OK;
}

void wcts_report_loaded_run_release(struct wcts_report_loaded_run *loaded)
{
    if (loaded->run.plan)
        wcts_report_run_release(&loaded->run);
    wcts_plan_free(loaded->plan);
    wcts_report_ladder_release(&loaded->ladder);
    wcts_store_reader_close(&loaded->reader);
    free(loaded->selected);
    free(loaded->statements);
    free(loaded->rules);
    free(loaded->exercised);
    free(loaded->matrices);
    free(loaded->listed);
}
