/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 over bytes that come piece by piece. nettle has it with the instructions that processors
 * have for it: a run takes the digests of some 30 MB.
 *
 *     struct wcts_digest digest;
 *     char hexadecimal[WCTS_DIGEST_SIZE];
 *
 *     wcts_digest_init(&digest);
 *     wcts_digest_add(&digest, bytes, size);
 *     wcts_digest_end(&digest, hexadecimal);
 */
#ifndef WCTS_DIGEST_H
#define WCTS_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>

#define WCTS_DIGEST_SIZE (2 * SHA256_DIGEST_SIZE + 1)

/* A SHA-256 that is being computed: init, add any number of times, finish with 64 hexadecimal
 * digits. */
struct wcts_digest {
    struct sha256_ctx context;
};

void wcts_digest_init(struct wcts_digest *digest);
void wcts_digest_add(struct wcts_digest *digest, const void *bytes, size_t size);
void wcts_digest_end(struct wcts_digest *digest, char hexadecimal[WCTS_DIGEST_SIZE]);

#endif
