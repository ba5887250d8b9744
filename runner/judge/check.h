/* SPDX-License-Identifier: MIT */
/* What is asked of one value of a record: the attributes that all forms of effects share. */
#ifndef WCTS_CHECK_H
#define WCTS_CHECK_H

#include "../exchange/trace.h"

/* UNSEEN: the records do not show it. */
enum wcts_seen { WCTS_UNSEEN, WCTS_KEPT, WCTS_BREACH };

/* An effect, the place at which it comes about, and the record that it is looked for in. */
struct wcts_looking {
    struct wcts_trace trace;
    const struct wcts_rule *effect;
    struct wcts_spot on, found;
    char text[320]; /* of a breach, or why nothing is seen; one line */
};

/* Whether the value of an operand can be told; number: which of its ways. */
bool wcts_look_value(const struct wcts_looking *looking, const struct wcts_operand *operand,
                     int number, uint64_t *value);

/* Asks what the attributes state of their member. */
enum wcts_seen wcts_look_check(struct wcts_looking *looking,
                               const struct wcts_operand arg[WCTS_ARG_COUNT]);

/* Whether the record found matches, and whether the conditions hold where the effect is on. */
bool wcts_look_matches(struct wcts_looking *looking);
bool wcts_look_conditions(struct wcts_looking *looking);
/* The n-th of these conditions: KEPT when it holds, BREACH when it does not. */
enum wcts_seen wcts_look_condition(struct wcts_looking *looking, int n);

/* Whether an offset lies in the bank that a hint names (bank.c). */
enum wcts_seen wcts_look_bank(struct wcts_looking *looking, uint64_t offset, uint64_t hint);
/* How wide an address is as a driver writes it, and which number it then is: the allocation's,
 * plus an offset; false when its segment was not described. */
uint32_t wcts_encoded_width(uint32_t patches);
bool wcts_encode_address(const struct wcts_trace *trace, uint32_t patches,
                         const struct wcts_DXGK_ALLOCATIONLIST *allocation, uint32_t offset,
                         uint64_t *encoded);

/* What the form patch asks of the DMA buffer (buffer.c). */
enum wcts_seen wcts_look_buffer(struct wcts_looking *looking);

/* The form power (power.c). */
enum wcts_seen wcts_look_power(struct wcts_looking *looking);

#endif
