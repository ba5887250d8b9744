/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../reports/output.h"
#include "../../reports/reread.h"
#include "../base/address.h"
#include "../base/path.h"
#include "../base/regular.h"
#include "../base/text.h"
#include "../generate/stored.h"
#include "../load/declaration.h"
#include "../load/profile.h"
#include "../load/spec_files.h"
#include "../load/stored.h"
#include "../plan/claimed.h"
#include "../plan/stored.h"
#include "../plan/wanted.h"

/* ---- where the data is ---- */

/* Relative to the directory of the executable: in build/default/, in build/, installed. */
static const char *const beside[] = {"../..", "..", "../share/wddm-cts"};

/* The directory to read from; NULL without memory. The caller frees it. */
static char *find_directory(const char *given, const char *variable, const char *name,
                            const char *file)
{
    char *own, *slash, *found = NULL;

    if (!given)
        given = getenv(variable);
    if (given && given[0] != '\0')
        return strdup(given);
    own = realpath("/proc/self/exe", NULL);
    slash = own ? strrchr(own, '/') : NULL;
    for (size_t i = 0; slash && !found && i < sizeof beside / sizeof beside[0]; i++) {
        WCTS_TEXT(probe);
        wcts_text_add(&probe, "%.*s/%s/%s", (int)(slash - own), own, beside[i], name);
        found = strdup(wcts_text_get(&probe));
        wcts_text_add(&probe, "/%s", file);
        if (access(wcts_text_get(&probe), R_OK) != 0) {
            free(found);
            found = NULL;
        }
    }
    free(own);
    if (!found && asprintf(&found, "%s/%s", WCTS_DATADIR, name) < 0)
        return NULL;
    /* Messages are shorter with the name alone, if it is in the current directory. */
    char *real = realpath(found, NULL), *here = realpath(name, NULL);
    if (real && here && strcmp(real, here) == 0) {
        free(found);
        found = strdup(name);
    } else if (real) {
        free(found);
        found = real;
        real = NULL;
    }
    free(real);
    free(here);
    return found;
}

/* ---- init ---- */

#define SEQUENCE_STEPS_MAX 1000000

static const int steps[] = {
    [WCTS_SUITE_SMOKE] = 0, [WCTS_SUITE_STANDARD] = 20000, [WCTS_SUITE_FULL] = SEQUENCE_STEPS_MAX};

#define WALKS_MAX 50000

static const int walks[] = {
    [WCTS_SUITE_SMOKE] = 0, [WCTS_SUITE_STANDARD] = 1000, [WCTS_SUITE_FULL] = WALKS_MAX};

/* A command with an ID accepts those of every suite. */
static bool has_id(const struct wcts_cli_settings *settings)
{
    return settings->command == WCTS_COMMAND_replay || settings->command == WCTS_COMMAND_explain;
}

static const enum wcts_plan_sweeps sweeps[] = {[WCTS_SUITE_SMOKE] = WCTS_SWEEPS_NONE,
                                               [WCTS_SUITE_STANDARD] = WCTS_SWEEPS_SINGLE,
                                               [WCTS_SUITE_FULL] = WCTS_SWEEPS_ALL};

static struct wcts_plan_options suite_options(enum wcts_suite suite, uint64_t seed)
{
    return (struct wcts_plan_options){.few = suite == WCTS_SUITE_SMOKE,
                                      .steps = steps[suite],
                                      .tours = walks[suite],
                                      .seed = seed,
                                      .sweeps = sweeps[suite]};
}

/* Of so many places all combinations are planned. */
static const int strengths[] = {
    [WCTS_SUITE_SMOKE] = 0, [WCTS_SUITE_STANDARD] = 2, [WCTS_SUITE_FULL] = 3};

int wcts_cli_suite_strength_max(void)
{
    return strengths[WCTS_SUITE_FULL];
}

