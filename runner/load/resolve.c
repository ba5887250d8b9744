/* SPDX-License-Identifier: MIT */
/* From names to indices. */
#include "../base/text.h"
#include "load.h"

#include <string.h>

void wcts_load_report_unknown(struct wcts_loader *loader, struct wcts_load_use use,
                              const char *what, const struct wcts_near *near, const char *owner)
{
    char hint[128];
    wcts_error_at(loader->diagnostics, &use.node->place,
                  "attribute \"%s\" of <%s>: unknown %s \"%.*s\"%s%s%s", use.attribute,
                  wcts_load_node_element(use.node)->name, what, (int)near->length, near->name,
                  owner == NULL ? "" : " of ", owner == NULL ? "" : owner,
                  wcts_model_near_text(near, hint, sizeof(hint)));
}

/* An array of the spec, whose elements begin with their name (for statements, their id):
 * {"version", spec->versions, spec->versions_count, sizeof *spec->versions}. */
struct load_named_array {
    const char *what;
    const void *elements;
    int count;
    size_t size;
};

static const char *name_at(const struct load_named_array *array, int index)
{
    const char *const *name =
        (const void *)((const char *)array->elements + (size_t)index * array->size);
    return *name;
}

static int find_named(struct wcts_loader *loader, struct wcts_load_use use,
                      const struct load_named_array *array, const char *text, size_t length)
{
    struct wcts_near near = wcts_model_near_start(text, length);
    for (int i = 0; i < array->count; i++)
        if (wcts_is_piece(name_at(array, i), text, length))
            return i;
    for (int i = 0; i < array->count; i++)
        wcts_model_near_try(&near, name_at(array, i));
    wcts_load_report_unknown(loader, use, array->what, &near, NULL);
    return -1;
}

#define NAMED(what, owner, name)                                                                   \
    {                                                                                              \
        what, (owner)->name, (owner)->name##_count, sizeof(*(owner)->name)                         \
    }

/* A function for a whole attribute. */
#define USER(thing)                                                                                \
    int wcts_load_use_##thing(struct wcts_loader *loader, const struct wcts_load_node *node,       \
                              const char *attribute, int fallback)                                 \
    {                                                                                              \
        const char *value = wcts_load_node_value(node, attribute);                                 \
        struct wcts_load_use use = {node, attribute};                                              \
        return value == NULL ? fallback : wcts_find_##thing(loader, use, value, strlen(value));    \
    }

/* One that finds a name in an array of the spec, and one for a whole attribute. */
#define FINDER(thing, what, owner, array)                                                          \
    int wcts_find_##thing(struct wcts_loader *loader, struct wcts_load_use use, const char *text,  \
                          size_t length)                                                           \
    {                                                                                              \
        const struct load_named_array names = NAMED(what, owner, array);                           \
        return find_named(loader, use, &names, text, length);                                      \
    }                                                                                              \
    USER(thing)

FINDER(version, "version", loader->spec, versions)
FINDER(word, "word", loader->spec, words)
FINDER(message, "operation", loader->spec, messages)
FINDER(statement, "statement", loader->spec, statements)
FINDER(adapter, "adapter", loader->cases, adapters)

/* The structure of the request of the operation with this name, or NULL. */
static const char *request_of(const struct wcts_spec *spec, const char *text, size_t length)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (wcts_is_piece(spec->messages[i].name, text, length) && spec->messages[i].request >= 0)
            return spec->structures[spec->messages[i].request].name;
    return NULL;
}

int wcts_find_structure(struct wcts_loader *loader, struct wcts_load_use use, const char *text,
                        size_t length)
{
    const struct wcts_spec *spec = loader->spec;
    const struct load_named_array names = NAMED("structure", spec, structures);
    const char *request = request_of(spec, text, length);
    for (int i = 0; i < names.count && request != NULL; i++)
        if (wcts_is_piece(name_at(&names, i), text, length))
            return i;
    if (request == NULL)
        return find_named(loader, use, &names, text, length);
    wcts_error_at(loader->diagnostics, &use.node->place,
                  "attribute \"%s\" of <%s>: \"%.*s\" is an operation, expected a structure, such "
                  "as that of its request, %s",
                  use.attribute, wcts_load_node_element(use.node)->name, (int)length, text,
                  request);
    return -1;
}

USER(structure)

/* The steps of base.xml: calls of scenarios are steps without a name. */
int wcts_find_step(struct wcts_loader *loader, struct wcts_load_use use, const char *text,
                   size_t length)
{
    const struct wcts_cases *cases = loader->cases;
    const struct load_named_array names = {
        "step", cases->steps, loader->scenario < 0 ? cases->steps_count : cases->common_steps,
        sizeof(*cases->steps)};
    return find_named(loader, use, &names, text, length);
}

USER(step)

