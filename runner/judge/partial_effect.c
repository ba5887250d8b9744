/* SPDX-License-Identifier: MIT */
/*
 * Effects in a recording of which not everything is known. As select.c evaluates them, with one
 * value more: what is unknown there because nothing of the sort was recorded shows nothing; here it
 * may be unknown because it is missing, and then nothing can be said that it would change.
 */
#include <stdlib.h>
#include <string.h>

#include "partial.h"
#include "select.h"

/* The truth of an expression, or of what is looked for. */
enum judge_told { TOLD_NOTHING, TOLD_TRUE, TOLD_FALSE, UNTOLD };

static const struct wcts_exchange *exchange_of(const struct wcts_judge_selection *selection)
{
    return selection->eval.trace.exchange;
}

static unsigned missed_by(const struct wcts_judge_selection *selection)
{
    return wcts_exchange_missed(exchange_of(selection));
}

static enum judge_told told_of(enum wcts_truth truth, bool missed)
{
    if (truth == WCTS_UNKNOWN)
        return missed ? UNTOLD : TOLD_NOTHING;
    return truth == WCTS_TRUE ? TOLD_TRUE : TOLD_FALSE;
}

/* An expression about the message at eval.found; 0 is true. */
static enum judge_told told_at(const struct wcts_judge_selection *selection, int root)
{
    unsigned missed = missed_by(selection);
    enum wcts_truth truth = root ? wcts_judge_truth_at(selection, root) : WCTS_TRUE;
    return told_of(truth, missed_by(selection) != missed);
}

/* A breach in the message at eval.found; if that was refused, whether it is right is not known
 * here. */
static enum judge_told breach_at(const struct wcts_judge_selection *selection)
{
    int found = selection->eval.found.record;
    if (selection->effect->on_refusal)
        return TOLD_FALSE;
    if (!wcts_exchange_knows_status(exchange_of(selection), found))
        return UNTOLD;
    return wcts_succeeded(wcts_judge_eval_record(&selection->eval, found)->status) ? TOLD_FALSE
                                                                                   : TOLD_NOTHING;
}

static enum judge_told told_holds(struct wcts_judge_selection *selection)
{
    enum judge_told told;
    selection->holding = true;
    told = told_at(selection, selection->effect->holds);
    selection->holding = false;
    return told == TOLD_FALSE ? breach_at(selection) : told;
}

/* ---- the messages of a selector ---- */

/* The next message of the operation, whatever "where" says of it; -1: no more. *untold: it is not
 * known if one that was passed over is one. */
static int next_of(struct wcts_judge_selection *selection, int after, bool *untold)
{
    unsigned missed = missed_by(selection);
    int next = wcts_judge_next_message(selection, after, false);
    *untold = *untold || missed_by(selection) != missed;
    return next;
}

static void add_message(struct wcts_operations *set, const struct wcts_message *message)
{
    if (message->operation >> 8 < WCTS_PARTIES && (message->operation & 255) < 64)
        set->of[message->operation >> 8] |= UINT64_C(1) << (message->operation & 255);
}

/* Where the messages of a selector may be: behind one record, up to another. */
struct judge_span {
    struct wcts_operations operations;
    int from, to;
};

static struct judge_span span_of(const struct wcts_judge_selection *selection)
{
    const struct wcts_exchange_view *trace = &selection->eval.trace;
    const struct wcts_spec *spec = trace->spec;
    int on = selection->eval.on.record;
    struct judge_span span = {{{0}}, on, trace->exchange->count};
    add_message(&span.operations, &spec->messages[selection->effect->message]);
    if (selection->effect->span == WCTS_SPAN_BEFORE) {
        span.from = -1;
        span.to = on;
    } else if (selection->effect->span == WCTS_SPAN_DURING) {
        span.to = wcts_exchange_scope(trace, on);
        /* The messages that a call causes may follow in KERNEL_SETTLE. */
        for (int i = 0; i < spec->messages_count; i++)
            if (spec->messages[i].settles)
                add_message(&span.operations, &spec->messages[i]);
    } else if (selection->effect->span == WCTS_SPAN_RESTING) {
        for (int i = 0; i < spec->messages_count; i++)
            if (spec->messages[i].moves)
                add_message(&span.operations, &spec->messages[i]);
    }
    return span;
}

