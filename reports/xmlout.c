/* SPDX-License-Identifier: MIT */
#include "xmlout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/text.h"

void wcts_report_xml_start(struct wcts_report_xml *xml, const char *name)
{
    if (xmlTextWriterStartElement(xml->writer, BAD_CAST name) < 0)
        xml->failed = true;
}

void wcts_report_xml_end(struct wcts_report_xml *xml)
{
    if (xmlTextWriterEndElement(xml->writer) < 0)
        xml->failed = true;
}

void wcts_report_xml_attribute(struct wcts_report_xml *xml, const char *name, const char *value)
{
    if (!value)
        return;
    char *clean = strdup(value);
    if (!clean || xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name,
                                              BAD_CAST wcts_text_clean(clean)) < 0)
        xml->failed = true;
    free(clean);
}

void wcts_report_xml_number(struct wcts_report_xml *xml, const char *name, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    wcts_report_xml_attribute(xml, name, text);
}

void wcts_report_xml_seconds(struct wcts_report_xml *xml, const char *name, double seconds)
{
    char text[64];
    snprintf(text, sizeof text, "%.6f", seconds);
    wcts_report_xml_attribute(xml, name, text);
}

void wcts_report_xml_flag(struct wcts_report_xml *xml, const char *name, bool value)
{
    wcts_report_xml_attribute(xml, name, value ? "yes" : NULL);
}

void wcts_report_xml_text(struct wcts_report_xml *xml, const char *text, size_t size)
{
    char *clean = strndup(text, size);
    if (!clean || xmlTextWriterWriteString(xml->writer, BAD_CAST wcts_text_clean(clean)) < 0)
        xml->failed = true;
    free(clean);
}

void wcts_report_xml_element(struct wcts_report_xml *xml, const char *name, const char *text)
{
    if (!text || text[0] == '\0')
        return;
    wcts_report_xml_start(xml, name);
    wcts_report_xml_text(xml, text, strlen(text));
    wcts_report_xml_end(xml);
}
