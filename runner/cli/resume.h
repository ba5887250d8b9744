/* SPDX-License-Identifier: MIT */
/* The command line of a run that goes on: that with which it was begun, as its run.json has it. */
#ifndef WCTS_CLI_RESUME_H
#define WCTS_CLI_RESUME_H

#include <jansson.h>

#include "settings.h"

/*
 * Replaces the settings of "run --resume DIR ..." by those with which the run in DIR was begun.
 * Options that say how it is run and reported may be given again, and count; any other must be what
 * it was. False with a message.
 */
bool wcts_cli_resume_apply(struct wcts_cli_settings *settings);

/*
 * Settings as the words of a run directory's "options" give them, without --shard, for a command
 * that makes something of several runs. False with a message that names the place. To be released
 * either way.
 */
bool wcts_cli_resume_parse(struct wcts_cli_settings *settings, const char *directory,
                           const json_t *run);

/*
 * The first of the options which make the results of a run and in which two lists of words differ,
 * as "found --seed=2, expected --seed=1"; the caller frees it. NULL: there is none. some: options
 * that the first does not name do not count. skipped: the name of one that may differ; NULL: none.
 */
char *wcts_cli_resume_difference(const char *const *found, int found_count, const json_t *expected,
                                 bool some, const char *skipped);

#endif
