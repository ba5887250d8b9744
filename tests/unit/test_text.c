/* SPDX-License-Identifier: MIT */
/* Text from elsewhere: what is replaced, and which names are near. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/run/frames.h"
#include "suite.h"

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

/* ---- frames: what gdb printed, and what is made of it ---- */

#define OF_PLUGIN(name) name " + 12 in section .text of /home/me/driver.so\n"
#define OF_TOOL(name) name " + 12 in section .text of /usr/bin/wddm-cts\n"

static const struct {
    const char *output, *expected;
} stacks[] = {
    {"", ""},
    {"\nNo stack.\n", ""},
    /* what called the plug-in is left out */
    {"\n@stopped\n#0  lock (...) at driver.c:42\n" OF_PLUGIN(
         "lock") "#1  call (...) at /b/driver.c:7\n" OF_PLUGIN("call") "#2  session () at "
                                                                       "session.c:"
                                                                       "1\n" OF_TOOL(
                                                                           "sessio"
                                                                           "n") "#"
                                                                                "3"
                                                                                " "
                                                                                " "
                                                                                "m"
                                                                                "a"
                                                                                "i"
                                                                                "n"
                                                                                " "
                                                                                "("
                                                                                "."
                                                                                "."
                                                                                "."
                                                                                ")"
                                                                                " "
                                                                                "a"
                                                                                "t"
                                                                                " "
                                                                                "m"
                                                                                "a"
                                                                                "i"
                                                                                "n"
                                                                                "."
                                                                                "c"
                                                                                ":"
                                                                                "2"
                                                                                "\n" OF_TOOL(
                                                                                    "main"),
     "#0  lock at driver.c:42\n#1  call at driver.c:7\n"},
    /* what the tool did in between is one line; a library and a plug-in without line numbers */
    {"#0  memcpy () at ../sysdeps/x86_64/memcpy.S:9\nmemcpy + 1 in section .text of "
     "/lib/libc.so.6\n"
     "#1  0x00007f01 in send (...) at bus.c:3\n" OF_TOOL(
         "send") "#2  relay () at "
                 "bus.c:4\n" OF_TOOL("relay") "#3  hold () from /home/me/driver.so\n" OF_PLUGIN(
                     "hold") "#4  main () at "
                             "main.c:"
                             "2\n" OF_TOOL("mai"
                                           "n"),
     "#0  memcpy at memcpy.S:9\n    ... 2 of wddm-cts\n#3  hold in driver.so\n"},
    /* a wild jump; a damaged stack ends with the last frame that is known */
    {"#0  ?? ()\nNo symbol matches $pc.\n#1  lock (...) at driver.c:42\n" OF_PLUGIN(
         "lock") "#2  ?? ()\nNo symbol "
                 "matches $pc.\n",
     "#0  ??\n#1  lock at driver.c:42\n"},
    /* parentheses of C++, and letters that a terminal would obey */
    {"#0  one::two<int (*)(char)>::operator()(int) const (...) at a b.cc:5\n#1  e\x1b[31m () from "
     "/x/y\x07.so\n",
     "#0  one::two<int (*)(char)>::operator()(int) const at a b.cc:5\n#1  e?[31m in y?.so\n"},
    /* the tool died by itself */
    {"#0  judge () at judge.c:3\n" OF_TOOL("judge") "#1  main () at main.c:2\n" OF_TOOL("main"),
     "#0  judge at judge.c:3\n"},
};

START_TEST(test_frames)
{
    char *text = wcts_run_frames_text(stacks[_i].output, "wddm-cts");
    ck_assert_str_eq(text, stacks[_i].expected);
    free(text);
}
END_TEST

/* A recursion without end. */
START_TEST(test_frames_bounded)
{
    char output[8192] = "", *text;
    size_t used = 0, lines = 0;
    for (int i = 0; i < 64; i++)
        used += (size_t)snprintf(output + used, sizeof output - used,
                                 "#%d  again (...) at driver.c:42\n" OF_PLUGIN("again"), i);
    text = wcts_run_frames_text(output, "wddm-cts");
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    ck_assert_uint_eq(lines, 13);
    ck_assert_ptr_nonnull(strstr(text, "\n... and 20 more\n"));
    free(text);
}
END_TEST

START_TEST(test_distance)
{
    ck_assert_uint_eq(wcts_text_distance("", 0, "abc", 3), 3);
    ck_assert_uint_eq(wcts_text_distance("kitten", 6, "sitting", 7), 3);
    ck_assert_uint_eq(wcts_text_distance("same", 4, "same...", 4), 0);
}
END_TEST

START_TEST(test_near)
{
    struct wcts_suggestions near = {0};
    const char *names[] = {"replay", "report", "run", "list", "replays", "explain"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        wcts_suggest(&near, "repaly", names[i]);
    ck_assert_int_ge(near.count, 1);
    ck_assert_str_eq(near.names[0], "replay");
}
END_TEST

START_TEST(test_near_keeps_the_best)
{
    struct wcts_suggestions near = {0};
    const char *names[] = {"ab1", "ab2", "ab3", "ab4", "ab5", "ab6", "ab"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        wcts_suggest(&near, "ab", names[i]);
    ck_assert_int_eq(near.count, WCTS_SUGGESTIONS_MAX);
    ck_assert_str_eq(near.names[0], "ab1");
}
END_TEST

static const struct {
    const char *given;
    size_t width;
    const char *expected;
} wrapped[] = {
    {"", 10, ""},
    {"one two three", 13, "> one two three\n"},
    {"one two three", 12, "> one two\n> three\n"},
    {"one  two", 5, "> one \n> two\n"},
    {"unbreakable word", 4, "> unbreakable\n> word\n"},
    {"\u00e9t\u00e9 \u00e9t\u00e9", 7, "> \u00e9t\u00e9 \u00e9t\u00e9\n"}, /* columns, not bytes */
    {"\u30e1\u30e2\u30ea\u91cf", 6, "> \u30e1\u30e2\u30ea\n> \u91cf\n"},
    {"\u30e1\u30e2\u30ea\u3002", 6,
     "> \u30e1\u30e2\n> \u30ea\u3002\n"}, /* no line begins with a full stop */
    {"a\u30e1\u30e2 b", 4, "> a\u30e1\n> \u30e2 b\n"},
    {"\U0001F600 \U00020000\U00020000", 5, "> \U0001F600 \U00020000\n> \U00020000\n"},
};

START_TEST(test_wrap)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    wcts_text_wrap(out, "> ", wrapped[_i].given, wrapped[_i].width);
    fclose(out);
    ck_assert_str_eq(text, wrapped[_i].expected);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, test_clean, 0, (int)(sizeof texts / sizeof texts[0]));
    tcase_add_loop_test(tests, test_frames, 0, (int)(sizeof stacks / sizeof stacks[0]));
    tcase_add_test(tests, test_frames_bounded);
    tcase_add_loop_test(tests, test_wrap, 0, (int)(sizeof wrapped / sizeof wrapped[0]));
    tcase_add_test(tests, test_distance);
    tcase_add_test(tests, test_near);
    tcase_add_test(tests, test_near_keeps_the_best);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
