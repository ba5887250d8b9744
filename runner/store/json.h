/* SPDX-License-Identifier: MIT */
/* JSON in the tool's own form: strings from any bytes, paths as reports show them. */
#ifndef WCTS_STORE_JSON_H
#define WCTS_STORE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A string, whatever the bytes of the text are; null for NULL. */
json_t *wcts_store_json_text(const char *text);
/* A path, as reports show it (path.h). */
json_t *wcts_store_json_path(const char *path);
/* A duration, rounded to the microsecond. */
json_t *wcts_store_json_seconds(double seconds);

/* The string of a member; "" when the member is missing or no string. */
const char *wcts_store_json_member(const json_t *object, const char *key);

/* A checksum of texts, an array, in 16 hexadecimal digits. */
json_t *wcts_store_json_sum(const json_t *texts);

/* Writes one object on one line and releases it. False when it cannot be written. */
bool wcts_store_json_line(FILE *out, json_t *value);

#endif