/* True if all messages of the selector between two records are there. */
static bool has_between(const struct wcts_judge_selection *selection, int from, int to)
{
    struct judge_span span = span_of(selection);
    return wcts_exchange_has_all(exchange_of(selection), selection->eval.trace.spec, from, to,
                                 &span.operations);
}

/* True if all are there that may count. */
static bool has_span(const struct wcts_judge_selection *selection)
{
    struct judge_span span = span_of(selection);
    return has_between(selection, span.from, span.to);
}

/* ---- selectors ---- */

/* Whether the call was answered as one that is not there; a refusal may have other reasons. */
static enum judge_told tell_denial(struct wcts_judge_selection *selection)
{
    int on = selection->eval.on.record;
    if (!wcts_exchange_knows_status(exchange_of(selection), on))
        return UNTOLD;
    switch (wcts_exchange_answer_of(wcts_judge_eval_record(&selection->eval, on)->status)) {
    case WCTS_ANSWER_ACCEPTED:
        return TOLD_TRUE;
    case WCTS_ANSWER_MISSING:
        return TOLD_FALSE;
    case WCTS_ANSWER_REFUSED:
    case WCTS_ANSWER_NO_TEST:
        break;
    }
    return TOLD_NOTHING;
}

static enum judge_told tell_call(struct wcts_judge_selection *selection)
{
    if (selection->effect->is_denial_recorded)
        return tell_denial(selection);
    selection->eval.found = selection->eval.on;
    return told_holds(selection);
}

/* What holds of the messages that "where" selects; untold: it is not known of one whether it is
 * selected, or what holds of it. */
struct judge_told_messages {
    bool any_true, any_false, untold;
    int decided; /* the record that is false, -1: none */
};

static struct judge_told_messages tell_messages(struct wcts_judge_selection *selection)
{
    struct judge_told_messages all = {.decided = -1};
    for (int i = -1; (i = next_of(selection, i, &all.untold)) >= 0;) {
        enum judge_told is = told_at(selection, selection->effect->where), holds;
        if (is == UNTOLD)
            all.untold = true;
        if (is != TOLD_TRUE)
            continue;
        holds = told_holds(selection);
        all.any_true = all.any_true || holds == TOLD_TRUE;
        all.untold = all.untold || holds == UNTOLD;
        if (holds == TOLD_FALSE && !all.any_false) {
            all.any_false = true;
            all.decided = i;
        }
    }
    if (all.decided >= 0)
        selection->eval.found =
            (struct wcts_exchange_cursor){all.decided, selection->eval.on.element};
    return all;
}

/* True if what an earlier native call shows may be over by now: the adapter was stopped, say, and
 * its handles and fences begin anew. */
static bool may_be_over(const struct wcts_judge_selection *selection, int found)
{
    const struct wcts_exchange *exchange = exchange_of(selection);
    int on = selection->eval.on.record;
    if (selection->effect->span != WCTS_SPAN_BEFORE || !exchange->records[on].native ||
        !wcts_exchange_may_end(exchange, found, on))
        return false;
    wcts_exchange_miss(exchange, wcts_exchange_missing_of(WCTS_LACK_STATE, found, false, -1, -1));
    return true;
}

static enum judge_told tell_every(struct wcts_judge_selection *selection)
{
    struct judge_told_messages all = tell_messages(selection);
    if (all.any_false)
        return may_be_over(selection, all.decided) ? UNTOLD : TOLD_FALSE;
    if (all.untold || !has_span(selection))
        return UNTOLD;
    return all.any_true ? TOLD_TRUE : TOLD_NOTHING;
}

