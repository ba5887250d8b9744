/* SPDX-License-Identifier: MIT */
/* The command that brings a case about again. */
#ifndef WCTS_REPLAY_H
#define WCTS_REPLAY_H

#include <stdio.h>

#include "../runner/cli/settings.h"

/* Prints it on one line without an end, fit for a shell. settings: of the run that the case was
 * in; of them implementation, level, seed, and where the spec is. */
void wcts_replay_print(FILE *out, const struct wcts_settings *settings,
                       const struct wcts_case *one);

/* The same as a text, which the caller frees; NULL without memory. */
char *wcts_replay_text(const struct wcts_settings *settings, const struct wcts_case *one);

#endif
