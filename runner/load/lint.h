/* SPDX-License-Identifier: MIT */
/* Shared by the checks of a spec. Each lint_*.c checks one kind of thing; lint.c calls them. */
#ifndef WCTS_LINT_H
#define WCTS_LINT_H

#include "../model/cases.h"
#include "../model/spec.h"

/* What a check gets: the spec, whose names all resolve, and where it reports errors. */
struct wcts_load_lint {
    const struct wcts_spec *spec;
    struct wcts_diagnostics *diagnostics;
};

typedef void wcts_lint_fn(const struct wcts_load_lint *lint);

wcts_lint_fn wcts_load_lint_names, wcts_load_lint_documents, wcts_load_lint_words,
    wcts_load_lint_statements, wcts_load_lint_features, wcts_load_lint_tables, wcts_load_lint_rules,
    wcts_load_lint_layouts, wcts_load_lint_steps, wcts_load_lint_values, wcts_load_lint_cross;

/* "2.0", or "the end" for the index after the last version. */
const char *wcts_load_lint_version(const struct wcts_load_lint *lint, int version);

/* Reports `WHAT "NAME" is since SINCE until UNTIL, expected ...` if no version is in the range. */
void wcts_load_lint_range(const struct wcts_load_lint *lint, const struct wcts_place *place,
                          const char *what, const char *name, int since, int until);

/* The versions at which all parts of a reference exist. */
void wcts_load_lint_exists(const struct wcts_spec *spec, struct wcts_ref ref, int *since,
                           int *until);

/* "STRUCTURE.member.flag", in the arena of the spec. */
const char *wcts_load_lint_ref(const struct wcts_spec *spec, struct wcts_ref ref);

#endif
