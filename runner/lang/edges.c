/* SPDX-License-Identifier: MIT */
/*
 * What an expression is made of, for those who look for calls that make it true or false: its
 * conditions, the members that it reads, and the values at which a condition changes.
 */
#include "functions.h"

#include <string.h>

/* ---- conditions ---- */

/* A call that is about nothing but truths: exactly_one(...). */
static bool is_of_flags(const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_CALL && wcts_functions[node->b].params[0] == WCTS_EXPR_FLAG;
}

void wcts_lang_conditions(const struct wcts_lang_exprs *exprs, int root,
                          wcts_condition_visit *visit, void *context)
{
    const struct wcts_lang_node *node = &exprs->nodes[root];
    if (node->op != WCTS_OP_NOT && node->op != WCTS_OP_AND && node->op != WCTS_OP_OR &&
        !is_of_flags(node)) {
        if (root)
            visit(context, root);
        return;
    }
    for (int i = node->a; i; i = node->op == WCTS_OP_NOT ? 0 : exprs->nodes[i].next)
        wcts_lang_conditions(exprs, i, visit, context);
}

/* ---- members ---- */

struct lang_reading {
    const struct wcts_lang_exprs *exprs;
    wcts_read_visit *visit;
    void *context;
};

static void read_node(const struct lang_reading *reading, int index, enum wcts_lang_use use);

/* The members of an argument, by what the function wants of it; each(...) is about the instances of
 * the one before. */
static void read_argument(const struct lang_reading *reading, int before, int argument,
                          enum wcts_lang_type wanted, enum wcts_lang_use use)
{
    static const enum wcts_lang_use uses[WCTS_EXPR_PREFERENCE + 1] = {
        [WCTS_EXPR_RANGE] = WCTS_USE_ALL,
        [WCTS_EXPR_BIT] = WCTS_USE_OTHERS,
        [WCTS_EXPR_OWN] = WCTS_USE_EARLIER,
        [WCTS_EXPR_TABLE] = WCTS_USE_ENTRIES};
    if (wanted == WCTS_EXPR_EACH)
        use = reading->exprs->nodes[before].b ? WCTS_USE_NUMBERED : WCTS_USE_ALL;
    else if (uses[wanted] != WCTS_USE_OWN)
        use = uses[wanted];
    read_node(reading, argument, use);
}

static void read_called(const struct lang_reading *reading, const struct wcts_lang_node *call,
                        enum wcts_lang_use use)
{
    const struct wcts_lang_function *function = &wcts_functions[call->b];
    int n = 0;
    for (int i = call->a, before = i; i; before = i, i = reading->exprs->nodes[i].next) {
        read_argument(reading, before, i, function->params[n], use);
        n += n + 1 < WCTS_PARAMS_MAX && function->params[n + 1] != WCTS_EXPR_NOTHING;
    }
}

static void read_node(const struct lang_reading *reading, int index, enum wcts_lang_use use)
{
    const struct wcts_lang_node *node = &reading->exprs->nodes[index];
    switch ((enum wcts_lang_op)node->op) {
    case WCTS_OP_MEMBER:
        /* In the body of a quantifier, what is not the instance's is read once. */
        reading->visit(reading->context,
                       (struct wcts_ref){node->ref.structure, node->ref.member, node->ref.flag},
                       node->ref.scope > 0 ? WCTS_USE_OWN : use);
        return;
    case WCTS_OP_FOLLOW:
        read_node(reading, node->a, use);
        read_node(reading, node->b, WCTS_USE_BEHIND);
        return;
    case WCTS_OP_STRUCTURE:
        read_node(reading, node->b, WCTS_USE_OWN);
        return;
    case WCTS_OP_CALL:
        read_called(reading, node, use);
        return;
    case WCTS_OP_NONE:
    case WCTS_OP_NUMBER:
    case WCTS_OP_PAGE:
    case WCTS_OP_NAME:
    case WCTS_OP_ANSWER:
    case WCTS_OP_WORD:
    case WCTS_OP_COUNT:
        return;
    case WCTS_OP_OR:
    case WCTS_OP_AND:
    case WCTS_OP_SET:
        for (int i = node->a; i; i = reading->exprs->nodes[i].next)
            read_node(reading, i, use);
        return;
    default:
        read_node(reading, node->a, use);
        read_node(reading, node->op == WCTS_OP_NOT ? 0 : node->b, use);
        return;
    }
}

void wcts_lang_reads(const struct wcts_lang_exprs *exprs, int root, wcts_read_visit *visit,
                     void *context)
{
    const struct lang_reading reading = {exprs, visit, context};
    read_node(&reading, root, WCTS_USE_OWN);
}

/* The operands of a node are a list. */
static bool is_list(const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_OR || node->op == WCTS_OP_AND || node->op == WCTS_OP_CALL;
}

