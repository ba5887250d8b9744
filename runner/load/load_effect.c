/* SPDX-License-Identifier: MIT */
/*
 * Effects: from their attributes to expressions (lang/effect.h). Beside these stands what those who
 * plan and cover effects go by: the sort of effect, its conditions one by one, and all that it
 * names.
 */
#include "../lang/effect.h"

#include <string.h>

#include "../lang/functions.h"
#include "../model/finding.h"
#include "load.h"

struct load_effect_loading {
    struct wcts_loader *loader;
    const struct wcts_lang_exprs *exprs;
    struct wcts_rule *rule;
    const struct wcts_effect *effect;
};

static const struct wcts_lang_node *node_at(const struct load_effect_loading *loading, int index)
{
    return &loading->exprs->nodes[index];
}

/* ---- operands ---- */

/* An expression about the call, or about the message. */
static const char *printed(const struct load_effect_loading *loading, int index, bool of_message)
{
    WCTS_TEXT(text);
    const char *copy;
    struct wcts_lang_effect_about about;
    wcts_lang_effect_about(loading->loader->spec, loading->effect, &about);
    wcts_lang_print_about(loading->exprs, loading->loader->spec,
                          of_message ? &about.message : &about.call, index, &text);
    copy = wcts_arena_string(loading->loader->arena, wcts_text_get(&text), text.length);
    wcts_text_release(&text);
    return copy;
}

/* Adds a path to an operand, with its last member as the reference. */
static void add_path(const struct load_effect_loading *loading, int index,
                     struct wcts_operand *operand)
{
    struct wcts_arena *arena = loading->loader->arena;
    struct wcts_ref *refs = wcts_arena_array(arena, (size_t)operand->count + 1, sizeof *refs);
    struct wcts_path *paths = wcts_arena_array(arena, (size_t)operand->count + 1, sizeof *paths);
    struct wcts_path *path = &paths[operand->count];
    int at = index;
    if (operand->count > 0) {
        memcpy(refs, operand->refs, (size_t)operand->count * sizeof *refs);
        memcpy(paths, operand->paths, (size_t)operand->count * sizeof *paths);
    }
    for (path->count = 1; node_at(loading, at)->op == WCTS_OP_FOLLOW; path->count++)
        at = node_at(loading, at)->a;
    path->steps = wcts_arena_array(arena, (size_t)path->count, sizeof *path->steps);
    at = index;
    for (int i = path->count - 1; i >= 0; i--, at = node_at(loading, at)->a) {
        const struct wcts_lang_node *node = node_at(loading, at);
        if (node->op == WCTS_OP_FOLLOW)
            node = node_at(loading, node->b);
        path->steps[i] = (struct wcts_path_step){
            node->ref.reply, {node->ref.structure, node->ref.member, node->ref.flag}};
    }
    refs[operand->count] = path->steps[path->count - 1].ref;
    operand->deep = operand->deep || path->count > 1 || path->steps[0].reply;
    operand->refs = refs;
    operand->paths = paths;
    operand->count++;
    operand->given = true;
    if (!operand->text)
        operand->text = printed(loading, index, false);
}

static bool is_path(const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_MEMBER || node->op == WCTS_OP_FOLLOW;
}

/* Adds all paths of an expression, as they are read. */
static void add_paths(const struct load_effect_loading *loading, int index,
                      struct wcts_operand *operand)
{
    const struct wcts_lang_node *node = node_at(loading, index);
    bool list = node->op <= WCTS_OP_NOT || node->op == WCTS_OP_CALL || node->op == WCTS_OP_SET;
    if (index == 0)
        return;
    if (is_path(node))
        add_path(loading, index, operand);
    else if (list)
        for (int i = node->a; i; i = node_at(loading, i)->next)
            add_paths(loading, i, operand);
    else if (node->op == WCTS_OP_STRUCTURE)
        add_paths(loading, node->b, operand);
    else if (node->op <= WCTS_OP_MOD) {
        add_paths(loading, node->a, operand);
        add_paths(loading, node->b, operand);
    }
}

