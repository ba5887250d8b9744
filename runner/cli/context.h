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

#include "../baseline/baseline.h"
#include "../plan/mustpass.h"
#include "settings.h"

struct wcts_context {
    const struct wcts_settings *settings;
    struct wcts_spec *spec;
    struct wcts_plan *plan;
    char *cases_dir; /* where cases/ was found */
    bool partial;    /* the plan holds only the rules that the command line may want */
};

/* Plans no more than what an ID or an anchored --filter may name.
 * False when the spec has an error (exit code USAGE). To be released either way. */
bool wcts_context_init(struct wcts_context *context, const struct wcts_settings *settings);
void wcts_context_release(struct wcts_context *context);

/* What run directories are read with: context's spec and options. */
struct wcts_load_options wcts_context_load_options(const struct wcts_context *context);

/* The run directory as --level has it read: itself without --level, else a temporary one, which
 * *made owns then (wcts_reread_remove). NULL, with a message, when that cannot be. */
const char *wcts_context_reread(const struct wcts_context *context, const char *directory,
                                char **made);

/* How many cases the whole plan of the suite has; of smoke, which is a part of standard, that of
 * standard. Where it is not the plan of context it is made to count them. -1 on an error. */
int wcts_context_total(const struct wcts_context *context);

/*
 * The cases that --filter, --wddm, --role and --shard leave, as indices in the plan. Returns an
 * exit code: OK, USAGE for a wrong expression or version, NOTHING (with near misses printed)
 * when none is left. The caller frees *selected.
 */
int wcts_context_select(struct wcts_context *context, int **selected, int *count);

/* A wrong path is a wrong command line, not a bad implementation: false with a message. */
bool wcts_implementation_is_there(const struct wcts_implementation *implementation);

/* Prints why it could not be run, with its path unless the error begins with it. */
void wcts_implementation_complain(const struct wcts_implementation *implementation,
                                  const char *error);

/* Loads the plug-in in a process of its own, whose output goes to the terminal, and asks what it
 * claims. Returns an exit code, with a message unless it is OK. */
int wcts_context_claims(const struct wcts_context *context, struct wcts_claims *claims);

/*
 * Without --role a plug-in is tested on the sides that it has: keeps the cases of these and returns
 * how many are left, with a message when none is.
 */
int wcts_context_keep_sides(const struct wcts_context *context, uint32_t sides, int *selected,
                            int count);

/*
 * Loads a baseline and binds it to the plan; a waiver for a case of a larger suite is no orphan.
 * False when it has an error (exit code USAGE). path NULL: *baseline is NULL. The caller frees it,
 * before the context.
 */
bool wcts_context_baseline(const struct wcts_context *context, const char *path,
                           struct wcts_baseline **baseline);

/*
 * The statements that --filter (of their ids), --wddm (some version at which they bind) and --role
 * (a side that they are about) leave; statements has room for all. Returns an exit code as above.
 */
int wcts_context_statements(const struct wcts_context *context, bool *statements);

/* The versions of --wddm; false with a message when there is no such. */
bool wcts_context_versions(const struct wcts_context *context, int *first, int *last);

/* The list of cases that a claim needs; NULL when there is none, or, reported, a wrong one. The
 * caller frees it. */
struct wcts_mustpass *wcts_context_mustpass(const struct wcts_context *context,
                                            struct wcts_diagnostics *diagnostics);

/* Prints that there is no such case, rule or statement, with near misses. */
void wcts_context_unknown(struct wcts_context *context, const char *id);

#endif