/* A command with the ID of a combination accepts those of every suite. */
static int strength_of(const struct wcts_cli_settings *settings)
{
    if (settings->command == WCTS_COMMAND_generate)
        return 0;
    if (settings->command != WCTS_COMMAND_replay && settings->command != WCTS_COMMAND_explain)
        return strengths[settings->options.suite];
    for (int i = 0; i < settings->argument_count + settings->after.count; i++)
        if (strstr(i < settings->argument_count ? settings->arguments[i]
                                                : settings->after.of[i - settings->argument_count],
                   "/combination/"))
            return strengths[WCTS_SUITE_FULL];
    return strengths[WCTS_SUITE_STANDARD];
}

/* True if any combination may be in the part of the plan. */
static bool wants_combinations(const struct wcts_spec *spec,
                               const struct wcts_plan_options *options)
{
    bool wanted = !options->wants;
    for (int i = 0; !wanted && i < spec->rules_count; i++) {
        WCTS_TEXT(beginning);
        wcts_text_add(&beginning, "%s/combination/", spec->rules[i].id);
        wanted = options->wants(options->wants_context, wcts_text_get(&beginning));
    }
    return wanted;
}

/* ---- what was stored when the tool was built ---- */

#define STORED_SPEC "spec.image"
#define STORED_PLAN "plan.txt"
/* Where stored files are, relative to the directory of the executable: as built, installed. */
static const char *const stored_in[] = {"", "../share/wddm-cts/"};

/* The path of a stored file; NULL if there is none. The caller frees it. */
static char *stored_path(const char *name)
{
    char *own = realpath("/proc/self/exe", NULL), *found = NULL;
    const char *slash = own ? strrchr(own, '/') : NULL;
    for (size_t i = 0; slash && !found && i < sizeof stored_in / sizeof stored_in[0]; i++) {
        WCTS_TEXT(path);
        wcts_text_add(&path, "%.*s/%s%s", (int)(slash - own), own, stored_in[i], name);
        if (access(wcts_text_get(&path), R_OK) == 0)
            found = strdup(wcts_text_get(&path));
    }
    free(own);
    return found;
}

/* As they were stored when the tool was built, or made, if the spec is another. */
static bool get_combinations(const struct wcts_spec *spec, int strength,
                             struct wcts_generate_combinations *combinations)
{
    char *path = stored_path("combinations.txt");
    bool found = path && wcts_generate_read_stored(spec, strength, path, combinations);
    free(path);
    return found || wcts_generate_combine(spec, strength, combinations);
}

static struct wcts_plan *plan_with(const struct wcts_spec *spec,
                                   const struct wcts_plan_options *options,
                                   const struct wcts_generate_combinations *combinations,
                                   struct wcts_diagnostics *diagnostics)
{
    struct wcts_plan_options with = *options;
    char *stored = stored_path(STORED_PLAN);
    struct wcts_plan *plan;
    with.combinations = combinations->list;
    with.combination_count = combinations->count;
    with.stored = stored;
    plan = wcts_plan_make(spec, &with, diagnostics);
    free(stored);
    return plan;
}

/* Plans with the combinations of this strength; 0: none. */
static struct wcts_plan *make_plan(const struct wcts_spec *spec,
                                   const struct wcts_plan_options *options, int strength,
                                   struct wcts_diagnostics *diagnostics)
{
    struct wcts_generate_combinations combinations = {0};
    struct wcts_plan *plan;
    if (strength > 0 && !get_combinations(spec, strength, &combinations))
        combinations.count = 0;
    plan = plan_with(spec, options, &combinations, diagnostics);
    wcts_generate_combinations_release(&combinations);
    return plan;
}

/* The same of the suite's own plan, or another one with its combinations. */
static struct wcts_plan *make_again(const struct wcts_cli_suite *suite,
                                    const struct wcts_plan_options *options, int strength,
                                    struct wcts_diagnostics *diagnostics)
{
    return strength == suite->strength
               ? plan_with(suite->spec, options, &suite->combinations, diagnostics)
               : make_plan(suite->spec, options, strength, diagnostics);
}