static bool take_operand(const struct load_effect_loading *loading, int index,
                         struct wcts_operand *operand)
{
    const struct wcts_lang_node *node = node_at(loading, index);
    if (is_path(node))
        add_path(loading, index, operand);
    else if (node->op == WCTS_OP_NUMBER || node->op == WCTS_OP_PAGE)
        *operand = (struct wcts_operand){.given = true,
                                         .number = node->op == WCTS_OP_PAGE ? 0 : node->number,
                                         .text = printed(loading, index, false)};
    return operand->given;
}

/* ---- conditions ---- */

static void take_is(struct wcts_operand *arg, enum wcts_is is)
{
    arg[WCTS_ARG_IS] =
        (struct wcts_operand){.given = true, .number = is, .text = wcts_is_words[is]};
}

/* A flag, or a number that is 0 or is not. */
static bool take_fact(const struct load_effect_loading *loading, const struct wcts_lang_node *node,
                      int index, struct wcts_operand *arg)
{
    bool negated = node->op == WCTS_OP_NOT;
    const struct wcts_lang_node *right = node_at(loading, node->b);
    if (negated)
        index = node->a;
    if ((negated || is_path(node)) && is_path(node_at(loading, index))) {
        add_path(loading, index, &arg[WCTS_ARG_FACT]);
        take_is(arg, negated ? WCTS_IS_CLEAR : WCTS_IS_SET);
        return true;
    }
    if ((node->op != WCTS_OP_EQ && node->op != WCTS_OP_NE) || right->op != WCTS_OP_NUMBER ||
        right->number != 0 || !is_path(node_at(loading, node->a)))
        return false;
    add_path(loading, node->a, &arg[WCTS_ARG_MEMBER]);
    take_is(arg, node->op == WCTS_OP_EQ ? WCTS_IS_ZERO : WCTS_IS_NONZERO);
    return true;
}

static bool take_comparison(const struct load_effect_loading *loading,
                            const struct wcts_lang_node *node, struct wcts_operand *arg)
{
    static const enum wcts_attribute attributes[WCTS_OP_COUNT] = {
        [WCTS_OP_EQ] = WCTS_ARG_EQUALS, [WCTS_OP_NE] = WCTS_ARG_DIFFERS,
        [WCTS_OP_LT] = WCTS_ARG_LESS,   [WCTS_OP_LE] = WCTS_ARG_MAX,
        [WCTS_OP_GE] = WCTS_ARG_MIN,    [WCTS_OP_IN] = WCTS_ARG_IN};
    enum wcts_attribute attribute = attributes[node->op];
    if (!attribute || !is_path(node_at(loading, node->a)) ||
        !take_operand(loading, node->b, &arg[attribute]))
        return false;
    add_path(loading, node->a, &arg[WCTS_ARG_MEMBER]);
    return true;
}

/* some(STRUCTURE in set, flag or ...), or not. */
static bool take_instances(const struct load_effect_loading *loading,
                           const struct wcts_lang_node *node, struct wcts_operand *arg)
{
    bool negated = node->op == WCTS_OP_NOT;
    const struct wcts_lang_node *call = negated ? node_at(loading, node->a) : node, *instances;
    struct wcts_operand *flags = &arg[negated ? WCTS_ARG_NO_SEGMENT : WCTS_ARG_SEGMENT];
    instances = node_at(loading, call->a);
    if (call->op != WCTS_OP_CALL || strcmp(wcts_functions[call->b].name, "some") != 0 ||
        !is_path(node_at(loading, instances->b)))
        return false;
    add_path(loading, instances->b, &arg[WCTS_ARG_MEMBER]);
    add_paths(loading, instances->next, flags);
    return flags->given;
}

