/* SPDX-License-Identifier: MIT */
#include "strip.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define WORD sizeof(uint64_t)

void wcts_exchange_strip_clear(struct wcts_exchange_strip *strip)
{
    strip->size = strip->at = 0;
    strip->read = 0;
    strip->full = strip->wrong = false;
    for (int i = 0; i < WCTS_STRIP_PARTIES; i++)
        for (int j = 0; j < WCTS_STRIP_OPERATIONS; j++)
            strip->last[i][j].size = 0;
    wcts_exchange_blocks_clear(&strip->blocks);
}

void wcts_exchange_strip_release(struct wcts_exchange_strip *strip)
{
    for (int i = 0; i < WCTS_STRIP_PARTIES; i++)
        for (int j = 0; j < WCTS_STRIP_OPERATIONS; j++)
            free(strip->last[i][j].bytes);
    wcts_exchange_blocks_release(&strip->blocks);
    free(strip->bytes);
    *strip = (struct wcts_exchange_strip){0};
}

/* Anything that is no operation of the interface shares a place. */
static struct wcts_exchange_strip_last *last_of(struct wcts_exchange_strip *strip,
                                                uint32_t operation)
{
    bool reply = operation >> 16 == WCTS_STRIP_REPLY >> 16;
    uint32_t party = (reply ? operation & 0xFFFF : operation) >> 8, number = operation & 0xFF;
    if (party < 1 || party > WCTS_STRIP_PARTIES / 2 || number >= WCTS_STRIP_OPERATIONS)
        return &strip->last[0][0];
    return &strip->last[(party - 1) * 2 + reply][number];
}

static bool last_make_room(struct wcts_exchange_strip_last *last, size_t size)
{
    uint8_t *more = size > last->room ? realloc(last->bytes, size) : last->bytes;
    if (size > last->room && more) {
        last->bytes = more;
        last->room = size;
    }
    return more || size == 0;
}

/* ---- Writing ---- */

/* Room for so many more bytes; NULL when the strip is full. */
static uint8_t *more(struct wcts_exchange_strip *strip, size_t size)
{
    if (strip->full || size > strip->limit - strip->size) {
        strip->full = true;
        return NULL;
    }
    if (!strip->bytes || size > strip->room - strip->size) {
        size_t room = (strip->size + size) * 2 + 1024;
        uint8_t *bytes = realloc(strip->bytes, room);
        if (!bytes) {
            strip->full = true;
            return NULL;
        }
        strip->bytes = bytes;
        strip->room = room;
    }
    strip->size += size;
    return strip->bytes + strip->size - size;
}

void wcts_exchange_strip_put_byte(struct wcts_exchange_strip *strip, uint8_t byte)
{
    uint8_t *to = more(strip, 1);
    if (to)
        *to = byte;
}

void wcts_exchange_strip_put_bytes(struct wcts_exchange_strip *strip, const void *bytes,
                                   size_t size)
{
    uint8_t *to = more(strip, size);
    if (to && size)
        memcpy(to, bytes, size);
}

void wcts_exchange_strip_put_number(struct wcts_exchange_strip *strip, uint64_t number)
{
    size_t count = 1;
    uint8_t *to;
    if (number <= 0x7F) { /* nearly all */
        wcts_exchange_strip_put_byte(strip, (uint8_t)number);
        return;
    }
    for (uint64_t rest = number; rest > 0x7F; rest >>= 7)
        count++;
    to = more(strip, count);
    for (size_t i = 0; to && i < count; i++, number >>= 7)
        to[i] = (uint8_t)(i + 1 < count ? number | 0x80 : number);
}

static uint64_t word_at(const uint8_t *bytes, size_t index)
{
    uint64_t word;
    memcpy(&word, bytes + index * WORD, WORD);
    return word;
}

/* Makes the last message at least as long as the next, filled up with zeros. Of a longer one before
 * it the end stays: a buffer is read whole, in part, and whole again. */
static bool stretch(struct wcts_exchange_strip_last *last, size_t size)
{
    if (!last_make_room(last, size))
        return false;
    if (size > last->size) {
        memset(last->bytes + last->size, 0, size - last->size);
        last->size = size;
    }
    return true;
}

void wcts_exchange_strip_expect(struct wcts_exchange_strip *strip, uint32_t operation,
                                size_t offset, const void *bytes, size_t size)
{
    struct wcts_exchange_strip_last *last = last_of(strip, operation);
    if (size > WCTS_STRIP_MESSAGE_MAX)
        return;
    if (stretch(last, offset + size))
        memcpy(last->bytes + offset, bytes, size);
    else
        strip->full = strip->wrong = true;
}

/* Writes alternately how many words are as in the last message and how many differ, with those that
 * differ; then the bytes after the last whole word. */
