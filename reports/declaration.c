/* SPDX-License-Identifier: MIT */
#include "declaration.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "../runner/base/path.h"
#include "../runner/base/text.h"
#include "../runner/model/declaration.h"
#include "../runner/model/names.h"
#include "../runner/store/json.h"
#include "xmlout.h"

/* The versions of the spec that a side claims; false: none. */
static bool claimed_versions(const struct wcts_spec *spec, const struct wcts_claims_side *side,
                             int *first, int *last)
{
    *first = *last = -1;
    for (int i = 0; i < spec->versions_count; i++) {
        uint32_t number = spec->versions[i].interface_version;
        if (number < side->first_interface_version || number > side->last_interface_version)
            continue;
        *first = *first < 0 ? i : *first;
        *last = i;
    }
    return *first >= 0;
}

/* The words of a sum of bits, blanks between them; "none" without any. */
static const char *words_of(struct wcts_text *text, const char *const *words, const uint32_t *bits,
                            uint32_t sum)
{
    for (int i = 0; words[i]; i++)
        if (sum & bits[i])
            wcts_text_add(text, "%s%s", text->length ? " " : "", words[i]);
    return text->length ? wcts_text_get(text) : "none";
}

static bool has_feature(const struct wcts_report_run *run, int feature)
{
    struct wcts_report_feature_scope of;
    wcts_report_scope_feature(&run->scope, &run->claims, feature, &of);
    return of.claimed;
}

/* ---- writing ---- */

/* Declarations have one attribute a line only where they are long; xmlTextWriter indents them. */
static void write_declared_words(struct wcts_report_xml *xml, const char *name,
                                 const char *const *words, const uint32_t *bits, uint32_t sum)
{
    WCTS_TEXT(text);
    const char *list = words_of(&text, words, bits, sum);
    if (text.length)
        wcts_report_xml_attribute(xml, name, list);
}

static bool is_kind_before(const struct wcts_claims *claims, uint32_t index, const char *name)
{
    const char *at = claims->kinds;
    for (uint32_t i = 0; i < index; i++, at += strlen(at) + 1)
        if (strcmp(at, name) == 0)
            return true;
    return false;
}

static void write_kinds(struct wcts_report_xml *xml, const struct wcts_claims *claims)
{
    const char *name = claims->kinds;
    for (uint32_t i = 0; i < claims->kind_count; i++, name += strlen(name) + 1) {
        if (is_kind_before(claims, i, name))
            continue;
        wcts_report_xml_start(xml, "kind");
        wcts_report_xml_attribute(xml, "name", name);
        wcts_report_xml_end(xml);
    }
}

static void write_side(struct wcts_report_xml *xml, const struct wcts_report_run *run, bool driver)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_claims *claims = &run->claims;
    const struct wcts_claims_side *side = &claims->of[driver];
    int first, last;
    if (!(claims->sides & wcts_report_scope_side(driver)) ||
        !claimed_versions(spec, side, &first, &last))
        return;
    wcts_report_xml_start(xml, wcts_model_party_name(driver));
    wcts_report_xml_attribute(xml, "first", spec->versions[first].name);
    wcts_report_xml_attribute(xml, "last", spec->versions[last].name);
    if (driver) {
        wcts_report_xml_attribute(xml, "patches", wcts_patches_words[claims->patches]);
        write_declared_words(xml, "paging", wcts_paging_words, wcts_paging_bits, claims->paging);
    } else {
        write_declared_words(xml, "pages", wcts_page_words, wcts_page_bits, claims->page_sizes);
    }
    write_declared_words(xml, "capabilities", wcts_capability_words, wcts_capability_bits,
                         side->capabilities);
    if (driver)
        write_kinds(xml, claims);
    for (int i = 0; i < spec->features_count; i++) {
        if (spec->features[i].driver != driver || !has_feature(run, i))
            continue;
        wcts_report_xml_start(xml, "provides");
        wcts_report_xml_attribute(xml, "name", spec->features[i].name);
        wcts_report_xml_end(xml);
    }
    wcts_report_xml_end(xml);
}

