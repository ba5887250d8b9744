/* SPDX-License-Identifier: MIT */
/* Effects in the rule language: which messages count, and what they show. */
#include "select.h"
#include "../exchange/partial.h"

/* ---- answers ---- */

static bool is_ever_accepted(const struct wcts_exchange_view *trace, uint32_t operation)
{
    const struct wcts_exchange *exchange = trace->exchange;
    struct wcts_operations one = {{0}};
    for (int i = 0; i < exchange->count; i++)
        if (exchange->records[i].operation == operation &&
            wcts_exchange_knows_status(exchange, i) &&
            wcts_exchange_answer_of(exchange->records[i].status) == WCTS_ANSWER_ACCEPTED)
            return true;
    if (exchange->partial && operation >> 8 < WCTS_PARTIES) {
        one.of[operation >> 8] = UINT64_C(1) << (operation & 63);
        wcts_exchange_has_all(exchange, trace->spec, -1, exchange->count, &one);
    }
    return false;
}

/* A refusal that is demanded, or that a kernel must not give to the call itself, proves nothing if
 * it refuses all calls of that operation, and none that no document rules out is a breach. */
static enum wcts_truth answer_of(const struct wcts_lang_env *env, int subject, bool refused)
{
    const struct wcts_judge_selection *selection = env->context;
    const struct wcts_exchange_view *trace = &selection->eval.trace;
    enum wcts_truth truth = wcts_exchange_env(trace).answer(env, subject, refused);
    const struct wcts_exchange_record *record =
        &trace->exchange->records[wcts_exchange_cursor_at(subject).record];
    const struct wcts_message *message = wcts_exchange_message_of(trace->spec, record->operation);
    bool own = selection->effect->selector == WCTS_SELECT_CALL && message && !message->driver;
    if (!selection->holding || truth != (refused ? WCTS_TRUE : WCTS_FALSE) || (!refused && !own))
        return truth;
    if (!refused && record->denial == WCTS_DENIAL_GAP)
        return WCTS_UNKNOWN;
    return is_ever_accepted(trace, record->operation) ? truth : WCTS_UNKNOWN;
}

bool wcts_judge_is_call_shown(const struct wcts_judge_selection *selection)
{
    const struct wcts_effect *effect = selection->effect;
    const struct wcts_exchange_record *record =
        wcts_judge_eval_record(&selection->eval, selection->eval.on.record);
    return effect->refused_too || effect->on_refusal ||
           (effect->selector == WCTS_SELECT_CALL && effect->on_any) ||
           (wcts_exchange_knows_status(selection->eval.trace.exchange, selection->eval.on.record) &&
            wcts_exchange_answer_of(record->status) == WCTS_ANSWER_ACCEPTED);
}

/* ---- selectors ---- */

static enum wcts_truth holds_of(struct wcts_judge_selection *selection)
{
    enum wcts_truth truth = WCTS_TRUE;
    selection->holding = true;
    if (selection->effect->holds)
        truth = wcts_judge_truth_at(selection, selection->effect->holds);
    if (truth != WCTS_TRUE)
        wcts_judge_reason(selection, selection->effect->holds);
    if (truth == WCTS_FALSE && !selection->quiet && selection->eval.text[0] == '\0')
        wcts_judge_reason_of_expression(selection, selection->effect->holds);
    selection->holding = false;
    return truth;
}

static enum wcts_truth select_call(struct wcts_judge_selection *selection)
{
    selection->eval.found = selection->eval.on;
    return holds_of(selection);
}

static enum wcts_truth select_every(struct wcts_judge_selection *selection)
{
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = -1; (i = wcts_judge_next_message(selection, i, true)) >= 0;) {
        enum wcts_truth truth = holds_of(selection);
        if (truth == WCTS_FALSE)
            return truth;
        all = truth == WCTS_TRUE ? truth : all;
    }
    return all;
}

static enum wcts_truth select_some(struct wcts_judge_selection *selection)
{
    enum wcts_truth found = WCTS_UNKNOWN;
    for (int i = -1; (i = wcts_judge_next_message(selection, i, true)) >= 0;) {
        enum wcts_truth truth = holds_of(selection);
        if (truth == WCTS_TRUE)
            return truth;
        found = truth == WCTS_FALSE ? truth : found;
    }
    return found;
}

/* The breach in words: that there was no message, or that there was one; others: that there were
 * some, none of which was the one. */
