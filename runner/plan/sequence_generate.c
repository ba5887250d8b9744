/* SPDX-License-Identifier: MIT */
/*
 * Random sequences that favour edges: ranges beside, inside and across each other, across
 * reservations and past their ends, stale handles, copies onto themselves, sizes of zero and of
 * nearly the whole address space. They depend on the seed and number alone.
 */
#include <string.h>

#include "../base/random.h"
#include "sequence.h"

#define RECENT 8
/* The last updates of a sequence are long. */
#define LONG_LAST 2

struct plan_recent {
    uint64_t page, pages;
};

struct plan_draw {
    const struct wcts_oracle_walk_shape *shape;
    uint64_t state;
    struct wcts_oracle_walk_account held;
    struct plan_recent recent[RECENT];
    int recent_count;
    int home;        /* the reservation of most ranges of the update, -1: none */
    bool calm;       /* True if the update is to be accepted, as far as the draw knows */
    uint64_t source; /* pages that the last create's allocation has */
};

static uint64_t below(struct plan_draw *draw, uint64_t limit)
{
    return wcts_random_below(&draw->state, limit);
}

static bool chance(struct plan_draw *draw, unsigned percent)
{
    return wcts_random_chance(&draw->state, percent);
}

/* ---- Reservations and allocations ---- */

static int random_slot(struct plan_draw *draw)
{
    int live[WCTS_WALK_SLOTS], count = 0;
    for (int i = 0; i < WCTS_WALK_SLOTS; i++)
        if (draw->held.slots[i].live)
            live[count++] = i;
    return count == 0 ? -1 : live[below(draw, (uint64_t)count)];
}

static int free_slot(const struct plan_draw *draw)
{
    for (int i = 0; i < WCTS_WALK_SLOTS; i++)
        if (!draw->held.slots[i].live)
            return i;
    return -1;
}

/* Most often right after or before another reservation. */
static bool draw_reserve(struct plan_draw *draw, struct wcts_oracle_walk_step *step)
{
    int slot = free_slot(draw), beside = random_slot(draw);
    for (int tries = 0; slot >= 0 && tries < 8; tries++) {
        int count = 1 + (int)below(draw, chance(draw, 80) ? 3 : 8);
        int first = (int)below(draw, WCTS_WALK_GRANULES);
        if (beside >= 0 && chance(draw, 70))
            first = chance(draw, 70)
                        ? draw->held.slots[beside].first + draw->held.slots[beside].count
                        : draw->held.slots[beside].first - count;
        *step = (struct wcts_oracle_walk_step){
            .kind = WCTS_WALK_RESERVE, .first = first, .count = count};
        if (!wcts_oracle_account_can(&draw->held, step))
            continue;
        step->reserve =
            chance(draw, 80) ? 0 : (int)below(draw, (uint64_t)draw->shape->reserve_count);
        wcts_oracle_account_take(&draw->held, step);
        return true;
    }
    *step = (struct wcts_oracle_walk_step){.first = 0};
    return false;
}

static bool draw_free(struct plan_draw *draw, struct wcts_oracle_walk_step *step)
{
    int slot = random_slot(draw);
    if (slot < 0)
        return false;
    step->kind = WCTS_WALK_FREE;
    step->first = draw->held.slots[slot].first;
    draw->held.slots[slot].live = false;
    return true;
}

static int random_allocation(struct plan_draw *draw, bool live)
{
    int found[WCTS_WALK_ALLOCATIONS], count = 0;
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        if (draw->held.live[i] == live)
            found[count++] = i;
    return count == 0 ? -1 : found[below(draw, (uint64_t)count)];
}

static bool draw_life(struct plan_draw *draw, struct wcts_oracle_walk_step *step, bool create)
{
    int allocation = random_allocation(draw, !create);
    if (allocation < 0)
        return false;
    step->kind = create ? WCTS_WALK_CREATE : WCTS_WALK_DESTROY;
    step->allocation = allocation;
    draw->held.live[allocation] = create;
    return true;
}

/* ---- Ranges ---- */

