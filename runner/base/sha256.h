/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), for the digest of the spec. */
#ifndef WCTS_SHA256_H
#define WCTS_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct wcts_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void wcts_sha256_init(struct wcts_sha256 *hash);
void wcts_sha256_add(struct wcts_sha256 *hash, const void *bytes, size_t count);
/* Writes 64 hexadecimal digits and a zero; hash may then be initialised again only. */
void wcts_sha256_finish(struct wcts_sha256 *hash, char digest[65]);

#endif
