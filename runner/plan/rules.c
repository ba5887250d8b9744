/* SPDX-License-Identifier: MIT */
/* The cases of one rule: witnesses, boundaries, layout. */
#include <string.h>

#include "planner.h"

#define SOLUTIONS_MAX 64
/* The solutions to which further flags are added. */
#define BESIDE_MAX 8

/* ---- Witnesses: for each fact of the rule a pair that differs in it alone ---- */

/* Removes the fact at a place. */
static void drop_fact(struct wcts_plan_change *change, const struct wcts_plan_slot *slot)
{
    for (int i = 0; i < change->count; i++) {
        const struct wcts_fact *fact = &change->facts[i];
        if (fact->instance == slot->instance && fact->ref.member == slot->ref.member &&
            fact->ref.flag == slot->ref.flag) {
            change->facts[i] = change->facts[--change->count];
            return;
        }
    }
}

static bool is_limited(const struct wcts_cases *cases, struct wcts_ref ref)
{
    for (int i = 0; i < cases->domains_count; i++)
        if (cases->domains[i].of.structure == ref.structure &&
            cases->domains[i].of.member == ref.member && cases->domains[i].only)
            return true;
    return false;
}

/* Values worth trying at a place; wide: also half and twice the base's value, for rules that
 * suggest none. */
static int twin_values(struct wcts_planner *planner, int base, const struct wcts_plan_slot *slot,
                       bool wide, struct wcts_value *values)
{
    const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
    const struct wcts_member *member = wcts_model_ref_member(planner->spec, slot->ref);
    struct wcts_value value = wcts_world_get(pristine, slot->instance, slot->ref);
    int count = wcts_plan_candidates(planner, pristine, &planner->spec->rules[planner->rule], slot,
                                     4096, values);
    if (!wide || slot->ref.flag >= 0 || value.symbol != -1 || value.number < 2 ||
        value.number >= UINT64_C(1) << (8 * member->width - 1) ||
        is_limited(planner->spec->cases, slot->ref) || count + 2 > WCTS_VALUES_MAX)
        return count;
    values[count++] = (struct wcts_value){.symbol = -1, .number = value.number / 2};
    values[count++] = (struct wcts_value){.symbol = -1, .number = value.number * 2};
    return count;
}

/* Finds a twin of the broken change that differs at one place and breaks nothing. */
static bool find_twin(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                      const struct wcts_plan_slot *slot, int version, bool wide,
                      struct wcts_plan_change *twin)
{
    struct wcts_value values[WCTS_VALUES_MAX];
    struct wcts_oracle_prediction prediction;
    int count;
    *twin = solution->broken;
    drop_fact(twin, slot);
    if (twin->count < solution->broken.count &&
        wcts_plan_is_accepted(planner, solution->base, version, twin, &prediction))
        return true;
    count = twin_values(planner, solution->base, slot, wide, values);
    for (int i = 0; i < count; i++) {
        *twin = solution->broken;
        drop_fact(twin, slot);
        if (wcts_plan_change_add(twin, slot->instance, slot->ref, values[i]) &&
            wcts_plan_is_accepted(planner, solution->base, version, twin, &prediction))
            return true;
    }
    return false;
}

static const struct wcts_plan_change none;

/* The places of the rule that have a pair, by reference: one base is enough for each. */
struct plan_covered_slots {
    struct wcts_ref refs[WCTS_SLOTS_MAX];
    int count;
};

static bool covered(const struct plan_covered_slots *coverage, struct wcts_ref ref)
{
    for (int i = 0; i < coverage->count; i++)
        if (wcts_model_same_ref(coverage->refs[i], ref))
            return true;
    return false;
}

static void slots_of_solution(struct wcts_planner *planner,
                              const struct wcts_plan_solution *solution,
                              struct wcts_plan_slots *slots)
{
    *slots = (struct wcts_plan_slots){0};
    wcts_plan_slots_of(planner, &planner->base_worlds[solution->base].pristine,
                       &planner->spec->rules[planner->rule], solution->instance, slots);
}