static struct wcts_plan_options whole_options(const struct wcts_cli_settings *settings)
{
    struct wcts_plan_options options =
        suite_options(settings->options.suite, settings->options.seed);
    const enum wcts_suite length = has_id(settings) ? WCTS_SUITE_FULL : settings->options.suite;
    options.steps = steps[length];
    options.tours = walks[length];
    if (has_id(settings)) {
        options.sweeps = WCTS_SWEEPS_ALL;
        options.value = settings->argument_count == 1 ? settings->arguments[0] : NULL;
    }
    /* A run selects the newest version that the implementation claims. */
    if (settings->command == WCTS_COMMAND_faults) /* its own faults show in single calls */
        options.sweeps = WCTS_SWEEPS_NONE;
    options.newest_only = options.few && (settings->command == WCTS_COMMAND_list ||
                                          settings->command == WCTS_COMMAND_faults ||
                                          settings->command == WCTS_COMMAND_diff);
    return options;
}

/* The part of the plan that the command line may need; NULL: all. A baseline is bound to all cases.
 */
static struct wcts_wanted *wanted_of(const struct wcts_cli_settings *settings,
                                     const struct wcts_spec *spec)
{
    bool baseline = settings->baseline || settings->update_baseline;
    struct wcts_wanted *wanted;
    switch (settings->command) {
    case WCTS_COMMAND_explain:
    case WCTS_COMMAND_replay:
        /* The id of an erratum begins no id of a case. */
        wanted = settings->argument_count == 1 &&
                         wcts_model_spec_erratum(spec, settings->arguments[0]) < 0
                     ? wcts_plan_wanted_id(settings->arguments[0])
                     : NULL;
        if (wanted)
            wcts_plan_wanted_more(wanted, settings->after.of, settings->after.count);
        return wanted;
    case WCTS_COMMAND_run:
    case WCTS_COMMAND_list:
        return baseline ? NULL
                        : wcts_plan_wanted_filters(spec, settings->options.filters.of,
                                                   settings->options.filters.count);
    default:
        return NULL;
    }
}

void wcts_cli_suite_plan_all(struct wcts_cli_suite *suite)
{
    const struct wcts_plan_options options = whole_options(suite->settings);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *whole;
    if (!suite->partial)
        return;
    whole = make_again(suite, &options, strength_of(suite->settings), &diagnostics);
    if (!whole)
        return;
    wcts_plan_free(suite->plan);
    suite->plan = whole;
    suite->partial = false;
}

int wcts_cli_suite_total(const struct wcts_cli_suite *suite)
{
    const bool smoke = suite->settings->options.suite == WCTS_SUITE_SMOKE;
    const int strength = smoke ? strengths[WCTS_SUITE_STANDARD] : strength_of(suite->settings);
    const struct wcts_plan_options options =
        smoke ? suite_options(WCTS_SUITE_STANDARD, suite->settings->options.seed)
              : whole_options(suite->settings);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *whole;
    char *path;
    int total;
    if (!suite->partial && !smoke)
        return suite->plan->count;
    path = stored_path(STORED_PLAN);
    total = path ? wcts_plan_stored_total(suite->spec, strength, path) : -1;
    free(path);
    if (total >= 0)
        return total;
    whole = make_again(suite, &options, strength, &diagnostics);
    total = whole ? whole->count : -1;
    wcts_plan_free(whole);
    return total;
}

/* By rule, the sides for which the whole plan has tests (wcts_plan_sides): the smoke suite has no
 * tests of some rules. The caller frees it; NULL on an error. */
