/* SPDX-License-Identifier: MIT */
/* wcts_load_spec_lint: the errors of a spec whose names all resolve. */
#include "lint.h"
#include "spec_files.h"

static wcts_lint_fn *const checks[] = {
    wcts_load_lint_names,      wcts_load_lint_documents, wcts_load_lint_words,
    wcts_load_lint_statements, wcts_load_lint_features,  wcts_load_lint_tables,
    wcts_load_lint_rules,      wcts_load_lint_layouts,   wcts_load_lint_steps,
    wcts_load_lint_values,     wcts_load_lint_cross,
};

int wcts_load_spec_lint(const struct wcts_spec *spec, struct wcts_diagnostics *diagnostics)
{
    const struct wcts_load_lint lint = {spec, diagnostics};
    int errors = diagnostics->errors;
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        checks[i](&lint);
    return diagnostics->errors - errors;
}
