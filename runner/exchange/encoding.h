/* SPDX-License-Identifier: MIT */
/* The expression with which a driver declares what it writes where it patches an address. */
#ifndef WCTS_ENCODING_H
#define WCTS_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wddm-cts.h"

/* The names of an expression, as its language has them. */
enum wcts_exchange_encoding_value {
    WCTS_ENCODING_ADDRESS,
    WCTS_ENCODING_OFFSET,
    WCTS_ENCODING_BASE,
    WCTS_ENCODING_SEGMENT,
    WCTS_ENCODING_SLOT,
    WCTS_ENCODING_DRIVER,
    WCTS_ENCODING_OLD,
    WCTS_ENCODING_VALUES
};

/* Evaluates an expression, of which the header of plug-ins has the language. text: as it is in a
 * message, of at most room bytes, the terminating zero included. False, with what is wrong in
 * error, if it is none. Example: "address + offset - base" with ADDRESS 0x5000, OFFSET 0x10, BASE
 * 0x4000 is 0x1010. */
bool wcts_exchange_encoding(const char *text, size_t room,
                            const uint64_t values[WCTS_ENCODING_VALUES], uint64_t *value,
                            char *error, size_t error_room);

/* True if an expression declares what the driver writes. */
static inline bool wcts_exchange_encoding_is_text(uint32_t patches)
{
    return patches == WCTS_PATCHES_EXPRESSION || patches == WCTS_PATCHES_PRIVATE;
}

/* Bytes that a driver writes at a location, 1 to 8, by its reply of size bytes; 8 if it declares
 * nothing sensible. */
uint32_t wcts_exchange_encoding_width(const struct wcts_driver_info_reply *info, uint32_t size);

#endif
