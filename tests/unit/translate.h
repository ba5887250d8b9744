/* SPDX-License-Identifier: MIT */
/* The forms of rules as expressions of the rule language. */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include "runner/base/text.h"
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
/* The condition alone, of a rule, an open or a gap on a structure. */
void translate_condition(struct wcts_text *out, const struct wcts_spec *spec, int on,
                         const struct wcts_condition *condition);
/* Conditions and premise. */
void translation_when(const struct translation *translation, struct wcts_text *out);
void translation_release(struct translation *translation);

#endif
