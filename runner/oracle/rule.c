/* SPDX-License-Identifier: MIT */
/* Evaluates rules in worlds. */
#include <string.h>

#include "../model/cases.h"
#include "env.h"

/* A rule, and the instance for which it is evaluated. */
struct oracle_asking {
    const struct wcts_world *world;
    const struct wcts_rule *rule;
    int instance;
};

/* ---- Values ---- */

static struct wcts_value asked_value(const struct oracle_asking *ask, struct wcts_ref ref)
{
    struct wcts_value none = {.symbol = -1, .number = 0};
    int instance = wcts_world_resolve(ask->world, ask->instance, ref.structure);
    return instance < 0 ? none : wcts_world_get(ask->world, instance, ref);
}

static struct wcts_ref ref_of(const struct oracle_asking *ask, enum wcts_attribute attribute)
{
    return ask->rule->arg[attribute].refs[0];
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

static uint64_t segments_of(const struct oracle_asking *ask, struct wcts_ref ref)
{
    uint64_t value = asked_value(ask, ref).number;
    const struct wcts_member *member = wcts_model_ref_member(ask->world->eval->spec, ref);
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

/* ---- Pages ---- */

struct oracle_page {
    int reservation; /* symbol, -1: unreserved */
    int state;
};

struct oracle_page_walk {
    const struct wcts_cases *cases;
    uint8_t *const *states; /* of each reservation's pages */
    int reservation;        /* -1: in no known reservation */
    uint64_t offset;        /* of the page in it */
    uint64_t left;          /* pages */
};

static void walk_init(struct oracle_page_walk *walk, const struct oracle_asking *ask,
                      struct wcts_value base, uint64_t size)
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
    *walk = (struct oracle_page_walk){cases, ask->world->eval->page_states, reservation,
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
static bool walk_next(struct oracle_page_walk *walk, struct oracle_page *page)
{
    *page = (struct oracle_page){-1, WCTS_STATE_UNRESERVED};
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

/* Areas of one reservation are compared by where they begin. */
static struct wcts_value placed(const struct oracle_asking *ask, struct wcts_value value)
{
    const struct wcts_cases *cases = ask->world->eval->spec->cases;
    if (value.symbol >= 0 && cases->symbols[value.symbol].kind == WCTS_SYMBOL_AREA) {
        value.number += cases->symbols[value.symbol].offset;
        value.symbol = cases->symbols[value.symbol].of;
    }
    return value;
}

static bool expression_holds(const struct wcts_world *world, int expression, int instance)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    return wcts_lang_truth(env.spec->exprs, expression, &env, instance) == WCTS_TRUE;
}

bool wcts_oracle_ranges_intersect(const struct wcts_world *world, const struct wcts_rule *rule,
                                  int instance)
{
    struct oracle_asking ask = {world, rule, instance};
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
    struct oracle_asking ask = {world, rule, instance};
    struct oracle_page_walk walk;
    struct oracle_page page;
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
    for (int i = 0; i < rule->when_count; i++)
        if (!wcts_oracle_condition_holds(world, rule, i, instance))
            return false;
    return true;
}

bool wcts_oracle_condition_holds(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int n, int instance)
{
    return expression_holds(world, rule->when[n].expression, instance);
}

enum wcts_truth wcts_oracle_form_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance)
{
    const struct wcts_lang_rule form = {0, rule->breach.refuse, rule->breach.unless};
    const struct wcts_lang_env env = wcts_world_env(world);
    return wcts_lang_rule_ask(env.spec->exprs, &form, &env, instance);
}

enum wcts_truth wcts_oracle_rule_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    return wcts_lang_rule_ask(env.spec->exprs, &rule->breach, &env, instance);
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
    const struct wcts_oracle_world_instance *one = &world->instances[instance];
    const struct wcts_structure *structure = &spec->structures[one->structure];
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        if (member->word < 0 || world->version < member->since || world->version >= member->until)
            continue;
        if (one->values[i].number &
            wcts_oracle_eval_masks(world->eval, member->word, world->version)->open &
            ~wcts_world_hidden(world, instance, (struct wcts_ref){one->structure, i, -1}))
            return true;
    }
    for (int i = 0; i < spec->opens_count; i++) {
        if (spec->opens[i].on == one->structure &&
            expression_holds(world, spec->opens[i].when, instance))
            return true;
    }
    return false;
}

void wcts_oracle_prediction_add(struct wcts_oracle_prediction *prediction,
                                const struct wcts_spec *spec, int index)
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
                          struct wcts_oracle_prediction *prediction)
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

void wcts_oracle_prediction_end(struct wcts_oracle_prediction *prediction, bool open)
{
    if (open && prediction->must_broken == 0)
        prediction->expect = prediction->strict = WCTS_EXPECT_OPEN;
    else if (open)
        prediction->strict = prediction->expect;
}

void wcts_world_judge(const struct wcts_world *world, struct wcts_oracle_prediction *prediction)
{
    bool open = false;
    *prediction =
        (struct wcts_oracle_prediction){.expect = WCTS_EXPECT_ACCEPT, .strict = WCTS_EXPECT_ACCEPT};
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].present && wcts_world_judge_one(world, i, prediction))
            open = true;
    wcts_oracle_prediction_end(prediction, open);
}

/* ---- Gaps ---- */

static bool names_absent(const struct oracle_asking *ask, struct wcts_ref member)
{
    const struct wcts_spec *spec = ask->world->eval->spec;
    int structure = wcts_model_spec_structure(spec, "DXGK_SEGMENTDESCRIPTOR");
    uint64_t set = segments_of(ask, member);
    for (int n = 0; n < 32; n++)
        if (set >> n & 1 && segment_instance(ask->world, structure, n) < 0)
            return true;
    return false;
}

static bool is_gap_value(const struct oracle_asking *ask, struct wcts_ref member,
                         enum wcts_gap_value value)
{
    int instance = wcts_world_resolve(ask->world, ask->instance, member.structure);
    uint64_t number = value == WCTS_GAP_ANY ? 0 : asked_value(ask, member).number;
    if (value != WCTS_GAP_ANY && instance >= 0 && wcts_world_hidden(ask->world, instance, member))
        return false;
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
    struct oracle_asking ask = {world, NULL, instance};
    return world->instances[instance].present && world->instances[instance].structure == gap->on &&
           is_gap_value(&ask, gap->member, gap->value) &&
           (gap->breaks < 0 || breaks_any(world, gap->breaks, instance)) &&
           (!gap->when || expression_holds(world, gap->when, instance));
}

bool wcts_oracle_gap_fits(const struct wcts_world *world, const struct wcts_gap *gap)
{
    for (int i = 0; i < world->count; i++)
        if (gap_covers_one(world, gap, i))
            return true;
    return false;
}

bool wcts_oracle_gap_covers(const struct wcts_world *world, const struct wcts_gap *gap)
{
    return wcts_oracle_gap_is_at(gap, world->version) && wcts_oracle_gap_fits(world, gap);
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
    struct wcts_oracle_prediction prediction;
    wcts_world_judge(world, &prediction);
    return prediction.broken_count == 0 && prediction.expect == WCTS_EXPECT_ACCEPT &&
           !wcts_world_gap(world);
}
