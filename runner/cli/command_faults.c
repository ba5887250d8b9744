/* SPDX-License-Identifier: MIT */
/* wddm-cts faults: lists the faults that an implementation can show; with --try, runs the suite
 * against each, and records the outcomes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../reports/json.h"
#include "../base/text.h"
#include "../faults/faults.h"
#include "suite.h"

/* How many wrongly blamed statements are printed. */
#define WRONG_MAX 8

/* The outcomes of all trials. */
struct cli_tally {
    int outcomes[WCTS_FAULT_OUTCOME_COUNT];
    int wrong;   /* killed, but a statement was blamed that the fault does not name */
    int unruled; /* rules without an entry */
};

struct cli_faults_view {
    const struct wcts_cli_suite *suite;
    const struct wcts_faults *faults;
    const bool *wanted; /* NULL: all */
    struct cli_tally tally;
};

/* ---- listing ---- */

static void print_fault(const struct wcts_fault *fault)
{
    if (!fault->file) {
        printf("%s  none: %s\n", fault->id, fault->why ? fault->why : "no reason given");
        return;
    }
    printf("%s  %s  %s:%u%s%s\n", fault->id, fault->kind, fault->file, fault->line,
           fault->options ? "  with " : "", fault->options ? fault->options : "");
    printf("    %s  ->  %s\n", fault->good, fault->bad);
    for (int i = 0; i < WCTS_FAULT_ALSO_MAX && fault->also[i].statement; i++)
        printf("    also %s: %s\n", fault->also[i].statement, fault->also[i].why);
}

static json_t *fault_object(const struct wcts_fault *fault)
{
    json_t *value = json_object(), *also = json_array();
    json_object_set_new(value, "id", wcts_store_json_text(fault->id));
    json_object_set_new(value, "kind", wcts_store_json_text(fault->kind));
    json_object_set_new(value, "file", wcts_store_json_text(fault->file));
    json_object_set_new(value, "line", json_integer(fault->line));
    json_object_set_new(value, "good", wcts_store_json_text(fault->good));
    json_object_set_new(value, "bad", wcts_store_json_text(fault->bad));
    json_object_set_new(value, "options", wcts_store_json_text(fault->options));
    json_object_set_new(value, "why", wcts_store_json_text(fault->why));
    for (int i = 0; i < WCTS_FAULT_ALSO_MAX && fault->also[i].statement; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "statement", wcts_store_json_text(fault->also[i].statement));
        json_object_set_new(one, "why", wcts_store_json_text(fault->also[i].why));
        json_array_append_new(also, one);
    }
    json_object_set_new(value, "also", also);
    return value;
}

/* ---- the outcome of a trial ---- */

/* Adds the first few statements that were blamed but that the fault does not name. */
static void add_wrongly_blamed(struct wcts_text *text, const struct cli_faults_view *view,
                               const struct wcts_faults_trial *trial)
{
    const struct wcts_spec *spec = view->faults->plan->spec;
    int more = 0;
    for (int i = 0; i < spec->statements_count; i++) {
        const char *id = spec->statements[i].id;
        if (!trial->blamed[i] || i == trial->statement || wcts_faults_fault_names(trial->fault, id))
            continue;
        if (more++ < WRONG_MAX)
            wcts_text_add(text, "%s%s", more > 1 ? " " : "", id);
    }
    if (more > WRONG_MAX)
        wcts_text_add(text, " and %d more", more - WRONG_MAX);
}

/* The id of the first case that notices the fault, made in test; "" if none does. */
static const char *first_id(const struct cli_faults_view *view,
                            const struct wcts_faults_trial *trial, struct wcts_case *test)
{
    return trial->first < 0 ? "" : wcts_plan_case(view->faults->plan, trial->first, test)->id;
}

static void print_trial(const struct cli_faults_view *view, const struct wcts_faults_trial *trial)
{
    const struct wcts_fault *fault = trial->fault;
    struct wcts_case test;
    WCTS_TEXT(wrong);
    add_wrongly_blamed(&wrong, view, trial);
    printf("%-8s %s", trial->rule < 0 ? "unknown" : wcts_faults_trial_outcome_name(trial->outcome),
           fault->id);
    if (trial->rule < 0)
        printf(": the spec has no such rule");
    else if (!fault->file)
        printf(": %s", fault->why ? fault->why : "");
    else if (trial->outcome == WCTS_FAULT_BROKEN)
        printf(": %s", wcts_text_get(&trial->error));
    else
        printf("  %s:%u  %s; %d of %d cases", fault->file, fault->line, fault->kind, trial->broken,
               trial->cases);
    if (trial->first >= 0)
        printf(", the first after %d: %s", trial->tried, first_id(view, trial, &test));
    if (wrong.length > 0)
        printf("\n         blamed wrongly: %s", wcts_text_get(&wrong));
    fputs("\n", stdout);
    for (int i = 0; view->suite->settings->verbose && i < trial->by_count; i++)
        printf("    %s\n", WCTS_PLAN_CASE(view->faults->plan, trial->by[i])->id);
}