static void put_changed_words(struct wcts_exchange_strip *strip, const uint8_t *bytes,
                              uint8_t *last, size_t size)
{
    size_t words = size / WORD, at = 0;
    while (at < words && !strip->full) {
        size_t same = at, differ;
        while (same < words && word_at(bytes, same) == word_at(last, same))
            same++;
        differ = same;
        while (differ < words && word_at(bytes, differ) != word_at(last, differ))
            differ++;
        wcts_exchange_strip_put_number(strip, same - at);
        wcts_exchange_strip_put_number(strip, differ - same);
        wcts_exchange_strip_put_bytes(strip, bytes + same * WORD, (differ - same) * WORD);
        memcpy(last + same * WORD, bytes + same * WORD, (differ - same) * WORD);
        at = differ;
    }
    wcts_exchange_strip_put_bytes(strip, bytes + words * WORD, size - words * WORD);
    memcpy(last + words * WORD, bytes + words * WORD, size - words * WORD);
}

/* How a block of memory is put. */
enum { AS_LAST, IN_FULL, AS_BLOCK /* and later ones: + the number of the block */ };

static void put_block(struct wcts_exchange_strip *strip, const uint8_t *bytes, uint8_t *last)
{
    int number;
    if (memcmp(bytes, last, WCTS_BLOCK) == 0) {
        wcts_exchange_strip_put_number(strip, AS_LAST);
        return;
    }
    number = wcts_exchange_blocks_find(&strip->blocks, bytes);
    wcts_exchange_strip_put_number(strip, number < 0 ? IN_FULL : AS_BLOCK + (uint64_t)number);
    if (number >= 0) {
        memcpy(last, bytes, WCTS_BLOCK);
        return;
    }
    put_changed_words(strip, bytes, last, WCTS_BLOCK);
    if (!wcts_exchange_blocks_add(&strip->blocks, bytes))
        strip->full = true;
}

void wcts_exchange_strip_put_memory(struct wcts_exchange_strip *strip, uint32_t operation,
                                    size_t before, const void *message, size_t size)
{
    struct wcts_exchange_strip_last *last = last_of(strip, operation);
    const uint8_t *bytes = message;
    size_t at = before < size ? before : 0;
    wcts_exchange_strip_put_number(strip, size);
    if (size > WCTS_STRIP_MESSAGE_MAX || !stretch(last, size))
        strip->full = true;
    if (strip->full || size == 0)
        return;
    put_changed_words(strip, bytes, last->bytes, at);
    for (; at != 0 && size - at >= WCTS_BLOCK && !strip->full; at += WCTS_BLOCK)
        put_block(strip, bytes + at, last->bytes + at);
    put_changed_words(strip, bytes + at, last->bytes + at, size - at);
}

/* ---- Reading ---- */

void wcts_exchange_strip_load(struct wcts_exchange_strip *strip, const void *bytes, size_t size)
{
    wcts_exchange_strip_clear(strip);
    strip->in = bytes;
    strip->size = size;
}

bool wcts_exchange_strip_at_end(const struct wcts_exchange_strip *strip)
{
    return strip->wrong || strip->at == strip->size;
}

const uint8_t *wcts_exchange_strip_bytes(struct wcts_exchange_strip *strip, size_t size)
{
    if (strip->wrong || size > strip->size - strip->at) {
        strip->wrong = true;
        return NULL;
    }
    strip->at += size;
    return strip->in + strip->at - size;
}

uint8_t wcts_exchange_strip_byte(struct wcts_exchange_strip *strip)
{
    const uint8_t *at = wcts_exchange_strip_bytes(strip, 1);
    return at ? *at : 0;
}

uint64_t wcts_exchange_strip_number(struct wcts_exchange_strip *strip)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t *at = wcts_exchange_strip_bytes(strip, 1);
        if (!at)
            return 0;
        number |= (uint64_t)(*at & 0x7F) << shift;
        if (!(*at & 0x80))
            return number;
    }
    strip->wrong = true;
    return 0;
}

/* Turns a part of the last message into that of the next one. */
static void read_words(struct wcts_exchange_strip *strip, uint8_t *last, size_t size)
{
    size_t words = size / WORD, at = 0;
    const uint8_t *bytes;
    while (at < words && !strip->wrong) {
        uint64_t same = wcts_exchange_strip_number(strip),
                 differ = wcts_exchange_strip_number(strip);
        if (same > words - at || differ > words - at - same || same + differ == 0) {
            strip->wrong = true;
            return;
        }
        bytes = wcts_exchange_strip_bytes(strip, differ * WORD);
        if (bytes)
            memcpy(last + (at + same) * WORD, bytes, differ * WORD);
        at += same + differ;
    }
    bytes = wcts_exchange_strip_bytes(strip, size - words * WORD);
    if (bytes)
        memcpy(last + words * WORD, bytes, size - words * WORD);
}

