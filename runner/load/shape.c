/* SPDX-License-Identifier: MIT */
/*
 * The shape of a rule's expressions: refuse="A" unless="B or C" has the shape "requires", with the
 * operands A and any B C. What plans, covers and explains rules goes by the shape; what evaluates
 * them, by the tree alone. A rule of no known shape is an "expression".
 */
#include <string.h>

#include "../base/text.h"
#include "../lang/functions.h"
#include "load.h"

struct shaping {
    struct wcts_loader *loader;
    const struct wcts_exprs *exprs;
    struct wcts_rule *rule;
    int premise; /* the last condition, which some shapes have as their own; 0: there is none */
};

static const struct wcts_expr_node *shape_node(const struct shaping *shape, int index)
{
    return &shape->exprs->nodes[index];
}

/* ---- operands ---- */

static struct wcts_ref ref_of_node(const struct wcts_expr_node *node)
{
    return (struct wcts_ref){node->ref.structure, node->ref.member, node->ref.flag};
}

static bool is_member(const struct wcts_expr_node *node)
{
    return node->op == WCTS_OP_MEMBER && !node->ref.reply;
}

static void add_operand_ref(const struct shaping *shape, struct wcts_operand *operand,
                            struct wcts_ref ref)
{
    const struct wcts_spec *spec = shape->loader->spec;
    struct wcts_arena *arena = shape->loader->arena;
    const char *name = wcts_ref_name(arena, spec, ref);
    struct wcts_ref *refs = wcts_arena_array(arena, (size_t)operand->count + 1, sizeof *refs);
    if (ref.structure != shape->rule->on)
        name = wcts_arena_format(arena, "%s.%s", spec->structures[ref.structure].name, name);
    if (operand->count > 0)
        memcpy(refs, operand->refs, (size_t)operand->count * sizeof *refs);
    refs[operand->count++] = ref;
    operand->refs = refs;
    operand->text = operand->given ? wcts_arena_format(arena, "%s %s", operand->text, name) : name;
    operand->given = true;
}

/* A member, a number or the page size. */
static bool take_operand(const struct shaping *shape, int index, struct wcts_operand *operand)
{
    const struct wcts_expr_node *node = shape_node(shape, index);
    WCTS_TEXT(text);
    if (is_member(node)) {
        add_operand_ref(shape, operand, ref_of_node(node));
        return true;
    }
    if (node->op != WCTS_OP_NUMBER && node->op != WCTS_OP_PAGE)
        return false;
    wcts_expr_print(shape->exprs, shape->loader->spec, shape->rule->on, index, &text);
    *operand = (struct wcts_operand){
        .given = true,
        .page = node->op == WCTS_OP_PAGE,
        .number = node->op == WCTS_OP_PAGE ? 0 : node->number,
        .text = wcts_arena_string(shape->loader->arena, wcts_text_get(&text), text.length)};
    return true;
}

static bool is_number(const struct shaping *shape, int index, uint64_t number)
{
    return shape_node(shape, index)->op == WCTS_OP_NUMBER &&
           shape_node(shape, index)->number == number;
}

/* A flag, or a member that is 0 or not: *set is what it is. */
static bool is_fact(const struct shaping *shape, int index, struct wcts_ref *ref, bool *set)
{
    const struct wcts_expr_node *node = shape_node(shape, index);
    bool negated = node->op == WCTS_OP_NOT;
    if (negated)
        node = shape_node(shape, node->a);
    *set = !negated && node->op != WCTS_OP_EQ;
    if (!negated && (node->op == WCTS_OP_EQ || node->op == WCTS_OP_NE) &&
        is_number(shape, node->b, 0))
        node = shape_node(shape, node->a);
    else if (node->type != WCTS_EXPR_FLAG)
        return false;
    *ref = ref_of_node(node);
    return is_member(node);
}

/* Facts with op between them, or a single one. */
static bool take_facts(const struct shaping *shape, int index, enum wcts_op op, bool wanted,
                       struct wcts_operand *operand)
{
    bool list = shape_node(shape, index)->op == op, set;
    for (int i = list ? shape_node(shape, index)->a : index; i; i = shape_node(shape, i)->next) {
        struct wcts_ref ref;
        if (!is_fact(shape, i, &ref, &set) || set != wanted)
            return false;
        add_operand_ref(shape, operand, ref);
        if (!list)
            break;
    }
    return true;
}

