/* SPDX-License-Identifier: MIT */
/* Lanes: processes that try faults beside each other, each the next one that nobody has begun. What
 * a fault costs differs by a thousand, so that workers in one fault wait for each other most of the
 * time. A case that seemed to hang runs again alone among those of its lane; other lanes go on. */
#ifndef WCTS_FAULTS_LANES_H
#define WCTS_FAULTS_LANES_H

#include "faults.h"

/*
 * What is done in lanes. For example all of ten faults by two of them:
 *     {.faults = faults, .list = (int[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, .count = 10, .lanes = 2,
 * ...}
 */
struct wcts_faults_lanes {
    struct wcts_faults *faults; /* their trials are filled in, in the caller's process */
    const int *list;            /* of faults, by index */
    int count, lanes;           /* lanes: 2 or more */
    /* In a lane: tries a fault, its trial is then sent. False if a signal stopped it. */
    bool (*try)(void *ctx, int fault);
    void *try_ctx;
    wcts_fault_tried_fn *each; /* for each fault, in the order of the list */
    void *each_ctx;
};

enum wcts_faults_lanes_end { WCTS_LANES_DONE, WCTS_LANES_STOPPED, WCTS_LANES_BROKEN };

/* STOPPED by a signal, which the caller has to block (stop.h); BROKEN with the reason in error. No
 * lane is left behind. */
enum wcts_faults_lanes_end wcts_faults_lanes_run(const struct wcts_faults_lanes *lanes, char *error,
                                                 size_t room);

#endif
