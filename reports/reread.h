/* SPDX-License-Identifier: MIT */
/* A finished run at another level. The findings do not depend on the level; verdicts, waivers,
 * totals and the conclusion are determined again. */
#ifndef WCTS_REREAD_H
#define WCTS_REREAD_H

#include "loaded_run.h"

/* Writes a run directory for the level to a temporary directory and returns its path; end it with
 * wcts_report_reread_remove. It has the files that reports read: run.json, plan, journal, verdicts
 * and records, but neither scenarios/ nor output/. NULL, with a message, when the run cannot be
 * read, has not ended, or its baseline has changed. mustpass may be NULL. */
char *wcts_report_reread(const char *directory, const struct wcts_report_load_options *options,
                         enum wcts_level level, const struct wcts_plan_mustpass *mustpass);

/* Removes the directory and frees its path, which may be NULL. */
void wcts_report_reread_remove(char *path);

#endif
