/* SPDX-License-Identifier: MIT */
/* wddm-cts probe: the claims of an implementation. */
#include "../../reports/json.h"
#include "suite.h"

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
    printf("patches       %s\n", json_string_value(json_object_get(value, "patches")));
    json_array_foreach(json_object_get(value, "remarks"), i, one)
        printf("%-13s %s\n", i == 0 ? "remarks" : "", json_string_value(one));
    json_decref(value);
}

static int probe_implementation(struct wcts_cli_suite *suite)
{
    struct wcts_claims claims = {0};
    int status = wcts_cli_suite_claims(suite, &claims);
    if (status != WCTS_EXIT_OK)
        return status;
    if (suite->settings->json)
        wcts_store_json_line(stdout, wcts_report_json_claims(&claims));
    else
        print_claims(suite->spec, &claims);
    return WCTS_EXIT_OK;
}

int wcts_command_probe(const struct wcts_cli_settings *settings)
{
    return wcts_cli_suite_run(settings, probe_implementation);
}