static json_t *trial_object(const struct cli_faults_view *view,
                            const struct wcts_faults_trial *trial)
{
    json_t *value = fault_object(trial->fault), *blamed = json_array(), *by = json_array();
    const struct wcts_spec *spec = view->faults->plan->spec;
    struct wcts_case test;
    for (int i = 0; i < spec->statements_count; i++)
        if (trial->blamed[i])
            json_array_append_new(blamed, wcts_store_json_text(spec->statements[i].id));
    json_object_set_new(value, "outcome",
                        json_string(wcts_faults_trial_outcome_name(trial->outcome)));
    json_object_set_new(value, "cases", json_integer(trial->cases));
    json_object_set_new(value, "broken", json_integer(trial->broken));
    json_object_set_new(value, "tried", json_integer(trial->tried));
    json_object_set_new(value, "first", wcts_store_json_text(first_id(view, trial, &test)));
    for (int i = 0; i < trial->by_count; i++)
        json_array_append_new(
            by, wcts_store_json_text(WCTS_PLAN_CASE(view->faults->plan, trial->by[i])->id));
    json_object_set_new(value, "by", by);
    json_object_set_new(value, "blamed", blamed);
    json_object_set_new(value, "right", json_boolean(trial->right));
    return value;
}

static void on_trial(void *ctx, const struct wcts_faults_trial *trial)
{
    struct cli_faults_view *view = ctx;
    view->tally.outcomes[trial->outcome]++;
    view->tally.wrong += trial->outcome == WCTS_FAULT_KILLED && !trial->right;
    if (view->suite->settings->json)
        wcts_store_json_line(stdout, trial_object(view, trial));
    else if (!view->suite->settings->options.quiet || trial->rule < 0 ||
             trial->outcome == WCTS_FAULT_SURVIVED || trial->outcome == WCTS_FAULT_BROKEN ||
             (trial->outcome == WCTS_FAULT_KILLED && !trial->right))
        print_trial(view, trial);
    fflush(stdout);
}

/* ---- the record ---- */

static void write_row(FILE *out, const struct cli_faults_view *view,
                      const struct wcts_faults_trial *trial)
{
    const struct wcts_spec *spec = view->faults->plan->spec;
    struct wcts_case test;
    WCTS_TEXT(wrong);
    const char *statement = trial->statement < 0 ? "" : spec->statements[trial->statement].id;
    fprintf(out, "%s\t%s\t%s\t%d\t%s\t", trial->fault->id, statement,
            wcts_faults_trial_outcome_name(trial->outcome), trial->tried,
            first_id(view, trial, &test));
    add_wrongly_blamed(&wrong, view, trial);
    if (!trial->fault->file || trial->first < 0)
        fputs("\n", out);
    else
        fprintf(out, "%s%s\n", trial->right ? "right" : "wrong: ", wcts_text_get(&wrong));
}

/* A record that is being written: a file beside its place until it is complete. */
struct cli_fault_record {
    const char *path;
    char *part;
    FILE *out;
};

static bool record_complain(const struct cli_fault_record *record)
{
    fprintf(stderr, "wddm-cts: %s: %s\n", record->path, strerror(errno));
    return false;
}

/* Called before the first trial, so that a file that cannot be written is reported early. */
static bool record_open(struct cli_fault_record *record, const char *path)
{
    *record = (struct cli_fault_record){.path = path};
    if (!path)
        return true;
    if (asprintf(&record->part, "%s.part", path) < 0)
        record->part = NULL;
    record->out = record->part ? fopen(record->part, "we") : NULL;
    return record->out || record_complain(record);
}

/* The columns: fault, statement, outcome, cases up to the first that broke, that case, blame. */
static bool record_write(struct cli_fault_record *record, const struct cli_faults_view *view)
{
    bool written;
    const struct wcts_options *asked = &view->suite->settings->options;
    fprintf(record->out, "#digest\t%s\n", view->faults->plan->spec->digest);
    if (asked->shards > 1) /* who else is blamed was asked of a part */
        fprintf(record->out, "#part\t%d/%d\n", asked->shard, asked->shards);
    for (int i = 0; i < view->faults->count; i++)
        write_row(record->out, view, &view->faults->trials[i]);
    written = !ferror(record->out);
    written = fclose(record->out) == 0 && written;
    record->out = NULL;
    return (written && rename(record->part, record->path) == 0) || record_complain(record);
}

/* Removes an incomplete record. */
static void record_release(struct cli_fault_record *record)
{
    if (record->out)
        fclose(record->out);
    if (record->part)
        unlink(record->part);
    free(record->part);
}

/* ---- the command ---- */

static void count_unruled(struct cli_faults_view *view)
{
    const struct wcts_spec *spec = view->faults->plan->spec;
    for (int i = 0; i < spec->rules_count; i++) {
        if (view->faults->ruled[i])
            continue;
        view->tally.unruled++;
        if (!view->suite->settings->json)
            printf("missing  %s: the rule has no fault\n", spec->rules[i].id);
    }
}

