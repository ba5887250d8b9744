/* SPDX-License-Identifier: MIT */
/* The expressions of rules, read when all that they may name is known. */
#include <string.h>

#include "../lang/functions.h"
#include "load.h"

/* True if a step of the cases sets a member of the structure. */
static bool is_set_by_step(const struct wcts_loader *loader, int structure)
{
    const struct wcts_cases *cases = loader->cases;
    for (int s = 0; s < cases->steps_count; s++)
        for (int i = 0; i < cases->steps[s].instance_count; i++)
            if (cases->steps[s].instances[i].structure == structure)
                return true;
    return false;
}

/* A rule reads one call, and what the steps set that made the objects of the call. The nodes of the
 * expression are those from first on. */
static bool check_depth(const struct wcts_loader *loader, struct wcts_lang_text *text, int first)
{
    const struct wcts_lang_exprs *exprs = loader->spec->exprs;
    for (int i = first; i < exprs->node_count; i++) {
        const struct wcts_lang_node *node = &exprs->nodes[i];
        bool path = node->op == WCTS_OP_FOLLOW;
        if (path && (exprs->nodes[node->a].op == WCTS_OP_FOLLOW ||
                     !is_set_by_step(loader, exprs->nodes[node->b].ref.structure)))
            wcts_lang_error(text, node->column,
                            "the path leads further than to what a step of the cases sets");
        if (node->op == WCTS_OP_ANSWER ||
            (node->op == WCTS_OP_CALL && !wcts_functions[node->b].eval))
            wcts_lang_error(text, node->column, "only an effect reads what was recorded");
        if (node->op == WCTS_OP_MEMBER && node->ref.reply)
            wcts_lang_error(text, node->column, "a rule is about the request, not about the reply");
    }
    return !text->failed;
}

int wcts_load_expression(struct wcts_loader *loader, const struct wcts_load_node *node,
                         const char *attribute, int on)
{
    const char *value = wcts_load_node_value(node, attribute);
    struct wcts_lang_text text = {.text = value,
                                  .length = value == NULL ? 0 : strlen(value),
                                  .place = node->place,
                                  .attribute = attribute,
                                  .element = wcts_load_node_element(node)->name,
                                  .diagnostics = loader->diagnostics};
    struct wcts_lang_exprs *exprs = loader->spec->exprs;
    const struct wcts_lang_about about = {on, -1, NULL};
    int first = exprs->node_count;
    int root = value == NULL ? 0 : wcts_lang_parse(exprs, &text);
    return root && wcts_lang_check(exprs, loader->spec, &text, on, root, WCTS_EXPR_FLAG) &&
                   check_depth(loader, &text, first) &&
                   wcts_lang_check_depends(exprs, loader->spec, &text, &about, first)
               ? root
               : 0;
}

/* The attribute that names the outcome of a breach; one of three. */
static const char *outcome_attribute(struct wcts_loader *loader, const struct wcts_rule *rule)
{
    const char *found = NULL;
    for (const char *const *word = wcts_outcome_words; *word != NULL; word++) {
        if (wcts_load_node_value(rule->node, *word) == NULL)
            continue;
        if (found != NULL)
            wcts_error_at(loader->diagnostics, &rule->place,
                          "<rule> has \"%s\" and \"%s\", expected one of them", found, *word);
        found = *word;
    }
    return found;
}

/* A rule that a flag is clear, up to the version at which the flag begins. */
static bool is_gate(const struct wcts_loader *loader, const struct wcts_rule *rule)
{
    const struct wcts_lang_node *refuse = &loader->spec->exprs->nodes[rule->breach.refuse];
    const struct wcts_member *member;
    if (refuse->op != WCTS_OP_MEMBER || rule->breach.when || rule->breach.unless ||
        wcts_load_node_value(rule->node, "until") == NULL)
        return false;
    member = &loader->spec->structures[refuse->ref.structure].members[refuse->ref.member];
    return rule->until == loader->spec->words[member->word].flags[refuse->ref.flag].since;
}

static void load_gate(struct wcts_loader *loader, struct wcts_rule *rule)
{
    const struct wcts_lang_ref flag = loader->spec->exprs->nodes[rule->breach.refuse].ref;
    int word = loader->spec->structures[flag.structure].members[flag.member].word;
    int *gate = &loader->spec->words[word].flags[flag.flag].gate;
    rule->form = WCTS_FORM_GATE;
    rule->gate = (struct wcts_ref){flag.structure, flag.member, flag.flag};
    rule->since = wcts_load_use_version(loader, rule->node, "since",
                                        loader->spec->structures[rule->on].since);
    if (*gate < 0)
        *gate = (int)(rule - loader->spec->rules);
}

