/* SPDX-License-Identifier: MIT */
/* Sequences from scenarios, as sequence_describe.c writes them. A scenario is read whole or not at
 * all, since calls that the walk would not send must not be judged. */
#include <stddef.h>
#include <string.h>

#include "sequence.h"

struct plan_walk_reading {
    const struct wcts_oracle_walk_shape *shape;
    const struct wcts_spec *spec;
    struct wcts_oracle_walk_sequence *sequence;
    struct wcts_oracle_walk_account account;
    struct wcts_plan_walk_names names; /* symbols of the scenario, -1: not there yet */
    bool given_back;                   /* true if the window is freed */
};

/* ---- Values ---- */

/* Members at the same offset hold one value. */
static bool same_place(const struct plan_walk_reading *reading, struct wcts_ref one,
                       struct wcts_ref other)
{
    return one.structure == other.structure &&
           wcts_model_ref_member(reading->spec, one)->offset ==
               wcts_model_ref_member(reading->spec, other)->offset;
}

/* The value of a member in a structure of a call; 0 if the call sets none. */
static struct wcts_value value_in(const struct plan_walk_reading *reading,
                                  const struct wcts_instance *instance, struct wcts_ref ref)
{
    struct wcts_value value = {.symbol = -1, .number = 0};
    for (int i = 0; i < instance->set_count; i++) {
        const struct wcts_set *set = &instance->sets[i];
        uint64_t bit;
        int word;
        if (!same_place(reading, set->ref, ref))
            continue;
        if (set->ref.flag < 0 || set->value.symbol >= 0) {
            value = set->value;
            continue;
        }
        word = wcts_model_ref_member(reading->spec, set->ref)->word;
        bit = UINT64_C(1) << reading->spec->words[word].flags[set->ref.flag].bit;
        value.number = set->value.number ? value.number | bit : value.number & ~bit;
    }
    return value;
}

static bool is_plain_number(struct wcts_value value, uint64_t number)
{
    return value.symbol < 0 && value.number == number;
}

static int allocation_of(const struct plan_walk_reading *reading, int symbol)
{
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        if (symbol >= 0 && reading->names.allocations[i].symbol == symbol)
            return i;
    return -1;
}

/* False if a walk does not use such a value there. */
static bool item_value(const struct plan_walk_reading *reading, struct wcts_value value,
                       enum wcts_oracle_walk_role role, struct wcts_oracle_walk_value *put)
{
    bool handle = role == WCTS_WALK_HANDLE && value.number == 0;
    int allocation = allocation_of(reading, value.symbol);
    *put = (struct wcts_oracle_walk_value){WCTS_WALK_IS_NUMBER, value.number};
    if (value.symbol < 0)
        return true;
    if (value.symbol == reading->names.window.symbol) {
        put->is = WCTS_WALK_IS_ADDRESS;
        return role == WCTS_WALK_BASE || role == WCTS_WALK_SOURCE;
    }
    *put = (struct wcts_oracle_walk_value){WCTS_WALK_IS_OTHER, 0};
    if (allocation >= 0)
        *put = (struct wcts_oracle_walk_value){WCTS_WALK_IS_ALLOCATION, (uint64_t)allocation};
    return handle && (allocation >= 0 || value.symbol == wcts_oracle_walk_other(reading->shape));
}

/* ---- Calls like those that the walk makes ---- */

static const struct wcts_step *case_step(const struct plan_walk_reading *reading, int index)
{
    return &reading->spec->cases->steps[index];
}

