/* SPDX-License-Identifier: MIT */
/* The forms of effects as attributes of the rule language. */
#ifndef TRANSLATE_EFFECT_H
#define TRANSLATE_EFFECT_H

#include "runner/base/text.h"
#include "runner/lang/effect.h"
#include "runner/model/spec.h"

/* The attributes of an effect: "" is no attribute. Released by effect_translation_release. */
struct effect_translation {
    struct wcts_text text[WCTS_EFFECT_ATTRIBUTES];
};

/* False if the form has no text. */
bool translate_effect(struct effect_translation *translation, const struct wcts_spec *spec,
                      const struct wcts_rule *rule);
void effect_translation_release(struct effect_translation *translation);

/* Reads the effect from its text; prints its expressions and reads it again. A text that is no
 * effect ends the process with its error. */
void read_effect(struct wcts_effect *effect, struct wcts_exprs *exprs, const struct wcts_spec *spec,
                 const struct wcts_rule *rule, struct effect_translation *translation);

#endif
