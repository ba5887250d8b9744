/* SPDX-License-Identifier: MIT */
#include "array.h"

#include "search.h"

/* Of so many rows the best is taken. */
#define CANDIDATES 20

static bool is_strength(const struct wcts_generate_model *model, int strength)
{
    return strength >= 1 && strength <= WCTS_GENERATE_STRENGTH_MAX &&
           strength <= model->parameter_count;
}

enum wcts_generate_end wcts_generate_rows(const struct wcts_generate_model *model,
                                          const struct wcts_generate_options *options,
                                          struct wcts_generate_rows *rows)
{
    struct wcts_generate_search search;
    enum wcts_generate_end end = WCTS_GENERATE_DONE;
    bool no_row;
    *rows = (struct wcts_generate_rows){0};
    if (!is_strength(model, options->strength) ||
        !wcts_generate_search_init(&search, model, options->strength, options->seed, &no_row))
        return WCTS_GENERATE_TOO_LARGE;
    if (no_row)
        end = WCTS_GENERATE_NO_ROW;
    else if (!wcts_generate_greedy(&search, CANDIDATES) ||
             (options->effort > 0 && !wcts_generate_improve(&search, options->effort)))
        end = WCTS_GENERATE_TOO_LARGE;
    if (end == WCTS_GENERATE_DONE) {
        *rows = (struct wcts_generate_rows){search.rows, search.row_count};
        search.rows = NULL;
    }
    wcts_generate_search_release(&search);
    return end;
}

/* Decides the last open tuple, which then is open no longer. */
static bool can_be_covered(struct wcts_generate_search *search, uint32_t tuple)
{
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX];
    int mark = search->solver.undo_count;
    bool can;
    if (!wcts_generate_choose(search, tuple))
        return false;
    can = wcts_generate_find(&search->solver, NULL, row);
    wcts_generate_undo_to(&search->solver, mark);
    search->open_count--;
    return can;
}

enum wcts_generate_end wcts_generate_measure(const struct wcts_generate_model *model, int strength,
                                             const struct wcts_generate_rows *rows,
                                             struct wcts_generate_measure *measure)
{
    struct wcts_generate_search search;
    enum wcts_generate_end end;
    bool no_row;
    *measure = (struct wcts_generate_measure){0};
    if (!is_strength(model, strength) ||
        !wcts_generate_search_init(&search, model, strength, 1, &no_row))
        return WCTS_GENERATE_TOO_LARGE;
    for (int i = 0; i < rows->count; i++) {
        const uint8_t *row = rows->values + (size_t)i * (size_t)model->parameter_count;
        if (!wcts_generate_row_holds(&search.solver, row, -1) ||
            wcts_generate_learn(&search.solver, row))
            measure->broken++;
        else if (!wcts_generate_add(&search, row)) {
            wcts_generate_search_release(&search);
            return WCTS_GENERATE_TOO_LARGE;
        }
    }
    measure->covered = search.tuples.count - search.open_count;
    measure->tuples = measure->covered;
    if (no_row) {
        measure->infeasible = search.open_count;
        search.open_count = 0;
    }
    while (search.open_count > 0)
        if (can_be_covered(&search, search.open[search.open_count - 1]))
            measure->tuples++;
        else
            measure->infeasible++;
    end = search.solver.no_memory ? WCTS_GENERATE_TOO_LARGE : WCTS_GENERATE_DONE;
    wcts_generate_search_release(&search);
    return end;
}
