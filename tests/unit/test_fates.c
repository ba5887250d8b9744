/* SPDX-License-Identifier: MIT */
/*
 * Which values of a sweep are sent once some were deadly: an implementation that dies with certain
 * words is played through, as the pool does, until a sweep comes to its end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runner/run/fates.h"
#include "suite.h"

#define BITS 12
#define COUNT (1 << BITS)

static uint32_t words[COUNT];
static uint8_t groups[COUNT], fates[COUNT];
static int order[COUNT];

typedef bool dies_fn(uint32_t word);

/* All words of the bits, the fewest bits first. */
static void make_words(void)
{
    int count = 0;
    for (int weight = 0; weight <= BITS; weight++)
        for (uint32_t word = 0; word < COUNT; word++)
            if (__builtin_popcount(word) == weight) {
                groups[count] = 0;
                order[count] = count;
                words[count++] = word;
            }
}

static struct wcts_run_sending sending(void)
{
    return (struct wcts_run_sending){words, groups, order, COUNT};
}

/* The first word that is sent and with which it dies, -1: none. */
static int find_death(dies_fn *dies)
{
    for (int i = 0; i < COUNT; i++)
        if (fates[order[i]] == WCTS_FATE_SENT && dies(words[order[i]]))
            return order[i];
    return -1;
}

/* Plays a sweep to its end; returns how often it died. */
static int play(dies_fn *dies, bool hangs, struct wcts_exchange_deadly *deadly)
{
    const struct wcts_run_sending all = sending();
    *deadly = (struct wcts_exchange_deadly){0};
    for (;;) {
        int at;
        ck_assert(wcts_run_fates_decide(&all, deadly, fates));
        at = find_death(dies);
        if (at < 0)
            return deadly->count;
        ck_assert(wcts_run_fates_add(deadly, words[at], hangs, 0, "died"));
    }
}

static int count_fate(uint8_t fate, dies_fn *dies, bool die)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++)
        count += fates[i] == fate && dies(words[i]) == die;
    return count;
}

static bool dies_once(uint32_t word)
{
    return word == 0x123;
}

static bool dies_of_two(uint32_t word)
{
    return (word & 0x12) == 0x12;
}

static bool dies_of_one_clear(uint32_t word)
{
    return (word & 0x5) == 0x4;
}

static bool dies_of_either(uint32_t word)
{
    return (word & 0x3) == 0x3 || (word & 0x300) == 0x300;
}

static bool dies_always(uint32_t word)
{
    (void)word;
    return true;
}

static bool dies_at_random(uint32_t word)
{
    return (word * UINT32_C(2654435761)) >> 30 == 0;
}

START_TEST(nothing_is_spared_before_a_death)
{
    const struct wcts_run_sending all = sending();
    const struct wcts_exchange_deadly none = {0};
    ck_assert(wcts_run_fates_decide(&all, &none, fates));
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(fates[i], WCTS_FATE_SENT);
}
END_TEST

START_TEST(one_death_costs_one_value)
{
    struct wcts_exchange_deadly deadly;
    ck_assert_int_eq(play(dies_once, false, &deadly), 1);
    ck_assert_int_eq(count_fate(WCTS_FATE_DEADLY, dies_once, true), 1);
    ck_assert_int_eq(count_fate(WCTS_FATE_SENT, dies_once, false), COUNT - 1);
}
END_TEST

/* Whatever they have in common: few deaths, none of those that it survives is left out for long,
 * and the smallest one is known. */
static const struct {
    dies_fn *dies;
    int deaths, spared; /* at most: of those that it would have survived */
} common[] = {
    {dies_of_two, 12, 0},
    {dies_of_one_clear, 12, 64},
    {dies_of_either, 16, 64},
    {dies_always, 14, 0},
};

START_TEST(what_is_alike_is_sampled)
{
    struct wcts_exchange_deadly deadly;
    int deaths = play(common[_i].dies, false, &deadly), first = 0;
    ck_assert_int_gt(deaths, 3);
    ck_assert_int_le(deaths, common[_i].deaths);
    ck_assert_int_le(count_fate(WCTS_FATE_SPARED, common[_i].dies, false), common[_i].spared);
    ck_assert_int_eq(count_fate(WCTS_FATE_DEADLY, common[_i].dies, false), 0);
    while (!common[_i].dies(words[first]))
        first++;
    ck_assert_int_eq(fates[first], WCTS_FATE_DEADLY);
}
END_TEST

