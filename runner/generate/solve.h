/* SPDX-License-Identifier: MIT */
/* Which values are left to each parameter once some are chosen: propagation over the nogoods, and
 * an exact search for a row. */
#ifndef WCTS_GENERATE_SOLVE_H
#define WCTS_GENERATE_SOLVE_H

#include "array.h"

/* A parameter's values before a choice, to be put back. */
struct wcts_generate_undo {
    int parameter;
    uint64_t values;
};

/* A nogood, and two of its terms for which nothing was concluded from it when it was last asked:
 * they were not certain, or (twice the same) it did not hold. As long as that is so the nogood need
 * not be looked at. */
struct wcts_generate_silence {
    int nogood;
    int parameters[2];
    uint64_t values[2];
};

/* A row that was found: as long as all its values are left there is a row, and nothing is searched.
 * It keeps the first nogoods, so many as were checked. */
struct wcts_generate_known_row {
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX];
    int checked;
};
#define WCTS_GENERATE_KNOWN 64

/*
 * What is left to each parameter. Choices are undone to a mark:
 *
 *     int mark = solver.undo_count;
 *     if (wcts_generate_narrow(&solver, parameter, UINT64_C(1) << value))
 *         ... go on ...
 *     wcts_generate_undo_to(&solver, mark);
 */
struct wcts_generate_solver {
    const struct wcts_generate_model *model;
    uint64_t left[WCTS_GENERATE_PARAMETERS_MAX];
    struct wcts_generate_undo *undo;
    int undo_count;
    struct wcts_generate_nogood *nogoods; /* those of the model, whose terms they share, then what
                                             was learnt */
    int nogood_count;
    struct wcts_generate_reading {
        struct wcts_generate_silence *nogoods; /* that have the parameter */
        int count;
    } reading[WCTS_GENERATE_PARAMETERS_MAX];
    uint64_t failures[WCTS_GENERATE_PARAMETERS_MAX]; /* of nogoods that have the parameter */
    struct wcts_generate_known_row known[WCTS_GENERATE_KNOWN]; /* the last that were found */
    int known_count, known_next;
    bool no_memory; /* something could not be learnt: what is found from then on may be wrong */
};

/* Nothing chosen. False without memory; *no_row: nothing is left at all. */
bool wcts_generate_solver_init(struct wcts_generate_solver *solver,
                               const struct wcts_generate_model *model, bool *no_row);
void wcts_generate_solver_release(struct wcts_generate_solver *solver);

/* Leaves a parameter these values alone, and draws the conclusions. False when some parameter has
 * none left; the caller undoes. */
bool wcts_generate_narrow(struct wcts_generate_solver *solver, int parameter, uint64_t values);
void wcts_generate_undo_to(struct wcts_generate_solver *solver, int mark);

/* True if there is a row, as far as was learnt; nothing is chosen. */
bool wcts_generate_can(struct wcts_generate_solver *solver);

/* Goes on to a whole row that is allowed indeed. False, with nothing chosen in addition, when there
 * is none, or without memory. */
bool wcts_generate_find(struct wcts_generate_solver *solver, const uint8_t *preferred,
                        uint8_t *row);

/* True if a whole row breaks no nogood of this parameter; -1: of none. */
bool wcts_generate_row_holds(const struct wcts_generate_solver *solver, const uint8_t *row,
                             int parameter);
/* True if the model forbids a row that no nogood forbade; one does now, if there is memory. Nothing
 * may be chosen that the row has not. */
bool wcts_generate_learn(struct wcts_generate_solver *solver, const uint8_t *row);

#endif
