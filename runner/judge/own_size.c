/* SPDX-License-Identifier: MIT */
/* A range that ends behind the size that an allocation was to have may end inside the allocation
 * that the kernel made: by how much it expands a size is left open, and only the kernel knows. */
#include "../exchange/trace.h"
#include "../oracle/env.h"
#include "recorded.h"

/* The rule that the call breaks, if it is the only one; NULL. */
static const struct wcts_rule *broken_alone(const struct wcts_world *world)
{
    struct wcts_oracle_prediction prediction;
    wcts_world_judge(world, &prediction);
    return prediction.broken_count == 1 ? &world->eval->spec->rules[prediction.broken[0]] : NULL;
}

/* The gap of a rule about the end of an allocation; NULL: the spec leaves nothing open. */
static const struct wcts_gap *gap_of(const struct wcts_spec *spec, const struct wcts_rule *rule,
                                     int version)
{
    for (int i = 0; i < spec->gaps_count; i++)
        if (spec->gaps[i].value == WCTS_GAP_ROUNDED && spec->gaps[i].on == rule->on &&
            spec->gaps[i].breaks == rule->statement && version >= spec->gaps[i].since &&
            version < spec->gaps[i].until)
            return &spec->gaps[i];
    return NULL;
}

const struct wcts_gap *wcts_judge_own_size_gap(const struct wcts_world *world,
                                               const struct wcts_rule **rule)
{
    *rule = broken_alone(world);
    return *rule ? gap_of(world->eval->spec, *rule, world->version) : NULL;
}

/* The size that the kernel reports of an allocation; of one that lacks the query nobody knows, so
 * as large as can be. */
static uint64_t reported_size(const struct wcts_spec *spec, const struct wcts_exchange *exchange,
                              uint64_t handle)
{
    const struct wcts_exchange_view view = {spec, exchange, 0};
    const uint32_t query = wcts_model_operation_showing(spec, WCTS_SHOWS_PLACE);
    for (int i = 0; i < exchange->count; i++) {
        struct wcts_exchange_place place;
        uint64_t asked;
        if (exchange->records[i].operation != query || exchange->records[i].depth != 0 ||
            !wcts_exchange_meant(&view, i, false, WCTS_MEANS_ALLOCATION, &asked) ||
            asked != (uint32_t)handle)
            continue;
        if (wcts_exchange_answer_of(exchange->records[i].status) == WCTS_ANSWER_MISSING)
            return UINT64_MAX;
        return wcts_exchange_place(&view, i, &place) ? place.size : 0;
    }
    return 0;
}

/* A world in which allocations are as large as the kernel made them. */
struct judge_sized_world {
    struct wcts_world world; /* first, as the environment is that of a world */
    const struct wcts_exchange_boot *boot;
    struct wcts_symbols symbols;
};

static enum wcts_truth sized_object(const struct wcts_lang_env *env, struct wcts_lang_result handle,
                                    struct wcts_lang_object *object)
{
    const struct judge_sized_world *sized = env->context;
    struct wcts_value value = {.symbol = handle.symbol, .number = (uint64_t)handle.number};
    *object = (struct wcts_lang_object){
        .size = reported_size(env->spec, &sized->boot->exchange,
                              wcts_model_value_resolve(env->spec, &sized->symbols, value))};
    return WCTS_TRUE;
}

static enum wcts_truth ask_sized(struct judge_sized_world *sized, const struct wcts_rule *rule,
                                 int instance)
{
    const struct wcts_lang_rule breach = {0, rule->breach.refuse, rule->breach.unless};
    struct wcts_lang_env env = wcts_world_env(&sized->world);
    env.context = sized;
    env.object = sized_object;
    return wcts_lang_rule_ask(env.spec->exprs, &breach, &env, instance);
}

/* True if each range ends inside its allocation as the kernel made it. */
static bool all_fit(const struct wcts_world *world, const struct wcts_rule *rule,
                    const struct wcts_exchange_boot *boot)
{
    struct judge_sized_world sized = {*world, boot, wcts_judge_boot_symbols(boot)};
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].present && world->instances[i].structure == rule->on &&
            ask_sized(&sized, rule, i) != WCTS_TRUE)
            return false;
    return true;
}

const struct wcts_gap *wcts_judge_own_size(const struct wcts_judge *judge,
                                           const struct wcts_case *test,
                                           const struct wcts_exchange_boot *boot)
{
    const struct wcts_gap *gap = NULL;
    const struct wcts_rule *rule;
    struct wcts_world world;
    if (!boot || boot->attempt.end != WCTS_ATTEMPT_ANSWERED)
        return NULL;
    if (wcts_oracle_case_world(&world, judge->eval, test, test->facts, test->fact_count))
        gap = wcts_judge_own_size_gap(&world, &rule);
    if (gap && !all_fit(&world, rule, boot))
        gap = NULL;
    wcts_world_release(&world);
    return gap;
}
