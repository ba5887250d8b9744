/* SPDX-License-Identifier: MIT */
/*
 * Which events of a trace say what a driver answered, and which members: spec/traces/NAME.xml. A
 * trace shows less than it seems to: the kernel changes what it logs, and logs what no driver
 * answered. Whoever reads one believes what is said here, and nothing else.
 */
#ifndef WCTS_LOAD_TRACE_H
#define WCTS_LOAD_TRACE_H

#include "../base/arena.h"
#include "../model/spec.h"

/* How the data of an event is believed. */
enum wcts_load_trace_as {
    WCTS_TRACE_NUMBER, /* as it is */
    WCTS_TRACE_ZERO    /* it is 0, or it is not: the number itself may be another one */
};
/* An event that ends an adapter: before it happens, or with it. What has the same pointer behind it
 * is another adapter. */
enum wcts_load_trace_ends {
    WCTS_TRACE_ENDS_NOTHING,
    WCTS_TRACE_ENDS_BEFORE,
    WCTS_TRACE_ENDS_AFTER
};

/* What an event says of the life of the object that it is about. The pointer of one that has ended
 * may be that of another. */
enum wcts_load_trace_life { WCTS_TRACE_BEGINS, WCTS_TRACE_LASTS, WCTS_TRACE_OBJECT_ENDS };

extern const char *const wcts_load_trace_as_words[];
extern const char *const wcts_load_trace_life_words[];
extern const char *const wcts_load_trace_ends_words[];

/* <feed data="Flags" member="Flags" bits="0x7FF"/>: of the data Flags bits 0 to 10 are those of the
 * member Flags. Versions are indices, as everywhere. */
struct wcts_load_trace_feed {
    const char *data, *member;
    uint32_t width; /* of the member in bytes */
    int names;      /* of its bits: index in words; -1: none */
    uint64_t bits;
    enum wcts_load_trace_as as;
    int since, until;
    const char *open;      /* why it is not believed; NULL: it is */
    const char *confirmed; /* builds of Windows at which it is all the same; NULL: none */
};

/* <except data="Flags" bits="0x1000"/>: with one of the bits the event is not about an answer of
 * the driver; <except data="hDevice" zero="yes"/>: nor if it is 0. Where the data is not there
 * nothing of the event is believed. */
struct wcts_load_trace_except {
    const char *data;
    int names;
    uint64_t bits; /* 0: none */
    bool zero;
    int since, until;
};

/* An event, by its id and versions. */
struct wcts_load_trace_event {
    struct wcts_place place;
    unsigned id;
    const char *versions; /* "0 1" */
    const char *adapter;  /* the data with its adapter */
    enum wcts_load_trace_ends ends;
    const char *object; /* the data with the object that it is about; NULL: none is followed */
    enum wcts_load_trace_life life;
    int message, structure; /* that it feeds: its reply has an array of these; -1: none */
    const char *pointer;    /* the member of the reply that leads to the array */
    const char *number;     /* the data with the element's place in the array, from 1 on; NULL: each
                               event is an answer of its own */
    struct wcts_load_trace_feed *feeds;
    struct wcts_load_trace_except *excepts;
    int feed_count, except_count;
};

/* Names of bits, as a manifest has them. */
struct wcts_load_trace_word {
    const char *name;
    struct {
        const char *name;
        int bit;
    } * flags;
    int flag_count;
};

/* What a file of spec/traces/ says of the events of one provider: which members of a driver's
 * answers they have. */
struct wcts_load_trace {
    const char *provider, *guid; /* without braces */
    struct wcts_load_trace_event *events;
    struct wcts_load_trace_word *words;
    int event_count, word_count;
    struct wcts_arena *arena; /* of all of it, and of itself */
};

/* Loads a file, and checks that all that it names is there. NULL, with every error reported, if
 * something is wrong. The spec has to outlive it; the caller frees it. */
struct wcts_load_trace *wcts_load_trace(const char *path, const struct wcts_spec *spec,
                                        struct wcts_diagnostics *diagnostics);
/* Accepts NULL. */
void wcts_load_trace_free(struct wcts_load_trace *trace);

#endif
