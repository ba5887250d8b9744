/* SPDX-License-Identifier: MIT */
/* Whose fault it is that memory does not hold what was written there (check.h). */
#include <string.h>

#include "check.h"

static const struct wcts_message *message_at(const struct wcts_judge_effect_eval *eval, int record)
{
    return wcts_exchange_message_of(eval->trace.spec,
                                    wcts_judge_eval_record(eval, record)->operation);
}

/* The address that a message names, or answers with, as it was given: 0 if there is none. */
static uint64_t address_in(const struct wcts_judge_effect_eval *eval, int record, bool reply)
{
    const struct wcts_message *message = message_at(eval, record);
    const int structure = !message ? -1 : reply ? message->reply : message->request;
    const struct wcts_structure *of =
        structure < 0 ? NULL : &eval->trace.spec->structures[structure];
    uint64_t address;
    for (int i = 0; of && i < of->member_count; i++)
        if (of->members[i].type == WCTS_TYPE_ADDRESS &&
            wcts_exchange_member(&eval->trace, record, (struct wcts_ref){structure, i, -1}, reply,
                                 0, &address))
            return address - wcts_judge_eval_record(eval, record)->offset;
    return 0;
}

/* True if the call answered with the address that is used. */
static bool gave(const struct wcts_judge_effect_eval *eval, int call, int use)
{
    const uint64_t address = address_in(eval, use, false);
    return address != 0 && wcts_judge_eval_record(eval, call)->depth == 0 &&
           wcts_succeeded(wcts_judge_eval_record(eval, call)->status) &&
           address_in(eval, call, true) == address;
}

/* The last read before another record of what was written, right, and by another way than it was
 * written; -1: none. */
static int last_right(const struct wcts_judge_effect_eval *eval, int written, int read,
                      const char *member, int before)
{
    const struct wcts_exchange_record *lost = wcts_judge_eval_record(eval, read);
    uint64_t length, room;
    const uint8_t *bytes = wcts_exchange_data(&eval->trace, written, false, member, &room);
    for (int i = before - 1; bytes && i > written; i--) {
        const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, i);
        bool other = address_in(eval, i, false) != address_in(eval, written, false);
        const uint8_t *found;
        if (record->operation != lost->operation || record->depth != 0 ||
            record->seed != lost->seed || record->part != lost->part)
            continue;
        for (int g = written + 1; g < i && !other; g++)
            other = gave(eval, g, i);
        found = wcts_exchange_data(&eval->trace, i, true, member, &length);
        if (other && found && length > 0 && length <= room && memcmp(found, bytes, length) == 0)
            return i;
    }
    return -1;
}

/* True if between two records something may have moved. What a call gave the address of the read
 * for is to be seen there, unless it moved something itself. */
static bool is_disturbed(const struct wcts_judge_effect_eval *eval, int from, int to, int read)
{
    for (int i = from + 1; i < to; i++) {
        const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, i);
        const struct wcts_message *message = message_at(eval, i);
        if (message && message->moves && (message->driver || !gave(eval, i, read)) &&
            wcts_succeeded(record->status))
            return true;
    }
    return false;
}

/* The end of a call with the settling right behind it. */
static int settled(const struct wcts_judge_effect_eval *eval, int call)
{
    int end = wcts_exchange_end(&eval->trace, call);
    const struct wcts_message *next =
        end < eval->trace.exchange->count ? message_at(eval, end) : NULL;
    return next && next->settles ? wcts_exchange_end(&eval->trace, end) : end;
}

/* Since when what is used has its address; without such a call, since it is used. */
static int given_at(const struct wcts_judge_effect_eval *eval, int use)
{
    for (int i = use - 1; i >= 0; i--)
        if (gave(eval, i, use))
            return i;
    return use;
}

bool wcts_judge_is_lost_by(const struct wcts_judge_effect_eval *eval, int written, int read,
                           const char *member)
{
    const int call = eval->on.record, first = given_at(eval, written), last = given_at(eval, read);
    const bool views = call == first || call == last;
    int right;
    /* A view is to show the content whatever happens; what that rests on says what else there is.
     */
    if (views && eval->effect->rests_on_count > 0)
        return last_right(eval, written, read, member, read) >= 0 ||
               !is_disturbed(eval, written, read, read);
    if (call < written)
        return (views || !message_at(eval, call)->moves) &&
               !is_disturbed(eval, first < last ? first : last, read, read);
    right = last_right(eval, written, read, member, call);
    return right >= 0 && !is_disturbed(eval, right, call, read) &&
           !is_disturbed(eval, settled(eval, call) - 1, read, read);
}
