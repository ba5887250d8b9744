/* SPDX-License-Identifier: MIT */
/*
 * The guilty combination: what was planted is found, over the words of tests/bench; and over small
 * words nothing shorter is true of exactly the misjudged ones, by trying all there is.
 */

#include "runner/generate/cause.h"
#include "suite.h"
#include "tests/bench/models.h"

static uint64_t state;

static uint32_t seeded(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % limit;
}

/* The legal words, and which of them a planted cause makes wrong. */
struct plant {
    uint32_t *legal, *wrong, *right;
    int legal_count;
    struct wcts_generate_swept swept;
    struct wcts_generate_cause cause;
};

static bool holds(const struct wcts_generate_cause *cause, uint32_t word)
{
    for (int i = 0; i < cause->count; i++)
        if (wcts_generate_cube_has(cause->cubes[i], word))
            return true;
    return false;
}

static int bits_of(const struct wcts_generate_cause *cause)
{
    int bits = 0;
    for (int i = 0; i < cause->count; i++)
        bits += __builtin_popcount(cause->cubes[i].set | cause->cubes[i].clear);
    return bits;
}

static void init_plant(struct plant *plant, int bits)
{
    size_t words = (size_t)1 << bits;
    *plant = (struct plant){.legal = calloc(words, sizeof(uint32_t)),
                            .wrong = calloc(words, sizeof(uint32_t)),
                            .right = calloc(words, sizeof(uint32_t))};
    ck_assert(plant->legal && plant->wrong && plant->right);
}

static void release_plant(struct plant *plant)
{
    free(plant->legal);
    free(plant->wrong);
    free(plant->right);
}

static void draw_cause(struct plant *plant, int bits, int cubes, int literals)
{
    plant->cause.count = cubes;
    for (int i = 0; i < cubes; i++) {
        struct wcts_generate_cube cube = {0, 0};
        for (int n = 1 + (int)seeded((uint32_t)literals); n > 0; n--) {
            uint32_t bit = UINT32_C(1) << seeded((uint32_t)bits);
            if ((cube.set | cube.clear) & bit)
                continue;
            if (seeded(3))
                cube.set |= bit;
            else
                cube.clear |= bit;
        }
        plant->cause.cubes[i] = cube;
    }
    plant->swept = (struct wcts_generate_swept){plant->wrong, plant->right, 0, 0};
    for (int i = 0; i < plant->legal_count; i++)
        if (holds(&plant->cause, plant->legal[i]))
            plant->wrong[plant->swept.wrong_count++] = plant->legal[i];
        else
            plant->right[plant->swept.right_count++] = plant->legal[i];
}

static void check_found(const struct plant *plant, struct wcts_generate_cause *found)
{
    ck_assert(wcts_generate_cause_find(&plant->swept, found));
    for (int i = 0; i < plant->legal_count; i++)
        ck_assert(holds(&plant->cause, plant->legal[i]) == holds(found, plant->legal[i]));
    ck_assert_int_le(found->count, plant->cause.count);
    if (found->count == plant->cause.count)
        ck_assert_int_le(bits_of(found), bits_of(&plant->cause));
}

/* ---- The words of CREATEALLOCATIONFLAGS ---- */

static bool is_legal(const struct wcts_generate_model *model, uint32_t word)
{
    for (int i = 0; i < model->nogood_count; i++) {
        int held = 0;
        for (int t = 0; t < model->nogoods[i].count; t++)
            held += (int)(model->nogoods[i].terms[t].values >>
                              (word >> model->nogoods[i].terms[t].parameter & 1) &
                          1);
        if (held == model->nogoods[i].count)
            return false;
    }
    return true;
}

START_TEST(test_planted)
{
    struct named_model named;
    struct plant plant;
    int found_something = 0;
    ck_assert(model_read(&named, "a"));
    init_plant(&plant, 23);
    for (uint32_t word = 0; word < UINT32_C(1) << 23; word++)
        if (is_legal(&named.model, word))
            plant.legal[plant.legal_count++] = word;
    ck_assert_int_eq(plant.legal_count, 24576);
    state = 1;
    for (int i = 0; i < 60; i++) {
        struct wcts_generate_cause found;
        draw_cause(&plant, 23, 1 + i % 3, 4);
        if (plant.swept.wrong_count == 0)
            continue;
        check_found(&plant, &found);
        found_something++;
    }
    ck_assert_int_gt(found_something, 30);
    release_plant(&plant);
    wcts_generate_model_release(&named.model);
}
END_TEST

/* Words without anything in common: the search ends, where it would try four cubes for minutes. */
START_TEST(test_nothing_in_common)
{
    struct wcts_generate_cause found;
    struct plant plant;
    init_plant(&plant, 17);
    plant.swept = (struct wcts_generate_swept){plant.wrong, plant.right, 0, 0};
    state = 1;
    for (uint32_t word = 0; word < UINT32_C(1) << 17; word++)
        if (seeded(1024))
            plant.wrong[plant.swept.wrong_count++] = word;
        else
            plant.right[plant.swept.right_count++] = word;
    ck_assert_int_gt(plant.swept.right_count, 64);
    ck_assert(!wcts_generate_cause_find(&plant.swept, &found));
    release_plant(&plant);
}
END_TEST

