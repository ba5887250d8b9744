/* SPDX-License-Identifier: MIT */
/* Sequences from scenarios: those that words.c wrote, and others that keep to a window. */
#include <stddef.h>
#include <string.h>

#include "walker.h"

struct reading {
    const struct wcts_walk_shape *shape;
    const struct wcts_spec *spec;
    struct wcts_walk_sequence *sequence;
    int window;                             /* symbol, -1: not seen yet */
    int allocations[WCTS_WALK_ALLOCATIONS]; /* symbols, -1: none */
};

static bool has_operation(const struct reading *reading, const struct wcts_step *call, int step)
{
    const struct wcts_spec *spec = reading->spec;
    return call->message >= 0 && spec->messages[call->message].operation ==
                                     spec->messages[spec->cases->steps[step].message].operation;
}

/* The value that a call gives a member of one of its structures; 0 when it gives none. */
static struct wcts_value value_in(const struct reading *reading,
                                  const struct wcts_instance *instance, struct wcts_ref ref)
{
    struct wcts_value value = {-1, 0};
    for (int i = 0; i < instance->set_count; i++) {
        const struct wcts_set *set = &instance->sets[i];
        if (set->ref.structure != ref.structure || set->ref.member != ref.member)
            continue;
        if (set->ref.flag < 0) {
            value = set->value;
        } else if (set->value.number) {
            int word = wcts_ref_member(reading->spec, set->ref)->word;
            value.number |= UINT64_C(1) << reading->spec->words[word].flags[set->ref.flag].bit;
        }
    }
    return value;
}

static struct wcts_value root_value(const struct reading *reading, const struct wcts_step *call,
                                    size_t offset)
{
    const struct wcts_message *message = &reading->spec->messages[call->message];
    struct wcts_ref ref =
        wcts_walk_member_at(reading->spec, message->request, offset - message->request_at);
    struct wcts_value none = {-1, 0};
    if (ref.structure < 0 || call->instance_count == 0)
        return none;
    return value_in(reading, &call->instances[0], ref);
}

static int allocation_of(const struct reading *reading, int symbol)
{
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        if (symbol >= 0 && reading->allocations[i] == symbol)
            return i;
    return -1;
}

static struct wcts_walk_value value_of(const struct reading *reading, struct wcts_value value)
{
    int allocation = allocation_of(reading, value.symbol);
    if (value.symbol < 0)
        return (struct wcts_walk_value){WCTS_WALK_IS_NUMBER, value.number};
    if (value.symbol == reading->window)
        return (struct wcts_walk_value){WCTS_WALK_IS_ADDRESS, value.number};
    if (allocation >= 0)
        return (struct wcts_walk_value){WCTS_WALK_IS_ALLOCATION, (uint64_t)allocation};
    return (struct wcts_walk_value){WCTS_WALK_IS_OTHER, 0};
}

/* ---- Calls: each is false when it is none that a sequence has ---- */

/* Granules from the window's beginning. */
static bool granules(const struct reading *reading, struct wcts_value base, uint64_t size,
                     struct wcts_walk_step *step)
{
    uint64_t granule = WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    if (base.symbol != reading->window || base.number % granule || size % granule || size == 0 ||
        base.number >= WCTS_WALK_WINDOW || size > WCTS_WALK_WINDOW - base.number)
        return false;
    step->first = (int)(base.number / granule);
    step->count = (int)(size / granule);
    return true;
}

/* Which of the ways to reserve it is: what that step sets is set here, too. */
static int reserve_like(const struct reading *reading, const struct wcts_step *call)
{
    size_t type = offsetof(struct wcts_kernel_va_reserve, Args.ReservationType);
    for (int i = 0; i < reading->shape->reserve_count; i++) {
        const struct wcts_step *step =
            &reading->spec->cases->steps[reading->shape->reserves[i].step];
        if (root_value(reading, step, type).number == root_value(reading, call, type).number)
            return i;
    }
    return -1;
}

static bool read_reserve(struct reading *reading, const struct wcts_step *call,
                         struct wcts_walk_step *step)
{
    struct wcts_value base =
        root_value(reading, call, offsetof(struct wcts_kernel_va_reserve, Args.BaseAddress));
    uint64_t size =
        root_value(reading, call, offsetof(struct wcts_kernel_va_reserve, Args.Size)).number;
    step->kind = WCTS_WALK_RESERVE;
    step->reserve = reserve_like(reading, call);
    if (reading->window < 0 && call->take_count == 1 && size == WCTS_WALK_WINDOW) {
        reading->window = call->takes[0].symbol;
        reading->sequence->top = base.symbol < 0 && base.number != 0;
        return true;
    }
    return step->reserve >= 0 && granules(reading, base, size, step) && ++reading->sequence->count;
}

