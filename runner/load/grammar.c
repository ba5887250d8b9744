/* SPDX-License-Identifier: MIT */
#include "grammar.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "elements.h"

struct load_writer {
    FILE *out;
    int depth;
};

static void write_grammar_line(const struct load_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void write_grammar_line(const struct load_writer *writer, const char *format, ...)
{
    va_list arguments;
    fprintf(writer->out, "%*s", writer->depth * 2, "");
    va_start(arguments, format);
    vfprintf(writer->out, format, arguments);
    va_end(arguments);
    fputc('\n', writer->out);
}

static void open_tag(struct load_writer *writer, const char *name)
{
    write_grammar_line(writer, "<%s>", name);
    writer->depth++;
}

static void close_tag(struct load_writer *writer, const char *name)
{
    writer->depth--;
    write_grammar_line(writer, "</%s>", name);
}

/* ---- values ---- */

/* Decimal by value; hexadecimal by digits, so that max must be all ones, and min 0 or 1. */
static void write_number(struct load_writer *writer, const struct wcts_load_attribute_row *row)
{
    uint64_t max = row->max == 0 ? UINT64_MAX : row->max;
    int digits = 0;
    open_tag(writer, "choice");
    write_grammar_line(writer, "<data type=\"nonNegativeInteger\">");
    write_grammar_line(writer, "  <param name=\"minInclusive\">%" PRIu64 "</param>", row->min);
    write_grammar_line(writer, "  <param name=\"maxInclusive\">%" PRIu64 "</param>", max);
    write_grammar_line(writer, "  <param name=\"pattern\">0|[1-9][0-9]{0,18}</param>");
    write_grammar_line(writer, "</data>");
    for (uint64_t rest = max; rest > 0; rest >>= 4)
        digits++;
    if (wcts_load_number_may_be_hex(row))
        write_grammar_line(
            writer,
            "<data type=\"string\"><param name=\"pattern\">0x0*%s[0-9A-Fa-f]{%d,%d}</param></data>",
            row->min == 0 ? "" : "[1-9A-Fa-f]", row->min == 0, digits - (row->min > 0));
    close_tag(writer, "choice");
}

static void write_words(struct load_writer *writer, const struct wcts_load_attribute_row *row)
{
    bool list = row->kind == WCTS_KIND_WORDS;
    if (list) {
        open_tag(writer, "list");
        open_tag(writer, "oneOrMore");
    }
    open_tag(writer, "choice");
    for (const char *const *word = row->words; *word != NULL; word++)
        write_grammar_line(writer, "<value type=\"string\">%s</value>", *word);
    close_tag(writer, "choice");
    if (list) {
        close_tag(writer, "oneOrMore");
        close_tag(writer, "list");
    }
}

static void write_text(struct load_writer *writer)
{
    write_grammar_line(writer, "<data type=\"token\"><param name=\"minLength\">1</param></data>");
}

static void write_data(struct load_writer *writer, enum wcts_load_value_kind kind)
{
    write_grammar_line(writer, "<data type=\"%s\"><param name=\"pattern\">%s</param></data>",
                       wcts_load_kind_is_list(kind) ? "token" : "string",
                       wcts_load_kind_pattern(kind));
}

static void write_attribute(struct load_writer *writer, const struct wcts_load_attribute_row *row)
{
    write_grammar_line(writer, "<attribute name=\"%s\">", row->name);
    writer->depth++;
    if (row->kind == WCTS_KIND_NUMBER)
        write_number(writer, row);
    else if (row->kind == WCTS_KIND_WORD || row->kind == WCTS_KIND_WORDS)
        write_words(writer, row);
    else if (row->kind == WCTS_KIND_TEXT)
        write_text(writer);
    else
        write_data(writer, row->kind);
    close_tag(writer, "attribute");
}

static void write_optional(struct load_writer *writer, const struct wcts_load_attribute_row *row)
{
    open_tag(writer, "optional");
    write_attribute(writer, row);
    close_tag(writer, "optional");
}

/* At least one of the rows marked one_of: the first that is there, then any after it. */
static void write_one_of(struct load_writer *writer, const struct wcts_load_attribute_row *rows)
{
    open_tag(writer, "choice");
    for (int i = 0; rows[i].name != NULL; i++) {
        if (!rows[i].one_of)
            continue;
        open_tag(writer, "group");
        write_attribute(writer, &rows[i]);
        for (int j = i + 1; rows[j].name != NULL; j++)
            if (rows[j].one_of)
                write_optional(writer, &rows[j]);
        close_tag(writer, "group");
    }
    close_tag(writer, "choice");
}

static void write_attributes(struct load_writer *writer, const struct wcts_load_attribute_row *rows)
{
    bool one_of = false;
    for (; rows != NULL && rows->name != NULL; rows++) {
        if (rows->one_of && !one_of) {
            one_of = true;
            write_one_of(writer, rows);
        } else if (!rows->one_of && rows->required) {
            write_attribute(writer, rows);
        } else if (!rows->one_of) {
            write_optional(writer, rows);
        }
    }
}

/* Any other attributes; their names are looked at by the reader alone. */
static void write_more_attributes(struct load_writer *writer,
                                  const struct wcts_load_element *element)
{
    const struct wcts_load_attribute_row *own = element->attributes;
    enum wcts_load_value_kind kind = wcts_more_rows[element->more][1].kind;
    if (element->more == WCTS_MORE_NONE)
        return;
    open_tag(writer, "zeroOrMore");
    open_tag(writer, "attribute");
    open_tag(writer, "anyName");
    open_tag(writer, "except");
    for (; own != NULL && own->name != NULL; own++)
        write_grammar_line(writer, "<name>%s</name>", own->name);
    write_grammar_line(writer, "<nsName ns=\"http://www.w3.org/XML/1998/namespace\"/>");
    close_tag(writer, "except");
    close_tag(writer, "anyName");
    write_data(writer, kind);
    close_tag(writer, "attribute");
    close_tag(writer, "zeroOrMore");
}

/* ---- content ---- */

static void write_child(struct load_writer *writer, const struct wcts_load_child_row *row)
{
    const char *outer = row->max == 1 ? "optional" : row->min == 1 ? "oneOrMore" : "zeroOrMore";
    const char *name = wcts_elements[row->element].name;
    if (row->max == 1 && row->min == 1)
        write_grammar_line(writer, "<ref name=\"%s\"/>", name);
    else
        write_grammar_line(writer, "<%s><ref name=\"%s\"/></%s>", outer, name, outer);
}

/* Children come in any order. */
static void write_children(struct load_writer *writer, const struct wcts_load_child_row *rows)
{
    bool several = rows[1].element != WCTS_EL_NONE;
    if (several)
        open_tag(writer, "interleave");
    for (; rows->element != WCTS_EL_NONE; rows++)
        write_child(writer, rows);
    if (several)
        close_tag(writer, "interleave");
}

static void write_define(struct load_writer *writer, const struct wcts_load_element *element)
{
    write_grammar_line(writer, "<define name=\"%s\">", element->name);
    writer->depth++;
    write_grammar_line(writer, "<element name=\"%s\">", element->name);
    writer->depth++;
    write_attributes(writer, element->attributes);
    write_more_attributes(writer, element);
    if (element->children != NULL)
        write_children(writer, element->children);
    else if (element->text)
        write_text(writer);
    else if (element->attributes == NULL && element->more == WCTS_MORE_NONE)
        write_grammar_line(writer, "<empty/>");
    close_tag(writer, "element");
    close_tag(writer, "define");
}

/* ---- grammars ---- */

static const enum wcts_load_element_id spec_roots[] = {
    WCTS_EL_SPEC,     WCTS_EL_VERSIONS,  WCTS_EL_ERRATA, WCTS_EL_GAPS,
    WCTS_EL_FEATURES, WCTS_EL_INTERFACE, WCTS_EL_CASES,  WCTS_EL_NONE};
static const enum wcts_load_element_id baseline_roots[] = {WCTS_EL_BASELINE, WCTS_EL_NONE};

static const enum wcts_load_element_id profile_roots[] = {WCTS_EL_PROFILE, WCTS_EL_NONE};
static const enum wcts_load_element_id declaration_roots[] = {WCTS_EL_DECLARATION, WCTS_EL_NONE};
static const enum wcts_load_element_id trace_roots[] = {WCTS_EL_TRACE, WCTS_EL_NONE};

static const struct {
    const enum wcts_load_element_id *roots;
    const char *about; /* a comment of whole lines */
} grammars[] = {
    [WCTS_GRAMMAR_SPEC] = {spec_roots,
                           "<!-- The documents of spec/ and cases/, for editors; docs/rules.md "
                           "explains them. Written from the\n"
                           "     tables in runner/load/elements.c: change those. -->"},
    [WCTS_GRAMMAR_BASELINE] = {baseline_roots,
                               "<!-- Baselines, for editors; docs/baselines.md explains them. "
                               "Written from the tables in\n"
                               "     runner/load/elements.c: change those. -->"},
    [WCTS_GRAMMAR_PROFILE] = {profile_roots,
                              "<!-- Profiles, for editors; docs/profiles.md explains them. "
                              "Written from the tables in\n"
                              "     runner/load/elements.c: change those. -->"},
    [WCTS_GRAMMAR_DECLARATION] = {declaration_roots,
                                  "<!-- Declarations, for editors; docs/claims.md explains them. "
                                  "Written from the tables in\n"
                                  "     runner/load/elements.c: change those. -->"},
    [WCTS_GRAMMAR_TRACE] = {trace_roots,
                            "<!-- What the events of traces say, for editors; docs/recordings.md "
                            "explains them. Written from\n"
                            "     the tables in runner/load/elements.c: change those. -->"},
};

/* Marks an element and all that it may contain. */
static void reach(bool *reached, enum wcts_load_element_id element)
{
    const struct wcts_load_child_row *row = wcts_elements[element].children;
    if (reached[element])
        return;
    reached[element] = true;
    for (; row != NULL && row->element != WCTS_EL_NONE; row++)
        reach(reached, row->element);
}

static void write_start(struct load_writer *writer, const enum wcts_load_element_id *roots)
{
    bool several = roots[1] != WCTS_EL_NONE;
    open_tag(writer, "start");
    if (several)
        open_tag(writer, "choice");
    for (; *roots != WCTS_EL_NONE; roots++)
        write_grammar_line(writer, "<ref name=\"%s\"/>", wcts_elements[*roots].name);
    if (several)
        close_tag(writer, "choice");
    close_tag(writer, "start");
}

void wcts_load_grammar_write(FILE *out, enum wcts_load_grammar grammar)
{
    struct load_writer writer = {out, 0};
    bool reached[WCTS_EL_COUNT_OF] = {false};
    for (const enum wcts_load_element_id *root = grammars[grammar].roots; *root != WCTS_EL_NONE;
         root++)
        reach(reached, *root);
    write_grammar_line(&writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    write_grammar_line(&writer, "<!-- SPDX-License-Identifier: MIT -->");
    write_grammar_line(&writer, "%s", grammars[grammar].about);
    write_grammar_line(&writer, "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\"");
    write_grammar_line(&writer,
                       "         datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">");
    writer.depth++;
    write_start(&writer, grammars[grammar].roots);
    for (int i = WCTS_EL_NONE + 1; i < WCTS_EL_COUNT_OF; i++)
        if (reached[i])
            write_define(&writer, &wcts_elements[i]);
    close_tag(&writer, "grammar");
}
