/* SPDX-License-Identifier: MIT */
/*
 * Covering arrays, by a checker written apart: it lists every row that keeps the constraints, and
 * reads from that list which tuples there are. Random models, hard ones, and those of tests/bench.
 */

#include "suite.h"
#include "tests/bench/models.h"

/* Every legal row of a model, and for each value of a parameter the set of rows that have it. */
struct every_row {
    int words;
    uint64_t *sets[WCTS_GENERATE_PARAMETERS_MAX][WCTS_GENERATE_VALUES_MAX];
    long rows;
};

static bool is_forbidden(const struct wcts_generate_model *model, const uint8_t *row)
{
    for (int i = 0; i < model->nogood_count; i++) {
        int held = 0;
        for (int t = 0; t < model->nogoods[i].count; t++) {
            const struct wcts_generate_term *term = &model->nogoods[i].terms[t];
            held += (term->values & UINT64_C(1) << row[term->parameter]) != 0;
        }
        if (held == model->nogoods[i].count)
            return true;
    }
    return false;
}

/* Counts up through the rows. */
static bool next_row(const struct wcts_generate_model *model, uint8_t *row)
{
    for (int i = 0; i < model->parameter_count; i++) {
        if (++row[i] < model->values[i])
            return true;
        row[i] = 0;
    }
    return false;
}

static void list_rows(struct every_row *every, const struct wcts_generate_model *model)
{
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX] = {0};
    double all = 1;
    for (int i = 0; i < model->parameter_count; i++)
        all *= model->values[i];
    every->rows = 0;
    every->words = (int)(all / 64) + 1;
    for (int i = 0; i < model->parameter_count; i++)
        for (int v = 0; v < model->values[i]; v++) {
            every->sets[i][v] = calloc((size_t)every->words, sizeof(uint64_t));
            ck_assert_ptr_nonnull(every->sets[i][v]);
        }
    do {
        if (is_forbidden(model, row))
            continue;
        for (int i = 0; i < model->parameter_count; i++)
            every->sets[i][row[i]][every->rows / 64] |= UINT64_C(1) << every->rows % 64;
        every->rows++;
    } while (next_row(model, row));
    every->words = (int)(every->rows / 64) + 1;
}

static void free_rows(struct every_row *every, const struct wcts_generate_model *model)
{
    for (int i = 0; i < model->parameter_count; i++)
        for (int v = 0; v < model->values[i]; v++)
            free(every->sets[i][v]);
}

/* A walk over all tuples of a strength: which there are, and which the rows have. */
struct counting {
    const struct wcts_generate_model *model;
    const struct every_row *every;
    const struct wcts_generate_rows *made;
    int strength;
    int parameters[WCTS_GENERATE_STRENGTH_MAX];
    uint8_t values[WCTS_GENERATE_STRENGTH_MAX];
    uint64_t allowed, had, impossible;
};

static bool can_be(const struct counting *counting)
{
    for (int w = 0; w < counting->every->words; w++) {
        uint64_t rows = UINT64_MAX;
        for (int i = 0; i < counting->strength; i++)
            rows &= counting->every->sets[counting->parameters[i]][counting->values[i]][w];
        if (rows)
            return true;
    }
    return false;
}

static bool is_had(const struct counting *counting)
{
    for (int r = 0; r < counting->made->count; r++) {
        const uint8_t *row = counting->made->values + r * counting->model->parameter_count;
        int same = 0;
        for (int i = 0; i < counting->strength; i++)
            same += row[counting->parameters[i]] == counting->values[i];
        if (same == counting->strength && !is_forbidden(counting->model, row))
            return true;
    }
    return false;
}

static void count_tuples(struct counting *counting, int place, int from)
{
    if (place == counting->strength) {
        bool can = can_be(counting), had = is_had(counting);
        ck_assert_msg(can || !had, "a legal row has what no legal row has");
        counting->allowed += can;
        counting->impossible += !can;
        counting->had += had;
        return;
    }
    for (int p = from; p < counting->model->parameter_count; p++)
        for (int v = 0; v < counting->model->values[p]; v++) {
            counting->parameters[place] = p;
            counting->values[place] = (uint8_t)v;
            count_tuples(counting, place + 1, p + 1);
        }
}

