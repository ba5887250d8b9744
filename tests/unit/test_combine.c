/* SPDX-License-Identifier: MIT */
/*
 * The combinations of the suite, by the oracle's whole judgement of worlds made anew, and by
 * listing every call of a small base. Runs in the top directory.
 */
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/generate/combine.h"
#include "runner/plan/plan.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_eval eval;
static struct wcts_oracle_reads reads;

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
    ck_assert(wcts_oracle_reads_init(&reads, &eval));
}

static void tear_down(void)
{
    wcts_oracle_reads_release(&reads);
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

static int base_named(const char *name)
{
    for (int i = 0; i < spec->cases->bases_count; i++)
        if (strcmp(spec->cases->bases[i].name, name) == 0)
            return i;
    ck_abort_msg("no base %s", name);
}

/* ---- Every call of a base ---- */

/* A pair of values: of all valid calls some have it, of all rows some. */
struct pair {
    bool possible, had;
};

#define PARAMETERS_MAX 16
static struct pair *pair_of(struct pair *pairs, int first, int second, int v, int w)
{
    size_t parameters = (size_t)first * PARAMETERS_MAX + (size_t)second;
    return &pairs[(parameters * WCTS_GENERATE_VALUES_MAX + (size_t)v) * WCTS_GENERATE_VALUES_MAX +
                  (size_t)w];
}

static void note_pairs(struct pair *pairs, const struct wcts_generate_base *model,
                       const uint8_t *row, bool had)
{
    for (int i = 0; i < model->place_count; i++)
        for (int j = i + 1; j < model->place_count; j++) {
            struct pair *pair = pair_of(pairs, i, j, row[i], row[j]);
            pair->possible = pair->possible || !had;
            pair->had = pair->had || had;
        }
}

/* A world made anew, and changed by one fact after the other. */
static bool is_valid_anew(const struct wcts_generate_base *model, const uint8_t *row)
{
    struct wcts_world world;
    bool valid;
    ck_assert(wcts_world_init_base(&world, &eval, model->base, 0, 4096));
    for (int i = 0; i < model->place_count; i++) {
        const struct wcts_generate_place *place = &model->places[i];
        struct wcts_value value = place->values[row[i]];
        if (place->instance == WCTS_GENERATE_VERSION)
            world.version = (int)value.number;
        else if (place->instance == WCTS_GENERATE_PAGE_SIZE)
            world.page_size = (uint32_t)value.number;
        else
            wcts_world_put(&world, place->instance, place->ref, value);
    }
    wcts_world_settle(&world);
    valid = wcts_world_is_valid(&world);
    wcts_world_release(&world);
    return valid;
}

static bool next_row(const struct wcts_generate_base *model, uint8_t *row)
{
    for (int i = 0; i < model->place_count; i++) {
        if (++row[i] < model->places[i].value_count)
            return true;
        row[i] = 0;
    }
    return false;
}

/* Bases of few enough calls at one version and page size to list them all. */
static const char *const small[] = {"copy", "map", "unmap", "share"};

START_TEST(the_rows_have_every_pair_that_a_valid_call_has)
{
    const struct wcts_generate_base_options options = {.from = spec->versions_count - 1,
                                                       .until = spec->versions_count,
                                                       .rule = -1,
                                                       .one_page_size = true,
                                                       .the_call_alone = true};
    size_t room = (size_t)PARAMETERS_MAX * PARAMETERS_MAX * WCTS_GENERATE_VALUES_MAX *
                  WCTS_GENERATE_VALUES_MAX;
    struct wcts_generate_options wanted = {2, 1, 0};
    struct wcts_generate_base model;
    struct wcts_generate_rows rows = {0};
    struct pair *pairs = calloc(room, sizeof *pairs);
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX] = {0};
    int possible = 0, missing = 0;
    ck_assert_ptr_nonnull(pairs);
    ck_assert(wcts_generate_base_init(&model, &reads, base_named(small[_i]), &options));
    ck_assert_int_le(model.place_count, PARAMETERS_MAX);
    do
        if (is_valid_anew(&model, row))
            note_pairs(pairs, &model, row, false);
    while (next_row(&model, row));
    ck_assert_int_eq(wcts_generate_rows(&model.model, &wanted, &rows), WCTS_GENERATE_DONE);
    for (int i = 0; i < rows.count; i++) {
        const uint8_t *one = &rows.values[(size_t)i * (size_t)model.place_count];
        ck_assert_msg(is_valid_anew(&model, one), "%s: row %d is not valid", small[_i], i);
        note_pairs(pairs, &model, one, true);
    }
    for (size_t i = 0; i < room; i++) {
        missing += pairs[i].possible != pairs[i].had;
        possible += pairs[i].possible;
    }
    ck_assert_int_eq(missing, 0);
    ck_assert_int_ge(possible, model.place_count);
    free(pairs);
    free(rows.values);
    wcts_generate_base_release(&model);
}
END_TEST

