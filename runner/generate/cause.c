/* SPDX-License-Identifier: MIT */
/*
 * A cube that holds a misjudged word and no right one has to differ from each right word in one of
 * its bits: it is a hitting set of the differences between that word and the right ones. The
 * smallest hitting sets are tried first; what a cube leaves unexplained is explained by the next.
 */
#include "cause.h"

#include <stdlib.h>
#include <string.h>

/* Cubes of more bits say nothing to a reader. */
#define BITS_MAX 8
/* How many cubes are tried for one word, the shortest first. */
#define CUBES_TRIED 64
/* Words and differences that are looked at before the search is given up: some tenths of a second.
 * Where thousands of words have nothing in common, as when an implementation answers by chance, the
 * cubes of one word alone, and then four cubes, could be tried for hours, and the implementation
 * would seem to hang. */
#define LOOKS_MAX (INT64_C(1) << 26)

/* The differences that a cube has to hit: none holds another one. */
struct generate_differences {
    uint32_t *masks;
    int count;
};

static int by_bits(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int difference = __builtin_popcount(x) - __builtin_popcount(y);
    return difference ? difference : (x > y) - (x < y);
}

/* Of all differences those that hold no other: what hits these hits all. Those of one bit come
 * first, and make most others needless at once. */
static bool find_differences(const struct wcts_generate_swept *swept, uint32_t word,
                             int64_t *looks_left, struct generate_differences *differences)
{
    uint32_t single = 0;
    int count = 0, kept = 0;
    uint32_t *masks = calloc((size_t)swept->right_count + 1, sizeof *masks);
    if (!masks)
        return false;
    for (int i = 0; i < swept->right_count; i++) {
        uint32_t mask = word ^ swept->right[i];
        if ((mask & (mask - 1)) == 0)
            single |= mask;
    }
    for (uint32_t rest = single; rest; rest &= rest - 1)
        masks[count++] = rest & -rest;
    for (int i = 0; i < swept->right_count; i++)
        if (((word ^ swept->right[i]) & single) == 0)
            masks[count++] = word ^ swept->right[i];
    qsort(masks, (size_t)count, sizeof *masks, by_bits);
    for (int i = 0; i < count; i++) {
        bool needless = false;
        int k = 0;
        for (; k < kept && !needless; k++)
            needless = (masks[k] & ~masks[i]) == 0;
        *looks_left -= k;
        if (!needless)
            masks[kept++] = masks[i];
    }
    *differences = (struct generate_differences){masks, kept};
    return true;
}

/* Cubes that hold a word and no right one, the shortest first. */
struct generate_cubes {
    uint32_t word;
    uint32_t bits[CUBES_TRIED]; /* which of the word's bits are in the cube */
    int count;
    int64_t *looks_left; /* of the whole search */
};

static bool is_minimal(const struct generate_differences *differences, uint32_t chosen)
{
    for (uint32_t rest = chosen; rest; rest &= rest - 1) {
        uint32_t without = chosen & ~(rest & -rest);
        int hit = 0;
        while (hit < differences->count && differences->masks[hit] & without)
            hit++;
        if (hit == differences->count)
            return false;
    }
    return true;
}

static void add_cube(struct generate_cubes *cubes, const struct generate_differences *differences,
                     uint32_t chosen)
{
    for (int i = 0; i < cubes->count; i++)
        if (cubes->bits[i] == chosen)
            return;
    *cubes->looks_left -= differences->count;
    if (cubes->count < CUBES_TRIED && is_minimal(differences, chosen))
        cubes->bits[cubes->count++] = chosen;
}

/* Hits the first difference that is not hit yet with each of its bits; those that the word has set
 * come first. */
