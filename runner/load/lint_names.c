/* SPDX-License-Identifier: MIT */
/* Duplicate names, documents, errata. */
#include <string.h>

#include "../base/map.h"
#include "../base/text.h"
#include "kinds.h"
#include "lint.h"

/* ---- duplicate names ---- */

/* An array whose elements have a name and a place at these offsets. */
struct load_name_list {
    const char *what;
    const void *elements;
    int count;
    size_t size;
    size_t name_at, place_at;
};

#define NAME_LIST(what, elements, count, name)                                                     \
    {                                                                                              \
        what, elements, count, sizeof(*(elements)), offsetof(__typeof__(*(elements)), name),       \
            offsetof(__typeof__(*(elements)), place)                                               \
    }

static const char *listed_name(const struct load_name_list *list, int index)
{
    const char *element = (const char *)list->elements + (size_t)index * list->size;
    return *(const char *const *)(const void *)(element + list->name_at);
}

static const struct wcts_place *place_in(const struct load_name_list *list, int index)
{
    const char *element = (const char *)list->elements + (size_t)index * list->size;
    return (const struct wcts_place *)(const void *)(element + list->place_at);
}

static void lint_names(const struct wcts_load_lint *lint, const struct load_name_list *list)
{
    struct wcts_map firsts = {0};
    for (int i = 0; i < list->count; i++) {
        const char *name = listed_name(list, i);
        int first = wcts_map_get(&firsts, name, -1);
        if (first < 0)
            wcts_map_add(&firsts, name, i);
        else
            wcts_error_at(lint->diagnostics, place_in(list, i),
                          "second %s \"%s\", expected one; the first is at %s:%ld", list->what,
                          name, place_in(list, first)->file, place_in(list, first)->line);
    }
    wcts_map_release(&firsts);
}

static void lint_inner_names(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int i = 0; i < spec->words_count; i++) {
        const struct wcts_word *word = &spec->words[i];
        const struct load_name_list flags = NAME_LIST("flag", word->flags, word->flag_count, name);
        lint_names(lint, &flags);
    }
    for (int i = 0; i < spec->structures_count; i++) {
        const struct wcts_structure *structure = &spec->structures[i];
        const struct load_name_list members =
            NAME_LIST("member", structure->members, structure->member_count, name);
        lint_names(lint, &members);
    }
}

/* Instances without a name of their own have the name of their structure, which may repeat. */
static void lint_instances(const struct wcts_load_lint *lint, const struct wcts_instance *instances,
                           int count)
{
    for (int i = 1; i < count; i++)
        for (int j = 0; j < i; j++) {
            const char *own = lint->spec->structures[instances[i].structure].name;
            if (strcmp(instances[i].name, own) == 0 ||
                strcmp(instances[i].name, instances[j].name) != 0)
                continue;
            wcts_error_at(lint->diagnostics, &instances[i].place,
                          "second instance \"%s\", expected one", instances[i].name);
            break;
        }
}

/* The symbols of one scenario. */
static void lint_own_symbols(const struct wcts_load_lint *lint)
{
    const struct wcts_cases *cases = lint->spec->cases;
    for (int first = cases->common_symbols; first < cases->symbols_count;) {
        const struct wcts_symbol *symbols = &cases->symbols[first];
        int count = 1;
        while (first + count < cases->symbols_count && symbols[count].scenario == symbols->scenario)
            count++;
        const struct load_name_list list = NAME_LIST("symbol", symbols, count, name);
        lint_names(lint, &list);
        first += count;
    }
}

