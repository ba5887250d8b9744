/* SPDX-License-Identifier: MIT */
/* What recordings show: as text, JSON and JUnit XML. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/text.h"
#include "../runner/model/names.h"
#include "check.h"
#include "report.h"
#include "xmlout.h"

#define CHECK_WIDTH 92 /* columns */

void wcts_report_check_each(const struct wcts_report_check *check, wcts_report_checked_visit *visit,
                            void *context)
{
    for (int s = 0; s < check->spec->statements_count; s++)
        for (int side = 0; side < WCTS_JUDGE_SIDES; side++) {
            const struct wcts_report_checked one = {
                check, &check->spec->statements[s], (enum wcts_judge_side)side,
                wcts_report_check_result(check, s, (enum wcts_judge_side)side),
                &check->rows[s * WCTS_JUDGE_SIDES + side]};
            if (one.result != WCTS_CHECKED_NOT)
                visit(context, &one);
        }
}

bool wcts_report_checked_breach(const struct wcts_report_checked *one)
{
    return one->result == WCTS_CHECKED_BROKEN || one->result == WCTS_CHECKED_WARN ||
           one->result == WCTS_CHECKED_DEVIATES;
}

/* ---- text ---- */

static void print_wrapped(FILE *out, const char *name, const char *text)
{
    char *line = NULL;
    if (text && asprintf(&line, "%-10s %s", name, text) >= 0)
        fprintf(out, "    %s\n", line);
    free(line);
}

static void print_quote(FILE *out, const struct wcts_spec *spec,
                        const struct wcts_statement *statement)
{
    char *quote = NULL;
    wcts_text_wrap(out, "    ", statement->text ? statement->text : "", CHECK_WIDTH);
    if (statement->quote &&
        asprintf(&quote, "original (%s): «%s»", spec->documents[statement->document].language,
                 statement->quote) >= 0)
        wcts_text_wrap(out, "    ", quote, CHECK_WIDTH);
    free(quote);
    fprintf(out, "    source:    %s, %s\n", spec->documents[statement->document].title,
            statement->where);
}

static void print_breach(void *context, const struct wcts_report_checked *one)
{
    FILE *out = context;
    const struct wcts_spec *spec = one->check->spec;
    const struct wcts_report_check_row *row = one->row;
    char weight[WCTS_WEIGHT_SIZE];
    if (!wcts_report_checked_breach(one))
        return;
    fprintf(out, "%s %s  %s; by the %s, in %ld of %ld places\n",
            wcts_report_check_result_name(one->result), one->statement->id,
            wcts_report_weight(weight, &spec->rules[row->breach.rule], one->statement),
            wcts_report_check_side(one->side), row->broken, row->broken + row->kept + row->unknown);
    print_quote(out, spec, one->statement);
    fprintf(out, "    %-10s %s: %s\n", "call:", row->breach.place ? row->breach.place : "",
            row->breach.call ? row->breach.call : "");
    if (strcmp(spec->rules[row->breach.rule].id, one->statement->id) != 0)
        print_wrapped(out, "rule:", spec->rules[row->breach.rule].id);
    print_wrapped(out, "wrong:", row->breach.text);
    fputs("\n", out);
}

static void print_unknown(void *context, const struct wcts_report_checked *one)
{
    FILE *out = context;
    if (one->row->unknown == 0)
        return;
    fprintf(out, "%-14s %s  %s, in %ld of %ld places; missing: %s\n",
            wcts_report_check_result_name(wcts_report_checked_breach(one) ? WCTS_CHECKED_UNKNOWN
                                                                          : one->result),
            one->statement->id, wcts_report_check_side(one->side), one->row->unknown,
            one->row->broken + one->row->kept + one->row->unknown,
            one->row->missing ? one->row->missing : "memory");
}

static void print_kept(void *context, const struct wcts_report_checked *one)
{
    if (one->result == WCTS_CHECKED_KEPT)
        fprintf(context, "%-14s %s  %s, in %ld places\n", "kept", one->statement->id,
                wcts_report_check_side(one->side), one->row->kept);
}

/* Statements that no recording shows, with the reasons. */
static void print_never(FILE *out, const struct wcts_report_check *check)
{
    const struct wcts_spec *spec = check->spec;
    for (int s = 0; s < spec->statements_count; s++) {
        const char *why = NULL, *never = spec->statements[s].reason;
        bool shown = false;
        for (int r = 0; r < spec->rules_count; r++)
            if (spec->rules[r].statement == s) {
                shown = wcts_judge_partial_shows(spec, r, &why) || shown;
                never = why ? why : never;
            }
        if (!shown)
            fprintf(out, "%-14s %s  no recording shows it: %s\n", "not judged",
                    spec->statements[s].id, never ? never : "it has no rule");
    }
}

void wcts_report_check_print(FILE *out, const struct wcts_report_check *check, bool verbose)
{
    int status;
    char *headline = wcts_report_check_headline(check, &status);
    wcts_report_check_each(check, print_breach, out);
    if (verbose) {
        wcts_report_check_each(check, print_kept, out);
        wcts_report_check_each(check, print_unknown, out);
        print_never(out, check);
    }
    fprintf(out, "%s\n", headline ? headline : "no memory");
    free(headline);
}

/* ---- JSON ---- */

struct report_check_page {
    json_t *list;
    bool verbose;
};

