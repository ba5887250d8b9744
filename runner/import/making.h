/* SPDX-License-Identifier: MIT */
/*
 * A message while it is made of a line's members: bytes, and a mask of what is known of them.
 * message.c follows structures, arrays and pointers; values.c puts the values of single members.
 */
#ifndef WCTS_IMPORT_MAKING_H
#define WCTS_IMPORT_MAKING_H

#include "../exchange/bytes.h"
#include "import.h"

/* The message that is being made. Example: the reply of a DRIVER_SEGMENTS of two segments, 96 bytes
 * so far, of which BaseAddress is not known: known is 0 there. */
struct wcts_import_making {
    struct wcts_import_reading *reading;
    const struct wcts_spec *spec;
    int version;
    const struct wcts_import_bodies *bodies;
    bool reply;
    struct wcts_exchange_buffer bytes, known;
};

/* An object of the file, and where its structure is in the message. Example: the second element of
 * pSegmentDescriptor, at 64 behind the head of 16, depth 1. */
struct wcts_import_holder {
    int structure;
    size_t at;
    const json_t *object;
    bool root; /* of the message: members may have native names */
    int depth;
};

/* True if a member is there at the message's version. */
bool wcts_import_exists(const struct wcts_import_making *making, const struct wcts_member *member);

/* ---- the mask ---- */

void wcts_import_mark(struct wcts_import_making *making, size_t at, size_t size, int byte);
/* Room at the end, of which everything is known to be 0; 0 without memory. */
size_t wcts_import_add_room(struct wcts_import_making *making, size_t size);
/* Nothing is known of the members of a structure that exist. */
void wcts_import_hide_members(struct wcts_import_making *making, int structure, size_t at);
void wcts_import_put_number(struct wcts_import_making *making, size_t at,
                            const struct wcts_member *member, uint64_t number);
bool wcts_import_is_member_told(const struct wcts_import_making *making, size_t at,
                                const struct wcts_member *member);
uint64_t wcts_import_number_at(const struct wcts_import_making *making, size_t at,
                               const struct wcts_member *member);
/* A pointer, or a number that is no word of flags, of which nothing is known but that it is not 0.
 */
void wcts_import_put_somewhere(struct wcts_import_making *making, size_t at,
                               const struct wcts_member *member, uint64_t number);

/* ---- values: false, with an error reported, if one is wrong ---- */

/* Reports a value that is wrong; false. */
bool wcts_import_wrong_value(struct wcts_import_making *making,
                             const struct wcts_import_holder *holder,
                             const struct wcts_member *member, const json_t *value,
                             const char *expected);
bool wcts_import_set_number(struct wcts_import_making *making,
                            const struct wcts_import_holder *holder,
                            const struct wcts_member *member, const json_t *value);
/* A number, or what stands for one: an object with flags, with bits, or with bit fields. */
bool wcts_import_set_value(struct wcts_import_making *making,
                           const struct wcts_import_holder *holder,
                           const struct wcts_member *member, const json_t *value);
/* What an object has of the bits that native structures have as members of their own. */
bool wcts_import_set_fields(struct wcts_import_making *making,
                            const struct wcts_import_holder *holder,
                            const struct wcts_member *member, const json_t *object);

#endif
