/* SPDX-License-Identifier: MIT */
/* The command that reproduces a case. */
#ifndef WCTS_REPLAY_H
#define WCTS_REPLAY_H

#include <stdio.h>

#include "../runner/model/test.h"
#include "report.h"

/* Prints the command for a shell, without a line end. run: of the case; its implementation,
 * level, seed, the places of the spec and what was found of the case's order are used. */
void wcts_report_replay_print(FILE *out, const struct wcts_report_run *run,
                              const struct wcts_case *test);

/* The command as a text, which the caller frees; NULL when memory is short. */
char *wcts_report_replay_text(const struct wcts_report_run *run, const struct wcts_case *test);

#endif
