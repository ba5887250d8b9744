/* SPDX-License-Identifier: MIT */
/* What recordings show, as one HTML file: what is broken, then all statements. */
#include <stdlib.h>

#include "../runner/base/text.h"
#include "../runner/model/names.h"
#include "check.h"
#include "report.h"
#include "xmlout.h"

static const char style[] =
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 "
    "1rem; color-scheme: light dark; }\n"
    "section { border-top: 1px solid #999; margin-top: 1.5rem; }\n"
    "table { border-collapse: collapse; } th, td { border: 1px solid #999; padding: .2rem .6rem; "
    "text-align: left; vertical-align: top; }\n"
    "td:nth-child(n+4):nth-child(-n+6) { text-align: right; }\n"
    "code { overflow-wrap: anywhere; }\n"
    ".headline { font-weight: bold; } .broken td:nth-child(3) { font-weight: bold; }\n";

static void put_attributed(struct wcts_report_xml *xml, const char *element, const char *attribute,
                           const char *value, const char *text)
{
    wcts_report_xml_start(xml, element);
    wcts_report_xml_attribute(xml, attribute, value);
    wcts_report_xml_text(xml, text, strlen(text));
    wcts_report_xml_end(xml);
}

static void put_fact(struct wcts_report_xml *xml, const char *name, const char *text)
{
    if (!text)
        return;
    wcts_report_xml_element(xml, "dt", name);
    wcts_report_xml_start(xml, "dd");
    wcts_report_xml_element(xml, "code", text);
    wcts_report_xml_end(xml);
}

static void put_breach(void *context, const struct wcts_report_checked *one)
{
    struct wcts_report_xml *xml = context;
    const struct wcts_spec *spec = one->check->spec;
    const struct wcts_report_check_row *row = one->row;
    const struct wcts_document *document = &spec->documents[one->statement->document];
    char weight[WCTS_WEIGHT_SIZE];
    WCTS_TEXT(title);
    WCTS_TEXT(places);
    WCTS_TEXT(source);
    WCTS_TEXT(call);
    if (!wcts_report_checked_breach(one))
        return;
    wcts_text_add(&title, "%s %s", wcts_report_check_result_name(one->result), one->statement->id);
    wcts_text_add(&places, "%s; by the %s, in %ld of %ld places",
                  wcts_report_weight(weight, &spec->rules[row->breach.rule], one->statement),
                  wcts_report_check_side(one->side), row->broken,
                  row->broken + row->kept + row->unknown);
    wcts_text_add(&source, "%s, %s", document->title, one->statement->where);
    wcts_text_add(&call, "%s: %s", row->breach.place ? row->breach.place : "",
                  row->breach.call ? row->breach.call : "");
    wcts_report_xml_start(xml, "section");
    wcts_report_xml_element(xml, "h2", wcts_text_get(&title));
    wcts_report_xml_element(xml, "p", wcts_text_get(&places));
    wcts_report_xml_element(xml, "p", one->statement->text);
    if (one->statement->quote)
        put_attributed(xml, "blockquote", "lang", document->language, one->statement->quote);
    wcts_report_xml_element(xml, "p", wcts_text_get(&source));
    wcts_report_xml_start(xml, "dl");
    put_fact(xml, "call", wcts_text_get(&call));
    put_fact(xml, "rule", spec->rules[row->breach.rule].id);
    put_fact(xml, "wrong", row->breach.text);
    wcts_report_xml_end(xml);
    wcts_report_xml_end(xml);
}

static void put_count(struct wcts_report_xml *xml, long count)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", count);
    wcts_report_xml_element(xml, "td", text);
}

static void put_row(void *context, const struct wcts_report_checked *one)
{
    struct wcts_report_xml *xml = context;
    wcts_report_xml_start(xml, "tr");
    wcts_report_xml_attribute(xml, "class",
                              one->result == WCTS_CHECKED_BROKEN ? "broken" : "other");
    wcts_report_xml_element(xml, "td", one->statement->id);
    wcts_report_xml_element(xml, "td", wcts_report_check_side(one->side));
    wcts_report_xml_element(xml, "td", wcts_report_check_result_name(one->result));
    put_count(xml, one->row->kept);
    put_count(xml, one->row->broken);
    put_count(xml, one->row->unknown);
    put_attributed(xml, "td", "class", "missing", one->row->missing ? one->row->missing : "");
    wcts_report_xml_end(xml);
}

static void put_table(struct wcts_report_xml *xml, const struct wcts_report_check *check)
{
    static const char *const columns[] = {"statement", "side",           "result", "kept",
                                          "broken",    "cannot be said", "missing"};
    wcts_report_xml_start(xml, "section");
    wcts_report_xml_element(xml, "h2", "All statements that the recording is about");
    wcts_report_xml_start(xml, "table");
    wcts_report_xml_start(xml, "tr");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        wcts_report_xml_element(xml, "th", columns[i]);
    wcts_report_xml_end(xml);
    wcts_report_check_each(check, put_row, xml);
    wcts_report_xml_end(xml);
    wcts_report_xml_end(xml);
}

bool wcts_report_check_html(FILE *out, const struct wcts_report_check *check)
{
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateFile(out, NULL);
    struct wcts_report_xml xml = {.writer = buffer ? xmlNewTextWriter(buffer) : NULL};
    int status;
    char *headline = wcts_report_check_headline(check, &status);
    if (xml.writer && headline) {
        xml.failed = xmlTextWriterWriteDTD(xml.writer, BAD_CAST "html", NULL, NULL, NULL) < 0;
        wcts_report_xml_start(&xml, "html");
        wcts_report_xml_attribute(&xml, "lang", "en");
        wcts_report_xml_start(&xml, "head");
        wcts_report_xml_start(&xml, "meta");
        wcts_report_xml_attribute(&xml, "charset", "utf-8");
        wcts_report_xml_end(&xml);
        wcts_report_xml_element(&xml, "title", "wddm-cts: from a recording");
        wcts_report_xml_element(&xml, "style", style);
        wcts_report_xml_end(&xml);
        wcts_report_xml_start(&xml, "body");
        wcts_report_xml_element(&xml, "h1", "What a recording shows");
        put_attributed(&xml, "p", "class", "headline", headline);
        wcts_report_check_each(check, put_breach, &xml);
        put_table(&xml, check);
        wcts_report_xml_end(&xml);
        wcts_report_xml_end(&xml);
        xml.failed = xmlTextWriterEndDocument(xml.writer) < 0 || xml.failed;
        xml.failed = xmlTextWriterFlush(xml.writer) < 0 || xml.failed;
    }
    if (xml.writer)
        xmlFreeTextWriter(xml.writer);
    free(headline);
    return xml.writer && headline && !xml.failed;
}
