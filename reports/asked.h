/* SPDX-License-Identifier: MIT */
/* Exit statuses, and what run directories are read with. */
#ifndef WCTS_ASKED_H
#define WCTS_ASKED_H

#include "../runner/model/options.h"

/* The exit statuses of the tool. If several apply, the order is USAGE, NOTHING, FAIL, BROKEN, OK.
 */
enum wcts_report_exit {
    WCTS_EXIT_OK = 0,
    WCTS_EXIT_FAIL = 1,    /* fail, crash or timeout */
    WCTS_EXIT_USAGE = 2,   /* usage or spec error */
    WCTS_EXIT_NOTHING = 3, /* stopped, nothing selected, no case reached a verdict */
    WCTS_EXIT_BROKEN = 3,  /* valid calls refused, harness or set-up failed */
};

struct wcts_spec;
struct wcts_plan;
struct wcts_profile;

/* The options for reading run directories. */
struct wcts_report_load_options {
    const struct wcts_spec *spec; /* that they must be of */
    const struct wcts_options *asked;
    /* Makes the plan of a suite and seed, which the caller frees; NULL, with a message. */
    struct wcts_plan *(*plan)(const void *ctx, enum wcts_suite suite, uint64_t seed);
    /* Loads a profile, of the suite by its name or of the user by its path; the caller frees it.
     * NULL, with a message. */
    struct wcts_profile *(*profile)(const void *ctx, const char *name);
    const void *ctx; /* of plan and profile */
};

#endif
