/* SPDX-License-Identifier: MIT */
/* wddm-cts merge: one run, made of the run directories of its parts. */
#include <stdlib.h>
#include <string.h>

#include "../../reports/headline.h"
#include "../../reports/json.h"
#include "../base/text.h"
#include "../judge/judge.h"
#include "../model/profile.h"
#include "finish.h"
#include "parts.h"
#include "resume.h"
#include "selection.h"
#include "sink.h"
#include "targets.h"

/* The undivided run, and the parts of which it is made. */
struct cli_merging {
    const struct wcts_cli_settings *settings; /* of this command; not owned */
    struct wcts_cli_settings undivided;       /* those of the parts, but for --shard */
    struct wcts_cli_parts parts;
    struct wcts_cli_suite suite;
    struct wcts_baseline *baseline; /* NULL: none */
    int *selected;
    struct wcts_report_run run;
    struct wcts_store_rundir directory;
    struct wcts_cli_files files;
    struct wcts_cli_sink sink;
    struct wcts_stored claims[2];
    struct wcts_judge_once once;
    struct wcts_packer *packer;
    char *causes[WCTS_BACKTRACES_MAX]; /* of deaths with a backtrace; owned */
    int cause_count;
    int not_tried; /* cases like those that died, which each part left out for itself */
    json_t *merged;
};

/* ---- records ---- */

/* The record of a case's next attempt. */
static bool take_record(struct cli_merging *merging, struct wcts_cli_part *part, const char *id,
                        struct wcts_stored *to)
{
    const struct wcts_stored *found = wcts_store_records_find(&part->records, id);
    if (found && part->records.wrong[0] == '\0' &&
        wcts_store_records_pack(merging->packer, found, to))
        return true;
    return wcts_store_reader_error(&part->reader, WCTS_RECORDS_FILE, 0,
                                   "at byte %ld: found no record that can be read, expected that "
                                   "of %s",
                                   part->records.right, id);
}

/* What the parts' implementation claims, as the first part has it; the others have it, too. */
static bool take_claims(struct cli_merging *merging)
{
    for (int i = 0; i < merging->parts.count; i++)
        for (int side = 0; side < 2 && merging->parts.of[i].recorded; side++) {
            struct wcts_stored stored = {0};
            wcts_exchange_packer_begin(merging->packer);
            if (!take_record(merging, &merging->parts.of[i], wcts_store_records_side(side),
                             &stored))
                return false;
            free(merging->claims[side].bytes);
            merging->claims[side] = stored;
        }
    return true;
}

/* ---- results ---- */

/* An undivided run takes the backtrace of the first case of a cause. */
static bool is_first_of_cause(struct cli_merging *merging, const struct wcts_result *result)
{
    char *cause = wcts_baseline_signature_text(result->reason);
    bool first = cause && merging->cause_count < WCTS_BACKTRACES_MAX;
    for (int i = 0; first && i < merging->cause_count; i++)
        first = strcmp(merging->causes[i], cause) != 0;
    if (first)
        merging->causes[merging->cause_count++] = cause;
    else
        free(cause);
    return first;
}

static bool take_part_result(struct cli_merging *merging, struct wcts_cli_part *part,
                             const struct wcts_case *test, const struct wcts_store_entry *entry)
{
    const struct wcts_report_run *run = &merging->run;
    struct wcts_result result;
    bool good = wcts_store_entry_found(entry, run->plan->spec, &result);
    if (!good)
        return wcts_store_reader_error(&part->reader, WCTS_FILE_JOURNAL, part->reader.entries,
                                       "found findings that cannot be read, expected those of %s",
                                       test->id);
    for (int i = 0; good && part->recorded && i <= result.tried; i++)
        good = take_record(merging, part, test->id,
                           i < result.tried ? &result.tries[i].stored : &result.stored);
    if (good) {
        merging->not_tried += result.finding.skip == WCTS_SKIP_NOT_TRIED;
        wcts_judge_once(&merging->once, test, &result);
        wcts_judge_result_read(run->plan, test, &run->asked, &result);
        if (result.backtrace && result.backtrace[0] && !is_first_of_cause(merging, &result))
            result.backtrace = NULL;
        free(result.scenario);
        result.scenario = wcts_cli_earlier_scenario(part->directory, test->id);
        good = wcts_cli_sink_take(&merging->sink, test, &result, entry->output) ||
               wcts_cli_sink_has_enough(&merging->sink);
    }
    wcts_model_result_release(&result);
    return good;
}

