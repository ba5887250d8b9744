/* SPDX-License-Identifier: MIT */
/* Functions of the language: what memory is secured, when, and until when. */
#include "../exchange/bytes.h"
#include "../exchange/partial.h"
#include "recorded_functions.h"

/* What a function is asked about: the operations that its first arguments name, and the range
 * behind them. */
struct judge_secured_range {
    struct wcts_judge_effect_eval *eval;
    const struct wcts_message *message, *other;
    bool known;
    __int128 base, size;
};

static struct judge_secured_range range_asked(const struct wcts_lang_call *call, int operations)
{
    struct wcts_lang_result base = wcts_judge_argument(call, operations);
    struct wcts_lang_result size = wcts_judge_argument(call, operations + 1);
    return (struct judge_secured_range){&wcts_judge_selection_at(call)->eval,
                                        wcts_judge_operation_named(call, 0),
                                        wcts_judge_operation_named(call, operations - 1),
                                        base.known && size.known,
                                        base.number,
                                        size.number};
}

static enum wcts_truth breach_of_operation(struct wcts_judge_effect_eval *eval, const char *what,
                                           const struct wcts_message *message, const char *expected)
{
    snprintf(eval->text, sizeof eval->text, "%s %s, expected %s", what, message->name, expected);
    return WCTS_FALSE;
}

static const struct wcts_message *accepted_message(const struct wcts_judge_effect_eval *eval,
                                                   int index)
{
    const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, index);
    return wcts_exchange_answer_of(record->status) == WCTS_ANSWER_ACCEPTED
               ? wcts_exchange_message_of(eval->trace.spec, record->operation)
               : NULL;
}

/* What a record of the message made, such as a handle of memory that it secured; 0: nothing. */
static uint64_t made_by(const struct wcts_judge_effect_eval *eval, int index,
                        const struct wcts_message *message)
{
    uint64_t handle;
    return message->makes_count > 0 && accepted_message(eval, index) == message &&
                   wcts_exchange_member(&eval->trace, index, message->makes[0], true, 0, &handle)
               ? handle
               : 0;
}

/* The message that ends what this one makes; itself if there is none. */
static const struct wcts_message *end_of(const struct wcts_spec *spec,
                                         const struct wcts_message *message)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].of == (int)(message - spec->messages))
            return &spec->messages[i];
    return message;
}

/* The record in [from, end) that releases what the message secured; -1 if there is none. */
static int release_of(const struct wcts_judge_effect_eval *eval, const struct wcts_message *message,
                      uint64_t handle, int from, int end)
{
    const struct wcts_message *release = end_of(eval->trace.spec, message);
    uint64_t released;
    for (int i = from; i < end && release != message; i++) {
        const struct wcts_message *sent = accepted_message(eval, i);
        if (sent && sent == release &&
            wcts_exchange_member(&eval->trace, i, sent->ends[0], false, 0, &released) &&
            released == handle)
            return i;
    }
    return -1;
}

/* The range in the request of a record; false if it has none. */
static bool range_in(const struct wcts_judge_effect_eval *eval, int index, uint64_t *address,
                     uint64_t *length)
{
    const struct wcts_message *message =
        wcts_exchange_message_of(eval->trace.spec, wcts_judge_eval_record(eval, index)->operation);
    return message && message->range_count == 2 &&
           wcts_exchange_member(&eval->trace, index, message->range[0], false, 0, address) &&
           wcts_exchange_member(&eval->trace, index, message->range[1], false, 0, length);
}

/* The end of the memory from an address on that was secured in [from, end) and is not released
 * before until. */
static uint64_t secured_to(const struct judge_secured_range *range, uint64_t address, int from,
                           int end, int until)
{
    for (int i = from; i < end; i++) {
        uint64_t handle = made_by(range->eval, i, range->message), first, length;
        if (handle == 0 || !range_in(range->eval, i, &first, &length) || first > address ||
            length <= address - first || length > UINT64_MAX - first ||
            release_of(range->eval, range->message, handle, i, until) >= 0)
            continue;
        /* Another one may continue from here, anywhere in the recording. */
        address = first + length;
        i = from - 1;
    }
    return address;
}

/* True if all of the range is secured in this sense. */
static bool is_secured(const struct judge_secured_range *range, int from, int end, int until)
{
    uint64_t base = (uint64_t)range->base;
    return secured_to(range, base, from, end, until) - base >= range->size;
}

static bool is_in_range(const struct judge_secured_range *range, int index)
{
    uint64_t address, length;
    return range_in(range->eval, index, &address, &length) && address >= range->base &&
           address < range->base + range->size;
}

/* One pair in the right order is enough: other requests to the machine are the kernel's own
 * affair. */
static enum wcts_truth eval_order(const struct judge_secured_range *range)
{
    struct wcts_judge_effect_eval *eval = range->eval;
    int from = eval->on.record + 1;
    bool begun = false, any = false, early = false;
    for (int i = from; i < wcts_exchange_end(&eval->trace, eval->on.record); i++) {
        uint32_t operation = wcts_judge_eval_record(eval, i)->operation;
        bool second = operation == range->other->operation;
        if ((operation != range->message->operation && !second) || !is_in_range(range, i))
            continue;
        if (second && begun && is_secured(range, from, i, i))
            return WCTS_TRUE;
        early = early || (second && !begun);
        any = any || second;
        begun = begun || !second;
    }
    if (!begun || !any)
        return breach_of_operation(eval, "there was no", begun ? range->other : range->message,
                                   "one within the call");
    if (early)
        return breach_of_operation(eval, "the first was", range->other, range->message->name);
    return breach_of_operation(eval, "part of the range was not secured before", range->other,
                               "all of it");
}

