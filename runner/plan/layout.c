/* SPDX-License-Identifier: MIT */
/* Layout cases: one for each bit of a word, each member of a structure, each bit of a set. */
#include "planner.h"

static const struct wcts_plan_change none;

static bool is_reserved(const struct wcts_spec *spec, struct wcts_ref flag)
{
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        const struct wcts_lang_node *refuse = &spec->exprs->nodes[rule->breach.refuse];
        if (rule->form == WCTS_FORM_EXPRESSION && !rule->premise && !rule->breach.unless &&
            refuse->op == WCTS_OP_MEMBER && refuse->ref.structure == flag.structure &&
            refuse->ref.member == flag.member && refuse->ref.flag == flag.flag)
            return true;
    }
    return false;
}

/* True if an earlier base has the same adapter. */
static bool is_known_adapter(const struct wcts_spec *spec, int base)
{
    for (int i = 0; i < base; i++)
        if (spec->cases->bases[i].adapter == spec->cases->bases[base].adapter)
            return true;
    return false;
}

/* Plans a flag in the first base in which it can be set; for a rule about this flag alone, in one
 * base with each adapter. */
static void plan_flag(struct wcts_planner *planner, const struct wcts_rule *rule, int index,
                      bool each)
{
    const struct wcts_spec *spec = planner->spec;
    struct wcts_ref ref = rule->arg[WCTS_ARG_MEMBER].refs[0];
    const struct wcts_flag *flag = &spec->words[rule->word].flags[index];
    struct wcts_oracle_prediction best = {0};
    struct wcts_value one = {.symbol = -1, .number = 1};
    struct wcts_plan_change change;
    int version = flag->until - 1, first = wcts_plan_default_base(planner);
    bool planned = false;
    ref.flag = index;
    for (int base = first; base >= 0 && base < spec->cases->bases_count; base++) {
        const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
        bool here = false;
        for (int i = 0; i < pristine->count && !here; i++) {
            struct wcts_plan_slot slot = {i, ref};
            struct wcts_plan_change before = {0};
            if (pristine->instances[i].structure != rule->on ||
                version < spec->cases->bases[base].since ||
                (planned && is_known_adapter(spec, base)))
                continue;
            if (!wcts_plan_find_accepted_with(planner, base, version, &slot, one, &change, &best) &&
                !(best.expect == WCTS_EXPECT_OPEN &&
                  (best.broken_count == 0 || is_reserved(spec, ref))))
                continue;
            wcts_plan_emit(planner, WCTS_KIND_LAYOUT, base, &change, &before);
            here = planned = true;
        }
        if (planned && !each)
            return;
    }
    /* A flag that no rule reserves but that cannot be set: its rules contradict. */
    if (!planned && !is_reserved(spec, ref) && best.broken_count > 0)
        wcts_error_at(planner->diagnostics, &flag->place,
                      "no value with the flag %s satisfies all rules: it breaks %s%s%s, expected "
                      "at least one valid value",
                      flag->name, spec->rules[best.broken[0]].id, best.broken_count > 1 ? ", " : "",
                      best.broken_count > 1 ? spec->rules[best.broken[1]].id : "");
}

/* True if the rule reads the member. */
static bool reads_member(const struct wcts_planner *planner, const struct wcts_world *pristine,
                         const struct wcts_rule *rule, const struct wcts_plan_slot *slot)
{
    struct wcts_plan_slots slots = {0};
    if (rule->on != slot->ref.structure || !wcts_model_is_asked(rule->form))
        return false;
    wcts_plan_slots_of(planner, pristine, rule, slot->instance, &slots);
    for (int i = 0; i < slots.own; i++)
        if (slots.slots[i].instance == slot->instance &&
            slots.slots[i].ref.member == slot->ref.member)
            return true;
    return false;
}

/* A member that no rule reads: its values of base.xml, else the base itself. */
static void plan_unruled(struct wcts_planner *planner, int base, const struct wcts_plan_slot *slot)
{
    struct wcts_value values[WCTS_VALUES_MAX];
    int count = wcts_plan_candidates(planner, &planner->base_worlds[base].pristine,
                                     &planner->spec->rules[planner->rule], slot, 4096, values);
    for (int i = 0; i < count; i++) {
        struct wcts_plan_change change = {0};
        wcts_plan_change_add(&change, slot->instance, slot->ref, values[i]);
        wcts_plan_emit(planner, WCTS_KIND_LAYOUT, base, &change, NULL);
    }
    if (count > 0)
        return;
    planner->label = wcts_model_ref_member(planner->spec, slot->ref)->name;
    wcts_plan_emit(planner, WCTS_KIND_LAYOUT, base, &none, NULL);
    planner->label = NULL;
}

/* What shows that a member is read. */
struct plan_shown {
    bool refuse, accept;
};

