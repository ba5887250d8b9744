/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/path.h"
#include "../runner/store/run_dir.h"
#include "replay.h"

/* Of the messages of one failure, in lines. */
#define LINES_MAX 400

bool wcts_tap_begin(struct wcts_tap *tap, FILE *out, int count)
{
    *tap = (struct wcts_tap){.out = out};
    if (count != 0)
        return fprintf(out, "TAP version 13\n1..%d\n", count) > 0;
    return fputs("TAP version 13\n1..0 # SKIP no case is selected\n", out) >= 0;
}

/* Text on one line. */
static void put_line(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

/* A YAML string of size bytes, between single quotes; a tab or the like becomes a space. */
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

/* A list of lines: readers of TAP know no block that keeps indentation. */
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

static void put_command(FILE *out, const struct wcts_run *run, const struct wcts_case *test)
{
    char *command = wcts_replay_text(&run->asked, test);
    if (command)
        put_scalar(out, "reproduce", command);
    free(command);
}

/* On one line: Perl's reader takes the items of a list for keys where they have a colon. */
static void put_read_by(FILE *out, const struct wcts_spec *spec,
                        const struct wcts_statement *statement)
{
    char *read_by = wcts_statement_read_by(spec, statement);
    for (char *at = read_by; at && (at = strchr(at, '\n')) != NULL;)
        *at = at[1] ? ';' : '\0';
    if (read_by && read_by[0])
        put_scalar(out, "read-by", read_by);
    free(read_by);
}

static const char *is_given_text(const char *text)
{
    return text ? text : "";
}

static void put_diagnostics(struct wcts_tap *tap, const struct wcts_run *run,
                            const struct wcts_case *test, const struct wcts_result *result,
                            const char *output)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_statement *statement = &spec->statements[test->statement];
    const struct wcts_rule *rule = &spec->rules[test->rule];
    FILE *out = tap->out;

    fputs("  ---\n", out);
    put_scalar(out, "message", is_given_text(result->reason));
    fprintf(out, "  severity: %s\n", wcts_verdict_name(result->verdict));
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
    put_command(out, run, test);
    put_tap_lines(out, "messages", wcts_detail_messages(is_given_text(result->detail)));
    put_tap_lines(out, "backtrace", is_given_text(result->backtrace));
    put_tap_lines(out, "output", is_given_text(output));
    fputs("  ...\n", out);
}

/* What fails the run only when it is asked to. */
static bool bad_on_demand(const struct wcts_run *run, enum wcts_verdict verdict)
{
    const struct wcts_options *asked = &run->asked;
    return (verdict == WCTS_VERDICT_FIXED && asked->strict_baseline) ||
           (verdict == WCTS_VERDICT_FLAKY && asked->fail_on_flaky);
}

/* What TAP says of a verdict. "not ok # TODO" is a failure that is known, and no failure of the
 * whole. */
static const struct {
    bool bad, told;
    const char *directive; /* NULL: none */
} points[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = {0},
    [WCTS_VERDICT_WARN] = {.told = true},
    [WCTS_VERDICT_SKIP] = {.directive = "SKIP"},
    [WCTS_VERDICT_FAIL] = {.bad = true, .told = true},
    [WCTS_VERDICT_CRASH] = {.bad = true, .told = true},
    [WCTS_VERDICT_TIMEOUT] = {.bad = true, .told = true},
    [WCTS_VERDICT_DECLINED] = {.bad = true, .told = true},
    [WCTS_VERDICT_BROKEN] = {.bad = true, .told = true},
    [WCTS_VERDICT_WAIVED] = {.bad = true, .told = true, .directive = "TODO waived:"},
    [WCTS_VERDICT_FIXED] = {.told = true},
    [WCTS_VERDICT_FLAKY] = {.told = true},
};

bool wcts_tap_case(struct wcts_tap *tap, const struct wcts_run *run, const struct wcts_case *test,
                   const struct wcts_result *result, const char *output)
{
    const enum wcts_verdict verdict = result->verdict;
    bool bad = points[verdict].bad || bad_on_demand(run, verdict);
    FILE *out = tap->out;

    fprintf(out, "%s %d - ", bad ? "not ok" : "ok", ++tap->count);
    put_line(out, test->id);
    if (points[verdict].directive) {
        fprintf(out, " # %s ", points[verdict].directive);
        put_line(out, is_given_text(result->reason));
    }
    fputc('\n', out);
    if (points[verdict].told)
        put_diagnostics(tap, run, test, result, output);
    return ferror(out) == 0;
}

/* What the cases have in common is known only in the end: a comment for each cause. */
static void put_cause(struct wcts_tap *tap, const struct wcts_run *run,
                      const struct wcts_cause *cause)
{
    const struct wcts_failure failure = wcts_cause_failure(cause);
    const char *statement = wcts_cause_statement(&run->causes, cause)->id;
    char title[WCTS_TITLE_SIZE];
    fputs("# ", tap->out);
    put_line(tap->out, wcts_failure_title(title, statement, cause->verdict, cause->reason));
    fprintf(tap->out, "; %d case%s, the smallest %s\n", cause->count, cause->count == 1 ? "" : "s",
            run->plan->cases[cause->smallest].id);
    wcts_lines_print(tap->out, "#   ", "#   ", wcts_pattern_text(&run->causes, &failure));
}

static void put_told(FILE *out, const char *name, int count, const char *text)
{
    if (count == 0)
        return;
    fprintf(out, "# %s: %d: ", name, count);
    put_line(out, text);
    fputc('\n', out);
}

bool wcts_tap_end(struct wcts_tap *tap, const struct wcts_run *run)
{
    if (run->end != WCTS_POOL_DONE) {
        fprintf(tap->out, "Bail out! ");
        put_line(tap->out, run->end == WCTS_POOL_NO_START ? "not loaded: " : "stopped: ");
        put_line(tap->out, run->error);
        fputc('\n', tap->out);
    }
    for (int i = 0; run->causes.order && i < run->causes.count; i++)
        put_cause(tap, run, &run->causes.list[run->causes.order[i]]);
    put_told(tap->out, "unrepeated", run->unrepeated.count, run->unrepeated.first);
    put_told(tap->out, "left behind", run->left.count, run->left.names);
    if (run->headline) {
        fputs("# ", tap->out);
        put_line(tap->out, run->headline);
        fputc('\n', tap->out);
    }
    return ferror(tap->out) == 0;
}

bool wcts_tap_write(FILE *out, const struct wcts_run *run)
{
    struct wcts_journal journal;
    struct wcts_entry entry;
    struct wcts_tap tap;
    if (!wcts_journal_open(&journal, run->directory, NULL)) {
        fprintf(stderr, "%s/" WCTS_FILE_JOURNAL ": %s\n", run->directory, strerror(errno));
        return false;
    }
    bool good = wcts_tap_begin(&tap, out, run->selected_count);
    for (int i = 0; good && i < run->total.count && wcts_journal_next(&journal, &entry); i++) {
        good = wcts_tap_case(&tap, run, &run->plan->cases[run->selected[i]], &entry.result,
                             entry.output);
        wcts_entry_release(&entry);
    }
    wcts_journal_close(&journal);
    return wcts_tap_end(&tap, run) && good;
}
