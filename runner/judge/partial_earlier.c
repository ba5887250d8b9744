/* SPDX-License-Identifier: MIT */
/*
 * What a driver gave before a structure, and what was ended of it. A rule that compares an
 * allocation with all that are still there ("repeats") would look at each pair of them, and between
 * for what ends the first: an index answers it, in one walk over the exchange.
 */
#include <limits.h>
#include <stdlib.h>

#include "../base/array.h"
#include "../exchange/bytes.h"
#include "partial_parts.h"

/* ---- one by one ---- */

/* Those that a driver gave one after the other: in all its answers to the same operation so far. */
int wcts_judge_next_answered(const struct judge_sent *sent, int subject, int structure, int after)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    struct wcts_exchange_cursor own = wcts_exchange_cursor_at(subject), at = {0, -1};
    uint32_t operation = exchange->records[own.record].operation;
    struct wcts_operations same = {{0}};
    unsigned missed = wcts_exchange_missed(exchange);
    if (after >= 0)
        at = wcts_exchange_cursor_at(after);
    same.of[operation >> 8] = UINT64_C(1) << (operation & 63);
    for (at.element++; at.record <= own.record; at.record++, at.element = 0) {
        int count = 0;
        if (exchange->records[at.record].operation != operation)
            continue;
        if (wcts_judge_does_count(sent, at.record))
            count = wcts_judge_count_sent(sent, at.record, structure);
        if (wcts_exchange_missed(exchange) != missed)
            return WCTS_LANG_UNTOLD;
        /* Behind the last one before the subject: there may be others. */
        if (at.element < count && wcts_exchange_instance(at) >= subject)
            break;
        if (at.element < count)
            return wcts_exchange_instance(at);
    }
    return wcts_exchange_has_all(exchange, sent->view.spec, -1, own.record, &same)
               ? -1
               : WCTS_LANG_UNTOLD;
}

/* Whether a message that ends things was accepted, and has named a handle. */
static enum wcts_truth has_ended(const struct judge_sent *sent, int record, struct wcts_ref ends,
                                 uint64_t handle)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    unsigned missed = wcts_exchange_missed(exchange);
    bool named = false;
    uint64_t ended;
    if (!exchange->records[record].status_unknown &&
        wcts_exchange_answer_of(exchange->records[record].status) != WCTS_ANSWER_ACCEPTED)
        return WCTS_FALSE;
    for (int i = 0; !named && wcts_exchange_member(&sent->view, record, ends, false, i, &ended);
         i++)
        named = ended == handle && wcts_exchange_missed(exchange) == missed;
    if (!named)
        return wcts_exchange_missed(exchange) == missed ? WCTS_FALSE : WCTS_UNKNOWN;
    return wcts_exchange_knows_status(exchange, record) ? WCTS_TRUE : WCTS_UNKNOWN;
}

/* True if the message ends what the maker makes. */
static bool ends_made(const struct wcts_spec *spec, const struct wcts_message *message,
                      const struct wcts_message *maker)
{
    return message && message->of >= 0 && &spec->messages[message->of] == maker;
}

static struct wcts_operations ending_of(const struct wcts_spec *spec,
                                        const struct wcts_message *maker)
{
    struct wcts_operations ending = {{0}};
    for (int i = 0; i < spec->messages_count; i++) {
        uint32_t operation = spec->messages[i].operation;
        if (ends_made(spec, &spec->messages[i], maker))
            ending.of[operation >> 8] |= UINT64_C(1) << (operation & 63);
    }
    return ending;
}

