/* SPDX-License-Identifier: MIT */
/* Facts, compared, and as numbers in the files that the build makes. */
#ifndef WCTS_FACTS_H
#define WCTS_FACTS_H

#include "../base/arena.h"
#include "../base/text.h"
#include "test.h"

/* The same place and value. */
static inline bool wcts_model_same_fact(const struct wcts_fact *a, const struct wcts_fact *b)
{
    return a->instance == b->instance && wcts_model_same_ref(a->ref, b->ref) &&
           a->value.symbol == b->value.symbol && a->value.number == b->value.number;
}

/* The same facts in the same order. */
bool wcts_model_same_facts(const struct wcts_fact *a, int a_count, const struct wcts_fact *b,
                           int b_count);

/* Appends them as numbers, each behind a space: how many, -1 for NULL, and the numbers of each. */
void wcts_model_facts_put(struct wcts_text *text, const struct wcts_facts *facts);
/* The opposite, from *at on, which moves on: facts in the arena. What is read is trusted. */
const struct wcts_facts *wcts_model_facts_take(const char **at, struct wcts_arena *arena);

#endif