/* True if a structure is sent in the same place with the same values. */
static bool same_instance(const struct plan_walk_reading *reading,
                          const struct wcts_instance *found, const struct wcts_instance *wanted)
{
    struct wcts_ref ref = {wanted->structure, 0, -1};
    if (found->structure != wanted->structure || !wcts_model_same_ref(found->at, wanted->at) ||
        (wanted->at.structure >= 0 && found->at_instance != wanted->at_instance) ||
        !wcts_model_same_ref(found->when, wanted->when) || found->unless != wanted->unless)
        return false;
    for (int i = 0; i < found->set_count; i++)
        if (found->sets[i].ref.structure != found->structure)
            return false;
    for (; ref.member < reading->spec->structures[ref.structure].member_count; ref.member++) {
        struct wcts_value is = value_in(reading, found, ref);
        struct wcts_value ought = value_in(reading, wanted, ref);
        if (is.symbol != ought.symbol || is.number != ought.number)
            return false;
    }
    return true;
}

/* True if a walk would send the call for the step. */
static bool is_call_of_operation(const struct plan_walk_reading *reading,
                                 const struct wcts_step *call,
                                 const struct wcts_oracle_walk_step *step)
{
    struct wcts_plan_walk_call made;
    bool same = wcts_plan_walk_call(&made, reading->shape, &reading->names, step) &&
                call->message == made.step.message &&
                call->instance_count == made.step.instance_count;
    for (int i = 0; same && i < call->instance_count; i++)
        same = same_instance(reading, &call->instances[i], &made.instances[i]);
    return same;
}

/* The begin of the range in the call's root (n is 0), or its length (1). */
static struct wcts_value range_value(const struct plan_walk_reading *reading,
                                     const struct wcts_step *call, int n)
{
    return call->instance_count == 0 ? (struct wcts_value){.symbol = -1, .number = 0}
                                     : value_in(reading, &call->instances[0],
                                                reading->spec->messages[call->message].range[n]);
}

/* True if a call keeps the result that the walk keeps, and no other. */
static bool keeps_result(const struct plan_walk_reading *reading, const struct wcts_step *call,
                         int index)
{
    const struct wcts_step_output *output = call->outputs;
    return call->output_count == 1 &&
           wcts_model_same_ref(output->ref, case_step(reading, index)->result_ref) &&
           output->index == 0 && is_plain_number(output->otherwise, 0);
}

/* ---- Steps: each returns false for a call that a sequence does not make ---- */

static bool count_step(struct plan_walk_reading *reading, const struct wcts_oracle_walk_step *step)
{
    if (!wcts_oracle_account_can(&reading->account, step))
        return false;
    wcts_oracle_account_take(&reading->account, step);
    reading->sequence->count++;
    return true;
}

/* Sets first and count in granules from the beginning of the window. */
static bool granules(const struct plan_walk_reading *reading, struct wcts_value base,
                     struct wcts_value size, struct wcts_oracle_walk_step *step)
{
    uint64_t granule = WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    if (base.symbol < 0 || base.symbol != reading->names.window.symbol || size.symbol >= 0 ||
        base.number % granule || size.number % granule || size.number == 0 ||
        base.number >= WCTS_WALK_WINDOW || size.number > WCTS_WALK_WINDOW - base.number)
        return false;
    step->first = (int)(base.number / granule);
    step->count = (int)(size.number / granule);
    return true;
}

/* The first one finds the window. */
static bool read_reserved_window(struct plan_walk_reading *reading, const struct wcts_step *call,
                                 struct wcts_value base)
{
    const struct wcts_oracle_walk_step window = {.kind = WCTS_WALK_RESERVE,
                                                 .count = WCTS_WALK_GRANULES};
    if (reading->names.window.symbol >= 0 ||
        !keeps_result(reading, call, reading->shape->reserves[0].step))
        return false;
    reading->names.window = base;
    if (!is_call_of_operation(reading, call, &window))
        return false;
    reading->names.window = (struct wcts_value){.symbol = call->outputs[0].symbol, .number = 0};
    reading->sequence->top = is_plain_number(base, WCTS_WALK_TOP);
    return reading->sequence->top || is_plain_number(base, 0);
}

