/* SPDX-License-Identifier: MIT */
/*
 * What a command line may want of the plan, told by how the ids of a rule's cases begin. A process
 * that runs one case need not plan the others.
 */
#ifndef WCTS_WANTED_H
#define WCTS_WANTED_H

#include "../model/spec.h"

struct wcts_wanted;

/* What an ID names: a case, a rule, or a statement with all its rules. The text is borrowed. NULL
 * without memory.
 */
struct wcts_wanted *wcts_wanted_id(const char *id);

/* What any of the filters may match. NULL if that may be anything: there is none, or one that is
 * not tied to the beginning of an id, or is no expression at all. A filter is tied by ^, or by
 * beginning as ids do, with a document's prefix. */
struct wcts_wanted *wcts_wanted_filters(const struct wcts_spec *spec, const char *const *filters,
                                        int count);

/* Accepts NULL. */
void wcts_wanted_free(struct wcts_wanted *wanted);

/* False if no id with this beginning is wanted. For struct wcts_plan_options. */
bool wcts_wanted_begins(const void *wanted, const char *beginning);

#endif
