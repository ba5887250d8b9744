/* SPDX-License-Identifier: MIT */
/*
 * Expressions (PCRE2) that texts are compared with. An expression that backtracks without end is
 * an error, found within a millisecond: it is limited in steps, not in time, so that the same
 * expression has the same result everywhere.
 */
#ifndef WCTS_PATTERN_H
#define WCTS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct wcts_pattern;

enum wcts_pattern_extent {
    WCTS_PATTERN_WHOLE, /* matches the whole of a text */
    WCTS_PATTERN_PART,  /* matches a part of it */
};

/* NULL when it is no expression: error then has the reason, and the letter where it is. */
struct wcts_pattern *wcts_pattern_new(const char *expression, enum wcts_pattern_extent extent,
                                      char *error, size_t room);
/* Accepts NULL. */
void wcts_pattern_free(struct wcts_pattern *pattern);

/* False, too, when the text cannot be compared, and for every text after that: look at
 * wcts_pattern_error once all texts were compared. */
bool wcts_pattern_matches(struct wcts_pattern *pattern, const char *text);

/* Why a text could not be compared; NULL: all could. */
const char *wcts_pattern_error(const struct wcts_pattern *pattern);

#endif