static bool read_reserve(struct plan_walk_reading *reading, const struct wcts_step *call,
                         struct wcts_oracle_walk_step *step)
{
    struct wcts_value base = range_value(reading, call, 0), size = range_value(reading, call, 1);
    if (!reading->given_back)
        return read_reserved_window(reading, call, base);
    if (call->output_count != 0 || !granules(reading, base, size, step))
        return false;
    for (; step->reserve < reading->shape->reserve_count; step->reserve++)
        if (is_call_of_operation(reading, call, step))
            return count_step(reading, step);
    return false;
}

/* The first one frees the window, to make room for the steps. */
static bool read_free(struct plan_walk_reading *reading, const struct wcts_step *call,
                      struct wcts_oracle_walk_step *step)
{
    struct wcts_value base = range_value(reading, call, 0), size = range_value(reading, call, 1);
    int slot;
    if (!granules(reading, base, size, step) || !is_call_of_operation(reading, call, step))
        return false;
    slot = wcts_oracle_account_at(&reading->account, step->first);
    if (reading->given_back)
        return slot >= 0 && step->count == reading->account.slots[slot].count &&
               count_step(reading, step);
    reading->given_back = step->count == WCTS_WALK_GRANULES;
    return reading->given_back;
}

/* A new allocation has an unused number, else that of a destroyed one. */
static bool read_create_call(struct plan_walk_reading *reading, const struct wcts_step *call,
                             struct wcts_oracle_walk_step *step)
{
    struct wcts_value *allocations = reading->names.allocations;
    int number = -1;
    for (int i = WCTS_WALK_ALLOCATIONS - 1; i >= 0; i--)
        if (!reading->account.live[i] &&
            (number < 0 || allocations[number].symbol >= 0 || allocations[i].symbol < 0))
            number = i;
    if (number < 0 || !keeps_result(reading, call, reading->shape->create) ||
        !is_call_of_operation(reading, call, step))
        return false;
    allocations[number].symbol = call->outputs[0].symbol;
    step->allocation = number;
    return count_step(reading, step);
}

static bool read_destroy_call(struct plan_walk_reading *reading, const struct wcts_step *call,
                              struct wcts_oracle_walk_step *step)
{
    for (; step->allocation < WCTS_WALK_ALLOCATIONS; step->allocation++)
        if (reading->names.allocations[step->allocation].symbol >= 0 &&
            is_call_of_operation(reading, call, step))
            return count_step(reading, step);
    return false;
}

static bool read_item(const struct plan_walk_reading *reading, const struct wcts_instance *instance,
                      struct wcts_oracle_walk_item *item)
{
    const struct wcts_oracle_walk_operation *operation;
    while (item->operation < reading->shape->operation_count &&
           reading->shape->operations[item->operation].structure != instance->structure)
        item->operation++;
    if (item->operation == reading->shape->operation_count)
        return false;
    operation = &reading->shape->operations[item->operation];
    for (int m = 0; m < operation->member_count; m++) {
        struct wcts_ref ref = {instance->structure, m, -1};
        if (!item_value(reading, value_in(reading, instance, ref), operation->members[m].role,
                        &item->values[m]))
            return false;
    }
    return true;
}

static bool read_update(struct plan_walk_reading *reading, const struct wcts_step *call,
                        struct wcts_oracle_walk_step *step)
{
    int count = call->instance_count - 1;
    if (count > WCTS_WALK_BATCH)
        return false;
    for (int i = 0; i < count; i++)
        if (!read_item(reading, &call->instances[1 + i], &step->items[step->item_count++]))
            return false;
    return is_call_of_operation(reading, call, step) && count_step(reading, step);
}

