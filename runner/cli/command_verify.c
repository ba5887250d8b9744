/* SPDX-License-Identifier: MIT */
/* wddm-cts verify: somebody else's run directory, and what can be said of it. */
#include <string.h>

#include "../../reports/reread.h"
#include "../../reports/upgrade.h"
#include "../../reports/verify.h"
#include "../load/profile.h"
#include "suite.h"

static int print(const struct wcts_report_verify *verify, bool json)
{
    if (json) {
        json_dumpf(verify->page, stdout, JSON_INDENT(2));
        fputs("\n", stdout);
    } else {
        wcts_report_verify_print(stdout, verify->page);
    }
    return fflush(stdout);
}

/* How the run is to be read beside its own way: as --level and --profile say. */
struct cli_other_way {
    bool level_given;
    enum wcts_level level;
    const char *profile; /* NULL: not given */
};

/* Verifies the run again as read at another level or with another profile; messages name the
 * directory of the run. */
static int verify_again(const struct wcts_cli_suite *suite,
                        const struct wcts_report_verify_basis *basis, const char *directory,
                        const struct cli_other_way *way, const struct wcts_profile *profile)
{
    struct wcts_cli_settings at_level = *suite->settings;
    struct wcts_cli_suite with_level = *suite;
    struct wcts_store_reader reader = {0};
    struct wcts_report_verify verify = {0};
    int status = WCTS_EXIT_USAGE;
    char *made;
    at_level.level_given = way->level_given;
    if (way->level_given)
        at_level.options.level = way->level;
    at_level.profile = way->profile;
    if (way->profile)
        at_level.options.profile = profile;
    with_level.settings = &at_level;
    if (wcts_cli_suite_reread(&with_level, directory, &made)) {
        wcts_store_reader_init(&reader, made, NULL);
        if (wcts_report_verify_settings(&reader, &at_level.options)) {
            const struct wcts_report_verify_basis again = {.plan = basis->plan,
                                                           .asked = &at_level.options,
                                                           .mustpass = basis->mustpass,
                                                           .total = basis->total,
                                                           .implementation = basis->implementation};
            status = wcts_report_verify_init(&verify, &again, &reader);
            json_object_set_new(verify.page, "directory", wcts_store_json_path(directory));
            status = print(&verify, at_level.json) == 0 ? status : WCTS_EXIT_BROKEN;
        }
        wcts_report_verify_release(&verify);
        wcts_store_reader_close(&reader);
    }
    wcts_report_reread_remove(made);
    return status;
}

/* The profile of --profile; NULL: the documents alone. False, with a message, if it is wrong. */
static bool load_other(const struct wcts_cli_suite *suite, const char *name,
                       struct wcts_profile **profile)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    *profile = name && strcmp(name, WCTS_CLI_NO_PROFILE) != 0
                   ? wcts_cli_suite_profile(suite, name, &diagnostics)
                   : NULL;
    return *profile || !name || strcmp(name, WCTS_CLI_NO_PROFILE) == 0;
}

/* settings: with the run's own suite, level and profile. */
static int verify(const struct wcts_cli_settings *settings, struct wcts_store_reader *reader,
                  const struct cli_other_way *way)
{
    struct wcts_cli_suite suite = {0};
    struct wcts_report_verify verify;
    struct wcts_profile *other = NULL;
    int status = WCTS_EXIT_USAGE;
    if (wcts_cli_suite_init(&suite, settings) && load_other(&suite, way->profile, &other) &&
        wcts_report_upgrade_plan(suite.plan, reader->run)) {
        struct wcts_diagnostics diagnostics = {.out = stderr};
        struct wcts_plan_mustpass *mustpass = wcts_cli_suite_mustpass(&suite, &diagnostics);
        const struct wcts_report_verify_basis basis = {.plan = suite.plan,
                                                       .asked = &suite.settings->options,
                                                       .mustpass = mustpass,
                                                       .total = wcts_cli_suite_total(&suite),
                                                       .implementation =
                                                           settings->given_implementation};
        bool again = way->profile || (way->level_given && way->level != settings->options.level);
        status = wcts_report_verify_init(&verify, &basis, reader);
        if (again && verify.ends[WCTS_CHECK_NOT_OK] == 0 && verify.ends[WCTS_CHECK_LACKS] == 0)
            status = verify_again(&suite, &basis, reader->directory, way, other);
        else if (print(&verify, settings->json) != 0)
            status = WCTS_EXIT_BROKEN;
        wcts_report_verify_release(&verify);
        wcts_plan_mustpass_free(mustpass);
    }
    wcts_load_profile_free(other);
    wcts_cli_suite_release(&suite);
    return status;
}

int wcts_command_verify(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_settings asked = *settings; /* with the run's own suite, level, seed, profile */
    const struct cli_other_way way = {settings->level_given, settings->options.level,
                                      settings->profile};
    struct wcts_store_reader reader = {0};
    int status = WCTS_EXIT_USAGE;
    asked.level_given = false;
    if (settings->argument_count != 1)
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_verify);
    else if (wcts_cli_implementation_is_there(&settings->options.implementation)) {
        wcts_store_reader_init(&reader, settings->arguments[0], NULL);
        if (wcts_report_verify_settings(&reader, &asked.options)) {
            asked.options.upgrade_to =
                json_string_value(json_object_get(json_object_get(reader.run, "upgrade"), "to"));
            asked.profile = wcts_cli_profile_of_run(reader.run);
            status = verify(&asked, &reader, &way);
        }
    }
    wcts_store_reader_close(&reader);
    return status;
}
