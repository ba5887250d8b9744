/* SPDX-License-Identifier: MIT */
/* The claims of an implementation. */
#ifndef WCTS_CLAIMS_H
#define WCTS_CLAIMS_H

#include "../../include/wddm-cts.h"

/*
 * What an implementation claims about itself, read once in a first worker; the runner owns the copy
 * that all workers use. Fixed size, since it crosses a pipe. Example: name "emulator", sides KERNEL
 * | DRIVER, capabilities PROBE | MACHINE | PAGES, interface versions 0x2000 to 0x3200, page_sizes
 * 4096.
 */
struct wcts_claims {
    char name[128];
    char version[128];
    uint32_t sides;
    uint32_t capabilities;
    uint32_t first_interface_version, last_interface_version;
    uint32_t page_sizes;
    uint32_t patches;
    uint32_t creates_contexts;
    int versions; /* how many versions of the spec were tried, from the oldest; 0: all. Filled in by
                   * the runner */
    char remarks[800];    /* observations during the queries, a line each; "" for none. Streams
                           * (stream.h) hash what is before it */
    uint32_t connections; /* how many one elsewhere serves at a time; 0: any number */
};

#endif
