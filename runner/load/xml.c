/* SPDX-License-Identifier: MIT */
/*
 * libxml2 calls the functions on_... below as it reads (SAX2). Lines are counted here, from the
 * bytes that the parser has consumed: libxml2 keeps 16 bits of them in its nodes, and its reader
 * is up to a block ahead of the node that it shows.
 */
#include "xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/text.h"
#include "../model/names.h"

/* The most of a misplaced text that a message shows, in bytes. */
#define TEXT_SHOWN 40

/* An open element: its end has not been read. */
struct load_open_element {
    struct wcts_load_node *node;
    int counts[WCTS_CHILD_ROWS]; /* children so far, by row */
    bool text_reported;
};

struct load_reader {
    const struct wcts_load_xml_source *xml;
    const enum wcts_load_element_id *roots;
    xmlParserCtxtPtr parser;
    const char *file;
    const char *bytes;
    size_t size;
    size_t counted; /* bytes whose lines are in line */
    long line;
    struct load_open_element open[WCTS_XML_DEPTH_LIMIT];
    int depth;             /* open elements that have a node */
    int skipped;           /* open elements inside an unknown one, itself included */
    struct wcts_text text; /* of the open element */
    bool stopped;
    struct wcts_load_node *root;
};

/* ---- places ---- */

static size_t consumed(const struct load_reader *reader)
{
    long offset = xmlByteConsumed(reader->parser);
    if (offset < 0)
        return reader->counted;
    return (size_t)offset < reader->size ? (size_t)offset : reader->size;
}

/* The line of a byte that is not before those counted already. */
static struct wcts_place place_at(struct load_reader *reader, size_t offset)
{
    struct wcts_place place = {reader->file, 0, NULL};
    const char *end = reader->bytes + offset, *at = reader->bytes + reader->counted;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        reader->line++;
        at++;
    }
    if (offset > reader->counted)
        reader->counted = offset;
    place.line = reader->line;
    return place;
}

/* The place of the tag whose attributes the parser has just read: no value holds a bare '<'. */
static struct wcts_place tag_place(struct load_reader *reader)
{
    size_t offset = consumed(reader);
    while (offset > reader->counted && reader->bytes[offset - 1] != '<')
        offset--;
    return place_at(reader, offset);
}

static struct wcts_place here(struct load_reader *reader)
{
    return place_at(reader, consumed(reader));
}

static void stop_reading(struct load_reader *reader)
{
    reader->stopped = true;
    xmlStopParser(reader->parser);
}

/* ---- children ---- */

/* "<a>" or "one of <a> <b>": the children that parent may have. */
static const char *expected_children(const struct wcts_load_element *parent, struct wcts_text *text)
{
    const struct wcts_load_child_row *row = parent->children;
    if (row == NULL)
        return parent->text ? "text" : "nothing";
    wcts_text_add(text, "%s", row[1].element == WCTS_EL_NONE ? "" : "one of ");
    for (; row->element != WCTS_EL_NONE; row++)
        wcts_text_add(text, "<%s>%s", wcts_elements[row->element].name,
                      row[1].element == WCTS_EL_NONE ? "" : " ");
    return wcts_text_get(text);
}

static void report_child(struct load_reader *reader, const struct wcts_place *place,
                         const struct wcts_load_element *parent, const char *name)
{
    WCTS_TEXT(expected);
    char hint[128];
    struct wcts_near near = wcts_model_near_start(name, strlen(name));
    const struct wcts_load_child_row *row = parent->children;
    for (; row != NULL && row->element != WCTS_EL_NONE; row++)
        wcts_model_near_try(&near, wcts_elements[row->element].name);
    wcts_error_at(reader->xml->diagnostics, place, "element <%s> in <%s>, expected %s%s", name,
                  parent->name, expected_children(parent, &expected),
                  wcts_model_near_text(&near, hint, sizeof(hint)));
}

/* Counts a child and reports the first that is too many. */
static void count_child(struct load_reader *reader, const struct wcts_place *place,
                        struct load_open_element *parent, int at)
{
    const struct wcts_load_child_row *rows = wcts_load_node_element(parent->node)->children;
    parent->counts[at]++;
    if (rows[at].max != 0 && parent->counts[at] == rows[at].max + 1)
        wcts_error_at(reader->xml->diagnostics, place, "second <%s> in <%s>, expected one",
                      wcts_elements[rows[at].element].name,
                      wcts_load_node_element(parent->node)->name);
}

