/* SPDX-License-Identifier: MIT */
/*
 * wcts_load_spec_load: the passes over the files of a spec. First xml.c checks each file by itself;
 * if all are right, the passes turn names into indices. A name may be used before it is declared,
 * and in another file.
 */
#include "load.h"
#include "../lang/expr.h"
#include "files.h"
#include "spec_files.h"

/* ---- passes ---- */

/* Each pass needs only names of the passes before it. */
static void (*const passes[])(struct wcts_loader *loader) = {
    wcts_load_versions,       wcts_load_documents,  wcts_load_words,  wcts_load_structures,
    wcts_load_attached_words, wcts_load_messages,   wcts_load_errata, wcts_load_statements,
    wcts_load_features,       wcts_load_tables,     wcts_load_rules,  wcts_load_opens,
    wcts_load_gaps,           wcts_load_procedures, wcts_load_cases,  wcts_load_scenarios,
    wcts_load_expressions,
};

/* True if all that a document has is scenarios, each a test of its own and no part of walks. */
static bool has_scenarios_alone(const struct wcts_load_node *root)
{
    const struct wcts_load_node *child = root->first;
    while (child != NULL && child->kind == WCTS_EL_SCENARIO && !wcts_load_yes(child, "moves"))
        child = child->next;
    return root->kind == WCTS_EL_CASES && child == NULL;
}

/* extra: how many of them, the last ones, are beside the directories. */
static void read_files(struct wcts_loader *loader, const struct wcts_load_files *files, int extra)
{
    struct wcts_digest digest, shared;
    const struct wcts_load_xml_source xml = {loader->arena, loader->diagnostics, &digest};
    bool alone = true;
    int scenarios = 0;
    wcts_digest_init(&digest);
    shared = digest;
    WCTS_LOAD_ARRAY(loader, loader->roots, files->count);
    for (int i = 0; i < files->count; i++) {
        struct wcts_load_node *node =
            wcts_load_xml_read(&xml, files->of[i].path, files->of[i].roots);
        if (node == NULL)
            continue;
        loader->roots[loader->root_count++].node = node;
        if (i < files->count - extra) {
            shared = digest;
            scenarios += wcts_load_node_count(node, WCTS_EL_SCENARIO);
        } else {
            alone = alone && has_scenarios_alone(node);
        }
    }
    if (!alone) {
        shared = digest;
        scenarios = wcts_load_count_elements(loader, WCTS_EL_SCENARIO);
    }
    loader->spec->shared_scenarios = scenarios;
    wcts_digest_end(&shared, loader->spec->shared_digest);
    wcts_digest_end(&digest, loader->spec->digest);
}

struct wcts_spec *wcts_load_files(struct wcts_load_files *files, const struct wcts_load_from *from,
                                  struct wcts_diagnostics *diagnostics)
{
    struct wcts_arena *arena = files->arena;
    struct wcts_spec *spec = wcts_arena_alloc(arena, sizeof(*spec));
    struct wcts_cases *cases = wcts_arena_alloc(arena, sizeof(*cases));
    struct wcts_loader loader = {
        .spec = spec, .cases = cases, .arena = arena, .diagnostics = diagnostics, .scenario = -1};
    int errors = diagnostics->errors;
    spec->arena = arena;
    spec->cases = cases;
    spec->exprs = wcts_arena_alloc(arena, sizeof(*spec->exprs));
    wcts_lang_exprs_init(spec->exprs);
    /* What is missing keeps nobody from hearing what is wrong with the others. */
    wcts_load_files_find(files, from->spec_dir, from->cases_dir, from->extra, from->extra_count,
                         diagnostics);
    read_files(&loader, files, from->extra_count);
    if (diagnostics->errors == errors)
        for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++)
            passes[i](&loader);
    if (diagnostics->errors == errors)
        return spec;
    wcts_lang_exprs_release(spec->exprs);
    return NULL;
}

struct wcts_spec *wcts_load_spec_load(const char *spec_dir, const char *cases_dir,
                                      const char *const *extra, int extra_count,
                                      struct wcts_diagnostics *diagnostics)
{
    struct wcts_load_files files = {.arena = wcts_arena_new()};
    const struct wcts_load_from from = {spec_dir, cases_dir, extra, extra_count};
    struct wcts_spec *spec = wcts_load_files(&files, &from, diagnostics);
    if (spec == NULL)
        wcts_arena_free(files.arena);
    return spec;
}

void wcts_load_spec_free(struct wcts_spec *spec)
{
    if (spec == NULL)
        return;
    wcts_lang_exprs_release(spec->exprs);
    wcts_arena_free(spec->arena);
}
