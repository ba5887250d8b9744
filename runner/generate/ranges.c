/* SPDX-License-Identifier: MIT */
#include "ranges.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool is_free(const uint32_t *words, int count, uint32_t bit)
{
    for (int i = 0; i < count; i++) {
        uint32_t other = words[i] ^ bit;
        if (!bsearch(&other, words, (size_t)count, sizeof *words, by_number))
            return false;
    }
    return true;
}

int wcts_generate_ranges(const uint32_t *words, int count, struct wcts_sweep_range *ranges)
{
    uint32_t mask = 0;
    int made = 0;
    for (int bit = 0; count > 0 && bit < 32; bit++)
        if (is_free(words, count, UINT32_C(1) << bit))
            mask |= UINT32_C(1) << bit;
    for (int i = 0; i < count; i++)
        if (!(words[i] & mask))
            ranges[made++] = (struct wcts_sweep_range){
                .Base = words[i], .Mask = mask, .Count = UINT64_C(1) << __builtin_popcount(mask)};
    return made;
}