/* Makes rows, and holds them and their measure against the list of all rows. Returns how many. */
static int check_told(const struct wcts_generate_model *model,
                      const struct wcts_generate_model *told, const struct every_row *every,
                      struct wcts_generate_options options)
{
    struct wcts_generate_rows made;
    struct wcts_generate_measure measure;
    struct counting counting = {.model = model, .every = every, .made = &made};
    enum wcts_generate_end end = wcts_generate_rows(told, &options, &made);
    ck_assert_int_eq(end, every->rows > 0 ? WCTS_GENERATE_DONE : WCTS_GENERATE_NO_ROW);
    for (int r = 0; r < made.count; r++)
        ck_assert(!is_forbidden(model, made.values + r * model->parameter_count));
    counting.strength = options.strength;
    count_tuples(&counting, 0, 0);
    ck_assert_uint_eq(counting.had, counting.allowed);
    ck_assert_int_eq(wcts_generate_measure(told, options.strength, &made, &measure),
                     WCTS_GENERATE_DONE);
    ck_assert_uint_eq(measure.tuples, counting.allowed);
    ck_assert_uint_eq(measure.covered, counting.allowed);
    ck_assert_uint_eq(measure.infeasible, counting.impossible);
    ck_assert_int_eq(measure.broken, 0);
    free(made.values);
    return made.count;
}

static int check_model(const struct wcts_generate_model *model, const struct every_row *every,
                       struct wcts_generate_options options)
{
    return check_told(model, model, every, options);
}

/* ---- Random models ---- */

static uint32_t seeded(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % limit;
}

static void draw_model(struct wcts_generate_model *model, uint64_t *state)
{
    int parameters = 3 + (int)seeded(state, 5), nogoods = (int)seeded(state, 14);
    *model = (struct wcts_generate_model){0};
    for (int i = 0; i < parameters; i++)
        ck_assert_int_eq(wcts_generate_parameter(model, 1 + (int)seeded(state, 4)), i);
    for (int n = 0; n < nogoods; n++) {
        struct wcts_generate_term terms[8];
        int count = 0;
        for (int p = 0; p < parameters; p++)
            if (seeded(state, 3) == 0)
                terms[count++] =
                    (struct wcts_generate_term){p, 1 + seeded(state, (1u << model->values[p]) - 1)};
        if (count > 0)
            ck_assert(wcts_generate_forbid(model, terms, count));
    }
}

/* A model of which every second nogood is not told, but answered when a row is asked about. */
static bool forbids(void *ctx, const uint8_t *row, struct wcts_generate_term *terms, int *count)
{
    const struct wcts_generate_model *whole = ctx;
    for (int i = 1; i < whole->nogood_count; i += 2) {
        const struct wcts_generate_nogood *nogood = &whole->nogoods[i];
        int held = 0;
        for (int t = 0; t < nogood->count; t++)
            held += (int)(nogood->terms[t].values >> row[nogood->terms[t].parameter] & 1);
        if (held == nogood->count) {
            memcpy(terms, nogood->terms, (size_t)nogood->count * sizeof *terms);
            *count = nogood->count;
            return true;
        }
    }
    return false;
}

static void hide(const struct wcts_generate_model *whole, struct wcts_generate_model *model)
{
    *model = (struct wcts_generate_model){.forbids = forbids, .forbids_ctx = (void *)whole};
    for (int i = 0; i < whole->parameter_count; i++)
        wcts_generate_parameter(model, whole->values[i]);
    for (int i = 0; i < whole->nogood_count; i += 2)
        wcts_generate_forbid(model, whole->nogoods[i].terms, whole->nogoods[i].count);
}

static long with_rows, without_rows;

START_TEST(test_random_models)
{
    uint64_t state = (uint64_t)_i;
    with_rows = without_rows = 0;
    for (int i = 0; i < 60; i++) {
        struct wcts_generate_model model, told;
        struct every_row every;
        int strength, at_once, fewer;
        draw_model(&model, &state);
        list_rows(&every, &model);
        strength = 1 + (int)seeded(&state, (uint32_t)(model.parameter_count < 4 ? 3 : 4));
        at_once = check_model(&model, &every, (struct wcts_generate_options){strength, 1, 0});
        fewer = check_model(&model, &every, (struct wcts_generate_options){strength, 1, 200000});
        ck_assert_int_le(fewer, at_once);
        hide(&model, &told);
        check_told(&model, &told, &every, (struct wcts_generate_options){strength, 1, 100000});
        wcts_generate_model_release(&told);
        with_rows += every.rows > 0;
        without_rows += every.rows == 0;
        free_rows(&every, &model);
        wcts_generate_model_release(&model);
    }
    ck_assert_int_gt(with_rows, 10);
}
END_TEST

/* Each parameter has the value of the one before it, or the next value: most tuples of far ones are
 * left, and those of near ones are not. */
