/* SPDX-License-Identifier: MIT */
/* Content of memory in strips: a block that was there before is a number, and is read again. */
#include <stdlib.h>
#include <string.h>

#include "runner/exchange/strip.h"
#include "suite.h"

static struct wcts_exchange_strip *strip_new(void)
{
    struct wcts_exchange_strip *strip = calloc(1, sizeof *strip);
    ck_assert_ptr_nonnull(strip);
    strip->limit = WCTS_STRIP_MAX;
    return strip;
}

static void strip_free(struct wcts_exchange_strip *strip)
{
    wcts_exchange_strip_release(strip);
    free(strip);
}

/* Fills a message with content of memory, as patterns are. */
static void fill_memory(uint8_t *message, size_t size, size_t before, int pattern)
{
    for (size_t i = 0; i < size; i++)
        message[i] = (uint8_t)(i < before ? i : i * 7 + (size_t)pattern + (i >> 12) * 3);
}

/* A block that could not be added, for lack of memory, is not found later. */
START_TEST(what_was_not_added_is_not_found)
{
    struct wcts_exchange_blocks blocks = {0};
    static uint8_t block[2][WCTS_BLOCK];
    memset(block[1], 1, sizeof block[1]);
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[0]), -1);
    ck_assert(wcts_exchange_blocks_add(&blocks, block[0]));
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[1]), -1);
    /* Here adding it fails. What is behind the blocks is as it happens to be. */
    memcpy(blocks.bytes + WCTS_BLOCK, block[1], WCTS_BLOCK);
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[1]), -1);
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[0]), 0);
    ck_assert(wcts_exchange_blocks_find(&blocks, block[1]) == -1 &&
              wcts_exchange_blocks_add(&blocks, block[1]));
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[1]), 1);
    wcts_exchange_blocks_release(&blocks);
}
END_TEST

/* Blocks of memory that were there before are numbers, in whatever order they come. */
START_TEST(memory_that_was_there_is_a_number)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    static uint8_t message[32 + 3 * WCTS_BLOCK + 8];
    const size_t sizes[] = {sizeof message, 32 + WCTS_BLOCK, 32 + WCTS_BLOCK - 1, 40, 32, 8, 0};
    size_t size;
    for (int round = 0; round < 2; round++) {
        size_t first = strip->size;
        for (int i = 0; i < 7 * 20; i++) {
            fill_memory(message, sizes[i / 20], 32, i % 20);
            wcts_exchange_strip_put_memory(strip, 0x302, 32, message, sizes[i / 20]);
        }
        /* What is no whole block is put as differences. */
        ck_assert(round == 0 || strip->size - first < 20 * (WCTS_BLOCK + 1024));
    }
    ck_assert(!strip->full);
    ck_assert_uint_lt(strip->size, (20 * 3 + 2 * 20) * (WCTS_BLOCK + 32) + 4096);
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    for (int i = 0; i < 2 * 7 * 20; i++) {
        uint8_t *found = wcts_exchange_strip_memory(read, 0x302, 32, &size);
        fill_memory(message, sizes[i / 20 % 7], 32, i % 20);
        ck_assert_ptr_nonnull(found);
        ck_assert_uint_eq(size, sizes[i / 20 % 7]);
        ck_assert(memcmp(found, message, size) == 0);
        free(found);
    }
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* More blocks than are kept, all different. */
START_TEST(memory_without_end_comes_back)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    static uint8_t message[16 + WCTS_BLOCK];
    const int count = WCTS_BLOCKS_MAX + 100;
    size_t size;
    for (int i = 0; i < 2 * count; i++) {
        memcpy(message + 100, &(int){i % count}, sizeof i);
        wcts_exchange_strip_put_memory(strip, 0x101, 16, message, sizeof message);
    }
    ck_assert(!strip->full);
    ck_assert_int_eq(strip->blocks.count, WCTS_BLOCKS_MAX);
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    for (int i = 0; i < 2 * count; i++) {
        uint8_t *found = wcts_exchange_strip_memory(read, 0x101, 16, &size);
        memcpy(message + 100, &(int){i % count}, sizeof i);
        ck_assert_ptr_nonnull(found);
        ck_assert(size == sizeof message && memcmp(found, message, size) == 0);
        free(found);
    }
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* A number of no block, of a forged strip. */
START_TEST(a_block_that_is_not_there_is_wrong)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    size_t size;
    wcts_exchange_strip_put_number(strip, 8 + WCTS_BLOCK);
    wcts_exchange_strip_put_number(strip, 1); /* the word before it, as it was */
    wcts_exchange_strip_put_number(strip, 0);
    wcts_exchange_strip_put_number(strip, 2); /* block 0 */
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    ck_assert_ptr_null(wcts_exchange_strip_memory(read, 0x302, 8, &size));
    ck_assert(read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("blocks");
    TCase *blocks = tcase_create("blocks");
    tcase_add_test(blocks, what_was_not_added_is_not_found);
    tcase_add_test(blocks, memory_that_was_there_is_a_number);
    tcase_add_test(blocks, memory_without_end_comes_back);
    tcase_add_test(blocks, a_block_that_is_not_there_is_wrong);
    suite_add_tcase(all, blocks);
    return all;
}

int main(void)
{
    return suite_run(suite());
}
