/* SPDX-License-Identifier: MIT */
/* The cases of an effect: calls that meet its conditions and are accepted, or refused for an effect
 * of a refusal. */
#include "../model/finding.h"
#include "planner.h"

#define CASES_A_BASE 8
/* Bases in which the bystanders of an effect vary, and how many of them. */
#define BYSTANDER_BASES 2
#define BYSTANDERS 32
/* The most changes tried for an instance of a base: an effect whose conditions few calls meet would
 * try all pairs of all values. If they are not enough, it needs a scenario. */
#define TRIES_MAX 4000

/* The search for the cases of one effect. */
struct plan_effect_search {
    struct wcts_planner *planner;
    const struct wcts_rule *rule;
    int base, version, count, limit;
    int varied; /* bases in which bystanders varied */
    int tries;
};

/* Only the last operation of a call is judged: it may undo what earlier ones did. */
static bool is_last(const struct wcts_world *world, int instance)
{
    for (int i = instance + 1; i < world->count; i++)
        if (world->instances[i].parent == world->instances[instance].parent)
            return false;
    return true;
}

/* True if the conditions of the effect hold in the changed world, and the call ends as it must. A
 * copy must copy pages of the effect's source, or have ranges that intersect if the effect is about
 * those. */
static bool shows_effect(const struct plan_effect_search *search,
                         const struct wcts_plan_change *change)
{
    struct wcts_planner *planner = search->planner;
    const struct wcts_rule *rule = search->rule;
    const struct wcts_world *world =
        wcts_plan_base_world_with(planner, search->base, search->version, 4096, change);
    struct wcts_oracle_prediction prediction;
    if (!world->instances[planner->instance].present ||
        !wcts_oracle_conditions_hold(world, rule, planner->instance))
        return false;
    if (rule->arg[WCTS_ARG_COPY].given) {
        bool intersect = wcts_oracle_ranges_intersect(world, rule, planner->instance);
        if (intersect != rule->arg[WCTS_ARG_INTERSECT].given ||
            !(intersect || wcts_oracle_source_has(world, rule, planner->instance,
                                                  rule->arg[WCTS_ARG_SOURCE].number)))
            return false;
    }
    wcts_plan_base_world_predict(planner, search->base, search->version, 4096, change, &prediction);
    return wcts_plan_is_evidence(planner, planner->rule, &prediction);
}

static void try_effect_depth(struct plan_effect_search *search, const struct wcts_plan_slots *slots,
                             int first, int depth, const struct wcts_plan_change *so_far)
{
    const struct wcts_world *pristine = &search->planner->base_worlds[search->base].pristine;
    struct wcts_value values[WCTS_VALUES_MAX];
    if (depth == 0) {
        if (search->count < search->limit && search->tries++ < TRIES_MAX &&
            shows_effect(search, so_far)) {
            search->count++;
            wcts_plan_emit(search->planner, WCTS_KIND_EFFECT, search->base, so_far, NULL);
        }
        return;
    }
    for (int i = first; i < slots->count && search->tries < TRIES_MAX; i++) {
        int count = wcts_plan_candidates(search->planner, pristine, search->rule, &slots->slots[i],
                                         4096, values);
        for (int j = 0; j < count; j++) {
            struct wcts_plan_change change = *so_far;
            if (wcts_plan_change_add(&change, slots->slots[i].instance, slots->slots[i].ref,
                                     values[j]))
                try_effect_depth(search, slots, i + 1, depth - 1, &change);
        }
    }
}

/* A refusal may depend on any member of the call. */
static void add_call_members(const struct wcts_planner *planner, const struct wcts_world *world,
                             struct wcts_plan_slots *slots)
{
    for (int i = world->adapter_count; i < world->count; i++)
        for (int m = 0; m < planner->spec->structures[world->instances[i].structure].member_count;
             m++)
            if (slots->count < WCTS_SLOTS_MAX)
                slots->slots[slots->count++] =
                    (struct wcts_plan_slot){i, {world->instances[i].structure, m, -1}};
}

/* Adds all flags of a word, in the instance that has it. */
static void search_flags(const struct plan_effect_search *search, struct wcts_ref ref,
                         struct wcts_plan_slots *slots)
{
    const struct wcts_planner *planner = search->planner;
    const struct wcts_world *pristine = &planner->base_worlds[search->base].pristine;
    int word = wcts_model_ref_member(planner->spec, ref)->word;
    int instance = wcts_world_resolve(pristine, planner->instance, ref.structure);
    for (int i = 0; instance >= 0 && word >= 0 && i < planner->spec->words[word].flag_count; i++) {
        ref.flag = i;
        if (slots->count < WCTS_SLOTS_MAX)
            slots->slots[slots->count++] = (struct wcts_plan_slot){instance, ref};
    }
}