/* Adds the pairs of a solution for places that have none yet. */
static void cover(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                  int version, bool wide, struct plan_covered_slots *coverage)
{
    struct wcts_plan_slots slots;
    struct wcts_plan_change twin;
    slots_of_solution(planner, solution, &slots);
    for (int i = 0; i < slots.own; i++) {
        if (coverage->count == WCTS_SLOTS_MAX || covered(coverage, slots.slots[i].ref) ||
            !find_twin(planner, solution, &slots.slots[i], version, wide, &twin))
            continue;
        coverage->refs[coverage->count++] = slots.slots[i].ref;
        wcts_plan_emit(planner, WCTS_KIND_WITNESS, solution->base, &solution->broken, &twin);
        wcts_plan_emit(planner, WCTS_KIND_WITNESS, solution->base, &twin, NULL);
    }
}

/* True if the change breaks the rule alone. */
static bool breaks_alone_with(struct wcts_planner *planner,
                              const struct wcts_plan_solution *solution, int version,
                              uint32_t page_size)
{
    struct wcts_oracle_prediction prediction;
    wcts_plan_base_world_predict(planner, solution->base, version, page_size, &solution->broken,
                                 &prediction);
    return wcts_plan_breaks_alone(planner, planner->rule, &prediction);
}

static bool breaks_alone(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                         int version)
{
    return breaks_alone_with(planner, solution, version, 4096);
}

static void cover_instance(struct wcts_planner *planner, int base, int instance, int version,
                           struct plan_covered_slots *coverage)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
    struct wcts_plan_slots slots = {0};
    wcts_plan_slots_of(planner, pristine, rule, instance, &slots);
    for (int i = 0; i < slots.own; i++) {
        struct wcts_value values[WCTS_VALUES_MAX];
        int count = covered(coverage, slots.slots[i].ref)
                        ? 0
                        : twin_values(planner, base, &slots.slots[i], true, values);
        for (int j = 0; j < count; j++) {
            struct wcts_plan_solution one = {.base = base, .instance = instance};
            wcts_plan_change_add(&one.broken, slots.slots[i].instance, slots.slots[i].ref,
                                 values[j]);
            if (breaks_alone(planner, &one, version))
                cover(planner, &one, version, true, coverage);
        }
    }
}

/* For places without a pair so far: tries every single change of every instance, ... */
static void cover_anywhere(struct wcts_planner *planner, int version,
                           struct plan_covered_slots *coverage)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[planner->rule];
    for (int base = 0; base < spec->cases->bases_count; base++)
        for (int i = 0; i < planner->base_worlds[base].pristine.count; i++)
            if (version >= spec->cases->bases[base].since &&
                version < spec->cases->bases[base].until &&
                planner->base_worlds[base].pristine.instances[i].structure == rule->on)
                cover_instance(planner, base, i, version, coverage);
}

/* ... and solutions with one more flag, which may make the twin break nothing. */
static void cover_beside(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                         int version, struct plan_covered_slots *coverage)
{
    struct wcts_plan_slots slots;
    const struct wcts_world *pristine = &planner->base_worlds[solution->base].pristine;
    slots_of_solution(planner, solution, &slots);
    wcts_plan_slots_extend(planner, pristine, &slots);
    for (int i = slots.own; i < slots.count; i++) {
        struct wcts_plan_solution more = *solution;
        struct wcts_value value =
            wcts_world_get(pristine, slots.slots[i].instance, slots.slots[i].ref);
        value.number = !value.number;
        if (slots.slots[i].ref.flag >= 0 &&
            wcts_plan_change_add(&more.broken, slots.slots[i].instance, slots.slots[i].ref,
                                 value) &&
            breaks_alone(planner, &more, version))
            cover(planner, &more, version, true, coverage);
    }
}

static bool flags_are_covered(struct wcts_planner *planner,
                              const struct wcts_plan_solution *solution,
                              const struct plan_covered_slots *coverage)
{
    struct wcts_plan_slots slots;
    slots_of_solution(planner, solution, &slots);
    for (int i = 0; i < slots.own; i++)
        if (slots.slots[i].ref.flag >= 0 && !covered(coverage, slots.slots[i].ref))
            return false;
    return true;
}

/* True if a flag that the change sets alone brings a companion of its own. */
static bool brings_companion(const struct wcts_planner *planner,
                             const struct wcts_plan_solution *solution)
{
    const struct wcts_cases *cases = planner->spec->cases;
    const struct wcts_step *step = &cases->steps[cases->bases[solution->base].step];
    const struct wcts_fact *fact = &solution->broken.facts[0];
    bool brings = false;
    if (solution->broken.count != 1 || fact->ref.flag < 0 || fact->value.number == 0)
        return false;
    for (int i = 0; i < step->instance_count; i++)
        brings = brings || (step->instances[i].when.structure >= 0 && !step->instances[i].unless &&
                            wcts_model_same_ref(step->instances[i].when, fact->ref));
    return brings;
}

