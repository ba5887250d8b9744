/* SPDX-License-Identifier: MIT */
/* Evaluates rules in worlds: each form once. */
#include <string.h>

#include "../model/cases.h"
#include "world.h"

/* A rule, and the instance for which it is evaluated. */
struct asking {
    const struct wcts_world *world;
    const struct wcts_rule *rule;
    int instance;
};

/* ---- Values ---- */

static struct wcts_value asked_value(const struct asking *ask, struct wcts_ref ref)
{
    struct wcts_value none = {-1, 0};
    int instance = wcts_world_resolve(ask->world, ask->instance, ref.structure);
    return instance < 0 ? none : wcts_world_get(ask->world, instance, ref);
}

static bool is_set(struct wcts_value value)
{
    return value.symbol >= 0 || value.number != 0;
}

static bool fact(const struct asking *ask, struct wcts_ref ref)
{
    return is_set(asked_value(ask, ref));
}

static const struct wcts_operand *asked_operand(const struct asking *ask,
                                                enum wcts_attribute attribute)
{
    return &ask->rule->arg[attribute];
}

static struct wcts_ref ref_of(const struct asking *ask, enum wcts_attribute attribute)
{
    return asked_operand(ask, attribute)->refs[0];
}

static int count_set(const struct asking *ask, const struct wcts_operand *list)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += fact(ask, list->refs[i]);
    return count;
}

/* A number, the page size, or the value of a reference. */
static struct wcts_value operand_value(const struct asking *ask, const struct wcts_operand *operand)
{
    struct wcts_value value = {-1, operand->number};
    if (operand->page)
        value.number = ask->world->page_size;
    else if (operand->count > 0)
        value = asked_value(ask, operand->refs[0]);
    return value;
}

static const struct wcts_masks *masks_of(const struct asking *ask, struct wcts_ref ref)
{
    const struct wcts_member *member = wcts_ref_member(ask->world->eval->spec, ref);
    return wcts_oracle_eval_masks(ask->world->eval, member->word, ask->world->version);
}

/* ---- Segments ---- */

static uint64_t preference_set(uint64_t preference)
{
    uint64_t set = 0;
    for (int i = 0; i < 5; i++) {
        uint64_t id = preference >> (6 * i) & 0x1F;
        if (id)
            set |= UINT64_C(1) << (id - 1);
    }
    return set;
}

static uint64_t segments_of(const struct asking *ask, struct wcts_ref ref)
{
    uint64_t value = asked_value(ask, ref).number;
    const struct wcts_member *member = wcts_ref_member(ask->world->eval->spec, ref);
    return member->type == WCTS_TYPE_SEGMENT_PREFERENCE ? preference_set(value) : value;
}

/* The instance that describes segment number n (from 0), or -1. */
static int segment_instance(const struct wcts_world *world, int structure, int n)
{
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == structure && world->instances[i].present && n-- == 0)
            return i;
    return -1;
}

static bool segment_has(const struct wcts_world *world, int instance,
                        const struct wcts_operand *flags)
{
    for (int i = 0; i < flags->count; i++)
        if (is_set(wcts_world_get(world, instance, flags->refs[i])))
            return true;
    return false;
}

/* True if set names a described segment with one of the flags (want) or without any (!want). */
static bool names_segment(const struct asking *ask, uint64_t set, const struct wcts_operand *flags,
                          bool want)
{
    for (int n = 0; n < 32; n++) {
        int instance;
        if (!(set >> n & 1))
            continue;
        instance = segment_instance(ask->world, flags->refs[0].structure, n);
        if (instance >= 0 && segment_has(ask->world, instance, flags) == want)
            return true;
    }
    return false;
}

/* ---- Pages ---- */

struct page {
    int reservation; /* symbol, -1: unreserved */
    int state;
};

struct page_walk {
    const struct wcts_cases *cases;
    uint8_t *const *states; /* of each reservation's pages */
    int reservation;        /* -1: in no known reservation */
    uint64_t offset;        /* of the page in it */
    uint64_t left;          /* pages */
};