/* What is no condition that others know has its text, and all that it names. */
static void load_condition(const struct load_effect_loading *loading, int index,
                           struct wcts_condition *condition)
{
    const struct wcts_lang_node *node = node_at(loading, index);
    struct wcts_operand *arg = condition->arg;
    condition->place = loading->rule->place;
    condition->expression = index;
    condition->text = printed(loading, index, false);
    if (take_fact(loading, node, index, arg) || take_comparison(loading, node, arg) ||
        take_instances(loading, node, arg))
        return;
    memset(arg, 0, sizeof condition->arg);
    add_paths(loading, index, &arg[WCTS_ARG_MEMBER]);
    arg[WCTS_ARG_MEMBER].text = condition->text;
}

/* But for what was answered: that is no condition on calls. */
static void load_conditions_of(const struct load_effect_loading *loading)
{
    struct wcts_rule *rule = loading->rule;
    int when = loading->effect->when, count = 0;
    bool list = node_at(loading, when)->op == WCTS_OP_AND;
    int first = list ? node_at(loading, when)->a : when;
    for (int i = first; i; i = list ? node_at(loading, i)->next : 0)
        count++;
    WCTS_LOAD_ARRAY(loading->loader, rule->when, count);
    for (int i = first; i; i = list ? node_at(loading, i)->next : 0)
        if (node_at(loading, i)->op != WCTS_OP_ANSWER)
            load_condition(loading, i, &rule->when[rule->when_count++]);
}

/* ---- what others go by ---- */

/* True if the effect is about what a driver is asked to do, which is to patch. */
static bool is_of_patch(const struct load_effect_loading *loading)
{
    const struct wcts_spec *spec = loading->loader->spec;
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].driver &&
            (loading->effect->in == i || spec->messages[i].request == loading->effect->on))
            return true;
    return false;
}

/* The sort of an effect by a function in "holds"; of those about pages, what the arguments are. */
static const struct {
    const char *function;
    enum wcts_form form;
    enum wcts_attribute arguments[4];
} sorts[] = {
    {"mapped", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_OF, WCTS_ARG_BASE, WCTS_ARG_SIZE}},
    {"pages", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE}},
    {"begun", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE, WCTS_ARG_FROM}},
    {"linear", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE}},
    {"repeated", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE, WCTS_ARG_EACH}},
    {"protected", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE, WCTS_ARG_PROTECTION}},
    {"driver_protected", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE, WCTS_ARG_DRIVER}},
    {"copied", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE, WCTS_ARG_COPY}},
    {"copied_over", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE, WCTS_ARG_COPY}},
    {"unchanged", WCTS_FORM_EFFECT_PAGES, {WCTS_ARG_BASE, WCTS_ARG_SIZE}},
    {"held", WCTS_FORM_EFFECT_MACHINE, {0}},
    {"held_before", WCTS_FORM_EFFECT_MACHINE, {0}},
    {"released", WCTS_FORM_EFFECT_MACHINE, {0}},
    {"as_row", WCTS_FORM_EFFECT_POWER, {0}},
    {"as_some_row", WCTS_FORM_EFFECT_POWER, {0}},
    {"patched", WCTS_FORM_EFFECT_PATCH, {0}},
};

/* A call of the function of the n-th sort; 0: there is none. */
static int call_of_sort(const struct load_effect_loading *loading, size_t n)
{
    return wcts_lang_find_call_of(loading->exprs, loading->effect->holds, sorts[n].function);
}

static enum wcts_form form_of(const struct load_effect_loading *loading)
{
    const struct wcts_effect *effect = loading->effect;
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (call_of_sort(loading, i))
            return sorts[i].form;
    if (is_of_patch(loading))
        return WCTS_FORM_EFFECT_PATCH;
    if (effect->selector == WCTS_SELECT_CALL)
        return WCTS_FORM_EFFECT_REPLY;
    if (effect->span == WCTS_SPAN_DURING)
        return WCTS_FORM_EFFECT_TOLD;
    if (effect->span == WCTS_SPAN_RESTING)
        return WCTS_FORM_EFFECT_PLACED;
    return loading->loader->spec->messages[effect->message].machine ? WCTS_FORM_EFFECT_BYTES
                                                                    : WCTS_FORM_EFFECT_LATER;
}

