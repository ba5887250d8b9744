/* SPDX-License-Identifier: MIT */
/*
 * What most commands begin with: find the spec, load it, check it, plan it, select from the
 * plan. Diagnostics go to standard error.
 *
 * The spec directory is --spec-dir, else $WCTS_SPEC_DIR, else what lies beside the executable (a
 * build tree, or PREFIX/bin), else what was compiled in. cases/ likewise, with $WCTS_CASES_DIR.
 */
#ifndef WCTS_CONTEXT_H
#define WCTS_CONTEXT_H

#include "plan/mustpass.h"
#include "settings.h"

struct wcts_context {
    const struct wcts_settings *settings;
    struct wcts_spec *spec;
    struct wcts_plan *plan;
    char *cases_dir;
};

/* False when the spec has an error (exit code USAGE). To be released either way. */
bool wcts_context_init(struct wcts_context *context, const struct wcts_settings *settings);
void wcts_context_release(struct wcts_context *context);

/*
 * The cases that --filter, --wddm, --role and --shard leave, as indices in the plan. Returns an
 * exit code: OK, USAGE for a wrong expression or version, NOTHING (with near misses printed)
 * when none is left. The caller frees *selected.
 */
int wcts_context_select(const struct wcts_context *context, int **selected, int *count);

/* The list of cases that a claim needs; NULL when there is none, or, reported, a wrong one. The
 * caller frees it. */
struct wcts_mustpass *wcts_context_mustpass(const struct wcts_context *context,
                                            struct wcts_diagnostics *diagnostics);

/* Prints that there is no such case, rule or statement, with near misses. */
void wcts_context_unknown(const struct wcts_context *context, const char *id);

/* Versions may be open at the end: the name, or NULL when until is none. */
const char *wcts_until_name(const struct wcts_spec *spec, int until);

#endif