/* Reports what is missing in an element at its end. */
static void check_children(struct load_reader *reader, const struct load_open_element *open)
{
    const struct wcts_load_element *element = wcts_load_node_element(open->node);
    const struct wcts_load_child_row *rows = element->children;
    for (int i = 0; rows != NULL && rows[i].element != WCTS_EL_NONE; i++)
        if (open->counts[i] < rows[i].min)
            wcts_error_at(reader->xml->diagnostics, &open->node->place,
                          "<%s> has no <%s>, expected %s", element->name,
                          wcts_elements[rows[i].element].name,
                          rows[i].max == 1 ? "one" : "one or more");
}

static const struct wcts_load_element *open_root(struct load_reader *reader,
                                                 const struct wcts_place *place, const char *name)
{
    WCTS_TEXT(expected);
    for (const enum wcts_load_element_id *root = reader->roots; *root != WCTS_EL_NONE; root++) {
        if (strcmp(wcts_elements[*root].name, name) == 0)
            return &wcts_elements[*root];
        wcts_text_add(&expected, "%s<%s>", expected.length > 0 ? " or " : "",
                      wcts_elements[*root].name);
    }
    wcts_error_at(reader->xml->diagnostics, place, "root element <%s>, expected %s", name,
                  wcts_text_get(&expected));
    return NULL;
}

/* The element of that name in the open one; NULL, with a message, if it may not be there. */
static const struct wcts_load_element *
find_element(struct load_reader *reader, const struct wcts_place *place, const char *name)
{
    struct load_open_element *parent;
    const struct wcts_load_child_row *rows;
    if (reader->depth == 0)
        return open_root(reader, place, name);
    parent = &reader->open[reader->depth - 1];
    rows = wcts_load_node_element(parent->node)->children;
    for (int i = 0; rows != NULL && rows[i].element != WCTS_EL_NONE; i++) {
        if (strcmp(wcts_elements[rows[i].element].name, name) != 0)
            continue;
        count_child(reader, place, parent, i);
        return &wcts_elements[rows[i].element];
    }
    report_child(reader, place, wcts_load_node_element(parent->node), name);
    return NULL;
}

/* ---- attributes ---- */

static void report_attribute(struct load_reader *reader, const struct wcts_load_node *node,
                             const char *name)
{
    const struct wcts_load_attribute_row *row = wcts_load_node_element(node)->attributes;
    struct wcts_near near = wcts_model_near_start(name, strlen(name));
    WCTS_TEXT(expected);
    char hint[128];
    for (; row != NULL && row->name != NULL; row++) {
        wcts_text_add(&expected, " %s", row->name);
        wcts_model_near_try(&near, row->name);
    }
    wcts_error_at(
        reader->xml->diagnostics, &node->place, "unknown attribute \"%s\" of <%s>, expected%s%s",
        name, wcts_load_node_element(node)->name, row == NULL ? " none" : wcts_text_get(&expected),
        wcts_model_near_text(&near, hint, sizeof(hint)));
}

/* A copy of a value as SAX gives it: libxml2 leaves an ampersand as "&#38;" when it substitutes no
 * entities. */
static char *copy_value(struct wcts_arena *arena, const char *from, size_t length)
{
    static const char ampersand[] = "&#38;";
    size_t skip = sizeof(ampersand) - 2;
    char *copy = wcts_arena_string(arena, from, length), *to = copy;
    for (const char *at = copy; *at != '\0'; at++) {
        *to++ = *at;
        if (*at == '&' && strncmp(at, ampersand, skip + 1) == 0)
            at += skip;
    }
    *to = '\0';
    return copy;
}

void wcts_load_attribute_check(const struct wcts_load_node *node, const char *name,
                               const char *value, const struct wcts_load_attribute_row *row,
                               struct wcts_diagnostics *diagnostics)
{
    WCTS_TEXT(expected);
    if (!wcts_load_kind_accepts(row, value))
        wcts_error_at(diagnostics, &node->place, "attribute \"%s\" of <%s> is \"%s\", expected %s",
                      name, wcts_load_node_element(node)->name, value,
                      wcts_load_kind_expected(row, &expected));
}

