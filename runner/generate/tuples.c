/* SPDX-License-Identifier: MIT */
#include "tuples.h"

#include <stdlib.h>

static bool count_sets(struct wcts_generate_tuples *tuples)
{
    for (int n = 0; n <= WCTS_GENERATE_PARAMETERS_MAX; n++) {
        tuples->choose[n][0] = 1;
        for (int k = 1; k <= WCTS_GENERATE_STRENGTH_MAX; k++) {
            uint64_t sum =
                n == 0 ? 0 : (uint64_t)tuples->choose[n - 1][k - 1] + tuples->choose[n - 1][k];
            tuples->choose[n][k] = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
        }
    }
    tuples->sets = tuples->choose[tuples->model->parameter_count][tuples->strength];
    return tuples->sets < WCTS_GENERATE_TUPLES_MAX;
}

/* The next set of parameters in the order of ranks: the last differs slowest. */
static bool next_set(int *set, int strength, int parameters)
{
    for (int i = 0; i < strength; i++) {
        int limit = i + 1 < strength ? set[i + 1] : parameters;
        if (set[i] + 1 < limit) {
            set[i]++;
            for (int j = 0; j < i; j++)
                set[j] = j;
            return true;
        }
    }
    return false;
}

static bool number_tuples(struct wcts_generate_tuples *tuples)
{
    int set[WCTS_GENERATE_STRENGTH_MAX];
    uint64_t count = 0;
    uint32_t rank = 0;
    for (int i = 0; i < tuples->strength; i++)
        set[i] = i;
    do {
        uint64_t combinations = 1;
        for (int i = 0; i < tuples->strength; i++)
            combinations *= (uint64_t)tuples->model->values[set[i]];
        tuples->begins[rank++] = (uint32_t)count;
        count += combinations;
        if (count > WCTS_GENERATE_TUPLES_MAX)
            return false;
    } while (next_set(set, tuples->strength, tuples->model->parameter_count));
    tuples->begins[rank] = tuples->count = (uint32_t)count;
    return true;
}

bool wcts_generate_tuples_init(struct wcts_generate_tuples *tuples,
                               const struct wcts_generate_model *model, int strength)
{
    *tuples = (struct wcts_generate_tuples){.model = model, .strength = strength};
    if (!count_sets(tuples))
        return false;
    tuples->begins = calloc((size_t)tuples->sets + 1, sizeof *tuples->begins);
    if (tuples->begins && number_tuples(tuples))
        tuples->rows = calloc(tuples->count, sizeof *tuples->rows);
    if (!tuples->rows)
        wcts_generate_tuples_release(tuples);
    return tuples->rows != NULL;
}

void wcts_generate_tuples_release(struct wcts_generate_tuples *tuples)
{
    free(tuples->begins);
    free(tuples->rows);
    tuples->begins = NULL;
    tuples->rows = NULL;
}

/* Walks over the sets of parameters that hold one parameter, the least first. */
struct generate_spotting {
    const struct wcts_generate_tuples *tuples;
    const int *among;
    int among_count, parameter;
    const uint8_t *row;
    struct wcts_generate_spot *next;
};

/* place: how many of the set are chosen; rank, value: of these; stride: of the next one's value;
 * step: the parameter's stride once it is chosen, else 0. */
static void spot(struct generate_spotting *spotting, int from, int place, uint32_t rank,
                 uint32_t value, uint32_t stride, uint32_t step)
{
    const struct wcts_generate_tuples *tuples = spotting->tuples;
    int strength = tuples->strength;
    if (place == strength) {
        *spotting->next++ = (struct wcts_generate_spot){tuples->begins[rank] + value, step};
        return;
    }
    /* The others that are still less than the parameter, while a place is left for it. */
    for (int i = from; i < spotting->among_count; i++) {
        int other = spotting->among[i];
        if (step == 0 && other > spotting->parameter)
            break;
        if (step != 0 || place + 1 < strength)
            spot(spotting, i + 1, place + 1, rank + tuples->choose[other][place + 1],
                 value + spotting->row[other] * stride,
                 stride * (uint32_t)tuples->model->values[other], step);
    }
    if (step == 0) {
        int i = from;
        while (i < spotting->among_count && spotting->among[i] < spotting->parameter)
            i++;
        spot(spotting, i, place + 1, rank + tuples->choose[spotting->parameter][place + 1], value,
             stride * (uint32_t)tuples->model->values[spotting->parameter], stride);
    }
}

uint32_t wcts_generate_spots(const struct wcts_generate_tuples *tuples, int parameter,
                             const int *among, int among_count, const uint8_t *row,
                             struct wcts_generate_spot *spots)
{
    struct generate_spotting spotting = {tuples, among, among_count, parameter, row, spots};
    if (among_count + 1 >= tuples->strength)
        spot(&spotting, 0, 0, 0, 0, 1, 0);
    return (uint32_t)(spotting.next - spots);
}

void wcts_generate_tuple_read(const struct wcts_generate_tuples *tuples, uint32_t tuple,
                              int *parameters, uint8_t *values)
{
    uint32_t low = 0, high = tuples->sets, rest;
    int parameter = tuples->model->parameter_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tuples->begins[middle] <= tuple)
            low = middle;
        else
            high = middle;
    }
    rest = low;
    for (int place = tuples->strength; place > 0; place--) {
        do
            parameter--;
        while (tuples->choose[parameter][place] > rest);
        rest -= tuples->choose[parameter][place];
        parameters[place - 1] = parameter;
    }
    rest = tuple - tuples->begins[low];
    for (int i = 0; i < tuples->strength; i++) {
        uint32_t count = (uint32_t)tuples->model->values[parameters[i]];
        values[i] = (uint8_t)(rest % count);
        rest /= count;
    }
}

static void each_tuple(const struct wcts_generate_tuples *tuples, const uint8_t *row, int from,
                       int place, uint32_t rank, uint32_t value, uint32_t stride,
                       wcts_generate_tuple_fn *visit, void *ctx)
{
    if (place == tuples->strength) {
        visit(ctx, tuples->begins[rank] + value);
        return;
    }
    for (int i = from; i < tuples->model->parameter_count; i++)
        each_tuple(tuples, row, i + 1, place + 1, rank + tuples->choose[i][place + 1],
                   value + row[i] * stride, stride * (uint32_t)tuples->model->values[i], visit,
                   ctx);
}

void wcts_generate_each_tuple(const struct wcts_generate_tuples *tuples, const uint8_t *row,
                              wcts_generate_tuple_fn *visit, void *ctx)
{
    each_tuple(tuples, row, 0, 0, 0, 0, 1, visit, ctx);
}
