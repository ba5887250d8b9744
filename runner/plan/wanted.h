/* SPDX-License-Identifier: MIT */
/*
 * The part of the plan that a command line may need, by the beginnings of ids: a process that runs
 * one case need not plan the others.
 */
#ifndef WCTS_WANTED_H
#define WCTS_WANTED_H

#include "../model/spec.h"

struct wcts_wanted;

/* For an ID: a case, a rule, or a statement with all its rules. The text is borrowed. NULL without
 * memory. */
struct wcts_wanted *wcts_plan_wanted_id(const char *id);

/* Adds cases of other rules; borrowed likewise. */
void wcts_plan_wanted_more(struct wcts_wanted *wanted, const char *const *ids, int count);

/* For filters. NULL if they may match anything: there is none, or one is not tied to the beginning
 * of an id, or is no expression. A filter is tied by ^, or if it begins with a document's prefix.
 */
struct wcts_wanted *wcts_plan_wanted_filters(const struct wcts_spec *spec,
                                             const char *const *filters, int count);

/* Accepts NULL. */
void wcts_plan_wanted_free(struct wcts_wanted *wanted);

/* False if no id with this beginning is wanted. For struct wcts_plan_options. */
bool wcts_plan_wanted_begins(const void *wanted, const char *beginning);

#endif
