/* SPDX-License-Identifier: MIT */
/* The XML of tracerpt: events, one after the other, in as much memory as one takes. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <libxml/xmlreader.h>

#include "../base/array.h"
#include "../base/text.h"
#include "etw.h"

/* Names are compared without their namespaces: versions of Windows differ in these. */
#define HEADER_GUID "68fdd900-4a3e-11d1-84f4-0000f80464e3"
#define LOST_GUID "6a399ae0-4bc6-4de9-870b-3657f8947e7e"

/* Where in an event the reader is: Events/Event/System/EventID, by depth. */
enum import_depth { DEPTH_ROOT, DEPTH_EVENT, DEPTH_PART, DEPTH_FIELD, DEPTH_TEXT };

enum import_part { PART_NONE, PART_SYSTEM, PART_DATA, PART_UNDECODED };
enum import_field { FIELD_NONE, FIELD_ID, FIELD_VERSION, FIELD_DATA };

struct import_etw_xml {
    struct wcts_import_reading *reading;
    const struct wcts_load_trace *trace;
    xmlTextReaderPtr reader;
    FILE *in;
    struct wcts_import_etw_event event;
    enum import_part part;
    enum import_field field;
    struct wcts_text number; /* text of the field */
    struct wcts_text text;   /* names and values of the data, each with a 0 behind it */
    size_t *offsets;         /* of each name, and of each value in the text */
    int offset_count;
    bool numbers[2]; /* the id and the version are there */
    char *wrong;     /* what libxml2 said first */
    long wrong_line;
};

/* ---- values ---- */

const char *wcts_import_etw_value(const struct wcts_import_etw_event *event, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < event->data_count; i++)
        if (wcts_text_same(event->data[i].name, name)) {
            if (value)
                return NULL;
            value = event->data[i].value;
        }
    return value;
}

static bool is_hex(const char *text, size_t length)
{
    return length > 2 && text[0] == '0' && tolower((unsigned char)text[1]) == 'x';
}

static bool plain_number(const char *text, size_t length, uint64_t *number)
{
    bool hex = is_hex(text, length);
    uint64_t base = hex ? 16 : 10;
    *number = 0;
    for (size_t i = hex ? 2 : 0; i < length; i++) {
        int c = tolower((unsigned char)text[i]);
        uint64_t digit = isdigit(c) ? (uint64_t)(c - '0') : (uint64_t)(c - 'a' + 10);
        if (!(isdigit(c) || (hex && isxdigit(c))) ||
            __builtin_mul_overflow(*number, base, number) ||
            __builtin_add_overflow(*number, digit, number))
            return false;
    }
    return length > 0;
}

static bool named_bit(const struct wcts_load_trace_word *names, const char *text, size_t length,
                      uint64_t *number)
{
    for (int i = 0; names && i < names->flag_count; i++)
        if (wcts_is_piece(names->flags[i].name, text, length)) {
            *number |= UINT64_C(1) << names->flags[i].bit;
            return true;
        }
    return false;
}

bool wcts_import_etw_number(const char *value, const struct wcts_load_trace_word *names,
                            uint64_t *number)
{
    static const char separators[] = "|, \t\r\n";
    uint64_t part;
    bool any = false;
    if (plain_number(value, strlen(value), number))
        return true;
    *number = strcasecmp(value, "true") == 0;
    if (*number || strcasecmp(value, "false") == 0)
        return true;
    while (*(value += strspn(value, separators))) {
        size_t length = strcspn(value, separators);
        if (is_hex(value, length) && plain_number(value, length, &part))
            *number |= part;
        else if (!names || !named_bit(names, value, length, number))
            return false;
        value += length;
        any = true;
    }
    return any && names;
}

/* ---- the file ---- */

static int read_xml_bytes(void *context, char *buffer, int size)
{
    struct import_etw_xml *xml = context;
    size_t got = fread(buffer, 1, (size_t)size, xml->in);
    return got == 0 && ferror(xml->in) ? -1 : (int)got;
}

static int leave_open(void *context)
{
    (void)context;
    return 0;
}

static void note_wrong(void *context, xmlErrorPtr error)
{
    struct import_etw_xml *xml = context;
    const xmlParserCtxt *parser = error ? error->ctxt : NULL;
    if (xml->wrong || !error || error->level < XML_ERR_ERROR)
        return;
    /* Of both libxml2 says that there is extra content. */
    if (error->code == XML_ERR_DOCUMENT_END)
        xml->wrong = strdup(parser && parser->nameNr == 0 && parser->myDoc &&
                                    xmlDocGetRootElement(parser->myDoc)
                                ? "something behind </Events>"
                                : "the file does not end with </Events>");
    else
        xml->wrong = strdup(error->message ? error->message : "wrong XML");
    xml->wrong_line = error->line;
    if (xml->wrong)
        xml->wrong[strcspn(xml->wrong, "\r\n")] = '\0';
}

