/* SPDX-License-Identifier: MIT */
/* wcts_spec_lint: the errors of a spec whose names all resolve. */
#include "lint.h"

static wcts_lint_fn *const checks[] = {
    wcts_lint_names,    wcts_lint_documents, wcts_lint_words, wcts_lint_statements,
    wcts_lint_features, wcts_lint_tables,    wcts_lint_rules, wcts_lint_layouts,
    wcts_lint_steps,    wcts_lint_values,    wcts_lint_cross,
};

int wcts_spec_lint(const struct wcts_spec *spec, struct wcts_diagnostics *diagnostics)
{
    const struct wcts_lint lint = {spec, diagnostics};
    int errors = diagnostics->errors;
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        checks[i](&lint);
    return diagnostics->errors - errors;
}
