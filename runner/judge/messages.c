/* SPDX-License-Identifier: MIT */
/* The messages that an effect looks at. */
#include "../exchange/partial.h"
#include "select.h"

/* True for calls of a kernel after which an allocation may be elsewhere: it pages out of its own
 * accord in any call but those that settle what came before, or show it. */
static bool moves(const struct wcts_spec *spec, const struct wcts_exchange_record *record)
{
    const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
    return record->depth == 0 && message && !message->driver && !message->machine &&
           !message->settles && !message->shows;
}

/* True if the driver was asked to move something after the effect's own message, in the call that
 * this message belongs to: a kernel may page out at once what it has used. */
static bool is_moved_since(const struct wcts_judge_selection *selection, int index)
{
    const struct wcts_judge_effect_eval *eval = &selection->eval;
    const struct wcts_message *message =
        wcts_exchange_message_of(eval->trace.spec, eval->trace.exchange->records[index].operation);
    return eval->trace.exchange->records[eval->on.record].depth > 0 && message && message->driver &&
           message->moves;
}

/* True if the message may count. What the driver is asked during the call counts whatever it
 * answers; memory is what the suite itself reads, what the machine secures is for a kernel. */
static bool may_be_selected(const struct wcts_judge_selection *selection, int index)
{
    const struct wcts_exchange *exchange = selection->eval.trace.exchange;
    const struct wcts_exchange_record *record = &exchange->records[index];
    const struct wcts_message *message =
        &selection->eval.trace.spec->messages[selection->effect->message];
    if (record->operation != message->operation)
        return false;
    if (selection->effect->span == WCTS_SPAN_DURING)
        return true;
    return (!message->machine || record->depth == 0 ||
            message->makes_count + message->ends_count) &&
           (selection->effect->on_any ||
            (wcts_exchange_knows_status(exchange, index) &&
             wcts_exchange_answer_of(record->status) == WCTS_ANSWER_ACCEPTED));
}

bool wcts_judge_is_selected(struct wcts_judge_selection *selection)
{
    int where = selection->effect->where;
    if (!where || wcts_judge_truth_at(selection, where) == WCTS_TRUE)
        return true;
    wcts_judge_reason(selection, where);
    return false;
}

int wcts_judge_next_message(struct wcts_judge_selection *selection, int after, bool matching)
{
    struct wcts_judge_effect_eval *eval = &selection->eval;
    const struct wcts_exchange *exchange = eval->trace.exchange;
    enum wcts_span span = selection->effect->span;
    int step = span == WCTS_SPAN_BEFORE ? -1 : 1, end = exchange->count, i = after + step;
    if (span == WCTS_SPAN_DURING)
        end = wcts_exchange_scope(&eval->trace, eval->on.record);
    if (after < 0)
        i = span == WCTS_SPAN_DURING || span == WCTS_SPAN_BEFORE
                ? eval->on.record + step
                : wcts_exchange_end(&eval->trace, eval->on.record);
    for (; i >= 0 && i < end; i += step) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        if (span == WCTS_SPAN_RESTING &&
            (moves(eval->trace.spec, record) || is_moved_since(selection, i)))
            return -1;
        eval->found = (struct wcts_exchange_cursor){i, eval->on.element};
        if (may_be_selected(selection, i) && (!matching || wcts_judge_is_selected(selection)))
            return i;
    }
    return -1;
}
