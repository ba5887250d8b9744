/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/path.h"
#include "../runner/store/run_dir.h"
#include "declaration.h"
#include "replay.h"
#include "upgrade.h"

/* Lines of the messages of one failure. */
#define LINES_MAX 400

bool wcts_report_tap_begin(struct wcts_report_tap *tap, FILE *out, int count, bool declared)
{
    *tap = (struct wcts_report_tap){.out = out};
    if (count != 0 || declared)
        return fprintf(out, "TAP version 13\n1..%d\n", count + declared) > 0;
    return fputs("TAP version 13\n1..0 # SKIP no case is selected\n", out) >= 0;
}

/* Prints text on one line. */
static void put_line(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

/* Prints a YAML string of size bytes in single quotes; control characters become spaces. */
static void put_quoted(FILE *out, const char *text, size_t size)
{
    fputc('\'', out);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'')
            fputc('\'', out);
        fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
    }
    fputs("'\n", out);
}

static void put_scalar(FILE *out, const char *key, const char *text)
{
    fprintf(out, "  %s: ", key);
    put_quoted(out, text, strlen(text));
}

/* Prints lines as a list: TAP readers do not support blocks that keep indentation. */
static void put_tap_lines(FILE *out, const char *key, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(out, "  %s:\n", key);
    for (int lines = 0; *text != '\0'; lines++) {
        size_t length = strcspn(text, "\n");
        if (lines == LINES_MAX) {
            fputs("    - '...'\n", out);
            return;
        }
        fputs("    - ", out);
        put_quoted(out, text, length);
        text += length + (text[length] == '\n');
    }
}

/* On one line: Perl's reader treats list items with a colon as keys. */
static void put_read_by(FILE *out, const struct wcts_spec *spec,
                        const struct wcts_statement *statement)
{
    char *read_by = wcts_model_statement_read_by(spec, statement);
    for (char *at = read_by; at && (at = strchr(at, '\n')) != NULL;)
        *at = at[1] ? ';' : '\0';
    if (read_by && read_by[0])
        put_scalar(out, "read-by", read_by);
    free(read_by);
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static void put_diagnostics(struct wcts_report_tap *tap, const struct wcts_report_run *run,
                            const struct wcts_case *test, const struct wcts_result *result,
                            const char *output)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_statement *statement = &spec->statements[test->statement];
    const struct wcts_rule *rule = &spec->rules[test->rule];
    char *command = wcts_report_replay_text(run, test);
    FILE *out = tap->out;

    fputs("  ---\n", out);
    put_scalar(out, "message", text_or_empty(result->reason));
    fprintf(out, "  severity: %s\n", wcts_model_verdict_name(result->verdict));
    put_scalar(out, "statement", statement->id);
    put_scalar(out, "text", statement->text);
    if (statement->quote) {
        put_scalar(out, "original", statement->quote);
        put_scalar(out, "language", spec->documents[statement->document].language);
    }
    put_scalar(out, "document", spec->documents[statement->document].title);
    put_scalar(out, "where", statement->where);
    put_read_by(out, spec, statement);
    put_scalar(out, "file", wcts_path_place(rule->place.file));
    fprintf(out, "  line: %ld\n", rule->place.line);
    if (command)
        put_scalar(out, "reproduce", command);
    free(command);
    put_tap_lines(out, "messages", wcts_model_detail_messages(text_or_empty(result->detail)));
    put_tap_lines(out, "backtrace", text_or_empty(result->backtrace));
    put_tap_lines(out, "output", text_or_empty(output));
    fputs("  ...\n", out);
}

/* True if the verdict fails the run by request. */
static bool bad_on_demand(const struct wcts_report_run *run, enum wcts_verdict verdict)
{
    const struct wcts_options *asked = &run->asked;
    return (verdict == WCTS_VERDICT_FIXED && asked->strict_baseline) ||
           (verdict == WCTS_VERDICT_FLAKY && asked->fail_on_flaky);
}

/* The TAP form of each verdict. "not ok # TODO" is a known failure, which does not fail the whole.
 */
static const struct {
    bool bad, details;
    const char *directive; /* NULL: none */
} points[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = {0},
    [WCTS_VERDICT_WARN] = {.details = true},
    [WCTS_VERDICT_DEVIATES] = {.details = true},
    [WCTS_VERDICT_SKIP] = {.directive = "SKIP"},
    [WCTS_VERDICT_FAIL] = {.bad = true, .details = true},
    [WCTS_VERDICT_CRASH] = {.bad = true, .details = true},
    [WCTS_VERDICT_TIMEOUT] = {.bad = true, .details = true},
    [WCTS_VERDICT_DECLINED] = {.bad = true, .details = true},
    [WCTS_VERDICT_BROKEN] = {.bad = true, .details = true},
    [WCTS_VERDICT_WAIVED] = {.bad = true, .details = true, .directive = "TODO waived:"},
    [WCTS_VERDICT_FIXED] = {.details = true},
    [WCTS_VERDICT_FLAKY] = {.details = true},
};

