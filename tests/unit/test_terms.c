/* SPDX-License-Identifier: MIT */
/*
 * The search for conditions that tell some calls from others: what is planted is found, and of
 * calls that were drawn by chance, where nothing short is true, it ends with its budget.
 */

#include <stdlib.h>
#include <string.h>

#include "reports/derive_terms.h"
#include "suite.h"

#define FEATURES 192
#define WORDS (FEATURES / 64)
#define WANTED 400
#define OTHERS 192

static uint64_t state;

static uint64_t seeded(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state ^ state >> 29;
}

static uint64_t wanted[WANTED * WORDS], others[OTHERS * WORDS];
static struct wcts_judge_feature features[FEATURES];
static struct wcts_judge_bag bags[WANTED];
static char text[] = "it";

/* Half of the features are true of each call, by chance. */
static struct wcts_judge_samples draw(void)
{
    state = 7;
    for (int i = 0; i < FEATURES; i++)
        features[i] = (struct wcts_judge_feature){.text = text, .cost = 1};
    for (int i = 0; i < WANTED; i++)
        bags[i] = (struct wcts_judge_bag){.first = i, .count = 1, .call = i, .test = i};
    for (int i = 0; i < WANTED * WORDS; i++)
        wanted[i] = seeded();
    for (int i = 0; i < OTHERS * WORDS; i++)
        others[i] = seeded();
    return (struct wcts_judge_samples){.features = {.of = features, .count = FEATURES},
                                       .bags = bags,
                                       .bag_count = WANTED,
                                       .wanted = wanted,
                                       .others = others,
                                       .wanted_count = WANTED,
                                       .other_count = OTHERS};
}

static int search(const struct wcts_judge_samples *samples, struct wcts_report_budget *budget,
                  struct wcts_report_term **terms, int *left)
{
    static bool covered[WANTED];
    memset(covered, 0, sizeof covered);
    int count = wcts_report_terms(samples, false, covered, budget, terms);
    *left = 0;
    for (int i = 0; i < samples->bag_count; i++)
        *left += !covered[i];
    return count;
}

/* ---- tests ---- */

START_TEST(test_planted)
{
    struct wcts_judge_samples samples = draw();
    struct wcts_report_budget budget = {.all = UINT64_C(1) << 32};
    struct wcts_report_term *terms;
    int left;
    for (int i = 0; i < WANTED; i++) /* 3, 70 and 150, of none of the others */
        wanted[i * WORDS] |= 1 << 3, wanted[i * WORDS + 1] |= 1 << 6,
            wanted[i * WORDS + 2] |= 1 << 22;
    for (int i = 0; i < OTHERS; i++)
        others[i * WORDS + i % 3] &= ~(UINT64_C(1) << (i % 3 == 0 ? 3 : i % 3 == 1 ? 6 : 22));
    ck_assert_int_eq(search(&samples, &budget, &terms, &left), 1);
    ck_assert_int_eq(left, 0);
    ck_assert_int_eq(terms[0].count, 3);
    ck_assert_int_eq(terms[0].features[0], 3);
    ck_assert_int_eq(terms[0].features[1], 70);
    ck_assert_int_eq(terms[0].features[2], 150);
    ck_assert(!budget.over);
    free(terms);
}
END_TEST

/* Three features are hardly ever true of nothing else. Half of the budget is for them; with what is
 * left there are longer conditions, as far as a term has room; with nothing left there are none. */
START_TEST(test_chance)
{
    static const uint64_t budgets[] = {40000000, 10000};
    for (int i = 0; i < 2; i++) {
        struct wcts_judge_samples samples = draw();
        struct wcts_report_budget budget = {.all = budgets[i]};
        struct wcts_report_term *terms;
        int left;
        int count = search(&samples, &budget, &terms, &left);
        ck_assert_int_ge(count, 0);
        ck_assert(budget.over);
        ck_assert_uint_lt(budget.used, budgets[i] + 1000000); /* one condition more than it has */
        for (int j = 0; j < count; j++) {
            ck_assert_int_gt(terms[j].count, 2);
            ck_assert_int_gt(terms[j].calls, 0);
        }
        if (i == 0)
            ck_assert_int_lt(left, WANTED / 2);
        else
            ck_assert_int_gt(left, WANTED / 2);
        free(terms);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terms");
    TCase *tests = tcase_create("search");
    tcase_add_test(tests, test_planted);
    tcase_add_test(tests, test_chance);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
