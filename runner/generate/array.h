/* SPDX-License-Identifier: MIT */
/*
 * Covering arrays: rows that give each parameter one of its values, break no constraint, and have
 * every combination of `strength` values that some such row can have.
 *
 *     struct wcts_generate_model model = {0};
 *     int shared = wcts_generate_parameter(&model, 2);
 *     int resource = wcts_generate_parameter(&model, 2);
 *     struct wcts_generate_term terms[] = {{shared, 1 << 1}, {resource, 1 << 0}};
 *     wcts_generate_forbid(&model, terms, 2);           shared without resource is in no row
 *     status = wcts_generate_rows(&model, &options, &rows);
 *     for (int i = 0; i < rows.count; i++)
 *         use(rows.values[i * model.parameter_count + shared]);
 */
#ifndef WCTS_GENERATE_ARRAY_H
#define WCTS_GENERATE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#define WCTS_GENERATE_PARAMETERS_MAX 128
#define WCTS_GENERATE_VALUES_MAX 64
#define WCTS_GENERATE_STRENGTH_MAX 6

/* The parameter has one of the values whose bits are set. */
struct wcts_generate_term {
    int parameter;
    uint64_t values;
};

/* All its terms together are in no row. */
struct wcts_generate_nogood {
    struct wcts_generate_term *terms;
    int count;
};

/* What no nogood says: true if a row must not be, with terms (room for one a parameter) that no row
 * may have together. They hold of this row. */
typedef bool wcts_generate_forbids_fn(void *ctx, const uint8_t *row,
                                      struct wcts_generate_term *terms, int *count);

/* Parameters and what is forbidden. All zero at first; owns its arrays. */
struct wcts_generate_model {
    int *values; /* how many each parameter has */
    int parameter_count;
    struct wcts_generate_nogood *nogoods;
    int nogood_count;
    wcts_generate_forbids_fn *forbids; /* or NULL: the nogoods say all */
    void *forbids_ctx;
};

/* A parameter with so many values (1 to WCTS_GENERATE_VALUES_MAX): its index, or -1 without memory
 * or with too many. */
int wcts_generate_parameter(struct wcts_generate_model *model, int values);
/* The terms are copied. A parameter may be in one term only. False without memory. */
bool wcts_generate_forbid(struct wcts_generate_model *model, const struct wcts_generate_term *terms,
                          int count);
void wcts_generate_model_release(struct wcts_generate_model *model);

/* What rows are to have: {.strength = 2, .seed = 1, .effort = 0}: every two values together, the
 * first rows that are found. */
struct wcts_generate_options {
    int strength;    /* 1 to WCTS_GENERATE_STRENGTH_MAX, at most the number of parameters */
    uint64_t seed;   /* the same seed gives the same rows */
    uint64_t effort; /* looks at tuples that are spent on fewer rows; 0: the first that are found */
};

/* count rows of a value for each parameter. */
struct wcts_generate_rows {
    uint8_t *values;
    int count;
};

enum wcts_generate_end {
    WCTS_GENERATE_DONE,
    WCTS_GENERATE_NO_ROW,    /* the constraints leave none */
    WCTS_GENERATE_TOO_LARGE, /* more tuples than can be counted, or no memory */
};

/* Rows that cover every tuple that can be. The caller frees rows->values. */
enum wcts_generate_end wcts_generate_rows(const struct wcts_generate_model *model,
                                          const struct wcts_generate_options *options,
                                          struct wcts_generate_rows *rows);

/* What rows from anywhere cover. */
struct wcts_generate_measure {
    uint64_t tuples;     /* that some row can have */
    uint64_t covered;    /* of them, those that a row has that breaks nothing */
    uint64_t infeasible; /* combinations that no row can have */
    int broken;          /* rows that break a constraint; they cover nothing */
};

/* Decides each tuple exactly. values of rows have to be in range. */
enum wcts_generate_end wcts_generate_measure(const struct wcts_generate_model *model, int strength,
                                             const struct wcts_generate_rows *rows,
                                             struct wcts_generate_measure *measure);

#endif
