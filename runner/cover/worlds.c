/* SPDX-License-Identifier: MIT */
/* Pairs of calls that differ in one fact, among all calls of the plan. */
#include <stdlib.h>
#include <string.h>

#include "../model/facts.h"
#include "worlds.h"

/* ---- the trials, those of one base, version and page size together ---- */

static int group_order(const struct wcts_case *a, const struct wcts_case *b)
{
    if (a->base != b->base)
        return a->base < b->base ? -1 : 1;
    if (a->version != b->version)
        return a->version < b->version ? -1 : 1;
    return (a->page_size > b->page_size) - (a->page_size < b->page_size);
}

/* In plan order within a group; a case before its twin. */
static int by_group(const void *left, const void *right)
{
    const struct wcts_cover_trial *a = left, *b = right;
    int order = group_order(a->test, b->test);
    if (order == 0 && a->test != b->test)
        order = a->test < b->test ? -1 : 1;
    return order != 0 ? order : (int)a->twin - (int)b->twin;
}

static bool has_world(const struct wcts_case *test)
{
    return test->base >= 0 && !test->scenario && !wcts_model_is_drawn(test->kind) && !test->swept &&
           test->expect != WCTS_EXPECT_ANSWER;
}

static bool collect_trials(struct wcts_cover_worlds *worlds, const struct wcts_plan *plan)
{
    worlds->trials = calloc((size_t)plan->count * 2 + 1, sizeof *worlds->trials);
    if (!worlds->trials)
        return false;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = &worlds->cover->cases[i];
        if (!has_world(test))
            continue;
        worlds->trials[worlds->count++].test = test;
        if (test->twin_count < 0)
            continue;
        worlds->trials[worlds->count].twin = true;
        worlds->trials[worlds->count++].test = test;
    }
    qsort(worlds->trials, (size_t)worlds->count, sizeof *worlds->trials, by_group);
    return true;
}

bool wcts_cover_trial_world(struct wcts_cover_worlds *worlds, struct wcts_cover_trial *trial)
{
    const struct wcts_case *test = trial->test;
    return wcts_oracle_case_world(&trial->world, &worlds->eval, test,
                                  trial->twin ? test->twin : test->facts,
                                  trial->twin ? test->twin_count : test->fact_count);
}

bool wcts_cover_trial_build(struct wcts_cover_worlds *worlds, struct wcts_cover_trial *trial)
{
    struct wcts_oracle_prediction prediction;
    if (!wcts_cover_trial_world(worlds, trial))
        return false;
    wcts_world_judge(&trial->world, &prediction);
    trial->accepted = prediction.expect == WCTS_EXPECT_ACCEPT;
    return true;
}

/* ---- a pair ---- */

void wcts_cover_trial_show(struct wcts_cover_decision *decision, enum wcts_cover_shown shown,
                           const struct wcts_cover_trial *one, const struct wcts_cover_trial *other)
{
    if (decision->shown >= shown)
        return;
    decision->shown = shown;
    decision->one = one->test->index;
    decision->other = other->test->index;
    decision->twin = other->twin;
}

/* For a rule: instances that break it in one, and exist and keep it in the other. A layout has
 * nothing to break. */
static void show_pair(const struct wcts_cover_worlds *worlds, const struct wcts_cover_trial *one,
                      const struct wcts_cover_trial *other)
{
    struct wcts_cover_rule *cover = &worlds->cover->rules[one->test->rule];
    struct wcts_cover_call_pair pair = {.rule = &worlds->spec->rules[one->test->rule],
                                        .atoms = &worlds->atoms[one->test->rule],
                                        .one = &one->world,
                                        .other = &other->world};
    wcts_cover_worlds_differ(pair.one, pair.other, &pair.place);
    if (pair.place.count != 1)
        return;
    for (pair.instance = 0; pair.instance < pair.one->count; pair.instance++)
        for (int i = 0; wcts_cover_pair_begins(&pair) && i < pair.atoms->count; i++)
            if (cover->decisions[i].shown != WCTS_SHOWN)
                wcts_cover_trial_show(&cover->decisions[i], wcts_cover_pair_shows(&pair, i), one,
                                      other);
}

