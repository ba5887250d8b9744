/* SPDX-License-Identifier: MIT */
/* What the functions of the language share that only recordings have. */
#ifndef WCTS_RECORDED_FUNCTIONS_H
#define WCTS_RECORDED_FUNCTIONS_H

#include "../lang/functions.h"
#include "select.h"

/* The selection that the call is evaluated for. Functions move it along. */
static inline struct wcts_judge_selection *
wcts_judge_selection_at(const struct wcts_lang_call *call)
{
    return (struct wcts_judge_selection *)(uintptr_t)call->env->context;
}

static inline struct wcts_lang_result wcts_judge_result(enum wcts_truth truth)
{
    return truth == WCTS_UNKNOWN ? wcts_lang_unknown() : wcts_lang_known(truth == WCTS_TRUE);
}

/* ---- Arguments (recorded_call.c) ---- */

/* The value of the n-th argument about the message at eval.found. */
struct wcts_lang_result wcts_judge_argument(const struct wcts_lang_call *call, int n);
/* The number of the word that the n-th argument is, and the message of the operation that it
 * names. */
int wcts_judge_word(const struct wcts_lang_call *call, int n);
const struct wcts_message *wcts_judge_operation_named(const struct wcts_lang_call *call, int n);

/* ---- Functions ---- */

/* secured.c */
wcts_function_eval wcts_judge_ask_held, wcts_judge_ask_held_before, wcts_judge_ask_released;
/* power.c */
wcts_function_eval wcts_judge_ask_as_row, wcts_judge_ask_as_some_row;
/* buffer.c */
wcts_function_eval wcts_judge_ask_patched;
/* True if that word of patched() is about what the driver writes at the locations. */
bool wcts_judge_patched_locations(int aspect);

#endif
