/* SPDX-License-Identifier: MIT */
/* Causes as text. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/text.h"
#include "../runner/judge/judge.h"
#include "paint.h"
#include "replay.h"
#include "report.h"

#define TEXT_WIDTH 92 /* columns */

/* The document's own words: "original (es): «...»". The caller frees it; NULL: there is no quote,
 * or memory is short. */
static char *original_text(const struct wcts_spec *spec, const struct wcts_statement *statement)
{
    const char *language = spec->documents[statement->document].language;
    char *text = NULL;
    if (!statement->quote || asprintf(&text, "original (%s): «%s»", language, statement->quote) < 0)
        return NULL;
    return text;
}

const char *wcts_report_failure_title(char buffer[WCTS_TITLE_SIZE], const char *statement,
                                      enum wcts_verdict verdict, const char *reason)
{
    static const char dots[] = "...";
    bool named = verdict != WCTS_VERDICT_FAIL;
    int size = snprintf(buffer, WCTS_TITLE_SIZE, "%s: %s%s%s", statement,
                        named ? wcts_model_verdict_name(verdict) : "", named ? ": " : "", reason);
    if (size >= WCTS_TITLE_SIZE) {
        size_t end = WCTS_TITLE_SIZE - sizeof dots;
        while (((unsigned char)buffer[end] & 0xC0) == 0x80) /* never within a letter */
            end--;
        strcpy(buffer + end, dots);
    }
    return buffer;
}

void wcts_report_lines_print(FILE *out, const char *first, const char *others, char *text)
{
    for (const char *at = text, *before = first; at && *at; before = others) {
        size_t size = strcspn(at, "\n");
        fprintf(out, "%s%.*s\n", before, (int)size, at);
        at += size + (at[size] == '\n');
    }
    free(text);
}

/* Prints the lines of a text after the indent and a name, which only the first line has unless each
 * is true. Frees the text. */
static void print_lines(FILE *out, const char *indent, const char *name, bool each, char *text)
{
    char first[64], others[64];
    snprintf(first, sizeof first, "%s%-10s ", indent, name);
    snprintf(others, sizeof others, "%s%-10s ", indent, each ? name : "");
    wcts_report_lines_print(out, first, others, text);
}

static void print_cause_statement(FILE *out, const char *indent, const struct wcts_spec *spec,
                                  const struct wcts_statement *statement)
{
    char read_by[64], *quote = original_text(spec, statement);
    wcts_text_wrap(out, indent, statement->text ? statement->text : "", TEXT_WIDTH);
    if (quote)
        wcts_text_wrap(out, indent, quote, TEXT_WIDTH);
    free(quote);
    fprintf(out, "%ssource:    %s, %s\n", indent, spec->documents[statement->document].title,
            statement->where);
    /* Which reading of the passage, where the documents allow several. */
    snprintf(read_by, sizeof read_by, "%sread by ", indent);
    wcts_report_lines_print(out, read_by, read_by, wcts_model_statement_read_by(spec, statement));
}

/* A broken statement comes first. A death belongs to no statement, so the one that its smallest
 * case tests comes last. */
void wcts_report_failure_print(FILE *out, const char *indent, const struct wcts_report_run *run,
                               const struct wcts_report_failure *failure)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_rule *rule = &spec->rules[failure->rule];
    const struct wcts_statement *statement = &spec->statements[rule->statement];
    struct wcts_case made;
    const struct wcts_case *smallest = wcts_plan_case(run->plan, failure->smallest, &made);

    if (!failure->death)
        print_cause_statement(out, indent, spec, statement);
    fprintf(out, "%scase:      %s\n", indent, smallest->id);
    if (!failure->death && spec->rules[smallest->rule].statement != rule->statement)
        fprintf(out, "%smade for:  %s\n", indent, spec->rules[smallest->rule].id);
    print_lines(out, indent, "wrong:", false, wcts_report_wrong_text(run->plan, failure));
    print_lines(out, indent, "pattern:", true, wcts_report_pattern_text(&run->causes, failure));
    fprintf(out, "%sgot:       %s\n", indent, failure->reason);
    print_lines(out, indent, "output:", false, failure->output ? strdup(failure->output) : NULL);
    print_lines(out, indent, "backtrace:", false,
                failure->backtrace ? strdup(failure->backtrace) : NULL);
    const struct wcts_report_order *order = wcts_report_order_of(run, smallest->id);
    if (order)
        fprintf(out, "%sorder:     %s\n", indent, order->text);
    fprintf(out, "%sreproduce: ", indent);
    wcts_report_replay_print(out, run, wcts_report_failure_case(run->plan, failure, &made));
    fputs("\n", out);
    if (failure->death) {
        fprintf(out, "%stests:     %s\n", indent, statement->id);
        print_cause_statement(out, indent, spec, statement);
    }
}

