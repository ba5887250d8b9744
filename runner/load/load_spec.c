/* SPDX-License-Identifier: MIT */
/* Documents, errata, statements, features and tables. */
#include <string.h>

#include "../base/text.h"
#include "load.h"

void wcts_load_documents(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    WCTS_LOAD_ARRAY(loader, spec->documents, loader->root_count);
    for (int i = 0; i < loader->root_count; i++) {
        struct wcts_load_root *root = &loader->roots[i];
        struct wcts_document *document = &spec->documents[spec->documents_count];
        root->document = -1;
        if (root->node->kind != WCTS_EL_SPEC)
            continue;
        root->document = spec->documents_count++;
        document->number = wcts_load_node_value(root->node, "document");
        document->title = wcts_load_node_value(root->node, "title");
        document->source = wcts_load_node_value(root->node, "source");
        document->language = wcts_load_node_value(root->node, "language");
        document->prefix = wcts_load_node_value(root->node, "prefix");
        document->place = root->node->place;
    }
}

/* ---- errata ---- */

static const char *child_text(const struct wcts_load_node *node, enum wcts_load_element_id element)
{
    const struct wcts_load_node *child = wcts_load_node_next(node, NULL, element);
    return child == NULL ? NULL : child->text;
}

void wcts_load_errata(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->errata, wcts_load_count_elements(loader, WCTS_EL_ERRATUM));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_ERRATUM)) {
        struct wcts_erratum *erratum = &spec->errata[spec->errata_count++];
        erratum->id = wcts_load_node_value(walk.node, "id");
        erratum->document = wcts_load_node_value(walk.node, "document");
        erratum->leaves = wcts_load_node_value(walk.node, "leaves");
        erratum->passage = child_text(walk.node, WCTS_EL_PASSAGE);
        erratum->readings = child_text(walk.node, WCTS_EL_READINGS);
        erratum->choice = child_text(walk.node, WCTS_EL_CHOICE);
        erratum->reason = child_text(walk.node, WCTS_EL_REASON);
        erratum->place = walk.node->place;
    }
}

/* ---- statements ---- */

/* Between passages of a document that are apart. */
#define OMISSION " […] "

static void load_statement(struct wcts_loader *loader, const struct wcts_load_element_walk *walk,
                           struct wcts_statement *statement)
{
    const struct wcts_load_node *node = walk->node, *quote = NULL;
    const struct wcts_load_node *reason = wcts_load_node_next(node, NULL, WCTS_EL_NOT_TESTABLE);
    statement->id = wcts_load_node_value(node, "id");
    statement->member = wcts_load_node_value(node, "member");
    statement->text = child_text(node, WCTS_EL_TEXT);
    while ((quote = wcts_load_node_next(node, quote, WCTS_EL_QUOTE)) != NULL)
        statement->quote = statement->quote == NULL
                               ? quote->text
                               : wcts_arena_format(loader->arena, "%s" OMISSION "%s",
                                                   statement->quote, quote->text);
    statement->unquoted = wcts_load_node_value(node, "unquoted");
    statement->where = wcts_load_node_value(node, "where");
    statement->errata = wcts_load_node_value(node, "errata");
    statement->rules_expected = (int)wcts_load_number(node, "rules", 1);
    statement->place = node->place;
    statement->node = node;
    statement->document = walk->document;
    statement->role = (enum wcts_role)wcts_load_word(node, "role", wcts_role_words, 0);
    statement->force = (enum wcts_force)wcts_load_word(node, "level", wcts_force_words, 0);
    statement->basis = (enum wcts_basis)wcts_load_word(node, "basis", wcts_basis_words, 0);
    statement->form = wcts_load_node_value(node, "form");
    statement->since = wcts_load_use_version(loader, node, "since", 0);
    statement->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    statement->derived = wcts_load_yes(node, "derived");
    statement->pending = wcts_load_node_next(node, NULL, WCTS_EL_PENDING) != NULL;
    statement->feature = -1;
    statement->reason = reason == NULL ? NULL : wcts_load_node_value(reason, "reason");
}