static enum wcts_truth breach_of_messages(struct wcts_judge_selection *selection, bool any,
                                          bool others)
{
    const struct wcts_message *message =
        &selection->eval.trace.spec->messages[selection->effect->message];
    if (others)
        snprintf(selection->eval.text, sizeof selection->eval.text, "%s %s%s",
                 message->machine ? "there was a" : "the driver was asked", message->name,
                 WCTS_FINDING_NEVER);
    else if (any && !message->machine && !message->driver)
        wcts_judge_reason_of_earlier(selection, message->name);
    else if (message->machine)
        snprintf(selection->eval.text, sizeof selection->eval.text, "there was %s %s, expected %s",
                 any ? "a" : "no", message->name, any ? "none" : "one");
    else
        snprintf(selection->eval.text, sizeof selection->eval.text,
                 "the driver was %sasked %s, expected it %sto be", any ? "" : "not ", message->name,
                 any ? "not " : "");
    return WCTS_FALSE;
}

/* A message of which it is not known if it is the one proves nothing, unless another one is known
 * not to be it. */
static enum wcts_truth select_first(struct wcts_judge_selection *selection)
{
    int where = selection->effect->where;
    bool any = false, known = false;
    for (int i = -1; (i = wcts_judge_next_message(selection, i, false)) >= 0;) {
        enum wcts_truth is = where ? wcts_judge_truth_at(selection, where) : WCTS_TRUE;
        if (is == WCTS_TRUE)
            return holds_of(selection);
        wcts_judge_reason(selection, where);
        known = known || is == WCTS_FALSE;
        any = true;
    }
    return any && !known ? WCTS_UNKNOWN : breach_of_messages(selection, false, any);
}

static enum wcts_truth select_nearest(struct wcts_judge_selection *selection)
{
    return wcts_judge_next_message(selection, -1, true) >= 0 ? holds_of(selection) : WCTS_UNKNOWN;
}

static enum wcts_truth select_no(struct wcts_judge_selection *selection)
{
    return wcts_judge_next_message(selection, -1, true) >= 0
               ? breach_of_messages(selection, true, false)
               : WCTS_TRUE;
}

static enum wcts_truth (*const selectors[])(struct wcts_judge_selection *selection) = {
    [WCTS_SELECT_CALL] = select_call,       [WCTS_SELECT_EVERY] = select_every,
    [WCTS_SELECT_SOME] = select_some,       [WCTS_SELECT_FIRST] = select_first,
    [WCTS_SELECT_NEAREST] = select_nearest, [WCTS_SELECT_NO] = select_no,
    [WCTS_SELECT_ALL] = select_nearest, /* its functions go through the others */
};

/* ---- all of it ---- */

void wcts_judge_selection(struct wcts_judge_selection *selection, const struct wcts_rule *rule,
                          struct wcts_exchange_view trace)
{
    *selection = (struct wcts_judge_selection){.eval = {.trace = trace, .effect = rule},
                                               .exprs = trace.spec->exprs,
                                               .effect = rule->effect};
    selection->env = wcts_exchange_env(&selection->eval.trace);
    selection->env.answer = answer_of;
    selection->env.recorded = wcts_judge_recorded;
}

enum wcts_truth wcts_judge_condition(struct wcts_judge_selection *selection, int n)
{
    selection->eval.found = selection->eval.on;
    return wcts_judge_truth_at(selection, selection->eval.effect->when[n].expression);
}

enum wcts_truth wcts_judge_select(struct wcts_judge_selection *selection)
{
    const struct wcts_effect *effect = selection->effect;
    selection->eval.found = selection->eval.on;
    if (effect->when && wcts_judge_truth_at(selection, effect->when) != WCTS_TRUE) {
        wcts_judge_reason(selection, effect->when);
        return WCTS_UNKNOWN;
    }
    return wcts_judge_is_call_shown(selection) ? selectors[effect->selector](selection)
                                               : WCTS_UNKNOWN;
}

enum wcts_truth wcts_judge_select_in(struct wcts_judge_selection *selection, int record)
{
    const struct wcts_effect *effect = selection->effect;
    const struct wcts_exchange_view *trace = &selection->eval.trace;
    int count = wcts_exchange_count(trace, record, effect->on, false);
    enum wcts_truth all = WCTS_UNKNOWN;
    if (count == 0)
        count = wcts_exchange_count(trace, record, effect->on, true);
    if (effect->in >= 0 &&
        trace->exchange->records[record].operation != trace->spec->messages[effect->in].operation)
        return WCTS_UNKNOWN;
    for (int i = 0; i < count; i++) {
        enum wcts_truth truth;
        selection->eval.on = (struct wcts_exchange_cursor){record, i};
        truth = wcts_judge_select(selection);
        if (truth == WCTS_FALSE)
            return truth;
        all = truth == WCTS_TRUE ? truth : all;
    }
    return all;
}
