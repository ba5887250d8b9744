/* SPDX-License-Identifier: MIT */
/* The tuples of a model at a strength, numbered, and how many rows have each. */
#ifndef WCTS_GENERATE_TUPLES_H
#define WCTS_GENERATE_TUPLES_H

#include <stddef.h>

#include "solve.h"

/* More would not fit the memory of a small machine. */
#define WCTS_GENERATE_TUPLES_MAX (UINT64_C(1) << 26)

/*
 * The tuples of one set of parameters stand together: those of {1, 4} begin at begins[rank of {1,
 * 4}], and the one with the values 2 and 0 is 2 + 0 * (values of 1) further.
 */
struct wcts_generate_tuples {
    const struct wcts_generate_model *model;
    int strength;
    uint32_t choose[WCTS_GENERATE_PARAMETERS_MAX + 1][WCTS_GENERATE_STRENGTH_MAX + 1];
    uint32_t sets;    /* of parameters */
    uint32_t *begins; /* one more than sets */
    uint32_t count;   /* of tuples */
    uint16_t *rows;   /* how many have the tuple */
};

/* What a parameter's value decides: a set of parameters with it, and the tuple if its value were 0.
 */
struct wcts_generate_spot {
    uint32_t tuple;
    uint32_t step; /* from the tuple of one value to that of the next */
};

/* False when there are too many, or no memory. */
bool wcts_generate_tuples_init(struct wcts_generate_tuples *tuples,
                               const struct wcts_generate_model *model, int strength);
void wcts_generate_tuples_release(struct wcts_generate_tuples *tuples);

/* The spots of a parameter among others, which have values in row: `among` lists them ascending,
 * without it. Returns how many; spots: room for that many. */
uint32_t wcts_generate_spots(const struct wcts_generate_tuples *tuples, int parameter,
                             const int *among, int among_count, const uint8_t *row,
                             struct wcts_generate_spot *spots);

/* The parameters of a tuple, ascending, and their values. */
void wcts_generate_tuple_read(const struct wcts_generate_tuples *tuples, uint32_t tuple,
                              int *parameters, uint8_t *values);

/* Calls visit for each tuple of a row. */
typedef void wcts_generate_tuple_fn(void *ctx, uint32_t tuple);
void wcts_generate_each_tuple(const struct wcts_generate_tuples *tuples, const uint8_t *row,
                              wcts_generate_tuple_fn *visit, void *ctx);

#endif
