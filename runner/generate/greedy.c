/* SPDX-License-Identifier: MIT */
/* Rows one after the other, each with as many open tuples as can be had. */
#include <string.h>

#include "search.h"

struct generate_candidate {
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX];
    int fixed[WCTS_GENERATE_PARAMETERS_MAX]; /* the parameters that have a value, ascending */
    int fixed_count;
    uint64_t gained; /* open tuples that it has */
};

static void fix(struct generate_candidate *candidate, int parameter, uint8_t value)
{
    int at = candidate->fixed_count++;
    candidate->row[parameter] = value;
    for (; at > 0 && candidate->fixed[at - 1] > parameter; at--)
        candidate->fixed[at] = candidate->fixed[at - 1];
    candidate->fixed[at] = parameter;
}

/* How many open tuples each value that is left would have with the parameters that are fixed. */
static void count_gains(struct wcts_generate_search *search,
                        const struct generate_candidate *candidate, int parameter, uint32_t *gains)
{
    uint64_t left = search->solver.left[parameter];
    uint32_t spots = wcts_generate_spots(&search->tuples, parameter, candidate->fixed,
                                         candidate->fixed_count, candidate->row, search->spots);
    for (; left; left &= left - 1) {
        uint32_t value = (uint32_t)__builtin_ctzll(left);
        gains[value] = 0;
        for (uint32_t i = 0; i < spots; i++)
            gains[value] +=
                search->tuples.rows[search->spots[i].tuple + value * search->spots[i].step] == 0;
        search->looks += spots;
    }
}

/* Gives the parameter its best value that leaves a row. */
static void choose_value(struct wcts_generate_search *search, struct generate_candidate *candidate,
                         int parameter)
{
    uint32_t gains[WCTS_GENERATE_VALUES_MAX];
    uint64_t left = search->solver.left[parameter];
    count_gains(search, candidate, parameter, gains);
    while (left) {
        int best = -1, ties = 0, mark = search->solver.undo_count;
        for (uint64_t rest = left; rest; rest &= rest - 1) {
            int value = __builtin_ctzll(rest);
            if (best < 0 || gains[value] > gains[best]) {
                best = value;
                ties = 1;
            } else if (gains[value] == gains[best] &&
                       wcts_generate_random(search, (uint32_t)++ties) == 0) {
                best = value;
            }
        }
        if (wcts_generate_narrow(&search->solver, parameter, UINT64_C(1) << best) &&
            wcts_generate_can(&search->solver)) {
            candidate->gained += gains[best];
            fix(candidate, parameter, (uint8_t)best);
            return;
        }
        wcts_generate_undo_to(&search->solver, mark);
        left &= ~(UINT64_C(1) << best);
    }
}

static void shuffle(struct wcts_generate_search *search, int *order, int count)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = 0; i < count; i++) {
        int other = (int)wcts_generate_random(search, (uint32_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

/* A row that has an open tuple, which is chosen in the solver. */
static void make_candidate(struct wcts_generate_search *search, uint32_t tuple,
                           struct generate_candidate *candidate)
{
    int order[WCTS_GENERATE_PARAMETERS_MAX], parameters[WCTS_GENERATE_STRENGTH_MAX];
    bool has[WCTS_GENERATE_PARAMETERS_MAX] = {false};
    uint8_t values[WCTS_GENERATE_STRENGTH_MAX];
    candidate->fixed_count = 0;
    candidate->gained = 1;
    wcts_generate_tuple_read(&search->tuples, tuple, parameters, values);
    for (int i = 0; i < search->tuples.strength; i++) {
        fix(candidate, parameters[i], values[i]);
        has[parameters[i]] = true;
    }
    shuffle(search, order, search->model->parameter_count);
    for (int i = 0; i < search->model->parameter_count; i++)
        if (!has[order[i]])
            choose_value(search, candidate, order[i]);
}

bool wcts_generate_greedy(struct wcts_generate_search *search, int candidates)
{
    struct generate_candidate made, best;
    while (search->open_count > 0 && !search->solver.no_memory) {
        best.gained = 0;
        for (int i = 0; i < candidates && search->open_count > 0; i++) {
            int mark = search->solver.undo_count;
            uint32_t tuple = search->open[wcts_generate_random(search, search->open_count)];
            if (!wcts_generate_choose(search, tuple))
                continue;
            make_candidate(search, tuple, &made);
            wcts_generate_undo_to(&search->solver, mark);
            if (made.gained > best.gained && !wcts_generate_learn(&search->solver, made.row))
                best = made;
        }
        if (best.gained > 0 && !wcts_generate_add(search, best.row))
            return false;
    }
    return !search->solver.no_memory;
}
