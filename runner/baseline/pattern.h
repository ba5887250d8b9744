/* SPDX-License-Identifier: MIT */
/* Expressions (PCRE2) that are held against the whole of a text. */
#ifndef WCTS_PATTERN_H
#define WCTS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct wcts_pattern;

/* NULL when it is no expression: error then says what is wrong, and at which letter. */
struct wcts_pattern *wcts_pattern_new(const char *expression, char *error, size_t room);
/* Accepts NULL. */
void wcts_pattern_free(struct wcts_pattern *pattern);

bool wcts_pattern_matches(const struct wcts_pattern *pattern, const char *text);

#endif