/* The first values that the rules refuse and accept, as far as none is shown. advice: a value that
 * breaks advice alone counts as refused, otherwise one that must be refused. */
static void plan_layout_values(struct wcts_planner *planner, int base,
                               const struct wcts_plan_slot *slot, bool advice,
                               struct plan_shown *shown)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
    int version = spec->cases->bases[base].until - 1;
    for (int r = 0; r < spec->rules_count && !(shown->refuse && shown->accept); r++) {
        struct wcts_value values[WCTS_VALUES_MAX];
        int count;
        if (!reads_member(planner, pristine, &spec->rules[r], slot))
            continue;
        count = wcts_plan_candidates(planner, pristine, &spec->rules[r], slot, 4096, values);
        for (int i = 0; i < count && !(shown->refuse && shown->accept); i++) {
            struct wcts_plan_change change = {0};
            struct wcts_oracle_prediction prediction;
            bool *done;
            wcts_plan_change_add(&change, slot->instance, slot->ref, values[i]);
            wcts_plan_base_world_predict(planner, base, version, 4096, &change, &prediction);
            done = prediction.broken_count ? &shown->refuse : &shown->accept;
            if (*done || prediction.broken_count > 1 ||
                (prediction.broken_count == 1 && prediction.must_broken == 0 && !advice))
                continue;
            wcts_plan_emit(planner, WCTS_KIND_LAYOUT, base, &change, &none);
            *done = true;
        }
    }
}

/* A value that the rules refuse and one that they accept show that the member is read. Who accepts
 * what breaks advice alone reads the member all the same, so such a value is the last resort. */
static void plan_member(struct wcts_planner *planner, int base, const struct wcts_plan_slot *slot)
{
    struct plan_shown shown = {0};
    plan_layout_values(planner, base, slot, false, &shown);
    if (!shown.refuse)
        plan_layout_values(planner, base, slot, true, &shown);
    if (!shown.refuse && !shown.accept)
        plan_unruled(planner, base, slot);
}

static int instance_in_base(const struct wcts_planner *planner, int base, int structure)
{
    const struct wcts_world *world = &planner->base_worlds[base].pristine;
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == structure)
            return i;
    return -1;
}

/* For each described segment: a preference for it, with its own bit and with another's. */
static void plan_sets(struct wcts_planner *planner, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = planner->spec;
    for (int r = 0; r < spec->rules_count; r++) {
        struct wcts_ref member, of;
        if (spec->rules[r].on != rule->on ||
            !wcts_lang_subset(spec->exprs, &spec->rules[r].breach, &member, &of))
            continue;
        for (int base = 0; base < spec->cases->bases_count; base++) {
            int instance = instance_in_base(planner, base, rule->on);
            for (uint64_t n = 0; instance >= 0 && n < 5; n++) {
                struct wcts_plan_change own = {0}, other = {0};
                struct wcts_value id = {.symbol = -1, .number = n + 1},
                                  bit = {.symbol = -1, .number = UINT64_C(1) << n};
                struct wcts_value next = {.symbol = -1, .number = UINT64_C(1) << (n + 1) % 5};
                wcts_plan_change_add(&own, instance, member, id);
                wcts_plan_change_add(&other, instance, member, id);
                for (int i = 0; i < spec->structures[rule->on].member_count; i++) {
                    struct wcts_ref set = {rule->on, i, -1};
                    bool judged = i == of.member;
                    if (wcts_model_ref_member(spec, set)->type != WCTS_TYPE_SEGMENT_SET ||
                        !(judged || i + 1 == of.member || i - 1 == of.member) || i > of.member)
                        continue;
                    wcts_plan_change_add(&own, instance, set, bit);
                    wcts_plan_change_add(&other, instance, set, judged ? next : bit);
                }
                wcts_plan_emit(planner, WCTS_KIND_LAYOUT, base, &own, NULL);
                wcts_plan_emit(planner, WCTS_KIND_LAYOUT, base, &other, &own);
            }
            if (instance >= 0)
                break;
        }
    }
}

void wcts_plan_layout(struct wcts_planner *planner, int index)
{
    const struct wcts_rule *rule = &planner->spec->rules[index];
    const struct wcts_operand *only = &rule->arg[WCTS_ARG_FACT];
    int base;
    planner->rule = index;
    base = wcts_plan_default_base(planner);
    if (rule->layout_sets)
        plan_sets(planner, rule);
    else if (rule->word < 0)
        for (int i = 0; base >= 0 && i < rule->at_count; i++) {
            struct wcts_plan_slot slot = {instance_in_base(planner, base, rule->on),
                                          {rule->on, rule->at[i].member, -1}};
            plan_member(planner, base, &slot);
        }
    else
        for (int i = 0; i < planner->spec->words[rule->word].flag_count; i++)
            if (!only->given || only->refs[0].flag == i)
                plan_flag(planner, rule, i, only->given);
}
