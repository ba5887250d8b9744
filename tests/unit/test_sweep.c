/* SPDX-License-Identifier: MIT */
/*
 * The values that a sweep goes through: as many as trying all of them finds, each once, with the
 * rules that the oracle finds broken, in a world in which nothing else is wrong. Runs in the top
 * directory. WCTS_PART=K/N: all values are tried at a part of the versions.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../runner/load/spec_files.h"
#include "runner/oracle/sweep.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_eval eval;

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void tear_down(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

static uint64_t drawn;

static uint64_t draw(void)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return drawn >> 33;
}

static const char *word_name(struct wcts_ref member)
{
    return spec->words[wcts_model_ref_member(spec, member)->word].name;
}

/* ---- How many there are ---- */

/* What a walk through a set shows. */
struct seen {
    const struct wcts_oracle_sweep *sweep;
    uint64_t count, unplaced, last;
    uint8_t *had; /* a bit for each value; NULL: not noted */
};

static bool count_word(void *context, uint64_t word)
{
    struct seen *seen = context;
    seen->count++;
    /* A check that Check counts takes a hundred times as long as finding the value. */
    if (__builtin_popcountll(word) < __builtin_popcountll(seen->last))
        ck_abort_msg("0x%lx comes after a value of more bits", (unsigned long)word);
    if (word >> 23)
        ck_abort_msg("0x%lx has a bit that no word has", (unsigned long)word);
    if (seen->had[word / 8] >> word % 8 & 1)
        ck_abort_msg("0x%lx comes twice", (unsigned long)word);
    seen->last = word;
    seen->had[word / 8] |= (uint8_t)(1 << word % 8);
    return true;
}

/* Counts by trying all values of the bits that there are. */
static void count_all(const struct wcts_oracle_sweep *sweep, uint64_t *legal, uint64_t *single)
{
    uint64_t bits = sweep->defined | sweep->open, word = 0;
    do {
        int must = 0, other = 0;
        uint64_t broken = wcts_oracle_sweep_breaks(sweep, word);
        for (int i = 0; i < sweep->rule_count; i++) {
            must += broken >> i & 1 && sweep->rules[i].must;
            other += broken >> i & 1 && !sweep->rules[i].must;
        }
        *legal += must == 0 && other == 0;
        *single += must == 1 && other == 0;
        word = (word - bits) & bits;
    } while (word);
}

static void count_walks(const struct wcts_oracle_sweep *sweep, uint64_t *legal, uint64_t *single)
{
    struct seen seen = {.sweep = sweep, .had = calloc(1, (size_t)1 << 20)};
    ck_assert_ptr_nonnull(seen.had);
    wcts_oracle_sweep_each(sweep, WCTS_SWEEP_LEGAL, -1, count_word, &seen);
    *legal += seen.count;
    for (int i = 0; i < sweep->rule_count; i++) {
        seen.count = seen.last = 0;
        if (!sweep->rules[i].must)
            continue;
        wcts_oracle_sweep_each(sweep, WCTS_SWEEP_EXACTLY, i, count_word, &seen);
        *single += seen.count;
    }
    free(seen.had);
}

/* Counted apart, from the documents: the words, and the sums over all versions. Whoever takes the
 * row 0 1 1 of the standby table for a breach of two statements, and not of the row's alone, has
 * 278,656 fewer that break one: 3,065,199. */
static const struct {
    const char *word;
    uint64_t legal, single;
} counted[] = {{"D3DKMT_CREATEALLOCATIONFLAGS", 73564, 313652},
               {"DXGK_SEGMENTFLAGS", 1115153, 3343855}};

/* Whether all values are tried at a version: WCTS_PART=K/N, the K-th of N parts; else at each. */
static bool is_tried(int version)
{
    const char *part = getenv("WCTS_PART");
    int which, parts;
    return !part || sscanf(part, "%d/%d", &which, &parts) != 2 || parts < 1 ||
           version % parts == which % parts;
}

