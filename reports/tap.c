/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/execute/execute.h"
#include "journal.h"
#include "replay.h"

/* Of the messages of one failure, in lines. */
#define LINES_MAX 400

bool wcts_tap_begin(struct wcts_tap *tap, FILE *out, int count)
{
    *tap = (struct wcts_tap){.out = out};
    if (count != 0)
        return fprintf(out, "TAP version 14\n1..%d\n", count) > 0;
    return fputs("TAP version 14\n1..0 # SKIP no case is selected\n", out) >= 0;
}

/* Text behind "# SKIP" or in a description: on one line, and no "#" that a reader would take for
 * the beginning of a directive. */
static void put_line(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

/* A YAML string between single quotes. */
static void put_scalar(FILE *out, const char *key, const char *text)
{
    fprintf(out, "  %s: '", key);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputs("'\n", out);
}

/* A YAML block scalar; the indentation is given, since the text may begin with spaces. */
static void put_block(FILE *out, const char *key, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(out, "  %s: |2\n", key);
    for (int lines = 0; *text != '\0'; lines++) {
        size_t length = strcspn(text, "\n");
        if (lines == LINES_MAX) {
            fputs("    ...\n", out);
            return;
        }
        fputs("    ", out);
        for (size_t i = 0; i < length; i++)
            fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
        fputc('\n', out);
        text += length + (text[length] == '\n');
    }
}

static void put_diagnostics(struct wcts_tap *tap, const struct wcts_run *run,
                            const struct wcts_case *one, enum wcts_verdict verdict,
                            const char *reason, const char *detail, const char *output)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_statement *statement = &spec->statements[one->statement];
    const struct wcts_rule *rule = &spec->rules[one->rule];
    FILE *out = tap->out;

    fputs("  ---\n", out);
    put_scalar(out, "message", reason);
    fprintf(out, "  severity: %s\n", wcts_verdict_name(verdict));
    put_scalar(out, "statement", statement->id);
    put_scalar(out, "text", statement->text);
    put_scalar(out, "document", spec->documents[statement->document].title);
    put_scalar(out, "where", statement->where);
    put_scalar(out, "file", rule->place.file);
    fprintf(out, "  line: %ld\n  again: '", rule->place.line);
    /* A quote is doubled in YAML; the command is printed in one piece and may hold some. */
    char *command = NULL;
    size_t size = 0;
    FILE *words = open_memstream(&command, &size);
    if (words) {
        wcts_replay_print(words, run->settings, one);
        fclose(words);
        for (const char *at = command; *at != '\0'; at++)
            fputs(*at == '\'' ? "''" : (char[]){*at, '\0'}, out);
        free(command);
    }
    fputs("'\n", out);
    put_block(out, "came", wcts_detail_came(detail));
    put_block(out, "output", output);
    fputs("  ...\n", out);
}

bool wcts_tap_case(struct wcts_tap *tap, const struct wcts_run *run, const struct wcts_case *one,
                   enum wcts_verdict verdict, const char *reason, const char *detail,
                   const char *output)
{
    bool bad = wcts_verdict_breaks(verdict) || verdict == WCTS_VERDICT_BROKEN;
    FILE *out = tap->out;

    fprintf(out, "%s %d - ", bad ? "not ok" : "ok", ++tap->count);
    put_line(out, one->id);
    if (!bad && !wcts_verdict_judges(verdict)) {
        fputs(" # SKIP ", out);
        put_line(out, reason);
    }
    fputc('\n', out);
    if (bad || (verdict != WCTS_VERDICT_PASS && wcts_verdict_judges(verdict)))
        put_diagnostics(tap, run, one, verdict, reason, detail, output);
    return ferror(out) == 0;
}

bool wcts_tap_end(struct wcts_tap *tap, const struct wcts_run *run)
{
    if (run->end != WCTS_POOL_DONE) {
        fprintf(tap->out, "Bail out! ");
        put_line(tap->out, run->end == WCTS_POOL_NO_START ? "not loaded: " : "stopped: ");
        put_line(tap->out, run->error);
        fputc('\n', tap->out);
    }
    return ferror(tap->out) == 0;
}

bool wcts_tap_write(FILE *out, const struct wcts_run *run)
{
    struct wcts_journal journal;
    struct wcts_entry entry;
    struct wcts_tap tap;
    if (!wcts_journal_open(&journal, run->directory)) {
        fprintf(stderr, "%s/journal.jsonl: %s\n", run->directory, strerror(errno));
        return false;
    }
    bool good = wcts_tap_begin(&tap, out, run->selected_count);
    for (int i = 0; good && i < run->total.count && wcts_journal_next(&journal, &entry); i++) {
        good = wcts_tap_case(&tap, run, &run->plan->cases[run->selected[i]], entry.verdict,
                             entry.reason, entry.detail, entry.output);
        wcts_entry_release(&entry);
    }
    wcts_journal_close(&journal);
    return wcts_tap_end(&tap, run) && good;
}