static bool take_results(struct cli_merging *merging)
{
    struct wcts_report_run *run = &merging->run;
    for (int i = 0; i < run->selected_count; i++) {
        struct wcts_cli_part *part = &merging->parts.of[merging->parts.owners[i]];
        struct wcts_store_entry entry;
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(run->plan, run->selected[i], &made);
        int row;
        if (i % WCTS_PACKED_TOGETHER == 0)
            wcts_exchange_packer_begin(merging->packer);
        if (!wcts_store_reader_next(&part->reader, &entry, &row))
            return wcts_store_reader_report(&part->reader);
        bool good =
            strcmp(entry.id, test->id) == 0 && take_part_result(merging, part, test, &entry);
        wcts_store_entry_release(&entry);
        if (!good)
            return false;
    }
    return true;
}

/* ---- the run ---- */

/* What the parts counted beside results. */
static bool describe_merged(struct cli_merging *merging)
{
    struct wcts_report_run *run = &merging->run;
    for (int i = 0; i < merging->parts.count; i++) {
        const struct wcts_cli_part *part = &merging->parts.of[i];
        struct wcts_report_run described = {0};
        const char *wrong = wcts_report_json_read_run(&described, part->reader.run, false);
        if (wrong)
            return wcts_store_reader_error(&part->reader, WCTS_FILE_RUN, 0,
                                           "\"%s\" is missing or wrong", wrong);
        if (i == 0) {
            run->claims = described.claims;
            wcts_model_claims_raise(&run->claims, run->asked.upgrade);
            run->left = described.left;
            run->unrepeated = described.unrepeated;
            run->started = described.started;
        } else {
            run->left.count += described.left.count;
            run->unrepeated.count += described.unrepeated.count;
        }
        if (described.started < run->started)
            run->started = described.started;
        run->seconds += described.seconds;
    }
    snprintf(run->implementation_digest, sizeof run->implementation_digest, "%s",
             wcts_store_json_member(
                 json_object_get(merging->parts.of[0].reader.run, "implementation"), "sha256"));
    return true;
}

/* The cases of the undivided run. Returns how many; -1 with a message. */
static int select_cases(struct cli_merging *merging, int count)
{
    struct wcts_report_run *run = &merging->run;
    enum wcts_plan_worth *worths = NULL;
    int worth_count;
    run->narrowed = wcts_cli_leaves_out(&merging->suite, &run->claims);
    count = wcts_cli_select_claimed(&merging->suite, &run->claims, merging->selected, count,
                                    &run->strength, &worths, &worth_count);
    free(worths);
    return wcts_cli_suite_bind_again(&merging->suite, merging->baseline) ? count : -1;
}

/* Keeps the cases that have a result: with --partial the others were left out. */
static void keep_owned(struct cli_merging *merging, int count)
{
    struct wcts_report_run *run = &merging->run;
    int *owners = merging->parts.owners, kept = 0;
    for (int i = 0; i < count; i++)
        if (owners[i] >= 0) {
            merging->selected[kept] = merging->selected[i];
            owners[kept++] = owners[i];
        }
    run->selected_count = kept;
    run->partial = run->partial || kept < count;
    run->narrowed = run->narrowed || kept < count;
    run->missing = count - kept;
}

