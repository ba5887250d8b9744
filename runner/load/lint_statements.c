/* SPDX-License-Identifier: MIT */
/* Statements: each has rules, or is pending, or has a reason why it cannot be tested. */
#include <string.h>

#include "../model/names.h"
#include "lint.h"

/* How many statements above level info may be untestable. */
#define NOT_TESTABLE_LIMIT 5

/* Forms of driver statements that only an effect shows. */
static const char *const effect_forms[] = {"effect", "order", "lifetime", "state",
                                           "atomic", "out",   NULL};

static void lint_evidence(const struct wcts_load_lint *lint, const struct wcts_statement *statement)
{
    const char *id = statement->id;
    const struct wcts_place *place = &statement->place;
    bool rules = statement->rule_count > 0;
    /* Calls, and answers of the driver, are judged by rules. */
    bool may_wait =
        statement->role == WCTS_ROLE_KERNEL ||
        (statement->role == WCTS_ROLE_DRIVER &&
         wcts_model_word_index(effect_forms, statement->form, strlen(statement->form)) >= 0);
    if (!rules && statement->row_count == 0 && !statement->pending && statement->reason == NULL)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has nothing, expected a rule, <pending> or <not-testable>",
                      id);
    if (statement->reason != NULL && (rules || statement->row_count > 0))
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has both a rule and <not-testable>, expected one of them",
                      id);
    if (statement->pending && rules)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has both a rule and <pending>, expected one of them", id);
    if (statement->pending && statement->reason != NULL)
        wcts_error_at(
            lint->diagnostics, place,
            "statement \"%s\" has both <pending> and <not-testable>, expected one of them", id);
    if (statement->pending && !may_wait)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" of role %s and form %s has <pending>, expected a rule", id,
                      wcts_model_role_name(statement->role), statement->form);
    if (statement->force == WCTS_FORCE_INFO && statement->reason == NULL)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has level info, expected <not-testable> with the reason",
                      id);
}

/* Only a derived statement may have no sentence of the document, and then has a reason instead. */
static void lint_quote(const struct wcts_load_lint *lint, const struct wcts_statement *statement)
{
    const char *id = statement->id;
    const struct wcts_place *place = &statement->place;
    bool may_lack = statement->derived && statement->basis != WCTS_BASIS_STATED;
    if (statement->unquoted != NULL && !may_lack)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has unquoted, expected it of a derived and inferred "
                      "statement alone",
                      id);
    else if (statement->unquoted != NULL && statement->quote != NULL)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has both <quote> and unquoted, expected one of them", id);
    else if (statement->unquoted == NULL && statement->quote == NULL)
        wcts_error_at(lint->diagnostics, place,
                      "statement \"%s\" has no <quote>, expected the words of the document%s", id,
                      may_lack ? ", or unquoted with the reason" : "");
}

void wcts_load_lint_statements(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    int untestable = 0;
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *statement = &spec->statements[i];
        wcts_load_lint_range(lint, &statement->place, "statement", statement->id, statement->since,
                             statement->until);
        lint_evidence(lint, statement);
        lint_quote(lint, statement);
        if (statement->reason == NULL || statement->force == WCTS_FORCE_INFO)
            continue;
        if (++untestable > NOT_TESTABLE_LIMIT)
            wcts_error_at(lint->diagnostics, &statement->place,
                          "statement \"%s\" is number %d with <not-testable> above level info, "
                          "expected at most %d",
                          statement->id, untestable, NOT_TESTABLE_LIMIT);
    }
}
