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
            if (wcts_model_shown_by(message) == 0)
                return 0;
            needs |= wcts_model_shown_by(message);
        }
    }
    /* A structure that only arrays carry is the driver's, unless requests to the kernel have it. */
    if (needs == 0 && (starts_with(spec->structures[structure].name, "DXGK_") ||
                       starts_with(spec->structures[structure].name, "DRIVER_")))
        needs = WCTS_CAPABILITY_PROBE;
    return needs;
}

struct load_needs_reading {
    const struct wcts_spec *spec;
    uint32_t needs;
};

static void add_needs_of(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct load_needs_reading *reading = context;
    (void)use;
    reading->needs |= needs_of_structure(reading->spec, ref.structure);
}

uint32_t wcts_load_effect_needs(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    const struct wcts_effect *effect = rule->effect;
    const int roots[] = {effect->when, effect->where, effect->holds};
    struct load_needs_reading reading = {spec, needs_of_structure(spec, rule->on)};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        wcts_lang_reads(spec->exprs, roots[i], add_needs_of, &reading);
    uint32_t needs = reading.needs;
    if (effect->message >= 0)
        needs |= wcts_model_shown_by(&spec->messages[effect->message]);
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