const char *wcts_report_weight(char buffer[WCTS_WEIGHT_SIZE], const struct wcts_rule *rule,
                               const struct wcts_statement *statement)
{
    snprintf(buffer, WCTS_WEIGHT_SIZE, "%s, %s%s", wcts_model_force_name(rule->force),
             wcts_model_basis_name(statement->basis), statement->derived ? ", derived" : "");
    return buffer;
}

static void print_cause(const struct wcts_report_paint *to, const struct wcts_report_run *run,
                        const struct wcts_report_cause *cause)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_statement *statement = wcts_report_cause_statement(&run->causes, cause);
    const struct wcts_report_failure failure = wcts_report_cause_failure(cause);
    char weight[WCTS_WEIGHT_SIZE];
    fputs("\n", to->out);
    wcts_report_paint(to, wcts_report_verdict_colour(cause->verdict));
    fprintf(to->out, "%s", wcts_model_verdict_name(cause->verdict));
    wcts_report_paint(to, WCTS_BOLD);
    fprintf(to->out, " %s", cause->death ? cause->reason : statement->id);
    wcts_report_paint(to, WCTS_PLAIN);
    if (cause->death)
        fprintf(to->out, "  %d case%s of %d statement%s\n", cause->count,
                cause->count == 1 ? "" : "s", cause->statements, cause->statements == 1 ? "" : "s");
    else
        fprintf(to->out, "  %s; %d of %d cases\n",
                wcts_report_weight(weight, &spec->rules[cause->rule], statement), cause->count,
                run->statements[statement - spec->statements].count);
    wcts_report_failure_print(to->out, "    ", run, &failure);
    if (cause->shrunk)
        fprintf(to->out, "    shrunk:\n%s", cause->shrunk);
}

#define MORE_NAMED 20

/* Names the statements of the causes that are not printed; a death has none of its own. */
static void print_more(FILE *out, const struct wcts_report_causes *causes, int first)
{
    const char *last = "", *separator = ": ";
    int named = 0;
    fprintf(out, "\n... and %d more", causes->count - first);
    for (int i = first; causes->order && i < causes->count && named < MORE_NAMED; i++) {
        const struct wcts_report_cause *cause = &causes->list[causes->order[i]];
        const char *name = cause->death ? wcts_model_verdict_name(cause->verdict)
                                        : wcts_report_cause_statement(causes, cause)->id;
        if (strcmp(name, last) == 0)
            continue;
        fprintf(out, "%s%s", separator, name);
        last = name;
        separator = ", ";
        named++;
    }
    fprintf(out, "%s (see --html)\n", named == MORE_NAMED ? ", ..." : "");
}

void wcts_report_causes_print(const struct wcts_report_paint *to, const struct wcts_report_run *run,
                              int max)
{
    const struct wcts_report_causes *causes = &run->causes;
    int more = causes->count - max;
    for (int i = 0; causes->order && i < causes->count && i < max; i++)
        print_cause(to, run, &causes->list[causes->order[i]]);
    if (more > 0)
        print_more(to->out, causes, max);
    if (causes->count != 0)
        fputs("\n", to->out);
}