START_TEST(test_chain)
{
    struct wcts_generate_model model = {0};
    struct every_row every;
    for (int i = 0; i < 10; i++)
        wcts_generate_parameter(&model, 3);
    for (int i = 1; i < 10; i++)
        for (int v = 0; v < 3; v++) {
            struct wcts_generate_term terms[] = {{i - 1, UINT64_C(1) << v},
                                                 {i, UINT64_C(1) << (v + 2) % 3}};
            ck_assert(wcts_generate_forbid(&model, terms, 2));
        }
    list_rows(&every, &model);
    ck_assert_int_eq(every.rows, 3 * 512);
    check_model(&model, &every, (struct wcts_generate_options){3, 7, 100000});
    free_rows(&every, &model);
    wcts_generate_model_release(&model);
}
END_TEST

/* Thirteen that all differ: every choice decides others. */
START_TEST(test_all_differ)
{
    struct wcts_generate_model model = {0};
    struct wcts_generate_options options = {2, 1, 0};
    struct wcts_generate_rows rows;
    struct wcts_generate_measure measure;
    for (int i = 0; i < 13; i++)
        wcts_generate_parameter(&model, 13);
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < i; j++)
            for (int v = 0; v < 13; v++) {
                struct wcts_generate_term terms[] = {{i, UINT64_C(1) << v}, {j, UINT64_C(1) << v}};
                ck_assert(wcts_generate_forbid(&model, terms, 2));
            }
    ck_assert_int_eq(wcts_generate_rows(&model, &options, &rows), WCTS_GENERATE_DONE);
    ck_assert_int_eq(wcts_generate_measure(&model, 2, &rows, &measure), WCTS_GENERATE_DONE);
    ck_assert_uint_eq(measure.tuples, 13 * 12 / 2 * 13 * 12);
    ck_assert_uint_eq(measure.covered, measure.tuples);
    ck_assert_uint_eq(measure.infeasible, 13 * 12 / 2 * 13);
    free(rows.values);
    wcts_generate_model_release(&model);
}
END_TEST

/* ---- The interface ---- */

START_TEST(test_measure_of_others)
{
    struct wcts_generate_model model = {0};
    struct wcts_generate_term both[] = {{0, 2}, {1, 2}};
    uint8_t values[] = {0, 0, 0, 1, 1, 1, 1, 1, 0};
    struct wcts_generate_rows rows = {values, 3};
    struct wcts_generate_measure measure;
    for (int i = 0; i < 3; i++)
        wcts_generate_parameter(&model, 2);
    wcts_generate_forbid(&model, both, 2);
    ck_assert_int_eq(wcts_generate_measure(&model, 2, &rows, &measure), WCTS_GENERATE_DONE);
    ck_assert_uint_eq(measure.tuples, 11);
    ck_assert_uint_eq(measure.infeasible, 1);
    ck_assert_uint_eq(measure.covered, 3);
    ck_assert_int_eq(measure.broken, 2);
    wcts_generate_model_release(&model);
}
END_TEST

START_TEST(test_same_seed)
{
    struct named_model named;
    struct wcts_generate_options options = {2, 5, 100000};
    struct wcts_generate_rows rows[2];
    ck_assert(model_read(&named, "a"));
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(wcts_generate_rows(&named.model, &options, &rows[i]), WCTS_GENERATE_DONE);
    ck_assert_int_eq(rows[0].count, rows[1].count);
    ck_assert_mem_eq(rows[0].values, rows[1].values,
                     (size_t)(rows[0].count * named.model.parameter_count));
    free(rows[0].values);
    free(rows[1].values);
    wcts_generate_model_release(&named.model);
}
END_TEST

START_TEST(test_limits)
{
    struct wcts_generate_model model = {0};
    struct wcts_generate_options options = {2, 1, 0};
    struct wcts_generate_rows rows;
    ck_assert_int_eq(wcts_generate_parameter(&model, 0), -1);
    ck_assert_int_eq(wcts_generate_parameter(&model, 65), -1);
    ck_assert_int_eq(wcts_generate_parameter(&model, 64), 0);
    ck_assert_int_eq(wcts_generate_rows(&model, &options, &rows), WCTS_GENERATE_TOO_LARGE);
    while (model.parameter_count < WCTS_GENERATE_PARAMETERS_MAX)
        ck_assert_int_ge(wcts_generate_parameter(&model, 64), 0);
    ck_assert_int_eq(wcts_generate_parameter(&model, 2), -1);
    options.strength = 6;
    ck_assert_int_eq(wcts_generate_rows(&model, &options, &rows), WCTS_GENERATE_TOO_LARGE);
    options.strength = 7;
    ck_assert_int_eq(wcts_generate_rows(&model, &options, &rows), WCTS_GENERATE_TOO_LARGE);
    wcts_generate_model_release(&model);
}
END_TEST

