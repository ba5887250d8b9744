/* SPDX-License-Identifier: MIT */
/* The functions of the language that only recordings have. */
#include <endian.h>
#include <inttypes.h>
#include <string.h>

#include "../exchange/partial.h"
#include "recorded_functions.h"

/* ---- memory ---- */

/* What the suite last wrote, before a read, with the seed of that read; -1: nothing. */
static int last_written(const struct wcts_judge_effect_eval *eval, int before)
{
    const struct wcts_exchange_view *trace = &eval->trace;
    const struct wcts_exchange_record *read = wcts_judge_eval_record(eval, before);
    for (int i = before - 1; i >= 0; i--) {
        const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, i);
        const struct wcts_message *message =
            record->depth != 0 || record->seed != read->seed || record->part != read->part
                ? NULL
                : wcts_exchange_message_of(trace->spec, record->operation);
        if (message && message->writes)
            return i;
    }
    return -1;
}

static enum wcts_truth check_bytes(struct wcts_judge_effect_eval *eval, int index,
                                   const struct wcts_lang_ref *data, enum wcts_content content)
{
    const char *member = eval->trace.spec->structures[data->structure].members[data->member].name;
    uint64_t length, room, at = 0;
    const uint8_t *found = wcts_exchange_data(&eval->trace, index, data->reply, member, &length);
    const uint8_t *wanted = NULL;
    int written = -1;
    if (content == WCTS_CONTENT_WRITTEN) {
        written = last_written(eval, index);
        if (written >= 0) /* the same member of what was sent */
            wanted = wcts_exchange_data(&eval->trace, written, false, member, &room);
        if (!wanted || room < length)
            return WCTS_UNKNOWN;
    }
    if (!found || length == 0)
        return WCTS_UNKNOWN;
    if (wanted ? memcmp(found, wanted, length) == 0
               : found[0] == 0 && memcmp(found, found + 1, length - 1) == 0)
        return WCTS_TRUE;
    if (eval->walked && !wcts_judge_is_lost_by(eval, written, index, member))
        return WCTS_UNKNOWN;
    while (found[at] == (wanted ? wanted[at] : 0))
        at++;
    snprintf(eval->text, sizeof eval->text,
             "byte %" PRIu64 " of the memory is 0x%02x, expected 0x%02x%s", at, found[at],
             wanted ? wanted[at] : 0, wanted ? ", which was written" : "");
    return WCTS_FALSE;
}

/* About the message that the expression is about; with "all", about all of them together. */
static struct wcts_lang_result ask_bytes(const struct wcts_lang_call *call,
                                         enum wcts_content content)
{
    struct wcts_judge_selection *selection = wcts_judge_selection_at(call);
    const struct wcts_lang_ref *data = &call->exprs->nodes[call->first].ref;
    bool together = selection->effect->selector == WCTS_SELECT_ALL;
    int at = wcts_exchange_cursor_at(call->scope->subject).record, i = -1;
    enum wcts_truth all = WCTS_UNKNOWN;
    if (!together)
        return wcts_judge_result(check_bytes(&selection->eval, at, data, content));
    while ((i = wcts_judge_next_message(selection, i, true)) >= 0) {
        enum wcts_truth truth = check_bytes(&selection->eval, i, data, content);
        if (truth == WCTS_FALSE)
            return wcts_judge_result(truth);
        all = truth == WCTS_TRUE ? truth : all;
    }
    return wcts_judge_result(all);
}

static struct wcts_lang_result ask_written(const struct wcts_lang_call *call)
{
    return ask_bytes(call, WCTS_CONTENT_WRITTEN);
}

static struct wcts_lang_result ask_zeroed(const struct wcts_lang_call *call)
{
    return ask_bytes(call, WCTS_CONTENT_ZERO);
}

/* Of how many bytes it is known at once that they repeat the pattern: the first four do, and all
 * others are as those four before. */
static uint64_t length_filled(const uint8_t *found, uint64_t length, uint32_t pattern)
{
    const uint32_t little = htole32(pattern);
    bool filled = length >= sizeof little && memcmp(found, &little, sizeof little) == 0 &&
                  memcmp(found, found + sizeof little, length - sizeof little) == 0;
    return filled ? length : 0;
}

