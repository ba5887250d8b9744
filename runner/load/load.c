/* SPDX-License-Identifier: MIT */
/*
 * wcts_load_spec_load: the files, the order in which they are read, and the passes over them. First
 * xml.c checks each file by itself; if all are right, the passes turn names into indices. A name
 * may be used before it is declared, and in another file.
 */
#include "load.h"
#include "../lang/expr.h"
#include "spec_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most documents of one spec. */
#define ROOT_LIMIT 256

/* Files of spec_dir that are read first, each with its own kind of root. */
static const struct {
    const char *name;
    enum wcts_load_element_id root;
    bool optional;
} first_files[] = {
    {"versions.xml", WCTS_EL_VERSIONS, false}, {"interface.xml", WCTS_EL_INTERFACE, false},
    {"errata.xml", WCTS_EL_ERRATA, false},     {"features.xml", WCTS_EL_FEATURES, true},
    {"open.xml", WCTS_EL_GAPS, true},
};
#define BASE_FILE "base.xml"
#define FIRST_FILES (sizeof(first_files) / sizeof(first_files[0]))

static const enum wcts_load_element_id spec_roots[] = {WCTS_EL_SPEC, WCTS_EL_NONE};
static const enum wcts_load_element_id cases_roots[] = {WCTS_EL_CASES, WCTS_EL_NONE};
static const enum wcts_load_element_id extra_roots[] = {
    WCTS_EL_SPEC, WCTS_EL_VERSIONS, WCTS_EL_INTERFACE, WCTS_EL_ERRATA,
    WCTS_EL_GAPS, WCTS_EL_FEATURES, WCTS_EL_CASES,     WCTS_EL_NONE};

/* ---- files ---- */

struct load_file_reading {
    struct wcts_loader *loader;
    struct wcts_load_xml_source xml;
};

static void read_file(struct load_file_reading *reading, const char *path,
                      const enum wcts_load_element_id *roots)
{
    struct wcts_loader *loader = reading->loader;
    struct wcts_place place = {path, 0, NULL};
    struct wcts_load_node *node;
    if (loader->root_count == ROOT_LIMIT) {
        wcts_error_at(loader->diagnostics, &place, "is one file too many, expected at most %d",
                      ROOT_LIMIT);
        return;
    }
    node = wcts_load_xml_read(&reading->xml, path, roots);
    if (node != NULL)
        loader->roots[loader->root_count++].node = node;
}

static const char *join(struct wcts_arena *arena, const char *directory, const char *name)
{
    return wcts_arena_format(arena, "%s/%s", directory, name);
}

/* Documents: *.xml without hidden files and those that are read first. */
static int is_document(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    for (size_t i = 0; i < FIRST_FILES; i++)
        if (strcmp(entry->d_name, first_files[i].name) == 0)
            return 0;
    return entry->d_name[0] != '.' && length > 4 &&
           strcmp(entry->d_name + length - 4, ".xml") == 0 && strcmp(entry->d_name, BASE_FILE) != 0;
}

/* By bytes, so that the order is the same everywhere. */
static int by_file_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_documents(struct load_file_reading *reading, const char *directory,
                           const enum wcts_load_element_id *roots)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_document, by_file_name);
    for (int i = 0; i < count; i++) {
        read_file(reading, join(reading->loader->arena, directory, entries[i]->d_name), roots);
        free(entries[i]);
    }
    free(entries);
}

static void read_spec(struct load_file_reading *reading, const char *directory)
{
    struct wcts_loader *loader = reading->loader;
    if (access(join(loader->arena, directory, "."), R_OK | X_OK) != 0) {
        struct wcts_place place = {directory, 0, NULL};
        wcts_error_at(loader->diagnostics, &place, "cannot be read: %s", strerror(errno));
        return;
    }
    for (size_t i = 0; i < FIRST_FILES; i++) {
        const enum wcts_load_element_id roots[] = {first_files[i].root, WCTS_EL_NONE};
        const char *path = join(loader->arena, directory, first_files[i].name);
        if (!first_files[i].optional || access(path, F_OK) == 0)
            read_file(reading, path, roots);
    }
    read_documents(reading, directory, spec_roots);
}

/* ---- passes ---- */

/* Each pass needs only names of the passes before it. */
static void (*const passes[])(struct wcts_loader *loader) = {
    wcts_load_versions,       wcts_load_documents,  wcts_load_words,  wcts_load_structures,
    wcts_load_attached_words, wcts_load_messages,   wcts_load_errata, wcts_load_statements,
    wcts_load_features,       wcts_load_tables,     wcts_load_rules,  wcts_load_opens,
    wcts_load_gaps,           wcts_load_procedures, wcts_load_cases,  wcts_load_scenarios,
    wcts_load_expressions,
};

static void read_files(struct wcts_loader *loader, const char *spec_dir, const char *cases_dir,
                       const char *const *extra, int extra_count)
{
    struct wcts_digest digest;
    struct load_file_reading reading = {loader, {loader->arena, loader->diagnostics, &digest}};
    wcts_digest_init(&digest);
    read_spec(&reading, spec_dir);
    read_file(&reading, join(loader->arena, cases_dir, BASE_FILE), cases_roots);
    read_documents(&reading, cases_dir, cases_roots);
    for (int i = 0; i < extra_count; i++)
        read_file(&reading, extra[i], extra_roots);
    wcts_digest_end(&digest, loader->spec->digest);
}

struct wcts_spec *wcts_load_spec_load(const char *spec_dir, const char *cases_dir,
                                      const char *const *extra, int extra_count,
                                      struct wcts_diagnostics *diagnostics)
{
    struct wcts_arena *arena = wcts_arena_new();
    struct wcts_spec *spec = wcts_arena_alloc(arena, sizeof(*spec));
    struct wcts_cases *cases = wcts_arena_alloc(arena, sizeof(*cases));
    struct wcts_loader loader = {
        .spec = spec, .cases = cases, .arena = arena, .diagnostics = diagnostics, .scenario = -1};
    int errors = diagnostics->errors;
    spec->arena = arena;
    spec->cases = cases;
    spec->exprs = wcts_arena_alloc(arena, sizeof(*spec->exprs));
    wcts_lang_exprs_init(spec->exprs);
    loader.roots = wcts_arena_array(arena, ROOT_LIMIT, sizeof(*loader.roots));
    read_files(&loader, spec_dir, cases_dir, extra, extra_count);
    if (diagnostics->errors == errors)
        for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++)
            passes[i](&loader);
    if (diagnostics->errors == errors)
        return spec;
    wcts_load_spec_free(spec);
    return NULL;
}

void wcts_load_spec_free(struct wcts_spec *spec)
{
    if (spec == NULL)
        return;
    wcts_lang_exprs_release(spec->exprs);
    wcts_arena_free(spec->arena);
}
