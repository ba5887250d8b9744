/* SPDX-License-Identifier: MIT */
/* From the files of a spec to the spec. */
#ifndef WCTS_SPEC_FILES_H
#define WCTS_SPEC_FILES_H

#include "../base/diagnostics.h"
#include "../model/spec.h"

/*
 * Loads versions.xml, interface.xml, errata.xml, features.xml and open.xml if they are there, and
 * every other *.xml of spec_dir in name order, then the extra documents, then cases_dir/base.xml.
 * Reports every structural error and every unresolved name; returns NULL if there was one. The
 * caller frees the result.
 */
struct wcts_spec *wcts_load_spec_load(const char *spec_dir, const char *cases_dir,
                                      const char *const *extra, int extra_count,
                                      struct wcts_diagnostics *diagnostics);
void wcts_load_spec_free(struct wcts_spec *spec);

/* Semantic checks that need no planning (lint.c). Returns the number of errors reported. */
int wcts_load_spec_lint(const struct wcts_spec *spec, struct wcts_diagnostics *diagnostics);

#endif