static void add_checked(void *context, const struct wcts_report_checked *one)
{
    const struct report_check_page *page = context;
    const struct wcts_spec *spec = one->check->spec;
    const struct wcts_report_check_row *row = one->row;
    json_t *object;
    if (!page->verbose && !wcts_report_checked_breach(one))
        return;
    object = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I}", "id", one->statement->id, "side",
                       wcts_report_check_side(one->side), "result",
                       wcts_report_check_result_name(one->result), "kept", (json_int_t)row->kept,
                       "broken", (json_int_t)row->broken, "unknown", (json_int_t)row->unknown);
    if (row->missing)
        json_object_set_new(object, "missing", json_string(row->missing));
    if (wcts_report_checked_breach(one)) {
        json_object_set_new(object, "text", json_string(one->statement->text));
        if (one->statement->quote)
            json_object_set_new(object, "original", json_string(one->statement->quote));
        json_object_set_new(object, "rule", json_string(spec->rules[row->breach.rule].id));
        if (row->breach.place)
            json_object_set_new(object, "place", json_string(row->breach.place));
        if (row->breach.call)
            json_object_set_new(object, "call", json_string(row->breach.call));
        if (row->breach.text)
            json_object_set_new(object, "wrong", json_string(row->breach.text));
    }
    json_array_append_new(page->list, object);
}

json_t *wcts_report_check_json(const struct wcts_report_check *check, bool verbose)
{
    struct report_check_page page = {json_array(), verbose};
    int status;
    char *headline = wcts_report_check_headline(check, &status);
    json_t *object =
        json_pack("{s:I, s:I, s:s, s:s?, s:i}", "recordings", (json_int_t)check->recordings,
                  "messages", (json_int_t)check->messages, "level",
                  wcts_model_level_name(check->level), "headline", headline, "status", status);
    free(headline);
    wcts_report_check_each(check, add_checked, &page);
    json_object_set_new(object, "statements", page.list);
    return object;
}

/* ---- JUnit XML ---- */

struct report_check_suite {
    struct wcts_report_xml xml;
    int tests, failures, skipped;
};

static void count_checked(void *context, const struct wcts_report_checked *one)
{
    struct report_check_suite *suite = context;
    suite->tests++;
    suite->failures += one->result == WCTS_CHECKED_BROKEN;
    suite->skipped += one->result == WCTS_CHECKED_UNKNOWN;
}

static void put_checked(void *context, const struct wcts_report_checked *one)
{
    struct report_check_suite *suite = context;
    struct wcts_report_xml *xml = &suite->xml;
    const struct wcts_report_check_row *row = one->row;
    WCTS_TEXT(text);
    WCTS_TEXT(name);
    wcts_text_add(&name, "%s, %s", one->statement->id, wcts_report_check_side(one->side));
    wcts_report_xml_start(xml, "testcase");
    wcts_report_xml_attribute(xml, "classname",
                              one->check->spec->documents[one->statement->document].title);
    wcts_report_xml_attribute(xml, "name", wcts_text_get(&name));
    wcts_report_xml_attribute(xml, "time", "0");
    if (wcts_report_checked_breach(one))
        wcts_text_add(&text, "%s\n%s: %s\n%s", one->statement->text,
                      row->breach.place ? row->breach.place : "",
                      row->breach.call ? row->breach.call : "",
                      row->breach.text ? row->breach.text : "");
    else if (row->missing)
        wcts_text_add(&text, "cannot be said in %ld places without %s", row->unknown, row->missing);
    if (one->result == WCTS_CHECKED_BROKEN || one->result == WCTS_CHECKED_UNKNOWN) {
        wcts_report_xml_start(xml, one->result == WCTS_CHECKED_BROKEN ? "failure" : "skipped");
        wcts_report_xml_attribute(xml, "message",
                                  one->result == WCTS_CHECKED_BROKEN && row->breach.text
                                      ? row->breach.text
                                      : wcts_text_get(&text));
        if (one->result == WCTS_CHECKED_BROKEN)
            wcts_report_xml_text(xml, wcts_text_get(&text), text.length);
        wcts_report_xml_end(xml);
    } else if (text.length > 0) {
        wcts_report_xml_element(xml, "system-out", wcts_text_get(&text));
    }
    wcts_report_xml_end(xml);
}

bool wcts_report_check_junit(FILE *out, const struct wcts_report_check *check)
{
    struct report_check_suite suite = {0};
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateFile(out, NULL);
    xmlTextWriterPtr writer = buffer ? xmlNewTextWriter(buffer) : NULL;
    if (!writer)
        return false;
    suite.xml.writer = writer;
    wcts_report_check_each(check, count_checked, &suite);
    xmlTextWriterSetIndent(writer, 1);
    suite.xml.failed = xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL) < 0;
    wcts_report_xml_start(&suite.xml, "testsuites");
    wcts_report_xml_start(&suite.xml, "testsuite");
    wcts_report_xml_attribute(&suite.xml, "name", "wddm-cts check");
    wcts_report_xml_number(&suite.xml, "tests", suite.tests);
    wcts_report_xml_number(&suite.xml, "failures", suite.failures);
    wcts_report_xml_number(&suite.xml, "errors", 0);
    wcts_report_xml_number(&suite.xml, "skipped", suite.skipped);
    wcts_report_xml_attribute(&suite.xml, "time", "0");
    wcts_report_check_each(check, put_checked, &suite);
    wcts_report_xml_end(&suite.xml);
    wcts_report_xml_end(&suite.xml);
    suite.xml.failed = xmlTextWriterEndDocument(writer) < 0 || suite.xml.failed;
    suite.xml.failed = xmlTextWriterFlush(writer) < 0 || suite.xml.failed;
    xmlFreeTextWriter(writer);
    return !suite.xml.failed;
}
