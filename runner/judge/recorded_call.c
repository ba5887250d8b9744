/* SPDX-License-Identifier: MIT */
/* Arguments of functions that only recordings have. */
#include "recorded_functions.h"

struct wcts_lang_result wcts_judge_argument(const struct wcts_lang_call *call, int n)
{
    const struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    const struct wcts_lang_subjects outer = {wcts_exchange_instance(eval->on), NULL};
    const struct wcts_lang_subjects scope = {wcts_exchange_instance(eval->found), &outer};
    return call->value(call->exprs, wcts_lang_argument(call->exprs, call->first, n), call->env,
                       &scope);
}

int wcts_judge_word(const struct wcts_lang_call *call, int n)
{
    return call->exprs->nodes[wcts_lang_argument(call->exprs, call->first, n)].b;
}

const struct wcts_message *wcts_judge_operation_named(const struct wcts_lang_call *call, int n)
{
    return &call->env->spec->messages[wcts_judge_word(call, n)];
}
