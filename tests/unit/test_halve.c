/* SPDX-License-Identifier: MIT */
/*
 * The guilty combination by halving: planted causes are found exactly, with few calls; what is not
 * always misjudged is never named. Parameters 0 to 19 are flags, of which some need another one;
 * the last ones have more values.
 */
#include <stdlib.h>
#include <string.h>

#include "runner/generate/halve.h"
#include "suite.h"

#define FLAGS 20
#define PARAMETERS 24
#define CALLS 15
#define CONFIRMATIONS 80

static const int values[PARAMETERS] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                       2, 2, 2, 2, 2, 2, 2, 2, 3, 5, 8, 2};

/* A call is misjudged if it has all terms of one of the causes. */
struct planted {
    struct wcts_generate_guilty causes[3];
    int count;
    int calls;
};

static bool has(const struct wcts_generate_guilty *cause, const uint8_t *row)
{
    for (int i = 0; i < cause->count; i++)
        if (!(cause->terms[i].values >> row[cause->terms[i].parameter] & 1))
            return false;
    return cause->count > 0;
}

static bool is_misjudged(const struct planted *planted, const uint8_t *row)
{
    for (int i = 0; i < planted->count; i++)
        if (has(&planted->causes[i], row))
            return true;
    return false;
}

/* 1 needs 0, 3 needs 2 and 2 needs 3, 5 excludes 6, 21 needs 20. */
static bool is_allowed(void *ctx, const uint8_t *row)
{
    (void)ctx;
    return (!row[1] || row[0]) && !row[2] == !row[3] && !(row[5] && row[6]) &&
           (!row[21] || row[20]);
}

static bool send(void *ctx, const uint8_t *row)
{
    struct planted *planted = ctx;
    ck_assert(is_allowed(NULL, row));
    planted->calls++;
    return is_misjudged(planted, row);
}

static bool find(struct planted *planted, const uint8_t *row, struct wcts_generate_guilty *guilty)
{
    struct wcts_generate_halving halving = {.values = values,
                                            .parameter_count = PARAMETERS,
                                            .allows = is_allowed,
                                            .fails = send,
                                            .ctx = planted,
                                            .smallest_is_right = true,
                                            .calls = CALLS,
                                            .confirmations = CONFIRMATIONS};
    bool found = wcts_generate_halve(&halving, row, guilty);
    ck_assert_int_le(planted->calls, CALLS + CONFIRMATIONS);
    return found;
}

/* ---- Drawn ---- */

static uint64_t drawn = 1;

static uint64_t draw(uint64_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (drawn >> 33) % below;
}

static void draw_row(uint8_t *row)
{
    do
        for (int p = 0; p < PARAMETERS; p++)
            row[p] = (uint8_t)draw((uint64_t)values[p]);
    while (!is_allowed(NULL, row));
}

/* True if other terms say the same of all calls that are allowed. */
static bool is_same(const struct wcts_generate_guilty *one,
                    const struct wcts_generate_guilty *other)
{
    uint8_t row[PARAMETERS];
    for (int i = 0; i < 3000; i++) {
        draw_row(row);
        /* Near both of them. */
        for (int t = 0; t < one->count; t++)
            if (draw(4))
                row[one->terms[t].parameter] = (uint8_t)__builtin_ctzll(one->terms[t].values);
        for (int t = 0; t < other->count; t++)
            if (draw(4))
                row[other->terms[t].parameter] = (uint8_t)__builtin_ctzll(other->terms[t].values);
        if (is_allowed(NULL, row) && has(one, row) != has(other, row))
            return false;
    }
    return true;
}

/* So many flags that are set, and maybe one that is clear, or a member with some of its values. */
static void draw_cause(struct wcts_generate_guilty *cause, int flags, bool clear, bool member)
{
    bool taken[PARAMETERS] = {false};
    *cause = (struct wcts_generate_guilty){.count = 0};
    for (int i = 0; i < flags + clear + member; i++) {
        bool is_member = i >= flags + clear;
        int p;
        do
            p = is_member ? FLAGS + (int)draw(PARAMETERS - FLAGS - 1) : (int)draw(FLAGS);
        while (taken[p]);
        taken[p] = true;
        cause->terms[cause->count++] = (struct wcts_generate_term){
            p, is_member ? UINT64_C(1) << (1 + draw((uint64_t)values[p] - 1))
                         : UINT64_C(1) << (i < flags)};
    }
}

/* A call that is allowed and has the cause; false if there is none. */
static bool draw_failing(const struct planted *planted, uint8_t *row)
{
    for (int i = 0; i < 20000; i++) {
        draw_row(row);
        for (int t = 0; t < planted->causes[0].count; t++)
            row[planted->causes[0].terms[t].parameter] =
                (uint8_t)__builtin_ctzll(planted->causes[0].terms[t].values);
        if (is_allowed(NULL, row))
            return true;
    }
    return false;
}

#define ROUNDS 1000

/* With one cause of one to three flags, in 95 of 100 calls exactly it is found; never another. */
START_TEST(one_cause_is_found)
{
    int found = 0, tried = 0;
    const uint8_t base[PARAMETERS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct planted planted = {.count = 1};
        struct wcts_generate_guilty guilty;
        uint8_t row[PARAMETERS];
        draw_cause(&planted.causes[0], 1 + round % 3, round % 7 == 0, round % 5 == 0);
        if (!draw_failing(&planted, row) || is_misjudged(&planted, base))
            continue;
        tried++;
        if (!find(&planted, row, &guilty))
            continue;
        found++;
        ck_assert_msg(is_same(&guilty, &planted.causes[0]), "round %d: another cause", round);
    }
    ck_assert_int_gt(tried, ROUNDS * 9 / 10);
    ck_assert_msg(found * 100 >= tried * 95, "%d of %d", found, tried);
}
END_TEST