void wcts_load_lint_names(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_cases *cases = spec->cases;
    const struct load_name_list lists[] = {
        NAME_LIST("version", spec->versions, spec->versions_count, name),
        NAME_LIST("version id", spec->versions, spec->versions_count, id),
        NAME_LIST("document", spec->documents, spec->documents_count, number),
        NAME_LIST("prefix", spec->documents, spec->documents_count, prefix),
        NAME_LIST("statement", spec->statements, spec->statements_count, id),
        NAME_LIST("rule", spec->rules, spec->rules_count, id),
        NAME_LIST("word", spec->words, spec->words_count, name),
        NAME_LIST("structure", spec->structures, spec->structures_count, name),
        NAME_LIST("table", spec->tables, spec->tables_count, name),
        NAME_LIST("erratum", spec->errata, spec->errata_count, id),
        NAME_LIST("gap", spec->gaps, spec->gaps_count, name),
        NAME_LIST("feature", spec->features, spec->features_count, name),
        NAME_LIST("message", spec->messages, spec->messages_count, name),
        NAME_LIST("step", cases->steps, cases->common_steps, name),
        NAME_LIST("symbol", cases->symbols, cases->common_symbols, name),
        NAME_LIST("adapter", cases->adapters, cases->adapters_count, name),
        NAME_LIST("base", cases->bases, cases->bases_count, name),
        NAME_LIST("state", cases->states, cases->states_count, name),
        NAME_LIST("procedure", cases->procedures, cases->procedures_count, name),
        NAME_LIST("scenario", cases->scenarios, cases->scenarios_count, name),
    };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        lint_names(lint, &lists[i]);
    lint_inner_names(lint);
    lint_own_symbols(lint);
    for (int i = 0; i < cases->steps_count; i++)
        lint_instances(lint, cases->steps[i].instances, cases->steps[i].instance_count);
    for (int i = 0; i < cases->adapters_count; i++)
        lint_instances(lint, cases->adapters[i].instances, cases->adapters[i].instance_count);
}

/* ---- documents and errata ---- */

static void lint_errata(const struct wcts_load_lint *lint, const struct wcts_place *place,
                        const char *list)
{
    const struct wcts_spec *spec = lint->spec;
    const char *piece;
    size_t length;
    while (list != NULL && (length = wcts_next_piece(&list, &piece)) > 0) {
        bool known = false;
        for (int i = 0; i < spec->errata_count && !known; i++)
            known = wcts_is_piece(spec->errata[i].id, piece, length);
        if (!known)
            wcts_error_at(lint->diagnostics, place,
                          "unknown erratum \"%.*s\", expected one of errata.xml", (int)length,
                          piece);
    }
}

static void lint_erratum_documents(const struct wcts_load_lint *lint,
                                   const struct wcts_erratum *erratum)
{
    const struct wcts_spec *spec = lint->spec;
    const char *list = erratum->document, *piece;
    size_t length;
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        bool known = wcts_is_piece("all", piece, length);
        for (int i = 0; i < spec->documents_count && !known; i++)
            known = wcts_is_piece(spec->documents[i].number, piece, length);
        if (!known)
            wcts_error_at(lint->diagnostics, &erratum->place,
                          "erratum \"%s\" is about document \"%.*s\", expected the number of one, "
                          "or all",
                          erratum->id, (int)length, piece);
    }
}

void wcts_load_lint_documents(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int i = 1; i < spec->versions_count; i++)
        if (spec->versions[i].interface_version <= spec->versions[i - 1].interface_version)
            wcts_error_at(
                lint->diagnostics, &spec->versions[i].place,
                "version \"%s\" has an interface number that is not above that of \"%s\", "
                "expected versions in order",
                spec->versions[i].name, spec->versions[i - 1].name);
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *statement = &spec->statements[i];
        const char *prefix = spec->documents[statement->document].prefix;
        size_t length = strlen(prefix);
        if (strncmp(statement->id, prefix, length) != 0 || statement->id[length] != '-')
            wcts_error_at(
                lint->diagnostics, &statement->place,
                "statement \"%s\" of document %s, expected an id that begins with \"%s-\"",
                statement->id, spec->documents[statement->document].number, prefix);
        lint_errata(lint, &statement->place, statement->errata);
    }
    for (int i = 0; i < spec->opens_count; i++)
        lint_errata(lint, &spec->opens[i].place, spec->opens[i].errata);
    for (int i = 0; i < spec->errata_count; i++)
        lint_erratum_documents(lint, &spec->errata[i]);
    for (int i = 0; i < spec->errata_count; i++)
        if (!wcts_model_erratum_chooses(&spec->errata[i]))
            wcts_error_at(lint->diagnostics, &spec->errata[i].place,
                          "erratum \"%s\" chooses \"%s\", expected the letters of its readings, "
                          "\"(a) ...; (b) ...\", or neither",
                          spec->errata[i].id, spec->errata[i].choice);
}