static uint32_t *whole_sides(const struct wcts_cli_suite *suite)
{
    const struct wcts_plan_options options = whole_options(suite->settings);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *whole;
    uint32_t *sides = NULL;
    char *path = NULL;
    if (suite->settings->options.suite != WCTS_SUITE_SMOKE)
        path = stored_path(STORED_PLAN);
    sides = path ? wcts_plan_stored_sides(suite->spec, path) : NULL;
    free(path);
    if (sides)
        return sides;
    whole = make_again(suite, &options, strength_of(suite->settings), &diagnostics);
    sides = whole ? wcts_plan_sides(whole) : NULL;
    wcts_plan_free(whole);
    return sides;
}

bool wcts_cli_suite_count_sides(const struct wcts_cli_suite *suite, struct wcts_report_run *run)
{
    if (!suite->partial)
        return true;
    free(run->scope.sides);
    run->scope.sides = whole_sides(suite);
    return run->scope.sides != NULL;
}

bool wcts_cli_suite_store(const struct wcts_cli_suite *suite, const char *path)
{
    static const enum wcts_suite suites[] = {WCTS_SUITE_STANDARD, WCTS_SUITE_FULL};
    enum { COUNT = sizeof suites / sizeof suites[0] };
    const struct wcts_plan_options rules = {0};
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *plan = wcts_plan_make(suite->spec, &rules, &diagnostics);
    struct wcts_plan_total totals[COUNT];
    FILE *out = plan ? fopen(path, "we") : NULL;
    bool good = out != NULL;
    for (int i = 0; good && i < COUNT; i++) {
        const struct wcts_plan_options options =
            suite_options(suites[i], suite->settings->options.seed);
        struct wcts_plan *whole =
            make_plan(suite->spec, &options, strengths[suites[i]], &diagnostics);
        totals[i] = (struct wcts_plan_total){strengths[suites[i]], whole ? whole->count : -1};
        wcts_plan_free(whole);
    }
    good = good && wcts_plan_store(plan, totals, COUNT, out);
    wcts_plan_free(plan);
    if (out && fclose(out) != 0)
        good = false;
    return good;
}

static void plan(struct wcts_cli_suite *suite, struct wcts_diagnostics *diagnostics)
{
    struct wcts_plan_options options = whole_options(suite->settings);
    struct wcts_wanted *wanted = wanted_of(suite->settings, suite->spec);
    int strength = strength_of(suite->settings);
    options.wants = wanted ? wcts_plan_wanted_begins : NULL;
    options.wants_context = wanted;
    suite->partial = wanted != NULL;
    if (strength > 0 && wants_combinations(suite->spec, &options)) {
        if (get_combinations(suite->spec, strength, &suite->combinations))
            suite->strength = strength;
        else
            wcts_generate_combinations_release(&suite->combinations);
    }
    suite->plan = plan_with(suite->spec, &options, &suite->combinations, diagnostics);
    wcts_plan_wanted_free(wanted);
}

static char *find_spec_directory(const struct wcts_cli_settings *settings)
{
    return find_directory(settings->options.spec_dir, "WCTS_SPEC_DIR", "spec", "versions.xml");
}

static char *find_cases_directory(const struct wcts_cli_settings *settings)
{
    return find_directory(settings->options.cases_dir, "WCTS_CASES_DIR", "cases", "base.xml");
}

int wcts_cli_suite_store_spec(const struct wcts_cli_settings *settings, const char *path)
{
    char *spec_dir = find_spec_directory(settings), *cases_dir = find_cases_directory(settings);
    struct wcts_report_output output;
    int status = WCTS_EXIT_BROKEN;
    /* Who runs meanwhile may read the old file, which has to stay as it is. */
    if (wcts_report_output_open(&output, path, WCTS_OUTPUT_KEEP) && spec_dir && cases_dir) {
        switch (wcts_load_store(spec_dir, cases_dir, output.file)) {
        case WCTS_LOAD_STORED:
            status = wcts_report_output_commit(&output) ? WCTS_EXIT_OK : WCTS_EXIT_BROKEN;
            break;
        case WCTS_LOAD_STORE_WRONG:
            fputs("wddm-cts: nothing is stored of documents of which there is something to say\n",
                  stderr);
            status = WCTS_EXIT_USAGE;
            break;
        case WCTS_LOAD_STORE_NOT:
            fprintf(stderr, "wddm-cts: %s: %s\n", path,
                    ferror(output.file) ? strerror(errno)
                                        : "cannot be stored here: each start loads the documents");
        }
    }
    wcts_report_output_release(&output);
    free(spec_dir);
    free(cases_dir);
    return status;
}

