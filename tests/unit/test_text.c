/* SPDX-License-Identifier: MIT */
/* Text from elsewhere: what is replaced, and which names are near. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "runner/text.h"

static const struct {
    const char *given, *expected;
} texts[] = {
    {"plain\ttext\r\n", "plain\ttext\r\n"},
    {"Gr\xc3\xbc\xc3\x9f\x65 \xe2\x82\xac \xf0\x9f\x98\x80",
     "Gr\xc3\xbc\xc3\x9f\x65 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\x01\x08\x0b\x1f\x7f", "?????"},
    {"\xc2\x9b"
     "31m\xc2\x85\xc2\xa0",
     "??31m??\xc2\xa0"},                    /* C1: terminals obey them */
    {"\x80\xff\xc0\xaf", "????"},           /* no first bytes, overlong */
    {"cut \xe2\x82", "cut ??"},             /* ends in the middle */
    {"\xed\xa0\x80", "???"},                /* a surrogate */
    {"\xef\xbf\xbe\xef\xbf\xbf", "??????"}, /* noncharacters that XML forbids */
    {"\xf4\x90\x80\x80", "????"},           /* beyond Unicode */
    {"", ""},
};

START_TEST(test_clean)
{
    char *text = strdup(texts[_i].given);
    ck_assert_str_eq(wcts_text_clean(text), texts[_i].expected);
    free(text);
}
END_TEST

START_TEST(test_distance)
{
    ck_assert_uint_eq(wcts_text_distance("", "abc"), 3);
    ck_assert_uint_eq(wcts_text_distance("kitten", "sitting"), 3);
    ck_assert_uint_eq(wcts_text_distance("same", "same"), 0);
}
END_TEST

START_TEST(test_near)
{
    struct wcts_near near = {0};
    const char *names[] = {"replay", "report", "run", "list", "replays", "explain"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        wcts_near_offer(&near, "repaly", names[i]);
    ck_assert_int_ge(near.count, 1);
    ck_assert_str_eq(near.names[0], "replay");
}
END_TEST

START_TEST(test_near_keeps_the_best)
{
    struct wcts_near near = {0};
    const char *names[] = {"ab1", "ab2", "ab3", "ab4", "ab5", "ab6", "ab"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        wcts_near_offer(&near, "ab", names[i]);
    ck_assert_int_eq(near.count, WCTS_NEAR_MAX);
    ck_assert_str_eq(near.names[0], "ab1");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, test_clean, 0, (int)(sizeof texts / sizeof texts[0]));
    tcase_add_test(tests, test_distance);
    tcase_add_test(tests, test_near);
    tcase_add_test(tests, test_near_keeps_the_best);
    suite_add_tcase(suite, tests);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
