/* SPDX-License-Identifier: MIT */
/* Numbers in the bytes of messages, and a buffer in which a message grows. */
#ifndef WCTS_BYTES_H
#define WCTS_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct wcts_exchange_buffer {
    uint8_t *bytes;
    size_t size, room;
};

/* Appends size zero bytes, 8-byte aligned; returns their offset, 0 without memory. */
size_t wcts_exchange_buffer_add(struct wcts_exchange_buffer *buffer, size_t size);

uint64_t wcts_exchange_bytes_get(const uint8_t *at, uint32_t width);
void wcts_exchange_bytes_put(uint8_t *at, uint32_t width, uint64_t number);

#endif
