/* SPDX-License-Identifier: MIT */
/* Conditions of layouts that no pair of rules' calls shows: does the place ever have another value?
 */
#include <string.h>

#include "worlds.h"

/* ---- layouts: does the place ever have another value? ---- */

/* The first value at a place. */
struct cover_first {
    const struct wcts_case *test;
    bool twin;
    struct wcts_value value;
};

static void compare_trial_values(const struct wcts_cover_trial *trial,
                                 const struct wcts_cover_atom *atom,
                                 struct wcts_cover_decision *decision, struct cover_first *first)
{
    const struct wcts_world *world = &trial->world;
    for (int i = 0; i < world->count; i++) {
        struct wcts_value value;
        if (world->instances[i].structure != atom->ref.structure || !world->instances[i].present)
            continue;
        value = wcts_world_get(world, i, atom->ref);
        if (!first->test) {
            *first = (struct cover_first){trial->test, trial->twin, value};
        } else if (value.symbol != first->value.symbol || value.number != first->value.number) {
            const struct wcts_cover_trial begin = {.test = first->test, .twin = first->twin};
            wcts_cover_trial_show(decision, WCTS_SHOWN_COUPLED, &begin, trial);
        }
    }
}

/* True if an instance sets the place to another value. */
static bool is_set_to_other(const struct wcts_spec *spec, const struct wcts_instance *instances,
                            int count, struct wcts_ref ref, struct wcts_value value)
{
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < instances[i].set_count; j++) {
            const struct wcts_set *set = &instances[i].sets[j];
            if (strcmp(spec->structures[set->ref.structure].type,
                       spec->structures[ref.structure].type) == 0 &&
                wcts_model_ref_member(spec, set->ref)->offset == member->offset &&
                (set->value.symbol != value.symbol || set->value.number != value.number))
                return true;
        }
    return false;
}

static bool scenarios_differ(const struct wcts_spec *spec, struct wcts_ref ref,
                             struct wcts_value value)
{
    const struct wcts_cases *cases = spec->cases;
    for (int i = 0; i < cases->adapters_count; i++)
        if (is_set_to_other(spec, cases->adapters[i].instances, cases->adapters[i].instance_count,
                            ref, value))
            return true;
    for (int i = cases->common_steps; i < cases->steps_count; i++)
        if (is_set_to_other(spec, cases->steps[i].instances, cases->steps[i].instance_count, ref,
                            value))
            return true;
    return false;
}

/* True if the member is the first number in the structures of one array: it identifies the
 * structure. */
static bool tells_apart(const struct wcts_spec *spec, struct wcts_ref ref)
{
    const char *name = spec->structures[ref.structure].name;
    size_t length = strlen(name);
    if (wcts_model_ref_member(spec, ref)->offset != 0)
        return false;
    for (int s = 0; s < spec->structures_count; s++)
        for (int m = 0; m < spec->structures[s].member_count; m++) {
            const char *all = spec->structures[s].members[m].elements;
            const char *at = all ? strstr(all, name) : NULL;
            if (at && strchr(all, ' ') && (at == all || at[-1] == ' ') &&
                (at[length] == ' ' || at[length] == '\0'))
                return true;
        }
    return false;
}

/* Explains the decision: some places have only one value in a meaningful call. */
static void explain_place(const struct wcts_spec *spec, const struct wcts_cover_atom *atom,
                          struct wcts_cover_decision *decision)
{
    if (decision->shown != WCTS_SHOWN_NOT) {
        decision->why = "no two calls differ in it alone, but it has different values";
    } else if (tells_apart(spec, atom->ref)) {
        decision->shown = WCTS_SHOWN_MASKED;
        decision->why = "it identifies the structure: another value is another structure";
    } else if (wcts_model_ref_member(spec, atom->ref)->type == WCTS_TYPE_POINTER) {
        decision->shown = WCTS_SHOWN_MASKED;
        decision->why = "it points to what is sent along in every call";
    } else {
        decision->why = "it has one value in all calls";
    }
}

static bool search_place_values(struct wcts_cover_worlds *worlds,
                                const struct wcts_cover_atom *atom,
                                struct wcts_cover_decision *decision)
{
    struct cover_first first = {0};
    for (int i = 0; i < worlds->count && decision->shown == WCTS_SHOWN_NOT; i++) {
        struct wcts_cover_trial trial = worlds->trials[i];
        bool good = wcts_cover_trial_world(worlds, &trial);
        if (good)
            compare_trial_values(&trial, atom, decision, &first);
        wcts_world_release(&trial.world);
        if (!good)
            return false;
    }
    if (decision->shown == WCTS_SHOWN_NOT && first.test &&
        scenarios_differ(worlds->spec, atom->ref, first.value))
        decision->shown = WCTS_SHOWN_COUPLED;
    explain_place(worlds->spec, atom, decision);
    return true;
}

bool wcts_cover_values(struct wcts_cover_worlds *worlds)
{
    bool good = true;
    for (int r = 0; r < worlds->spec->rules_count; r++)
        for (int i = 0; good && i < worlds->atoms[r].count; i++)
            if (worlds->atoms[r].list[i].kind == WCTS_ATOM_PLACE &&
                worlds->cover->rules[r].decisions[i].shown == WCTS_SHOWN_NOT)
                good = search_place_values(worlds, &worlds->atoms[r].list[i],
                                           &worlds->cover->rules[r].decisions[i]);
    return good;
}