static void walk_init(struct page_walk *walk, const struct asking *ask, struct wcts_value base,
                      uint64_t size)
{
    const struct wcts_cases *cases = ask->world->eval->spec->cases;
    uint64_t offset = base.number;
    int reservation = base.symbol;
    if (reservation >= 0 && cases->symbols[reservation].kind == WCTS_SYMBOL_AREA) {
        offset += cases->symbols[reservation].offset;
        reservation = cases->symbols[reservation].of;
    }
    if (reservation >= 0 && cases->symbols[reservation].kind != WCTS_SYMBOL_RESERVATION)
        reservation = -1;
    *walk = (struct page_walk){cases, ask->world->eval->page_states, reservation,
                               offset / WCTS_GPU_PAGE * WCTS_GPU_PAGE, 0};
    if (size > 0)
        walk->left = (size - 1) / WCTS_GPU_PAGE + 1 +
                     (offset % WCTS_GPU_PAGE + (size - 1) % WCTS_GPU_PAGE) / WCTS_GPU_PAGE;
}

static int reservation_after(const struct wcts_cases *cases, int reservation)
{
    for (int i = 0; i < cases->symbols_count; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_RESERVATION &&
            cases->symbols[i].after == reservation)
            return i;
    return -1;
}

/* The next page of the range; what lies behind all known reservations counts as one page. */
static bool walk_next(struct page_walk *walk, struct page *page)
{
    *page = (struct page){-1, WCTS_STATE_UNRESERVED};
    if (walk->left == 0)
        return false;
    while (walk->reservation >= 0 && walk->offset >= walk->cases->symbols[walk->reservation].size) {
        walk->offset -= walk->cases->symbols[walk->reservation].size;
        walk->reservation = reservation_after(walk->cases, walk->reservation);
    }
    if (walk->reservation < 0 || !walk->states[walk->reservation]) {
        walk->left = 0;
        return true;
    }
    page->reservation = walk->reservation;
    page->state = walk->states[walk->reservation][walk->offset / WCTS_GPU_PAGE];
    walk->offset += WCTS_GPU_PAGE;
    walk->left--;
    return true;
}

/* ---- Conditions ---- */

static bool compare_is(struct wcts_value value, const char *is)
{
    bool set = is_set(value);
    return strcmp(is, "set") == 0 || strcmp(is, "nonzero") == 0 ? set : !set;
}

/* Areas of one reservation are compared by where they begin. */
static struct wcts_value placed(const struct asking *ask, struct wcts_value value)
{
    const struct wcts_cases *cases = ask->world->eval->spec->cases;
    if (value.symbol >= 0 && cases->symbols[value.symbol].kind == WCTS_SYMBOL_AREA) {
        value.number += cases->symbols[value.symbol].offset;
        value.symbol = cases->symbols[value.symbol].of;
    }
    return value;
}

static bool values_equal(const struct asking *ask, struct wcts_value a, struct wcts_value b)
{
    a = placed(ask, a);
    b = placed(ask, b);
    return a.number == b.number && (a.symbol == b.symbol || (a.symbol < 0 && b.symbol < 0));
}

/* segment and no-segment: of one member, or of that and another. */
static bool segments_hold(const struct asking *ask, const struct wcts_operand *args,
                          struct wcts_ref member)
{
    const struct wcts_operand *some = &args[WCTS_ARG_SEGMENT], *none = &args[WCTS_ARG_NO_SEGMENT];
    uint64_t set;
    if (!some->given && !none->given)
        return true;
    set = segments_of(ask, member);
    if (args[WCTS_ARG_OR].given)
        set |= segments_of(ask, args[WCTS_ARG_OR].refs[0]);
    if (some->given && !names_segment(ask, set, some, true))
        return false;
    return !none->given || !names_segment(ask, set, none, true);
}

