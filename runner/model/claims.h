/* SPDX-License-Identifier: MIT */
/* The claims of an implementation. */
#ifndef WCTS_CLAIMS_H
#define WCTS_CLAIMS_H

#include "../../include/wddm-cts.h"

/* What one side answered to its INFO. Example: {PROBE | MACHINE, 0x1053, 0x11007}: WDDM 1.0 to
 * 3.2. */
struct wcts_claims_side {
    uint32_t capabilities;
    uint32_t first_interface_version, last_interface_version;
};

/*
 * What an implementation claims about itself, read once in a first worker; the runner owns the copy
 * that all workers use. Fixed size, since it crosses a pipe. Example: name "emulator", sides KERNEL
 * | DRIVER, capabilities PROBE | MACHINE | PAGES, interface versions 0x2000 to 0x3200, page_sizes
 * 4096.
 */
struct wcts_claims {
    char name[128];
    char version[128];
    char profile[WCTS_PROFILE_MAX + 1]; /* by which it is to be judged; "" for none */
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
    uint32_t raised_from; /* its own last version, where the last is raised; 0: it is not */
    struct wcts_claims_side of[2]; /* kernel, driver; 0 for a side that was not asked */
    uint32_t patch_width;          /* driver: bytes that it patches at a location, 1 to 8 */
    uint32_t paging;               /* driver: bit n is the paging operation n */
    uint32_t kind_count;           /* names in kinds: of the driver's kinds that have one */
    char kinds[WCTS_REPLY_ROOM];   /* each ends with a 0; those behind the room are left out */
    uint32_t offered;              /* the sides that the plug-in has, also those not asked */
};

/* Tests the implementation up to that interface version although it does not claim it; 0: only what
 * it claims. */
static inline void wcts_model_claims_raise(struct wcts_claims *claims, uint32_t version)
{
    if (claims->last_interface_version >= version)
        return;
    claims->raised_from = claims->last_interface_version;
    claims->last_interface_version = version;
}

#endif
