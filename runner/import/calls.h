/* SPDX-License-Identifier: MIT */
/* Calls as lines have them, and the exchanges that they are. */
#ifndef WCTS_IMPORT_CALLS_H
#define WCTS_IMPORT_CALLS_H

#include "import.h"

/* What is not recorded of a call's number, its parent's, or its adapter's. */
#define WCTS_IMPORT_UNTOLD UINT64_MAX

/*
 * A line, before its place among the others is known. Example, a DxgkDdiQueryAdapterInfo without
 * its Type: {.seq 3, .within UNTOLD, .record.operation UINT32_MAX, .maybe {DRIVER_INFO,
 * DRIVER_SEGMENTS}}.
 */
struct wcts_import_call {
    uint64_t seq, within, adapter;
    struct wcts_exchange_record record; /* owned until an exchange has it; operation UINT32_MAX: no
                                           document is about it, or one of maybe is */
    struct wcts_operations maybe;       /* what it may have been, if that is not known */
    bool ends;                          /* behind it, handles and fences may be those of others */
    int parent, depth;                  /* of the sorted calls, parent -1: none */
    bool stray; /* it may have been made in any call before it that is one of a kernel */
};

/* What a first line says that exchanges depend on. */
struct wcts_import_extent {
    struct wcts_operations all; /* see struct wcts_exchange_partial */
    bool complete;
};

/* Makes the exchanges of a recording, which has room for WCTS_IMPORT_ADAPTERS of them. The calls
 * are sorted, and those that an exchange has are its own. False, with an error. */
#define WCTS_IMPORT_ADAPTERS 16
bool wcts_import_arrange(struct wcts_import_reading *reading, struct wcts_import_call *calls,
                         int count, const struct wcts_import_extent *extent,
                         struct wcts_import_recording *recording);

#endif
