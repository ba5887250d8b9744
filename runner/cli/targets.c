/* SPDX-License-Identifier: MIT */
#include "targets.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/text.h"
#include "../store/run_dir.h"

#define REAL_MAX (PATH_MAX + NAME_MAX)
#define TARGETS (WCTS_FORMAT_COUNT + 1)
#define INPUTS 5

struct cli_named {
    const char *option, *path; /* path NULL: not given */
};

static void list_targets(const struct wcts_cli_settings *settings,
                         struct cli_named targets[TARGETS])
{
    const struct cli_named all[TARGETS] = {
#define TARGET(name, commands, help, shown) {#name, settings->options.files[WCTS_FORMAT_##name]},
        WCTS_FORMATS(TARGET)
#undef TARGET
            {"update-baseline", settings->update_baseline},
    };
    memcpy(targets, all, sizeof all);
}

static bool is_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int wcts_cli_targets_on_output(const struct wcts_cli_settings *settings)
{
    int count = settings->json + settings->tap + (settings->options.xsl != NULL);
    struct cli_named targets[TARGETS];
    list_targets(settings, targets);
    for (int i = 0; i < TARGETS; i++)
        count += is_output(targets[i].path);
    return count;
}

bool wcts_cli_targets_share_output(const struct wcts_cli_settings *settings)
{
    if (wcts_cli_targets_on_output(settings) <= 1)
        return true;
    fputs("wddm-cts: found more than one of --json, --tap, --xsl and files named -, expected one: "
          "it takes standard output\n",
          stderr);
    return false;
}

/* The path of a regular file, or of one that is yet to be, without links; "" for anything else. */
static const char *real_of(const char *path, char real[REAL_MAX])
{
    char copy[PATH_MAX], directory[PATH_MAX];
    struct stat status;
    real[0] = '\0';
    if (!path || is_output(path) || strlen(path) >= sizeof copy)
        return real;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return real;
    if (realpath(path, real))
        return real;
    real[0] = '\0';
    strcpy(copy, path);
    if (realpath(dirname(copy), directory)) {
        strcpy(copy, path);
        snprintf(real, REAL_MAX, "%s/%s", directory, basename(copy));
    }
    return real;
}

static bool is_same_file(const char *path, const char *real)
{
    char other[REAL_MAX];
    return real[0] != '\0' && strcmp(real_of(path, other), real) == 0;
}

/* True if it is one of the files that a run in the directory has. */
static bool is_of_run(const char *directory, const char *real)
{
    char own[PATH_MAX];
    size_t size = realpath(directory, own) ? strlen(own) : 0;
    return size > 0 && strncmp(real, own, size) == 0 && real[size] == '/' &&
           wcts_store_rundir_owns(real + size + 1);
}

/* True if it is one of the files of a run, of whichever. */
static bool is_of_some_run(const char *real)
{
    const char *slash = strrchr(real, '/');
    bool is_run = slash && wcts_store_rundir_owns(slash + 1) && access(real, F_OK) == 0;
    const char *const others[] = {WCTS_FILE_RUN, WCTS_FILE_JOURNAL};
    for (size_t i = 0; is_run && i < sizeof others / sizeof others[0]; i++) {
        WCTS_TEXT(beside);
        wcts_text_add(&beside, "%.*s/%s", (int)(slash - real), real, others[i]);
        is_run = access(wcts_text_get(&beside), F_OK) == 0;
    }
    return is_run;
}

static bool complain_of_target(const struct cli_named *target, const char *what)
{
    fprintf(stderr, "wddm-cts: --%s %s: is %s, expected a file of its own\n", target->option,
            target->path, what);
    return false;
}

static bool spares_inputs(const struct wcts_cli_settings *settings, const struct cli_named *target,
                          const char *real)
{
    /* A baseline may be updated in its place. */
    bool updates = target->path == settings->update_baseline;
    const struct cli_named inputs[INPUTS] = {{"impl", settings->options.implementation.path},
                                             {"xsl", settings->options.xsl},
                                             {"baseline", updates ? NULL : settings->baseline},
                                             {"profile", settings->profile},
                                             {"durations", settings->options.durations}};
    char what[64];
    for (int i = 0; i < INPUTS; i++) {
        snprintf(what, sizeof what, "what --%s reads", inputs[i].option);
        if (is_same_file(inputs[i].path, real))
            return complain_of_target(target, what);
    }
    /* Of "profile FILE" the argument is a file, or a name. */
    for (int i = 0; settings->command == WCTS_COMMAND_profile && i < settings->argument_count; i++)
        if (is_same_file(settings->arguments[i], real))
            return complain_of_target(target, "the profile that is read");
    for (int i = 0; i < settings->options.spec_file_count; i++)
        if (is_same_file(settings->options.spec_files[i], real))
            return complain_of_target(target, "a document that is read");
    return true;
}

bool wcts_cli_targets_check(const struct wcts_cli_settings *settings,
                            const char *const *directories, int count)
{
    struct cli_named targets[TARGETS];
    char real[REAL_MAX], what[64];
    list_targets(settings, targets);
    for (int i = 0; i < TARGETS; i++) {
        real_of(targets[i].path, real);
        if (!spares_inputs(settings, &targets[i], real))
            return false;
        for (int k = 0; k < count; k++)
            if (is_of_run(directories[k], real))
                return complain_of_target(&targets[i], "a run's own");
        if (is_of_some_run(real))
            return complain_of_target(&targets[i], "a run's own");
        for (int k = 0; k < i; k++)
            if (is_same_file(targets[k].path, real)) {
                snprintf(what, sizeof what, "that of --%s, too", targets[k].option);
                return complain_of_target(&targets[i], what);
            }
    }
    return true;
}