bool wcts_report_declaration_write(FILE *out, const struct wcts_report_run *run)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    struct wcts_report_xml xml = {.writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL};
    bool written = false;
    if (xml.writer) {
        xmlTextWriterSetIndent(xml.writer, 1);
        xmlTextWriterSetIndentString(xml.writer, BAD_CAST "  ");
        xmlTextWriterStartDocument(xml.writer, "1.0", "UTF-8", NULL);
        wcts_report_xml_start(&xml, "declaration");
        wcts_report_xml_attribute(&xml, "name", run->claims.name);
        if (run->claims.version[0])
            wcts_report_xml_attribute(&xml, "version", run->claims.version);
        write_side(&xml, run, false);
        write_side(&xml, run, true);
        wcts_report_xml_end(&xml);
        written = xmlTextWriterEndDocument(xml.writer) >= 0 && !xml.failed;
        xmlFreeTextWriter(xml.writer);
    }
    written = written && fputs((const char *)xmlBufferContent(buffer), out) >= 0;
    xmlBufferFree(buffer);
    return written;
}

/* ---- comparing ---- */

__attribute__((format(printf, 4, 5))) static void add_lacking(struct wcts_report_run *run,
                                                              const struct wcts_place *place,
                                                              const char *found, const char *format,
                                                              ...)
{
    struct wcts_report_undeclared *one = WCTS_ARRAY_ADD(run->lacking, run->lacking_count);
    va_list arguments;
    if (!one)
        return;
    *one = (struct wcts_report_undeclared){.line = place->line, .found = strdup(found)};
    va_start(arguments, format);
    if (vasprintf(&one->expected, format, arguments) < 0)
        one->expected = NULL;
    va_end(arguments);
}

/* One side of a declaration, and what it is compared with. */
struct report_comparison {
    struct wcts_report_run *run;
    const struct wcts_declared_side *side;
    bool driver;
    const char *name; /* "driver" */
};

static void compare_versions(const struct report_comparison *with)
{
    const struct wcts_spec *spec = with->run->plan->spec;
    const struct wcts_declared_side *side = with->side;
    int first, last;
    char found[64] = "no version";
    if (claimed_versions(spec, &with->run->claims.of[with->driver], &first, &last)) {
        if (first <= side->first && last >= side->last)
            return;
        snprintf(found, sizeof found, "WDDM %s to %s", spec->versions[first].name,
                 spec->versions[last].name);
    }
    add_lacking(with->run, &side->place, found, "%s: WDDM %s to %s", with->name,
                spec->versions[side->first].name, spec->versions[side->last].name);
}

/* Each word that is declared has to be found. */
static void compare_words(const struct report_comparison *with, const char *what,
                          const char *const *words, const uint32_t *bits, uint32_t declared,
                          uint32_t found)
{
    WCTS_TEXT(there);
    words_of(&there, words, bits, found);
    for (int i = 0; words[i]; i++)
        if (declared & bits[i] & ~found)
            add_lacking(with->run, &with->side->place,
                        there.length ? wcts_text_get(&there) : "none", "%s: %s %s", with->name,
                        what, words[i]);
}

static void compare_kinds(const struct report_comparison *with)
{
    const struct wcts_claims *claims = &with->run->claims;
    WCTS_TEXT(found);
    const char *name = claims->kinds;
    wcts_text_add(&found, "%s", claims->kind_count ? "the kinds" : "no kind");
    for (uint32_t i = 0; i < claims->kind_count; i++, name += strlen(name) + 1)
        wcts_text_add(&found, "%s %s", i ? "," : "", name);
    for (int i = 0; i < with->side->kind_count; i++)
        if (!is_kind_before(claims, claims->kind_count, with->side->kinds[i].name))
            add_lacking(with->run, &with->side->kinds[i].place, wcts_text_get(&found),
                        "%s: kind \"%s\"", with->name, with->side->kinds[i].name);
}

/* An operation of the feature that was answered as missing; NULL: none was. */
static const char *missing_of(const struct wcts_report_scope *scope,
                              const struct wcts_feature *feature)
{
    for (int i = 0; i < feature->operation_count; i++) {
        const struct wcts_message *message = &scope->spec->messages[feature->operations[i]];
        if (scope->unsupported[__builtin_ctzll(wcts_model_operation_bit(message->operation))])
            return message->name;
    }
    return NULL;
}

/* A feature is not there if its operation is missing, or if a whole run never saw one. */
static void compare_features(const struct report_comparison *with)
{
    struct wcts_report_run *run = with->run;
    bool whole =
        run->end == WCTS_POOL_DONE && !run->narrowed && run->total.count == run->selected_count;
    for (int i = 0; i < with->side->feature_count; i++) {
        const struct wcts_declared_name *one = &with->side->features[i];
        const struct wcts_feature *feature = &run->plan->spec->features[one->feature];
        const char *missing = missing_of(&run->scope, feature);
        char found[128] = "no operation of it";
        if (has_feature(run, one->feature) || (!missing && !whole))
            continue;
        if (missing)
            snprintf(found, sizeof found, "%s is not implemented", missing);
        add_lacking(run, &one->place, found, "%s: feature %s", with->name, one->name);
    }
}