/* quantifier(STRUCTURE in set, flag or ...). */
static bool take_segments(const struct shaping *shape, int index, const char *quantifier,
                          struct wcts_operand *set, struct wcts_operand *flags)
{
    const struct wcts_expr_node *call = shape_node(shape, index), *instances;
    if (call->op != WCTS_OP_CALL || strcmp(wcts_functions[call->b].name, quantifier) != 0)
        return false;
    instances = shape_node(shape, call->a);
    return instances->b && take_operand(shape, instances->b, set) && set->count == 1 &&
           take_facts(shape, instances->next, WCTS_OP_OR, true, flags);
}

/* ---- conditions ---- */

static bool take_no_segment(const struct shaping *shape, const struct wcts_expr_node *node,
                            struct wcts_operand arg[WCTS_ARG_COUNT])
{
    return node->op == WCTS_OP_NOT &&
           take_segments(shape, node->a, "some", &arg[WCTS_ARG_MEMBER], &arg[WCTS_ARG_NO_SEGMENT]);
}

/* some(S in M, F) or some(S in N, F). */
static bool take_two_sets(const struct shaping *shape, const struct wcts_expr_node *node,
                          struct wcts_operand arg[WCTS_ARG_COUNT])
{
    struct wcts_operand again = {0};
    int second = node->op == WCTS_OP_OR ? shape_node(shape, node->a)->next : 0;
    return second && shape_node(shape, second)->next == 0 &&
           take_segments(shape, node->a, "some", &arg[WCTS_ARG_MEMBER], &arg[WCTS_ARG_SEGMENT]) &&
           take_segments(shape, second, "some", &arg[WCTS_ARG_OR], &again) &&
           strcmp(again.text, arg[WCTS_ARG_SEGMENT].text) == 0;
}

/* is="set" and so on: fact or member, and the word. */
static bool take_is(const struct shaping *shape, int index, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    struct wcts_ref ref;
    bool set;
    int is;
    if (!is_fact(shape, index, &ref, &set))
        return false;
    is = (ref.flag >= 0 ? WCTS_IS_CLEAR : WCTS_IS_ZERO) + set;
    add_operand_ref(shape, &arg[ref.flag >= 0 ? WCTS_ARG_FACT : WCTS_ARG_MEMBER], ref);
    arg[WCTS_ARG_IS] =
        (struct wcts_operand){.given = true, .number = (uint64_t)is, .text = wcts_is_words[is]};
    return true;
}

