/* SPDX-License-Identifier: MIT */
/* JSON: the objects that --json, the journal and run.json are made of. */
#ifndef WCTS_JSON_H
#define WCTS_JSON_H

#include <jansson.h>

#include "report.h"

/* {id, verdict, reason, detail, backtrace, signature, was, waiver, attempts, seconds, output}:
 * detail and output only when there is some, signature of what breaks a rule, was and waiver of
 * what a waiver gave another verdict, attempts of those before this one. */
json_t *wcts_json_case(const struct wcts_case *one, const struct wcts_result *result,
                       const char *output);

/* The same object with "rule", where another rule than the case's own is broken. */
json_t *wcts_json_blame(json_t *value, const struct wcts_spec *spec,
                        const struct wcts_result *result);

/* What was run, on what, and what it came to. */
json_t *wcts_json_run(const struct wcts_run *run);

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

/* One object, one line. Takes the reference. False when it cannot be written. */
bool wcts_json_line(FILE *out, json_t *value);

/* A string whatever its bytes are; null for NULL. */
json_t *wcts_json_text(const char *text);

/* A path, as reports show it (path.h). */
json_t *wcts_json_path(const char *path);

#endif
