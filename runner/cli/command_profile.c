/* SPDX-License-Identifier: MIT */
/* wddm-cts profile: what profiles declare, as text or as a page, and one that runs propose. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../reports/output.h"
#include "../../reports/profile_page.h"
#include "../load/profile.h"
#include "suite.h"
#include "targets.h"

/* Profiles that are loaded; owned. */
struct cli_profiles {
    struct wcts_profile **of;
    int count;
};

static void profiles_release(struct cli_profiles *profiles)
{
    for (int i = 0; i < profiles->count; i++)
        wcts_load_profile_free(profiles->of[i]);
    free(profiles->of);
}

static bool add_profile(struct cli_profiles *profiles, const struct wcts_cli_suite *suite,
                        const char *name)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_profile *profile = wcts_cli_suite_profile(suite, name, &diagnostics);
    if (profile)
        profiles->of[profiles->count++] = profile;
    return profile != NULL;
}

/* Those of the suite, and behind them another one, by its path; NULL: none. */
static bool load_profiles(struct cli_profiles *profiles, const struct wcts_cli_suite *suite,
                          const char *other)
{
    int count;
    char **names = wcts_cli_suite_profiles(suite, &count);
    bool good;
    profiles->of = calloc((size_t)count + 1, sizeof(struct wcts_profile *));
    good = profiles->of != NULL;
    for (int i = 0; i < count; i++) {
        good = good && names[i] && add_profile(profiles, suite, names[i]);
        if (other && names[i] && strcmp(names[i], other) == 0)
            other = NULL;
        free(names[i]);
    }
    free(names);
    return good && (!other || add_profile(profiles, suite, other));
}

static int list_profiles(const struct cli_profiles *profiles)
{
    for (int i = 0; i < profiles->count; i++) {
        const struct wcts_profile *one = profiles->of[i];
        printf("%-10s %2d deviations, %2d restrictions, %2d absent  %s\n", one->name,
               wcts_model_profile_count(one, WCTS_PROFILE_DEVIATION),
               wcts_model_profile_count(one, WCTS_PROFILE_RESTRICTION),
               wcts_model_profile_count(one, WCTS_PROFILE_ABSENT),
               one->about ? one->about : one->title);
    }
    return WCTS_EXIT_OK;
}

static int write_page(const struct wcts_cli_suite *suite, const struct cli_profiles *profiles)
{
    struct wcts_report_output output;
    bool written =
        wcts_report_output_open(&output, suite->settings->options.files[WCTS_FORMAT_html],
                                WCTS_OUTPUT_REMOVE) &&
        wcts_report_profile_html(output.file, profiles->of, profiles->count, suite->plan) &&
        wcts_report_output_commit(&output);
    wcts_report_output_release(&output);
    return written ? WCTS_EXIT_OK : WCTS_EXIT_BROKEN;
}

/* The member of run.json's implementation in which two runs differ; NULL: they are of the same one.
 * One that is no file has no digest, but the address that was given. */
static const char *differing_member(const json_t *own, const json_t *other)
{
    static const char *const members[] = {"name", "version", "options", "sha256"};
    bool is_file = wcts_store_json_member(own, "sha256")[0] != '\0';
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(wcts_store_json_member(own, members[i]),
                   wcts_store_json_member(other, members[i])) != 0)
            return members[i];
    return is_file || strcmp(wcts_store_json_member(own, "path"),
                             wcts_store_json_member(other, "path")) == 0
               ? NULL
               : "path";
}

/* True, with a message, if a run before it has a side of another implementation: what only one of
 * the two does would be an entry of the profile, or be missing. */
static bool is_run_of_another(const struct wcts_report_loaded_run *run,
                              const struct wcts_report_loaded_run *first)
{
    const json_t *own = json_object_get(run->description, "implementation");
    for (; first < run; first++) {
        const json_t *other = json_object_get(first->description, "implementation");
        const char *member = differing_member(own, other);
        if (!member || !(run->run.claims.sides & first->run.claims.sides))
            continue;
        return !wcts_store_reader_error(
            &run->reader, WCTS_FILE_RUN, 0,
            "the run is of an implementation with %s \"%s\", expected \"%s\", as in %s: a profile "
            "is of one implementation",
            member, wcts_store_json_member(own, member), wcts_store_json_member(other, member),
            first->directory);
    }
    return false;
}