static void load_conditions(struct wcts_loader *loader, struct wcts_rule *rule)
{
    const struct wcts_lang_exprs *exprs = loader->spec->exprs;
    const int when = rule->breach.when, first = wcts_lang_operand(exprs, when, WCTS_OP_AND);
    int count = 0;
    rule->premise = wcts_lang_premise(exprs, &rule->breach);
    for (int i = first; i; i = wcts_lang_operand_behind(exprs, when, i))
        count++;
    WCTS_LOAD_ARRAY(loader, rule->when, count);
    for (int i = first; i != rule->premise; i = wcts_lang_operand_behind(exprs, when, i)) {
        WCTS_TEXT(text);
        wcts_lang_print(exprs, loader->spec, rule->on, i, &text);
        rule->when[rule->when_count++] = (struct wcts_condition){
            .place = rule->place,
            .expression = i,
            .text = wcts_arena_string(loader->arena, wcts_text_get(&text), text.length)};
    }
}

static void load_breach(struct wcts_loader *loader, struct wcts_rule *rule)
{
    const char *outcome = outcome_attribute(loader, rule);
    int errors = loader->diagnostics->errors;
    if (outcome == NULL) {
        wcts_error_at(loader->diagnostics, &rule->place,
                      "<rule> has no breach, expected \"refuse\", \"assert\" or \"either\", or a "
                      "<layout>");
        return;
    }
    rule->outcome =
        (enum wcts_outcome)wcts_model_word_index(wcts_outcome_words, outcome, strlen(outcome));
    rule->breach = (struct wcts_lang_rule){
        .when = wcts_load_expression(loader, rule->node, "when", rule->on),
        .refuse = wcts_load_expression(loader, rule->node, outcome, rule->on),
        .unless = wcts_load_expression(loader, rule->node, "unless", rule->on)};
    if (loader->diagnostics->errors != errors)
        return;
    load_conditions(loader, rule);
    if (is_gate(loader, rule))
        load_gate(loader, rule);
}

/* A column that has its value: Flag, not Flag, Member != 0 or Member = 0. */
static int add_cell(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                    const struct wcts_cell *cell)
{
    struct wcts_lang_node node = {.op = WCTS_OP_MEMBER,
                                  .type = cell->flag.flag < 0 ? WCTS_EXPR_NUMBER : WCTS_EXPR_FLAG};
    int fact, zero;
    node.ref = (struct wcts_lang_ref){.structure = (int16_t)cell->flag.structure,
                                      .member = (int16_t)cell->flag.member,
                                      .flag = (int16_t)cell->flag.flag};
    (void)spec;
    fact = wcts_lang_exprs_add(exprs, node);
    if (cell->flag.flag >= 0 && cell->set)
        return fact;
    node = (struct wcts_lang_node){.op = WCTS_OP_NOT, .type = WCTS_EXPR_FLAG, .a = fact};
    if (cell->flag.flag < 0) {
        zero = wcts_lang_exprs_add(
            exprs, (struct wcts_lang_node){.op = WCTS_OP_NUMBER, .type = WCTS_EXPR_NUMBER});
        node.op = cell->set ? WCTS_OP_NE : WCTS_OP_EQ;
        node.b = zero;
    }
    return wcts_lang_exprs_add(exprs, node);
}

/* The breach of a row: all columns have its values. */
static void load_row_breach(struct wcts_loader *loader, struct wcts_rule *rule)
{
    struct wcts_lang_exprs *exprs = loader->spec->exprs;
    struct wcts_lang_node all = {.op = WCTS_OP_AND, .type = WCTS_EXPR_FLAG};
    for (int i = rule->cell_count - 1; i >= 0; i--) {
        int fact =
            rule->cells[i].flag.structure < 0 ? 0 : add_cell(exprs, loader->spec, &rule->cells[i]);
        if (!fact)
            return;
        exprs->nodes[fact].next = all.a;
        all.a = fact;
    }
    rule->breach.refuse = all.a ? wcts_lang_exprs_add(exprs, all) : 0;
}

void wcts_load_expressions(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].form == WCTS_FORM_EXPRESSION && spec->rules[i].on >= 0)
            load_breach(loader, &spec->rules[i]);
        else if (spec->rules[i].form == WCTS_FORM_ROW)
            load_row_breach(loader, &spec->rules[i]);
    for (int i = 0; wcts_load_next_element(loader, &walk, WCTS_EL_OPEN); i++)
        if (spec->opens[i].on >= 0)
            spec->opens[i].when =
                wcts_load_expression(loader, walk.node, "when", spec->opens[i].on);
    walk = (struct wcts_load_element_walk){0};
    for (int i = 0; wcts_load_next_element(loader, &walk, WCTS_EL_GAP); i++)
        if (spec->gaps[i].on >= 0)
            spec->gaps[i].when = wcts_load_expression(loader, walk.node, "when", spec->gaps[i].on);
}