/* Adds a member of the instance itself, unless it is there. */
static void add_own(const struct plan_effect_search *search, struct wcts_ref ref,
                    struct wcts_plan_slots *slots)
{
    int instance = search->planner->instance;
    for (int i = 0; i < slots->count; i++)
        if (slots->slots[i].instance == instance && slots->slots[i].ref.member == ref.member)
            return;
    if (ref.structure == search->rule->on && slots->count < WCTS_SLOTS_MAX)
        slots->slots[slots->count++] = (struct wcts_plan_slot){instance, ref};
}

/* Adds the members on which other effects on pages of the same call depend. */
static void add_kin(const struct plan_effect_search *search, struct wcts_plan_slots *slots)
{
    const struct wcts_spec *spec = search->planner->spec;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *other = &spec->rules[i];
        if (other->form != WCTS_FORM_EFFECT_PAGES || other->on != search->rule->on)
            continue;
        for (int j = 0; j < other->when_count; j++)
            if (!other->when[j].fact && other->when[j].ref.structure >= 0)
                add_own(search, other->when[j].ref, slots);
    }
}

/* Adds facts beside which the effect must show as well: other flags, or other effects on pages. */
static void add_bystanders(const struct plan_effect_search *search, struct wcts_plan_slots *slots)
{
    const struct wcts_rule *rule = search->rule;
    if (rule->form == WCTS_FORM_EFFECT_PAGES) {
        add_kin(search, slots);
        return;
    }
    if (rule->form == WCTS_FORM_EFFECT_REPLY && rule->arg[WCTS_ARG_MEMBER].count > 0)
        search_flags(search, rule->arg[WCTS_ARG_MEMBER].refs[0], slots);
    for (int i = 0; i < rule->when_count; i++)
        if (rule->when[i].fact)
            search_flags(search, rule->when[i].ref, slots);
}

static void plan_instance(struct plan_effect_search *search)
{
    struct wcts_planner *planner = search->planner;
    const struct wcts_world *pristine = &planner->base_worlds[search->base].pristine;
    const struct wcts_plan_change none = {0};
    struct wcts_plan_slots slots = {0};
    bool pages = search->rule->form == WCTS_FORM_EFFECT_PAGES, vary;
    int own;
    if (search->rule->arg[WCTS_ARG_REFUSED].given)
        add_call_members(planner, pristine, &slots);
    else
        wcts_plan_slots_of(planner, pristine, search->rule, planner->instance, &slots);
    search->count = search->tries = 0;
    search->limit = CASES_A_BASE;
    try_effect_depth(search, &slots, 0, 0, &none);
    vary = search->count > 0 && search->varied < (pages ? 1 : BYSTANDER_BASES);
    for (int depth = 1; depth <= 2; depth++)
        if (depth < 2 || search->count == 0)
            try_effect_depth(search, &slots, 0, depth, &none);
    if (search->count == 0) {
        wcts_plan_slots_extend(planner, pristine, &slots);
        try_effect_depth(search, &slots, 0, 2, &none);
    }
    if (!vary)
        return;
    search->varied++;
    search->limit += BYSTANDERS;
    own = slots.count;
    add_bystanders(search, &slots);
    try_effect_depth(search, &slots, pages ? own : 0, 1, &none);
}

/* True if what the base calls is one of the operations in which the effect has its subject. */
static bool has_subject(const struct wcts_spec *spec, const struct wcts_rule *rule, int base)
{
    const struct wcts_step *step = &spec->cases->steps[spec->cases->bases[base].step];
    return (wcts_model_operation_bit(spec->messages[step->message].operation) &
            rule->effect->operations) != 0;
}

void wcts_plan_effect(struct wcts_planner *planner, int index)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[index];
    struct plan_effect_search search = {
        .planner = planner, .rule = rule, .version = rule->until - 1};
    int total = 0;
    planner->rule = index;
    planner->needs = rule->effect->needs;
    /* An effect that one call does not show needs a scenario. */
    search.base = rule->traced ? spec->cases->bases_count : 0;
    for (; search.base < spec->cases->bases_count; search.base++) {
        const struct wcts_world *pristine = &planner->base_worlds[search.base].pristine;
        if (search.version < spec->cases->bases[search.base].since ||
            !has_subject(spec, rule, search.base))
            continue;
        for (int i = pristine->adapter_count; i < pristine->count; i++) {
            if (pristine->instances[i].structure != rule->on ||
                !(rule->arg[WCTS_ARG_REFUSED].given || is_last(pristine, i)))
                continue;
            planner->instance = i;
            plan_instance(&search);
            total += search.count;
        }
    }
    planner->instance = -1;
    total += wcts_plan_scenarios(planner, index, 0);
    if (total == 0)
        wcts_error_at(planner->diagnostics, &rule->place,
                      "no call that a base offers shows effect %s, and no scenario "
                      "expects it, expected at least one",
                      rule->id);
}