int wcts_lang_find_call_of(const struct wcts_lang_exprs *exprs, int root, const char *function)
{
    const struct wcts_lang_node *node = &exprs->nodes[root];
    if (node->op == WCTS_OP_CALL && strcmp(wcts_functions[node->b].name, function) == 0)
        return root;
    for (int i = is_list(node) ? node->a : 0; i; i = exprs->nodes[i].next) {
        int call = wcts_lang_find_call_of(exprs, i, function);
        if (call)
            return call;
    }
    if (node->op < WCTS_OP_NOT || node->op > WCTS_OP_MOD)
        return 0;
    if (wcts_lang_find_call_of(exprs, node->a, function))
        return wcts_lang_find_call_of(exprs, node->a, function);
    return node->op == WCTS_OP_NOT ? 0 : wcts_lang_find_call_of(exprs, node->b, function);
}

int wcts_lang_argument(const struct wcts_lang_exprs *exprs, int first, int n)
{
    int node = first;
    while (node && n-- > 0)
        node = exprs->nodes[node].next;
    return node;
}

static bool asks_for_flags(const struct wcts_lang_function *function)
{
    return function->params[0] == WCTS_EXPR_BIT || function->params[0] == WCTS_EXPR_WORD;
}

bool wcts_lang_goes_by_version(const struct wcts_lang_exprs *exprs, int root)
{
    const struct wcts_lang_node *node = &exprs->nodes[root];
    bool has_list = node->op == WCTS_OP_OR || node->op == WCTS_OP_AND || node->op == WCTS_OP_SET ||
                    node->op == WCTS_OP_CALL;
    bool has_b = (node->op >= WCTS_OP_EQ && node->op <= WCTS_OP_MOD) ||
                 node->op == WCTS_OP_FOLLOW || node->op == WCTS_OP_STRUCTURE;
    bool has_a = has_b && node->op != WCTS_OP_STRUCTURE;
    if (node->op == WCTS_OP_CALL && asks_for_flags(&wcts_functions[node->b]))
        return true;
    for (int i = has_list ? node->a : 0; i; i = exprs->nodes[i].next)
        if (wcts_lang_goes_by_version(exprs, i))
            return true;
    return ((has_a || node->op == WCTS_OP_NOT) && wcts_lang_goes_by_version(exprs, node->a)) ||
           (has_b && wcts_lang_goes_by_version(exprs, node->b));
}

bool wcts_lang_has(const struct wcts_lang_exprs *exprs, int root, enum wcts_lang_op op)
{
    const struct wcts_lang_node *node = &exprs->nodes[root];
    if (node->op == op)
        return true;
    for (int i = is_list(node) ? node->a : 0; i; i = exprs->nodes[i].next)
        if (wcts_lang_has(exprs, i, op))
            return true;
    return node->op >= WCTS_OP_NOT && node->op <= WCTS_OP_MOD &&
           (wcts_lang_has(exprs, node->a, op) ||
            (node->op != WCTS_OP_NOT && wcts_lang_has(exprs, node->b, op)));
}

/* ---- shapes ---- */

bool wcts_lang_same(const struct wcts_lang_exprs *exprs, int a, int b)
{
    const struct wcts_lang_node *one = &exprs->nodes[a], *other = &exprs->nodes[b];
    if (a == b || a == 0 || b == 0 || one->op != other->op)
        return a == b;
    switch ((enum wcts_lang_op)one->op) {
    case WCTS_OP_NUMBER:
    case WCTS_OP_MEMBER:
    case WCTS_OP_ANSWER:
    case WCTS_OP_PAGE:
        return one->number == other->number;
    case WCTS_OP_WORD:
        return strcmp(wcts_lang_name(exprs, one->a), wcts_lang_name(exprs, other->a)) == 0;
    case WCTS_OP_STRUCTURE:
        return one->a == other->a && wcts_lang_same(exprs, one->b, other->b);
    case WCTS_OP_NOT:
        return wcts_lang_same(exprs, one->a, other->a);
    case WCTS_OP_OR:
    case WCTS_OP_AND:
    case WCTS_OP_SET:
    case WCTS_OP_CALL:
        if (one->op == WCTS_OP_CALL && one->b != other->b)
            return false;
        for (a = one->a, b = other->a; a && b && wcts_lang_same(exprs, a, b);
             a = exprs->nodes[a].next)
            b = exprs->nodes[b].next;
        return a == b;
    default:
        return wcts_lang_same(exprs, one->a, other->a) && wcts_lang_same(exprs, one->b, other->b);
    }
}

int wcts_lang_operand(const struct wcts_lang_exprs *exprs, int root, enum wcts_lang_op op)
{
    return exprs->nodes[root].op == op ? exprs->nodes[root].a : root;
}

int wcts_lang_operand_behind(const struct wcts_lang_exprs *exprs, int root, int operand)
{
    return operand == root ? 0 : exprs->nodes[operand].next;
}

