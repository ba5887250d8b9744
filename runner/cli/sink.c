/* SPDX-License-Identifier: MIT */
#include "sink.h"

#include <stdlib.h>
#include <string.h>

#include "../../reports/json.h"
#include "../base/text.h"
#include "../run/watch.h"

#define PROGRESS_SECONDS 0.1
/* A case that takes longer is named while it runs. */
#define LONG_SECONDS 2.0
/* Results are flushed when the last time is so long ago: a run that is killed repeats no more than
 * these, and what was running. */
#define FLUSH_SECONDS 0.01
/* A disk that takes long to have them takes no more than one part in so many of the run's time. */
#define FLUSH_SHARE 20

/* What runs now, if that takes long; "" if not. The caller releases the text. */
static void describe_current(const struct wcts_cli_sink *sink, double now, struct wcts_text *text)
{
    const struct wcts_run_current *current = sink->current;
    struct wcts_case test;
    if (!current || current->test < 0 || now - current->since < LONG_SECONDS)
        return;
    wcts_plan_case(sink->run->plan, current->test, &test);
    wcts_text_add(text, "%s for %.0f s", test.id, now - current->since);
    if (current->others > 0)
        wcts_text_add(text, ", %d beside it", current->others);
}

static void show_progress(struct wcts_cli_sink *sink)
{
    double now = wcts_run_watch_now();
    if (!sink->progress || now - sink->shown <= PROGRESS_SECONDS)
        return;
    WCTS_TEXT(current);
    describe_current(sink, now, &current);
    wcts_report_progress_print(stderr, sink->total, sink->run->selected_count,
                               wcts_text_get(&current));
    sink->shown = now;
}

void wcts_cli_sink_clear(const struct wcts_cli_sink *sink)
{
    if (sink->progress)
        fputs("\r\033[K", stderr);
}

static void show_result(struct wcts_cli_sink *sink, const struct wcts_case *test,
                        const struct wcts_result *result)
{
    if (sink->settings->verbose && result->verdict != WCTS_VERDICT_PASS)
        fprintf(stderr, "%s%s %s: %s%s%s\n", sink->progress ? "\r\033[K" : "",
                wcts_model_verdict_name(result->verdict), test->id, result->reason,
                result->signature[0] ? "; signature " : "", result->signature);
    show_progress(sink);
}

/* True if the result that is being taken is in the directory already. */
static bool is_in_directory(const struct wcts_cli_sink *sink)
{
    return sink->earlier && sink->taken < sink->earlier->count;
}

/* What is claimed is known by the first result. */
bool wcts_cli_sink_store(const struct wcts_cli_sink *sink, const struct wcts_case *test,
                         const struct wcts_result *result, const char *output)
{
    bool written = !sink->stored_claims || sink->directory->records ||
                   wcts_store_rundir_record(sink->directory, sink->stored_claims);
    return wcts_store_rundir_add(sink->directory, test, result, output) && written;
}

static bool keep_result(struct wcts_cli_sink *sink, const struct wcts_case *test,
                        const struct wcts_result *result, const char *output)
{
    struct wcts_report_run *run = sink->run;
    wcts_report_run_count(run, test, result, output);
    bool written = is_in_directory(sink) || wcts_cli_sink_store(sink, test, result, output);
    if (sink->settings->json)
        written = wcts_store_json_line(
                      stdout, wcts_store_result_json(run->plan->spec, test, result, output)) &&
                  written;
    if (sink->settings->tap)
        written = wcts_report_tap_case(sink->tap, run, test, result, output) && written;
    if (!written)
        snprintf(run->error, sizeof run->error, "results cannot be written");
    show_result(sink, test, result);
    return written;
}

bool wcts_cli_sink_has_enough(const struct wcts_cli_sink *sink)
{
    int most = sink->settings->options.max_failures;
    return most != 0 && sink->failures >= most;
}

/* Deaths have a cause in common as they have in reports: whatever was tested. Of a case that was
 * run before, its backtrace was taken then. */
static char *backtrace_of(const struct wcts_cli_sink *sink, const struct wcts_case *test,
                          const struct wcts_result *result)
{
    char *cause =
        sink->backtraces && result->ended ? wcts_baseline_signature_text(result->reason) : NULL;
    char *text = NULL;
    if (cause && is_in_directory(sink))
        wcts_run_backtraces_remember(sink->backtraces, result->backtrace, cause);
    else if (cause)
        text = wcts_run_backtrace(sink->backtraces, test, result->verdict, cause);
    free(cause);
    return text;
}

/* A result that was stored has to be what its findings give now. */
static bool is_as_stored(struct wcts_cli_sink *sink, const struct wcts_result *result)
{
    const struct wcts_store_entry *entry = &sink->earlier->entry;
    if (entry->result.verdict == result->verdict)
        return true;
    fprintf(stderr, "wddm-cts: %s/%s:%d: verdict %s, expected %s, which the findings give\n",
            sink->directory->path, WCTS_FILE_JOURNAL, sink->taken + 1,
            wcts_model_verdict_name(entry->result.verdict),
            wcts_model_verdict_name(result->verdict));
    snprintf(sink->run->error, sizeof sink->run->error, "the journal is not what the run wrote");
    return false;
}

static void pack_together(struct wcts_cli_sink *sink, struct wcts_result *result)
{
    for (int i = 0; i < result->tried; i++)
        wcts_store_repack(&sink->repack, &result->tries[i].stored);
    wcts_store_repack(&sink->repack, &result->stored);
}

/* The verdict that counts is that of the implementation, unless the baseline says otherwise. */
bool wcts_cli_sink_take(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output)
{
    struct wcts_cli_sink *sink = ctx;
    if (sink->are_apart && !is_in_directory(sink))
        pack_together(sink, result);
    struct wcts_result judged = *result;
    judged.reason = strdup(result->reason ? result->reason : "");
    if (!judged.reason)
        return false;
    wcts_baseline_signature(sink->run->plan, test, &judged);
    bool kept =
        !sink->baseline || wcts_baseline_apply(sink->baseline, &sink->run->claims, test, &judged);
    char *backtrace = backtrace_of(sink, test, &judged);
    if (backtrace)
        judged.backtrace = backtrace;
    kept = kept && (!is_in_directory(sink) || is_as_stored(sink, &judged)) &&
           keep_result(sink, test, &judged, output);
    if (sink->baseline && sink->baseline->wrong)
        snprintf(sink->run->error, sizeof sink->run->error, "the baseline is wrong");
    free(judged.reason);
    free(backtrace);
    sink->taken++;
    sink->failures += wcts_store_verdict_breaks(judged.verdict);
    return kept && !wcts_cli_sink_has_enough(sink);
}

bool wcts_cli_sink_flush(void *ctx)
{
    struct wcts_cli_sink *sink = ctx;
    struct wcts_report_run *run = sink->run;
    double now = wcts_run_watch_now();
    bool written = true;
    show_progress(sink);
    if (now - sink->flushed < FLUSH_SECONDS || now - sink->flushed < FLUSH_SHARE * sink->flushing)
        return false;
    if (run->unrepeated.count != sink->described) {
        sink->described = run->unrepeated.count;
        written = wcts_store_rundir_describe(sink->directory, wcts_report_json_run(run), false);
    }
    written =
        wcts_store_rundir_flush(sink->directory, (uint64_t)((now - sink->begin) * 1e3)) && written;
    sink->flushed = wcts_run_watch_now();
    sink->flushing = sink->flushed - now;
    if (!written)
        snprintf(run->error, sizeof run->error, "results cannot be written");
    return !written;
}