static bool take_comparison(const struct shaping *shape, const struct wcts_expr_node *node,
                            struct wcts_operand arg[WCTS_ARG_COUNT])
{
    static const struct {
        enum wcts_op op;
        enum wcts_attribute attribute;
    } rows[] = {
        {WCTS_OP_LT, WCTS_ARG_LESS}, {WCTS_OP_EQ, WCTS_ARG_EQUALS}, {WCTS_OP_NE, WCTS_ARG_DIFFERS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (node->op == rows[i].op && is_member(shape_node(shape, node->a)))
            return take_operand(shape, node->a, &arg[WCTS_ARG_MEMBER]) &&
                   take_operand(shape, node->b, &arg[rows[i].attribute]);
    return false;
}

static bool take_condition(const struct shaping *shape, int index, struct wcts_condition *condition)
{
    const struct wcts_expr_node *node = shape_node(shape, index);
    struct wcts_operand *arg = condition->arg;
    WCTS_TEXT(text);
    wcts_expr_print(shape->exprs, shape->loader->spec, shape->rule->on, index, &text);
    *condition = (struct wcts_condition){
        .place = shape->rule->place,
        .expression = index,
        .text = wcts_arena_string(shape->loader->arena, wcts_text_get(&text), text.length)};
    return take_is(shape, index, arg) || take_comparison(shape, node, arg) ||
           take_segments(shape, index, "some", &arg[WCTS_ARG_MEMBER], &arg[WCTS_ARG_SEGMENT]) ||
           take_no_segment(shape, node, arg) || take_two_sets(shape, node, arg);
}

/* ---- shapes of the breach ---- */

typedef bool take_fn(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT]);

static const struct wcts_expr_node *refuse_of(const struct shaping *shape)
{
    return shape_node(shape, shape->rule->breach.refuse);
}

/* The last condition is a flag that is set. */
static bool take_premise(const struct shaping *shape, struct wcts_operand *fact)
{
    const struct wcts_expr_node *premise = shape_node(shape, shape->premise);
    if (!shape->premise || !is_member(premise) || premise->ref.flag < 0)
        return false;
    add_operand_ref(shape, fact, ref_of_node(premise));
    return true;
}

static bool take_requires(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    int refuse = shape->rule->breach.refuse, unless = shape->rule->breach.unless;
    bool all = shape_node(shape, unless)->op == WCTS_OP_AND, set;
    int i = all ? shape_node(shape, unless)->a : unless;
    struct wcts_ref ref;
    if (!is_fact(shape, refuse, &ref, &set) || !set)
        return false;
    add_operand_ref(shape, &arg[WCTS_ARG_FACT], ref);
    if (!all)
        return take_facts(shape, unless, WCTS_OP_OR, true, &arg[WCTS_ARG_ANY]);
    if (shape_node(shape, i)->op == WCTS_OP_OR) {
        if (!take_facts(shape, i, WCTS_OP_OR, true, &arg[WCTS_ARG_ANY]))
            return false;
        i = shape_node(shape, i)->next;
    }
    for (; i; i = shape_node(shape, i)->next) {
        if (!is_fact(shape, i, &ref, &set) || !set)
            return false;
        add_operand_ref(shape, &arg[WCTS_ARG_ALL], ref);
    }
    return true;
}

static bool take_excludes(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    return take_premise(shape, &arg[WCTS_ARG_FACT]) &&
           take_facts(shape, shape->rule->breach.refuse, WCTS_OP_OR, true, &arg[WCTS_ARG_WITH]) &&
           arg[WCTS_ARG_WITH].refs[0].flag >= 0;
}

static bool take_at_least_one(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    enum wcts_op op = (enum wcts_op)refuse_of(shape)->op;
    return (op == WCTS_OP_AND || op == WCTS_OP_NOT) &&
           take_facts(shape, shape->rule->breach.refuse, WCTS_OP_AND, false, &arg[WCTS_ARG_ANY]);
}

static bool take_reserved(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    return refuse_of(shape)->op == WCTS_OP_MEMBER &&
           take_operand(shape, shape->rule->breach.refuse, &arg[WCTS_ARG_FACT]);
}

/* M = 0, or M != 0. */
static bool take_zero_of(const struct shaping *shape, enum wcts_op op, struct wcts_operand *member)
{
    const struct wcts_expr_node *refuse = refuse_of(shape);
    return refuse->op == op && is_number(shape, refuse->b, 0) &&
           is_member(shape_node(shape, refuse->a)) && take_operand(shape, refuse->a, member);
}

static bool take_nonzero(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    return take_zero_of(shape, WCTS_OP_EQ, &arg[WCTS_ARG_MEMBER]);
}

static bool take_zero(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    return take_zero_of(shape, WCTS_OP_NE, &arg[WCTS_ARG_MEMBER]);
}

static bool take_subset(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    const struct wcts_expr_node *unless = shape_node(shape, shape->rule->breach.unless);
    struct wcts_operand same = {0};
    return take_zero_of(shape, WCTS_OP_NE, &arg[WCTS_ARG_MEMBER]) && unless->op == WCTS_OP_IN &&
           take_operand(shape, unless->a, &same) && is_member(shape_node(shape, unless->b)) &&
           take_operand(shape, unless->b, &arg[WCTS_ARG_OF]) &&
           strcmp(same.text, arg[WCTS_ARG_MEMBER].text) == 0;
}

/* each(S in M, F or G) and not some(S in M, H), or one of them. */
static bool take_shape_segments(const struct shaping *shape,
                                struct wcts_operand arg[WCTS_ARG_COUNT])
{
    bool both = shape_node(shape, shape->rule->breach.unless)->op == WCTS_OP_AND;
    int unless = shape->rule->breach.unless;
    if (!take_zero_of(shape, WCTS_OP_NE, &arg[WCTS_ARG_MEMBER]))
        return false;
    for (int i = both ? shape_node(shape, unless)->a : unless; i; i = shape_node(shape, i)->next) {
        struct wcts_operand same = {0};
        bool none = shape_node(shape, i)->op == WCTS_OP_NOT;
        if (!take_segments(shape, none ? shape_node(shape, i)->a : i, none ? "some" : "each", &same,
                           &arg[none ? WCTS_ARG_WITH : WCTS_ARG_ANY]) ||
            strcmp(same.text, arg[WCTS_ARG_MEMBER].text) != 0)
            return false;
        if (!both)
            break;
    }
    return true;
}

static bool take_mod(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    const struct wcts_expr_node *refuse = refuse_of(shape), *mod = shape_node(shape, refuse->a);
    return refuse->op == WCTS_OP_NE && is_number(shape, refuse->b, 0) && mod->op == WCTS_OP_MOD &&
           is_member(shape_node(shape, mod->a)) &&
           take_operand(shape, mod->a, &arg[WCTS_ARG_MEMBER]) &&
           take_operand(shape, mod->b, &arg[WCTS_ARG_TO]);
}

/* Two shapes are written alike: what the statement calls a multiple, and what is aligned. */
static bool is_multiple(const struct shaping *shape)
{
    const struct wcts_statement *statement =
        &shape->loader->spec->statements[shape->rule->statement];
    const struct wcts_expr_node *mod = shape_node(shape, refuse_of(shape)->a);
    return strcmp(statement->form, "multiple") == 0 || is_member(shape_node(shape, mod->b));
}

static bool take_align(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    return take_mod(shape, arg) && !is_multiple(shape);
}

/* M < L, M > H, or both. */
static bool take_range(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    bool both = refuse_of(shape)->op == WCTS_OP_OR;
    int i = both ? refuse_of(shape)->a : shape->rule->breach.refuse;
    for (; i; i = shape_node(shape, i)->next) {
        const struct wcts_expr_node *edge = shape_node(shape, i);
        enum wcts_attribute which = edge->op == WCTS_OP_LT ? WCTS_ARG_MIN : WCTS_ARG_MAX;
        struct wcts_operand member = {0};
        if ((edge->op != WCTS_OP_LT && edge->op != WCTS_OP_GT) || arg[which].given ||
            !is_member(shape_node(shape, edge->a)) || !take_operand(shape, edge->a, &member) ||
            !take_operand(shape, edge->b, &arg[which]) ||
            (arg[WCTS_ARG_MEMBER].given && strcmp(arg[WCTS_ARG_MEMBER].text, member.text) != 0))
            return false;
        arg[WCTS_ARG_MEMBER] = member;
        if (!both)
            break;
    }
    return true;
}

/* O + S > size(H), or O + default(S, T) > size(H). */
static bool take_fits(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    const struct wcts_expr_node *refuse = refuse_of(shape), *sum = shape_node(shape, refuse->a),
                                *within = shape_node(shape, refuse->b), *size;
    if (refuse->op != WCTS_OP_GT || sum->op != WCTS_OP_ADD || within->op != WCTS_OP_CALL ||
        strcmp(wcts_functions[within->b].name, "size") != 0)
        return false;
    size = shape_node(shape, sum->b);
    if (size->op != WCTS_OP_CALL) {
        if (!take_operand(shape, sum->b, &arg[WCTS_ARG_SIZE]))
            return false;
    } else if (strcmp(wcts_functions[size->b].name, "default") != 0 ||
               !take_operand(shape, size->a, &arg[WCTS_ARG_SIZE]) ||
               !take_operand(shape, shape_node(shape, size->a)->next, &arg[WCTS_ARG_OR])) {
        return false;
    }
    return take_operand(shape, sum->a, &arg[WCTS_ARG_OFFSET]) &&
           take_operand(shape, within->a, &arg[WCTS_ARG_WITHIN]) &&
           arg[WCTS_ARG_OFFSET].count + arg[WCTS_ARG_SIZE].count + arg[WCTS_ARG_WITHIN].count == 3;
}

static bool take_live(const struct shaping *shape, int index,
                      struct wcts_operand arg[WCTS_ARG_COUNT])
{
    const struct wcts_expr_node *refuse = shape_node(shape, index), *live;
    live = shape_node(shape, refuse->op == WCTS_OP_NOT ? refuse->a : 0);
    if (live->op != WCTS_OP_CALL || strcmp(wcts_functions[live->b].name, "live") != 0 ||
        !take_operand(shape, live->a, &arg[WCTS_ARG_MEMBER]) || arg[WCTS_ARG_MEMBER].count != 1)
        return false;
    arg[WCTS_ARG_KIND] = (struct wcts_operand){
        .given = true,
        .text = wcts_arena_format(
            shape->loader->arena, "%s",
            wcts_expr_name(shape->exprs, shape_node(shape, shape_node(shape, live->a)->next)->b))};
    return true;
}

/* not live(H, K), or not H/S.F and so on. */
static bool take_handle(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    bool with = refuse_of(shape)->op == WCTS_OP_OR;
    int first = with ? refuse_of(shape)->a : shape->rule->breach.refuse;
    if (!take_live(shape, first, arg))
        return false;
    for (int i = with ? shape_node(shape, first)->next : 0; i; i = shape_node(shape, i)->next) {
        const struct wcts_expr_node *path = shape_node(shape, shape_node(shape, i)->a);
        struct wcts_operand handle = {0};
        if (shape_node(shape, i)->op != WCTS_OP_NOT || path->op != WCTS_OP_FOLLOW ||
            !take_operand(shape, path->a, &handle) ||
            strcmp(handle.text, arg[WCTS_ARG_MEMBER].text) != 0)
            return false;
        add_operand_ref(shape, &arg[WCTS_ARG_WITH], ref_of_node(shape_node(shape, path->b)));
    }
    return true;
}

/* count(S, F) > number: the flag, and whether it is the number. */
static bool take_more_than(const struct shaping *shape, int index, struct wcts_operand *fact,
                           struct wcts_operand *number)
{
    const struct wcts_expr_node *more = shape_node(shape, index);
    const struct wcts_expr_node *call = shape_node(shape, more->op == WCTS_OP_GT ? more->a : 0);
    int structure = call->op == WCTS_OP_CALL ? call->a : 0;
    return structure && strcmp(wcts_functions[call->b].name, "count") == 0 &&
           !shape_node(shape, structure)->b && shape_node(shape, structure)->next &&
           take_facts(shape, shape_node(shape, structure)->next, WCTS_OP_NONE, true, fact) &&
           take_operand(shape, more->b, number);
}

static bool take_count(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    struct wcts_operand fact = {0}, none = {0};
    return shape->premise && take_more_than(shape, shape->premise, &fact, &none) &&
           none.count == 0 && none.number == 0 &&
           take_more_than(shape, shape->rule->breach.refuse, &arg[WCTS_ARG_FACT],
                          &arg[WCTS_ARG_MAX]) &&
           strcmp(fact.text, arg[WCTS_ARG_FACT].text) == 0;
}

/* ---- functions ---- */

/* A call, or what is not one, whose arguments are these; COUNT: none. */
static const struct {
    const char *function;
    bool negated;
    enum wcts_attribute arguments[2];
} called[WCTS_FORM_COUNT_OF] = {
    [WCTS_FORM_UNDEFINED] = {"undefined", false, {WCTS_ARG_MEMBER, WCTS_ARG_COUNT}},
    [WCTS_FORM_NO_WRAP] = {"wraps", false, {WCTS_ARG_BASE, WCTS_ARG_SIZE}},
    [WCTS_FORM_DISTINCT] = {"repeats", false, {WCTS_ARG_MEMBER, WCTS_ARG_COUNT}},
    [WCTS_FORM_RESERVATION] = {"reservation", true, {WCTS_ARG_BASE, WCTS_ARG_SIZE}},
    [WCTS_FORM_BANKS] = {"contiguous", true, {WCTS_ARG_MEMBER, WCTS_ARG_WITHIN}},
};

/* The call of a function, perhaps of the contrary; the position of its first argument, or 0. */
static int call_of(const struct shaping *shape, const char *function, bool negated)
{
    const struct wcts_expr_node *node = refuse_of(shape);
    if (negated)
        node = shape_node(shape, node->op == WCTS_OP_NOT ? node->a : 0);
    return node->op == WCTS_OP_CALL && strcmp(wcts_functions[node->b].name, function) == 0 ? node->a
                                                                                           : 0;
}

static bool take_call(const struct shaping *shape, enum wcts_form form,
                      struct wcts_operand arg[WCTS_ARG_COUNT])
{
    int i = call_of(shape, called[form].function, called[form].negated);
    if (!i)
        return false;
    for (int a = 0; a < 2 && called[form].arguments[a] != WCTS_ARG_COUNT;
         a++, i = shape_node(shape, i)->next)
        if (!take_operand(shape, i, &arg[called[form].arguments[a]]))
            return false;
    if (form == WCTS_FORM_RESERVATION)
        arg[WCTS_ARG_KIND] = (struct wcts_operand){
            .given = true, .text = wcts_reservation_words[shape_node(shape, i)->b]};
    return true;
}

static bool take_exactly_one(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    int first = call_of(shape, "exactly_one", true);
    for (int i = first; i; i = shape_node(shape, i)->next) {
        struct wcts_ref ref;
        bool set;
        if (!is_fact(shape, i, &ref, &set) || !set)
            return false;
        add_operand_ref(shape, &arg[WCTS_ARG_ANY], ref);
    }
    return first != 0;
}

static bool take_exclusive(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    int flag = call_of(shape, "others", false);
    struct wcts_operand same = {0};
    return flag && take_premise(shape, &arg[WCTS_ARG_FACT]) && take_operand(shape, flag, &same) &&
           strcmp(same.text, arg[WCTS_ARG_FACT].text) == 0;
}

/* zero in pages(B, S) or invalid in pages(B, S). */
static bool take_pages(const struct shaping *shape, struct wcts_operand arg[WCTS_ARG_COUNT])
{
    bool list = refuse_of(shape)->op == WCTS_OP_OR;
    int i = list ? refuse_of(shape)->a : shape->rule->breach.refuse;
    for (; i; i = shape_node(shape, i)->next) {
        const struct wcts_expr_node *in = shape_node(shape, i), *call;
        struct wcts_operand base = {0}, size = {0};
        call = shape_node(shape, in->op == WCTS_OP_IN ? in->b : 0);
        if (call->op != WCTS_OP_CALL || strcmp(wcts_functions[call->b].name, "pages") != 0 ||
            shape_node(shape, in->a)->op != WCTS_OP_WORD || !take_operand(shape, call->a, &base) ||
            !take_operand(shape, shape_node(shape, call->a)->next, &size) ||
            (arg[WCTS_ARG_BASE].given && (strcmp(arg[WCTS_ARG_BASE].text, base.text) != 0 ||
                                          strcmp(arg[WCTS_ARG_SIZE].text, size.text) != 0)))
            return false;
        arg[WCTS_ARG_BASE] = base;
        arg[WCTS_ARG_SIZE] = size;
        arg[WCTS_ARG_NOT].given = true;
        arg[WCTS_ARG_NOT].number |= UINT64_C(1) << shape_node(shape, in->a)->b;
        if (!list)
            break;
    }
    return true;
}

static bool take_one_reservation(const struct shaping *shape,
                                 struct wcts_operand arg[WCTS_ARG_COUNT])
{
    struct wcts_rule *rule = shape->rule;
    int first = call_of(shape, "one_reservation", true), count = 0;
    (void)arg;
    for (int i = first; i; i = shape_node(shape, i)->next)
        count++;
    WCTS_LOAD_ARRAY(shape->loader, rule->ranges, count);
    rule->range_count = 0;
    for (int i = first; i; i = shape_node(shape, i)->next) {
        const struct wcts_expr_node *range = shape_node(shape, i);
        const struct wcts_expr_node *base = shape_node(shape, range->a);
        rule->ranges[rule->range_count++] =
            (struct wcts_range_of){ref_of_node(base), ref_of_node(shape_node(shape, base->next)),
                                   strcmp(wcts_functions[range->b].name, "reserved") == 0};
    }
    return first != 0;
}

/* ---- all shapes ---- */

/* What a shape has beside its breach. */
enum shape_has { HAS_NOTHING, HAS_PREMISE, HAS_UNLESS };

/* In this order: the first that fits counts. */
static const struct {
    enum wcts_form form;
    enum shape_has has;
    take_fn *take; /* NULL: take_call */
} shapes[] = {
    {WCTS_FORM_EXCLUDES, HAS_PREMISE, take_excludes},
    {WCTS_FORM_EXCLUSIVE, HAS_PREMISE, take_exclusive},
    {WCTS_FORM_COUNT, HAS_PREMISE, take_count},
    {WCTS_FORM_SUBSET, HAS_UNLESS, take_subset},
    {WCTS_FORM_SEGMENTS, HAS_UNLESS, take_shape_segments},
    {WCTS_FORM_REQUIRES, HAS_UNLESS, take_requires},
    {WCTS_FORM_RESERVED, HAS_NOTHING, take_reserved},
    {WCTS_FORM_NONZERO, HAS_NOTHING, take_nonzero},
    {WCTS_FORM_ZERO, HAS_NOTHING, take_zero},
    {WCTS_FORM_ALIGN, HAS_NOTHING, take_align},
    {WCTS_FORM_MULTIPLE, HAS_NOTHING, take_mod},
    {WCTS_FORM_RANGE, HAS_NOTHING, take_range},
    {WCTS_FORM_FITS, HAS_NOTHING, take_fits},
    {WCTS_FORM_HANDLE, HAS_NOTHING, take_handle},
    {WCTS_FORM_EXACTLY_ONE, HAS_NOTHING, take_exactly_one},
    {WCTS_FORM_AT_LEAST_ONE, HAS_NOTHING, take_at_least_one},
    {WCTS_FORM_PAGES, HAS_NOTHING, take_pages},
    {WCTS_FORM_ONE_RESERVATION, HAS_NOTHING, take_one_reservation},
    {WCTS_FORM_UNDEFINED, HAS_NOTHING, NULL},
    {WCTS_FORM_NO_WRAP, HAS_NOTHING, NULL},
    {WCTS_FORM_DISTINCT, HAS_NOTHING, NULL},
    {WCTS_FORM_RESERVATION, HAS_NOTHING, NULL},
    {WCTS_FORM_BANKS, HAS_NOTHING, NULL},
};

/* The count of a table is one of its members in interface.xml. */
static void take_count_of_table(const struct shaping *shape)
{
    struct wcts_operand *arg = shape->rule->arg;
    const struct wcts_ref table = arg[WCTS_ARG_MEMBER].refs[0];
    const struct wcts_member *member = wcts_ref_member(shape->loader->spec, table);
    int count =
        member->count ? wcts_spec_member(shape->loader->spec, table.structure, member->count) : -1;
    if (count >= 0)
        add_operand_ref(shape, &arg[WCTS_ARG_OF], (struct wcts_ref){table.structure, count, -1});
}

static bool find_shape(const struct shaping *shape, enum shape_has *has)
{
    struct wcts_rule *rule = shape->rule;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        enum wcts_form form = shapes[i].form;
        *has = shapes[i].has;
        memset(rule->arg, 0, sizeof rule->arg);
        if ((*has == HAS_UNLESS) != (rule->breach.unless != 0) ||
            !(shapes[i].take ? shapes[i].take(shape, rule->arg)
                             : take_call(shape, form, rule->arg)))
            continue;
        rule->form = form;
        if (form == WCTS_FORM_BANKS)
            take_count_of_table(shape);
        return true;
    }
    return false;
}

