/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a stream (stream.h), appended and read in order: numbers of seven bits a byte, and
 * messages as their differences from the last one of the same operation. The pages of a range are
 * queried after every step of a walk and hardly ever change. Content of memory in a message is a
 * number for each block (blocks.h): 0, as in the last message; 1, another one, which follows as
 * differences from it; else 2 + the number of the block that it equals.
 *
 * A reader trusts nothing: its input may be forged.
 */
#ifndef WCTS_STRIP_H
#define WCTS_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks.h"

/* The largest message; a longer one is cut. */
#define WCTS_STRIP_MESSAGE_MAX (1u << 20)
/* The most bytes of all messages of one strip, as they are read. */
#define WCTS_STRIP_READ_MAX (UINT64_C(1) << 30)

/* The most bytes of a stored stream, before and after it is packed; a longer one is not stored. */
#define WCTS_STRIP_MAX ((size_t)64 << 20)
#define WCTS_PACKED_MAX ((size_t)1 << 20)

/* Added to an operation: its replies, which resemble each other. */
#define WCTS_STRIP_REPLY 0x10000u

/* The last message of an operation, and behind its end what longer ones before it had there. */
struct wcts_exchange_strip_last {
    uint8_t *bytes;
    size_t size, room;
};

/* Of requests and replies. */
#define WCTS_STRIP_PARTIES 6
#define WCTS_STRIP_OPERATIONS 32

/* A stream of numbers and bytes, written and read by the same calls, each message relative to
 * the one of its operation before it: a second request that differs in one member takes little
 * more than that member. */
struct wcts_exchange_strip {
    uint8_t *bytes;    /* writing; owned */
    const uint8_t *in; /* reading; borrowed */
    size_t size, room;
    size_t limit; /* writing: the most bytes; then full is set */
    bool full;
    size_t at;     /* reading */
    uint64_t read; /* bytes of messages */
    bool wrong;    /* reading: True if it ended early, or holds something impossible */
    struct wcts_exchange_blocks blocks;
    struct wcts_exchange_strip_last last[WCTS_STRIP_PARTIES][WCTS_STRIP_OPERATIONS];
};

void wcts_exchange_strip_release(struct wcts_exchange_strip *strip);
/* Empties it, and forgets the last messages. */
void wcts_exchange_strip_clear(struct wcts_exchange_strip *strip);

void wcts_exchange_strip_put_byte(struct wcts_exchange_strip *strip, uint8_t byte);
void wcts_exchange_strip_put_number(struct wcts_exchange_strip *strip, uint64_t number);
void wcts_exchange_strip_put_bytes(struct wcts_exchange_strip *strip, const void *bytes,
                                   size_t size);
/* A message that is content of memory from offset before on, a multiple of 8.
 * WCTS_STRIP_MESSAGE_MAX: none of it is. */
void wcts_exchange_strip_put_memory(struct wcts_exchange_strip *strip, uint32_t operation,
                                    size_t before, const void *bytes, size_t size);

/* Sets the likely content of the next message of an operation from offset on. Writer and reader
 * must call it at the same place. */
void wcts_exchange_strip_expect(struct wcts_exchange_strip *strip, uint32_t operation,
                                size_t offset, const void *bytes, size_t size);

/* Begins to read what was written, which must stay until it is read. */
void wcts_exchange_strip_load(struct wcts_exchange_strip *strip, const void *bytes, size_t size);
bool wcts_exchange_strip_at_end(const struct wcts_exchange_strip *strip);
uint8_t wcts_exchange_strip_byte(struct wcts_exchange_strip *strip);
uint64_t wcts_exchange_strip_number(struct wcts_exchange_strip *strip);
/* Bytes in the strip itself, NULL if there are not so many. */
const uint8_t *wcts_exchange_strip_bytes(struct wcts_exchange_strip *strip, size_t size);
/* A message, with its size; the caller frees it. NULL if there is none, or no memory. */
uint8_t *wcts_exchange_strip_memory(struct wcts_exchange_strip *strip, uint32_t operation,
                                    size_t before, size_t *size);

/*
 * Packing: strips one after the other as one compressed stream, each behind the bytes of the one
 * before it and readable once that was read. What cases repeat is stored once.
 */
struct wcts_packer;
/* NULL without memory. */
struct wcts_packer *wcts_exchange_packer_new(void);
void wcts_exchange_packer_free(struct wcts_packer *packer);
/* Begins another compressed stream, for writing or reading; a new packer has begun one. packer may
 * be NULL. */
void wcts_exchange_packer_begin(struct wcts_packer *packer);
/* True if nothing is packed in the stream yet. */
bool wcts_exchange_packer_begins(const struct wcts_packer *packer);
/* Bytes, packed; the caller frees them. NULL without memory; a new stream must begin then. */
uint8_t *wcts_exchange_packer_pack(struct wcts_packer *packer, const void *bytes, size_t raw,
                                   size_t *size);
/* The opposite, of exactly raw bytes, which the caller frees; NULL if they are not. */
uint8_t *wcts_exchange_packer_unpack(struct wcts_packer *packer, const void *bytes, size_t size,
                                     size_t raw);

#endif
