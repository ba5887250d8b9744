/* SPDX-License-Identifier: MIT */
/* What the search for rows works on: tuples that no row has yet, and the rows so far. */
#ifndef WCTS_GENERATE_SEARCH_H
#define WCTS_GENERATE_SEARCH_H

#include "tuples.h"

/* In tuples->rows: no row can have the tuple. */
#define WCTS_GENERATE_NEVER UINT16_MAX

/* Owns all that it points to, but for the model. */
struct wcts_generate_search {
    const struct wcts_generate_model *model;
    struct wcts_generate_tuples tuples;
    struct wcts_generate_solver solver;
    uint32_t *open;  /* the tuples that no row has; some may turn out to be in none */
    uint32_t *place; /* of each tuple in it, if it is there */
    uint32_t open_count;
    struct wcts_generate_spot *spots; /* room for those of a parameter */
    uint8_t *rows;                    /* rows_room of parameter_count values */
    int row_count, rows_room;
    uint64_t random; /* the state of the generator, never 0 */
    uint64_t looks;  /* at tuples, so far */
};

bool wcts_generate_search_init(struct wcts_generate_search *search,
                               const struct wcts_generate_model *model, int strength, uint64_t seed,
                               bool *no_row);
void wcts_generate_search_release(struct wcts_generate_search *search);

uint8_t *wcts_generate_row(const struct wcts_generate_search *search, int index);
/* A number below limit, which is not 0. */
uint32_t wcts_generate_random(struct wcts_generate_search *search, uint32_t limit);

/* One row more, or one less, has the tuple. */
void wcts_generate_gain(struct wcts_generate_search *search, uint32_t tuple);
void wcts_generate_lose(struct wcts_generate_search *search, uint32_t tuple);
/* Chooses a tuple's values in the solver. False, with nothing chosen, if no row can have it: it is
 * open no longer. */
bool wcts_generate_choose(struct wcts_generate_search *search, uint32_t tuple);

/* Adds a row (copied) and counts its tuples. False without memory. */
bool wcts_generate_add(struct wcts_generate_search *search, const uint8_t *row);
/* Takes one away; the last one takes its place. */
void wcts_generate_remove(struct wcts_generate_search *search, int index);

/* Adds rows until no tuple is open: each the best of so many candidates (greedy.c). False without
 * memory. */
bool wcts_generate_greedy(struct wcts_generate_search *search, int candidates);
/* Looks for fewer rows until so many tuples were looked at (improve.c). False without memory; the
 * rows cover everything all the same. */
bool wcts_generate_improve(struct wcts_generate_search *search, uint64_t looks);

#endif
