/* SPDX-License-Identifier: MIT */
/* Effects in the rule language (lang/effect.h), evaluated in a recording. */
#ifndef WCTS_SELECT_H
#define WCTS_SELECT_H

#include "../exchange/view.h"
#include "../lang/effect.h"
#include "check.h"

/*
 * The evaluation of an effect at one place: eval.on is the subject, eval.found the message that
 * decided. Lives on the stack of the judge. Example: "every DRIVER_PAGING names a segment of the
 * set", on {record 4, KERNEL_EVICT}: FALSE with found {record 6}.
 */
struct wcts_judge_selection {
    struct wcts_judge_effect_eval eval; /* first: its trace is the context of the environment */
    const struct wcts_lang_exprs *exprs;
    const struct wcts_effect *effect; /* of the rule */
    struct wcts_lang_env env;         /* filled in by wcts_judge_selection */
    bool holding;                     /* True in "holds" */
    bool quiet;                       /* True if no text is asked for */
};

/* The selection of an effect in an exchange. What it points to is borrowed, itself included: it
 * stays where it is. */
void wcts_judge_selection(struct wcts_judge_selection *selection, const struct wcts_rule *rule,
                          struct wcts_exchange_view trace);
/* The n-th condition of the effect at eval.on. */
enum wcts_truth wcts_judge_condition(struct wcts_judge_selection *selection, int n);
/* The effect at eval.on: kept, broken, or UNKNOWN: it is not seen there. */
enum wcts_truth wcts_judge_select(struct wcts_judge_selection *selection);
/* The same of all subjects in a record: broken if one is, else kept if one is. */
enum wcts_truth wcts_judge_select_in(struct wcts_judge_selection *selection, int record);

/* ---- Its parts ---- */

/* True if the answer to the call lets the effect come about. */
bool wcts_judge_is_call_shown(const struct wcts_judge_selection *selection);

/* An expression of the effect about the message at eval.found (reason.c). */
enum wcts_truth wcts_judge_truth_at(const struct wcts_judge_selection *selection, int root);
struct wcts_lang_result wcts_judge_value_at(const struct wcts_judge_selection *selection, int root);
/* Puts into eval.text why such an expression is not true. What is not worth a word
 * leaves the text as it is. */
void wcts_judge_reason(struct wcts_judge_selection *selection, int root);
/* The same of one that is false, whatever it is: what it says, and the values if it compares. */
void wcts_judge_reason_of_expression(struct wcts_judge_selection *selection, int root);
/* The same if the call at eval.found should not have been: with what it has in common with this. */
void wcts_judge_reason_of_earlier(struct wcts_judge_selection *selection, const char *name);
/* The functions of the language that only recordings have (recorded_functions.c). */
struct wcts_lang_result wcts_judge_recorded(const struct wcts_lang_call *call);

/* The messages of the selector, nearest first: the one behind after (-1: the first), -1 behind the
 * last. matching: only those that "where" selects. */
int wcts_judge_next_message(struct wcts_judge_selection *selection, int after, bool matching);
/* True if "where" selects the message at eval.found; else why not is in eval.text. */
bool wcts_judge_is_selected(struct wcts_judge_selection *selection);

#endif