static bool read_free(struct reading *reading, const struct wcts_step *call,
                      struct wcts_walk_step *step)
{
    struct wcts_value base =
        root_value(reading, call, offsetof(struct wcts_kernel_va_free_request, Args.BaseAddress));
    uint64_t size =
        root_value(reading, call, offsetof(struct wcts_kernel_va_free_request, Args.Size)).number;
    step->kind = WCTS_WALK_FREE;
    if (!granules(reading, base, size, step))
        return false;
    /* The window is given back before the first step. */
    if (reading->sequence->count > 0 || step->count < WCTS_WALK_GRANULES)
        reading->sequence->count++;
    return true;
}

static bool read_create(struct reading *reading, const struct wcts_step *call,
                        struct wcts_walk_step *step)
{
    step->kind = WCTS_WALK_CREATE;
    for (int i = 0; call->take_count == 1 && i < WCTS_WALK_ALLOCATIONS; i++)
        if (reading->allocations[i] < 0) {
            reading->allocations[i] = call->takes[0].symbol;
            step->allocation = i;
            reading->sequence->count++;
            return true;
        }
    return false;
}

static bool read_destroy(struct reading *reading, const struct wcts_step *call,
                         struct wcts_walk_step *step)
{
    step->kind = WCTS_WALK_DESTROY;
    for (int i = 0; i < call->instance_count; i++)
        for (int j = 0; j < call->instances[i].set_count; j++) {
            int allocation = allocation_of(reading, call->instances[i].sets[j].value.symbol);
            if (allocation < 0)
                continue;
            step->allocation = allocation;
            reading->sequence->count++;
            return true;
        }
    return false;
}

static int operation_of(const struct reading *reading, int structure)
{
    for (int i = 0; i < reading->shape->operation_count; i++)
        if (reading->shape->operations[i].structure == structure)
            return i;
    return -1;
}

static bool read_update(struct reading *reading, const struct wcts_step *call,
                        struct wcts_walk_step *step)
{
    step->kind = WCTS_WALK_UPDATE;
    if (call->instance_count < 2 || call->instance_count - 1 > WCTS_WALK_BATCH)
        return false;
    for (int i = 1; i < call->instance_count; i++) {
        const struct wcts_instance *instance = &call->instances[i];
        struct wcts_walk_item *item = &step->items[step->item_count++];
        item->operation = operation_of(reading, instance->structure);
        if (item->operation < 0)
            return false;
        for (int m = 0; m < reading->shape->operations[item->operation].member_count; m++) {
            struct wcts_ref ref = {instance->structure, m, -1};
            item->values[m] = value_of(reading, value_in(reading, instance, ref));
        }
    }
    reading->sequence->count++;
    return true;
}

static bool read_call(struct reading *reading, const struct wcts_step *call)
{
    const struct wcts_walk_shape *shape = reading->shape;
    struct wcts_walk_step *step = &reading->sequence->steps[reading->sequence->count];
    if (reading->sequence->count == WCTS_WALK_STEPS)
        return false;
    memset(step, 0, sizeof *step);
    if (has_operation(reading, call, shape->reserves[0].step))
        return read_reserve(reading, call, step);
    if (has_operation(reading, call, shape->free))
        return read_free(reading, call, step);
    if (has_operation(reading, call, shape->create))
        return read_create(reading, call, step);
    if (has_operation(reading, call, shape->destroy))
        return read_destroy(reading, call, step);
    return has_operation(reading, call, shape->update) && read_update(reading, call, step);
}

bool wcts_walk_read(struct wcts_walk_sequence *sequence, const struct wcts_walk_shape *shape,
                    const struct wcts_scenario *scenario)
{
    struct reading reading = {
        .shape = shape, .spec = shape->spec, .sequence = sequence, .window = -1};
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        reading.allocations[i] = -1;
    sequence->top = false;
    sequence->count = 0;
    for (int i = 0; i < scenario->act_count; i++)
        if (!scenario->acts[i].take &&
            !read_call(&reading, &shape->spec->cases->steps[scenario->acts[i].step]))
            return false;
    return reading.window >= 0 && sequence->count > 0;
}