/* Ended by a message that ends what the instance's message makes. */
enum wcts_truth wcts_judge_was_there(const struct wcts_lang_env *env, int instance, int subject)
{
    const struct judge_sent *sent = wcts_judge_sent_of(env);
    const struct wcts_exchange *exchange = sent->view.exchange;
    struct wcts_exchange_cursor made = wcts_exchange_cursor_at(instance);
    const struct wcts_message *maker = wcts_judge_message_sent(sent, made.record);
    const struct wcts_operations ending = ending_of(env->spec, maker);
    unsigned missed = wcts_exchange_missed(exchange);
    uint64_t handle = 0;
    int last = wcts_exchange_cursor_at(subject).record;
    wcts_exchange_member(&sent->view, made.record, maker->makes[0], true, made.element, &handle);
    for (int r = made.record + 1; r < last; r++) {
        const struct wcts_message *message = wcts_judge_message_sent(sent, r);
        enum wcts_truth over;
        if (!ends_made(env->spec, message, maker))
            continue;
        /* What was refused has ended nothing. */
        over = has_ended(sent, r, message->ends[0], handle);
        if (over == WCTS_TRUE && wcts_exchange_missed(exchange) == missed)
            return WCTS_FALSE;
    }
    wcts_exchange_has_all(exchange, env->spec, made.record, last, &ending);
    return wcts_exchange_missed(exchange) == missed ? WCTS_TRUE : WCTS_UNKNOWN;
}

/* ---- the index ---- */

/* An instance that a driver gave. */
struct judge_earlier_one {
    struct wcts_exchange_cursor at;
    uint64_t handle;
    int same;    /* of the handles in order, which one */
    int next;    /* with the same handle, and still there; -1: none */
    bool listed; /* those behind see it: no record up to its own hides what else there is */
    bool known;  /* its handle is */
    bool there;  /* so far, for certain or but for a gap */
    /* The record that may have ended it; INT_MAX: there is none, or one has. */
    int unsure;
    /* The first one before it, in their order, that settles whether it repeats one: it is the same,
     * or it is not known if it is still there. -1: none does. */
    int settled;
    bool repeats; /* it is the same */
    bool any;     /* if none settles it: there are others */
};

/* Those with one handle that are still there, ascending. */
struct judge_earlier_same {
    uint64_t handle;
    int first, last; /* -1: none */
};

/* What one operation gave. */
struct judge_earlier_index {
    struct judge_earlier_index *next;
    const struct wcts_message *maker;
    struct judge_earlier_one *ones; /* ascending */
    struct judge_earlier_same *same;
    int count, same_count;
    int hidden; /* the first record of which not all instances are known; INT_MAX: none */
    bool odd;   /* its members are not known as the index takes them to be: it answers nothing */
    /* While it is made: */
    struct wcts_operations ending;
    bool all_ends; /* every message that ends one was recorded, but for gaps */
    int gap, last_gap;
    int low;    /* of those before all are gone */
    int doubts; /* the first one of which it will not be known any more; INT_MAX: none */
};

struct wcts_judge_earlier {
    struct judge_earlier_index *indexes;
};

/* Notes an instance, with its handle. */
static bool add_one(struct judge_earlier_index *index, const struct judge_sent *sent, int record,
                    int element)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    const struct wcts_ref makes = index->maker->makes[0];
    struct judge_earlier_one *one = WCTS_ARRAY_ADD(index->ones, index->count);
    unsigned missed = wcts_exchange_missed(exchange);
    const uint8_t *at;
    uint64_t value;
    bool known;
    if (!one)
        return false;
    *one = (struct judge_earlier_one){.at = {record, element},
                                      .next = -1,
                                      .listed = record < index->hidden,
                                      .unsure = INT_MAX,
                                      .settled = -1};
    one->known = wcts_exchange_member(&sent->view, record, makes, true, element, &one->handle) &&
                 wcts_exchange_missed(exchange) == missed;
    /* The rule reads it in another way. */
    missed = wcts_exchange_missed(exchange);
    at = wcts_exchange_find_in(&sent->view, one->at, makes.structure, true);
    value = at ? wcts_exchange_bytes_get(at + wcts_model_ref_member(sent->view.spec, makes)->offset,
                                         wcts_model_ref_member(sent->view.spec, makes)->width)
               : 0;
    known = at && wcts_exchange_missed(exchange) == missed &&
            wcts_exchange_knows(
                exchange, record, true, at + wcts_model_ref_member(sent->view.spec, makes)->offset,
                sent->view.spec, (struct wcts_ref){makes.structure, makes.member, -1});
    index->odd = index->odd || known != one->known || (known && value != one->handle);
    return true;
}