/* ---- all pairs ---- */

/* True if the case breaks its rule, or belongs to a layout. */
bool wcts_cover_trial_begins(const struct wcts_cover_worlds *worlds,
                             const struct wcts_cover_trial *trial)
{
    const struct wcts_rule *rule = &worlds->spec->rules[trial->test->rule];
    if (trial->twin)
        return false;
    if (rule->form == WCTS_FORM_LAYOUT)
        return true;
    return wcts_model_is_asked(rule->form) &&
           (wcts_oracle_is_refusal(trial->test->expect) ||
            wcts_oracle_is_refusal(trial->test->strict)) &&
           wcts_oracle_rule_ask_all(&trial->world, rule, NULL) == WCTS_FALSE;
}

/* Compares a trial with its own twin, and then with all of its group [first, end). */
static void compare_trial(const struct wcts_cover_worlds *worlds,
                          const struct wcts_cover_trial *one, int first, int end)
{
    struct wcts_cover_rule *cover = &worlds->cover->rules[one->test->rule];
    bool layout = worlds->spec->rules[one->test->rule].form == WCTS_FORM_LAYOUT;
    cover->occurred = true;
    if (one + 1 < worlds->trials + end && one[1].twin)
        show_pair(worlds, one, one + 1);
    for (int i = first; i < end && !wcts_cover_is_done(cover); i++)
        if (&worlds->trials[i] != one && (layout || worlds->trials[i].accepted))
            show_pair(worlds, one, &worlds->trials[i]);
}

/* A case and its twin also show places of layouts. */
static void show_twin(const struct wcts_cover_worlds *worlds, const struct wcts_cover_trial *one,
                      const struct wcts_cover_trial *twin)
{
    struct wcts_cover_call_pair pair = {.one = &one->world, .other = &twin->world};
    wcts_cover_worlds_differ(pair.one, pair.other, &pair.place);
    pair.instance = pair.place.instance;
    for (int r = 0; pair.place.count == 1 && r < worlds->spec->rules_count; r++) {
        pair.rule = &worlds->spec->rules[r];
        pair.atoms = &worlds->atoms[r];
        for (int i = 0; pair.rule->form == WCTS_FORM_LAYOUT && i < pair.atoms->count; i++)
            wcts_cover_trial_show(&worlds->cover->rules[r].decisions[i],
                                  wcts_cover_pair_shows(&pair, i), one, twin);
    }
}

/* True if a call of the group may begin a pair, or any pair shows places of a layout. */
static bool is_group_asked(const struct wcts_cover_worlds *worlds, int first, int end)
{
    for (int r = 0; r < worlds->spec->rules_count; r++)
        if (worlds->spec->rules[r].form == WCTS_FORM_LAYOUT &&
            wcts_cover_is_asked(worlds->cover, r))
            return true;
    for (int i = first; i < end; i++)
        if (wcts_cover_is_asked(worlds->cover, worlds->trials[i].test->rule))
            return true;
    return false;
}

static bool show_group(struct wcts_cover_worlds *worlds, int first, int end)
{
    bool good = true;
    if (!is_group_asked(worlds, first, end))
        return true;
    for (int i = first; good && i < end; i++)
        good = wcts_cover_trial_build(worlds, &worlds->trials[i]);
    for (int i = first; good && i < end; i++)
        if (wcts_cover_is_asked(worlds->cover, worlds->trials[i].test->rule) &&
            wcts_cover_trial_begins(worlds, &worlds->trials[i]))
            compare_trial(worlds, &worlds->trials[i], first, end);
    for (int i = first + 1; good && i < end; i++)
        if (worlds->trials[i].twin)
            show_twin(worlds, &worlds->trials[i - 1], &worlds->trials[i]);
    for (int i = first; i < end; i++)
        wcts_world_release(&worlds->trials[i].world);
    return good;
}