/* True if "accepted" or "refused" is the expression, or a part of its conjunction. */
static bool demands_answer(const struct load_effect_loading *loading, int index, bool refused)
{
    const struct wcts_lang_node *node = node_at(loading, index);
    if (node->op == WCTS_OP_ANSWER)
        return node->a == refused;
    for (int i = node->op == WCTS_OP_AND ? node->a : 0; i; i = node_at(loading, i)->next)
        if (demands_answer(loading, i, refused))
            return true;
    return false;
}

/* All that an expression about the message names; its text tells it from others. */
static void load_named(const struct load_effect_loading *loading, int index,
                       struct wcts_operand *named)
{
    add_paths(loading, index, named);
    if (index)
        named->text = printed(loading, index, true);
}

static void load_where(const struct load_effect_loading *loading)
{
    struct wcts_rule *rule = loading->rule;
    WCTS_LOAD_ARRAY(loading->loader, rule->match, 1);
    rule->match[0].place = rule->place;
    load_named(loading, loading->effect->where, &rule->match[0].arg[WCTS_ARG_ANY]);
    rule->match_count = loading->effect->where != 0;
}

static void take_yes(const struct load_effect_loading *loading, size_t sort, const char *function,
                     enum wcts_attribute attribute)
{
    if (strcmp(sorts[sort].function, function) == 0)
        loading->rule->arg[attribute] = (struct wcts_operand){.given = true, .text = "yes"};
}

/* The states that words name, from this one on. */
static void take_states(const struct load_effect_loading *loading, int word,
                        enum wcts_attribute attribute)
{
    struct wcts_operand *states = &loading->rule->arg[attribute];
    for (; word && node_at(loading, word)->op == WCTS_OP_WORD; word = node_at(loading, word)->next)
        states->number |= UINT64_C(1) << node_at(loading, word)->b;
    states->given = true;
    states->text = printed(loading, loading->effect->holds, false);
}

/* The set that pages(...) is compared with. */
static int states_compared(const struct load_effect_loading *loading, int call)
{
    int root = loading->effect->holds;
    int i = node_at(loading, root)->op == WCTS_OP_AND ? node_at(loading, root)->a : root;
    for (; i; i = node_at(loading, i)->next)
        if (node_at(loading, i)->op == WCTS_OP_IN && node_at(loading, i)->a == call)
            return node_at(loading, node_at(loading, i)->b)->a;
    return 0;
}

/* What a function states of pages. */
static void load_pages(const struct load_effect_loading *loading, size_t sort)
{
    struct wcts_operand *arg = loading->rule->arg;
    int call = call_of_sort(loading, sort), node = node_at(loading, call)->a;
    for (int i = 0; node && i < 4 && sorts[sort].arguments[i]; i++) {
        enum wcts_attribute attribute = sorts[sort].arguments[i];
        if (node_at(loading, node)->op == WCTS_OP_CALL) {
            add_paths(loading, node, &arg[WCTS_ARG_FLAGS]);
        } else {
            take_operand(loading, node, &arg[attribute]);
        }
        node = node_at(loading, node)->next;
    }
    take_yes(loading, sort, "linear", WCTS_ARG_LINEAR);
    take_yes(loading, sort, "copied_over", WCTS_ARG_INTERSECT);
    if (arg[WCTS_ARG_COPY].given)
        take_states(loading, node, WCTS_ARG_SOURCE);
    if (strcmp(sorts[sort].function, "pages") == 0)
        take_states(loading, states_compared(loading, call), WCTS_ARG_STATE);
    if (arg[WCTS_ARG_OF].given)
        arg[WCTS_ARG_STATE] = (struct wcts_operand){
            .given = true, .number = UINT64_C(1) << WCTS_STATE_MAPPED, .text = "mapped"};
}

