/* SPDX-License-Identifier: MIT */
/*
 * A loaded spec as a file that is made with the tool (base/image.h): to read the documents takes
 * half of a start. It is good for documents with the same content alone, wherever they are.
 */
#ifndef WCTS_LOAD_STORED_H
#define WCTS_LOAD_STORED_H

#include <stdio.h>

#include "spec_files.h"

/* Loads a spec, with its lint, and writes it. False if that fails, or if there is anything to say
 * about its documents, which then is said. */
bool wcts_load_store(const char *spec_dir, const char *cases_dir, FILE *out);

/* The spec that wcts_load_spec_load() would make and lint find right, to be freed as that. NULL if
 * there is no file, or if it is of other documents or of another tool: then they have to be
 * loaded. */
struct wcts_spec *wcts_load_stored(const char *path, const char *spec_dir, const char *cases_dir);

#endif