static void add_attribute(struct load_reader *reader, struct wcts_load_node *node, const char *name,
                          const char *value, size_t length)
{
    int at = wcts_load_element_attribute(wcts_load_node_element(node), name);
    if (length > WCTS_XML_VALUE_LIMIT) {
        wcts_error_at(reader->xml->diagnostics, &node->place,
                      "attribute \"%s\" of <%s> has %zu bytes, expected at most %zu", name,
                      wcts_load_node_element(node)->name, length, WCTS_XML_VALUE_LIMIT);
        if (at >= 0)
            node->values[at] = "";
        return;
    }
    if (at < 0 &&
        (wcts_load_node_element(node)->more == WCTS_MORE_NONE ||
         !wcts_load_kind_accepts(&wcts_more_rows[wcts_load_node_element(node)->more][0], name))) {
        report_attribute(reader, node, name);
        return;
    }
    const struct wcts_load_attribute_row *row =
        at < 0 ? &wcts_more_rows[wcts_load_node_element(node)->more][1]
               : &wcts_load_node_element(node)->attributes[at];
    const char *copy = copy_value(reader->xml->arena, value, length);
    if (at >= 0)
        node->values[at] = copy;
    else
        node->more[node->more_count++] = (struct wcts_load_argument){
            wcts_arena_string(reader->xml->arena, name, strlen(name)), copy};
    wcts_load_attribute_check(node, name, copy, row, reader->xml->diagnostics);
}

/* Required attributes, and at least one of the rows with one_of. */
void wcts_load_node_check(const struct wcts_load_node *node, struct wcts_diagnostics *diagnostics)
{
    const struct wcts_load_attribute_row *rows = wcts_load_node_element(node)->attributes;
    bool given = false;
    WCTS_TEXT(choice);
    for (int i = 0; rows != NULL && rows[i].name != NULL; i++)
        given = given || (rows[i].one_of && node->values[i] != NULL);
    for (int i = 0; rows != NULL && rows[i].name != NULL; i++) {
        WCTS_TEXT(expected);
        if (rows[i].one_of && !given)
            wcts_text_add(&choice, "%s\"%s\"", choice.length > 0 ? " or " : "", rows[i].name);
        if (rows[i].required && node->values[i] == NULL)
            wcts_error_at(diagnostics, &node->place, "<%s> has no attribute \"%s\", expected %s",
                          wcts_load_node_element(node)->name, rows[i].name,
                          wcts_load_kind_expected(&rows[i], &expected));
    }
    if (choice.length > 0)
        wcts_error_at(diagnostics, &node->place, "<%s> lacks an attribute, expected %s",
                      wcts_load_node_element(node)->name, wcts_text_get(&choice));
}

/* ---- what libxml2 calls ---- */

static struct wcts_load_node *new_node(struct load_reader *reader,
                                       const struct wcts_load_element *element,
                                       struct wcts_place place)
{
    struct wcts_arena *arena = reader->xml->arena;
    struct wcts_load_node *node = wcts_arena_alloc(arena, sizeof(*node));
    size_t count = 0;
    while (element->attributes != NULL && element->attributes[count].name != NULL)
        count++;
    node->kind = (enum wcts_load_element_id)(element - wcts_elements);
    node->place = place;
    node->values = wcts_arena_array(arena, count, sizeof(*node->values));
    return node;
}

static void add_node(struct load_reader *reader, struct wcts_load_node *node)
{
    if (reader->depth == 0)
        reader->root = node;
    else
        wcts_load_node_add(reader->open[reader->depth - 1].node, node);
    memset(&reader->open[reader->depth], 0, sizeof(reader->open[0]));
    reader->open[reader->depth++].node = node;
    wcts_text_release(&reader->text);
}

/* Reports an element of a namespace and stops: such a document is of another kind. */
static bool refuse_namespace(struct load_reader *reader, const struct wcts_place *place,
                             const xmlChar *name, const xmlChar *uri, int namespaces)
{
    if (uri == NULL && namespaces == 0)
        return false;
    wcts_error_at(reader->xml->diagnostics, place,
                  "element <%s> declares or has a namespace%s%s, expected none (XInclude "
                  "included)",
                  (const char *)name, uri == NULL ? "" : " ", uri == NULL ? "" : (const char *)uri);
    stop_reading(reader);
    return true;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int attribute_total,
                     int defaulted, const xmlChar **attributes)
{
    struct load_reader *reader = context;
    const struct wcts_load_element *element;
    struct wcts_place place = tag_place(reader);
    struct wcts_load_node *node;
    (void)prefix, (void)namespaces, (void)defaulted;
    if (reader->stopped || refuse_namespace(reader, &place, name, uri, namespace_count))
        return;
    if (reader->depth + reader->skipped == WCTS_XML_DEPTH_LIMIT) {
        wcts_error_at(reader->xml->diagnostics, &place,
                      "element <%s> is inside %d others, expected at most %d", (const char *)name,
                      WCTS_XML_DEPTH_LIMIT, WCTS_XML_DEPTH_LIMIT - 1);
        stop_reading(reader);
        return;
    }
    element = reader->skipped > 0 ? NULL : find_element(reader, &place, (const char *)name);
    if (element == NULL) {
        reader->skipped++;
        return;
    }
    node = new_node(reader, element, place);
    node->more = wcts_arena_array(reader->xml->arena, (size_t)attribute_total, sizeof *node->more);
    for (int i = 0; i < attribute_total; i++, attributes += 5)
        add_attribute(reader, node, (const char *)attributes[0], (const char *)attributes[3],
                      (size_t)(attributes[4] - attributes[3]));
    wcts_load_node_check(node, reader->xml->diagnostics);
    add_node(reader, node);
}