/* The first operand of a list, or the only one; and the one behind it. */
static int first_condition(const struct wcts_exprs *exprs, int when)
{
    return exprs->nodes[when].op == WCTS_OP_AND ? exprs->nodes[when].a : when;
}

static int next_condition(const struct wcts_exprs *exprs, int when, int condition)
{
    return condition == when ? 0 : exprs->nodes[condition].next;
}

struct wcts_condition *wcts_load_conditions(struct wcts_loader *loader, struct wcts_place place,
                                            int on, int when, int *count)
{
    const struct wcts_exprs *exprs = loader->spec->exprs;
    struct wcts_rule rule = {.place = place, .on = on};
    const struct shaping shape = {loader, exprs, &rule, 0};
    struct wcts_condition *conditions;
    *count = 0;
    for (int i = first_condition(exprs, when); i; i = next_condition(exprs, when, i))
        (*count)++;
    WCTS_LOAD_ARRAY(loader, conditions, *count);
    *count = 0;
    for (int i = first_condition(exprs, when); i; i = next_condition(exprs, when, i)) {
        struct wcts_condition *condition = &conditions[(*count)++];
        if (!take_condition(&shape, i, condition))
            memset(condition->arg, 0, sizeof condition->arg);
    }
    return conditions;
}

void wcts_load_shape(struct wcts_loader *loader, struct wcts_rule *rule)
{
    struct shaping shape = {loader, loader->spec->exprs, rule, 0};
    enum shape_has has = HAS_NOTHING;
    int when = rule->breach.when;
    rule->when = wcts_load_conditions(loader, rule->place, rule->on, when, &rule->when_count);
    if (rule->when_count > 0)
        shape.premise = rule->when[rule->when_count - 1].expression;
    if (!find_shape(&shape, &has)) {
        memset(rule->arg, 0, sizeof rule->arg);
        rule->range_count = 0;
        rule->form = WCTS_FORM_EXPRESSION;
    } else if (has == HAS_PREMISE) {
        rule->when_count--;
        rule->premise = shape.premise;
    }
}
