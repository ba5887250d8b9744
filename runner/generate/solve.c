/* SPDX-License-Identifier: MIT */
#include "solve.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"

/* Failures after which a search begins anew, at first. */
#define PATIENCE 64

int wcts_generate_parameter(struct wcts_generate_model *model, int values)
{
    int *count;
    if (values < 1 || values > WCTS_GENERATE_VALUES_MAX ||
        model->parameter_count == WCTS_GENERATE_PARAMETERS_MAX)
        return -1;
    count = WCTS_ARRAY_ADD(model->values, model->parameter_count);
    if (!count)
        return -1;
    *count = values;
    return model->parameter_count - 1;
}

bool wcts_generate_forbid(struct wcts_generate_model *model, const struct wcts_generate_term *terms,
                          int count)
{
    struct wcts_generate_term *copy = calloc((size_t)count + 1, sizeof *copy);
    struct wcts_generate_nogood *nogood;
    if (!copy)
        return false;
    nogood = WCTS_ARRAY_ADD(model->nogoods, model->nogood_count);
    if (!nogood) {
        free(copy);
        return false;
    }
    WCTS_ARRAY_COPY(copy, terms, count);
    nogood->terms = copy;
    nogood->count = count;
    return true;
}

void wcts_generate_model_release(struct wcts_generate_model *model)
{
    for (int i = 0; i < model->nogood_count; i++)
        free(model->nogoods[i].terms);
    free(model->nogoods);
    free(model->values);
    *model = (struct wcts_generate_model){0};
}

/* ---- Conclusions ---- */

static uint64_t all_values(int count)
{
    return count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Takes back the last nogood, which the parameters of its first terms have as their last one. */
static void take_back(struct wcts_generate_solver *solver, int terms)
{
    const struct wcts_generate_nogood *last = &solver->nogoods[--solver->nogood_count];
    for (int t = 0; t < terms; t++)
        solver->reading[last->terms[t].parameter].count--;
}

static struct wcts_generate_silence silent(int nogood, const struct wcts_generate_term *first,
                                           const struct wcts_generate_term *second)
{
    return (struct wcts_generate_silence){
        nogood, {first->parameter, second->parameter}, {first->values, second->values}};
}

/* A choice asks those nogoods alone that have its parameter. False without memory, with nothing
 * added. */
static bool add_nogood(struct wcts_generate_solver *solver, struct wcts_generate_nogood nogood)
{
    struct wcts_generate_nogood *added = WCTS_ARRAY_ADD(solver->nogoods, solver->nogood_count);
    if (!added)
        return false;
    *added = nogood;
    for (int t = 0; t < nogood.count; t++) {
        struct wcts_generate_reading *reading = &solver->reading[nogood.terms[t].parameter];
        struct wcts_generate_silence *silence = WCTS_ARRAY_ADD(reading->nogoods, reading->count);
        if (!silence) {
            take_back(solver, t);
            return false;
        }
        *silence = silent(solver->nogood_count - 1, &nogood.terms[t], &nogood.terms[t]);
    }
    return true;
}

/* True if the nogood says nothing for the reason for which it said nothing before. */
static bool is_silent(const struct wcts_generate_solver *solver,
                      const struct wcts_generate_silence *silence)
{
    uint64_t first = solver->left[silence->parameters[0]];
    return (first & silence->values[0]) == 0 ||
           (silence->parameters[0] != silence->parameters[1] &&
            (first & ~silence->values[0]) != 0 &&
            (solver->left[silence->parameters[1]] & ~silence->values[1]) != 0);
}

/* Sets aside what a nogood forbids once all its terms but one are certain. silence: gets why
 * nothing was concluded; or NULL. */
static bool conclude(struct wcts_generate_solver *solver, int index,
                     struct wcts_generate_silence *silence)
{
    const struct wcts_generate_nogood *nogood = &solver->nogoods[index];
    const struct wcts_generate_term *open = NULL;
    for (int t = 0; t < nogood->count; t++) {
        const struct wcts_generate_term *term = &nogood->terms[t];
        uint64_t left = solver->left[term->parameter];
        if ((left & ~term->values) == 0)
            continue;
        if ((left & term->values) == 0 || open) {
            if (silence)
                *silence = silent(index, term, (left & term->values) == 0 ? term : open);
            return true;
        }
        open = term;
    }
    if (open && solver->left[open->parameter] & ~open->values)
        return wcts_generate_narrow(solver, open->parameter, ~open->values);
    for (int t = 0; t < nogood->count; t++)
        solver->failures[nogood->terms[t].parameter]++;
    return false;
}

bool wcts_generate_narrow(struct wcts_generate_solver *solver, int parameter, uint64_t values)
{
    uint64_t before = solver->left[parameter], after = before & values;
    if (after == before)
        return true;
    solver->undo[solver->undo_count++] = (struct wcts_generate_undo){parameter, before};
    solver->left[parameter] = after;
    if (after == 0)
        return false;
    for (int i = 0; i < solver->reading[parameter].count; i++) {
        struct wcts_generate_silence *silence = &solver->reading[parameter].nogoods[i];
        if (!is_silent(solver, silence) && !conclude(solver, silence->nogood, silence))
            return false;
    }
    return true;
}

void wcts_generate_undo_to(struct wcts_generate_solver *solver, int mark)
{
    while (solver->undo_count > mark) {
        const struct wcts_generate_undo *undo = &solver->undo[--solver->undo_count];
        solver->left[undo->parameter] = undo->values;
    }
}

bool wcts_generate_solver_init(struct wcts_generate_solver *solver,
                               const struct wcts_generate_model *model, bool *no_row)
{
    size_t room = 1; /* each choice takes a value away */
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX];
    bool good;
    int mark;
    *solver = (struct wcts_generate_solver){.model = model};
    *no_row = false;
    for (int i = 0; i < model->parameter_count; i++) {
        solver->left[i] = all_values(model->values[i]);
        room += (size_t)model->values[i];
    }
    solver->undo = calloc(room, sizeof *solver->undo);
    good = solver->undo != NULL;
    for (int i = 0; good && i < model->nogood_count; i++)
        good = add_nogood(solver, model->nogoods[i]);
    if (!good) {
        wcts_generate_solver_release(solver);
        return false;
    }
    for (int i = 0; i < model->nogood_count && !*no_row; i++)
        *no_row = !conclude(solver, i, NULL);
    mark = solver->undo_count;
    *no_row = *no_row || !wcts_generate_find(solver, NULL, row);
    wcts_generate_undo_to(solver, mark);
    if (solver->no_memory) {
        wcts_generate_solver_release(solver);
        return false;
    }
    return true;
}