void wcts_load_statements(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->statements, wcts_load_count_elements(loader, WCTS_EL_STATEMENT));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STATEMENT))
        load_statement(loader, &walk, &spec->statements[spec->statements_count++]);
    walk = (struct wcts_load_element_walk){0};
    for (int word = 0; wcts_load_next_element(loader, &walk, WCTS_EL_WORD); word++)
        spec->words[word].statement = wcts_load_use_statement(loader, walk.node, "statement", -1);
}

/* ---- features ---- */

void wcts_load_features(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->features, wcts_load_count_elements(loader, WCTS_EL_FEATURE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_FEATURE)) {
        struct wcts_feature *feature = &spec->features[spec->features_count];
        const struct wcts_load_node *node = walk.node;
        int capability = wcts_load_word(node, "capability", wcts_capability_words, -1);
        feature->name = wcts_load_node_value(node, "name");
        feature->title = wcts_load_node_value(node, "title");
        feature->place = node->place;
        feature->driver = wcts_load_word(node, "side", wcts_party_words, 0) != 0;
        feature->core = wcts_load_yes(node, "core");
        feature->capability = capability < 0 ? 0 : (uint32_t)1 << capability;
        feature->operations = wcts_load_use_list(loader, node, "operations", wcts_find_message,
                                                 &feature->operation_count);
        feature->statements = wcts_load_use_list(loader, node, "statements", wcts_find_statement,
                                                 &feature->statement_count);
        /* A statement in two features keeps the first; lint reports the second. */
        for (int i = 0; i < feature->statement_count; i++)
            if (feature->statements[i] >= 0 && spec->statements[feature->statements[i]].feature < 0)
                spec->statements[feature->statements[i]].feature = spec->features_count;
        spec->features_count++;
    }
}

/* ---- tables ---- */

static void load_row(struct wcts_loader *loader, const struct wcts_load_node *node,
                     struct wcts_row *row)
{
    const char *values = wcts_load_node_value(node, "values"), *piece;
    row->place = node->place;
    row->valid = wcts_load_yes(node, "valid");
    row->standby = 1 + wcts_load_word(node, "standby", wcts_content_words, -1);
    row->hibernate = 1 + wcts_load_word(node, "hibernate", wcts_content_words, -1);
    for (; wcts_next_piece(&values, &piece) > 0; row->value_count++)
        if (*piece == '1' && row->value_count < 64)
            row->values |= (uint64_t)1 << row->value_count;
    row->statements =
        wcts_load_use_list(loader, node, "statements", wcts_find_statement, &row->statement_count);
    for (int i = 0; row->valid && i < row->statement_count; i++)
        if (row->statements[i] >= 0)
            loader->spec->statements[row->statements[i]].row_count++;
}

static void load_table(struct wcts_loader *loader, const struct wcts_load_element_walk *walk,
                       struct wcts_table *table)
{
    const struct wcts_load_node *node = walk->node;
    struct wcts_load_node *row = NULL;
    table->name = wcts_load_node_value(node, "name");
    table->place = node->place;
    table->on = wcts_load_use_structure(loader, node, "on", -1);
    table->since = wcts_load_use_version(loader, node, "since", 0);
    table->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    if (table->on >= 0)
        table->columns =
            wcts_load_use_refs(loader, node, "columns", table->on, &table->column_count);
    WCTS_LOAD_ARRAY(loader, table->rows, wcts_load_node_count(node, WCTS_EL_ROW));
    while ((row = wcts_load_node_next(node, row, WCTS_EL_ROW)) != NULL)
        load_row(loader, row, &table->rows[table->row_count++]);
}

void wcts_load_tables(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->tables, wcts_load_count_elements(loader, WCTS_EL_TABLE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_TABLE))
        load_table(loader, &walk, &spec->tables[spec->tables_count++]);
}
