/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"

void wcts_run_history_begin(struct wcts_run_history *history, const int *selected, int count)
{
    *history = (struct wcts_run_history){.order = malloc(((size_t)count + 1) * sizeof(int))};
    if (!history->order)
        return;
    history->count = count;
    memcpy(history->order, selected, (size_t)count * sizeof(int));
}

void wcts_run_history_release(struct wcts_run_history *history)
{
    free(history->order);
    free(history->batches);
    free(history->failed);
    *history = (struct wcts_run_history){0};
}

void wcts_run_history_add(struct wcts_run_history *history, int life, int from, int count)
{
    struct wcts_run_history_batch *last =
        history->batch_count ? &history->batches[history->batch_count - 1] : NULL;
    if (last && last->life == life && last->from + last->count == from) {
        last->count += count;
        return;
    }
    struct wcts_run_history_batch *added = WCTS_ARRAY_ADD(history->batches, history->batch_count);
    if (added)
        *added = (struct wcts_run_history_batch){life, from, count};
}

void wcts_run_history_failed(struct wcts_run_history *history, int index, int life)
{
    struct wcts_run_history_failed *added = WCTS_ARRAY_ADD(history->failed, history->failed_count);
    if (added)
        *added = (struct wcts_run_history_failed){index, life};
}

bool wcts_run_history_before(const struct wcts_run_history *history, int index, int **before,
                             int *count)
{
    int life = 0;
    for (int i = 0; i < history->failed_count && life == 0; i++)
        if (history->failed[i].index == index)
            life = history->failed[i].life;
    *count = 0;
    *before = life ? malloc(((size_t)history->count + 1) * sizeof(int)) : NULL;
    for (int i = 0; *before && i < history->batch_count; i++) {
        const struct wcts_run_history_batch *batch = &history->batches[i];
        for (int k = batch->from; batch->life == life && k < batch->from + batch->count; k++) {
            if (history->order[k] == index)
                return true;
            (*before)[(*count)++] = history->order[k];
        }
    }
    return *before != NULL;
}
