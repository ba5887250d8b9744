/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "planner.h"
#include "sequence.h"
#include "stored.h"
#include "tour.h"

static bool make_base_worlds(struct wcts_planner *planner)
{
    int bases = planner->spec->cases->bases_count;
    planner->base_worlds = calloc((size_t)bases + 1, sizeof *planner->base_worlds);
    if (!planner->base_worlds)
        return false;
    for (int i = 0; i < bases; i++)
        if (!wcts_plan_base_world_init(planner, i))
            return false;
    planner->remembered = calloc(WCTS_REMEMBERED, sizeof *planner->remembered);
    planner->sharing =
        calloc((size_t)planner->spec->rules_count / 64 + 1, sizeof *planner->sharing);
    return planner->remembered && planner->sharing;
}

/* ---- Versions at which something changes ---- */

static void note_edge(struct wcts_planner *planner, bool *is_edge, int version)
{
    if (version >= 0 && version < planner->spec->versions_count)
        is_edge[version] = true;
}

static bool find_version_edges(struct wcts_planner *planner)
{
    const struct wcts_spec *spec = planner->spec;
    bool *is_edge = calloc((size_t)spec->versions_count + 1, sizeof *is_edge);
    planner->version_edges =
        calloc((size_t)spec->versions_count + 1, sizeof *planner->version_edges);
    if (!is_edge || !planner->version_edges) {
        free(is_edge);
        return false;
    }
    note_edge(planner, is_edge, 0);
    for (int i = 0; i < spec->words_count; i++)
        for (int j = 0; j < spec->words[i].flag_count; j++) {
            const struct wcts_flag *flag = &spec->words[i].flags[j];
            note_edge(planner, is_edge, flag->since);
            note_edge(planner, is_edge, flag->until);
            note_edge(planner, is_edge, flag->open_since);
            note_edge(planner, is_edge, flag->open_until);
        }
    for (int i = 0; i < spec->rules_count; i++) {
        note_edge(planner, is_edge, spec->rules[i].since);
        note_edge(planner, is_edge, spec->rules[i].until);
    }
    for (int i = 0; i < spec->gaps_count; i++) {
        note_edge(planner, is_edge, spec->gaps[i].since);
        note_edge(planner, is_edge, spec->gaps[i].until);
    }
    for (int i = 0; i < spec->structures_count; i++) {
        const struct wcts_structure *structure = &spec->structures[i];
        note_edge(planner, is_edge, structure->since);
        note_edge(planner, is_edge, structure->until);
        for (int j = 0; j < structure->member_count; j++) {
            note_edge(planner, is_edge, structure->members[j].since);
            note_edge(planner, is_edge, structure->members[j].until);
        }
    }
    for (int i = 0; i < spec->versions_count; i++)
        if (is_edge[i])
            planner->version_edges[planner->version_edge_count++] = i;
    free(is_edge);
    return true;
}

/* ---- The plan ---- */

static void check_bases(struct wcts_planner *planner)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_plan_change none = {0};
    for (int i = 0; i < spec->cases->bases_count; i++) {
        const struct wcts_base *base = &spec->cases->bases[i];
        for (int version = base->since; version < base->until; version++) {
            struct wcts_oracle_prediction prediction;
            wcts_plan_base_world_predict(planner, i, version, 4096, &none, &prediction);
            if (prediction.expect == WCTS_EXPECT_ACCEPT)
                continue;
            wcts_error_at(planner->diagnostics, &base->place,
                          "base \"%s\" breaks %s at version %s, expected it to break no rule",
                          base->name,
                          prediction.broken_count ? spec->rules[prediction.broken[0]].id
                                                  : "no rule but is left open",
                          spec->versions[version].name);
            break;
        }
    }
}

static void planner_release(struct wcts_planner *planner)
{
    for (int i = 0; planner->base_worlds && i < planner->spec->cases->bases_count; i++)
        wcts_plan_base_world_release(planner, i);
    free(planner->base_worlds);
    free(planner->remembered);
    free(planner->facts.entries);
    free(planner->sharing);
    free(planner->wanted);
    wcts_oracle_reads_release(&planner->reads);
    free(planner->version_edges);
    wcts_plan_names_release(planner);
    wcts_oracle_eval_release(&planner->eval);
}

static bool plan_sequences(struct wcts_plan *plan, const struct wcts_plan_options *options,
                           struct wcts_diagnostics *diagnostics)
{
    bool wanted = false;
    if (!options || (options->steps == 0 && options->tours == 0))
        return true;
    for (int i = 0; i < plan->spec->documents_count; i++)
        wanted = wanted || wcts_plan_wants(options, plan->spec->documents[i].prefix);
    return !wanted || (wcts_plan_walks(plan, options->seed, options->steps, diagnostics) &&
                       wcts_plan_tours(plan, options->seed, options->tours));
}

static void plan_combinations(struct wcts_planner *planner, const struct wcts_plan_options *options)
{
    for (int i = 0; i < options->combination_count; i++) {
        const struct wcts_combination *one = &options->combinations[i];
        if (i > 0 && one->rule != one[-1].rule)
            wcts_plan_names_release(planner);
        if (planner->wanted[one->rule])
            wcts_plan_emit_combination(planner, one);
    }
    wcts_plan_names_release(planner);
}