static void compare_side(const struct report_comparison *with)
{
    const struct wcts_claims *claims = &with->run->claims;
    const struct wcts_declared_side *side = with->side;
    if (!(claims->sides & wcts_report_scope_side(with->driver))) {
        add_lacking(with->run, &side->place, "no such side", "a %s side", with->name);
        return;
    }
    compare_versions(with);
    compare_words(with, "capability", wcts_capability_words, wcts_capability_bits,
                  side->capabilities, claims->of[with->driver].capabilities);
    compare_words(with, "host pages of", wcts_page_words, wcts_page_bits, side->pages,
                  claims->page_sizes);
    if (with->driver && side->patches >= 0 && claims->patches != (uint32_t)side->patches)
        add_lacking(with->run, &side->place, wcts_patches_words[claims->patches], "%s: patches %s",
                    with->name, wcts_patches_words[side->patches]);
    compare_words(with, "paging", wcts_paging_words, wcts_paging_bits, side->paging,
                  claims->paging);
    compare_kinds(with);
    compare_features(with);
}

void wcts_report_declaration_compare(struct wcts_report_run *run)
{
    const struct wcts_declaration *declaration = run->asked.declaration;
    if (!declaration)
        return;
    wcts_report_declaration_release(run);
    run->declaration_path = strdup(declaration->path);
    if (run->claims.sides == 0)
        return; /* it was not loaded */
    if (declaration->name && strcmp(declaration->name, run->claims.name) != 0)
        add_lacking(run, &declaration->place, run->claims.name, "the name %s", declaration->name);
    for (int i = 0; i < 2; i++) {
        const struct report_comparison with = {run, &declaration->sides[i], i == 1,
                                               wcts_model_party_name(i == 1)};
        uint32_t asked = run->asked.sides ? run->asked.sides : ~0u;
        if (with.side->there && (asked & wcts_report_scope_side(with.driver)))
            compare_side(&with);
    }
}

/* ---- in run.json, and in words ---- */

json_t *wcts_report_declaration_json(const struct wcts_report_run *run)
{
    json_t *list;
    if (!run->declaration_path)
        return NULL;
    list = json_array();
    for (int i = 0; i < run->lacking_count; i++)
        json_array_append_new(list,
                              json_pack("{s:I, s:o, s:o}", "line", (json_int_t)run->lacking[i].line,
                                        "expected", wcts_store_json_text(run->lacking[i].expected),
                                        "found", wcts_store_json_text(run->lacking[i].found)));
    return json_pack("{s:o, s:o}", "file", wcts_store_json_path(run->declaration_path), "lacking",
                     list);
}

bool wcts_report_declaration_read(struct wcts_report_run *run, const json_t *value)
{
    const json_t *one;
    size_t i;
    wcts_report_declaration_release(run);
    if (!json_is_object(value))
        return true;
    run->declaration_path = strdup(wcts_store_json_member(value, "file"));
    json_array_foreach(json_object_get(value, "lacking"), i, one)
    {
        const struct wcts_place place = {
            .line = (long)json_integer_value(json_object_get(one, "line"))};
        add_lacking(run, &place, wcts_store_json_member(one, "found"), "%s",
                    wcts_store_json_member(one, "expected"));
    }
    return run->declaration_path != NULL;
}

char *wcts_report_declaration_line(const struct wcts_report_run *run, int index)
{
    const struct wcts_report_undeclared *one = &run->lacking[index];
    char *line = NULL, buffer[WCTS_PATH_ROOM];
    if (asprintf(&line, "%s:%ld: declared %s, found %s",
                 wcts_path_shown(run->declaration_path, buffer, sizeof buffer), one->line,
                 one->expected, one->found) < 0)
        return NULL;
    for (char *at = line; (at = strpbrk(at, "\r\n\t")) != NULL;)
        *at = ' ';
    return wcts_text_clean(line);
}

void wcts_report_declaration_release(struct wcts_report_run *run)
{
    for (int i = 0; i < run->lacking_count; i++) {
        free(run->lacking[i].expected);
        free(run->lacking[i].found);
    }
    free(run->lacking);
    free(run->declaration_path);
    run->lacking = NULL;
    run->declaration_path = NULL;
    run->lacking_count = 0;
}
