/* SPDX-License-Identifier: MIT */
/* The order of calls, in which others they were made, and whose adapter's they are. */
#include "calls.h"

#include <inttypes.h>
#include <stdlib.h>

/* The calls of a recording, while its exchanges are made. */
struct import_arranging {
    struct wcts_import_reading *reading;
    struct wcts_import_call *calls;
    int count;
    const struct wcts_import_extent *extent;
    struct wcts_import_recording *recording;
    uint64_t adapters[WCTS_IMPORT_ADAPTERS];
    struct {
        struct wcts_operations of; /* of calls that may have been made in others */
        int behind;                /* as many records are before the last of these */
    } strays[WCTS_IMPORT_ADAPTERS];
    bool numbered;
};

/* ---- their order ---- */

static int by_seq(const void *a, const void *b)
{
    const struct wcts_import_call *x = a, *y = b;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->record.line < y->record.line ? -1 : x->record.line > y->record.line;
}

/* The call with a number, of those before the i-th; NULL: there is none. */
static struct wcts_import_call *find_before(const struct import_arranging *all, int i, uint64_t seq)
{
    for (int low = 0, high = i; low < high;) {
        int middle = (low + high) / 2;
        if (all->calls[middle].seq == seq)
            return &all->calls[middle];
        if (all->calls[middle].seq < seq)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Finds in which call one was made. */
static bool find_parent(struct import_arranging *all, int i)
{
    struct wcts_import_call *call = &all->calls[i], *parent;
    call->parent = -1;
    if (call->within == WCTS_IMPORT_UNTOLD)
        return true;
    if (call->within >= call->seq)
        return wcts_import_error(all->reading,
                                 "\"within\" is %" PRIu64 ", expected the number of a call that "
                                 "began before",
                                 call->within);
    parent = find_before(all, i, call->within);
    if (!parent)
        return true;
    /* Of two calls in each other one tells whose adapter's both are. */
    if (call->adapter == WCTS_IMPORT_UNTOLD)
        call->adapter = parent->adapter;
    if (parent->adapter == WCTS_IMPORT_UNTOLD)
        parent->adapter = call->adapter;
    if (parent->adapter != call->adapter)
        return wcts_import_error(all->reading,
                                 "\"within\" is %" PRIu64 ", a call of another adapter, expected "
                                 "one of the same",
                                 call->within);
    call->parent = (int)(parent - all->calls);
    /* What no document is about is in no exchange: calls in it are those of whoever made it. */
    call->depth = parent->depth + (parent->record.operation != UINT32_MAX);
    return true;
}

/* True if a call is made in another one, if one that a kernel is asked for began before it. */
static bool is_made_in_calls(const struct import_arranging *all,
                             const struct wcts_import_call *call)
{
    const struct wcts_message *message =
        wcts_exchange_message_of(all->reading->options->spec, call->record.operation);
    return message && (message->driver || message->machine);
}

/* Finds the calls of which nobody says in which one they were made. What stands between calls that
 * were made in one is not known to be behind it. */
static void find_strays(struct import_arranging *all)
{
    bool kernel = false;
    for (int i = 0; i < all->count; i++) {
        struct wcts_import_call *call = &all->calls[i];
        int root = i + 1 < all->count ? i + 1 : -1;
        if (!is_made_in_calls(all, call)) {
            kernel = kernel || call->record.operation != UINT32_MAX;
            continue;
        }
        call->stray = kernel && call->within == WCTS_IMPORT_UNTOLD;
        while (root >= 0 && all->calls[root].parent >= 0)
            root = all->calls[root].parent;
        if (!call->stray || root < 0 || root > i)
            continue;
        call->parent = all->calls[i + 1].parent;
        call->maybe = wcts_model_operations_of(call->record.operation);
    }
}

/* Sorts the calls, and finds out in which others they were made. False, with an error. */
static bool sort_calls(struct import_arranging *all)
{
    if (all->count > 0)
        qsort(all->calls, (size_t)all->count, sizeof *all->calls, by_seq);
    for (int i = 0; i < all->count; i++) {
        struct wcts_import_call *call = &all->calls[i];
        all->reading->place.line = call->record.line;
        if (i > 0 && call->seq == all->calls[i - 1].seq && call->seq != WCTS_IMPORT_UNTOLD)
            return wcts_import_error(all->reading,
                                     "\"seq\" is %" PRIu64 " as in line %ld, expected a number of "
                                     "its own",
                                     call->seq, all->calls[i - 1].record.line);
        if ((call->seq == WCTS_IMPORT_UNTOLD) != (all->calls[0].seq == WCTS_IMPORT_UNTOLD))
            return wcts_import_error(all->reading,
                                     "a call without \"seq\", expected one as the others have");
        if (!find_parent(all, i))
            return false;
    }
    find_strays(all);
    return true;
}

/* Calls in their order: each behind the call in which it was made. order[i] is the i-th of them;
 * false if that is not the order in which they began. */
static bool nest_calls(const struct import_arranging *all, int *order)
{
    int *first = calloc((size_t)all->count + 1, sizeof *first),
        *next = calloc((size_t)all->count + 1, sizeof *next);
    int count = 0, at = -1;
    bool straight = first && next;
    /* Children from the last to the first, so that each list begins with the first. 1 + index. */
    for (int i = all->count; straight && i-- > 0;) {
        int *list = all->calls[i].parent < 0 ? &first[all->count] : &first[all->calls[i].parent];
        next[i] = *list;
        *list = i + 1;
    }
    for (at = straight ? first[all->count] - 1 : -1; at >= 0;) {
        int above = at;
        straight = straight && at == count;
        order[count++] = at;
        if (first[at]) {
            at = first[at] - 1;
            continue;
        }
        while (above >= 0 && next[above] == 0)
            above = all->calls[above].parent;
        at = above < 0 ? -1 : next[above] - 1;
    }
    free(first);
    free(next);
    return straight && count == all->count;
}

/* ---- gaps ---- */

static struct wcts_operations all_operations(void)
{
    struct wcts_operations all;
    for (int i = 0; i < WCTS_PARTIES; i++)
        all.of[i] = UINT64_MAX;
    return all;
}

/* Notes that calls are missing in front of a record; line: where one is of which it is not known
 * what it was, 0: nowhere. */
static bool add_gap(struct wcts_exchange_partial *partial, int record,
                    const struct wcts_operations *of, long line)
{
    struct wcts_exchange_gap *grown,
        *last = partial->gap_count > 0 ? &partial->gaps[partial->gap_count - 1] : NULL;
    /* Of several untold calls in a row the first is named. */
    if (last && last->record == record && (last->line == 0) == (line == 0)) {
        for (int i = 0; i < WCTS_PARTIES; i++)
            last->of.of[i] |= of->of[i];
        return true;
    }
    grown = realloc(partial->gaps, (size_t)(partial->gap_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    partial->gaps = grown;
    partial->gaps[partial->gap_count++] =
        (struct wcts_exchange_gap){.record = record, .of = *of, .line = line};
    return true;
}

/* Lines are missing before a call, if its number does not follow the one before; where calls of
 * several threads are in each other, they may be missing anywhere. */
static bool note_gaps_before(struct import_arranging *all, int at, bool straight, bool any)
{
    const struct wcts_operations every = all_operations();
    struct wcts_import_recording *recording = all->recording;
    bool here = at > 0 && all->calls[at].seq != all->calls[at - 1].seq + 1;
    bool good = true;
    for (int i = 0; i < recording->count && (straight ? here : any); i++)
        good = add_gap(&recording->partials[i], recording->exchanges[i].count, &every, 0) && good;
    return good;
}

static bool has_lost(const struct import_arranging *all)
{
    for (int i = 1; i < all->count; i++)
        if (all->calls[i].seq != all->calls[i - 1].seq + 1)
            return true;
    return false;
}

static bool has_any(const struct wcts_operations *set)
{
    bool any = false;
    for (int i = 0; i < WCTS_PARTIES; i++)
        any = any || set->of[i] != 0;
    return any;
}

/* Notes a call of which it is not known what it was, or whose adapter's: it may be one of several
 * in front of what comes next in its exchange, or in any. */
static bool note_untold(struct import_arranging *all, const struct wcts_import_call *call,
                        const struct wcts_exchange *exchange)
{
    struct wcts_import_recording *recording = all->recording;
    struct wcts_operations of =
        has_any(&call->maybe) ? call->maybe : wcts_model_operations_of(call->record.operation);
    bool good = true;
    for (int i = 0; has_any(&of) && i < recording->count; i++)
        if (!exchange || exchange == &recording->exchanges[i])
            good = add_gap(&recording->partials[i], recording->exchanges[i].count, &of,
                           call->record.line) &&
                   good;
    return good;
}

/* ---- exchanges ---- */

/* The exchange of an adapter; NULL: there are too many. */
static struct wcts_exchange *exchange_of_adapter(struct import_arranging *all, uint64_t adapter)
{
    struct wcts_import_recording *recording = all->recording;
    for (int i = 0; i < recording->count; i++)
        if (all->adapters[i] == adapter)
            return &recording->exchanges[i];
    if (recording->count == WCTS_IMPORT_ADAPTERS)
        return NULL;
    all->adapters[recording->count] = adapter;
    return &recording->exchanges[recording->count++];
}

/* Finds the adapters. Where no call has one, all are of the same; where some have, the others may
 * be of any. */
static bool find_adapters(struct import_arranging *all)
{
    bool told = false;
    for (int i = 0; i < all->count; i++)
        told = told || all->calls[i].adapter != WCTS_IMPORT_UNTOLD;
    for (int i = 0; i < all->count; i++) {
        struct wcts_import_call *call = &all->calls[i];
        call->adapter = told ? call->adapter : 0;
        all->reading->place.line = call->record.line;
        if (call->adapter != WCTS_IMPORT_UNTOLD && !exchange_of_adapter(all, call->adapter))
            return wcts_import_error(all->reading, "a seventeenth adapter, expected at most 16");
    }
    return true;
}

static bool add_record(struct wcts_exchange *exchange, struct wcts_import_call *call)
{
    if (exchange->count == exchange->room) {
        int room = exchange->room ? 2 * exchange->room : 64;
        void *grown = realloc(exchange->records, (size_t)room * sizeof *exchange->records);
        if (!grown)
            return false;
        exchange->records = grown;
        exchange->room = room;
    }
    call->record.depth = call->depth;
    call->record.stray = call->stray;
    exchange->records[exchange->count++] = call->record;
    call->record = (struct wcts_exchange_record){.operation = UINT32_MAX};
    return true;
}

static void note_stray(struct import_arranging *all, const struct wcts_import_call *call,
                       const struct wcts_exchange *exchange)
{
    struct wcts_operations of = wcts_model_operations_of(call->record.operation);
    for (int i = 0; i < all->recording->count; i++) {
        if (exchange && exchange != &all->recording->exchanges[i])
            continue;
        for (int party = 0; party < WCTS_PARTIES; party++)
            all->strays[i].of.of[party] |= of.of[party];
        all->strays[i].behind = all->recording->exchanges[i].count;
    }
}

/* Each call of a kernel, as far as there are strays behind it, may have made them. */
static bool add_strays(struct import_arranging *all, int index)
{
    const struct wcts_exchange *exchange = &all->recording->exchanges[index];
    bool good = true;
    for (int i = 0; good && i < all->strays[index].behind; i++) {
        const struct wcts_message *message =
            wcts_exchange_message_of(all->reading->options->spec, exchange->records[i].operation);
        if (message && !message->driver && !message->machine)
            good = add_gap(&all->recording->partials[index], i + 1, &all->strays[index].of, 0);
    }
    return good;
}

/* Notes where what was given may end. */
static bool note_ending(struct import_arranging *all, const struct wcts_exchange *exchange)
{
    const struct wcts_operations end = {{WCTS_GAP_END}};
    struct wcts_import_recording *recording = all->recording;
    bool good = true;
    for (int i = 0; i < recording->count; i++)
        if (!exchange || exchange == &recording->exchanges[i])
            good = add_gap(&recording->partials[i], recording->exchanges[i].count, &end, 0) && good;
    return good;
}

static bool add_to_exchange(struct import_arranging *all, struct wcts_import_call *call)
{
    struct wcts_exchange *exchange =
        call->adapter == WCTS_IMPORT_UNTOLD ? NULL : exchange_of_adapter(all, call->adapter);
    if (call->ends && !note_ending(all, exchange))
        return false;
    if (call->stray)
        note_stray(all, call, exchange);
    if (!exchange || has_any(&call->maybe) || call->record.operation == UINT32_MAX)
        return note_untold(all, call, exchange);
    return add_record(exchange, call);
}

/* How much of an exchange is there. */
static bool settle_exchange(struct import_arranging *all, int index, bool lost_anywhere)
{
    const struct wcts_operations every = all_operations();
    struct wcts_exchange *exchange = &all->recording->exchanges[index];
    struct wcts_exchange_partial *partial = &all->recording->partials[index];
    exchange->partial = partial;
    if (all->numbered || all->extent->complete)
        partial->all = all->extent->all;
    partial->begun = all->extent->complete || (all->numbered && all->calls[0].seq <= 1);
    partial->ended = all->extent->complete;
    if ((lost_anywhere && !add_gap(partial, exchange->count, &every, 0)) || !add_strays(all, index))
        return false;
    wcts_exchange_partial_settle(exchange, all->reading->options->spec);
    return true;
}

static bool make_exchanges(struct import_arranging *all, const int *order, bool straight)
{
    bool any = has_lost(all), good = find_adapters(all);
    if (!good)
        return false;
    for (int i = 0; good && i < all->count; i++)
        good = (!all->numbered || note_gaps_before(all, order[i], straight, any)) &&
               add_to_exchange(all, &all->calls[order[i]]);
    for (int i = 0; good && i < all->recording->count; i++)
        good = settle_exchange(all, i, all->numbered && any && !straight);
    return good || wcts_import_error(all->reading, "no memory");
}

bool wcts_import_arrange(struct wcts_import_reading *reading, struct wcts_import_call *calls,
                         int count, const struct wcts_import_extent *extent,
                         struct wcts_import_recording *recording)
{
    struct import_arranging all = {.reading = reading,
                                   .calls = calls,
                                   .count = count,
                                   .extent = extent,
                                   .recording = recording,
                                   .numbered = count > 0 && calls[0].seq != WCTS_IMPORT_UNTOLD};
    const long line = reading->place.line;
    int *order = calloc((size_t)count + 1, sizeof *order);
    bool good;
    if (!order)
        return wcts_import_error(reading, "no memory");
    good = sort_calls(&all) && make_exchanges(&all, order, nest_calls(&all, order));
    free(order);
    /* An error is of the line of its call; what is read next is behind the last one. */
    if (good)
        reading->place.line = line;
    return good;
}
