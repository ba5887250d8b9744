/* SPDX-License-Identifier: MIT */
/* What the files of the ladders share. */
#ifndef WCTS_LADDER_PARTS_H
#define WCTS_LADDER_PARTS_H

#include "ladder.h"

void wcts_report_ladder_begin(struct wcts_report_ladder *ladder, const struct wcts_spec *spec,
                              const char *name, const char *const steps[WCTS_LADDER_STEPS],
                              const struct wcts_report_ladder_scope *scope);
/* True if the rule binds at one of the versions. */
bool wcts_report_rule_in_scope(const struct wcts_spec *spec, int rule,
                               const struct wcts_report_ladder_scope *scope);

#endif