static bool is_named(struct import_etw_xml *xml, const char *name)
{
    return strcmp((const char *)xmlTextReaderConstLocalName(xml->reader), name) == 0;
}

/* ---- an event ---- */

static bool is_guid(const char *text, const char *guid)
{
    size_t length = strlen(guid);
    text += *text == '{';
    return strncasecmp(text, guid, length) == 0 && (text[length] == '}' || text[length] == '\0');
}

static void read_provider(struct import_etw_xml *xml)
{
    while (xmlTextReaderMoveToNextAttribute(xml->reader) == 1) {
        const char *value = (const char *)xmlTextReaderConstValue(xml->reader);
        bool guid = is_named(xml, "Guid");
        if ((guid && is_guid(value, xml->trace->guid)) ||
            (is_named(xml, "Name") && strcmp(value, xml->trace->provider) == 0))
            xml->event.provider = WCTS_PROVIDER_OURS;
        else if (guid && is_guid(value, HEADER_GUID))
            xml->event.provider = WCTS_PROVIDER_HEADER;
        else if (guid && is_guid(value, LOST_GUID))
            xml->event.provider = WCTS_PROVIDER_LOST;
    }
    xmlTextReaderMoveToElement(xml->reader);
}

static void find_kind(struct import_etw_xml *xml)
{
    char version[16];
    struct wcts_import_etw_event *event = &xml->event;
    event->versioned = xml->numbers[1];
    if (event->provider != WCTS_PROVIDER_OURS || !xml->numbers[0])
        return;
    snprintf(version, sizeof version, "%u", event->version);
    for (int i = 0; i < xml->trace->event_count; i++)
        if (xml->trace->events[i].id == event->id) {
            event->known = true;
            if (event->versioned && wcts_list_has(xml->trace->events[i].versions, version))
                event->kind = &xml->trace->events[i];
        }
}

static bool add_text(struct import_etw_xml *xml, const char *text, size_t length)
{
    size_t *offset = WCTS_ARRAY_ADD(xml->offsets, xml->offset_count);
    if (!offset)
        return wcts_import_error(xml->reading, "no memory");
    *offset = xml->text.length;
    wcts_text_add_bytes(&xml->text, text, length);
    wcts_text_add_bytes(&xml->text, "", 1);
    return !xml->text.failed || wcts_import_error(xml->reading, "no memory");
}

static void begin_part(struct import_etw_xml *xml)
{
    static const struct {
        const char *name;
        enum import_part part;
    } parts[] = {{"System", PART_SYSTEM},
                 {"EventData", PART_DATA},
                 {"ProcessingErrorData", PART_UNDECODED},
                 {"BinaryEventData", PART_UNDECODED},
                 {"DebugData", PART_UNDECODED}};
    xml->part = PART_NONE;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_named(xml, parts[i].name))
            xml->part = parts[i].part;
    if (xml->part == PART_UNDECODED)
        xml->event.decoded = false;
    if (xml->part == PART_DATA)
        find_kind(xml);
}

static bool begin_field(struct import_etw_xml *xml)
{
    xml->field = FIELD_NONE;
    xml->number.length = 0;
    if (xml->part == PART_SYSTEM) {
        if (is_named(xml, "Provider"))
            read_provider(xml);
        xml->field = is_named(xml, "EventID")   ? FIELD_ID
                     : is_named(xml, "Version") ? FIELD_VERSION
                                                : FIELD_NONE;
    } else if (xml->part == PART_DATA && is_named(xml, "Data")) {
        xmlChar *name = xmlTextReaderGetAttribute(xml->reader, BAD_CAST "Name");
        bool good = true;
        if (!name)
            xml->event.decoded = false;
        else if (xml->event.kind || xml->event.provider == WCTS_PROVIDER_HEADER) {
            xml->field = FIELD_DATA;
            good = add_text(xml, (char *)name, strlen((char *)name));
        }
        xmlFree(name);
        return good;
    }
    return true;
}

static bool end_field(struct import_etw_xml *xml)
{
    const char *text = wcts_text_get(&xml->number);
    size_t length = xml->number.length;
    enum import_field field = xml->field;
    uint64_t number;
    xml->field = FIELD_NONE;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    while (length > 0 && isspace((unsigned char)*text))
        text++, length--;
    if (field == FIELD_DATA)
        return add_text(xml, text, length);
    if (field == FIELD_NONE)
        return true;
    if (!plain_number(text, length, &number) || number > 65535) {
        char what[40];
        snprintf(what, sizeof what, "%.*s", (int)(length < 32 ? length : 32), text);
        return wcts_import_error(xml->reading, "<%s> is \"%s\", expected a number from 0 to 65535",
                                 field == FIELD_ID ? "EventID" : "Version", wcts_text_clean(what));
    }
    *(field == FIELD_ID ? &xml->event.id : &xml->event.version) = (unsigned)number;
    xml->numbers[field == FIELD_VERSION] = true;
    return true;
}

