/* SPDX-License-Identifier: MIT */
/*
 * A finished run, read at another level: what a run at that level would have written. What was
 * found does not depend on the level; verdicts, waivers, totals and the conclusion are worked out
 * anew.
 */
#ifndef WCTS_REREAD_H
#define WCTS_REREAD_H

#include "loaded_run.h"

/*
 * Reads the run directory at a level into a new temporary one, whose path is returned; the caller
 * ends it with wcts_reread_remove. NULL, with a message, when it cannot be read, has no end yet, or
 * its baseline is not what it was. mustpass: as of a run; may be NULL.
 */
char *wcts_reread(const char *directory, const struct wcts_load_options *options,
                  enum wcts_level level, const struct wcts_mustpass *mustpass);

/* Removes the directory and frees its path; NULL is nothing. */
void wcts_reread_remove(char *path);

#endif
