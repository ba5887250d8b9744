/* SPDX-License-Identifier: MIT */
/* The calls of sequences: the steps of base.xml that they are made of, with values of their own. */
#include "sequence.h"

static struct wcts_value value_in_call(const struct wcts_oracle_walk_shape *shape,
                                       const struct wcts_plan_walk_names *names,
                                       const struct wcts_oracle_walk_value *value)
{
    struct wcts_value address = names->window;
    switch (value->is) {
    case WCTS_WALK_IS_ADDRESS:
        address.number += value->number;
        return address;
    case WCTS_WALK_IS_ALLOCATION:
        return names->allocations[value->number];
    case WCTS_WALK_IS_OTHER:
        return (struct wcts_value){.symbol = wcts_oracle_walk_other(shape), .number = 0};
    case WCTS_WALK_IS_NUMBER:
        break;
    }
    return (struct wcts_value){.symbol = -1, .number = value->number};
}

/* ---- Members ---- */

static void add_set(struct wcts_plan_walk_call *call, struct wcts_instance *instance,
                    struct wcts_ref ref, struct wcts_value value)
{
    if (call->set_count == WCTS_WALK_CALL_SETS) {
        call->fits = false;
        return;
    }
    call->sets[call->set_count++] = (struct wcts_set){.ref = ref, .value = value};
    instance->set_count++;
}

static struct wcts_instance *add_instance(struct wcts_plan_walk_call *call,
                                          const struct wcts_instance *like)
{
    struct wcts_instance *instance;
    if (call->step.instance_count == WCTS_WALK_CALL_INSTANCES) {
        call->fits = false;
        return &call->instances[0];
    }
    instance = &call->instances[call->step.instance_count++];
    *instance = *like;
    instance->sets = &call->sets[call->set_count];
    instance->set_count = 0;
    return instance;
}

/* A member that differs from base.xml. */
struct plan_other_member {
    struct wcts_ref ref;
    struct wcts_value value;
};

static bool is_other(const struct plan_other_member *others, int count, struct wcts_ref ref)
{
    for (int i = 0; i < count; i++)
        if (others[i].ref.structure == ref.structure && others[i].ref.member == ref.member)
            return true;
    return false;
}

/* Adds an instance of the step of base.xml; instead: of the symbol that the step ends. */
static void copy_instance(struct wcts_plan_walk_call *call, const struct wcts_instance *from,
                          const struct plan_other_member *others, int count,
                          struct wcts_value instead)
{
    struct wcts_instance *instance = add_instance(call, from);
    for (int i = 0; i < from->set_count; i++) {
        const struct wcts_set *set = &from->sets[i];
        bool ended = set->value.symbol >= 0 && set->value.symbol == call->step.ends;
        if (!is_other(others, count, set->ref))
            add_set(call, instance, set->ref, ended ? instead : set->value);
    }
    for (int i = 0; i < count; i++)
        if (others[i].ref.structure == from->structure)
            add_set(call, instance, others[i].ref, others[i].value);
}

static void copy_instances(struct wcts_plan_walk_call *call, const struct wcts_step *from,
                           const struct plan_other_member *others, int count,
                           struct wcts_value instead)
{
    for (int i = 0; i < from->instance_count; i++)
        copy_instance(call, &from->instances[i], others, count, instead);
}

/* ---- Calls ---- */

static void add_item(struct wcts_plan_walk_call *call, const struct wcts_oracle_walk_shape *shape,
                     const struct wcts_plan_walk_names *names,
                     const struct wcts_oracle_walk_item *item, int number)
{
    /* Two of the same structure need names of their own. */
    static const char *const aliases[WCTS_WALK_BATCH] = {
        "operation-1",  "operation-2",  "operation-3",  "operation-4",  "operation-5",
        "operation-6",  "operation-7",  "operation-8",  "operation-9",  "operation-10",
        "operation-11", "operation-12", "operation-13", "operation-14", "operation-15",
        "operation-16", "operation-17", "operation-18", "operation-19", "operation-20"};
    const struct wcts_oracle_walk_operation *operation = &shape->operations[item->operation];
    const struct wcts_instance like = {.name = aliases[number],
                                       .structure = operation->structure,
                                       .at = shape->array,
                                       .when = {-1, -1, -1}};
    struct wcts_instance *instance = add_instance(call, &like);
    for (int m = 0; m < operation->member_count; m++) {
        struct wcts_value value = value_in_call(shape, names, &item->values[m]);
        if (operation->members[m].role == WCTS_WALK_TYPE)
            value = (struct wcts_value){.symbol = -1, .number = operation->number};
        if (operation->members[m].role != WCTS_WALK_UNUSED)
            add_set(call, instance, (struct wcts_ref){operation->structure, m, -1}, value);
    }
}

bool wcts_plan_walk_call(struct wcts_plan_walk_call *call,
                         const struct wcts_oracle_walk_shape *shape,
                         const struct wcts_plan_walk_names *names,
                         const struct wcts_oracle_walk_step *step)
{
    const struct wcts_ref *range = wcts_oracle_walk_message(shape, step)->range;
    const uint64_t granule = WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    const struct wcts_spec *spec = shape->spec;
    struct wcts_oracle_walk_value base = {WCTS_WALK_IS_ADDRESS, (uint64_t)step->first * granule};
    struct wcts_value none = {.symbol = -1, .number = 0};
    const struct wcts_step *from;
    struct plan_other_member others[2];
    call->of = wcts_oracle_walk_base_step(shape, step);
    from = &spec->cases->steps[call->of];
    call->fits = true;
    call->set_count = 0;
    call->step = *from;
    call->step.instances = call->instances;
    call->step.instance_count = 0;
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
    case WCTS_WALK_FREE:
        others[0] = (struct plan_other_member){range[0], value_in_call(shape, names, &base)};
        others[1] = (struct plan_other_member){
            range[1], {.symbol = -1, .number = (uint64_t)step->count * granule}};
        copy_instances(call, from, others, 2, none);
        break;
    case WCTS_WALK_CREATE:
        copy_instances(call, from, NULL, 0, none);
        break;
    case WCTS_WALK_DESTROY:
        copy_instances(call, from, NULL, 0, names->allocations[step->allocation]);
        break;
    case WCTS_WALK_UPDATE:
        others[0] = (struct plan_other_member){
            shape->count, {.symbol = -1, .number = (uint64_t)step->item_count}};
        copy_instance(call, &from->instances[0], others, 1, none);
        for (int i = 0; i < step->item_count; i++)
            add_item(call, shape, names, &step->items[i], i);
        break;
    }
    return call->fits;
}