static bool condition_holds(const struct asking *ask, const struct wcts_condition *condition)
{
    const struct wcts_operand *args = condition->arg;
    const struct wcts_operand *of =
        args[WCTS_ARG_FACT].given ? &args[WCTS_ARG_FACT] : &args[WCTS_ARG_MEMBER];
    struct wcts_value value = asked_value(ask, of->refs[0]);
    if (args[WCTS_ARG_IS].given && !compare_is(value, args[WCTS_ARG_IS].text))
        return false;
    if (args[WCTS_ARG_LESS].given &&
        value.number >= operand_value(ask, &args[WCTS_ARG_LESS]).number)
        return false;
    if (args[WCTS_ARG_EQUALS].given &&
        !values_equal(ask, value, operand_value(ask, &args[WCTS_ARG_EQUALS])))
        return false;
    if (args[WCTS_ARG_DIFFERS].given &&
        values_equal(ask, value, operand_value(ask, &args[WCTS_ARG_DIFFERS])))
        return false;
    return segments_hold(ask, args, of->refs[0]);
}

static bool conditions_hold(const struct asking *ask, const struct wcts_condition *when, int count)
{
    for (int i = 0; i < count; i++)
        if (!condition_holds(ask, &when[i]))
            return false;
    return true;
}

/* ---- Forms ---- */

static enum wcts_truth holds(bool good)
{
    return good ? WCTS_TRUE : WCTS_FALSE;
}

static enum wcts_truth ask_requires(const struct asking *ask)
{
    const struct wcts_operand *any = asked_operand(ask, WCTS_ARG_ANY),
                              *all = asked_operand(ask, WCTS_ARG_ALL);
    if (!fact(ask, ref_of(ask, WCTS_ARG_FACT)))
        return WCTS_UNKNOWN;
    if (any->given && count_set(ask, any) == 0)
        return WCTS_FALSE;
    return holds(!all->given || count_set(ask, all) == all->count);
}

static enum wcts_truth ask_excludes(const struct asking *ask)
{
    if (!fact(ask, ref_of(ask, WCTS_ARG_FACT)))
        return WCTS_UNKNOWN;
    return holds(count_set(ask, asked_operand(ask, WCTS_ARG_WITH)) == 0);
}

static enum wcts_truth ask_at_least_one(const struct asking *ask)
{
    return holds(count_set(ask, asked_operand(ask, WCTS_ARG_ANY)) > 0);
}

static enum wcts_truth ask_exactly_one(const struct asking *ask)
{
    return holds(count_set(ask, asked_operand(ask, WCTS_ARG_ANY)) == 1);
}

/* Bits that no flag has at this version are the matter of the undefined form. */
static enum wcts_truth ask_exclusive(const struct asking *ask)
{
    struct wcts_ref flag = ref_of(ask, WCTS_ARG_FACT), member = flag;
    uint64_t others;
    member.flag = -1;
    if (!fact(ask, flag))
        return WCTS_UNKNOWN;
    others = asked_value(ask, member).number & masks_of(ask, flag)->defined;
    return holds((others & (others - 1)) == 0);
}

static enum wcts_truth ask_reserved(const struct asking *ask)
{
    return holds(!fact(ask, ref_of(ask, WCTS_ARG_FACT)));
}

static enum wcts_truth ask_undefined(const struct asking *ask)
{
    struct wcts_ref member = ref_of(ask, WCTS_ARG_MEMBER);
    const struct wcts_masks *masks = masks_of(ask, member);
    uint64_t known = masks->defined | masks->open | masks->gated;
    return holds((asked_value(ask, member).number & ~known) == 0);
}

static enum wcts_truth ask_row(const struct asking *ask)
{
    const struct wcts_rule *rule = ask->rule;
    for (int i = 0; i < rule->cell_count; i++)
        if (fact(ask, rule->cells[i].flag) != rule->cells[i].set)
            return WCTS_TRUE;
    return WCTS_FALSE;
}

static enum wcts_truth ask_multiple(const struct asking *ask)
{
    uint64_t to = operand_value(ask, asked_operand(ask, WCTS_ARG_TO)).number;
    uint64_t value = asked_value(ask, ref_of(ask, WCTS_ARG_MEMBER)).number;
    return to == 0 ? WCTS_UNKNOWN : holds(value % to == 0);
}