static void load_demand(const struct load_effect_loading *loading)
{
    struct wcts_rule *rule = loading->rule;
    const struct wcts_effect *effect = loading->effect;
    struct wcts_operand *member = &rule->arg[WCTS_ARG_MEMBER];
    rule->form = form_of(loading);
    rule->arg[WCTS_ARG_ACCEPTED] = (struct wcts_operand){
        .given = demands_answer(loading, effect->holds, false), .text = "yes"};
    rule->arg[WCTS_ARG_REFUSED] = (struct wcts_operand){
        .given = effect->refused_too || demands_answer(loading, effect->holds, true) ||
                 demands_answer(loading, effect->when, true),
        .text = "yes"};
    if (effect->message >= 0)
        rule->arg[WCTS_ARG_OPERATION] = (struct wcts_operand){
            .given = true,
            .number = (uint64_t)effect->message,
            .text = wcts_arena_format(loading->loader->arena, "%d %d %s", effect->selector,
                                      effect->span,
                                      loading->loader->spec->messages[effect->message].name)};
    if (rule->form == WCTS_FORM_EFFECT_PAGES) {
        for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
            if (call_of_sort(loading, i))
                load_pages(loading, i);
        return;
    }
    load_named(loading, effect->holds, member);
    /* A call shows its own reply. */
    for (int i = 0; rule->form == WCTS_FORM_EFFECT_REPLY && i < member->count; i++)
        member->deep = (i > 0 && member->deep) || member->paths[i].count > 1;
}

/* True if a message's structure is the one, or leads to it through its arrays. */
static bool leads_to(const struct wcts_spec *spec, int from, int structure, int depth)
{
    if (from < 0 || from == structure || depth == 0)
        return from == structure;
    for (int i = 0; i < spec->structures[from].member_count; i++) {
        const struct wcts_member *member = &spec->structures[from].members[i];
        for (int s = 0; s < member->element_of_count; s++)
            if (leads_to(spec, member->element_of[s], structure, depth - 1))
                return true;
    }
    return false;
}

static uint64_t operations_with(const struct wcts_spec *spec, const struct wcts_effect *effect)
{
    uint64_t operations = 0;
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        if ((effect->in < 0 || effect->in == i) &&
            (leads_to(spec, message->request, effect->on, 2) ||
             leads_to(spec, message->reply, effect->on, 2)))
            operations |= wcts_model_operation_bit(message->operation);
    }
    return operations;
}

/* What memory holds depends on what the scenario has written there. */
static bool is_about_content(const struct wcts_spec *spec, const struct wcts_effect *effect)
{
    static const char *const functions[] = {"written", "zeroed"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (wcts_lang_find_call_of(spec->exprs, effect->when, functions[i]) ||
            wcts_lang_find_call_of(spec->exprs, effect->holds, functions[i]))
            return true;
    return false;
}

void wcts_load_effect(struct wcts_loader *loader, struct wcts_rule *rule)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_effect *effect = wcts_arena_alloc(loader->arena, sizeof *effect);
    const struct load_effect_loading loading = {loader, spec->exprs, rule, effect};
    struct wcts_lang_effect_source source = {.place = rule->place};
    for (int i = 0; i < WCTS_EFFECT_ATTRIBUTES; i++)
        source.text[i] = wcts_load_node_value(rule->node, wcts_effect_attribute_names[i]);
    rule->form = WCTS_FORM_EFFECT_REPLY; /* until it is known */
    if (!wcts_lang_effect_read(spec->exprs, spec, &source, loader->diagnostics, effect))
        return;
    rule->effect = effect;
    effect->operations = operations_with(spec, effect);
    if (effect->in >= 0 && effect->operations == 0)
        wcts_error_at(loader->diagnostics, &rule->place,
                      "attribute \"in\" of <effect> is \"%s\", which never has a %s, expected a "
                      "message that has one: the effect would always be kept",
                      spec->messages[effect->in].name, spec->structures[effect->on].name);
    effect->unobserved = is_about_content(spec, effect)
                             ? "what memory holds depends on what was written there"
                             : wcts_load_node_value(rule->node, "unobserved");
    effect->written = wcts_lang_find_call_of(spec->exprs, effect->holds, "written");
    load_conditions_of(&loading);
    load_where(&loading);
    load_demand(&loading);
    effect->needs = wcts_load_effect_needs(spec, rule);
}
