/* SPDX-License-Identifier: MIT */
/*
 * Expressions (PCRE2) that texts are compared with. An expression that backtracks without end is
 * an error, found within a millisecond: it is limited in steps, not in time, so that the same
 * expression has the same result everywhere.
 */
#ifndef WCTS_REGEX_H
#define WCTS_REGEX_H

#include <stdbool.h>
#include <stddef.h>

struct wcts_regex;

enum wcts_regex_extent {
    WCTS_REGEX_WHOLE, /* matches the whole of a text */
    WCTS_REGEX_PART,  /* matches a part of it */
};

/* NULL when it is no expression: error then has the reason, and the letter where it is. */
struct wcts_regex *wcts_regex_new(const char *expression, enum wcts_regex_extent extent,
                                  char *error, size_t room);
/* Accepts NULL. */
void wcts_regex_free(struct wcts_regex *pattern);

/* False, too, when the text cannot be compared, and for every text after that: look at
 * wcts_regex_error once all texts were compared. */
bool wcts_regex_matches(struct wcts_regex *pattern, const char *text);

/* Why a text could not be compared; NULL: all could. */
const char *wcts_regex_error(const struct wcts_regex *pattern);

#endif
