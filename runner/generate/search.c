/* SPDX-License-Identifier: MIT */
#include "search.h"

#include <stdlib.h>
#include <string.h>

bool wcts_generate_search_init(struct wcts_generate_search *search,
                               const struct wcts_generate_model *model, int strength, uint64_t seed,
                               bool *no_row)
{
    size_t tuples;
    *search = (struct wcts_generate_search){.model = model};
    search->random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    search->random = search->random ? search->random : 1;
    *no_row = false;
    if (!wcts_generate_tuples_init(&search->tuples, model, strength) ||
        !wcts_generate_solver_init(&search->solver, model, no_row)) {
        wcts_generate_search_release(search);
        return false;
    }
    tuples = search->tuples.count;
    search->open = calloc(tuples, sizeof *search->open);
    search->place = calloc(tuples, sizeof *search->place);
    search->spots = calloc((size_t)search->tuples.choose[model->parameter_count][strength - 1],
                           sizeof *search->spots);
    if (!search->open || !search->place || !search->spots) {
        wcts_generate_search_release(search);
        return false;
    }
    for (uint32_t i = 0; i < tuples; i++)
        search->open[i] = search->place[i] = i;
    search->open_count = (uint32_t)tuples;
    return true;
}

void wcts_generate_search_release(struct wcts_generate_search *search)
{
    wcts_generate_tuples_release(&search->tuples);
    wcts_generate_solver_release(&search->solver);
    free(search->open);
    free(search->place);
    free(search->spots);
    free(search->rows);
    *search = (struct wcts_generate_search){0};
}

uint8_t *wcts_generate_row(const struct wcts_generate_search *search, int index)
{
    return search->rows + (size_t)index * (size_t)search->model->parameter_count;
}

/* xorshift64*: the upper half. */
uint32_t wcts_generate_random(struct wcts_generate_search *search, uint32_t limit)
{
    uint64_t x = search->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    search->random = x;
    return (uint32_t)(((x * UINT64_C(0x2545F4914F6CDD1D) >> 32) * limit) >> 32);
}

/* ---- Tuples ---- */

static void close_tuple(struct wcts_generate_search *search, uint32_t tuple)
{
    uint32_t last = search->open[--search->open_count], place = search->place[tuple];
    search->open[place] = last;
    search->place[last] = place;
}

void wcts_generate_gain(struct wcts_generate_search *search, uint32_t tuple)
{
    if (search->tuples.rows[tuple]++ == 0)
        close_tuple(search, tuple);
}

void wcts_generate_lose(struct wcts_generate_search *search, uint32_t tuple)
{
    if (--search->tuples.rows[tuple] == 0) {
        search->place[tuple] = search->open_count;
        search->open[search->open_count++] = tuple;
    }
}

bool wcts_generate_choose(struct wcts_generate_search *search, uint32_t tuple)
{
    int parameters[WCTS_GENERATE_STRENGTH_MAX], mark = search->solver.undo_count;
    uint8_t values[WCTS_GENERATE_STRENGTH_MAX];
    bool can = true;
    wcts_generate_tuple_read(&search->tuples, tuple, parameters, values);
    for (int i = 0; can && i < search->tuples.strength; i++)
        can = wcts_generate_narrow(&search->solver, parameters[i], UINT64_C(1) << values[i]);
    if (can && wcts_generate_can(&search->solver))
        return true;
    wcts_generate_undo_to(&search->solver, mark);
    close_tuple(search, tuple);
    search->tuples.rows[tuple] = WCTS_GENERATE_NEVER;
    return false;
}

/* ---- Rows ---- */

static void gain_one(void *ctx, uint32_t tuple)
{
    wcts_generate_gain(ctx, tuple);
}

static void lose_one(void *ctx, uint32_t tuple)
{
    wcts_generate_lose(ctx, tuple);
}

bool wcts_generate_add(struct wcts_generate_search *search, const uint8_t *row)
{
    size_t width = (size_t)search->model->parameter_count;
    if (search->row_count == search->rows_room) {
        int room = search->rows_room ? 2 * search->rows_room : 64;
        uint8_t *rows = realloc(search->rows, (size_t)room * width);
        if (!rows)
            return false;
        search->rows = rows;
        search->rows_room = room;
    }
    memcpy(wcts_generate_row(search, search->row_count++), row, width);
    wcts_generate_each_tuple(&search->tuples, row, gain_one, search);
    return true;
}

void wcts_generate_remove(struct wcts_generate_search *search, int index)
{
    wcts_generate_each_tuple(&search->tuples, wcts_generate_row(search, index), lose_one, search);
    search->row_count--;
    if (index != search->row_count)
        memcpy(wcts_generate_row(search, index), wcts_generate_row(search, search->row_count),
               (size_t)search->model->parameter_count);
}
