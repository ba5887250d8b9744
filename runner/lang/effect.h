/* SPDX-License-Identifier: MIT */
/*
 * Effects in the rule language: what must come of a call.
 *
 *     <effect on='KERNEL_EVICT' when='hAllocation != 0' every='DRIVER_PAGING' where='Operation = 5'
 *             holds='SegmentId != 0'/>
 *
 * says that of each eviction under that condition, every message of the kernel to the driver with
 * that operation satisfies "holds". docs/internal/expressions.md defines it.
 */
#ifndef WCTS_EFFECT_H
#define WCTS_EFFECT_H

#include "expr.h"

/* The attributes of <effect> that are about this. */
enum wcts_lang_effect_attribute {
    WCTS_EFFECT_ON,   /* a structure: the subject */
    WCTS_EFFECT_IN,   /* an operation: only subjects in its messages */
    WCTS_EFFECT_WHEN, /* about the subject */
    WCTS_EFFECT_EVERY,
    WCTS_EFFECT_SOME,
    WCTS_EFFECT_FIRST,
    WCTS_EFFECT_NEAREST,
    WCTS_EFFECT_NO,
    WCTS_EFFECT_ALL,
    WCTS_EFFECT_LOOK,    /* a span */
    WCTS_EFFECT_REFUSED, /* "too": a call that is refused counts, too */
    WCTS_EFFECT_WHERE,   /* about a message: only those */
    WCTS_EFFECT_HOLDS,   /* about a message, or without a selector about the subject */
    WCTS_EFFECT_ATTRIBUTES
};

extern const char *const wcts_effect_attribute_names[WCTS_EFFECT_ATTRIBUTES + 1];

/* What <effect> has; the texts of attributes that it lacks are NULL. */
struct wcts_lang_effect_source {
    const char *text[WCTS_EFFECT_ATTRIBUTES];
    struct wcts_place place;
};

/* False, with an error reported for each attribute that is wrong. */
bool wcts_lang_effect_read(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                           const struct wcts_lang_effect_source *source,
                           struct wcts_diagnostics *diagnostics, struct wcts_effect *effect);

/* What the expressions of the effect are about: of "when", and of "where" and "holds", which point
 * to the former. */
struct wcts_lang_effect_about {
    struct wcts_lang_about call, message;
};
void wcts_lang_effect_about(const struct wcts_spec *spec, const struct wcts_effect *effect,
                            struct wcts_lang_effect_about *about);

#endif
