/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by one element at a time: a pointer, NULL at first and freed with free(), and a
 * count. They need no third field, as the room is always the power of two that holds the count.
 *
 *     struct list { struct pair *pairs; int pair_count; };
 *
 *     struct pair *pair = WCTS_ARRAY_ADD(list->pairs, list->pair_count);
 *     if (pair == NULL)
 *         return false;                   the array is as it was
 *     *pair = (struct pair){index, waiver};
 */
#ifndef WCTS_ARRAY_H
#define WCTS_ARRAY_H

#include <stddef.h>

/* A new element at the end, zeroed; NULL when memory runs out, or the count an int. */
#define WCTS_ARRAY_ADD(elements, count)                                                            \
    ((__typeof__(elements))wcts_array_add(&(elements), &(count), sizeof *(elements)))

/* The same, of the array whose pointer is at elements and whose elements have size bytes. */
void *wcts_array_add(void *elements, int *count, size_t size);

/* Copies count elements; from may be NULL when there are none, which memcpy does not allow. */
#define WCTS_ARRAY_COPY(to, from, count)                                                           \
    wcts_array_copy((to), (from), (size_t)(count) * sizeof *(from))

void wcts_array_copy(void *to, const void *from, size_t size);

#endif
