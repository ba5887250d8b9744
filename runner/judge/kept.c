/* SPDX-License-Identifier: MIT */
#include "kept.h"

#include <stdlib.h>
#include <string.h>

struct wcts_judge_kept *wcts_judge_kept_new(int rules)
{
    int words = rules / 64 + 1;
    struct wcts_judge_kept *kept =
        calloc(1, sizeof *kept + WCTS_KEPT_EXCHANGES * (size_t)words * sizeof kept->bits[0]);
    if (kept)
        kept->words = words;
    return kept;
}

/* ---- Fingerprints ---- */

/* Independent of each other, so that a processor works on all of them at a time. */
#define LANES 4

static uint64_t stir(uint64_t state, uint64_t word)
{
    state = (state ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return state ^ state >> 29;
}

static void stir_words(uint64_t lanes[LANES], const uint64_t words[LANES])
{
    for (int i = 0; i < LANES; i++)
        lanes[i] = stir(lanes[i], words[i]);
}

static void stir_bytes(uint64_t lanes[LANES], const uint8_t *bytes, size_t size)
{
    uint64_t words[LANES] = {0};
    for (; size >= sizeof words; size -= sizeof words, bytes += sizeof words) {
        memcpy(words, bytes, sizeof words);
        stir_words(lanes, words);
    }
    memset(words, 0, sizeof words);
    if (size > 0)
        memcpy(words, bytes, size);
    stir_words(lanes, words);
}

static void stir_record(uint64_t lanes[LANES], const struct wcts_exchange_record *record)
{
    const uint64_t one[LANES] = {(uint64_t)record->operation << 32 | (uint32_t)record->status,
                                 (uint64_t)record->depth << 32 | (uint32_t)record->step,
                                 (uint64_t)record->request_size << 32 | record->reply_size,
                                 (uint64_t)record->seed << 32 | (uint32_t)record->denial};
    const uint64_t other[LANES] = {record->part, record->offset, (uintptr_t)record->gap,
                                   (uint64_t)record->look << 2 | (uint64_t)record->of_kind << 1 |
                                       record->between};
    stir_words(lanes, one);
    stir_words(lanes, other);
    stir_bytes(lanes, record->request, record->request_size);
    stir_bytes(lanes, record->reply, record->reply_size);
}

struct wcts_judge_fingerprint wcts_judge_fingerprint(const struct wcts_exchange *exchange, int from,
                                                     uint32_t page_size)
{
    uint64_t lanes[LANES] = {1, 2, 3, 4};
    const uint64_t head[LANES] = {(uint64_t)exchange->count, (uint64_t)from, page_size, 0};
    stir_words(lanes, head);
    for (int i = 0; i < exchange->count; i++)
        stir_record(lanes, &exchange->records[i]);
    return (struct wcts_judge_fingerprint){{stir(stir(lanes[0], lanes[1]), lanes[2]) ^ lanes[3],
                                            stir(stir(lanes[3], lanes[2]), lanes[1]) ^ lanes[0]}};
}

/* ---- Bits ---- */

uint64_t *wcts_judge_kept_in(struct wcts_judge_kept *kept,
                             struct wcts_judge_fingerprint fingerprint)
{
    size_t at = (size_t)fingerprint.half[0] & (WCTS_KEPT_EXCHANGES - 1);
    struct wcts_judge_fingerprint *known = &kept->exchanges[at];
    uint64_t *bits = &kept->bits[at * (size_t)kept->words];
    if (known->half[0] != fingerprint.half[0] || known->half[1] != fingerprint.half[1]) {
        memset(bits, 0, (size_t)kept->words * sizeof *bits);
        *known = fingerprint;
    }
    return bits;
}
