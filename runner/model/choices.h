/* SPDX-License-Identifier: MIT */
/* What a run may be asked for: how much of the plan, and how strictly breaches are judged. */
#ifndef WCTS_CHOICES_H
#define WCTS_CHOICES_H

#include <stdbool.h>

enum wcts_suite { WCTS_SUITE_SMOKE, WCTS_SUITE_STANDARD, WCTS_SUITE_FULL };

/* --level: from which force of a statement on a breach is a failure. */
enum wcts_judging { WCTS_JUDGE_BINDING, WCTS_JUDGE_DOCUMENTED, WCTS_JUDGE_STRICT };

/* Levels as a set: sums of wcts_level_bit(). */
#define WCTS_LEVELS_ALL 7u

static inline unsigned wcts_level_bit(enum wcts_judging level)
{
    return 1u << level;
}

/*
 * The level at which a case is judged, and those at which something was decided otherwise on the
 * way (sum of wcts_level_bit()): at these the case is to be run again. Few cases have any.
 */
struct wcts_strictness {
    enum wcts_judging level;
    unsigned differs;
};

/* As command lines and run.json write them. */
const char *wcts_suite_name(enum wcts_suite suite);
const char *wcts_judging_name(enum wcts_judging judging);
/* By name; false when there is none. */
bool wcts_suite_find(const char *name, enum wcts_suite *suite);
bool wcts_judging_find(const char *name, enum wcts_judging *judging);

#endif
