/* SPDX-License-Identifier: MIT */
#include "check.h"

uint64_t wcts_judge_flags_mask(const struct wcts_spec *spec, const struct wcts_operand *flags)
{
    uint64_t mask = 0;
    for (int i = 0; i < flags->count; i++) {
        int word = wcts_ref_member(spec, flags->refs[i])->word;
        mask |= UINT64_C(1) << spec->words[word].flags[flags->refs[i].flag].bit;
    }
    return mask;
}