static void hit(struct generate_cubes *cubes, const struct generate_differences *differences,
                uint32_t chosen, int from, int left)
{
    int first = from;
    while (from < differences->count && differences->masks[from] & chosen)
        from++;
    *cubes->looks_left -= from - first + 1;
    if (from == differences->count) {
        if (left == 0)
            add_cube(cubes, differences, chosen);
        return;
    }
    if (left == 0 || cubes->count == CUBES_TRIED || *cubes->looks_left < 0)
        return;
    for (int set = 1; set >= 0; set--)
        for (uint32_t rest = differences->masks[from] & (set ? cubes->word : ~cubes->word); rest;
             rest &= rest - 1)
            hit(cubes, differences, chosen | (rest & -rest), from + 1, left - 1);
}

static bool find_cubes(const struct wcts_generate_swept *swept, uint32_t word, int64_t *looks_left,
                       struct generate_cubes *cubes)
{
    struct generate_differences differences;
    *cubes = (struct generate_cubes){.word = word, .looks_left = looks_left};
    if (!find_differences(swept, word, looks_left, &differences))
        return false;
    for (int bits = 0; bits <= BITS_MAX; bits++)
        hit(cubes, &differences, 0, 0, bits);
    free(differences.masks);
    return cubes->count > 0;
}

static struct wcts_generate_cube cube_of(const struct generate_cubes *cubes, int index)
{
    return (struct wcts_generate_cube){cubes->bits[index] & cubes->word,
                                       cubes->bits[index] & ~cubes->word};
}

static int cause_weight(const struct wcts_generate_cause *cause)
{
    int bits = 0;
    for (int i = 0; i < cause->count; i++)
        bits += __builtin_popcount(cause->cubes[i].set) + __builtin_popcount(cause->cubes[i].clear);
    return bits;
}

/* The misjudged word that no cube has and that is the least of its kind: the one with the fewest
 * bits set. NULL: all have one. */
static const uint32_t *unexplained(const struct wcts_generate_swept *swept,
                                   const struct wcts_generate_cause *cause)
{
    const uint32_t *least = NULL;
    for (int i = 0; i < swept->wrong_count; i++) {
        bool has = false;
        for (int c = 0; c < cause->count && !has; c++)
            has = wcts_generate_cube_has(cause->cubes[c], swept->wrong[i]);
        if (!has && (!least || by_bits(&swept->wrong[i], least) < 0))
            least = &swept->wrong[i];
    }
    return least;
}

struct generate_cause_search {
    const struct wcts_generate_swept *swept;
    struct wcts_generate_cause *best; /* what was found, or a count of 0 */
    int64_t looks_left;
};

/* Explains what is unexplained with so many cubes more. */
static void explain_words(struct generate_cause_search *search, struct wcts_generate_cause *cause,
                          int left)
{
    const uint32_t *word;
    struct generate_cubes cubes;
    search->looks_left -= (int64_t)search->swept->wrong_count * (cause->count + 1);
    if (search->looks_left < 0)
        return;
    word = unexplained(search->swept, cause);
    if (!word) {
        if (search->best->count == 0 || cause_weight(cause) < cause_weight(search->best))
            *search->best = *cause;
        return;
    }
    if (left == 0)
        return;
    search->looks_left -= search->swept->right_count;
    if (!find_cubes(search->swept, *word, &search->looks_left, &cubes))
        return;
    for (int i = 0; i < cubes.count; i++) {
        cause->cubes[cause->count++] = cube_of(&cubes, i);
        if (search->best->count == 0 || cause_weight(cause) < cause_weight(search->best))
            explain_words(search, cause, left - 1);
        cause->count--;
    }
}

bool wcts_generate_cause_find(const struct wcts_generate_swept *swept,
                              struct wcts_generate_cause *cause)
{
    struct wcts_generate_cause found = {.count = 0};
    struct generate_cause_search search = {swept, cause, LOOKS_MAX};
    *cause = found;
    for (int count = 1;
         swept->wrong_count > 0 && count <= WCTS_GENERATE_CUBES_MAX && cause->count == 0; count++)
        explain_words(&search, &found, count);
    return cause->count > 0;
}