void wcts_generate_solver_release(struct wcts_generate_solver *solver)
{
    free(solver->undo);
    for (int i = 0; i < WCTS_GENERATE_PARAMETERS_MAX; i++)
        free(solver->reading[i].nogoods);
    for (int i = solver->model ? solver->model->nogood_count : 0; i < solver->nogood_count; i++)
        free(solver->nogoods[i].terms);
    free(solver->nogoods);
    *solver = (struct wcts_generate_solver){0};
}

/* ---- Rows ---- */

/* The open parameter with the fewest values left for each failure that it had a part in, or -1: the
 * row is whole. What fails often is settled early (Boussemart and others, "Boosting systematic
 * search by weighting constraints"). */
static int tightest(const struct wcts_generate_solver *solver)
{
    uint64_t fewest = 0, most = 0;
    int best = -1;
    for (int i = 0; i < solver->model->parameter_count; i++) {
        uint64_t left, failures = solver->failures[i] + 1;
        if ((solver->left[i] & (solver->left[i] - 1)) == 0)
            continue;
        left = (uint64_t)__builtin_popcountll(solver->left[i]);
        if (best < 0 || left * most < fewest * failures) {
            fewest = left;
            most = failures;
            best = i;
        }
    }
    return best;
}

/* A search that is given up after so many failures, for another one that knows more. */
struct generate_patience {
    uint64_t left;
};

static bool complete(struct wcts_generate_solver *solver, const uint8_t *preferred,
                     struct generate_patience *patience)
{
    int mark = solver->undo_count, parameter = tightest(solver);
    uint64_t first, left;
    if (parameter < 0)
        return true;
    left = solver->left[parameter];
    first = preferred ? left & UINT64_C(1) << preferred[parameter] : 0;
    while (left && patience->left > 0) {
        uint64_t value = first ? first : left & -left;
        if (wcts_generate_narrow(solver, parameter, value) && complete(solver, preferred, patience))
            return true;
        wcts_generate_undo_to(solver, mark);
        left &= ~value;
        first = 0;
        if (patience->left > 0)
            patience->left--;
    }
    return false;
}

