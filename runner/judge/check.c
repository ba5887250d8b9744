/* SPDX-License-Identifier: MIT */
#include "check.h"

bool wcts_judge_effect_value(const struct wcts_effect_eval *eval,
                             const struct wcts_operand *operand, uint64_t *value)
{
    *value = operand->number;
    return operand->count == 0 ||
           wcts_exchange_follow(&eval->trace, eval->on, &operand->paths[0], value);
}

uint64_t wcts_judge_flags_mask(const struct wcts_spec *spec, const struct wcts_operand *flags)
{
    uint64_t mask = 0;
    for (int i = 0; i < flags->count; i++) {
        int word = wcts_ref_member(spec, flags->refs[i])->word;
        mask |= UINT64_C(1) << spec->words[word].flags[flags->refs[i].flag].bit;
    }
    return mask;
}
