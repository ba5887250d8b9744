/* SPDX-License-Identifier: MIT */
/* Numbers that look random and are the same everywhere: splitmix64 (Steele, Lea, Flood 2014).
 * Example: uint64_t state = seed; if (wcts_random_chance(&state, 30)) ... in 30 of 100 states. */
#ifndef WCTS_RANDOM_H
#define WCTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* The number's bits, each dependent on all others. */
static inline uint64_t wcts_random_mixed(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

static inline uint64_t wcts_random_next(uint64_t *state)
{
    return wcts_random_mixed(*state += UINT64_C(0x9E3779B97F4A7C15));
}

/* Below the limit; 0 if that is 0. */
static inline uint64_t wcts_random_below(uint64_t *state, uint64_t limit)
{
    return limit == 0 ? 0 : wcts_random_next(state) % limit;
}

/* True for that percentage of draws. */
static inline bool wcts_random_chance(uint64_t *state, unsigned percent)
{
    return wcts_random_below(state, 100) < percent;
}

#endif
