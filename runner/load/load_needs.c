/* SPDX-License-Identifier: MIT */
/* The capabilities without which an effect cannot be observed. */
#include <string.h>

#include "../../include/wddm-cts.h"
#include "../lang/expr.h"
#include "../model/names.h"
#include "load.h"

static bool starts_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* A structure is observed in the messages that carry it; one of a kernel's own message, always. */
static uint32_t needs_of_structure(const struct wcts_spec *spec, int structure)
{
    uint32_t needs = 0;
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        if (message->request == structure || message->reply == structure) {
            if (wcts_model_shown_by(message->name) == 0)
                return 0;
            needs |= wcts_model_shown_by(message->name);
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
        needs |= wcts_model_shown_by(spec->messages[arg[WCTS_ARG_OPERATION].number].name);
    return needs;
}

uint32_t wcts_load_effect_needs(const struct wcts_spec *spec, const struct wcts_rule *rule)
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
        return wcts_lang_find_call_of(spec->exprs, rule->effect->holds, "patched")
                   ? needs | (uint32_t)WCTS_CAPABILITY_MACHINE
                   : needs;
    case WCTS_FORM_EFFECT_POWER:
        return needs | WCTS_CAPABILITY_PLACEMENT | WCTS_CAPABILITY_PROBE;
    default:
        return needs;
    }
}
