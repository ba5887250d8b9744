/* SPDX-License-Identifier: MIT */
/* Conditions of effects that depend on the request alone, evaluated in all calls of the plan. A
 * call without a broken rule shows a condition that alone prevents the effect; if all such calls
 * break a rule, that rule masks it. */
#include "worlds.h"

/* True if a condition reads the request alone. */
static bool is_shallow(const struct wcts_condition *when)
{
    for (int a = 0; a < WCTS_ARG_COUNT; a++)
        if (when->arg[a].deep)
            return false;
    return true;
}

/* True if all conditions of an effect can be evaluated here, and one is not shown yet. */
static bool is_asked(const struct wcts_worlds *worlds, int rule)
{
    const struct wcts_rule *effect = &worlds->spec->rules[rule];
    bool open = false;
    if (!wcts_model_is_effect(effect->form))
        return false;
    for (int i = 0; i < effect->when_count; i++) {
        if (!is_shallow(&effect->when[i]))
            return false;
        open = open || worlds->cover->rules[rule].decisions[i].shown == WCTS_SHOWN_NOT;
    }
    return open;
}

static void show_when(struct wcts_worlds *worlds, int rule, int when,
                      const struct wcts_trial *trial)
{
    struct wcts_decision *decision = &worlds->cover->rules[rule].decisions[when];
    enum wcts_shown shown = trial->accepted ? WCTS_SHOWN : WCTS_SHOWN_MASKED;
    struct wcts_prediction prediction = {.broken_count = 0};
    if (!trial->accepted)
        wcts_world_judge(&trial->world, &prediction);
    /* A call that breaks no rule and is not accepted is left open by the documents. */
    if (decision->shown >= shown || (!trial->accepted && prediction.broken_count == 0))
        return;
    decision->shown = shown;
    decision->other = trial->test->index;
    decision->twin = trial->twin;
    decision->why = trial->accepted
                        ? NULL
                        : wcts_arena_format(worlds->cover->arena,
                                            "the other side of it breaks %s, or another rule",
                                            worlds->spec->rules[prediction.broken[0]].id);
}

/* An instance for which one condition alone is false shows that condition. */
static void cover_trial_whens(struct wcts_worlds *worlds, int rule, const struct wcts_trial *trial)
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
        if (fails == 1)
            show_when(worlds, rule, only, trial);
    }
}

bool wcts_cover_whens(struct wcts_worlds *worlds)
{
    bool good = true;
    for (int i = 0; good && i < worlds->count; i++) {
        struct wcts_trial trial = worlds->trials[i];
        good = wcts_cover_trial_build(worlds, &trial);
        for (int r = 0; good && r < worlds->spec->rules_count; r++)
            if (is_asked(worlds, r))
                cover_trial_whens(worlds, r, &trial);
        wcts_world_release(&trial.world);
    }
    return good;
}