static enum judge_told tell_some(struct wcts_judge_selection *selection)
{
    struct judge_told_messages all = tell_messages(selection);
    if (all.any_true)
        return TOLD_TRUE;
    if (all.untold || !has_span(selection))
        return UNTOLD;
    return all.any_false ? TOLD_FALSE : TOLD_NOTHING;
}

static enum judge_told tell_no(struct wcts_judge_selection *selection)
{
    bool untold = false, denied = false;
    for (int i = -1; (i = next_of(selection, i, &untold)) >= 0;) {
        enum judge_told is = told_at(selection, selection->effect->where);
        if (is == TOLD_TRUE)
            is = breach_at(selection);
        else if (is != UNTOLD)
            continue;
        if (is == TOLD_FALSE)
            return is;
        denied = denied || is == TOLD_NOTHING;
        untold = untold || is == UNTOLD;
    }
    if (untold || !has_span(selection))
        return UNTOLD;
    return denied ? TOLD_NOTHING : TOLD_TRUE;
}

/* ---- whose answer it is ---- */

/* So many messages before a call of Windows are looked at for one that another thread has made:
 * what was asked for longer ago and is not there yet was given up. And so many of them are told
 * apart. */
#define LOOKED_BACK 32
#define RIVALS_MOST 8

/* Calls like that of the effect of which one or the other may be what a message is for. */
struct judge_rivals {
    int of[RIVALS_MOST];
    int count;
    int waiting; /* so many of them at least: each message is for one */
    bool untold; /* there may be others */
};

/* True if both ask for the same, as far as is recorded. Windows asks twice: for sizes, then for
 * data. */
static bool is_same_request(const struct wcts_exchange_record *a,
                            const struct wcts_exchange_record *b)
{
    if (a->request_size != b->request_size || !a->request_known != !b->request_known)
        return false;
    return memcmp(a->request, b->request, a->request_size) == 0 &&
           (!a->request_known || memcmp(a->request_known, b->request_known, a->request_size) == 0);
}

/* What "where" says of a message, about a call like the subject. */
static enum judge_told told_where(struct wcts_judge_selection *selection, int on, int found)
{
    const struct wcts_exchange_cursor own = selection->eval.on, at = selection->eval.found;
    enum judge_told told;
    selection->eval.on = (struct wcts_exchange_cursor){on, 0};
    selection->eval.found = (struct wcts_exchange_cursor){found, 0};
    told = told_at(selection, selection->effect->where);
    selection->eval.on = own;
    selection->eval.found = at;
    return told;
}

static void add_rival(struct judge_rivals *rivals, const struct wcts_exchange *exchange, int record)
{
    for (int i = 0; i < rivals->count; i++)
        if (is_same_request(&exchange->records[rivals->of[i]], &exchange->records[record]))
            return;
    if (rivals->count == RIVALS_MOST) {
        rivals->untold = true;
        return;
    }
    rivals->of[rivals->count++] = record;
    rivals->waiting++;
}

/* One of them has its message; once all have, none is left. */
static void end_rival(struct judge_rivals *rivals)
{
    if (rivals->waiting > 0)
        rivals->waiting--;
    if (rivals->waiting == 0)
        rivals->count = 0;
}

/* The calls, of those not long before the subject and up to the message, that it may be for. */
static struct judge_rivals rivals_for(struct wcts_judge_selection *selection, int found)
{
    const struct wcts_exchange *exchange = exchange_of(selection);
    const int on = selection->eval.on.record;
    const uint32_t asked = exchange->records[on].operation;
    const struct wcts_operations asking = wcts_model_operations_of(asked);
    struct wcts_operations either = asking;
    struct judge_rivals rivals = {.count = 0};
    int from = on;
    add_message(&either, &selection->eval.trace.spec->messages[selection->effect->message]);
    for (int n = 0; n < LOOKED_BACK && from >= 0; n++)
        from = wcts_exchange_back(exchange, &either, from - 1);
    rivals.untold =
        !wcts_exchange_has_all(exchange, selection->eval.trace.spec, from, found, &asking);
    for (int i = from < 0 ? 0 : from; i < found; i++) {
        const struct wcts_exchange_record *one = &exchange->records[i];
        bool refused =
            !one->status_unknown && wcts_exchange_answer_of(one->status) != WCTS_ANSWER_ACCEPTED;
        if (!wcts_model_operations_have(&either, one->operation))
            continue;
        if (one->operation != asked) {
            if (told_where(selection, on, i) == TOLD_TRUE)
                end_rival(&rivals);
        } else if (!refused && told_where(selection, i, found) != TOLD_FALSE) {
            add_rival(&rivals, exchange, i);
        }
    }
    return rivals;
}

