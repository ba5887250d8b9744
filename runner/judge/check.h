/* SPDX-License-Identifier: MIT */
/* What is asked of one value of a record: the attributes that all forms of effects share. */
#ifndef WCTS_CHECK_H
#define WCTS_CHECK_H

#include "../exchange/trace.h"

/* An effect, the place at which it comes about, and the record that it is looked for in. */
struct wcts_effect_eval {
    struct wcts_trace trace;
    const struct wcts_rule *effect;
    struct wcts_cursor on, found;
    char text[320]; /* of a breach, or why nothing is seen; one line */
};

/* True if the value of an operand can be told; number: which of its ways. */
bool wcts_effect_value(const struct wcts_effect_eval *eval, const struct wcts_operand *operand,
                       int number, uint64_t *value);

/* Asks what the attributes state of their member. */
enum wcts_truth wcts_check_value(struct wcts_effect_eval *eval,
                                 const struct wcts_operand arg[WCTS_ARG_COUNT]);

/* Whether the record found matches, and whether the conditions hold where the effect is on. */
bool wcts_effect_matches(struct wcts_effect_eval *eval);
bool wcts_effect_conditions(struct wcts_effect_eval *eval);
/* The n-th of these conditions: TRUE when it holds. */
enum wcts_truth wcts_effect_condition(struct wcts_effect_eval *eval, int n);

/* Whether an offset lies in the bank that a hint names (bank.c). */
enum wcts_truth wcts_check_bank(struct wcts_effect_eval *eval, uint64_t offset, uint64_t hint);
/* How wide an address is as a driver writes it, and which number it then is: the allocation's,
 * plus an offset; false when its segment was not described. */
uint32_t wcts_encoded_width(uint32_t patches);
bool wcts_encode_address(const struct wcts_trace *trace, uint32_t patches,
                         const struct wcts_DXGK_ALLOCATIONLIST *allocation, uint32_t offset,
                         uint64_t *encoded);

/* What the form patch asks of the DMA buffer (buffer.c). */
enum wcts_truth wcts_check_buffer(struct wcts_effect_eval *eval);

/* The form power (power.c). */
enum wcts_truth wcts_check_power(struct wcts_effect_eval *eval);

#endif
