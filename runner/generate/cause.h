/* SPDX-License-Identifier: MIT */
/*
 * The guilty combination: what the words have in common that were misjudged. Words that were judged
 * right must not have it; of words that nobody judged (illegal ones) nothing is said.
 *
 *     misjudged  011 111        judged right  001 010 101
 *     cause      {set 011}      "when bits 0 and 1 are set"
 */
#ifndef WCTS_GENERATE_CAUSE_H
#define WCTS_GENERATE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#define WCTS_GENERATE_CUBES_MAX 4

/* True of the words that have all bits of set, and none of clear. */
struct wcts_generate_cube {
    uint32_t set, clear;
};

/* One cube or another: true of exactly the misjudged words. */
struct wcts_generate_cause {
    struct wcts_generate_cube cubes[WCTS_GENERATE_CUBES_MAX];
    int count;
};

/* The words of a sweep, by how they were judged. Borrowed. */
struct wcts_generate_swept {
    const uint32_t *wrong, *right;
    int wrong_count, right_count;
};

static inline bool wcts_generate_cube_has(struct wcts_generate_cube cube, uint32_t word)
{
    return (word & cube.set) == cube.set && (word & cube.clear) == 0;
}

/* The shortest cause: the fewest cubes, and of these the fewest bits; bits that are set before bits
 * that are clear. False if WCTS_GENERATE_CUBES_MAX cubes do not say it, or are not found
 * after so many looks that it must end, or nothing was misjudged. */
bool wcts_generate_cause_find(const struct wcts_generate_swept *swept,
                              struct wcts_generate_cause *cause);

#endif
