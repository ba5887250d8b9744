/* SPDX-License-Identifier: MIT */
#include "facts.h"

#include <inttypes.h>

bool wcts_model_same_facts(const struct wcts_fact *a, int a_count, const struct wcts_fact *b,
                           int b_count)
{
    bool same = a_count == b_count;
    for (int i = 0; same && i < a_count; i++)
        same = wcts_model_same_fact(&a[i], &b[i]);
    return same;
}

void wcts_model_facts_put(struct wcts_text *text, const struct wcts_facts *facts)
{
    wcts_text_add(text, " %d", facts ? facts->count : -1);
    for (int i = 0; facts && i < facts->count; i++) {
        const struct wcts_fact *fact = &facts->facts[i];
        wcts_text_add(text, " %d %d %d %d %d %" PRIu64, fact->instance, fact->ref.structure,
                      fact->ref.member, fact->ref.flag, fact->value.symbol, fact->value.number);
    }
}

const struct wcts_facts *wcts_model_facts_take(const char **at, struct wcts_arena *arena)
{
    int count = wcts_next_int(at);
    struct wcts_facts *facts;
    if (count < 0)
        return NULL;
    facts = wcts_arena_alloc(arena, sizeof *facts + (size_t)count * sizeof *facts->facts);
    facts->count = count;
    for (int i = 0; i < count; i++) {
        struct wcts_fact *fact = &facts->facts[i];
        fact->instance = wcts_next_int(at);
        fact->ref.structure = wcts_next_int(at);
        fact->ref.member = wcts_next_int(at);
        fact->ref.flag = wcts_next_int(at);
        fact->value.symbol = wcts_next_int(at);
        fact->value.number = (uint64_t)wcts_next_number(at);
    }
    return facts;
}