static struct wcts_oracle_walk_slot home_of(const struct plan_draw *draw)
{
    struct wcts_oracle_walk_slot all = {true, 0, WCTS_WALK_GRANULES};
    return draw->home < 0 ? all : draw->held.slots[draw->home];
}

static struct plan_recent random_recent(struct plan_draw *draw)
{
    uint64_t count = (uint64_t)(draw->recent_count < RECENT ? draw->recent_count : RECENT);
    struct plan_recent none = {0, 1};
    return count == 0 ? none : draw->recent[below(draw, count)];
}

static uint64_t draw_pages(struct plan_draw *draw)
{
    if (chance(draw, 60))
        return 1 + below(draw, 4);
    return chance(draw, 80) ? 1 + below(draw, 16) : 1 + below(draw, 40);
}

/* A range beside, inside or across a recent one, or anywhere in the home reservation, or at its
 * end. */
static struct plan_recent draw_range(struct plan_draw *draw)
{
    struct wcts_oracle_walk_slot home = home_of(draw);
    uint64_t first = (uint64_t)home.first * WCTS_WALK_GRANULE;
    uint64_t pages = (uint64_t)home.count * WCTS_WALK_GRANULE;
    struct plan_recent other = random_recent(draw), range = {0, draw_pages(draw)};
    if (range.pages > pages)
        range.pages = pages;
    switch (below(draw, 10)) {
    case 0: /* behind it */
        range.page = other.page + other.pages;
        break;
    case 1: /* before it */
        range.page = other.page - range.pages;
        break;
    case 2: /* inside */
        range.pages = 1 + below(draw, other.pages);
        range.page = other.page + below(draw, other.pages - range.pages + 1);
        break;
    case 3: /* across its end */
        range.page = other.page + other.pages - 1 - below(draw, range.pages);
        break;
    case 4: /* the same */
        range = other;
        break;
    case 5: /* to the end of the home reservation */
        range.page = first + pages - range.pages;
        break;
    default:
        range.page = first + below(draw, pages - range.pages + 1);
        break;
    }
    return range;
}

static bool lies_in(struct wcts_oracle_walk_slot home, struct plan_recent range)
{
    uint64_t first = (uint64_t)home.first * WCTS_WALK_GRANULE;
    uint64_t end = first + (uint64_t)home.count * WCTS_WALK_GRANULE;
    return range.page >= first && range.page < end && range.pages <= end - range.page;
}

/* Mostly in the home reservation; rarely past its end, or anywhere. */
static struct plan_recent draw_target(struct plan_draw *draw)
{
    struct wcts_oracle_walk_slot home = home_of(draw);
    struct plan_recent range = draw_range(draw);
    for (int tries = 0; tries < 6 && !lies_in(home, range); tries++)
        range = draw_range(draw);
    if (draw->calm)
        return lies_in(home, range) && range.pages <= draw->source
                   ? range
                   : (struct plan_recent){(uint64_t)home.first * WCTS_WALK_GRANULE, 1};
    if (chance(draw, 2))
        range.page = (uint64_t)(home.first + home.count) * WCTS_WALK_GRANULE - 1;
    else if (chance(draw, 1))
        range.page = below(draw, 2 * WCTS_WALK_PAGES);
    return range;
}

/* Half of the copies overlap what they write, from before or from after. */
static uint64_t draw_source(struct plan_draw *draw, struct plan_recent target)
{
    int other = random_slot(draw);
    if (draw->calm) {
        struct wcts_oracle_walk_slot home = home_of(draw);
        uint64_t pages = (uint64_t)home.count * WCTS_WALK_GRANULE;
        return (uint64_t)home.first * WCTS_WALK_GRANULE + below(draw, pages - target.pages + 1);
    }
    if (chance(draw, 50)) {
        uint64_t by = below(draw, target.pages + 1);
        return chance(draw, 50) ? target.page + by : target.page - by;
    }
    if (chance(draw, 50))
        return random_recent(draw).page;
    if (other < 0)
        return below(draw, WCTS_WALK_PAGES);
    return (uint64_t)draw->held.slots[other].first * WCTS_WALK_GRANULE +
           below(draw, (uint64_t)draw->held.slots[other].count * WCTS_WALK_GRANULE);
}