/* The text of the open element with runs of blanks made one space, none around it. */
static const char *collapsed_text(struct load_reader *reader)
{
    char *copy =
        wcts_arena_string(reader->xml->arena, wcts_text_get(&reader->text), reader->text.length);
    char *to = copy;
    for (const char *at = copy; *at != '\0'; at++) {
        bool blank = strchr(" \t\r\n", *at) != NULL;
        if (!blank)
            *to++ = *at;
        else if (to > copy && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > copy && to[-1] == ' ')
        to--;
    *to = '\0';
    return copy;
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct load_reader *reader = context;
    struct load_open_element *open;
    (void)name, (void)prefix, (void)uri;
    if (reader->stopped)
        return;
    if (reader->skipped > 0) {
        reader->skipped--;
        return;
    }
    if (reader->depth == 0)
        return;
    open = &reader->open[--reader->depth];
    if (wcts_load_node_element(open->node)->text) {
        open->node->text = collapsed_text(reader);
        if (open->node->text[0] == '\0')
            wcts_error_at(reader->xml->diagnostics, &open->node->place,
                          "<%s> is empty, expected text", wcts_load_node_element(open->node)->name);
    }
    check_children(reader, open);
}

static void on_text(void *context, const xmlChar *characters, int length)
{
    struct load_reader *reader = context;
    struct load_open_element *open;
    const char *text = (const char *)characters;
    size_t left = length < 0 ? 0 : (size_t)length, blanks = 0;
    size_t shown;
    if (reader->stopped || reader->skipped > 0 || reader->depth == 0)
        return;
    open = &reader->open[reader->depth - 1];
    if (wcts_load_node_element(open->node)->text) {
        wcts_text_add_bytes(&reader->text, text, left);
        if (reader->text.failed)
            stop_reading(reader);
        return;
    }
    while (blanks < left && strchr(" \t\r\n", text[blanks]) != NULL)
        blanks++;
    if (blanks == left || open->text_reported)
        return;
    open->text_reported = true;
    for (shown = 0; shown < left - blanks && shown < TEXT_SHOWN; shown++)
        if (strchr("\r\n", text[blanks + shown]) != NULL)
            break;
    while (shown > 0 && shown < left - blanks &&
           ((unsigned char)text[blanks + shown] & 0xC0) == 0x80) /* never half a letter */
        shown--;
    wcts_error_at(
        reader->xml->diagnostics, &open->node->place, "text \"%.*s\" in <%s>, expected %s",
        (int)shown, text + blanks, wcts_load_node_element(open->node)->name,
        wcts_load_node_element(open->node)->children == NULL ? "nothing" : "elements only");
}

static void on_doctype(void *context, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id)
{
    struct load_reader *reader = context;
    struct wcts_place place = here(reader);
    (void)name, (void)public_id, (void)system_id;
    wcts_error_at(reader->xml->diagnostics, &place, "document type declaration, expected none");
    stop_reading(reader);
}

static xmlEntityPtr on_entity(void *context, const xmlChar *name)
{
    struct load_reader *reader = context;
    xmlEntityPtr entity = xmlGetPredefinedEntity(name);
    struct wcts_place place = here(reader);
    if (entity != NULL || reader->stopped)
        return entity;
    wcts_error_at(reader->xml->diagnostics, &place,
                  "entity &%s;, expected one of &lt; &gt; &amp; &quot; &apos;", (const char *)name);
    stop_reading(reader);
    return NULL;
}

static void on_document(void *context)
{
    struct load_reader *reader = context;
    const xmlChar *encoding = reader->parser->encoding;
    struct wcts_place place = {reader->file, 1, NULL};
    if (encoding == NULL) /* libxml2 keeps any other than UTF-8 here */
        encoding = reader->parser->input->encoding;
    if (encoding == NULL || xmlStrcasecmp(encoding, BAD_CAST "UTF-8") == 0)
        return;
    wcts_error_at(reader->xml->diagnostics, &place, "encoding \"%s\", expected UTF-8",
                  (const char *)encoding);
    stop_reading(reader);
}

static void on_error(void *context, xmlErrorPtr error)
{
    struct load_reader *reader = context;
    struct wcts_place place = {reader->file, error->line, NULL};
    size_t length = error->message == NULL ? 0 : strcspn(error->message, "\n");
    if (reader->stopped || error->level == XML_ERR_WARNING)
        return;
    wcts_error_at(reader->xml->diagnostics, &place, "not well-formed: %.*s", (int)length,
                  error->message == NULL ? "" : error->message);
    stop_reading(reader);
}

/* ---- reading ---- */

static const xmlSAXHandler handler = {
    .initialized = XML_SAX2_MAGIC,
    .startDocument = on_document,
    .internalSubset = on_doctype,
    .getEntity = on_entity,
    .startElementNs = on_start,
    .endElementNs = on_end,
    .characters = on_text,
    .ignorableWhitespace = on_text,
    .cdataBlock = on_text,
    .serror = on_error,
};

static void parse_document(struct load_reader *reader)
{
    const unsigned char *bytes = (const unsigned char *)reader->bytes;
    struct wcts_place place = {reader->file, 1, NULL};
    /* UTF-16 and UTF-32 begin with other bytes than UTF-8. */
    if (reader->size >= 2 && (bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE)) {
        wcts_error_at(reader->xml->diagnostics, &place,
                      "encoding of 16 or 32 bits, expected UTF-8");
        return;
    }
    if (reader->size == 0) {
        wcts_error_at(reader->xml->diagnostics, &place, "the file is empty, expected a document");
        return;
    }
    reader->parser = xmlCreateMemoryParserCtxt(reader->bytes, (int)reader->size);
    if (reader->parser == NULL)
        return;
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET);
    *reader->parser->sax = handler;
    reader->parser->userData = reader;
    xmlParseDocument(reader->parser);
    xmlFreeDoc(reader->parser->myDoc);
    reader->parser->myDoc = NULL;
    xmlFreeParserCtxt(reader->parser);
}