static bool is_in_scope(const struct wcts_loader *loader, const struct wcts_symbol *symbol)
{
    return symbol->scenario < 0 || symbol->scenario == loader->scenario;
}

/* The symbols of the scenario, which come last, hide the common ones; of two that it has by one
   name the later counts. */
static int look_up_symbol(const struct wcts_loader *loader, const char *text, size_t length)
{
    const struct wcts_symbol *symbols = loader->cases->symbols;
    int count = loader->cases->symbols_count;
    for (int i = count - 1; i >= 0 && symbols[i].scenario >= 0 && is_in_scope(loader, &symbols[i]);
         i--)
        if (wcts_is_piece(symbols[i].name, text, length))
            return i;
    for (int i = 0; i < count && symbols[i].scenario < 0; i++)
        if (wcts_is_piece(symbols[i].name, text, length))
            return i;
    return -1;
}

int wcts_find_symbol(struct wcts_loader *loader, struct wcts_load_use use, const char *text,
                     size_t length)
{
    const struct wcts_cases *cases = loader->cases;
    int found = look_up_symbol(loader, text, length);
    if (found >= 0)
        return found;
    struct wcts_near near = wcts_model_near_start(text, length);
    for (int i = 0; i < cases->symbols_count; i++)
        if (is_in_scope(loader, &cases->symbols[i]))
            wcts_model_near_try(&near, cases->symbols[i].name);
    wcts_load_report_unknown(loader, use, "symbol", &near, NULL);
    return -1;
}

USER(symbol)

int *wcts_load_use_list(struct wcts_loader *loader, const struct wcts_load_node *node,
                        const char *attribute, wcts_find_fn *find, int *count)
{
    const char *list = wcts_load_node_value(node, attribute), *piece;
    struct wcts_load_use use = {node, attribute};
    size_t length;
    int *indices;
    *count = 0;
    if (list == NULL)
        return NULL;
    WCTS_LOAD_ARRAY(loader, indices, wcts_load_count_pieces(list));
    while ((length = wcts_next_piece(&list, &piece)) > 0)
        indices[(*count)++] = find(loader, use, piece, length);
    return indices;
}

/* ---- references ---- */

struct load_ref_part {
    const char *text;
    size_t length;
};

static int split(const char *text, size_t length, struct load_ref_part parts[3])
{
    int count = 0;
    size_t at = 0;
    while (count < 3 && at <= length) {
        const char *dot = memchr(text + at, '.', length - at);
        size_t end = dot == NULL ? length : (size_t)(dot - text);
        parts[count].text = text + at;
        parts[count++].length = end - at;
        at = end + 1;
    }
    return count;
}

static int member_named(const struct wcts_structure *structure, struct load_ref_part part)
{
    for (int i = 0; i < structure->member_count; i++)
        if (wcts_is_piece(structure->members[i].name, part.text, part.length))
            return i;
    return -1;
}

static int find_member(struct wcts_loader *loader, struct wcts_load_use use, int structure,
                       struct load_ref_part part)
{
    const struct wcts_structure *owner = &loader->spec->structures[structure];
    struct wcts_near near = wcts_model_near_start(part.text, part.length);
    int found = member_named(owner, part);
    if (found >= 0)
        return found;
    for (int i = 0; i < owner->member_count; i++)
        wcts_model_near_try(&near, owner->members[i].name);
    wcts_load_report_unknown(loader, use, "member", &near, owner->name);
    return -1;
}

static int find_flag(struct wcts_loader *loader, struct wcts_load_use use,
                     const struct wcts_member *member, struct load_ref_part part)
{
    const struct wcts_word *word;
    struct wcts_near near = wcts_model_near_start(part.text, part.length);
    if (member->word == WCTS_WORD_UNKNOWN)
        return -1;
    if (member->word < 0) {
        wcts_error_at(loader->diagnostics, &use.node->place,
                      "attribute \"%s\" of <%s>: member \"%s\" has no word, so no flag \"%.*s\"",
                      use.attribute, wcts_load_node_element(use.node)->name, member->name,
                      (int)part.length, part.text);
        return -1;
    }
    word = &loader->spec->words[member->word];
    for (int i = 0; i < word->flag_count; i++)
        if (wcts_is_piece(word->flags[i].name, part.text, part.length))
            return i;
    for (int i = 0; i < word->flag_count; i++)
        wcts_model_near_try(&near, word->flags[i].name);
    wcts_load_report_unknown(loader, use, "flag", &near, word->name);
    return -1;
}

/* The structure at the front of a reference of count parts: parts[0], or on when that is a member
 * of on; *used is how many parts it took. -1, reported: none. */
