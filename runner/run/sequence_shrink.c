/* SPDX-License-Identifier: MIT */
/*
 * Shrinking: leaves out chunks of steps first, as delta debugging does (Zeller, Hildebrandt 2002),
 * then simplifies one thing after the other until nothing can be.
 */
#include <string.h>

#include "sequence.h"
#include "shrink.h"

struct run_shrinking {
    struct wcts_oracle_walk_sequence *best, *candidate;
    const struct wcts_oracle_walk_shape *shape;
    wcts_walk_fails_fn *fails;
    void *ctx;
    long budget, spent;
    bool coarse; /* as in struct run_wish */
};

/* Keeps a candidate if it fails too. */
static bool try(struct run_shrinking *shrinking, const struct wcts_oracle_walk_sequence *candidate)
{
    if (shrinking->spent >= shrinking->budget)
        return false;
    shrinking->spent += candidate->count + 1;
    if (!shrinking->fails(shrinking->ctx, candidate))
        return false;
    *shrinking->best = *candidate;
    return true;
}

static void drop_steps(struct wcts_oracle_walk_sequence *sequence, int first, int count)
{
    memmove(&sequence->steps[first], &sequence->steps[first + count],
            (size_t)(sequence->count - first - count) * sizeof *sequence->steps);
    sequence->count -= count;
}

/* ---- Simpler sequences ---- */

/* A request for the n-th simpler sequence: each function counts n down by as many as it has. */
struct run_wish {
    struct wcts_oracle_walk_sequence *to;
    const struct wcts_oracle_walk_shape *shape;
    int n;
    bool coarse; /* True for only the simpler numbers that help most often */
};

static bool granted(struct run_wish *wish)
{
    return wish->n-- == 0;
}

static bool fewer_steps(struct run_wish *wish)
{
    for (int i = wish->to->count - 1; i >= 0; i--)
        if (granted(wish)) {
            drop_steps(wish->to, i, 1);
            return true;
        }
    return false;
}

static bool fewer_items(struct run_wish *wish)
{
    for (int i = 0; i < wish->to->count; i++) {
        struct wcts_oracle_walk_step *step = &wish->to->steps[i];
        for (int item = 0;
             step->kind == WCTS_WALK_UPDATE && step->item_count > 1 && item < step->item_count;
             item++)
            if (granted(wish)) {
                memmove(&step->items[item], &step->items[item + 1],
                        (size_t)(step->item_count - item - 1) * sizeof *step->items);
                step->item_count--;
                return true;
            }
    }
    return false;
}

/* Joins two consecutive updates. */
static bool fewer_calls(struct run_wish *wish)
{
    for (int i = 0; i + 1 < wish->to->count; i++) {
        struct wcts_oracle_walk_step *step = &wish->to->steps[i], *after = step + 1;
        if (step->kind != WCTS_WALK_UPDATE || after->kind != WCTS_WALK_UPDATE ||
            step->item_count + after->item_count > WCTS_WALK_SHORT || !granted(wish))
            continue;
        memcpy(&step->items[step->item_count], after->items,
               (size_t)after->item_count * sizeof *step->items);
        step->item_count += after->item_count;
        drop_steps(wish->to, i + 1, 1);
        return true;
    }
    return false;
}

/* Moves a reservation to another place, with all that lies in it. */
static bool move_reservation(struct run_wish *wish, int index, int to)
{
    struct wcts_oracle_walk_step *step = &wish->to->steps[index];
    uint64_t granule = WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    uint64_t from = (uint64_t)step->first * granule, size = (uint64_t)step->count * granule;
    uint64_t by = from - (uint64_t)to * granule;
    int first = step->first;
    if (to < 0 || to >= step->first || !granted(wish))
        return false;
    for (int i = 0; i < wish->to->count; i++) {
        struct wcts_oracle_walk_step *other = &wish->to->steps[i];
        if (other->kind == WCTS_WALK_RESERVE || other->kind == WCTS_WALK_FREE)
            other->first = other->first == first ? to : other->first;
        for (int item = 0; other->kind == WCTS_WALK_UPDATE && item < other->item_count; item++)
            for (int m = 0; m < WCTS_WALK_MEMBERS; m++) {
                struct wcts_oracle_walk_value *value = &other->items[item].values[m];
                if (value->is == WCTS_WALK_IS_ADDRESS && value->number - from < size)
                    value->number -= by;
            }
    }
    return true;
}

static bool simpler_reserve(struct run_wish *wish, int index)
{
    struct wcts_oracle_walk_step *step = &wish->to->steps[index];
    if (move_reservation(wish, index, 0) || move_reservation(wish, index, step->first / 2) ||
        move_reservation(wish, index, step->first - 1))
        return true;
    if (step->count > 1 && granted(wish))
        step->count = 1;
    else if (step->count > 2 && granted(wish))
        step->count--;
    else if (step->reserve > 0 && granted(wish))
        step->reserve = 0;
    else
        return false;
    return true;
}

/* Renames an allocation to the first unused number. */
static bool simpler_allocation(struct run_wish *wish, int index)
{
    int from = wish->to->steps[index].allocation;
    if (wish->to->steps[index].kind != WCTS_WALK_CREATE)
        return false;
    for (int to = 0; to < from; to++) {
        if (!granted(wish))
            continue;
        for (int i = 0; i < wish->to->count; i++) {
            struct wcts_oracle_walk_step *step = &wish->to->steps[i];
            if (step->allocation == from && step->kind != WCTS_WALK_UPDATE)
                step->allocation = to;
            for (int item = 0; step->kind == WCTS_WALK_UPDATE && item < step->item_count; item++)
                for (int m = 0; m < WCTS_WALK_MEMBERS; m++) {
                    struct wcts_oracle_walk_value *value = &step->items[item].values[m];
                    if (value->is == WCTS_WALK_IS_ALLOCATION && value->number == (uint64_t)from)
                        value->number = (uint64_t)to;
                }
        }
        return true;
    }
    return false;
}

