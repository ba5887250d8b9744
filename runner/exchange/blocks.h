/* SPDX-License-Identifier: MIT */
/*
 * The blocks of memory that a strip (strip.h) has held in full, by their numbers. What an
 * allocation contains is read and written again and again while it is moved, each time between
 * other addresses: its second copy is a number. Writer and reader add the same blocks in the same
 * order.
 */
#ifndef WCTS_BLOCKS_H
#define WCTS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a block: the smallest page. */
#define WCTS_BLOCK 4096u
/* The most blocks, 16 MiB; those after them are held in full each time. */
#define WCTS_BLOCKS_MAX 4096

/* All zero at first. */
struct wcts_exchange_blocks {
    uint8_t *bytes; /* count blocks; owned */
    int count, room;
    uint16_t *slots; /* writing: a hash table of 1 + number; NULL: none; owned */
    size_t open;     /* writing: the slot of the block that was searched for last */
};

void wcts_exchange_blocks_release(struct wcts_exchange_blocks *blocks);
/* Forgets all blocks. */
void wcts_exchange_blocks_clear(struct wcts_exchange_blocks *blocks);
/* Nothing is added beyond WCTS_BLOCKS_MAX. False without memory. */
bool wcts_exchange_blocks_add(struct wcts_exchange_blocks *blocks, const uint8_t *block);
/* The block of a number; NULL: none. */
const uint8_t *wcts_exchange_blocks_at(const struct wcts_exchange_blocks *blocks, uint64_t number);
/* The number of a block with this content, -1: none. While there is memory to
 * search, the only block that may be added is the one that was not found last. */
int wcts_exchange_blocks_find(struct wcts_exchange_blocks *blocks, const uint8_t *block);

#endif