/* True if a value that the ender has in its n-th member is one that the maker has in its own. */
static bool ends_nth(const struct wcts_judge_effect_eval *eval, int ender, int maker, int n)
{
    const struct wcts_message *end = accepted_message(eval, ender);
    const struct wcts_message *made = accepted_message(eval, maker);
    uint64_t ended, handle;
    for (int i = 0; wcts_exchange_member(&eval->trace, ender, end->ends[n], false, i, &ended); i++)
        for (int j = 0; wcts_exchange_member(&eval->trace, maker, made->makes[n], true, j, &handle);
             j++)
            if (ended != 0 && ended == handle)
                return true;
    return false;
}

/* True if a call of the suite destroys something that another one created. */
static bool destroys(const struct wcts_judge_effect_eval *eval, int ender, int maker)
{
    const struct wcts_message *end = accepted_message(eval, ender);
    const struct wcts_message *made = accepted_message(eval, maker);
    if (end && end->stops)
        return made != NULL;
    for (int i = 0; end && made && end_of(eval->trace.spec, made) == end && i < end->ends_count;
         i++)
        if (ends_nth(eval, ender, maker, i))
            return true;
    return false;
}

/* The first call, from index on, with which the suite destroys what the call created. */
static int next_end(const struct wcts_judge_effect_eval *eval, int index)
{
    while (index < eval->trace.exchange->count) {
        const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, index);
        const struct wcts_message *message =
            wcts_exchange_message_of(eval->trace.spec, record->operation);
        if (record->depth == 0 &&
            ((message && message->stops) || destroys(eval, index, eval->on.record)))
            break;
        index++;
    }
    return index;
}

/* As many as cover the range stay secured, and one at least. */
static enum wcts_truth eval_held(const struct judge_secured_range *range)
{
    struct wcts_judge_effect_eval *eval = range->eval;
    int from = eval->on.record + 1;
    int end = wcts_exchange_end(&eval->trace, eval->on.record);
    int until = next_end(eval, end);
    bool any = false, held = false;
    for (int i = from; i < end && !held; i++) {
        uint64_t handle = made_by(eval, i, range->message);
        any = any || handle;
        held = handle && release_of(eval, range->message, handle, i, until) < 0;
    }
    if (!any)
        return breach_of_operation(eval, "there was no", range->message, "one");
    if (!is_secured(range, from, end, from))
        return breach_of_operation(eval, "part of the range was left out by", range->message,
                                   "all of it to be secured");
    if (!held || !is_secured(range, from, end, until))
        return breach_of_operation(eval, "there was a", end_of(eval->trace.spec, range->message),
                                   "none before the allocation is destroyed");
    return WCTS_TRUE;
}

/* What looks for an address in a call. */
struct judge_naming {
    const struct wcts_judge_effect_eval *eval;
    bool found;
};

static void find_address(void *context, struct wcts_ref ref, bool reply, const uint8_t *at,
                         int element)
{
    struct judge_naming *naming = context;
    const struct wcts_member *member = wcts_model_ref_member(naming->eval->trace.spec, ref);
    (void)element;
    if (!reply && member->type == WCTS_TYPE_ADDRESS)
        naming->found =
            naming->found || wcts_exchange_bytes_get(at + member->offset, member->width) != 0;
}

/* True if a call of the suite names memory of its own. What a kernel secures in one that names none
 * is the kernel's affair. */
static bool names_memory(const struct wcts_judge_effect_eval *eval, int call)
{
    struct judge_naming naming = {eval, false};
    wcts_exchange_members(eval->trace.exchange, eval->trace.spec, call, -1, find_address, &naming);
    return naming.found;
}

/* What a refused call secured itself, or what was secured for what an accepted one destroys. */
static enum wcts_truth eval_released(struct wcts_judge_effect_eval *eval,
                                     const struct wcts_message *message)
{
    int on = eval->on.record, call = on, end = wcts_exchange_scope(&eval->trace, on);
    bool own = !accepted_message(eval, on), any = false;
    for (int i = own ? on + 1 : 0; i < (own ? end : on); i++) {
        uint64_t handle = made_by(eval, i, message);
        if (wcts_judge_eval_record(eval, i)->depth == 0)
            call = i;
        if (handle == 0 || (!own && (!destroys(eval, on, call) || !names_memory(eval, call) ||
                                     release_of(eval, message, handle, i, on) >= 0)))
            continue;
        any = true;
        if (release_of(eval, message, handle, own ? i : on, end) < 0)
            return breach_of_operation(eval, "there was no", end_of(eval->trace.spec, message),
                                       "one for each range that was secured");
    }
    return any ? WCTS_TRUE : WCTS_UNKNOWN;
}

struct wcts_lang_result wcts_judge_ask_held(const struct wcts_lang_call *call)
{
    const struct judge_secured_range range = range_asked(call, 1);
    return wcts_judge_result(range.known ? eval_held(&range) : WCTS_UNKNOWN);
}

struct wcts_lang_result wcts_judge_ask_held_before(const struct wcts_lang_call *call)
{
    const struct judge_secured_range range = range_asked(call, 2);
    return wcts_judge_result(range.known ? eval_order(&range) : WCTS_UNKNOWN);
}

struct wcts_lang_result wcts_judge_ask_released(const struct wcts_lang_call *call)
{
    return wcts_judge_result(
        eval_released(&wcts_judge_selection_at(call)->eval, wcts_judge_operation_named(call, 0)));
}
