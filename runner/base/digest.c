/* SPDX-License-Identifier: MIT */
#include "digest.h"

void wcts_digest_init(struct wcts_digest *digest)
{
    sha256_init(&digest->context);
}

void wcts_digest_add(struct wcts_digest *digest, const void *bytes, size_t size)
{
    sha256_update(&digest->context, size, bytes);
}

void wcts_digest_end(struct wcts_digest *digest, char hexadecimal[WCTS_DIGEST_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&digest->context, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        *hexadecimal++ = digits[bytes[i] >> 4];
        *hexadecimal++ = digits[bytes[i] & 15];
    }
    *hexadecimal = '\0';
}
