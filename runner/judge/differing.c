/* SPDX-License-Identifier: MIT */
#include "differing.h"

#include <stdlib.h>

/* How many quantifiers out the subject of an expression is; -1: it is no path. */
static int scope_of(const struct wcts_judge_selection *selection, int index)
{
    const struct wcts_lang_node *node = &selection->exprs->nodes[index];
    while (node->op == WCTS_OP_FOLLOW)
        node = &selection->exprs->nodes[node->a];
    return node->op == WCTS_OP_MEMBER ? node->ref.scope : -1;
}

struct wcts_judge_differing wcts_judge_differing(const struct wcts_judge_selection *selection)
{
    struct wcts_judge_differing differing = {0};
    const struct wcts_effect *effect = selection->effect;
    const struct wcts_lang_node *holds = &selection->exprs->nodes[effect->holds];
    if (effect->selector != WCTS_SELECT_EVERY || effect->span != WCTS_SPAN_BEFORE ||
        holds->op != WCTS_OP_NE)
        return differing;
    if (scope_of(selection, holds->a) == 1 && scope_of(selection, holds->b) == 0) {
        differing.called = holds->a;
        differing.met = holds->b;
    } else if (scope_of(selection, holds->a) == 0 && scope_of(selection, holds->b) == 1) {
        differing.called = holds->b;
        differing.met = holds->a;
    }
    return differing;
}

void wcts_judge_differing_release(struct wcts_judge_differing *differing)
{
    free(differing->values);
    *differing = (struct wcts_judge_differing){0};
}

/* Where the value is, or would be. There is room. */
static uint64_t *value_slot(const struct wcts_judge_differing *differing, uint64_t value)
{
    size_t mask = (size_t)differing->room - 1;
    size_t at = (size_t)(value * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (differing->values[at] != 0 && differing->values[at] != value)
        at = (at + 1) & mask;
    return &differing->values[at];
}

/* Doubles the room. False without memory. */
static bool grow_differing(struct wcts_judge_differing *differing)
{
    const int before = differing->room, room = before ? before * 2 : 16;
    uint64_t *values = differing->values, *more = calloc((size_t)room, sizeof *more);
    if (!more)
        return false;
    differing->values = more;
    differing->room = room;
    for (int i = 0; i < before; i++)
        if (values[i] != 0)
            *value_slot(differing, values[i]) = values[i];
    free(values);
    return true;
}

static bool note_differing(struct wcts_judge_differing *differing, uint64_t value)
{
    uint64_t *slot;
    if (value == 0) {
        differing->has_zero = true;
        return true;
    }
    if (2 * differing->count >= differing->room && !grow_differing(differing))
        return false;
    slot = value_slot(differing, value);
    differing->count += *slot == 0;
    *slot = value;
    return true;
}

static bool has_value(const struct wcts_judge_differing *differing, uint64_t value)
{
    if (value == 0)
        return differing->has_zero;
    return differing->count > 0 && *value_slot(differing, value) == value;
}

/* Adds what the messages before a record have. What is not known of one cannot be the same. */
static bool add_until(struct wcts_judge_differing *differing,
                      struct wcts_judge_selection *selection, int record)
{
    const struct wcts_exchange_view *trace = &selection->eval.trace;
    uint32_t operation = trace->spec->messages[selection->effect->message].operation;
    for (; differing->next < record; differing->next++) {
        struct wcts_lang_result value;
        if (trace->exchange->records[differing->next].operation != operation)
            continue;
        selection->eval.found = (struct wcts_exchange_cursor){differing->next, 0};
        value = wcts_judge_value_at(selection, differing->met);
        if (value.known && !note_differing(differing, (uint64_t)value.number))
            return false;
    }
    return true;
}

bool wcts_judge_differs(struct wcts_judge_differing *differing,
                        struct wcts_judge_selection *selection, int record)
{
    const struct wcts_exchange_view *trace = &selection->eval.trace;
    struct wcts_lang_result value;
    /* Of several subjects in a record each would have to be asked about. */
    if (!differing->called || wcts_exchange_count(trace, record, selection->effect->on, false) != 1)
        return false;
    selection->eval.on = selection->eval.found = (struct wcts_exchange_cursor){record, 0};
    if (!add_until(differing, selection, record)) {
        wcts_judge_differing_release(differing);
        return false;
    }
    value = wcts_judge_value_at(selection, differing->called);
    return value.known && !has_value(differing, (uint64_t)value.number);
}