static void read_block(struct wcts_exchange_strip *strip, uint8_t *last)
{
    uint64_t how = wcts_exchange_strip_number(strip);
    const uint8_t *block;
    if (strip->wrong || how == AS_LAST)
        return;
    if (how == IN_FULL) {
        read_words(strip, last, WCTS_BLOCK);
        strip->wrong = strip->wrong || !wcts_exchange_blocks_add(&strip->blocks, last);
        return;
    }
    block = wcts_exchange_blocks_at(&strip->blocks, how - AS_BLOCK);
    if (block)
        memcpy(last, block, WCTS_BLOCK);
    else
        strip->wrong = true;
}

/* Turns the last message into the next one, which is not empty. */
static void read_into(struct wcts_exchange_strip *strip, size_t before, uint8_t *last, size_t size)
{
    size_t at = before < size ? before : 0;
    read_words(strip, last, at);
    for (; at != 0 && size - at >= WCTS_BLOCK && !strip->wrong; at += WCTS_BLOCK)
        read_block(strip, last + at);
    read_words(strip, last + at, size - at);
}

uint8_t *wcts_exchange_strip_memory(struct wcts_exchange_strip *strip, uint32_t operation,
                                    size_t before, size_t *size)
{
    struct wcts_exchange_strip_last *last = last_of(strip, operation);
    uint64_t length = wcts_exchange_strip_number(strip);
    uint8_t *message = NULL;
    *size = 0;
    strip->read += length;
    if (length > WCTS_STRIP_MESSAGE_MAX || strip->read > WCTS_STRIP_READ_MAX ||
        !stretch(last, (size_t)length))
        strip->wrong = true;
    if (!strip->wrong && length > 0)
        read_into(strip, before, last->bytes, (size_t)length);
    if (!strip->wrong)
        message = malloc((size_t)length + 1);
    if (!message)
        return NULL;
    if (length > 0)
        memcpy(message, last->bytes, (size_t)length);
    *size = (size_t)length;
    return message;
}

/* ---- Packing ---- */

/* Fast, and small enough. */
#define LEVEL 3
#define WINDOW_LOG 23

struct wcts_packer {
    ZSTD_CCtx *packs;
    ZSTD_DCtx *unpacks;
    bool begun;
};

struct wcts_packer *wcts_exchange_packer_new(void)
{
    struct wcts_packer *packer = calloc(1, sizeof *packer);
    if (!packer)
        return NULL;
    packer->packs = ZSTD_createCCtx();
    packer->unpacks = ZSTD_createDCtx();
    if (packer->packs && packer->unpacks &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(packer->packs, ZSTD_c_compressionLevel, LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(packer->packs, ZSTD_c_windowLog, WINDOW_LOG)) &&
        !ZSTD_isError(ZSTD_DCtx_setParameter(packer->unpacks, ZSTD_d_windowLogMax, WINDOW_LOG)))
        return packer;
    wcts_exchange_packer_free(packer);
    return NULL;
}

void wcts_exchange_packer_free(struct wcts_packer *packer)
{
    if (!packer)
        return;
    ZSTD_freeCCtx(packer->packs);
    ZSTD_freeDCtx(packer->unpacks);
    free(packer);
}

void wcts_exchange_packer_begin(struct wcts_packer *packer)
{
    if (!packer)
        return;
    ZSTD_CCtx_reset(packer->packs, ZSTD_reset_session_only);
    ZSTD_DCtx_reset(packer->unpacks, ZSTD_reset_session_only);
    packer->begun = false;
}

bool wcts_exchange_packer_begins(const struct wcts_packer *packer)
{
    return !packer->begun;
}

uint8_t *wcts_exchange_packer_pack(struct wcts_packer *packer, const void *bytes, size_t raw,
                                   size_t *size)
{
    ZSTD_inBuffer in = {bytes, raw, 0};
    ZSTD_outBuffer out = {malloc(ZSTD_compressBound(raw) + 64), ZSTD_compressBound(raw) + 64, 0};
    size_t left = out.dst ? ZSTD_compressStream2(packer->packs, &out, &in, ZSTD_e_flush) : 1;
    *size = out.pos;
    packer->begun = true;
    if (left == 0) {
        uint8_t *less = realloc(out.dst, out.pos + 1);
        return less ? less : out.dst;
    }
    free(out.dst);
    return NULL;
}

uint8_t *wcts_exchange_packer_unpack(struct wcts_packer *packer, const void *bytes, size_t size,
                                     size_t raw)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    ZSTD_outBuffer out = {malloc(raw + 1), raw + 1, 0};
    size_t left = 1, before;
    do {
        before = in.pos + out.pos;
        left = out.dst ? ZSTD_decompressStream(packer->unpacks, &out, &in) : 0;
    } while (!ZSTD_isError(left) && left != 0 && in.pos + out.pos != before);
    /* All strips of a stream are in one frame, which does not end: 0 is the end of one. */
    if (out.dst && !ZSTD_isError(left) && left != 0 && in.pos == size && out.pos == raw)
        return out.dst;
    free(out.dst);
    return NULL;
}
