/* SPDX-License-Identifier: MIT */
/* The JSON objects of --json and run.json. Those of results are in store/result_fields.h. */
#ifndef WCTS_JSON_H
#define WCTS_JSON_H

#include <jansson.h>

#include "../runner/store/json.h"
#include "report.h"

/* Reads the member "budget" of run.json, which is not there without --max-cases or --budget.
 * Returns true. */
bool wcts_report_json_read_budget(struct wcts_report_run *run, const json_t *value);

/* The description of a run: what was run, and its result. */
json_t *wcts_report_json_run(const struct wcts_report_run *run);
/* Reads a description back. counted false: what is known before the results are counted; true: what
 * only the run itself knew, about baselines and answers, once they are. Strings belong to the
 * object. Returns the name of a missing or invalid member, else NULL. */
const char *wcts_report_json_read_run(struct wcts_report_run *run, const json_t *object,
                                      bool counted);

/* The claims of an implementation. */
json_t *wcts_report_json_claims(const struct wcts_claims *claims);
/* The sides named in claims, as a sum of enum wcts_side; other names are ignored. */
uint32_t wcts_report_json_sides(const json_t *names);

/* A feature: its operations and statements. */
json_t *wcts_report_json_feature(const struct wcts_spec *spec, int feature);
/* One statement of the spec with its rules. */
json_t *wcts_report_json_statement(const struct wcts_spec *spec, int statement);

#endif
