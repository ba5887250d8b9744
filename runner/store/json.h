/* SPDX-License-Identifier: MIT */
/* JSON as the tool writes and reads it: texts of any bytes, paths as reports show them. */
#ifndef WCTS_STORE_JSON_H
#define WCTS_STORE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A string whatever its bytes are; null for NULL. */
json_t *wcts_json_text(const char *text);
/* A path, as reports show it (path.h). */
json_t *wcts_json_path(const char *path);
/* A duration, to the microsecond. */
json_t *wcts_json_seconds(double seconds);

/* The text of a member; "" when it is no text, or not there. */
const char *wcts_json_member(const json_t *object, const char *key);

/* One object, one line. Takes the reference. False when it cannot be written. */
bool wcts_json_line(FILE *out, json_t *value);

#endif