/* True if a message before the call, or behind it, may be about another one like it: of native
 * calls, one that was refused may have left something behind, and what is asked again is not what
 * was asked before. */
static bool is_overtaken(struct wcts_judge_selection *selection, int found)
{
    const struct wcts_exchange *exchange = exchange_of(selection);
    const uint32_t wanted = exchange->records[found].operation;
    const int on = selection->eval.on.record;
    const uint32_t asked = exchange->records[on].operation;
    bool before = found < on;
    int i = (before ? found : on) + 1, end = before ? on : found;
    enum judge_told told = TOLD_FALSE;
    if (!exchange->records[on].native)
        return false;
    for (; told == TOLD_FALSE && i < end; i++) {
        const struct wcts_exchange_record *one = &exchange->records[i];
        if (one->operation == wanted && !one->status_unknown &&
            wcts_exchange_answer_of(one->status) != WCTS_ANSWER_ACCEPTED)
            told = told_where(selection, on, i);
        else if (!before && one->operation == asked &&
                 !is_same_request(one, &exchange->records[on]))
            told = told_where(selection, i, found);
    }
    if (told == TOLD_FALSE)
        return false;
    wcts_exchange_miss(exchange, wcts_exchange_missing_of(WCTS_LACK_WITHIN, found, false, -1, -1));
    return true;
}

/* What a message says of the call. Of a driver of Windows whoever creates asks first what for, in
 * any thread, and of several such calls nothing tells which one a message is for. */
static enum judge_told told_of_own(struct wcts_judge_selection *selection, int found)
{
    const struct wcts_exchange *exchange = exchange_of(selection);
    const struct wcts_spec *spec = selection->eval.trace.spec;
    const int on = selection->eval.on.record;
    struct judge_rivals rivals;
    if (is_overtaken(selection, found))
        return UNTOLD;
    if (spec->statements[selection->eval.effect->statement].role != WCTS_ROLE_DRIVER ||
        selection->effect->span == WCTS_SPAN_BEFORE || !exchange->records[on].native)
        return told_holds(selection);
    rivals = rivals_for(selection, found);
    if (rivals.count <= 1 && !rivals.untold)
        return told_holds(selection);
    wcts_exchange_miss(exchange, wcts_exchange_missing_of(WCTS_LACK_WITHIN, found, false, -1, -1));
    return UNTOLD;
}

/* The one nearest to the call: the message that nothing may precede. */
static enum judge_told tell_nearest(struct wcts_judge_selection *selection)
{
    int on = selection->eval.on.record;
    bool untold = false, before = selection->effect->span == WCTS_SPAN_BEFORE;
    for (int i = -1; (i = next_of(selection, i, &untold)) >= 0;) {
        enum judge_told is = told_at(selection, selection->effect->where);
        if (is == UNTOLD || untold)
            return UNTOLD;
        if (is == TOLD_TRUE)
            return has_between(selection, before ? i : on, before ? on : i)
                       ? told_of_own(selection, i)
                       : UNTOLD;
    }
    return untold || !has_span(selection) ? UNTOLD : TOLD_NOTHING;
}

/* As select.c has it: a message of which nothing tells if it is the one proves nothing, unless
 * another one is known not to be it. */
