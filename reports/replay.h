/* SPDX-License-Identifier: MIT */
/* The command that brings a case about again. */
#ifndef WCTS_REPLAY_H
#define WCTS_REPLAY_H

#include <stdio.h>

#include "../runner/model/test.h"
#include "asked.h"

/* Prints it on one line without an end, fit for a shell. asked: of the run that the case was
 * in; of them implementation, level, seed, and where the spec is. */
void wcts_replay_print(FILE *out, const struct wcts_options *asked, const struct wcts_case *test);

/* The same as a text, which the caller frees; NULL without memory. */
char *wcts_replay_text(const struct wcts_options *asked, const struct wcts_case *test);

#endif
