/* SPDX-License-Identifier: MIT */
/*
 * Effects by which a message differs from all that were before it. Looking at each pair takes the
 * square of what an exchange has; whether any has the same value at all takes a look at each.
 */
#ifndef WCTS_DIFFERING_H
#define WCTS_DIFFERING_H

#include "select.h"

/*
 * The values of a member in the messages of an exchange, in order, up to the subject that was asked
 * about last; it owns them. Example: of every DRIVER_SUBMIT before a DXGKARG_PATCH
 * "call.SubmissionFenceId != SubmissionFenceId" holds, and these were 1, 2 and 3: a DXGKARG_PATCH
 * with 4 breaks nothing.
 */
struct wcts_judge_differing {
    int called, met;  /* expressions: of the subject, and of a message before it; called 0: the
                         effect is of another form */
    uint64_t *values; /* a hash table; 0 is in has_zero */
    int count, room;  /* room: a power of two, or 0 */
    bool has_zero;
    int next; /* the first record that was not looked at */
};

struct wcts_judge_differing wcts_judge_differing(const struct wcts_judge_selection *selection);
void wcts_judge_differing_release(struct wcts_judge_differing *differing);
/* True if the effect is kept in a record, or not shown: nothing before it has the same value.
 * Records are asked about in order. */
bool wcts_judge_differs(struct wcts_judge_differing *differing,
                        struct wcts_judge_selection *selection, int record);

#endif
