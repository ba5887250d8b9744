/* SPDX-License-Identifier: MIT */
/* A finished run at another level or with another profile. The findings depend on neither;
 * verdicts, waivers, totals and the conclusion are determined again. */
#ifndef WCTS_REREAD_H
#define WCTS_REREAD_H

#include "loaded_run.h"

/* How a run is read: {.level_given = true, .level = STRICT} is at that level, with its own profile.
 */
struct wcts_report_reread_as {
    bool level_given, profile_given;
    enum wcts_level level;
    const struct wcts_profile *profile; /* NULL: the documents alone */
};

/* Writes a run directory that is read so to a temporary directory and returns its path; end it with
 * wcts_report_reread_remove. It has the files that reports read: run.json, plan, journal, verdicts
 * and records, but neither scenarios/ nor output/. NULL, with a message, when the run cannot be
 * read, has not ended, or its baseline or profile has changed. mustpass may be NULL. */
char *wcts_report_reread(const char *directory, const struct wcts_report_load_options *options,
                         const struct wcts_report_reread_as *as,
                         const struct wcts_plan_mustpass *mustpass);

/* Removes the directory and frees its path, which may be NULL. */
void wcts_report_reread_remove(char *path);

#endif