/* With two or three causes what is named is always misjudged. */
START_TEST(nothing_else_is_named)
{
    int found = 0, named = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct planted planted = {.count = 2 + round % 2};
        struct wcts_generate_guilty guilty;
        uint8_t row[PARAMETERS];
        for (int i = 0; i < planted.count; i++)
            draw_cause(&planted.causes[i], 2, round % 5 == 0, round % 3 == 0);
        if (!draw_failing(&planted, row) || !find(&planted, row, &guilty))
            continue;
        found++;
        for (int i = 0; i < 2000; i++) {
            draw_row(row);
            for (int t = 0; t < guilty.count; t++)
                row[guilty.terms[t].parameter] = (uint8_t)__builtin_ctzll(guilty.terms[t].values);
            if (is_allowed(NULL, row) && !is_misjudged(&planted, row)) {
                named++;
                break;
            }
        }
    }
    ck_assert_int_gt(found, ROUNDS / 2);
    ck_assert_int_eq(named, 0);
}
END_TEST

/* ---- Certain ones ---- */

START_TEST(few_calls_are_enough)
{
    struct planted planted = {.causes = {{{{4, 2}, {7, 2}}, 2}}, .count = 1};
    struct wcts_generate_guilty guilty;
    uint8_t row[PARAMETERS] = {1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1};
    ck_assert(find(&planted, row, &guilty));
    ck_assert_int_eq(guilty.count, 2);
    ck_assert_int_eq(guilty.terms[0].parameter, 4);
    ck_assert_int_eq(guilty.terms[1].parameter, 7);
    ck_assert_int_le(planted.calls, CALLS + 48);
}
END_TEST

/* What another flag implies is not named. */
START_TEST(companions_are_implied)
{
    struct planted planted = {.causes = {{{{1, 2}, {7, 2}}, 2}}, .count = 1};
    struct wcts_generate_guilty guilty;
    uint8_t row[PARAMETERS] = {1, 1, 1, 1, 1, 0, 0, 1};
    ck_assert(find(&planted, row, &guilty));
    ck_assert_int_eq(guilty.count, 2);
    ck_assert_int_eq(guilty.terms[0].parameter, 1);
    ck_assert_int_eq(guilty.terms[1].parameter, 7);
}
END_TEST

/* A member is named with the values that are misjudged. */
START_TEST(values_form_a_class)
{
    struct planted planted = {.causes = {{{{8, 2}, {22, 0xE8}}, 2}}, .count = 1};
    struct wcts_generate_guilty guilty;
    uint8_t row[PARAMETERS] = {[4] = 1, [8] = 1, [9] = 1, [22] = 6};
    ck_assert(find(&planted, row, &guilty));
    ck_assert_int_eq(guilty.count, 2);
    ck_assert_int_eq(guilty.terms[1].parameter, 22);
    ck_assert_uint_eq(guilty.terms[1].values, 0xE8);
}
END_TEST

/* All of the sort are misjudged: nothing of the call is guilty. */
static bool always(void *ctx, const uint8_t *row)
{
    (void)ctx;
    (void)row;
    return true;
}

START_TEST(without_a_difference_there_is_none)
{
    struct wcts_generate_halving halving = {.values = values,
                                            .parameter_count = PARAMETERS,
                                            .allows = is_allowed,
                                            .fails = always,
                                            .calls = CALLS,
                                            .confirmations = CONFIRMATIONS};
    struct wcts_generate_guilty guilty;
    uint8_t row[PARAMETERS] = {[4] = 1, [8] = 1};
    ck_assert(!wcts_generate_halve(&halving, row, &guilty));
    ck_assert_int_eq(guilty.count, 0);
}
END_TEST

/* Without enough calls nothing is named. */
START_TEST(too_few_calls_name_nothing)
{
    for (int calls = 0; calls < 4; calls++)
        for (int confirmations = 0; confirmations < 3; confirmations++) {
            struct planted planted = {.causes = {{{{4, 2}, {7, 2}}, 2}}, .count = 1};
            struct wcts_generate_halving halving = {.values = values,
                                                    .parameter_count = PARAMETERS,
                                                    .allows = is_allowed,
                                                    .fails = send,
                                                    .ctx = &planted,
                                                    .calls = calls,
                                                    .confirmations = confirmations};
            struct wcts_generate_guilty guilty;
            uint8_t row[PARAMETERS] = {[4] = 1, [7] = 1, [8] = 1, [9] = 1, [10] = 1, [12] = 1};
            ck_assert(!wcts_generate_halve(&halving, row, &guilty));
            ck_assert_int_le(planted.calls, calls + confirmations);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("halve");
    TCase *tests = tcase_create("halve");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, one_cause_is_found);
    tcase_add_test(tests, nothing_else_is_named);
    tcase_add_test(tests, few_calls_are_enough);
    tcase_add_test(tests, companions_are_implied);
    tcase_add_test(tests, values_form_a_class);
    tcase_add_test(tests, without_a_difference_there_is_none);
    tcase_add_test(tests, too_few_calls_name_nothing);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