static enum judge_told tell_first(struct wcts_judge_selection *selection)
{
    bool untold = false, any = false, known = false;
    for (int i = -1; (i = next_of(selection, i, &untold)) >= 0;) {
        enum judge_told is = told_at(selection, selection->effect->where);
        if (is == UNTOLD || untold)
            return UNTOLD;
        if (is == TOLD_TRUE)
            return has_between(selection, selection->eval.on.record, i) ? told_holds(selection)
                                                                        : UNTOLD;
        known = known || is == TOLD_FALSE;
        any = true;
    }
    if (untold || !has_span(selection))
        return UNTOLD;
    return any && !known ? TOLD_NOTHING : TOLD_FALSE;
}

/* Its functions go through the other messages: what is missing of any of them may decide. */
static enum judge_told tell_all(struct wcts_judge_selection *selection)
{
    unsigned missed = missed_by(selection);
    enum judge_told told = TOLD_NOTHING;
    if (wcts_judge_next_message(selection, -1, true) >= 0)
        told = told_holds(selection);
    return missed_by(selection) != missed || !has_span(selection) ? UNTOLD : told;
}

static enum judge_told (*const tellers[])(struct wcts_judge_selection *selection) = {
    [WCTS_SELECT_CALL] = tell_call,       [WCTS_SELECT_EVERY] = tell_every,
    [WCTS_SELECT_SOME] = tell_some,       [WCTS_SELECT_FIRST] = tell_first,
    [WCTS_SELECT_NEAREST] = tell_nearest, [WCTS_SELECT_NO] = tell_no,
    [WCTS_SELECT_ALL] = tell_all,
};

/* ---- all of it ---- */

static enum judge_told tell(struct wcts_judge_selection *selection)
{
    const struct wcts_effect *effect = selection->effect;
    unsigned missed;
    enum judge_told told;
    selection->eval.found = selection->eval.on;
    told = told_at(selection, effect->when);
    if (told != TOLD_TRUE)
        return told == UNTOLD ? UNTOLD : TOLD_NOTHING;
    missed = missed_by(selection);
    if (!wcts_judge_is_call_shown(selection))
        return missed_by(selection) != missed ? UNTOLD : TOLD_NOTHING;
    return tellers[effect->selector](selection);
}

static char *denial_text(const struct wcts_exchange_view *view, int record)
{
    const struct wcts_exchange_record *one = &view->exchange->records[record];
    char status[64], *text = NULL;
    wcts_exchange_status_text(one->status, status, sizeof status);
    return asprintf(&text, "%s answered %s, expected an operation that is there",
                    wcts_operation_name(one->operation), status) < 0
               ? NULL
               : text;
}

enum wcts_judge_said wcts_judge_partial_effect(const struct wcts_exchange_view *view, int rule,
                                               int record, int element, char **text)
{
    static const enum wcts_judge_said said[] = {[TOLD_NOTHING] = WCTS_SAID_NOTHING,
                                                [TOLD_TRUE] = WCTS_SAID_KEPT,
                                                [TOLD_FALSE] = WCTS_SAID_BROKEN,
                                                [UNTOLD] = WCTS_SAID_UNKNOWN};
    struct wcts_judge_selection selection;
    enum judge_told told;
    wcts_judge_selection(&selection, &view->spec->rules[rule], *view);
    selection.quiet = true;
    selection.eval.on = (struct wcts_exchange_cursor){record, element};
    told = tell(&selection);
    if (told == TOLD_FALSE && text) {
        struct wcts_exchange_cursor found = selection.eval.found;
        /* In the words of select.c, where it says the same. */
        selection.quiet = false;
        selection.eval.text[0] = '\0';
        if (wcts_judge_select(&selection) != WCTS_FALSE && selection.effect->holds) {
            selection.eval.found = found;
            wcts_judge_reason(&selection, selection.effect->holds);
        }
        *text = selection.effect->is_denial_recorded ? denial_text(view, record)
                                                     : strdup(selection.eval.text);
    }
    return said[told];
}
