/* SPDX-License-Identifier: MIT */
/*
 * Conditions that contradict each other, and breaches that nothing keeps. A condition is evaluated
 * for each value near the numbers in it of one of its parts, all else being unknown: if it is false
 * for all of them, nothing meets it.
 */
#include <string.h>

#include "../lang/functions.h"
#include "lint_conditions.h"

/* What is assumed: the value of a part, and of what it is compared with. */
struct load_assumption {
    const struct wcts_lang_exprs *exprs;
    int part, other; /* 0: none */
    __int128 value, other_value;
};

static struct wcts_lang_result assume(const struct load_assumption *assumed, int index);

/* some(S in set, A) is true, so some(S in set, A or B) is. */
static bool follows(const struct load_assumption *assumed, int index)
{
    const struct wcts_lang_exprs *exprs = assumed->exprs;
    int one = wcts_lang_find_call(exprs, assumed->part, "some");
    int more = wcts_lang_find_call(exprs, index, "some");
    if (!one || !more || !wcts_lang_same(exprs, one, more))
        return false;
    one = exprs->nodes[one].next;
    more = exprs->nodes[more].next;
    for (int i = wcts_lang_operand(exprs, one, WCTS_OP_OR); i;
         i = wcts_lang_operand_behind(exprs, one, i)) {
        int found = wcts_lang_operand(exprs, more, WCTS_OP_OR);
        while (found && !wcts_lang_same(exprs, i, found))
            found = wcts_lang_operand_behind(exprs, more, found);
        if (!found)
            return false;
    }
    return true;
}

static struct wcts_lang_result compared_numbers(enum wcts_lang_op op, __int128 a, __int128 b)
{
    const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    return wcts_lang_known(results[op - WCTS_OP_EQ]);
}

/* Or, and, or a set that the value is in. */
static struct wcts_lang_result assume_list(const struct load_assumption *assumed,
                                           const struct wcts_lang_node *list, bool decides,
                                           const struct wcts_lang_result *element)
{
    bool known = true;
    for (int i = list->a; i; i = assumed->exprs->nodes[i].next) {
        struct wcts_lang_result one = assume(assumed, i);
        if (one.known && (element ? one.number == element->number : (one.number != 0)) == decides)
            return wcts_lang_known(decides);
        known = known && one.known;
    }
    return known ? wcts_lang_known(!decides) : wcts_lang_unknown();
}

static struct wcts_lang_result assume(const struct load_assumption *assumed, int index)
{
    const struct wcts_lang_node *node = &assumed->exprs->nodes[index];
    struct wcts_lang_result left, right;
    if (wcts_lang_same(assumed->exprs, assumed->part, index))
        return wcts_lang_known(assumed->value);
    if (assumed->other && wcts_lang_same(assumed->exprs, assumed->other, index))
        return wcts_lang_known(assumed->other_value);
    if (node->op == WCTS_OP_NUMBER)
        return wcts_lang_known(node->number);
    if (node->op == WCTS_OP_OR || node->op == WCTS_OP_AND)
        return assume_list(assumed, node, node->op == WCTS_OP_OR, NULL);
    if (node->op == WCTS_OP_CALL && assumed->value != 0 && follows(assumed, index))
        return wcts_lang_known(1);
    if (node->op < WCTS_OP_NOT || node->op > WCTS_OP_IN)
        return wcts_lang_unknown();
    left = assume(assumed, node->a);
    if (!left.known)
        return left;
    if (node->op == WCTS_OP_NOT)
        return wcts_lang_known(!left.number);
    if (node->op == WCTS_OP_IN)
        return assumed->exprs->nodes[node->b].op == WCTS_OP_SET
                   ? assume_list(assumed, &assumed->exprs->nodes[node->b], true, &left)
                   : wcts_lang_unknown();
    right = assume(assumed, node->b);
    return right.known ? compared_numbers((enum wcts_lang_op)node->op, left.number, right.number)
                       : right;
}

/* ---- trials ---- */

#define TRIED_MAX 64

/* Looks for values of some part of the conditions with which both may be as wanted. */
struct load_trial {
    const struct wcts_lang_exprs *exprs;
    int conditions[2];
    bool wanted;
    __int128 tried[TRIED_MAX]; /* the numbers of the conditions, and those beside them */
    int count;
    bool never; /* there is a part without such a value */
};

static bool may_hold(const struct load_trial *trial, const struct load_assumption *assumed)
{
    for (int i = 0; i < 2; i++) {
        struct wcts_lang_result result = assume(assumed, trial->conditions[i]);
        if (result.known && (result.number != 0) != trial->wanted)
            return false;
    }
    return true;
}

static bool is_comparison(const struct wcts_lang_node *node)
{
    return node->op >= WCTS_OP_EQ && node->op <= WCTS_OP_IN;
}

static void add_numbers(void *context, int condition)
{
    struct load_trial *trial = context;
    const struct wcts_lang_node *nodes = trial->exprs->nodes, *node = &nodes[condition];
    bool set = node->op == WCTS_OP_IN && nodes[node->b].op == WCTS_OP_SET;
    for (int i = set ? nodes[node->b].a : node->b; is_comparison(node) && i;
         i = set ? nodes[i].next : 0)
        for (int beside = -1; beside <= 1 && nodes[i].op == WCTS_OP_NUMBER; beside++)
            if (trial->count < TRIED_MAX)
                trial->tried[trial->count++] = (__int128)nodes[i].number + beside;
}

/* Only a difference is negative. */
static bool can_be(const struct load_trial *trial, int part, __int128 value)
{
    return value >= 0 || trial->exprs->nodes[part].op <= WCTS_OP_MOD;
}

static void try_part(void *context, int condition)
{
    struct load_trial *trial = context;
    const struct wcts_lang_node *nodes = trial->exprs->nodes, *node = &nodes[condition];
    struct load_assumption assumed = {.exprs = trial->exprs, .part = condition};
    if (is_comparison(node)) {
        enum wcts_lang_op right = (enum wcts_lang_op)nodes[node->b].op;
        assumed.part = nodes[node->a].op == WCTS_OP_NUMBER ? 0 : node->a;
        assumed.other = right == WCTS_OP_NUMBER || right == WCTS_OP_SET ? 0 : node->b;
    }
    for (int i = 0; i < trial->count; i++)
        for (int k = 0; k < (assumed.other ? trial->count : 1); k++) {
            assumed.value = trial->tried[i];
            assumed.other_value = trial->tried[k];
            if (can_be(trial, assumed.part, assumed.value) &&
                can_be(trial, assumed.other, assumed.other_value) && may_hold(trial, &assumed))
                return;
        }
    trial->never = true;
}

bool wcts_load_lint_never(const struct wcts_lang_exprs *exprs, int condition, int other,
                          bool wanted)
{
    struct load_trial trial = {.exprs = exprs,
                               .conditions = {condition, other},
                               .wanted = wanted,
                               .tried = {0, 1, 2},
                               .count = 3};
    for (int i = 0; i < 2; i++)
        wcts_lang_conditions(exprs, trial.conditions[i], add_numbers, &trial);
    for (int i = 0; i < 2 && trial.count < TRIED_MAX; i++)
        wcts_lang_conditions(exprs, trial.conditions[i], try_part, &trial);
    return trial.never;
}