static bool add_ones(struct judge_earlier_index *index, const struct judge_sent *sent)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    const int structure = index->maker->makes[0].structure;
    for (int r = 0; r < exchange->count; r++) {
        unsigned missed = wcts_exchange_missed(exchange);
        int count = 0;
        if (exchange->records[r].operation != index->maker->operation)
            continue;
        if (wcts_judge_does_count(sent, r))
            count = wcts_judge_count_sent(sent, r, structure);
        if (wcts_exchange_missed(exchange) != missed && index->hidden == INT_MAX)
            index->hidden = r;
        for (int e = 0; e < count; e++)
            if (!add_one(index, sent, r, e))
                return false;
    }
    return true;
}

static int by_given_handle(const void *a, const void *b)
{
    const struct judge_earlier_same *one = a, *other = b;
    return (one->handle > other->handle) - (one->handle < other->handle);
}

static struct judge_earlier_same *same_of(const struct judge_earlier_index *index, uint64_t handle)
{
    const struct judge_earlier_same sought = {handle, -1, -1};
    return index->same_count == 0 ? NULL
                                  : bsearch(&sought, index->same, (size_t)index->same_count,
                                            sizeof *index->same, by_given_handle);
}

static bool sort_handles(struct judge_earlier_index *index)
{
    int kept = 0;
    index->same = calloc((size_t)index->count + 1, sizeof *index->same);
    if (!index->same)
        return false;
    for (int i = 0; i < index->count; i++)
        index->same[i] = (struct judge_earlier_same){index->ones[i].handle, -1, -1};
    qsort(index->same, (size_t)index->count, sizeof *index->same, by_given_handle);
    for (int i = 0; i < index->count; i++)
        if (kept == 0 || index->same[kept - 1].handle != index->same[i].handle)
            index->same[kept++] = index->same[i];
    index->same_count = kept;
    for (int i = 0; i < index->count; i++)
        index->ones[i].same = (int)(same_of(index, index->ones[i].handle) - index->same);
    return true;
}

/* Those with a handle are gone; unsure: maybe, by the record, and for good. */
static void end_same(struct judge_earlier_index *index, struct judge_earlier_same *same, int unsure)
{
    for (int i = same->first; i >= 0; i = index->ones[i].next) {
        index->ones[i].there = false;
        index->ones[i].unsure = unsure;
        if (unsure != INT_MAX && i < index->doubts)
            index->doubts = i;
    }
    same->first = same->last = -1;
}

/* A message that ends things, as has_ended() reads it; upto: of those before. */
static void end_by(struct judge_earlier_index *index, const struct judge_sent *sent, int record,
                   int upto)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    const struct wcts_exchange_record *one = &exchange->records[record];
    const struct wcts_ref ends = wcts_judge_message_sent(sent, record)->ends[0];
    const int unsure = one->status_unknown ? record : INT_MAX;
    unsigned missed = wcts_exchange_missed(exchange);
    uint64_t handle;
    if (!one->status_unknown && wcts_exchange_answer_of(one->status) != WCTS_ANSWER_ACCEPTED)
        return;
    for (int i = 0; wcts_exchange_member(&sent->view, record, ends, false, i, &handle) &&
                    wcts_exchange_missed(exchange) == missed;
         i++) {
        struct judge_earlier_same *same = same_of(index, handle);
        if (same)
            end_same(index, same, unsure);
    }
    /* It may have ended any other. */
    if (wcts_exchange_missed(exchange) == missed)
        return;
    for (; index->low < upto; index->low++)
        if (index->ones[index->low].there)
            end_same(index, &index->same[index->ones[index->low].same], record);
}