/* Goes on to a whole row, which stays chosen; of several values the preferred one is tried first
 * (NULL: the least). False, with nothing chosen in addition, when there is none. */
static bool complete_row(struct wcts_generate_solver *solver, const uint8_t *preferred)
{
    for (uint64_t failures = PATIENCE;; failures *= 2) {
        struct generate_patience patience = {failures};
        if (complete(solver, preferred, &patience))
            return true;
        if (patience.left > 0)
            return false;
    }
}

static bool nogood_holds(const struct wcts_generate_nogood *nogood, const uint8_t *row)
{
    for (int t = 0; t < nogood->count; t++)
        if (!(nogood->terms[t].values >> row[nogood->terms[t].parameter] & 1))
            return true;
    return false;
}

/* True if the row is left, and no nogood that was learned since it was found forbids it. */
static bool is_left(const struct wcts_generate_solver *solver,
                    struct wcts_generate_known_row *known)
{
    for (int i = 0; i < solver->model->parameter_count; i++)
        if (!(solver->left[i] >> known->row[i] & 1))
            return false;
    while (known->checked < solver->nogood_count &&
           nogood_holds(&solver->nogoods[known->checked], known->row))
        known->checked++;
    return known->checked == solver->nogood_count;
}

static void remember_choices(struct wcts_generate_solver *solver)
{
    struct wcts_generate_known_row *known = &solver->known[solver->known_next];
    for (int i = 0; i < solver->model->parameter_count; i++)
        known->row[i] = (uint8_t)__builtin_ctzll(solver->left[i]);
    known->checked = 0;
    if (solver->known_count < WCTS_GENERATE_KNOWN)
        solver->known_count++;
    solver->known_next = (solver->known_next + 1) % WCTS_GENERATE_KNOWN;
}

bool wcts_generate_can(struct wcts_generate_solver *solver)
{
    int mark = solver->undo_count;
    bool can;
    for (int i = 0; i < solver->known_count; i++)
        if (is_left(solver, &solver->known[i]))
            return true;
    can = complete_row(solver, NULL);
    if (can)
        remember_choices(solver);
    wcts_generate_undo_to(solver, mark);
    return can;
}

bool wcts_generate_find(struct wcts_generate_solver *solver, const uint8_t *preferred, uint8_t *row)
{
    int mark = solver->undo_count;
    while (complete_row(solver, preferred)) {
        int known = solver->nogood_count;
        for (int i = 0; i < solver->model->parameter_count; i++)
            row[i] = (uint8_t)__builtin_ctzll(solver->left[i]);
        if (!wcts_generate_learn(solver, row))
            return true;
        wcts_generate_undo_to(solver, mark);
        if (solver->nogood_count == known || !conclude(solver, known, NULL))
            break;
    }
    wcts_generate_undo_to(solver, mark);
    return false;
}

bool wcts_generate_row_holds(const struct wcts_generate_solver *solver, const uint8_t *row,
                             int parameter)
{
    int count = parameter < 0 ? solver->nogood_count : solver->reading[parameter].count;
    for (int i = 0; i < count; i++)
        if (!nogood_holds(
                &solver->nogoods[parameter < 0 ? i : solver->reading[parameter].nogoods[i].nogood],
                row))
            return false;
    return true;
}

bool wcts_generate_learn(struct wcts_generate_solver *solver, const uint8_t *row)
{
    const struct wcts_generate_model *model = solver->model;
    struct wcts_generate_nogood nogood = {NULL, 0};
    if (!model->forbids)
        return false;
    nogood.terms = calloc((size_t)model->parameter_count + 1, sizeof *nogood.terms);
    if (nogood.terms && !model->forbids(model->forbids_ctx, row, nogood.terms, &nogood.count)) {
        free(nogood.terms);
        return false;
    }
    if (!nogood.terms || !add_nogood(solver, nogood)) {
        free(nogood.terms);
        solver->no_memory = true;
    }
    return true;
}
