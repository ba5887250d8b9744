/* SPDX-License-Identifier: MIT */
/*
 * Fewer rows: one is taken away, and values of the others are changed one at a time until they have
 * its tuples again (a tabu search, as published under the name TCA). Every row keeps every
 * constraint at any time.
 */
#include <stdlib.h>
#include <string.h>

#include "search.h"

/* A value that was changed stays for so many steps, and a few more by chance. */
#define TABU 4
/* In one step of so many a row is bent to an open tuple instead, whatever it loses. */
#define BENDS 1000
/* Steps without fewer open tuples after which a try is given up, for each row. */
#define PATIENCE 2000

struct generate_change {
    int row, parameter;
    uint8_t value;
    int64_t gain; /* open tuples fewer */
};

struct generate_improving {
    struct wcts_generate_search *search;
    int others[WCTS_GENERATE_PARAMETERS_MAX]; /* all parameters but one */
    uint64_t *until;                          /* tabu: for each row and parameter, the step */
    uint64_t step;
};

static const int *all_but(struct generate_improving *improving, int parameter)
{
    int count = 0;
    for (int i = 0; i < improving->search->model->parameter_count; i++)
        if (i != parameter)
            improving->others[count++] = i;
    return improving->others;
}

static uint32_t spots_of(struct generate_improving *improving, int row, int parameter)
{
    struct wcts_generate_search *search = improving->search;
    uint32_t count = wcts_generate_spots(&search->tuples, parameter, all_but(improving, parameter),
                                         search->model->parameter_count - 1,
                                         wcts_generate_row(search, row), search->spots);
    search->looks += count;
    return count;
}

static int64_t gain_of(struct generate_improving *improving, const struct generate_change *change)
{
    struct wcts_generate_search *search = improving->search;
    const uint16_t *rows = search->tuples.rows;
    uint32_t old = wcts_generate_row(search, change->row)[change->parameter];
    uint32_t count = spots_of(improving, change->row, change->parameter);
    int64_t gain = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct wcts_generate_spot *spot = &search->spots[i];
        gain += (rows[spot->tuple + change->value * spot->step] == 0) -
                (rows[spot->tuple + old * spot->step] == 1);
    }
    return gain;
}

static void make_change(struct generate_improving *improving, int row, int parameter, uint8_t value)
{
    struct wcts_generate_search *search = improving->search;
    uint8_t *old = &wcts_generate_row(search, row)[parameter];
    uint32_t count = spots_of(improving, row, parameter);
    for (uint32_t i = 0; i < count; i++) {
        wcts_generate_lose(search, search->spots[i].tuple + *old * search->spots[i].step);
        wcts_generate_gain(search, search->spots[i].tuple + value * search->spots[i].step);
    }
    *old = value;
    improving->until[row * search->model->parameter_count + parameter] =
        improving->step + TABU + wcts_generate_random(search, TABU);
}

/* The one parameter in which a row differs from a tuple; -1: none or more. */
static int only_difference(const uint8_t *row, const int *parameters, const uint8_t *values,
                           int strength, uint8_t *value)
{
    int parameter = -1;
    for (int i = 0; i < strength; i++)
        if (row[parameters[i]] != values[i]) {
            if (parameter >= 0)
                return -1;
            parameter = parameters[i];
            *value = values[i];
        }
    return parameter;
}

/* The best change of one value that gives a row the tuple; row -1: there is none. */
static struct generate_change best_change(struct generate_improving *improving,
                                          const int *parameters, const uint8_t *values)
{
    struct wcts_generate_search *search = improving->search;
    struct generate_change best = {.row = -1};
    uint32_t ties = 0;
    for (int i = 0; i < search->row_count; i++) {
        uint8_t *row = wcts_generate_row(search, i), old;
        struct generate_change change = {.row = i};
        bool holds;
        change.parameter =
            only_difference(row, parameters, values, search->tuples.strength, &change.value);
        if (change.parameter < 0 ||
            improving->until[i * search->model->parameter_count + change.parameter] >
                improving->step)
            continue;
        old = row[change.parameter];
        row[change.parameter] = change.value;
        holds = wcts_generate_row_holds(&search->solver, row, change.parameter);
        row[change.parameter] = old;
        if (!holds)
            continue;
        change.gain = gain_of(improving, &change);
        if (best.row < 0 || change.gain > best.gain) {
            best = change;
            ties = 1;
        } else if (change.gain == best.gain && wcts_generate_random(search, ++ties) == 0) {
            best = change;
        }
    }
    return best;
}

