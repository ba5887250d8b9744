/* SPDX-License-Identifier: MIT */
#include "bytes.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

size_t wcts_exchange_buffer_add(struct wcts_exchange_buffer *buffer, size_t size)
{
    size_t at = (buffer->size + 7) & ~(size_t)7;
    if (at + size > buffer->room) {
        size_t room = (at + size) * 2 + 256;
        uint8_t *more = realloc(buffer->bytes, room);
        if (!more)
            return 0;
        buffer->bytes = more;
        buffer->room = room;
    }
    memset(buffer->bytes + buffer->size, 0, at + size - buffer->size);
    buffer->size = at + size;
    return at;
}

/* Nearly all members have one of these widths: a copy of a fixed size is one instruction. */
uint64_t wcts_exchange_bytes_get(const uint8_t *at, uint32_t width)
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

void wcts_exchange_bytes_put(uint8_t *at, uint32_t width, uint64_t number)
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