static enum wcts_truth ask_range(const struct asking *ask)
{
    struct wcts_value value = asked_value(ask, ref_of(ask, WCTS_ARG_MEMBER));
    const struct wcts_operand *min = asked_operand(ask, WCTS_ARG_MIN),
                              *max = asked_operand(ask, WCTS_ARG_MAX);
    if (min->given && value.number < operand_value(ask, min).number)
        return WCTS_FALSE;
    return holds(!max->given || value.number <= operand_value(ask, max).number);
}

/* A symbolic base is a reserved address: at least 64 KiB, far below the top. */
static enum wcts_truth ask_no_wrap(const struct asking *ask)
{
    struct wcts_value base = asked_value(ask, ref_of(ask, WCTS_ARG_BASE));
    uint64_t size = asked_value(ask, ref_of(ask, WCTS_ARG_SIZE)).number;
    uint64_t least = base.symbol >= 0 ? 0x10000 : base.number;
    return holds(size == 0 || least <= UINT64_MAX - (size - 1));
}

static enum wcts_truth ask_fits(const struct asking *ask)
{
    const struct wcts_cases *cases = ask->world->eval->spec->cases;
    uint64_t offset = asked_value(ask, ref_of(ask, WCTS_ARG_OFFSET)).number;
    uint64_t size = asked_value(ask, ref_of(ask, WCTS_ARG_SIZE)).number;
    int object = asked_value(ask, ref_of(ask, WCTS_ARG_WITHIN)).symbol;
    if (size == 0 && asked_operand(ask, WCTS_ARG_OR)->given)
        size = asked_value(ask, ref_of(ask, WCTS_ARG_OR)).number;
    if (object < 0 || cases->symbols[object].size == 0)
        return WCTS_UNKNOWN;
    return holds(offset <= cases->symbols[object].size &&
                 size <= cases->symbols[object].size - offset);
}

static enum wcts_truth ask_nonzero(const struct asking *ask)
{
    return holds(fact(ask, ref_of(ask, WCTS_ARG_MEMBER)));
}

static enum wcts_truth ask_zero(const struct asking *ask)
{
    return holds(!fact(ask, ref_of(ask, WCTS_ARG_MEMBER)));
}

/* True if the step that made the object set the flag. */
static bool made_with(const struct wcts_cases *cases, const struct wcts_symbol *symbol,
                      struct wcts_ref flag)
{
    const struct wcts_step *step = &cases->steps[symbol->step];
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++) {
            const struct wcts_set *set = &step->instances[i].sets[j];
            if (step->instances[i].structure == flag.structure &&
                memcmp(&set->ref, &flag, sizeof flag) == 0)
                return set->value.number != 0;
        }
    return false;
}

static enum wcts_truth ask_handle(const struct asking *ask)
{
    const struct wcts_cases *cases = ask->world->eval->spec->cases;
    const struct wcts_operand *with = asked_operand(ask, WCTS_ARG_WITH);
    int index = asked_value(ask, ref_of(ask, WCTS_ARG_MEMBER)).symbol;
    const struct wcts_symbol *symbol;
    if (index < 0)
        return WCTS_FALSE;
    symbol = &cases->symbols[index];
    if (symbol->kind != WCTS_SYMBOL_HANDLE || symbol->dead_by >= 0 ||
        strcmp(symbol->kind_name, asked_operand(ask, WCTS_ARG_KIND)->text) != 0)
        return WCTS_FALSE;
    for (int i = 0; i < with->count; i++)
        if (!made_with(cases, symbol, with->refs[i]))
            return WCTS_FALSE;
    return WCTS_TRUE;
}

static enum wcts_truth ask_subset(const struct asking *ask)
{
    uint64_t set = segments_of(ask, ref_of(ask, WCTS_ARG_MEMBER));
    if (set == 0)
        return WCTS_UNKNOWN;
    return holds((set & ~segments_of(ask, ref_of(ask, WCTS_ARG_OF))) == 0);
}

static enum wcts_truth ask_segments(const struct asking *ask)
{
    uint64_t set = segments_of(ask, ref_of(ask, WCTS_ARG_MEMBER));
    const struct wcts_operand *any = asked_operand(ask, WCTS_ARG_ANY),
                              *with = asked_operand(ask, WCTS_ARG_WITH);
    if (set == 0)
        return WCTS_UNKNOWN;
    if (any->given && names_segment(ask, set, any, false))
        return WCTS_FALSE;
    return holds(!with->given || !names_segment(ask, set, with, true));
}

