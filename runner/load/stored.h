/* SPDX-License-Identifier: MIT */
/*
 * A loaded spec as a file that is made with the tool (base/image.h): to read the documents takes
 * half of a start. It is good for documents with the same content alone, wherever they are.
 */
#ifndef WCTS_LOAD_STORED_H
#define WCTS_LOAD_STORED_H

#include <stdio.h>

#include "spec_files.h"

enum wcts_load_store_result {
    WCTS_LOAD_STORED,
    WCTS_LOAD_STORE_WRONG, /* there is something to say about the documents, which is said */
    WCTS_LOAD_STORE_NOT    /* not written: the file, or base/image.h, which needs a build id */
};

/* Loads a spec, with its lint, and writes it. */
enum wcts_load_store_result wcts_load_store(const char *spec_dir, const char *cases_dir, FILE *out);

/* The spec that wcts_load_spec_load() would make and lint find right, to be freed as that. NULL if
 * there is no file, or if it is of other documents or of another tool: then they have to be
 * loaded. */
struct wcts_spec *wcts_load_stored(const char *path, const char *spec_dir, const char *cases_dir);

#endif