static struct wcts_lang_result ask_filled(const struct wcts_lang_call *call)
{
    struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    const struct wcts_lang_ref *data = &call->exprs->nodes[call->first].ref;
    const char *member = eval->trace.spec->structures[data->structure].members[data->member].name;
    const int at = wcts_exchange_cursor_at(call->scope->subject).record;
    const struct wcts_lang_result pattern = wcts_judge_argument(call, 1);
    uint64_t length;
    const uint8_t *found = wcts_exchange_data(&eval->trace, at, data->reply, member, &length);
    if (!found || length == 0 || !pattern.known)
        return wcts_judge_result(WCTS_UNKNOWN);
    for (uint64_t i = length_filled(found, length, (uint32_t)pattern.number); i < length; i++) {
        const uint8_t wanted = (uint8_t)((uint64_t)pattern.number >> 8 * (i % 4));
        if (found[i] == wanted)
            continue;
        snprintf(eval->text, sizeof eval->text,
                 "byte %" PRIu64 " of the memory is 0x%02x, expected 0x%02x of the pattern", i,
                 found[i], wanted);
        return wcts_judge_result(WCTS_FALSE);
    }
    return wcts_judge_result(WCTS_TRUE);
}

/* ---- lines ---- */

/* Messages on one line: the first of them. */
struct judge_message_line {
    int first; /* record, -1: none so far */
    struct wcts_lang_result value, along;
};

/* True if an earlier message of the line had the same value, or the same place. */
static bool is_value_repeated(const struct wcts_lang_call *call,
                              const struct judge_message_line *line, struct wcts_lang_result value,
                              struct wcts_lang_result along)
{
    struct wcts_judge_selection *selection = wcts_judge_selection_at(call);
    const struct wcts_exchange_cursor now = selection->eval.found;
    bool repeated = false;
    for (int i = line->first - 1;
         !repeated && (i = wcts_judge_next_message(selection, i, true)) < now.record && i >= 0;) {
        struct wcts_lang_result then = wcts_judge_argument(call, 0),
                                along_then = wcts_judge_argument(call, 1);
        repeated = then.known && along_then.known &&
                   (then.number == value.number || along_then.number == along.number);
    }
    selection->eval.found = now;
    return repeated;
}

static void say_off_line(const struct wcts_lang_call *call, struct wcts_lang_result value,
                         __int128 expected)
{
    struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    const struct wcts_lang_ref ref = call->exprs->nodes[call->first].ref;
    const struct wcts_structure *structure = &eval->trace.spec->structures[ref.structure];
    snprintf(eval->text, sizeof eval->text,
             "%s.%s is 0x%" PRIx64 ", expected 0x%" PRIx64 " as the first message has it",
             structure->name, structure->members[ref.member].name, (uint64_t)value.number,
             (uint64_t)expected);
}

/* Each message is where the first one of its line puts it. Something that is moved again may go
 * elsewhere, or come from elsewhere: that begins another line, as does something else that was
 * moved, or this out of place. */
static struct wcts_lang_result ask_line(const struct wcts_lang_call *call)
{
    struct wcts_judge_selection *selection = wcts_judge_selection_at(call);
    struct judge_message_line line = {.first = -1};
    bool any = false;
    for (int i = -1; (i = wcts_judge_next_message(selection, i, false)) >= 0;) {
        struct wcts_lang_result value, along, per;
        if (!wcts_judge_is_selected(selection)) {
            line.first = -1;
            continue;
        }
        value = wcts_judge_argument(call, 0);
        along = wcts_judge_argument(call, 1);
        per = wcts_judge_argument(call, 2);
        if (!value.known || !along.known || !per.known)
            continue;
        any = true;
        if (line.first >= 0 &&
            value.number == line.value.number + (along.number - line.along.number) * per.number)
            continue;
        if (line.first >= 0 && !is_value_repeated(call, &line, value, along)) {
            say_off_line(call, value,
                         line.value.number + (along.number - line.along.number) * per.number);
            return wcts_lang_known(false);
        }
        line = (struct judge_message_line){i, value, along};
    }
    return any ? wcts_lang_known(true) : wcts_lang_unknown();
}