START_TEST(what_forbids_a_row_forbids_all_with_its_terms)
{
    const struct wcts_generate_base_options options = {.until = spec->versions_count, .rule = -1};
    struct wcts_generate_base model;
    uint64_t drawn = (uint64_t)_i;
    int forbidden = 0;
    ck_assert(wcts_generate_base_init(&model, &reads, base_named("create"), &options));
    for (int n = 0; n < 300; n++) {
        struct wcts_generate_term terms[WCTS_GENERATE_PARAMETERS_MAX];
        uint8_t row[WCTS_GENERATE_PARAMETERS_MAX] = {0};
        int count = 0;
        for (int i = 0; i < model.place_count; i++) {
            drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407u;
            if (i == 0 || (drawn >> 33) % 6 == 0)
                row[i] = (uint8_t)((drawn >> 40) % (uint64_t)model.places[i].value_count);
        }
        if (!model.model.forbids(model.model.forbids_ctx, row, terms, &count)) {
            ck_assert(is_valid_anew(&model, row));
            continue;
        }
        forbidden++;
        ck_assert(!is_valid_anew(&model, row));
        for (int t = 0; t < count; t++)
            ck_assert(terms[t].values >> row[terms[t].parameter] & 1);
        /* Other calls with these terms are wrong, too. */
        for (int m = 0; m < 10; m++) {
            for (int i = 0; i < model.place_count; i++) {
                uint64_t allowed = UINT64_MAX;
                for (int t = 0; t < count; t++)
                    if (terms[t].parameter == i)
                        allowed = terms[t].values;
                do {
                    drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407u;
                    row[i] = (uint8_t)((drawn >> 40) % (uint64_t)model.places[i].value_count);
                } while (!(allowed >> row[i] & 1));
            }
            ck_assert(!is_valid_anew(&model, row));
        }
    }
    ck_assert_int_gt(forbidden, 30);
    wcts_generate_base_release(&model);
}
END_TEST

/* ---- The combinations of the suite ---- */

static void predict(const struct wcts_combination *one, const struct wcts_facts *facts,
                    struct wcts_oracle_prediction *prediction, bool *in_gap)
{
    const struct wcts_case test = {
        .base = one->base, .version = one->version, .page_size = one->page_size};
    struct wcts_world world;
    ck_assert(wcts_oracle_case_world(&world, &eval, &test, facts->facts, facts->count));
    wcts_world_judge(&world, prediction);
    *in_gap = wcts_world_gap(&world) != NULL;
    wcts_world_release(&world);
}

static int bits_apart(const struct wcts_facts *a, const struct wcts_facts *b)
{
    int differ = 0;
    for (int i = 0; i < a->count; i++) {
        const struct wcts_fact *same = NULL;
        for (int j = 0; j < b->count; j++)
            if (b->facts[j].instance == a->facts[i].instance &&
                b->facts[j].ref.member == a->facts[i].ref.member)
                same = &b->facts[j];
        differ += !same || same->value.symbol != a->facts[i].value.symbol ||
                  same->value.number != a->facts[i].value.number;
    }
    return differ;
}

START_TEST(each_is_valid_or_breaks_its_rule_alone)
{
    struct wcts_generate_combinations made;
    int valid = 0, broken = 0;
    ck_assert(wcts_generate_combine(spec, 2, &made));
    ck_assert_int_eq(made.left_out, 0);
    for (int i = 0; i < made.count; i++) {
        const struct wcts_combination *one = &made.list[i];
        const struct wcts_rule *rule = &spec->rules[one->rule];
        struct wcts_oracle_prediction prediction;
        bool in_gap;
        ck_assert(i == 0 || one[-1].rule <= one->rule);
        predict(one, one->facts, &prediction, &in_gap);
        ck_assert(!in_gap);
        if (!one->twin) {
            ck_assert_int_eq(prediction.broken_count, 0);
            ck_assert_int_eq(prediction.expect, WCTS_EXPECT_ACCEPT);
            valid++;
            continue;
        }
        broken++;
        ck_assert(wcts_oracle_is_refusal(prediction.expect));
        for (int b = 0; b < prediction.broken_count; b++)
            ck_assert_msg(prediction.broken[b] == one->rule ||
                              wcts_list_has(rule->masked_by, spec->rules[prediction.broken[b]].id),
                          "%s is broken beside %s", spec->rules[prediction.broken[b]].id, rule->id);
        predict(one, one->twin, &prediction, &in_gap);
        ck_assert(!in_gap && prediction.broken_count == 0 &&
                  prediction.expect == WCTS_EXPECT_ACCEPT);
        ck_assert_int_le(bits_apart(one->facts, one->twin) + bits_apart(one->twin, one->facts), 2);
    }
    ck_assert_int_gt(valid, 500);
    ck_assert_int_gt(broken, 100);
    wcts_generate_combinations_release(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("combine");
    TCase *combine = tcase_create("combine");
    tcase_add_checked_fixture(combine, set_up, tear_down);
    tcase_set_timeout(combine, 120);
    tcase_add_loop_test(combine, the_rows_have_every_pair_that_a_valid_call_has, 0,
                        (int)(sizeof small / sizeof *small));
    tcase_add_loop_test(combine, what_forbids_a_row_forbids_all_with_its_terms, 1, 3);
    tcase_add_test(combine, each_is_valid_or_breaks_its_rule_alone);
    suite_add_tcase(suite, combine);
    return suite_run(suite);
}
