/* SPDX-License-Identifier: MIT */
/*
 * Which effects are known to be kept in an exchange. A scenario often brings about the same
 * messages, byte for byte, at one version after the other, and those of each kind are judged twice
 * (run/case.c): an effect that was not broken in them is not evaluated again.
 */
#ifndef WCTS_KEPT_H
#define WCTS_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "../exchange/exchange.h"

/* What identifies an exchange: 128 bits of hash. */
struct wcts_judge_fingerprint {
    uint64_t half[2];
};

#define WCTS_KEPT_EXCHANGES 1024 /* enough for the kinds of a scenario at all versions */

/*
 * The exchanges that were looked at last; whoever judges many owns it, and lends it to the judge.
 * Example: of 480 rules, those with the indices 3 and 70 were found to be kept in an exchange: its
 * bits are {8, 64, 0, ...}.
 */
struct wcts_judge_kept {
    struct wcts_judge_fingerprint exchanges[WCTS_KEPT_EXCHANGES]; /* by some bits of their own */
    int words;                                                    /* of bits for each exchange */
    uint64_t bits[];
};

/* For so many rules; freed with free(). NULL without memory. */
struct wcts_judge_kept *wcts_judge_kept_new(int rules);

/* Of the exchange as it is looked at from a record on, with pages of a size. */
struct wcts_judge_fingerprint wcts_judge_fingerprint(const struct wcts_exchange *exchange, int from,
                                                     uint32_t page_size);
/* The bits of an exchange, of which the caller sets those of rules that are kept; none is set if it
 * was not among the last. They are valid until the next call. */
uint64_t *wcts_judge_kept_in(struct wcts_judge_kept *kept,
                             struct wcts_judge_fingerprint fingerprint);

#endif
