/* SPDX-License-Identifier: MIT */
/*
 * Events of a trace of Windows, from the XML that tracerpt writes. etw_xml.c reads events, etw.c
 * makes messages of what spec/traces/dxgkrnl.xml believes of them.
 */
#ifndef WCTS_IMPORT_ETW_H
#define WCTS_IMPORT_ETW_H

#include "../load/trace.h"
#include "import.h"

/* Who logged an event. */
enum wcts_import_provider {
    WCTS_PROVIDER_OTHER,
    WCTS_PROVIDER_OURS,   /* whose events spec/traces/dxgkrnl.xml describes */
    WCTS_PROVIDER_HEADER, /* of the session itself: the first event, about the file */
    WCTS_PROVIDER_LOST    /* of the session: events were lost here */
};

/* A member of an event as it is printed, without blanks around it. */
struct wcts_import_etw_data {
    const char *name, *value;
};

/* An event. Owned by the reader until the visit returns. Example: {line 120, OURS, id 78, version
 * 1, decoded, {{"ulSegmentId", "1"}, {"Flags", "5"}}}. */
struct wcts_import_etw_event {
    long line; /* of its id */
    enum wcts_import_provider provider;
    unsigned id, version;
    bool versioned;                           /* false: its version is not said */
    const struct wcts_load_trace_event *kind; /* NULL: nobody wants it, and its data is not read */
    bool known;                               /* some version of it is wanted */
    bool decoded; /* false: tracerpt had no manifest for it, or one of another version */
    struct wcts_import_etw_data *data;
    int data_count;
};

typedef bool wcts_import_etw_visit(void *context, const struct wcts_import_etw_event *event);

/* Reads all events; false, with an error reported, if the XML is wrong, or a visit returned false.
 */
bool wcts_import_etw_xml(struct wcts_import_reading *reading, FILE *in,
                         const struct wcts_load_trace *trace, wcts_import_etw_visit *visit,
                         void *context);

/* The value of a member; NULL: it is not there, or there several times. */
const char *wcts_import_etw_value(const struct wcts_import_etw_event *event, const char *name);
/* A number as tracerpt prints it: decimal, hexadecimal, true, false, or names of bits (NULL: there
 * are none), beside which hexadecimal numbers may stand for what has no name. False if it is none:
 * "1,024" is no list of a 1 and a 24. */
bool wcts_import_etw_number(const char *value, const struct wcts_load_trace_word *names,
                            uint64_t *number);

#endif
