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
    bool shows_reply; /* a call shows its own reply */
};

static const struct wcts_lang_node *effect_node(const struct load_effect_loading *loading,
                                                int index)
{
    return &loading->exprs->nodes[index];
}

/* ---- operands ---- */

/* An expression about the call. */
static const char *printed_node(const struct load_effect_loading *loading, int index)
{
    WCTS_TEXT(text);
    struct wcts_lang_effect_about about;
    wcts_lang_effect_about(loading->loader->spec, loading->effect, &about);
    wcts_lang_print_about(loading->exprs, loading->loader->spec, &about.call, index, &text);
    return wcts_arena_string(loading->loader->arena, wcts_text_get(&text), text.length);
}

/* Adds a path to an operand, with its last member as the reference. */
static void add_path(const struct load_effect_loading *loading, int index,
                     struct wcts_operand *operand)
{
    const struct wcts_lang_node *last = effect_node(loading, index), *first = last;
    struct wcts_ref *refs =
        wcts_arena_array(loading->loader->arena, (size_t)operand->count + 1, sizeof *refs);
    if (operand->count > 0)
        memcpy(refs, operand->refs, (size_t)operand->count * sizeof *refs);
    operand->deep = operand->deep || last->op == WCTS_OP_FOLLOW;
    if (last->op == WCTS_OP_FOLLOW)
        last = effect_node(loading, last->b);
    while (first->op == WCTS_OP_FOLLOW)
        first = effect_node(loading, first->a);
    operand->deep = operand->deep || (first->ref.reply && !loading->shows_reply);
    if (operand->count == 0)
        operand->first = index;
    refs[operand->count++] =
        (struct wcts_ref){last->ref.structure, last->ref.member, last->ref.flag};
    operand->refs = refs;
    operand->given = true;
}

static bool is_path(const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_MEMBER || node->op == WCTS_OP_FOLLOW;
}

/* Adds all paths of an expression, as they are read. */
static void add_paths(const struct load_effect_loading *loading, int index,
                      struct wcts_operand *operand)
{
    const struct wcts_lang_node *node = effect_node(loading, index);
    bool list = node->op <= WCTS_OP_NOT || node->op == WCTS_OP_CALL || node->op == WCTS_OP_SET;
    if (index == 0)
        return;
    if (is_path(node))
        add_path(loading, index, operand);
    else if (list)
        for (int i = node->a; i; i = effect_node(loading, i)->next)
            add_paths(loading, i, operand);
    else if (node->op == WCTS_OP_STRUCTURE)
        add_paths(loading, node->b, operand);
    else if (node->op <= WCTS_OP_MOD) {
        add_paths(loading, node->a, operand);
        add_paths(loading, node->b, operand);
    }
}

static void take_operand(const struct load_effect_loading *loading, int index,
                         struct wcts_operand *operand)
{
    const struct wcts_lang_node *node = effect_node(loading, index);
    if (is_path(node))
        add_path(loading, index, operand);
    else if (node->op == WCTS_OP_NUMBER || node->op == WCTS_OP_PAGE)
        *operand = (struct wcts_operand){.given = true,
                                         .number = node->op == WCTS_OP_PAGE ? 0 : node->number};
}

/* ---- conditions ---- */

static void load_condition(const struct load_effect_loading *loading, int index,
                           struct wcts_condition *condition)
{
    const struct wcts_lang_node *node = effect_node(loading, index);
    struct wcts_operand named = {0};
    add_paths(loading, index, &named);
    condition->place = loading->rule->place;
    condition->expression = index;
    condition->text = printed_node(loading, index);
    condition->clear = node->op == WCTS_OP_NOT && is_path(effect_node(loading, node->a));
    condition->fact = condition->clear || is_path(node);
    condition->subject = named.count > 0 ? printed_node(loading, named.first) : condition->text;
    condition->ref = named.count > 0 ? named.refs[0] : (struct wcts_ref){-1, -1, -1};
    condition->deep = named.deep;
}

/* But for what was answered: that is no condition on calls. */
static void load_conditions_of(const struct load_effect_loading *loading)
{
    struct wcts_rule *rule = loading->rule;
    int when = loading->effect->when, count = 0;
    bool list = effect_node(loading, when)->op == WCTS_OP_AND;
    int first = list ? effect_node(loading, when)->a : when;
    for (int i = first; i; i = list ? effect_node(loading, i)->next : 0)
        count++;
    WCTS_LOAD_ARRAY(loading->loader, rule->when, count);
    for (int i = first; i; i = list ? effect_node(loading, i)->next : 0)
        if (effect_node(loading, i)->op != WCTS_OP_ANSWER)
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
    const struct wcts_lang_node *node = effect_node(loading, index);
    if (node->op == WCTS_OP_ANSWER)
        return node->a == refused;
    for (int i = node->op == WCTS_OP_AND ? node->a : 0; i; i = effect_node(loading, i)->next)
        if (demands_answer(loading, i, refused))
            return true;
    return false;
}

