/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_BLOCK ((size_t)64 * 1024)
#define ARENA_ALIGN ((size_t)16)

struct arena_block {
    struct arena_block *next;
    size_t used, room;
    /* 16 bytes aligned: the header is padded to a multiple of ARENA_ALIGN. */
    size_t padding;
    unsigned char bytes[];
};

struct wcts_arena {
    struct arena_block *blocks; /* the one to take from first */
    unsigned char *pages;       /* taken from before all blocks; NULL: there are none */
    size_t pages_used, pages_room;
};

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("wddm-cts: out of memory\n", stderr);
        _Exit(3); /* the suite's own trouble, see the exit statuses in docs/ci.md */
    }
    return memory;
}

struct wcts_arena *wcts_arena_new(void)
{
    return must(calloc(1, sizeof(struct wcts_arena)));
}

struct wcts_arena *wcts_arena_new_in(void *pages, size_t room, size_t used)
{
    struct wcts_arena *arena = wcts_arena_new();
    arena->pages = pages;
    arena->pages_room = room;
    arena->pages_used = used;
    return arena;
}

size_t wcts_arena_used(const struct wcts_arena *arena)
{
    return arena->pages_used;
}

void wcts_arena_free(struct wcts_arena *arena)
{
    if (arena == NULL)
        return;
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    if (arena->pages != NULL)
        munmap(arena->pages, arena->pages_room);
    free(arena);
}

static struct arena_block *add_block(struct wcts_arena *arena, size_t least)
{
    size_t room = least > ARENA_BLOCK ? least : ARENA_BLOCK;
    struct arena_block *block = must(calloc(1, sizeof(*block) + room));
    block->room = room;
    /* A block for one large piece goes behind the current one, which still has room. */
    if (least > ARENA_BLOCK && arena->blocks != NULL) {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

void *wcts_arena_alloc(struct wcts_arena *arena, size_t size)
{
    struct arena_block *block = arena->blocks;
    void *piece;
    if (size > SIZE_MAX / 2)
        must(NULL);
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (arena->pages != NULL && arena->pages_room - arena->pages_used >= size) {
        piece = arena->pages + arena->pages_used;
        arena->pages_used += size;
        return piece;
    }
    if (block == NULL || block->room - block->used < size)
        block = add_block(arena, size);
    piece = block->bytes + block->used;
    block->used += size;
    return piece;
}

void *wcts_arena_array(struct wcts_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        must(NULL);
    return wcts_arena_alloc(arena, bytes);
}

char *wcts_arena_string(struct wcts_arena *arena, const char *text, size_t length)
{
    char *copy = wcts_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *wcts_arena_format(struct wcts_arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        must(NULL);
    text = wcts_arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}