/* In another base a flag may come with something else: then the breach there, alone and beside each
 * other flag that breaks nothing. */
static void emit_companion(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                           int version)
{
    const struct wcts_world *pristine = &planner->base_worlds[solution->base].pristine;
    const struct wcts_fact *fact = &solution->broken.facts[0];
    const struct wcts_value one = {.symbol = -1, .number = 1};
    struct wcts_ref ref = fact->ref;
    int word = wcts_model_ref_member(planner->spec, ref)->word;
    wcts_plan_emit(planner, WCTS_KIND_WITNESS, solution->base, &solution->broken, &none);
    for (ref.flag = 0; ref.flag < planner->spec->words[word].flag_count; ref.flag++) {
        struct wcts_plan_solution both = *solution;
        struct wcts_oracle_prediction prediction;
        struct wcts_plan_change beside = {0};
        if (ref.flag != fact->ref.flag &&
            wcts_world_get(pristine, fact->instance, ref).number == 0 &&
            wcts_plan_change_add(&beside, fact->instance, ref, one) &&
            wcts_plan_change_add(&both.broken, fact->instance, ref, one) &&
            wcts_plan_is_accepted(planner, both.base, version, &beside, &prediction) &&
            breaks_alone(planner, &both, version))
            wcts_plan_emit(planner, WCTS_KIND_WITNESS, both.base, &both.broken, &beside);
    }
}

static void plan_witnesses(struct wcts_planner *planner, const struct wcts_plan_solution *solutions,
                           int count, int version)
{
    struct plan_covered_slots coverage = {.count = 0};
    for (int i = 0; i < count; i++)
        cover(planner, &solutions[i], version, false, &coverage);
    for (int i = 0; i < count && !planner->few; i++)
        cover(planner, &solutions[i], version, true, &coverage);
    if (!planner->few)
        cover_anywhere(planner, version, &coverage);
    for (int i = 0; i < count && i < BESIDE_MAX && !planner->few; i++)
        if (!flags_are_covered(planner, &solutions[i], &coverage))
            cover_beside(planner, &solutions[i], version, &coverage);
    if (coverage.count == 0)
        wcts_plan_emit(planner, WCTS_KIND_WITNESS, solutions[0].base, &solutions[0].broken, &none);
    for (int i = 1; i < count && !planner->few; i++)
        if (solutions[i].base != solutions[0].base && brings_companion(planner, &solutions[i]))
            emit_companion(planner, &solutions[i], version);
}

/* Calls that differ from a base in one flag and break nothing must be accepted: an implementation
 * may not be stricter than the rule. */
static void plan_neighbours(struct wcts_planner *planner, int version)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[planner->rule];
    for (int base = 0; base < spec->cases->bases_count; base++) {
        const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
        struct wcts_plan_slots slots = {0};
        if (version < spec->cases->bases[base].since)
            continue;
        for (int i = pristine->adapter_count; i < pristine->count; i++)
            if (pristine->instances[i].structure == rule->on && pristine->instances[i].present)
                wcts_plan_slots_of(planner, pristine, rule, i, &slots);
        for (int i = 0; i < slots.count; i++) {
            struct wcts_value value =
                wcts_world_get(pristine, slots.slots[i].instance, slots.slots[i].ref);
            struct wcts_oracle_prediction prediction;
            struct wcts_plan_change change = {0};
            if (slots.slots[i].ref.flag < 0)
                continue;
            value.number = !value.number;
            wcts_plan_change_add(&change, slots.slots[i].instance, slots.slots[i].ref, value);
            if (wcts_plan_is_accepted(planner, base, version, &change, &prediction))
                wcts_plan_emit(planner, WCTS_KIND_WITNESS, base, &change, NULL);
        }
    }
}

/* ---- Boundaries ---- */