static int write_run(struct cli_merging *merging)
{
    struct wcts_report_run *run = &merging->run;
    struct wcts_store_rundir *directory = &merging->directory;
    merging->merged = wcts_cli_parts_json(&merging->parts);
    run->merged = merging->merged;
    run->directory = directory->path;
    directory->spec = merging->suite.spec;
    merging->sink = (struct wcts_cli_sink){
        .settings = &merging->undivided,
        .run = run,
        .directory = directory,
        .baseline = merging->baseline,
        .tap = &merging->files.tap,
        .stored_claims = merging->parts.of[0].recorded ? merging->claims : NULL};
    if (!wcts_store_rundir_plan(directory, run->plan, run->selected, run->selected_count) ||
        !wcts_store_rundir_describe(directory, wcts_report_json_run(run), false))
        return WCTS_EXIT_BROKEN;
    run->end = WCTS_POOL_DONE;
    if (!take_claims(merging) || !take_results(merging))
        return WCTS_EXIT_USAGE;
    for (int i = 0; i < merging->parts.count; i++)
        if (!wcts_report_orders_read(&run->orders,
                                     json_object_get(merging->parts.of[i].reader.run, "order")))
            return WCTS_EXIT_USAGE;
    if (merging->not_tried != 0)
        fprintf(stderr,
                "wddm-cts: merge: %d cases were not tried, since each part leaves out what is like "
                "its own deaths; parts with --all-deaths are the undivided run\n",
                merging->not_tried);
    if (run->selected_count == 0)
        snprintf(run->error, sizeof run->error, "no case is selected");
    if (merging->baseline)
        wcts_baseline_conclude(merging->baseline);
    wcts_report_run_conclude(run);
    return wcts_cli_files_finish(&merging->suite, run, directory, &merging->files)
               ? run->exit_code
               : WCTS_EXIT_BROKEN;
}

/* Proves that the parts are the run, before anything is written. */
static int merge_selected(struct cli_merging *merging, int count)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan_mustpass *mustpass = wcts_cli_suite_mustpass(&merging->suite, &diagnostics);
    struct wcts_report_run *run = &merging->run;
    const char *out = merging->settings->out;
    int status = WCTS_EXIT_USAGE;
    bool ready = diagnostics.errors == 0 &&
                 wcts_report_run_init(run, &merging->undivided.options, merging->suite.plan,
                                      merging->selected, count) &&
                 wcts_cli_suite_count_sides(&merging->suite, run) && describe_merged(merging);
    run->mustpass = mustpass;
    run->baseline = merging->baseline;
    run->planned = ready ? wcts_cli_planned(&merging->suite, run->narrowed) : 0;
    count = ready ? select_cases(merging, count) : -1;
    if (count >= 0 &&
        wcts_cli_parts_prove(&merging->parts, run->plan, merging->selected, count,
                             merging->settings->partial) &&
        wcts_store_rundir_init(&merging->directory, out) &&
        wcts_cli_files_open(&merging->files, &merging->suite, merging->directory.path) &&
        wcts_store_rundir_begin(&merging->directory)) {
        keep_owned(merging, count);
        status = write_run(merging);
    }
    wcts_report_documents_release(&merging->files.documents);
    wcts_store_rundir_release(&merging->directory);
    if (run->plan)
        wcts_report_run_release(run);
    wcts_plan_mustpass_free(mustpass);
    return status;
}