/* As it was stored when the tool was built, or loaded, if the documents are others. */
static struct wcts_spec *get_spec(const struct wcts_cli_settings *settings, const char *spec_dir,
                                  const char *cases_dir, struct wcts_diagnostics *diagnostics)
{
    struct wcts_spec *spec = NULL;
    char *path = NULL;
    /* lint is asked what the documents themselves are like. */
    if (settings->command != WCTS_COMMAND_lint && settings->options.spec_file_count == 0)
        path = stored_path(STORED_SPEC);
    if (path)
        spec = wcts_load_stored(path, spec_dir, cases_dir);
    free(path);
    if (spec)
        return spec;
    spec = wcts_load_spec_load(spec_dir, cases_dir, settings->options.spec_files,
                               settings->options.spec_file_count, diagnostics);
    if (spec)
        wcts_load_spec_lint(spec, diagnostics);
    return spec;
}

/* ---- what the options name ---- */

/* Loads that of --profile, or that which the implementation names. */
static bool load_asked_profile(struct wcts_cli_suite *suite, const char *name)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    if (!name || strcmp(name, WCTS_CLI_NO_PROFILE) == 0)
        return true;
    suite->profile = wcts_cli_suite_profile(suite, name, &diagnostics);
    suite->own.options.profile = suite->profile;
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in the profile\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return suite->profile != NULL;
}

bool wcts_cli_suite_name_profile(struct wcts_cli_suite *suite, const struct wcts_claims *claims)
{
    char buffer[WCTS_PATH_ROOM];
    if (suite->settings->profile || !claims->profile[0])
        return true;
    suite->own.options.profile_named = true;
    if (load_asked_profile(suite, claims->profile))
        return true;
    fprintf(stderr,
            "wddm-cts: %s names the profile %s; --profile %s judges by the documents alone\n",
            wcts_address_shown(suite->settings->options.implementation.path, buffer, sizeof buffer),
            claims->profile, WCTS_CLI_NO_PROFILE);
    return false;
}

/* Loads that of --declaration. */
static bool load_asked_declaration(struct wcts_cli_suite *suite)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const char *path = suite->settings->declaration;
    if (!path)
        return true;
    suite->declaration = wcts_load_declaration(path, suite->spec, &diagnostics);
    suite->own.options.declaration = suite->declaration;
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in the declaration\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return suite->declaration != NULL;
}

/* Finds the version of --upgrade. */
static bool find_asked_upgrade(struct wcts_cli_suite *suite)
{
    struct wcts_options *asked = &suite->own.options;
    int version = asked->upgrade_to ? wcts_model_spec_version(suite->spec, asked->upgrade_to) : -1;
    if (!asked->upgrade_to)
        return true;
    if (version >= 0) {
        asked->upgrade = suite->spec->versions[version].interface_version;
        asked->narrowed = asked->partial = true;
        return true;
    }
    fprintf(stderr, "wddm-cts: --upgrade: there is no version %s; there are", asked->upgrade_to);
    for (int i = 0; i < suite->spec->versions_count; i++)
        fprintf(stderr, " %s", suite->spec->versions[i].name);
    fputs("\n", stderr);
    return false;
}

static struct wcts_profile *profile_of_run(const void *ctx, const char *name)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    return wcts_cli_suite_profile(ctx, name, &diagnostics);
}