static uint64_t odd_size(struct plan_draw *draw)
{
    static const uint64_t sizes[] = {0,
                                     0,
                                     0,
                                     UINT64_MAX,
                                     UINT64_MAX - 4095,
                                     UINT64_C(1) << 63,
                                     4095,
                                     4097,
                                     UINT64_MAX - WCTS_WALK_WINDOW + 1};
    return sizes[below(draw, sizeof sizes / sizeof *sizes)];
}

/* ---- Values ---- */

static struct wcts_oracle_walk_value number(uint64_t value)
{
    return (struct wcts_oracle_walk_value){WCTS_WALK_IS_NUMBER, value};
}

static struct wcts_oracle_walk_value address(struct plan_draw *draw, uint64_t page)
{
    uint64_t off = !draw->calm && chance(draw, 1) ? 1 + below(draw, 4095) : 0;
    return (struct wcts_oracle_walk_value){WCTS_WALK_IS_ADDRESS, page * WCTS_GPU_PAGE + off};
}

static struct wcts_oracle_walk_value draw_handle(struct plan_draw *draw)
{
    bool stale = !draw->calm && chance(draw, 4);
    int allocation = random_allocation(draw, !stale);
    if (allocation < 0)
        allocation = random_allocation(draw, stale);
    if (!draw->calm && chance(draw, 1))
        return number(0);
    if (!draw->calm && chance(draw, 1))
        return (struct wcts_oracle_walk_value){WCTS_WALK_IS_OTHER, 0};
    return (struct wcts_oracle_walk_value){WCTS_WALK_IS_ALLOCATION, (uint64_t)allocation};
}

/* Often a length that divides the range, sometimes one that does not or is too long. */
static uint64_t draw_each(struct plan_draw *draw, uint64_t pages)
{
    if (chance(draw, pages > draw->source ? 20 : 55))
        return 0;
    if (chance(draw, 92))
        for (int tries = 0; tries < 8; tries++) {
            uint64_t each = 1 + below(draw, pages < draw->source ? pages : draw->source);
            if (pages % each == 0)
                return each * WCTS_GPU_PAGE;
        }
    return chance(draw, 70) ? (1 + below(draw, pages + 2)) * WCTS_GPU_PAGE : 1 + below(draw, 8191);
}

/* Most often such that the mapped range is in the allocation. */
static uint64_t draw_from(struct plan_draw *draw, uint64_t length)
{
    uint64_t pages = length / WCTS_GPU_PAGE;
    uint64_t room = pages < draw->source ? draw->source - pages : 0;
    if (chance(draw, 25))
        return 0;
    if (draw->calm || chance(draw, 97))
        return below(draw, room + 1) * WCTS_GPU_PAGE;
    return chance(draw, 70) ? below(draw, draw->source + 4) * WCTS_GPU_PAGE
                            : below(draw, draw->source * WCTS_GPU_PAGE);
}

static uint64_t draw_choice(struct plan_draw *draw, const struct wcts_oracle_walk_member *member)
{
    if (member->choice_count == 0)
        return wcts_random_next(&draw->state) & member->flags;
    if (!draw->calm && member->one_of && chance(draw, 4))
        return wcts_random_next(&draw->state) & member->flags;
    if (member->role == WCTS_WALK_NUMBER && chance(draw, 20))
        return wcts_random_next(&draw->state);
    return member->choices[below(draw, (uint64_t)member->choice_count)];
}

/* ---- Updates ---- */

