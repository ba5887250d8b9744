/* SPDX-License-Identifier: MIT */
/* wddm-cts check: recordings from elsewhere, judged by the rules without an implementation. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../reports/check.h"
#include "../../reports/exchanges.h"
#include "../../reports/output.h"
#include "../../reports/upgrade.h"
#include "../../reports/verify.h"
#include "../base/text.h"
#include "../import/import.h"
#include "../model/names.h"
#include "../store/run_dir.h"
#include "suite.h"
#include "targets.h"

/* The command at work. */
struct cli_checking {
    const struct wcts_cli_settings *settings;
    struct wcts_cli_suite *suite;
    struct wcts_eval eval;
    struct wcts_report_check check;
    FILE *export; /* NULL: nothing is exported */
    const char *path;
};

/* The sides that are judged: of those that may be (1 << enum wcts_judge_side), those asked for. */
static void choose_sides(struct cli_checking *checking, unsigned may)
{
    unsigned asked = checking->settings->judged_sides;
    for (int side = 0; side < WCTS_JUDGE_SIDES; side++)
        checking->check.sides[side] = may >> side & 1 && (asked == 0 || asked >> side & 1);
}

/* ---- files ---- */

static bool check_recording(void *context, struct wcts_import_recording *recording)
{
    struct cli_checking *checking = context;
    bool good = true;
    choose_sides(checking, recording->judged ? recording->judged : UINT_MAX);
    for (int i = 0; i < recording->count && good; i++) {
        const struct wcts_report_check_source source = {
            recording->path,          recording->name,         &recording->exchanges[i],
            recording->first_version, recording->last_version, recording->page_size,
            recording->judged_before};
        good = wcts_report_check_add(&checking->check, &source);
    }
    return good;
}

static bool check_file(struct cli_checking *checking, int version)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    WCTS_TEXT(traces);
    struct wcts_import_options options = {.spec = checking->suite->spec,
                                          .version = version,
                                          .adapter = checking->settings->adapter,
                                          .diagnostics = &diagnostics};
    wcts_text_add(&traces, "%s/" WCTS_CLI_TRACES, checking->suite->spec_dir);
    options.traces = wcts_text_get(&traces);
    return wcts_import_file(&options, checking->path, check_recording, checking);
}

/* ---- run directories ---- */

/* The operations of which every call crosses the runner: a kernel shows what it claims to show. */
static struct wcts_operations crossing(const struct wcts_spec *spec,
                                       const struct wcts_report_exchange *one)
{
    struct wcts_operations all = {{0}};
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        uint32_t needs = wcts_model_shown_by(message);
        if (one->test->driver || (needs & ~one->claims->capabilities) == 0)
            all.of[message->operation >> 8] |= UINT64_C(1) << (message->operation & 63);
    }
    return all;
}

static bool check_exchange(void *context, const struct wcts_report_exchange *one)
{
    struct cli_checking *checking = context;
    const struct wcts_spec *spec = checking->suite->spec;
    struct wcts_operations all = crossing(spec, one);
    /* The suite, and what stands for the other side, are wrong on purpose. */
    unsigned judged = one->test->driver ? 1u << WCTS_JUDGE_DRIVER : 1u << WCTS_JUDGE_KERNEL;
    struct wcts_exchange_partial partial = {.all = all, .begun = true, .ended = true};
    struct wcts_exchange exchange = *one->exchange;
    const struct wcts_report_check_source source = {
        checking->path,     one->test->id,        &exchange, one->test->version,
        one->test->version, one->test->page_size, 0};
    const struct wcts_import_head head = {one->test->id, one->test->version, one->test->page_size,
                                          judged, &all};
    exchange.partial = &partial;
    wcts_exchange_partial_settle(&exchange, spec);
    if (checking->export)
        return wcts_import_write(checking->export, spec, &head, &exchange, exchange.count);
    choose_sides(checking, judged);
    return wcts_report_check_add(&checking->check, &source);
}

static bool check_directory(struct cli_checking *checking)
{
    struct wcts_store_reader reader = {0};
    struct wcts_cli_settings asked = *checking->settings;
    bool good;
    wcts_store_reader_init(&reader, checking->path, NULL);
    good = wcts_report_verify_settings(&reader, &asked.options) &&
           wcts_report_upgrade_plan(checking->suite->plan, reader.run) &&
           wcts_report_exchanges(&reader, checking->suite->plan, check_exchange, checking);
    wcts_store_reader_close(&reader);
    return good;
}

