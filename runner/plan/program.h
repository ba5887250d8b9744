/* SPDX-License-Identifier: MIT */
/* The script of a test. */
#ifndef WCTS_PROGRAM_H
#define WCTS_PROGRAM_H

#include "../model/script.h"

/* The test must live as long as the script. */
void wcts_plan_program(struct wcts_script *script, const struct wcts_spec *spec,
                       const struct wcts_case *test);

#endif
