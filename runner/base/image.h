/* SPDX-License-Identifier: MIT */
/*
 * What an arena holds as a file, which a later process of the same program reads instead of making
 * it again. The arena lies at an address that every process has free, so that its pointers into
 * itself stay right; those into the program, which is somewhere else in each process, are mended
 * when the file is read. Pointers to anything else cannot be stored.
 *
 *     struct wcts_arena *arena = wcts_image_arena();
 *     struct thing *thing = make(arena);
 *     wcts_image_store(arena, thing, out);
 *
 *     struct wcts_arena *arena = wcts_image_read("thing.image", &root);
 *     if (arena != NULL)
 *         use(root);
 *     wcts_arena_free(arena);             root with it
 *
 * A file is good for the one program, with its build id, that wrote it, and as trusted as that is:
 * what is in it is not looked at. What makes the same makes the same bytes, and what nobody set may
 * look like a pointer: structures that are copied into the arena have no padding between members.
 */
#ifndef WCTS_IMAGE_H
#define WCTS_IMAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "arena.h"

/* An empty arena that can be stored, one at a time in a process; NULL if its address is not free.
 */
struct wcts_arena *wcts_image_arena(void);

/* Writes what it holds, and where in it root is. False if that fails, or if a word of it points to
 * neither the arena nor the program. */
bool wcts_image_store(const struct wcts_arena *arena, const void *root, FILE *out);

/* The arena that was stored and its root, which belongs to it. NULL if the file is not there or not
 * whole, is of another program, or if its address is not free. */
struct wcts_arena *wcts_image_read(const char *path, void **root);

#endif
