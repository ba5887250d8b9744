/* SPDX-License-Identifier: MIT */
/* The script of a test. */
#ifndef WCTS_PROGRAM_H
#define WCTS_PROGRAM_H

#include "../model/script.h"

/* False without memory. The caller releases it in any case; the test must live as long. */
bool wcts_plan_program(struct wcts_script *script, const struct wcts_spec *spec,
                       const struct wcts_case *test);
void wcts_plan_program_release(struct wcts_script *script);

#endif
