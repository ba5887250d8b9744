/* SPDX-License-Identifier: MIT */
/*
 * The guilty combination by further calls: a call is misjudged and the smallest one of its sort is
 * not. Of the parameters in which they differ one after the other is found by halving: without it
 * the call is judged right. What is found is then confirmed by its neighbours: without any part of
 * it a call is judged right, and beside whatever else may be set it is misjudged.
 *
 *     misjudged  {A 1, B 1, C 1, D 1, Size 2}     right  {0, 0, 0, 0, Size 0}
 *     halving    {1, 1, 0, 0, 0}: misjudged       {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}: right
 *     beside     {1, 1, 1, 1, 1}: misjudged       so it is "A and B set"
 *
 * There may be several causes: then it is one of those that the call has.
 */
#ifndef WCTS_GENERATE_HALVE_H
#define WCTS_GENERATE_HALVE_H

#include "array.h"

/* Rows have a value for each parameter, that of the smallest call is 0. */
typedef bool wcts_generate_row_fn(void *ctx, const uint8_t *row);

/* A search for the values of a failing row that are to blame, by calls that have some of them.
 * Example: of 20 values that differ from the smallest call, about five calls find the one, and
 * confirmations try it again. */
struct wcts_generate_halving {
    const int *values; /* how many each parameter has */
    int parameter_count;
    wcts_generate_row_fn *allows; /* true if the row is a call of the same sort */
    wcts_generate_row_fn *fails;  /* true if it is misjudged; sends it */
    void *ctx;
    bool smallest_is_right; /* it is known that the smallest call is judged right */
    int calls; /* that may be made to find a combination, and to confirm it; counted down */
    int confirmations;
};

#define WCTS_GENERATE_GUILTY_MAX 8

/* The call is misjudged if all these parameters have one of their values. */
struct wcts_generate_guilty {
    struct wcts_generate_term terms[WCTS_GENERATE_GUILTY_MAX];
    int count;
};

/* False if there are not enough calls, or what is found is not confirmed. */
bool wcts_generate_halve(struct wcts_generate_halving *halving, const uint8_t *misjudged,
                         struct wcts_generate_guilty *guilty);

#endif