bool wcts_cli_suite_init(struct wcts_cli_suite *suite, const struct wcts_cli_settings *settings)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    char *spec_dir = find_spec_directory(settings), *cases_dir = find_cases_directory(settings);

    *suite = (struct wcts_cli_suite){.own = *settings, .spec_dir = spec_dir};
    suite->settings = &suite->own;
    if (spec_dir && cases_dir)
        suite->spec = get_spec(settings, spec_dir, cases_dir, &diagnostics);
    if (suite->spec && diagnostics.errors == 0)
        plan(suite, &diagnostics);
    suite->cases_dir = cases_dir;
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in the spec\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return suite->plan != NULL && diagnostics.errors == 0 &&
           load_asked_profile(suite, suite->settings->profile) && load_asked_declaration(suite) &&
           find_asked_upgrade(suite);
}

void wcts_cli_suite_release(struct wcts_cli_suite *suite)
{
    if (suite->selection)
        suite->free_selection(suite->selection);
    free(suite->spec_dir);
    free(suite->cases_dir);
    wcts_load_profile_free(suite->profile);
    wcts_load_declaration_free(suite->declaration);
    wcts_generate_combinations_release(&suite->combinations);
    wcts_plan_free(suite->plan);
    wcts_load_spec_free(suite->spec);
}

int wcts_cli_suite_run(const struct wcts_cli_settings *settings,
                       int (*command)(struct wcts_cli_suite *suite))
{
    struct wcts_cli_suite suite;
    int status = WCTS_EXIT_USAGE;
    if (wcts_cli_suite_init(&suite, settings))
        status = command(&suite);
    wcts_cli_suite_release(&suite);
    return status;
}

/* Plans for a run directory; ctx is the suite, whose combinations serve again. */
static struct wcts_plan *plan_suite(const void *ctx, enum wcts_suite suite, uint64_t seed)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = suite_options(suite, seed);
    return make_again(ctx, &options, strengths[suite], &diagnostics);
}

struct wcts_report_load_options wcts_cli_suite_load_options(const struct wcts_cli_suite *suite)
{
    return (struct wcts_report_load_options){.spec = suite->spec,
                                             .asked = &suite->settings->options,
                                             .plan = plan_suite,
                                             .profile = profile_of_run,
                                             .ctx = suite};
}

const char *wcts_cli_suite_reread(const struct wcts_cli_suite *suite, const char *directory,
                                  char **made)
{
    const struct wcts_report_load_options options = wcts_cli_suite_load_options(suite);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_report_reread_as as = {.level_given = suite->settings->level_given,
                                             .profile_given = suite->settings->profile != NULL,
                                             .level = suite->settings->options.level,
                                             .profile = suite->settings->options.profile};
    struct wcts_plan_mustpass *mustpass;
    *made = NULL;
    if (!suite->settings->level_given && !suite->settings->profile)
        return directory;
    mustpass = wcts_cli_suite_mustpass(suite, &diagnostics);
    if (diagnostics.errors == 0)
        *made = wcts_report_reread(directory, &options, &as, mustpass);
    wcts_plan_mustpass_free(mustpass);
    return *made;
}

struct wcts_plan_mustpass *wcts_cli_suite_mustpass(const struct wcts_cli_suite *suite,
                                                   struct wcts_diagnostics *diagnostics)
{
    return wcts_plan_mustpass_load(suite->cases_dir, suite->spec, diagnostics);
}

/* ---- the baseline ---- */