/* The states that words name, from this one on. */
static void take_states(const struct load_effect_loading *loading, int word,
                        enum wcts_attribute attribute)
{
    struct wcts_operand *states = &loading->rule->arg[attribute];
    for (; word && effect_node(loading, word)->op == WCTS_OP_WORD;
         word = effect_node(loading, word)->next)
        states->number |= UINT64_C(1) << effect_node(loading, word)->b;
    states->given = true;
}

/* The set that pages(...) is compared with. */
static int states_compared(const struct load_effect_loading *loading, int call)
{
    int root = loading->effect->holds;
    int i = effect_node(loading, root)->op == WCTS_OP_AND ? effect_node(loading, root)->a : root;
    for (; i; i = effect_node(loading, i)->next)
        if (effect_node(loading, i)->op == WCTS_OP_IN && effect_node(loading, i)->a == call)
            return effect_node(loading, effect_node(loading, i)->b)->a;
    return 0;
}

/* What a function states of pages. */
static void load_pages(const struct load_effect_loading *loading, size_t sort)
{
    struct wcts_operand *arg = loading->rule->arg;
    int call = call_of_sort(loading, sort), node = effect_node(loading, call)->a;
    for (int i = 0; node && i < 4 && sorts[sort].arguments[i]; i++) {
        enum wcts_attribute attribute = sorts[sort].arguments[i];
        if (effect_node(loading, node)->op == WCTS_OP_CALL) {
            add_paths(loading, node, &arg[WCTS_ARG_FLAGS]);
        } else {
            take_operand(loading, node, &arg[attribute]);
        }
        node = effect_node(loading, node)->next;
    }
    if (strcmp(sorts[sort].function, "linear") == 0)
        arg[WCTS_ARG_LINEAR].given = true;
    if (strcmp(sorts[sort].function, "copied_over") == 0)
        arg[WCTS_ARG_INTERSECT].given = true;
    if (arg[WCTS_ARG_COPY].given)
        take_states(loading, node, WCTS_ARG_SOURCE);
    if (strcmp(sorts[sort].function, "pages") == 0)
        take_states(loading, states_compared(loading, call), WCTS_ARG_STATE);
    if (arg[WCTS_ARG_OF].given)
        arg[WCTS_ARG_STATE] =
            (struct wcts_operand){.given = true, .number = UINT64_C(1) << WCTS_STATE_MAPPED};
}

static void load_demand(struct load_effect_loading *loading)
{
    struct wcts_rule *rule = loading->rule;
    const struct wcts_effect *effect = loading->effect;
    rule->form = form_of(loading);
    rule->arg[WCTS_ARG_ACCEPTED].given = demands_answer(loading, effect->holds, false);
    rule->arg[WCTS_ARG_REFUSED].given = effect->refused_too ||
                                        demands_answer(loading, effect->holds, true) ||
                                        demands_answer(loading, effect->when, true);
    loading->shows_reply = rule->form == WCTS_FORM_EFFECT_REPLY;
    if (rule->form != WCTS_FORM_EFFECT_PAGES)
        add_paths(loading, effect->holds, &rule->arg[WCTS_ARG_MEMBER]);
    else
        for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
            if (call_of_sort(loading, i))
                load_pages(loading, i);
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
    static const char *const functions[] = {"written", "zeroed", "filled"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (wcts_lang_find_call_of(spec->exprs, effect->when, functions[i]) ||
            wcts_lang_find_call_of(spec->exprs, effect->holds, functions[i]))
            return true;
    return false;
}

/* What one call does not show needs a scenario. */
static void note_depth(struct wcts_rule *rule)
{
    rule->traced = rule->effect->where ||
                   (rule->form >= WCTS_FORM_EFFECT_LATER && rule->form <= WCTS_FORM_EFFECT_PATCH);
    for (int i = 0; i < WCTS_ARG_COUNT; i++)
        rule->traced = rule->traced || rule->arg[i].deep;
    for (int i = 0; i < rule->when_count; i++)
        rule->traced = rule->traced || rule->when[i].deep;
}

void wcts_load_effect(struct wcts_loader *loader, struct wcts_rule *rule)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_effect *effect = wcts_arena_alloc(loader->arena, sizeof *effect);
    struct load_effect_loading loading = {loader, spec->exprs, rule, effect, false};
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
    effect->is_denial_recorded = wcts_load_node_value(rule->node, "recorded") != NULL;
    effect->header_only = wcts_load_node_value(rule->node, "header-only");
    effect->written = wcts_lang_find_call_of(spec->exprs, effect->holds, "written");
    load_conditions_of(&loading);
    load_demand(&loading);
    effect->needs = wcts_load_effect_needs(spec, rule);
    note_depth(rule);
}