struct wcts_load_node *wcts_load_xml_read(const struct wcts_load_xml_source *xml, const char *path,
                                          const enum wcts_load_element_id *roots)
{
    struct load_reader reader = {.xml = xml, .roots = roots, .line = 1};
    int errors = xml->diagnostics->errors;
    char *bytes = wcts_file_read(path, WCTS_XML_FILE_LIMIT, &reader.size, xml->diagnostics);
    if (bytes == NULL)
        return NULL;
    if (xml->digest != NULL)
        wcts_digest_add(xml->digest, bytes, reader.size);
    reader.bytes = bytes;
    reader.file = path;
    parse_document(&reader);
    wcts_text_release(&reader.text);
    free(bytes);
    return xml->diagnostics->errors == errors ? reader.root : NULL;
}

/* ---- nodes ---- */

void wcts_load_node_add(struct wcts_load_node *parent, struct wcts_load_node *child)
{
    if (parent->last == NULL)
        parent->first = child;
    else
        parent->last->next = child;
    parent->last = child;
}

const char *wcts_load_node_value(const struct wcts_load_node *node, const char *attribute)
{
    int at = wcts_load_element_attribute(wcts_load_node_element(node), attribute);
    return at < 0 ? NULL : node->values[at];
}

struct wcts_load_node *wcts_load_node_next(const struct wcts_load_node *node,
                                           const struct wcts_load_node *after,
                                           enum wcts_load_element_id element)
{
    struct wcts_load_node *child = after == NULL ? node->first : after->next;
    while (child != NULL && child->kind != element)
        child = child->next;
    return child;
}

int wcts_load_node_count(const struct wcts_load_node *node, enum wcts_load_element_id element)
{
    int count = 0;
    for (struct wcts_load_node *child = NULL;
         (child = wcts_load_node_next(node, child, element)) != NULL;)
        count++;
    return count;
}
