/* SPDX-License-Identifier: MIT */
/* JSON: the objects that --json and run.json are made of; results: store/result_fields.h. */
#ifndef WCTS_JSON_H
#define WCTS_JSON_H

#include <jansson.h>

#include "../runner/store/json.h"
#include "report.h"

/* What was run, on what, and what it came to. */
json_t *wcts_json_run(const struct wcts_run *run);
/* The same, read again: what is known before the results are counted, or what the run itself said
 * once they were: it knew more, of baselines, and of what was answered. Texts are the object's.
 * Returns the name of a member that is missing or wrong; NULL: all are right. */
const char *wcts_json_read_run(struct wcts_run *run, const json_t *object, bool counted);

/* The file, and how many waivers are used, fixed, ... */
json_t *wcts_json_baseline(const struct wcts_baseline *baseline);

/* What an implementation claims. */
json_t *wcts_json_claims(const struct wcts_claims *claims);
/* The sides that claims name, as a sum of enum wcts_side; other names are left out. */
uint32_t wcts_json_sides(const json_t *names);

/* A feature: its operations and statements. */
json_t *wcts_json_feature(const struct wcts_spec *spec, int feature);
/* One statement of the spec with its rules. */
json_t *wcts_json_statement(const struct wcts_spec *spec, int statement);

#endif
