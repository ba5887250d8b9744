/* SPDX-License-Identifier: MIT */
/* Writing XML with xmlTextWriter: text is made valid, and all errors set one flag. */
#ifndef WCTS_XMLOUT_H
#define WCTS_XMLOUT_H

#include <libxml/xmlwriter.h>
#include <stdbool.h>

/* An XML document as it is written. After the first error nothing more is, and "failed" stays
 * true: it is enough to look once, at the end. */
struct wcts_report_xml {
    xmlTextWriterPtr writer; /* not owned */
    bool failed;
};

void wcts_report_xml_start(struct wcts_report_xml *xml, const char *name);
void wcts_report_xml_end(struct wcts_report_xml *xml);

/* NULL: no attribute. */
void wcts_report_xml_attribute(struct wcts_report_xml *xml, const char *name, const char *value);
void wcts_report_xml_number(struct wcts_report_xml *xml, const char *name, long long value);
void wcts_report_xml_seconds(struct wcts_report_xml *xml, const char *name, double seconds);
/* "yes" if true, else no attribute. */
void wcts_report_xml_flag(struct wcts_report_xml *xml, const char *name, bool value);

/* Writes the first size bytes as text of the open element. */
void wcts_report_xml_text(struct wcts_report_xml *xml, const char *text, size_t size);
/* <name>text</name>; nothing for an empty text. */
void wcts_report_xml_element(struct wcts_report_xml *xml, const char *name, const char *text);

#endif