/* ---- Without memory ---- */

static long granted = -1; /* arrays that still may grow; -1: any number */

/* Instead of the C library's. */
void *reallocarray(void *array, size_t count, size_t size)
{
    if (granted == 0)
        return NULL;
    if (granted > 0)
        granted--;
    return realloc(array, count * size);
}

/* Wherever an array can no longer grow: the rows are those that would have been made, or none. Half
 * of what is forbidden has to be learnt. */
START_TEST(test_no_memory)
{
    struct wcts_generate_model model = {0}, told;
    struct wcts_generate_options options = {2, 1, 0};
    struct wcts_generate_rows all, rows;
    struct wcts_generate_measure measure;
    long needed = 0, failed = 0;
    for (int i = 0; i < 6; i++)
        wcts_generate_parameter(&model, 3);
    for (int i = 1; i < 6; i++)
        for (int v = 0; v < 3; v++) {
            struct wcts_generate_term terms[] = {{i - 1, UINT64_C(1) << v},
                                                 {i, UINT64_C(1) << (v + 2) % 3}};
            ck_assert(wcts_generate_forbid(&model, terms, 2));
        }
    hide(&model, &told);
    ck_assert_int_eq(wcts_generate_rows(&told, &options, &all), WCTS_GENERATE_DONE);
    for (bool enough = false; !enough; needed++) {
        enum wcts_generate_end end;
        granted = needed;
        end = wcts_generate_rows(&told, &options, &rows);
        enough = granted > 0;
        granted = needed;
        if (wcts_generate_measure(&told, 2, &all, &measure) == WCTS_GENERATE_DONE)
            ck_assert_uint_eq(measure.covered, measure.tuples);
        granted = -1;
        failed += end == WCTS_GENERATE_TOO_LARGE;
        ck_assert(end == WCTS_GENERATE_DONE || end == WCTS_GENERATE_TOO_LARGE);
        ck_assert_int_eq(rows.count, end == WCTS_GENERATE_DONE ? all.count : 0);
        free(rows.values);
    }
    ck_assert_int_gt(failed, 5);
    free(all.values);
    wcts_generate_model_release(&told);
    wcts_generate_model_release(&model);
}
END_TEST

/* ---- The models that others were measured with ---- */

/* Every row of b would be four million of 22 flags: the words of a are enough for the list. */
START_TEST(test_flags)
{
    struct named_model named;
    struct every_row every;
    ck_assert(model_read(&named, "a"));
    ck_assert_int_eq(named.model.parameter_count, 23);
    list_rows(&every, &named.model);
    for (int strength = 1; strength <= 3; strength++)
        check_model(&named.model, &every, (struct wcts_generate_options){strength, 1, 0});
    free_rows(&every, &named.model);
    wcts_generate_model_release(&named.model);
}
END_TEST

/* Never more rows than the better of the others. c at strength 3 takes seconds: make bench has it.
 */
START_TEST(test_figures)
{
    const struct bench_figure *figure = &figures[_i];
    struct wcts_generate_options options = {figure->strength, 1, UINT64_C(10000000)};
    struct wcts_generate_measure measure;
    struct wcts_generate_rows rows;
    struct named_model named;
    ck_assert(model_read(&named, figure->model));
    if (named.model.parameter_count < 50 || figure->strength < 3) {
        ck_assert_int_eq(wcts_generate_rows(&named.model, &options, &rows), WCTS_GENERATE_DONE);
        ck_assert_int_le(rows.count, figure->pict);
        ck_assert_int_le(rows.count, figure->jenny);
        wcts_generate_measure(&named.model, figure->strength, &rows, &measure);
        ck_assert_uint_eq(measure.covered, measure.tuples);
        ck_assert_int_eq(measure.broken, 0);
        free(rows.values);
    }
    wcts_generate_model_release(&named.model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("generate");
    TCase *tests = tcase_create("generate");
    tcase_add_loop_test(tests, test_random_models, 0, 6);
    tcase_add_test(tests, test_chain);
    tcase_add_test(tests, test_all_differ);
    tcase_add_test(tests, test_measure_of_others);
    tcase_add_test(tests, test_same_seed);
    tcase_add_test(tests, test_limits);
    tcase_add_test(tests, test_no_memory);
    tcase_add_test(tests, test_flags);
    tcase_add_loop_test(tests, test_figures, 0, (int)(sizeof figures / sizeof figures[0]));
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
