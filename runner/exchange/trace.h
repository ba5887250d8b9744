/* SPDX-License-Identifier: MIT */
/*
 * Navigation in a recorded exchange: where a structure is in a record, and the value at the end of
 * a path (struct wcts_lang_ref) from there. Nothing that the parties sent is trusted: what is
 * outside its message does not exist.
 */
#ifndef WCTS_TRACE_H
#define WCTS_TRACE_H

#include "../lang/expr.h"
#include "exchange.h"

/*
 * An exchange to navigate in, and the spec that names its structures; owns nothing. Example:
 * {spec, &session->exchange, 4096}; with cursor {3, 0} the path hDevice/KERNEL_DEVICE.hProcess is
 * the process of the device in record 3.
 */
struct wcts_exchange_view {
    const struct wcts_spec *spec;
    const struct wcts_exchange *exchange;
    uint32_t page_size;
};

/* A record, and the element of its arrays. */
struct wcts_exchange_cursor {
    int record;
    int element;
};

/* The structure at the cursor: in the request, or with reply in the reply; if it is in neither, in
 * what the call asked of others. NULL: nowhere. */
const uint8_t *wcts_exchange_find(const struct wcts_exchange_view *trace,
                                  struct wcts_exchange_cursor cursor, int structure, bool reply);

/* The same in the request alone, or in the reply. */
const uint8_t *wcts_exchange_find_in(const struct wcts_exchange_view *trace,
                                     struct wcts_exchange_cursor cursor, int structure, bool reply);

/* The n-th of a structure behind a pointer of the cursor's element in the reply; NULL: none. */
const uint8_t *wcts_exchange_behind(const struct wcts_exchange_view *trace,
                                    struct wcts_exchange_cursor cursor, int structure, uint32_t n);

/* The last record, up to the cursor's, that itself has so many of it in its request or its reply
 * that the cursor's element is one; -1: none. */
int wcts_exchange_latest(const struct wcts_exchange_view *trace, struct wcts_exchange_cursor cursor,
                         int structure);
/* How many of the structure are in the record's request, or with reply in its reply. */
int wcts_exchange_count(const struct wcts_exchange_view *trace, int record, int structure,
                        bool reply);

/* The value of a member in the n-th of its structure that the record's request, or with reply its
 * reply, has; false if it has fewer. */
bool wcts_exchange_member(const struct wcts_exchange_view *trace, int record, struct wcts_ref ref,
                          bool reply, int n, uint64_t *value);

/* The value of the member of a record's request, or reply, that means this, outside of its arrays;
 * false if it has none. */
bool wcts_exchange_meant(const struct wcts_exchange_view *trace, int record, bool reply,
                         enum wcts_meaning meaning, uint64_t *value);

/* The same of a structure that has such a member, at its bytes. */
uint64_t wcts_exchange_meaning_in(const struct wcts_spec *spec, int structure,
                                  enum wcts_meaning meaning, const uint8_t *bytes);

/* Where a query has shown an allocation to be, and its size; false if the record is none. */
struct wcts_exchange_place {
    uint64_t allocation, segment, segment_size, size;
};
bool wcts_exchange_place(const struct wcts_exchange_view *trace, int record,
                         struct wcts_exchange_place *place);

/* What was read or written of memory; false if the record is no such call. */
struct wcts_exchange_memory {
    bool write;
    uint64_t space, address, length;
    const uint8_t *bytes;
};
bool wcts_exchange_memory(const struct wcts_exchange_view *trace, int record,
                          struct wcts_exchange_memory *memory);

/* What a driver was asked to move, from segment to segment; false if the record is no such request.
 */
struct wcts_exchange_transfer {
    uint64_t allocation, source, destination, size;
};
bool wcts_exchange_transfer(const struct wcts_exchange_view *trace, int record,
                            struct wcts_exchange_transfer *transfer);

/* The pages that a record's reply shows; *count of them, NULL: it shows none. The caller frees
 * them. */
struct wcts_page_shown *wcts_exchange_pages(const struct wcts_exchange_view *trace, int record,
                                            uint32_t *count);

/* The bytes behind a pointer of the root of a message, *length of them; NULL: there are none. */
const uint8_t *wcts_exchange_data(const struct wcts_exchange_view *trace, int record, bool reply,
                                  const char *member, uint64_t *length);

/* Whether the party that a record asks has answered with the handle before, and was not asked since
 * to end what it names. */
enum wcts_exchange_given { WCTS_GIVEN_NEVER, WCTS_GIVEN_ENDED, WCTS_GIVEN };
enum wcts_exchange_given wcts_exchange_given(const struct wcts_exchange_view *trace, int before,
                                             uint64_t handle);

/*
 * Which records gave which handles and addresses, so that a path finds what made one without a look
 * at all records before it. It says of no exchange more than those records do; the exchange must
 * not change while it is lent to it (partial.h). NULL: there are too few records to gain by it, or
 * there is no memory, so that they are looked at one by one.
 */
struct wcts_exchange_givers *wcts_exchange_givers_new(const struct wcts_exchange_view *trace);
void wcts_exchange_givers_free(struct wcts_exchange_givers *givers);

/* The value at the end of a path from a cursor; false if there is none. */
bool wcts_exchange_follow(const struct wcts_exchange_view *trace,
                          struct wcts_exchange_cursor cursor, const struct wcts_lang_ref *steps,
                          int count, uint64_t *value);

/* The descriptor of a segment, by its id, as given before a record; NULL if it was not. Not
 * aligned. */
const uint8_t *wcts_exchange_segment(const struct wcts_exchange_view *trace, int before,
                                     uint64_t id);
/* The BaseAddress of a segment, by its id, as described before a record; false if it was not. */
bool wcts_exchange_base(const struct wcts_exchange_view *trace, int before, uint64_t id,
                        uint64_t *base);

/* The segment of a DMA buffer as DRIVER_PAGING would name it: with the adapter of the driver's
 * device or context that the buffer belongs to, as of a record. */
uint32_t wcts_exchange_buffer_space(const struct wcts_exchange_view *trace, int before,
                                    uint64_t context, uint32_t segment);

/* The first record after index that is not part of its call. */
int wcts_exchange_end(const struct wcts_exchange_view *trace, int index);

/* The end of what a call brings about: of the call, and of the settling right after it. */
int wcts_exchange_scope(const struct wcts_exchange_view *trace, int index);

#endif