/* Gives some row the tuple, and as many of its own values as then can stay. */
static void bend(struct generate_improving *improving, uint32_t tuple)
{
    struct wcts_generate_search *search = improving->search;
    struct wcts_generate_solver *solver = &search->solver;
    int index = (int)wcts_generate_random(search, (uint32_t)search->row_count);
    int mark = solver->undo_count;
    uint8_t bent[WCTS_GENERATE_PARAMETERS_MAX];
    bool found;
    if (!wcts_generate_choose(search, tuple))
        return;
    found = wcts_generate_find(solver, wcts_generate_row(search, index), bent);
    wcts_generate_undo_to(solver, mark);
    for (int i = 0; found && i < search->model->parameter_count; i++)
        if (bent[i] != wcts_generate_row(search, index)[i])
            make_change(improving, index, i, bent[i]);
}

/* True if the row would be one that is forbidden, which was not known. */
static bool is_learnt(struct generate_improving *improving, const struct generate_change *change)
{
    uint8_t *value = &wcts_generate_row(improving->search, change->row)[change->parameter];
    uint8_t old = *value;
    bool learnt;
    *value = change->value;
    learnt = wcts_generate_learn(&improving->search->solver,
                                 wcts_generate_row(improving->search, change->row));
    *value = old;
    return learnt;
}

static void improve_step(struct generate_improving *improving)
{
    struct wcts_generate_search *search = improving->search;
    uint32_t tuple = search->open[wcts_generate_random(search, search->open_count)];
    int parameters[WCTS_GENERATE_STRENGTH_MAX];
    uint8_t values[WCTS_GENERATE_STRENGTH_MAX];
    struct generate_change change;
    improving->step++;
    wcts_generate_tuple_read(&search->tuples, tuple, parameters, values);
    change = best_change(improving, parameters, values);
    if (change.row >= 0 && is_learnt(improving, &change))
        return;
    if (change.row >= 0 && wcts_generate_random(search, BENDS) != 0)
        make_change(improving, change.row, change.parameter, change.value);
    else
        bend(improving, tuple);
}

struct generate_own {
    const uint16_t *rows;
    uint32_t count;
};

static void count_own(void *ctx, uint32_t tuple)
{
    struct generate_own *own = ctx;
    own->count += own->rows[tuple] == 1;
}

/* The row that has the fewest tuples for itself alone. */
static int least_row(struct wcts_generate_search *search)
{
    uint32_t fewest = UINT32_MAX, ties = 0;
    int least = 0;
    for (int i = 0; i < search->row_count; i++) {
        struct generate_own own = {search->tuples.rows, 0};
        wcts_generate_each_tuple(&search->tuples, wcts_generate_row(search, i), count_own, &own);
        if (own.count < fewest) {
            fewest = own.count;
            least = i;
            ties = 1;
        } else if (own.count == fewest && wcts_generate_random(search, ++ties) == 0) {
            least = i;
        }
    }
    return least;
}

bool wcts_generate_improve(struct wcts_generate_search *search, uint64_t looks)
{
    size_t width = (size_t)search->model->parameter_count;
    struct generate_improving improving = {.search = search};
    uint8_t *best = NULL;
    int best_count = 0;
    improving.until = calloc((size_t)search->row_count * width, sizeof *improving.until);
    best = calloc((size_t)search->row_count + 1, width);
    if (!improving.until || !best) {
        free(improving.until);
        free(best);
        return false;
    }
    looks += search->looks;
    for (;;) {
        uint32_t fewest = UINT32_MAX;
        uint64_t since = 0;
        if (search->open_count == 0) {
            best_count = search->row_count;
            memcpy(best, search->rows, (size_t)best_count * width);
            if (best_count <= 1)
                break;
            wcts_generate_remove(search, least_row(search));
        }
        while (search->open_count > 0 && search->looks < looks &&
               since < (uint64_t)PATIENCE * (uint64_t)search->row_count) {
            improve_step(&improving);
            since++;
            if (search->open_count < fewest) {
                fewest = search->open_count;
                since = 0;
            }
        }
        if (search->open_count > 0)
            break;
    }
    memcpy(search->rows, best, (size_t)best_count * width);
    search->row_count = best_count;
    free(improving.until);
    free(best);
    return true;
}