/* ---- places ---- */

/* Notes where the kernel puts as much in that segment without a hint: before and after the selected
 * message, and always at the same offset. Scenarios that ask place one thing at a time. */
static void find_unhinted(const struct wcts_lang_call *call, struct wcts_judge_hint *hint)
{
    struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    const struct wcts_exchange_cursor now = eval->found;
    struct wcts_exchange_place own, place;
    bool before = false, after = false, same = true;
    if (!wcts_exchange_place(&eval->trace, now.record, &own))
        return;
    for (int i = 0; i < eval->trace.exchange->count; i++) {
        struct wcts_lang_result offset, hinted;
        if (!wcts_exchange_place(&eval->trace, i, &place) || place.segment != own.segment ||
            place.segment_size != own.segment_size)
            continue;
        eval->found = (struct wcts_exchange_cursor){i, 0};
        offset = wcts_judge_argument(call, 0);
        hinted = wcts_judge_argument(call, 1);
        if (!offset.known || !hinted.known || hinted.number != 0)
            continue;
        same = same && ((!before && !after) || hint->without == (uint64_t)offset.number);
        hint->without = (uint64_t)offset.number;
        *(i < now.record ? &before : &after) = true;
    }
    hint->is_known = before && after && same;
    eval->found = now;
}

static struct wcts_lang_result ask_in_bank(const struct wcts_lang_call *call)
{
    const struct wcts_lang_result offset = wcts_judge_argument(call, 0),
                                  hinted = wcts_judge_argument(call, 1);
    struct wcts_judge_hint hint = {.offset = (uint64_t)offset.number,
                                   .hint = (uint64_t)hinted.number};
    if (!offset.known || !hinted.known || hint.hint == 0)
        return wcts_lang_unknown();
    find_unhinted(call, &hint);
    return wcts_judge_result(wcts_judge_check_bank(&wcts_judge_selection_at(call)->eval, &hint));
}

/* ---- handles ---- */

static struct wcts_lang_result ask_given(const struct wcts_lang_call *call)
{
    struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    const struct wcts_lang_ref ref = call->exprs->nodes[call->first].ref;
    const struct wcts_structure *structure = &eval->trace.spec->structures[ref.structure];
    struct wcts_lang_result handle = wcts_judge_argument(call, 0);
    int at = wcts_exchange_cursor_at(call->scope->subject).record;
    enum wcts_exchange_given given;
    if (!handle.known)
        return wcts_lang_unknown();
    given = wcts_exchange_given(&eval->trace, at, (uint64_t)handle.number);
    if (given == WCTS_GIVEN)
        return wcts_lang_known(true);
    snprintf(eval->text, sizeof eval->text,
             "%s.%s is 0x%" PRIx64 "%s, expected a handle that was given", structure->name,
             structure->members[ref.member].name, (uint64_t)handle.number,
             given == WCTS_GIVEN_ENDED ? ", which was destroyed" : "");
    return wcts_lang_known(false);
}

/* ---- what is not over ---- */

static int accepted_before(const struct wcts_judge_effect_eval *eval,
                           const struct wcts_message *message)
{
    const struct wcts_operations one = wcts_model_operations_of(message->operation);
    int count = 0;
    for (int i = eval->on.record - 1; (i = wcts_exchange_back(eval->trace.exchange, &one, i)) >= 0;
         i--)
        count += wcts_exchange_answer_of(wcts_judge_eval_record(eval, i)->status) ==
                 WCTS_ANSWER_ACCEPTED;
    return count;
}

/* The last member of that type that a structure has. */
static struct wcts_ref last_of_type(const struct wcts_spec *spec, int structure,
                                    enum wcts_member_type type)
{
    struct wcts_ref ref = {structure, -1, -1};
    for (int i = 0; structure >= 0 && i < spec->structures[structure].member_count; i++)
        if (spec->structures[structure].members[i].type == type)
            ref.member = i;
    return ref;
}

/* What is locked, for example, and at which address it is seen then. */
struct judge_held_open {
    const struct wcts_exchange_view *trace;
    const struct wcts_message *opens, *closes;
    uint64_t address, handle;
};

