/* SPDX-License-Identifier: MIT */
/*
 * A map from names to numbers, such as indices. It points to the names, which have to outlive it.
 *
 *     struct wcts_map ids = {0};
 *
 *     if (!wcts_map_add(&ids, spec->rules[i].id, i))
 *         out of memory
 *     index = wcts_map_get(&ids, id, -1);
 *     wcts_map_release(&ids);
 */
#ifndef WCTS_MAP_H
#define WCTS_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* A slot of a map from names to numbers: {"create", 17} says that steps[17] has the name. The
 * name belongs to whoever added it. */
struct wcts_map_entry {
    const char *name; /* NULL: the entry is free */
    int number;
};

/* A hash table with open addressing; its size is 0 or a power of two, twice the count or more. */
struct wcts_map {
    struct wcts_map_entry *entries;
    size_t size, count;
};

/* Adds a name that the map does not have. False when memory runs out: the map is as it was. */
bool wcts_map_add(struct wcts_map *map, const char *name, int number);

/* The number of a name; fallback when the map does not have it. */
int wcts_map_get(const struct wcts_map *map, const char *name, int fallback);

/* The map is empty again. */
void wcts_map_release(struct wcts_map *map);

#endif
