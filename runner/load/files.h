/* SPDX-License-Identifier: MIT */
/*
 * The files of a spec in the order in which they are read: those of the spec's directory that have
 * names of their own, its other documents by name, base.xml and the documents of the cases'
 * directory, then those that were given one by one.
 *
 *     {"spec/versions.xml", roots: <versions>}, ... {"cases/base.xml", roots: <cases>}, ...
 */
#ifndef WCTS_LOAD_FILES_H
#define WCTS_LOAD_FILES_H

#include <stdbool.h>

#include "../base/arena.h"
#include "../base/diagnostics.h"
#include "../base/digest.h"
#include "elements.h"

/* The most files of one spec. */
#define WCTS_LOAD_FILES_MAX 256
/* The least room of a path, so that another directory has room in its place (load/stored.h). */
#define WCTS_LOAD_PATH_ROOM 512

/* A file that a spec is read from: {"spec/versions.xml", .name = "versions.xml", .roots = {the
 * element that it begins with, WCTS_EL_NONE}}. */
struct wcts_load_file {
    char *path;       /* with room for WCTS_LOAD_PATH_ROOM bytes, or what it needs */
    const char *name; /* in the path, behind the directory; of one that was given: all of it */
    const enum wcts_load_element_id *roots; /* those that it may have; ends with WCTS_EL_NONE */
    size_t size;                            /* bytes, once the digest was taken */
};

/* All files that a spec is read from, in the order in which they are read, which is that of its
 * digest. */
struct wcts_load_files {
    struct wcts_arena *arena; /* not owned; paths are in it */
    struct wcts_load_file of[WCTS_LOAD_FILES_MAX];
    int count;
};

/* Finds them. Without files: the arena alone is set. False, and reported, if the directory of the
 * spec is not there or if there are too many; those that were found are there. */
bool wcts_load_files_find(struct wcts_load_files *files, const char *spec_dir,
                          const char *cases_dir, const char *const *extra, int extra_count,
                          struct wcts_diagnostics *diagnostics);

/* The digest of what is in all of them, as a loaded spec has it, and their sizes. False if one
 * cannot be read, which is not reported. */
bool wcts_load_files_digest(struct wcts_load_files *files, char hexadecimal[WCTS_DIGEST_SIZE]);

#endif