START_TEST(all_of_a_set_and_nothing_else)
{
    struct wcts_ref member = wcts_oracle_sweep_next(spec, (struct wcts_ref){-1, -1, -1});
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        uint64_t legal = 0, single = 0;
        ck_assert_int_ge(member.structure, 0);
        ck_assert_str_eq(word_name(member), counted[i].word);
        for (int version = 0; version < spec->versions_count; version++) {
            struct wcts_oracle_sweep sweep;
            uint64_t all = 0, alone = 0, walked = 0, walked_alone = 0;
            ck_assert(wcts_oracle_sweep_init(&sweep, &eval, member, version, 4096));
            count_walks(&sweep, &walked, &walked_alone);
            if (is_tried(version))
                count_all(&sweep, &all, &alone);
            ck_assert_msg(!is_tried(version) || (all == walked && alone == walked_alone),
                          "%s at %s: %lu legal, %lu alone, the walk %lu and %lu", counted[i].word,
                          spec->versions[version].name, (unsigned long)all, (unsigned long)alone,
                          (unsigned long)walked, (unsigned long)walked_alone);
            legal += walked;
            single += walked_alone;
            wcts_oracle_sweep_release(&sweep);
        }
        ck_assert_uint_eq(legal, counted[i].legal);
        ck_assert_uint_eq(single, counted[i].single);
        member = wcts_oracle_sweep_next(spec, member);
    }
    ck_assert_int_lt(member.structure, 0);
}
END_TEST

/* ---- What the oracle says of them ---- */

/* The world of a value where the sweep puts it. */
static void judge_there(const struct wcts_oracle_sweep *sweep,
                        const struct wcts_oracle_sweep_place *place, uint64_t word,
                        struct wcts_oracle_prediction *prediction)
{
    struct wcts_case test = {.base = place->base, .version = sweep->version, .page_size = 4096};
    const struct wcts_fact fact = {place->instance, sweep->member, {.symbol = -1, .number = word}};
    struct wcts_world world;
    ck_assert(wcts_oracle_case_world(&world, &eval, &test, NULL, 0));
    if (place->instance < world.adapter_count)
        test.alone = 1 + place->instance;
    wcts_world_release(&world);
    ck_assert(wcts_oracle_case_world(&world, &eval, &test, &fact, 1));
    wcts_world_judge(&world, prediction);
    wcts_world_release(&world);
}

/* The evaluator and the oracle agree on the value, in the place that it is put. */
static void compare_word(struct wcts_oracle_sweep *sweep, uint64_t word, uint64_t *unplaced)
{
    int place = wcts_oracle_sweep_place(sweep, word);
    uint64_t broken = wcts_oracle_sweep_breaks(sweep, word), left;
    struct wcts_oracle_prediction prediction;
    if (place < 0) {
        ++*unplaced;
        return;
    }
    judge_there(sweep, &sweep->places[place], word, &prediction);
    left = broken;
    for (int i = 0; i < prediction.broken_count; i++) {
        int at = wcts_oracle_sweep_find(sweep, prediction.broken[i]);
        if (at < 0 || !(left >> at & 1))
            ck_abort_msg("%s 0x%lx at %s: %s is broken, by the oracle", word_name(sweep->member),
                         (unsigned long)word, spec->versions[sweep->version].name,
                         spec->rules[prediction.broken[i]].id);
        left &= ~(UINT64_C(1) << at);
    }
    if (prediction.broken_count < 8)
        for (int i = 0; i < sweep->rule_count; i++) /* what may be a flag counts as one beside */
            if (left >> i & 1 && !(word & sweep->open & ~sweep->defined))
                ck_abort_msg("%s 0x%lx at %s: %s is broken, by the sweep", word_name(sweep->member),
                             (unsigned long)word, spec->versions[sweep->version].name,
                             spec->rules[sweep->rules[i].rule].id);
    if (broken == 0 && wcts_oracle_sweep_is_judged(sweep, WCTS_SWEEP_LEGAL, word))
        ck_assert_int_eq(prediction.expect, WCTS_EXPECT_ACCEPT);
}

#define WORDS_TRIED 4000
#define WORDS_ELSEWHERE 400

START_TEST(the_oracle_agrees)
{
    struct wcts_ref member = {-1, -1, -1};
    while ((member = wcts_oracle_sweep_next(spec, member)).structure >= 0)
        for (int version = 0; version < spec->versions_count; version++) {
            struct wcts_oracle_sweep sweep;
            uint64_t unplaced = 0;
            ck_assert(wcts_oracle_sweep_init(&sweep, &eval, member, version, 4096));
            ck_assert(wcts_oracle_sweep_places(&sweep));
            for (int i = 0; i < (is_tried(version) ? WORDS_TRIED : WORDS_ELSEWHERE); i++) {
                uint64_t word = draw() & (draw() | draw()) & (sweep.defined | sweep.open);
                if (i % 4 == 0)
                    word = draw() & draw() & draw() & UINT32_MAX;
                compare_word(&sweep, word, &unplaced);
            }
            ck_assert_msg(unplaced == 0, "%lu of %s at %s have no place", (unsigned long)unplaced,
                          word_name(member), spec->versions[version].name);
            wcts_oracle_sweep_release(&sweep);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tests = tcase_create("sweep");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, all_of_a_set_and_nothing_else);
    tcase_add_test(tests, the_oracle_agrees);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