static void draw_item(struct plan_draw *draw, struct wcts_oracle_walk_item *item)
{
    const struct wcts_oracle_walk_operation *operation;
    struct plan_recent target = draw_target(draw);
    uint64_t size = target.pages * WCTS_GPU_PAGE, each;
    item->operation = (int)below(draw, (uint64_t)draw->shape->operation_count);
    operation = &draw->shape->operations[item->operation];
    if (!draw->calm && chance(draw, 3))
        size = odd_size(draw);
    each = draw->calm ? 0 : draw_each(draw, target.pages);
    for (int i = 0; i < operation->member_count; i++) {
        const struct wcts_oracle_walk_member *member = &operation->members[i];
        struct wcts_oracle_walk_value *value = &item->values[i];
        switch (member->role) {
        case WCTS_WALK_BASE:
            *value = address(draw, target.page);
            break;
        case WCTS_WALK_SOURCE:
            *value = address(draw, draw_source(draw, target));
            break;
        case WCTS_WALK_SIZE:
            *value = number(size);
            break;
        case WCTS_WALK_HANDLE:
            *value = draw_handle(draw);
            break;
        case WCTS_WALK_FROM:
            *value = number(draw_from(draw, each ? each : size));
            break;
        case WCTS_WALK_EACH:
            *value = number(each);
            break;
        case WCTS_WALK_WORD:
        case WCTS_WALK_NUMBER:
            *value = number(draw_choice(draw, member));
            break;
        case WCTS_WALK_UNUSED:
        case WCTS_WALK_TYPE:
            *value = number(0);
            break;
        }
    }
    draw->recent[draw->recent_count++ % RECENT] = target;
}

static void draw_update(struct plan_draw *draw, struct wcts_oracle_walk_step *step)
{
    static const int counts[] = {1, 1, 1, 1, 1, 2, 2, 2, 3, 4};
    step->kind = WCTS_WALK_UPDATE;
    step->item_count = counts[below(draw, sizeof counts / sizeof *counts)];
    draw->home = random_slot(draw);
    for (int i = 0; i < step->item_count; i++) {
        if (i > 0 && chance(draw, 3))
            draw->home = random_slot(draw);
        draw_item(draw, &step->items[i]);
    }
}

/* Many operations in one reservation, of which none is wrong by itself: a kernel that counts them,
 * or has room for few, shows here. False if nothing is reserved, or nothing to be mapped. */
static bool draw_long(struct plan_draw *draw, struct wcts_oracle_walk_step *step)
{
    memset(step, 0, sizeof *step);
    draw->home = random_slot(draw);
    if (draw->home < 0 || random_allocation(draw, true) < 0)
        return false;
    step->kind = WCTS_WALK_UPDATE;
    step->item_count =
        WCTS_WALK_SHORT + 1 + (int)below(draw, (uint64_t)(WCTS_WALK_BATCH - WCTS_WALK_SHORT));
    draw->calm = true;
    for (int i = 0; i < step->item_count; i++)
        draw_item(draw, &step->items[i]);
    draw->calm = false;
    return true;
}

static void draw_step(struct plan_draw *draw, struct wcts_oracle_walk_step *step)
{
    uint64_t kind = below(draw, 100);
    bool empty = random_slot(draw) < 0;
    memset(step, 0, sizeof *step);
    if ((empty ? kind < 90 : kind < 6) && draw_reserve(draw, step))
        return;
    if (!empty && kind >= 6 && kind < 9 && draw_free(draw, step))
        return;
    if ((random_allocation(draw, true) < 0 ? kind < 90 : kind >= 9 && kind < 13) &&
        draw_life(draw, step, true))
        return;
    if (kind >= 13 && kind < 16 && draw_life(draw, step, false))
        return;
    draw_update(draw, step);
}

void wcts_plan_walk_generate(struct wcts_oracle_walk_sequence *sequence,
                             const struct wcts_oracle_walk_shape *shape, uint64_t seed,
                             uint32_t number_)
{
    const struct wcts_cases *cases = shape->spec->cases;
    struct plan_draw draw = {.shape = shape, .state = seed};
    draw.state = wcts_random_next(&draw.state) + (uint64_t)number_ * UINT64_C(0xD1342543DE82EF95);
    draw.source = cases->symbols[cases->steps[shape->create].result].size / WCTS_GPU_PAGE;
    sequence->top = number_ % 10 == 9;
    sequence->count = WCTS_WALK_STEPS;
    for (int i = 0; i < sequence->count - LONG_LAST; i++)
        draw_step(&draw, &sequence->steps[i]);
    for (int i = sequence->count - LONG_LAST; i < sequence->count; i++)
        if (!draw_long(&draw, &sequence->steps[i]))
            draw_step(&draw, &sequence->steps[i]);
}
