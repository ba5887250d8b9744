/* SPDX-License-Identifier: MIT */
/* What a run may be asked for: how much of the plan, and how strictly breaches are judged. */
#ifndef WCTS_CHOICES_H
#define WCTS_CHOICES_H

#include <stdbool.h>

enum wcts_suite { WCTS_SUITE_SMOKE, WCTS_SUITE_STANDARD, WCTS_SUITE_FULL };

/* --level: from which force of a statement on a breach is a failure. */
enum wcts_level { WCTS_LEVEL_BINDING, WCTS_LEVEL_DOCUMENTED, WCTS_LEVEL_STRICT };

/* Levels as a set: sums of wcts_level_bit(). */
#define WCTS_LEVELS_ALL 7u

static inline unsigned wcts_level_bit(enum wcts_level level)
{
    return 1u << level;
}

/*
 * The level at which a case is judged, and those at which something was decided otherwise on the
 * way (sum of wcts_level_bit()): at these the case is to be run again. Few cases have any.
 */
struct wcts_strictness {
    enum wcts_level level;
    unsigned differs;
};

/* As command lines and run.json write them. */
const char *wcts_suite_name(enum wcts_suite suite);
const char *wcts_level_name(enum wcts_level level);
/* By name; false when there is none. */
bool wcts_suite_find(const char *name, enum wcts_suite *suite);
bool wcts_level_find(const char *name, enum wcts_level *level);

#endif
