/* SPDX-License-Identifier: MIT */
/* The command that reproduces a case. */
#ifndef WCTS_REPLAY_H
#define WCTS_REPLAY_H

#include <stdio.h>

#include "../runner/model/test.h"
#include "asked.h"

/* Prints the command for a shell, without a line end. asked: of the case's run; its implementation,
 * level, seed and the places of the spec are used. */
void wcts_report_replay_print(FILE *out, const struct wcts_options *asked,
                              const struct wcts_case *test);

/* The command as a text, which the caller frees; NULL when memory is short. */
char *wcts_report_replay_text(const struct wcts_options *asked, const struct wcts_case *test);

#endif
