/* SPDX-License-Identifier: MIT */
/* The capabilities that a case needs. */
#include <string.h>

#include "../lang/expr.h"
#include "planner.h"

static bool starts_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* The capability that makes a message observable. */
static uint32_t shown_by(const char *message)
{
    static const struct {
        const char *start;
        uint32_t capability;
    } rows[] = {
        {"KERNEL_QUERY_ALLOCATION", WCTS_CAPABILITY_PLACEMENT},
        {"KERNEL_QUERY_PAGES", WCTS_CAPABILITY_PAGES},
        {"DRIVER_", WCTS_CAPABILITY_PROBE},
        {"MACHINE_", WCTS_CAPABILITY_MACHINE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (starts_with(message, rows[i].start))
            return rows[i].capability;
    return 0;
}

/* A structure is observed in the messages that carry it; one of a kernel's own message, always. */
static uint32_t needs_of_structure(const struct wcts_spec *spec, int structure)
{
    uint32_t needs = 0;
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        if (message->request == structure || message->reply == structure) {
            if (shown_by(message->name) == 0)
                return 0;
            needs |= shown_by(message->name);
        }
    }
    /* A structure that only arrays carry is the driver's, unless requests to the kernel have it. */
    if (needs == 0 && (starts_with(spec->structures[structure].name, "DXGK_") ||
                       starts_with(spec->structures[structure].name, "DRIVER_")))
        needs = WCTS_CAPABILITY_PROBE;
    return needs;
}

static uint32_t needs_of_operands(const struct wcts_spec *spec, const struct wcts_operand *arg)
{
    uint32_t needs = 0;
    for (int i = 0; i < WCTS_ARG_COUNT; i++)
        for (int j = 0; j < arg[i].count; j++)
            for (int k = 0; arg[i].paths && k < arg[i].paths[j].count; k++)
                needs |= needs_of_structure(spec, arg[i].paths[j].steps[k].ref.structure);
    if (arg[WCTS_ARG_OPERATION].given)
        needs |= shown_by(spec->messages[arg[WCTS_ARG_OPERATION].number].name);
    return needs;
}

uint32_t wcts_plan_effect_needs(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    uint32_t needs = needs_of_structure(spec, rule->on) | needs_of_operands(spec, rule->arg);
    for (int i = 0; i < rule->when_count; i++)
        needs |= needs_of_operands(spec, rule->when[i].arg);
    for (int i = 0; i < rule->match_count; i++)
        needs |= needs_of_operands(spec, rule->match[i].arg);
    switch (rule->form) {
    case WCTS_FORM_EFFECT_PAGES:
        return needs | WCTS_CAPABILITY_PAGES;
    case WCTS_FORM_EFFECT_PLACED:
        return needs | WCTS_CAPABILITY_PLACEMENT;
    case WCTS_FORM_EFFECT_BYTES:
    case WCTS_FORM_EFFECT_MACHINE:
        return needs | WCTS_CAPABILITY_MACHINE;
    case WCTS_FORM_EFFECT_PATCH:
        return wcts_expr_call_of(spec->exprs, rule->effect->holds, "patched")
                   ? needs | (uint32_t)WCTS_CAPABILITY_MACHINE
                   : needs;
    case WCTS_FORM_EFFECT_POWER:
        return needs | WCTS_CAPABILITY_PLACEMENT | WCTS_CAPABILITY_PROBE;
    default:
        return needs;
    }
}

uint32_t wcts_plan_scenario_needs(const struct wcts_spec *spec,
                                  const struct wcts_scenario *scenario)
{
    /* With answers of its own it needs a kernel that asks the driver for them. */
    uint32_t needs = scenario->adapter == 0 ? 0 : WCTS_CAPABILITY_PROBE;
    for (int i = 0; i < scenario->act_count; i++) {
        int message = spec->cases->steps[scenario->acts[i].step].message;
        if (message >= 0)
            needs |= shown_by(spec->messages[message].name);
    }
    return needs;
}