static bool read_call(struct plan_walk_reading *reading, const struct wcts_step *call)
{
    static bool (*const reads[])(struct plan_walk_reading * reading, const struct wcts_step *call,
                                 struct wcts_oracle_walk_step *step) = {
        [WCTS_WALK_RESERVE] = read_reserve,
        [WCTS_WALK_FREE] = read_free,
        [WCTS_WALK_UPDATE] = read_update,
        [WCTS_WALK_CREATE] = read_create_call,
        [WCTS_WALK_DESTROY] = read_destroy_call};
    struct wcts_oracle_walk_step *step = &reading->sequence->steps[reading->sequence->count];
    if (reading->sequence->count == WCTS_WALK_STEPS || call->message < 0 || call->answer_count != 0)
        return false;
    for (int kind = WCTS_WALK_RESERVE; kind <= WCTS_WALK_DESTROY; kind++) {
        *step = (struct wcts_oracle_walk_step){.kind = (enum wcts_oracle_walk_kind)kind};
        if (call->message ==
            case_step(reading, wcts_oracle_walk_base_step(reading->shape, step))->message)
            return (reading->given_back || kind <= WCTS_WALK_FREE) &&
                   (call->output_count == 0 || kind == WCTS_WALK_RESERVE ||
                    kind == WCTS_WALK_CREATE) &&
                   reads[kind](reading, call, step);
    }
    return false;
}

/* ---- Scenarios ---- */

/* True if a step is the other, or is taken with it. */
static bool comes_with(const struct plan_walk_reading *reading, int step, int other)
{
    if (step == other)
        return true;
    for (int i = 0; i < case_step(reading, other)->need_count; i++)
        if (comes_with(reading, step, case_step(reading, other)->needs[i]))
            return true;
    return false;
}

/* True if the scenario takes the steps that the walk takes before its first call. */
static bool takes_needs(const struct plan_walk_reading *reading,
                        const struct wcts_scenario *scenario)
{
    const int ends[] = {reading->shape->reserves[0].step, reading->shape->create};
    for (int i = 0; i < scenario->act_count && scenario->acts[i].kind == WCTS_ACT_STEP; i++) {
        int taken = scenario->acts[i].step;
        if (taken == ends[0] || taken == ends[1] ||
            (!comes_with(reading, taken, ends[0]) && !comes_with(reading, taken, ends[1])))
            return false;
    }
    for (int e = 0; e < 2; e++)
        for (int n = 0; n < case_step(reading, ends[e])->need_count; n++) {
            bool taken = false;
            for (int i = 0; i < scenario->act_count && scenario->acts[i].kind == WCTS_ACT_STEP; i++)
                taken = taken || comes_with(reading, case_step(reading, ends[e])->needs[n],
                                            scenario->acts[i].step);
            if (!taken)
                return false;
        }
    return true;
}

bool wcts_plan_walk_read(struct wcts_oracle_walk_sequence *sequence,
                         const struct wcts_oracle_walk_shape *shape,
                         const struct wcts_scenario *scenario)
{
    struct plan_walk_reading reading = {.shape = shape,
                                        .spec = shape->spec,
                                        .sequence = sequence,
                                        .names = {.window = {.symbol = -1}}};
    int first = 0;
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        reading.names.allocations[i].symbol = -1;
    sequence->top = false;
    sequence->count = 0;
    if (scenario->driver || scenario->kinds || scenario->loop_count != 0 ||
        (scenario->page_sizes & ~(uint32_t)(4096 | 16384)) != 0 ||
        scenario->adapter != shape->spec->cases->bases[shape->base].adapter ||
        !takes_needs(&reading, scenario))
        return false;
    while (first < scenario->act_count && scenario->acts[first].kind == WCTS_ACT_STEP)
        first++;
    for (int i = first; i < scenario->act_count; i++)
        if (scenario->acts[i].kind != WCTS_ACT_CALL ||
            !read_call(&reading, case_step(&reading, scenario->acts[i].step)))
            return false;
    return reading.given_back && sequence->count > 0;
}

bool wcts_plan_walk_reads(const struct wcts_spec *spec, const struct wcts_scenario *scenario)
{
    struct wcts_oracle_walk_shape shape;
    struct wcts_oracle_walk_sequence sequence;
    return wcts_oracle_walk_shape_init(&shape, spec) &&
           wcts_plan_walk_read(&sequence, &shape, scenario);
}
