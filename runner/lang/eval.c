/* SPDX-License-Identifier: MIT */
/*
 * What an expression comes to. Three-valued, after Kleene: what is not known is left out as long as
 * the rest decides. Nothing here takes memory or writes.
 */
#include "functions.h"

/* What a symbol stands for is an address that is a multiple of this, or a handle. */
#define SYMBOL_ALIGNMENT 0x10000
/* The number of a segment; above it is that of its adapter. */
#define SEGMENT_MASK 0xFFFF

static struct wcts_lang_result eval_node(const struct wcts_lang_exprs *exprs, int index,
                                         const struct wcts_lang_env *env,
                                         const struct wcts_lang_subjects *scope);

/* ---- operators ---- */

/* AND, or OR: the first operand that is what decides decides. */
static struct wcts_lang_result eval_operands(const struct wcts_lang_exprs *exprs,
                                             const struct wcts_lang_node *node,
                                             const struct wcts_lang_env *env,
                                             const struct wcts_lang_subjects *scope)
{
    bool deciding = node->op == WCTS_OP_OR, known = true;
    for (int operand = node->a; operand; operand = exprs->nodes[operand].next) {
        struct wcts_lang_result value = eval_node(exprs, operand, env, scope);
        if (value.known && (value.number != 0) == deciding)
            return value;
        known = known && value.known;
    }
    return known ? wcts_lang_known(!deciding) : wcts_lang_unknown();
}

/* Two symbols stand for different things, and none for a number that is written down. */
static bool are_equal(struct wcts_lang_result a, struct wcts_lang_result b)
{
    return a.number == b.number && a.symbol == b.symbol;
}

/* Whether one is less is known of numbers, and beside one symbol. */
static struct wcts_lang_result eval_less(enum wcts_lang_op op, struct wcts_lang_result a,
                                         struct wcts_lang_result b)
{
    if (a.symbol != b.symbol)
        return wcts_lang_unknown();
    switch (op) {
    case WCTS_OP_LT:
        return wcts_lang_known(a.number < b.number);
    case WCTS_OP_LE:
        return wcts_lang_known(a.number <= b.number);
    case WCTS_OP_GT:
        return wcts_lang_known(a.number > b.number);
    default:
        return wcts_lang_known(a.number >= b.number);
    }
}

/* Of the remainders, the one that is not negative. Nothing is known of multiples of 0. */
static struct wcts_lang_result remainder_of(struct wcts_lang_result a, struct wcts_lang_result b)
{
    __int128 rest;
    if (b.symbol >= 0 || b.number <= 0)
        return wcts_lang_unknown();
    if (a.symbol >= 0 && SYMBOL_ALIGNMENT % b.number != 0)
        return wcts_lang_unknown();
    rest = a.number % b.number;
    return wcts_lang_known(rest < 0 ? rest + b.number : rest);
}

static struct wcts_lang_result eval_arithmetic(enum wcts_lang_op op, struct wcts_lang_result a,
                                               struct wcts_lang_result b)
{
    struct wcts_lang_result value = wcts_lang_known(0);
    bool too_large;
    switch (op) {
    case WCTS_OP_ADD:
        if (a.symbol >= 0 && b.symbol >= 0)
            return wcts_lang_unknown();
        value.symbol = a.symbol >= 0 ? a.symbol : b.symbol;
        too_large = __builtin_add_overflow(a.number, b.number, &value.number);
        break;
    case WCTS_OP_SUB:
        if (b.symbol >= 0 && a.symbol != b.symbol)
            return wcts_lang_unknown();
        value.symbol = b.symbol >= 0 ? -1 : a.symbol;
        too_large = __builtin_sub_overflow(a.number, b.number, &value.number);
        break;
    default:
        if (a.symbol >= 0 || b.symbol >= 0)
            return wcts_lang_unknown();
        too_large = __builtin_mul_overflow(a.number, b.number, &value.number);
        break;
    }
    return too_large ? wcts_lang_unknown() : value;
}

/* Two sets: the first is a part of the second. A number: it is one of a list, or the segment's. */
static struct wcts_lang_result eval_in(const struct wcts_lang_exprs *exprs,
                                       const struct wcts_lang_node *node, struct wcts_lang_result a,
                                       struct wcts_lang_result b)
{
    const struct wcts_lang_node *left = &exprs->nodes[node->a];
    if (left->type == WCTS_EXPR_SEGMENTS || left->type == WCTS_EXPR_STATES)
        return wcts_lang_known((a.number & ~b.number) == 0);
    if (left->type == WCTS_EXPR_STATE)
        return wcts_lang_known((int)(b.number >> left->b & 1));
    a.number &= SEGMENT_MASK;
    return wcts_lang_known(a.symbol < 0 && a.number >= 1 && a.number <= 64 &&
                           (b.number >> (int)(a.number - 1) & 1));
}