/* What those before an instance say of it. */
static void settle_one(struct judge_earlier_index *index, struct judge_earlier_one *one, int number)
{
    int unsure = index->doubts, same = index->same[one->same].first;
    while (index->low < number && !index->ones[index->low].there)
        index->low++;
    if (index->low < number && index->low < unsure &&
        (!index->all_ends || index->ones[index->low].at.record < index->last_gap))
        unsure = index->low;
    one->any = index->low < number;
    one->repeats = one->handle != 0 && same >= 0 && same < unsure;
    one->settled = one->repeats ? same : unsure == INT_MAX ? -1 : unsure;
}

static void list_one(struct judge_earlier_index *index, struct judge_earlier_one *one, int number)
{
    struct judge_earlier_same *same = &index->same[one->same];
    if (!one->listed)
        return;
    if (!one->known) {
        index->doubts = number < index->doubts ? number : index->doubts;
        return;
    }
    one->there = true;
    if (same->last >= 0)
        index->ones[same->last].next = number;
    else
        same->first = number;
    same->last = number;
}

/* The last gap up to a record in which something may have been ended. */
static void pass_gaps(struct judge_earlier_index *index,
                      const struct wcts_exchange_partial *partial, int record)
{
    for (; partial && !partial->whole && index->gap < partial->gap_count &&
           partial->gaps[index->gap].record <= record;
         index->gap++)
        for (int p = 0; p < WCTS_PARTIES; p++)
            if (partial->gaps[index->gap].of.of[p] & index->ending.of[p])
                index->last_gap = partial->gaps[index->gap].record;
}

/* Goes through the exchange once. */
static void settle_all(struct judge_earlier_index *index, const struct judge_sent *sent)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    int number = 0;
    for (int r = 0; r < exchange->count && number < index->count; r++) {
        if (ends_made(sent->view.spec, wcts_judge_message_sent(sent, r), index->maker))
            end_by(index, sent, r, number);
        if (index->ones[number].at.record != r)
            continue;
        pass_gaps(index, exchange->partial, r);
        for (; number < index->count && index->ones[number].at.record == r; number++) {
            settle_one(index, &index->ones[number], number);
            list_one(index, &index->ones[number], number);
        }
    }
}

static bool knows_ends(const struct wcts_spec *spec, const struct wcts_exchange_partial *partial,
                       const struct wcts_message *maker)
{
    for (int i = 0; partial && !partial->whole && i < spec->messages_count; i++)
        if (ends_made(spec, &spec->messages[i], maker) &&
            !wcts_model_operations_have(&partial->all, spec->messages[i].operation))
            return false;
    return true;
}

static void free_index(struct judge_earlier_index *index)
{
    if (index) {
        free(index->ones);
        free(index->same);
    }
    free(index);
}

static struct judge_earlier_index *make_index(const struct judge_sent *sent,
                                              const struct wcts_message *maker)
{
    struct wcts_exchange_partial *partial = sent->view.exchange->partial;
    struct judge_earlier_index *index = calloc(1, sizeof *index);
    struct wcts_exchange_missing missing = {.record = -1};
    unsigned missed = wcts_exchange_missed(sent->view.exchange);
    bool good;
    if (!index)
        return NULL;
    *index = (struct judge_earlier_index){.maker = maker,
                                          .hidden = INT_MAX,
                                          .ending = ending_of(sent->view.spec, maker),
                                          .all_ends = knows_ends(sent->view.spec, partial, maker),
                                          .last_gap = -1,
                                          .doubts = INT_MAX};
    /* What is missing of others is not what the subject misses. */
    if (partial)
        missing = partial->missing;
    good = add_ones(index, sent) && sort_handles(index);
    if (good)
        settle_all(index, sent);
    if (partial) {
        partial->missing = missing;
        partial->missed = missed;
    }
    if (good)
        return index;
    free_index(index);
    return NULL;
}

