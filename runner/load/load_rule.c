/* SPDX-License-Identifier: MIT */
/* Rules, also those of invalid rows of tables, and what is left open. */
#include <string.h>

#include "../base/text.h"
#include "load.h"

/* ---- operands ---- */

static void load_operands(struct wcts_loader *loader, const struct wcts_load_node *node, int on,
                          struct wcts_operand arg[WCTS_ARG_COUNT])
{
    static const struct {
        enum wcts_attribute attribute;
        const char *name;
    } operands[] = {{WCTS_ARG_FACT, "fact"}, {WCTS_ARG_MEMBER, "member"}};
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        struct wcts_operand *operand = &arg[operands[i].attribute];
        operand->text = wcts_load_node_value(node, operands[i].name);
        operand->given = operand->text != NULL;
        if (operand->given)
            operand->refs = wcts_load_use_refs(loader, node, operands[i].name, on, &operand->count);
    }
}

/* ---- forms with more than attributes ---- */

/* A layout is of a word in a member, or of the structure of its rule. */
static void load_layout(struct wcts_loader *loader, const struct wcts_load_node *form,
                        struct wcts_rule *rule)
{
    bool of_word = wcts_load_node_value(form, "word") != NULL;
    int structure = wcts_load_use_structure(loader, form, "structure", rule->on);
    bool has_member = wcts_load_node_value(form, "member") != NULL;
    struct wcts_load_node *node = NULL;
    rule->word = wcts_load_use_word(loader, form, "word", -1);
    rule->layout_sets = wcts_load_yes(form, "sets");
    rule->layout_bytes = wcts_load_yes(form, "bytes");
    WCTS_LOAD_ARRAY(loader, rule->at, wcts_load_node_count(form, WCTS_EL_AT));
    while ((node = wcts_load_node_next(form, node, WCTS_EL_AT)) != NULL)
        rule->at[rule->at_count++] =
            (struct wcts_at){.place = node->place,
                             .member = wcts_load_use_ref(loader, node, "member", rule->on).member,
                             .offset = (uint32_t)wcts_load_number(node, "offset", 0),
                             .width = (uint32_t)wcts_load_number(node, "width", 0)};
    if (of_word &&
        (!has_member || wcts_load_node_value(form, "structure") != NULL || rule->at_count))
        wcts_error_at(loader->diagnostics, &form->place,
                      "<layout> of a word, expected \"member\" and neither \"structure\" nor <at>");
    if (!of_word && (has_member || wcts_load_node_value(form, "fact") != NULL))
        wcts_error_at(loader->diagnostics, &form->place,
                      "<layout> of a structure, expected neither \"member\" nor \"fact\"");
    if (!of_word && structure >= 0 && structure != rule->on)
        wcts_error_at(loader->diagnostics, &form->place,
                      "<layout> of \"%s\" in a rule on \"%s\", expected the same structure",
                      loader->spec->structures[structure].name,
                      loader->spec->structures[rule->on].name);
}

/* ---- rules ---- */

static void load_form(struct wcts_loader *loader, const struct wcts_load_node *node,
                      struct wcts_rule *rule)
{
    const struct wcts_load_node *form = node->first;
    rule->form = WCTS_FORM_EXPRESSION;
    while (form != NULL && wcts_load_node_element(form)->form == 0)
        form = form->next;
    if (form == NULL)
        return;
    rule->form = (enum wcts_form)(wcts_load_node_element(form)->form - 1);
    load_operands(loader, form, rule->on, rule->arg);
    if (rule->form == WCTS_FORM_LAYOUT) {
        rule->outcome = WCTS_OUTCOME_REFUSE;
        load_layout(loader, form, rule);
    }
}

/* The attributes that rules and invalid rows share. The default outcome is to refuse a breach of a
 * caller's must, else either. */
