/* SPDX-License-Identifier: MIT */
/* Writing XML: xmlTextWriter, with text made fit for XML and one flag for all that went wrong. */
#ifndef WCTS_XMLOUT_H
#define WCTS_XMLOUT_H

#include <libxml/xmlwriter.h>
#include <stdbool.h>

struct wcts_xml {
    xmlTextWriterPtr writer; /* not owned */
    bool failed;
};

void wcts_xml_start(struct wcts_xml *xml, const char *name);
void wcts_xml_end(struct wcts_xml *xml);

/* NULL: the attribute is left out. */
void wcts_xml_attribute(struct wcts_xml *xml, const char *name, const char *value);
void wcts_xml_number(struct wcts_xml *xml, const char *name, long long value);
void wcts_xml_seconds(struct wcts_xml *xml, const char *name, double seconds);
/* yes, or nothing. */
void wcts_xml_flag(struct wcts_xml *xml, const char *name, bool value);

/* The text of the element that was started; of its first size bytes. */
void wcts_xml_text(struct wcts_xml *xml, const char *text, size_t size);
/* <name>text</name>; nothing when there is no text. */
void wcts_xml_element(struct wcts_xml *xml, const char *name, const char *text);

#endif