/* True if the record is an accepted call of the operation; *handle is what it names. */
static bool is_accepted_of(const struct judge_held_open *held, const struct wcts_message *message,
                           int record, uint64_t *handle)
{
    const struct wcts_exchange_record *call = &held->trace->exchange->records[record];
    const struct wcts_ref ref = last_of_type(held->trace->spec, message->request, WCTS_TYPE_HANDLE);
    return call->operation == message->operation &&
           wcts_exchange_answer_of(call->status) == WCTS_ANSWER_ACCEPTED && ref.member >= 0 &&
           wcts_exchange_member(held->trace, record, ref, false, 0, handle);
}

static bool gave_address(const struct judge_held_open *held, int record)
{
    const struct wcts_ref ref =
        last_of_type(held->trace->spec, held->opens->reply, WCTS_TYPE_ADDRESS);
    uint64_t address;
    return ref.member >= 0 && wcts_exchange_member(held->trace, record, ref, true, 0, &address) &&
           address == held->address;
}

/* Which of several addresses of one object a call closes is not said: none of them is sure to be
 * open behind it, until all are closed. */
static bool is_open_for_sure(struct judge_held_open *held, int before)
{
    int open = 0, here = 0, last = before;
    uint64_t handle;
    while (--last >= 0)
        if (is_accepted_of(held, held->opens, last, &held->handle) && gave_address(held, last))
            break;
    for (int i = 0; last >= 0 && i < before; i++) {
        if (is_accepted_of(held, held->opens, i, &handle) && handle == held->handle) {
            open++;
            here += gave_address(held, i);
        } else if (is_accepted_of(held, held->closes, i, &handle) && handle == held->handle) {
            open -= open > 0;
            here -= here > 0;
        }
        if (open == 0)
            here = 0;
    }
    return here > 0;
}

static struct wcts_lang_result ask_outstanding(const struct wcts_lang_call *call)
{
    const struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    struct judge_held_open held = {&eval->trace, wcts_judge_operation_named(call, 0),
                                   wcts_judge_operation_named(call, 1), 0, 0};
    struct wcts_lang_result address;
    if (wcts_lang_argument(call->exprs, call->first, 2) == 0)
        return wcts_lang_known(accepted_before(eval, held.opens) >
                               accepted_before(eval, held.closes));
    address = wcts_judge_argument(call, 2);
    if (!address.known)
        return wcts_lang_unknown();
    held.address = (uint64_t)address.number;
    return wcts_lang_known(is_open_for_sure(&held, eval->found.record));
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    wcts_function_eval *ask;
    bool by_members; /* it reads nothing but its arguments: else only what is whole is read */
    bool by_handles; /* else it reads what became of handles, and no memory */
} recorded_functions[] = {
    {"written", ask_written, false, false},
    {"zeroed", ask_zeroed, false, false},
    {"filled", ask_filled, false, false},
    {"line", ask_line, true, false},
    {"in_bank", ask_in_bank, false, false},
    {"held", wcts_judge_ask_held, false, true},
    {"held_before", wcts_judge_ask_held_before, false, true},
    {"released", wcts_judge_ask_released, false, true},
    {"given", ask_given, false, true},
    {"outstanding", ask_outstanding, false, true},
    {"as_row", wcts_judge_ask_as_row, false, false},
    {"as_some_row", wcts_judge_ask_as_some_row, false, false},
    {"patched", wcts_judge_ask_patched, false, false},
};

struct wcts_lang_result wcts_judge_recorded(const struct wcts_lang_call *call)
{
    for (size_t i = 0; i < sizeof recorded_functions / sizeof *recorded_functions; i++)
        if (strcmp(recorded_functions[i].name, call->function->name) == 0) {
            const struct wcts_exchange *exchange =
                wcts_judge_selection_at(call)->eval.trace.exchange;
            const bool missed =
                exchange->partial && exchange->partial->missing.lack != WCTS_LACK_NOTHING;
            if (!recorded_functions[i].by_members && !wcts_exchange_is_whole(exchange)) {
                if (!missed)
                    exchange->partial->missing.handles = recorded_functions[i].by_handles;
                break;
            }
            return recorded_functions[i].ask(call);
        }
    return wcts_lang_unknown();
}