static enum wcts_truth ask_count(const struct asking *ask)
{
    const struct wcts_world *world = ask->world;
    struct wcts_ref flag = ref_of(ask, WCTS_ARG_FACT);
    uint64_t count = 0;
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == flag.structure && world->instances[i].present)
            count += is_set(wcts_world_get(world, i, flag));
    return count == 0 ? WCTS_UNKNOWN : holds(count <= asked_operand(ask, WCTS_ARG_MAX)->number);
}

static enum wcts_truth ask_pages(const struct asking *ask)
{
    struct page_walk walk;
    struct page page;
    walk_init(&walk, ask, asked_value(ask, ref_of(ask, WCTS_ARG_BASE)),
              asked_value(ask, ref_of(ask, WCTS_ARG_SIZE)).number);
    while (walk_next(&walk, &page))
        if (asked_operand(ask, WCTS_ARG_NOT)->number >> page.state & 1)
            return WCTS_FALSE;
    return WCTS_TRUE;
}

static enum wcts_truth ask_reservation(const struct asking *ask)
{
    const struct wcts_cases *cases = ask->world->eval->spec->cases;
    struct page_walk walk;
    struct page page;
    int seen = -1;
    walk_init(&walk, ask, asked_value(ask, ref_of(ask, WCTS_ARG_BASE)),
              asked_value(ask, ref_of(ask, WCTS_ARG_SIZE)).number);
    while (walk_next(&walk, &page)) {
        if (page.reservation < 0 || (seen >= 0 && seen != page.reservation) ||
            strcmp(cases->symbols[page.reservation].kind_name,
                   asked_operand(ask, WCTS_ARG_KIND)->text) != 0)
            return WCTS_FALSE;
        seen = page.reservation;
    }
    return WCTS_TRUE;
}

/* Walks one range; *seen is the reservation of all ranges so far, -1 at the beginning. */
static bool same_reservation(const struct asking *ask, const struct wcts_range_of *range, int *seen)
{
    struct page_walk walk;
    struct page page;
    walk_init(&walk, ask, asked_value(ask, range->base), asked_value(ask, range->size).number);
    while (walk_next(&walk, &page)) {
        if (page.reservation < 0 && range->unreserved_ignored)
            continue;
        if (page.reservation < 0 || (*seen >= 0 && *seen != page.reservation))
            return false;
        *seen = page.reservation;
    }
    return true;
}

static enum wcts_truth ask_one_reservation(const struct asking *ask)
{
    const struct wcts_world *world = ask->world;
    int seen = -1;
    bool asked = false;
    for (int i = 0; i < ask->rule->range_count; i++)
        for (int j = 0; j < world->count; j++) {
            struct asking about = {world, ask->rule, j};
            if (!world->instances[j].present ||
                world->instances[j].structure != ask->rule->ranges[i].base.structure)
                continue;
            asked = true;
            if (!same_reservation(&about, &ask->rule->ranges[i], &seen))
                return WCTS_FALSE;
        }
    return asked ? WCTS_TRUE : WCTS_UNKNOWN;
}

/* True if instance other, an earlier one, still was there when the one that is asked about came. */
static bool was_there(const struct asking *ask, int other)
{
    int ended = ask->world->instances[other].ended;
    return ended == 0 || ended > ask->instance;
}

static enum wcts_truth ask_distinct(const struct asking *ask)
{
    const struct wcts_world *world = ask->world;
    struct wcts_ref member = ref_of(ask, WCTS_ARG_MEMBER);
    struct wcts_value value = wcts_world_get(world, ask->instance, member);
    bool asked = false;
    for (int i = 0; i < ask->instance; i++) {
        if (world->instances[i].structure != member.structure || !world->instances[i].present ||
            !was_there(ask, i))
            continue;
        asked = true;
        if (value.number != 0 && value.number == wcts_world_get(world, i, member).number)
            return WCTS_FALSE;
    }
    return asked ? WCTS_TRUE : WCTS_UNKNOWN;
}

