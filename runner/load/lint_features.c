/* SPDX-License-Identifier: MIT */
/* Features: each testable statement is in one, and each side has one that is required. */
#include <string.h>

#include "lint.h"

static bool is_in_features(const struct wcts_spec *spec, int document)
{
    for (int i = 0; i < spec->statements_count; i++)
        if (spec->statements[i].document == document && spec->statements[i].feature >= 0)
            return true;
    return false;
}

/* Ignores a document of which no statement is in a feature: it was added with --spec. */
static void lint_every_statement(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    int document = -1;
    bool in_features = false;
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *statement = &spec->statements[i];
        if (statement->document != document)
            in_features = is_in_features(spec, statement->document);
        document = statement->document;
        if (statement->reason == NULL && statement->feature < 0 && in_features)
            wcts_error_at(lint->diagnostics, &statement->place,
                          "statement \"%s\" is in no feature, expected one that names it",
                          statement->id);
    }
}

static void lint_named(const struct wcts_load_lint *lint, int index)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_feature *feature = &spec->features[index];
    for (int i = 0; i < feature->statement_count; i++) {
        const struct wcts_statement *statement = &spec->statements[feature->statements[i]];
        bool twice = statement->feature != index;
        for (int j = 0; j < i && !twice; j++)
            twice = feature->statements[j] == feature->statements[i];
        if (statement->reason != NULL)
            wcts_error_at(lint->diagnostics, &feature->place,
                          "feature \"%s\" names statement \"%s\", which is not testable",
                          feature->name, statement->id);
        else if (twice)
            wcts_error_at(lint->diagnostics, &feature->place,
                          "feature \"%s\" names statement \"%s\", which is already in \"%s\", "
                          "expected it in one",
                          feature->name, statement->id, spec->features[statement->feature].name);
    }
}

static bool has_operation(const struct wcts_feature *feature, int message, int count)
{
    for (int i = 0; i < count; i++)
        if (feature->operations[i] == message)
            return true;
    return false;
}

static void lint_operations(const struct wcts_load_lint *lint, int index)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_feature *feature = &spec->features[index];
    if (feature->operation_count == 0 && feature->capability == 0)
        wcts_error_at(lint->diagnostics, &feature->place,
                      "feature \"%s\" has neither operations nor a capability, expected what "
                      "shows it",
                      feature->name);
    for (int i = 0; i < feature->operation_count; i++) {
        const struct wcts_message *message = &spec->messages[feature->operations[i]];
        bool taken = has_operation(feature, feature->operations[i], i);
        for (int j = 0; j < index; j++)
            taken = taken || has_operation(&spec->features[j], feature->operations[i],
                                           spec->features[j].operation_count);
        if (message->driver != feature->driver)
            wcts_error_at(lint->diagnostics, &feature->place,
                          "feature \"%s\" of the %s has operation \"%s\" of the %s", feature->name,
                          feature->driver ? "driver" : "kernel", message->name,
                          message->driver ? "driver" : "kernel");
        else if (taken)
            wcts_error_at(lint->diagnostics, &feature->place,
                          "feature \"%s\" has operation \"%s\", which an earlier one has, "
                          "expected it in one",
                          feature->name, message->name);
    }
}

/* Without a core, a side that does nothing would conform. */
static void lint_cores(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int driver = 0; driver < 2; driver++) {
        int cores = 0, first = -1;
        for (int i = 0; i < spec->features_count; i++) {
            if (spec->features[i].driver != (driver != 0))
                continue;
            first = first < 0 ? i : first;
            cores += spec->features[i].core && spec->features[i].operation_count > 0;
        }
        if (first >= 0 && cores != 1)
            wcts_error_at(lint->diagnostics, &spec->features[first].place,
                          "%d features of the %s are core and have operations, expected one", cores,
                          driver ? "driver" : "kernel");
    }
}

void wcts_load_lint_features(const struct wcts_load_lint *lint)
{
    if (lint->spec->features_count == 0)
        return;
    lint_every_statement(lint);
    for (int i = 0; i < lint->spec->features_count; i++) {
        lint_named(lint, i);
        lint_operations(lint, i);
    }
    lint_cores(lint);
}
