/* SPDX-License-Identifier: MIT */
/*
 * One arena holds the strings and arrays of a spec; all of it is freed at once. Nothing here
 * returns NULL: what the loader reads is bounded, so memory that cannot be had is no error of the
 * input and ends the process with a message.
 */
#ifndef WCTS_ARENA_H
#define WCTS_ARENA_H

#include <stddef.h>

struct wcts_arena;

struct wcts_arena *wcts_arena_new(void);
/* One with room bytes in pages at this address, which the arena then owns: they are zeroed, or hold
 * what was read there, of which used bytes are taken. What has no room in them is elsewhere. */
struct wcts_arena *wcts_arena_new_in(void *pages, size_t room, size_t used);
/* The bytes that are taken of its pages. */
size_t wcts_arena_used(const struct wcts_arena *arena);
/* Accepts NULL. */
void wcts_arena_free(struct wcts_arena *arena);

/* size zeroed bytes, aligned for any type. */
void *wcts_arena_alloc(struct wcts_arena *arena, size_t size);
/* count zeroed elements of size bytes; never NULL, also for a count of 0. */
void *wcts_arena_array(struct wcts_arena *arena, size_t count, size_t size);
/* A copy of length bytes of text, terminated. */
char *wcts_arena_string(struct wcts_arena *arena, const char *text, size_t length);
char *wcts_arena_format(struct wcts_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull(2)));

#endif