/* An entry of a table: its first member is where it begins, its second how long it is. */
static enum wcts_truth ask_banks(const struct asking *ask)
{
    const struct wcts_world *world = ask->world;
    uint64_t size = asked_value(ask, ref_of(ask, WCTS_ARG_WITHIN)).number;
    uint64_t end = 0;
    bool first = true;
    for (int i = 0; i < world->count; i++) {
        const struct wcts_value *entry = world->instances[i].values;
        if (world->instances[i].parent != ask->instance || !world->instances[i].present)
            continue;
        if (!first && entry[0].number != end)
            return WCTS_FALSE;
        if (entry[0].number > size || entry[1].number > size - entry[0].number)
            return WCTS_FALSE;
        end = entry[0].number + entry[1].number;
        first = false;
    }
    return first ? WCTS_UNKNOWN : WCTS_TRUE;
}

static enum wcts_truth ask_layout(const struct asking *ask)
{
    (void)ask;
    return WCTS_UNKNOWN;
}

typedef enum wcts_truth ask_fn(const struct asking *ask);

static ask_fn *const forms[WCTS_FORM_COUNT_OF] = {
    [WCTS_FORM_REQUIRES] = ask_requires,
    [WCTS_FORM_EXCLUDES] = ask_excludes,
    [WCTS_FORM_AT_LEAST_ONE] = ask_at_least_one,
    [WCTS_FORM_EXACTLY_ONE] = ask_exactly_one,
    [WCTS_FORM_EXCLUSIVE] = ask_exclusive,
    [WCTS_FORM_RESERVED] = ask_reserved,
    [WCTS_FORM_UNDEFINED] = ask_undefined,
    [WCTS_FORM_GATE] = ask_reserved,
    [WCTS_FORM_ROW] = ask_row,
    [WCTS_FORM_ALIGN] = ask_multiple,
    [WCTS_FORM_MULTIPLE] = ask_multiple,
    [WCTS_FORM_RANGE] = ask_range,
    [WCTS_FORM_NO_WRAP] = ask_no_wrap,
    [WCTS_FORM_FITS] = ask_fits,
    [WCTS_FORM_NONZERO] = ask_nonzero,
    [WCTS_FORM_ZERO] = ask_zero,
    [WCTS_FORM_HANDLE] = ask_handle,
    [WCTS_FORM_SUBSET] = ask_subset,
    [WCTS_FORM_SEGMENTS] = ask_segments,
    [WCTS_FORM_COUNT] = ask_count,
    [WCTS_FORM_PAGES] = ask_pages,
    [WCTS_FORM_RESERVATION] = ask_reservation,
    [WCTS_FORM_ONE_RESERVATION] = ask_one_reservation,
    [WCTS_FORM_DISTINCT] = ask_distinct,
    [WCTS_FORM_BANKS] = ask_banks,
    [WCTS_FORM_EFFECT_PAGES] = ask_layout,
    [WCTS_FORM_EFFECT_REPLY] = ask_layout,
    [WCTS_FORM_EFFECT_TOLD] = ask_layout,
    [WCTS_FORM_EFFECT_LATER] = ask_layout,
    [WCTS_FORM_EFFECT_PLACED] = ask_layout,
    [WCTS_FORM_EFFECT_BYTES] = ask_layout,
    [WCTS_FORM_EFFECT_MACHINE] = ask_layout,
    [WCTS_FORM_EFFECT_POWER] = ask_layout,
    [WCTS_FORM_EFFECT_PATCH] = ask_layout,
    [WCTS_FORM_LAYOUT] = ask_layout,
};

bool wcts_oracle_ranges_intersect(const struct wcts_world *world, const struct wcts_rule *rule,
                                  int instance)
{
    struct asking ask = {world, rule, instance};
    struct wcts_value to = placed(&ask, asked_value(&ask, ref_of(&ask, WCTS_ARG_BASE)));
    struct wcts_value from = placed(&ask, asked_value(&ask, ref_of(&ask, WCTS_ARG_COPY)));
    uint64_t size = asked_value(&ask, ref_of(&ask, WCTS_ARG_SIZE)).number;
    if (to.symbol != from.symbol)
        return false;
    return to.number < from.number ? from.number - to.number < size
                                   : to.number - from.number < size;
}