static bool bind_baseline(const struct wcts_cli_suite *suite, struct wcts_baseline *baseline,
                          struct wcts_diagnostics *diagnostics)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const struct wcts_plan_options all = {.steps = SEQUENCE_STEPS_MAX,
                                          .tours = WALKS_MAX,
                                          .sweeps = WCTS_SWEEPS_ALL,
                                          .seed = settings->options.seed};
    if (!wcts_baseline_bind(baseline, suite->plan, diagnostics))
        return false;
    for (int i = 0; i < baseline->count; i++) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        if (waiver->id && waiver->planned == 0)
            waiver->found = waiver->found || wcts_plan_is_anywhere(suite->plan, waiver->id);
    }
    if (settings->options.suite == WCTS_SUITE_FULL || !wcts_baseline_has_orphans(baseline))
        return true;
    struct wcts_plan *whole = make_plan(suite->spec, &all, strengths[WCTS_SUITE_FULL], diagnostics);
    bool sought = whole && wcts_baseline_seek(baseline, whole, diagnostics);
    wcts_plan_free(whole);
    return sought;
}

bool wcts_cli_suite_bind_again(const struct wcts_cli_suite *suite, struct wcts_baseline *baseline)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    return !baseline || !suite->plan->planned ||
           wcts_baseline_bind(baseline, suite->plan, &diagnostics);
}

bool wcts_cli_suite_baseline(const struct wcts_cli_suite *suite, const char *path,
                             struct wcts_baseline **baseline)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    bool right = true;

    *baseline = path ? wcts_baseline_load(path, &diagnostics) : NULL;
    if (path)
        right = *baseline && bind_baseline(suite, *baseline, &diagnostics);
    if (!right)
        fprintf(stderr, "wddm-cts: %d error%s in the baseline\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return right;
}

/* ---- the implementation ---- */

bool wcts_cli_implementation_is_there(const struct wcts_implementation *implementation)
{
    const char *wrong = NULL;
    char error[WCTS_PATH_ROOM];
    if (wcts_address_is_remote(implementation->path)) {
        char **words = wcts_address_words(implementation->path, error, sizeof error);
        if (!words)
            fprintf(stderr, "wddm-cts: --impl %s\n", error);
        free(words);
        return words != NULL;
    }
    if (strcmp(implementation->path, "emulator") == 0)
        return true;
    int fd = wcts_regular_open(implementation->path, 0, &wrong);
    if (fd >= 0)
        close(fd);
    else
        fprintf(stderr, "wddm-cts: --impl %s: %s\n", implementation->path, wrong);
    return fd >= 0;
}

void wcts_cli_implementation_name(const struct wcts_implementation *implementation, char *error,
                                  size_t room)
{
    char buffer[WCTS_PATH_ROOM], *whole = NULL;
    const char *path = wcts_address_shown(implementation->path, buffer, sizeof buffer);
    if (strncmp(error, path, strlen(path)) == 0 || asprintf(&whole, "%s: %s", path, error) < 0)
        return;
    if (strlen(whole) < room)
        strcpy(error, whole);
    free(whole);
}

void wcts_cli_implementation_complain(const struct wcts_implementation *implementation,
                                      const char *error)
{
    char text[WCTS_PATH_ROOM + 1024];
    snprintf(text, sizeof text, "%s", error);
    wcts_cli_implementation_name(implementation, text, sizeof text);
    fprintf(stderr, "wddm-cts: %s\n", text);
}

int wcts_cli_suite_claims(const struct wcts_cli_suite *suite, struct wcts_claims *claims)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const struct wcts_run_pool_options options = {
        .asked = &settings->options, .plan = suite->plan, .foreground = true};
    char error[512];
    enum wcts_run_pool_end end = wcts_run_pool_probe(&options, wcts_cli_settings_sides(settings),
                                                     claims, error, sizeof error);
    if (end == WCTS_POOL_DONE)
        end = wcts_cli_suite_ask_other_side(suite, &options, claims, error, sizeof error);
    if (end == WCTS_POOL_DONE)
        return WCTS_EXIT_OK;
    wcts_cli_implementation_complain(&settings->options.implementation, error);
    return end == WCTS_POOL_NO_START ? WCTS_EXIT_USAGE : WCTS_EXIT_NOTHING;
}
