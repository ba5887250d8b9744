/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "xml.h"

#define BASE_FILE "base.xml"

/* Files of the spec's directory that are read first, each with its own kind of root. */
static const struct {
    const char *name;
    enum wcts_load_element_id roots[2];
    bool optional;
} first_files[] = {
    {"versions.xml", {WCTS_EL_VERSIONS, WCTS_EL_NONE}, false},
    {"interface.xml", {WCTS_EL_INTERFACE, WCTS_EL_NONE}, false},
    {"errata.xml", {WCTS_EL_ERRATA, WCTS_EL_NONE}, false},
    {"features.xml", {WCTS_EL_FEATURES, WCTS_EL_NONE}, true},
    {"open.xml", {WCTS_EL_GAPS, WCTS_EL_NONE}, true},
};
#define FIRST_FILES (sizeof(first_files) / sizeof(first_files[0]))

static const enum wcts_load_element_id spec_roots[] = {WCTS_EL_SPEC, WCTS_EL_NONE};
static const enum wcts_load_element_id cases_roots[] = {WCTS_EL_CASES, WCTS_EL_NONE};
static const enum wcts_load_element_id extra_roots[] = {
    WCTS_EL_SPEC, WCTS_EL_VERSIONS, WCTS_EL_INTERFACE, WCTS_EL_ERRATA,
    WCTS_EL_GAPS, WCTS_EL_FEATURES, WCTS_EL_CASES,     WCTS_EL_NONE};

/* A directory NULL: the name is the path. */
static bool add_file(struct wcts_load_files *files, const char *directory, const char *name,
                     const enum wcts_load_element_id *roots, struct wcts_diagnostics *diagnostics)
{
    size_t length = directory == NULL ? 0 : strlen(directory) + 1;
    size_t room = length + strlen(name) + 1;
    char *path =
        wcts_arena_alloc(files->arena, room > WCTS_LOAD_PATH_ROOM ? room : WCTS_LOAD_PATH_ROOM);
    if (directory != NULL)
        sprintf(path, "%s/", directory);
    strcpy(path + length, name);
    if (files->count == WCTS_LOAD_FILES_MAX) {
        struct wcts_place place = {path, 0, NULL};
        wcts_error_at(diagnostics, &place, "is one file too many, expected at most %d",
                      WCTS_LOAD_FILES_MAX);
        return false;
    }
    files->of[files->count++] =
        (struct wcts_load_file){.path = path, .name = path + length, .roots = roots};
    return true;
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

static bool find_documents(struct wcts_load_files *files, const char *directory,
                           const enum wcts_load_element_id *roots,
                           struct wcts_diagnostics *diagnostics)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_document, by_file_name);
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && add_file(files, directory, entries[i]->d_name, roots, diagnostics);
        free(entries[i]);
    }
    free(entries);
    return good;
}

static bool find_spec(struct wcts_load_files *files, const char *directory,
                      struct wcts_diagnostics *diagnostics)
{
    if (access(wcts_arena_format(files->arena, "%s/.", directory), R_OK | X_OK) != 0) {
        struct wcts_place place = {directory, 0, NULL};
        wcts_error_at(diagnostics, &place, "cannot be read: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < FIRST_FILES; i++) {
        if (!add_file(files, directory, first_files[i].name, first_files[i].roots, diagnostics))
            return false;
        if (first_files[i].optional && access(files->of[files->count - 1].path, F_OK) != 0)
            files->count--;
    }
    return find_documents(files, directory, spec_roots, diagnostics);
}

bool wcts_load_files_find(struct wcts_load_files *files, const char *spec_dir,
                          const char *cases_dir, const char *const *extra, int extra_count,
                          struct wcts_diagnostics *diagnostics)
{
    bool good = find_spec(files, spec_dir, diagnostics);
    bool room = add_file(files, cases_dir, BASE_FILE, cases_roots, diagnostics) &&
                find_documents(files, cases_dir, cases_roots, diagnostics);
    for (int i = 0; room && i < extra_count; i++)
        room = add_file(files, NULL, extra[i], extra_roots, diagnostics);
    return good && room;
}

bool wcts_load_files_digest(struct wcts_load_files *files, char hexadecimal[WCTS_DIGEST_SIZE])
{
    struct wcts_diagnostics unheard = {0};
    struct wcts_digest digest;
    bool good = true;
    wcts_digest_init(&digest);
    for (int i = 0; good && i < files->count; i++) {
        size_t size = 0;
        char *bytes = wcts_file_read(files->of[i].path, WCTS_XML_FILE_LIMIT, &size, &unheard);
        good = bytes != NULL;
        if (good)
            wcts_digest_add(&digest, bytes, size);
        files->of[i].size = size;
        free(bytes);
    }
    wcts_digest_end(&digest, hexadecimal);
    return good;
}