/* OK if the run can be one of those that a profile is proposed from; else with a message. */
static enum wcts_report_exit check_run(const struct wcts_report_loaded_run *run,
                                       const struct wcts_report_loaded_run *first)
{
    struct wcts_store_records records;
    bool there = wcts_store_records_open(&records, run->directory);
    const char *why = !there ? strerror(errno) : records.right == 0 ? records.wrong : NULL;
    if (run->reader.running)
        fprintf(stderr, "%s: the run has not ended, expected a finished one\n", run->directory);
    else if (run->run.asked.profile)
        fprintf(stderr, "%s: the run has a profile, expected one by the documents alone\n",
                run->directory);
    else if (run->run.total.count == 0)
        wcts_store_reader_error(&run->reader, WCTS_FILE_RUN, 0,
                                "no case was run, expected a run with results: %s",
                                run->run.headline);
    else if (why)
        wcts_store_reader_error(&run->reader, WCTS_RECORDS_FILE, 0,
                                "%s, expected the records of the run, from which conditions are "
                                "found (not --no-records)",
                                why);
    wcts_store_records_release(&records);
    if (run->run.total.count == 0 && !run->reader.running)
        return WCTS_EXIT_NOTHING;
    return run->reader.running || run->run.asked.profile || why || is_run_of_another(run, first)
               ? WCTS_EXIT_USAGE
               : WCTS_EXIT_OK;
}

/* profile derive RUN... */
static int derive(const struct wcts_cli_suite *suite)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const struct wcts_report_load_options options = wcts_cli_suite_load_options(suite);
    int count = settings->argument_count - 1, loaded = 0;
    struct wcts_report_loaded_run *runs = calloc((size_t)count + 1, sizeof *runs);
    int status = runs ? WCTS_EXIT_OK : WCTS_EXIT_BROKEN;
    if (count == 0) {
        fputs("wddm-cts: profile derive needs a run directory\n", stderr);
        status = WCTS_EXIT_USAGE;
    }
    while (loaded < count && status == WCTS_EXIT_OK) {
        status = (int)wcts_report_loaded_run_init(&runs[loaded], settings->arguments[loaded + 1],
                                                  &options);
        if (status == WCTS_EXIT_OK)
            status = (int)check_run(&runs[loaded], runs);
        loaded++;
    }
    if (status == WCTS_EXIT_OK &&
        (!wcts_report_profile_derive(stdout, runs, count) || fflush(stdout) != 0))
        status = WCTS_EXIT_BROKEN;
    while (loaded > 0)
        wcts_report_loaded_run_release(&runs[--loaded]);
    free(runs);
    return status;
}

static int show_profile(const struct wcts_cli_suite *suite)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const char *name = settings->argument_count > 0 ? settings->arguments[0] : NULL;
    struct cli_profiles profiles = {0};
    int status = WCTS_EXIT_USAGE;
    if (settings->argument_count > 1)
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_profile);
    else if (name && strcmp(name, "none") == 0)
        fputs("wddm-cts: profile none: is no profile, but the documents alone; expected a profile, "
              "wddm-cts profile lists them\n",
              stderr);
    else if (!wcts_cli_targets_check(settings, NULL, 0))
        status = WCTS_EXIT_USAGE;
    else if (settings->options.files[WCTS_FORMAT_html])
        status =
            load_profiles(&profiles, suite, name) ? write_page(suite, &profiles) : WCTS_EXIT_USAGE;
    else if (!name)
        status = load_profiles(&profiles, suite, NULL) ? list_profiles(&profiles) : WCTS_EXIT_USAGE;
    else if ((profiles.of = calloc(1, sizeof(struct wcts_profile *))) != NULL &&
             add_profile(&profiles, suite, name)) {
        wcts_report_profile_print(stdout, profiles.of[0], suite->spec);
        status = WCTS_EXIT_OK;
    }
    profiles_release(&profiles);
    return fflush(stdout) == 0 ? status : WCTS_EXIT_BROKEN;
}

static int profile(struct wcts_cli_suite *suite)
{
    bool derives =
        suite->settings->argument_count > 0 && strcmp(suite->settings->arguments[0], "derive") == 0;
    return derives ? derive(suite) : show_profile(suite);
}

int wcts_command_profile(const struct wcts_cli_settings *settings)
{
    return wcts_cli_suite_run(settings, profile);
}
