/* SPDX-License-Identifier: MIT */
/* The cases of an effect: calls that are accepted (or, for one that a refusal leaves, refused) and
 * under whose conditions it comes about. */
#include "planner.h"

#define CASES_A_BASE 8
/* Bases in which the bystanders of an effect vary, and how many of them. */
#define BYSTANDER_BASES 2
#define BYSTANDERS 32
/* Changes that are tried for one instance of a base: an effect under whose conditions few calls
 * come would try all pairs of all values. What is not found within them needs a scenario. */
#define TRIES_MAX 4000

struct finding {
    struct wcts_planner *planner;
    const struct wcts_rule *rule;
    int base, version, count, limit;
    int varied; /* bases in which bystanders varied */
    int tries;
};

/* Later operations of a call may undo what earlier ones do: only the last is looked at. */
static bool is_last(const struct wcts_world *world, int instance)
{
    for (int i = instance + 1; i < world->count; i++)
        if (world->instances[i].parent == world->instances[instance].parent)
            return false;
    return true;
}

/* A copy is looked at where it copies something that the effect speaks of, and ranges that
 * intersect by the effects that speak of those. */
static bool copies(const struct wcts_world *world, const struct wcts_rule *rule, int instance)
{
    const struct wcts_operand *source = &rule->arg[WCTS_ARG_SOURCE];
    bool intersect = wcts_ranges_intersect(world, rule, instance);
    if (intersect != rule->arg[WCTS_ARG_INTERSECT].given)
        return false;
    return intersect || wcts_source_has(world, rule, instance, source->number);
}

/* True if the conditions of the effect hold in the changed world, and the call ends as it must. */
static bool comes_about(const struct finding *finding, const struct wcts_change *change)
{
    struct wcts_planner *planner = finding->planner;
    const struct wcts_world *world =
        wcts_base_world_with(planner, finding->base, finding->version, 4096, change);
    struct wcts_prediction prediction;
    if (!world->instances[planner->instance].present ||
        !wcts_conditions_hold(world, finding->rule, planner->instance))
        return false;
    if (finding->rule->arg[WCTS_ARG_COPY].given && !copies(world, finding->rule, planner->instance))
        return false;
    wcts_world_judge(world, &prediction);
    return wcts_is_evidence(planner, planner->rule, &prediction);
}

static void try_effect_change(struct finding *finding, const struct wcts_change *change)
{
    if (finding->count >= finding->limit || finding->tries++ >= TRIES_MAX ||
        !comes_about(finding, change))
        return;
    finding->count++;
    wcts_emit(finding->planner, WCTS_KIND_EFFECT, finding->base, change, NULL);
}

static void try_effect_depth(struct finding *finding, const struct wcts_slots *slots, int first,
                             int depth, const struct wcts_change *so_far)
{
    const struct wcts_world *pristine = &finding->planner->base_worlds[finding->base].pristine;
    struct wcts_value values[WCTS_VALUES_MAX];
    if (depth == 0) {
        try_effect_change(finding, so_far);
        return;
    }
    for (int i = first; i < slots->count && finding->tries < TRIES_MAX; i++) {
        int count = wcts_candidates(finding->planner, pristine, finding->rule, &slots->slots[i],
                                    4096, values);
        for (int j = 0; j < count; j++) {
            struct wcts_change change = *so_far;
            if (wcts_change_add(&change, slots->slots[i].instance, slots->slots[i].ref, values[j]))
                try_effect_depth(finding, slots, i + 1, depth - 1, &change);
        }
    }
}

/* A refusal is brought about by any member of the call. */
static void add_call_members(const struct wcts_planner *planner, const struct wcts_world *world,
                             struct wcts_slots *slots)
{
    for (int i = world->adapter_count; i < world->count; i++)
        for (int m = 0; m < planner->spec->structures[world->instances[i].structure].member_count;
             m++)
            if (slots->count < WCTS_SLOTS_MAX)
                slots->slots[slots->count++] =
                    (struct wcts_slot){i, {world->instances[i].structure, m, -1}};
}

/* All flags of a word, in what the instance leads to that has it. */
static void add_flags(const struct finding *finding, struct wcts_ref ref, struct wcts_slots *slots)
{
    const struct wcts_planner *planner = finding->planner;
    const struct wcts_world *pristine = &planner->base_worlds[finding->base].pristine;
    int word = wcts_ref_member(planner->spec, ref)->word;
    int instance = wcts_world_resolve(pristine, planner->instance, ref.structure);
    for (int i = 0; instance >= 0 && word >= 0 && i < planner->spec->words[word].flag_count; i++) {
        ref.flag = i;
        if (slots->count < WCTS_SLOTS_MAX)
            slots->slots[slots->count++] = (struct wcts_slot){instance, ref};
    }
}

