/* SPDX-License-Identifier: MIT */
/* Base worlds with a change, and their predictions. */
#include <stdlib.h>
#include <string.h>

#include "../model/facts.h"
#include "planner.h"

const uint32_t wcts_page_sizes[WCTS_PAGE_SIZES] = {4096, 16384, 65536};

static const struct wcts_plan_change no_change;

/* ---- Changes ---- */

static bool has_changes_of(const struct wcts_plan_change *a, const struct wcts_plan_change *b)
{
    return wcts_model_same_facts(a->facts, a->count, b->facts, b->count);
}

uint64_t wcts_plan_change_hash(const struct wcts_plan_change *change)
{
    uint64_t hash = (uint64_t)change->count;
    for (int i = 0; i < change->count; i++) {
        const struct wcts_fact *fact = &change->facts[i];
        uint64_t place = (uint64_t)(uint32_t)fact->instance << 40 ^
                         (uint64_t)(uint32_t)fact->ref.member << 20 ^ (uint32_t)fact->ref.flag;
        uint64_t value = fact->value.number ^ (uint64_t)(uint32_t)fact->value.symbol << 48;
        hash = (hash ^ place) * UINT64_C(0x9e3779b97f4a7c15);
        hash = ((hash ^ hash >> 29) ^ value) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

bool wcts_plan_change_add(struct wcts_plan_change *change, int instance, struct wcts_ref ref,
                          struct wcts_value value)
{
    for (int i = 0; i < change->count; i++) {
        struct wcts_fact *fact = &change->facts[i];
        if (fact->instance == instance && fact->ref.member == ref.member &&
            fact->ref.flag == ref.flag) {
            fact->value = value;
            return true;
        }
    }
    if (change->count == WCTS_CHANGE_MAX)
        return false;
    change->facts[change->count++] = (struct wcts_fact){instance, ref, value};
    return true;
}

/* ---- The world ---- */

bool wcts_plan_base_world_init(struct wcts_planner *planner, int base)
{
    struct wcts_plan_base_world *base_world = &planner->base_worlds[base];
    size_t states = (size_t)planner->spec->versions_count * WCTS_PAGE_SIZES;
    base_world->states = calloc(states + 1, sizeof *base_world->states);
    bool good = base_world->states &&
                wcts_world_init_base(&base_world->pristine, &planner->eval, base, 0, 4096);
    for (int i = 0; i < 2 && good; i++) {
        struct wcts_plan_changed_world *changed = &base_world->changed[i];
        good = wcts_world_init_base(&changed->world, &planner->eval, base, 0, 4096) &&
               wcts_oracle_asks_init(&changed->asks, &planner->reads, &base_world->pristine);
    }
    return good;
}

void wcts_plan_base_world_release(struct wcts_planner *planner, int base)
{
    struct wcts_plan_base_world *base_world = &planner->base_worlds[base];
    int states = planner->spec->versions_count * WCTS_PAGE_SIZES;
    for (int i = 0; base_world->states && i < states; i++)
        free(base_world->states[i].covered);
    free(base_world->states);
    wcts_world_release(&base_world->pristine);
    for (int i = 0; i < 2; i++) {
        wcts_world_release(&base_world->changed[i].world);
        wcts_oracle_asks_release(&base_world->changed[i].asks);
    }
}

static void restore_instance(struct wcts_world *world, const struct wcts_world *pristine,
                             int instance)
{
    const struct wcts_oracle_world_instance *from = &pristine->instances[instance];
    struct wcts_oracle_world_instance *to = &world->instances[instance];
    const struct wcts_spec *spec = pristine->eval->spec;
    int members = spec->structures[from->structure].member_count;
    memcpy(to->values, from->values, (size_t)members * sizeof *from->values);
}

static void restore(struct wcts_plan_changed_world *changed, const struct wcts_world *pristine)
{
    if (!changed->rearranged) {
        for (int i = 0; i < changed->change.count; i++)
            restore_instance(&changed->world, pristine, changed->change.facts[i].instance);
        return;
    }
    for (int i = 0; i < changed->world.count; i++) {
        restore_instance(&changed->world, pristine, i);
        changed->world.instances[i].present = pristine->instances[i].present;
    }
}

/* True if a fact may decide which instances are present, or the value of a pointer to one: a member
 * in whose storage there is a condition or a pointer. */
static bool rearranges(const struct wcts_world *world, const struct wcts_fact *fact)
{
    const struct wcts_structure *structure = &world->eval->spec->structures[fact->ref.structure];
    uint32_t offset = structure->members[fact->ref.member].offset;
    for (int i = 0; i < world->count; i++) {
        const struct wcts_oracle_world_instance *one = &world->instances[i];
        if ((one->when.structure == fact->ref.structure &&
             structure->members[one->when.member].offset == offset) ||
            (one->at.structure == fact->ref.structure &&
             structure->members[one->at.member].offset == offset))
            return true;
    }
    return false;
}

static void apply_change(struct wcts_plan_changed_world *changed, const struct wcts_world *pristine,
                         const struct wcts_plan_change *change)
{
    struct wcts_world *world = &changed->world;
    restore(changed, pristine);
    changed->change = *change;
    changed->rearranged = changed->asked = false;
    for (int i = 0; i < change->count; i++) {
        const struct wcts_fact *fact = &change->facts[i];
        wcts_world_put(world, fact->instance, fact->ref, fact->value);
        changed->rearranged = changed->rearranged || rearranges(world, fact);
    }
    if (!changed->rearranged)
        return;
    for (int i = 0; i < world->count; i++)
        world->instances[i].present = true;
    wcts_world_settle(world);
}

static struct wcts_plan_changed_world *changed_with(struct wcts_planner *planner, int base,
                                                    int version, uint32_t page_size,
                                                    const struct wcts_plan_change *change)
{
    struct wcts_plan_base_world *base_world = &planner->base_worlds[base];
    struct wcts_plan_changed_world *changed = &base_world->changed[base_world->latest];
    if (!has_changes_of(&changed->change, change)) {
        base_world->latest = 1 - base_world->latest;
        changed = &base_world->changed[base_world->latest];
        if (!has_changes_of(&changed->change, change))
            apply_change(changed, &base_world->pristine, change);
    }
    changed->world.version = version;
    changed->world.page_size = page_size;
    return changed;
}

const struct wcts_world *wcts_plan_base_world_with(struct wcts_planner *planner, int base,
                                                   int version, uint32_t page_size,
                                                   const struct wcts_plan_change *change)
{
    return &changed_with(planner, base, version, page_size, change)->world;
}

/* ---- Predictions ---- */

static uint32_t page_index(uint32_t page_size)
{
    uint32_t index = 0;
    while (index < WCTS_PAGE_SIZES - 1 && wcts_page_sizes[index] != page_size)
        index++;
    return index;
}

static struct wcts_plan_base_state *state_of(struct wcts_planner *planner, int base, int version,
                                             uint32_t page_size)
{
    struct wcts_plan_base_world *base_world = &planner->base_worlds[base];
    struct wcts_plan_base_state *state =
        &base_world->states[(uint32_t)version * WCTS_PAGE_SIZES + page_index(page_size)];
    struct wcts_oracle_prediction prediction;
    if (state->known)
        return state;
    wcts_world_judge(wcts_plan_base_world_with(planner, base, version, page_size, &no_change),
                     &prediction);
    state->clean = prediction.broken_count == 0 && prediction.expect == WCTS_EXPECT_ACCEPT;
    state->known = true;
    return state;
}

/* The questions that the change of the world asks again. */
static struct wcts_oracle_asks *asks_of(struct wcts_plan_changed_world *changed)
{
    if (!changed->asked && changed->rearranged)
        wcts_oracle_asks_set_all(&changed->asks);
    else if (!changed->asked)
        wcts_oracle_asks_set(&changed->asks, &changed->world, changed->change.facts,
                             changed->change.count);
    changed->asked = true;
    return &changed->asks;
}

/* Where the prediction is remembered, if it is. */
static struct wcts_plan_remembered *remembered_of(struct wcts_planner *planner, int base,
                                                  int version, uint32_t page_size,
                                                  const struct wcts_plan_change *change)
{
    uint64_t hash = wcts_plan_change_hash(change) ^ (uint64_t)base << 16 ^ (uint64_t)version ^
                    (uint64_t)page_size << 24;
    hash = (hash ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return &planner->remembered[hash % WCTS_REMEMBERED];
}

void wcts_plan_base_world_predict(struct wcts_planner *planner, int base, int version,
                                  uint32_t page_size, const struct wcts_plan_change *change,
                                  struct wcts_oracle_prediction *prediction)
{
    struct wcts_plan_changed_world *changed;
    struct wcts_plan_remembered *remembered =
        remembered_of(planner, base, version, page_size, change);
    bool clean;
    if (remembered->base == base + 1 && remembered->version == version &&
        remembered->page_size == page_size && has_changes_of(&remembered->change, change)) {
        *prediction = remembered->prediction;
        return;
    }
    clean = state_of(planner, base, version, page_size)->clean;
    changed = changed_with(planner, base, version, page_size, change);
    if (clean || changed->rearranged)
        wcts_world_judge_asked(&changed->world, asks_of(changed), prediction);
    else
        wcts_world_judge(&changed->world, prediction);
    *remembered = (struct wcts_plan_remembered){base + 1, version, page_size, *change, *prediction};
}

/* ---- Gaps ---- */

static const uint64_t *covered_of(struct wcts_planner *planner, int base, int version,
                                  uint32_t page_size)
{
    const struct wcts_spec *spec = planner->spec;
    struct wcts_plan_base_state *state = state_of(planner, base, version, page_size);
    const struct wcts_world *world;
    uint64_t *covered;
    if (state->covered)
        return state->covered;
    world = wcts_plan_base_world_with(planner, base, version, page_size, &no_change);
    covered = calloc((size_t)spec->gaps_count / 64 + 1, sizeof *covered);
    for (int i = 0; covered && i < spec->gaps_count; i++)
        if (wcts_oracle_gap_covers(world, &spec->gaps[i]))
            covered[i / 64] |= UINT64_C(1) << i % 64;
    state->covered = covered;
    return covered;
}

const struct wcts_gap *wcts_plan_base_world_gap(struct wcts_planner *planner, int base, int version,
                                                uint32_t page_size,
                                                const struct wcts_plan_change *change)
{
    const uint64_t *covered = covered_of(planner, base, version, page_size);
    struct wcts_plan_changed_world *changed =
        changed_with(planner, base, version, page_size, change);
    if (!covered)
        return wcts_world_gap(&changed->world);
    return wcts_world_gap_asked(&changed->world, asks_of(changed), covered);
}