static int find_front(struct wcts_loader *loader, struct wcts_load_use use,
                      const struct load_ref_part *parts, int count, int on, int *used)
{
    const struct wcts_spec *spec = loader->spec;
    struct wcts_near near = wcts_model_near_start(parts[0].text, parts[0].length);
    const struct wcts_structure *owner = on < 0 ? NULL : &spec->structures[on];
    *used = 0;
    if (owner != NULL && count < 3 && (count == 1 || member_named(owner, parts[0]) >= 0))
        return on;
    *used = 1;
    for (int i = 0; count > 1 && i < spec->structures_count; i++)
        if (wcts_is_piece(spec->structures[i].name, parts[0].text, parts[0].length))
            return i;
    if (count == 1) {
        wcts_error_at(loader->diagnostics, &use.node->place,
                      "attribute \"%s\" of <%s> is \"%.*s\", expected STRUCTURE.member",
                      use.attribute, wcts_load_node_element(use.node)->name, (int)parts[0].length,
                      parts[0].text);
        return -1;
    }
    for (int i = 0; i < spec->structures_count; i++)
        wcts_model_near_try(&near, spec->structures[i].name);
    for (int i = 0; owner != NULL && count == 2 && i < owner->member_count; i++)
        wcts_model_near_try(&near, owner->members[i].name);
    wcts_load_report_unknown(loader, use,
                             owner != NULL && count == 2 ? "member or structure" : "structure",
                             &near, owner != NULL && count == 2 ? owner->name : NULL);
    return -1;
}

static const struct wcts_ref no_ref = {-1, -1, -1};

struct wcts_ref wcts_load_find_ref(struct wcts_loader *loader, struct wcts_load_use use,
                                   const char *text, size_t length, int on)
{
    struct load_ref_part parts[3];
    struct wcts_ref ref = no_ref;
    int count = split(text, length, parts), used, structure;
    structure = find_front(loader, use, parts, count, on, &used);
    if (structure < 0)
        return no_ref;
    ref.member = find_member(loader, use, structure, parts[used]);
    if (ref.member < 0)
        return no_ref;
    if (used + 1 < count) {
        ref.flag = find_flag(loader, use, &loader->spec->structures[structure].members[ref.member],
                             parts[used + 1]);
        if (ref.flag < 0)
            return no_ref;
    }
    ref.structure = structure;
    return ref;
}

struct wcts_ref *wcts_load_use_refs(struct wcts_loader *loader, const struct wcts_load_node *node,
                                    const char *attribute, int on, int *count)
{
    const char *list = wcts_load_node_value(node, attribute), *piece;
    struct wcts_load_use use = {node, attribute};
    struct wcts_ref *refs;
    size_t length;
    *count = 0;
    if (list == NULL)
        return NULL;
    WCTS_LOAD_ARRAY(loader, refs, wcts_load_count_pieces(list));
    while ((length = wcts_next_piece(&list, &piece)) > 0)
        refs[(*count)++] = wcts_load_find_ref(loader, use, piece, length, on);
    return refs;
}

struct wcts_ref wcts_load_use_ref(struct wcts_loader *loader, const struct wcts_load_node *node,
                                  const char *attribute, int on)
{
    const char *value = wcts_load_node_value(node, attribute);
    struct wcts_load_use use = {node, attribute};
    return value == NULL ? no_ref : wcts_load_find_ref(loader, use, value, strlen(value), on);
}

struct wcts_value wcts_load_value(struct wcts_loader *loader, const struct wcts_load_node *node,
                                  const char *attribute, const char *text, size_t length)
{
    struct wcts_load_use use = {node, attribute};
    struct wcts_value value = {.symbol = -1, .number = 0};
    const char *plus = memchr(text, '+', length);
    size_t name = plus == NULL ? length : (size_t)(plus - text);
    if (wcts_load_parse_number(text, length, &value.number))
        return value;
    value.number = 0;
    if (plus != NULL)
        wcts_load_parse_number(plus + 1, length - name - 1, &value.number);
    value.symbol = wcts_find_symbol(loader, use, text, name);
    return value;
}

/* ---- plain attributes ---- */

uint64_t wcts_load_number(const struct wcts_load_node *node, const char *attribute,
                          uint64_t fallback)
{
    const char *value = wcts_load_node_value(node, attribute);
    uint64_t number;
    if (value == NULL || !wcts_load_parse_number(value, strlen(value), &number))
        return fallback;
    return number;
}

int wcts_load_word(const struct wcts_load_node *node, const char *attribute,
                   const char *const *words, int fallback)
{
    const char *value = wcts_load_node_value(node, attribute);
    return value == NULL ? fallback : wcts_model_word_index(words, value, strlen(value));
}

bool wcts_load_yes(const struct wcts_load_node *node, const char *attribute)
{
    const char *value = wcts_load_node_value(node, attribute);
    return value != NULL && strcmp(value, "yes") == 0;
}
