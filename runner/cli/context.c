/* SPDX-License-Identifier: MIT */
#include "context.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../reports/reread.h"
#include "../../reports/scope.h"
#include "../base/path.h"
#include "../base/regular.h"
#include "../base/text.h"
#include "../plan/wanted.h"
#include "../run/pool.h"
#include "selection.h"

/* ---- where the data is ---- */

/* From the directory of the executable: build tree (build/default/), build/, installed. */
static const char *const beside[] = {"../..", "..", "../share/wddm-cts"};

/* The directory to read from; never NULL but when memory is short. The caller frees it. */
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
    return steps[settings->asked.suite];
}

static struct wcts_plan_options suite_options(enum wcts_suite suite, uint64_t seed)
{
    return (struct wcts_plan_options){
        .few = suite == WCTS_SUITE_SMOKE, .steps = steps[suite], .seed = seed};
}

static struct wcts_plan_options whole_options(const struct wcts_settings *settings)
{
    struct wcts_plan_options options = suite_options(settings->asked.suite, settings->asked.seed);
    options.steps = sequence_steps(settings);
    /* A run leaves versions out when it knows which the implementation claims. */
    options.newest_only = options.few && (settings->command == WCTS_COMMAND_list ||
                                          settings->command == WCTS_COMMAND_faults ||
                                          settings->command == WCTS_COMMAND_diff);
    return options;
}

/* What the command line may want of the plan; NULL: anything. A baseline is bound to all cases. */
static struct wcts_wanted *wanted_of(const struct wcts_settings *settings,
                                     const struct wcts_spec *spec)
{
    bool baseline = settings->baseline || settings->update_baseline;
    switch (settings->command) {
    case WCTS_COMMAND_explain:
    case WCTS_COMMAND_replay:
        /* An erratum is no beginning of an id: its cases are those of the statements that it reads.
         */
        return settings->argument_count == 1 && wcts_spec_erratum(spec, settings->arguments[0]) < 0
                   ? wcts_wanted_id(settings->arguments[0])
                   : NULL;
    case WCTS_COMMAND_run:
    case WCTS_COMMAND_list:
        return baseline ? NULL
                        : wcts_wanted_filters(spec, settings->asked.filters.of,
                                              settings->asked.filters.count);
    default:
        return NULL;
    }
}

/* Plans in full what was planned in part: for near misses of what was not found. */
static void plan_rest(struct wcts_context *context)
{
    const struct wcts_plan_options options = whole_options(context->settings);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *whole;
    if (!context->partial)
        return;
    whole = wcts_plan_make(context->spec, &options, &diagnostics);
    if (!whole)
        return;
    wcts_plan_free(context->plan);
    context->plan = whole;
    context->partial = false;
}

int wcts_context_total(const struct wcts_context *context)
{
    const bool smoke = context->settings->asked.suite == WCTS_SUITE_SMOKE;
    const struct wcts_plan_options options =
        smoke ? suite_options(WCTS_SUITE_STANDARD, context->settings->asked.seed)
              : whole_options(context->settings);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *whole;
    int total;
    if (!context->partial && !smoke)
        return context->plan->count;
    whole = wcts_plan_make(context->spec, &options, &diagnostics);
    total = whole ? whole->count : -1;
    wcts_plan_free(whole);
    return total;
}

static void plan(struct wcts_context *context, struct wcts_diagnostics *diagnostics)
{
    struct wcts_plan_options options = whole_options(context->settings);
    struct wcts_wanted *wanted = wanted_of(context->settings, context->spec);
    options.wants = wanted ? wcts_wanted_begins : NULL;
    options.wants_context = wanted;
    context->partial = wanted != NULL;
    context->plan = wcts_plan_make(context->spec, &options, diagnostics);
    wcts_wanted_free(wanted);
}

bool wcts_context_init(struct wcts_context *context, const struct wcts_settings *settings)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    char *spec_dir =
        find_directory(settings->asked.spec_dir, "WCTS_SPEC_DIR", "spec", "versions.xml");
    char *cases_dir =
        find_directory(settings->asked.cases_dir, "WCTS_CASES_DIR", "cases", "base.xml");

    *context = (struct wcts_context){.settings = settings};
    if (spec_dir && cases_dir)
        context->spec = wcts_spec_load(spec_dir, cases_dir, settings->asked.spec_files,
                                       settings->asked.spec_file_count, &diagnostics);
    if (context->spec)
        wcts_spec_lint(context->spec, &diagnostics);
    if (context->spec && diagnostics.errors == 0)
        plan(context, &diagnostics);
    free(spec_dir);
    context->cases_dir = cases_dir;
    if (diagnostics.errors != 0)
        fprintf(stderr, "wddm-cts: %d error%s in the spec\n", diagnostics.errors,
                diagnostics.errors == 1 ? "" : "s");
    return context->plan != NULL && diagnostics.errors == 0;
}