/* Words of 32 bits of which an implementation accepts some at random: each differs from the others
 * in so many bits that the ways to hit all differences are as good as endless. */
START_TEST(test_chance)
{
    struct wcts_generate_cause found;
    struct plant plant;
    init_plant(&plant, 12);
    plant.swept = (struct wcts_generate_swept){plant.wrong, plant.right, 0, 0};
    state = 1;
    for (int i = 0; i < 1 << 12; i++) {
        uint32_t word = (uint32_t)seeded(1 << 16) << 16;
        word |= (uint32_t)seeded(1 << 16);
        if (seeded(2))
            plant.wrong[plant.swept.wrong_count++] = word;
        else
            plant.right[plant.swept.right_count++] = word;
    }
    ck_assert(!wcts_generate_cause_find(&plant.swept, &found));
    release_plant(&plant);
}
END_TEST

/* ---- Nothing shorter ---- */

#define SMALL 5

/* All cubes over SMALL bits that hold no word that was judged right. */
static int all_cubes(const struct plant *plant, struct wcts_generate_cube *cubes)
{
    int count = 0;
    for (uint32_t set = 0; set < 1u << SMALL; set++)
        for (uint32_t clear = 0; clear < 1u << SMALL; clear++) {
            bool good = (set & clear) == 0;
            for (int i = 0; good && i < plant->swept.right_count; i++)
                good = !wcts_generate_cube_has((struct wcts_generate_cube){set, clear},
                                               plant->right[i]);
            if (good)
                cubes[count++] = (struct wcts_generate_cube){set, clear};
        }
    return count;
}

static bool covers(const struct plant *plant, const struct wcts_generate_cause *cause)
{
    for (int i = 0; i < plant->swept.wrong_count; i++)
        if (!holds(cause, plant->wrong[i]))
            return false;
    return true;
}

/* The fewest bits of a cause of one cube, or of two. -1: none. */
static int shortest(const struct plant *plant, int cubes)
{
    static struct wcts_generate_cube all[1 << 2 * SMALL];
    int count = all_cubes(plant, all), best = -1;
    for (int i = 0; i < count; i++)
        for (int j = cubes == 1 ? i : i + 1; j < (cubes == 1 ? i + 1 : count); j++) {
            struct wcts_generate_cause cause = {{all[i], all[j]}, cubes};
            if ((best < 0 || bits_of(&cause) < best) && covers(plant, &cause))
                best = bits_of(&cause);
        }
    return best;
}

START_TEST(test_nothing_shorter)
{
    struct plant plant;
    int ones = 0, twos = 0;
    init_plant(&plant, SMALL);
    state = (uint64_t)_i + 1;
    for (int i = 0; i < 100; i++) {
        struct wcts_generate_cause found;
        int one;
        plant.legal_count = 0;
        for (uint32_t word = 0; word < 1u << SMALL; word++)
            if (seeded(4) > 0)
                plant.legal[plant.legal_count++] = word;
        draw_cause(&plant, SMALL, 1 + i % 2, 3);
        if (plant.swept.wrong_count == 0)
            continue;
        check_found(&plant, &found);
        one = shortest(&plant, 1);
        ck_assert_int_eq(found.count == 1, one >= 0);
        ck_assert_int_eq(bits_of(&found), one >= 0 ? one : shortest(&plant, 2));
        ones += one >= 0;
        twos += one < 0;
    }
    ck_assert_int_gt(ones, 10);
    ck_assert_int_gt(twos, 10);
    release_plant(&plant);
}
END_TEST

START_TEST(test_ends)
{
    const uint32_t words[] = {0, 3, 5, 6, 9, 10, 12, 15}, others[] = {1, 2, 4, 7, 8, 11, 13, 14};
    struct wcts_generate_swept swept = {words, others, 0, 8};
    struct wcts_generate_cause cause;
    ck_assert(!wcts_generate_cause_find(&swept, &cause));
    /* All wrong: nothing tells them from others. */
    swept = (struct wcts_generate_swept){words, others, 8, 0};
    ck_assert(wcts_generate_cause_find(&swept, &cause));
    ck_assert_int_eq(cause.count, 1);
    ck_assert_int_eq(bits_of(&cause), 0);
    /* The words with an even number of bits: eight cubes would say it. */
    swept = (struct wcts_generate_swept){words, others, 8, 8};
    ck_assert(!wcts_generate_cause_find(&swept, &cause));
    ck_assert_int_eq(cause.count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cause");
    TCase *tests = tcase_create("cause");
    tcase_add_test(tests, test_nothing_in_common);
    tcase_add_test(tests, test_chance);
    tcase_add_test(tests, test_planted);
    tcase_add_loop_test(tests, test_nothing_shorter, 0, 5);
    tcase_add_test(tests, test_ends);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
