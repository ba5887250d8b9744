/* SPDX-License-Identifier: MIT */
/* Conditions of effects that depend on the request alone, evaluated in all calls of the plan. A
 * call without a broken rule shows a condition that alone prevents the effect; if all such calls
 * break a rule, that rule masks it.
 * Likewise the conditions of rules that no pair shows, since two operations have the two sides of
 * it: a call without a broken rule that would break this one, were it not for that condition. */
#include <stdlib.h>

#include "worlds.h"

/* A case of the plan that breaks the rule; -1: there is none. */
static int case_that_breaks(const struct wcts_cover_worlds *worlds, int rule)
{
    for (int i = 0; i < worlds->count; i++) {
        const struct wcts_cover_trial *trial = &worlds->trials[i];
        if (trial->test->rule == rule && !trial->twin &&
            (wcts_oracle_is_refusal(trial->test->expect) ||
             wcts_oracle_is_refusal(trial->test->strict)))
            return trial->test->index;
    }
    return -1;
}

/* True if all conditions can be evaluated here, and one is not shown yet. */
static bool is_when_asked(const struct wcts_cover_worlds *worlds, int rule)
{
    const struct wcts_rule *effect = &worlds->spec->rules[rule];
    bool open = false;
    if ((!wcts_model_is_effect(effect->form) && !wcts_model_is_asked(effect->form)) ||
        !wcts_cover_is_asked(worlds->cover, rule))
        return false;
    for (int i = 0; i < effect->when_count; i++) {
        if (wcts_model_is_effect(effect->form) && effect->when[i].deep)
            return false;
        open = open || worlds->cover->rules[rule].decisions[i].shown == WCTS_SHOWN_NOT;
    }
    return open;
}

static void show_when(struct wcts_cover_worlds *worlds, int rule, int when,
                      const struct wcts_cover_trial *trial)
{
    struct wcts_cover_decision *decision = &worlds->cover->rules[rule].decisions[when];
    bool effect = wcts_model_is_effect(worlds->spec->rules[rule].form);
    enum wcts_cover_shown shown = trial->accepted ? WCTS_SHOWN : WCTS_SHOWN_MASKED;
    struct wcts_oracle_prediction prediction = {.broken_count = 0};
    if (!trial->accepted)
        wcts_world_judge(&trial->world, &prediction);
    /* A call that breaks no rule and is not accepted is left open by the documents. */
    if (decision->shown >= shown || (!trial->accepted && prediction.broken_count == 0) ||
        (!effect && (!trial->accepted || decision->shown != WCTS_SHOWN_NOT)))
        return;
    decision->shown = shown;
    if (!effect)
        decision->one = case_that_breaks(worlds, rule);
    decision->other = trial->test->index;
    decision->twin = trial->twin;
    decision->why = trial->accepted
                        ? NULL
                        : wcts_arena_format(worlds->cover->arena,
                                            "the other side of it breaks %s, or another rule",
                                            worlds->spec->rules[prediction.broken[0]].id);
}

/* An instance for which one condition alone is false shows that condition. */
static void cover_trial_whens(struct wcts_cover_worlds *worlds, int rule,
                              const struct wcts_cover_trial *trial)
{
    const struct wcts_rule *effect = &worlds->spec->rules[rule];
    const struct wcts_world *world = &trial->world;
    if (!wcts_oracle_rule_binds(worlds->spec, effect, trial->test->version))
        return;
    for (int i = 0; i < world->count; i++) {
        int only = -1, fails = 0;
        if (world->instances[i].structure != effect->on || !world->instances[i].present)
            continue;
        for (int when = 0; when < effect->when_count && fails < 2; when++)
            if (!wcts_oracle_condition_holds(world, effect, when, i)) {
                only = when;
                fails++;
            }
        if (fails == 1 && (wcts_model_is_effect(effect->form) ||
                           wcts_oracle_form_ask(world, effect, i) == WCTS_FALSE))
            show_when(worlds, rule, only, trial);
    }
}

bool wcts_cover_whens(struct wcts_cover_worlds *worlds)
{
    int *asked = calloc((size_t)worlds->spec->rules_count + 1, sizeof *asked), count = 0;
    bool good = asked != NULL;
    for (int r = 0; good && r < worlds->spec->rules_count; r++)
        if (is_when_asked(worlds, r))
            asked[count++] = r;
    for (int i = 0; good && i < worlds->count && count > 0; i++) {
        struct wcts_cover_trial trial = worlds->trials[i];
        good = wcts_cover_trial_build(worlds, &trial);
        for (int a = 0; good && a < count; a++)
            if (is_when_asked(worlds, asked[a]))
                cover_trial_whens(worlds, asked[a], &trial);
        wcts_world_release(&trial.world);
    }
    free(asked);
    return good;
}