/* ---- Scenarios, each with all its effects ---- */

/* Of the tests of a rule those of one scenario come behind each other; so do now those of one
 * performance of it, of which nothing but the first has to be performed (run/again.h). */
struct plan_grouped {
    struct wcts_test test;
    int index;
};

/* True for effects on pages: these are performed otherwise, so they come last. */
static bool is_about_pages(const struct wcts_plan *plan, const struct wcts_series *series)
{
    return plan->spec->rules[series->rule].form == WCTS_FORM_EFFECT_PAGES;
}

static int compare_groups(const void *a, const void *b, void *of)
{
    const struct wcts_plan *plan = of;
    const struct plan_grouped *one = a, *other = b;
    const struct wcts_series *ones = &plan->series[one->test.series],
                             *others = &plan->series[other->test.series];
    const int64_t keys[][2] = {{ones->scenario, others->scenario},
                               {ones->page_size, others->page_size},
                               {one->test.version, other->test.version},
                               {one->test.number, other->test.number},
                               {is_about_pages(plan, ones), is_about_pages(plan, others)},
                               {one->index, other->index}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Puts the tests of scenarios behind the others. False without memory. */
static bool group_scenarios(struct wcts_plan *plan)
{
    struct plan_grouped *grouped;
    int left = 0, moved = 0;
    for (int i = 0; i < plan->count; i++)
        moved += wcts_plan_series(plan, i)->kind == WCTS_KIND_SCENARIO;
    grouped = calloc((size_t)moved + 1, sizeof *grouped);
    moved = 0;
    for (int i = 0; grouped && i < plan->count; i++) {
        if (wcts_plan_series(plan, i)->kind == WCTS_KIND_SCENARIO)
            grouped[moved++] = (struct plan_grouped){plan->tests[i], i};
        else
            plan->tests[left++] = plan->tests[i];
    }
    if (grouped)
        qsort_r(grouped, (size_t)moved, sizeof *grouped, compare_groups, plan);
    for (int i = 0; i < moved; i++)
        plan->tests[left + i] = grouped[i].test;
    free(grouped);
    return grouped != NULL;
}

/* ---- All rules ---- */

/* Plans the tests of all rules. False if the bases are wrong. */
static bool plan_rules(struct wcts_planner *planner)
{
    const struct wcts_spec *spec = planner->spec;
    int errors = planner->diagnostics->errors;
    check_bases(planner);
    /* In a base that breaks a rule, every other rule would seem masked. */
    if (planner->diagnostics->errors != errors)
        return false;
    for (int i = 0; i < spec->rules_count; i++)
        if (planner->wanted[i]) {
            wcts_plan_rule(planner, i);
            wcts_plan_names_release(planner);
        }
    return true;
}

/* Reads them instead; of a few rules they are planned sooner. Scenarios that came to those that the
 * file was made with are planned. */
static bool read_stored_rules(struct wcts_planner *planner, const struct wcts_plan_options *options)
{
    const struct wcts_spec *spec = planner->spec;
    if (!options || !options->stored || options->wants || planner->few || planner->newest_only ||
        !wcts_plan_read_stored(planner->plan, options->stored))
        return false;
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_model_is_effect(spec->rules[i].form))
            wcts_plan_scenarios(planner, i, spec->shared_scenarios);
    return true;
}

struct wcts_plan *wcts_plan_make(const struct wcts_spec *spec,
                                 const struct wcts_plan_options *options,
                                 struct wcts_diagnostics *diagnostics)
{
    struct wcts_planner planner = {.spec = spec, .diagnostics = diagnostics, .instance = -1};
    int errors = diagnostics->errors;
    bool good;
    planner.few = options && options->few;
    planner.newest_only = options && options->newest_only;
    planner.plan = calloc(1, sizeof *planner.plan);
    if (!planner.plan)
        return NULL;
    planner.plan->spec = spec;
    planner.plan->arena = wcts_arena_new();
    planner.wanted = wcts_plan_wanted_rules(options, spec);
    good = planner.wanted && wcts_oracle_eval_init(&planner.eval, spec) &&
           wcts_oracle_reads_init(&planner.reads, &planner.eval) && make_base_worlds(&planner) &&
           find_version_edges(&planner);
    if (good) {
        bool sound = read_stored_rules(&planner, options) || plan_rules(&planner);
        good = group_scenarios(planner.plan);
        if (sound && options)
            plan_combinations(&planner, options);
        if (good && sound)
            good = plan_sequences(planner.plan, options, diagnostics);
        if (sound && good && options && options->sweeps != WCTS_SWEEPS_NONE)
            wcts_plan_sweeps(&planner, options);
    }
    planner_release(&planner);
    if (!good || diagnostics->errors != errors) {
        wcts_plan_free(planner.plan);
        return NULL;
    }
    return planner.plan;
}

void wcts_plan_free(struct wcts_plan *plan)
{
    if (!plan)
        return;
    free(plan->tests);
    free(plan->planned);
    free(plan->series);
    wcts_arena_free(plan->arena);
    free(plan);
}