static struct wcts_lang_result eval_in_list(const struct wcts_lang_exprs *exprs,
                                            const struct wcts_lang_node *node,
                                            struct wcts_lang_result a,
                                            const struct wcts_lang_env *env,
                                            const struct wcts_lang_subjects *scope)
{
    bool known = true;
    for (int element = exprs->nodes[node->b].a; element; element = exprs->nodes[element].next) {
        struct wcts_lang_result value = eval_node(exprs, element, env, scope);
        if (value.known && are_equal(a, value))
            return wcts_lang_known(true);
        known = known && value.known;
    }
    return known ? wcts_lang_known(false) : wcts_lang_unknown();
}

/* A number of which not everything is known, compared with 0: a bit of it that is set is enough. */
static struct wcts_lang_result eval_zero(const struct wcts_lang_exprs *exprs,
                                         const struct wcts_lang_node *node,
                                         const struct wcts_lang_env *env,
                                         const struct wcts_lang_subjects *scope)
{
    const struct wcts_lang_node *member = &exprs->nodes[node->a], *zero = &exprs->nodes[node->b];
    uint64_t value = 0, known;
    if ((node->op != WCTS_OP_EQ && node->op != WCTS_OP_NE) || member->op != WCTS_OP_MEMBER ||
        zero->op != WCTS_OP_NUMBER || zero->number != 0 || !env->known || member->ref.reply ||
        member->ref.flag >= 0)
        return wcts_lang_unknown();
    for (int out = member->ref.scope; out > 0 && scope->outer; out--)
        scope = scope->outer;
    known = env->known(env, scope->subject, member->ref, &value);
    return value & known ? wcts_lang_known(node->op == WCTS_OP_NE) : wcts_lang_unknown();
}

static struct wcts_lang_result eval_binary(const struct wcts_lang_exprs *exprs,
                                           const struct wcts_lang_node *node,
                                           const struct wcts_lang_env *env,
                                           const struct wcts_lang_subjects *scope)
{
    enum wcts_lang_op op = (enum wcts_lang_op)node->op;
    struct wcts_lang_result a = eval_node(exprs, node->a, env, scope), b;
    if (!a.known)
        return eval_zero(exprs, node, env, scope);
    if (exprs->nodes[node->b].type == WCTS_EXPR_NUMBERS)
        return eval_in_list(exprs, node, a, env, scope);
    b = eval_node(exprs, node->b, env, scope);
    if (!b.known)
        return b;
    if (op == WCTS_OP_EQ || op == WCTS_OP_NE)
        return wcts_lang_known(are_equal(a, b) == (op == WCTS_OP_EQ));
    if (op == WCTS_OP_IN)
        return eval_in(exprs, node, a, b);
    if (op < WCTS_OP_IN)
        return eval_less(op, a, b);
    return op == WCTS_OP_MOD ? remainder_of(a, b) : eval_arithmetic(op, a, b);
}

/* ---- values ---- */

uint64_t wcts_lang_segments_preferred(uint64_t preference)
{
    uint64_t set = 0;
    for (int i = 0; i < 5; i++) {
        int id = (int)(preference >> 6 * i & 0x1F);
        if (id)
            set |= UINT64_C(1) << (id - 1);
    }
    return set;
}

static struct wcts_lang_result preferred_of(struct wcts_lang_result value)
{
    if (value.known)
        value.number = wcts_lang_segments_preferred((uint64_t)value.number);
    return value;
}

/* A member of the subject, and members of what it leads to. */
static struct wcts_lang_result eval_path(const struct wcts_lang_exprs *exprs,
                                         const struct wcts_lang_node *node,
                                         const struct wcts_lang_env *env,
                                         const struct wcts_lang_subjects *scope)
{
    const struct wcts_lang_node *last = node->op == WCTS_OP_FOLLOW ? &exprs->nodes[node->b] : node;
    enum wcts_lang_type type = (enum wcts_lang_type)node->type;
    struct wcts_lang_ref steps[WCTS_EXPR_STEPS];
    int at = WCTS_EXPR_STEPS;
    for (; node->op == WCTS_OP_FOLLOW; node = &exprs->nodes[node->a])
        steps[--at] = exprs->nodes[node->b].ref;
    steps[--at] = node->ref;
    for (int out = node->ref.scope; out > 0 && scope->outer; out--)
        scope = scope->outer;
    if (type == WCTS_EXPR_SEGMENTS &&
        env->spec->structures[last->ref.structure].members[last->ref.member].type ==
            WCTS_TYPE_SEGMENT_PREFERENCE)
        return preferred_of(env->value(env, scope->subject, &steps[at], WCTS_EXPR_STEPS - at));
    return env->value(env, scope->subject, &steps[at], WCTS_EXPR_STEPS - at);
}

