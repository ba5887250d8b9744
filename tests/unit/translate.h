/* SPDX-License-Identifier: MIT */
/* The forms of rules as expressions of the rule language. */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include "runner/base/text.h"
#include "runner/lang/expr.h"
#include "runner/model/spec.h"

/* A rule as when="CONDITION and ... and PREMISE" refuse="..." unless="...": "" is no attribute. The
 * conditions are the rule's own, the rest is its form. Released by translation_release. */
struct translation {
    struct wcts_text *conditions; /* one for each of the rule's */
    int condition_count;
    struct wcts_text premise, refuse, unless;
};

void translate_rule(struct translation *translation, const struct wcts_spec *spec,
                    const struct wcts_rule *rule);
void translation_release(struct translation *translation);

/* A rule in the language: its conditions one by one, its form, and all of it. Each has been printed
 * and read again. A text that is no expression ends the process with its error. */
struct twin {
    int *conditions;
    struct wcts_expr_rule form, whole;
};

void twin_rule(struct twin *twin, struct wcts_exprs *exprs, const struct wcts_spec *spec,
               const struct wcts_rule *rule);
/* The conditions alone, of what has no form. */
void twin_conditions(struct twin *twin, struct wcts_exprs *exprs, const struct wcts_spec *spec,
                     const struct wcts_rule *rule);
void twin_release(struct twin *twin);

#endif
