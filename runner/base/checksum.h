/* SPDX-License-Identifier: MIT */
/*
 * A checksum against accidents, not against attackers (digest.h): a packet that was cut off, a file
 * of the build that was written half. The state of the bytes before, or 0, goes in; the state with
 * these comes out.
 *
 *     uint64_t sum = wcts_checksum(0, &head, sizeof head);
 *
 *     sum = wcts_checksum(sum, body, size);
 */
#ifndef WCTS_CHECKSUM_H
#define WCTS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

uint64_t wcts_checksum(uint64_t state, const void *bytes, size_t size);

/* The next bytes of a file as a text, which the caller frees; NULL if they have another checksum,
 * or there is no memory. */
char *wcts_checksum_read(FILE *in, size_t size, uint64_t sum);

#endif