bool wcts_report_tap_case(struct wcts_report_tap *tap, const struct wcts_report_run *run,
                          const struct wcts_case *test, const struct wcts_result *result,
                          const char *output)
{
    const enum wcts_verdict verdict = result->verdict;
    bool bad = points[verdict].bad || bad_on_demand(run, verdict);
    FILE *out = tap->out;

    fprintf(out, "%s %d - ", bad ? "not ok" : "ok", ++tap->count);
    put_line(out, test->id);
    if (points[verdict].directive) {
        fprintf(out, " # %s ", points[verdict].directive);
        put_line(out, text_or_empty(result->reason));
    }
    fputc('\n', out);
    if (points[verdict].details)
        put_diagnostics(tap, run, test, result, output);
    return ferror(out) == 0;
}

/* Causes are known only at the end: a comment for each. */
static void put_cause_comment(struct wcts_report_tap *tap, const struct wcts_report_run *run,
                              const struct wcts_report_cause *cause)
{
    const struct wcts_report_failure failure = wcts_report_cause_failure(cause);
    const char *statement = wcts_report_cause_statement(&run->causes, cause)->id;
    char title[WCTS_TITLE_SIZE];
    fputs("# ", tap->out);
    put_line(tap->out, wcts_report_failure_title(title, statement, cause->verdict, cause->reason));
    fprintf(tap->out, "; %d case%s, the smallest %s\n", cause->count, cause->count == 1 ? "" : "s",
            WCTS_PLAN_CASE(run->plan, cause->smallest)->id);
    wcts_report_lines_print(tap->out, "#   ", "#   ",
                            wcts_report_pattern_text(&run->causes, &failure));
}

/* What is declared is one test. Without an end nothing is known of it. */
static void put_declared(struct wcts_report_tap *tap, const struct wcts_report_run *run)
{
    FILE *out = tap->out;
    if (!run->declaration_path || run->end != WCTS_POOL_DONE)
        return;
    fprintf(out, "%s %d - declaration\n", run->lacking_count ? "not ok" : "ok", ++tap->count);
    if (run->lacking_count == 0)
        return;
    fputs("  ---\n  severity: fail\n  lacking:\n", out);
    for (int i = 0; i < run->lacking_count; i++) {
        char *line = wcts_report_declaration_line(run, i);
        fputs("    - ", out);
        put_quoted(out, line ? line : "", line ? strlen(line) : 0);
        free(line);
    }
    fputs("  ...\n", out);
}

static void put_upgraded(void *context, const struct wcts_report_upgrade_row *row)
{
    FILE *out = context;
    fprintf(out, "# upgrade: %s, since %s: %s", row->statement->id, row->since,
            wcts_report_upgrade_states[row->state]);
    if (row->reason) {
        fputs(": ", out);
        put_line(out, row->reason);
    }
    if (row->command)
        fprintf(out, "; %s", row->command);
    fputc('\n', out);
}

static void put_orders(const struct wcts_report_tap *tap, const struct wcts_report_run *run)
{
    for (int i = 0; i < run->orders.count; i++) {
        const struct wcts_report_order *order = &run->orders.of[i];
        fprintf(tap->out, "# order: %s: %s; wddm-cts replay %s%s\n", order->id, order->text,
                order->id, order->options);
    }
}

static void put_note(FILE *out, const char *name, int count, const char *text)
{
    if (count == 0)
        return;
    fprintf(out, "# %s: %d: ", name, count);
    put_line(out, text);
    fputc('\n', out);
}

bool wcts_report_tap_end(struct wcts_report_tap *tap, const struct wcts_report_run *run)
{
    put_declared(tap, run);
    if (run->end != WCTS_POOL_DONE) {
        fprintf(tap->out, "Bail out! ");
        if (run->end != WCTS_POOL_NO_START)
            put_line(tap->out, "stopped: ");
        else if (wcts_report_not_started(run)[0])
            put_line(tap->out, "not loaded: ");
        put_line(tap->out, run->error);
        fputc('\n', tap->out);
    }
    for (int i = 0; run->causes.order && i < run->causes.count; i++)
        put_cause_comment(tap, run, &run->causes.list[run->causes.order[i]]);
    put_orders(tap, run);
    wcts_report_upgrade_each(run, put_upgraded, tap->out);
    put_note(tap->out, "unrepeated", run->unrepeated.count, run->unrepeated.first);
    put_note(tap->out, "left behind", run->left.count, run->left.names);
    if (run->headline) {
        fputs("# ", tap->out);
        put_line(tap->out, run->headline);
        fputc('\n', tap->out);
    }
    return ferror(tap->out) == 0;
}

bool wcts_report_tap_write(FILE *out, const struct wcts_report_run *run)
{
    struct wcts_store_journal journal;
    struct wcts_store_entry entry;
    struct wcts_report_tap tap;
    if (!wcts_store_journal_open(&journal, run->directory, NULL)) {
        fprintf(stderr, "%s/" WCTS_FILE_JOURNAL ": %s\n", run->directory, strerror(errno));
        return false;
    }
    bool good =
        wcts_report_tap_begin(&tap, out, run->selected_count, run->declaration_path != NULL);
    for (int i = 0; good && i < run->total.count && wcts_store_journal_next(&journal, &entry);
         i++) {
        good = wcts_report_tap_case(&tap, run, WCTS_PLAN_CASE(run->plan, run->selected[i]),
                                    &entry.result, entry.output);
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
    return wcts_report_tap_end(&tap, run) && good;
}
