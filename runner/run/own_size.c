/* SPDX-License-Identifier: MIT */
/* A range that ends beyond the requested size of an allocation may end inside the allocation that
 * the kernel made: the documents leave open how far it expands a size, and only the kernel
 * knows. */
#include <stddef.h>
#include <string.h>

#include "case.h"

/* The size of an allocation as the kernel reports it; without that query it is unknown, so as large
 * as can be. */
static uint64_t reported_size(struct wcts_session *session, uint64_t handle)
{
    int device = wcts_cases_symbol(session->spec->cases, "device");
    struct wcts_kernel_allocation_request request = {.size = sizeof request,
                                                     .hAllocation = (uint32_t)handle};
    struct wcts_kernel_query_allocation_reply reply;
    uint32_t reply_size = 0;
    wcts_status status;
    if (device >= 0)
        request.hDevice = (uint32_t)session->symbols.values[device];
    status = wcts_session_to_kernel(session, WCTS_KERNEL_QUERY_ALLOCATION, &request, sizeof request,
                                    &reply_size);
    if (wcts_answer_of(status) == WCTS_ANSWER_MISSING)
        return UINT64_MAX;
    if (!wcts_succeeded(status) || reply_size < sizeof reply)
        return 0;
    memcpy(&reply, session->reply, sizeof reply);
    return reply.Size;
}

static uint64_t operand_at(const struct wcts_session *session, const struct wcts_world *world,
                           int instance, const struct wcts_rule *rule,
                           enum wcts_attribute attribute)
{
    struct wcts_value value = wcts_world_get(world, instance, rule->arg[attribute].refs[0]);
    return wcts_value_resolve(session->spec, &session->symbols, value);
}

/* True if each range ends inside its allocation as the kernel made it. */
static bool all_fit(struct wcts_session *session, const struct wcts_world *world,
                    const struct wcts_rule *rule)
{
    for (int i = 0; i < world->count; i++) {
        uint64_t offset, size, whole;
        if (!world->instances[i].present || world->instances[i].structure != rule->on)
            continue;
        offset = operand_at(session, world, i, rule, WCTS_ARG_OFFSET);
        size = operand_at(session, world, i, rule, WCTS_ARG_SIZE);
        if (size == 0 && rule->arg[WCTS_ARG_OR].given)
            size = operand_at(session, world, i, rule, WCTS_ARG_OR);
        whole = reported_size(session, operand_at(session, world, i, rule, WCTS_ARG_WITHIN));
        if (offset > whole || size > whole - offset)
            return false;
    }
    return true;
}

const struct wcts_gap *wcts_session_rounds(struct wcts_session *session,
                                           const struct wcts_case *test)
{
    const struct wcts_spec *spec = session->spec;
    const struct wcts_rule *rule = NULL;
    const struct wcts_gap *gap = NULL;
    struct wcts_prediction prediction = {.broken_count = 0};
    struct wcts_attempt ignored;
    struct wcts_world world;
    if (wcts_case_world(&world, &session->eval, test, test->facts, test->fact_count))
        wcts_world_judge(&world, &prediction);
    /* The call must break one rule only, about the end of an allocation. */
    if (prediction.broken_count == 1 && spec->rules[prediction.broken[0]].form == WCTS_FORM_FITS)
        rule = &spec->rules[prediction.broken[0]];
    for (int i = 0; rule && !gap && i < spec->gaps_count; i++) {
        const struct wcts_gap *one = &spec->gaps[i];
        if (one->value == WCTS_GAP_ROUNDED && one->on == rule->on &&
            one->breaks == rule->statement && test->version >= one->since &&
            test->version < one->until)
            gap = one;
    }
    if (gap &&
        (!wcts_session_prepare(session, &world, &ignored) || !all_fit(session, &world, rule)))
        gap = NULL;
    wcts_session_shut_down(session);
    wcts_world_release(&world);
    return gap;
}
