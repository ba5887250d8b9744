/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/image.h"
#include "suite.h"

/* What is stored: pointers into the arena and into the program. */
struct one {
    struct one *next;
    const char *text;  /* of the program */
    const char *given; /* of the arena */
    uint64_t number;
};

static const char constant[] = "a text of the program";

/* A list of count, in the arena. */
static struct one *make(struct wcts_arena *arena, int count)
{
    struct one *first = NULL;
    for (int i = 0; i < count; i++) {
        struct one *one = wcts_arena_alloc(arena, sizeof *one);
        *one = (struct one){first, constant, wcts_arena_format(arena, "number %d", i),
                            UINT64_C(0x100000000) * (uint64_t)i};
        first = one;
    }
    return first;
}

/* Stores a list of count in a file of its own, whose name the caller frees. */
static char *stored(int count)
{
    char *path = strdup("/tmp/wcts-image-XXXXXX");
    struct wcts_arena *arena = wcts_image_arena();
    FILE *out = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(arena);
    ck_assert_ptr_nonnull(out);
    ck_assert(wcts_image_store(arena, make(arena, count), out));
    fclose(out);
    wcts_arena_free(arena);
    return path;
}

static void drop(char *path)
{
    unlink(path);
    free(path);
}

static void patch(const char *path, long at, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "r+");
    ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

START_TEST(what_was_stored_is_there_again)
{
    char *path = stored(5000);
    void *root = NULL;
    struct wcts_arena *arena = wcts_image_read(path, &root);
    int count = 0;
    ck_assert_ptr_nonnull(arena);
    for (const struct one *one = root; one != NULL; one = one->next) {
        char text[32];
        snprintf(text, sizeof text, "number %d", 4999 - count);
        ck_assert_ptr_eq(one->text, constant);
        ck_assert_str_eq(one->given, text);
        ck_assert_uint_eq(one->number, UINT64_C(0x100000000) * (uint64_t)(4999 - count));
        count++;
    }
    ck_assert_int_eq(count, 5000);
    /* It is an arena like others, and what is done to it is not done to the file. */
    for (int i = 0; i < 3000; i++)
        ck_assert_str_eq(wcts_arena_string(arena, "0123456789abcdef", 10), "0123456789");
    ((struct one *)root)->text = NULL;
    wcts_arena_free(arena);
    arena = wcts_image_read(path, &root);
    ck_assert_ptr_eq(((struct one *)root)->text, constant);
    wcts_arena_free(arena);
    drop(path);
}
END_TEST

START_TEST(one_at_a_time)
{
    char *path = stored(1);
    void *root = NULL;
    struct wcts_arena *arena = wcts_image_arena();
    ck_assert_ptr_nonnull(arena);
    ck_assert_ptr_null(wcts_image_arena());
    ck_assert_ptr_null(wcts_image_read(path, &root));
    wcts_arena_free(arena);
    arena = wcts_image_read(path, &root);
    ck_assert_ptr_nonnull(arena);
    wcts_arena_free(arena);
    drop(path);
}
END_TEST

/* A pointer to what the next process does not have. */
START_TEST(what_points_elsewhere_is_not_stored)
{
    char *text = strdup("a text on the heap");
    const void *elsewhere[] = {text, &text, stdout};
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        struct wcts_arena *arena = wcts_image_arena();
        struct one *one = make(arena, 3);
        FILE *out = tmpfile();
        memcpy(&one->next->next->text, &elsewhere[i], sizeof elsewhere[i]);
        ck_assert(!wcts_image_store(arena, one, out));
        ck_assert_int_eq((int)ftell(out), 0);
        fclose(out);
        wcts_arena_free(arena);
    }
    free(text);
}
END_TEST

START_TEST(no_room_to_write)
{
    struct wcts_arena *arena = wcts_image_arena();
    FILE *out = fopen("/dev/full", "w");
    ck_assert(!wcts_image_store(arena, make(arena, 3), out));
    fclose(out);
    wcts_arena_free(arena);
}
END_TEST

START_TEST(a_file_that_is_none)
{
    static const uint64_t large = UINT64_C(1) << 40;
    static const struct {
        long at; /* of bytes that are replaced; -1: cut to length */
        long length;
        const void *bytes;
    } damages[] = {
        {0, 4, "WDDM"},   {14, 1, "2"},  {20, 8, "AAAAAAAA"}, {88, 8, &large},  {96, 8, &large},
        {104, 8, &large}, {-1, 0, NULL}, {-1, 100, NULL},     {-1, 4096, NULL}, {-1, 9000, NULL},
    };
    void *root = NULL;
    ck_assert_ptr_null(wcts_image_read("/nowhere/none.image", &root));
    ck_assert_ptr_null(wcts_image_read("/tmp", &root));
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        char *path = stored(500);
        struct wcts_arena *arena = wcts_image_read(path, &root);
        ck_assert_ptr_nonnull(arena);
        wcts_arena_free(arena);
        if (damages[i].at < 0)
            ck_assert_int_eq(truncate(path, damages[i].length), 0);
        else
            patch(path, damages[i].at, damages[i].bytes, (size_t)damages[i].length);
        ck_assert_msg(wcts_image_read(path, &root) == NULL, "damage %zu", i);
        drop(path);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image");
    TCase *cases = tcase_create("image");
    tcase_add_test(cases, what_was_stored_is_there_again);
    tcase_add_test(cases, one_at_a_time);
    tcase_add_test(cases, what_points_elsewhere_is_not_stored);
    tcase_add_test(cases, no_room_to_write);
    tcase_add_test(cases, a_file_that_is_none);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
