/* SPDX-License-Identifier: MIT */
/* wddm-cts probe: the claims of an implementation. */
#include <stdlib.h>

#include "../../reports/declaration.h"
#include "../../reports/json.h"
#include "selection.h"
#include "targets.h"

static void print_strings(const json_t *array)
{
    size_t i;
    const json_t *one;
    json_array_foreach(array, i, one)
    {
        if (i != 0)
            fputs(" ", stdout);
        if (json_is_integer(one))
            printf("%lld", (long long)json_integer_value(one));
        else
            fputs(json_string_value(one), stdout);
    }
    if (json_array_size(array) == 0)
        fputs("none", stdout);
    fputs("\n", stdout);
}

/* The versions of the spec between the two interface numbers. */
static void print_claimed_versions(const struct wcts_spec *spec, const struct wcts_claims *claims)
{
    const char *first = NULL, *last = NULL;
    for (int i = 0; i < spec->versions_count; i++) {
        uint32_t number = spec->versions[i].interface_version;
        if (number < claims->first_interface_version || number > claims->last_interface_version)
            continue;
        first = first ? first : spec->versions[i].name;
        last = spec->versions[i].name;
    }
    printf("WDDM          %s to %s (interface 0x%04X to 0x%04X)\n", first ? first : "none",
           last ? last : "none", claims->first_interface_version, claims->last_interface_version);
}

static void print_claims(const struct wcts_spec *spec, const struct wcts_claims *claims)
{
    json_t *value = wcts_report_json_claims(claims);
    const json_t *one;
    size_t i;
    printf("name          %s\nversion       %s\nsides         ", claims->name, claims->version);
    print_strings(json_object_get(value, "sides"));
    print_claimed_versions(spec, claims);
    fputs("host pages    ", stdout);
    print_strings(json_object_get(value, "page_sizes"));
    fputs("capabilities  ", stdout);
    print_strings(json_object_get(value, "capabilities"));
    if (claims->profile[0])
        printf("profile       %s%s\n", claims->profile,
               strcmp(claims->profile, WCTS_CLI_NO_PROFILE) == 0 ? ": the documents alone" : "");
    printf("patches       %s\n", json_string_value(json_object_get(value, "patches")));
    json_array_foreach(json_object_get(value, "remarks"), i, one)
        printf("%-13s %s\n", i == 0 ? "remarks" : "", json_string_value(one));
    json_decref(value);
}

/* ---- the declaration ---- */

static bool count_probed(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                         const char *output)
{
    wcts_report_run_count(ctx, test, result, output);
    return true;
}

/* Runs the cases, from which follows which features are there. */
static int run_probed(const struct wcts_cli_suite *suite, struct wcts_report_run *run)
{
    const struct wcts_run_pool_options options = {.asked = &suite->settings->options,
                                                  .plan = suite->plan,
                                                  .selected = run->selected,
                                                  .selected_count = run->selected_count,
                                                  .verdicts_only = true,
                                                  .foreground = true};
    run->end = wcts_run_pool_run_again(&options, &run->claims, count_probed, run, run->error,
                                       sizeof run->error);
    if (run->end == WCTS_POOL_DONE)
        return WCTS_EXIT_OK;
    fprintf(stderr, "wddm-cts: probe: stopped after %d of %d cases: %s\n", run->total.count,
            run->selected_count, run->error);
    return WCTS_EXIT_NOTHING;
}

static int write_declaration(const struct wcts_cli_suite *suite, const struct wcts_report_run *run)
{
    struct wcts_report_output output;
    bool written = wcts_report_output_open(&output, suite->settings->options.files[WCTS_FORMAT_xml],
                                           WCTS_OUTPUT_REMOVE) &&
                   wcts_report_declaration_write(output.file, run) &&
                   wcts_report_output_commit(&output);
    wcts_report_output_release(&output);
    return written ? WCTS_EXIT_OK : WCTS_EXIT_BROKEN;
}

static int print_declaration(struct wcts_cli_suite *suite, const struct wcts_claims *claims)
{
    struct wcts_report_run run;
    struct wcts_plan_strength strength = {0};
    enum wcts_plan_worth *worths = NULL;
    int *selected = NULL, count = 0, worth_count;
    int status = wcts_cli_select_cases(suite, &selected, &count);
    if (status == WCTS_EXIT_OK) {
        count = wcts_cli_select_claimed(suite, claims, selected, count, &strength, &worths,
                                        &worth_count);
        status = wcts_report_run_init(&run, &suite->settings->options, suite->plan, selected, count)
                     ? WCTS_EXIT_OK
                     : WCTS_EXIT_BROKEN;
        run.claims = *claims;
        status = status == WCTS_EXIT_OK ? run_probed(suite, &run) : status;
        status = status == WCTS_EXIT_OK ? write_declaration(suite, &run) : status;
        wcts_report_run_release(&run);
    }
    free(worths);
    free(selected);
    return status;
}

static int probe_implementation(struct wcts_cli_suite *suite)
{
    struct wcts_claims claims = {0};
    int status = wcts_cli_suite_claims(suite, &claims);
    if (status != WCTS_EXIT_OK)
        return status;
    if (suite->settings->options.files[WCTS_FORMAT_xml])
        status = print_declaration(suite, &claims);
    if (suite->settings->json)
        wcts_store_json_line(stdout, wcts_report_json_claims(&claims));
    else if (!suite->settings->options.files[WCTS_FORMAT_xml])
        print_claims(suite->spec, &claims);
    return status;
}

int wcts_command_probe(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_settings asked = *settings;
    if (!wcts_cli_targets_share_output(settings) || !wcts_cli_targets_check(settings, NULL, 0))
        return WCTS_EXIT_USAGE;
    if (asked.options.files[WCTS_FORMAT_xml])
        asked.options.suite = WCTS_SUITE_SMOKE;
    return wcts_cli_suite_run(&asked, probe_implementation);
}
