/* SPDX-License-Identifier: MIT */
/* A range that ends behind the size that an allocation was to have may end inside the allocation
 * that the kernel made: by how much it expands a size is left open, and only the kernel knows. */
#include <string.h>

#include "recorded.h"

/* The rule that the call breaks, if it is the only one and about the end of an allocation; NULL. */
static const struct wcts_rule *broken_fit(const struct wcts_world *world)
{
    const struct wcts_spec *spec = world->eval->spec;
    struct wcts_prediction prediction;
    wcts_world_judge(world, &prediction);
    if (prediction.broken_count != 1 || spec->rules[prediction.broken[0]].form != WCTS_FORM_FITS)
        return NULL;
    return &spec->rules[prediction.broken[0]];
}

/* The gap of such rules; NULL: the spec leaves nothing open. */
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
    *rule = broken_fit(world);
    return *rule ? gap_of(world->eval->spec, *rule, world->version) : NULL;
}

/* The size that the kernel reports of an allocation; of one that lacks the query nobody knows, so
 * as large as can be. */
static uint64_t reported_size(const struct wcts_exchange *exchange, uint64_t handle)
{
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_record *record = &exchange->records[i];
        const struct wcts_kernel_allocation_request *in = (const void *)record->request;
        struct wcts_kernel_query_allocation_reply reply;
        if (record->operation != WCTS_KERNEL_QUERY_ALLOCATION || record->depth != 0 ||
            record->request_size < sizeof *in || in->hAllocation != (uint32_t)handle)
            continue;
        if (wcts_exchange_answer_of(record->status) == WCTS_ANSWER_MISSING)
            return UINT64_MAX;
        if (!wcts_succeeded(record->status) || record->reply_size < sizeof reply)
            return 0;
        memcpy(&reply, record->reply, sizeof reply);
        return reply.Size;
    }
    return 0;
}

static uint64_t rule_value(const struct wcts_world *world, const struct wcts_symbols *symbols,
                           int instance, const struct wcts_rule *rule,
                           enum wcts_attribute attribute)
{
    struct wcts_value value = wcts_world_get(world, instance, rule->arg[attribute].refs[0]);
    return wcts_model_value_resolve(world->eval->spec, symbols, value);
}

/* True if each range ends inside its allocation as the kernel made it. */
static bool all_fit(const struct wcts_world *world, const struct wcts_rule *rule,
                    const struct wcts_boot *boot)
{
    struct wcts_symbols symbols = wcts_judge_boot_symbols(boot);
    for (int i = 0; i < world->count; i++) {
        uint64_t offset, size, whole;
        if (!world->instances[i].present || world->instances[i].structure != rule->on)
            continue;
        offset = rule_value(world, &symbols, i, rule, WCTS_ARG_OFFSET);
        size = rule_value(world, &symbols, i, rule, WCTS_ARG_SIZE);
        if (size == 0 && rule->arg[WCTS_ARG_OR].given)
            size = rule_value(world, &symbols, i, rule, WCTS_ARG_OR);
        whole =
            reported_size(&boot->exchange, rule_value(world, &symbols, i, rule, WCTS_ARG_WITHIN));
        if (offset > whole || size > whole - offset)
            return false;
    }
    return true;
}

const struct wcts_gap *wcts_judge_own_size(const struct wcts_judge *judge,
                                           const struct wcts_case *test,
                                           const struct wcts_boot *boot)
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