static bool end_event(struct import_etw_xml *xml, wcts_import_etw_visit *visit, void *context)
{
    struct wcts_import_etw_event *event = &xml->event;
    bool good;
    find_kind(xml);
    event->data_count = xml->offset_count / 2;
    event->data = calloc((size_t)event->data_count + 1, sizeof *event->data);
    if (!event->data)
        return wcts_import_error(xml->reading, "no memory");
    for (int i = 0; i < event->data_count; i++)
        event->data[i] =
            (struct wcts_import_etw_data){wcts_text_get(&xml->text) + xml->offsets[2 * i],
                                          wcts_text_get(&xml->text) + xml->offsets[2 * i + 1]};
    good = visit(context, event);
    free(event->data);
    return good;
}

static void begin_event(struct import_etw_xml *xml)
{
    xml->event = (struct wcts_import_etw_event){.line = xml->reading->place.line, .decoded = true};
    xml->part = PART_NONE;
    xml->numbers[0] = xml->numbers[1] = false;
    xml->text.length = 0;
    xml->offset_count = 0;
}

/* ---- nodes ---- */

static bool begin_element(struct import_etw_xml *xml, int depth)
{
    if (depth == DEPTH_ROOT && !is_named(xml, "Events")) {
        char what[40];
        snprintf(what, sizeof what, "%.32s", xmlTextReaderConstLocalName(xml->reader));
        return wcts_import_error(xml->reading, "<%s>, expected <Events> as tracerpt writes it",
                                 wcts_text_clean(what));
    }
    if (depth == DEPTH_EVENT)
        begin_event(xml);
    if (depth == DEPTH_PART)
        begin_part(xml);
    return depth != DEPTH_FIELD || begin_field(xml);
}

static bool add_xml_value(struct import_etw_xml *xml)
{
    const char *value = (const char *)xmlTextReaderConstValue(xml->reader);
    if (xml->field == FIELD_NONE || !value)
        return true;
    wcts_text_add_bytes(&xml->number, value, strlen(value));
    /* Elements have no lines beyond 65535; their texts do. */
    if (xml->field == FIELD_ID)
        xml->event.line = xml->reading->place.line =
            xmlGetLineNo(xmlTextReaderCurrentNode(xml->reader));
    return true;
}

static bool visit_node(struct import_etw_xml *xml, wcts_import_etw_visit *visit, void *context)
{
    int depth = xmlTextReaderDepth(xml->reader);
    int type = xmlTextReaderNodeType(xml->reader);
    bool ends = type == XML_READER_TYPE_END_ELEMENT;
    /* Of what has no text the line is known up to 65535. */
    if (depth <= DEPTH_EVENT && xmlGetLineNo(xmlTextReaderCurrentNode(xml->reader)) < 65535)
        xml->reading->place.line = xmlGetLineNo(xmlTextReaderCurrentNode(xml->reader));
    if (type == XML_READER_TYPE_DOCUMENT_TYPE)
        return wcts_import_error(xml->reading, "a document type declaration, expected <Events>");
    if (type == XML_READER_TYPE_TEXT || type == XML_READER_TYPE_CDATA)
        return depth != DEPTH_TEXT || add_xml_value(xml);
    if (type == XML_READER_TYPE_ELEMENT) {
        ends = xmlTextReaderIsEmptyElement(xml->reader) == 1;
        if (!begin_element(xml, depth))
            return false;
    }
    if (ends && depth == DEPTH_FIELD)
        return end_field(xml);
    return !ends || depth != DEPTH_EVENT || end_event(xml, visit, context);
}

bool wcts_import_etw_xml(struct wcts_import_reading *reading, FILE *in,
                         const struct wcts_load_trace *trace, wcts_import_etw_visit *visit,
                         void *context)
{
    struct import_etw_xml xml = {.reading = reading, .trace = trace, .in = in};
    bool good = true;
    int more = 0;
    xml.reader = xmlReaderForIO(read_xml_bytes, leave_open, &xml, NULL, NULL,
                                XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOBLANKS |
                                    XML_PARSE_COMPACT);
    if (!xml.reader)
        return wcts_import_error(reading, "no memory");
    xmlTextReaderSetStructuredErrorHandler(xml.reader, note_wrong, &xml);
    while (good && (more = xmlTextReaderRead(xml.reader)) == 1 && !xml.wrong)
        good = visit_node(&xml, visit, context);
    if (good && (more != 0 || xml.wrong)) {
        reading->place.line = ferror(in) ? 0 : xml.wrong_line;
        good = wcts_import_error(reading, "%s, expected the whole XML that tracerpt writes",
                                 ferror(in)  ? strerror(errno)
                                 : xml.wrong ? wcts_text_clean(xml.wrong)
                                             : "no XML");
    }
    xmlFreeTextReader(xml.reader);
    wcts_text_release(&xml.number);
    wcts_text_release(&xml.text);
    free(xml.offsets);
    free(xml.wrong);
    return good;
}