START_TEST(hangs_are_tried_less_often)
{
    struct wcts_exchange_deadly deadly;
    ck_assert_int_le(play(dies_of_two, true, &deadly), 4);
    ck_assert_int_eq(count_fate(WCTS_FATE_SPARED, dies_of_two, false), 0);
}
END_TEST

/* The first one of each group that could be spared is sent: it may be smaller than what is known.
 */
START_TEST(each_group_has_its_first)
{
    struct wcts_exchange_deadly deadly;
    int next = 0, first = 0;
    for (uint8_t group = 0; group < 2; group++)
        for (int i = 0; i < COUNT; i++)
            if ((words[i] >> 11 & 1) == group) {
                groups[i] = group;
                order[next++] = i;
            }
    play(dies_of_two, false, &deadly);
    while (!dies_of_two(words[first]) || groups[first] == 0)
        first++;
    ck_assert_int_eq(fates[first], WCTS_FATE_DEADLY);
}
END_TEST

/* It costs no more where values of two groups take turns. */
START_TEST(groups_take_turns)
{
    struct wcts_exchange_deadly deadly;
    for (int i = 0; i < COUNT; i++)
        groups[i] = (uint8_t)(words[i] >> 11);
    ck_assert_int_le(play(dies_of_two, false, &deadly), 14);
}
END_TEST

/* Without anything in common the sweep comes to an end all the same, or the list is full. */
START_TEST(at_random_it_ends)
{
    const struct wcts_run_sending all = sending();
    struct wcts_exchange_deadly deadly = {0};
    int at = 0;
    for (int i = 0; at >= 0; i++) {
        ck_assert_int_le(i, WCTS_DEADLY_MAX);
        ck_assert(wcts_run_fates_decide(&all, &deadly, fates));
        at = find_death(dies_at_random);
        if (at >= 0 && !wcts_run_fates_add(&deadly, words[at], false, 0, "died"))
            break;
    }
}
END_TEST

/* Deaths of different sorts are not equal. */
START_TEST(only_equal_deaths_spare)
{
    const struct wcts_run_sending all = sending();
    struct wcts_exchange_deadly deadly = {0};
    char what[16];
    for (uint32_t i = 0; i < 8; i++) {
        snprintf(what, sizeof what, "died %d", i % 2);
        ck_assert(wcts_run_fates_add(&deadly, 1u << i, false, 0, what));
    }
    ck_assert(wcts_run_fates_decide(&all, &deadly, fates));
    ck_assert_int_eq(count_fate(WCTS_FATE_SPARED, dies_always, true), 0);
}
END_TEST

START_TEST(a_value_is_added_once)
{
    struct wcts_exchange_deadly deadly = {0};
    ck_assert(wcts_run_fates_add(&deadly, 7, false, 0, "died"));
    ck_assert(!wcts_run_fates_add(&deadly, 7, false, 0, "died"));
    for (uint64_t i = 8; deadly.count < WCTS_DEADLY_MAX; i++)
        ck_assert(wcts_run_fates_add(&deadly, i, false, 0, "died"));
    ck_assert(!wcts_run_fates_add(&deadly, 1, false, 0, "died"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fates");
    TCase *tests = tcase_create("fates");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, make_words, NULL);
    tcase_add_test(tests, nothing_is_spared_before_a_death);
    tcase_add_test(tests, one_death_costs_one_value);
    tcase_add_loop_test(tests, what_is_alike_is_sampled, 0, (int)(sizeof common / sizeof *common));
    tcase_add_test(tests, hangs_are_tried_less_often);
    tcase_add_test(tests, each_group_has_its_first);
    tcase_add_test(tests, groups_take_turns);
    tcase_add_test(tests, at_random_it_ends);
    tcase_add_test(tests, only_equal_deaths_spare);
    tcase_add_test(tests, a_value_is_added_once);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
