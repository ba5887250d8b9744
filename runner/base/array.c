/* SPDX-License-Identifier: MIT */
#include "array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROOM 8

void *wcts_array_add(void *elements, int *count, size_t size)
{
    char *array;
    memcpy(&array, elements, sizeof array); /* a pointer of any type */
    /* Full: it holds nothing yet, or as many as its room. */
    if (*count == 0 || (*count >= LEAST_ROOM && (*count & (*count - 1)) == 0)) {
        size_t room = *count == 0 ? LEAST_ROOM : (size_t)*count * 2;
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
