/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a tape (tape.h), written at their end and read from their beginning: numbers of
 * seven bits a byte, and messages as what they differ in from the last one of their operation. The
 * pages of a range are asked for again after every step of a walk, and hardly ever change.
 *
 * A reader takes nothing for granted: what it is given may have been made up.
 */
#ifndef WCTS_STRIP_H
#define WCTS_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message is no larger than that; a longer one is cut. */
#define WCTS_STRIP_MESSAGE_MAX (1u << 20)
/* What the messages of one strip come to at most, once they are read. */
#define WCTS_STRIP_READ_MAX (UINT64_C(1) << 30)

/* The last message of an operation. */
struct wcts_strip_last {
    uint8_t *bytes;
    size_t size, room;
};

#define WCTS_STRIP_PARTIES 3
#define WCTS_STRIP_OPERATIONS 32

struct wcts_strip {
    uint8_t *bytes;
    size_t size, room;
    size_t limit; /* writing: more is not taken; then full is set */
    bool full;
    size_t at;     /* reading */
    uint64_t read; /* bytes of messages */
    bool wrong;    /* reading: it ended early, or holds what cannot be */
    struct wcts_strip_last last[WCTS_STRIP_PARTIES][WCTS_STRIP_OPERATIONS];
};

void wcts_strip_release(struct wcts_strip *strip);
/* Nothing is written, no message was. */
void wcts_strip_clear(struct wcts_strip *strip);

void wcts_strip_put_byte(struct wcts_strip *strip, uint8_t byte);
void wcts_strip_put_number(struct wcts_strip *strip, uint64_t number);
void wcts_strip_put_bytes(struct wcts_strip *strip, const void *bytes, size_t size);
void wcts_strip_put_message(struct wcts_strip *strip, uint32_t operation, const void *bytes,
                            size_t size);

/* Says what the next message of an operation will hold from offset on, as likely as not. To be said
 * at the same place by writer and reader. */
void wcts_strip_expect(struct wcts_strip *strip, uint32_t operation, size_t offset,
                       const void *bytes, size_t size);

/* Takes over a copy of what was written, to read it. False without memory. */
bool wcts_strip_load(struct wcts_strip *strip, const void *bytes, size_t size);
bool wcts_strip_at_end(const struct wcts_strip *strip);
uint8_t wcts_strip_byte(struct wcts_strip *strip);
uint64_t wcts_strip_number(struct wcts_strip *strip);
/* Bytes in the strip itself, NULL when there are not so many. */
const uint8_t *wcts_strip_bytes(struct wcts_strip *strip, size_t size);
/* A message, with its size; the caller frees it. NULL when there is none, or no memory. */
uint8_t *wcts_strip_message(struct wcts_strip *strip, uint32_t operation, size_t *size);

/* Tells bytes apart that came about by accident; it guards against nobody. */
uint64_t wcts_strip_hash(uint64_t state, const void *bytes, size_t size);

/* What is kept from strip to strip to compress them; NULL without memory. */
struct wcts_packer;
struct wcts_packer *wcts_packer_new(void);
void wcts_packer_free(struct wcts_packer *packer);
/* The strip written so far, compressed, in memory of the caller's; NULL without memory. */
uint8_t *wcts_strip_pack(const struct wcts_strip *strip, struct wcts_packer *packer, size_t *size);
/* The opposite, for a strip of raw bytes exactly. False when it is none. */
bool wcts_strip_unpack(struct wcts_strip *strip, const void *bytes, size_t size, size_t raw);

#endif
