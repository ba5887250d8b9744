/* SPDX-License-Identifier: MIT */
#include "checksum.h"

#include <stdlib.h>
#include <string.h>

static uint64_t stir(uint64_t state, uint64_t word)
{
    state = (state ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return state ^ state >> 29;
}

uint64_t wcts_checksum(uint64_t state, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint64_t word = 0;
    state = stir(state, size);
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        state = stir(state, word);
    }
    word = 0;
    if (size > 0)
        memcpy(&word, at, size);
    return stir(stir(state, word), 0);
}

char *wcts_checksum_read(FILE *in, size_t size, uint64_t sum)
{
    char *bytes = calloc(1, size + 1);
    if (bytes && fread(bytes, 1, size, in) == size && wcts_checksum(0, bytes, size) == sum)
        return bytes;
    free(bytes);
    return NULL;
}
