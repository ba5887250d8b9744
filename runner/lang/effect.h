/* SPDX-License-Identifier: MIT */
/*
 * Effects in the rule language: what must come of a call.
 *
 *     <effect on="KERNEL_EVICT" when="hAllocation/reply.DXGK_ALLOCATIONINFO.EvictionSegmentSet !=
 * 0" every="DRIVER_PAGING" where="Operation = 5" holds="SegmentId in ..."/>
 *
 * says that of each eviction under that condition, every message of the kernel to the driver with
 * that operation satisfies "holds". docs/internal/expressions.md defines it.
 */
#ifndef WCTS_EFFECT_H
#define WCTS_EFFECT_H

#include "expr.h"

/* Which messages count, and what it means if there are none. */
enum wcts_selector {
    WCTS_SELECT_CALL,    /* none: the effect is about the call itself */
    WCTS_SELECT_EVERY,   /* holds of each */
    WCTS_SELECT_SOME,    /* holds of one */
    WCTS_SELECT_FIRST,   /* there is one, and holds of the first */
    WCTS_SELECT_NEAREST, /* holds of the one nearest to the call, if there is one */
    WCTS_SELECT_NO,      /* there is none */
    WCTS_SELECT_ALL,     /* holds of them together */
};

/* Where the messages are. */
enum wcts_span {
    WCTS_SPAN_DURING,  /* in the call, or in the settling right behind it */
    WCTS_SPAN_AFTER,   /* behind the call; memory that the suite itself reads */
    WCTS_SPAN_BEFORE,  /* before it */
    WCTS_SPAN_RESTING, /* behind the call, until something moves */
};

/* The attributes of <effect> that are about this. */
enum wcts_effect_attribute {
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
struct wcts_effect_source {
    const char *text[WCTS_EFFECT_ATTRIBUTES];
    struct wcts_place place;
};

/*
 * An effect as it is evaluated: expressions are roots, 0 none. The one above is {on KERNEL_EVICT,
 * in -1, EVERY, message DRIVER_PAGING, DURING, when 7, where 11, holds 15}.
 */
struct wcts_effect {
    int on;                      /* structure */
    int in, message;             /* messages of the spec, -1: any, none */
    enum wcts_selector selector; /* of the messages of message */
    enum wcts_span span;
    bool refused_too;
    bool on_refusal; /* "when" speaks of the answer: a refused call counts */
    bool on_any;     /* "holds" speaks of the answer: so does a message whatever was answered */
    int when, where, holds;
};

/* False, with an error reported for each attribute that is wrong. */
bool wcts_lang_effect_read(struct wcts_exprs *exprs, const struct wcts_spec *spec,
                           const struct wcts_effect_source *source,
                           struct wcts_diagnostics *diagnostics, struct wcts_effect *effect);

/* What the expressions of the effect are about: of "when", and of "where" and "holds", which point
 * to the former. */
struct wcts_effect_about {
    struct wcts_expr_about call, message;
};
void wcts_lang_effect_about(const struct wcts_spec *spec, const struct wcts_effect *effect,
                            struct wcts_effect_about *about);

#endif
