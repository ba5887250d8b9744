/* SPDX-License-Identifier: MIT */
/*
 * lint_only SPEC_DIR CASES_DIR [EXTRA...]: loads, lints and, when that finds nothing, plans.
 * Diagnostics go to standard output.
 * Exit 0: nothing is wrong; 2: something is.
 * lint_only --grammar: prints spec/spec.rng.
 */
#include <stdio.h>
#include <string.h>

#include "../../runner/plan/plan.h"
#include "../../runner/load/grammar.h"
#include "../../runner/model/spec.h"
#include "../../runner/load/spec_files.h"

int main(int argc, char **argv)
{
    struct wcts_diagnostics diagnostics = {stdout, 0};
    struct wcts_spec *spec;
    if (argc == 2 && strcmp(argv[1], "--grammar") == 0) {
        wcts_load_grammar_write(stdout);
        return 0;
    }
    if (argc < 3) {
        fputs("usage: lint_only SPEC_DIR CASES_DIR [EXTRA...]\n", stderr);
        return 2;
    }
    spec = wcts_load_spec_load(argv[1], argv[2], (const char *const *)argv + 3, argc - 3, &diagnostics);
    if (spec != NULL && wcts_load_spec_lint(spec, &diagnostics) == 0)
        wcts_plan_free(wcts_plan_make(spec, NULL, &diagnostics));
    wcts_load_spec_free(spec);
    return diagnostics.errors == 0 ? 0 : 2;
}
