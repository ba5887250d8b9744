/* SPDX-License-Identifier: MIT */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS (WCTS_BLOCKS_MAX * 2)

void wcts_exchange_blocks_release(struct wcts_exchange_blocks *blocks)
{
    free(blocks->bytes);
    free(blocks->slots);
    *blocks = (struct wcts_exchange_blocks){0};
}

void wcts_exchange_blocks_clear(struct wcts_exchange_blocks *blocks)
{
    if (blocks->slots && blocks->count != 0)
        memset(blocks->slots, 0, SLOTS * sizeof *blocks->slots);
    blocks->count = 0;
}

bool wcts_exchange_blocks_add(struct wcts_exchange_blocks *blocks, const uint8_t *block)
{
    if (blocks->count == WCTS_BLOCKS_MAX)
        return true;
    if (blocks->count == blocks->room) {
        int room = blocks->room ? blocks->room * 2 : 16;
        uint8_t *bytes = realloc(blocks->bytes, (size_t)room * WCTS_BLOCK);
        if (!bytes)
            return false;
        blocks->bytes = bytes;
        blocks->room = room;
    }
    memcpy(blocks->bytes + (size_t)blocks->count * WCTS_BLOCK, block, WCTS_BLOCK);
    blocks->count++;
    if (blocks->slots)
        blocks->slots[blocks->open] = (uint16_t)blocks->count;
    return true;
}

const uint8_t *wcts_exchange_blocks_at(const struct wcts_exchange_blocks *blocks, uint64_t number)
{
    return number < (uint64_t)blocks->count ? blocks->bytes + number * WCTS_BLOCK : NULL;
}

/* All words count: patterns differ in few of them. */
static size_t first_slot(const uint8_t *block)
{
    uint64_t sums[4] = {1, 2, 3, 4}, words[4], hash = 0;
    for (size_t i = 0; i < WCTS_BLOCK; i += sizeof words) {
        memcpy(words, block + i, sizeof words);
        for (int k = 0; k < 4; k++)
            sums[k] = (sums[k] ^ words[k]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    for (int k = 0; k < 4; k++)
        hash = (hash ^ sums[k] ^ sums[k] >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) % SLOTS;
}

int wcts_exchange_blocks_find(struct wcts_exchange_blocks *blocks, const uint8_t *block)
{
    size_t slot = first_slot(block);
    if (!blocks->slots)
        blocks->slots = calloc(SLOTS, sizeof *blocks->slots);
    if (!blocks->slots)
        return -1;
    for (; blocks->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        int number = blocks->slots[slot] - 1;
        if (memcmp(blocks->bytes + (size_t)number * WCTS_BLOCK, block, WCTS_BLOCK) == 0)
            return number;
    }
    blocks->open = slot;
    return -1;
}
