/* SPDX-License-Identifier: MIT */
/* A profile in run.json: enough to report on a run without its file. */
#ifndef WCTS_PROFILE_JSON_H
#define WCTS_PROFILE_JSON_H

#include <jansson.h>

#include "../runner/model/profile.h"
#include "report.h"

/* The profile of the run, with what became of each entry; NULL: it has none. */
json_t *wcts_report_profile_json(const struct wcts_report_run *run);
/* The profile as run.json has it, without expressions; NULL: it has none. The caller frees it
 * (load/profile.h). */
struct wcts_profile *wcts_report_profile_read(const json_t *value, const struct wcts_spec *spec);
/* "shown", "contradicted", "not shown": of an entry, after a run. */
const char *wcts_report_profile_state(const struct wcts_report_run *run, int entry);

#endif
