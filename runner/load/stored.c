/* SPDX-License-Identifier: MIT */
#include "stored.h"

#include <stdlib.h>
#include <string.h>

#include "../base/image.h"
#include "../lang/expr.h"
#include "load.h"

/* The root of an image. */
struct load_stored {
    struct wcts_spec *spec;
    struct wcts_load_files files; /* the places of the spec point to their paths */
};

/* ---- writing ---- */

/* False if there is an error, or anything else to say. */
static bool load_silently(struct load_stored *stored, const char *spec_dir, const char *cases_dir)
{
    char *said = NULL;
    size_t length = 0;
    struct wcts_diagnostics diagnostics = {.out = open_memstream(&said, &length)};
    struct wcts_load_files *files = &stored->files;
    const struct wcts_load_from from = {spec_dir, cases_dir, NULL, 0};
    char digest[WCTS_DIGEST_SIZE];
    if (!diagnostics.out)
        return false;
    stored->spec = wcts_load_files(files, &from, &diagnostics);
    if (stored->spec)
        wcts_load_spec_lint(stored->spec, &diagnostics);
    fclose(diagnostics.out);
    fputs(said ? said : "", stderr);
    free(said);
    return stored->spec && length == 0 && wcts_load_files_digest(files, digest);
}

enum wcts_load_store_result wcts_load_store(const char *spec_dir, const char *cases_dir, FILE *out)
{
    struct wcts_arena *arena = wcts_image_arena();
    struct load_stored *stored;
    enum wcts_load_store_result result = WCTS_LOAD_STORE_WRONG;
    if (!arena)
        return WCTS_LOAD_STORE_NOT;
    stored = wcts_arena_alloc(arena, sizeof *stored);
    stored->files.arena = arena;
    if (load_silently(stored, spec_dir, cases_dir))
        result = WCTS_LOAD_STORED;
    if (stored->spec)
        wcts_lang_exprs_move(stored->spec->exprs, arena);
    if (result == WCTS_LOAD_STORED) {
        /* Whoever maps it has another one. */
        stored->files.arena = stored->spec->arena = NULL;
        if (!wcts_image_store(arena, stored, out))
            result = WCTS_LOAD_STORE_NOT;
    }
    wcts_arena_free(arena);
    return result;
}

/* ---- reading ---- */

/* True if the same files have the same content now. */
static bool is_stored_of(const struct load_stored *stored, struct wcts_load_files *files)
{
    char digest[WCTS_DIGEST_SIZE];
    if (files->count != stored->files.count || !wcts_load_files_digest(files, digest))
        return false;
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->of[i].name, stored->files.of[i].name) != 0 ||
            files->of[i].roots != stored->files.of[i].roots ||
            files->of[i].size != stored->files.of[i].size ||
            strlen(files->of[i].path) >= WCTS_LOAD_PATH_ROOM)
            return false;
    return strcmp(digest, stored->spec->digest) == 0;
}

struct wcts_spec *wcts_load_stored(const char *path, const char *spec_dir, const char *cases_dir)
{
    struct wcts_diagnostics unheard = {0};
    void *root = NULL;
    struct wcts_arena *arena = wcts_image_read(path, &root);
    struct wcts_load_files files = {.arena = arena};
    struct load_stored *stored = root;
    if (!arena)
        return NULL;
    if (!wcts_load_files_find(&files, spec_dir, cases_dir, NULL, 0, &unheard) ||
        !is_stored_of(stored, &files) || !wcts_lang_exprs_own(stored->spec->exprs)) {
        wcts_arena_free(arena);
        return NULL;
    }
    /* They may lie in another directory than they did. */
    for (int i = 0; i < files.count; i++)
        strcpy(stored->files.of[i].path, files.of[i].path);
    stored->spec->arena = arena;
    return stored->spec;
}
