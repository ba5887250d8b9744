/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"

/* How often a case is run behind itself, to see whether that alone makes it fail. */
#define TIMES_MAX 1000

/* How often more what was found has to show itself. What fails in one of ten times, and seems to
 * depend on others, is taken for that in one of a thousand. */
#define CONFIRMATIONS 3

/* ---- trying ---- */

/* One run of a few cases in one worker: does the last one end as it did? */
struct run_order_trial {
    const struct wcts_run_order_search *search;
    int index; /* the case */
    enum wcts_found found;
    int after;   /* cases before it */
    int taken;   /* results so far */
    int failed;  /* the number of the repetition that ended so; 0: none */
    bool wanted; /* false: the one is searched that does not end so */
};

static bool take_result(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output)
{
    struct run_order_trial *trial = ctx;
    enum wcts_level level = trial->search->options->asked->level;
    (void)test;
    (void)output;
    if (trial->taken++ < trial->after)
        return true;
    bool same = wcts_model_finding_at(&result->finding, level)->found == trial->found;
    if (same == trial->wanted)
        trial->failed = trial->taken - trial->after;
    return trial->failed == 0;
}

/* Runs the case so often behind those. Returns the number of the repetition that ended as wanted,
 * 0: none, -1: it cannot be known. */
static int try_after(struct wcts_run_order_search *search, struct run_order_trial *trial,
                     const int *before, int count, int times)
{
    struct wcts_run_pool_options options = *search->options;
    struct wcts_options asked = *options.asked;
    int *selected = malloc(((size_t)count + (size_t)times) * sizeof *selected);
    char error[512] = "";
    if (!selected || search->left < count + times) {
        free(selected);
        return -1;
    }
    search->left -= count + times;
    WCTS_ARRAY_COPY(selected, before, count);
    for (int i = 0; i < times; i++)
        selected[count + i] = trial->index;
    asked.workers = 1;
    asked.retries = asked.repeat = 0;
    asked.all_deaths = true;
    options.asked = &asked;
    options.selected = selected;
    options.selected_count = count + times;
    options.levels = wcts_model_level_bit(asked.level);
    options.output_dir = NULL;
    options.verdicts_only = true;
    options.over = NULL;
    options.earlier_count = 0;
    options.left_behind = NULL;
    options.unrepeated = NULL;
    options.stored_claims = NULL;
    options.history = NULL;
    trial->after = count;
    trial->taken = trial->failed = 0;
    enum wcts_run_pool_end end =
        wcts_run_pool_run_again(&options, search->claims, take_result, trial, error, sizeof error);
    free(selected);
    return trial->failed ? trial->failed : end == WCTS_POOL_DONE ? 0 : -1;
}

static bool ends_so_after(struct wcts_run_order_search *search, struct run_order_trial *trial,
                          const int *before, int count)
{
    return try_after(search, trial, before, count, 1) > 0;
}

/* ---- the fewest cases ---- */

/* Leaves out of the cases, in place, what is not needed: first large pieces, then single ones
 * (Zeller and Hildebrandt, ddmin). Returns how many are left, with *smallest. */
static int reduce_order(struct wcts_run_order_search *search, struct run_order_trial *trial,
                        int *cases, int count, bool *smallest)
{
    int *rest = malloc(((size_t)count + 1) * sizeof *rest);
    int pieces = 2;
    while (rest && count > 0 && search->left > count) {
        bool less = false;
        int size = (count + pieces - 1) / pieces;
        for (int from = 0; from < count && !less; from += size) {
            int end = from + size < count ? from + size : count, left = count - (end - from);
            /* Alone, if it is half of them; else all others. */
            if (pieces == 2 && ends_so_after(search, trial, cases + from, end - from)) {
                memmove(cases, cases + from, (size_t)(end - from) * sizeof *cases);
                count = end - from;
                less = true;
            } else if (pieces > 2 || count == 1) {
                memcpy(rest, cases, (size_t)from * sizeof *cases);
                memcpy(rest + from, cases + end, (size_t)(count - end) * sizeof *cases);
                if (ends_so_after(search, trial, rest, left)) {
                    memcpy(cases, rest, (size_t)left * sizeof *cases);
                    count = left;
                    less = true;
                }
            }
        }
        if (!less && size == 1)
            break;
        pieces = less ? (pieces > 3 ? pieces - 1 : 2) : pieces * 2;
        if (pieces > count)
            pieces = count;
    }
    *smallest = rest && search->left > count;
    free(rest);
    return count;
}

/* Tries the same cases again, since a failure by chance can end the same way once. ended: the
 * repetition, 1 to times, at which the case ended as wanted; 0: none. True without a trial if the
 * search may make no more. */
static bool is_confirmed(struct wcts_run_order_search *search, struct run_order_trial *trial,
                         const int *before, int count, int times, int ended)
{
    for (int i = 0; i < CONFIRMATIONS; i++) {
        int again = try_after(search, trial, before, count, times);
        if (again >= 0 && again != ended)
            return false;
    }
    return true;
}

/* Searches among the last cases, then among more of them, since what matters is mostly near. */
static bool find_among(struct wcts_run_order_search *search, struct run_order_trial *trial,
                       const int *before, int count, enum wcts_run_order_kind kind,
                       struct wcts_run_order *order)
{
    int size = count < 8 ? count : 8;
    while (!ends_so_after(search, trial, before + count - size, size)) {
        if (size == count || search->left <= 0)
            return false;
        size = size < count / 8 ? size * 8 : count;
    }
    order->cases = malloc(((size_t)size + 1) * sizeof *order->cases);
    if (!order->cases)
        return false;
    WCTS_ARRAY_COPY(order->cases, before + count - size, size);
    order->count = reduce_order(search, trial, order->cases, size, &order->smallest);
    order->kind = kind;
    if (!is_confirmed(search, trial, order->cases, order->count, 1, 1) ||
        !is_confirmed(search, trial, NULL, 0, 1, 0)) {
        order->kind = WCTS_ORDER_CHANCE;
        order->count = 0;
    }
    return true;
}

void wcts_run_order_find(struct wcts_run_order_search *search, int index, enum wcts_found found,
                         const int *others, int other_count, struct wcts_run_order *order)
{
    struct run_order_trial trial = {
        .search = search, .index = index, .found = found, .wanted = true};
    int *before = NULL, count = 0, alone, times;
    *order = (struct wcts_run_order){.kind = WCTS_ORDER_NONE};
    if (!wcts_run_history_before(search->history, index, &before, &count))
        return;
    alone = try_after(search, &trial, NULL, 0, 1);
    if (alone == 0 && count > 0) {
        times = count < TIMES_MAX ? count + 1 : TIMES_MAX;
        order->times = try_after(search, &trial, NULL, 0, times);
        if (order->times > 0)
            order->kind = is_confirmed(search, &trial, NULL, 0, order->times, order->times)
                              ? WCTS_ORDER_TIMES
                              : WCTS_ORDER_CHANCE;
        else if (!find_among(search, &trial, before, count, WCTS_ORDER_AFTER, order) &&
                 search->left > 0)
            order->kind = WCTS_ORDER_NEVER;
    } else if (alone > 0 && other_count > 0) {
        trial.wanted = false;
        find_among(search, &trial, others, other_count, WCTS_ORDER_WITHOUT, order);
    }
    free(before);
}