/* Every value worth trying at the places of the rule, in the first solution. */
static void plan_values(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                        int version)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    const struct wcts_world *pristine = &planner->base_worlds[solution->base].pristine;
    struct wcts_plan_slots slots;
    bool by_page = wcts_lang_has(planner->spec->exprs, rule->breach.refuse, WCTS_OP_PAGE);
    slots_of_solution(planner, solution, &slots);
    for (int i = 0; i < slots.own; i++) {
        struct wcts_value values[WCTS_VALUES_MAX];
        struct wcts_plan_change twin;
        if (slots.slots[i].ref.flag >= 0)
            continue;
        if (!find_twin(planner, solution, &slots.slots[i], version, false, &twin))
            continue;
        for (int p = 0; p < (by_page ? WCTS_PAGE_SIZES : 1); p++) {
            int count = wcts_plan_candidates(planner, pristine, rule, &slots.slots[i],
                                             wcts_page_sizes[p], values);
            for (int j = 0; j < count; j++) {
                struct wcts_plan_change change = solution->broken;
                drop_fact(&change, &slots.slots[i]);
                if (wcts_plan_change_add(&change, slots.slots[i].instance, slots.slots[i].ref,
                                         values[j]))
                    wcts_plan_emit(planner, WCTS_KIND_BOUNDARY, solution->base, &change, &twin);
            }
        }
    }
}

/* others(flag): the flag with each other one. */
static void plan_companions(struct wcts_planner *planner, const struct wcts_plan_solution *solution)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    const struct wcts_lang_node *node = &planner->spec->exprs->nodes[rule->premise];
    struct wcts_ref ref = {node->ref.structure, node->ref.member, node->ref.flag};
    const struct wcts_world *pristine = &planner->base_worlds[solution->base].pristine;
    int word = wcts_model_ref_member(planner->spec, ref)->word;
    struct wcts_plan_change alone = {0};
    struct wcts_value one = {.symbol = -1, .number = 1};
    if (wcts_world_get(pristine, solution->instance, ref).number == 0)
        wcts_plan_change_add(&alone, solution->instance, ref, one);
    for (int flag = 0; flag < planner->spec->words[word].flag_count; flag++) {
        struct wcts_plan_change both = alone;
        struct wcts_ref other = {ref.structure, ref.member, flag};
        if (flag != ref.flag && wcts_plan_change_add(&both, solution->instance, other, one))
            wcts_plan_emit(planner, WCTS_KIND_BOUNDARY, solution->base, &both, &alone);
    }
}

/* row: the rows of its table that are valid. */
static void plan_rows(struct wcts_planner *planner, const struct wcts_plan_solution *solution,
                      int version)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    for (unsigned row = 0; row < 1u << rule->cell_count; row++) {
        struct wcts_oracle_prediction prediction;
        struct wcts_plan_change change = {0};
        for (int i = 0; i < rule->cell_count; i++) {
            struct wcts_value value = {.symbol = -1, .number = row >> i & 1};
            if (value.number)
                wcts_plan_change_add(&change, solution->instance, rule->cells[i].flag, value);
        }
        if (wcts_plan_is_accepted(planner, solution->base, version, &change, &prediction))
            wcts_plan_emit(planner, WCTS_KIND_WITNESS, solution->base, &change, NULL);
    }
}

/* ---- Later elements ---- */

/* The last instance of what the rule is about if there are several; -1: there are not. */
static int last_of_several(const struct wcts_world *pristine, int structure)
{
    int last = -1, count = 0;
    for (int i = 0; i < pristine->count; i++)
        if (pristine->instances[i].structure == structure && pristine->instances[i].present) {
            last = i;
            count++;
        }
    return count > 1 ? last : -1;
}

/* The first value of the place that breaks the rule with larger pages of the host alone. */
static void plan_later_pages(struct wcts_planner *planner, const struct wcts_plan_solution *whole,
                             const struct wcts_plan_slot *slot, int version,
                             const struct wcts_plan_change *twin)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    const struct wcts_world *pristine = &planner->base_worlds[whole->base].pristine;
    if (!wcts_lang_has(planner->spec->exprs, rule->breach.refuse, WCTS_OP_PAGE))
        return;
    for (int p = 1; p < WCTS_PAGE_SIZES; p++) {
        struct wcts_value values[WCTS_VALUES_MAX];
        int count =
            wcts_plan_candidates(planner, pristine, rule, slot, wcts_page_sizes[p - 1], values);
        for (int i = 0; i < count; i++) {
            struct wcts_plan_solution one = *whole;
            if (!wcts_plan_change_add(&one.broken, slot->instance, slot->ref, values[i]) ||
                breaks_alone_with(planner, &one, version, wcts_page_sizes[p - 1]) ||
                !breaks_alone_with(planner, &one, version, wcts_page_sizes[p]))
                continue;
            wcts_plan_emit(planner, WCTS_KIND_BOUNDARY, one.base, &one.broken, twin);
            break;
        }
    }
}