int wcts_lang_find_call(const struct wcts_lang_exprs *exprs, int index, const char *function)
{
    const struct wcts_lang_node *node = &exprs->nodes[index];
    return node->op == WCTS_OP_CALL && strcmp(wcts_functions[node->b].name, function) == 0 ? node->a
                                                                                           : 0;
}

static bool is_own_flag(const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_MEMBER && node->ref.flag >= 0 && !node->ref.reply;
}

static bool is_number(const struct wcts_lang_node *node, uint64_t number)
{
    return node->op == WCTS_OP_NUMBER && node->number == number;
}

/* The premise is a flag, and the breach some more of them, or any other of its word. */
static bool is_beside_flag(const struct wcts_lang_exprs *exprs, int refuse, int premise)
{
    int first = wcts_lang_operand(exprs, refuse, WCTS_OP_OR);
    if (!is_own_flag(&exprs->nodes[premise]))
        return false;
    if (wcts_lang_same(exprs, wcts_lang_find_call(exprs, refuse, "others"), premise))
        return true;
    for (int i = first; i; i = wcts_lang_operand_behind(exprs, refuse, i)) {
        const struct wcts_lang_node *node = &exprs->nodes[i];
        if (!is_own_flag(node) &&
            (i == first || node->op != WCTS_OP_NE || exprs->nodes[node->a].op != WCTS_OP_MEMBER ||
             !is_number(&exprs->nodes[node->b], 0)))
            return false;
    }
    return true;
}

/* count(S, F) > 0, and the breach count(S, F) > 1. */
static bool is_counted(const struct wcts_lang_exprs *exprs, int refuse, int premise)
{
    const struct wcts_lang_node *more = &exprs->nodes[refuse], *any = &exprs->nodes[premise];
    return more->op == WCTS_OP_GT && any->op == WCTS_OP_GT &&
           wcts_lang_find_call(exprs, any->a, "count") && is_number(&exprs->nodes[any->b], 0) &&
           wcts_lang_same(exprs, more->a, any->a);
}

int wcts_lang_premise(const struct wcts_lang_exprs *exprs, const struct wcts_lang_rule *breach)
{
    int last = 0;
    for (int i = wcts_lang_operand(exprs, breach->when, WCTS_OP_AND); i;
         i = wcts_lang_operand_behind(exprs, breach->when, i))
        last = i;
    return last && !breach->unless &&
                   (is_beside_flag(exprs, breach->refuse, last) ||
                    is_counted(exprs, breach->refuse, last))
               ? last
               : 0;
}

bool wcts_lang_subset(const struct wcts_lang_exprs *exprs, const struct wcts_lang_rule *breach,
                      struct wcts_ref *member, struct wcts_ref *of)
{
    const struct wcts_lang_node *in = &exprs->nodes[breach->unless], *one, *set;
    if (in->op != WCTS_OP_IN)
        return false;
    one = &exprs->nodes[in->a];
    set = &exprs->nodes[in->b];
    if (one->op != WCTS_OP_MEMBER || set->op != WCTS_OP_MEMBER || set->type != WCTS_EXPR_SEGMENTS)
        return false;
    *member = (struct wcts_ref){one->ref.structure, one->ref.member, one->ref.flag};
    *of = (struct wcts_ref){set->ref.structure, set->ref.member, set->ref.flag};
    return true;
}

/* ---- values ---- */

struct wcts_lang_edge wcts_lang_edge(const struct wcts_lang_exprs *exprs, int condition)
{
    const struct wcts_lang_node *node = &exprs->nodes[condition];
    const struct wcts_lang_node *left = &exprs->nodes[node->op <= WCTS_OP_MOD ? node->a : 0];
    struct wcts_lang_edge edge = {WCTS_EDGE_NONE, 0, node->b};
    bool compared = node->op >= WCTS_OP_EQ && node->op <= WCTS_OP_GE;
    if (node->op == WCTS_OP_CALL && strcmp(wcts_functions[node->b].name, "undefined") == 0)
        return (struct wcts_lang_edge){WCTS_EDGE_BITS, node->a, 0};
    if (!compared)
        return edge;
    edge.of = node->a;
    if (left->op == WCTS_OP_MOD && exprs->nodes[left->b].op != WCTS_OP_MEMBER)
        edge = (struct wcts_lang_edge){WCTS_EDGE_MULTIPLE, left->a, left->b};
    else if (left->op != WCTS_OP_MEMBER || left->type == WCTS_EXPR_FLAG)
        return edge;
    else if (exprs->nodes[node->b].op == WCTS_OP_NUMBER && exprs->nodes[node->b].number == 0 &&
             node->op <= WCTS_OP_NE)
        edge.kind = WCTS_EDGE_ZERO;
    else if (left->type == WCTS_EXPR_NUMBER)
        edge.kind = WCTS_EDGE_LIMIT;
    return edge;
}