bool wcts_oracle_source_has(const struct wcts_world *world, const struct wcts_rule *rule,
                            int instance, uint64_t states)
{
    struct asking ask = {world, rule, instance};
    struct page_walk walk;
    struct page page;
    walk_init(&walk, &ask, asked_value(&ask, ref_of(&ask, WCTS_ARG_COPY)),
              asked_value(&ask, ref_of(&ask, WCTS_ARG_SIZE)).number);
    while (walk_next(&walk, &page))
        if (states >> page.state & 1)
            return true;
    return false;
}

bool wcts_oracle_conditions_hold(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int instance)
{
    struct asking ask = {world, rule, instance};
    return conditions_hold(&ask, rule->when, rule->when_count);
}

bool wcts_oracle_condition_holds(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int n, int instance)
{
    struct asking ask = {world, rule, instance};
    return condition_holds(&ask, &rule->when[n]);
}

enum wcts_truth wcts_oracle_form_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance)
{
    struct asking ask = {world, rule, instance};
    return forms[rule->form](&ask);
}

enum wcts_truth wcts_oracle_rule_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance)
{
    struct asking ask = {world, rule, instance};
    if (!conditions_hold(&ask, rule->when, rule->when_count))
        return WCTS_UNKNOWN;
    return forms[rule->form](&ask);
}

enum wcts_truth wcts_oracle_rule_ask_all(const struct wcts_world *world,
                                         const struct wcts_rule *rule, int *where)
{
    enum wcts_truth truth = WCTS_UNKNOWN;
    for (int i = 0; i < world->count; i++) {
        enum wcts_truth here;
        if (world->instances[i].structure != rule->on || !world->instances[i].present)
            continue;
        here = wcts_oracle_rule_ask(world, rule, i);
        if (here > truth) {
            truth = here;
            if (where)
                *where = i;
        }
    }
    return truth;
}

/* ---- All rules ---- */

bool wcts_oracle_left_open(const struct wcts_world *world, int instance)
{
    const struct wcts_spec *spec = world->eval->spec;
    const struct wcts_world_instance *one = &world->instances[instance];
    const struct wcts_structure *structure = &spec->structures[one->structure];
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        if (member->word < 0 || world->version < member->since || world->version >= member->until)
            continue;
        if (one->values[i].number &
            wcts_oracle_eval_masks(world->eval, member->word, world->version)->open)
            return true;
    }
    for (int i = 0; i < spec->opens_count; i++) {
        struct asking ask = {world, NULL, instance};
        if (spec->opens[i].on == one->structure &&
            conditions_hold(&ask, spec->opens[i].when, spec->opens[i].when_count))
            return true;
    }
    return false;
}

void wcts_oracle_prediction_add(struct wcts_prediction *prediction, const struct wcts_spec *spec,
                                int index)
{
    const struct wcts_rule *rule = &spec->rules[index];
    for (int i = 0; i < prediction->broken_count; i++)
        if (prediction->broken[i] == index)
            return;
    if (prediction->broken_count < (int)(sizeof prediction->broken / sizeof *prediction->broken))
        prediction->broken[prediction->broken_count++] = index;
    prediction->strict = WCTS_EXPECT_REFUSE;
    if (rule->outcome == WCTS_OUTCOME_EITHER) {
        if (prediction->expect == WCTS_EXPECT_ACCEPT)
            prediction->expect = WCTS_EXPECT_OPEN;
        return;
    }
    prediction->must_broken++;
    if (rule->outcome == WCTS_OUTCOME_REFUSE)
        prediction->expect = WCTS_EXPECT_REFUSE;
    else if (prediction->expect != WCTS_EXPECT_REFUSE)
        prediction->expect = WCTS_EXPECT_ASSERT;
}