static const struct judge_earlier_index *index_of(const struct judge_sent *sent,
                                                  const struct wcts_message *maker)
{
    struct wcts_judge_earlier *earlier = sent->judge->earlier;
    struct judge_earlier_index *index = earlier->indexes;
    while (index && index->maker != maker)
        index = index->next;
    if (!index && (index = make_index(sent, maker)) != NULL) {
        index->next = earlier->indexes;
        earlier->indexes = index;
    }
    return index;
}

static const struct judge_earlier_one *find_one(const struct judge_earlier_index *index,
                                                struct wcts_exchange_cursor at)
{
    int low = 0, high = index->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        struct wcts_exchange_cursor there = index->ones[middle].at;
        if (there.record < at.record || (there.record == at.record && there.element < at.element))
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && index->ones[low].at.record == at.record &&
                   index->ones[low].at.element == at.element
               ? &index->ones[low]
               : NULL;
}

/* Notes what is missing, so that nobody knows if an instance is still there. */
static void miss_end(const struct judge_sent *sent, const struct judge_earlier_index *index,
                     const struct judge_earlier_one *one, int last)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    uint64_t handle = 0;
    wcts_exchange_member(&sent->view, one->at.record, index->maker->makes[0], true, one->at.element,
                         &handle);
    if (one->unsure < last)
        has_ended(sent, one->unsure, wcts_judge_message_sent(sent, one->unsure)->ends[0], handle);
    wcts_exchange_has_all(exchange, sent->view.spec, one->at.record, last, &index->ending);
}

/* Notes what is missing of the instances that a record gave. */
static void miss_instances(const struct judge_sent *sent, const struct judge_earlier_index *index)
{
    if (wcts_judge_does_count(sent, index->hidden))
        wcts_judge_count_sent(sent, index->hidden, index->maker->makes[0].structure);
}

bool wcts_judge_repeats(const struct wcts_lang_env *env, int subject,
                        const struct wcts_lang_ref *ref, __int128 number,
                        struct wcts_lang_result *result)
{
    const struct judge_sent *sent = wcts_judge_sent_of(env);
    const struct wcts_exchange_cursor at = wcts_exchange_cursor_at(subject);
    const struct wcts_message *maker = wcts_judge_message_sent(sent, at.record);
    const struct judge_earlier_index *index;
    const struct judge_earlier_one *one;
    if (!maker || !maker->driver || maker->makes_count == 0 || ref->flag >= 0 ||
        maker->makes[0].structure != ref->structure || maker->makes[0].member != ref->member)
        return false;
    index = index_of(sent, maker);
    one = index && !index->odd ? find_one(index, at) : NULL;
    if (!one || !one->known || number != one->handle)
        return false;
    *result = wcts_lang_unknown();
    if (one->settled >= 0 && one->repeats) {
        *result = wcts_lang_known(true);
    } else if (one->settled >= 0) {
        const struct judge_earlier_one *other = &index->ones[one->settled];
        env->value(env, wcts_exchange_instance(other->at), ref, 1);
        miss_end(sent, index, other, at.record);
    } else if (index->hidden <= at.record) {
        miss_instances(sent, index);
    } else {
        const struct wcts_operations same = wcts_model_operations_of(maker->operation);
        if (wcts_exchange_has_all(sent->view.exchange, env->spec, -1, at.record, &same) && one->any)
            *result = wcts_lang_known(false);
    }
    return true;
}

struct wcts_judge_earlier *wcts_judge_earlier_new(void)
{
    return calloc(1, sizeof(struct wcts_judge_earlier));
}

void wcts_judge_earlier_free(struct wcts_judge_earlier *earlier)
{
    while (earlier && earlier->indexes) {
        struct judge_earlier_index *next = earlier->indexes->next;
        free_index(earlier->indexes);
        earlier->indexes = next;
    }
    free(earlier);
}