static bool is_directory(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* ---- the command ---- */

/* The files of --out, and what writes each. */
static bool put_check_json(FILE *out, const struct wcts_report_check *check)
{
    json_t *page = wcts_report_check_json(check, true);
    bool good = page && json_dumpf(page, out, JSON_INDENT(2)) == 0 && fputs("\n", out) >= 0;
    json_decref(page);
    return good;
}

static bool put_text(FILE *out, const struct wcts_report_check *check)
{
    wcts_report_check_print(out, check, true);
    return true;
}

typedef bool put_fn(FILE *out, const struct wcts_report_check *check);

static bool write_file(const struct cli_checking *checking, const char *path, put_fn *put)
{
    struct wcts_report_output output;
    bool good = wcts_report_output_open(&output, path, WCTS_OUTPUT_REMOVE);
    if (good && path && !put(output.file, &checking->check)) {
        fprintf(stderr, "wddm-cts: %s: cannot be written\n", path);
        good = false;
    }
    good = good && wcts_report_output_commit(&output);
    wcts_report_output_release(&output);
    return good;
}

static bool write_directory(const struct cli_checking *checking)
{
    static const struct {
        const char *name;
        put_fn *put;
    } files[] = {{"check.txt", put_text},
                 {"check.json", put_check_json},
                 {"junit.xml", wcts_report_check_junit},
                 {"report.html", wcts_report_check_html}};
    const char *out = checking->settings->out;
    bool good = true;
    for (size_t i = 0; out && i < sizeof files / sizeof *files; i++) {
        WCTS_TEXT(path);
        wcts_text_add(&path, "%s/%s", out, files[i].name);
        good = write_file(checking, wcts_text_get(&path), files[i].put) && good;
    }
    return good;
}

static int report_check(struct cli_checking *checking)
{
    const struct wcts_cli_settings *settings = checking->settings;
    const char *const *files = settings->options.files;
    int status;
    free(wcts_report_check_headline(&checking->check, &status));
    if (settings->json) {
        json_t *page = wcts_report_check_json(&checking->check, settings->verbose);
        json_dumpf(page, stdout, JSON_INDENT(2));
        fputs("\n", stdout);
        json_decref(page);
    } else if (wcts_cli_targets_on_output(settings) == 0) {
        wcts_report_check_print(stdout, &checking->check, settings->verbose);
    }
    if (!write_file(checking, files[WCTS_FORMAT_junit], wcts_report_check_junit) ||
        !write_file(checking, files[WCTS_FORMAT_html], wcts_report_check_html) ||
        !write_directory(checking))
        return WCTS_EXIT_BROKEN;
    return fflush(stdout) == 0 ? status : WCTS_EXIT_BROKEN;
}

/* Makes the directory of --out: a new or empty one, or one of such reports. */
static bool make_directory(const char *out)
{
    struct stat about;
    WCTS_TEXT(run);
    if (!out)
        return true;
    if (mkdir(out, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "wddm-cts: %s: %s\n", out, strerror(errno));
        return false;
    }
    wcts_text_add(&run, "%s/" WCTS_FILE_RUN, out);
    if (is_directory(out) && stat(wcts_text_get(&run), &about) != 0)
        return true;
    fprintf(stderr, "wddm-cts: --out %s: %s, expected a directory for the reports\n", out,
            is_directory(out) ? "a run" : "a file");
    return false;
}

/* The version of --wddm; -1: none. False, with a message, if it is no single version. */
static bool version_asked(const struct wcts_cli_settings *settings, const struct wcts_spec *spec,
                          int *version)
{
    const char *first = settings->options.first_version, *last = settings->options.last_version;
    *version = -1;
    if (!first)
        return true;
    *version = wcts_model_spec_version(spec, first);
    if (*version >= 0 && strcmp(first, last) == 0)
        return true;
    fprintf(stderr, "wddm-cts: --wddm is %s%s%s, expected one version from %s to %s\n", first,
            strcmp(first, last) ? ".." : "", strcmp(first, last) ? last : "",
            spec->versions[0].name, spec->versions[spec->versions_count - 1].name);
    return false;
}

static bool open_export(struct cli_checking *checking)
{
    const char *path = checking->settings->export;
    if (!path)
        return true;
    checking->export = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    if (!checking->export)
        fprintf(stderr, "wddm-cts: %s: %s\n", path, strerror(errno));
    return checking->export != NULL;
}

static bool close_export(struct cli_checking *checking)
{
    bool good = true;
    if (checking->export && checking->export != stdout && fclose(checking->export) != 0) {
        fprintf(stderr, "wddm-cts: %s: %s\n", checking->settings->export, strerror(errno));
        good = false;
    }
    return good;
}

static int check(struct wcts_cli_suite *suite)
{
    struct cli_checking checking = {.settings = suite->settings, .suite = suite};
    int version = -1, status = WCTS_EXIT_USAGE;
    bool good = version_asked(suite->settings, suite->spec, &version);
    if (!good || !wcts_oracle_eval_init(&checking.eval, suite->spec))
        return WCTS_EXIT_USAGE;
    good = wcts_report_check_init(&checking.check, suite->spec, &checking.eval,
                                  suite->settings->options.level) &&
           open_export(&checking) && make_directory(suite->settings->out);
    checking.check.profile = suite->settings->options.profile;
    for (int i = 0; i < suite->settings->argument_count && good; i++) {
        bool directory = is_directory(suite->settings->arguments[i]);
        checking.path = suite->settings->arguments[i];
        if (checking.export && !directory) {
            fprintf(stderr,
                    "wddm-cts: %s is no directory, expected a run: --export writes what "
                    "one has recorded\n",
                    checking.path);
            good = false;
        } else {
            good = directory ? check_directory(&checking) : check_file(&checking, version);
        }
    }
    good = close_export(&checking) && good;
    if (good)
        status = checking.export ? WCTS_EXIT_OK : report_check(&checking);
    wcts_report_check_release(&checking.check);
    wcts_oracle_eval_release(&checking.eval);
    return status;
}

int wcts_command_check(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_settings asked = *settings;
    struct wcts_store_reader reader = {0};
    bool good = wcts_cli_targets_share_output(settings) &&
                wcts_cli_targets_check(settings, (const char *const *)settings->arguments,
                                       settings->argument_count);
    int status = WCTS_EXIT_USAGE;
    /* A run is read with the plan of its own suite. */
    for (int i = 0; i < settings->argument_count && good; i++)
        if (is_directory(settings->arguments[i])) {
            wcts_store_reader_init(&reader, settings->arguments[i], NULL);
            good = wcts_report_verify_settings(&reader, &asked.options);
            wcts_store_reader_close(&reader);
        }
    if (settings->level_given)
        asked.options.level = settings->options.level;
    if (good)
        status = wcts_cli_suite_run(&asked, check);
    return status;
}
