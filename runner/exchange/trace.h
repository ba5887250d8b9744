/* SPDX-License-Identifier: MIT */
/*
 * A recorded exchange as something that can be asked: where a structure stands in a record, and
 * what a way (struct wcts_path) comes to from there. Nothing is believed of what the parties sent:
 * whatever lies outside its message is not there.
 */
#ifndef WCTS_TRACE_H
#define WCTS_TRACE_H

#include "exchange.h"

struct wcts_trace {
    const struct wcts_spec *spec;
    const struct wcts_exchange *exchange;
    uint32_t page_size;
};

/* A record, and which element of its arrays is meant. */
struct wcts_cursor {
    int record;
    int element;
};

/* Where the structure stands at the spot: in the request, or with reply in the reply; in what the
 * call came to ask of others when it is in neither. NULL: nowhere. */
const uint8_t *wcts_trace_find(const struct wcts_trace *trace, struct wcts_cursor cursor,
                               int structure, bool reply);

/* How often the structure stands in the record's request, or with reply in its reply. */
int wcts_trace_count(const struct wcts_trace *trace, int record, int structure, bool reply);

/* The value at the end of a way from a spot; false when there is none. */
bool wcts_trace_follow(const struct wcts_trace *trace, struct wcts_cursor cursor,
                       const struct wcts_path *path, uint64_t *value);

/* The BaseAddress of a segment, by its id, as it was described before a record; false: it was not.
 */
bool wcts_trace_base(const struct wcts_trace *trace, int before, uint64_t id, uint64_t *base);

/* The first record behind index that is not part of its call. */
int wcts_trace_end(const struct wcts_trace *trace, int index);

/* The end of what a call brings about: of the call, and of the settling right behind it. */
int wcts_trace_scope(const struct wcts_trace *trace, int index);

#endif
