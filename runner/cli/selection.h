/* SPDX-License-Identifier: MIT */
/*
 * The cases that the options of a command leave. A case is selected if its id matches some --filter
 * and no --exclude, if it is among the failures of --failed-of, at a version of --wddm, of a side
 * of --role and of a file of --case. An option that is not given leaves all.
 */
#ifndef WCTS_SELECTION_H
#define WCTS_SELECTION_H

#include "../base/regex.h"
#include "settings.h"

struct wcts_patterns {
    struct wcts_regex *of[WCTS_STRINGS_MAX];
    int count;
};

struct wcts_selection {
    const struct wcts_settings *settings; /* not owned */
    struct wcts_patterns filters, excludes;
    char **failures; /* ids, sorted; NULL: --failed-of is not given */
    int failure_count;
    int first, last; /* versions */
    uint32_t sides;
    bool any_only; /* --case is given */
};

/* False, with a message, when an expression, a version or the run of --failed-of is wrong. To be
 * released either way. */
bool wcts_selection_init(struct wcts_selection *selection, const struct wcts_spec *spec,
                         const struct wcts_settings *settings);
void wcts_selection_release(struct wcts_selection *selection);

/* True if the case is selected, but perhaps for --exclude. */
bool wcts_selection_would_have(const struct wcts_selection *selection,
                               const struct wcts_case *test);

/* True if --exclude keeps out the case of that id. */
bool wcts_selection_excludes(const struct wcts_selection *selection, const char *id);

/* True if --filter and --exclude leave the id, of a case or of a statement. */
bool wcts_selection_has_id(const struct wcts_selection *selection, const char *id);

/* To be called once all ids were compared: false, with a message, when an expression could not be
 * compared with one of them. */
bool wcts_selection_compared(const struct wcts_selection *selection);

/* The versions of --wddm, by default all; false with a message when there is no such. */
bool wcts_selection_versions(const struct wcts_spec *spec, const struct wcts_settings *settings,
                             int *first, int *last);

#endif
