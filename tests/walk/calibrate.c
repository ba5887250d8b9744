/* SPDX-License-Identifier: MIT */
/*
 * A fixed amount of work of the kinds that a run does - memory is allocated, cleared, copied,
 * hashed and printed into - for tests/bench.sh to measure the suite by: a slower or busier machine
 * slows both.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 160000, PIECES = 32, ROOM = 16384 };

static uint64_t hash(uint64_t so_far, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        so_far = (so_far ^ bytes[i]) * UINT64_C(0x100000001b3);
    return so_far;
}

/* Allocates a piece for each of the numbers, prints into it, and hashes what was printed. */
static uint64_t one_round(uint64_t sum, unsigned char *from, unsigned char *to)
{
    char *pieces[PIECES];
    memset(from, (int)(sum & 0xff), ROOM);
    memcpy(to, from, ROOM);
    for (size_t i = 0; i < PIECES; i++) {
        const size_t size = 64 + (size_t)(sum % 512);
        pieces[i] = malloc(size);
        if (!pieces[i])
            abort();
        const int length = snprintf(pieces[i], size, "%s %" PRIu64 " %zu", "member", sum, i);
        sum = hash(sum, (const unsigned char *)pieces[i], (size_t)length);
    }
    for (size_t i = 0; i < PIECES; i++)
        free(pieces[i]);
    return hash(sum, to, ROOM / 16);
}

int main(void)
{
    static unsigned char from[ROOM], to[ROOM];
    uint64_t sum = 1;
    for (int i = 0; i < ROUNDS; i++)
        sum = one_round(sum, from, to);
    return printf("%" PRIx64 "\n", sum) < 0;
}
