/* SPDX-License-Identifier: MIT */
/* wddm-cts coverage: how far statements got, in the suite or in a run, and --require. */
#include <stdlib.h>
#include <string.h>

#include "../../reports/ladder.h"
#include "../../reports/reread.h"
#include "selection.h"

/* ---- --require ---- */

static bool steps_are_known(const struct wcts_report_ladder *ladder,
                            const struct wcts_cli_settings *settings)
{
    const char *other = strcmp(ladder->name, "run") == 0
                            ? "; those of the suite: coverage without a directory\n"
                            : "; those of a run: coverage DIR\n";
    for (int i = 0; i < settings->require_count; i++) {
        const struct wcts_cli_require *require = &settings->requires[i];
        if (wcts_report_ladder_step(ladder, require->text, require->step) >= 0)
            continue;
        fprintf(stderr, "wddm-cts: --require %s: the %s has no step %.*s, expected", require->text,
                ladder->name, (int)require->step, require->text);
        for (int step = 0; step < WCTS_LADDER_STEPS; step++)
            fprintf(stderr, "%s %s",
                    step == 0                      ? ""
                    : step + 1 < WCTS_LADDER_STEPS ? ","
                                                   : " or",
                    ladder->steps[step]);
        fputs(other, stderr); /* a likely mistake */
        return false;
    }
    return true;
}

/* False, with the statements that do not reach the step, if a requirement is not met. */
static bool is_met(const struct wcts_report_ladder *ladder, const struct wcts_cli_require *require)
{
    const struct wcts_report_ladder_count count = wcts_report_ladder_count(ladder, -1, -1);
    int step = wcts_report_ladder_step(ladder, require->text, require->step);
    /* A stale record says nothing about this spec. */
    bool unknown = step == WCTS_LADDER_STEPS - 1 && ladder->stop;
    if (!unknown && (double)count.steps[step] * 100 >= require->percent * count.all)
        return true;
    fprintf(stderr, "wddm-cts: --require %s: %d of %d statements are there%s%s; short are\n",
            require->text, count.steps[step], count.all, unknown ? "; " : "",
            unknown ? ladder->stop : "");
    for (int i = 0; i < ladder->spec->statements_count; i++) {
        const struct wcts_report_rung *rung = &ladder->rungs[i];
        if (rung->counted && rung->reached <= step)
            fprintf(stderr, "  %s  stopped at %s: %s\n", ladder->spec->statements[i].id,
                    rung->reached > 0 ? ladder->steps[rung->reached - 1] : "nothing",
                    rung->reason == ladder->stop ? ladder->stop_word : rung->reason);
    }
    return false;
}

/* ---- the ladders ---- */

static int report_coverage(const struct wcts_report_ladder *ladder, const struct wcts_cover *cover,
                           const struct wcts_cli_settings *settings)
{
    const struct wcts_report_ladder_count count = wcts_report_ladder_count(ladder, -1, -1);
    int status = WCTS_EXIT_OK;
    if (!steps_are_known(ladder, settings))
        return WCTS_EXIT_USAGE;
    if (settings->json) {
        json_t *value = wcts_report_ladder_json(ladder);
        if (cover)
            json_object_set_new(value, "rules", wcts_report_cover_json(cover, ladder));
        json_dumpf(value, stdout, JSON_INDENT(2));
        fputs("\n", stdout);
        json_decref(value);
    } else {
        wcts_report_ladder_print(stdout, ladder);
        if (cover && settings->verbose)
            wcts_report_cover_print(stdout, cover, ladder);
    }
    if (fflush(stdout) != 0)
        return WCTS_EXIT_BROKEN;
    if (count.all == 0) {
        fputs("wddm-cts: no testable statement is selected\n", stderr);
        return WCTS_EXIT_NOTHING;
    }
    for (int i = 0; i < settings->require_count; i++)
        if (!is_met(ladder, &settings->requires[i]))
            status = WCTS_EXIT_FAIL;
    return status;
}

static int cover_suite(const struct wcts_cli_suite *suite,
                       const struct wcts_report_ladder_scope *scope)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_report_ladder ladder = {0};
    struct wcts_report_mutation mutation;
    struct wcts_cover cover = {0};
    int status = WCTS_EXIT_USAGE;
    if (wcts_report_mutation_read(&mutation, suite->spec, suite->cases_dir, &diagnostics)) {
        if (wcts_cover_init(&cover, suite->plan, scope->statements)) {
            wcts_report_ladder_suite(&ladder, suite->plan, &cover, &mutation, scope);
            status = report_coverage(&ladder, &cover, suite->settings);
        } else {
            fprintf(stderr, "wddm-cts: the conditions of effects cannot be looked at: %s\n",
                    cover.error);
            status = WCTS_EXIT_BROKEN;
        }
    }
    wcts_report_ladder_release(&ladder);
    wcts_cover_release(&cover);
    wcts_report_mutation_release(&mutation);
    return status;
}

static int cover_run(const struct wcts_cli_suite *suite,
                     const struct wcts_report_ladder_scope *scope)
{
    struct wcts_report_ladder ladder = {0};
    int status = WCTS_EXIT_USAGE;
    char *made;
    const char *directory = wcts_cli_suite_reread(suite, suite->settings->arguments[0], &made);
    if (directory && wcts_report_ladder_run(&ladder, suite->spec, directory, scope))
        status = report_coverage(&ladder, NULL, suite->settings);
    wcts_report_ladder_release(&ladder);
    wcts_report_reread_remove(made);
    return status;
}

static int cover_either(struct wcts_cli_suite *suite)
{
    bool *statements = calloc((size_t)suite->spec->statements_count + 1, sizeof *statements);
    struct wcts_report_ladder_scope scope = {
        .statements = statements,
        .plan = suite->settings->options.sides == 0 ? suite->plan : NULL,
    };
    int status = statements ? wcts_cli_select_statements(suite, statements) : WCTS_EXIT_BROKEN;
    if (status == WCTS_EXIT_NOTHING)
        fputs("wddm-cts: no statement is selected\n", stderr);
    if (status == WCTS_EXIT_OK &&
        !wcts_cli_select_versions(suite, &scope.first_version, &scope.last_version))
        status = WCTS_EXIT_USAGE;
    if (status == WCTS_EXIT_OK)
        status = suite->settings->argument_count > 0 ? cover_run(suite, &scope)
                                                     : cover_suite(suite, &scope);
    free(statements);
    return status;
}

int wcts_command_coverage(const struct wcts_cli_settings *settings)
{
    return wcts_cli_suite_run(settings, cover_either);
}
