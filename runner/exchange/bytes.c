/* SPDX-License-Identifier: MIT */
#include "bytes.h"

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
