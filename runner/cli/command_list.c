/* SPDX-License-Identifier: MIT */
/* wddm-cts list: cases, rules, statements or features, one a line, or as a JSON array. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../reports/json.h"
#include "../../reports/upgrade.h"
#include "durations.h"
#include "selection.h"
#include "shard.h"

/* A kind of thing to list: how many there are, and the i-th as text or as a JSON object. */
struct cli_listing {
    int (*count)(const struct wcts_cli_suite *suite);
    void (*print)(const struct wcts_cli_suite *suite, int i);
    json_t *(*object)(const struct wcts_cli_suite *suite, int i);
    bool (*begins)(const struct wcts_cli_suite *suite, const struct wcts_claims *claims, int i);
};

/* ---- statements ---- */

static int count_statements(const struct wcts_cli_suite *suite)
{
    return suite->spec->statements_count;
}

static void list_statement(const struct wcts_cli_suite *suite, int i)
{
    const struct wcts_statement *one = &suite->spec->statements[i];
    printf("%s\t%s\t%s\t%s\t%s\n", one->id, wcts_model_role_name(one->role),
           wcts_model_force_name(one->force), wcts_report_statement_status(one), one->text);
}

/* Of --upgrade: it begins to bind, and is about a side that the implementation has. */
static bool rule_begins(const struct wcts_cli_suite *suite, const struct wcts_claims *claims, int i)
{
    const enum wcts_role role = suite->spec->statements[suite->spec->rules[i].statement].role;
    const uint32_t sides = role == WCTS_ROLE_BOTH     ? WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER
                           : role == WCTS_ROLE_DRIVER ? WCTS_SIDE_DRIVER
                                                      : WCTS_SIDE_KERNEL;
    return claims->sides & sides &&
           wcts_report_upgrade_begins(suite->spec, claims, suite->settings->options.upgrade, i);
}

static bool statement_begins(const struct wcts_cli_suite *suite, const struct wcts_claims *claims,
                             int i)
{
    bool begins = false;
    for (int r = 0; r < suite->spec->rules_count; r++)
        begins |= suite->spec->rules[r].statement == i && rule_begins(suite, claims, r);
    return begins;
}

static json_t *statement_object(const struct wcts_cli_suite *suite, int i)
{
    return wcts_report_json_statement(suite->spec, i);
}

/* ---- rules ---- */

static int rule_total(const struct wcts_cli_suite *suite)
{
    return suite->spec->rules_count;
}

static void list_rule(const struct wcts_cli_suite *suite, int i)
{
    const struct wcts_rule *one = &suite->spec->rules[i];
    printf("%s\t%s\t%s\t%s\t%s:%ld\n", one->id, wcts_model_form_name(suite->spec, one),
           wcts_model_force_name(one->force), wcts_model_outcome_name(one->outcome),
           one->place.file, one->place.line);
}

static json_t *rule_object(const struct wcts_cli_suite *suite, int i)
{
    const struct wcts_spec *spec = suite->spec;
    const struct wcts_rule *one = &spec->rules[i];
    const char *on = one->on >= 0 ? spec->structures[one->on].name : NULL;
    return json_pack("{s:o, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I}", "id",
                     wcts_store_json_text(one->id), "statement",
                     wcts_store_json_text(spec->statements[one->statement].id), "on",
                     wcts_store_json_text(on), "form", wcts_model_form_name(spec, one), "level",
                     wcts_model_force_name(one->force), "outcome",
                     wcts_model_outcome_name(one->outcome), "since",
                     wcts_store_json_text(spec->versions[one->since].name), "until",
                     wcts_store_json_text(wcts_model_until_name(spec, one->until)), "masked_by",
                     wcts_store_json_text(one->masked_by), "file",
                     wcts_store_json_text(one->place.file), "line", (json_int_t)one->place.line);
}

/* ---- features ---- */

static int count_features(const struct wcts_cli_suite *suite)
{
    return suite->spec->features_count;
}

static void print_feature(const struct wcts_cli_suite *suite, int i)
{
    const struct wcts_feature *one = &suite->spec->features[i];
    printf("%s\t%s%s\t%d statements\t", one->name, wcts_model_party_name(one->driver),
           one->core ? " core" : "", one->statement_count);
    for (int j = 0; j < one->operation_count; j++)
        printf("%s%s", j ? " " : "", suite->spec->messages[one->operations[j]].name);
    if (one->capability)
        printf("capability %s", wcts_model_capability_name(one->capability));
    putchar('\n');
}

static json_t *feature_object(const struct wcts_cli_suite *suite, int i)
{
    return wcts_report_json_feature(suite->spec, i);
}

/* ---- cases ---- */

static void list_case(const struct wcts_cli_suite *suite, int i)
{
    struct wcts_case made;
    const struct wcts_case *test = wcts_plan_case(suite->plan, i, &made);
    if (suite->settings->verbose)
        printf("%s\t%s\t%s\t%s\t%u\n", test->id, wcts_model_kind_name(test->kind),
               wcts_model_expect_name(test->expect), suite->spec->versions[test->version].name,
               test->page_size);
    else
        printf("%s\n", test->id);
}

static json_t *case_object(const struct wcts_cli_suite *suite, int i)
{
    const struct wcts_spec *spec = suite->spec;
    struct wcts_case made;
    const struct wcts_case *test = wcts_plan_case(suite->plan, i, &made);
    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:o, s:I, s:s}", "id", wcts_store_json_text(test->id),
        "statement", wcts_store_json_text(spec->statements[test->statement].id), "rule",
        wcts_store_json_text(spec->rules[test->rule].id), "kind", wcts_model_kind_name(test->kind),
        "expect", wcts_model_expect_name(test->expect), "version",
        wcts_store_json_text(spec->versions[test->version].name), "page_size",
        (json_int_t)test->page_size, "side", test->driver ? "driver" : "kernel");
}