/* OK if every rule has a fault or a reason, and every fault was noticed and blamed on what it
 * breaks. */
static int faults_status(const struct cli_faults_view *view)
{
    const struct cli_tally *tally = &view->tally;
    int tried = tally->outcomes[WCTS_FAULT_KILLED] + tally->outcomes[WCTS_FAULT_SURVIVED] +
                tally->outcomes[WCTS_FAULT_BROKEN];
    int failed = tally->outcomes[WCTS_FAULT_SURVIVED] + tally->outcomes[WCTS_FAULT_BROKEN] +
                 tally->wrong + tally->unruled;
    if (!view->suite->settings->json)
        printf(
            "%d faults: %d killed, %d of them blamed wrongly; %d survived, %d not tried; %d rules "
            "can have none, %d have none\n",
            tried, tally->outcomes[WCTS_FAULT_KILLED], tally->wrong,
            tally->outcomes[WCTS_FAULT_SURVIVED], tally->outcomes[WCTS_FAULT_BROKEN],
            tally->outcomes[WCTS_FAULT_NONE], tally->unruled);
    if (tried == 0)
        return WCTS_EXIT_NOTHING;
    return failed == 0 ? WCTS_EXIT_OK : WCTS_EXIT_FAIL;
}

static int try_all_faults(struct cli_faults_view *view, struct wcts_faults *faults)
{
    const struct wcts_cli_settings *settings = view->suite->settings;
    struct cli_fault_record record;
    char error[512];
    int status = WCTS_EXIT_BROKEN;
    if (!record_open(&record, settings->record)) {
        record_release(&record);
        return status;
    }
    if (!wcts_faults_try(faults, &settings->options, view->wanted, on_trial, view, error,
                         sizeof error)) {
        wcts_cli_implementation_complain(&settings->options.implementation, error);
    } else {
        if (!view->wanted)
            count_unruled(view);
        if (!record.out || record_write(&record, view))
            status = faults_status(view);
    }
    record_release(&record);
    return status;
}

static int list_faults(const struct cli_faults_view *view)
{
    for (int i = 0; i < view->faults->count; i++) {
        const struct wcts_fault *fault = view->faults->trials[i].fault;
        if (view->wanted && !view->wanted[i])
            continue;
        if (view->suite->settings->json)
            wcts_store_json_line(stdout, fault_object(fault));
        else
            print_fault(fault);
    }
    return WCTS_EXIT_OK;
}

/* Marks the faults that an argument names: a fault, a rule or a statement. */
static bool want(const struct wcts_faults *faults, const char *name, bool *wanted)
{
    const struct wcts_spec *spec = faults->plan->spec;
    struct wcts_suggestions near = {0};
    bool found = false;
    for (int i = 0; i < faults->count; i++) {
        const struct wcts_faults_trial *trial = &faults->trials[i];
        const char *rule = trial->rule < 0 ? "" : spec->rules[trial->rule].id;
        const char *statement = trial->statement < 0 ? "" : spec->statements[trial->statement].id;
        bool named = strcmp(name, trial->fault->id) == 0 || strcmp(name, rule) == 0 ||
                     strcmp(name, statement) == 0;
        wanted[i] = wanted[i] || named;
        found = found || named;
        wcts_suggest(&near, name, trial->fault->id);
    }
    if (found)
        return true;
    fprintf(stderr, "wddm-cts: there is no fault %s", name);
    for (int i = 0; i < near.count; i++)
        fprintf(stderr, "%s%s", i == 0 ? "; did you mean " : ", ", near.names[i]);
    fputs("\n", stderr);
    return false;
}

static int faults_of(struct wcts_cli_suite *suite)
{
    const struct wcts_cli_settings *settings = suite->settings;
    struct wcts_faults faults = {0};
    char error[512];
    if (!wcts_faults_init(&faults, suite->plan, settings->options.implementation.path, error,
                          sizeof error)) {
        fprintf(stderr, "wddm-cts: %s\n", error);
        wcts_faults_release(&faults);
        return WCTS_EXIT_USAGE;
    }
    bool *wanted = calloc((size_t)faults.count + 1, sizeof *wanted);
    struct cli_faults_view view = {
        .suite = suite, .faults = &faults, .wanted = settings->argument_count ? wanted : NULL};
    int status = wanted ? WCTS_EXIT_OK : WCTS_EXIT_BROKEN;
    for (int i = 0; wanted && i < settings->argument_count; i++)
        if (!want(&faults, settings->arguments[i], wanted))
            status = WCTS_EXIT_USAGE;
    if (status == WCTS_EXIT_OK)
        status = settings->try_faults ? try_all_faults(&view, &faults) : list_faults(&view);
    free(wanted);
    wcts_faults_release(&faults);
    return status;
}

int wcts_command_faults(const struct wcts_cli_settings *settings)
{
    if (!settings->record || (settings->try_faults && settings->argument_count == 0))
        return wcts_cli_suite_run(settings, faults_of);
    fputs("wddm-cts: --record: expected --try and no IDs: a record is of all faults\n", stderr);
    return WCTS_EXIT_USAGE;
}
