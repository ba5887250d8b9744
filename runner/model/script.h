/* SPDX-License-Identifier: MIT */
/*
 * A script: all that is done for a test, whatever kind it is of. plan/program.c makes it,
 * machine/script.c performs it, and the judge reads what was recorded.
 */
#ifndef WCTS_SCRIPT_H
#define WCTS_SCRIPT_H

#include "test.h"

/* What a boot is for. */
enum wcts_purpose {
    WCTS_FOR_TEST, /* the test itself: its call, scenario or sequence */
    WCTS_FOR_TWIN,
    WCTS_FOR_BASE,
    WCTS_FOR_SIZE, /* the sizes that a kernel reports of its allocations */
};

/* What must have become of the test's own boot for another to be made. */
enum wcts_due {
    WCTS_DUE_ALWAYS,
    WCTS_DUE_REFUSED,      /* its call, or the set-up, was refused or is missing */
    WCTS_DUE_SEEN_REFUSED, /* its call was refused, and all acts behind it were performed */
    WCTS_DUE_ACCEPTED,     /* its call was accepted because of what only the kernel knows */
};

/* Fresh parties, and the acts that are performed with them. Example: the twin of a refused call:
 * {WCTS_FOR_TWIN, WCTS_DUE_REFUSED, its facts, their number, its acts, their number}. */
struct wcts_script_boot {
    enum wcts_purpose purpose;
    enum wcts_due due;
    const struct wcts_fact *facts; /* by which the base differs */
    int fact_count;
    const struct wcts_act *acts;
    int act_count;
};

#define WCTS_SCRIPT_BOOTS 3

/*
 * Example, of a test that a call is refused: boots {FOR_TEST, always, its facts, {NEEDS, BASE}},
 * {FOR_TWIN, if refused, the twin's facts, {NEEDS, BASE}}. Of a scenario: one boot, with the acts
 * of the scenario. It owns nothing.
 */
struct wcts_script {
    const struct wcts_case *test;
    int adapter; /* whose answers the scripted driver gives; -1: those of the base, if any */
    struct wcts_script_boot boots[WCTS_SCRIPT_BOOTS];
    int boot_count;
    const struct wcts_ref *handle; /* SIZES: the member that names the allocation */
};

#endif
