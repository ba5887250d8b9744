/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "context.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* ---- where the data is ---- */

/* From the directory of the executable: build tree (build/default/), build/, installed. */
static const char *const beside[] = {"../..", "..", "../share/wddm-cts"};

/* The directory of the executable; false when it cannot be found. */
static bool own_directory(char *buffer, size_t room)
{
    ssize_t size = readlink("/proc/self/exe", buffer, room - 1);
    if (size <= 0)
        return false;
    buffer[size] = '\0';
    char *slash = strrchr(buffer, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

/* DIRECTORY/name holding file; NULL when there is none. The caller frees it. */
static char *directory_with(const char *directory, const char *name, const char *file)
{
    char *path = NULL, *probe = NULL;
    bool found = asprintf(&path, "%s/%s", directory, name) > 0 &&
                 asprintf(&probe, "%s/%s", path, file) > 0 && access(probe, R_OK) == 0;
    free(probe);
    if (found)
        return path;
    free(path);
    return NULL;
}

/* The directory to read from; never NULL but when memory is short. The caller frees it. */
static char *find_directory(const char *given, const char *variable, const char *name,
                            const char *file)
{
    char own[4096], candidate[4200];
    char *found = NULL;

    if (!given)
        given = getenv(variable);
    if (given && given[0] != '\0')
        return strdup(given);
    bool placed = own_directory(own, sizeof own);
    for (size_t i = 0; placed && !found && i < sizeof beside / sizeof beside[0]; i++) {
        snprintf(candidate, sizeof candidate, "%s/%s", own, beside[i]);
        found = directory_with(candidate, name, file);
    }
    if (!found && asprintf(&found, "%s/%s", WCTS_DATADIR, name) < 0)
        return NULL;
    /* Shorter to read in messages when it is the current directory's own. */
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

/* A command that is given an id knows those of every suite. */
static int sequence_steps(const struct wcts_settings *settings)
{
    if (settings->command == WCTS_COMMAND_replay || settings->command == WCTS_COMMAND_explain)
        return steps[WCTS_SUITE_FULL];
    return steps[settings->suite];
}

bool wcts_context_init(struct wcts_context *context, const struct wcts_settings *settings)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = {.newest_only = settings->suite == WCTS_SUITE_SMOKE,
                                              .steps = sequence_steps(settings),
                                              .seed = settings->seed};
    char *spec_dir = find_directory(settings->spec_dir, "WCTS_SPEC_DIR", "spec", "versions.xml");
    char *cases_dir = find_directory(settings->cases_dir, "WCTS_CASES_DIR", "cases", "base.xml");

    *context = (struct wcts_context){.settings = settings};
    if (spec_dir && cases_dir)
        context->spec = wcts_spec_load(spec_dir, cases_dir, settings->spec_files,
                                       settings->spec_file_count, &diagnostics);
    if (context->spec)
        wcts_spec_lint(context->spec, &diagnostics);
    if (context->spec && diagnostics.errors == 0)
        context->plan = wcts_plan_make(context->spec, &options, &diagnostics);
    free(spec_dir);
    context->cases_dir = cases_dir;
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in the spec\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return context->plan != NULL && diagnostics.errors == 0;
}

struct wcts_plan *wcts_context_plan(const struct wcts_context *context, enum wcts_suite suite,
                                    uint64_t seed)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = {
        .newest_only = suite == WCTS_SUITE_SMOKE, .steps = steps[suite], .seed = seed};
    return wcts_plan_make(context->spec, &options, &diagnostics);
}

void wcts_context_release(struct wcts_context *context)
{
    free(context->cases_dir);
    if (context->plan)
        wcts_plan_free(context->plan);
    if (context->spec)
        wcts_spec_free(context->spec);
}

struct wcts_mustpass *wcts_context_mustpass(const struct wcts_context *context,
                                            struct wcts_diagnostics *diagnostics)
{
    return wcts_mustpass_load(context->cases_dir, context->spec, diagnostics);
}

const char *wcts_until_name(const struct wcts_spec *spec, int until)
{
    return until >= 0 && until < spec->versions_count ? spec->versions[until].name : NULL;
}

/* ---- the baseline ---- */

static bool bind(const struct wcts_context *context, struct wcts_baseline *baseline,
                 struct wcts_diagnostics *diagnostics)
{
    const struct wcts_settings *settings = context->settings;
    const struct wcts_plan_options all = {.steps = SEQUENCE_STEPS_MAX, .seed = settings->seed};
    struct wcts_plan *whole = NULL;

    if (!wcts_baseline_bind(baseline, context->plan, diagnostics))
        return false;
    if (settings->suite == WCTS_SUITE_FULL || !wcts_baseline_has_orphans(baseline))
        return true;
    whole = wcts_plan_make(context->spec, &all, diagnostics);
    if (whole) {
        wcts_baseline_seek(baseline, whole);
        wcts_plan_free(whole);
    }
    return whole != NULL;
}

bool wcts_context_baseline(const struct wcts_context *context, const char *path,
                           struct wcts_baseline **baseline)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    bool right = true;

    *baseline = path ? wcts_baseline_load(path, &diagnostics) : NULL;
    if (path)
        right = *baseline && bind(context, *baseline, &diagnostics);
    if (!right)
        fprintf(stderr, "wddm-cts: %d error%s in the baseline\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return right;
}

/* ---- selecting ---- */

struct selection {
    pcre2_code *pattern; /* NULL: all */
    pcre2_match_data *match;
    int first, last; /* versions */
    uint32_t sides;
    const struct wcts_settings *settings;
    bool any_only; /* --case was given */
};

static bool compile(struct selection *selection, const char *filter)
{
    int error;
    size_t offset;
    if (!filter)
        return true;
    selection->pattern =
        pcre2_compile((PCRE2_SPTR)filter, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
    if (!selection->pattern) {
        PCRE2_UCHAR text[200];
        pcre2_get_error_message(error, text, sizeof text);
        fprintf(stderr, "wddm-cts: --filter: %s, at letter %zu of %s\n", (const char *)text,
                offset + 1, filter);
        return false;
    }
    pcre2_jit_compile(selection->pattern, PCRE2_JIT_COMPLETE); /* slower without, no worse */
    selection->match = pcre2_match_data_create_from_pattern(selection->pattern, NULL);
    return selection->match != NULL;
}

static bool find_version(const struct wcts_spec *spec, const char *name, int *version)
{
    *version = wcts_spec_version(spec, name);
    if (*version >= 0)
        return true;
    fprintf(stderr, "wddm-cts: --wddm: there is no version %s; there are", name);
    for (int i = 0; i < spec->versions_count; i++)
        fprintf(stderr, " %s", spec->versions[i].name);
    fputs("\n", stderr);
    return false;
}

bool wcts_context_versions(const struct wcts_context *context, int *first, int *last)
{
    const struct wcts_settings *settings = context->settings;
    *first = 0;
    *last = context->spec->versions_count - 1;
    if (settings->first_version && (!find_version(context->spec, settings->first_version, first) ||
                                    !find_version(context->spec, settings->last_version, last)))
        return false;
    if (*first <= *last)
        return true;
    fprintf(stderr, "wddm-cts: --wddm: %s comes after %s\n", settings->first_version,
            settings->last_version);
    return false;
}

static bool selection_init(struct selection *selection, const struct wcts_context *context)
{
    const struct wcts_settings *settings = context->settings;
    *selection =
        (struct selection){.sides = settings->sides ? settings->sides : ~0u, .settings = settings};
    for (int i = 0; i < settings->spec_file_count; i++)
        selection->any_only = selection->any_only || settings->only[i];
    return wcts_context_versions(context, &selection->first, &selection->last) &&
           compile(selection, settings->filter);
}

static void selection_release(struct selection *selection)
{
    pcre2_match_data_free(selection->match);
    pcre2_code_free(selection->pattern);
}

/* Whether the case is a scenario of a file of --case. */
static bool is_of_file(const struct wcts_settings *settings, const struct wcts_case *one)
{
    for (int i = 0; one->scenario && i < settings->spec_file_count; i++)
        if (settings->only[i] && strcmp(one->scenario->place.file, settings->spec_files[i]) == 0)
            return true;
    return false;
}

static bool matches(const struct selection *selection, const char *id)
{
    return !selection->pattern ||
           pcre2_match(selection->pattern, (PCRE2_SPTR)id, PCRE2_ZERO_TERMINATED, 0, 0,
                       selection->match, NULL) >= 0;
}

static bool selects(const struct selection *selection, const struct wcts_case *one)
{
    uint32_t side = one->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    if (one->version < selection->first || one->version > selection->last ||
        !(selection->sides & side) ||
        (selection->any_only && !is_of_file(selection->settings, one)))
        return false;
    return matches(selection, one->id);
}

static void print_near(const struct wcts_near *near)
{
    for (int i = 0; i < near->count; i++)
        fprintf(stderr, "%s  %s\n", i == 0 ? "did you mean:\n" : "", near->names[i]);
}

static void offer_all(const struct wcts_context *context, struct wcts_near *near, const char *id)
{
    const struct wcts_spec *spec = context->spec;
    for (int i = 0; i < spec->statements_count; i++)
        wcts_near_offer(near, id, spec->statements[i].id);
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_spec_statement(spec, spec->rules[i].id) < 0)
            wcts_near_offer(near, id, spec->rules[i].id);
    for (int i = 0; i < context->plan->count; i++)
        wcts_near_offer(near, id, context->plan->cases[i].id);
}

void wcts_context_unknown(const struct wcts_context *context, const char *id)
{
    struct wcts_near near = {0};
    offer_all(context, &near, id);
    fprintf(stderr, "wddm-cts: there is no case, rule or statement %s\n", id);
    print_near(&near);
}

static void nothing_selected(const struct wcts_context *context)
{
    const char *filter = context->settings->filter;
    struct wcts_near near = {0};
    fputs("wddm-cts: no case is selected\n", stderr);
    if (!filter)
        return;
    /* Anchors are no part of any id. */
    char *plain = strdup(filter + (filter[0] == '^'));
    if (!plain)
        return;
    size_t size = strlen(plain);
    if (size > 0 && plain[size - 1] == '$')
        plain[size - 1] = '\0';
    offer_all(context, &near, plain);
    print_near(&near);
    free(plain);
}

int wcts_context_select(const struct wcts_context *context, int **selected, int *count)
{
    const struct wcts_settings *settings = context->settings;
    const struct wcts_plan *plan = context->plan;
    struct selection selection;
    int matched = 0;

    *count = 0;
    *selected = calloc((size_t)plan->count + 1, sizeof **selected);
    bool ready = *selected && selection_init(&selection, context);
    if (!ready)
        return *selected ? WCTS_EXIT_USAGE : WCTS_EXIT_BROKEN;

    for (int i = 0; i < plan->count; i++)
        if (selects(&selection, &plan->cases[i]) &&
            matched++ % settings->shards == settings->shard - 1)
            (*selected)[(*count)++] = i;
    selection_release(&selection);
    if (*count == 0)
        nothing_selected(context);
    return *count != 0 ? WCTS_EXIT_OK : WCTS_EXIT_NOTHING;
}

/* The side that is under test where a statement of the role is. */
static const uint32_t sides_of_roles[] = {
    [WCTS_ROLE_CALLER] = WCTS_SIDE_KERNEL,
    [WCTS_ROLE_KERNEL] = WCTS_SIDE_KERNEL,
    [WCTS_ROLE_DRIVER] = WCTS_SIDE_DRIVER,
    [WCTS_ROLE_BOTH] = WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER,
};

int wcts_context_statements(const struct wcts_context *context, bool *statements)
{
    const struct wcts_spec *spec = context->spec;
    struct selection selection;
    int count = 0;
    if (!selection_init(&selection, context))
        return WCTS_EXIT_USAGE;
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *one = &spec->statements[i];
        statements[i] = one->since <= selection.last && one->until > selection.first &&
                        (sides_of_roles[one->role] & selection.sides) &&
                        matches(&selection, one->id);
        count += statements[i];
    }
    selection_release(&selection);
    return count != 0 ? WCTS_EXIT_OK : WCTS_EXIT_NOTHING;
}
