/* SPDX-License-Identifier: MIT */
/* Profiles for people: in words, as a page, and as what finished runs propose. */
#ifndef WCTS_PROFILE_PAGE_H
#define WCTS_PROFILE_PAGE_H

#include "../runner/model/profile.h"
#include "loaded_run.h"

/* The cases of the plan that show an entry, either way. */
#define WCTS_PROFILE_CASES 3

/* Cases that show an entry of a profile, the first of them as examples: {.count = 2, .cases =
 * {17, 40}, .shows = true}. */
struct wcts_report_profile_cases {
    int count; /* of those in cases */
    int cases[WCTS_PROFILE_CASES];
    bool shows; /* true if there is one, or a call of a scenario that it is about */
};

/* Reports entries that no case of the plan can show, either way. False without memory. */
bool wcts_report_profile_lint(const struct wcts_profile *profile, const struct wcts_plan *plan,
                              struct wcts_diagnostics *diagnostics);

/* Those of a set of entries that no case of the plan can show; 0 without memory. */
uint64_t wcts_report_profile_unshowable(const struct wcts_profile *profile, uint64_t entries,
                                        const struct wcts_plan *plan);

/* The profile with the sentences of its statements. */
void wcts_report_profile_print(FILE *out, const struct wcts_profile *profile,
                               const struct wcts_spec *spec);

/* One HTML file: for each divergence the sentence, what documents and profiles have, and calls that
 * show it. False without memory. */
bool wcts_report_profile_html(FILE *out, struct wcts_profile *const *profiles, int count,
                              const struct wcts_plan *plan);

/* Writes the profile that finished runs propose: failures as deviations, valid calls that were
 * refused as restrictions, operations that are missing as absent. False, with a message, if a
 * journal or the records of a run cannot be read. */
bool wcts_report_profile_derive(FILE *out, struct wcts_report_loaded_run *runs, int count);

#endif