static bool show_all_groups(struct wcts_cover_worlds *worlds)
{
    bool good = true;
    for (int first = 0, end; good && first < worlds->count; first = end) {
        for (end = first + 1; end < worlds->count; end++)
            if (group_order(worlds->trials[first].test, worlds->trials[end].test) != 0)
                break;
        good = show_group(worlds, first, end);
    }
    return good;
}

/* ---- versions ---- */

static bool same_change(const struct wcts_case *a, const struct wcts_case *b)
{
    return a->base == b->base && a->page_size == b->page_size &&
           wcts_model_same_facts(a->facts, a->fact_count, b->facts, b->fact_count);
}

/* The same call at two versions: it breaks the gate at one, and no rule at the other. */
static void show_versions(const struct wcts_cover_worlds *worlds, int rule, int atom)
{
    const struct wcts_plan *plan = worlds->cover->plan;
    struct wcts_cover_decision *decision = &worlds->cover->rules[rule].decisions[atom];
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = &worlds->cover->cases[i];
        if (test->rule != rule || !has_world(test) ||
            !(wcts_oracle_is_refusal(test->expect) || wcts_oracle_is_refusal(test->strict)))
            continue;
        for (int j = 0; j < plan->count && decision->shown == WCTS_SHOWN_NOT; j++)
            if (worlds->cover->cases[j].rule == rule &&
                worlds->cover->cases[j].expect == WCTS_EXPECT_ACCEPT &&
                same_change(test, &worlds->cover->cases[j]))
                *decision =
                    (struct wcts_cover_decision){decision->text, WCTS_SHOWN, i, j, false, NULL};
    }
}

/* ---- decisions ---- */

static void prepare_decisions(struct wcts_cover_worlds *worlds, int rule)
{
    struct wcts_cover *cover = worlds->cover;
    struct wcts_cover_rule *one = &cover->rules[rule];
    const struct wcts_cover_atoms *atoms = &worlds->atoms[rule];
    one->count = atoms->count;
    one->decisions = wcts_arena_array(cover->arena, (size_t)atoms->count, sizeof *one->decisions);
    for (int i = 0; i < atoms->count; i++)
        one->decisions[i] = (struct wcts_cover_decision){
            .text = wcts_cover_atom_text(cover->arena, worlds->spec, &worlds->spec->rules[rule],
                                         &atoms->list[i]),
            .one = -1,
            .other = -1};
}

bool wcts_cover_worlds_init(struct wcts_cover_worlds *worlds, struct wcts_cover *cover)
{
    const struct wcts_spec *spec = cover->plan->spec;
    *worlds = (struct wcts_cover_worlds){.cover = cover, .spec = spec};
    worlds->atoms =
        wcts_arena_array(cover->arena, (size_t)spec->rules_count, sizeof *worlds->atoms);
    return wcts_oracle_eval_init(&worlds->eval, spec) && collect_trials(worlds, cover->plan);
}

void wcts_cover_worlds_release(struct wcts_cover_worlds *worlds)
{
    free(worlds->trials);
    wcts_oracle_eval_release(&worlds->eval);
}

bool wcts_cover_pairs(struct wcts_cover_worlds *worlds)
{
    for (int i = 0; i < worlds->spec->rules_count; i++) {
        if (wcts_model_is_effect(worlds->spec->rules[i].form) ||
            !wcts_cover_is_asked(worlds->cover, i))
            continue;
        wcts_cover_atoms_of(worlds->spec, &worlds->spec->rules[i], &worlds->atoms[i]);
        prepare_decisions(worlds, i);
    }
    if (!show_all_groups(worlds))
        return false;
    for (int i = 0; i < worlds->spec->rules_count; i++)
        for (int j = 0; j < worlds->atoms[i].count; j++)
            if (worlds->atoms[i].list[j].kind == WCTS_ATOM_VERSION)
                show_versions(worlds, i, j);
    return true;
}