static bool load_parts(struct cli_merging *merging)
{
    const struct wcts_cli_part *first = &merging->parts.of[0];
    const char *digest = wcts_store_json_member(first->reader.run, "spec_digest");
    const char *baseline =
        wcts_store_json_member(json_object_get(first->reader.run, "baseline"), "digest");
    const char *profile =
        wcts_store_json_member(json_object_get(first->reader.run, "profile"), "digest");
    if (!wcts_cli_suite_init(&merging->suite, &merging->undivided) ||
        !wcts_cli_suite_baseline(&merging->suite, merging->undivided.baseline, &merging->baseline))
        return false;
    if (strcmp(digest, merging->suite.spec->digest) != 0)
        return wcts_store_reader_error(&first->reader, WCTS_FILE_RUN, 0,
                                       "found the spec with digest %.16s, expected %.16s, which is "
                                       "loaded",
                                       digest, merging->suite.spec->digest);
    if (strcmp(baseline, merging->baseline ? merging->baseline->digest : "") != 0)
        return wcts_store_reader_error(&first->reader, WCTS_FILE_RUN, 0,
                                       "the baseline has changed since, expected that of the run");
    if (strcmp(profile, merging->suite.profile ? merging->suite.profile->digest : "") != 0)
        return wcts_store_reader_error(&first->reader, WCTS_FILE_RUN, 0,
                                       "the profile has changed since, expected that of the run");
    merging->undivided.options.profile = merging->suite.profile;
    merging->undivided.options.profile_named = merging->suite.settings->options.profile_named;
    merging->undivided.options.declaration = merging->suite.declaration;
    merging->undivided.options.upgrade = merging->suite.settings->options.upgrade;
    merging->packer = wcts_exchange_packer_new();
    return merging->packer && wcts_judge_once_init(&merging->once, merging->suite.spec);
}

/* The reports are those of this command. */
static void set_reports(struct cli_merging *merging)
{
    const struct wcts_cli_settings *asked = merging->settings;
    struct wcts_cli_settings *undivided = &merging->undivided;
    for (int i = 0; i < WCTS_FORMAT_COUNT; i++)
        undivided->options.files[i] = asked->options.files[i];
    undivided->options.junit_cases = asked->options.junit_cases;
    undivided->options.colours = asked->options.colours;
    undivided->options.quiet = asked->options.quiet;
    undivided->options.xsl = undivided->update_baseline = NULL;
    undivided->json = undivided->tap = undivided->verbose = false;
    undivided->out = asked->out;
}

static void merging_release(struct cli_merging *merging)
{
    json_decref(merging->merged);
    for (int i = 0; i < merging->cause_count; i++)
        free(merging->causes[i]);
    for (int side = 0; side < 2; side++)
        free(merging->claims[side].bytes);
    wcts_exchange_packer_free(merging->packer);
    wcts_judge_once_release(&merging->once);
    wcts_cli_parts_release(&merging->parts);
    free(merging->selected);
    wcts_baseline_free(merging->baseline);
    wcts_cli_suite_release(&merging->suite);
    wcts_cli_settings_release(&merging->undivided);
}

/* No directory may be written to that is read. */
static bool is_apart(const struct wcts_cli_settings *settings)
{
    char *out = settings->out ? realpath(settings->out, NULL) : NULL;
    bool apart = true;
    for (int i = 0; apart && out && i < settings->argument_count; i++) {
        char *part = realpath(settings->arguments[i], NULL);
        apart = !part || strcmp(part, out) != 0;
        free(part);
    }
    if (!apart)
        fprintf(stderr, "wddm-cts: --out %s: a part, expected another directory\n", settings->out);
    free(out);
    return apart && wcts_cli_targets_check(settings, (const char *const *)settings->arguments,
                                           settings->argument_count);
}

int wcts_command_merge(const struct wcts_cli_settings *settings)
{
    struct cli_merging merging = {.settings = settings, .directory = {.fd = -1}};
    int status = WCTS_EXIT_USAGE, count = 0;
    if (is_apart(settings) && wcts_cli_targets_share_output(settings) &&
        wcts_cli_parts_open(&merging.parts, settings->arguments, settings->argument_count) &&
        wcts_cli_resume_parse(&merging.undivided, settings->arguments[0],
                              merging.parts.of[0].reader.run)) {
        set_reports(&merging);
        if (load_parts(&merging)) {
            status = wcts_cli_select_cases(&merging.suite, &merging.selected, &count);
            if (status == WCTS_EXIT_OK)
                status = merge_selected(&merging, count);
        }
    }
    merging_release(&merging);
    return status;
}