/* Of the message, whatever is quantified about it. */
static struct wcts_lang_result eval_answer(const struct wcts_lang_node *node,
                                           const struct wcts_lang_env *env,
                                           const struct wcts_lang_subjects *scope)
{
    enum wcts_truth truth = WCTS_UNKNOWN;
    for (int out = node->b; out > 0 && scope->outer; out--)
        scope = scope->outer;
    if (env->answer)
        truth = env->answer(env, scope->subject, node->a);
    return truth == WCTS_UNKNOWN ? wcts_lang_unknown() : wcts_lang_known(truth == WCTS_TRUE);
}

static struct wcts_lang_result states_of_set(const struct wcts_lang_exprs *exprs,
                                             const struct wcts_lang_node *set)
{
    uint64_t bits = 0;
    for (int element = set->a; element; element = exprs->nodes[element].next)
        bits |= UINT64_C(1) << exprs->nodes[element].b;
    return wcts_lang_known(bits);
}

static struct wcts_lang_result eval_node(const struct wcts_lang_exprs *exprs, int index,
                                         const struct wcts_lang_env *env,
                                         const struct wcts_lang_subjects *scope)
{
    const struct wcts_lang_node *node = &exprs->nodes[index];
    struct wcts_lang_result value;
    switch ((enum wcts_lang_op)node->op) {
    case WCTS_OP_OR:
    case WCTS_OP_AND:
        return eval_operands(exprs, node, env, scope);
    case WCTS_OP_NOT:
        value = eval_node(exprs, node->a, env, scope);
        return value.known ? wcts_lang_known(!value.number) : value;
    case WCTS_OP_NUMBER:
        return wcts_lang_known(node->number);
    case WCTS_OP_PAGE:
        return env->page_size ? wcts_lang_known(env->page_size) : wcts_lang_unknown();
    case WCTS_OP_ANSWER:
        return eval_answer(node, env, scope);
    case WCTS_OP_MEMBER:
    case WCTS_OP_FOLLOW:
        return eval_path(exprs, node, env, scope);
    case WCTS_OP_SET:
        return states_of_set(exprs, node);
    case WCTS_OP_WORD:
        return wcts_lang_known(node->b);
    case WCTS_OP_CALL: {
        const struct wcts_lang_function *function = &wcts_functions[node->b];
        const struct wcts_lang_call call = {exprs, env, scope, node->a, function, eval_node};
        if (function->eval)
            return function->eval(&call);
        return env->recorded ? env->recorded(&call) : wcts_lang_unknown();
    }
    case WCTS_OP_NONE:
    case WCTS_OP_NAME:
    case WCTS_OP_STRUCTURE:
    case WCTS_OP_COUNT:
        return wcts_lang_unknown();
    default:
        return eval_binary(exprs, node, env, scope);
    }
}

struct wcts_lang_result wcts_lang_value(const struct wcts_lang_exprs *exprs, int root,
                                        const struct wcts_lang_env *env, int subject)
{
    const struct wcts_lang_subjects scope = {subject, NULL};
    return eval_node(exprs, root, env, &scope);
}

enum wcts_truth wcts_lang_truth(const struct wcts_lang_exprs *exprs, int root,
                                const struct wcts_lang_env *env, int subject)
{
    struct wcts_lang_result value = wcts_lang_value(exprs, root, env, subject);
    return !value.known ? WCTS_UNKNOWN : value.number ? WCTS_TRUE : WCTS_FALSE;
}

struct wcts_lang_result wcts_lang_value_about(const struct wcts_lang_exprs *exprs, int root,
                                              const struct wcts_lang_env *env, int subject,
                                              int call)
{
    const struct wcts_lang_subjects outer = {call, NULL}, scope = {subject, &outer};
    return eval_node(exprs, root, env, &scope);
}

enum wcts_truth wcts_lang_rule_ask(const struct wcts_lang_exprs *exprs,
                                   const struct wcts_lang_rule *breach,
                                   const struct wcts_lang_env *env, int subject)
{
    static const enum wcts_truth kept_if_not[] = {
        [WCTS_UNKNOWN] = WCTS_UNKNOWN, [WCTS_TRUE] = WCTS_FALSE, [WCTS_FALSE] = WCTS_TRUE};
    enum wcts_truth refuse;
    if (breach->when && wcts_lang_truth(exprs, breach->when, env, subject) != WCTS_TRUE)
        return WCTS_UNKNOWN;
    refuse = wcts_lang_truth(exprs, breach->refuse, env, subject);
    if (!breach->unless)
        return kept_if_not[refuse];
    return refuse == WCTS_TRUE ? wcts_lang_truth(exprs, breach->unless, env, subject)
                               : WCTS_UNKNOWN;
}