/* The first value of the place that breaks the rule, and the pair of it. */
static bool plan_later_value(struct wcts_planner *planner, const struct wcts_plan_solution *whole,
                             const struct wcts_plan_slot *slot, int version)
{
    struct wcts_value values[WCTS_VALUES_MAX];
    int count = twin_values(planner, whole->base, slot, true, values);
    for (int i = 0; i < count; i++) {
        struct wcts_plan_solution one = *whole;
        struct wcts_plan_change twin;
        if (!wcts_plan_change_add(&one.broken, slot->instance, slot->ref, values[i]) ||
            !breaks_alone(planner, &one, version) ||
            !find_twin(planner, &one, slot, version, true, &twin))
            continue;
        wcts_plan_emit(planner, WCTS_KIND_BOUNDARY, one.base, &one.broken, &twin);
        plan_later_pages(planner, whole, slot, version, &twin);
        return true;
    }
    return false;
}

/* The same breach in the last element of a list, in the first base in which it can be: who looks at
 * the first element alone misses it. */
static void plan_later_elements(struct wcts_planner *planner, int version)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[planner->rule];
    bool found = false;
    for (int base = 0; base < spec->cases->bases_count && !found; base++) {
        const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
        struct wcts_plan_solution whole = {.base = base,
                                           .instance = last_of_several(pristine, rule->on)};
        struct wcts_plan_slots slots = {0};
        if (whole.instance < 0 || version < spec->cases->bases[base].since ||
            version >= spec->cases->bases[base].until)
            continue;
        wcts_plan_slots_of(planner, pristine, rule, whole.instance, &slots);
        for (int i = 0; i < slots.own; i++)
            found |= slots.slots[i].instance == whole.instance &&
                     plan_later_value(planner, &whole, &slots.slots[i], version);
        /* Answers of the driver are the same whatever is called. */
        found |= whole.instance < pristine->adapter_count;
    }
}

/* ---- Other bases ---- */

/* All single changes of an instance that break the rule, with their pairs. */
static void plan_single_breaches(struct wcts_planner *planner, int base, int instance, int version)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    struct wcts_plan_slots slots = {0};
    wcts_plan_slots_of(planner, &planner->base_worlds[base].pristine, rule, instance, &slots);
    for (int i = 0; i < slots.own; i++) {
        struct wcts_value values[WCTS_VALUES_MAX];
        int count = twin_values(planner, base, &slots.slots[i], false, values);
        for (int j = 0; j < count; j++) {
            struct wcts_plan_solution one = {.base = base, .instance = instance};
            struct wcts_plan_change twin;
            if (wcts_plan_change_add(&one.broken, slots.slots[i].instance, slots.slots[i].ref,
                                     values[j]) &&
                breaks_alone(planner, &one, version) &&
                find_twin(planner, &one, &slots.slots[i], version, true, &twin))
                wcts_plan_emit(planner, WCTS_KIND_BOUNDARY, base, &one.broken, &twin);
        }
    }
}

/* Bases that show breaches which no single change of the first base does: in a set that names
 * something allowed as well, in the middle of a long range, of all of a range. */
static void plan_other_bases(struct wcts_planner *planner, int version)
{
    const struct wcts_cases *cases = planner->spec->cases;
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    for (int base = 0; base < cases->bases_count; base++) {
        const struct wcts_base *one = &cases->bases[base];
        const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
        bool breaks = false;
        for (int i = 0; i < one->break_count; i++)
            breaks = breaks || one->breaks[i] == rule->statement;
        for (int i = 0; i < pristine->count && breaks; i++)
            if (version >= one->since && version < one->until && pristine->instances[i].present &&
                pristine->instances[i].structure == rule->on)
                plan_single_breaches(planner, base, i, version);
    }
}

/* ---- A rule ---- */

static void report_unbreakable(struct wcts_planner *planner, int mask)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    if (mask >= 0)
        wcts_error_at(planner->diagnostics, &rule->place,
                      "rule %s cannot be broken alone: %s is always broken with it, expected a "
                      "case that breaks it only, or masked-by=\"%s\"",
                      rule->id, planner->spec->rules[mask].id, planner->spec->rules[mask].id);
    else
        wcts_error_at(planner->diagnostics, &rule->place,
                      "no value that a base offers breaks rule %s, expected at least one: "
                      "it can never apply",
                      rule->id);
}