static struct wcts_plan *plan_suite(const struct wcts_spec *spec, enum wcts_suite suite,
                                    uint64_t seed)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = suite_options(suite, seed);
    return wcts_plan_make(spec, &options, &diagnostics);
}

struct wcts_load_options wcts_context_load_options(const struct wcts_context *context)
{
    return (struct wcts_load_options){context->spec, &context->settings->asked, plan_suite};
}

const char *wcts_context_reread(const struct wcts_context *context, const char *directory,
                                char **made)
{
    const struct wcts_load_options options = wcts_context_load_options(context);
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_mustpass *mustpass;
    *made = NULL;
    if (!context->settings->level_given)
        return directory;
    mustpass = wcts_context_mustpass(context, &diagnostics);
    if (diagnostics.errors == 0)
        *made = wcts_reread(directory, &options, context->settings->asked.level, mustpass);
    wcts_mustpass_free(mustpass);
    return *made;
}

void wcts_context_release(struct wcts_context *context)
{
    free(context->cases_dir);
    wcts_plan_free(context->plan);
    wcts_spec_free(context->spec);
}

struct wcts_mustpass *wcts_context_mustpass(const struct wcts_context *context,
                                            struct wcts_diagnostics *diagnostics)
{
    return wcts_mustpass_load(context->cases_dir, context->spec, diagnostics);
}

bool wcts_context_versions(const struct wcts_context *context, int *first, int *last)
{
    return wcts_selection_versions(context->spec, context->settings, first, last);
}

/* ---- the baseline ---- */

static bool bind(const struct wcts_context *context, struct wcts_baseline *baseline,
                 struct wcts_diagnostics *diagnostics)
{
    const struct wcts_settings *settings = context->settings;
    const struct wcts_plan_options all = {.steps = SEQUENCE_STEPS_MAX,
                                          .seed = settings->asked.seed};
    if (!wcts_baseline_bind(baseline, context->plan, diagnostics))
        return false;
    if (settings->asked.suite == WCTS_SUITE_FULL || !wcts_baseline_has_orphans(baseline))
        return true;
    struct wcts_plan *whole = wcts_plan_make(context->spec, &all, diagnostics);
    bool sought = whole && wcts_baseline_seek(baseline, whole, diagnostics);
    wcts_plan_free(whole);
    return sought;
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

/* ---- the implementation ---- */

bool wcts_implementation_is_there(const struct wcts_implementation *implementation)
{
    const char *wrong = NULL;
    if (strcmp(implementation->path, "emulator") == 0)
        return true;
    int fd = wcts_regular_open(implementation->path, 0, &wrong);
    if (fd >= 0)
        close(fd);
    else
        fprintf(stderr, "wddm-cts: --impl %s: %s\n", implementation->path, wrong);
    return fd >= 0;
}

void wcts_implementation_complain(const struct wcts_implementation *implementation,
                                  const char *error)
{
    char buffer[WCTS_PATH_ROOM];
    const char *path = wcts_path_shown(implementation->path, buffer, sizeof buffer);
    if (strncmp(error, path, strlen(path)) == 0)
        fprintf(stderr, "wddm-cts: %s\n", error);
    else
        fprintf(stderr, "wddm-cts: %s: %s\n", path, error);
}

/* ---- selecting ---- */

/* True if the statement has a case of the sides of --role; rule: that rule of it, -1: any. */
static bool is_of_role(const struct wcts_context *context, int statement, int rule)
{
    const uint32_t sides = wcts_settings_sides(context->settings);
    bool found = sides == (WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER);
    for (int i = 0; !found && i < context->plan->count; i++) {
        const struct wcts_case *test = &context->plan->cases[i];
        found = (sides & wcts_scope_side(test)) && (rule < 0 || test->rule == rule) &&
                context->spec->rules[test->rule].statement == statement;
    }
    return found;
}

/* Lists the near misses among what --role has. */
static void list_near_misses(const struct wcts_context *context, const char *id)
{
    const struct wcts_spec *spec = context->spec;
    const uint32_t sides = wcts_settings_sides(context->settings);
    struct wcts_suggestions near = {0};
    for (int i = 0; i < spec->statements_count; i++)
        if (is_of_role(context, i, -1))
            wcts_suggest(&near, id, spec->statements[i].id);
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_spec_statement(spec, spec->rules[i].id) < 0 &&
            is_of_role(context, spec->rules[i].statement, i))
            wcts_suggest(&near, id, spec->rules[i].id);
    for (int i = 0; i < context->plan->count; i++)
        if (sides & wcts_scope_side(&context->plan->cases[i]))
            wcts_suggest(&near, id, context->plan->cases[i].id);
    for (int i = 0; i < near.count; i++)
        fprintf(stderr, "%s  %s\n", i == 0 ? "did you mean:\n" : "", near.names[i]);
}