static void load_common(struct wcts_loader *loader, const struct wcts_load_node *node,
                        int statement, struct wcts_rule *rule)
{
    struct wcts_statement *owner = &loader->spec->statements[statement];
    const char *name = wcts_load_node_value(node, "name");
    bool duty = owner->role == WCTS_ROLE_CALLER && owner->force == WCTS_FORCE_MUST;
    rule->id =
        name == NULL ? owner->id : wcts_arena_format(loader->arena, "%s.%s", owner->id, name);
    rule->place = node->place;
    rule->node = node;
    rule->statement = statement;
    rule->force =
        (enum wcts_force)wcts_load_word(node, "level", wcts_force_words, (int)owner->force);
    rule->elective = wcts_load_node_value(node, "elective");
    rule->outcome = (enum wcts_outcome)wcts_load_word(
        node, "outcome", wcts_outcome_words, duty ? WCTS_OUTCOME_REFUSE : WCTS_OUTCOME_EITHER);
    rule->masked_by = wcts_load_node_value(node, "masked-by");
    rule->word = -1;
    owner->rule_count++;
}

static void load_rule(struct wcts_loader *loader, const struct wcts_load_node *node, int statement)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_rule *rule = &spec->rules[spec->rules_count++];
    load_common(loader, node, statement, rule);
    rule->on = wcts_load_use_structure(loader, node, "on", -1);
    if (rule->on < 0)
        return;
    load_form(loader, node, rule);
    rule->since = wcts_load_use_version(loader, node, "since", spec->statements[statement].since);
    rule->until = wcts_load_use_version(loader, node, "until", spec->statements[statement].until);
    if (node->kind == WCTS_EL_EFFECT)
        wcts_load_effect(loader, rule);
}

static void load_row_rule(struct wcts_loader *loader, const struct wcts_load_node *node,
                          const struct wcts_table *table, const struct wcts_row *row, int statement)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_rule *rule = &spec->rules[spec->rules_count++];
    const struct wcts_statement *owner = &spec->statements[statement];
    load_common(loader, node, statement, rule);
    rule->form = WCTS_FORM_ROW;
    rule->on = table->on;
    rule->since = owner->since > table->since ? owner->since : table->since;
    rule->until = owner->until < table->until ? owner->until : table->until;
    WCTS_LOAD_ARRAY(loader, rule->cells, table->column_count);
    for (int i = 0; i < table->column_count && i < row->value_count && i < 64; i++) {
        struct wcts_cell *cell = &rule->cells[rule->cell_count++];
        cell->flag = table->columns[i];
        cell->set = (row->values >> i & 1) != 0;
    }
}

static void load_table_rules(struct wcts_loader *loader, const struct wcts_load_node *node,
                             const struct wcts_table *table)
{
    struct wcts_load_node *row_node = NULL;
    for (int i = 0; (row_node = wcts_load_node_next(node, row_node, WCTS_EL_ROW)) != NULL; i++) {
        const struct wcts_row *row = &table->rows[i];
        for (int j = 0; !row->valid && j < row->statement_count; j++)
            if (row->statements[j] >= 0)
                load_row_rule(loader, row_node, table, row, row->statements[j]);
    }
}

static size_t count_rule_elements(const struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    size_t count = 0;
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STATEMENT))
        count += (size_t)(wcts_load_node_count(walk.node, WCTS_EL_RULE) +
                          wcts_load_node_count(walk.node, WCTS_EL_EFFECT));
    for (int i = 0; i < loader->spec->tables_count; i++)
        for (int j = 0; j < loader->spec->tables[i].row_count; j++)
            count += (size_t)loader->spec->tables[i].rows[j].statement_count;
    return count;
}