bool wcts_world_judge_one(const struct wcts_world *world, int instance,
                          struct wcts_prediction *prediction)
{
    const struct wcts_eval *eval = world->eval;
    int structure = world->instances[instance].structure;
    for (int r = eval->first[structure]; r < eval->first[structure + 1]; r++) {
        const struct wcts_rule *rule = &eval->spec->rules[eval->rules[r]];
        if (eval->binds[eval->rules[r] * eval->spec->versions_count + world->version] &&
            wcts_oracle_rule_ask(world, rule, instance) == WCTS_FALSE)
            wcts_oracle_prediction_add(prediction, eval->spec, eval->rules[r]);
    }
    return eval->left_open[structure] && wcts_oracle_left_open(world, instance);
}

void wcts_oracle_prediction_end(struct wcts_prediction *prediction, bool open)
{
    if (open && prediction->must_broken == 0)
        prediction->expect = prediction->strict = WCTS_EXPECT_OPEN;
    else if (open)
        prediction->strict = prediction->expect;
}

void wcts_world_judge(const struct wcts_world *world, struct wcts_prediction *prediction)
{
    bool open = false;
    *prediction =
        (struct wcts_prediction){.expect = WCTS_EXPECT_ACCEPT, .strict = WCTS_EXPECT_ACCEPT};
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].present && wcts_world_judge_one(world, i, prediction))
            open = true;
    wcts_oracle_prediction_end(prediction, open);
}

/* ---- Gaps ---- */

static bool names_absent(const struct asking *ask, struct wcts_ref member)
{
    const struct wcts_spec *spec = ask->world->eval->spec;
    int structure = wcts_spec_structure(spec, "DXGK_SEGMENTDESCRIPTOR");
    uint64_t set = segments_of(ask, member);
    for (int n = 0; n < 32; n++)
        if (set >> n & 1 && segment_instance(ask->world, structure, n) < 0)
            return true;
    return false;
}

static bool is_gap_value(const struct asking *ask, struct wcts_ref member,
                         enum wcts_gap_value value)
{
    uint64_t number = value == WCTS_GAP_ANY ? 0 : asked_value(ask, member).number;
    switch (value) {
    case WCTS_GAP_ABSENT:
        return names_absent(ask, member);
    case WCTS_GAP_HUGE:
        return number >> 63;
    case WCTS_GAP_UNEVEN:
        return number & (number - 1);
    case WCTS_GAP_ROUNDED:
        return false; /* for whoever can ask the kernel */
    default:
        return true;
    }
}

static bool breaks_any(const struct wcts_world *world, int statement, int instance)
{
    const struct wcts_spec *spec = world->eval->spec;
    int structure = world->instances[instance].structure;
    for (int r = world->eval->first[structure]; r < world->eval->first[structure + 1]; r++) {
        const struct wcts_rule *rule = &spec->rules[world->eval->rules[r]];
        if (rule->statement == statement &&
            wcts_oracle_rule_ask(world, rule, instance) == WCTS_FALSE)
            return true;
    }
    return false;
}

static bool gap_covers_one(const struct wcts_world *world, const struct wcts_gap *gap, int instance)
{
    struct asking ask = {world, NULL, instance};
    return world->instances[instance].present && world->instances[instance].structure == gap->on &&
           is_gap_value(&ask, gap->member, gap->value) &&
           (gap->breaks < 0 || breaks_any(world, gap->breaks, instance)) &&
           conditions_hold(&ask, gap->when, gap->when_count);
}

bool wcts_oracle_gap_covers(const struct wcts_world *world, const struct wcts_gap *gap)
{
    for (int i = 0; world->version >= gap->since && world->version < gap->until && i < world->count;
         i++)
        if (gap_covers_one(world, gap, i))
            return true;
    return false;
}

const struct wcts_gap *wcts_world_gap(const struct wcts_world *world)
{
    const struct wcts_spec *spec = world->eval->spec;
    for (int g = 0; g < spec->gaps_count; g++)
        if (wcts_oracle_gap_covers(world, &spec->gaps[g]))
            return &spec->gaps[g];
    return NULL;
}

bool wcts_world_is_valid(const struct wcts_world *world)
{
    struct wcts_prediction prediction;
    wcts_world_judge(world, &prediction);
    return prediction.broken_count == 0 && prediction.expect == WCTS_EXPECT_ACCEPT &&
           !wcts_world_gap(world);
}