/* False, with a message, if nothing breaks the rule alone. */
static bool plan_at(struct wcts_planner *planner, int version, bool newest)
{
    static struct wcts_plan_solution solutions[SOLUTIONS_MAX];
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    const struct wcts_lang_exprs *exprs = planner->spec->exprs;
    int mask, count;
    planner->with_masks = false;
    count = wcts_plan_solve(planner, planner->rule, version, solutions, SOLUTIONS_MAX, &mask);
    if (count == 0 && rule->masked_by) {
        planner->with_masks = true;
        count = wcts_plan_solve(planner, planner->rule, version, solutions, SOLUTIONS_MAX, &mask);
    }
    if (count == 0) {
        report_unbreakable(planner, mask);
        return false;
    }
    plan_witnesses(planner, solutions, count, version);
    if (!newest || planner->few)
        return true;
    plan_values(planner, &solutions[0], version);
    plan_neighbours(planner, version);
    plan_later_elements(planner, version);
    plan_other_bases(planner, version);
    if (rule->premise && wcts_lang_find_call(exprs, rule->breach.refuse, "others"))
        plan_companions(planner, &solutions[0]);
    if (rule->form == WCTS_FORM_ROW)
        plan_rows(planner, &solutions[0], version);
    return true;
}

/* gate: the flag set, at all versions. */
static void plan_gate(struct wcts_planner *planner)
{
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    int base = wcts_plan_default_base(planner);
    struct wcts_plan_slot slot = {.ref = rule->gate};
    struct wcts_value one = {.symbol = -1, .number = 1};
    struct wcts_plan_change change;
    struct wcts_oracle_prediction best;
    if (base < 0)
        return;
    for (int i = planner->base_worlds[base].pristine.count - 1; i >= 0; i--)
        if (planner->base_worlds[base].pristine.instances[i].structure == rule->on)
            slot.instance = i;
    if (!wcts_plan_find_accepted_with(planner, base, planner->spec->versions_count - 1, &slot, one,
                                      &change, &best))
        report_unbreakable(planner, best.broken_count ? best.broken[0] : -1);
    else
        wcts_plan_emit(planner, WCTS_KIND_WITNESS, base, &change, &none);
}

/* A gate is judged at every version at which its flag is not open: before the flag exists, it is
 * clear. */
static bool is_answered(const struct wcts_spec *spec, const struct wcts_rule *rule, int version)
{
    const struct wcts_flag *flag;
    if (rule->form != WCTS_FORM_GATE)
        return wcts_oracle_rule_binds(spec, rule, version);
    flag = &spec->words[wcts_model_ref_member(spec, rule->gate)->word].flags[rule->gate.flag];
    return version < flag->open_since || version >= flag->open_until;
}

static void plan_answers(struct wcts_planner *planner)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[planner->rule];
    int first = planner->newest_only ? spec->versions_count - 1 : 0;
    if (spec->statements[rule->statement].role != WCTS_ROLE_DRIVER)
        return;
    /* With newest_only, the newest version at which it is answered. */
    while (first > 0 && !is_answered(spec, rule, first))
        first--;
    for (int v = first; v < spec->versions_count; v++)
        if (is_answered(spec, rule, v))
            wcts_plan_emit_answer(planner, v, 4096);
    /* With the largest pages of the host, where a driver counts in these. */
    if (is_answered(spec, rule, spec->versions_count - 1))
        wcts_plan_emit_answer(planner, spec->versions_count - 1,
                              wcts_page_sizes[WCTS_PAGE_SIZES - 1]);
}

void wcts_plan_rule(struct wcts_planner *planner, int index)
{
    const struct wcts_rule *rule = &planner->spec->rules[index];
    int newest = rule->until - 1;
    planner->rule = index;
    if (rule->form == WCTS_FORM_LAYOUT) {
        wcts_plan_layout(planner, index);
        return;
    }
    if (wcts_model_is_effect(rule->form)) {
        wcts_plan_effect(planner, index);
        return;
    }
    if (rule->form == WCTS_FORM_GATE) {
        plan_gate(planner);
    } else if (wcts_plan_default_base(planner) >= 0) {
        if (plan_at(planner, newest, true) && !planner->few && rule->since != newest)
            plan_at(planner, rule->since, false);
    } else {
        report_unbreakable(planner, -1);
    }
    plan_answers(planner);
}