/* Adds a member of the instance itself, unless it is there. */
static void add_own(const struct finding *finding, struct wcts_ref ref, struct wcts_slots *slots)
{
    int instance = finding->planner->instance;
    for (int i = 0; i < slots->count; i++)
        if (slots->slots[i].instance == instance && slots->slots[i].ref.member == ref.member)
            return;
    if (ref.structure == finding->rule->on && slots->count < WCTS_SLOTS_MAX)
        slots->slots[slots->count++] = (struct wcts_slot){instance, ref};
}

/* What other effects on the pages of the same call depend on. */
static void add_kin(const struct finding *finding, struct wcts_slots *slots)
{
    const struct wcts_spec *spec = finding->planner->spec;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *other = &spec->rules[i];
        if (other->form != WCTS_FORM_EFFECT_PAGES || other->on != finding->rule->on)
            continue;
        for (int j = 0; j < other->when_count; j++)
            if (other->when[j].arg[WCTS_ARG_MEMBER].given)
                add_own(finding, other->when[j].arg[WCTS_ARG_MEMBER].refs[0], slots);
    }
}

/* What comes about, comes about beside any other flag, and on pages beside any other effect. */
static void add_bystanders(const struct finding *finding, struct wcts_slots *slots)
{
    const struct wcts_rule *rule = finding->rule;
    if (rule->form == WCTS_FORM_EFFECT_PAGES) {
        add_kin(finding, slots);
        return;
    }
    if (rule->form == WCTS_FORM_EFFECT_REPLY)
        add_flags(finding, rule->arg[WCTS_ARG_MEMBER].refs[0], slots);
    for (int i = 0; i < rule->when_count; i++)
        if (rule->when[i].arg[WCTS_ARG_FACT].given)
            add_flags(finding, rule->when[i].arg[WCTS_ARG_FACT].refs[0], slots);
}

static void plan_instance(struct finding *finding)
{
    struct wcts_planner *planner = finding->planner;
    const struct wcts_world *pristine = &planner->base_worlds[finding->base].pristine;
    const struct wcts_change none = {0};
    struct wcts_slots slots = {0};
    bool pages = finding->rule->form == WCTS_FORM_EFFECT_PAGES, vary;
    int own;
    if (finding->rule->arg[WCTS_ARG_REFUSED].given)
        add_call_members(planner, pristine, &slots);
    else
        wcts_slots_of(planner, pristine, finding->rule, planner->instance, &slots);
    finding->count = finding->tries = 0;
    finding->limit = CASES_A_BASE;
    try_effect_depth(finding, &slots, 0, 0, &none);
    vary = finding->count > 0 && finding->varied < (pages ? 1 : BYSTANDER_BASES);
    for (int depth = 1; depth <= 2; depth++)
        if (depth < 2 || finding->count == 0)
            try_effect_depth(finding, &slots, 0, depth, &none);
    if (finding->count == 0) {
        wcts_slots_extend(planner, pristine, &slots);
        try_effect_depth(finding, &slots, 0, 2, &none);
    }
    if (!vary)
        return;
    finding->varied++;
    finding->limit += BYSTANDERS;
    own = slots.count;
    add_bystanders(finding, &slots);
    try_effect_depth(finding, &slots, pages ? own : 0, 1, &none);
}

void wcts_plan_effect(struct wcts_planner *planner, int index)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[index];
    struct finding finding = {.planner = planner, .rule = rule, .version = rule->until - 1};
    int total = 0;
    planner->rule = index;
    /* What one call does not show is shown by scenarios alone. */
    finding.base = rule->traced ? spec->cases->bases_count : 0;
    for (; finding.base < spec->cases->bases_count; finding.base++) {
        const struct wcts_world *pristine = &planner->base_worlds[finding.base].pristine;
        if (finding.version < spec->cases->bases[finding.base].since)
            continue;
        for (int i = pristine->adapter_count; i < pristine->count; i++) {
            if (pristine->instances[i].structure != rule->on ||
                !(rule->arg[WCTS_ARG_REFUSED].given || is_last(pristine, i)))
                continue;
            planner->instance = i;
            plan_instance(&finding);
            total += finding.count;
        }
    }
    planner->instance = -1;
    total += wcts_plan_scenarios(planner, index);
    if (total == 0)
        wcts_error_at(planner->diagnostics, &rule->place,
                      "no call that a base offers shows effect %s, and no scenario "
                      "expects it, expected at least one",
                      rule->id);
}
