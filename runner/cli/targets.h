/* SPDX-License-Identifier: MIT */
/* What options ask to be written, and where: nothing is to be written over something else. */
#ifndef WCTS_TARGETS_H
#define WCTS_TARGETS_H

#include "settings.h"

/* How many options want standard output for their results alone: --json, --tap, --xsl, and each
 * file that is "-". */
int wcts_cli_targets_on_output(const struct wcts_cli_settings *settings);

/* False, with a message, when more than one of them does. */
bool wcts_cli_targets_share_output(const struct wcts_cli_settings *settings);

/* False, with a message, when two options name the same file, or one names what is read: an input,
 * or a run's own file in one of the directories. */
bool wcts_cli_targets_check(const struct wcts_cli_settings *settings,
                            const char *const *directories, int count);

#endif
