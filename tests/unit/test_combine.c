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

/* ---- What meets in a call ---- */

/* The value of a member of the call, or of an answer, in a row of the suite. */
static uint64_t value_of(const struct wcts_combination *one, const char *instance, const char *name)
{
    const struct wcts_case test = {
        .base = one->base, .version = one->version, .page_size = one->page_size};
    struct wcts_world world;
    uint64_t value = UINT64_MAX;
    ck_assert(wcts_oracle_case_world(&world, &eval, &test, one->facts->facts, one->facts->count));
    for (int i = 0; i < world.count; i++) {
        const struct wcts_structure *structure = &spec->structures[world.instances[i].structure];
        for (int m = 0; m < structure->member_count; m++)
            if (strcmp(world.instances[i].name, instance) == 0 &&
                strcmp(structure->members[m].name, name) == 0)
                value = world.instances[i].values[m].number;
    }
    wcts_world_release(&world);
    return value;
}

static int differing(const struct wcts_facts *facts, int answers)
{
    int count = 0;
    for (int i = 0; i < facts->count; i++)
        count += facts->facts[i].instance < answers;
    return count;
}

/* True if the driver's answers of one row and the call of another are a valid call together. */
static bool go_together(const struct wcts_combination *answers, const struct wcts_combination *call,
                        int adapter_count)
{
    struct wcts_case test = {
        .base = call->base, .version = call->version, .page_size = call->page_size};
    struct wcts_fact facts[2 * WCTS_FACTS_MAX];
    struct wcts_world world;
    int count = 0;
    bool valid;
    for (int i = 0; i < answers->facts->count; i++)
        if (answers->facts->facts[i].instance < adapter_count)
            facts[count++] = answers->facts->facts[i];
    for (int i = 0; i < call->facts->count; i++)
        if (call->facts->facts[i].instance >= adapter_count)
            facts[count++] = call->facts->facts[i];
    ck_assert(wcts_oracle_case_world(&world, &eval, &test, facts, count));
    valid = wcts_world_is_valid(&world);
    wcts_world_release(&world);
    return valid;
}

/* Flags of a segment and of a creation: whatever two of them a valid call has together some row
 * has; calls are made of the segment of one row and the creation of another. */
START_TEST(flags_of_both_words_meet)
{
    struct wcts_generate_combinations made;
    static bool had[64][64], possible[64][64];
    int base = base_named("create"), met = 0, missing = 0;
    int answers = spec->cases->adapters[spec->cases->bases[base].adapter].instance_count;
    struct {
        const struct wcts_combination *row;
        uint64_t segment, creation;
    } * rows;
    int count = 0;
    memset(had, 0, sizeof had);
    memset(possible, 0, sizeof possible);
    ck_assert(wcts_generate_combine(spec, 2, &made));
    rows = calloc((size_t)made.count + 1, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    for (int i = 0; i < made.count; i++)
        if (made.list[i].base == base && !made.list[i].twin) {
            rows[count].row = &made.list[i];
            rows[count].segment = value_of(&made.list[i], "memory", "Flags");
            rows[count++].creation = value_of(&made.list[i], "D3DKMT_CREATEALLOCATION", "Flags");
        }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            bool valid = i == j || go_together(rows[i].row, rows[j].row, answers);
            for (uint64_t s = valid ? rows[i].segment : 0; s; s &= s - 1)
                for (uint64_t c = rows[j].creation; c; c &= c - 1) {
                    possible[__builtin_ctzll(s)][__builtin_ctzll(c)] = true;
                    if (i == j)
                        had[__builtin_ctzll(s)][__builtin_ctzll(c)] = true;
                }
        }
    for (int s = 0; s < 64; s++)
        for (int c = 0; c < 64; c++) {
            met += had[s][c];
            missing += possible[s][c] && !had[s][c];
        }
    ck_assert_int_eq(missing, 0);
    ck_assert_int_gt(met, 200);
    free(rows);
    wcts_generate_combinations_release(&made);
}
END_TEST

/* Every state of a base beside every number of allocations, and every version that both are at. */
START_TEST(states_meet_numbers_and_versions)
{
    struct wcts_generate_combinations made;
    static bool at_version[64][64], beside_number[64][4];
    int base = base_named("two-answers"), versions = 0, changed = 0;
    const struct wcts_cases *cases = spec->cases;
    int answers = cases->adapters[cases->bases[base].adapter].instance_count;
    ck_assert(wcts_generate_combine(spec, 2, &made));
    for (int i = 0; i < made.count; i++) {
        const struct wcts_combination *one = &made.list[i];
        uint64_t number;
        if (one->base != base || one->twin)
            continue;
        number = value_of(one, "D3DKMT_CREATEALLOCATION", "NumAllocations");
        ck_assert_uint_ge(number, 1);
        ck_assert_uint_le(number, 3);
        at_version[one->state][one->version] = beside_number[one->state][number] = true;
        changed += differing(one->facts, answers);
    }
    for (int s = 0; s <= cases->states_count; s++) {
        const struct wcts_base_state *state = &cases->states[s ? s - 1 : 0];
        if (s && !wcts_model_base_has_state(cases, &cases->bases[base], state))
            continue;
        for (int number = 1; number <= 3; number++)
            ck_assert_msg(beside_number[s][number], "state %d with %d", s, number);
        for (int v = 0; v < spec->versions_count; v++) {
            bool at = v >= cases->bases[base].since && v < cases->bases[base].until &&
                      (!s || (v >= state->since && v < state->until));
            ck_assert_msg(at == at_version[s][v], "state %d at version %d", s, v);
            versions += at;
        }
    }
    ck_assert_int_gt(versions, 2 * spec->versions_count);
    ck_assert_int_eq(changed, 0);
    wcts_generate_combinations_release(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("combine");
    TCase *combine = tcase_create("combine");
    tcase_add_checked_fixture(combine, set_up, tear_down);
    tcase_set_timeout(combine, 120);
    tcase_add_test(combine, flags_of_both_words_meet);
    tcase_add_test(combine, states_meet_numbers_and_versions);
    tcase_add_loop_test(combine, the_rows_have_every_pair_that_a_valid_call_has, 0,
                        (int)(sizeof small / sizeof *small));
    tcase_add_loop_test(combine, what_forbids_a_row_forbids_all_with_its_terms, 1, 3);
    tcase_add_test(combine, each_is_valid_or_breaks_its_rule_alone);
    suite_add_tcase(suite, combine);
    return suite_run(suite);
}
