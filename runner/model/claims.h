/* SPDX-License-Identifier: MIT */
/* What an implementation claims of itself. */
#ifndef WCTS_CLAIMS_H
#define WCTS_CLAIMS_H

#include "../../include/wddm-cts.h"

/* What it says of itself, read once by a first worker. Fixed size: it crosses a pipe. */
struct wcts_claims {
    char name[128];
    char version[128];
    uint32_t sides;
    uint32_t capabilities;
    uint32_t first_interface_version, last_interface_version;
    uint32_t page_sizes;
    uint32_t patches;
    uint32_t creates_contexts;
    int versions; /* how many of the spec's were tried, from the oldest; 0: all. The runner's */
    char remarks[800]; /* what was noticed while it was asked, a line each; "" for nothing. Last:
                        * records of cases (tape.h) depend on what is before it */
};

#endif
