/* SPDX-License-Identifier: MIT */
/*
 * Calls that threads make at once. Lines are in the order in which calls began: of a creation, and
 * of a destruction that began behind it, nobody says which one was done first. Where the creation
 * gives what is there by the lines before, that destruction may have ended it.
 */
#include <stdlib.h>

#include "../base/array.h"
#include "../exchange/trace.h"
#include "calls.h"

/* A call gives a handle, or ends what has it. */
struct import_event {
    uint64_t handle;
    int record;
    bool ends;
};

/* The events of one operation, and of those that end what it makes. */
struct import_overlap {
    struct wcts_exchange_view view;
    struct import_event *events;
    int count;
    struct wcts_operations ending;
};

static bool add_events(struct import_overlap *all, int record, const struct wcts_ref ref, bool ends)
{
    const struct wcts_exchange *exchange = all->view.exchange;
    const struct wcts_exchange_record *one = &exchange->records[record];
    unsigned missed = wcts_exchange_missed(exchange);
    uint64_t handle;
    if (!one->native ||
        (!one->status_unknown && wcts_exchange_answer_of(one->status) != WCTS_ANSWER_ACCEPTED))
        return true;
    for (int i = 0; wcts_exchange_member(&all->view, record, ref, !ends, i, &handle); i++) {
        struct import_event *event;
        if (wcts_exchange_missed(exchange) != missed) {
            missed = wcts_exchange_missed(exchange);
            continue;
        }
        event = WCTS_ARRAY_ADD(all->events, all->count);
        if (!event)
            return false;
        *event = (struct import_event){handle, record, ends};
    }
    return true;
}

static bool find_events(struct import_overlap *all, const struct wcts_message *maker)
{
    const struct wcts_spec *spec = all->view.spec;
    bool good = true;
    for (int r = 0; good && r < all->view.exchange->count; r++) {
        uint32_t operation = all->view.exchange->records[r].operation;
        const struct wcts_message *message = wcts_exchange_message_of(spec, operation);
        if (message == maker) {
            good = add_events(all, r, maker->makes[0], false);
        } else if (message && message->of >= 0 && &spec->messages[message->of] == maker &&
                   message->ends_count > 0) {
            all->ending.of[operation >> 8] |= UINT64_C(1) << (operation & 63);
            good = add_events(all, r, message->ends[0], true);
        }
    }
    return good;
}

static int by_handle(const void *a, const void *b)
{
    const struct import_event *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

/* True if what the event gives is there by the lines before, and ended by one behind. */
static bool may_overlap(const struct import_overlap *all, int at)
{
    const struct import_event *one = &all->events[at];
    if (at == 0 || one->ends || one[-1].ends || one[-1].handle != one->handle ||
        one[-1].record == one->record)
        return false;
    while (at < all->count && all->events[at].handle == one->handle && !all->events[at].ends)
        at++;
    return at < all->count && all->events[at].handle == one->handle;
}

bool wcts_import_find_overlaps(const struct wcts_spec *spec, const struct wcts_exchange *exchange,
                               const struct wcts_message *maker, wcts_import_overlap *add,
                               struct wcts_exchange_partial *partial)
{
    struct import_overlap all = {.view = {.spec = spec, .exchange = exchange}};
    struct wcts_exchange_missing missing = partial->missing;
    unsigned missed = partial->missed;
    bool good = maker->makes_count == 0 || find_events(&all, maker);
    /* Nothing was asked yet. */
    partial->missing = missing;
    partial->missed = missed;
    if (good && all.count > 1)
        qsort(all.events, (size_t)all.count, sizeof *all.events, by_handle);
    for (int i = 0; good && i < all.count; i++)
        if (may_overlap(&all, i))
            good = add(partial, all.events[i].record, &all.ending, 0);
    free(all.events);
    return good;
}