/* A few pages; powers of two; half; a bit or a page less, or one. Any number gets small in some
 * dozens of steps. */
static bool simpler_number(struct run_wish *wish, uint64_t *number)
{
    static const uint64_t pages[] = {0, 1, 2, 3, 4, 8, 16, 256};
    uint64_t from = *number, page = WCTS_GPU_PAGE;
    uint64_t candidates[sizeof pages / sizeof *pages + 64 + 64 + 4];
    size_t count = 0;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        candidates[count++] = pages[i] * page;
    candidates[count++] = from / page / 2 * page;
    candidates[count++] = from / 2;
    for (unsigned bit = 0; !wish->coarse && bit < 64; bit++)
        candidates[count++] = UINT64_C(1) << bit;
    for (unsigned bit = 64; !wish->coarse && bit-- > 0;)
        candidates[count++] = from & ~(UINT64_C(1) << bit);
    if (!wish->coarse || from <= WCTS_WALK_GRANULE * page)
        candidates[count++] = from - page;
    if (!wish->coarse)
        candidates[count++] = from - 1;
    for (size_t i = 0; i < count; i++)
        if (candidates[i] < from && granted(wish)) {
            *number = candidates[i];
            return true;
        }
    return false;
}

static bool simpler_value(struct run_wish *wish, struct wcts_oracle_walk_value *value,
                          enum wcts_oracle_walk_role role)
{
    switch (value->is) {
    case WCTS_WALK_IS_ADDRESS:
        return simpler_number(wish, &value->number);
    case WCTS_WALK_IS_NUMBER:
        if (role != WCTS_WALK_WORD)
            return simpler_number(wish, &value->number);
        for (unsigned bit = 0; bit < 64; bit++) /* fewer flags */
            if (value->number >> bit & 1 && granted(wish)) {
                value->number &= ~(UINT64_C(1) << bit);
                return true;
            }
        return false;
    case WCTS_WALK_IS_ALLOCATION:
    case WCTS_WALK_IS_OTHER:
        if (!granted(wish))
            return false;
        *value = (struct wcts_oracle_walk_value){WCTS_WALK_IS_NUMBER, 0};
        return true;
    }
    return false;
}

static bool simpler_step(struct run_wish *wish, int index)
{
    struct wcts_oracle_walk_step *step = &wish->to->steps[index];
    if (step->kind == WCTS_WALK_RESERVE)
        return simpler_reserve(wish, index);
    if (step->kind != WCTS_WALK_UPDATE)
        return simpler_allocation(wish, index);
    for (int item = 0; item < step->item_count; item++) {
        const struct wcts_oracle_walk_operation *operation =
            &wish->shape->operations[step->items[item].operation];
        for (int m = 0; m < operation->member_count; m++)
            if (simpler_value(wish, &step->items[item].values[m], operation->members[m].role))
                return true;
    }
    return false;
}

static bool grant(const struct wcts_oracle_walk_sequence *sequence, struct run_wish wish)
{
    struct wcts_oracle_walk_sequence *simpler = wish.to;
    *simpler = *sequence;
    if (fewer_steps(&wish) || fewer_items(&wish) || fewer_calls(&wish))
        return true;
    if (simpler->top && granted(&wish)) {
        simpler->top = false;
        return true;
    }
    for (int i = 0; i < simpler->count; i++)
        if (simpler_step(&wish, i))
            return true;
    return false;
}

bool wcts_run_walk_simpler(const struct wcts_oracle_walk_sequence *sequence,
                           const struct wcts_oracle_walk_shape *shape, int n,
                           struct wcts_oracle_walk_sequence *simpler)
{
    return grant(sequence, (struct run_wish){.to = simpler, .shape = shape, .n = n});
}

static bool make_simpler(void *ctx, int n)
{
    struct run_shrinking *shrinking = ctx;
    const struct run_wish wish = {shrinking->candidate, shrinking->shape, n, shrinking->coarse};
    return shrinking->spent < shrinking->budget && grant(shrinking->best, wish);
}

static bool try_simpler(void *ctx)
{
    struct run_shrinking *shrinking = ctx;
    return try(shrinking, shrinking->candidate);
}

long wcts_run_walk_shrink(struct wcts_oracle_walk_sequence *sequence,
                          const struct wcts_oracle_walk_shape *shape, wcts_walk_fails_fn *fails,
                          void *ctx, long budget)
{
    static struct wcts_oracle_walk_sequence candidate;
    struct run_shrinking shrinking = {sequence, &candidate, shape, fails, ctx, budget, 0, true};
    const struct wcts_run_shrinking simplify = {make_simpler, try_simpler, &shrinking};
    for (int chunk = sequence->count / 2; chunk >= 1; chunk /= 2)
        for (int first = 0; first + chunk <= sequence->count;) {
            candidate = *sequence;
            drop_steps(&candidate, first, chunk);
            if (!try(&shrinking, &candidate))
                first += chunk;
        }
    wcts_run_shrink(&simplify);
    shrinking.coarse = false;
    wcts_run_shrink(&simplify);
    return shrinking.spent;
}