/* A statement's id stands for all its rules. */
static void load_rests_on(struct wcts_loader *loader, struct wcts_rule *rule)
{
    const struct wcts_spec *spec = loader->spec;
    const char *list = wcts_load_node_value(rule->node, "rests-on"), *piece;
    size_t length;
    if (list == NULL)
        return;
    WCTS_LOAD_ARRAY(loader, rule->rests_on, spec->rules_count);
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        int before = rule->rests_on_count;
        for (int i = 0; i < spec->rules_count && rule->rests_on_count < spec->rules_count; i++) {
            const char *statement = spec->statements[spec->rules[i].statement].id;
            if (wcts_is_piece(spec->rules[i].id, piece, length) ||
                wcts_is_piece(statement, piece, length))
                rule->rests_on[rule->rests_on_count++] = i;
        }
        if (rule->rests_on_count == before)
            wcts_error_at(loader->diagnostics, &rule->place,
                          "rule \"%s\" rests on \"%.*s\", expected the id of a rule or statement",
                          rule->id, (int)length, piece);
    }
}

static void list_observables(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    WCTS_LOAD_ARRAY(loader, spec->observables, spec->rules_count);
    for (int i = 0; spec->observables && i < spec->rules_count; i++)
        if (spec->rules[i].effect)
            spec->observables[spec->observables_count++] =
                (struct wcts_observable){spec->rules[i].effect->operations, i};
}

void wcts_load_rules(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->rules, count_rule_elements(loader));
    for (int i = 0; wcts_load_next_element(loader, &walk, WCTS_EL_STATEMENT); i++) {
        struct wcts_load_node *rule = NULL;
        while ((rule = wcts_load_node_next(walk.node, rule, WCTS_EL_RULE)) != NULL)
            load_rule(loader, rule, i);
        while ((rule = wcts_load_node_next(walk.node, rule, WCTS_EL_EFFECT)) != NULL)
            load_rule(loader, rule, i);
    }
    walk = (struct wcts_load_element_walk){0};
    for (int i = 0; wcts_load_next_element(loader, &walk, WCTS_EL_TABLE); i++)
        load_table_rules(loader, walk.node, &loader->spec->tables[i]);
    for (int i = 0; i < spec->rules_count; i++)
        load_rests_on(loader, &spec->rules[i]);
    list_observables(loader);
}

static void load_gap(struct wcts_loader *loader, const struct wcts_load_node *node,
                     struct wcts_gap *gap)
{
    struct wcts_operand arg[WCTS_ARG_COUNT] = {0};
    gap->name = wcts_load_node_value(node, "name");
    gap->missing = wcts_load_node_value(node, "missing");
    gap->place = node->place;
    gap->since = wcts_load_use_version(loader, node, "since", 0);
    gap->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    gap->on = wcts_load_use_structure(loader, node, "on", -1);
    gap->breaks = wcts_load_use_statement(loader, node, "breaks", -1);
    gap->value = (enum wcts_gap_value)(1 + wcts_load_word(node, "value", wcts_gap_value_words, -1));
    if (gap->on < 0)
        return;
    load_operands(loader, node, gap->on, arg);
    if (arg[WCTS_ARG_MEMBER].count > 0)
        gap->member = arg[WCTS_ARG_MEMBER].refs[0];
    if (arg[WCTS_ARG_MEMBER].given != (gap->value != WCTS_GAP_ANY))
        wcts_error_at(loader->diagnostics, &gap->place,
                      "<gap> has \"member\" or \"value\", expected both or none of them");
    else if (gap->value == WCTS_GAP_ANY && wcts_load_node_value(node, "breaks") == NULL &&
             wcts_load_node_value(node, "when") == NULL)
        wcts_error_at(loader->diagnostics, &gap->place,
                      "<gap> describes no call, expected \"member\", \"breaks\" or \"when\"");
}

void wcts_load_gaps(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->gaps, wcts_load_count_elements(loader, WCTS_EL_GAP));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_GAP))
        load_gap(loader, walk.node, &spec->gaps[spec->gaps_count++]);
}

void wcts_load_opens(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->opens, wcts_load_count_elements(loader, WCTS_EL_OPEN));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_OPEN)) {
        struct wcts_open *open = &spec->opens[spec->opens_count++];
        open->place = walk.node->place;
        open->on = wcts_load_use_structure(loader, walk.node, "on", -1);
        open->errata = wcts_load_node_value(walk.node, "errata");
    }
}
