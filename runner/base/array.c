/* SPDX-License-Identifier: MIT */
#include "array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROOM 8
/* An array with that many elements or more grows by a quarter at most: if it doubled, half of its
 * room could stay empty. */
#define MANY (1 << 16)

/* By how many elements a full array of that count grows: by 8 with 8 to 15 elements, by 2^14 with
 * 2^16 to 2^17 - 1. It is full when the count is a multiple of that. */
static int step_at(int count)
{
    int power = LEAST_ROOM;
    while (power <= count / 2)
        power *= 2;
    return power < MANY ? power : power / 4;
}

void *wcts_array_add(void *elements, int *count, size_t size)
{
    char *array;
    memcpy(&array, elements, sizeof array); /* a pointer of any type */
    /* Full: it holds nothing yet, or as many as its room. */
    if (*count == 0 || (*count >= LEAST_ROOM && *count % step_at(*count) == 0)) {
        size_t room = *count == 0 ? LEAST_ROOM : (size_t)*count + (size_t)step_at(*count);
        array = room <= INT_MAX ? reallocarray(array, room, size) : NULL;
        if (array == NULL)
            return NULL;
        memcpy(elements, &array, sizeof array);
    }
    return memset(array + (size_t)(*count)++ * size, 0, size);
}

void wcts_array_copy(void *to, const void *from, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
}
