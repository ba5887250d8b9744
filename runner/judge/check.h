/* SPDX-License-Identifier: MIT */
/* What the forms of effects share that have code of their own. */
#ifndef WCTS_CHECK_H
#define WCTS_CHECK_H

#include "../exchange/trace.h"

/*
 * The evaluation of one effect in one trace: on is where the effect applies, found the record that
 * is compared. Lives on the stack of the judge. Example: effect "the driver is asked to page the
 * allocation in", on {record 4, the call PAGE_IN}, found {record 5, DRIVER_PAGING}, text "" or
 * "DRIVER_PAGING.SegmentId is 0x2, expected 0x1".
 */
struct wcts_judge_effect_eval {
    struct wcts_exchange_view trace;
    const struct wcts_rule *effect;
    struct wcts_exchange_cursor on, found;
    char text[320]; /* of a breach, or why nothing is seen; one line */
};

/* Checks that an offset is in the bank that a hint names (bank.c). */
enum wcts_truth wcts_judge_check_bank(struct wcts_judge_effect_eval *eval, uint64_t offset,
                                      uint64_t hint);
/* The width of an address as a driver writes it, and the number that it writes: the allocation's
 * address plus an offset. False if the segment was not described. */
uint32_t wcts_judge_encoded_width(uint32_t patches);
bool wcts_judge_encode_address(const struct wcts_exchange_view *trace, uint32_t patches,
                               const struct wcts_DXGK_ALLOCATIONLIST *allocation, uint32_t offset,
                               uint64_t *encoded);

static inline const struct wcts_exchange_record *
wcts_judge_eval_record(const struct wcts_judge_effect_eval *eval, int index)
{
    return &eval->trace.exchange->records[index];
}

#endif
