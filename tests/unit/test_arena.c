/* SPDX-License-Identifier: MIT */
/* Memory that is freed at once. Apart from the tests of loading, since a process ends in one of
 * these: those can then run in one process, whose memory is searched for leaks once. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "suite.h"

START_TEST(arena_gives_zeroed_aligned_memory)
{
    struct wcts_arena *arena = wcts_arena_new();
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *bytes = wcts_arena_alloc(arena, size);
        ck_assert_uint_eq((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++)
            ck_assert_uint_eq(bytes[i], 0);
        memset(bytes, 0xFF, size);
    }
    wcts_arena_free(arena);
    wcts_arena_free(NULL);
}
END_TEST

START_TEST(arena_takes_more_than_a_block)
{
    struct wcts_arena *arena = wcts_arena_new();
    char *small = wcts_arena_string(arena, "before", 6);
    char *large = wcts_arena_array(arena, 1024, 1024);
    char *formatted = wcts_arena_format(arena, "%s %d", "after", 1);
    memset(large, 'x', 1024 * 1024);
    ck_assert_str_eq(small, "before");
    ck_assert_str_eq(formatted, "after 1");
    wcts_arena_free(arena);
}
END_TEST

START_TEST(arena_ends_the_process_on_overflow)
{
    struct wcts_arena *arena = wcts_arena_new();
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr)); /* it says why */
    wcts_arena_array(arena, SIZE_MAX / 2, 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arena");
    TCase *tcase = tcase_create("arena");
    tcase_add_test(tcase, arena_gives_zeroed_aligned_memory);
    tcase_add_test(tcase, arena_takes_more_than_a_block);
    tcase_add_exit_test(tcase, arena_ends_the_process_on_overflow, 3);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