/* Selects as a run does: with --impl, only cases of the sides that the plug-in has. */
static int select_listed(struct wcts_cli_suite *suite, int **selected, int *count)
{
    bool asked = suite->settings->given_implementation || suite->settings->options.upgrade;
    struct wcts_claims claims = {0};
    struct wcts_plan_strength strength;
    int status = wcts_cli_select_cases(suite, selected, count);
    if (status == WCTS_EXIT_OK && asked)
        status = wcts_cli_suite_claims(suite, &claims);
    if (status == WCTS_EXIT_OK && asked)
        *count = wcts_cli_select_again(suite, &claims, *selected, *count);
    if (status == WCTS_EXIT_OK && *count < 0)
        status = WCTS_EXIT_BROKEN;
    if (status != WCTS_EXIT_OK)
        *count = 0;
    else if (asked)
        *count = wcts_cli_select_sides(suite, claims.sides, *selected, *count);
    if (suite->settings->options.upgrade)
        *count = wcts_cli_select_upgrade(suite, &claims, *selected, *count);
    *count =
        wcts_cli_select_worth(suite, asked ? &claims : NULL, *selected, *count, &strength, NULL);
    if (*count >= 0)
        *count = wcts_cli_shard_select(suite->settings, suite->plan, *selected, *count);
    if (*count < 0) {
        *count = 0;
        return WCTS_EXIT_BROKEN;
    }
    return status == WCTS_EXIT_OK && *count == 0 ? WCTS_EXIT_NOTHING : status;
}

static int list_selected(struct wcts_cli_suite *suite)
{
    bool json = suite->settings->json;
    int *selected, count;
    int status = select_listed(suite, &selected, &count);

    if (json && status == WCTS_EXIT_OK)
        fputs("[\n", stdout);
    for (int i = 0; i < count; i++) {
        if (!json) {
            list_case(suite, selected[i]);
            continue;
        }
        json_t *value = case_object(suite, selected[i]);
        json_dumpf(value, stdout, JSON_COMPACT);
        json_decref(value);
        fputs(i + 1 < count ? ",\n" : "\n]\n", stdout);
    }
    free(selected);
    return status;
}

/* ---- the command ---- */

static int list_things(struct wcts_cli_suite *suite, const struct cli_listing *listing)
{
    const int count = listing->count(suite);
    const bool upgrade = suite->settings->options.upgrade && listing->begins;
    struct wcts_claims claims = {0};
    json_t *array = suite->settings->json ? json_array() : NULL;
    const int status = upgrade ? wcts_cli_suite_claims(suite, &claims) : WCTS_EXIT_OK;
    for (int i = 0; i < count && status == WCTS_EXIT_OK; i++) {
        if (upgrade && !listing->begins(suite, &claims, i))
            continue;
        if (array)
            json_array_append_new(array, listing->object(suite, i));
        else
            listing->print(suite, i);
    }
    if (!array || status != WCTS_EXIT_OK) {
        json_decref(array);
        return status;
    }
    json_dumpf(array, stdout, JSON_INDENT(2));
    fputs("\n", stdout);
    json_decref(array);
    return WCTS_EXIT_OK;
}

static int list_mustpass(const struct wcts_cli_suite *suite)
{
    if (suite->settings->options.narrowed ||
        suite->settings->options.suite != WCTS_SUITE_STANDARD || suite->settings->json) {
        fputs("wddm-cts: --mustpass: expected no option that selects, and no --json\n", stderr);
        return WCTS_EXIT_USAGE;
    }
    if (!suite->spec->version) {
        fputs("wddm-cts: --mustpass: the spec has no version, expected one in versions.xml\n",
              stderr);
        return WCTS_EXIT_USAGE;
    }
    wcts_plan_mustpass_write(stdout, suite->plan);
    return WCTS_EXIT_OK;
}

static int store_plan(const struct wcts_cli_suite *suite)
{
    const char *path = suite->settings->store;
    if (suite->settings->options.narrowed) {
        fputs("wddm-cts: --store: expected no option that selects\n", stderr);
        return WCTS_EXIT_USAGE;
    }
    if (wcts_cli_suite_store(suite, path))
        return WCTS_EXIT_OK;
    fprintf(stderr, "wddm-cts: %s: %s\n", path, strerror(errno));
    return WCTS_EXIT_BROKEN;
}

static int list_command(struct wcts_cli_suite *suite)
{
    static const struct cli_listing listings[] = {
        [WCTS_LIST_RULES] = {rule_total, list_rule, rule_object, rule_begins},
        [WCTS_LIST_FEATURES] = {count_features, print_feature, feature_object, NULL},
        [WCTS_LIST_STATEMENTS] = {count_statements, list_statement, statement_object,
                                  statement_begins},
    };
    if (suite->settings->store)
        return store_plan(suite);
    if (!wcts_cli_durations_are_there(&suite->settings->options))
        return WCTS_EXIT_USAGE;
    switch (suite->settings->listing) {
    case WCTS_LIST_CASES:
        return list_selected(suite);
    case WCTS_LIST_MUSTPASS:
        return list_mustpass(suite);
    default:
        return list_things(suite, &listings[suite->settings->listing]);
    }
}

int wcts_command_list(const struct wcts_cli_settings *settings)
{
    return wcts_cli_suite_run(settings, list_command);
}
