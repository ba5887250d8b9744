/* SPDX-License-Identifier: MIT */
/* The profiles of a suite. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/text.h"
#include "../load/profile.h"
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

static bool is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
}

/* "wddm-cts: there is no profile windws; did you mean windows?" */
static void unknown_profile(const struct wcts_cli_suite *suite, const char *name)
{
    struct wcts_suggestions near = {0};
    int count;
    char **names = wcts_cli_suite_profiles(suite, &count);
    fprintf(stderr, "wddm-cts: there is no profile %s", name);
    for (int i = 0; i < count; i++)
        wcts_suggest(&near, name, names[i]);
    if (near.count > 0)
        fprintf(stderr, "; did you mean %s?", near.names[0]);
    fputs("; expected", stderr);
    for (int i = 0; i < count; i++) {
        fprintf(stderr, " %s,", names[i]);
        free(names[i]);
    }
    free(names);
    fputs(" " WCTS_CLI_NO_PROFILE " or a file such as ./mine.xml\n", stderr);
}

struct wcts_profile *wcts_cli_suite_profile(const struct wcts_cli_suite *suite, const char *name,
                                            struct wcts_diagnostics *diagnostics)
{
    struct wcts_profile *profile = NULL;
    WCTS_TEXT(path);
    if (is_path(name))
        return wcts_load_profile(name, false, suite->spec, diagnostics);
    wcts_text_add(&path, "%s/profiles/%s.xml", suite->spec_dir, name);
    if (access(wcts_text_get(&path), R_OK) == 0)
        profile = wcts_load_profile(wcts_text_get(&path), true, suite->spec, diagnostics);
    else
        unknown_profile(suite, name);
    return profile;
}
