/* SPDX-License-Identifier: MIT */
/* From the file of a profile to the profile. */
#ifndef WCTS_LOAD_PROFILE_H
#define WCTS_LOAD_PROFILE_H

#include "../model/profile.h"

/*
 * Loads a profile and checks all that needs no plan: names, expressions, entries that are there
 * twice or contradict each other. shipped: the file is one of the suite's own. NULL, with every
 * error reported, if there is one. The spec has to outlive it; the caller frees it.
 */
struct wcts_profile *wcts_load_profile(const char *path, bool shipped, const struct wcts_spec *spec,
                                       struct wcts_diagnostics *diagnostics);
/* Accepts NULL. */
void wcts_load_profile_free(struct wcts_profile *profile);

#endif
