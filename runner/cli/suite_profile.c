/* SPDX-License-Identifier: MIT */
/* The profiles of a suite. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/address.h"
#include "../base/path.h"
#include "../base/text.h"
#include "../load/profile.h"
#include "../run/worker.h"
#include "suite.h"

const char *wcts_cli_profile_of_run(const json_t *run)
{
    const json_t *profile = json_object_get(run, "profile");
    const char *key = json_is_true(json_object_get(profile, "shipped")) ? "name" : "file";
    return json_string_value(json_object_get(profile, key));
}

char **wcts_cli_suite_profiles(const struct wcts_cli_suite *suite, int *count)
{
    char *directory = NULL, **names = NULL;
    struct dirent **found = NULL;
    int files = asprintf(&directory, "%s/profiles", suite->spec_dir) < 0
                    ? -1
                    : scandir(directory, &found, NULL, alphasort);
    *count = 0;
    if (files > 0)
        names = calloc((size_t)files, sizeof *names);
    for (int i = 0; i < files; i++) {
        size_t length = strlen(found[i]->d_name);
        if (names && length > 4 && found[i]->d_name[0] != '.' &&
            strcmp(found[i]->d_name + length - 4, ".xml") == 0)
            names[(*count)++] = strndup(found[i]->d_name, length - 4);
        free(found[i]);
    }
    free(found);
    free(directory);
    return names;
}

/* True unless --profile decides. A run that goes on was given the one that was named. */
static bool may_be_named(const struct wcts_cli_settings *settings)
{
    return !settings->profile || settings->options.profile_named;
}

/* The other side of what is tested does not start, which only keeps it from naming a profile. */
static void report_no_start(const struct wcts_cli_suite *suite, bool is_driver, const char *why)
{
    static const char *const sides[] = {"kernel", "driver"};
    const char *other = sides[is_driver], *tested = sides[!is_driver];
    char buffer[WCTS_PATH_ROOM];
    fprintf(stderr,
            "wddm-cts: %s: the %s side, which is not tested here, does not start: %s\n"
            "          The %s is tested all the same: the %s was only asked if it names a profile. "
            "A plug-in\n"
            "          without a %s leaves WCTS_SIDE_%s out of its sides; with --profile none "
            "nobody is asked.\n",
            wcts_address_shown(suite->settings->options.implementation.path, buffer, sizeof buffer),
            other, why, tested, other, other, is_driver ? "DRIVER" : "KERNEL");
}

enum wcts_run_pool_end wcts_cli_suite_ask_other_side(const struct wcts_cli_suite *suite,
                                                     const struct wcts_run_pool_options *options,
                                                     struct wcts_claims *claims, char *error,
                                                     size_t room)
{
    const uint32_t other = claims->offered & ~claims->sides;
    const bool is_driver = other == WCTS_SIDE_DRIVER;
    struct wcts_run_pool_options asked = *options;
    struct wcts_stored stored[2] = {0};
    struct wcts_claims its = {0};
    char why[512];
    if (other == 0 || !may_be_named(suite->settings))
        return WCTS_POOL_DONE;
    /* What is written while it boots was shown when the other side was asked. */
    asked.foreground = asked.trace = false;
    asked.stored_claims = options->stored_claims ? stored : NULL;
    enum wcts_run_pool_end end = wcts_run_pool_probe(&asked, other, &its, why, sizeof why);
    if (end == WCTS_POOL_DONE && its.profile[0]) {
        if (!wcts_run_claims_agree(is_driver ? claims : &its, is_driver ? &its : claims, error,
                                   room))
            end = WCTS_POOL_NO_START;
        memcpy(claims->profile, its.profile, sizeof claims->profile);
        if (options->stored_claims) { /* so that the records show who named it */
            options->stored_claims[is_driver] = stored[is_driver];
            stored[is_driver] = (struct wcts_stored){0};
        }
    } else if (end == WCTS_POOL_NO_START) {
        report_no_start(suite, is_driver, why);
        end = WCTS_POOL_DONE;
    } else if (end == WCTS_POOL_STOPPED) {
        snprintf(error, room, "%s", why);
    }
    free(stored[0].bytes);
    free(stored[1].bytes);
    return end;
}

static bool names_file(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
}

static void path_of(const struct wcts_cli_suite *suite, const char *name, struct wcts_text *path)
{
    if (names_file(name))
        wcts_text_add(path, "%s", name);
    else
        wcts_text_add(path, "%s/profiles/%s.xml", suite->spec_dir, name);
}

/* Near misses among the names, and all that would do. */
static void add_expected(const struct wcts_cli_suite *suite, const char *name,
                         struct wcts_text *text)
{
    struct wcts_suggestions near = {0};
    int count;
    char **names = wcts_cli_suite_profiles(suite, &count);
    for (int i = 0; i < count; i++)
        wcts_suggest(&near, name, names[i]);
    wcts_suggest(&near, name, WCTS_CLI_NO_PROFILE);
    for (int i = 0; i < near.count; i++)
        wcts_text_add(text, "%s%s", i == 0 ? "; did you mean " : " or ", near.names[i]);
    wcts_text_add(text, "%s; expected", near.count > 0 ? "?" : "");
    for (int i = 0; i < count; i++) {
        wcts_text_add(text, " %s,", names[i]);
        free(names[i]);
    }
    free(names);
    wcts_text_add(text, " " WCTS_CLI_NO_PROFILE " or a file such as ./mine.xml");
}

void wcts_cli_suite_profile_problem(const struct wcts_cli_suite *suite, const char *name,
                                    struct wcts_text *text)
{
    char *here = name[0] == '/' ? NULL : getcwd(NULL, 0);
    WCTS_TEXT(path);
    path_of(suite, name, &path);
    if (access(wcts_text_get(&path), R_OK) == 0)
        wcts_text_add(text, "it is no profile, standard error has what is wrong");
    else if (!names_file(name))
        wcts_text_add(text, "%s: %s", wcts_text_get(&path), strerror(errno));
    else
        wcts_text_add(text, "%s%s%s", strerror(errno), here ? ", in " : "", here ? here : "");
    if (!names_file(name))
        add_expected(suite, name, text);
    free(here);
}

struct wcts_profile *wcts_cli_suite_profile(const struct wcts_cli_suite *suite, const char *name,
                                            struct wcts_diagnostics *diagnostics)
{
    WCTS_TEXT(path);
    WCTS_TEXT(text);
    path_of(suite, name, &path);
    if (names_file(name) || access(wcts_text_get(&path), R_OK) == 0)
        return wcts_load_profile(wcts_text_get(&path), !names_file(name), suite->spec, diagnostics);
    add_expected(suite, name, &text);
    fprintf(stderr, "wddm-cts: there is no profile %s%s; looked for %s\n", name,
            wcts_text_get(&text), wcts_text_get(&path));
    return NULL;
}
