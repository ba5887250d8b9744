/* SPDX-License-Identifier: MIT */
#include "map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The entry of a name, or the free one where it is to be; there is always a free one. FNV-1a. */
static struct wcts_map_entry *map_entry(const struct wcts_map *map, const char *name)
{
    uint32_t hash = 2166136261u;
    size_t at;
    for (const char *letter = name; *letter != '\0'; letter++)
        hash = (hash ^ (unsigned char)*letter) * 16777619u;
    for (at = hash; map->entries[at & (map->size - 1)].name != NULL; at++)
        if (strcmp(map->entries[at & (map->size - 1)].name, name) == 0)
            break;
    return &map->entries[at & (map->size - 1)];
}

static bool map_grow(struct wcts_map *map)
{
    struct wcts_map grown = {.size = map->size != 0 ? map->size * 2 : 64, .count = map->count};
    grown.entries = calloc(grown.size, sizeof *grown.entries);
    if (grown.entries == NULL)
        return false;
    for (size_t i = 0; i < map->size; i++)
        if (map->entries[i].name != NULL)
            *map_entry(&grown, map->entries[i].name) = map->entries[i];
    free(map->entries);
    *map = grown;
    return true;
}

bool wcts_map_add(struct wcts_map *map, const char *name, int number)
{
    if (map->count * 2 >= map->size && !map_grow(map))
        return false;
    *map_entry(map, name) = (struct wcts_map_entry){name, number};
    map->count++;
    return true;
}

int wcts_map_get(const struct wcts_map *map, const char *name, int fallback)
{
    const struct wcts_map_entry *entry = map->size != 0 ? map_entry(map, name) : NULL;
    return entry != NULL && entry->name != NULL ? entry->number : fallback;
}

void wcts_map_release(struct wcts_map *map)
{
    free(map->entries);
    *map = (struct wcts_map){0};
}