void wcts_context_unknown(struct wcts_context *context, const char *id)
{
    plan_rest(context);
    fprintf(stderr, "wddm-cts: there is no case, rule or statement %s\n", id);
    list_near_misses(context, id);
}

/* matched: cases that only --shard keeps out; excluded: those that --exclude does. */
static void nothing_selected(struct wcts_context *context, int matched, int excluded)
{
    const struct wcts_settings *settings = context->settings;
    const struct wcts_strings *filters = &settings->asked.filters;
    if (matched != 0)
        fprintf(stderr, "wddm-cts: no case is selected: shard %d of %d has none of %d\n",
                settings->asked.shard, settings->asked.shards, matched);
    else if (excluded != 0)
        fprintf(stderr, "wddm-cts: no case is selected: --exclude takes all %d that were left\n",
                excluded);
    else
        fputs("wddm-cts: no case is selected\n", stderr);
    if (matched != 0 || excluded != 0)
        return;
    plan_rest(context);
    for (int i = 0; i < filters->count; i++) {
        /* Anchors are no part of any id. */
        char *plain = strdup(filters->of[i] + (filters->of[i][0] == '^'));
        if (!plain)
            return;
        if (plain[0] != '\0' && plain[strlen(plain) - 1] == '$')
            plain[strlen(plain) - 1] = '\0';
        list_near_misses(context, plain);
        free(plain);
    }
}

int wcts_context_select(struct wcts_context *context, int **selected, int *count)
{
    const struct wcts_settings *settings = context->settings;
    const struct wcts_plan *plan = context->plan;
    struct wcts_selection selection;
    int matched = 0, excluded = 0;

    *count = 0;
    *selected = calloc((size_t)plan->count + 1, sizeof **selected);
    if (!*selected)
        return WCTS_EXIT_BROKEN;
    bool ready = wcts_selection_init(&selection, context->spec, settings);
    for (int i = 0; ready && i < plan->count; i++) {
        if (!wcts_selection_would_have(&selection, &plan->cases[i]))
            continue;
        if (wcts_selection_excludes(&selection, plan->cases[i].id))
            excluded++;
        else if (matched++ % settings->asked.shards == settings->asked.shard - 1)
            (*selected)[(*count)++] = i;
    }
    ready = ready && wcts_selection_compared(&selection);
    wcts_selection_release(&selection);
    if (!ready) {
        *count = 0;
        return WCTS_EXIT_USAGE;
    }
    if (*count == 0)
        nothing_selected(context, matched, excluded);
    return *count != 0 ? WCTS_EXIT_OK : WCTS_EXIT_NOTHING;
}

int wcts_context_claims(const struct wcts_context *context, struct wcts_claims *claims)
{
    const struct wcts_settings *settings = context->settings;
    const struct wcts_pool_options options = {.plan = context->plan,
                                              .implementation = settings->asked.implementation,
                                              .level = settings->asked.level,
                                              .timeout = settings->timeout,
                                              .foreground = true};
    char error[512];
    enum wcts_pool_end end =
        wcts_pool_probe(&options, wcts_settings_sides(settings), claims, error, sizeof error);
    if (end == WCTS_POOL_DONE)
        return WCTS_EXIT_OK;
    wcts_implementation_complain(&settings->asked.implementation, error);
    return end == WCTS_POOL_NO_START ? WCTS_EXIT_USAGE : WCTS_EXIT_NOTHING;
}

int wcts_context_keep_sides(const struct wcts_context *context, uint32_t sides, int *selected,
                            int count)
{
    int kept = 0;
    if (context->settings->sides != 0)
        return count;
    for (int i = 0; i < count; i++)
        if (sides & wcts_scope_side(&context->plan->cases[selected[i]]))
            selected[kept++] = selected[i];
    if (count != 0 && kept == 0)
        fputs("wddm-cts: no case is selected of a side that the plug-in has\n", stderr);
    return kept;
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
    struct wcts_selection selection;
    int count = 0;
    bool ready = wcts_selection_init(&selection, spec, context->settings);
    for (int i = 0; ready && i < spec->statements_count; i++) {
        const struct wcts_statement *one = &spec->statements[i];
        statements[i] = one->since <= selection.last && one->until > selection.first &&
                        (sides_of_roles[one->role] & selection.sides) &&
                        wcts_selection_has_id(&selection, one->id);
        count += statements[i];
    }
    ready = ready && wcts_selection_compared(&selection);
    wcts_selection_release(&selection);
    if (!ready)
        return WCTS_EXIT_USAGE;
    return count != 0 ? WCTS_EXIT_OK : WCTS_EXIT_NOTHING;
}
