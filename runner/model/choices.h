/* SPDX-License-Identifier: MIT */
/* The suite (how much of the plan runs) and the level (how strictly a breach is judged). */
#ifndef WCTS_CHOICES_H
#define WCTS_CHOICES_H

#include <stdbool.h>

enum wcts_suite { WCTS_SUITE_SMOKE, WCTS_SUITE_STANDARD, WCTS_SUITE_FULL };

/* --level: a breach fails from this force of a statement on. */
enum wcts_level { WCTS_LEVEL_BINDING, WCTS_LEVEL_DOCUMENTED, WCTS_LEVEL_STRICT };

/* Levels as a set: sums of wcts_model_level_bit(). */
#define WCTS_LEVELS_ALL 7u

static inline unsigned wcts_model_level_bit(enum wcts_level level)
{
    return 1u << level;
}

/*
 * The level at which a case is judged, and the levels at which a decision made on the way would
 * have been another: at these the case runs again. The session owns it for one run of a case.
 * Example: {.level = DOCUMENTED, .differs = wcts_model_level_bit(STRICT)} after a breach of advice.
 */
struct wcts_strictness {
    enum wcts_level level;
    unsigned differs;
};

/* The names in command lines and run.json. */
const char *wcts_model_suite_name(enum wcts_suite suite);
const char *wcts_model_level_name(enum wcts_level level);
/* False if there is no such name. */
bool wcts_model_suite_find(const char *name, enum wcts_suite *suite);
bool wcts_model_level_find(const char *name, enum wcts_level *level);

#endif
