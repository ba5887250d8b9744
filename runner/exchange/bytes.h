/* SPDX-License-Identifier: MIT */
/* Numbers in the bytes of messages, and a buffer in which a message grows. */
#ifndef WCTS_BYTES_H
#define WCTS_BYTES_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a message, whose memory is kept for the next one: {.size = 24, .room = 64} holds 24. */
struct wcts_exchange_buffer {
    uint8_t *bytes;
    size_t size, room;
};

/* Appends size zero bytes, 8-byte aligned; returns their offset, 0 without memory. */
size_t wcts_exchange_buffer_add(struct wcts_exchange_buffer *buffer, size_t size);

/* Nearly all members have one of these widths: a copy of a fixed size is one instruction. */
static inline uint64_t wcts_exchange_bytes_get(const uint8_t *at, uint32_t width)
{
    uint64_t number = 0;
    switch (width) {
    case 4:
        memcpy(&number, at, 4);
        return le64toh(number);
    case 8:
        memcpy(&number, at, 8);
        return le64toh(number);
    default:
        for (uint32_t i = 0; i < width && i < 8; i++)
            number |= (uint64_t)at[i] << 8 * i;
        return number;
    }
}

static inline void wcts_exchange_bytes_put(uint8_t *at, uint32_t width, uint64_t number)
{
    const uint64_t little = htole64(number);
    switch (width) {
    case 4:
        memcpy(at, &little, 4);
        return;
    case 8:
        memcpy(at, &little, 8);
        return;
    default:
        for (uint32_t i = 0; i < width && i < 8; i++)
            at[i] = (uint8_t)(number >> 8 * i);
    }
}

#endif
