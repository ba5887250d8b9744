/* SPDX-License-Identifier: MIT */
/* What grows: arrays, texts, maps; also when memory runs out. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/array.h"
#include "runner/base/map.h"
#include "runner/base/text.h"
#include "suite.h"

struct pair {
    int index, square;
};

START_TEST(array_keeps_its_elements)
{
    struct pair *pairs = NULL;
    int count = 0;
    for (int i = 0; i < 200000; i++) {
        struct pair *pair = WCTS_ARRAY_ADD(pairs, count);
        ck_assert_ptr_eq(pair, &pairs[i]);
        ck_assert_int_eq(count, i + 1);
        ck_assert_int_eq(pair->index | pair->square, 0);
        *pair = (struct pair){i, i / 3};
    }
    for (int i = 0; i < count; i++)
        ck_assert(pairs[i].index == i && pairs[i].square == i / 3);
    /* A shorter array grows again from where it is. */
    count = 5;
    for (int i = 5; i < 100; i++)
        *WCTS_ARRAY_ADD(pairs, count) = (struct pair){-i, 0};
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(pairs[i].index, i < 5 ? i : -i);
    free(pairs);
}
END_TEST

START_TEST(array_that_cannot_grow_is_as_it_was)
{
    char *elements = NULL, *before;
    int count = 0;
    ck_assert_ptr_null(wcts_array_add(&elements, &count, SIZE_MAX / 4));
    ck_assert(elements == NULL && count == 0);
    *WCTS_ARRAY_ADD(elements, count) = 'x';
    before = elements;
    count = 0x70000000; /* full, and the next room is no int */
    ck_assert_ptr_null(WCTS_ARRAY_ADD(elements, count));
    ck_assert(elements == before && elements[0] == 'x' && count == 0x70000000);
    free(elements);
}
END_TEST

START_TEST(text_of_any_length)
{
    WCTS_TEXT(text);
    char *taken;
    ck_assert_str_eq(wcts_text_get(&text), "");
    for (int i = 0; i < 5000; i++)
        wcts_text_add(&text, "%d,", i % 10);
    wcts_text_add(&text, "%s", "");
    wcts_text_add_bytes(&text, "end of it", 3);
    ck_assert_uint_eq(text.length, 10003);
    ck_assert_uint_eq(strlen(wcts_text_get(&text)), 10003);
    ck_assert_str_eq(wcts_text_get(&text) + 9996, "8,9,end");
    taken = wcts_text_take(&text);
    ck_assert_uint_eq(strlen(taken), 10003);
    ck_assert_str_eq(wcts_text_get(&text), "");
    free(taken);
    taken = wcts_text_take(&text);
    ck_assert_str_eq(taken, "");
    free(taken);
}
END_TEST

START_TEST(text_without_memory)
{
    WCTS_TEXT(text);
    wcts_text_add(&text, "kept");
    wcts_text_add_bytes(&text, "x", SIZE_MAX - 4);
    wcts_text_add(&text, "lost");
    ck_assert(text.failed);
    ck_assert_str_eq(wcts_text_get(&text), "kept");
    ck_assert_ptr_null(wcts_text_take(&text));
    wcts_text_add(&text, "again");
    ck_assert_str_eq(wcts_text_get(&text), "again");
}
END_TEST

START_TEST(map_has_what_was_added)
{
    struct wcts_map map = {0};
    char names[1000][12];
    ck_assert_int_eq(wcts_map_get(&map, "0", -1), -1);
    for (int i = 0; i < 1000; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        ck_assert(wcts_map_add(&map, names[i], i));
    }
    for (int i = 0; i < 2000; i++) {
        char name[12];
        snprintf(name, sizeof name, "%d", i);
        ck_assert_int_eq(wcts_map_get(&map, name, -1), i < 1000 ? i : -1);
    }
    ck_assert_uint_eq(map.count, 1000);
    ck_assert_uint_ge(map.size, 2 * map.count);
    wcts_map_release(&map);
    ck_assert_int_eq(wcts_map_get(&map, "0", -1), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base");
    TCase *tests = tcase_create("base");
    tcase_add_test(tests, array_keeps_its_elements);
    tcase_add_test(tests, array_that_cannot_grow_is_as_it_was);
    tcase_add_test(tests, text_of_any_length);
    tcase_add_test(tests, text_without_memory);
    tcase_add_test(tests, map_has_what_was_added);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
